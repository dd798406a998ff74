"""Differential fuzzing: random programs, functions and models, each run in many ways that have to agree.

The kind `equal` compares functions with what rules that must not change them make of them.

    python -m vitrify.testing.fuzz --seconds 600             # all kinds in turn, new seeds
    python -m vitrify.testing.fuzz --kind models --seed 7 --count 1

A disagreement is shrunk to a small script, a test that fails until the fault is mended (tests/regressions).
"""

from .checks import Disagreement
from .compositions import check_composition, composition
from .equal import check_equal, check_pair, random_pair
from .files import check_file, damaged_file
from .functions import check_function
from .models import check_model, random_model
from .programs import check_program, rich_program
from .run import KINDS, Report, fuzz

__all__ = [
    "KINDS",
    "Disagreement",
    "Report",
    "check_composition",
    "check_equal",
    "check_file",
    "check_function",
    "check_model",
    "check_pair",
    "check_program",
    "composition",
    "damaged_file",
    "fuzz",
    "random_model",
    "random_pair",
    "rich_program",
]
