"""Pipelines: which passes run, in which order. A pipeline is a tuple; make your own from it."""

from __future__ import annotations

from .algebra.byte_products import ByteProducts
from .algebra.concat_reads import ConcatReads
from .algebra.counted_sizes import CountedSizes
from .algebra.cse import CommonSubexpressions
from .algebra.cut_sizes import CutSizes
from .algebra.dce import DeadCode
from .algebra.decompose_ops import Decompose
from .algebra.fold import ConstantFolding
from .algebra.identities import DropIdentities
from .algebra.narrow_products import NarrowProducts
from .algebra.resolved_sizes import ResolvedSizes
from .algebra.simplify import Simplify
from .algebra.split_complex import SplitComplex
from .extensions import extended
from .fusion.bucket_exchanges import BucketExchanges
from .fusion.dense_masks import DenseMasks
from .fusion.fuse import Fuse
from .fusion.gather_pushdown import GatherPushdown
from .fusion.gemm_beta import FoldIntoBeta
from .fusion.match_attention import MatchAttention
from .fusion.overlap_exchanges import OverlapExchanges
from .fusion.pointwise_filters import PointwiseFilters
from .fusion.rematerialise import RematerialiseIndices, RematerialiseScalars
from .fusion.split_reductions import SplitReductions
from .fusion.winograd import Winograd
from .layout.memory_order import MemoryOrder
from .layout.move_reshapes import MoveReshapes
from .loops.cell_updates import CellUpdates
from .loops.hoist_transposes import HoistTransposes
from .loops.known_flags import KnownFlags
from .loops.licm import LoopInvariants
from .loops.merge_sums import MergeSums
from .loops.promote_rows import PromoteRows
from .loops.shared_factors import SharedFactors
from .loops.sink_reductions import SinkReductions
from .manager import Pass
from .memory.recompute import Recompute
from .memory.sink_updates import SinkUpdates

PASSES: tuple[type[Pass], ...] = (
    BucketExchanges,
    ByteProducts,
    CellUpdates,
    CommonSubexpressions,
    ConcatReads,
    ConstantFolding,
    CountedSizes,
    CutSizes,
    DeadCode,
    Decompose,
    DenseMasks,
    DropIdentities,
    FoldIntoBeta,
    Fuse,
    GatherPushdown,
    HoistTransposes,
    KnownFlags,
    LoopInvariants,
    MatchAttention,
    MemoryOrder,
    MergeSums,
    MoveReshapes,
    NarrowProducts,
    OverlapExchanges,
    PointwiseFilters,
    PromoteRows,
    Recompute,
    RematerialiseIndices,
    RematerialiseScalars,
    ResolvedSizes,
    SharedFactors,
    Simplify,
    SinkReductions,
    SinkUpdates,
    SplitComplex,
    SplitReductions,
    Winograd,
)


def default_pipeline(*, fuse: bool = True) -> tuple[Pass, ...]:
    """What a program goes through before it is lowered; without `fuse` it can still be differentiated."""
    tidy: tuple[Pass, ...] = (
        KnownFlags(), Simplify(), ConstantFolding(), CommonSubexpressions(), DeadCode(), LoopInvariants(), Simplify(),
        CommonSubexpressions(), DeadCode(),
    )  # fmt: skip
    return extended((*tidy, *_FINAL) if fuse else tidy)


_FINAL: tuple[Pass, ...] = (
    CutSizes(), DropIdentities(), SplitComplex(), DenseMasks(), ByteProducts(), ResolvedSizes(), CountedSizes(),
    SharedFactors(), MatchAttention(), GatherPushdown(), MergeSums(), PromoteRows(), DeadCode(), CommonSubexpressions(),
    SinkReductions(), CellUpdates(), DeadCode(), CommonSubexpressions(), BucketExchanges(), FoldIntoBeta(), Winograd(),
    PointwiseFilters(), NarrowProducts(), HoistTransposes(), MemoryOrder(), MoveReshapes(), CommonSubexpressions(),
    DeadCode(),
    SplitReductions(), RematerialiseScalars(), RematerialiseIndices(), ConcatReads(), Fuse(), CommonSubexpressions(),
    DeadCode(), OverlapExchanges(), SinkUpdates(),
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
