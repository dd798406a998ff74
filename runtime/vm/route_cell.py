"""What an EXCHANGE instruction knows of MPI: the address of a route, once Python has carried out such an exchange.

Python does the first one, and each one that native code leaves to it: where another transport is in force, ranks
disagree, or don't come at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.exchange import Request, Route, transport

Array = Any


class RouteCell:
    """A word that holds the address of a route, or 0."""

    __slots__ = ("_route", "_word", "address")

    def __init__(self) -> None:
        self._word = np.zeros(1, np.int64)
        self._route: Route | None = None
        self.address: int = self._word.ctypes.data

    def set(self, route: Route | None) -> None:
        """Let native code use a route from now on; None: none."""
        self._route = route
        self._word[0] = 0 if route is None else route.address

    def exchange(self, request: Request) -> Array:
        """The exchange that native code has left to Python. Errors: ExchangeError."""
        route = self._route
        if route is not None and route.is_begun:
            return route.finish(request)
        run = transport()
        made = run.exchange(request)
        if route is None or not route.is_open:
            self.set(run.route(request))
        return made
