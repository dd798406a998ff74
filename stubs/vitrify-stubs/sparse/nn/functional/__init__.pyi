# Written by `make stubs`; edits here are lost.

"""Names of PaddlePaddle's module of the same path."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any

def attention(query: _Any, key: _Any, value: _Any, sparse_mask: _Any, key_padding_mask: _Any = None, attn_mask: _Any = None, name: _str | None = None) -> _Any:
    """Attention [batch, heads, n, d] between the pairs where sparse_mask [batch · heads, n, n] has values.

    key_padding_mask [batch, n] and attn_mask [n, n]: pairs with 0 there count as minus infinity."""

def conv2d(x: _Any, weight: _Any, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NHWC', name: _str | None = None) -> _Any:
    """The correlation of sparse images [n, h, w, c] with filters [kh, kw, c, out], plus a bias [out] where sites are.

    Results are where a site lies under the filter, sorted. Errors: ShapeError; ArgumentError for groups above 1."""

def conv3d(x: _Any, weight: _Any, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NDHWC', name: _str | None = None) -> _Any:
    """The correlation of sparse volumes [n, d, h, w, c] with filters [kd, kh, kw, c, out]; see `conv2d`.

    >>> from vitrify import ones, sparse
    >>> x = sparse.sparse_coo_tensor([[0, 0], [0, 0], [0, 0], [1, 3]], [[1.0], [2.0]], [1, 1, 1, 4, 1])
    >>> conv3d(x, ones([1, 1, 2, 1, 1])).values().tolist()
    [[1.0], [1.0], [2.0]]"""

def leaky_relu(x: _Any, negative_slope: _float = 0.01, name: _str | None = None) -> _Any:
    """The values, negative ones times `negative_slope`."""

def max_pool3d(x: _Any, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, ceil_mode: _bool = False, data_format: _str = 'NDHWC', name: _str | None = None) -> _Any:
    """The largest value of the sites under each window of sparse volumes [n, d, h, w, c]; none where there is no site.

    stride: that of the windows, by default their size. Errors: ShapeError; ArgumentError for ceil_mode.

    >>> from vitrify import sparse
    >>> x = sparse.sparse_coo_tensor([[0, 0], [0, 0], [0, 0], [0, 1]], [[-1.0], [-2.0]], [1, 1, 1, 4, 1])
    >>> max_pool3d(x, [1, 1, 2]).values().tolist()
    [[-1.0]]"""

def relu(x: _Any, name: _str | None = None) -> _Any:
    """The positive part of the values; 0 stays 0 where there is none."""

def relu6(x: _Any, name: _str | None = None) -> _Any:
    """The part between 0 and 6 of the values; 0 stays 0 where there is none."""

def softmax(x: _Any, axis: _int = -1, name: _str | None = None) -> _Any:
    """The softmax of the values along an axis: elements without a stored value count as minus infinity."""

def subm_conv2d(x: _Any, weight: _Any, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NHWC', key: _str | None = None, name: _str | None = None) -> _Any:
    """As `conv2d`, with the filter's middle at each site, and results at the sites of the input only.

    stride and padding mean nothing, as in PaddlePaddle. `key` is accepted: nothing is stored under it.
    Errors: ShapeError; ArgumentError for groups above 1, a dilation, or a filter of an even size."""

def subm_conv2d_igemm(x: _Any, weight: _Any, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NHWC', key: _str | None = None, name: _str | None = None) -> _Any:
    """As `conv2d`, with the filter's middle at each site, and results at the sites of the input only.

    stride and padding mean nothing, as in PaddlePaddle. `key` is accepted: nothing is stored under it.
    Errors: ShapeError; ArgumentError for groups above 1, a dilation, or a filter of an even size."""

def subm_conv3d(x: _Any, weight: _Any, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NDHWC', key: _str | None = None, name: _str | None = None) -> _Any:
    """As `subm_conv2d`, of sparse volumes [n, d, h, w, c] and filters [kd, kh, kw, c, out]."""

def subm_conv3d_igemm(x: _Any, weight: _Any, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NDHWC', key: _str | None = None, name: _str | None = None) -> _Any:
    """As `subm_conv2d`, of sparse volumes [n, d, h, w, c] and filters [kd, kh, kw, c, out]."""
