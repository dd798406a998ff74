"""Which rows of a `static.nn.sparse_embedding` a parameter server admits: the settings, as texts."""

from __future__ import annotations

from ..base.errors import ArgumentError


class EntryAttr:
    """What such settings have in common."""

    def _to_attr(self) -> str:
        """The text of the settings."""
        raise NotImplementedError(f"{type(self).__name__} is no entry by itself")


class ProbabilityEntry(EntryAttr):
    """A new row is admitted with this probability. Errors: ArgumentError (a ValueError) unless 0 < probability < 1.

    >>> ProbabilityEntry(0.5)._to_attr()
    'probability_entry:0.5'
    """

    def __init__(self, probability: float) -> None:
        if not isinstance(probability, float) or not 0 < probability < 1:
            raise ArgumentError(f"probability must be a float above 0 and below 1, not {probability!r}")
        self.probability = probability

    def _to_attr(self) -> str:
        return f"probability_entry:{self.probability}"


class CountFilterEntry(EntryAttr):
    """A row is admitted when it was seen so often. Errors: ArgumentError (a ValueError) for another kind or below 0.

    >>> CountFilterEntry(10)._to_attr()
    'count_filter_entry:10'
    """

    def __init__(self, count_filter: int) -> None:
        if not isinstance(count_filter, int) or count_filter < 0:
            raise ArgumentError(f"count_filter must be an int of at least 0, not {count_filter!r}")
        self.count_filter = count_filter

    def _to_attr(self) -> str:
        return f"count_filter_entry:{self.count_filter}"


class ShowClickEntry(EntryAttr):
    """Names of the variables that count how often a row was shown and clicked. Errors: ArgumentError (a ValueError).

    >>> ShowClickEntry("show", "click")._to_attr()
    'show_click_entry:show:click'
    """

    def __init__(self, show_name: str, click_name: str) -> None:
        if not isinstance(show_name, str) or not isinstance(click_name, str):
            raise ArgumentError(f"show_name and click_name must be names, not {show_name!r} and {click_name!r}")
        self.show_name, self.click_name = show_name, click_name

    def _to_attr(self) -> str:
        return f"show_click_entry:{self.show_name}:{self.click_name}"
