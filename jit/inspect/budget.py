"""`fn.cost()` and `assert_budget`: what a call costs, before it runs."""

from __future__ import annotations

from typing import Any

from ...base.errors import BudgetError, KindError
from ...runtime.observe.cost import Cost, cost_of, exceeded, steps_of
from ...runtime.options import as_bytes
from ..call.caller import Runner
from ..trace.traced import Trace


def cost(trace: Trace, runner: Runner | None) -> Cost:
    """The cost of a captured program; that of the programs that run, forward and backward, where they are known."""
    if runner is None:
        return cost_of(steps_of(trace.program))
    steps = runner.executable.steps
    if runner.executable.fit is not None and not steps.symbols:
        steps = runner.executable.fit({})[0]
    backward = None if runner.pair is None else cost_of(steps_of(runner.pair.made.backward))
    return cost_of(steps, backward)


def assert_budget(
    fn: Any, *, peak: int | str | None = None, work: int | None = None, flops: int | None = None,
    bytes: int | str | None = None, calls: int | None = None, **sizes: int,
) -> Cost:  # fmt: skip
    """Check what one call of a compiled function costs, without running it; for tests and CI. Returns the cost.

    peak: bytes of intermediates that the memory plan takes ("64MB"). work, or flops: floating-point operations.
    bytes: read and written after fusion. calls: of kernels. sizes: of open axes, and iterations of loops (`T1=10`).
    Gradients taken from outside count for themselves: neither program may go beyond a limit.
    Errors: BudgetError (an AssertionError) with every limit that is exceeded; ArgumentError while sizes are open, and
    for a function that has no program yet and no input_spec; KindError for what isn't compiled.

    >>> import vitrify as vt
    >>> f = vt.to_static(lambda x: vt.tanh(x).sum(), input_spec=[vt.InputSpec([None, 8])])
    >>> vt.assert_budget(f, peak="1KB", flops=5000, N=64).work
    4608
    """
    subject = getattr(fn, "forward", fn)
    if not hasattr(subject, "cost"):
        raise KindError(f"{fn!r} isn't a compiled function", remedy="give what to_static returns")
    found: Cost = subject.cost()
    found = found.at(**sizes) if sizes else found
    limits = {
        "peak": None if peak is None else as_bytes(peak),
        "work": work if flops is None else flops,
        "bytes_after": None if bytes is None else as_bytes(bytes),
        "calls": calls,
    }
    given = {name: limit for name, limit in limits.items() if limit is not None}
    over = exceeded(found, given)
    if found.backward is not None:
        over += [f"backward: {words}" for words in exceeded(found.backward, given)]
    if over:
        raise BudgetError(
            f"{found.name} is over its budget: {'; '.join(over)}", remedy="print(fn.cost()) shows all figures"
        )
    return found
