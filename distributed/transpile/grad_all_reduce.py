"""GradAllReduce: gradients are averaged over the ranks before the updates read them."""

from __future__ import annotations

from ..exchanges import all_reduce_of
from .stages import Pairs, Stage, Then, TranspiledOptimizer


class GradAllReduce(Stage):
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
    >>> vt.disable_static()
    """

    name = "grad_all_reduce"

    def apply(self, pairs: Pairs, then: Then, optimizer: TranspiledOptimizer) -> None:
        """Exchange each gradient, one after the other."""
        then([(p, all_reduce_of(g, "mean", self.group)) for p, g in pairs])
