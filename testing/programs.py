"""Random programs for property tests: `random_program(seed)` gives a program and arrays to run it on.

They are tame: no value grows past `LARGEST`, branches hang on exact values (ints, bools, raw feeds) only, so that two
ways of computing the same program may differ by rounding but never by a branch.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.dtype import DType
from ..base.location import Loc
from ..ir.builder import new_program
from ..ir.core import Block, Program, Value
from ..ops.create import ArrayData
from ..ops.dims import Dim, DimLike, concrete, same_dim, same_shape
from ..ops.op import OPS
from ..ops.types import Shape, TensorType

Array = np.ndarray[Any, Any]
LARGEST = 8.0
MOST_ELEMENTS = 4096


def random_program(seed: int, size: int = 20, *, nesting: int = 2) -> tuple[Program, list[Array], list[Array]]:
    """A valid program of about `size` operations (nested ones aside), feed arrays and state arrays for it.

    The same seed gives the same program. About half of the programs have symbolic sizes.

    >>> program, feeds, state = random_program(7)
    >>> len(feeds) == len(program.feeds) and len(state) == len(program.state)
    True
    """
    maker = Maker(seed, nesting)
    maker.arguments()
    with maker.builder.active():
        maker.operations(size)
        maker.finish()
    return maker.program, maker.feeds, maker.state


class Maker:
    """Writes one random program, step by step; subclasses may know further steps (`choices`)."""

    def __init__(self, seed: int, nesting: int) -> None:
        self.rng = random.Random(seed)
        self.arrays = np.random.default_rng(seed)
        self.program, self.builder = new_program(f"random_{seed}")
        self.builder.locate = self.locate
        self.lines = 0
        self.depth = nesting
        symbolic = self.rng.random() < 0.5
        self.sizes = {"N": self.rng.randint(1, 5), "M": self.rng.randint(1, 5)} if symbolic else {}
        self.pool: list[Value] = []  # the values in scope
        self.bounds: dict[Value, float] = {}  # no element is larger than this
        self.exact: set[Value] = set()  # float values that carry no rounding
        self.feeds: list[Array] = []
        self.state: list[Array] = []

    def locate(self) -> Loc:
        self.lines += 1
        return Loc("random.py", self.lines)

    # -- arguments and results

    def arguments(self) -> None:
        """Feeds of several ranks and dtypes, and two or three state entries."""
        n: DimLike = Dim.symbol("N") if self.sizes else 3
        m: DimLike = Dim.symbol("M") if self.sizes else 2
        feeds: dict[str, tuple[DType, Shape]] = {
            "x": (dt.float32, (n, 4)),
            "y": (dt.float32, (n, m)),
            "z": (dt.float64, (4,)),
            "scale": (dt.float32, ()),
            "ids": (dt.int64, (n,)),
            "flag": (dt.bool_, ()),
        }
        for name, (dtype, shape) in feeds.items():
            kind = TensorType(dtype, shape)
            self.feeds.append(self.argument(self.program.add_feed(name, kind), kind))
        for name, kind, role in (
            ("layer.weight", TensorType(dt.float32, (4, 3)), "parameter"),
            ("layer.bias", TensorType(dt.float32, (4,)), "buffer"),
            ("steps", TensorType(dt.int64, ()), "other"),
        ):
            self.state.append(self.argument(self.program.add_state(name, kind, role), kind))

    def argument(self, value: Value, kind: TensorType) -> Array:
        """Put an argument into the pool and make its array."""
        shape = concrete(kind.shape, self.sizes)
        if kind.dtype.is_floating:
            array = self.arrays.uniform(-1, 1, shape).astype(kind.dtype.numpy)
        else:
            array = np.asarray(self.arrays.integers(0, 2 if kind.dtype.is_bool else 4, shape), kind.dtype.numpy)
        self.exact.add(value)
        self.add(value, 4.0 if kind.dtype.is_integer else 1.0)
        return array

    def finish(self) -> None:
        """State updates, then the fetches: some of the latest values."""
        for entry, value in zip(self.program.state, self.program.state_values, strict=True):
            same = [v for v in self.pool if self.same_type(v, value) and v is not value]
            if same and self.rng.random() < 0.7:
                self.builder.update(value, self.rng.choice(same))
                entry.kind = self.rng.choice([entry.kind, "moment"])
        fetches = self.outputs()
        if self.rng.random() < 0.5:
            self.program.fetch_names = [f"out_{k}" for k in range(len(fetches))]
        self.builder.return_(fetches)

    def outputs(self) -> list[Value]:
        """What the program returns."""
        count = min(len(self.pool), self.rng.randint(1, 4))
        return self.rng.sample(self.pool[-12:], min(count, len(self.pool[-12:])))

    # -- choosing

    def add(self, value: Value, bound: float) -> Value:
        """Bring a value into scope; one that grew too large is squashed first."""
        if bound > LARGEST and value.dtype.is_floating:
            value, bound = self.call("tanh", value), 1.0
        if self.rng.random() < 0.25 and not value.hint:
            value.hint = self.rng.choice(["h", "hidden", "t", "x", "loss"])
        self.bounds[value] = bound
        self.pool.append(value)
        return value

    def call(self, name: str, *args: Any, **attrs: Any) -> Value:
        value = OPS[name](*args, **attrs)
        assert isinstance(value, Value)
        return value

    def pick(self, fits: Callable[[Value], bool]) -> Value | None:
        """A value in scope, later ones rather than earlier ones."""
        found = [v for v in self.pool if fits(v)]
        return found[-1 - min(int(self.rng.expovariate(0.25)), len(found) - 1)] if found else None

    def float_of_rank(self, least: int) -> Value | None:
        return self.pick(lambda v: v.dtype.is_floating and v.ndim >= least)

    def elements(self, shape: Sequence[DimLike]) -> int:
        return int(np.prod(concrete(shape, self.sizes), dtype=np.int64))

    @staticmethod
    def same_type(a: Value, b: Value) -> bool:
        return a.dtype is b.dtype and same_shape(a.shape, b.shape)

    def joins(self, a: Value, b: Value) -> bool:
        """Whether two shapes surely broadcast, and to something small."""
        pairs = list(zip(reversed(a.shape), reversed(b.shape), strict=False))
        return all(same_dim(x, y) or same_dim(x, 1) or same_dim(y, 1) for x, y in pairs) and (
            self.elements(a.shape) * self.elements(b.shape) <= MOST_ELEMENTS**2 // 16
        )

    # -- operations

    def operations(self, count: int) -> None:
        for _ in range(count):
            steps, weights = self.choices()
            self.rng.choices(steps, weights)[0](self)

    def choices(self) -> tuple[list[Callable[[Any], None]], list[int]]:
        """What a step may be, and how often."""
        return _STEPS, _WEIGHTS

    def unary(self) -> None:
        x = self.float_of_rank(0)
        if x is None:
            return
        name, bound = self.rng.choice(
            [("tanh", 1.0), ("sigmoid", 1.0), ("sin", 1.0), ("cos", 1.0), ("neg", None), ("abs", None), ("relu", None)]
        )
        self.add(self.call(name, x), self.bounds[x] if bound is None else bound)

    def smooth_chain(self) -> None:
        """Two operations whose domain needs care: sqrt(x*x + 1), log1p(x*x), exp(tanh(x)), 1 / (1 + x*x)."""
        x = self.float_of_rank(0)
        if x is None:
            return
        square, bound = self.call("square", x), self.bounds[x] ** 2 + 1
        match self.rng.randrange(4):
            case 0:
                self.add(self.call("sqrt", square + 1.0), bound)
            case 1:
                self.add(self.call("log1p", square), bound)
            case 2:
                self.add(self.call("exp", self.call("tanh", x)), 2.8)
            case _:
                self.add(self.call("divide", 1.0, square + 1.0), 1.0)

    def binary(self) -> None:
        x = self.pick(lambda v: not v.dtype.is_bool)
        y = x and self.pick(lambda v: v.dtype is x.dtype and self.joins(x, v))
        if x is None or y is None:
            return
        names = ["add", "subtract", "maximum", "minimum"] + (["multiply"] * 3 if x.dtype.is_floating else [])
        name = self.rng.choice(names)
        a, b = self.bounds[x], self.bounds[y]
        bound = a * b if name == "multiply" else a + b if name in ("add", "subtract") else max(a, b)
        if x.dtype.is_floating or bound < 1e6:
            self.add(self.call(name, x, y), bound)

    def with_number(self) -> None:
        x = self.float_of_rank(0)
        if x is not None:
            name = self.rng.choice(["add", "subtract", "multiply"])
            operands = (x, 0.5) if self.rng.random() < 0.5 else (0.5, x)
            self.add(self.call(name, *operands), self.bounds[x] + 1.0)

    def compare(self) -> None:
        """A bool from exact values."""
        x = self.pick(lambda v: v.dtype.is_integer or v in self.exact)
        if x is not None and not x.dtype.is_bool:
            name = self.rng.choice(["less_than", "greater_equal", "equal", "not_equal"])
            self.add(self.call(name, x, self.rng.choice([0, 1, 2]) if x.dtype.is_integer else 0.125), 1.0)

    def logical(self) -> None:
        x = self.pick(lambda v: v.dtype.is_bool)
        y = x and self.pick(lambda v: v.dtype.is_bool and self.joins(x, v))
        if x is not None and y is not None:
            self.add(self.call(self.rng.choice(["logical_and", "logical_or", "logical_xor"]), x, y), 1.0)

    def where(self) -> None:
        x = self.float_of_rank(0)
        y = x and self.pick(lambda v: v.dtype is x.dtype and self.joins(x, v))
        if x is None or y is None:
            return
        test = self.pick(lambda v: v.dtype.is_bool and self.joins(x, v) and self.joins(y, v))
        if test is not None and self.elements(x.shape) * self.elements(y.shape) <= MOST_ELEMENTS:
            self.add(self.call("where", test, x, y), max(self.bounds[x], self.bounds[y]))

    def cast(self) -> None:
        x = self.pick(lambda v: True)
        if x is None:
            return
        targets: list[DType] = [dt.float32, dt.float64] + ([dt.int64, dt.int32] if not x.dtype.is_floating else [])
        target = self.rng.choice(targets)
        if target is not x.dtype:
            self.add(self.call("cast", x, target), self.bounds[x])

    def reduce(self) -> None:
        x = self.float_of_rank(1)
        if x is None:
            return
        axes = sorted(self.rng.sample(range(x.ndim), self.rng.randint(1, x.ndim)))
        name = self.rng.choice(["sum", "mean", "amax", "amin"])  # max and min give equal elements the gradient each
        bound = self.bounds[x] * (self.elements([x.shape[k] for k in axes]) if name == "sum" else 1)
        self.add(self.call(name, x, axis=axes, keepdim=self.rng.random() < 0.5), bound)

    def scan(self) -> None:
        x = self.float_of_rank(1)
        if x is not None:
            axis = self.rng.randrange(x.ndim)
            self.add(self.call("cumsum", x, axis), self.bounds[x] * self.elements([x.shape[axis]]))

    def softmax(self) -> None:
        """The pattern that fusion must put back together."""
        x = self.float_of_rank(1)
        if x is not None:
            weights = self.call("exp", x - self.call("max", x, axis=-1, keepdim=True))
            self.add(weights / self.call("sum", weights, axis=-1, keepdim=True), 1.0)

    def matmul(self) -> None:
        x = self.float_of_rank(2)
        if x is None:
            return
        y = self.pick(lambda v: v.dtype is x.dtype and v.ndim == 2 and same_dim(v.shape[0], x.shape[-1]))
        if y is None:
            y = self.call("transpose", x, [*range(x.ndim - 2), x.ndim - 1, x.ndim - 2])
            self.bounds[y] = self.bounds[x]
        if self.elements(x.shape) * self.elements(y.shape) <= MOST_ELEMENTS:
            self.add(self.call("matmul", x, y), self.bounds[x] * self.bounds[y] * self.elements([x.shape[-1]]))

    def reshape(self) -> None:
        x = self.pick(lambda v: v.ndim >= 1)
        if x is None:
            return
        k = self.rng.randrange(x.ndim)
        merged = [*x.shape[:k], x.shape[k] * x.shape[k + 1], *x.shape[k + 2 :]] if k + 1 < x.ndim else [*x.shape, 1]
        spread = [*x.shape[:k], 1, *x.shape[k:]]
        if x.ndim < 4 or k + 1 < x.ndim:
            shape = merged if self.rng.random() < 0.5 or x.ndim >= 4 else spread
            self.add(self.call("reshape", x, shape), self.bounds[x])

    def transpose(self) -> None:
        x = self.pick(lambda v: v.ndim >= 2)
        if x is not None:
            self.add(self.call("transpose", x, self.rng.sample(range(x.ndim), x.ndim)), self.bounds[x])

    def concat(self) -> None:
        x = self.pick(lambda v: v.ndim >= 1)
        y = x and self.pick(lambda v: v.dtype is x.dtype and same_shape(v.shape, x.shape))
        if x is not None and y is not None and self.elements(x.shape) <= MOST_ELEMENTS // 2:
            axis = self.rng.randrange(x.ndim)
            self.add(self.call("concat", [x, y], axis), max(self.bounds[x], self.bounds[y]))

    def slice(self) -> None:
        """Some elements of every axis of known size, all of the others."""
        x = self.pick(lambda v: v.ndim >= 1)
        if x is None:
            return
        sizes = [self.rng.randint(1, d) if isinstance(d, int) and d else d for d in x.shape]
        rooms = [d - s for d, s in zip(x.shape, sizes, strict=True)]
        starts = [self.rng.randint(0, room) if isinstance(room, int) else 0 for room in rooms]
        self.add(self.call("slice", x, starts, sizes), self.bounds[x])

    def broadcast(self) -> None:
        x = self.float_of_rank(0)
        if x is not None and x.ndim < 4 and self.elements(x.shape) <= MOST_ELEMENTS // 4:
            self.add(self.call("broadcast_to", x, [self.rng.choice([1, 2, 3]), *x.shape]), self.bounds[x])

    def gather(self) -> None:
        x = self.pick(lambda v: v.ndim >= 1 and isinstance(v.shape[0], int) and v.shape[0] > 0)
        size = x.shape[0] if x is not None else 0
        if x is not None and isinstance(size, int) and self.elements(x.shape) <= MOST_ELEMENTS // 4:
            index = np.array([self.rng.randrange(size) for _ in range(self.rng.randint(1, 4))], np.int64)
            self.add(self.call("gather", x, index), self.bounds[x])

    def constant(self) -> None:
        n: DimLike = Dim.symbol("N") if self.sizes else 3
        match self.rng.randrange(3):
            case 0:
                self.add(self.call("full", [n, 4], 0.5, "float32"), 1.0)
            case 1:
                self.add(self.call("arange", n, dtype="int64"), 8.0)
            case _:
                shape = self.rng.choice([(), (4,), (3, 4), (2, 3, 4)])
                array = self.arrays.uniform(-1, 1, shape).astype(self.rng.choice(["float32", "float64"]))
                self.add(self.builder.constant(array), 1.0)

    # -- blocks

    @contextmanager
    def inside(self, block: Block) -> Iterator[Block]:
        """Write operations into `block`; its values go out of scope at the end."""
        mark, self.depth = len(self.pool), self.depth - 1
        with self.builder.inside(block):
            yield block
        del self.pool[mark:]
        self.depth += 1

    def carried(self) -> list[Value]:
        """One to three tame float values to carry through a loop or to choose between."""
        found = [v for v in self.pool if v.dtype.is_floating]
        picked = self.rng.sample(found, min(len(found), self.rng.randint(1, 3)))
        return [v if self.bounds[v] <= 1.0 else self.call("tanh", v) for v in picked]

    def like(self, value: Value, largest: float) -> Value:
        """A value of the same type from the scope, no larger than `largest`."""
        found = self.pick(lambda v: self.same_type(v, value) and v is not value) or value
        return found if self.bounds.get(found, 1.0) <= largest else self.call("tanh", found)

    def if_(self) -> None:
        test = self.pick(lambda v: v.dtype.is_bool and v.ndim == 0)
        chosen = self.carried()
        if test is None or not chosen or not self.depth:
            return
        blocks = []
        for _ in range(2):
            with self.inside(Block()) as block:
                self.operations(self.rng.randint(0, 4))
                self.builder.yield_([self.like(v, 1.0) for v in chosen])
            blocks.append(block)
        for result in self.builder.if_(test, *blocks):
            self.add(result, 1.0)

    def body(self, block: Block, carried: Sequence[Value], counter: Value | None = None) -> None:
        """The body of a loop: what it yields is as tame as what it takes."""
        with self.inside(block):
            for value in carried:
                self.add(value, 1.0)
            self.operations(self.rng.randint(1, 4))
            nexts = [self.like(v, 1.0) for v in carried]
            self.builder.yield_(([counter + 1] if counter is not None else []) + nexts)

    def for_(self) -> None:
        carried = self.carried()
        if not carried or not self.depth:
            return
        count = self.call("constant", _data(np.int64(self.rng.randint(0, 3))))
        block = Block([count.type, *(v.type for v in carried)])
        if self.rng.random() < 0.5:
            self.pool.append(count)
            self.bounds[count] = 3.0
        self.body(block, block.args[1:])
        for result in self.builder.for_(count, carried, block):
            self.add(result, 1.0)

    def while_(self) -> None:
        carried = self.carried()
        if not carried or not self.depth:
            return
        start = self.call("constant", _data(np.int64(0)))
        kinds = [start.type, *(v.type for v in carried)]
        condition, block = Block(kinds), Block(kinds)
        with self.inside(condition):
            self.builder.yield_([self.call("less_than", condition.args[0], self.rng.randint(0, 3))])
        self.body(block, block.args[1:], block.args[0])
        steps, *results = self.builder.while_([start, *carried], condition, block)
        self.add(steps, 4.0)
        for result in results:
            self.add(result, 1.0)


def _data(number: Any) -> Any:
    return ArrayData(np.asarray(number))


_CHOICES: dict[Callable[[Any], None], int] = {
    Maker.unary: 6,
    Maker.smooth_chain: 2,
    Maker.binary: 8,
    Maker.with_number: 3,
    Maker.compare: 2,
    Maker.logical: 1,
    Maker.where: 2,
    Maker.cast: 2,
    Maker.reduce: 4,
    Maker.scan: 1,
    Maker.softmax: 1,
    Maker.matmul: 2,
    Maker.reshape: 2,
    Maker.transpose: 2,
    Maker.concat: 1,
    Maker.slice: 2,
    Maker.broadcast: 1,
    Maker.gather: 1,
    Maker.constant: 2,
    Maker.if_: 2,
    Maker.for_: 1,
    Maker.while_: 1,
}
_STEPS, _WEIGHTS = list(_CHOICES), list(_CHOICES.values())
