"""Pipelines: which passes run, in which order. A pipeline is a tuple; make your own from it."""

from __future__ import annotations

from .algebra.cse import CommonSubexpressions
from .algebra.dce import DeadCode
from .algebra.decompose_ops import SpellOut
from .algebra.fold import Fold
from .algebra.simplify import Simplify
from .extensions import extended
from .fusion.conv_epilogue import Finish
from .fusion.fuse import Fuse
from .fusion.gather_pushdown import Pick
from .fusion.gemm_beta import Contract
from .fusion.match_attention import Attend
from .fusion.rematerialise import Scalars
from .fusion.split_reductions import Pieces
from .fusion.winograd import Winograd
from .loops.hoist_transposes import Upright
from .loops.licm import LoopInvariants
from .loops.merge_sums import Collect
from .loops.promote_rows import Rows
from .loops.sink_reductions import Defer
from .manager import Pass
from .memory.recompute import Recompute
from .memory.sink_updates import Postpone

PASSES: tuple[type[Pass], ...] = (
    Attend,
    Collect,
    CommonSubexpressions,
    Contract,
    DeadCode,
    Defer,
    Finish,
    Fold,
    Fuse,
    LoopInvariants,
    Pick,
    Pieces,
    Postpone,
    Recompute,
    Rows,
    Scalars,
    Simplify,
    SpellOut,
    Upright,
    Winograd,
)


def default_pipeline(*, fuse: bool = True) -> tuple[Pass, ...]:
    """What a program goes through before it is lowered; without `fuse` it can still be differentiated."""
    tidy: tuple[Pass, ...] = (
        Simplify(), Fold(), CommonSubexpressions(), DeadCode(), LoopInvariants(), Simplify(), CommonSubexpressions(),
        DeadCode(),
    )  # fmt: skip
    return extended((*tidy, *_FINAL) if fuse else tidy)


_FINAL: tuple[Pass, ...] = (
    Attend(), Pick(), Collect(), Rows(), DeadCode(), CommonSubexpressions(), Defer(), DeadCode(),
    CommonSubexpressions(), Contract(), Finish(), Winograd(), Upright(), DeadCode(), Pieces(), Scalars(), Fuse(),
    DeadCode(), Postpone(),
)  # fmt: skip


def final_passes() -> tuple[Pass, ...]:
    """What makes a tidy program ready to be lowered."""
    return extended(_FINAL)


def recomputations(least: int, sizes: tuple[tuple[str, int], ...]) -> tuple[Recompute, ...]:
    """Ways to trade time for memory, the cheapest first. least, sizes: as in Recompute."""
    kept = [Recompute(True, n, least=least, sizes=sizes) for n in (2, 3, 4, 6, 9, 0)]
    return (Recompute(least=least, sizes=sizes), *kept, Recompute(True, each_time=True, least=least, sizes=sizes))


def pass_named(name: str) -> Pass:
    """A pass with its default options, by the name it carries in texts: `cse`, `dce`, …; KeyError otherwise."""
    return {item.name: item for item in PASSES}[name]()
