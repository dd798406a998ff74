"""Looking at programs and runs: profiles, costs, the model of this machine, the subject of a report.

Nothing here changes how a program runs.
"""
