# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Mapping as _Mapping
from typing import Any as _Any
from vitrify.runtime.observe.machine_model import MachineModel as _MachineModel

class Cost:
    """What one call costs. Ints, or polynomials of open sizes and of trip counts of loops; `at` fills those in.

    work: floating-point operations, as far as they are known (`unknown` lists what isn't). bytes_before, bytes_after:
    read and written with memory of its own for each operation, and by the fused steps. calls: kernels, matmuls and
    copies. python_calls: operations that NumPy or your callbacks run. peak: bytes of intermediates: exactly what the
    plan takes where all sizes are known, else the largest live set, to which `at` gives the exact figure. arguments,
    results: bytes of what goes in (weights included) and comes out. turns: what the symbols of loops stand for."""
    name: _str
    work: _int | _Any
    bytes_before: _int | _Any
    bytes_after: _int | _Any
    calls: _int | _Any
    python_calls: _int | _Any
    peak: _int | _Any
    arguments: _int | _Any
    results: _int | _Any
    turns: _Mapping[_str, _str]
    unknown: _tuple[_str, ...]
    sizes: _Mapping[_str, _int]
    steps: _Any | None
    backward: Cost | None
    @property
    def symbols(self) -> _tuple[_str, ...]:
        """Sizes and trip counts that are open."""
    def at(self, **sizes: _int) -> Cost:
        """The cost for these sizes and trip counts; what isn't named stays open.

        Errors: ArgumentError for a name that isn't open."""
    def time(self, model: _MachineModel | None = None) -> Estimate:
        """Seconds of one call by the machine model (this machine's, measured at its first use), with the model's error.

        Operations that run in Python or whose work is unknown count by their bytes only: then it is a lower bound.
        Errors: ArgumentError while sizes or trip counts are open."""
    def to_dict(self) -> _dict[_str, _Any]:
        """Plain data; polynomials as text."""
    def __init__(self, name: _str, work: _int | _Any, bytes_before: _int | _Any, bytes_after: _int | _Any, calls: _int | _Any, python_calls: _int | _Any, peak: _int | _Any, arguments: _int | _Any, results: _int | _Any, turns: _Mapping[_str, _str] = ..., unknown: _tuple[_str, ...] = ..., sizes: _Mapping[_str, _int] = ..., steps: _Any | None = None, backward: Cost | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""

class Estimate:
    """Seconds, and by which share the model was off, typically, when it was measured. partial: a lower bound only."""
    seconds: _float
    error: _float
    partial: _bool
    def __init__(self, seconds: _float, error: _float, partial: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
