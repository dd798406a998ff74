"""What a compiled function shows of itself: stages, explanations, certificates, costs, deviations.

Nothing that a call runs through lives here.
"""
