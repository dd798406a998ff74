# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from collections.abc import Iterator as _Iterator
from collections.abc import Sequence as _Sequence
from numpy import ndarray as _ndarray
from typing import Any as _Any
from typing import Literal as _Literal
from typing import overload as _overload
from vitrify._stub_types import Axis as _Axis
from vitrify._stub_types import DTypeLike as _DTypeLike
from vitrify._stub_types import R_co as _R_co
from vitrify._stub_types import Shape as _Shape
from vitrify._stub_types import TensorLike as _TensorLike
from vitrify.base.dtype import DType as _DType
from vitrify.dygraph.dense import DenseTensor as _DenseTensor
from vitrify.dygraph.device import CPUPlace as _CPUPlace
from vitrify.dygraph.device import Device as _Device
from vitrify.dygraph.elements import TensorConversions as _TensorConversions
from vitrify.dygraph.hooks import HookHandle as _HookHandle
from vitrify.dygraph.marks import Marks as _Marks

class Parameter(Tensor):
    """A leaf tensor that training changes. `trainable` is the opposite of `stop_gradient`."""
    optimize_attr: _Any
    regularizer: _Any
    need_clip: _Any
    persistable: _bool
    def __init__(self, data: _Any, dtype: _Any = None, *, trainable: _bool = True, name: _str | None = None, optimize_attr: _dict[_str, _Any] | None = None, regularizer: _Any = None, need_clip: _bool = True) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def trainable(self) -> _bool:
        """Whether training changes it."""
    @trainable.setter
    def trainable(self, value: _Any) -> None: ...
    @classmethod
    def from_tensor(cls, tensor: Tensor, **settings: _Any) -> Parameter:
        """A parameter with a tensor's values and dtype; it shares nothing. settings: as the class takes them."""
    def initialize(self) -> None:
        """Nothing: it has its values since it was made (see `LazyGuard`)."""
    @property
    def block(parameter: Parameter) -> _Any:
        """The block that initializers are called with, `initializer(parameter, parameter.block)`: the main program's."""

class Tensor(_TensorConversions, _Marks):
    """An array of numbers with a dtype, that may take part in gradients.

    `Tensor(data, dtype=None, stop_gradient=True)` copies numbers, nested lists or arrays, as `to_tensor` does."""
    persistable: _bool
    dynamic_dims: _tuple[_int, ...]
    has_row_gradients: _bool
    is_literal: _bool
    def __init__(self, data: _Any = None, dtype: _Any = None, place: _Any = None, stop_gradient: _bool = True, *rest: _Any, **kw: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def shape(self) -> _list[_int]:
        """The sizes of the axes (ints; under a trace also symbolic sizes)."""
    @property
    def ndim(self) -> _int:
        """The number of axes."""
    @property
    def dtype(self) -> _DType:
        """The element type."""
    @property
    def size(self) -> _int:
        """The number of elements; `size()` and `size(k)` give sizes."""
    @property
    def name(self) -> _str:
        """A name for messages and for optimiser state; made up on the first look unless it was set."""
    @name.setter
    def name(self, value: _Any) -> None: ...
    @property
    def place(self) -> _CPUPlace:
        """Always the CPU."""
    @property
    def T(self) -> Tensor:
        """The tensor with its axes reversed."""
    @property
    def stop_gradient(self) -> _bool:
        """Whether gradients end here: true unless the tensor asks for one or was made of some that do."""
    @stop_gradient.setter
    def stop_gradient(self, value: _Any) -> None: ...
    @property
    def is_leaf(self) -> _bool:
        """Whether no recorded op made it."""
    @property
    def inplace_version(self) -> _int:
        """How often its data were written in place; of a view, those of the tensor behind it."""
    @property
    def data(self) -> Tensor:
        """The same data without its history."""
    @data.setter
    def data(self, value: _Any) -> None: ...
    def dim(self) -> _int:
        """The number of axes."""
    def detach(self) -> Tensor:
        """The same data, cut from the graph: a write to one is seen by the other."""
    def snapshot(self, *, private: _bool = False) -> Tensor:
        """The same value and place in the graph, unreached by later writes. private: copied now, not by a write."""
    @property
    def grad(self) -> Tensor | None:
        """The gradient that `backward` has added up, or None."""
    @grad.setter
    def grad(self, value: _Any) -> None: ...
    def backward(self, grad_tensor: _Any = None, retain_graph: _bool = False, create_graph: _bool = False) -> None:
        """Add the gradient of this tensor (weighted by `grad_tensor`, else ones) to `.grad` of every leaf behind it."""
    def clear_grad(self, set_to_zero: _bool = True) -> None:
        """Make `.grad` zero (at no cost until someone reads it), or None."""
    def clear_gradient(self, set_to_zero: _bool = True) -> None:
        """Make `.grad` zero (at no cost until someone reads it), or None."""
    def zero_grad(self) -> None:
        """Forget `.grad`."""
    def register_hook(self, hook: _Callable[[Tensor], Tensor | None]) -> _HookHandle:
        """Call `hook(gradient)` when this tensor's gradient is known; what it returns replaces the gradient."""
    def retain_grads(self) -> None:
        """Keep `.grad` of this tensor, though it isn't a leaf: what earlier hooks make of it, before later ones.

        Without a gradient there is nothing to keep."""
    def set_value(self, value: _Any) -> None:
        """Overwrite the data with those of an array or tensor of the same shape. Not recorded."""
    def copy_(self, other: _Any, blocking: _bool = True) -> Tensor:
        """Overwrite with `other`, broadcast to this shape; recorded: the gradient goes to `other` from here on."""
    def __setitem__(self, index: _Any, value: _Any) -> None:
        """Write `value`, which broadcasts and takes this dtype, into the elements that `index` names."""
    def __getitem__(self, index: _Any) -> Tensor:
        """The elements that `index` names: ints, slices, None, an Ellipsis, integer and bool tensors."""
    def __iter__(self) -> _Iterator[Tensor]: ...
    def __hash__(self) -> _int:
        """`hash()` of a tensor: that of its identity."""
    def __format__(self, spec: _str) -> _str:
        """Default object formatter."""
    def uniform_(x: Tensor, min: _float = 0.0, max: _float = 1.0, seed: _int = 0, name: _Any = None) -> Tensor:
        """Overwrite with numbers evenly from [min, max)."""
    def normal_(x: Tensor, mean: _float = 0.0, std: _float = 1.0, name: _Any = None) -> Tensor:
        """Overwrite with numbers from a normal distribution, complex ones where x is complex."""
    def exponential_(x: Tensor, lam: _float = 1.0, name: _Any = None) -> Tensor:
        """Overwrite with numbers from the exponential distribution of rate `lam`."""
    def bernoulli_(x: Tensor, p: _float = 0.5, name: _Any = None) -> Tensor:
        """Overwrite with ones of probability `p` and zeros."""
    def log_normal_(x: Tensor, mean: _float = 1.0, std: _float = 2.0, name: _Any = None) -> Tensor:
        """Overwrite with exp of numbers from a normal distribution."""
    def cauchy_(x: Tensor, loc: _Any = 0, scale: _Any = 1, name: _Any = None) -> Tensor:
        """Overwrite with numbers from a Cauchy distribution."""
    def geometric_(x: Tensor, probs: _Any, name: _Any = None) -> Tensor:
        """Overwrite with log(u) / log(1 - probs) for u from (0, 1]: the waiting times of Paddle, not rounded up."""
    def multinomial(x: Tensor, num_samples: _int = 1, replacement: _bool = False, name: _Any = None) -> _Any:
        """Numbers of categories, drawn with the weights in x [n] or [rows, n]: int64 [num_samples] or [rows, num_samples].

        Without replacement no category comes twice in a row. Errors: ArgumentError where there are fewer categories of a
        weight above 0, or a weight that is negative, NaN or infinite (in static programs unchecked)."""
    @property
    def device(self: Tensor) -> _Device:
        """The device: "cpu", with `type` and `index`."""
    @property
    def layout(self: Tensor) -> _str:
        """The layout of images: always "NCHW"."""
    @property
    def strides(self: Tensor) -> _Any:
        """`stride()`."""
    @property
    def offset(self: Tensor) -> _int:
        """How many bytes lie before the first element: always 0."""
    @property
    def is_cuda(self: Tensor) -> _bool:
        """Always false: there is only the CPU."""
    def requires_grad_(self: Tensor, requires_grad: _bool = True) -> Tensor:
        """Set `requires_grad`; gives the tensor itself."""
    def stride(self: Tensor, dim: _int | None = None) -> _Any:
        """How many elements lie from one element to the next, along each axis or along one of them.

        >>> Tensor([[1.0, 2.0, 3.0]]).stride(), Tensor([[1.0, 2.0, 3.0]]).stride(0)
        ([3, 1], 3)"""
    def to(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """Another dtype, named in any position, or that of another tensor; devices are accepted and ignored.

        Errors: ArgumentError for a string that names neither a dtype nor a device."""
    def get_strides(self: Tensor) -> _Any:
        """`stride()`."""
    def is_same_shape(self: Tensor, y: Tensor) -> _bool:
        """Whether another tensor has the same sizes."""
    def dense_dim(self: Tensor) -> _int:
        """The number of axes that aren't sparse: all."""
    def sparse_dim(self: Tensor) -> _int:
        """The number of sparse axes: none."""
    def split_with_sizes(self: Tensor, split_sizes: _Sequence[_int], dim: _int = 0) -> _list[_Any]:
        """Parts along an axis, of the sizes that are listed: `split`.

        >>> [x.tolist() for x in Tensor([1, 2, 3]).split_with_sizes([1, 2])]
        [[1], [2, 3]]"""
    def random_(self: Tensor, from_: _int = 0, to: _int | None = None) -> Tensor:
        """Overwrite with whole numbers evenly from [from_, to), by default from all that the dtype has from 0 on.

        Errors: ArgumentError where from_ isn't below to."""
    def resize_(self: Tensor, shape: _Sequence[_int], fill_zero: _bool = False) -> Tensor:
        """Take another shape in place: elements keep their order, what doesn't fit is dropped, what is new is 0.

        fill_zero changes nothing here. Errors: ArgumentError for a negative size or a leaf that needs a gradient.

        >>> Tensor([1, 2, 3]).resize_([2, 2]).tolist()
        [[1, 2], [3, 0]]"""
    def set_(self: Tensor, source: Tensor | None = None, shape: _Sequence[_int] | None = None, stride: _Sequence[_int] | None = None, offset: _int = 0) -> Tensor:
        """Take the elements of `source`, or none; a shape picks them by strides, from `offset` bytes on.

        The source as it is shares its memory; of a shape the tensor gets a copy. Errors: KindError for other kinds of
        source, DTypeError where its dtype differs, ArgumentError for a leaf that needs a gradient.

        >>> Tensor([1, 2]).set_(Tensor([1, 2, 3, 4]), [2, 2], [1, 2]).tolist()
        [[1, 3], [2, 4]]"""
    @property
    def requires_grad(self: Tensor) -> _bool:
        """Whether gradients are wanted: `not stop_gradient`."""
    @requires_grad.setter
    def requires_grad(self, value: _Any) -> None: ...
    def cast(self, dtype: _DTypeLike) -> Tensor:
        """A copy of another dtype; the tensor itself where it has that dtype."""
    def clip_(x: Tensor, min: _Any = None, max: _Any = None, name: _str | None = None) -> Tensor:
        """`clip`, written in place. Integers stay integers: what bounds have behind the point is dropped."""
    def fill_(x: Tensor, value: _Any) -> Tensor:
        """Set every element to `value`: a number, or a tensor that broadcasts. Errors: KindError for a list."""
    def zero_(x: Tensor) -> Tensor:
        """Set every element to zero."""
    def gradient(self: Tensor) -> _Any:
        """`.grad` as an array, or None."""
    def astype(self, dtype: _DTypeLike) -> Tensor:
        """A copy of another dtype; the tensor itself where it has that dtype."""
    def float(self) -> Tensor:
        """A copy of dtype float32."""
    def double(self) -> Tensor:
        """A copy of dtype float64."""
    def half(self) -> Tensor:
        """A copy of dtype float16."""
    def bfloat16(self) -> Tensor:
        """A copy of dtype bfloat16."""
    def short(self) -> Tensor:
        """A copy of dtype int16."""
    def int(self) -> Tensor:
        """A copy of dtype int32."""
    def long(self) -> Tensor:
        """A copy of dtype int64."""
    def char(self) -> Tensor:
        """A copy of dtype int8."""
    def byte(self) -> Tensor:
        """A copy of dtype uint8."""
    def bool(self) -> Tensor:
        """A copy of dtype bool."""
    def cfloat(self) -> Tensor:
        """A copy of dtype complex64."""
    def cdouble(self) -> Tensor:
        """A copy of dtype complex128."""
    def apply(self, func: _Callable[[Tensor], _R_co]) -> _R_co:
        """`func(tensor)`. Errors: GradientError for a tensor that needs gradients: it would not see the function."""
    def apply_(self, func: _Callable[[Tensor], _Any]) -> Tensor:
        """`func(tensor)`, written into the tensor. Errors: GradientError for a tensor that needs gradients."""
    def new_zeros(self: Tensor, size: _Any, *rest: _Any, dtype: _Any = None, **others: _Any) -> _Any:
        """`zeros` of this tensor's dtype, unless another is named."""
    def new_ones(self: Tensor, size: _Any, *rest: _Any, dtype: _Any = None, **others: _Any) -> _Any:
        """`ones` of this tensor's dtype, unless another is named."""
    def new_full(self: Tensor, size: _Any, *rest: _Any, dtype: _Any = None, **others: _Any) -> _Any:
        """`full` of this tensor's dtype, unless another is named."""
    def new_empty(self: Tensor, size: _Any, *rest: _Any, dtype: _Any = None, **others: _Any) -> _Any:
        """`empty` of this tensor's dtype, unless another is named."""
    def is_tensor(self: Tensor) -> _bool:
        """Always true; `Tensor.is_tensor(x)` asks about any object."""
    def is_dense(self: Tensor) -> _bool:
        """Always true: sparse tensors are of another class."""
    def is_sparse(self: Tensor) -> _bool:
        """Always false: sparse tensors are of another class."""
    def is_sparse_coo(self: Tensor) -> _bool:
        """Always false: sparse tensors are of another class."""
    def is_sparse_csr(self: Tensor) -> _bool:
        """Always false: sparse tensors are of another class."""
    def to_dense(self: Tensor) -> Tensor:
        """The tensor itself."""
    def to_sparse_coo(self: Tensor, sparse_dim: _int | None = None) -> _Any:
        """The elements that aren't 0, by coordinates of the first `sparse_dim` axes (all by default)."""
    def to_sparse_csr(self: Tensor) -> _Any:
        """The elements that aren't 0 of a matrix, or of a batch of them, in compressed rows."""
    def ndimension(self: Tensor) -> _int:
        """The number of axes."""
    def where_(self: Tensor, x: Tensor, y: _Any) -> Tensor:
        """`where(self, x, y)`, written into x, which is returned."""
    def clone(self) -> Tensor:
        """A copy in memory of its own; gradients flow through it."""
    def element_size(self: Tensor) -> _int:
        """Bytes of one element."""
    @property
    def type(self: Tensor) -> _str:
        """The kind of variable: `base.core.VarDesc.VarType.DENSE_TENSOR`."""
    @property
    def itemsize(self: Tensor) -> _int:
        """Bytes of one element."""
    @property
    def nbytes(self: Tensor) -> _Any:
        """Bytes of all elements."""
    @property
    def mT(self) -> Tensor:
        """With the last two axes exchanged."""
    def __div__(self, other) -> _Any: ...
    def __rdiv__(self, other) -> _Any: ...
    def is_floating_point(self: Tensor) -> _bool:
        """Whether the dtype is a float."""
    def is_integer(self: Tensor) -> _bool:
        """Whether the dtype is an integer."""
    def is_complex(self: Tensor) -> _bool:
        """Whether the dtype is complex."""
    def cpu(self: Tensor) -> Tensor:
        """The tensor itself."""
    def cuda(self: Tensor, device_id: _Any = None, blocking: _bool = True) -> Tensor:
        """Errors: ArgumentError (a ValueError): there is no GPU."""
    def pin_memory(self: Tensor, device: _Any = None, blocking: _bool = True) -> Tensor:
        """The tensor itself: there is no other memory to copy to."""
    def value(self: Tensor) -> Tensor:
        """The tensor itself: in older programs a variable holds it."""
    def get_tensor(self: Tensor) -> _DenseTensor:
        """Its data, as executors hand them out."""
    def set(self: Tensor, array: _Any, place: _Any = None) -> None:
        """Take an array's elements, shape and dtype. Errors: GradientError for a tensor that an operation made."""
    def data_ptr(self: Tensor) -> _int:
        """The address of the first element; a write in place may move the elements."""
    def contiguous(self: Tensor) -> _Any:
        """The tensor itself; a copy of a view whose elements aren't neighbours in the memory behind it."""
    def is_contiguous(self: Tensor) -> _bool:
        """Whether the elements are neighbours in memory: false of views that skip or reorder those of their base."""
    def detach_(self: Tensor) -> Tensor:
        """Cut this tensor from its graph."""
    def __divmod__(self: Tensor, other: _Any) -> _Any: ...
    def __rdivmod__(self: Tensor, other: _Any) -> _Any: ...
    def __round__(self: Tensor, digits: _int | None = None) -> _Any: ...
    def __trunc__(self: Tensor) -> _int: ...
    def __array_ufunc__(self: Tensor, ufunc: _Any, method: _str, *inputs: _Any, **options: _Any) -> _Any:
        """`ufunc(*inputs)` as an operation on tensors."""
    def __array_function__(self: Tensor, function: _Any, types: _Any, args: _Any, kwargs: _Any) -> _Any:
        """`function(*args, **kwargs)` of NumPy as operations on tensors."""
    def increment(x: Tensor, value: _float = 1.0, name: _str | None = None) -> Tensor:
        """Add `value` to a tensor of one element, in place; a leaf stays one. Errors: ArgumentError for more elements.

        >>> increment(assign([1.0])).tolist()
        [2.0]"""
    def numpy(self, writable: _bool=True) -> _ndarray[_Any, _Any]:
        """A copy of the elements as an array; always one that can be written."""
    def abs(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Absolute value of every element; of a complex one a real number. Gradient at 0: 0."""
    def absolute(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Absolute value of every element; of a complex one a real number. Gradient at 0: 0."""
    def acos(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Arc cosine, in radians."""
    def acosh(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Inverse hyperbolic cosine."""
    @_overload
    def add(self, other: _TensorLike, *, name: _str | None = None, alpha: _Any = 1, out: _Any = None) -> Tensor: ...
    @_overload
    def add(self, y: _TensorLike, *, name: _str | None = None, alpha: _Any = 1, out: _Any = None) -> Tensor:
        """Sum of two tensors, element by element; of bools, whether one of them is true."""
    def add_n(self, name: _str | None = None) -> Tensor:
        """The sum of a list of tensors; a single tensor is copied."""
    def addmm(self, x: _TensorLike, y: _TensorLike, beta: _float = 1.0, alpha: _float = 1.0, name: _str | None = None) -> Tensor:
        """beta * input + alpha * (x @ y), for matrices x and y; input broadcasts to their product.

        Errors: ShapeError for other ranks."""
    @_overload
    def all(self, dim: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def all(self, axis: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Whether every element over `axis` is true; numbers count as true unless 0."""
    def allclose(self, y: _TensorLike, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False, name: _str | None = None) -> Tensor:
        """Whether all elements are close; one bool."""
    @_overload
    def amax(self, dim: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def amax(self, axis: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Largest element over `axis`; NaN wins. Equal largest elements share the gradient evenly."""
    @_overload
    def amin(self, dim: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def amin(self, axis: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Smallest element over `axis`; NaN wins. Equal smallest elements share the gradient evenly."""
    def aminmax(self, axis: _Axis | None = None, keepdim: _bool = False) -> _tuple[Tensor, Tensor]:
        """(least, largest) over `axis`; equal extremes share the gradient.

        >>> import vitrify as vt
        >>> [float(e) for e in vt.aminmax(vt.to_tensor([2.0, -1.0, 4.0]))]
        [-1.0, 4.0]"""
    def angle(self, name: _str | None = None) -> Tensor:
        """The angle of every element in the complex plane, from -pi to pi: 0 or pi for a real one; NaN stays."""
    @_overload
    def any(self, dim: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def any(self, axis: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Whether some element over `axis` is true; numbers count as true unless 0."""
    def arccos(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Arc cosine, in radians."""
    def arccosh(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Inverse hyperbolic cosine."""
    def arcsin(self, *, name: _str | None = None) -> Tensor:
        """Arc sine, in radians."""
    def arcsinh(self, *, name: _str | None = None) -> Tensor:
        """Inverse hyperbolic sine."""
    def arctan(self, *, name: _str | None = None) -> Tensor:
        """Arc tangent, in radians."""
    def arctan2(self, y: _TensorLike, *, name: _str | None = None) -> Tensor:
        """The angle of the point (y, x), in radians from -pi to pi; the first operand is the ordinate; of ints float64."""
    def arctanh(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Inverse hyperbolic tangent."""
    @_overload
    def argmax(self, dim: _Axis | None = None, keepdim: _bool = False, dtype: _DTypeLike = 'int64', name: _str | None = None) -> Tensor: ...
    @_overload
    def argmax(self, axis: _Axis | None = None, keepdim: _bool = False, dtype: _DTypeLike = 'int64', name: _str | None = None) -> Tensor:
        """Index of the first largest element along `axis`, or in the flattened tensor; the first NaN wins."""
    @_overload
    def argmin(self, dim: _Axis | None = None, keepdim: _bool = False, dtype: _DTypeLike = 'int64', name: _str | None = None) -> Tensor: ...
    @_overload
    def argmin(self, axis: _Axis | None = None, keepdim: _bool = False, dtype: _DTypeLike = 'int64', name: _str | None = None) -> Tensor:
        """Index of the first smallest element along `axis`, or in the flattened tensor; the first NaN wins."""
    @_overload
    def argsort(self, dim: _int = -1, descending: _bool = False, stable: _bool = False, name: _str | None = None) -> Tensor: ...
    @_overload
    def argsort(self, axis: _int = -1, descending: _bool = False, stable: _bool = False, name: _str | None = None) -> Tensor:
        """The order (int64) in which the elements along `axis` rise, or fall with `descending`; always stable."""
    def argwhere(self) -> Tensor:
        """The places of the elements that aren't zero: `nonzero(x)`.

        >>> import vitrify as vt
        >>> vt.argwhere(vt.to_tensor([0, 5, 7])).tolist()
        [[1], [2]]"""
    def as_complex(self, *, name: _str | None = None) -> Tensor:
        """A real tensor [..., 2] of parts as complex numbers [...]."""
    def as_real(self, *, name: _str | None = None) -> Tensor:
        """Complex numbers [...] as their parts [..., 2]."""
    def as_strided(self, shape: _Sequence[_int], stride: _Sequence[_int], offset: _int = 0, name: _str | None = None) -> Tensor:
        """Elements of the flattened tensor at `offset` plus the sum of index times stride (a copy; gradients add up)."""
    def asin(self, *, name: _str | None = None) -> Tensor:
        """Arc sine, in radians."""
    def asinh(self, *, name: _str | None = None) -> Tensor:
        """Inverse hyperbolic sine."""
    def assign(self, *, name: _str | None = None) -> Tensor:
        """A copy of `x`."""
    def atan(self, *, name: _str | None = None) -> Tensor:
        """Arc tangent, in radians."""
    def atan2(self, y: _TensorLike, *, name: _str | None = None) -> Tensor:
        """The angle of the point (y, x), in radians from -pi to pi; the first operand is the ordinate; of ints float64."""
    def atanh(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Inverse hyperbolic tangent."""
    def atleast_1d(self, *inputs: _Any, name: _str | None = None) -> Tensor:
        """Tensors with at least one axis, a number as one of one element. Of several inputs a list of them.

        >>> import vitrify as vt
        >>> [x.shape for x in vt.atleast_1d(2.0, [1.0, 2.0])]
        [[1], [2]]"""
    def atleast_2d(self, *inputs: _Any, name: _str | None = None) -> Tensor:
        """Tensors with at least two axes: vectors become rows."""
    def atleast_3d(self, *inputs: _Any, name: _str | None = None) -> Tensor:
        """Tensors with at least three axes: a vector [n] becomes [1, n, 1], a matrix [n, m] becomes [n, m, 1].

        >>> import vitrify as vt
        >>> vt.atleast_3d(vt.to_tensor([1, 2])).shape
        [1, 2, 1]"""
    def baddbmm(self, x: _TensorLike, y: _TensorLike, beta: _float = 1.0, alpha: _float = 1.0, name: _str | None = None) -> Tensor:
        """beta · input + alpha · x @ y, for stacks of matrices [batch, n, m]; input broadcasts."""
    def bincount(self, weights: _Any = None, minlength: _Any = 0, name: _str | None = None) -> Tensor:
        """How often each of 0, 1, … occurs in x [count] of integers, or the sums of `weights`; at least `minlength` long.

        >>> import vitrify as vt
        >>> vt.bincount(vt.to_tensor([1, 3, 1])).tolist()
        [0, 2, 0, 1]"""
    def bitwise_and(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Bits set in both integers; `and` of bools."""
    def bitwise_invert(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """All bits inverted; `not` of bools."""
    def bitwise_left_shift(self, y: _TensorLike, is_arithmetic: _bool = True, out: _Any = None, name: _str | None = None) -> Tensor:
        """x with its bits moved y places to the left; zeros come in. Integers only."""
    def bitwise_not(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """All bits inverted; `not` of bools."""
    @_overload
    def bitwise_or(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def bitwise_or(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Bits set in either integer; `or` of bools."""
    def bitwise_right_shift(self, y: _TensorLike, is_arithmetic: _bool = True, out: _Any = None, name: _str | None = None) -> Tensor:
        """x with its bits moved y places to the right; the sign comes in, or zeros without `is_arithmetic`."""
    def bitwise_xor(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Bits set in just one integer; inequality of bools."""
    def block_diag(self, name: _str | None = None) -> Tensor:
        """A matrix with the given matrices along its diagonal and zeros elsewhere; vectors and numbers count as rows."""
    @_overload
    def bmm(self, mat2: _TensorLike, name: _str | None = None, *, out: _Any = None) -> Tensor: ...
    @_overload
    def bmm(self, y: _TensorLike, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """The products of two batches of matrices, [b, n, k] and [b, k, m]."""
    def broadcast_shape(self, *shapes: _Any, x_shape: _Any = None, y_shape: _Any = None) -> _list[_int | Tensor]:
        """The common shape of several under NumPy's rule; two of them may be given as x_shape and y_shape."""
    def broadcast_shapes(self, *shapes: _Any, x_shape: _Any = None, y_shape: _Any = None) -> _list[_int | Tensor]:
        """The common shape of several under NumPy's rule; two of them may be given as x_shape and y_shape."""
    def broadcast_tensors(self, name: _str | None = None) -> _list[Tensor]:
        """All tensors broadcast to their common shape."""
    @_overload
    def broadcast_to(self, size: _Shape, *, name: _str | None = None) -> Tensor: ...
    @_overload
    def broadcast_to(self, shape: _Shape, *, name: _str | None = None) -> Tensor:
        """The elements repeated along new axes and axes of size 1 to fill `shape`; -1 keeps a size."""
    @_overload
    def bucketize(self, boundaries: _Any, out_int32: _bool = False, right: _bool = False, name: _str | None = None, *, out: _Any = None) -> Tensor: ...
    @_overload
    def bucketize(self, sorted_sequence: _Any, out_int32: _bool = False, right: _bool = False, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """`searchsorted` in one sequence [count], with the values first. Errors: ArgumentError for no tensor."""
    @_overload
    def cat(self, dim: _Axis = 0, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def cat(self, axis: _Axis = 0, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Tensors one after the other along `axis`; all other sizes are equal."""
    def cdist(self, y: _TensorLike, p: _float = 2.0, compute_mode: _str = 'use_mm_for_euclid_dist_if_necessary', name: _str | None = None) -> Tensor:
        """All distances of order p between rows: x [..., n, d] and y [..., m, d] give [..., n, m].

        compute_mode: whether a matrix product stands in for the differences of Euclidean distances (faster, less exact);
        "…_if_necessary": from 26 rows on."""
    def ceil(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Smallest integer not below. Gradient: 0."""
    def celu(self, alpha: _float = 1.0, name: _str | None = None) -> Tensor:
        """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
    def cholesky(self, upper: _bool = False, *, name: _str | None = None) -> Tensor:
        """The lower triangular factor L of positive definite matrices, x = L Lᴴ; with `upper` Lᴴ."""
    def cholesky_inverse(self, upper: _bool = False, name: _str | None = None) -> Tensor:
        """The inverse of A from its Cholesky factor x [n, n]."""
    def cholesky_solve(self, y: _TensorLike, upper: _bool = False, name: _str | None = None) -> Tensor:
        """The solution of A X = x from the Cholesky factor y of A: lower triangular, or upper with `upper`."""
    @_overload
    def chunk(self, chunks: _int, dim: _Axis = 0, name: _str | None = None) -> _list[Tensor]: ...
    @_overload
    def chunk(self, chunks: _int, axis: _Axis = 0, name: _str | None = None) -> _list[Tensor]:
        """Equal parts along `axis`: another name of `split` by a number."""
    def clamp(self, min: _Any = None, max: _Any = None, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """Every element moved into [min, max]; bounds are numbers, None, or tensors that broadcast, which take the dtype of
        `x`. Integers become float32 where a bound is a float."""
    def clip(self, min: _Any = None, max: _Any = None, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """Every element moved into [min, max]; bounds are numbers, None, or tensors that broadcast, which take the dtype of
        `x`. Integers become float32 where a bound is a float."""
    def column_stack(self, name: _str | None = None) -> Tensor:
        """Vectors as the columns of a matrix; matrices side by side."""
    def combinations(self, r: _int = 2, with_replacement: _bool = False, name: _str | None = None) -> Tensor:
        """All choices of r elements of a vector, in order, as rows; `with_replacement`: an element may come again.

        Errors: KindError for anything but a vector, ArgumentError for r below 0."""
    @_overload
    def concat(self, dim: _Axis = 0, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def concat(self, axis: _Axis = 0, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Tensors one after the other along `axis`; all other sizes are equal."""
    @_overload
    def concatenate(self, dim: _Axis = 0, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def concatenate(self, axis: _Axis = 0, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Tensors one after the other along `axis`; all other sizes are equal."""
    def cond(self, p: _Any = None, name: _str | None = None) -> Tensor:
        """The condition number of matrices [..., m, n] in the norm p, |x| · |x⁻¹|; None is 2.

        Errors: ShapeError for other norms of matrices that aren't square."""
    def conj(self, name: _str | None = None) -> Tensor:
        """The complex conjugate of every element; a real tensor as it is. Same shape and dtype."""
    def copysign(self, y: _TensorLike, name: _str | None = None) -> Tensor:
        """|x| with the sign of y (of -0.0 too), in the wider dtype of floats; among integers of one dtype in that.
        Gradient by x only.

        >>> import vitrify as vt
        >>> vt.copysign(vt.to_tensor([1.0, -2.0]), -0.0).tolist()
        [-1.0, -2.0]"""
    def corrcoef(self, rowvar: _bool = True, name: _str | None = None) -> Tensor:
        """The matrix of correlation coefficients of variables in the rows (rowvar) or columns of x, inside [-1, 1]."""
    def cos(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Cosine of radians."""
    def cosh(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Hyperbolic cosine."""
    def count_nonzero(self, axis: _Axis | None = None, keepdim: _bool = False, name: _str | None = None) -> Tensor:
        """How many elements over `axis` differ from 0; int64."""
    def cov(self, rowvar: _bool = True, ddof: _bool = True, fweights: _Any = None, aweights: _Any = None, name: _str | None = None) -> Tensor:
        """The covariance matrix of variables in the rows (rowvar) or columns of x, each observation weighted by how often
        it occurred (fweights) and how much it counts (aweights). ddof: divide by n - 1 instead of n."""
    def crop(self, shape: _Shape | None = None, offsets: _Any = None, name: _str | None = None) -> Tensor:
        """The box of `shape` (-1: to the end) that starts at `offsets` (zeros by default)."""
    @_overload
    def cross(self, y: _TensorLike, dim: _int = 9, name: _str | None = None) -> Tensor: ...
    @_overload
    def cross(self, y: _TensorLike, axis: _int = 9, name: _str | None = None) -> Tensor:
        """The cross product of vectors of 3 along `axis`; by default (9) the first axis of size 3."""
    def cummax(self, axis: _int | None = None, dtype: _DTypeLike = 'int64', name: _str | None = None) -> _tuple[Tensor, Tensor]:
        """The largest element up to each place along `axis` (of the flattened tensor by default) and its last place."""
    def cummin(self, axis: _int | None = None, dtype: _DTypeLike = 'int64', name: _str | None = None) -> _tuple[Tensor, Tensor]:
        """The smallest element up to each place along `axis` (of the flattened tensor by default) and its last place."""
    def cumprod(self, dim: _Axis | None = None, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """Products of the elements up to each place along `dim`, or of the flattened tensor. int32 stays int32."""
    @_overload
    def cumsum(self, dim: _Axis | None = None, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None) -> Tensor: ...
    @_overload
    def cumsum(self, axis: _Axis | None = None, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """Sums of the elements up to each place along `axis`, or of the flattened tensor. Integers are summed as int64."""
    def cumulative_trapezoid(self, x: _TensorLike | None = None, dx: _Any = None, axis: _int = -1, name: _str | None = None) -> Tensor:
        """The integral up to each sample from the second on, along `axis`, by the trapezoid rule."""
    def deg2rad(self, name: _str | None = None) -> Tensor:
        """Degrees to radians; integers become the default float.

        >>> import vitrify as vt
        >>> round(float(vt.deg2rad(vt.to_tensor(180))), 4)
        3.1416"""
    def det(self, *, name: _str | None = None) -> Tensor:
        """The determinants of square matrices."""
    def diag(self, offset: _int = 0, padding_value: _float = 0, name: _str | None = None) -> Tensor:
        """The diagonal of a matrix, or a matrix with the vector on its diagonal and `padding_value` elsewhere."""
    def diag_embed(self, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> Tensor:
        """Matrices over new axes `dim1` and `dim2` whose diagonal `offset` is the last axis of the input; zeros elsewhere.

        >>> import vitrify as vt
        >>> vt.diag_embed(vt.to_tensor([1, 2])).tolist()
        [[1, 0], [0, 2]]"""
    def diagflat(self, offset: _int = 0, name: _str | None = None) -> Tensor:
        """A matrix with the elements of x, in order, on its diagonal `offset`."""
    @_overload
    def diagonal(self, offset: _int = 0, dim1: _int = 0, dim2: _int = 1, name: _str | None = None) -> Tensor: ...
    @_overload
    def diagonal(self, offset: _int = 0, axis1: _int = 0, axis2: _int = 1, name: _str | None = None) -> Tensor:
        """The diagonals of the matrices over `axis1` and `axis2`, as a new last axis; `offset` above (below: negative).

        >>> import vitrify as vt
        >>> vt.diagonal(vt.to_tensor([[1, 2], [3, 4]])).tolist()
        [1, 4]"""
    def diagonal_scatter(self, y: _TensorLike, offset: _int = 0, axis1: _int = 0, axis2: _int = 1, name: _str | None = None) -> Tensor:
        """x with the diagonal over `axis1` and `axis2` replaced by y [..., length].

        Errors: AssertedError for axes that aren't there or are the same, and for y of another shape."""
    @_overload
    def diff(self, n: _int = 1, dim: _int = -1, prepend: _Any = None, append: _Any = None, name: _str | None = None, *, out: _Any = None) -> Tensor: ...
    @_overload
    def diff(self, n: _int = 1, axis: _int = -1, prepend: _Any = None, append: _Any = None, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """Differences of neighbours along `axis`, taken n times; `prepend` and `append` are joined to x first.

        >>> import vitrify as vt
        >>> vt.diff(vt.to_tensor([1, 4, 9])).tolist()
        [3, 5]"""
    def digamma(self, *, name: _str | None = None) -> Tensor:
        """Derivative of the logarithm of gamma(x)."""
    def dist(self, y: _TensorLike, p: _float = 2, name: _str | None = None) -> Tensor:
        """The norm of order p of all elements of x - y, which broadcast."""
    @_overload
    def div(self, other: _TensorLike, *, name: _str | None = None, rounding_mode: _Any = None, out: _Any = None) -> Tensor: ...
    @_overload
    def div(self, y: _TensorLike, *, name: _str | None = None, rounding_mode: _Any = None, out: _Any = None) -> Tensor:
        """True quotient of two tensors, element by element; integers become the default float first."""
    @_overload
    def divide(self, other: _TensorLike, *, name: _str | None = None, rounding_mode: _Any = None, out: _Any = None) -> Tensor: ...
    @_overload
    def divide(self, y: _TensorLike, *, name: _str | None = None, rounding_mode: _Any = None, out: _Any = None) -> Tensor:
        """True quotient of two tensors, element by element; integers become the default float first."""
    @_overload
    def dot(self, tensor: _TensorLike, name: _str | None = None, *, out: _Any = None) -> Tensor: ...
    @_overload
    def dot(self, y: _TensorLike, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """The inner product of two vectors; of two matrices, row by row. That of int32 is int32."""
    def dsplit(self, num_or_indices: _Any, name: _str | None = None) -> _list[Tensor]:
        """Parts along axis 2: see `tensor_split`."""
    def dstack(self, name: _str | None = None) -> Tensor:
        """Tensors one behind another: along axis 2."""
    def eig(self, *, name: _str | None = None) -> _tuple[Tensor, Tensor]:
        """Eigenvalues and unit eigenvectors (columns) of square matrices, complex."""
    def eigh(self, UPLO: _Any = 'L', *, name: _str | None = None) -> _tuple[Tensor, Tensor]:
        """Rising eigenvalues and orthonormal eigenvectors (columns) of Hermitian matrices, of which one triangle is read."""
    def eigvals(self, name: _str | None = None) -> Tensor:
        """The complex eigenvalues of square matrices [..., n, n], in no order: [..., n]."""
    def eigvalsh(self, UPLO: _str = 'L', name: _str | None = None) -> Tensor:
        """The rising eigenvalues of symmetric or Hermitian matrices [..., n, n]; one triangle is read."""
    def elu(self, alpha: _Any = 1.0, *, name: _str | None = None) -> Tensor:
        """x where positive, else `alpha` times (exp(x) - 1)."""
    @_overload
    def eq(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def eq(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Whether two elements are equal; NaN equals nothing."""
    @_overload
    def equal(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def equal(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Whether two elements are equal; NaN equals nothing."""
    def equal_all(self, y: _TensorLike, name: _str | None = None) -> Tensor:
        """Whether two tensors have one shape and equal elements; one bool."""
    def erf(self, *, name: _str | None = None) -> Tensor:
        """The error function, 2/sqrt(pi) times the integral of exp(-t²) from 0 to x."""
    def erfinv(self, *, name: _str | None = None) -> Tensor:
        """The inverse of erf, on (-1, 1)."""
    def exp(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """e to the power x."""
    @_overload
    def expand(self, size: _Shape, *, name: _str | None = None) -> Tensor: ...
    @_overload
    def expand(self, shape: _Shape, *, name: _str | None = None) -> Tensor:
        """The elements repeated along new axes and axes of size 1 to fill `shape`; -1 keeps a size."""
    @_overload
    def expand_as(self, other: _TensorLike, name: _str | None = None) -> Tensor: ...
    @_overload
    def expand_as(self, y: _TensorLike, name: _str | None = None) -> Tensor:
        """Broadcast to the shape of `y`."""
    def expm1(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """exp(x) - 1, exact near 0."""
    def fill_diagonal(self, value: _TensorLike, offset: _int = 0, wrap: _bool = False, name: _str | None = None) -> Tensor:
        """x with its main diagonal, moved by `offset` columns, set to a number.

        x has at least two axes; with more than two, all of one size, and the elements x[i, i, …, i] are set. `wrap`: in a
        tall matrix the diagonal begins anew after each block of as many rows as columns, with one row between.

        >>> import vitrify as vt
        >>> vt.zeros([2, 3]).fill_diagonal_(1.0, offset=1).tolist()
        [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]"""
    def fill_diagonal_tensor(self, y: _TensorLike, offset: _int = 0, dim1: _int = 0, dim2: _int = 1, name: _str | None = None) -> Tensor:
        """x with the diagonal over the axes `dim1` and `dim2` replaced by y: `diagonal_scatter`.

        >>> import vitrify as vt
        >>> vt.zeros([2, 2]).fill_diagonal_tensor(vt.to_tensor([1.0, 2.0])).tolist()
        [[1.0, 0.0], [0.0, 2.0]]"""
    @_overload
    def flatten(self, start_dim: _int = 0, end_dim: _int = -1, name: _str | None = None) -> Tensor: ...
    @_overload
    def flatten(self, start_axis: _int = 0, stop_axis: _int = -1, name: _str | None = None) -> Tensor:
        """With the axes from `start_axis` to `stop_axis`, both included, joined into one."""
    def flip(self, axis: _Axis, *, name: _str | None = None) -> Tensor:
        """The elements in reverse order along `axis`."""
    def fliplr(self, name: _str | None = None) -> Tensor:
        """With the order of axis 1 reversed; x has at least two axes.

        >>> import vitrify as vt
        >>> vt.fliplr(vt.to_tensor([[1, 2], [3, 4]])).tolist()
        [[2, 1], [4, 3]]"""
    def flipud(self, name: _str | None = None) -> Tensor:
        """With the order of axis 0 reversed; x has at least one axis.

        >>> import vitrify as vt
        >>> vt.flipud(vt.to_tensor([[1, 2], [3, 4]])).tolist()
        [[3, 4], [1, 2]]"""
    def floor(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Largest integer not above. Gradient: 0."""
    @_overload
    def floor_divide(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def floor_divide(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Quotient rounded towards minus infinity. Integers divided by 0 give 0, as in NumPy."""
    @_overload
    def floor_mod(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def floor_mod(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """What floor division leaves: it has the sign of `y`, as Python's `%`. Integers modulo 0 give 0."""
    def fmax(self, y: _TensorLike, name: _str | None = None) -> Tensor:
        """The larger of two elements, x where they are equal; a number wins over NaN."""
    def fmin(self, y: _TensorLike, name: _str | None = None) -> Tensor:
        """The smaller of two elements, x where they are equal; a number wins over NaN."""
    def frac(self, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """The part behind the point, with the sign of x. Errors: DTypeError for bool and 8-bit and 16-bit integers."""
    def frexp(self, *, name: _str | None = None) -> _tuple[Tensor, Tensor]:
        """Mantissa of size 1/2 to 1 and exponent of 2, both of the dtype of x. The gradient of the mantissa is 0 at 0."""
    def gammainc(self, y: _TensorLike, *, name: _str | None = None) -> Tensor:
        """Regularised lower incomplete gamma function of order x up to y. Gradient by y only."""
    def gammaincc(self, y: _TensorLike, *, name: _str | None = None) -> Tensor:
        """Regularised upper incomplete gamma function of order x from y. Gradient by y only."""
    def gammaln(self, name: _str | None = None) -> Tensor:
        """Logarithm of |gamma(x)|: another name of `lgamma`."""
    def gather(self, index: _TensorLike, axis: _Axis = 0, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """The slices of x along `axis` that the integers `index` name: [count], or [count, 1], which means the same.

        An index of another shape is taken as it is: its axes take the place of `axis`."""
    def gather_nd(self, index: _TensorLike, *, name: _str | None = None) -> Tensor:
        """The slices of x at points: the last axis of `index` [..., k] holds places in the first k axes of x."""
    @_overload
    def gcd(self, other: _TensorLike, *, name: _str | None = None) -> Tensor: ...
    @_overload
    def gcd(self, y: _TensorLike, *, name: _str | None = None) -> Tensor:
        """Greatest common divisor of two integers; 0 with 0 gives 0."""
    @_overload
    def ge(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def ge(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Whether x >= y."""
    def gelu(self, approximate: _bool | _str = False, name: _str | None = None) -> Tensor:
        """x times the normal distribution's cumulative function at x; `approximate`: by a tanh (also spelled "tanh")."""
    @_overload
    def glu(self, dim: _int = -1, name: _str | None = None) -> Tensor: ...
    @_overload
    def glu(self, axis: _int = -1, name: _str | None = None) -> Tensor:
        """The first half of x along `axis` times the sigmoid of the second."""
    @_overload
    def greater(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def greater(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Whether x > y."""
    @_overload
    def greater_equal(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def greater_equal(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Whether x >= y."""
    @_overload
    def greater_than(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def greater_than(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Whether x > y."""
    @_overload
    def gt(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def gt(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Whether x > y."""
    @_overload
    def hardshrink(self, lambd: _float = 0.5, name: _str | None = None) -> Tensor: ...
    @_overload
    def hardshrink(self, threshold: _float = 0.5, name: _str | None = None) -> Tensor:
        """0 where |x| < threshold, else x: NaN stays."""
    def hardsigmoid(self, slope: _float = 0.1666667, offset: _float = 0.5, name: _str | None = None) -> Tensor:
        """slope * x + offset, bounded to [0, 1]."""
    def hardswish(self, name: _str | None = None) -> Tensor:
        """x * clip(x + 3, 0, 6) / 6. The gradient at -3 is 0, at 3 it is 1."""
    def hardtanh(self, min: _float = -1.0, max: _float = 1.0, name: _str | None = None) -> Tensor:
        """x bounded to [min, max]. The gradient at the bounds is 0."""
    def heaviside(self, y: _TensorLike, name: _str | None = None) -> Tensor:
        """0 below 0, 1 above, y at 0; NaN stays."""
    def histogram(self, bins: _int = 100, min: _Any = 0, max: _Any = 0, weight: _TensorLike | None = None, density: _bool = False, name: _str | None = None) -> Tensor:
        """How many elements fall into each of `bins` equal bins from `min` to `max` (both 0: the range of the data).

        int64; sums of `weight` and densities are floats. Elements outside aren't counted.

        >>> import vitrify as vt
        >>> vt.histogram(vt.to_tensor([1, 2, 1]), bins=4, min=0, max=3).tolist()
        [0, 2, 1, 0]"""
    def histogram_bin_edges(self, bins: _int = 100, min: _Any = 0, max: _Any = 0, name: _str | None = None) -> Tensor:
        """The bounds of `bins` equal bins from `min` to `max` (both 0: the range of the data), [bins + 1] floats.

        A range without extent is widened by 0.5 on both sides."""
    def histogramdd(self, bins: _Any = 10, ranges: _Sequence[_float] | None = None, density: _bool = False, weights: _Any = None, name: _str | None = None) -> _tuple[Tensor, _list[Tensor]]:
        """How many rows of x [..., d] fall into each cell of a grid: the counts, and a list of the d vectors of edges.

        bins: how many cells (one number, or one per axis) or the edges themselves (d tensors). ranges: lowest and highest
        edge of each axis; by default those of the data. The last cell includes its upper edge. density: counts divided
        by their sum and the cells' volumes."""
    def householder_product(self, tau: _Any, name: _str | None = None) -> Tensor:
        """The first n columns of the product of Householder reflections I - tau v vᴴ: q of a packed QR decomposition.

        Shapes: x [..., m, n] with the vectors below its diagonal, tau [..., k], k <= n <= m; result [..., m, n]."""
    def hsplit(self, num_or_indices: _Any, name: _str | None = None) -> _list[Tensor]:
        """Parts along axis 1 (0 of a vector): see `tensor_split`."""
    def hstack(self, name: _str | None = None) -> Tensor:
        """Tensors side by side: along axis 1, vectors along axis 0."""
    def hypot(self, y: _TensorLike, name: _str | None = None) -> Tensor:
        """sqrt(x² + y²), scaled so that squares don't overflow.

        >>> import vitrify as vt
        >>> float(vt.hypot(vt.to_tensor(3.0), vt.to_tensor(4.0)))
        5.0"""
    def i0(self, *, name: _str | None = None) -> Tensor:
        """Modified Bessel function of the first kind, order 0."""
    def i0e(self, *, name: _str | None = None) -> Tensor:
        """Modified Bessel function of the first kind, order 0, times exp(-|x|)."""
    def i1(self, *, name: _str | None = None) -> Tensor:
        """Modified Bessel function of the first kind, order 1."""
    def i1e(self, *, name: _str | None = None) -> Tensor:
        """Modified Bessel function of the first kind, order 1, times exp(-|x|)."""
    def imag(self, name: _str | None = None) -> Tensor:
        """The imaginary part of every element, in the float dtype of the parts; zeros for a real tensor."""
    @_overload
    def index_add(self, index: _TensorLike, dim: _Axis, source: _TensorLike, alpha: _Any = 1, name: _str | None = None, *, out: _Any = None) -> Tensor: ...
    @_overload
    def index_add(self, index: _TensorLike, axis: _Axis, value: _TensorLike, alpha: _Any = 1, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """x with `value` times `alpha` added to the slices along `axis` that `index` [count] names.

        The axis may stand before the index: `x.index_add(0, index, value)`. Errors: ShapeError for an index of other ranks."""
    def index_fill(self, index: _TensorLike, axis: _int, value: _TensorLike, name: _str | None = None) -> Tensor:
        """x with `value` in the slices along `axis` that `index` [count] names."""
    @_overload
    def index_put(self, indices: _Sequence[_Any], values: _TensorLike, accumulate: _bool = False, name: _str | None = None) -> Tensor: ...
    @_overload
    def index_put(self, indices: _Sequence[_Any], value: _TensorLike, accumulate: _bool = False, name: _str | None = None) -> Tensor:
        """x with `value` at the places that `indices` (integer or bool tensors, which broadcast) name; or added there."""
    def index_sample(self, index: _TensorLike) -> Tensor:
        """x[i, index[i, j]] for matrices."""
    @_overload
    def index_select(self, index: _TensorLike, dim: _int = 0, name: _str | None = None, *, out: _Any = None) -> Tensor: ...
    @_overload
    def index_select(self, index: _TensorLike, axis: _int = 0, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """The slices of x along `axis` that the integers `index` ([count] or [count, 1]) name. Errors: ShapeError."""
    def inner(self, y: _TensorLike, name: _str | None = None) -> Tensor:
        """Sums of products over the last axes of x and y; a number times a tensor scales it.

        >>> import vitrify as vt
        >>> float(vt.inner(vt.to_tensor([1.0, 2.0]), vt.to_tensor([3.0, 4.0])))
        11.0"""
    def inv(self, *, name: _str | None = None) -> Tensor:
        """The inverse of square matrices."""
    def inverse(self, name: _str | None = None) -> Tensor:
        """The inverse of square matrices [..., n, n]. ArgumentError for a singular one."""
    def is_empty(self, name: _str | None = None) -> Tensor:
        """Whether the tensor has no elements; one bool, which a run finds out where a size isn't known before."""
    @_overload
    def isclose(self, other: _TensorLike, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False, name: _str | None = None) -> Tensor: ...
    @_overload
    def isclose(self, y: _TensorLike, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False, name: _str | None = None) -> Tensor:
        """Whether |x - y| <= atol + rtol |y|, element by element; equal infinities are close.

        Errors: KindError for a bool as a tolerance, and for an `equal_nan` that is none."""
    def isfinite(self, *, name: _str | None = None) -> Tensor:
        """Whether an element is neither infinite nor NaN."""
    @_overload
    def isin(self, test_elements: _Any, assume_unique: _bool = False, invert: _bool = False, name: _str | None = None) -> Tensor: ...
    @_overload
    def isin(self, test_x: _Any, assume_unique: _bool = False, invert: _bool = False, name: _str | None = None) -> Tensor:
        """Whether each element of x is among those of `test_x`; with `invert`: whether it isn't."""
    def isinf(self, *, name: _str | None = None) -> Tensor:
        """Whether an element is infinite."""
    def isnan(self, *, name: _str | None = None) -> Tensor:
        """Whether an element is not a number."""
    def isneginf(self, name: _str | None = None) -> Tensor:
        """Whether an element is negative infinity."""
    def isposinf(self, name: _str | None = None) -> Tensor:
        """Whether an element is positive infinity."""
    def isreal(self, name: _str | None = None) -> Tensor:
        """Whether an element has no imaginary part; true of all real dtypes."""
    def istft(self, n_fft: _int, hop_length: _int | None = None, win_length: _int | None = None, window: _Any = None, center: _bool = True, normalized: _bool = False, onesided: _bool = True, length: _int | None = None, return_complex: _bool = False, name: _str | None = None) -> Tensor:
        """The signals behind `stft` with the same arguments, by least squares; cut to `length`.

        Shapes: x [n_fft // 2 + 1 (onesided) or n_fft, frames], maybe after a batch axis; result [n] or [batch, n].
        Errors: ArgumentError (a ValueError) where the windows leave an element of the signal without weight."""
    def kron(self, y: _TensorLike, name: _str | None = None) -> Tensor:
        """The Kronecker product: blocks of y, each times one element of x."""
    def kthvalue(self, k: _Any, axis: _int | None = None, keepdim: _bool = False, name: _str | None = None) -> _tuple[Tensor, Tensor]:
        """The k-th smallest element (from 1) along `axis` (the last by default), and its place (int64)."""
    @_overload
    def lcm(self, other: _TensorLike, *, name: _str | None = None) -> Tensor: ...
    @_overload
    def lcm(self, y: _TensorLike, *, name: _str | None = None) -> Tensor:
        """Least common multiple of two integers."""
    def ldexp(self, y: _TensorLike, name: _str | None = None) -> Tensor:
        """x times 2 to the power y, as float."""
    @_overload
    def le(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def le(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Whether x <= y."""
    def leaky_relu(self, negative_slope: _Any = 0.01, *, name: _str | None = None) -> Tensor:
        """x where positive, else `negative_slope` times x. The gradient at 0 is 1."""
    def lerp(self, y: _TensorLike, weight: _TensorLike, name: _str | None = None) -> Tensor:
        """x + weight · (y - x)."""
    @_overload
    def less(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def less(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Whether x < y."""
    @_overload
    def less_equal(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def less_equal(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Whether x <= y."""
    @_overload
    def less_than(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def less_than(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Whether x < y."""
    def lgamma(self, *, name: _str | None = None) -> Tensor:
        """Logarithm of |gamma(x)|."""
    def log(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Natural logarithm."""
    def log10(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Logarithm to base 10."""
    def log1p(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """log(1 + x), exact near 0."""
    def log2(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Logarithm to base 2."""
    def log_sigmoid(self, name: _str | None = None) -> Tensor:
        """log(sigmoid(x)), without overflow."""
    def log_softmax(self, axis: _int = -1, dtype: _DTypeLike | None = None, name: _str | None = None) -> Tensor:
        """The logarithm of softmax: x - log(sum(exp(x))) along `axis`, without overflow."""
    def logaddexp(self, y: _TensorLike, name: _str | None = None) -> Tensor:
        """log(exp(x) + exp(y)) without overflow."""
    def logcumsumexp(self, axis: _int | None = None, dtype: _DTypeLike | None = None, name: _str | None = None) -> Tensor:
        """log of the running sum of exp(x) along `axis` (of the flattened tensor by default), without overflow."""
    @_overload
    def logical_and(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def logical_and(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Whether both elements are true. Numbers count as true unless 0."""
    def logical_not(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Whether an element is false, or 0."""
    @_overload
    def logical_or(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def logical_or(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Whether one of two elements is true. Numbers count as true unless 0."""
    @_overload
    def logical_xor(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def logical_xor(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Whether just one of two elements is true. Numbers count as true unless 0."""
    def logit(self, eps: _float | None = None, name: _str | None = None) -> Tensor:
        """log(x) - log(1 - x); with `eps`, x is first moved into [eps, 1 - eps]."""
    @_overload
    def logsumexp(self, dim: _Axis | None = None, keepdim: _bool = False, name: _str | None = None, *, out: _Any = None) -> Tensor: ...
    @_overload
    def logsumexp(self, axis: _Axis | None = None, keepdim: _bool = False, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """log(sum(exp(x))) over `axis` (default: all), without overflow; -inf where all are -inf or none is there."""
    def lstsq(self, y: _TensorLike, rcond: _float | None = None, driver: _str | None = None, name: _str | None = None) -> _tuple[Tensor, Tensor, Tensor, Tensor]:
        """The X of least |x X - y|, of least norm among several: solution, residuals, rank and singular values.

        Shapes: x [..., m, n], y [..., m, k]; solution [..., n, k]; residuals [..., k] where m > n, else empty; rank
        int32 [...]; singular values [..., min(m, n)] for the drivers "gelss" and "gelsd", else empty."""
    @_overload
    def lt(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def lt(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Whether x < y."""
    @_overload
    def lu(self, pivot: _bool = True, get_infos: _Literal[False] = False, name: _str | None = None) -> _tuple[Tensor, Tensor]:
        """Factors of x = P L U in one tensor [..., m, n], the row exchanges int32 [..., min(m, n)] counted from 1, and with
        get_infos int32 [...]: 0, or 1 + the number of the first zero pivot."""
    @_overload
    def lu(self, pivot: _bool = True, get_infos: _bool = False, name: _str | None = None) -> _tuple[Tensor, ...]: ...
    def lu_solve(self, lu: _Any, pivots: _Any, trans: _str = 'N', name: _str | None = None) -> Tensor:
        """The solution of A x = b (trans "T": Aᵀ x = b, "C": Aᴴ x = b) from the factors of A that `lu` gave."""
    def lu_unpack(self, y: _TensorLike, unpack_ludata: _bool = True, unpack_pivots: _bool = True, name: _str | None = None) -> _tuple[Tensor, Tensor, Tensor]:
        """P, L and U from what `lu` gave; None for what isn't asked for.

        Shapes: P [..., m, m], L [..., m, k], U [..., k, n]."""
    def masked_fill(self, mask: _TensorLike, value: _TensorLike, name: _str | None = None) -> Tensor:
        """x with `value` where the mask is true."""
    @_overload
    def masked_scatter(self, mask: _TensorLike, value: _TensorLike, *, name: _str | None = None) -> Tensor: ...
    @_overload
    def masked_scatter(self, mask: _TensorLike, values: _TensorLike, *, name: _str | None = None) -> Tensor:
        """x with its elements where `mask` is true replaced by the first elements of `values`."""
    def masked_select(self, mask: _TensorLike, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """The elements of x where `mask` is true, in order.

        Shapes: x and mask broadcast; result [count]. Dtype: as x. The gradient goes to the elements taken.

        >>> import vitrify as vt
        >>> vt.masked_select(vt.to_tensor([1.0, 2.0, 3.0]), vt.to_tensor([True, False, True])).tolist()
        [1.0, 3.0]"""
    @_overload
    def matmul(self, other: _TensorLike, transpose_x: _bool = False, transpose_y: _bool = False, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def matmul(self, y: _TensorLike, transpose_x: _bool = False, transpose_y: _bool = False, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """The matrix product over the last two axes; leading axes broadcast; a vector is one row or one column."""
    def matrix_exp(self, name: _str | None = None) -> Tensor:
        """The exponential of square matrices; that of a number is `exp`. Shapes: [..., n, n] or [], and the result's."""
    def matrix_power(self, n: _int, name: _str | None = None) -> Tensor:
        """Square matrices times themselves n times; n = 0 gives identities, a negative n powers of the inverse."""
    def matrix_rank(self, tol: _Any = None, hermitian: _bool = False, atol: _Any = None, rtol: _Any = None, name: _str | None = None) -> Tensor:
        """How many singular values of [..., m, n] are above the tolerance: `tol`, else the larger of `atol` and of `rtol`
        times the largest; by default, and where `atol` is 0, max(m, n) · eps times the largest. int64 [...].

        Errors: ArgumentError for `tol` beside `atol` or `rtol`."""
    def matrix_transpose(self, name: _str | None = None) -> Tensor:
        """The last two axes exchanged."""
    def max(self, axis: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None) -> Tensor:
        """Largest element over `axis`; NaN wins. Each of several largest elements gets the whole gradient."""
    @_overload
    def maximum(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def maximum(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """The larger of two elements; NaN wins. Equal elements share the gradient evenly."""
    def maxout(self, groups: _int, axis: _int = 1, name: _str | None = None) -> Tensor:
        """The maximum of every `groups` neighbouring channels."""
    @_overload
    def mean(self, dim: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None, dtype: _DTypeLike | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def mean(self, axis: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None, dtype: _DTypeLike | None = None, out: _Any = None) -> Tensor:
        """Arithmetic mean over `axis` (all axes by default); integers become the default float first. NaN of no elements."""
    @_overload
    def median(self, dim: _Axis | None = None, keepdim: _bool = False, mode: _str = 'avg', name: _str | None = None, *, out: _Any = None) -> Tensor: ...
    @_overload
    def median(self, axis: _Axis | None = None, keepdim: _bool = False, mode: _str = 'avg', name: _str | None = None, *, out: _Any = None) -> Tensor:
        """The median over `axis`: the mean of the two middle elements, with mode="min" the lower one. NaN wins.

        mode="min" along one axis gives the places (int64) too.

        >>> import vitrify as vt
        >>> float(vt.median(vt.to_tensor([3.0, 1.0, 2.0, 10.0])))
        2.5"""
    def min(self, axis: _Axis | None = None, keepdim: _bool = False, *, name: _str | None = None) -> Tensor:
        """Smallest element over `axis`; NaN wins. Each of several smallest elements gets the whole gradient."""
    @_overload
    def minimum(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def minimum(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """The smaller of two elements; NaN wins. Equal elements share the gradient evenly."""
    def mish(self, name: _str | None = None) -> Tensor:
        """x * tanh(softplus(x))."""
    def mm(self, mat2: _Any, name: _str | None = None) -> Tensor:
        """The product of two matrices, [n, k] and [k, m] (as matmul: other ranks broadcast)."""
    @_overload
    def mod(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def mod(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """What floor division leaves: it has the sign of `y`, as Python's `%`. Integers modulo 0 give 0."""
    def mode(self, axis: _int = -1, keepdim: _bool = False, name: _str | None = None) -> _tuple[Tensor, Tensor]:
        """The most frequent element along `axis` (the smallest of equally frequent ones) and its last place (int64)."""
    def moveaxis(self, source: _TensorLike, destination: _Any, name: _str | None = None) -> Tensor:
        """With the axes `source` at the places `destination`; the others keep their order."""
    def msort(self, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """The elements along the first axis in rising order."""
    @_overload
    def mul(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def mul(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Product of two tensors, element by element; of bools, whether both are true."""
    def multi_dot(self, name: _str | None = None) -> Tensor:
        """The product of several matrices in the order of least work; the first and the last may be vectors."""
    def multigammaln(self, p: _int, name: _str | None = None) -> Tensor:
        """Logarithm of the multivariate gamma function of dimension p; x above (p - 1) / 2.

        >>> import vitrify as vt
        >>> round(float(vt.multigammaln(vt.to_tensor(3.0), 1)), 4)
        0.6931"""
    def multiplex(self, index: _TensorLike, name: _str | None = None) -> Tensor:
        """Row i of the result is row i of the input that `index` [count, 1] or [count] names."""
    @_overload
    def multiply(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def multiply(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Product of two tensors, element by element; of bools, whether both are true."""
    def mv(self, vec: _TensorLike, name: _str | None = None) -> Tensor:
        """The product of a matrix [n, k] and a vector [k]."""
    def nan_to_num(self, nan: _float = 0.0, posinf: _float | None = None, neginf: _float | None = None, name: _str | None = None) -> Tensor:
        """NaN and infinities replaced; by default with 0, the largest and the lowest float of the dtype."""
    def nanmean(self, axis: _Axis | None = None, keepdim: _bool = False, name: _str | None = None) -> Tensor:
        """The mean over `axis` of the elements that aren't NaN; NaN where there is none."""
    def nanmedian(self, axis: _Axis | None = None, keepdim: _bool = False, mode: _str = 'avg', name: _str | None = None) -> Tensor:
        """`median` of the elements that aren't NaN; NaN, with a gradient of 0, where there is none."""
    def nanquantile(self, q: _Any, axis: _Axis | None = None, keepdim: _bool = False, interpolation: _str = 'linear', name: _str | None = None) -> Tensor:
        """`quantile` of the elements that aren't NaN; NaN where there is none."""
    def nansum(self, axis: _Axis | None = None, dtype: _DTypeLike | None = None, keepdim: _bool = False, name: _str | None = None) -> Tensor:
        """The sum over `axis`, NaN counted as 0.

        >>> import vitrify as vt
        >>> float(vt.nansum(vt.to_tensor([1.0, float("nan"), 2.0])))
        3.0"""
    def narrow(self, dim: _int, start: _Any, length: _int) -> Tensor:
        """`length` elements along the axis `dim`, from `start` on (a number or a tensor of one).

        Errors: ArgumentError where they don't fit.

        >>> import vitrify as vt
        >>> vt.narrow(vt.arange(5), 0, 1, 3).tolist()
        [1, 2, 3]"""
    @_overload
    def ne(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def ne(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Whether two elements differ; NaN differs from itself."""
    def neg(self, *, name: _str | None = None) -> Tensor:
        """Every element with the other sign."""
    def negative(self, *, name: _str | None = None) -> Tensor:
        """Every element with the other sign."""
    def nextafter(self, y: _TensorLike, *, name: _str | None = None) -> Tensor:
        """The next float after x in the direction of y."""
    @_overload
    def nonzero(self, as_tuple: _Literal[False] = False, *, out: _Any = None) -> Tensor:
        """The places of the elements that aren't zero, in order: i64[count, rank], or with `as_tuple` i64[count] per axis.

        >>> import vitrify as vt
        >>> vt.nonzero(vt.to_tensor([0, 5, 7])).tolist()
        [[1], [2]]"""
    @_overload
    def nonzero(self, as_tuple: _bool = False, *, out: _Any = None) -> _tuple[Tensor, ...]: ...
    @_overload
    def norm(self, ord: _Any = None, dim: _Axis | None = None, keepdim: _bool = False, name: _str | None = None, dtype: _DTypeLike | None = None, *, out: _Any = None) -> Tensor: ...
    @_overload
    def norm(self, ord: _Any = None, dim: _Axis | None = None, keepdim: _bool = False, name: _str | None = None, dtype: _DTypeLike | None = None, *, out: _Any = None) -> Tensor: ...
    @_overload
    def norm(self, p: _Any = None, axis: _Axis | None = None, keepdim: _bool = False, name: _str | None = None, dtype: _DTypeLike | None = None, *, out: _Any = None) -> Tensor:
        """The norm of order p of all elements (axis None), along one axis, or of the matrices on two axes.

        p: None is 2 for vectors and "fro" for matrices; "fro" of all elements is their 2-norm. dtype: what x is converted
        to first."""
    @_overload
    def not_equal(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def not_equal(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Whether two elements differ; NaN differs from itself."""
    def numel(self, name: _str | None = None) -> Tensor:
        """The number of elements of `x` as a tensor without axes, int64."""
    def ormqr(self, tau: _Any, y: _TensorLike, left: _bool = True, transpose: _bool = False, name: _str | None = None) -> Tensor:
        """Q y (left) or y Q, or with Qᴴ (transpose), where Q [m, n] is `householder_product` of x [m, n] and tau [n].

        Errors: AssertedError where the shapes or dtypes don't fit."""
    @_overload
    def outer(self, vec2: _TensorLike, name: _str | None = None, *, out: _Any = None) -> Tensor: ...
    @_overload
    def outer(self, y: _TensorLike, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """All products of the elements of two vectors, [n, m]; other ranks are flattened."""
    def pca_lowrank(self, q: _int | None = None, center: _bool = True, niter: _int = 2, name: _str | None = None) -> _tuple[Tensor, Tensor, Tensor]:
        """The q main directions of the rows of x, which are centred first: u, s and v as of `svd_lowrank`."""
    def pdist(self, p: _float = 2.0, compute_mode: _str = 'use_mm_for_euclid_dist_if_necessary', name: _str | None = None) -> Tensor:
        """The distances of order p between every two rows i < j of x [n, d], row by row: [n (n - 1) / 2]."""
    def permute(self, *axes: _Any, dims: _Axis | None = None) -> Tensor:
        """The axes in another order: `transpose`, which also takes the axes one by one. `dims=` is a list of them.

        >>> import vitrify as vt
        >>> vt.ones([2, 3, 4]).permute(2, 0, 1).shape
        [4, 2, 3]"""
    def pinv(self, rcond: _Any = 1e-15, hermitian: _bool = False, name: _str | None = None) -> Tensor:
        """The Moore-Penrose inverse of [..., m, n]; singular values up to rcond times the largest count as 0."""
    def polar(self, angle: _Any, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """Complex numbers from their absolute values and angles; both broadcast."""
    def polygamma(self, n: _int, name: _str | None = None) -> Tensor:
        """The n-th derivative of digamma; digamma itself for n = 0. Errors: ArgumentError for a negative n.

        >>> import vitrify as vt
        >>> round(float(vt.polygamma(vt.to_tensor(1.0), 1)), 4)
        1.6449"""
    def positive(self, name: _str | None = None) -> Tensor:
        """`x` itself. Errors: DTypeError for bools."""
    @_overload
    def pow(self, exponent: _TensorLike, name: _str | None = None, *, out: _Any = None) -> Tensor: ...
    @_overload
    def pow(self, y: _TensorLike, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """`x` to the power `y`; a constant power of 2 is a multiplication, one of 0.5 a square root, as in NumPy."""
    def prelu(self, weight: _TensorLike, data_format: _str = 'NCHW', name: _str | None = None) -> Tensor:
        """x where positive, else weight * x; weight [1], or [channels]."""
    @_overload
    def prod(self, dim: _Axis | None = None, keepdim: _bool = False, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None) -> Tensor: ...
    @_overload
    def prod(self, axis: _Axis | None = None, keepdim: _bool = False, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """Product over `axis` (all axes by default), in `dtype` if given. int32 stays, other integers become int64."""
    def put_along_axis(self, indices: _TensorLike, values: _Any, axis: _int, reduce: _str = 'assign', include_self: _bool = True, broadcast: _bool = True) -> Tensor:
        """arr with `values` put at the places along `axis` that `indices` name.

        reduce: "assign" writes, "add", "mul" (or "multiply"), "mean", "amin" and "amax" combine all values of a place, and
        the element there too if `include_self`. Without `broadcast`, indices and values may be smaller than arr.

        >>> import vitrify as vt
        >>> x = vt.to_tensor([[1.0, 2.0]])
        >>> vt.put_along_axis(x, vt.to_tensor([[0, 0]]), vt.to_tensor([[3.0, 4.0]]), 1, "mul", broadcast=False).tolist()
        [[12.0, 2.0]]"""
    def qr(self, mode: _str = 'reduced', name: _str | None = None) -> _tuple[Tensor, Tensor]:
        """x = q r with orthonormal columns in q and an upper triangular r; mode "r" gives r alone.

        Shapes: x [..., m, n]; q [..., m, k], r [..., k, n], k = min(m, n), or m in mode "complete".
        Errors: ArgumentError for another mode."""
    @_overload
    def quantile(self, q: _Any, dim: _Axis | None = None, keepdim: _bool = False, interpolation: _str = 'linear', name: _str | None = None, *, out: _Any = None) -> Tensor: ...
    @_overload
    def quantile(self, q: _Any, axis: _Axis | None = None, keepdim: _bool = False, interpolation: _str = 'linear', name: _str | None = None, *, out: _Any = None) -> Tensor:
        """The q-quantile (0 to 1) over `axis`, in the dtype of x; several q: along a new first axis. NaN wins.

        interpolation between two ranks: linear, higher, lower, midpoint or nearest.

        >>> import vitrify as vt
        >>> float(vt.quantile(vt.to_tensor([1.0, 2.0, 4.0]), 0.75))
        3.0"""
    def rad2deg(self, name: _str | None = None) -> Tensor:
        """Radians to degrees; integers become the default float."""
    def rank(self) -> Tensor:
        """The number of axes of `x` as a tensor without axes, int32."""
    @_overload
    def ravel(self, start_dim: _int = 0, end_dim: _int = -1, name: _str | None = None) -> Tensor: ...
    @_overload
    def ravel(self, start_axis: _int = 0, stop_axis: _int = -1, name: _str | None = None) -> Tensor:
        """With the axes from `start_axis` to `stop_axis`, both included, joined into one."""
    def real(self, name: _str | None = None) -> Tensor:
        """The real part of every element, in the float dtype of the parts; a real tensor as it is."""
    def reciprocal(self, *, name: _str | None = None) -> Tensor:
        """1 / x of every element."""
    def reduce_as(self, target: _TensorLike, name: _str | None = None) -> Tensor:
        """x summed down to the shape of `target`, which broadcasts to that of x."""
    def relu(self, *, name: _str | None = None) -> Tensor:
        """max(x, 0). Gradient at 0: 0."""
    def relu6(self, name: _str | None = None) -> Tensor:
        """x bounded to [0, 6]. The gradient at the bounds is 0."""
    @_overload
    def remainder(self, other: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor: ...
    @_overload
    def remainder(self, y: _TensorLike, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """What floor division leaves: it has the sign of `y`, as Python's `%`. Integers modulo 0 give 0."""
    def renorm(self, p: _float, axis: _int, max_norm: _float) -> Tensor:
        """The slices along `axis` whose p-norm is above `max_norm` scaled down to it."""
    def repeat(self, *repeats: _Any) -> Tensor:
        """The whole tensor repeated per axis, as `tile`: a list, or numbers one by one.

        >>> import vitrify as vt
        >>> vt.ones([2, 3]).repeat(2, 1).shape
        [4, 3]"""
    @_overload
    def repeat_interleave(self, repeats: _Any, dim: _int | None = None, name: _str | None = None, *, output_size: _int | None = None) -> Tensor: ...
    @_overload
    def repeat_interleave(self, repeats: _Any, axis: _int | None = None, name: _str | None = None, *, output_size: _int | None = None) -> Tensor:
        """Each slice along `axis` (element of the flattened tensor by default) repeated in place.

        repeats: an int, or an integer tensor or list [size of the axis]. output_size: the sum of the repeats, where it is
        known; the result is the same.

        >>> import vitrify as vt
        >>> vt.repeat_interleave(vt.to_tensor([1, 2]), 2).tolist()
        [1, 1, 2, 2]"""
    @_overload
    def reshape(self, size: _Shape, *, name: _str | None = None) -> Tensor: ...
    @_overload
    def reshape(self, shape: _Shape, *, name: _str | None = None) -> Tensor:
        """The same elements in row-major order under another `shape`; one size may be -1, and 0 keeps the operand's size."""
    def reshape_as(self, other: _TensorLike) -> Tensor:
        """In the shape of `other`."""
    def reverse(self, axis: _Axis, *, name: _str | None = None) -> Tensor:
        """The elements in reverse order along `axis`."""
    @_overload
    def roll(self, shifts: _Any, dims: _Axis | None = None, name: _str | None = None) -> Tensor: ...
    @_overload
    def roll(self, shifts: _Any, axis: _Axis | None = None, name: _str | None = None) -> Tensor:
        """The elements moved by `shifts` places along `axis` (of the flattened tensor by default), round the end."""
    def rot90(self, k: _int = 1, axes: _Sequence[_int] = ..., name: _str | None = None) -> Tensor:
        """Rotated by k quarter turns in the plane of `axes`, from the first towards the second."""
    def round(self, decimals: _int = 0, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """Nearest number with `decimals` decimals; halves go to the even one."""
    def row_stack(self, name: _str | None = None) -> Tensor:
        """Tensors one below another: along axis 0, vectors as rows."""
    def rsqrt(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """1 / sqrt(x)."""
    def scale(self, scale: _Any = 1.0, bias: _float = 0.0, bias_after_scale: _bool = True, act: _str | None = None, name: _str | None = None) -> Tensor:
        """scale · x + bias, or scale · (x + bias) without `bias_after_scale`, in the dtype of x; `act` names an activation.

        >>> import vitrify as vt
        >>> vt.scale(vt.to_tensor([1.0, 2.0]), 2.0, 1.0).tolist()
        [3.0, 5.0]"""
    def scatter(self, index: _TensorLike, updates: _TensorLike, overwrite: _bool = True, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """x with the rows that `index` ([count], or one number) names replaced by `updates`.

        Without `overwrite`: replaced by the sum of theirs."""
    def scatter_add(self, dim: _int, index: _TensorLike, src: _Any) -> Tensor:
        """x with `src` added at the places along `dim` that `index` names; index and src may be smaller than x.

        >>> import vitrify as vt
        >>> vt.scatter_add(vt.zeros([3]), 0, vt.to_tensor([0, 2, 2]), vt.to_tensor([1.0, 2.0, 3.0])).tolist()
        [1.0, 0.0, 5.0]"""
    def scatter_nd(self, updates: _TensorLike, shape: _Shape, name: _str | None = None) -> Tensor:
        """Zeros of `shape` with `updates` added at the points that `index` [..., k] names."""
    def scatter_nd_add(self, index: _TensorLike, updates: _TensorLike, *, name: _str | None = None) -> Tensor:
        """x with `updates` added at the points that `index` [..., k] names: the transpose of gather_nd."""
    def scatter_reduce(self, dim: _int, index: _TensorLike, src: _Any, reduce: _str, *, include_self: _bool = True) -> Tensor:
        """x with `src` combined at the places along `dim` that `index` names: "sum", "prod", "mean", "amin" or "amax".

        include_self: whether the element already there takes part. Errors: ArgumentError for another `reduce`.

        >>> import vitrify as vt
        >>> vt.scatter_reduce(vt.ones([2]), 0, vt.to_tensor([0, 0]), vt.to_tensor([5.0, 3.0]), "amax").tolist()
        [5.0, 1.0]"""
    @_overload
    def searchsorted(self, input: _Any, out_int32: _bool = False, right: _bool = False, name: _str | None = None, *, side: _str | None = None, sorter: _Any = None, out: _Any = None) -> Tensor: ...
    @_overload
    def searchsorted(self, values: _Any, out_int32: _bool = False, right: _bool = False, name: _str | None = None, *, side: _str | None = None, sorter: _Any = None, out: _Any = None) -> Tensor:
        """The places at which `values` keep the sorted sequences (last axis) sorted: the first, with `right` the last one.

        side: "left" or "right", which is `right`. sorter: integers in whose order the sequences are sorted, as `argsort`
        gives them. Errors: ArgumentError for another side, and for "left" with `right`.

        >>> import vitrify as vt
        >>> vt.searchsorted(vt.to_tensor([1, 3, 5]), vt.to_tensor([3, 6])).tolist()
        [1, 3]"""
    def select_scatter(self, values: _Any, axis: _int, index: _int, name: _str | None = None) -> Tensor:
        """x with its slice `index` along `axis` replaced by `values`."""
    def selu(self, scale: _float = 1.0507009873554805, alpha: _float = 1.6732632423543772, name: _str | None = None) -> Tensor:
        """scale * (x where positive, else alpha * (exp(x) - 1)): keeps mean 0 and variance 1 (Klambauer et al., 2017).

        Errors: ArgumentError for a scale of at most 1, or an alpha below 0."""
    def sgn(self, name: _str | None = None) -> Tensor:
        """The sign of every element; of a complex one x / |x|, and 0 of 0."""
    def shard_index(self, index_num: _int, nshards: _int, shard_id: _int, ignore_value: _int = -1, name: _str | None = None) -> Tensor:
        """Each label's place in its shard of ceil(index_num / nshards) labels; `ignore_value` for those of other shards."""
    def sigmoid(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """1 / (1 + exp(-x))."""
    def sign(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """-1, 0 or 1 by the sign of every element; NaN stays. Gradient: 0."""
    def signbit(self, *, name: _str | None = None) -> Tensor:
        """Whether an element is negative, -0.0 included."""
    def silu(self, name: _str | None = None) -> Tensor:
        """x * sigmoid(x)."""
    def sin(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Sine of radians."""
    def sinc(self, name: _str | None = None) -> Tensor:
        """sin(πx) / (πx), and 1 at 0.

        >>> import vitrify as vt
        >>> vt.sinc(vt.to_tensor([0.0, 0.5])).tolist()[0]
        1.0"""
    def sinh(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Hyperbolic sine."""
    def slice(self, axes: _Axis, starts: _Any, ends: _Any, name: _str | None = None) -> Tensor:
        """From `starts` up to but without `ends` along `axes`; places count from the end if negative."""
    def slice_scatter(self, value: _TensorLike, axes: _Sequence[_int], starts: _Any, ends: _Any, strides: _Any, name: _str | None = None) -> Tensor:
        """x with the box from `starts` to `ends` by `strides` along `axes` replaced by `value`, which broadcasts."""
    def slogdet(self, name: _str | None = None) -> Tensor:
        """The sign of each determinant and the logarithm of its absolute value, stacked: [2, ...] for x [..., n, n]."""
    @_overload
    def softmax(self, dim: _int | None = None, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None) -> Tensor: ...
    @_overload
    def softmax(self, axis: _int | None = None, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """exp(x) over its sum along `axis`; without one along axis 1, or 0 of tensors with 0, 1 or 3 axes.

        That is PaddlePaddle's rule, and PyTorch's old one; `nn.functional.softmax` takes the last axis."""
    def softplus(self, beta: _Any = 1.0, threshold: _Any = 20.0, *, name: _str | None = None) -> Tensor:
        """log(1 + exp(beta x)) / beta; x itself where beta x is above `threshold`."""
    @_overload
    def softshrink(self, lambd: _float = 0.5, name: _str | None = None) -> Tensor: ...
    @_overload
    def softshrink(self, threshold: _float = 0.5, name: _str | None = None) -> Tensor:
        """x moved towards 0 by `threshold`, and 0 where it is nearer. Errors: ArgumentError for a threshold below 0."""
    def softsign(self, name: _str | None = None) -> Tensor:
        """x / (1 + |x|)."""
    @_overload
    def solve(self, B: _TensorLike, left: _bool = True, name: _str | None = None, *, out: _Any = None) -> Tensor: ...
    @_overload
    def solve(self, y: _TensorLike, left: _bool = True, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """The X with x X = y (left=False: X x = y), for square matrices x [..., n, n].

        Shapes: y [..., n, k], or [n] for a vector; leading axes broadcast. Errors: ArgumentError for a singular matrix."""
    def sort(self, axis: _int = -1, descending: _bool = False, stable: _bool = False, name: _str | None = None) -> Tensor:
        """The elements along `axis` in rising order, or falling with `descending`."""
    def split(self, num_or_sections: _Any, axis: _Axis = 0, name: _str | None = None) -> _list[Tensor]:
        """Parts along `axis`: a number of equal ones, or of the sizes listed (one may be -1)."""
    def sqrt(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Square root."""
    def square(self, *, name: _str | None = None) -> Tensor:
        """Every element times itself."""
    @_overload
    def squeeze(self, dim: _Axis | None = None, name: _str | None = None) -> Tensor: ...
    @_overload
    def squeeze(self, axis: _Axis | None = None, name: _str | None = None) -> Tensor:
        """Without the axes of size 1 (those named by `axis`, if it names any; named axes of another size stay).

        In a program each call with other sizes decides anew. What an InputSpec leaves open doesn't count as 1, and the
        program takes no such size; where only a run knows a size, that it isn't 1 is checked then.
        Errors: ShapeError in the run of a program where such a size turns out to be 1, as ranks can't depend on data."""
    @_overload
    def stack(self, dim: _int = 0, name: _str | None = None, *, out: _Any = None) -> Tensor: ...
    @_overload
    def stack(self, axis: _int = 0, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """Tensors of one shape side by side along a new `axis`. Errors: KindError for one tensor instead of a list."""
    def stanh(self, scale_a: _float = 0.67, scale_b: _float = 1.7159, name: _str | None = None) -> Tensor:
        """scale_b · tanh(scale_a · x)."""
    def std(self, axis: _Axis | None = None, unbiased: _bool = True, keepdim: _bool = False, name: _str | None = None) -> Tensor:
        """The standard deviation over `axis` (all axes by default); gradient 0 where it is 0. Of one number: NaN."""
    def stft(self, n_fft: _int, hop_length: _int | None = None, win_length: _int | None = None, window: _Any = None, center: _bool = True, pad_mode: _str = 'reflect', normalized: _bool = False, onesided: _bool = True, name: _str | None = None) -> Tensor:
        """The transforms of overlapping windows of signals.

        Shapes: x [n] or [batch, n]; window [win_length]; result [..., n_fft // 2 + 1 (onesided) or n_fft, frames], complex.
        hop_length: n_fft // 4 by default. center: frame j is centred on element j · hop_length, after padding by pad_mode
        ("reflect" or "constant"). normalized: divided by the root of n_fft."""
    def strided_slice(self, axes: _Axis, starts: _Any, ends: _Any, strides: _Any, name: _str | None = None) -> Tensor:
        """From `starts` up to but without `ends` along `axes`, every `strides`-th; strides may be negative."""
    @_overload
    def sub(self, other: _TensorLike, *, name: _str | None = None, alpha: _Any = 1, out: _Any = None) -> Tensor: ...
    @_overload
    def sub(self, y: _TensorLike, *, name: _str | None = None, alpha: _Any = 1, out: _Any = None) -> Tensor:
        """Difference of two tensors, element by element."""
    @_overload
    def subtract(self, other: _TensorLike, *, name: _str | None = None, alpha: _Any = 1, out: _Any = None) -> Tensor: ...
    @_overload
    def subtract(self, y: _TensorLike, *, name: _str | None = None, alpha: _Any = 1, out: _Any = None) -> Tensor:
        """Difference of two tensors, element by element."""
    @_overload
    def sum(self, dim: _Axis | None = None, dtype: _DTypeLike | None = None, keepdim: _bool = False, name: _str | None = None, *, out: _Any = None) -> Tensor: ...
    @_overload
    def sum(self, axis: _Axis | None = None, dtype: _DTypeLike | None = None, keepdim: _bool = False, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """Sum over `axis` (all axes by default), in `dtype` if given. Integers and bools are summed as int64."""
    def svd(self, full_matrices: _bool = False, name: _str | None = None, *, out: _Any = None) -> _tuple[Tensor, Tensor, Tensor]:
        """u, s, vh with x = u · diag(s) · vh; s falls.

        Shapes: x [..., m, n]; u [..., m, k], s [..., k], vh [..., k, n], k = min(m, n); full_matrices: [m, m] and [n, n]."""
    def svd_lowrank(self, q: _int | None = None, niter: _int = 2, M: _Any = None, name: _str | None = None) -> _tuple[Tensor, Tensor, Tensor]:
        """The q largest singular values of x - M with their vectors: u [..., m, q], s [..., q], v [..., n, q].

        Computed from the full decomposition, so exactly: `niter` has no effect, but must be 0 or more. q: 6 at most by
        default."""
    def svdvals(self, name: _str | None = None) -> Tensor:
        """The singular values of matrices [..., m, n], falling: [..., min(m, n)]."""
    @_overload
    def swapaxes(self, dim0: _Any = None, dim1: _Any = None, name: _str | None = None, *, perm: _Any = None) -> Tensor: ...
    @_overload
    def swapaxes(self, axis0: _Any = None, axis1: _Any = None, name: _str | None = None, *, perm: _Any = None) -> Tensor:
        """With two axes exchanged; as `transpose` with a list of all axes."""
    @_overload
    def swapdims(self, dim0: _Any = None, dim1: _Any = None, name: _str | None = None, *, perm: _Any = None) -> Tensor: ...
    @_overload
    def swapdims(self, axis0: _Any = None, axis1: _Any = None, name: _str | None = None, *, perm: _Any = None) -> Tensor:
        """With two axes exchanged; as `transpose` with a list of all axes."""
    def swish(self, name: _str | None = None) -> Tensor:
        """x * sigmoid(x)."""
    def t(self, name: _str | None = None) -> Tensor:
        """The transpose of a matrix; a vector or scalar as it is."""
    def take(self, index: _TensorLike, mode: _str = 'raise', name: _str | None = None) -> Tensor:
        """Elements of the flattened tensor, in the shape of `index`. mode: "raise" an error outside, "wrap" or "clip".

        >>> import vitrify as vt
        >>> vt.take(vt.to_tensor([[1, 2], [3, 4]]), vt.to_tensor([-1, 0])).tolist()
        [4, 1]"""
    @_overload
    def take_along_axis(self, indices: _TensorLike, dim: _int, broadcast: _bool = True, *, out: _Any = None) -> Tensor: ...
    @_overload
    def take_along_axis(self, indices: _TensorLike, axis: _int, broadcast: _bool = True, *, out: _Any = None) -> Tensor:
        """One element of arr per element of `indices`, along `axis`.

        broadcast: the other axes of both broadcast; without it indices may be smaller than arr there.

        >>> import vitrify as vt
        >>> vt.take_along_axis(vt.to_tensor([[1, 2, 3], [4, 5, 6]]), vt.to_tensor([[2], [0]]), 1).tolist()
        [[3], [4]]"""
    def tan(self, *, name: _str | None = None) -> Tensor:
        """Tangent of radians."""
    def tanh(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Hyperbolic tangent."""
    def tanhshrink(self, name: _str | None = None) -> Tensor:
        """x - tanh(x)."""
    @_overload
    def tensor_split(self, sections: _Any, dim: _Axis = 0, name: _str | None = None) -> _list[Tensor]: ...
    @_overload
    def tensor_split(self, indices: _Any, dim: _Axis = 0, name: _str | None = None) -> _list[Tensor]: ...
    @_overload
    def tensor_split(self, indices_or_sections: _Any, dim: _Axis = 0, name: _str | None = None) -> _list[Tensor]: ...
    @_overload
    def tensor_split(self, num_or_indices: _Any, axis: _Axis = 0, name: _str | None = None) -> _list[Tensor]:
        """Parts along `axis`: a number of nearly equal ones (the first ones longer), or cut before the places listed.

        >>> import vitrify as vt
        >>> [p.shape for p in vt.tensor_split(vt.arange(5), 2)]
        [[3], [2]]"""
    def tensordot(self, y: _TensorLike, axes: _Axis = 2, name: _str | None = None) -> Tensor:
        """Sums of products over pairs of axes; the result has the other axes of x, then those of y.

        axes: a number n (the last n of x with the first n of y), a list (the same axes of both), or a pair of lists. Where
        one of a pair has size 1, the other is summed."""
    def thresholded_relu(self, threshold: _float = 1.0, value: _float = 0.0, name: _str | None = None) -> Tensor:
        """x where x > threshold, else `value`; NaN stays, without a gradient."""
    @_overload
    def tile(self, dims: _Any, name: _str | None = None) -> Tensor: ...
    @_overload
    def tile(self, repeat_times: _Any, name: _str | None = None) -> Tensor:
        """The whole tensor repeated `repeat_times` per axis, aligned from the last axis."""
    @_overload
    def topk(self, k: _Any, dim: _int = -1, largest: _bool = True, sorted: _bool = True, name: _str | None = None, *, out: _Any = None) -> _tuple[Tensor, Tensor]: ...
    @_overload
    def topk(self, k: _Any, axis: _int = -1, largest: _bool = True, sorted: _bool = True, name: _str | None = None, *, out: _Any = None) -> _tuple[Tensor, Tensor]:
        """The k largest (or smallest) elements along `axis`, in order, and their places (int64)."""
    def trace(self, offset: _int = 0, axis1: _int = 0, axis2: _int = 1, name: _str | None = None) -> Tensor:
        """The sum of a diagonal over `axis1` and `axis2`; that of int32 is int32."""
    def transpose(self, perm: _Any = None, *, name: _str | None = None, dim0: _Any = None, dim1: _Any = None) -> Tensor:
        """The axes in the order `perm` (default: reversed); axis k of the result is axis perm[k] of the operand. Axes after those that a shorter `perm` orders stay where they are."""
    def trapezoid(self, x: _TensorLike | None = None, dx: _Any = None, axis: _int = -1, name: _str | None = None) -> Tensor:
        """The integral of samples y along `axis` by the trapezoid rule, at places `x` or `dx` (1) apart."""
    def triangular_solve(self, y: _TensorLike, upper: _bool = True, transpose: _bool = False, unitriangular: _bool = False, *, name: _str | None = None) -> Tensor:
        """The X with x X = y (transpose: xᵀ X = y) for triangular x, of which the other triangle isn't read."""
    def tril(self, diagonal: _Any = 0, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Matrices with zeros above the given diagonal."""
    def triu(self, diagonal: _Any = 0, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Matrices with zeros below the given diagonal."""
    @_overload
    def true_divide(self, other: _TensorLike, *, name: _str | None = None, rounding_mode: _Any = None, out: _Any = None) -> Tensor: ...
    @_overload
    def true_divide(self, y: _TensorLike, *, name: _str | None = None, rounding_mode: _Any = None, out: _Any = None) -> Tensor:
        """True quotient of two tensors, element by element; integers become the default float first."""
    def trunc(self, *, name: _str | None = None, out: _Any = None) -> Tensor:
        """Integer part: towards 0. Gradient: 0."""
    def type_as(self, other: _TensorLike) -> Tensor:
        """x in the dtype of another tensor."""
    @_overload
    def unbind(self, dim: _int = 0, num: _int | None = None, name: _str | None = None) -> _list[Tensor]: ...
    @_overload
    def unbind(self, axis: _int = 0, num: _int | None = None, name: _str | None = None) -> _list[Tensor]:
        """The slices of `x` along `axis`, without that axis, as a list."""
    @_overload
    def unflatten(self, dim: _int, sizes: _Shape, name: _str | None = None) -> Tensor: ...
    @_overload
    def unflatten(self, axis: _int, shape: _Shape, name: _str | None = None) -> Tensor:
        """With one axis split into several of sizes `shape`; one of them may be -1."""
    @_overload
    def unfold(self, dimension: _int, size: _int, step: _int, name: _str | None = None) -> Tensor: ...
    @_overload
    def unfold(self, axis: _int, size: _int, step: _int, name: _str | None = None) -> Tensor:
        """Windows of `size` elements along `axis`, every `step`-th, as a new last axis."""
    @_overload
    def unique(self, return_index: _Literal[False] = False, return_inverse: _Literal[False] = False, return_counts: _Literal[False] = False, axis: _Axis | None = None, dtype: _DTypeLike = 'int64', name: _str | None = None, sorted: _bool = True) -> Tensor:
        """The different elements of x, sorted, whatever `sorted` says; with `axis`, the different slices along it.

        Further results, as asked for: where each first stands, which one each element of x is, how often each occurs; of
        `dtype` int32 or int64. Errors: KindError for settings that are no bools, ArgumentError for another dtype.

        >>> import vitrify as vt
        >>> [t.tolist() for t in vt.unique(vt.to_tensor([3, 1, 3]), return_counts=True)]
        [[1, 3], [1, 2]]"""
    @_overload
    def unique(self, return_index: _bool = False, return_inverse: _bool = False, return_counts: _bool = False, axis: _Axis | None = None, dtype: _DTypeLike = 'int64', name: _str | None = None, sorted: _bool = True) -> _tuple[Tensor, ...]: ...
    @_overload
    def unique_consecutive(self, return_inverse: _Literal[False] = False, return_counts: _Literal[False] = False, dim: _int | None = None, dtype: _DTypeLike = 'int64', name: _str | None = None) -> Tensor: ...
    @_overload
    def unique_consecutive(self, return_inverse: _bool = False, return_counts: _bool = False, dim: _int | None = None, dtype: _DTypeLike = 'int64', name: _str | None = None) -> _tuple[Tensor, ...]: ...
    @_overload
    def unique_consecutive(self, return_inverse: _Literal[False] = False, return_counts: _Literal[False] = False, axis: _int | None = None, dtype: _DTypeLike = 'int64', name: _str | None = None) -> Tensor:
        """One of each run of equal elements (slices along `axis`); with the run of each element, and their lengths.

        >>> import vitrify as vt
        >>> vt.unique_consecutive(vt.to_tensor([1, 1, 2, 1])).tolist()
        [1, 2, 1]"""
    @_overload
    def unique_consecutive(self, return_inverse: _bool = False, return_counts: _bool = False, axis: _int | None = None, dtype: _DTypeLike = 'int64', name: _str | None = None) -> _tuple[Tensor, ...]: ...
    @_overload
    def unsqueeze(self, dim: _Axis, name: _str | None = None) -> Tensor: ...
    @_overload
    def unsqueeze(self, axis: _Axis, name: _str | None = None) -> Tensor:
        """With a new axis of size 1 at each place of `axis`, inserted one after the other."""
    @_overload
    def unstack(self, dim: _int = 0, num: _int | None = None, name: _str | None = None) -> _list[Tensor]: ...
    @_overload
    def unstack(self, axis: _int = 0, num: _int | None = None, name: _str | None = None) -> _list[Tensor]:
        """The slices of `x` along `axis`, without that axis, as a list."""
    def vander(self, n: _int | None = None, increasing: _bool = False, name: _str | None = None) -> Tensor:
        """Powers of the elements of a vector as columns [count, n], falling unless `increasing`."""
    @_overload
    def var(self, dim: _Axis | None = None, unbiased: _bool | None = None, keepdim: _bool = False, name: _str | None = None, *, correction: _float = 1, out: _Any = None) -> Tensor: ...
    @_overload
    def var(self, axis: _Axis | None = None, unbiased: _bool | None = None, keepdim: _bool = False, name: _str | None = None, *, correction: _float = 1, out: _Any = None) -> Tensor:
        """The variance over `axis` (all axes by default): squares over the count less `correction`. Of one number: NaN.

        unbiased: True is a correction of 1, False of 0. Errors: ArgumentError where both are given and differ."""
    def vecdot(self, y: _TensorLike, axis: _int = -1, name: _str | None = None) -> Tensor:
        """The inner products of vectors along one axis, x conjugated; other axes broadcast."""
    @_overload
    def view(self, size: _Any, *sizes: _Any, name: _str | None = None) -> Tensor: ...
    @_overload
    def view(self, dtype: _Any, *sizes: _Any, name: _str | None = None) -> Tensor: ...
    @_overload
    def view(self, shape_or_dtype: _Any, *sizes: _Any, name: _str | None = None) -> Tensor:
        """In another shape (one size may be -1; a list, or sizes one by one), or the bits of the elements as another dtype.

        >>> import vitrify as vt
        >>> vt.to_tensor([1.0, 2.0]).view("int32").shape
        [2]
        >>> vt.ones([2, 3]).view(3, -1).shape
        [3, 2]"""
    def view_as(self, other: _TensorLike, name: _str | None = None) -> Tensor:
        """In the shape of `other`."""
    def vsplit(self, num_or_indices: _Any, name: _str | None = None) -> _list[Tensor]:
        """Parts along axis 0: see `tensor_split`."""
    def vstack(self, name: _str | None = None) -> Tensor:
        """Tensors one below another: along axis 0, vectors as rows."""
    @_overload
    def where(self, input: _TensorLike | None = None, other: _TensorLike | None = None, name: _str | None = None, *, out: _Any = None) -> Tensor: ...
    @_overload
    def where(self, x: _TensorLike | None = None, y: _TensorLike | None = None, name: _str | None = None, *, out: _Any = None) -> Tensor:
        """The elements of `x` where `condition` is true, else those of `y`.

        Without x and y: the places where it is true, one index tensor per axis."""
    def abs_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`abs`, written in place."""
    def absolute_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`absolute`, written in place."""
    def acos_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`acos`, written in place."""
    def acosh_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`acosh`, written in place."""
    def add_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`add`, written in place."""
    def addmm_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`addmm`, written in place."""
    def arccos_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`arccos`, written in place."""
    def arccosh_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`arccosh`, written in place."""
    def arcsin_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`arcsin`, written in place."""
    def arcsinh_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`arcsinh`, written in place."""
    def arctan2_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`arctan2`, written in place."""
    def arctan_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`arctan`, written in place."""
    def arctanh_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`arctanh`, written in place."""
    def asin_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`asin`, written in place."""
    def asinh_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`asinh`, written in place."""
    def assign_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`assign`, written in place."""
    def atan2_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`atan2`, written in place."""
    def atan_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`atan`, written in place."""
    def atanh_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`atanh`, written in place."""
    def baddbmm_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`baddbmm`, written in place."""
    def bitwise_and_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`bitwise_and`, written in place."""
    def bitwise_invert_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`bitwise_invert`, written in place."""
    def bitwise_left_shift_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`bitwise_left_shift`, written in place."""
    def bitwise_not_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`bitwise_not`, written in place."""
    def bitwise_or_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`bitwise_or`, written in place."""
    def bitwise_right_shift_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`bitwise_right_shift`, written in place."""
    def bitwise_xor_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`bitwise_xor`, written in place."""
    def cast_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`cast`, written in place."""
    def ceil_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`ceil`, written in place."""
    def copysign_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`copysign`, written in place."""
    def cos_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`cos`, written in place."""
    def cosh_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`cosh`, written in place."""
    def cumprod_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`cumprod`, written in place."""
    def cumsum_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`cumsum`, written in place."""
    def deg2rad_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`deg2rad`, written in place."""
    def digamma_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`digamma`, written in place."""
    def div_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`div`, written in place."""
    def divide_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`divide`, written in place."""
    def elu_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`elu`, written in place."""
    def eq_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`eq`, written in place."""
    def equal_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`equal`, written in place."""
    def erf_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`erf`, written in place."""
    def erfinv_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`erfinv`, written in place."""
    def exp_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`exp`, written in place."""
    def expm1_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`expm1`, written in place."""
    def fill_diagonal_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`fill_diagonal`, written in place."""
    def fill_diagonal_tensor_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`fill_diagonal_tensor`, written in place."""
    def flatten_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`flatten`, written in place."""
    def floor_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`floor`, written in place."""
    def floor_divide_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`floor_divide`, written in place."""
    def floor_mod_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`floor_mod`, written in place."""
    def frac_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`frac`, written in place."""
    def gammainc_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`gammainc`, written in place."""
    def gammaincc_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`gammaincc`, written in place."""
    def gammaln_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`gammaln`, written in place."""
    def gcd_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`gcd`, written in place."""
    def ge_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`ge`, written in place."""
    def greater_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`greater`, written in place."""
    def greater_equal_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`greater_equal`, written in place."""
    def greater_than_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`greater_than`, written in place."""
    def gt_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`gt`, written in place."""
    def heaviside_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`heaviside`, written in place."""
    def hypot_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`hypot`, written in place."""
    def i0_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`i0`, written in place."""
    def i0e_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`i0e`, written in place."""
    def i1_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`i1`, written in place."""
    def i1e_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`i1e`, written in place."""
    def index_add_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`index_add`, written in place."""
    def index_fill_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`index_fill`, written in place."""
    def index_put_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`index_put`, written in place."""
    def isfinite_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`isfinite`, written in place."""
    def isinf_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`isinf`, written in place."""
    def isnan_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`isnan`, written in place."""
    def lcm_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`lcm`, written in place."""
    def ldexp_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`ldexp`, written in place."""
    def le_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`le`, written in place."""
    def leaky_relu_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`leaky_relu`, written in place."""
    def lerp_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`lerp`, written in place."""
    def less_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`less`, written in place."""
    def less_equal_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`less_equal`, written in place."""
    def less_than_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`less_than`, written in place."""
    def lgamma_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`lgamma`, written in place."""
    def log10_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`log10`, written in place."""
    def log1p_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`log1p`, written in place."""
    def log2_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`log2`, written in place."""
    def log_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`log`, written in place."""
    def logaddexp_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`logaddexp`, written in place."""
    def logical_and_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`logical_and`, written in place."""
    def logical_not_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`logical_not`, written in place."""
    def logical_or_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`logical_or`, written in place."""
    def logical_xor_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`logical_xor`, written in place."""
    def logit_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`logit`, written in place."""
    def lt_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`lt`, written in place."""
    def masked_fill_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`masked_fill`, written in place."""
    def masked_scatter_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`masked_scatter`, written in place."""
    def maximum_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`maximum`, written in place."""
    def minimum_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`minimum`, written in place."""
    def mod_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`mod`, written in place."""
    def mul_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`mul`, written in place."""
    def multigammaln_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`multigammaln`, written in place."""
    def multiply_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`multiply`, written in place."""
    def nan_to_num_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`nan_to_num`, written in place."""
    def ne_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`ne`, written in place."""
    def neg_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`neg`, written in place."""
    def negative_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`negative`, written in place."""
    def nextafter_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`nextafter`, written in place."""
    def not_equal_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`not_equal`, written in place."""
    def polygamma_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`polygamma`, written in place."""
    def pow_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`pow`, written in place."""
    def put_along_axis_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`put_along_axis`, written in place."""
    def rad2deg_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`rad2deg`, written in place."""
    def reciprocal_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`reciprocal`, written in place."""
    def relu_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`relu`, written in place."""
    def remainder_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`remainder`, written in place."""
    def renorm_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`renorm`, written in place."""
    def reshape_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`reshape`, written in place."""
    def round_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`round`, written in place."""
    def rsqrt_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`rsqrt`, written in place."""
    def scale_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`scale`, written in place."""
    def scatter_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`scatter`, written in place."""
    def scatter_add_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`scatter_add`, written in place."""
    def sgn_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`sgn`, written in place."""
    def sigmoid_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`sigmoid`, written in place."""
    def sign_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`sign`, written in place."""
    def signbit_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`signbit`, written in place."""
    def sin_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`sin`, written in place."""
    def sinc_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`sinc`, written in place."""
    def sinh_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`sinh`, written in place."""
    def softmax_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`softmax`, written in place."""
    def softplus_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`softplus`, written in place."""
    def sqrt_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`sqrt`, written in place."""
    def square_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`square`, written in place."""
    def squeeze_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`squeeze`, written in place."""
    def stanh_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`stanh`, written in place."""
    def sub_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`sub`, written in place."""
    def subtract_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`subtract`, written in place."""
    def t_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`t`, written in place."""
    def tan_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`tan`, written in place."""
    def tanh_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`tanh`, written in place."""
    def transpose_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`transpose`, written in place."""
    def tril_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`tril`, written in place."""
    def triu_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`triu`, written in place."""
    def true_divide_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`true_divide`, written in place."""
    def trunc_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`trunc`, written in place."""
    def unsqueeze_(self, *args: _Any, **kwargs: _Any) -> Tensor:
        """`unsqueeze`, written in place."""
    def __add__(self, other: _TensorLike) -> Tensor: ...
    def __radd__(self, other: _TensorLike) -> Tensor: ...
    def __sub__(self, other: _TensorLike) -> Tensor: ...
    def __rsub__(self, other: _TensorLike) -> Tensor: ...
    def __mul__(self, other: _TensorLike) -> Tensor: ...
    def __rmul__(self, other: _TensorLike) -> Tensor: ...
    def __truediv__(self, other: _TensorLike) -> Tensor: ...
    def __rtruediv__(self, other: _TensorLike) -> Tensor: ...
    def __floordiv__(self, other: _TensorLike) -> Tensor: ...
    def __rfloordiv__(self, other: _TensorLike) -> Tensor: ...
    def __mod__(self, other: _TensorLike) -> Tensor: ...
    def __rmod__(self, other: _TensorLike) -> Tensor: ...
    def __pow__(self, other: _TensorLike) -> Tensor: ...
    def __rpow__(self, other: _TensorLike) -> Tensor: ...
    def __matmul__(self, other: _TensorLike) -> Tensor: ...
    def __rmatmul__(self, other: _TensorLike) -> Tensor: ...
    def __and__(self, other: _TensorLike) -> Tensor: ...
    def __rand__(self, other: _TensorLike) -> Tensor: ...
    def __or__(self, other: _TensorLike) -> Tensor: ...
    def __ror__(self, other: _TensorLike) -> Tensor: ...
    def __xor__(self, other: _TensorLike) -> Tensor: ...
    def __rxor__(self, other: _TensorLike) -> Tensor: ...
    def __lshift__(self, other: _TensorLike) -> Tensor: ...
    def __rlshift__(self, other: _TensorLike) -> Tensor: ...
    def __rshift__(self, other: _TensorLike) -> Tensor: ...
    def __rrshift__(self, other: _TensorLike) -> Tensor: ...
    def __lt__(self, other: _TensorLike) -> Tensor: ...
    def __le__(self, other: _TensorLike) -> Tensor: ...
    def __gt__(self, other: _TensorLike) -> Tensor: ...
    def __ge__(self, other: _TensorLike) -> Tensor: ...
    def __eq__(self, other: object) -> Tensor: ...  # type: ignore[override]
    def __ne__(self, other: object) -> Tensor: ...  # type: ignore[override]
    def __neg__(self) -> Tensor: ...
    def __pos__(self) -> Tensor: ...
    def __abs__(self) -> Tensor: ...
    def __invert__(self) -> Tensor: ...
