# Written by `make stubs`; edits here are lost.

from builtins import float as _float
from builtins import int as _int
from builtins import str as _str

class CountFilterEntry(EntryAttr):
    """A row is admitted when it was seen so often. Errors: ArgumentError (a ValueError) for another kind or below 0.

    >>> CountFilterEntry(10)._to_attr()
    'count_filter_entry:10'"""
    count_filter: _int
    def __init__(self, count_filter: _int) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class EntryAttr:
    """What such settings have in common."""

class ProbabilityEntry(EntryAttr):
    """A new row is admitted with this probability. Errors: ArgumentError (a ValueError) unless 0 < probability < 1.

    >>> ProbabilityEntry(0.5)._to_attr()
    'probability_entry:0.5'"""
    probability: _float
    def __init__(self, probability: _float) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class ShowClickEntry(EntryAttr):
    """Names of the variables that count how often a row was shown and clicked. Errors: ArgumentError (a ValueError).

    >>> ShowClickEntry("show", "click")._to_attr()
    'show_click_entry:show:click'"""
    show_name: _str
    click_name: _str
    def __init__(self, show_name: _str, click_name: _str) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
