"""Pipelines: which passes run, in which order. A pipeline is a tuple; make your own from it."""

from __future__ import annotations

from .attend import Attend
from .collect import Collect
from .contract import Contract
from .cse import CommonSubexpressions
from .dce import DeadCode
from .defer import Defer
from .extensions import extended
from .finish import Finish
from .fold import Fold
from .fuse import Fuse
from .licm import LoopInvariants
from .manager import Pass
from .pick import Pick
from .pieces import Pieces
from .postpone import Postpone
from .recompute import Recompute
from .rows import Rows
from .scalars import Scalars
from .simplify import Simplify
from .spell_out import SpellOut
from .upright import Upright
from .winograd import Winograd

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
