"""Random numbers. A generator is a tensor of two integers (seed, offset); drawing reads it and moves the offset on.

Eager and compiled code take the same road, so the same seed gives the same numbers in both.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from ..base.dtype import LOW_FLOATS, DType, as_dtype, int64
from ..base.errors import ArgumentError, DTypeError, KindError
from ..base.flags import flags
from ..ops.argument_names import require_cpu
from ..ops.arith import is_run_time_number, is_value
from ..ops.dims import Dim, product
from ..ops.dispatch import bottom, current, is_captured, trace_around, using
from ..ops.families import real_dtype
from ..ops.infer import as_dims, not_negative, sizes_one_by_one
from ..ops.mistakes import public
from ..ops.op import OPS
from ..ops.orders import argsort
from .call_cache import EAGER
from .modes import GradMode, is_recording
from .number import Number
from .tensor import Tensor

_FIRST_SEED = 0


def _outside_of_programs() -> Any:
    """Seeding is no part of a static program, which runs later; it is of a captured function."""
    return using(bottom()) if current().is_static else nullcontext()


class Generator:
    """A stream of random numbers. `state`: int64[2], the seed and how many numbers were drawn."""

    begins_anew = False  # a new one, with the same seed, is made for each use

    def __init__(self, seed: Any = _FIRST_SEED, device: Any = None) -> None:
        if isinstance(seed, str):  # Paddle's has the device alone
            seed, device = _FIRST_SEED, seed
        require_cpu(device)
        self.state: Tensor = EAGER.constant(np.array([_checked_seed(seed), 0]), int64)
        self._lock = threading.RLock()

    def manual_seed(self, seed: int) -> Generator:
        """Begin the stream of another seed."""
        with self._lock, _outside_of_programs():
            self.state.set_value(np.array([_checked_seed(seed), 0]))
        return self

    def get_state(self) -> Tensor:
        """A copy of the state."""
        return self.state.snapshot(private=True)

    def set_state(self, state: Any) -> None:
        """Go back to a state that `get_state` gave."""
        with self._lock, _outside_of_programs():
            self.state.set_value(state)

    def initial_seed(self) -> int:
        """The seed of the stream."""
        return int(self.state.numpy()[0])

    def draw(self, row: str, shape: Sequence[Any], dtype: Any = None, moves: Any = None, **attrs: Any) -> Any:
        """The next numbers, by a row of ops/random.py ("uniform", "normal", "randint"); moves the state on.

        moves: None, or whether it does, as a value without axes.
        """
        kind = flags.default_dtype if dtype is None else as_dtype(dtype)
        short = kind in LOW_FLOATS
        with self._lock, GradMode(False):
            trace = None if self.begins_anew else trace_around()
            state = self.state if trace is None else EAGER.constant(trace.drawn_apart(self.state), int64)
            made = OPS[row](state, shape, "float32" if short else kind, **attrs)
            with nullcontext() if trace is None else using(trace):  # the program's stream moves on at the same place
                moved = OPS["rng_advance"](self.state, product(made.shape))
                self.state._write(moved if moves is None else OPS["where"](moves, moved, self.state), fresh=True)
        return OPS["cast"](made, kind) if short else made


def _checked_seed(seed: Any) -> int:
    try:
        number = int(seed)
    except (TypeError, ValueError) as error:
        raise KindError(f"a seed is an integer, not {seed!r:.60}") from error
    if not -(2**63) <= number < 2**64:
        raise ArgumentError(f"seed {number} doesn't fit into 64 bits")
    return number - 2**64 if number >= 2**63 else number


default_generator = Generator()

_program_seed = [0]


def pin_initial_values(seed: int) -> None:
    """From now on every parameter that eager mode makes is drawn anew from this seed, as programs with a seed of their
    own do it in Paddle: those of equal shapes are equal. 0: they are drawn from the stream again.
    """
    _program_seed[0] = _checked_seed(seed)


def initial_generator(seed: int = 0) -> Generator:
    """Where the first values of parameters come from; a seed other than 0 makes a stream of its own."""
    pinned = seed or _program_seed[0]
    if not pinned:
        return default_generator
    made = Generator(pinned)
    made.begins_anew = True
    if is_captured():  # a constant of the program, so that each run of it draws the same
        made.state = current().constant(made.state._copied(), int64)
    return made


def seed(seed: int) -> Generator:
    """Start the default stream of random numbers anew.

    >>> seed(7).initial_seed()
    7
    """
    return default_generator.manual_seed(seed)


def initial_seed() -> int:
    """The seed of the default stream.

    >>> generator = seed(7); initial_seed()
    7
    """
    return default_generator.initial_seed()


def get_rng_state(device: Any = None) -> list[Tensor]:
    """The default generator's state, for `set_rng_state`; there is one device."""
    return [default_generator.get_state()]


def set_rng_state(state_list: Any, device: Any = None) -> None:
    """Go back to a state that `get_rng_state` gave; there is one device."""
    default_generator.set_state(state_list[0] if isinstance(state_list, (list, tuple)) else state_list)


def _shape_of(shape: Any) -> list[Any]:
    if shape is None:
        return []
    return list(not_negative(as_dims(shape)))


def _generator(seed: int) -> Generator:
    if not seed:
        return default_generator
    made = Generator(seed)
    if is_captured():  # the stream begins anew at each call of the program, too
        made.state = current().constant(made.state.numpy(), int64)
    return made


def _spread(row: str, generator: Generator, shape: Any, dtype: Any, scale: Any, shift: Any) -> Any:
    """Numbers of [0, 1) or of the standard normal distribution, times a number plus another one: tensors or sizes."""
    kind = flags.default_dtype if dtype is None else as_dtype(dtype)
    if kind not in LOW_FLOATS:
        return generator.draw(row, shape, kind) * scale + shift
    return OPS["cast"](generator.draw(row, shape, "float32") * scale + shift, kind)


def _of_parts(draw: Callable[..., Any], generator: Generator, shape: Any, kind: DType, *bounds: Any) -> Any:
    """Complex numbers whose real and imaginary parts are drawn one after the other."""
    part = real_dtype(kind)
    return OPS["complex"](draw(generator, shape, part, *bounds), draw(generator, shape, part, *bounds))


def _evenly(generator: Generator, shape: Any, dtype: Any, low: Any, high: Any) -> Any:
    kind = as_dtype(dtype) if dtype is not None else None
    if kind is not None and kind.is_complex:
        return _of_parts(_evenly, generator, shape, kind, low, high)
    if isinstance(low, (Tensor, Dim)) or isinstance(high, (Tensor, Dim)):
        return _spread("uniform", generator, shape, dtype, high - low, low)
    return generator.draw("uniform", shape, dtype, low=float(low), high=float(high))


def normally(generator: Generator, shape: Any, dtype: Any, mean: Any, std: Any) -> Any:
    """Numbers from a normal distribution; `mean` and `std` may be sizes of the program.

    Complex ones have parts that are independent, each with half of the variance.
    """
    kind = None if dtype is None else as_dtype(dtype)
    if isinstance(mean, complex) or (kind is not None and kind.is_complex):
        part = flags.default_dtype if kind is None else real_dtype(kind)
        if kind is not None and part is kind:
            raise DTypeError(f"a complex mean needs complex numbers, not {kind.name}")
        centre = mean if isinstance(mean, complex) else complex(mean, mean)  # as PaddlePaddle takes a real mean
        parts = [normally(generator, shape, part, m, std * math.sqrt(0.5)) for m in (centre.real, centre.imag)]
        return OPS["complex"](*parts)
    if isinstance(mean, Dim) or isinstance(std, Dim):
        return _spread("normal", generator, shape, dtype, std, mean)
    return generator.draw("normal", shape, dtype, mean=float(mean), std=float(std))


@public
def uniform(shape: Any, dtype: Any = None, min: float = 0.0, max: float = 1.0, seed: int = 0, name: Any = None) -> Any:
    """Numbers evenly from [min, max). A seed other than 0 makes a stream of its own.

    >>> uniform([2, 3]).shape
    [2, 3]
    """
    return _evenly(_generator(seed), _shape_of(shape), dtype, min, max)


@public
@sizes_one_by_one
def rand(shape: Any, dtype: Any = None, name: Any = None) -> Any:
    """Numbers evenly from [0, 1); the parts of complex numbers, too."""
    return _evenly(default_generator, _shape_of(shape), dtype, 0.0, 1.0)


@public
def normal(mean: Any = 0.0, std: Any = 1.0, shape: Any = None, name: Any = None) -> Any:
    """Numbers from a normal distribution; mean and std may be tensors, which then give the shape, whatever `shape` is.

    >>> normal(0.0, 2.0, [4]).shape
    [4]
    """
    if any(isinstance(x, Tensor) and type(x) is not Number for x in (mean, std)):
        both = mean + std * 0  # a complex mean makes complex numbers
        return normally(default_generator, tuple(both.shape), both.dtype, 0.0, 1.0) * std + mean
    if any(type(x) is Number and x.origin is None for x in (mean, std)):  # of a run
        return normally(default_generator, _shape_of(shape), None, 0.0, 1.0) * std + mean
    return normally(default_generator, _shape_of(shape), None, mean, std)


@public
@sizes_one_by_one
def randn(shape: Any, dtype: Any = None, name: Any = None) -> Any:
    """Numbers from the standard normal distribution; complex ones for a complex dtype."""
    return normally(default_generator, _shape_of(shape), dtype, 0.0, 1.0)


standard_normal = randn


@public
def gaussian(
    shape: Any, mean: float = 0.0, std: float = 1.0, seed: int = 0, dtype: Any = None, name: Any = None
) -> Any:
    """Numbers from a normal distribution."""
    return normally(_generator(seed), _shape_of(shape), dtype, mean, std)


@public
def randint(low: Any = 0, high: Any = None, shape: Any = (1,), dtype: Any = None, name: Any = None) -> Any:
    """Integers evenly from low, …, high - 1 (from 0, …, low - 1 with one bound).

    >>> int(randint(3, 4))
    3
    """
    low, high = (0, low) if high is None else (low, high)
    at_run_time = _only_a_run_knows(low) or _only_a_run_knows(high)
    if at_run_time:
        low, high = (OPS["cast"](x, int64) if is_value(x) else x for x in (low, high))
        current().require(OPS["less_than"](low, high), "randint needs low < high", "ArgumentError")
    elif high <= low:
        raise ArgumentError(f"randint needs low < high, not {low} and {high}")
    if at_run_time or isinstance(low, Dim) or isinstance(high, Dim):  # as the row does it
        places = OPS["floor"](default_generator.draw("uniform", _shape_of(shape), "float64") * (high - low))
        return OPS["cast"](OPS["cast"](places, int64) + low, dtype or int64)
    return default_generator.draw("randint", _shape_of(shape), dtype or "int64", low=int(low), high=int(high))


@public
def randint_like(x: Tensor, low: int = 0, high: int | None = None, dtype: Any = None, name: Any = None) -> Any:
    """Integers in the shape (and dtype, unless given) of `x`."""
    kind = as_dtype(dtype) if dtype is not None else x.dtype
    drawn = randint(low, high, x.shape, kind if kind.is_integer and kind.itemsize >= 4 else "int64")
    return drawn if drawn.dtype is kind else OPS["cast"](drawn, kind)


@public
def bernoulli(x: Tensor, p: Any = None, name: Any = None) -> Any:
    """1 with the probability that each element of `x` gives, else 0; in x's dtype."""
    chance = x if p is None else p
    drawn = default_generator.draw("uniform", x.shape, x.dtype if x.dtype.is_floating else None)
    return OPS["cast"](drawn < chance, x.dtype)


@public
def randperm(n: int, dtype: Any = "int64", name: Any = None) -> Any:
    """The numbers 0, …, n - 1 in random order.

    >>> sorted(randperm(4).tolist())
    [0, 1, 2, 3]
    """
    if _only_a_run_knows(n):
        current().require(OPS["greater_than"](n, 0), "randperm needs n > 0", "ArgumentError")
    elif n <= 0:
        raise ArgumentError(f"randperm needs n > 0, not {n}")
    order = argsort(default_generator.draw("uniform", [n], "float64"))
    kind = as_dtype(dtype)
    return order if order.dtype is kind else OPS["cast"](order, kind)


def _only_a_run_knows(x: Any) -> bool:
    return is_run_time_number(x) or (is_value(x) and is_captured())


def refill(x: Tensor, made: Any) -> Tensor:
    """Write random numbers into x. What x was before gets a gradient of zeros, as in Paddle."""
    kept = made if made.dtype is x.dtype else OPS["cast"](made, x.dtype)
    written: Tensor = x._update(lambda old: OPS["where"](False, old, kept), (), {}) if _needs(x) else x.copy_(kept)
    return written


def _needs(x: Tensor) -> bool:
    return not x.stop_gradient and is_recording()


def _drawn_in(x: Tensor) -> Any:
    return x.dtype if x.dtype.is_floating else flags.default_dtype


@public
def uniform_(x: Tensor, min: float = 0.0, max: float = 1.0, seed: int = 0, name: Any = None) -> Tensor:
    """Overwrite with numbers evenly from [min, max)."""
    return refill(x, _evenly(_generator(seed), x.shape, _drawn_in(x), min, max))


def normal_(x: Tensor, mean: float = 0.0, std: float = 1.0, name: Any = None) -> Tensor:
    """Overwrite with numbers from a normal distribution, complex ones where x is complex."""
    drawn_in = x.dtype if x.dtype.is_complex else _drawn_in(x)
    return refill(x, normally(default_generator, x.shape, drawn_in, mean, std))


@public
def exponential_(x: Tensor, lam: float = 1.0, name: Any = None) -> Tensor:
    """Overwrite with numbers from the exponential distribution of rate `lam`."""
    drawn = default_generator.draw("uniform", x.shape, _drawn_in(x))
    return refill(x, OPS["log"](1.0 - drawn) * (-1.0 / lam))


def bernoulli_(x: Tensor, p: float = 0.5, name: Any = None) -> Tensor:
    """Overwrite with ones of probability `p` and zeros."""
    drawn = default_generator.draw("uniform", x.shape, _drawn_in(x))
    return refill(x, OPS["cast"](drawn < p, x.dtype))


IN_PLACE = (uniform_, normal_, exponential_, bernoulli_)
for _fn in IN_PLACE:
    setattr(Tensor, _fn.__name__, _fn)
