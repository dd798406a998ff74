# Written by `make stubs`; edits here are lost.

from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from typing import Any as _Any
from vitrify.distributed.transpile.stages import Stage as _Stage
from vitrify.distributed.transpile.stages import TranspiledOptimizer as _TranspiledOptimizer

class GradAllReduce(_Stage):
    """Average the gradients over a group of ranks before the optimizer's updates read them.

    `transpile_startup` gives all ranks the first one's parameters and states. Fetched gradients stay this rank's own.
    The compiler joins the exchanges of small gradients (`bucket_exchanges`).

    >>> import vitrify as vt
    >>> vt.enable_static()
    >>> main, startup = vt.static.Program(), vt.static.Program()
    >>> with vt.static.program_guard(main, startup):
    ...     loss = vt.static.nn.fc(vt.static.data("x", [None, 3]), 1).mean()
    ...     _ = vt.optimizer.SGD(0.1).minimize(loss)
    >>> _ = GradAllReduce().transpile(main)
    >>> [op.type for op in main.global_block().ops].count("all_reduce")
    2
    >>> vt.disable_static()"""
    name: _str
    def apply(self, pairs: _list[_tuple[_Any, _Any]], then: _Callable[[_list[_tuple[_Any, _Any]]], None], optimizer: _TranspiledOptimizer) -> None:
        """Exchange each gradient, one after the other."""
