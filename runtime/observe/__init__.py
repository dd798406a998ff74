"""Looking at programs and runs: profiles, costs, the model of this computer, the subject of a report.

Nothing here changes how a program runs.
"""
