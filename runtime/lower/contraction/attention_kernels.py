"""Attention in blocks of queries and keys: the matrix of scores exists only as one block, which stays in the cache.

Scores are transposed, [keys of the block, queries of the block]: then what softmax does to a row of them is done to all
queries at once, lane by lane, and every product is a sum of numbers times vectors (`strided_*` of tiles.py) over
operands as they lie in memory; only a block of queries is transposed. The forward kernel keeps a running maximum and
sum for each query and scales them when the maximum grows; the backward kernel computes the weights again from the sums.
Each head is computed alike whoever computes it: results don't depend on the number of threads.
Sources: Milakov, Gimelshein, Online normalizer calculation for softmax, 2018; Dao et al., FlashAttention, 2022.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import NamedTuple

from ....base.target import current_target
from ....ir.core import Operation, Value
from ....ops.dims import product
from ....ops.kernel_expressions import (
    TRUE,
    ZERO,
    Expr,
    Load,
    Name,
    Operand,
    Pointer,
    call,
    equal,
    larger,
    smaller,
    ternary,
)
from ...kernel.kernel_call import Kernel
from ..groups.axes import whole
from ..nest import Nest
from ..registry import generates


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


class _Block(NamedTuple):
    """Queries or keys of a head: the first one's number, how many, and the first element in memory."""

    first: Name
    length: Name
    at: Name


class _Head(NamedTuple):
    """A head of queries."""

    batch: Expr
    number: Expr


class _Rows(NamedTuple):
    """Rows of tiles: so many at a time, from a row to another."""

    rows: int
    start: Expr
    stop: Expr


class _Strip(NamedTuple):
    """Columns of tiles: vectors of each, number of tiles, first element, elements of the last vector."""

    vectors: int
    tiles: int
    first: int
    last: int


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
        self.heads, self.groups = whole(kind.shape[self.heads_axis]), whole(k.tensor_type.shape[self.heads_axis])
        self.size = whole(kind.shape[3])
        target = current_target()
        self.lanes = target.lanes(kind.dtype.itemsize)
        self.tile_rows, self.tile_vectors = target.attention_tile
        queries, keys, size = target.attention_block
        unit = max(self.lanes, self.tile_rows)
        most = min(queries, max(size // (self.size * kind.dtype.itemsize), unit))
        if isinstance(self.queries, int):
            most = min(most, max(self.queries, 1) + unit - 1)
        self.span = most // unit * unit
        self.key_block = min(keys, max(self.keys, 1)) if isinstance(self.keys, int) else keys

    # -- places ------------------------------------------------------------------------------------

    def row_step(self, value: Value) -> int:
        """Elements from one query or key of a head to the next."""
        return self.size * whole(value.tensor_type.shape[2]) if self.heads_axis == 2 else self.size

    def start(self, value: Value, head: _Head) -> Expr:
        """The first element of a head."""
        _, a, b, _ = (self.dim(d) for d in value.tensor_type.shape)
        if self.heads_axis == 2:
            return (head.batch * a * b + head.number) * self.size
        return (head.batch * a + head.number) * b * self.size

    def pointer(self, value: Value) -> Pointer:
        """The memory of an operand or a result."""
        return self.parameters.pointer(value, "out" if value.operation is self.operation else "in")

    def number(self, value: float | Expr) -> Expr:
        """A number of the kernel's type."""
        return call(self.short, value)

    def scaled(self, value: Expr) -> Expr:
        """A number times the scale of the scores."""
        return value if self.scale == 1.0 else value * self.number(self.scale)

    def exp(self, value: Expr) -> Expr:
        """e to a power."""
        return call(f"exp_{self.short}", value)

    def score(self, scores: Expr, key: Expr, query: Expr) -> Load:
        """The element of a block [keys, queries]."""
        return scores[key * self.span + query]

    def query_number(self, head: _Head, queries: _Block) -> Expr:
        """The number of a block's first query among those of all heads."""
        return (head.batch * self.heads + head.number) * self.dim(self.queries) + queries.first

    # -- locals and loops --------------------------------------------------------------------------

    def array(self, name: str, count: int) -> Name:
        """An array on the stack."""
        return self.local(name, self.short, count)

    def query_block(self, first: Name, head: _Head) -> _Block:
        """The block of queries from `first` on."""
        count = self.let("nq", smaller(self.span, self.dim(self.queries) - first))
        return _Block(first, count, self.let("q_at", self.start(self.q, head) + first * self.row_step(self.q)))

    @contextmanager
    def key_blocks(self, queries: _Block, head: Name) -> Iterator[_Block]:
        """The loop over the blocks of keys that some of the queries may look at; those of the head start at `head`."""
        keys = self.dim(self.keys)
        last = self.let("last", smaller(keys, queries.first + queries.length) if self.causal else keys)
        with self.loop("k0", 0, last, self.key_block) as first:
            count = self.let("nk", smaller(self.key_block, last - first))
            yield _Block(first, count, self.let("k_at", head + first * self.row_step(self.k)))

    def fill(self, target: Expr, count: Operand, value: Expr, at: Expr = ZERO) -> None:
        """Set elements from `at` on to a value."""
        with self.loop("i", 0, count) as i:
            self.store(target[i if at == ZERO else at + i], value)

    def row_parts(self, count: Name) -> tuple[_Rows, _Rows]:
        """Full tiles, then the remaining rows one by one."""
        full = count // self.tile_rows * self.tile_rows
        return _Rows(self.tile_rows, ZERO, full), _Rows(1, full, count)

    def tiles(self, part: _Rows) -> AbstractContextManager[Name]:
        """The loop over the tiles of some rows; gives the first row of each."""
        return self.loop("j", part.start, part.stop, part.rows)

    def strips(self, size: int) -> list[_Strip]:
        """Strips as wide as a tile, then a narrower one for the remaining columns."""
        full, rest = divmod(size, self.lanes)
        count, odd = divmod(full, self.tile_vectors)
        found = [_Strip(self.tile_vectors, count, 0, self.lanes)] if count else []
        first = count * self.tile_vectors * self.lanes
        if odd + bool(rest):
            found.append(_Strip(odd + bool(rest), 1, first, rest or self.lanes))
        return found

    def columns(self, strip: _Strip) -> AbstractContextManager[Name]:
        """The loop over the tiles of a strip; gives the first column of each."""
        step = strip.vectors * self.lanes
        return self.loop("c", strip.first, strip.first + step * strip.tiles, step)

    # -- blocks ------------------------------------------------------------------------------------

    def transpose(self, target: Name, source: Pointer, queries: _Block) -> None:
        """A block of rows of a head as [size, queries], the rest zeros."""
        side = self.lanes
        if self.span % side or self.size % side:
            self._transpose_elements(target, source, queries)
            return
        step = self.row_step(self.q)
        with self.when(equal(queries.length, self.span)):  # squares are transposed in registers
            with self.loop("i", 0, self.span, side) as i, self.loop("d", 0, self.size, side) as d:
                at, to = queries.at + i * step + d, d * self.span + i
                self.do(f"transpose_{self.short}", side, source, at, step, target, to, self.span)
        with self.otherwise():
            self._transpose_elements(target, source, queries)

    def transpose_scaled(self, target: Name, source: Pointer, queries: _Block) -> None:
        """The same, times the scale of the scores."""
        self.transpose(target, source, queries)
        if self.scale != 1.0:
            with self.loop("i", 0, self.size * self.span) as i:
                self.store(target[i], self.scaled(target[i]))

    def _transpose_elements(self, target: Name, source: Pointer, queries: _Block) -> None:
        with self.loop("i", 0, queries.length) as i, self.loop("d", 0, self.size) as d:
            self.store(target[d * self.span + i], source[queries.at + i * self.row_step(self.q) + d])
        with self.loop("d", 0, self.size) as d, self.loop("i", queries.length, self.span) as i:
            self.store(target[d * self.span + i], self.number(0.0))

    def dots(self, target: Name, source: Value, keys: _Block, vectors: Name) -> None:
        """target [keys, queries] = rows of `source` times the transposed block `vectors`."""
        pointer, step = self.pointer(source), self.row_step(source)
        for part in self.row_parts(keys.length):
            with self.tiles(part) as j:
                for strip in self.strips(self.span):
                    with self.columns(strip) as c:
                        self.do(
                            f"strided_{self.short}", part.rows, strip.vectors, self.lanes, 0, self.size,
                            pointer, keys.at + j * step, 1, step, vectors, c, self.span,
                            target, j * self.span + c, self.span,
                        )  # fmt: skip

    def over_keys(self, target: Name, weights: Name, source: Value, queries: _Block, keys: _Block) -> None:
        """target [queries, size] += weights [keys, queries] transposed, times rows of `source`."""
        pointer, step = self.pointer(source), self.row_step(source)
        for strip in self.strips(self.size):
            with self.columns(strip) as c, self.loop("i", 0, queries.length, self.tile_rows) as i:
                self.do(
                    f"strided_{self.short}", self.tile_rows, strip.vectors, strip.last, 1, keys.length,
                    weights, i, self.span, 1, pointer, keys.at + c, step, target, i * self.size + c, self.size,
                )  # fmt: skip

    def over_queries(self, target: Value, weights: Name, source: Value, queries: _Block, keys: _Block) -> None:
        """Rows of `target` += weights [keys, queries] times rows of `source`."""
        pointer, out, step = self.pointer(source), self.pointer(target), self.row_step(target)
        for strip in self.strips(self.size):
            with self.columns(strip) as c:
                for part in self.row_parts(keys.length):
                    with self.tiles(part) as j:
                        self.do(
                            f"strided_{self.short}", part.rows, strip.vectors, strip.last, 1, queries.length,
                            weights, j * self.span, 1, self.span, pointer, queries.at + c, self.row_step(source),
                            out, keys.at + j * step + c, step,
                        )  # fmt: skip

    def hide(self, scores: Name, head: _Head, queries: _Block, keys: _Block) -> None:
        """The mask, and -inf for keys that come after a query."""
        hidden = self.number(-Name("inf"))
        if self.mask is not None:
            with self.loop("j", 0, keys.length) as j, self.loop("i", 0, queries.length) as i:
                place = self.score(scores, j, i)
                element = self._mask_at(head, queries.first + i, keys.first + j)
                new = ternary(element, place, hidden) if self.mask.dtype.is_bool else place + element
                self.store(place, new)
        if self.causal:
            first, end = queries.first, keys.length
            with self.loop("j", larger(0, first + 1 - keys.first), end) as j:
                self.fill(scores, smaller(keys.first + j - first, self.span), hidden, j * self.span)

    def _mask_at(self, head: _Head, query: Expr, key: Expr) -> Expr:
        assert self.mask is not None
        sizes, index = self.mask.tensor_type.shape, (*head, query, key)
        places = [ZERO if isinstance(d, int) and d == 1 else place for d, place in zip(sizes, index, strict=True)]
        return self.parameters.load(self.mask, places)


class _Softmax(NamedTuple):
    """What the forward kernel keeps of each query of a block.

    top: its highest score so far. total: sum of weights. base: what its weights are relative to. change: the factor
    for what was made with an older base.
    """

    top: Name
    total: Name
    base: Name
    change: Name


class _Forward(_Attention):
    def kernel(self) -> Kernel:
        blocks = (self.queries + self.span - 1) // self.span
        extent = product((self.batch, self.heads, blocks))
        transposed = self.array("transposed", self.size * self.span)
        weights = self.array("weights", self.key_block * self.span)
        made = self.array("made", self.size * self.span)
        softmax = _Softmax(*(self.array(name, self.span) for name in _Softmax._fields))
        with self.rows([self.batch, self.heads, blocks]) as (b, h, n):
            head = _Head(b, h)
            group = h if self.heads == self.groups else h // (self.heads // self.groups)
            queries = self.query_block(self.let("i0", n * self.span), head)
            k_head = self.let("k_head", self.start(self.k, _Head(b, group)))
            self._begin(transposed, made, softmax, queries)
            with self.key_blocks(queries, k_head) as keys:
                self.dots(weights, self.k, keys, transposed)
                self.hide(weights, head, queries, keys)
                self._update(softmax, weights, keys)
                self._rescale(made, softmax, queries, keys)
                self.over_keys(made, weights, self.v, queries, keys)
            self._store_made(made, softmax, queries)
            self._store_sums(softmax, head, queries)
        return self.finish(extent, 2 * self.queries * self.keys * self.batch * self.heads * self.size)

    def _begin(self, transposed: Name, made: Name, softmax: _Softmax, queries: _Block) -> None:
        """The block of queries, scaled, and nothing made of it so far."""
        self.transpose_scaled(transposed, self.pointer(self.q), queries)
        self.fill(softmax.top, self.span, self.number(-Name("inf")))
        self.fill(softmax.total, self.span, self.number(0.0))
        self.fill(made, self.size * self.span, self.number(0.0))

    def _update(self, softmax: _Softmax, weights: Name, keys: _Block) -> None:
        """Scores to weights by the maximum so far."""
        top, total, base, change = softmax
        with self.loop("i", 0, self.span) as i:
            self.store(change[i], top[i])
        with self.loop("j", 0, keys.length) as j, self.loop("i", 0, self.span) as i:
            x = self.let("x", self.score(weights, j, i))
            self.store(top[i], ternary(x > top[i], x, top[i]))
        with self.loop("i", 0, self.span) as i:
            none_seen = self.number(-Name("inf"))  # nothing to look at so far
            self.store(base[i], ternary(top[i] > none_seen, top[i], self.number(0.0)))
            self.store(change[i], self.exp(change[i] - base[i]))
            self.store(total[i], total[i] * change[i])
        with self.loop("j", 0, keys.length) as j, self.loop("i", 0, self.span) as i:
            weight = self.score(weights, j, i)
            x = self.let("x", self.exp(weight - base[i]))
            self.store(weight, x)
            self.store(total[i], total[i] + x)

    def _rescale(self, made: Name, softmax: _Softmax, queries: _Block, keys: _Block) -> None:
        """What was made by an older maximum, relative to this one."""
        with self.when(keys.first > 0), self.loop("i", 0, queries.length) as i:
            x = self.let("x", softmax.change[i])
            with self.loop("d", 0, self.size) as d:
                element = made[i * self.size + d]
                self.store(element, element * x)

    def _store_made(self, made: Name, softmax: _Softmax, queries: _Block) -> None:
        """The result. For no keys at all it is 0; where a mask hides all keys it is NaN, as softmax's."""
        out, _ = map(self.pointer, self.operation.results)
        with self.loop("i", 0, queries.length) as i:
            factor: Expr = self.number(1.0) / softmax.total[i]
            if not isinstance(self.keys, int) or self.keys == 0:
                is_empty = TRUE if isinstance(self.keys, int) else equal(self.dim(self.keys), 0)
                factor = ternary(is_empty, self.number(0.0), factor)
            x = self.let("x", factor)
            with self.loop("d", 0, self.size) as d:
                self.store(out[queries.at + i * self.row_step(self.q) + d], made[i * self.size + d] * x)

    def _store_sums(self, softmax: _Softmax, head: _Head, queries: _Block) -> None:
        """The logarithm of each query's sum of weights, for the backward kernel."""
        _, sums = map(self.pointer, self.operation.results)
        with self.loop("i", 0, queries.length) as i:
            log = call(f"log_{self.short}", softmax.total[i])
            self.store(sums[self.query_number(head, queries) + i], softmax.top[i] + log)


class _Slopes(NamedTuple):
    """What the backward kernel keeps of a block of queries.

    transposed, transposed_g: the queries and the gradients of their results, [size, queries]. weights, slopes: of the
    keys, [keys, queries]: a slope is the gradient of a score. made: the gradients of the queries. sums, delta: of each
    query, the logarithm of its sum of weights, and the result times its gradient.
    """

    transposed: Name
    transposed_g: Name
    weights: Name
    slopes: Name
    made: Name
    sums: Name
    delta: Name


class _Backward(_Attention):
    def kernel(self) -> Kernel:
        self.g, _, _, _, self.made, self.sums = self.operation.operands[:6]
        to_q, to_k, to_v = self.operation.results
        rows, scores = self.size * self.span, self.key_block * self.span
        counts = (rows, rows, scores, scores, rows, self.span, self.span)
        kept = _Slopes(*(self.array(name, count) for name, count in zip(_Slopes._fields, counts, strict=True)))
        each = self.heads // self.groups
        with self.rows([self.batch, self.groups]) as (b, group):
            k_head = self.let("k_head", self.start(self.k, _Head(b, group)))
            self._clear(k_head, to_k, to_v)
            with self.loop("h", group * each, group * each + each) as h:
                with self.loop("i0", 0, self.dim(self.queries), self.span) as first:
                    head = _Head(b, h)
                    queries = self.query_block(first, head)
                    self._begin(kept, head, queries)
                    with self.key_blocks(queries, k_head) as keys:
                        self._slopes_of(kept, head, queries, keys)
                        self.over_queries(to_v, kept.weights, self.g, queries, keys)
                        self.over_queries(to_k, kept.slopes, self.q, queries, keys)
                        self.over_keys(kept.made, kept.slopes, self.k, queries, keys)
                    self._store_queries(to_q, kept.made, queries)
        work = 5 * self.queries * self.keys * self.batch * self.heads * self.size
        return self.finish(product((self.batch, self.groups)), work)

    def _clear(self, k_head: Name, *targets: Value) -> None:
        """Zeros for the gradients of a head of keys and values."""
        with self.loop("j", 0, self.dim(self.keys)) as j:
            for target in targets:
                at = k_head + j * self.row_step(self.k)
                self.fill(self.pointer(target), self.size, self.number(0.0), at)

    def _begin(self, kept: _Slopes, head: _Head, queries: _Block) -> None:
        """What a block of queries needs that all keys share."""
        self.transpose_scaled(kept.transposed, self.pointer(self.q), queries)
        self.transpose(kept.transposed_g, self.pointer(self.g), queries)
        row = self.let("row", self.query_number(head, queries))
        with self.loop("i", 0, queries.length) as i:
            self.store(kept.sums[i], self.pointer(self.sums)[row + i])
        with self.loop("i", 0, queries.length) as i:
            x = self.let("x", self.number(0.0))
            with self.loop("d", 0, self.size) as d:
                place = queries.at + i * self.row_step(self.q) + d
                g, made = self.pointer(self.g)[place], self.pointer(self.made)[place]
                self.let(x, call("fast_multiply_add", x, g, made))
            self.store(kept.delta[i], x)
        with self.loop("i", queries.length, self.span) as i:  # no query: weight 0
            self.store(kept.sums[i], self.number(Name("inf")))
            self.store(kept.delta[i], self.number(0.0))
        self.fill(kept.made, self.size * self.span, self.number(0.0))

    def _slopes_of(self, kept: _Slopes, head: _Head, queries: _Block, keys: _Block) -> None:
        """The weights of a block of keys, and the gradients of their scores."""
        self.dots(kept.weights, self.k, keys, kept.transposed)
        self.hide(kept.weights, head, queries, keys)
        self.dots(kept.slopes, self.v, keys, kept.transposed_g)
        with self.loop("j", 0, keys.length) as j, self.loop("i", 0, self.span) as i:
            weight, slope = self.score(kept.weights, j, i), self.score(kept.slopes, j, i)
            x = self.let("x", self.exp(weight - kept.sums[i]))
            self.store(weight, x)
            self.store(slope, self.scaled(x * (slope - kept.delta[i])))

    def _store_queries(self, target: Value, made: Name, queries: _Block) -> None:
        out, step = self.pointer(target), self.row_step(self.q)
        with self.loop("i", 0, queries.length) as i, self.loop("d", 0, self.size) as d:
            self.store(out[queries.at + i * step + d], made[i * self.size + d])
