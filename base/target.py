"""The CPU that kernels are made for, as numbers: the only place for what another CPU would want otherwise.

A `Target` has the facts of a CPU (its vectors, registers, caches) and the figures measured on such a one (what pays on
two threads, from which size a kernel beats OpenBLAS). Tile sizes, unroll counts and limits follow from these, here.
`current_target()` is this machine's, or the one that VITRIFY_TARGET names.
"""

from __future__ import annotations

import functools
import math
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from .errors import ArgumentError
from .suggest import one_of

VARIABLE = "VITRIFY_TARGET"


@dataclass(frozen=True)
class Core:
    """How a core computes: bytes of a vector, how many of them its registers hold, and what it does in a cycle.

    passes: that a whole vector takes through a multiplier, two where multipliers are half as wide.
    latency: cycles until the result of a multiply-add can be used.
    streams_up_to: for kernels whose costliest operation on an element costs no more than this, stores past the caches
    are faster than ordinary ones where a large result is written.
    slack: what sums that just hide `latency` take by what they would, as one's delay is all others' too.
    abreast: vectors that a loop of at least `chain` operations is computed for at once. They wait for each other, and a
    core that looks at few waiting operations finds none of the next vector's to do meanwhile.
    picked: operations that an element takes from these which is read alone, by a place of its own in each lane: the
    places of several vectors don't fit the registers, and loads don't wait for each other anyway.
    """

    vector_bytes: int
    registers: int
    multiply_adds: int = 2
    passes: int = 1
    loads: int = 2
    latency: int = 4
    slack: float = 1.0
    streams_up_to: int = 1 << 30
    abreast: int = 1
    chain: int = 40
    picked: int = 32

    def waiting(self, sums: int) -> float:
        """What so many sums take by what they would without delays: `slack`, and less up to half as many more."""
        hidden = self.multiply_adds * self.latency
        return 1 + (self.slack - 1) * min(max(3 - 2 * sums / hidden, 0), 1)


@dataclass(frozen=True)
class Caches:
    """Bytes of a core's caches, of their lines, and between addresses that take the same places of the first one.

    ahead: elements after which memory is asked for early, across the pages at which the processor stops to do so.
    """

    first: int = 32 << 10
    second: int = 1 << 20
    line: int = 64
    clash: int = 4096
    ahead: int = 1024

    def rows_apart(self, distance: int) -> int:
        """Lines that stay in the first cache together, where they lie so many bytes apart.

        >>> Caches().rows_apart(4096), Caches().rows_apart(9 * 2048), Caches().rows_apart(64)
        (8, 16, 512)
        """
        return self.first // math.gcd(distance, self.clash) if distance >= self.line else self.first // self.line


@dataclass(frozen=True)
class Threads:
    """What pays to hand to other threads, in simple operations unless it says otherwise; 50,000 take about 10 µs."""

    pair: int = 60_000  # pay for one other thread: more are only called for work of `chunk` each
    chunk: int = 100_000  # pay for handing a chunk to another thread
    short: int = 50_000  # programs up to that keep Python's lock
    # Of OpenBLAS's GEMMs, from which on they are cut into 2, 4 and 8 parts: smaller ones run faster on one thread.
    blas_flops: tuple[int, ...] = (4_000_000, 500_000_000, 8_000_000_000)
    reduction: int = 200_000  # elements: below, one thread is as fast
    sums: int = 64  # equal parts of a large array whose rows are too short or few: of `reduction` each has 3,000
    convolution: int = 2_000_000  # multiplications of one image, from which on ranges of its channels are shared out
    ranges: int = 4  # of channels or filters, and images that are enough without them
    pieces: int = 8  # that convolutions are split into at most: each has a panel of its own
    spins: int = (
        5000  # of `pause`, before a worker sleeps: 0.1 to 0.25 ms, longer than what is serial in a training step
    )


@dataclass(frozen=True)
class ElementCosts:
    """What an element is worth, in simple operations: computing it again against keeping it in memory."""

    duplicated: int = 6  # of a producer that may be computed more than once per element
    repeated: int = 40  # of all that one kernel computes more than once, because it reads it at several places
    picked: int = 8  # an element that lies where a number says, one load each, with the number's own and its bounds
    tables: int = 4  # rows, from which on indices that all of them share are checked once
    stashed: int = 6  # from which on an element is kept for the next sweep
    round_trip: int = 12  # to memory and back: about one transcendental function and a few steps around it
    streaming: int = 4  # per element read or written, from which on memory isn't what an iteration waits for
    multiply_adds: int = 4  # of a product that take as long as one simple operation of other kernels
    together: int = 4  # lines that are sorted side by side; fewer leave too much of the vectors empty
    row: int = 4  # elements, from which on a row that is written as a block beats single elements
    merged: int = 2048  # of a line that a kernel sorts by merging
    steps: int = 95  # of a sorting network for a line of 64 bits, vectors of 32 bytes, that cost what its digits do
    bins: int = 11  # bits of the number of a bin in which elements are counted: the counts stay in the first cache
    digit: int = 8  # bits of a digit by which lines are sorted: the places to which elements go stay in the first cache
    scalars: int = 125  # multiplications of a small product without vectors that take no longer than a call of BLAS


@dataclass(frozen=True)
class GemmLimits:
    """From which sizes on a custom GEMM is as fast as OpenBLAS (docs/decisions/0021)."""

    rows: int = 8  # a tile has as many
    rows_transposed: int = 32  # the other factor is transposed first, which takes as long as the GEMM of some rows
    most_rows: int = 512  # of f32; from there on a kernel pays by what it does to the sums only: it has to be compiled
    most_rows_transposed: int = 512  # of f32; from there on OpenBLAS is as fast
    depth: int = 8
    full_depth: int = 16  # less pays by what it does to the sums alone, and while the result is ...
    shallow_bytes: int = 8 << 20  # ... no larger: beyond, strips of an operand of the epilogue wait for memory
    most_depth: int = 1024  # a strip of the other factor lies on the stack, and in the second cache
    columns: int = 32
    work: int = 1 << 19  # multiply-adds: below, OpenBLAS is as fast
    weights: int = 1 << 15  # elements of the matrix of a GEMV; from 256 x 256 on OpenBLAS is as quick
    waste: float = 1.1  # elements computed per element needed, where sizes don't fill tiles
    panel: int = 256  # rows: what a panel reads of x fits the second cache, and a copied strip is used often enough
    in_place: int = 128  # rows: with as few, copying a strip first takes longer than it saves
    pixels: int = 1024  # of an image, up to which the gradient of 1 x 1 filters is one GEMM ...
    images: int = 16  # ... for each of so many
    filters: int = 1 << 13  # elements of these filters, from which on
    deep: int = 512  # longer strips than that don't stay in the first cache beside the tiles
    few_rows: int = 32  # that are multiplied by a matrix as it is read from memory, ...
    few_rows_alone: int = 64  # ... with 32 registers so many, of a known number, where there is no batch, ...
    few_work: int = 1 << 17  # ... from so many multiply-adds on
    streams: int = 32  # rows of a matrix that are read side by side, half as many where they clash: they are read ahead
    open_span: int = 256  # columns from which on a product has such a kernel whose columns are known to a call only
    span_bytes: int = 8192  # of such a row, from where another thread may go on: longer runs aren't read faster, ...
    far: int = 32 << 20  # ... but from memory: of a matrix of so many bytes
    far_streams: int = 8  # rows side by side there, twice as many for more rows than a tile has, ...
    far_span_bytes: int = 32768  # ... and bytes of each


@dataclass(frozen=True)
class WinogradCycles:
    """Cycles of a convolution of transformed tiles."""

    tiles_in: float = 60.0  # to transform a vector of tiles of an image
    tiles_out: float = 45.0  # and of a result
    filters_in: float = 10.0  # to transform a filter
    filters_read: float = 0.25  # for each number of transformed filters that don't stay in the second cache
    block: int = 64  # tiles for which filters are read
    deep: float = 1.4  # what products cost more, if vectors of more channels leave the first cache
    deep_channels: int = 256
    direct: float = 1.1  # a direct convolution's time by that of its multiplications
    filters_across: float = 24.0  # to read a filter for a gradient, where all don't stay in the second cache: ...
    filters_transposed: float = (
        8.0  # ... each lies far from the next, for every image anew; and to transform it more than usual
    )
    loops: float = 10.0  # that of direct loops


@dataclass(frozen=True)
class DepthwiseLimits:
    """How convolutions of single channels are summed."""

    columns: int = 4  # of results at least; fewer would leave most of a vector empty
    sums: int = 16  # vectors of sums at once
    read: int = 2  # a vector that lies across two lines of the cache, in products
    start: int = 8  # of a block of sums, in products


@dataclass(frozen=True)
class PanelLimits:
    """How convolutions over panels of image rows are cut, and the gradients of their filters."""

    vectors: int = 4  # of pixels, in images of which several are put side by side, ...
    images: int = 8  # ... at most so many
    channel_parts: int = 8  # of the channels, that follow each other in a panel
    direct: float = 0.8  # of the cost of images as they lie a panel may have: layers of a kind share their kernel
    packed_bytes: int = 64 << 20  # of filters that are copied into the order in which tiles read them
    packed_gap: int = 2  # elements for each channel there: tiles a page apart would meet in the same lines of the cache
    transposed: float = 0.5  # cycles for an element that is transposed in registers
    read: float = 0.03  # cycles for a byte of a run that is in the second cache
    read_far: float = 0.15  # and beyond
    shared: float = 1.1  # times the cost of parts that keep threads busy is too much for that
    uneven: float = 0.25  # of the time that the second of two threads has nothing to do for counts as a cost


@dataclass(frozen=True)
class ShortRows:
    """Which rows of few elements are written out, so that the loop over rows becomes vectors."""

    elements: int = 8  # of a row: what lies farther apart LLVM takes one by one, and not from loads of whole vectors
    windows: int = 64  # of a row that is a window of neighbours: rows side by side are read as whole vectors
    before_costly: int = 16  # where what follows on a row outweighs these loads
    costly: int = 12  # exponentials and the like of a row: each takes 8 ms to compile
    written: int = 256  # operations times elements
    rows: int = 64  # fewer are hardly a loop of vectors
    many: int = 1024  # so many rows are worth the time that longer ones take to compile
    inner: int = 16  # rows of a loop of its own
    map: int = 6  # elements of a row of what folds nothing: longer ones are vectors themselves


@dataclass(frozen=True)
class Target:
    """One kind of CPU, or this machine's. cpu, features: as LLVM names them, features with + and commas between.

    triple: LLVM's name of the platform, where code goes into a library; empty for code that this process runs.
    blas: whether OpenBLAS computes the products that have no kernel; in libraries, which have none, plain loops do.

    >>> TARGETS["avx2"].lanes(4), TARGETS["avx2"].gemm_tile, TARGETS["avx512"].gemm_tile
    (8, (6, 2), (8, 2))
    """

    name: str
    architecture: str
    cpu: str
    features: str
    core: Core
    caches: Caches = Caches()
    threads: Threads = field(default=Threads(), repr=False)
    costs: ElementCosts = field(default=ElementCosts(), repr=False)
    gemm: GemmLimits = field(default=GemmLimits(), repr=False)
    winograd: WinogradCycles = field(default=WinogradCycles(), repr=False)
    depthwise: DepthwiseLimits = field(default=DepthwiseLimits(), repr=False)
    panel: PanelLimits = field(default=PanelLimits(), repr=False)
    short_rows: ShortRows = field(default=ShortRows(), repr=False)
    pointer_bytes: int = 8
    blas: bool = True
    triple: str = ""
    abi: str = ""  # LLVM's name of how functions are called, where the platform has several

    @functools.cached_property
    def key(self) -> str:
        """All that machine code for this target depends on beside its kernel's text."""
        return repr((self.architecture, self.cpu, self.features, self.core, self.caches, self.triple))

    @functools.cached_property
    def enabled(self) -> frozenset[str]:
        """The features it has, by LLVM's names."""
        return frozenset(name[1:] for name in self.features.split(",") if name.startswith("+"))

    def lanes(self, itemsize: int) -> int:
        """Elements of a vector."""
        return self.core.vector_bytes // itemsize

    @property
    def packs_lanes(self) -> bool:
        """Whether one instruction moves the lanes of a vector that a mask picks, of 32 or 64 bits, to its front."""
        return self.core.vector_bytes == 64 or "avx512vl" in self.enabled

    @property
    def adds_byte_products(self) -> bool:
        """Whether one instruction adds the products of four bytes by four to each lane of 32 bits (VNNI)."""
        wide = self.core.vector_bytes == 64 or "avx512vl" in self.enabled
        return ("avx512vnni" in self.enabled and wide) or ("avxvnni" in self.enabled and self.core.vector_bytes == 32)

    @property
    def byte_products(self) -> str:
        """LLVM's name of that instruction."""
        return f"llvm.x86.avx512.vpdpbusd.{8 * self.core.vector_bytes}"

    @property
    def has_many_registers(self) -> bool:
        """Whether tiles of 8 rows by 2 vectors of sums leave registers for their factors."""
        return self.core.registers >= 32

    # -- products ------------------------------------------------------------------------------------------------

    @property
    def gemm_tile(self) -> tuple[int, int]:
        """Rows and vectors of a tile of a product."""
        return (8, 2) if self.has_many_registers else (6, 2)

    @property
    def sums_at_once(self) -> int:
        """Vectors of sums that hide how long one multiply-add takes."""
        return self.core.multiply_adds * self.core.latency

    @property
    def iterations_abreast(self) -> int:
        """Iterations of a loop from which on several vectors at once, those of f32, leave over little."""
        return 4 * self.core.abreast * self.lanes(4)

    def most_few_rows(self, transposed: bool, *, alone: bool = False) -> int:
        """Rows whose product reads the other factor once; fewer by lanes, where few sums fit the registers."""
        if self.has_many_registers:
            return self.gemm.few_rows_alone if alone else self.gemm.few_rows
        return self.gemm.few_rows // 2 if transposed else self.gemm.few_rows

    # -- attention -----------------------------------------------------------------------------------------------

    @property
    def attention_tile(self) -> tuple[int, int]:
        """Rows and vectors of a tile of scores."""
        return (8, 2) if self.has_many_registers else (4, 2)

    @property
    def attention_block(self) -> tuple[int, int, int]:
        """Queries and keys of a block at most, and bytes of its queries: its scores of f32 fit the first cache.

        More than 256 keys would be scores on the stack that a thread may not have.
        """
        queries = 64
        return queries, min(max(queries, self.caches.first // (4 * queries)), 256), self.caches.first

    # -- convolutions --------------------------------------------------------------------------------------------

    @property
    def panel_bytes(self) -> int:
        """What of the second cache a panel of image rows may take."""
        return self.caches.second * 3 // 8

    @property
    def filter_bytes(self) -> int:
        """Filters of that size stay in the second cache while the pixels go by."""
        return self.caches.second // 4

    @property
    def addressed_rows(self) -> int:
        """Rows of a tile that a distance known at a call addresses well: 12 rows then take 1.4 times as long."""
        return 8

    @property
    def long_loop(self) -> int:
        """Iterations from which on copies of an innermost loop make no kernel faster."""
        return 64

    @property
    def filter_sums(self) -> tuple[int, int]:
        """Elements of sums of a filter's gradient: shorter ones cost more to finish, longer ones gain nothing."""
        return 256, 1024

    @property
    def winograd_bytes(self) -> tuple[int, int]:
        """What of the second cache transformed tiles may take; where blocks are few, and fewer ones are faster."""
        return self.caches.second * 3 // 4, 2 * self.caches.second

    @property
    def winograd_rows(self) -> int:
        """Rows, a divisor of 8, of a tile of a product of transformed tiles: it has three vectors at most."""
        return 8 if self.has_many_registers else 4

    # -- kernels of elements -------------------------------------------------------------------------------------

    @property
    def stash_elements(self) -> int:
        """Elements of a row that are kept for its next sweep: of 8 bytes each they fill the first cache."""
        return self.caches.first // 8

    @property
    def fetched_bytes(self) -> tuple[int, int]:
        """Bytes of a row that are asked for early: more than a few lines, at most half a first cache."""
        return 4 * self.caches.line, self.caches.first // 2

    @property
    def streamed_bytes(self) -> int:
        """Bytes of a result from which on it doesn't stay in a core's caches anyway."""
        return 8 * self.caches.second

    @property
    def batched_bytes(self) -> int:
        """What a call may touch and still move past others like it: else what is in the cache would be gone."""
        return self.caches.second // 16

    @property
    def block_vectors(self) -> tuple[int, int]:
        """Most and fewest vectors of an array's block in a tiled loop: they hide how long an operation takes."""
        return self.sums_at_once, 2

    @property
    def loop_arrays(self) -> int:
        """Arrays of a tiled loop, carried and read: more of them don't fit into registers."""
        return self.core.registers * 3 // 8

    def transpose_side(self, itemsize: int) -> int:
        """Rows and columns of a square that is transposed in registers."""
        return 16 if self.core.vector_bytes == 64 and itemsize <= 4 else 8


_V2 = "+sse3,+ssse3,+sse4.1,+sse4.2,+popcnt,+cx16"
_V3 = f"{_V2},+avx,+avx2,+fma,+bmi,+bmi2,+f16c,+lzcnt,+movbe"
_V4 = f"{_V3},+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl,-prefer-256-bit"
TARGETS = {
    target.name: target
    for target in (
        Target("avx512", "x86_64", "x86-64-v4", _V4, Core(64, 32)),
        Target("avx2", "x86_64", "x86-64-v3", _V3, Core(32, 16, slack=1.25, abreast=4)),
        Target("sse4", "x86_64", "x86-64-v2", _V2, Core(16, 16)),
        Target("neon", "aarch64", "generic", "+neon,+fp-armv8", Core(16, 32)),
    )
}
_ARCHITECTURES = {"AMD64": "x86_64", "arm64": "aarch64"}  # what Windows and macOS call them
_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")


def current_target() -> Target:
    """The CPU that kernels are made for. ArgumentError where VITRIFY_TARGET names none that this machine can run."""
    return _swapped[-1] if _swapped else _own_target()


@contextmanager
def using_target(target: Target) -> Iterator[None]:
    """Make kernels for another target, in all threads: for tests, which can read text for CPUs that aren't here."""
    _swapped.append(target)
    try:
        yield
    finally:
        _swapped.pop()


_swapped: list[Target] = []


def is_swapped() -> bool:
    """Whether the target isn't the process's own: then no other process compiles for it."""
    return bool(_swapped)


@functools.lru_cache(maxsize=1)
def _own_target() -> Target:
    chosen = os.environ.get(VARIABLE, "")
    return host_target() if chosen in ("", "host") else named_target(chosen)


def named_target(name: str) -> Target:
    """The target of that name, if this machine can run its code. ArgumentError otherwise."""
    if name not in TARGETS:
        remedy = one_of(name, ["host", *TARGETS])
        raise ArgumentError(f"the environment variable {VARIABLE} is {name!r}", remedy=remedy)
    target, host = TARGETS[name], host_target()
    missing = sorted(target.enabled - host.enabled) if target.architecture == host.architecture else []
    if missing or target.architecture != host.architecture:
        lacks = f"lacks {', '.join(missing)}" if missing else f"is {host.architecture}"
        raise ArgumentError(
            f"the environment variable {VARIABLE} is {name!r}: code for it doesn't run here, this machine {lacks}",
            remedy=f"use one of {', '.join(map(repr, ['host', *runnable()]))}, or unset it",
        )
    return target


def runnable() -> list[str]:
    """The named targets whose code runs on this machine."""
    host = host_target()
    return [n for n, t in TARGETS.items() if t.architecture == host.architecture and t.enabled <= host.enabled]


@functools.lru_cache(maxsize=1)
def host_target() -> Target:
    """This machine's: the kind with its widest vectors, its own name and features, caches as the system tells."""
    import llvmlite.binding as llvm  # loads LLVM, which eager mode and programs read from a file don't need

    features = llvm.get_host_cpu_features()
    architecture = _ARCHITECTURES.get(platform.machine(), platform.machine())
    text = features.flatten() + (",-prefer-256-bit" if architecture == "x86_64" else "")
    is_zen = llvm.get_host_cpu_name().startswith("znver")
    if is_zen and llvm.llvm_version_info >= (18,):
        text += ",+prefer-no-gather"  # of AMD: loads one by one take two thirds of a gather's time
    kind = _kind_of(architecture, {name for name, there in features.items() if there})
    return replace(
        kind, name="host", architecture=architecture, cpu=llvm.get_host_cpu_name(), features=text,
        caches=_read_caches(_CACHES, kind.caches),
        core=_zen(kind.core, llvm.get_host_cpu_name()) if is_zen else kind.core,
    )  # fmt: skip


def _zen(core: Core, name: str) -> Core:
    """A core of AMD's: exponentials lose by stores past the caches. Zen 4 multiplies wide vectors half by half."""
    return replace(core, streams_up_to=4, passes=2 if name == "znver4" and core.vector_bytes == 64 else 1)


def _kind_of(architecture: str, features: set[str]) -> Target:
    """The kind with the widest vectors that a CPU has; for an unknown architecture one of 16 bytes."""
    if architecture != "x86_64":
        return TARGETS["neon"]
    return TARGETS["avx512" if "avx512f" in features else "avx2" if "avx" in features else "sse4"]


def _read_caches(folder: Path, usual: Caches) -> Caches:
    """The caches of the first core, as Linux describes them; what isn't told is as usual."""
    sizes = {}
    for cache in sorted(folder.glob("index*")):
        try:
            level, kind, size = ((cache / name).read_text().strip() for name in ("level", "type", "size"))
        except OSError:  # a container may hide them
            continue
        if kind != "Instruction" and size.endswith("K") and size[:-1].isdigit():
            sizes[int(level)] = int(size[:-1]) << 10
    return replace(usual, first=sizes.get(1, usual.first), second=sizes.get(2, usual.second))
