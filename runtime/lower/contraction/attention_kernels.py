"""Attention in blocks of queries and keys: the matrix of scores exists only as one block, which stays in the cache.

Scores are transposed, [keys of the block, queries of the block]: then what softmax does to a row of them is done to all
queries at once, lane by lane, and every product is a sum of numbers times vectors (`strided_*` of tiles.py) over
operands as they lie in memory; only a block of queries is transposed. The forward kernel keeps a running maximum and
sum for each query and scales them when the maximum grows; the backward kernel computes the weights again from the sums.
Each head is computed alike whoever computes it: results don't depend on the number of threads.
Sources: Milakov, Gimelshein, Online normalizer calculation for softmax, 2018; Dao et al., FlashAttention, 2022.
"""

from __future__ import annotations

from ....ir.core import Operation, Value
from ....ops.dims import DimLike, product
from ...codegen.target import vector_bytes, vector_registers
from ..kernel import Kernel
from ..nest import Nest
from ..registry import generates

QUERIES = 64  # of a block, at most
KEYS = 128  # of a block: its scores and a strip of its values fit the first-level cache
BLOCK_BYTES = 32 * 1024  # of a block of queries, transposed


@generates("attention.forward")
def forward(operation: Operation) -> Kernel:
    """Blocks of queries, each over all blocks of keys that it may look at."""
    q, k, v, *mask = operation.operands
    return _Forward(operation, q, k, v, mask).kernel()


@generates("attention.backward")
def backward(operation: Operation) -> Kernel:
    """Heads of keys, each over all queries of the heads that share them."""
    _, q, k, v, _, _, *mask = operation.operands
    return _Backward(operation, q, k, v, mask).kernel()


class _Attention(Nest):
    """What both kernels share: sizes, tiles, scores of a block."""

    def __init__(self, operation: Operation, q: Value, k: Value, v: Value, mask: list[Value]) -> None:
        super().__init__(operation)
        attrs, kind = operation.attrs, q.tensor_type
        self.q, self.k, self.v, self.mask = q, k, v, mask[0] if mask else None
        self.heads_axis, self.causal = attrs["heads"], attrs["causal"]
        self.short, self.scale = kind.dtype.short, float(attrs["scale"])
        length = 3 - self.heads_axis
        self.batch, self.queries, self.keys = kind.shape[0], kind.shape[length], k.tensor_type.shape[length]
        self.heads, self.groups = _whole(kind.shape[self.heads_axis]), _whole(k.tensor_type.shape[self.heads_axis])
        self.size = _whole(kind.shape[3])
        self.lanes = vector_bytes() // kind.dtype.itemsize
        self.tile_rows, self.tile_vectors = (8, 2) if vector_registers() >= 32 else (4, 2)
        unit = max(self.lanes, self.tile_rows)
        most = min(QUERIES, max(BLOCK_BYTES // (self.size * kind.dtype.itemsize), unit))
        if isinstance(self.queries, int):
            most = min(most, max(self.queries, 1) + unit - 1)
        self.span = most // unit * unit
        self.key_block = min(KEYS, max(self.keys, 1)) if isinstance(self.keys, int) else KEYS

    # -- places ------------------------------------------------------------------------------------

    def row_step(self, value: Value) -> str:
        """Elements from one query or key of a head to the next."""
        return str(self.size * _whole(value.tensor_type.shape[2]) if self.heads_axis == 2 else self.size)

    def start(self, value: Value, batch: str, head: str) -> str:
        """The first element of a head."""
        _, a, b, _ = (self.dim(d) for d in value.tensor_type.shape)
        if self.heads_axis == 2:
            return f"({batch} * {a} * {b} + {head}) * {self.size}"
        return f"({batch} * {a} + {head}) * {b} * {self.size}"

    def pointer(self, value: Value) -> str:
        return self.parameters.pointer(value, "out" if value.operation is self.operation else "in")

    def local(self, name: str, count: int) -> None:
        self.line(f"{name} = local_{self.short}({count})")

    def fill(self, name: str, count: int | str, value: str, at: str = "") -> None:
        with self.block(f"for i in range({count})"):
            self.line(f"{name}[{at}i] = {value}")

    # -- parts of the text -------------------------------------------------------------------------

    def transpose(self, target: str, source: str, at: str, step: str, factor: str = "") -> None:
        """A block of `nq` rows of a head as [size, queries], the rest zeros."""
        side = self.lanes
        squares = self.span % side == 0 and self.size % side == 0  # those are transposed in registers
        if squares:
            with self.block(f"if nq == {self.span}"):
                with self.block(f"for i in range(0, {self.span}, {side})"):
                    with self.block(f"for d in range(0, {self.size}, {side})"):
                        self.line(
                            f"transpose_{self.short}({side}, {source}, {at} + i * {step} + d, {step}, {target},"
                            f" d * {self.span} + i, {self.span})"
                        )
            self.line("else:")
            self.writer.depth += 1
        with self.block("for i in range(nq)"), self.block(f"for d in range({self.size})"):
            self.line(f"{target}[d * {self.span} + i] = {source}[{at} + i * {step} + d]")
        with self.block(f"for d in range({self.size})"), self.block(f"for i in range(nq, {self.span})"):
            self.line(f"{target}[d * {self.span} + i] = {self.short}(0.0)")
        if squares:
            self.writer.depth -= 1
        if factor:
            with self.block(f"for i in range({self.size * self.span})"):
                self.line(f"{target}[i] = {target}[i]{factor}")

    def last_key(self) -> None:
        keys = self.dim(self.keys)
        self.line(f"last = min({keys}, i0 + nq)" if self.causal else f"last = {keys}")

    def dots(self, target: str, source: Value, at: str, vectors: str) -> None:
        """target [keys, queries] = rows of `source` (`nk` from `at` on) times the transposed block `vectors`."""
        pointer, step = self.pointer(source), self.row_step(source)
        for rows, head in self._row_loops("nk"):
            with self.block(head):
                for width, count, first, _ in self._strips(self.span):
                    with self.block(f"for c in range({first}, {first + width * count * self.lanes}, "
                                       f"{width * self.lanes})"):  # fmt: skip
                        self.line(
                            f"strided_{self.short}({rows}, {width}, {self.lanes}, 0, {self.size}, {pointer},"
                            f" {at} + j * {step}, 1, {step}, {vectors}, c, {self.span}, {target}, j * {self.span} + c,"
                            f" {self.span})"
                        )

    def over_keys(self, target: str, weights: str, source: Value, at: str) -> None:
        """target [queries, size] += weights [keys, queries] transposed, times `nk` rows of `source` from `at` on."""
        pointer = self.pointer(source)
        for width, count, first, last in self._strips(self.size):
            step = width * self.lanes
            with self.block(f"for c in range({first}, {first + step * count}, {step})"):
                with self.block(f"for i in range(0, nq, {self.tile_rows})"):
                    self.line(
                        f"strided_{self.short}({self.tile_rows}, {width}, {last}, 1, nk, {weights}, i, {self.span}, 1,"
                        f" {pointer}, {at} + c, {self.row_step(source)}, {target}, i * {self.size} + c, {self.size})"
                    )

    def over_queries(self, target: Value, target_at: str, weights: str, source: Value, at: str) -> None:
        """target (`nk` rows from `target_at`) += weights [keys, queries] times `nq` rows of `source` from `at` on."""
        pointer, out, step = self.pointer(source), self.pointer(target), self.row_step(target)
        for width, count, first, last in self._strips(self.size):
            stride = width * self.lanes
            with self.block(f"for c in range({first}, {first + stride * count}, {stride})"):
                for rows, head in self._row_loops("nk"):
                    with self.block(head):
                        self.line(
                            f"strided_{self.short}({rows}, {width}, {last}, 1, nq, {weights}, j * {self.span}, 1,"
                            f" {self.span}, {pointer}, {at} + c, {self.row_step(source)}, {out},"
                            f" {target_at} + j * {step} + c, {step})"
                        )

    def _row_loops(self, count: str) -> list[tuple[int, str]]:
        """Rows of a tile with the loop over such tiles: full ones, then the rest one by one."""
        rows = self.tile_rows
        full = f"{count} // {rows} * {rows}"
        return [(rows, f"for j in range(0, {full}, {rows})"), (1, f"for j in range({full}, {count})")]

    def _strips(self, size: int) -> list[tuple[int, int, int, int]]:
        """Vectors of a strip, number of strips, first element, elements of the last vector."""
        whole, rest = divmod(size, self.lanes)
        count, odd = divmod(whole, self.tile_vectors)
        found = [(self.tile_vectors, count, 0, self.lanes)] if count else []
        first = count * self.tile_vectors * self.lanes
        if odd + bool(rest):
            found.append((odd + bool(rest), 1, first, rest or self.lanes))
        return found

    def hide(self, weights: str, batch: str, head: str) -> None:
        """The mask, and -inf for keys that come after a query."""
        if self.mask is not None:
            sizes = self.mask.tensor_type.shape
            names = (batch, head, "(i0 + i)", "(k0 + j)")
            index = ["0" if isinstance(d, int) and d == 1 else name for d, name in zip(sizes, names, strict=True)]
            element = self.parameters.load(self.mask, index)
            place = f"{weights}[j * {self.span} + i]"
            new = f"{place} if {element} else {self.short}(-inf)" if self.mask.dtype.is_bool else f"{place} + {element}"
            with self.block("for j in range(nk)"), self.block("for i in range(nq)"):
                self.line(f"{place} = {new}")
        if self.causal:
            with self.block("for j in range(max(0, i0 + 1 - k0), nk)"):
                self.fill(weights, f"min(k0 + j - i0, {self.span})", f"{self.short}(-inf)", f"j * {self.span} + ")


def _whole(size: DimLike) -> int:
    assert isinstance(size, int)
    return size


class _Forward(_Attention):
    def kernel(self) -> Kernel:
        blocks = (self.queries + self.span - 1) // self.span
        extent = product((self.batch, self.heads, blocks))
        for name, count in (("transposed", self.size * self.span), ("weights", self.key_block * self.span),
                            ("made", self.size * self.span), ("top", self.span), ("total", self.span),
                            ("base", self.span), ("change", self.span)):  # fmt: skip
            self.local(name, count)
        with self.rows([self.batch, self.heads, blocks]) as (b, h, n):
            group = h if self.heads == self.groups else f"({h} // {self.heads // self.groups})"
            self.line(f"i0 = {n} * {self.span}")
            self.line(f"nq = min({self.span}, {self.dim(self.queries)} - i0)")
            self.line(f"q_at = {self.start(self.q, b, h)} + i0 * {self.row_step(self.q)}")
            self.line(f"k_head = {self.start(self.k, b, group)}")
            factor = "" if self.scale == 1.0 else f" * {self.short}({self.scale!r})"
            self.transpose("transposed", self.pointer(self.q), "q_at", self.row_step(self.q), factor)
            self.fill("top", self.span, f"{self.short}(-inf)")
            self.fill("total", self.span, f"{self.short}(0.0)")
            self.fill("made", self.size * self.span, f"{self.short}(0.0)")
            self.last_key()
            with self.block(f"for k0 in range(0, last, {self.key_block})"):
                self.line(f"nk = min({self.key_block}, last - k0)")
                self.line(f"k_at = k_head + k0 * {self.row_step(self.k)}")
                self.dots("weights", self.k, "k_at", "transposed")
                self.hide("weights", b, h)
                self._softmax()
                self.over_keys("made", "weights", self.v, "k_at")
            self._store(b, h)
        return self.finish(extent, 2 * self.queries * self.keys * self.batch * self.heads * self.size)

    def _softmax(self) -> None:
        """Scores to weights by the maximum so far; what was made by an older one is scaled."""
        short, span = self.short, self.span
        self.fill("change", span, "top[i]")
        with self.block("for j in range(nk)"), self.block(f"for i in range({span})"):
            self.line(f"x = weights[j * {span} + i]")
            self.line("top[i] = x if x > top[i] else top[i]")
        with self.block(f"for i in range({span})"):
            self.line(f"base[i] = top[i] if top[i] > {short}(-inf) else {short}(0.0)")  # nothing to look at so far
            self.line(f"change[i] = exp_{short}(change[i] - base[i])")
            self.line("total[i] = total[i] * change[i]")
        with self.block("for j in range(nk)"), self.block(f"for i in range({span})"):
            self.line(f"x = exp_{short}(weights[j * {span} + i] - base[i])")
            self.line(f"weights[j * {span} + i] = x")
            self.line("total[i] = total[i] + x")
        with self.block("if k0 > 0"), self.block("for i in range(nq)"):
            self.line("x = change[i]")
            with self.block(f"for d in range({self.size})"):
                self.line(f"made[i * {self.size} + d] = made[i * {self.size} + d] * x")

    def _store(self, b: str, h: str) -> None:
        out, sums = (self.pointer(v) for v in self.operation.results)
        none = isinstance(self.keys, int) and self.keys == 0
        with self.block("for i in range(nq)"):
            # The result for no keys at all is 0; where a mask hides all keys it is NaN, as softmax's.
            divided = f"{self.short}(1.0) / total[i]"
            empty = "True" if none else f"{self.dim(self.keys)} == 0"
            needs_test = none or not isinstance(self.keys, int)
            self.line(f"x = {self.short}(0.0) if {empty} else {divided}" if needs_test else f"x = {divided}")
            with self.block(f"for d in range({self.size})"):
                self.line(f"{out}[q_at + i * {self.row_step(self.q)} + d] = made[i * {self.size} + d] * x")
        with self.block("for i in range(nq)"):
            row = f"({b} * {self.heads} + {h}) * {self.dim(self.queries)} + i0 + i"
            self.line(f"{sums}[{row}] = top[i] + log_{self.short}(total[i])")


class _Backward(_Attention):
    def kernel(self) -> Kernel:
        self.g, _, _, _, self.made, self.sums = self.operation.operands[:6]
        to_q, to_k, to_v = self.operation.results
        for name, count in (("transposed", self.size * self.span), ("transposed_g", self.size * self.span),
                            ("weights", self.key_block * self.span), ("slopes", self.key_block * self.span),
                            ("made", self.size * self.span), ("sums", self.span), ("delta", self.span)):  # fmt: skip
            self.local(name, count)
        each = self.heads // self.groups
        with self.rows([self.batch, self.groups]) as (b, group):
            self.line(f"k_head = {self.start(self.k, b, group)}")
            self._clear(to_k, to_v)
            with self.block(f"for h in range({group} * {each}, {group} * {each} + {each})"):
                with self.block(f"for i0 in range(0, {self.dim(self.queries)}, {self.span})"):
                    self._begin_block(b)
                    self.last_key()
                    with self.block(f"for k0 in range(0, last, {self.key_block})"):
                        self._key_block(b, to_k, to_v)
                    out, step = self.pointer(to_q), self.row_step(self.q)
                    with self.block("for i in range(nq)"), self.block(f"for d in range({self.size})"):
                        self.line(f"{out}[q_at + i * {step} + d] = made[i * {self.size} + d]")
        work = 5 * self.queries * self.keys * self.batch * self.heads * self.size
        return self.finish(product((self.batch, self.groups)), work)

    def _clear(self, *targets: Value) -> None:
        step = self.row_step(self.k)
        with self.block(f"for j in range({self.dim(self.keys)})"):
            for target in targets:
                self.fill(self.pointer(target), self.size, f"{self.short}(0.0)", f"k_head + j * {step} + ")

    def _begin_block(self, b: str) -> None:
        step = self.row_step(self.q)
        self.line(f"nq = min({self.span}, {self.dim(self.queries)} - i0)")
        self.line(f"q_at = {self.start(self.q, b, 'h')} + i0 * {step}")
        factor = "" if self.scale == 1.0 else f" * {self.short}({self.scale!r})"
        self.transpose("transposed", self.pointer(self.q), "q_at", step, factor)
        self.transpose("transposed_g", self.pointer(self.g), "q_at", step)
        self.line(f"row = ({b} * {self.heads} + h) * {self.dim(self.queries)} + i0")
        self.fill("sums", "nq", f"{self.pointer(self.sums)}[row + i]")
        with self.block("for i in range(nq)"):
            self.line(f"x = {self.short}(0.0)")
            with self.block(f"for d in range({self.size})"):
                place = f"[q_at + i * {step} + d]"
                self.line(f"x = fast_multiply_add(x, {self.pointer(self.g)}{place}, {self.pointer(self.made)}{place})")
            self.line("delta[i] = x")
        with self.block(f"for i in range(nq, {self.span})"):  # no query: weight 0
            self.line(f"sums[i] = {self.short}(inf)")
            self.line(f"delta[i] = {self.short}(0.0)")
        self.fill("made", self.size * self.span, f"{self.short}(0.0)")

    def _key_block(self, b: str, to_k: Value, to_v: Value) -> None:
        short, span = self.short, self.span
        self.line(f"nk = min({self.key_block}, last - k0)")
        self.line(f"k_at = k_head + k0 * {self.row_step(self.k)}")
        self.dots("weights", self.k, "k_at", "transposed")
        self.hide("weights", b, "h")
        self.dots("slopes", self.v, "k_at", "transposed_g")
        with self.block("for j in range(nk)"), self.block(f"for i in range({span})"):
            self.line(f"x = exp_{short}(weights[j * {span} + i] - sums[i])")
            self.line(f"weights[j * {span} + i] = x")
            factor = "" if self.scale == 1.0 else f" * {short}({self.scale!r})"
            self.line(f"slopes[j * {span} + i] = x * (slopes[j * {span} + i] - delta[i]){factor}")
        self.over_queries(to_v, "k_at", "weights", self.g, "q_at")
        self.over_queries(to_k, "k_at", "slopes", self.q, "q_at")
        self.over_keys("made", "slopes", self.k, "k_at")
