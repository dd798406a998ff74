# Written by `make stubs`; edits here are lost.

from builtins import int as _int

class ReduceOp:
    """How the tensors of the ranks are joined."""
    SUM: _int
    MAX: _int
    MIN: _int
    PROD: _int
    AVG: _int
