# Written by `make stubs`; edits here are lost.

"""vitrify: write eager array programs in Python, run them as one compiled program.

import vitrify as vt"""

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import object as _object
from builtins import str as _str
from builtins import tuple as _tuple
from builtins import type as _type
from collections.abc import Callable as _Callable
from collections.abc import Iterable as _Iterable
from collections.abc import Iterator as _Iterator
from collections.abc import Sequence as _Sequence
from os import PathLike as _PathLike
from typing import Any as _Any
from typing import BinaryIO as _BinaryIO
from typing import Literal as _Literal
from typing import TypeVar as _TypeVar
from typing import overload as _overload
from vitrify import amp as amp
from vitrify import audio as audio
from vitrify import autograd as autograd
from vitrify import distribution as distribution
from vitrify import errors as errors
from vitrify import fft as fft
from vitrify import fluid as fluid
from vitrify import inference as inference
from vitrify import interop as interop
from vitrify import io as io
from vitrify import jit as jit
from vitrify import linalg as linalg
from vitrify import native as native
from vitrify import nn as nn
from vitrify import onnx as onnx
from vitrify import optimizer as optimizer
from vitrify import profiler as profiler
from vitrify import signal as signal
from vitrify import static as static
from vitrify import text as text
from vitrify import vision as vision
from vitrify._stub_types import Axis as _Axis
from vitrify._stub_types import DTypeLike as _DTypeLike
from vitrify._stub_types import LayerT as _LayerT
from vitrify._stub_types import P as _P
from vitrify._stub_types import R_co as _R_co
from vitrify._stub_types import Shape as _Shape
from vitrify._stub_types import TensorLike as _TensorLike
from vitrify.base.dtype import DType as _DType
from vitrify.base.dtype import DType as dtype
from vitrify.base.limits import finfo as finfo
from vitrify.base.limits import iinfo as iinfo
from vitrify.base.size import Size as Size
from vitrify.compat.engine import LazyGuard as LazyGuard
from vitrify.distributed.data_parallel import DataParallel as DataParallel
from vitrify.dygraph.dense import DenseTensor as _DenseTensor
from vitrify.dygraph.device import CPUPlace as CPUPlace
from vitrify.dygraph.device import CPUPlace as _CPUPlace
from vitrify.dygraph.device import CUDAPinnedPlace as CUDAPinnedPlace
from vitrify.dygraph.device import CUDAPlace as CUDAPlace
from vitrify.dygraph.device import CustomPlace as CustomPlace
from vitrify.dygraph.device import Device as _Device
from vitrify.dygraph.device import XPUPlace as XPUPlace
from vitrify.dygraph.modes import GradMode as _GradMode
from vitrify.dygraph.modes import _Mode as _Mode
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.nn.param_attr import ParamAttr as ParamAttr
from vitrify.dygraph.random_generators import Generator as Generator
from vitrify.dygraph.random_generators import Generator as _Generator
from vitrify.dygraph.tensor import Parameter as Parameter
from vitrify.dygraph.tensor import Parameter as _Parameter
from vitrify.dygraph.tensor import Tensor as Tensor
from vitrify.dygraph.tensor import Tensor as _Tensor
from vitrify.ir.core import Program as Program
from vitrify.ir.input_spec import InputSpec as InputSpec
from vitrify.jit.function import StaticFunction as _StaticFunction
from vitrify.runtime.observe.cost import Cost as _Cost
from vitrify.runtime.observe.profile import Profile as _Profile
from vitrify.training.model import Model as Model

__version__: _str

@_overload
def abs(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def abs(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Absolute value of every element; of a complex one a real number. Gradient at 0: 0."""

def abs_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`abs`, written in place."""

@_overload
def absolute(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def absolute(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Absolute value of every element; of a complex one a real number. Gradient at 0: 0."""

def absolute_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`absolute`, written in place."""

def accuracy(input: _TensorLike, label: _TensorLike, k: _int = 1, name: _str | None = None) -> _Tensor:
    """The share of samples whose label is among the k highest of the classes on the last axis."""

@_overload
def acos(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def acos(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Arc cosine, in radians."""

def acos_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`acos`, written in place."""

@_overload
def acosh(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def acosh(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Inverse hyperbolic cosine."""

def acosh_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`acosh`, written in place."""

@_overload
def adaptive_avg_pool1d(input: _TensorLike, output_size: _Any, name: _str | None = None) -> _Tensor: ...
@_overload
def adaptive_avg_pool1d(x: _TensorLike, output_size: _Any, name: _str | None = None) -> _Tensor:
    """Averages over `output_size` windows that cover sequences [n, c, l]."""

@_overload
def adaptive_avg_pool2d(input: _TensorLike, output_size: _Any, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor: ...
@_overload
def adaptive_avg_pool2d(x: _TensorLike, output_size: _Any, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """Averages over a grid of `output_size` windows that cover the image; None keeps an axis.

    Windows overlap by one where the size doesn't divide; the averages are then products with two small matrices."""

@_overload
def add(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, alpha: _Any = 1, out: _Any = None) -> _Tensor: ...
@_overload
def add(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, alpha: _Any = 1, out: _Any = None) -> _Tensor:
    """Sum of two tensors, element by element; of bools, whether one of them is true."""

def add_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`add`, written in place."""

def add_n(inputs: _Sequence[_TensorLike], name: _str | None = None) -> _Tensor:
    """The sum of a list of tensors; a single tensor is copied."""

def addmm(input: _TensorLike, x: _TensorLike, y: _TensorLike, beta: _float = 1.0, alpha: _float = 1.0, name: _str | None = None) -> _Tensor:
    """beta * input + alpha * (x @ y), for matrices x and y; input broadcasts to their product.

    Errors: ShapeError for other ranks."""

def addmm_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`addmm`, written in place."""

@_overload
def all(input: _TensorLike, dim: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def all(x: _TensorLike, axis: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Whether every element over `axis` is true; numbers count as true unless 0."""

def allclose(x: _TensorLike, y: _TensorLike, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False, name: _str | None = None) -> _Tensor:
    """Whether all elements are close; one bool."""

@_overload
def amax(input: _TensorLike, dim: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def amax(x: _TensorLike, axis: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Largest element over `axis`; NaN wins. Equal largest elements share the gradient evenly."""

@_overload
def amin(input: _TensorLike, dim: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def amin(x: _TensorLike, axis: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Smallest element over `axis`; NaN wins. Equal smallest elements share the gradient evenly."""

def aminmax(x: _TensorLike, axis: _Axis | None = None, keepdim: _bool = False) -> _tuple[_Tensor, _Tensor]:
    """(least, largest) over `axis`; equal extremes share the gradient.

    >>> import vitrify as vt
    >>> [float(e) for e in vt.aminmax(vt.to_tensor([2.0, -1.0, 4.0]))]
    [-1.0, 4.0]"""

def angle(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """The angle of every element in the complex plane, from -pi to pi: 0 or pi for a real one; NaN stays."""

@_overload
def any(input: _TensorLike, dim: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def any(x: _TensorLike, axis: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Whether some element over `axis` is true; numbers count as true unless 0."""

def arange(start: _Any = 0, end: _Any = None, step: _Any = 1, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor:
    """Numbers from `start` up to but without `end`, in steps of `step`. One argument is the end.

    Sizes may be symbolic; tensors with one element are read."""

@_overload
def arccos(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def arccos(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Arc cosine, in radians."""

def arccos_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`arccos`, written in place."""

@_overload
def arccosh(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def arccosh(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Inverse hyperbolic cosine."""

def arccosh_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`arccosh`, written in place."""

@_overload
def arcsin(input: _TensorLike, *, name: _str | None = None) -> _Tensor: ...
@_overload
def arcsin(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Arc sine, in radians."""

def arcsin_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`arcsin`, written in place."""

def arcsinh(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Inverse hyperbolic sine."""

def arcsinh_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`arcsinh`, written in place."""

def arctan(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Arc tangent, in radians."""

def arctan2(x: _TensorLike, y: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """The angle of the point (y, x), in radians from -pi to pi; the first operand is the ordinate; of ints float64."""

def arctan2_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`arctan2`, written in place."""

def arctan_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`arctan`, written in place."""

@_overload
def arctanh(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def arctanh(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Inverse hyperbolic tangent."""

def arctanh_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`arctanh`, written in place."""

@_overload
def argmax(input: _TensorLike, dim: _Axis | None = None, keepdim: _bool = False, dtype: _DTypeLike = 'int64', name: _str | None = None) -> _Tensor: ...
@_overload
def argmax(x: _TensorLike, axis: _Axis | None = None, keepdim: _bool = False, dtype: _DTypeLike = 'int64', name: _str | None = None) -> _Tensor:
    """Index of the first largest element along `axis`, or in the flattened tensor; the first NaN wins."""

@_overload
def argmin(input: _TensorLike, dim: _Axis | None = None, keepdim: _bool = False, dtype: _DTypeLike = 'int64', name: _str | None = None) -> _Tensor: ...
@_overload
def argmin(x: _TensorLike, axis: _Axis | None = None, keepdim: _bool = False, dtype: _DTypeLike = 'int64', name: _str | None = None) -> _Tensor:
    """Index of the first smallest element along `axis`, or in the flattened tensor; the first NaN wins."""

@_overload
def argsort(input: _TensorLike, dim: _int = -1, descending: _bool = False, stable: _bool = False, name: _str | None = None) -> _Tensor: ...
@_overload
def argsort(x: _TensorLike, axis: _int = -1, descending: _bool = False, stable: _bool = False, name: _str | None = None) -> _Tensor:
    """The order (int64) in which the elements along `axis` rise, or fall with `descending`; always stable."""

def argwhere(input: _TensorLike) -> _Tensor:
    """The places of the elements that aren't zero: `nonzero(x)`.

    >>> import vitrify as vt
    >>> vt.argwhere(vt.to_tensor([0, 5, 7])).tolist()
    [[1], [2]]"""

def as_complex(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """A real tensor [..., 2] of parts as complex numbers [...]."""

def as_real(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Complex numbers [...] as their parts [..., 2]."""

def as_strided(x: _TensorLike, shape: _Sequence[_int], stride: _Sequence[_int], offset: _int = 0, name: _str | None = None) -> _Tensor:
    """Elements of the flattened tensor at `offset` plus the sum of index times stride (a copy; gradients add up)."""

def asarray(obj: _Any, *, dtype: _Any = None, device: _Any = None, copy: _bool | None = None, requires_grad: _bool = False) -> _Tensor:
    """A new tensor with a copy of numbers, lists, an array or a tensor. Errors: ArgumentError for `copy=False`.

    >>> asarray([1, 2]).tolist()
    [1, 2]"""

@_overload
def asin(input: _TensorLike, *, name: _str | None = None) -> _Tensor: ...
@_overload
def asin(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Arc sine, in radians."""

def asin_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`asin`, written in place."""

def asinh(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Inverse hyperbolic sine."""

def asinh_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`asinh`, written in place."""

def assert_budget(fn: _Any, *, peak: _int | _str | None = None, work: _int | None = None, flops: _int | None = None, bytes: _int | _str | None = None, calls: _int | None = None, **sizes: _int) -> _Cost:
    """Check what one call of a compiled function costs, without running it; for tests and CI. Returns the cost.

    peak: bytes of intermediates that the memory plan takes ("64MB"). work, or flops: floating-point operations.
    bytes: read and written after fusion. calls: of kernels. sizes: of open axes, and iterations of loops (`T1=10`).
    Gradients taken from outside count for themselves: neither program may go beyond a limit.
    Errors: BudgetError (an AssertionError) with every limit that is exceeded; ArgumentError while sizes are open, and
    for a function that has no program yet and no input_spec; KindError for what isn't compiled.

    >>> import vitrify as vt
    >>> f = vt.to_static(lambda x: vt.tanh(x).sum(), input_spec=[vt.InputSpec([None, 8])])
    >>> vt.assert_budget(f, peak="1KB", flops=5000, N=64).work
    4608"""

def assign(x: _Any, output: _Tensor | None = None) -> _Any:
    """A copy of a tensor, array, list or number; with `output`, written into that tensor, which is returned.

    Python's numbers keep their width: floats are float64, ints int64. A number is a tensor of shape [1], as in Paddle.
    An output takes on another shape. It keeps its dtype, but for fractions in integers and imaginary parts in real
    numbers, which would be lost: then it takes on that of `x`.

    Gradients flow through it. Errors: KindError for other objects; in a block of a program, ShapeError for an output of
    another rank; in a captured function DTypeError for an output of a dtype that would lose something.

    >>> assign([1.0, 2.0]).tolist()
    [1.0, 2.0]"""

def assign_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`assign`, written in place."""

def async_save(obj: _Any, path: _str | _PathLike[_str] | _BinaryIO, protocol: _int = 4, sync_other_task: _bool = False, **configs: _Any) -> None:
    """As `save`, of a tensor or a dict, but the file is written while the program goes on: the values at the call.

    `clear_async_save_task_queue` waits for it; with `sync_other_task` this call waits for the files before.
    Errors: ArgumentError in static mode; KindError for another object; those of `save`, but for a path where nothing
    can be written."""

def atan(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Arc tangent, in radians."""

def atan2(x: _TensorLike, y: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """The angle of the point (y, x), in radians from -pi to pi; the first operand is the ordinate; of ints float64."""

def atan2_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`atan2`, written in place."""

def atan_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`atan`, written in place."""

@_overload
def atanh(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def atanh(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Inverse hyperbolic tangent."""

def atanh_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`atanh`, written in place."""

def atleast_1d(*inputs: _Any, name: _str | None = None) -> _Tensor:
    """Tensors with at least one axis, a number as one of one element. Of several inputs a list of them.

    >>> import vitrify as vt
    >>> [x.shape for x in vt.atleast_1d(2.0, [1.0, 2.0])]
    [[1], [2]]"""

def atleast_2d(*inputs: _Any, name: _str | None = None) -> _Tensor:
    """Tensors with at least two axes: vectors become rows."""

def atleast_3d(*inputs: _Any, name: _str | None = None) -> _Tensor:
    """Tensors with at least three axes: a vector [n] becomes [1, n, 1], a matrix [n, m] becomes [n, m, 1].

    >>> import vitrify as vt
    >>> vt.atleast_3d(vt.to_tensor([1, 2])).shape
    [1, 2, 1]"""

def avg_pool1d(x: _TensorLike, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, exclusive: _bool = True, ceil_mode: _bool = False, name: _str | None = None) -> _Tensor:
    """The average of each window of sequences [n, c, l]."""

def avg_pool2d(x: _TensorLike, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, ceil_mode: _bool = False, exclusive: _bool = True, divisor_override: _int | None = None, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """The average of each window; `exclusive` leaves padding out of the count.

    divisor_override replaces the size of the window: averages are multiplied by that size and divided by this number."""

def baddbmm(input: _TensorLike, x: _TensorLike, y: _TensorLike, beta: _float = 1.0, alpha: _float = 1.0, name: _str | None = None) -> _Tensor:
    """beta · input + alpha · x @ y, for stacks of matrices [batch, n, m]; input broadcasts."""

def baddbmm_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`baddbmm`, written in place."""

def bartlett_window(window_length: _int, periodic: _bool = True, *, dtype: _Any = 'float32', **settings: _Any) -> _Any:
    """A triangle from 0 to 1 and back: [window_length]. The settings are those of `hann_window`.

    >>> bartlett_window(5, periodic=False).tolist()
    [0.0, 0.5, 1.0, 0.5, 0.0]"""

def batch(reader: _Callable[[], _Iterator[_Any]], batch_size: _int, drop_last: _bool = False) -> _Callable[[], _Iterator[_Any]]:
    """A reader of lists of `batch_size` samples; the last list may be shorter, or is dropped with `drop_last`.

    Errors: ArgumentError (a ValueError) unless `batch_size` is a positive integer.

    >>> list(batch(lambda: iter(range(5)), 2)())
    [[0, 1], [2, 3], [4]]
    >>> list(batch(lambda: iter(range(5)), 2, drop_last=True)())
    [[0, 1], [2, 3]]"""

def bernoulli(x: _Tensor, p: _Any = None, name: _str | None = None) -> _Tensor:
    """1 with the probability that each element of `x` gives, else 0; in x's dtype."""

def bernoulli_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`bernoulli`, written in place."""

bfloat16: _DType

def binary_cross_entropy(input: _TensorLike, label: _TensorLike, weight: _TensorLike | None = None, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """-(label * log(input) + (1 - label) * log(1 - input)) for probabilities; a logarithm counts as at least -100."""

def binary_cross_entropy_with_logits(logit: _TensorLike, label: _TensorLike, weight: _TensorLike | None = None, reduction: _str = 'mean', pos_weight: _Any = None, name: _str | None = None) -> _Tensor:
    """binary_cross_entropy of sigmoid(logit), without overflow; pos_weight multiplies the loss of label 1."""

def bincount(x: _TensorLike, weights: _Any = None, minlength: _Any = 0, name: _str | None = None) -> _Tensor:
    """How often each of 0, 1, … occurs in x [count] of integers, or the sums of `weights`; at least `minlength` long.

    >>> import vitrify as vt
    >>> vt.bincount(vt.to_tensor([1, 3, 1])).tolist()
    [0, 2, 0, 1]"""

def binomial(count: _Tensor, prob: _Tensor, name: _str | None = None) -> _Tensor:
    """How many of `count` tries succeed, each with probability `prob`; int64, broadcast."""

def bitwise_and(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Bits set in both integers; `and` of bools."""

def bitwise_and_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`bitwise_and`, written in place."""

def bitwise_invert(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """All bits inverted; `not` of bools."""

def bitwise_invert_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`bitwise_invert`, written in place."""

def bitwise_left_shift(x: _TensorLike, y: _TensorLike, is_arithmetic: _bool = True, out: _Any = None, name: _str | None = None) -> _Tensor:
    """x with its bits moved y places to the left; zeros come in. Integers only."""

def bitwise_left_shift_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`bitwise_left_shift`, written in place."""

def bitwise_not(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """All bits inverted; `not` of bools."""

def bitwise_not_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`bitwise_not`, written in place."""

@_overload
def bitwise_or(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def bitwise_or(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Bits set in either integer; `or` of bools."""

def bitwise_or_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`bitwise_or`, written in place."""

def bitwise_right_shift(x: _TensorLike, y: _TensorLike, is_arithmetic: _bool = True, out: _Any = None, name: _str | None = None) -> _Tensor:
    """x with its bits moved y places to the right; the sign comes in, or zeros without `is_arithmetic`."""

def bitwise_right_shift_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`bitwise_right_shift`, written in place."""

def bitwise_xor(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Bits set in just one integer; inequality of bools."""

def bitwise_xor_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`bitwise_xor`, written in place."""

def blackman_window(window_length: _int, periodic: _bool = True, *, dtype: _Any = 'float32', **settings: _Any) -> _Any:
    """0.42 + 0.5 cos + 0.08 cos of the double angle: [window_length]. The settings are those of `hann_window`."""

def block_diag(inputs: _Sequence[_Any], name: _str | None = None) -> _Tensor:
    """A matrix with the given matrices along its diagonal and zeros elsewhere; vectors and numbers count as rows."""

@_overload
def bmm(input: _TensorLike, mat2: _TensorLike, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def bmm(x: _TensorLike, y: _TensorLike, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The products of two batches of matrices, [b, n, k] and [b, k, m]."""

bool: _DType

def broadcast_shape(*shapes: _Any, x_shape: _Any = None, y_shape: _Any = None) -> _list[_int | _Tensor]:
    """The common shape of several under NumPy's rule; two of them may be given as x_shape and y_shape."""

def broadcast_shapes(*shapes: _Any, x_shape: _Any = None, y_shape: _Any = None) -> _list[_int | _Tensor]:
    """The common shape of several under NumPy's rule; two of them may be given as x_shape and y_shape."""

@_overload
def broadcast_tensors(input: _Sequence[_Any], name: _str | None = None) -> _list[_Tensor]: ...
@_overload
def broadcast_tensors(inputs: _Sequence[_Any], name: _str | None = None) -> _list[_Tensor]:
    """All tensors broadcast to their common shape."""

@_overload
def broadcast_to(input: _TensorLike, size: _Shape, *, name: _str | None = None) -> _Tensor: ...
@_overload
def broadcast_to(x: _TensorLike, shape: _Shape, *, name: _str | None = None) -> _Tensor:
    """The elements repeated along new axes and axes of size 1 to fill `shape`; -1 keeps a size."""

@_overload
def bucketize(input: _TensorLike, boundaries: _Any, out_int32: _bool = False, right: _bool = False, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def bucketize(x: _TensorLike, sorted_sequence: _Any, out_int32: _bool = False, right: _bool = False, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """`searchsorted` in one sequence [count], with the values first. Errors: ArgumentError for no tensor."""

def cartesian_prod(x: _Sequence[_Any], name: _str | None = None) -> _Tensor:
    """All combinations of one element from each vector, as rows, the last varying fastest."""

def cast(x: _TensorLike, dtype: _DTypeLike, *, name: _str | None = None) -> _Tensor:
    """Every element converted to `dtype`; to bool: whether it differs from 0; float to integer: towards 0."""

def cast_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`cast`, written in place."""

@_overload
def cat(tensors: _Sequence[_TensorLike], dim: _Axis = 0, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def cat(x: _Sequence[_TensorLike], axis: _Axis = 0, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Tensors one after the other along `axis`; all other sizes are equal."""

def cauchy_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`cauchy`, written in place."""

def cdist(x: _TensorLike, y: _TensorLike, p: _float = 2.0, compute_mode: _str = 'use_mm_for_euclid_dist_if_necessary', name: _str | None = None) -> _Tensor:
    """All distances of order p between rows: x [..., n, d] and y [..., m, d] give [..., n, m].

    compute_mode: whether a matrix product stands in for the differences of Euclidean distances (faster, less exact);
    "…_if_necessary": from 26 rows on."""

@_overload
def ceil(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def ceil(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Smallest integer not below. Gradient: 0."""

def ceil_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`ceil`, written in place."""

def celu(x: _TensorLike, alpha: _float = 1.0, name: _str | None = None) -> _Tensor:
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""

def check_shape(shape: _Any) -> None:
    """Check a shape: a list or tuple of ints of at least 0 (and integer tensors), or an integer tensor.

    Errors: KindError for other objects, ArgumentError for negative sizes.

    >>> check_shape([2, 3])"""

def cholesky(x: _TensorLike, upper: _bool = False, *, name: _str | None = None) -> _Tensor:
    """The lower triangular factor L of positive definite matrices, x = L Lᴴ; with `upper` Lᴴ."""

def cholesky_inverse(x: _TensorLike, upper: _bool = False, name: _str | None = None) -> _Tensor:
    """The inverse of A from its Cholesky factor x [n, n]."""

def cholesky_solve(x: _TensorLike, y: _TensorLike, upper: _bool = False, name: _str | None = None) -> _Tensor:
    """The solution of A X = x from the Cholesky factor y of A: lower triangular, or upper with `upper`."""

@_overload
def chunk(input: _TensorLike, chunks: _int, dim: _Axis = 0, name: _str | None = None) -> _list[_Tensor]: ...
@_overload
def chunk(x: _TensorLike, chunks: _int, axis: _Axis = 0, name: _str | None = None) -> _list[_Tensor]:
    """Equal parts along `axis`: another name of `split` by a number."""

@_overload
def clamp(input: _TensorLike, min: _Any = None, max: _Any = None, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def clamp(x: _TensorLike, min: _Any = None, max: _Any = None, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """Every element moved into [min, max]; bounds are numbers, None, or tensors that broadcast, which take the dtype of
    `x`. Integers become float32 where a bound is a float."""

@_overload
def clip(input: _TensorLike, min: _Any = None, max: _Any = None, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def clip(x: _TensorLike, min: _Any = None, max: _Any = None, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """Every element moved into [min, max]; bounds are numbers, None, or tensors that broadcast, which take the dtype of
    `x`. Integers become float32 where a bound is a float."""

def clip_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`clip`, written in place."""

def clip_by_norm(x: _TensorLike, max_norm: _float, name: _str | None = None) -> _Tensor:
    """x scaled down so that its 2-norm is at most `max_norm`."""

def clone(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """A copy through which gradients flow."""

def column_stack(x: _Sequence[_Any], name: _str | None = None) -> _Tensor:
    """Vectors as the columns of a matrix; matrices side by side."""

def combinations(x: _TensorLike, r: _int = 2, with_replacement: _bool = False, name: _str | None = None) -> _Tensor:
    """All choices of r elements of a vector, in order, as rows; `with_replacement`: an element may come again.

    Errors: KindError for anything but a vector, ArgumentError for r below 0."""

def complex(real: _TensorLike, imag: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Complex numbers from their real and imaginary parts, which broadcast."""

complex128: _DType

complex64: _DType

@_overload
def concat(tensors: _Sequence[_TensorLike], dim: _Axis = 0, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def concat(x: _Sequence[_TensorLike], axis: _Axis = 0, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Tensors one after the other along `axis`; all other sizes are equal."""

@_overload
def concatenate(tensors: _Sequence[_TensorLike], dim: _Axis = 0, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def concatenate(x: _Sequence[_TensorLike], axis: _Axis = 0, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Tensors one after the other along `axis`; all other sizes are equal."""

def cond(x: _TensorLike, p: _Any = None, name: _str | None = None) -> _Tensor:
    """The condition number of matrices [..., m, n] in the norm p, |x| · |x⁻¹|; None is 2.

    Errors: ShapeError for other norms of matrices that aren't square."""

def conj(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """The complex conjugate of every element; a real tensor as it is. Same shape and dtype."""

@_overload
def conv1d(input: _TensorLike, weight: _TensorLike, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NCL', name: _str | None = None) -> _Tensor: ...
@_overload
def conv1d(x: _TensorLike, weight: _TensorLike, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NCL', name: _str | None = None) -> _Tensor:
    """The correlation of sequences [n, c, l] with filters [out, c / groups, k], plus a bias [out]."""

@_overload
def conv2d(input: _TensorLike, weight: _TensorLike, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor: ...
@_overload
def conv2d(x: _TensorLike, weight: _TensorLike, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """The correlation of images [n, c, h, w] with filters [out, c / groups, kh, kw], plus a bias [out].

    padding: an int, two (rows, columns), four (top, bottom, left, right), pairs, "SAME" (without dilation) or "VALID"."""

def conv2d_transpose(x: _TensorLike, weight: _TensorLike, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, output_padding: _Any = 0, groups: _int = 1, dilation: _Any = 1, output_size: _Any = None, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """The transposed convolution of images [n, c, h, w] with filters [c, out / groups, kh, kw], plus a bias [out].

    The size is (h - 1) * stride - padding + dilation * (kh - 1) + 1 + output_padding, or `output_size`."""

def copysign(x: _TensorLike, y: _TensorLike, name: _str | None = None) -> _Tensor:
    """|x| with the sign of y (of -0.0 too), in the wider dtype of floats; among integers of one dtype in that.
    Gradient by x only.

    >>> import vitrify as vt
    >>> vt.copysign(vt.to_tensor([1.0, -2.0]), -0.0).tolist()
    [-1.0, -2.0]"""

def copysign_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`copysign`, written in place."""

def corrcoef(x: _TensorLike, rowvar: _bool = True, name: _str | None = None) -> _Tensor:
    """The matrix of correlation coefficients of variables in the rows (rowvar) or columns of x, inside [-1, 1]."""

@_overload
def cos(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def cos(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Cosine of radians."""

def cos_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`cos`, written in place."""

@_overload
def cosh(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def cosh(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Hyperbolic cosine."""

def cosh_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`cosh`, written in place."""

@_overload
def cosine_similarity(x1: _Any, x2: _Any, dim: _int = 1, eps: _float = 1e-08) -> _Tensor: ...
@_overload
def cosine_similarity(x1: _Any, x2: _Any, axis: _int = 1, eps: _float = 1e-08) -> _Tensor:
    """The cosine of the angle between x1 and x2 along `axis`; the product of their norms counts as at least `eps`."""

def count_nonzero(x: _TensorLike, axis: _Axis | None = None, keepdim: _bool = False, name: _str | None = None) -> _Tensor:
    """How many elements over `axis` differ from 0; int64."""

def cov(x: _TensorLike, rowvar: _bool = True, ddof: _bool = True, fweights: _Any = None, aweights: _Any = None, name: _str | None = None) -> _Tensor:
    """The covariance matrix of variables in the rows (rowvar) or columns of x, each observation weighted by how often
    it occurred (fweights) and how much it counts (aweights). ddof: divide by n - 1 instead of n."""

def create_parameter(shape: _Any, dtype: _Any, name: _str | None = None, attr: _Any = None, is_bias: _bool = False, default_initializer: _Any = None) -> _Parameter | None:
    """A parameter outside of any layer. Without an initializer: zeros for a bias, else XavierUniform.

    >>> create_parameter([2, 3], "float32").shape
    [2, 3]"""

def crop(x: _TensorLike, shape: _Shape | None = None, offsets: _Any = None, name: _str | None = None) -> _Tensor:
    """The box of `shape` (-1: to the end) that starts at `offsets` (zeros by default)."""

@_overload
def cross(x: _TensorLike, y: _TensorLike, dim: _int = 9, name: _str | None = None) -> _Tensor: ...
@_overload
def cross(x: _TensorLike, y: _TensorLike, axis: _int = 9, name: _str | None = None) -> _Tensor:
    """The cross product of vectors of 3 along `axis`; by default (9) the first axis of size 3."""

@_overload
def cross_entropy(input: _TensorLike, target: _TensorLike, weight: _TensorLike | None = None, ignore_index: _int = -100, reduction: _str = 'mean', soft_label: _bool = False, axis: _int = -1, use_softmax: _bool = True, label_smoothing: _float = 0.0, name: _str | None = None) -> _Tensor: ...
@_overload
def cross_entropy(input: _TensorLike, label: _TensorLike, weight: _TensorLike | None = None, ignore_index: _int = -100, reduction: _str = 'mean', soft_label: _bool = False, axis: _int = -1, use_softmax: _bool = True, label_smoothing: _float = 0.0, name: _str | None = None) -> _Tensor:
    """-log(softmax(input)) at the label, over the classes on `axis`.

    label: class numbers, with `axis` of size 1 or without it; with `soft_label`, probabilities in input's shape (with
    label_smoothing, floats in that shape are probabilities in any case, and integers of another are class numbers).
    With `use_softmax=False` the input holds probabilities. weight: [classes]. Result without reduction: in the label's
    shape (soft labels, label_smoothing: size 1 on `axis`). The mean is over what isn't ignored, by the labels' weights."""

def cummax(x: _TensorLike, axis: _int | None = None, dtype: _DTypeLike = 'int64', name: _str | None = None) -> _tuple[_Tensor, _Tensor]:
    """The largest element up to each place along `axis` (of the flattened tensor by default) and its last place."""

def cummin(x: _TensorLike, axis: _int | None = None, dtype: _DTypeLike = 'int64', name: _str | None = None) -> _tuple[_Tensor, _Tensor]:
    """The smallest element up to each place along `axis` (of the flattened tensor by default) and its last place."""

@_overload
def cumprod(input: _TensorLike, dim: _Axis | None = None, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def cumprod(x: _TensorLike, dim: _Axis | None = None, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """Products of the elements up to each place along `dim`, or of the flattened tensor. int32 stays int32."""

def cumprod_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`cumprod`, written in place."""

@_overload
def cumsum(input: _TensorLike, dim: _Axis | None = None, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def cumsum(x: _TensorLike, axis: _Axis | None = None, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """Sums of the elements up to each place along `axis`, or of the flattened tensor. Integers are summed as int64."""

def cumsum_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`cumsum`, written in place."""

def cumulative_trapezoid(y: _TensorLike, x: _TensorLike | None = None, dx: _Any = None, axis: _int = -1, name: _str | None = None) -> _Tensor:
    """The integral up to each sample from the second on, along `axis`, by the trapezoid rule."""

def deg2rad(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """Degrees to radians; integers become the default float.

    >>> import vitrify as vt
    >>> round(float(vt.deg2rad(vt.to_tensor(180))), 4)
    3.1416"""

def deg2rad_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`deg2rad`, written in place."""

def det(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """The determinants of square matrices."""

def diag(x: _TensorLike, offset: _int = 0, padding_value: _float = 0, name: _str | None = None) -> _Tensor:
    """The diagonal of a matrix, or a matrix with the vector on its diagonal and `padding_value` elsewhere."""

def diag_embed(input: _TensorLike, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> _Tensor:
    """Matrices over new axes `dim1` and `dim2` whose diagonal `offset` is the last axis of the input; zeros elsewhere.

    >>> import vitrify as vt
    >>> vt.diag_embed(vt.to_tensor([1, 2])).tolist()
    [[1, 0], [0, 2]]"""

def diagflat(x: _TensorLike, offset: _int = 0, name: _str | None = None) -> _Tensor:
    """A matrix with the elements of x, in order, on its diagonal `offset`."""

@_overload
def diagonal(input: _TensorLike, offset: _int = 0, dim1: _int = 0, dim2: _int = 1, name: _str | None = None) -> _Tensor: ...
@_overload
def diagonal(x: _TensorLike, offset: _int = 0, axis1: _int = 0, axis2: _int = 1, name: _str | None = None) -> _Tensor:
    """The diagonals of the matrices over `axis1` and `axis2`, as a new last axis; `offset` above (below: negative).

    >>> import vitrify as vt
    >>> vt.diagonal(vt.to_tensor([[1, 2], [3, 4]])).tolist()
    [1, 4]"""

def diagonal_scatter(x: _TensorLike, y: _TensorLike, offset: _int = 0, axis1: _int = 0, axis2: _int = 1, name: _str | None = None) -> _Tensor:
    """x with the diagonal over `axis1` and `axis2` replaced by y [..., length].

    Errors: AssertedError for axes that aren't there or are the same, and for y of another shape."""

@_overload
def diff(input: _TensorLike, n: _int = 1, dim: _int = -1, prepend: _Any = None, append: _Any = None, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def diff(x: _TensorLike, n: _int = 1, axis: _int = -1, prepend: _Any = None, append: _Any = None, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """Differences of neighbours along `axis`, taken n times; `prepend` and `append` are joined to x first.

    >>> import vitrify as vt
    >>> vt.diff(vt.to_tensor([1, 4, 9])).tolist()
    [3, 5]"""

def digamma(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Derivative of the logarithm of gamma(x)."""

def digamma_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`digamma`, written in place."""

def disable_signal_handler() -> None:
    """Nothing: no signal handlers are installed."""

def disable_static(place: _Any = None) -> None:
    """Eager mode: ops run at once."""

def dist(x: _TensorLike, y: _TensorLike, p: _float = 2, name: _str | None = None) -> _Tensor:
    """The norm of order p of all elements of x - y, which broadcast."""

@_overload
def div(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, rounding_mode: _Any = None, out: _Any = None) -> _Tensor: ...
@_overload
def div(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, rounding_mode: _Any = None, out: _Any = None) -> _Tensor:
    """True quotient of two tensors, element by element; integers become the default float first."""

def div_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`div`, written in place."""

@_overload
def divide(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, rounding_mode: _Any = None, out: _Any = None) -> _Tensor: ...
@_overload
def divide(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, rounding_mode: _Any = None, out: _Any = None) -> _Tensor:
    """True quotient of two tensors, element by element; integers become the default float first."""

def divide_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`divide`, written in place."""

@_overload
def dot(input: _TensorLike, tensor: _TensorLike, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def dot(x: _TensorLike, y: _TensorLike, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The inner product of two vectors; of two matrices, row by row. That of int32 is int32."""

def draw(target: _Any, path: _str | _PathLike[_str] | None = None, format: _str | None = None, *, stage: _str | None = None, depth: _int | None = None, show_values: _bool = False, show_attrs: _bool | None = None, rankdir: _str = 'TB') -> _str:
    """Draw a program and return the text of the picture (for PNG: the path), written to `path` when given.

    As the last line of a notebook's cell an SVG shows as the picture.

    target: a Program or its text, a compiled function, a Tensor with a tape behind it, or an object with `_as_graph()`.
    format: "svg" (the default), "dot" or "png"; without it the suffix of `path` decides. Only PNG needs a library.
    stage: of a compiled function, the pass after which ("captured", "after fusion", …). In a fused program each kernel
    is a coloured frame. depth: show this many levels of layers (or of calls) and fold what is deeper; None: everything.
    show_values: elements of small tensors, and what the tape keeps. show_attrs: attributes of operations; by default of
    programs, not of tapes, where their lines come with them. rankdir: "TB" (from top to bottom) or "LR".
    Errors: ArgumentError for other targets, stages and options; MissingDependencyError for PNG without resvg-py or
    Graphviz (`pip install vitrify[draw]`).

    >>> from vitrify.viz.graph import Edge, Graph, Node
    >>> draw(Graph("g", [Node("a", ("a",)), Node("b", ("b",))], [Edge("a", "b")])).startswith("<svg")
    True"""

def dsplit(x: _TensorLike, num_or_indices: _Any, name: _str | None = None) -> _list[_Tensor]:
    """Parts along axis 2: see `tensor_split`."""

def dstack(x: _Sequence[_Any], name: _str | None = None) -> _Tensor:
    """Tensors one behind another: along axis 2."""

e: _float

def eig(x: _TensorLike, *, name: _str | None = None) -> _tuple[_Tensor, _Tensor]:
    """Eigenvalues and unit eigenvectors (columns) of square matrices, complex."""

def eigh(x: _TensorLike, UPLO: _Any = 'L', *, name: _str | None = None) -> _tuple[_Tensor, _Tensor]:
    """Rising eigenvalues and orthonormal eigenvectors (columns) of Hermitian matrices, of which one triangle is read."""

def eigvals(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """The complex eigenvalues of square matrices [..., n, n], in no order: [..., n]."""

def eigvalsh(x: _TensorLike, UPLO: _str = 'L', name: _str | None = None) -> _Tensor:
    """The rising eigenvalues of symmetric or Hermitian matrices [..., n, n]; one triangle is read."""

def einsum(equation: _str, *operands: _Any) -> _Tensor:
    """Sums of products of elements, named by labels of axes: "ij,jk->ik" is the matrix product.

    A label that isn't in the result is summed over; one that is repeated in an operand takes its diagonal, one that is
    repeated in the result lies on it. "..." stands for leading axes, which broadcast. Without "->" the result has the
    labels that occur once, in alphabetical order, after those of "...". Operands may be one list. Errors:
    ArgumentError, ShapeError name the operand and the label."""

def elu(x: _TensorLike, alpha: _Any = 1.0, *, name: _str | None = None) -> _Tensor:
    """x where positive, else `alpha` times (exp(x) - 1)."""

def elu_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`elu`, written in place."""

@_overload
def embedding(input: _TensorLike, weight: _TensorLike, padding_idx: _int | None = None, sparse: _bool = False, name: _str | None = None) -> _Tensor: ...
@_overload
def embedding(x: _TensorLike, weight: _TensorLike, padding_idx: _int | None = None, sparse: _bool = False, name: _str | None = None) -> _Tensor:
    """The rows of weight [count, size] that the integers x name; zeros, without gradient, where x is `padding_idx`."""

@_overload
def empty(size: _Shape, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor: ...
@_overload
def empty(shape: _Shape, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor:
    """A tensor of `shape` whose values don't matter: zeros here, so that runs repeat."""

@_overload
def empty_like(input: _TensorLike, dtype: _DTypeLike | None = None, name: _str | None = None, *, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor: ...
@_overload
def empty_like(x: _TensorLike, dtype: _DTypeLike | None = None, name: _str | None = None, *, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor:
    """A tensor in the shape of `x` whose values don't matter."""

_F = _TypeVar("_F", bound=_Callable[..., _Any])

@_overload
def enable_grad(func: None = None) -> _GradMode:
    """Record again inside `no_grad`, as a `with` block or a decorator (with or without parentheses)."""
@_overload
def enable_grad(func: _F) -> _F: ...

def enable_static() -> None:
    """Static mode: ops build the default main program.

    >>> enable_static(); in_dynamic_mode()
    False
    >>> disable_static(); in_dynamic_mode()
    True"""

@_overload
def eq(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def eq(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Whether two elements are equal; NaN equals nothing."""

def eq_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`eq`, written in place."""

@_overload
def equal(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def equal(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Whether two elements are equal; NaN equals nothing."""

def equal_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`equal`, written in place."""

def equal_all(x: _TensorLike, y: _TensorLike, name: _str | None = None) -> _Tensor:
    """Whether two tensors have one shape and equal elements; one bool."""

def erf(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """The error function, 2/sqrt(pi) times the integral of exp(-t²) from 0 to x."""

def erf_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`erf`, written in place."""

def erfinv(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """The inverse of erf, on (-1, 1)."""

def erfinv_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`erfinv`, written in place."""

@_overload
def exp(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def exp(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """e to the power x."""

def exp_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`exp`, written in place."""

@_overload
def expand(input: _TensorLike, size: _Shape, *, name: _str | None = None) -> _Tensor: ...
@_overload
def expand(x: _TensorLike, shape: _Shape, *, name: _str | None = None) -> _Tensor:
    """The elements repeated along new axes and axes of size 1 to fill `shape`; -1 keeps a size."""

@_overload
def expand_as(input: _TensorLike, other: _TensorLike, name: _str | None = None) -> _Tensor: ...
@_overload
def expand_as(x: _TensorLike, y: _TensorLike, name: _str | None = None) -> _Tensor:
    """Broadcast to the shape of `y`."""

@_overload
def expm1(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def expm1(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """exp(x) - 1, exact near 0."""

def expm1_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`expm1`, written in place."""

@_overload
def eye(n: _Any, m: _Any = None, dtype: _DTypeLike | None = None, *, name: _str | None = None, out: _Any = None, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor: ...
@_overload
def eye(num_rows: _Any, num_columns: _Any = None, dtype: _DTypeLike | None = None, *, name: _str | None = None, out: _Any = None, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor:
    """The matrix with ones on its main diagonal and zeros elsewhere."""

def fill_constant(shape: _Shape, dtype: _DTypeLike, value: _TensorLike, force_cpu: _bool = False, out: _Any = None, name: _str | None = None) -> _Tensor:
    """A tensor of `shape` and `dtype` with every element `value` (a number or a tensor with one element).

    In a program `out` must have the dtype (DTypeError)."""

def fill_diagonal(x: _TensorLike, value: _TensorLike, offset: _int = 0, wrap: _bool = False, name: _str | None = None) -> _Tensor:
    """x with its main diagonal, moved by `offset` columns, set to a number.

    x has at least two axes; with more than two, all of one size, and the elements x[i, i, …, i] are set. `wrap`: in a
    tall matrix the diagonal begins anew after each block of as many rows as columns, with one row between.

    >>> import vitrify as vt
    >>> vt.zeros([2, 3]).fill_diagonal_(1.0, offset=1).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]"""

def fill_diagonal_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`fill_diagonal`, written in place."""

def fill_diagonal_tensor(x: _TensorLike, y: _TensorLike, offset: _int = 0, dim1: _int = 0, dim2: _int = 1, name: _str | None = None) -> _Tensor:
    """x with the diagonal over the axes `dim1` and `dim2` replaced by y: `diagonal_scatter`.

    >>> import vitrify as vt
    >>> vt.zeros([2, 2]).fill_diagonal_tensor(vt.to_tensor([1.0, 2.0])).tolist()
    [[1.0, 0.0], [0.0, 2.0]]"""

def fill_diagonal_tensor_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`fill_diagonal_tensor`, written in place."""

@_overload
def flatten(input: _TensorLike, start_dim: _int = 0, end_dim: _int = -1, name: _str | None = None) -> _Tensor: ...
@_overload
def flatten(x: _TensorLike, start_axis: _int = 0, stop_axis: _int = -1, name: _str | None = None) -> _Tensor:
    """With the axes from `start_axis` to `stop_axis`, both included, joined into one."""

def flatten_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`flatten`, written in place."""

def flip(x: _TensorLike, axis: _Axis, *, name: _str | None = None) -> _Tensor:
    """The elements in reverse order along `axis`."""

def fliplr(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """With the order of axis 1 reversed; x has at least two axes.

    >>> import vitrify as vt
    >>> vt.fliplr(vt.to_tensor([[1, 2], [3, 4]])).tolist()
    [[2, 1], [4, 3]]"""

def flipud(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """With the order of axis 0 reversed; x has at least one axis.

    >>> import vitrify as vt
    >>> vt.flipud(vt.to_tensor([[1, 2], [3, 4]])).tolist()
    [[3, 4], [1, 2]]"""

float16: _DType

float32: _DType

float64: _DType

@_overload
def floor(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def floor(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Largest integer not above. Gradient: 0."""

def floor_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`floor`, written in place."""

@_overload
def floor_divide(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def floor_divide(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Quotient rounded towards minus infinity. Integers divided by 0 give 0, as in NumPy."""

def floor_divide_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`floor_divide`, written in place."""

@_overload
def floor_mod(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def floor_mod(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """What floor division leaves: it has the sign of `y`, as Python's `%`. Integers modulo 0 give 0."""

def floor_mod_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`floor_mod`, written in place."""

def flops(net: _Layer, input_size: _Any, custom_ops: _dict[_type, _Callable[..., _int]] | None = None, print_detail: _bool = False) -> _int:
    """Multiplications with additions (one each) of a run of `net`, as Paddle counts them; others by `custom_ops`.

    custom_ops: layer class -> `f(layer, inputs, outputs) -> int`. print_detail: also a line per layer. Of a
    loaded model its program's operations count, those that are no products one per element: that may be a bit more.
    Errors: KindError for a loaded model with loops or branches, whose number of runs only a call tells.

    >>> from ..dygraph.nn import Linear
    >>> flops(Linear(3, 2), [1, 3])
    6"""

def fmax(x: _TensorLike, y: _TensorLike, name: _str | None = None) -> _Tensor:
    """The larger of two elements, x where they are equal; a number wins over NaN."""

def fmin(x: _TensorLike, y: _TensorLike, name: _str | None = None) -> _Tensor:
    """The smaller of two elements, x where they are equal; a number wins over NaN."""

@_overload
def frac(input: _TensorLike, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def frac(x: _TensorLike, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The part behind the point, with the sign of x. Errors: DTypeError for bool and 8-bit and 16-bit integers."""

def frac_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`frac`, written in place."""

def frexp(x: _TensorLike, *, name: _str | None = None) -> _tuple[_Tensor, _Tensor]:
    """Mantissa of size 1/2 to 1 and exponent of 2, both of the dtype of x. The gradient of the mantissa is 0 at 0."""

def from_dlpack(dlpack: _Any, *, device: _Any = None, copy: _bool | None = None) -> _Tensor:
    """A tensor over the memory of another library's array on the CPU (or a DLPack capsule); a write moves it first.

    copy=True: over memory of its own. In static mode it is a scope's tensor, which can be fed.
    Errors: ArgumentError for what can't be read, or a device other than the CPU.

    >>> from_dlpack(np.arange(3)).tolist()
    [0, 1, 2]"""

def from_numpy(ndarray: _Any) -> _Tensor:
    """A new tensor with a copy of an array's elements. Errors: KindError for anything else.

    >>> from_numpy(np.arange(2)).tolist()
    [0, 1]"""

@_overload
def full(size: _Shape, fill_value: _Any, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor: ...
@_overload
def full(shape: _Shape, fill_value: _Any, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor:
    """A tensor of `shape` with `fill_value` everywhere; the value may be a tensor with one element. Without `dtype`
    bools stay bools, complex numbers complex; all others, tensors too, give the default float."""

@_overload
def full_like(input: _TensorLike, fill_value: _Any, dtype: _DTypeLike | None = None, name: _str | None = None, *, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor: ...
@_overload
def full_like(x: _TensorLike, fill_value: _Any, dtype: _DTypeLike | None = None, name: _str | None = None, *, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor:
    """`fill_value` in the shape of `x`, and its dtype unless `dtype` is given."""

def gammainc(x: _TensorLike, y: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Regularised lower incomplete gamma function of order x up to y. Gradient by y only."""

def gammainc_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`gammainc`, written in place."""

def gammaincc(x: _TensorLike, y: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Regularised upper incomplete gamma function of order x from y. Gradient by y only."""

def gammaincc_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`gammaincc`, written in place."""

def gammaln(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """Logarithm of |gamma(x)|: another name of `lgamma`."""

def gammaln_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`gammaln`, written in place."""

def gather(x: _TensorLike, index: _TensorLike, axis: _Axis = 0, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The slices of x along `axis` that the integers `index` name: [count], or [count, 1], which means the same.

    An index of another shape is taken as it is: its axes take the place of `axis`."""

def gather_nd(x: _TensorLike, index: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """The slices of x at points: the last axis of `index` [..., k] holds places in the first k axes of x."""

def gaussian(shape: _Shape, mean: _float = 0.0, std: _float = 1.0, seed: _int = 0, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None) -> _Tensor:
    """Numbers from a normal distribution."""

@_overload
def gcd(input: _TensorLike, other: _TensorLike, *, name: _str | None = None) -> _Tensor: ...
@_overload
def gcd(x: _TensorLike, y: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Greatest common divisor of two integers; 0 with 0 gives 0."""

def gcd_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`gcd`, written in place."""

@_overload
def ge(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def ge(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Whether x >= y."""

def ge_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`ge`, written in place."""

@_overload
def gelu(input: _TensorLike, approximate: _bool | _str = False, name: _str | None = None) -> _Tensor: ...
@_overload
def gelu(x: _TensorLike, approximate: _bool | _str = False, name: _str | None = None) -> _Tensor:
    """x times the normal distribution's cumulative function at x; `approximate`: by a tanh (also spelled "tanh")."""

def geometric_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`geometric`, written in place."""

def get_cuda_rng_state() -> _list[_Any]:
    """The states of the generators of GPUs: an empty list."""

def get_cudnn_version() -> None:
    """None: there is no cuDNN."""

def get_default_device() -> _Device:
    """The device on which tensors are made: the CPU.

    >>> get_default_device()
    'cpu'"""

def get_default_dtype() -> _str:
    """The name of the default dtype.

    >>> get_default_dtype()
    'float32'"""

def get_device(input: _Any = None) -> _Any:
    """The name of the device: always "cpu". Of a tensor the number of its device, which is -1 for the CPU.

    >>> get_device()
    'cpu'"""

def get_flags(flags: _str | _list[_str] | _tuple[_str, ...]) -> _dict[_str, _Any]:
    """The values of engine flags by name. Errors: KindError, ArgumentError for one that is unknown and was never set.

    >>> get_flags(["FLAGS_enable_pir_api"])
    {'FLAGS_enable_pir_api': False}"""

def get_num_threads() -> _int:
    """The number of threads that work is split among, at most."""

def get_rng_state(device: _Any = None) -> _list[_Tensor]:
    """The default generator's state, for `set_rng_state`; there is one device."""

@_overload
def glu(input: _TensorLike, dim: _int = -1, name: _str | None = None) -> _Tensor: ...
@_overload
def glu(x: _TensorLike, axis: _int = -1, name: _str | None = None) -> _Tensor:
    """The first half of x along `axis` times the sigmoid of the second."""

def grad(outputs: _Any, inputs: _Any, grad_outputs: _Any = None, retain_graph: _bool | None = None, create_graph: _bool = False, only_inputs: _bool = True, allow_unused: _bool = False, no_grad_vars: _Any = None) -> _list[_Any]:
    """The gradients of the sum of `outputs` (weighted by `grad_outputs`), one per input. Writes no `.grad`.

    create_graph: the gradients can be differentiated again. allow_unused: None for an input without a path, instead of
    a ValueError. no_grad_vars: tensors taken as constants.

    >>> x = Tensor(3.0, stop_gradient=False)
    >>> (dx,) = grad(x * x, x, create_graph=True)
    >>> float(dx), float(grad(dx, x)[0])
    (6.0, 2.0)"""

@_overload
def greater(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def greater(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Whether x > y."""

def greater_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`greater`, written in place."""

@_overload
def greater_equal(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def greater_equal(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Whether x >= y."""

def greater_equal_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`greater_equal`, written in place."""

@_overload
def greater_than(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def greater_than(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Whether x > y."""

def greater_than_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`greater_than`, written in place."""

def group_norm(x: _TensorLike, num_groups: _int, epsilon: _float = 1e-05, weight: _TensorLike | None = None, bias: _Any = None, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """Each image's groups of channels with mean 0 and variance 1, times weight, plus bias [channels].

    Source: Wu, He, Group Normalization, 2018."""

@_overload
def gt(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def gt(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Whether x > y."""

def gt_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`gt`, written in place."""

def hamming_window(window_length: _int, periodic: _bool = True, alpha: _float = 0.54, beta: _float = 0.46, *, dtype: _Any = 'float32', **settings: _Any) -> _Any:
    """alpha + beta cos: [window_length]. The settings are those of `hann_window`.

    >>> [round(v, 2) for v in hamming_window(4, alpha=0.5, beta=0.5).tolist()]
    [0.0, 0.5, 1.0, 0.5]"""

def hann_window(window_length: _int, periodic: _bool = True, *, dtype: _Any = 'float32', **settings: _Any) -> _Any:
    """0.5 + 0.5 cos from one end to the other: [window_length].

    periodic: one period for transforms; False: symmetric, for filters. requires_grad: whether gradients reach it.
    `layout`, `device` and `pin_memory` are accepted and mean nothing on a CPU.
    Errors: ArgumentError for a length below 0, another setting, or a dtype that is no float.

    >>> [round(v, 4) for v in hann_window(5).tolist()]
    [0.0, 0.3455, 0.9045, 0.9045, 0.3455]"""

@_overload
def hardshrink(input: _TensorLike, lambd: _float = 0.5, name: _str | None = None) -> _Tensor: ...
@_overload
def hardshrink(x: _TensorLike, threshold: _float = 0.5, name: _str | None = None) -> _Tensor:
    """0 where |x| < threshold, else x: NaN stays."""

def hardsigmoid(x: _TensorLike, slope: _float = 0.1666667, offset: _float = 0.5, name: _str | None = None) -> _Tensor:
    """slope * x + offset, bounded to [0, 1]."""

def hardswish(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """x * clip(x + 3, 0, 6) / 6. The gradient at -3 is 0, at 3 it is 1."""

def hardtanh(x: _TensorLike, min: _float = -1.0, max: _float = 1.0, name: _str | None = None) -> _Tensor:
    """x bounded to [min, max]. The gradient at the bounds is 0."""

def heaviside(x: _TensorLike, y: _TensorLike, name: _str | None = None) -> _Tensor:
    """0 below 0, 1 above, y at 0; NaN stays."""

def heaviside_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`heaviside`, written in place."""

def hinge_embedding_loss(input: _TensorLike, label: _TensorLike, margin: _float = 1.0, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """The input where the label is 1, max(0, margin - input) where it is -1."""

def histogram(input: _TensorLike, bins: _int = 100, min: _Any = 0, max: _Any = 0, weight: _TensorLike | None = None, density: _bool = False, name: _str | None = None) -> _Tensor:
    """How many elements fall into each of `bins` equal bins from `min` to `max` (both 0: the range of the data).

    int64; sums of `weight` and densities are floats. Elements outside aren't counted.

    >>> import vitrify as vt
    >>> vt.histogram(vt.to_tensor([1, 2, 1]), bins=4, min=0, max=3).tolist()
    [0, 2, 1, 0]"""

def histogram_bin_edges(input: _TensorLike, bins: _int = 100, min: _Any = 0, max: _Any = 0, name: _str | None = None) -> _Tensor:
    """The bounds of `bins` equal bins from `min` to `max` (both 0: the range of the data), [bins + 1] floats.

    A range without extent is widened by 0.5 on both sides."""

def histogramdd(x: _TensorLike, bins: _Any = 10, ranges: _Sequence[_float] | None = None, density: _bool = False, weights: _Any = None, name: _str | None = None) -> _tuple[_Tensor, _list[_Tensor]]:
    """How many rows of x [..., d] fall into each cell of a grid: the counts, and a list of the d vectors of edges.

    bins: how many cells (one number, or one per axis) or the edges themselves (d tensors). ranges: lowest and highest
    edge of each axis; by default those of the data. The last cell includes its upper edge. density: counts divided
    by their sum and the cells' volumes."""

def householder_product(x: _TensorLike, tau: _Any, name: _str | None = None) -> _Tensor:
    """The first n columns of the product of Householder reflections I - tau v vᴴ: q of a packed QR decomposition.

    Shapes: x [..., m, n] with the vectors below its diagonal, tau [..., k], k <= n <= m; result [..., m, n]."""

def hsplit(x: _TensorLike, num_or_indices: _Any, name: _str | None = None) -> _list[_Tensor]:
    """Parts along axis 1 (0 of a vector): see `tensor_split`."""

def hstack(x: _Sequence[_Any], name: _str | None = None) -> _Tensor:
    """Tensors side by side: along axis 1, vectors along axis 0."""

def hypot(x: _TensorLike, y: _TensorLike, name: _str | None = None) -> _Tensor:
    """sqrt(x² + y²), scaled so that squares don't overflow.

    >>> import vitrify as vt
    >>> float(vt.hypot(vt.to_tensor(3.0), vt.to_tensor(4.0)))
    5.0"""

def hypot_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`hypot`, written in place."""

def i0(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Modified Bessel function of the first kind, order 0."""

def i0_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`i0`, written in place."""

def i0e(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Modified Bessel function of the first kind, order 0, times exp(-|x|)."""

def i0e_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`i0e`, written in place."""

def i1(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Modified Bessel function of the first kind, order 1."""

def i1_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`i1`, written in place."""

def i1e(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Modified Bessel function of the first kind, order 1, times exp(-|x|)."""

def i1e_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`i1e`, written in place."""

def ignore_module(modules: _Iterable[_Any] | _Any) -> None:
    """Treat all functions of these modules as `not_to_static` does.

    >>> import textwrap
    >>> ignore_module([textwrap])
    >>> is_left_alone(textwrap.dedent)
    True"""

def imag(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """The imaginary part of every element, in the float dtype of the parts; zeros for a real tensor."""

def in_dynamic_mode() -> _bool:
    """Whether ops run at once."""

def increment(x: _Tensor, value: _float = 1.0, name: _str | None = None) -> _Tensor:
    """Add `value` to a tensor of one element, in place; a leaf stays one. Errors: ArgumentError for more elements.

    >>> increment(assign([1.0])).tolist()
    [2.0]"""

@_overload
def index_add(input: _TensorLike, index: _TensorLike, dim: _Axis, source: _TensorLike, alpha: _Any = 1, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def index_add(x: _TensorLike, index: _TensorLike, axis: _Axis, value: _TensorLike, alpha: _Any = 1, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """x with `value` times `alpha` added to the slices along `axis` that `index` [count] names.

    The axis may stand before the index: `x.index_add(0, index, value)`. Errors: ShapeError for an index of other ranks."""

def index_add_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`index_add`, written in place."""

def index_fill(x: _TensorLike, index: _TensorLike, axis: _int, value: _TensorLike, name: _str | None = None) -> _Tensor:
    """x with `value` in the slices along `axis` that `index` [count] names."""

def index_fill_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`index_fill`, written in place."""

@_overload
def index_put(input: _TensorLike, indices: _Sequence[_Any], values: _TensorLike, accumulate: _bool = False, name: _str | None = None) -> _Tensor: ...
@_overload
def index_put(x: _TensorLike, indices: _Sequence[_Any], value: _TensorLike, accumulate: _bool = False, name: _str | None = None) -> _Tensor:
    """x with `value` at the places that `indices` (integer or bool tensors, which broadcast) name; or added there."""

def index_put_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`index_put`, written in place."""

def index_sample(x: _TensorLike, index: _TensorLike) -> _Tensor:
    """x[i, index[i, j]] for matrices."""

@_overload
def index_select(input: _TensorLike, index: _TensorLike, dim: _int = 0, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def index_select(x: _TensorLike, index: _TensorLike, axis: _int = 0, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The slices of x along `axis` that the integers `index` ([count] or [count, 1]) name. Errors: ShapeError."""

inf: _float

def inner(x: _TensorLike, y: _TensorLike, name: _str | None = None) -> _Tensor:
    """Sums of products over the last axes of x and y; a number times a tensor scales it.

    >>> import vitrify as vt
    >>> float(vt.inner(vt.to_tensor([1.0, 2.0]), vt.to_tensor([3.0, 4.0])))
    11.0"""

def instance_norm(x: _TensorLike, running_mean: _Any = None, running_var: _Any = None, weight: _TensorLike | None = None, bias: _Any = None, use_input_stats: _bool = True, momentum: _float = 0.9, eps: _float = 1e-05, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """Each image's channel with mean 0 and variance 1, times weight, plus bias [channels]."""

int16: _DType

int32: _DType

int64: _DType

int8: _DType

def inv(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """The inverse of square matrices."""

def inverse(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """The inverse of square matrices [..., n, n]. ArgumentError for a singular one."""

def is_compiled_with_cinn() -> _bool:
    """Whether programs are compiled by CINN: no, by vitrify's own passes."""

def is_compiled_with_cuda() -> _bool:
    """Whether there is CUDA: no.

    >>> is_compiled_with_cuda()
    False"""

def is_compiled_with_custom_device(device_type: _str = '') -> _bool:
    """Whether a plug-in brings this kind of device: no."""

def is_compiled_with_distribute() -> _bool:
    """Whether PaddlePaddle's servers and communicators are there: no. Ranks exchange through MPI."""

def is_compiled_with_ipu() -> _bool:
    """Whether there are IPUs: no."""

def is_compiled_with_rocm() -> _bool:
    """Whether there is ROCm: no."""

def is_compiled_with_xpu() -> _bool:
    """Whether there are XPUs: no."""

@_overload
def is_complex(input: _TensorLike) -> _bool: ...
@_overload
def is_complex(x: _TensorLike) -> _bool:
    """Whether a tensor's dtype is complex. TypeError for what isn't a tensor."""

def is_empty(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """Whether the tensor has no elements; one bool, which a run finds out where a size isn't known before."""

@_overload
def is_floating_point(input: _TensorLike) -> _bool: ...
@_overload
def is_floating_point(x: _TensorLike) -> _bool:
    """Whether a tensor's dtype is a float. TypeError for what isn't a tensor."""

def is_grad_enabled() -> _bool:
    """Whether ops on tensors that need gradients are recorded.

    >>> is_grad_enabled()
    True"""

def is_integer(x: _TensorLike) -> _bool:
    """Whether a tensor's dtype is an integer. TypeError for what isn't a tensor."""

def is_tensor(x: _object) -> _bool:
    """Whether `x` is a Tensor, or an array of a static program."""

@_overload
def isclose(input: _TensorLike, other: _TensorLike, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False, name: _str | None = None) -> _Tensor: ...
@_overload
def isclose(x: _TensorLike, y: _TensorLike, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False, name: _str | None = None) -> _Tensor:
    """Whether |x - y| <= atol + rtol |y|, element by element; equal infinities are close.

    Errors: KindError for a bool as a tolerance, and for an `equal_nan` that is none."""

@_overload
def isfinite(input: _TensorLike, *, name: _str | None = None) -> _Tensor: ...
@_overload
def isfinite(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Whether an element is neither infinite nor NaN."""

def isfinite_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`isfinite`, written in place."""

@_overload
def isin(elements: _TensorLike, test_elements: _Any, assume_unique: _bool = False, invert: _bool = False, name: _str | None = None) -> _Tensor: ...
@_overload
def isin(x: _TensorLike, test_x: _Any, assume_unique: _bool = False, invert: _bool = False, name: _str | None = None) -> _Tensor:
    """Whether each element of x is among those of `test_x`; with `invert`: whether it isn't."""

@_overload
def isinf(input: _TensorLike, *, name: _str | None = None) -> _Tensor: ...
@_overload
def isinf(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Whether an element is infinite."""

def isinf_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`isinf`, written in place."""

@_overload
def isnan(input: _TensorLike, *, name: _str | None = None) -> _Tensor: ...
@_overload
def isnan(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Whether an element is not a number."""

def isnan_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`isnan`, written in place."""

def isneginf(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """Whether an element is negative infinity."""

def isposinf(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """Whether an element is positive infinity."""

def isreal(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """Whether an element has no imaginary part; true of all real dtypes."""

def kaiser_window(window_length: _int, periodic: _bool = True, beta: _float = 12.0, *, dtype: _Any = 'float32', **settings: _Any) -> _Any:
    """Kaiser's window, which narrows with beta: [window_length]. The settings are those of `hann_window`."""

def kl_div(input: _TensorLike, label: _TensorLike, reduction: _str = 'mean', log_target: _bool = False, name: _str | None = None) -> _Tensor:
    """label * (log(label) - input) for log-probabilities `input`; 0 where the label is 0. Also "batchmean"."""

def kron(x: _TensorLike, y: _TensorLike, name: _str | None = None) -> _Tensor:
    """The Kronecker product: blocks of y, each times one element of x."""

def kthvalue(x: _TensorLike, k: _Any, axis: _int | None = None, keepdim: _bool = False, name: _str | None = None) -> _tuple[_Tensor, _Tensor]:
    """The k-th smallest element (from 1) along `axis` (the last by default), and its place (int64)."""

def l1_loss(input: _TensorLike, label: _TensorLike, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """|input - label|."""

def label_smooth(label: _TensorLike, prior_dist: _Any = None, epsilon: _float = 0.1, name: _str | None = None) -> _Tensor:
    """(1 - epsilon) * label + epsilon * prior, for soft labels [..., classes]; the prior is even unless given."""

@_overload
def layer_norm(input: _TensorLike, normalized_shape: _Any, weight: _TensorLike | None = None, bias: _Any = None, eps: _float = 1e-05, name: _str | None = None) -> _Tensor: ...
@_overload
def layer_norm(x: _TensorLike, normalized_shape: _Any, weight: _TensorLike | None = None, bias: _Any = None, epsilon: _float = 1e-05, name: _str | None = None) -> _Tensor:
    """The last axes, of sizes `normalized_shape`, with mean 0 and variance 1; then times weight, plus bias.

    Source: Ba, Kiros, Hinton, Layer Normalization, 2016."""

@_overload
def lcm(input: _TensorLike, other: _TensorLike, *, name: _str | None = None) -> _Tensor: ...
@_overload
def lcm(x: _TensorLike, y: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Least common multiple of two integers."""

def lcm_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`lcm`, written in place."""

def ldexp(x: _TensorLike, y: _TensorLike, name: _str | None = None) -> _Tensor:
    """x times 2 to the power y, as float."""

def ldexp_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`ldexp`, written in place."""

@_overload
def le(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def le(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Whether x <= y."""

def le_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`le`, written in place."""

def leaky_relu(x: _TensorLike, negative_slope: _Any = 0.01, *, name: _str | None = None) -> _Tensor:
    """x where positive, else `negative_slope` times x. The gradient at 0 is 1."""

def leaky_relu_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`leaky_relu`, written in place."""

def lerp(x: _TensorLike, y: _TensorLike, weight: _TensorLike, name: _str | None = None) -> _Tensor:
    """x + weight · (y - x)."""

def lerp_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`lerp`, written in place."""

@_overload
def less(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def less(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Whether x < y."""

def less_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`less`, written in place."""

@_overload
def less_equal(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def less_equal(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Whether x <= y."""

def less_equal_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`less_equal`, written in place."""

@_overload
def less_than(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def less_than(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Whether x < y."""

def less_than_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`less_than`, written in place."""

def lgamma(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Logarithm of |gamma(x)|."""

def lgamma_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`lgamma`, written in place."""

def linear(x: _TensorLike, weight: _TensorLike, bias: _Any = None, name: _str | None = None) -> _Tensor:
    """x @ weight + bias, for x [..., in], weight [in, out], bias [out]."""

@_overload
def linspace(start: _Any, end: _Any, steps: _Any, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None) -> _Tensor: ...
@_overload
def linspace(start: _Any, stop: _Any, num: _Any, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None) -> _Tensor:
    """`num` numbers evenly from `start` to `stop`, both included; computed in float64."""

def load(path: _str | _PathLike[_str] | _BinaryIO, return_numpy: _bool = False, **_: _Any) -> _Any:
    """Read what `save` wrote: an equal structure with new tensors (return_numpy=True: arrays in their place).

    A stream is read as far as one `save` wrote, so that several follow each other.
    A program comes without values of its parameters.
    Of a folder or file that `jit.save` wrote it gives the layer's state by name. Files of PaddlePaddle (`.pdparams`,
    `.pdopt`) and PyTorch (`.pt`, `.pth`) are read if they hold arrays, numbers, strings and containers of these alone.

    Errors: ArtifactError says which part of a damaged or foreign file is wrong, and why; nothing in it is executed."""

@_overload
def log(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def log(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Natural logarithm."""

@_overload
def log10(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def log10(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Logarithm to base 10."""

def log10_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`log10`, written in place."""

@_overload
def log1p(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def log1p(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """log(1 + x), exact near 0."""

def log1p_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`log1p`, written in place."""

@_overload
def log2(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def log2(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Logarithm to base 2."""

def log2_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`log2`, written in place."""

def log_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`log`, written in place."""

def log_loss(input: _TensorLike, label: _TensorLike, epsilon: _float = 0.0001, name: _str | None = None) -> _Tensor:
    """-label * log(input + epsilon) - (1 - label) * log(1 - input + epsilon), element by element."""

def log_normal(mean: _Any = 1.0, std: _Any = 2.0, shape: _Shape | None = None, name: _str | None = None) -> _Tensor:
    """exp of numbers from a normal distribution; mean and std may be tensors, which then give the shape."""

def log_normal_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`log_normal`, written in place."""

@_overload
def log_sigmoid(input: _TensorLike, name: _str | None = None) -> _Tensor: ...
@_overload
def log_sigmoid(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """log(sigmoid(x)), without overflow."""

def log_softmax(x: _TensorLike, axis: _int = -1, dtype: _DTypeLike | None = None, name: _str | None = None) -> _Tensor:
    """The logarithm of softmax: x - log(sum(exp(x))) along `axis`, without overflow."""

def logaddexp(x: _TensorLike, y: _TensorLike, name: _str | None = None) -> _Tensor:
    """log(exp(x) + exp(y)) without overflow."""

def logaddexp_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`logaddexp`, written in place."""

def logcumsumexp(x: _TensorLike, axis: _int | None = None, dtype: _DTypeLike | None = None, name: _str | None = None) -> _Tensor:
    """log of the running sum of exp(x) along `axis` (of the flattened tensor by default), without overflow."""

@_overload
def logical_and(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def logical_and(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Whether both elements are true. Numbers count as true unless 0."""

def logical_and_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`logical_and`, written in place."""

@_overload
def logical_not(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def logical_not(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Whether an element is false, or 0."""

def logical_not_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`logical_not`, written in place."""

@_overload
def logical_or(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def logical_or(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Whether one of two elements is true. Numbers count as true unless 0."""

def logical_or_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`logical_or`, written in place."""

@_overload
def logical_xor(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def logical_xor(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Whether just one of two elements is true. Numbers count as true unless 0."""

def logical_xor_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`logical_xor`, written in place."""

def logit(x: _TensorLike, eps: _float | None = None, name: _str | None = None) -> _Tensor:
    """log(x) - log(1 - x); with `eps`, x is first moved into [eps, 1 - eps]."""

def logit_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`logit`, written in place."""

def logspace(start: _Any, stop: _Any, num: _Any, base: _Any = 10.0, dtype: _DTypeLike | None = None, name: _str | None = None) -> _Tensor:
    """`num` powers of `base` with exponents from `start` to `stop`, both included, evenly apart."""

@_overload
def logsumexp(input: _TensorLike, dim: _Axis | None = None, keepdim: _bool = False, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def logsumexp(x: _TensorLike, axis: _Axis | None = None, keepdim: _bool = False, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """log(sum(exp(x))) over `axis` (default: all), without overflow; -inf where all are -inf or none is there."""

def lstsq(x: _TensorLike, y: _TensorLike, rcond: _float | None = None, driver: _str | None = None, name: _str | None = None) -> _tuple[_Tensor, _Tensor, _Tensor, _Tensor]:
    """The X of least |x X - y|, of least norm among several: solution, residuals, rank and singular values.

    Shapes: x [..., m, n], y [..., m, k]; solution [..., n, k]; residuals [..., k] where m > n, else empty; rank
    int32 [...]; singular values [..., min(m, n)] for the drivers "gelss" and "gelsd", else empty."""

@_overload
def lt(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def lt(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Whether x < y."""

def lt_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`lt`, written in place."""

@_overload
def lu(x: _TensorLike, pivot: _bool = True, get_infos: _Literal[False] = False, name: _str | None = None) -> _tuple[_Tensor, _Tensor]:
    """Factors of x = P L U in one tensor [..., m, n], the row exchanges int32 [..., min(m, n)] counted from 1, and with
    get_infos int32 [...]: 0, or 1 + the number of the first zero pivot."""
@_overload
def lu(x: _TensorLike, pivot: _bool = True, get_infos: _bool = False, name: _str | None = None) -> _tuple[_Tensor, ...]: ...

def lu_solve(b: _TensorLike, lu: _Any, pivots: _Any, trans: _str = 'N', name: _str | None = None) -> _Tensor:
    """The solution of A x = b (trans "T": Aᵀ x = b, "C": Aᴴ x = b) from the factors of A that `lu` gave."""

def lu_unpack(x: _TensorLike, y: _TensorLike, unpack_ludata: _bool = True, unpack_pivots: _bool = True, name: _str | None = None) -> _tuple[_Tensor, _Tensor, _Tensor]:
    """P, L and U from what `lu` gave; None for what isn't asked for.

    Shapes: P [..., m, m], L [..., m, k], U [..., k, n]."""

def margin_ranking_loss(input: _TensorLike, other: _TensorLike, label: _TensorLike, margin: _float = 0.0, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """max(0, -label * (input - other) + margin), for labels 1 and -1."""

def masked_fill(x: _TensorLike, mask: _TensorLike, value: _TensorLike, name: _str | None = None) -> _Tensor:
    """x with `value` where the mask is true."""

def masked_fill_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`masked_fill`, written in place."""

@_overload
def masked_scatter(x: _TensorLike, mask: _TensorLike, value: _TensorLike, *, name: _str | None = None) -> _Tensor: ...
@_overload
def masked_scatter(x: _TensorLike, mask: _TensorLike, values: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """x with its elements where `mask` is true replaced by the first elements of `values`."""

def masked_scatter_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`masked_scatter`, written in place."""

@_overload
def masked_select(input: _TensorLike, mask: _TensorLike, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def masked_select(x: _TensorLike, mask: _TensorLike, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The elements of x where `mask` is true, in order.

    Shapes: x and mask broadcast; result [count]. Dtype: as x. The gradient goes to the elements taken.

    >>> import vitrify as vt
    >>> vt.masked_select(vt.to_tensor([1.0, 2.0, 3.0]), vt.to_tensor([True, False, True])).tolist()
    [1.0, 3.0]"""

@_overload
def matmul(input: _TensorLike, other: _TensorLike, transpose_x: _bool = False, transpose_y: _bool = False, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def matmul(x: _TensorLike, y: _TensorLike, transpose_x: _bool = False, transpose_y: _bool = False, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """The matrix product over the last two axes; leading axes broadcast; a vector is one row or one column."""

def matrix_exp(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """The exponential of square matrices; that of a number is `exp`. Shapes: [..., n, n] or [], and the result's."""

def matrix_power(x: _TensorLike, n: _int, name: _str | None = None) -> _Tensor:
    """Square matrices times themselves n times; n = 0 gives identities, a negative n powers of the inverse."""

def matrix_rank(x: _TensorLike, tol: _Any = None, hermitian: _bool = False, atol: _Any = None, rtol: _Any = None, name: _str | None = None) -> _Tensor:
    """How many singular values of [..., m, n] are above the tolerance: `tol`, else the larger of `atol` and of `rtol`
    times the largest; by default, and where `atol` is 0, max(m, n) · eps times the largest. int64 [...].

    Errors: ArgumentError for `tol` beside `atol` or `rtol`."""

def matrix_transpose(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """The last two axes exchanged."""

def max(x: _TensorLike, axis: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None) -> _Tensor:
    """Largest element over `axis`; NaN wins. Each of several largest elements gets the whole gradient."""

@_overload
def max_pool1d(x: _TensorLike, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, return_mask: _Literal[False] = False, ceil_mode: _bool = False, name: _str | None = None) -> _Tensor:
    """The maximum of each window of sequences [n, c, l]; with `return_mask` also its place."""
@_overload
def max_pool1d(x: _TensorLike, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, return_mask: _bool = False, ceil_mode: _bool = False, name: _str | None = None) -> _tuple[_Tensor, ...]: ...

@_overload
def max_pool2d(x: _TensorLike, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, return_mask: _Literal[False] = False, ceil_mode: _bool = False, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """The maximum of each window; with `return_mask` also its place, row * width + column, in int32."""
@_overload
def max_pool2d(x: _TensorLike, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, return_mask: _bool = False, ceil_mode: _bool = False, data_format: _str = 'NCHW', name: _str | None = None) -> _tuple[_Tensor, ...]: ...

@_overload
def maximum(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def maximum(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """The larger of two elements; NaN wins. Equal elements share the gradient evenly."""

def maximum_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`maximum`, written in place."""

def maxout(x: _TensorLike, groups: _int, axis: _int = 1, name: _str | None = None) -> _Tensor:
    """The maximum of every `groups` neighbouring channels."""

@_overload
def mean(input: _TensorLike, dim: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None, dtype: _DTypeLike | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def mean(x: _TensorLike, axis: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None, dtype: _DTypeLike | None = None, out: _Any = None) -> _Tensor:
    """Arithmetic mean over `axis` (all axes by default); integers become the default float first. NaN of no elements."""

@_overload
def median(input: _TensorLike, dim: _Axis | None = None, keepdim: _bool = False, mode: _str = 'avg', name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def median(x: _TensorLike, axis: _Axis | None = None, keepdim: _bool = False, mode: _str = 'avg', name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The median over `axis`: the mean of the two middle elements, with mode="min" the lower one. NaN wins.

    mode="min" along one axis gives the places (int64) too.

    >>> import vitrify as vt
    >>> float(vt.median(vt.to_tensor([3.0, 1.0, 2.0, 10.0])))
    2.5"""

def meshgrid(*args: _Any, **kwargs: _Any) -> _list[_Tensor]:
    """One tensor of the common grid for each vector (or number): the k-th varies along axis k.

    indexing: "ij", or "xy", by which the first varies along axis 1 and the second along axis 0.
    Errors: ArgumentError for another one.

    >>> import vitrify as vt
    >>> vt.meshgrid(vt.to_tensor([1, 2]), vt.to_tensor([3, 4, 5]))[1].tolist()
    [[3, 4, 5], [3, 4, 5]]"""

def min(x: _TensorLike, axis: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None) -> _Tensor:
    """Smallest element over `axis`; NaN wins. Each of several smallest elements gets the whole gradient."""

@_overload
def minimum(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def minimum(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """The smaller of two elements; NaN wins. Equal elements share the gradient evenly."""

def minimum_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`minimum`, written in place."""

def mish(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """x * tanh(softplus(x))."""

def mm(input: _TensorLike, mat2: _Any, name: _str | None = None) -> _Tensor:
    """The product of two matrices, [n, k] and [k, m] (as matmul: other ranks broadcast)."""

@_overload
def mod(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def mod(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """What floor division leaves: it has the sign of `y`, as Python's `%`. Integers modulo 0 give 0."""

def mod_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`mod`, written in place."""

def mode(x: _TensorLike, axis: _int = -1, keepdim: _bool = False, name: _str | None = None) -> _tuple[_Tensor, _Tensor]:
    """The most frequent element along `axis` (the smallest of equally frequent ones) and its last place (int64)."""

def moveaxis(x: _TensorLike, source: _TensorLike, destination: _Any, name: _str | None = None) -> _Tensor:
    """With the axes `source` at the places `destination`; the others keep their order."""

def mse_loss(input: _TensorLike, label: _TensorLike, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """The square of input - label."""

def msort(input: _TensorLike, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The elements along the first axis in rising order."""

@_overload
def mul(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def mul(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Product of two tensors, element by element; of bools, whether both are true."""

def mul_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`mul`, written in place."""

def multi_dot(x: _Sequence[_Any], name: _str | None = None) -> _Tensor:
    """The product of several matrices in the order of least work; the first and the last may be vectors."""

def multigammaln(x: _TensorLike, p: _int, name: _str | None = None) -> _Tensor:
    """Logarithm of the multivariate gamma function of dimension p; x above (p - 1) / 2.

    >>> import vitrify as vt
    >>> round(float(vt.multigammaln(vt.to_tensor(3.0), 1)), 4)
    0.6931"""

def multigammaln_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`multigammaln`, written in place."""

@_overload
def multinomial(input: _Tensor, num_samples: _int = 1, replacement: _bool = False, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def multinomial(x: _Tensor, num_samples: _int = 1, replacement: _bool = False, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """Numbers of categories, drawn with the weights in x [n] or [rows, n]: int64 [num_samples] or [rows, num_samples].

    Without replacement no category comes twice in a row. Errors: ArgumentError where there are fewer categories of a
    weight above 0, or a weight that is negative, NaN or infinite (in static programs unchecked)."""

def multiplex(inputs: _Sequence[_TensorLike], index: _TensorLike, name: _str | None = None) -> _Tensor:
    """Row i of the result is row i of the input that `index` [count, 1] or [count] names."""

@_overload
def multiply(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def multiply(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Product of two tensors, element by element; of bools, whether both are true."""

def multiply_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`multiply`, written in place."""

def mv(x: _TensorLike, vec: _TensorLike, name: _str | None = None) -> _Tensor:
    """The product of a matrix [n, k] and a vector [k]."""

nan: _float

def nan_to_num(x: _TensorLike, nan: _float = 0.0, posinf: _float | None = None, neginf: _float | None = None, name: _str | None = None) -> _Tensor:
    """NaN and infinities replaced; by default with 0, the largest and the lowest float of the dtype."""

def nan_to_num_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`nan_to_num`, written in place."""

def nanmean(x: _TensorLike, axis: _Axis | None = None, keepdim: _bool = False, name: _str | None = None) -> _Tensor:
    """The mean over `axis` of the elements that aren't NaN; NaN where there is none."""

def nanmedian(x: _TensorLike, axis: _Axis | None = None, keepdim: _bool = False, mode: _str = 'avg', name: _str | None = None) -> _Tensor:
    """`median` of the elements that aren't NaN; NaN, with a gradient of 0, where there is none."""

def nanquantile(x: _TensorLike, q: _Any, axis: _Axis | None = None, keepdim: _bool = False, interpolation: _str = 'linear', name: _str | None = None) -> _Tensor:
    """`quantile` of the elements that aren't NaN; NaN where there is none."""

def nansum(x: _TensorLike, axis: _Axis | None = None, dtype: _DTypeLike | None = None, keepdim: _bool = False, name: _str | None = None) -> _Tensor:
    """The sum over `axis`, NaN counted as 0.

    >>> import vitrify as vt
    >>> float(vt.nansum(vt.to_tensor([1.0, float("nan"), 2.0])))
    3.0"""

def narrow(input: _TensorLike, dim: _int, start: _Any, length: _int) -> _Tensor:
    """`length` elements along the axis `dim`, from `start` on (a number or a tensor of one).

    Errors: ArgumentError where they don't fit.

    >>> import vitrify as vt
    >>> vt.narrow(vt.arange(5), 0, 1, 3).tolist()
    [1, 2, 3]"""

@_overload
def ne(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def ne(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Whether two elements differ; NaN differs from itself."""

def ne_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`ne`, written in place."""

def neg(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Every element with the other sign."""

def neg_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`neg`, written in place."""

def negative(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Every element with the other sign."""

def negative_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`negative`, written in place."""

newaxis: _Any

def nextafter(x: _TensorLike, y: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """The next float after x in the direction of y."""

def nextafter_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`nextafter`, written in place."""

def nll_loss(input: _TensorLike, label: _TensorLike, weight: _TensorLike | None = None, ignore_index: _int = -100, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """-input at the label, for log-probabilities [n, classes, …] and labels [n, …]."""

@_overload
def no_grad(func: None = None) -> _Mode:
    """Record nothing, inside a `with` block or a decorated function (`@no_grad` or with parentheses).

    >>> with no_grad():
    ...     is_grad_enabled()
    False"""
@_overload
def no_grad(func: _F) -> _F: ...

@_overload
def nonzero(input: _TensorLike, as_tuple: _Literal[False] = False, *, out: _Any = None) -> _Tensor: ...
@_overload
def nonzero(input: _TensorLike, as_tuple: _bool = False, *, out: _Any = None) -> _tuple[_Tensor, ...]: ...
@_overload
def nonzero(x: _TensorLike, as_tuple: _Literal[False] = False, *, out: _Any = None) -> _Tensor:
    """The places of the elements that aren't zero, in order: i64[count, rank], or with `as_tuple` i64[count] per axis.

    >>> import vitrify as vt
    >>> vt.nonzero(vt.to_tensor([0, 5, 7])).tolist()
    [[1], [2]]"""
@_overload
def nonzero(x: _TensorLike, as_tuple: _bool = False, *, out: _Any = None) -> _tuple[_Tensor, ...]: ...

@_overload
def norm(A: _TensorLike, ord: _Any = None, dim: _Axis | None = None, keepdim: _bool = False, name: _str | None = None, dtype: _DTypeLike | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def norm(input: _TensorLike, ord: _Any = None, dim: _Axis | None = None, keepdim: _bool = False, name: _str | None = None, dtype: _DTypeLike | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def norm(x: _TensorLike, p: _Any = None, axis: _Axis | None = None, keepdim: _bool = False, name: _str | None = None, dtype: _DTypeLike | None = None, *, out: _Any = None) -> _Tensor:
    """The norm of order p of all elements (axis None), along one axis, or of the matrices on two axes.

    p: None is 2 for vectors and "fro" for matrices; "fro" of all elements is their 2-norm. dtype: what x is converted
    to first."""

@_overload
def normal(mean: _Any = 0.0, std: _Any = 1.0, size: _Shape | None = None, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def normal(mean: _Any = 0.0, std: _Any = 1.0, shape: _Shape | None = None, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """Numbers from a normal distribution; mean and std may be tensors, which then give the shape, whatever `shape` is.

    >>> normal(0.0, 2.0, [4]).shape
    [4]"""

def normal_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`normal`, written in place."""

@_overload
def normalize(input: _TensorLike, p: _float = 2, dim: _int = 1, eps: _float = 1e-12, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def normalize(x: _TensorLike, p: _float = 2, axis: _int = 1, epsilon: _float = 1e-12, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """x over its p-norm along `axis`, which counts as at least `epsilon`."""

@_overload
def not_equal(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def not_equal(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Whether two elements differ; NaN differs from itself."""

def not_equal_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`not_equal`, written in place."""

@_overload
def not_to_static(func: None = None) -> _Callable[[_F], _F]:
    """Call this function as it is while capturing: its tensor ops are recorded, its control flow stays Python's.

    What it writes to objects is written in each call. One that prints, logs, draws or asks the time is captured all the
    same, where it can be, as that would happen while capturing only.

    >>> @not_to_static
    ... def helper(x):
    ...     return x
    >>> is_left_alone(helper)
    True"""
@_overload
def not_to_static(func: _F) -> _F: ...

def numel(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """The number of elements of `x` as a tensor without axes, int64."""

@_overload
def one_hot(input: _TensorLike, num_classes: _int, name: _str | None = None) -> _Tensor: ...
@_overload
def one_hot(x: _TensorLike, num_classes: _int, name: _str | None = None) -> _Tensor:
    """1 at the place that each integer names, along a new last axis of size `num_classes`; zeros for one outside."""

@_overload
def ones(size: _Shape, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor: ...
@_overload
def ones(shape: _Shape, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor:
    """Ones of `shape`, a list or sizes one by one; the default float unless `dtype` is given."""

@_overload
def ones_like(input: _TensorLike, dtype: _DTypeLike | None = None, name: _str | None = None, *, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor: ...
@_overload
def ones_like(x: _TensorLike, dtype: _DTypeLike | None = None, name: _str | None = None, *, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor:
    """Ones in the shape of `x`, and its dtype unless `dtype` is given."""

def ormqr(x: _TensorLike, tau: _Any, y: _TensorLike, left: _bool = True, transpose: _bool = False, name: _str | None = None) -> _Tensor:
    """Q y (left) or y Q, or with Qᴴ (transpose), where Q [m, n] is `householder_product` of x [m, n] and tau [n].

    Errors: AssertedError where the shapes or dtypes don't fit."""

@_overload
def outer(input: _TensorLike, vec2: _TensorLike, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def outer(x: _TensorLike, y: _TensorLike, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """All products of the elements of two vectors, [n, m]; other ranks are flattened."""

@_overload
def pad(input: _TensorLike, pad: _Any, mode: _str = 'constant', value: _float = 0.0, data_format: _str | None = None, pad_from_left_axis: _bool = True, name: _str | None = None) -> _Tensor: ...
@_overload
def pad(x: _TensorLike, pad: _Any, mode: _str = 'constant', value: _float = 0.0, data_format: _str | None = None, pad_from_left_axis: _bool = True, name: _str | None = None) -> _Tensor:
    """Margins around `x`, constant, reflected, replicated or circular (as wide as wanted).

    `pad` has a pair (before, after) for each axis from the first, or pairs for the image axes only, from the last one
    (left, right, top, bottom, …), placed by `data_format`. A single int is the margin on every side of the image axes.
    Sizes below 0 cut. `value` is a number, or a tensor with one element.
    Errors: ArgumentError for pads that don't fit, and for a `data_format` that isn't one of a tensor of this rank."""

def pca_lowrank(x: _TensorLike, q: _int | None = None, center: _bool = True, niter: _int = 2, name: _str | None = None) -> _tuple[_Tensor, _Tensor, _Tensor]:
    """The q main directions of the rows of x, which are centred first: u, s and v as of `svd_lowrank`."""

def pdist(x: _TensorLike, p: _float = 2.0, compute_mode: _str = 'use_mm_for_euclid_dist_if_necessary', name: _str | None = None) -> _Tensor:
    """The distances of order p between every two rows i < j of x [n, d], row by row: [n (n - 1) / 2]."""

@_overload
def permute(input: _TensorLike, *axes: _Any, dims: _Axis | None = None) -> _Tensor: ...
@_overload
def permute(x: _TensorLike, *axes: _Any, dims: _Axis | None = None) -> _Tensor:
    """The axes in another order: `transpose`, which also takes the axes one by one. `dims=` is a list of them.

    >>> import vitrify as vt
    >>> vt.ones([2, 3, 4]).permute(2, 0, 1).shape
    [4, 2, 3]"""

pi: _float

def pinv(x: _TensorLike, rcond: _Any = 1e-15, hermitian: _bool = False, name: _str | None = None) -> _Tensor:
    """The Moore-Penrose inverse of [..., m, n]; singular values up to rcond times the largest count as 0."""

def poisson(x: _Tensor, name: _str | None = None) -> _Tensor:
    """Numbers from Poisson distributions whose rates are the elements of x; in its dtype. Gradients are 0.

    As in PaddlePaddle, a rate below 0 gives 0. Errors: ArgumentError (a ValueError) for NaN."""

def polar(abs: _Any, angle: _Any, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """Complex numbers from their absolute values and angles; both broadcast."""

def polygamma(x: _TensorLike, n: _int, name: _str | None = None) -> _Tensor:
    """The n-th derivative of digamma; digamma itself for n = 0. Errors: ArgumentError for a negative n.

    >>> import vitrify as vt
    >>> round(float(vt.polygamma(vt.to_tensor(1.0), 1)), 4)
    1.6449"""

def polygamma_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`polygamma`, written in place."""

def positive(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """`x` itself. Errors: DTypeError for bools."""

@_overload
def pow(input: _TensorLike, exponent: _TensorLike, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def pow(x: _TensorLike, y: _TensorLike, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """`x` to the power `y`; a constant power of 2 is a multiplication, one of 0.5 a square root, as in NumPy."""

def pow_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`pow`, written in place."""

def prelu(x: _TensorLike, weight: _TensorLike, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """x where positive, else weight * x; weight [1], or [channels]."""

@_overload
def prod(input: _TensorLike, dim: _Axis | None = None, keepdim: _bool = False, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def prod(x: _TensorLike, axis: _Axis | None = None, keepdim: _bool = False, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """Product over `axis` (all axes by default), in `dtype` if given. int32 stays, other integers become int64."""

def put_along_axis(arr: _TensorLike, indices: _TensorLike, values: _Any, axis: _int, reduce: _str = 'assign', include_self: _bool = True, broadcast: _bool = True) -> _Tensor:
    """arr with `values` put at the places along `axis` that `indices` name.

    reduce: "assign" writes, "add", "mul" (or "multiply"), "mean", "amin" and "amax" combine all values of a place, and
    the element there too if `include_self`. Without `broadcast`, indices and values may be smaller than arr.

    >>> import vitrify as vt
    >>> x = vt.to_tensor([[1.0, 2.0]])
    >>> vt.put_along_axis(x, vt.to_tensor([[0, 0]]), vt.to_tensor([[3.0, 4.0]]), 1, "mul", broadcast=False).tolist()
    [[12.0, 2.0]]"""

def put_along_axis_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`put_along_axis`, written in place."""

def qr(x: _TensorLike, mode: _str = 'reduced', name: _str | None = None) -> _tuple[_Tensor, _Tensor]:
    """x = q r with orthonormal columns in q and an upper triangular r; mode "r" gives r alone.

    Shapes: x [..., m, n]; q [..., m, k], r [..., k, n], k = min(m, n), or m in mode "complete".
    Errors: ArgumentError for another mode."""

@_overload
def quantile(input: _TensorLike, q: _Any, dim: _Axis | None = None, keepdim: _bool = False, interpolation: _str = 'linear', name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def quantile(x: _TensorLike, q: _Any, axis: _Axis | None = None, keepdim: _bool = False, interpolation: _str = 'linear', name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The q-quantile (0 to 1) over `axis`, in the dtype of x; several q: along a new first axis. NaN wins.

    interpolation between two ranks: linear, higher, lower, midpoint or nearest.

    >>> import vitrify as vt
    >>> float(vt.quantile(vt.to_tensor([1.0, 2.0, 4.0]), 0.75))
    3.0"""

def rad2deg(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """Radians to degrees; integers become the default float."""

def rad2deg_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`rad2deg`, written in place."""

@_overload
def rand(size: _Shape, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor: ...
@_overload
def rand(shape: _Shape, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor:
    """Numbers evenly from [0, 1); the parts of complex numbers, too."""

@_overload
def rand_like(input: _Tensor, dtype: _DTypeLike | None = None, name: _str | None = None, *, requires_grad: _bool = False, device: _Any = None) -> _Tensor: ...
@_overload
def rand_like(x: _Tensor, dtype: _DTypeLike | None = None, name: _str | None = None, *, requires_grad: _bool = False, device: _Any = None) -> _Tensor:
    """Numbers evenly from [0, 1) in the shape (and dtype, unless given) of x."""

def randint(low: _Any = 0, high: _Any = None, shape: _Shape = ..., dtype: _DTypeLike | None = None, name: _str | None = None) -> _Tensor:
    """Integers evenly from low, …, high - 1 (from 0, …, low - 1 with one bound).

    >>> int(randint(3, 4))
    3"""

def randint_like(x: _Tensor, low: _int = 0, high: _int | None = None, dtype: _DTypeLike | None = None, name: _str | None = None) -> _Tensor:
    """Integers in the shape (and dtype, unless given) of `x`."""

@_overload
def randn(size: _Shape, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor: ...
@_overload
def randn(shape: _Shape, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor:
    """Numbers from the standard normal distribution; complex ones for a complex dtype."""

@_overload
def randn_like(input: _Tensor, dtype: _DTypeLike | None = None, name: _str | None = None, *, requires_grad: _bool = False, device: _Any = None) -> _Tensor: ...
@_overload
def randn_like(x: _Tensor, dtype: _DTypeLike | None = None, name: _str | None = None, *, requires_grad: _bool = False, device: _Any = None) -> _Tensor:
    """Numbers from the standard normal distribution in the shape (and dtype, unless given) of x."""

def randperm(n: _int, dtype: _DTypeLike = 'int64', name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor:
    """The numbers 0, …, n - 1 in random order.

    >>> sorted(randperm(4).tolist())
    [0, 1, 2, 3]"""

def range(start: _Any = 0, end: _Any = None, step: _Any = 1, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None) -> _Tensor:
    """Numbers from `start` up to `end`, which is included, in steps of `step`; of the default float by default.

    >>> import vitrify as vt
    >>> vt.range(0, 4, 2).tolist()
    [0.0, 2.0, 4.0]"""

@_overload
def rank(input: _TensorLike) -> _Tensor: ...
@_overload
def rank(x: _TensorLike) -> _Tensor:
    """The number of axes of `x` as a tensor without axes, int32."""

@_overload
def ravel(input: _TensorLike, start_dim: _int = 0, end_dim: _int = -1, name: _str | None = None) -> _Tensor: ...
@_overload
def ravel(x: _TensorLike, start_axis: _int = 0, stop_axis: _int = -1, name: _str | None = None) -> _Tensor:
    """With the axes from `start_axis` to `stop_axis`, both included, joined into one."""

def real(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """The real part of every element, in the float dtype of the parts; a real tensor as it is."""

def reciprocal(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """1 / x of every element."""

def reciprocal_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`reciprocal`, written in place."""

def reduce_as(x: _TensorLike, target: _TensorLike, name: _str | None = None) -> _Tensor:
    """x summed down to the shape of `target`, which broadcasts to that of x."""

def register_op(name: _str, scalar: _str | None = None, *, grad: _Callable[..., _Any] | None, operands: _str = 'x', eager: _Callable[..., _Any] | None = None, infer: _Callable[..., _Any] | None = None, attrs: _dict[_str, _Any] | None = None, dtypes: _Sequence[_Any] = ..., low: _float = -2.0, high: _float = 2.0, doc: _str = '', replace: _bool = False) -> _Any:
    """Add an op of your own to the table; returns it, to be called on tensors: eager, captured or in static programs.

    scalar: one element of the result as an expression of the operands' elements `{0}`, `{1}`, …, for elementwise ops:
    operators, `a if c else b`, `abs`, `min`, `max`, `math.exp` and the like (erf, sigmoid, rsqrt, too), attributes as
    `{name}`. It is compiled into kernels and fuses with its neighbours. Without it, `eager` (of NumPy arrays)
    and `infer` (from the operands' types to the result's) are the op, which runs on NumPy inside programs.
    grad: a function `(g, y, *operands, **attrs)` to the operands' gradients, written with tensors' operators and
    vitrify's functions; broadcasting is seen to. None: the op has no gradient. operands: their names. eager: with
    `scalar`, NumPy's form of it (None: made from the expression). low, high: where the op is tried.
    Before it counts, the op is tried on random operands: `scalar` against `eager`, `grad` against finite differences.
    Saved programs name the op; load them after it is registered.
    Errors: ArgumentError for a name that is taken (replace=True takes it over), or an expression that can't be; the two
    forms differing; GradientError for a wrong gradient.

    >>> swish = register_op("swish_twice", "{0} / (1.0 + math.exp(-2.0 * {0}))", grad=lambda g, y, x: g * (
    ...     y / x + 2.0 * y * (1.0 - y / x)), low=0.1)
    >>> from vitrify.dygraph.conversions import to_tensor
    >>> round(float(swish(to_tensor(1.0))), 4)
    0.8808
    >>> unregister_op("swish_twice")"""

def relu(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """max(x, 0). Gradient at 0: 0."""

def relu6(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """x bounded to [0, 6]. The gradient at the bounds is 0."""

def relu_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`relu`, written in place."""

@_overload
def remainder(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def remainder(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """What floor division leaves: it has the sign of `y`, as Python's `%`. Integers modulo 0 give 0."""

def remainder_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`remainder`, written in place."""

def renorm(x: _TensorLike, p: _float, axis: _int, max_norm: _float) -> _Tensor:
    """The slices along `axis` whose p-norm is above `max_norm` scaled down to it."""

def renorm_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`renorm`, written in place."""

@_overload
def repeat_interleave(input: _TensorLike, repeats: _Any, dim: _int | None = None, name: _str | None = None, *, output_size: _int | None = None) -> _Tensor: ...
@_overload
def repeat_interleave(x: _TensorLike, repeats: _Any, axis: _int | None = None, name: _str | None = None, *, output_size: _int | None = None) -> _Tensor:
    """Each slice along `axis` (element of the flattened tensor by default) repeated in place.

    repeats: an int, or an integer tensor or list [size of the axis]. output_size: the sum of the repeats, where it is
    known; the result is the same.

    >>> import vitrify as vt
    >>> vt.repeat_interleave(vt.to_tensor([1, 2]), 2).tolist()
    [1, 1, 2, 2]"""

def report(target: _Any, path: _str | _PathLike[_str] = 'report.html', *, profile: _Profile | None = None) -> _str:
    """Write a page about a program and what became of it; returns the path, which a notebook shows as the page.

    target: a compiled function that has been called (or has an input_spec), a layer whose `forward` is one, a Program
    of either kind, a loaded artifact, or the path of an artifact. Or lanes of ranks: what `distributed.run_timed`,
    `record` and `simulate` give; their page has a lane for each rank.
    profile: what `vt.profiler.profile()` gave, for times of steps and lines, and the roofline.
    The page is one file that needs nothing else and works without a network: the user's source, the converted code,
    the program after each pass with what the pass changed, the VM's steps with the kernels, the graph, the
    memory plan, guards and certificate; a line that is pointed at lights up everywhere.
    Errors: ArgumentError for a function that has no program yet and for a path that can't be written; KindError for
    other objects; ArtifactError for a path that holds no artifact.

    >>> import tempfile, vitrify as vt
    >>> double = vt.jit.to_static(lambda x: x * 2, input_spec=[vt.InputSpec([3])])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Path(report(double, folder + "/double.html")).read_text(encoding="utf-8")[:15]
    '<!doctype html>'"""

@_overload
def reshape(input: _TensorLike, size: _Shape, *, name: _str | None = None) -> _Tensor: ...
@_overload
def reshape(x: _TensorLike, shape: _Shape, *, name: _str | None = None) -> _Tensor:
    """The same elements in row-major order under another `shape`; one size may be -1, and 0 keeps the operand's size."""

def reshape_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`reshape`, written in place."""

def reshape_as(x: _TensorLike, other: _TensorLike) -> _Tensor:
    """In the shape of `other`."""

def reverse(x: _TensorLike, axis: _Axis, *, name: _str | None = None) -> _Tensor:
    """The elements in reverse order along `axis`."""

def rewrite(before: _str | _Callable[..., _Any] | None = None, after: _Callable[..., _Any] | None = None, *, name: _str | None = None, dtypes: _Sequence[_Any] | None = None, tolerance: _float = 0.0, special: _bool = True, gradient: _bool = True) -> _Any:
    """Add a rule to the pipeline of what is compiled from now on: where a program has `before`, it gets `after`.

    Three ways to write one: text, `"mul(?x, 2) -> add(?x, ?x)"`, with `?x` for any tensor, operators and the names of
    elementwise ops; a function from tensors to the pair (before, after), for which this is a decorator (with
    options, too); two functions. Gives the UserRule.
    The rule is tried first: value, shape and dtype of both sides on random inputs, on broadcast ones, and on zeros of
    both signs, infinities and NaN, to the bit; gradients of both sides. dtypes: those that it is for (None: all numbers
    that both sides take). tolerance: how far floats may differ, in parts of their size. special: whether it must hold
    for special values; gradient: whether the gradients must agree, too.
    Errors: RuleError for a rule that doesn't hold, with an input that shows it; ArgumentError for text that is no rule.

    >>> rule = rewrite("exp(?x) * exp(?y) -> exp(?x + ?y)", name="one_exp", tolerance=1e-4, special=False)
    >>> rule.name, rule.enabled
    ('one_exp', True)
    >>> rule.remove()"""

@_overload
def rms_norm(input: _TensorLike, normalized_shape: _Any = None, weight: _TensorLike | None = None, bias: _Any = None, eps: _float = 1e-06, name: _str | None = None) -> _Tensor: ...
@_overload
def rms_norm(x: _TensorLike, normalized_shape: _Any = None, weight: _TensorLike | None = None, bias: _Any = None, epsilon: _float = 1e-06, name: _str | None = None) -> _Tensor:
    """The last axes (default: one) over the root of their mean square; then times weight, plus bias.

    Source: Zhang, Sennrich, Root Mean Square Layer Normalization, 2019."""

@_overload
def roll(input: _TensorLike, shifts: _Any, dims: _Axis | None = None, name: _str | None = None) -> _Tensor: ...
@_overload
def roll(x: _TensorLike, shifts: _Any, axis: _Axis | None = None, name: _str | None = None) -> _Tensor:
    """The elements moved by `shifts` places along `axis` (of the flattened tensor by default), round the end."""

def rot90(x: _TensorLike, k: _int = 1, axes: _Sequence[_int] = ..., name: _str | None = None) -> _Tensor:
    """Rotated by k quarter turns in the plane of `axes`, from the first towards the second."""

@_overload
def round(input: _TensorLike, decimals: _int = 0, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def round(x: _TensorLike, decimals: _int = 0, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """Nearest number with `decimals` decimals; halves go to the even one."""

def round_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`round`, written in place."""

def row_stack(x: _Sequence[_Any], name: _str | None = None) -> _Tensor:
    """Tensors one below another: along axis 0, vectors as rows."""

@_overload
def rsqrt(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def rsqrt(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """1 / sqrt(x)."""

def rsqrt_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`rsqrt`, written in place."""

def save(obj: _Any, path: _str | _PathLike[_str] | _BinaryIO, **_: _Any) -> None:
    """Write `obj` (tensors, arrays, numbers, strings, None, in dicts, lists and tuples; or a program) to one file.

    The file appears whole or not at all. Any extension is fine (`.pdparams`, `.pdopt`, …); folders are made as needed.
    Errors: ArgumentError names the place of a value of another kind."""

def save_inference_model(path: _str | _PathLike[_str], layer_or_program: _Any, input_spec: _Any = None, **configs: _Any) -> None:
    """Save a layer or function for inference (as `save` does), or a Program without state."""

def scale(x: _TensorLike, scale: _Any = 1.0, bias: _float = 0.0, bias_after_scale: _bool = True, act: _str | None = None, name: _str | None = None) -> _Tensor:
    """scale · x + bias, or scale · (x + bias) without `bias_after_scale`, in the dtype of x; `act` names an activation.

    >>> import vitrify as vt
    >>> vt.scale(vt.to_tensor([1.0, 2.0]), 2.0, 1.0).tolist()
    [3.0, 5.0]"""

def scale_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`scale`, written in place."""

def scatter(x: _TensorLike, index: _TensorLike, updates: _TensorLike, overwrite: _bool = True, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """x with the rows that `index` ([count], or one number) names replaced by `updates`.

    Without `overwrite`: replaced by the sum of theirs."""

def scatter_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`scatter`, written in place."""

def scatter_add(input: _TensorLike, dim: _int, index: _TensorLike, src: _Any) -> _Tensor:
    """x with `src` added at the places along `dim` that `index` names; index and src may be smaller than x.

    >>> import vitrify as vt
    >>> vt.scatter_add(vt.zeros([3]), 0, vt.to_tensor([0, 2, 2]), vt.to_tensor([1.0, 2.0, 3.0])).tolist()
    [1.0, 0.0, 5.0]"""

def scatter_add_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`scatter_add`, written in place."""

def scatter_nd(index: _TensorLike, updates: _TensorLike, shape: _Shape, name: _str | None = None) -> _Tensor:
    """Zeros of `shape` with `updates` added at the points that `index` [..., k] names."""

def scatter_nd_add(x: _TensorLike, index: _TensorLike, updates: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """x with `updates` added at the points that `index` [..., k] names: the transpose of gather_nd."""

def scatter_reduce(input: _TensorLike, dim: _int, index: _TensorLike, src: _Any, reduce: _str, *, include_self: _bool = True) -> _Tensor:
    """x with `src` combined at the places along `dim` that `index` names: "sum", "prod", "mean", "amin" or "amax".

    include_self: whether the element already there takes part. Errors: ArgumentError for another `reduce`.

    >>> import vitrify as vt
    >>> vt.scatter_reduce(vt.ones([2]), 0, vt.to_tensor([0, 0]), vt.to_tensor([5.0, 3.0]), "amax").tolist()
    [5.0, 1.0]"""

@_overload
def searchsorted(sorted_sequence: _Any, input: _Any, out_int32: _bool = False, right: _bool = False, name: _str | None = None, *, side: _str | None = None, sorter: _Any = None, out: _Any = None) -> _Tensor: ...
@_overload
def searchsorted(sorted_sequence: _Any, values: _Any, out_int32: _bool = False, right: _bool = False, name: _str | None = None, *, side: _str | None = None, sorter: _Any = None, out: _Any = None) -> _Tensor:
    """The places at which `values` keep the sorted sequences (last axis) sorted: the first, with `right` the last one.

    side: "left" or "right", which is `right`. sorter: integers in whose order the sequences are sorted, as `argsort`
    gives them. Errors: ArgumentError for another side, and for "left" with `right`.

    >>> import vitrify as vt
    >>> vt.searchsorted(vt.to_tensor([1, 3, 5]), vt.to_tensor([3, 6])).tolist()
    [1, 3]"""

def seed(seed: _int) -> _Generator:
    """Start the default stream of random numbers anew.

    >>> seed(7).initial_seed()
    7"""

def select_scatter(x: _TensorLike, values: _Any, axis: _int, index: _int, name: _str | None = None) -> _Tensor:
    """x with its slice `index` along `axis` replaced by `values`."""

def selu(x: _TensorLike, scale: _float = 1.0507009873554805, alpha: _float = 1.6732632423543772, name: _str | None = None) -> _Tensor:
    """scale * (x where positive, else alpha * (exp(x) - 1)): keeps mean 0 and variance 1 (Klambauer et al., 2017).

    Errors: ArgumentError for a scale of at most 1, or an alpha below 0."""

def set_cuda_rng_state(state_list: _Any) -> None:
    """Restore what `get_cuda_rng_state` gave. Errors: ArgumentError for any state: there is no GPU.

    >>> set_cuda_rng_state(get_cuda_rng_state())"""

def set_default_device(device: _Any) -> None:
    """Choose the device on which tensors are made. Errors: ArgumentError for any but the CPU."""

def set_default_dtype(d: _object) -> None:
    """Set the dtype of Python floats and of new parameters: float16, bfloat16, float32 or float64.

    >>> set_default_dtype("float32")"""

def set_device(device: _Any) -> _CPUPlace:
    """Choose the device: "cpu" is the only one. Returns its place. Errors: ArgumentError (a ValueError) for others.

    >>> set_device("cpu")
    Place(cpu)"""

def set_flags(flags: _dict[_str, _Any]) -> None:
    """Set engine flags, `{"FLAGS_name": value}`. Those without a meaning here are kept and given back, no more.

    Errors: KindError for anything but a dict; ArgumentError for a name that doesn't begin with `FLAGS_`, and for one
    that a build decides.

    >>> set_flags({"FLAGS_cudnn_deterministic": True})
    >>> get_flags("FLAGS_cudnn_deterministic")
    {'FLAGS_cudnn_deterministic': True}"""

def set_grad_enabled(mode: _bool) -> _GradMode:
    """Set the mode from here on; as a context manager or decorator only inside it.

    >>> with set_grad_enabled(False):
    ...     is_grad_enabled()
    False"""

def set_num_threads(count: _int) -> None:
    """Use this many threads, the calling one included, from the next split on."""

def set_printoptions(precision: _int | None = None, threshold: _int | None = None, edgeitems: _int | None = None, sci_mode: _bool | None = None, linewidth: _int | None = None) -> None:
    """Set how tensors print; what isn't named stays. sci_mode: with an exponent (True), or never (False).

    >>> set_printoptions(precision=8)"""

def set_rng_state(state_list: _Any, device: _Any = None) -> None:
    """Go back to a state that `get_rng_state` gave; there is one device."""

def sgn(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """The sign of every element; of a complex one x / |x|, and 0 of 0."""

def sgn_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`sgn`, written in place."""

@_overload
def shape(input: _TensorLike) -> _Tensor: ...
@_overload
def shape(x: _TensorLike) -> _Tensor:
    """The sizes of `x` as a tensor: int64 as in Paddle."""

def shard_index(input: _TensorLike, index_num: _int, nshards: _int, shard_id: _int, ignore_value: _int = -1, name: _str | None = None) -> _Tensor:
    """Each label's place in its shard of ceil(index_num / nshards) labels; `ignore_value` for those of other shards."""

@_overload
def sigmoid(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def sigmoid(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """1 / (1 + exp(-x))."""

def sigmoid_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`sigmoid`, written in place."""

def sigmoid_focal_loss(logit: _TensorLike, label: _TensorLike, normalizer: _Any = None, alpha: _float = 0.25, gamma: _float = 2.0, reduction: _str = 'sum', name: _str | None = None) -> _Tensor:
    """The binary cross entropy times alpha_t * (1 - p_t) ** gamma (Lin et al., 2017), over `normalizer` if given."""

@_overload
def sign(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def sign(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """-1, 0 or 1 by the sign of every element; NaN stays. Gradient: 0."""

def sign_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`sign`, written in place."""

def signbit(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Whether an element is negative, -0.0 included."""

def signbit_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`signbit`, written in place."""

@_overload
def silu(input: _TensorLike, name: _str | None = None) -> _Tensor: ...
@_overload
def silu(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """x * sigmoid(x)."""

@_overload
def sin(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def sin(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Sine of radians."""

def sin_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`sin`, written in place."""

def sinc(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """sin(πx) / (πx), and 1 at 0.

    >>> import vitrify as vt
    >>> vt.sinc(vt.to_tensor([0.0, 0.5])).tolist()[0]
    1.0"""

def sinc_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`sinc`, written in place."""

@_overload
def sinh(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def sinh(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Hyperbolic sine."""

def sinh_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`sinh`, written in place."""

def slice(input: _TensorLike, axes: _Axis, starts: _Any, ends: _Any, name: _str | None = None) -> _Tensor:
    """From `starts` up to but without `ends` along `axes`; places count from the end if negative."""

def slice_scatter(x: _TensorLike, value: _TensorLike, axes: _Sequence[_int], starts: _Any, ends: _Any, strides: _Any, name: _str | None = None) -> _Tensor:
    """x with the box from `starts` to `ends` by `strides` along `axes` replaced by `value`, which broadcasts."""

def slogdet(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """The sign of each determinant and the logarithm of its absolute value, stacked: [2, ...] for x [..., n, n]."""

def smooth_l1_loss(input: _TensorLike, label: _TensorLike, reduction: _str = 'mean', delta: _float = 1.0, is_huber: _bool = True, name: _str | None = None) -> _Tensor:
    """Half the square of d = input - label where |d| <= delta, else delta * (|d| - delta / 2) (Huber).

    is_huber=False: divided by delta."""

@_overload
def softmax(input: _TensorLike, dim: _int | None = None, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def softmax(x: _TensorLike, axis: _int | None = None, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """exp(x) over its sum along `axis`; without one along axis 1, or 0 of tensors with 0, 1 or 3 axes.

    That is PaddlePaddle's rule, and PyTorch's old one; `nn.functional.softmax` takes the last axis."""

def softmax_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`softmax`, written in place."""

@_overload
def softmax_with_cross_entropy(logits: _TensorLike, label: _TensorLike, soft_label: _bool = False, ignore_index: _int = -100, numeric_stable_mode: _bool = True, return_softmax: _Literal[False] = False, axis: _int = -1) -> _Tensor:
    """The cross entropy of each sample, with size 1 on `axis`; with `return_softmax`, also the probabilities."""
@_overload
def softmax_with_cross_entropy(logits: _TensorLike, label: _TensorLike, soft_label: _bool = False, ignore_index: _int = -100, numeric_stable_mode: _bool = True, return_softmax: _bool = False, axis: _int = -1) -> _tuple[_Tensor, ...]: ...

@_overload
def softplus(input: _TensorLike, beta: _Any = 1.0, threshold: _Any = 20.0, *, name: _str | None = None) -> _Tensor: ...
@_overload
def softplus(x: _TensorLike, beta: _Any = 1.0, threshold: _Any = 20.0, *, name: _str | None = None) -> _Tensor:
    """log(1 + exp(beta x)) / beta; x itself where beta x is above `threshold`."""

def softplus_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`softplus`, written in place."""

@_overload
def softshrink(input: _TensorLike, lambd: _float = 0.5, name: _str | None = None) -> _Tensor: ...
@_overload
def softshrink(x: _TensorLike, threshold: _float = 0.5, name: _str | None = None) -> _Tensor:
    """x moved towards 0 by `threshold`, and 0 where it is nearer. Errors: ArgumentError for a threshold below 0."""

def softsign(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """x / (1 + |x|)."""

@_overload
def solve(A: _TensorLike, B: _TensorLike, left: _bool = True, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def solve(x: _TensorLike, y: _TensorLike, left: _bool = True, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The X with x X = y (left=False: X x = y), for square matrices x [..., n, n].

    Shapes: y [..., n, k], or [n] for a vector; leading axes broadcast. Errors: ArgumentError for a singular matrix."""

def sort(x: _TensorLike, axis: _int = -1, descending: _bool = False, stable: _bool = False, name: _str | None = None) -> _Tensor:
    """The elements along `axis` in rising order, or falling with `descending`."""

def split(x: _TensorLike, num_or_sections: _Any, axis: _Axis = 0, name: _str | None = None) -> _list[_Tensor]:
    """Parts along `axis`: a number of equal ones, or of the sizes listed (one may be -1)."""

@_overload
def sqrt(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def sqrt(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Square root."""

def sqrt_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`sqrt`, written in place."""

def square(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Every element times itself."""

def square_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`square`, written in place."""

def square_error_cost(input: _TensorLike, label: _TensorLike) -> _Tensor:
    """(input - label)², element by element. Errors: KindError for lists."""

@_overload
def squeeze(input: _TensorLike, dim: _Axis | None = None, name: _str | None = None) -> _Tensor: ...
@_overload
def squeeze(x: _TensorLike, axis: _Axis | None = None, name: _str | None = None) -> _Tensor:
    """Without the axes of size 1 (those named by `axis`, if it names any; named axes of another size stay).

    In a program each call with other sizes decides anew. What an InputSpec leaves open doesn't count as 1, and the
    program takes no such size; where only a run knows a size, that it isn't 1 is checked then.
    Errors: ShapeError in the run of a program where such a size turns out to be 1, as ranks can't depend on data."""

def squeeze_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`squeeze`, written in place."""

@_overload
def stack(tensors: _Sequence[_Any], dim: _int = 0, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def stack(x: _Sequence[_Any], axis: _int = 0, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """Tensors of one shape side by side along a new `axis`. Errors: KindError for one tensor instead of a list."""

def standard_gamma(x: _Tensor, name: _str | None = None) -> _Tensor:
    """Numbers from gamma distributions whose shapes are the elements of x, of scale 1; in its dtype."""

@_overload
def standard_normal(size: _Shape, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor: ...
@_overload
def standard_normal(shape: _Shape, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor:
    """Numbers from the standard normal distribution; complex ones for a complex dtype."""

def stanh(x: _TensorLike, scale_a: _float = 0.67, scale_b: _float = 1.7159, name: _str | None = None) -> _Tensor:
    """scale_b · tanh(scale_a · x)."""

def stanh_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`stanh`, written in place."""

def std(x: _TensorLike, axis: _Axis | None = None, unbiased: _bool = True, keepdim: _bool = False, name: _str | None = None) -> _Tensor:
    """The standard deviation over `axis` (all axes by default); gradient 0 where it is 0. Of one number: NaN."""

def strided_slice(x: _TensorLike, axes: _Axis, starts: _Any, ends: _Any, strides: _Any, name: _str | None = None) -> _Tensor:
    """From `starts` up to but without `ends` along `axes`, every `strides`-th; strides may be negative."""

@_overload
def sub(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, alpha: _Any = 1, out: _Any = None) -> _Tensor: ...
@_overload
def sub(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, alpha: _Any = 1, out: _Any = None) -> _Tensor:
    """Difference of two tensors, element by element."""

def sub_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`sub`, written in place."""

@_overload
def subtract(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, alpha: _Any = 1, out: _Any = None) -> _Tensor: ...
@_overload
def subtract(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, alpha: _Any = 1, out: _Any = None) -> _Tensor:
    """Difference of two tensors, element by element."""

def subtract_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`subtract`, written in place."""

@_overload
def sum(input: _TensorLike, dim: _Axis | None = None, dtype: _DTypeLike | None = None, keepdim: _bool = False, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def sum(x: _TensorLike, axis: _Axis | None = None, dtype: _DTypeLike | None = None, keepdim: _bool = False, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """Sum over `axis` (all axes by default), in `dtype` if given. Integers and bools are summed as int64."""

def summary(net: _Layer, input_size: _Any = None, dtypes: _Any = None, input: _Any = None) -> _dict[_str, _int]:
    """Print a line per layer (inputs, output with its dtype and size, operations, parameters) and the totals; returns
    `total_params`, `trainable_params`. FLOPs are multiplications with additions, as `flops` counts them.

    input_size: a shape or an InputSpec, or a list of these for several inputs; an open size is 1. dtypes: of the inputs
    (default float32). input: example inputs in place of both; a list is one argument where `forward` takes one. The
    network runs once in eval mode. A loaded model is one line: its program has the layers in it.
    Errors: KindError for anything but a Layer; ArgumentError without input_size and input.

    >>> from ..dygraph.nn import Linear
    >>> facts = summary(Linear(3, 2), (1, 3))  # doctest: +ELLIPSIS
    layer (type)...
    >>> facts
    {'total_params': 8, 'trainable_params': 8}"""

def svd(x: _TensorLike, full_matrices: _bool = False, name: _str | None = None, *, out: _Any = None) -> _tuple[_Tensor, _Tensor, _Tensor]:
    """u, s, vh with x = u · diag(s) · vh; s falls.

    Shapes: x [..., m, n]; u [..., m, k], s [..., k], vh [..., k, n], k = min(m, n); full_matrices: [m, m] and [n, n]."""

def svd_lowrank(x: _TensorLike, q: _int | None = None, niter: _int = 2, M: _Any = None, name: _str | None = None) -> _tuple[_Tensor, _Tensor, _Tensor]:
    """The q largest singular values of x - M with their vectors: u [..., m, q], s [..., q], v [..., n, q].

    Computed from the full decomposition, so exactly: `niter` has no effect, but must be 0 or more. q: 6 at most by
    default."""

def svdvals(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """The singular values of matrices [..., m, n], falling: [..., min(m, n)]."""

@_overload
def swapaxes(input: _TensorLike, dim0: _Any = None, dim1: _Any = None, name: _str | None = None, *, perm: _Any = None) -> _Tensor: ...
@_overload
def swapaxes(x: _TensorLike, axis0: _Any = None, axis1: _Any = None, name: _str | None = None, *, perm: _Any = None) -> _Tensor:
    """With two axes exchanged; as `transpose` with a list of all axes."""

@_overload
def swapdims(input: _TensorLike, dim0: _Any = None, dim1: _Any = None, name: _str | None = None, *, perm: _Any = None) -> _Tensor: ...
@_overload
def swapdims(x: _TensorLike, axis0: _Any = None, axis1: _Any = None, name: _str | None = None, *, perm: _Any = None) -> _Tensor:
    """With two axes exchanged; as `transpose` with a list of all axes."""

@_overload
def swish(input: _TensorLike, name: _str | None = None) -> _Tensor: ...
@_overload
def swish(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """x * sigmoid(x)."""

def t(input: _TensorLike, name: _str | None = None) -> _Tensor:
    """The transpose of a matrix; a vector or scalar as it is."""

def t_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`t`, written in place."""

def take(x: _TensorLike, index: _TensorLike, mode: _str = 'raise', name: _str | None = None) -> _Tensor:
    """Elements of the flattened tensor, in the shape of `index`. mode: "raise" an error outside, "wrap" or "clip".

    >>> import vitrify as vt
    >>> vt.take(vt.to_tensor([[1, 2], [3, 4]]), vt.to_tensor([-1, 0])).tolist()
    [4, 1]"""

@_overload
def take_along_axis(input: _TensorLike, indices: _TensorLike, dim: _int, broadcast: _bool = True, *, out: _Any = None) -> _Tensor: ...
@_overload
def take_along_axis(arr: _TensorLike, indices: _TensorLike, axis: _int, broadcast: _bool = True, *, out: _Any = None) -> _Tensor:
    """One element of arr per element of `indices`, along `axis`.

    broadcast: the other axes of both broadcast; without it indices may be smaller than arr there.

    >>> import vitrify as vt
    >>> vt.take_along_axis(vt.to_tensor([[1, 2, 3], [4, 5, 6]]), vt.to_tensor([[2], [0]]), 1).tolist()
    [[3], [4]]"""

def tan(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """Tangent of radians."""

def tan_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`tan`, written in place."""

@_overload
def tanh(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def tanh(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Hyperbolic tangent."""

def tanh_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`tanh`, written in place."""

def tanhshrink(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """x - tanh(x)."""

@_overload
def tensor_split(input: _TensorLike, sections: _Any, dim: _Axis = 0, name: _str | None = None) -> _list[_Tensor]: ...
@_overload
def tensor_split(input: _TensorLike, indices: _Any, dim: _Axis = 0, name: _str | None = None) -> _list[_Tensor]: ...
@_overload
def tensor_split(input: _TensorLike, indices_or_sections: _Any, dim: _Axis = 0, name: _str | None = None) -> _list[_Tensor]: ...
@_overload
def tensor_split(x: _TensorLike, num_or_indices: _Any, axis: _Axis = 0, name: _str | None = None) -> _list[_Tensor]:
    """Parts along `axis`: a number of nearly equal ones (the first ones longer), or cut before the places listed.

    >>> import vitrify as vt
    >>> [p.shape for p in vt.tensor_split(vt.arange(5), 2)]
    [[3], [2]]"""

def tensordot(x: _TensorLike, y: _TensorLike, axes: _Axis = 2, name: _str | None = None) -> _Tensor:
    """Sums of products over pairs of axes; the result has the other axes of x, then those of y.

    axes: a number n (the last n of x with the first n of y), a list (the same axes of both), or a pair of lists. Where
    one of a pair has size 1, the other is summed."""

def thresholded_relu(x: _TensorLike, threshold: _float = 1.0, value: _float = 0.0, name: _str | None = None) -> _Tensor:
    """x where x > threshold, else `value`; NaN stays, without a gradient."""

@_overload
def tile(input: _TensorLike, dims: _Any, name: _str | None = None) -> _Tensor: ...
@_overload
def tile(x: _TensorLike, repeat_times: _Any, name: _str | None = None) -> _Tensor:
    """The whole tensor repeated `repeat_times` per axis, aligned from the last axis."""

def to_dlpack(x: _Tensor | _DenseTensor) -> _Any:
    """A DLPack capsule over the tensor's memory; of a scope's tensor over a copy."""

@_overload
def to_static(function: _LayerT, input_spec: _Any=None, build_strategy: _Any=None, backend: _str | None='CINN', *, full_graph: _bool | None=None, property: _bool=False, fallback: _str='error', compile: _str | None=None, memory_limit: _int | _str | None=None, numerics: _str | None=None) -> _LayerT:
    """Compile a function, a method or a layer: at its first call it is captured as one program.

    Forms: `@to_static`, `@to_static(input_spec=[...])`, `to_static(fn)`, `to_static(layer)`: the last replaces
    `layer.forward` and returns the layer. input_spec: InputSpecs nested like the arguments; sizes given as None never
    lead to another program; a call with other shapes or dtypes warns and has a program of its own. full_graph and
    build_strategy are accepted: it is always one whole program.
    fallback="eager": what can't be captured runs uncompiled, with a warning. property=True: the function is left alone.

    compile="background": the first calls run on the interpreter while kernels compile in other processes; "wait": the
    first call waits; None: as the environment variable VITRIFY_COMPILE says ("wait" without it).
    memory_limit: the most bytes (or "64MB") that each of its programs may plan for intermediates; to keep to it, values
    are computed again instead of kept.
    numerics="ieee": kernels in which every element-wise operation is rounded once, as in eager mode; functions such as
    exp keep stated bounds, and sums are added in another order (`fn.deviation(...)` measures what that makes). "fast":
    kernels that may also reorder, contract and approximate arithmetic. "reference": NumPy's functions in eager mode's
    order, equal to it bit for bit. None: as VITRIFY_NUMERICS says ("ieee" without it).
    Kernels are made for this machine's CPU, or for the one that VITRIFY_TARGET names (docs/guide/targets.md).
    Errors: ValueError for an unknown backend or option; TypeError for what isn't callable. Calls raise
    MemoryLimitError, before anything runs, where a program can't keep to memory_limit.

    >>> @to_static
    ... def double(x):
    ...     return x * 2
    >>> double.get_traced_count()
    0"""
@_overload
def to_static(function: _Callable[_P, _R_co], input_spec: _Any=None, build_strategy: _Any=None, backend: _str | None='CINN', *, full_graph: _bool | None=None, property: _bool=False, fallback: _str='error', compile: _str | None=None, memory_limit: _int | _str | None=None, numerics: _str | None=None) -> _StaticFunction[_P, _R_co]: ...
@_overload
def to_static(function: None=None, input_spec: _Any=None, build_strategy: _Any=None, backend: _str | None='CINN', *, full_graph: _bool | None=None, property: _bool=False, fallback: _str='error', compile: _str | None=None, memory_limit: _int | _str | None=None, numerics: _str | None=None) -> _Callable[[_Callable[_P, _R_co]], _StaticFunction[_P, _R_co]]: ...

def to_tensor(data: _Any, dtype: _Any = None, place: _Any = None, stop_gradient: _bool = True) -> _Tensor:
    """A new tensor with a copy of `data`: a number, a nested list (of numbers or tensors), an array or a tensor.

    Python floats become the default dtype and ints int64; arrays keep theirs. place: ignored, all is on the CPU.

    >>> to_tensor([[1, 2], [3, 4]]).dtype, to_tensor([1.5]).dtype
    (vitrify.int64, vitrify.float32)"""

def tolist(x: _TensorLike) -> _Any:
    """The elements as nested lists of Python numbers."""

@_overload
def topk(input: _TensorLike, k: _Any, dim: _int = -1, largest: _bool = True, sorted: _bool = True, name: _str | None = None, *, out: _Any = None) -> _tuple[_Tensor, _Tensor]: ...
@_overload
def topk(x: _TensorLike, k: _Any, axis: _int = -1, largest: _bool = True, sorted: _bool = True, name: _str | None = None, *, out: _Any = None) -> _tuple[_Tensor, _Tensor]:
    """The k largest (or smallest) elements along `axis`, in order, and their places (int64)."""

@_overload
def trace(input: _TensorLike, offset: _int = 0, axis1: _int = 0, axis2: _int = 1, name: _str | None = None) -> _Tensor: ...
@_overload
def trace(x: _TensorLike, offset: _int = 0, axis1: _int = 0, axis2: _int = 1, name: _str | None = None) -> _Tensor:
    """The sum of a diagonal over `axis1` and `axis2`; that of int32 is int32."""

@_overload
def transpose(input: _TensorLike, perm: _Any = None, *, name: _str | None = None, dim0: _Any = None, dim1: _Any = None) -> _Tensor: ...
@_overload
def transpose(x: _TensorLike, perm: _Any = None, *, name: _str | None = None, dim0: _Any = None, dim1: _Any = None) -> _Tensor:
    """The axes in the order `perm` (default: reversed); axis k of the result is axis perm[k] of the operand. Axes after those that a shorter `perm` orders stay where they are."""

def transpose_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`transpose`, written in place."""

def trapezoid(y: _TensorLike, x: _TensorLike | None = None, dx: _Any = None, axis: _int = -1, name: _str | None = None) -> _Tensor:
    """The integral of samples y along `axis` by the trapezoid rule, at places `x` or `dx` (1) apart."""

def triangular_solve(x: _TensorLike, y: _TensorLike, upper: _bool = True, transpose: _bool = False, unitriangular: _bool = False, *, name: _str | None = None) -> _Tensor:
    """The X with x X = y (transpose: xᵀ X = y) for triangular x, of which the other triangle isn't read."""

@_overload
def tril(input: _TensorLike, diagonal: _Any = 0, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def tril(x: _TensorLike, diagonal: _Any = 0, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Matrices with zeros above the given diagonal."""

def tril_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`tril`, written in place."""

def tril_indices(row: _int, col: _int | None = None, offset: _int = 0, dtype: _DTypeLike = 'int64') -> _Tensor:
    """Rows and columns [2, count] of the lower triangle of a matrix, up to the diagonal `offset`."""

def triplet_margin_loss(input: _TensorLike, positive: _Any, negative: _Any, margin: _float = 1.0, p: _float = 2.0, epsilon: _float = 1e-06, swap: _bool = False, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """max(0, |input - positive| - |input - negative| + margin) over the last axis, in the p-norm.

    Errors: ShapeError where the three have different shapes; ArgumentError for a margin below 0."""

@_overload
def triu(input: _TensorLike, diagonal: _Any = 0, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def triu(x: _TensorLike, diagonal: _Any = 0, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Matrices with zeros below the given diagonal."""

def triu_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`triu`, written in place."""

def triu_indices(row: _int, col: _int | None = None, offset: _int = 0, dtype: _DTypeLike = 'int64') -> _Tensor:
    """Rows and columns [2, count] of the upper triangle of a matrix, from the diagonal `offset` on."""

@_overload
def true_divide(input: _TensorLike, other: _TensorLike, *, name: _str | None = None, rounding_mode: _Any = None, out: _Any = None) -> _Tensor: ...
@_overload
def true_divide(x: _TensorLike, y: _TensorLike, *, name: _str | None = None, rounding_mode: _Any = None, out: _Any = None) -> _Tensor:
    """True quotient of two tensors, element by element; integers become the default float first."""

def true_divide_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`true_divide`, written in place."""

@_overload
def trunc(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def trunc(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Integer part: towards 0. Gradient: 0."""

def trunc_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`trunc`, written in place."""

def type_as(x: _TensorLike, other: _TensorLike) -> _Tensor:
    """x in the dtype of another tensor."""

uint8: _DType

@_overload
def unbind(input: _TensorLike, dim: _int = 0, num: _int | None = None, name: _str | None = None) -> _list[_Tensor]: ...
@_overload
def unbind(x: _TensorLike, axis: _int = 0, num: _int | None = None, name: _str | None = None) -> _list[_Tensor]:
    """The slices of `x` along `axis`, without that axis, as a list."""

@_overload
def unflatten(input: _TensorLike, dim: _int, sizes: _Shape, name: _str | None = None) -> _Tensor: ...
@_overload
def unflatten(x: _TensorLike, axis: _int, shape: _Shape, name: _str | None = None) -> _Tensor:
    """With one axis split into several of sizes `shape`; one of them may be -1."""

@_overload
def unfold(x: _TensorLike, dimension: _int, size: _int, step: _int, name: _str | None = None) -> _Tensor: ...
@_overload
def unfold(x: _TensorLike, axis: _int, size: _int, step: _int, name: _str | None = None) -> _Tensor:
    """Windows of `size` elements along `axis`, every `step`-th, as a new last axis."""

def uniform(shape: _Shape, dtype: _DTypeLike | None = None, min: _float = 0.0, max: _float = 1.0, seed: _int = 0, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None) -> _Tensor:
    """Numbers evenly from [min, max). A seed other than 0 makes a stream of its own.

    >>> uniform([2, 3]).shape
    [2, 3]"""

@_overload
def unique(x: _TensorLike, return_index: _Literal[False] = False, return_inverse: _Literal[False] = False, return_counts: _Literal[False] = False, axis: _Axis | None = None, dtype: _DTypeLike = 'int64', name: _str | None = None, sorted: _bool = True) -> _Tensor:
    """The different elements of x, sorted, whatever `sorted` says; with `axis`, the different slices along it.

    Further results, as asked for: where each first stands, which one each element of x is, how often each occurs; of
    `dtype` int32 or int64. Errors: KindError for settings that are no bools, ArgumentError for another dtype.

    >>> import vitrify as vt
    >>> [t.tolist() for t in vt.unique(vt.to_tensor([3, 1, 3]), return_counts=True)]
    [[1, 3], [1, 2]]"""
@_overload
def unique(x: _TensorLike, return_index: _bool = False, return_inverse: _bool = False, return_counts: _bool = False, axis: _Axis | None = None, dtype: _DTypeLike = 'int64', name: _str | None = None, sorted: _bool = True) -> _tuple[_Tensor, ...]: ...

@_overload
def unique_consecutive(input: _TensorLike, return_inverse: _Literal[False] = False, return_counts: _Literal[False] = False, dim: _int | None = None, dtype: _DTypeLike = 'int64', name: _str | None = None) -> _Tensor: ...
@_overload
def unique_consecutive(input: _TensorLike, return_inverse: _bool = False, return_counts: _bool = False, dim: _int | None = None, dtype: _DTypeLike = 'int64', name: _str | None = None) -> _tuple[_Tensor, ...]: ...
@_overload
def unique_consecutive(x: _TensorLike, return_inverse: _Literal[False] = False, return_counts: _Literal[False] = False, axis: _int | None = None, dtype: _DTypeLike = 'int64', name: _str | None = None) -> _Tensor:
    """One of each run of equal elements (slices along `axis`); with the run of each element, and their lengths.

    >>> import vitrify as vt
    >>> vt.unique_consecutive(vt.to_tensor([1, 1, 2, 1])).tolist()
    [1, 2, 1]"""
@_overload
def unique_consecutive(x: _TensorLike, return_inverse: _bool = False, return_counts: _bool = False, axis: _int | None = None, dtype: _DTypeLike = 'int64', name: _str | None = None) -> _tuple[_Tensor, ...]: ...

@_overload
def unsqueeze(input: _TensorLike, dim: _Axis, name: _str | None = None) -> _Tensor: ...
@_overload
def unsqueeze(x: _TensorLike, axis: _Axis, name: _str | None = None) -> _Tensor:
    """With a new axis of size 1 at each place of `axis`, inserted one after the other."""

def unsqueeze_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`unsqueeze`, written in place."""

@_overload
def unstack(input: _TensorLike, dim: _int = 0, num: _int | None = None, name: _str | None = None) -> _list[_Tensor]: ...
@_overload
def unstack(x: _TensorLike, axis: _int = 0, num: _int | None = None, name: _str | None = None) -> _list[_Tensor]:
    """The slices of `x` along `axis`, without that axis, as a list."""

def vander(x: _TensorLike, n: _int | None = None, increasing: _bool = False, name: _str | None = None) -> _Tensor:
    """Powers of the elements of a vector as columns [count, n], falling unless `increasing`."""

@_overload
def var(input: _TensorLike, dim: _Axis | None = None, unbiased: _bool | None = None, keepdim: _bool = False, name: _str | None = None, *, correction: _float = 1, out: _Any = None) -> _Tensor: ...
@_overload
def var(x: _TensorLike, axis: _Axis | None = None, unbiased: _bool | None = None, keepdim: _bool = False, name: _str | None = None, *, correction: _float = 1, out: _Any = None) -> _Tensor:
    """The variance over `axis` (all axes by default): squares over the count less `correction`. Of one number: NaN.

    unbiased: True is a correction of 1, False of 0. Errors: ArgumentError where both are given and differ."""

def vecdot(x: _TensorLike, y: _TensorLike, axis: _int = -1, name: _str | None = None) -> _Tensor:
    """The inner products of vectors along one axis, x conjugated; other axes broadcast."""

@_overload
def view(x: _TensorLike, size: _Any, *sizes: _Any, name: _str | None = None) -> _Tensor: ...
@_overload
def view(x: _TensorLike, dtype: _Any, *sizes: _Any, name: _str | None = None) -> _Tensor: ...
@_overload
def view(x: _TensorLike, shape_or_dtype: _Any, *sizes: _Any, name: _str | None = None) -> _Tensor:
    """In another shape (one size may be -1; a list, or sizes one by one), or the bits of the elements as another dtype.

    >>> import vitrify as vt
    >>> vt.to_tensor([1.0, 2.0]).view("int32").shape
    [2]
    >>> vt.ones([2, 3]).view(3, -1).shape
    [3, 2]"""

def view_as(x: _TensorLike, other: _TensorLike, name: _str | None = None) -> _Tensor:
    """In the shape of `other`."""

def vsplit(x: _TensorLike, num_or_indices: _Any, name: _str | None = None) -> _list[_Tensor]:
    """Parts along axis 0: see `tensor_split`."""

def vstack(x: _Sequence[_Any], name: _str | None = None) -> _Tensor:
    """Tensors one below another: along axis 0, vectors as rows."""

@_overload
def where(condition: _TensorLike, input: _TensorLike | None = None, other: _TensorLike | None = None, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def where(condition: _TensorLike, x: _TensorLike | None = None, y: _TensorLike | None = None, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The elements of `x` where `condition` is true, else those of `y`.

    Without x and y: the places where it is true, one index tensor per axis."""

def where_(x: _Tensor, *args: _Any, **kwargs: _Any) -> _Tensor:
    """`where`, written in place."""

@_overload
def zeros(size: _Shape, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor: ...
@_overload
def zeros(shape: _Shape, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor:
    """Zeros of `shape`, a list or sizes one by one; the default float unless `dtype` is given."""

@_overload
def zeros_like(input: _TensorLike, dtype: _DTypeLike | None = None, name: _str | None = None, *, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor: ...
@_overload
def zeros_like(x: _TensorLike, dtype: _DTypeLike | None = None, name: _str | None = None, *, requires_grad: _bool = False, device: _Any = None, pin_memory: _bool = False) -> _Tensor:
    """Zeros in the shape of `x`, and its dtype unless `dtype` is given."""

from vitrify import base as base
from vitrify import callbacks as callbacks
from vitrify import compat as compat
from vitrify import cuda as cuda
from vitrify import data as data
from vitrify import dataset as dataset
from vitrify import device as device
from vitrify import distributed as distributed
from vitrify import dygraph as dygraph
from vitrify import export as export
from vitrify import framework as framework
from vitrify import geometric as geometric
from vitrify import hapi as hapi
from vitrify import hub as hub
from vitrify import incubate as incubate
from vitrify import ir as ir
from vitrify import metric as metric
from vitrify import ops as ops
from vitrify import passes as passes
from vitrify import pir as pir
from vitrify import pir_utils as pir_utils
from vitrify import quantization as quantization
from vitrify import random as random
from vitrify import reader as reader
from vitrify import regularizer as regularizer
from vitrify import runtime as runtime
from vitrify import sparse as sparse
from vitrify import tensor as tensor
from vitrify import training as training
from vitrify import utils as utils
from vitrify import version as version
