# Written by `make stubs`; edits here are lost.

"""`nn.functional`: the functions of networks under Paddle's names and signatures.

They are written in the op table's files (ops/) and, where they draw random numbers or write state, in stochastic.py."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from typing import Literal as _Literal
from typing import overload as _overload
from vitrify._stub_types import Axis as _Axis
from vitrify._stub_types import DTypeLike as _DTypeLike
from vitrify._stub_types import Shape as _Shape
from vitrify._stub_types import TensorLike as _TensorLike
from vitrify.dygraph.tensor import Tensor as _Tensor
from vitrify.nn.functional import flash_attention as flash_attention

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
def adaptive_avg_pool3d(input: _TensorLike, output_size: _Any, data_format: _str = 'NCDHW', name: _str | None = None) -> _Tensor: ...
@_overload
def adaptive_avg_pool3d(x: _TensorLike, output_size: _Any, data_format: _str = 'NCDHW', name: _str | None = None) -> _Tensor:
    """Averages over a grid of `output_size` windows that cover volumes [n, c, d, h, w]; None keeps an axis."""

def adaptive_log_softmax_with_loss(input: _TensorLike, label: _TensorLike, head_weight: _Any, tail_weights: _Sequence[_Any], cutoffs: _Sequence[_int], head_bias: _Any = None, name: _str | None = None) -> _tuple[_Tensor, _Tensor]:
    """Log-probabilities [n] of the labels, rare classes in clusters with less room; and minus their mean.

    head_weight [features, cutoffs[0] + clusters]; tail_weights: two matrices for each cluster; cutoffs: where the
    clusters begin, ending with the number of classes. Source: Grave et al., Efficient softmax approximation, 2017."""

@_overload
def adaptive_max_pool1d(input: _TensorLike, output_size: _Any, return_indices: _bool = False, name: _str | None = None) -> _Tensor: ...
@_overload
def adaptive_max_pool1d(x: _TensorLike, output_size: _Any, return_mask: _Literal[False] = False, name: _str | None = None) -> _Tensor:
    """Maxima over `output_size` windows that cover sequences [n, c, l]; with `return_mask` also their places."""
@_overload
def adaptive_max_pool1d(x: _TensorLike, output_size: _Any, return_mask: _bool = False, name: _str | None = None) -> _tuple[_Tensor, ...]: ...

@_overload
def adaptive_max_pool2d(input: _TensorLike, output_size: _Any, return_indices: _bool = False, name: _str | None = None) -> _Tensor: ...
@_overload
def adaptive_max_pool2d(x: _TensorLike, output_size: _Any, return_mask: _Literal[False] = False, name: _str | None = None) -> _Tensor:
    """Maxima over a grid of `output_size` windows that cover images; None keeps an axis."""
@_overload
def adaptive_max_pool2d(x: _TensorLike, output_size: _Any, return_mask: _bool = False, name: _str | None = None) -> _tuple[_Tensor, ...]: ...

@_overload
def adaptive_max_pool3d(input: _TensorLike, output_size: _Any, return_indices: _bool = False, name: _str | None = None) -> _Tensor: ...
@_overload
def adaptive_max_pool3d(x: _TensorLike, output_size: _Any, return_mask: _Literal[False] = False, name: _str | None = None) -> _Tensor:
    """Maxima over a grid of `output_size` windows that cover volumes; None keeps an axis."""
@_overload
def adaptive_max_pool3d(x: _TensorLike, output_size: _Any, return_mask: _bool = False, name: _str | None = None) -> _tuple[_Tensor, ...]: ...

def affine_grid(theta: _Any, out_shape: _Any, align_corners: _bool = True, name: _str | None = None) -> _Tensor:
    """The places [n, h, w, 2] (or [n, d, h, w, 3]) where affine maps theta [n, 2, 3] (or [n, 3, 4]) send a grid of -1
    … 1.

    out_shape: [n, c, h, w] or [n, c, d, h, w] of the image to sample."""

def alpha_dropout(x: _TensorLike, p: _float = 0.5, training: _bool = True, name: _str | None = None) -> _Tensor:
    """Dropout that keeps mean 0 and variance 1, for networks with selu (Klambauer et al., 2017)."""

def avg_pool1d(x: _TensorLike, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, exclusive: _bool = True, ceil_mode: _bool = False, name: _str | None = None) -> _Tensor:
    """The average of each window of sequences [n, c, l]."""

def avg_pool2d(x: _TensorLike, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, ceil_mode: _bool = False, exclusive: _bool = True, divisor_override: _int | None = None, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """The average of each window; `exclusive` leaves padding out of the count.

    divisor_override replaces the size of the window: averages are multiplied by that size and divided by this number."""

def avg_pool3d(x: _TensorLike, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, ceil_mode: _bool = False, exclusive: _bool = True, divisor_override: _int | None = None, data_format: _str = 'NCDHW', name: _str | None = None) -> _Tensor:
    """The average of each window of volumes; `exclusive` leaves padding out of the count; see avg_pool2d."""

def batch_norm(x: _TensorLike, running_mean: _Any, running_var: _Any, weight: _TensorLike | None = None, bias: _Any = None, training: _bool = False, momentum: _float = 0.9, epsilon: _float = 1e-05, data_format: _str = 'NCHW', use_global_stats: _bool | None = None, name: _str | None = None) -> _Tensor:
    """Each channel with mean 0 and variance 1, times weight, plus bias [c].

    Training uses the batch's statistics, through which gradients flow, and moves the running ones in place:
    running = momentum * running + (1 - momentum) * batch, with the biased variance; channels of one element are left
    as they are. Else, or with `use_global_stats=True`, the running ones are used; `use_global_stats=False`: never.
    No gradient flows to the running ones."""

def bilinear(x1: _Any, x2: _Any, weight: _TensorLike, bias: _Any = None, name: _str | None = None) -> _Tensor:
    """x1 · weight[k] · x2 + bias[k] for each k; x1 [n, in1], x2 [n, in2], weight [out, in1, in2], bias [1, out]."""

def binary_cross_entropy(input: _TensorLike, label: _TensorLike, weight: _TensorLike | None = None, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """-(label * log(input) + (1 - label) * log(1 - input)) for probabilities; a logarithm counts as at least -100."""

def binary_cross_entropy_with_logits(logit: _TensorLike, label: _TensorLike, weight: _TensorLike | None = None, reduction: _str = 'mean', pos_weight: _Any = None, name: _str | None = None) -> _Tensor:
    """binary_cross_entropy of sigmoid(logit), without overflow; pos_weight multiplies the loss of label 1."""

def celu(x: _TensorLike, alpha: _float = 1.0, name: _str | None = None) -> _Tensor:
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""

def channel_shuffle(x: _TensorLike, groups: _int, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """Channels of `groups` groups dealt out in turn (Zhang et al., ShuffleNet, 2018)."""

def class_center_sample(label: _TensorLike, num_classes: _int, num_samples: _int, group: _Any = None) -> _tuple[_Tensor, _Tensor]:
    """The classes that occur in `label` and random others, `num_samples` of them: (labels among these, classes).

    All classes that occur are kept, also when they are more than num_samples; they come first and ascend, the others
    follow as they are drawn. Source: An et al., Partial FC, 2020."""

@_overload
def conv1d(input: _TensorLike, weight: _TensorLike, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NCL', name: _str | None = None) -> _Tensor: ...
@_overload
def conv1d(x: _TensorLike, weight: _TensorLike, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NCL', name: _str | None = None) -> _Tensor:
    """The correlation of sequences [n, c, l] with filters [out, c / groups, k], plus a bias [out]."""

def conv1d_transpose(x: _TensorLike, weight: _TensorLike, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, output_padding: _Any = 0, groups: _int = 1, dilation: _Any = 1, output_size: _Any = None, data_format: _str = 'NCL', name: _str | None = None) -> _Tensor:
    """The transposed convolution of sequences [n, c, l] with filters [c, out / groups, k], plus a bias [out].

    The length is (l - 1) * stride - padding + dilation * (k - 1) + 1 + output_padding, or `output_size`."""

@_overload
def conv2d(input: _TensorLike, weight: _TensorLike, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor: ...
@_overload
def conv2d(x: _TensorLike, weight: _TensorLike, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """The correlation of images [n, c, h, w] with filters [out, c / groups, kh, kw], plus a bias [out].

    padding: an int, two (rows, columns), four (top, bottom, left, right), pairs, "SAME" (without dilation) or "VALID"."""

def conv2d_transpose(x: _TensorLike, weight: _TensorLike, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, output_padding: _Any = 0, groups: _int = 1, dilation: _Any = 1, output_size: _Any = None, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """The transposed convolution of images [n, c, h, w] with filters [c, out / groups, kh, kw], plus a bias [out].

    The size is (h - 1) * stride - padding + dilation * (kh - 1) + 1 + output_padding, or `output_size`."""

@_overload
def conv3d(input: _TensorLike, weight: _TensorLike, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NCDHW', name: _str | None = None) -> _Tensor: ...
@_overload
def conv3d(x: _TensorLike, weight: _TensorLike, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NCDHW', name: _str | None = None) -> _Tensor:
    """The correlation of volumes [n, c, d, h, w] with filters [out, c / groups, kd, kh, kw], plus a bias [out].

    padding: an int, three, six (front, back, top, bottom, left, right), pairs, "SAME" or "VALID"."""

def conv3d_transpose(x: _TensorLike, weight: _TensorLike, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, output_padding: _Any = 0, groups: _int = 1, dilation: _Any = 1, output_size: _Any = None, data_format: _str = 'NCDHW', name: _str | None = None) -> _Tensor:
    """The transposed convolution of volumes [n, c, d, h, w] with filters [c, out / groups, kd, kh, kw]."""

def cosine_embedding_loss(input1: _Any, input2: _Any, label: _TensorLike, margin: _float = 0, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """1 - cos(input1, input2) where the label is 1, max(0, cos - margin) where it is -1; inputs [n, d] or [d]."""

@_overload
def cosine_similarity(x1: _Any, x2: _Any, dim: _int = 1, eps: _float = 1e-08) -> _Tensor: ...
@_overload
def cosine_similarity(x1: _Any, x2: _Any, axis: _int = 1, eps: _float = 1e-08) -> _Tensor:
    """The cosine of the angle between x1 and x2 along `axis`; the product of their norms counts as at least `eps`."""

@_overload
def cross_entropy(input: _TensorLike, target: _TensorLike, weight: _TensorLike | None = None, ignore_index: _int = -100, reduction: _str = 'mean', soft_label: _bool = False, axis: _int = -1, use_softmax: _bool = True, label_smoothing: _float = 0.0, name: _str | None = None) -> _Tensor: ...
@_overload
def cross_entropy(input: _TensorLike, label: _TensorLike, weight: _TensorLike | None = None, ignore_index: _int = -100, reduction: _str = 'mean', soft_label: _bool = False, axis: _int = -1, use_softmax: _bool = True, label_smoothing: _float = 0.0, name: _str | None = None) -> _Tensor:
    """-log(softmax(input)) at the label, over the classes on `axis`.

    label: class numbers, with `axis` of size 1 or without it; with `soft_label`, probabilities in input's shape (with
    label_smoothing, floats in that shape are probabilities in any case, and integers of another are class numbers).
    With `use_softmax=False` the input holds probabilities. weight: [classes]. Result without reduction: in the label's
    shape (soft labels, label_smoothing: size 1 on `axis`). The mean is over what isn't ignored, by the labels' weights."""

def ctc_loss(log_probs: _Any, labels: _Any, input_lengths: _Any, label_lengths: _Any, blank: _int = 0, reduction: _str = 'mean', norm_by_times: _bool = False, zero_infinity: _bool = False, name: _str | None = None) -> _Tensor:
    """-log of the probability of the labels [n, length] under the scores log_probs [time, n, classes], summed over all
    alignments; scores are normalised by log_softmax first.

    reduction "mean": each loss by its label's length, then the mean. norm_by_times: gradients by the number of times.
    The loss of labels that can't be aligned, and its gradient, are 0, as in PaddlePaddle with any `zero_infinity`."""

def diag_embed(input: _TensorLike, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> _Tensor:
    """Matrices over new axes `dim1` and `dim2` whose diagonal `offset` is the last axis of the input; zeros elsewhere.

    >>> import vitrify as vt
    >>> vt.diag_embed(vt.to_tensor([1, 2])).tolist()
    [[1, 0], [0, 2]]"""

def dice_loss(input: _TensorLike, label: _TensorLike, epsilon: _float = 1e-05, name: _str | None = None) -> _Tensor:
    """1 - 2 |input ∩ label| / (|input| + |label|), averaged; input [n, …, classes], integer label [n, …, 1]."""

@_overload
def dropout(input: _TensorLike, p: _Any = 0.5, axis: _Axis | None = None, training: _bool = True, inplace: _bool | _str = False, mode: _str = 'upscale_in_train', name: _str | None = None) -> _Tensor: ...
@_overload
def dropout(x: _TensorLike, p: _Any = 0.5, axis: _Axis | None = None, training: _bool = True, inplace: _bool | _str = False, mode: _str = 'upscale_in_train', name: _str | None = None) -> _Tensor:
    """Each element is 0 with probability `p` while training; `inplace`: written into x.

    p: a number, or a tensor with one element, which isn't checked.

    mode (also accepted in the place of `inplace`, where older releases have it):
    "upscale_in_train" divides the others by 1 - p; "downscale_in_infer" multiplies by 1 - p when not training.
    axis: the axes along which elements are dropped one by one. Errors: ArgumentError for p outside [0, 1] or the mode.

    >>> from ..conversions import to_tensor
    >>> dropout(to_tensor([1.0, 2.0]), 0.5, training=False).tolist()
    [1.0, 2.0]"""

def dropout1d(input: _TensorLike, p: _float = 0.5, training: _bool = True, inplace: _bool = False) -> _Tensor:
    """Whole channels of sequences [n, c, l] or [c, l] are 0 with probability `p` while training; others are upscaled.

    >>> from ..conversions import to_tensor
    >>> dropout1d(to_tensor([[1.0, 2.0]]), 0.5, training=False).tolist()
    [[1.0, 2.0]]"""

def dropout2d(x: _TensorLike, p: _float = 0.5, training: _bool = True, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """Whole channels of images [n, c, h, w] are 0 with probability `p` while training; the others are upscaled."""

def dropout3d(x: _TensorLike, p: _float = 0.5, training: _bool = True, data_format: _str = 'NCDHW', name: _str | None = None) -> _Tensor:
    """Whole channels of volumes [n, c, d, h, w] are 0 with probability `p` while training; the others are upscaled."""

def edit_distance(input: _TensorLike, label: _TensorLike, normalized: _bool = True, ignored_tokens: _Sequence[_int] | None = None, input_length: _Any = None, label_length: _Any = None) -> _tuple[_Tensor, _Tensor]:
    """The number of sequences, int64 [1], and how many tokens have to be inserted, removed or replaced to turn the
    sequences input [n, length] into the labels [n, length]: float32 [n, 1], divided by the label's length if
    `normalized`. The order is what PaddlePaddle's function returns; its text names the two the other way round.

    input_length, label_length: how many tokens of each sequence count, [n] integers; all by default.

    Errors: ArgumentError for `ignored_tokens`, which have to be removed first, and for a label of length 0 that is to
    be divided by.

    >>> import vitrify as vt
    >>> count, found = edit_distance(vt.to_tensor([[1, 2, 3]]), vt.to_tensor([[1, 3, 4, 1]]), normalized=False)
    >>> found.tolist(), count.tolist()
    ([[3.0]], [1])"""

def elu(x: _TensorLike, alpha: _Any = 1.0, *, name: _str | None = None) -> _Tensor:
    """x where positive, else `alpha` times (exp(x) - 1)."""

def elu_(x: _TensorLike, alpha: _float = 1.0, name: _str | None = None) -> _Tensor:
    """`elu`, written in place. Errors: ArgumentError for an `alpha` below 0."""

@_overload
def embedding(input: _TensorLike, weight: _TensorLike, padding_idx: _int | None = None, max_norm: _float | _bool | None = None, norm_type: _float = 2.0, sparse: _bool = False, scale_grad_by_freq: _bool = False, name: _str | None = None) -> _Tensor: ...
@_overload
def embedding(x: _TensorLike, weight: _TensorLike, padding_idx: _int | None = None, max_norm: _float | _bool | None = None, norm_type: _float = 2.0, sparse: _bool = False, scale_grad_by_freq: _bool = False, name: _str | None = None) -> _Tensor:
    """The rows of weight [count, size] that the integers x name; zeros, without gradient, where x is `padding_idx`.

    max_norm: the rows used are first scaled down, in place, to at most this p-norm. scale_grad_by_freq: each row's
    gradient is divided by how often x names it. Gradients are dense, `sparse` or not."""

def feature_alpha_dropout(x: _TensorLike, p: _float = 0.5, training: _bool = True, name: _str | None = None) -> _Tensor:
    """alpha_dropout of whole channels of [n, c, …]."""

@_overload
def fold(input: _TensorLike, output_size: _Any, kernel_size: _Any, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, name: _str | None = None) -> _Tensor: ...
@_overload
def fold(x: _TensorLike, output_sizes: _Any, kernel_sizes: _Any, strides: _Any = 1, paddings: _Any = 0, dilations: _Any = 1, name: _str | None = None) -> _Tensor:
    """Columns [n, c kh kw, windows] added up to images [n, c, *output_sizes]: the transpose of unfold (col2im)."""

@_overload
def fractional_max_pool2d(x: _TensorLike, output_size: _Any, kernel_size: _Any = None, random_u: _float | None = None, return_mask: _Literal[False] = False, name: _str | None = None) -> _Tensor:
    """Maxima over `output_size` windows of images; random_u of (0, 1), drawn unless given, chooses where they lie."""
@_overload
def fractional_max_pool2d(x: _TensorLike, output_size: _Any, kernel_size: _Any = None, random_u: _float | None = None, return_mask: _bool = False, name: _str | None = None) -> _tuple[_Tensor, ...]: ...

@_overload
def fractional_max_pool3d(x: _TensorLike, output_size: _Any, kernel_size: _Any = None, random_u: _float | None = None, return_mask: _Literal[False] = False, name: _str | None = None) -> _Tensor:
    """Maxima over `output_size` windows of volumes; random_u of (0, 1), drawn unless given, chooses where they lie."""
@_overload
def fractional_max_pool3d(x: _TensorLike, output_size: _Any, kernel_size: _Any = None, random_u: _float | None = None, return_mask: _bool = False, name: _str | None = None) -> _tuple[_Tensor, ...]: ...

def gather_tree(ids: _Any, parents: _Any) -> _Tensor:
    """The whole sequences of a beam search: ids and parents [time, n, beams], followed back from the last time.

    Errors: DTypeError for ids or parents that aren't int32 or int64; ShapeError for other shapes."""

def gaussian_nll_loss(input: _TensorLike, label: _TensorLike, variance: _Any, full: _bool = False, epsilon: _float = 1e-06, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """Half of log(variance) + (input - label)² / variance, plus log(2 pi) / 2 if `full`; the variance is at least
    epsilon.

    variance: in input's shape, without its last axis, or with size 1 there. Errors: ShapeError; ArgumentError (a
    ValueError) where it is below 0."""

@_overload
def gelu(input: _TensorLike, approximate: _bool | _str = False, name: _str | None = None) -> _Tensor: ...
@_overload
def gelu(x: _TensorLike, approximate: _bool | _str = False, name: _str | None = None) -> _Tensor:
    """x times the normal distribution's cumulative function at x; `approximate`: by a tanh (also spelled "tanh")."""

@_overload
def glu(input: _TensorLike, dim: _int = -1, name: _str | None = None) -> _Tensor: ...
@_overload
def glu(x: _TensorLike, axis: _int = -1, name: _str | None = None) -> _Tensor:
    """The first half of x along `axis` times the sigmoid of the second."""

@_overload
def grid_sample(input: _TensorLike, grid: _Any, mode: _str = 'bilinear', padding_mode: _str = 'zeros', align_corners: _bool = True, name: _str | None = None) -> _Tensor: ...
@_overload
def grid_sample(x: _TensorLike, grid: _Any, mode: _str = 'bilinear', padding_mode: _str = 'zeros', align_corners: _bool = True, name: _str | None = None) -> _Tensor:
    """Images [n, c, h, w] read at the places grid [n, oh, ow, 2] of (x, y) from -1 to 1; volumes alike.

    mode: "bilinear" or "nearest". padding_mode, for places outside: "zeros", "border" or "reflection"."""

def group_norm(x: _TensorLike, num_groups: _int, epsilon: _float = 1e-05, weight: _TensorLike | None = None, bias: _Any = None, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """Each image's groups of channels with mean 0 and variance 1, times weight, plus bias [channels].

    Source: Wu, He, Group Normalization, 2018."""

def gumbel_softmax(x: _TensorLike, temperature: _float = 1.0, hard: _bool = False, axis: _int = -1, name: _str | None = None) -> _Tensor:
    """softmax((x + Gumbel noise) / temperature): a soft sample; `hard`: one-hot, with the gradient of the soft one."""

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

def hardtanh_(x: _TensorLike, min: _float = -1.0, max: _float = 1.0, name: _str | None = None) -> _Tensor:
    """`hardtanh`, written in place."""

def hinge_embedding_loss(input: _TensorLike, label: _TensorLike, margin: _float = 1.0, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """The input where the label is 1, max(0, margin - input) where it is -1."""

def hsigmoid_loss(input: _TensorLike, label: _TensorLike, num_classes: _int, weight: _TensorLike, bias: _Any = None, path_table: _Any = None, path_code: _Any = None, is_sparse: _bool = False, name: _str | None = None) -> _Tensor:
    """The cross entropy [n, 1] of the binary choices on the way to each label, in a tree of the classes.

    input [n, d], weight [num_classes - 1, d], bias [num_classes - 1, 1]. path_table and path_code [n, length] give
    the nodes (-1 behind the end) and branches of a tree of one's own. As in Paddle, each step that a way is shorter
    than the longest one counts log 2. Source: Morin, Bengio, 2005."""

def instance_norm(x: _TensorLike, running_mean: _Any = None, running_var: _Any = None, weight: _TensorLike | None = None, bias: _Any = None, use_input_stats: _bool = True, momentum: _float = 0.9, eps: _float = 1e-05, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """Each image's channel with mean 0 and variance 1, times weight, plus bias [channels].

    use_input_stats=False: the running statistics are used instead of the image's."""

def interpolate(x: _TensorLike, size: _Shape | None = None, scale_factor: _Any = None, mode: _str = 'nearest', align_corners: _bool = False, align_mode: _int = 0, data_format: _str | None = None, recompute_scale_factor: _bool | None = None, name: _str | None = None, antialias: _bool = False) -> _Tensor:
    """Images [n, c, …] resized to `size`, or by `scale_factor`.

    mode: "nearest", "linear" (rank 3), "bilinear", "bicubic" (4), "trilinear" (5), "area" (averages).
    align_corners: the centres of the corner elements stay; else the edges do, or with align_mode=1 the elements'.
    An axis of an image that gets one element is read at its beginning, as PaddlePaddle does (not in its middle).
    Errors: ArgumentError for an unknown mode or one of another rank, without exactly one of size and scale_factor, or
    with antialias, which PaddlePaddle has for linear and cubic modes."""

def kl_div(input: _TensorLike, label: _TensorLike, reduction: _str = 'mean', log_target: _bool = False, name: _str | None = None) -> _Tensor:
    """label * (log(label) - input) for log-probabilities `input`; 0 where the label is 0. Also "batchmean"."""

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

def leaky_relu(x: _TensorLike, negative_slope: _Any = 0.01, *, name: _str | None = None) -> _Tensor:
    """x where positive, else `negative_slope` times x. The gradient at 0 is 1."""

def leaky_relu_(x: _TensorLike, negative_slope: _float = 0.01, name: _str | None = None) -> _Tensor:
    """`leaky_relu`, written in place."""

def linear(x: _TensorLike, weight: _TensorLike, bias: _Any = None, name: _str | None = None) -> _Tensor:
    """x @ weight + bias, for x [..., in], weight [in, out], bias [out]."""

def local_response_norm(x: _TensorLike, size: _int, alpha: _float = 0.0001, beta: _float = 0.75, k: _float = 1.0, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """x / (k + alpha * the mean of the squares of `size` neighbouring channels) ** beta, for ranks 3 to 5.

    Source: Krizhevsky, Sutskever, Hinton, ImageNet Classification, 2012."""

def log_loss(input: _TensorLike, label: _TensorLike, epsilon: _float = 0.0001, name: _str | None = None) -> _Tensor:
    """-label * log(input + epsilon) - (1 - label) * log(1 - input + epsilon), element by element."""

@_overload
def log_sigmoid(input: _TensorLike, name: _str | None = None) -> _Tensor: ...
@_overload
def log_sigmoid(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """log(sigmoid(x)), without overflow."""

def log_softmax(x: _TensorLike, axis: _int = -1, dtype: _DTypeLike | None = None, name: _str | None = None) -> _Tensor:
    """The logarithm of softmax: x - log(sum(exp(x))) along `axis`, without overflow."""

@_overload
def lp_pool1d(input: _TensorLike, norm_type: _float, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, ceil_mode: _bool = False, data_format: _str = 'NCL', name: _str | None = None) -> _Tensor: ...
@_overload
def lp_pool1d(x: _TensorLike, norm_type: _float, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, ceil_mode: _bool = False, data_format: _str = 'NCL', name: _str | None = None) -> _Tensor:
    """(the sum of x ** p over each window) ** (1 / p) of sequences [n, c, l]."""

@_overload
def lp_pool2d(input: _TensorLike, norm_type: _float, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, ceil_mode: _bool = False, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor: ...
@_overload
def lp_pool2d(x: _TensorLike, norm_type: _float, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, ceil_mode: _bool = False, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """(the sum of x ** p over each window) ** (1 / p) of images; p = inf: the maximum."""

@_overload
def margin_cross_entropy(logits: _TensorLike, label: _TensorLike, margin1: _float = 1.0, margin2: _float = 0.5, margin3: _float = 0.0, scale: _float = 64.0, group: _Any = None, return_softmax: _Literal[False] = False, reduction: _str | None = 'mean') -> _Tensor:
    """Cross entropy of scale * cosines [n, classes], that of the label replaced by cos(margin1 θ + margin2) - margin3.

    Source: Deng et al., ArcFace, 2019. Without reduction: [n, 1]."""
@_overload
def margin_cross_entropy(logits: _TensorLike, label: _TensorLike, margin1: _float = 1.0, margin2: _float = 0.5, margin3: _float = 0.0, scale: _float = 64.0, group: _Any = None, return_softmax: _bool = False, reduction: _str | None = 'mean') -> _tuple[_Tensor, ...]: ...

def margin_ranking_loss(input: _TensorLike, other: _TensorLike, label: _TensorLike, margin: _float = 0.0, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """max(0, -label * (input - other) + margin), for labels 1 and -1."""

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
def max_pool3d(x: _TensorLike, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, return_mask: _Literal[False] = False, ceil_mode: _bool = False, data_format: _str = 'NCDHW', name: _str | None = None) -> _Tensor:
    """The maximum of each window of volumes [n, c, d, h, w]; with `return_mask` also its place in the flat volume."""
@_overload
def max_pool3d(x: _TensorLike, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, return_mask: _bool = False, ceil_mode: _bool = False, data_format: _str = 'NCDHW', name: _str | None = None) -> _tuple[_Tensor, ...]: ...

def max_unpool1d(x: _TensorLike, indices: _TensorLike, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, data_format: _str = 'NCL', output_size: _Any = None, name: _str | None = None) -> _Tensor:
    """Sequences of zeros with x at the places `indices` that max_pool1d(return_mask=True) gave."""

def max_unpool2d(x: _TensorLike, indices: _TensorLike, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, data_format: _str = 'NCHW', output_size: _Any = None, name: _str | None = None) -> _Tensor:
    """Images of zeros with x at the places `indices` that max_pool2d(return_mask=True) gave."""

def max_unpool3d(x: _TensorLike, indices: _TensorLike, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, data_format: _str = 'NCDHW', output_size: _Any = None, name: _str | None = None) -> _Tensor:
    """Volumes of zeros with x at the places `indices` that max_pool3d(return_mask=True) gave."""

def maxout(x: _TensorLike, groups: _int, axis: _int = 1, name: _str | None = None) -> _Tensor:
    """The maximum of every `groups` neighbouring channels."""

def mish(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """x * tanh(softplus(x))."""

def mse_loss(input: _TensorLike, label: _TensorLike, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """The square of input - label."""

def multi_label_margin_loss(input: _TensorLike, label: _TensorLike, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """The sum of max(0, 1 - (input[target] - input[other])) over targets and other classes, by the number of classes.

    label [n, classes]: class numbers, up to the first below 0."""

def multi_label_soft_margin_loss(input: _TensorLike, label: _TensorLike, weight: _TensorLike | None = None, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """The mean over classes (last axis) of the binary cross entropy with logits, for labels 0 and 1."""

def multi_margin_loss(input: _TensorLike, label: _TensorLike, p: _int = 1, margin: _float = 1.0, weight: _TensorLike | None = None, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """The mean over other classes of max(0, margin - input[label] + input[other]) ** p; weight: [classes]."""

def nll_loss(input: _TensorLike, label: _TensorLike, weight: _TensorLike | None = None, ignore_index: _int = -100, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """-input at the label, for log-probabilities [n, classes, …] and labels [n, …]."""

@_overload
def normalize(input: _TensorLike, p: _float = 2, dim: _int = 1, eps: _float = 1e-12, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def normalize(x: _TensorLike, p: _float = 2, axis: _int = 1, epsilon: _float = 1e-12, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """x over its p-norm along `axis`, which counts as at least `epsilon`."""

def npair_loss(anchor: _Any, positive: _Any, labels: _Any, l2_reg: _float = 0.002) -> _Tensor:
    """Cross entropy of anchor · positiveᵀ against equal labels, plus l2_reg / 4 times the mean squares (Sohn, 2016)."""

@_overload
def one_hot(input: _TensorLike, num_classes: _int, name: _str | None = None) -> _Tensor: ...
@_overload
def one_hot(x: _TensorLike, num_classes: _int, name: _str | None = None) -> _Tensor:
    """1 at the place that each integer names, along a new last axis of size `num_classes`; zeros for one outside."""

@_overload
def pad(input: _TensorLike, pad: _Any, mode: _str = 'constant', value: _float = 0.0, data_format: _str | None = None, pad_from_left_axis: _bool = True, name: _str | None = None) -> _Tensor: ...
@_overload
def pad(x: _TensorLike, pad: _Any, mode: _str = 'constant', value: _float = 0.0, data_format: _str | None = None, pad_from_left_axis: _bool = True, name: _str | None = None) -> _Tensor:
    """Margins around `x`, constant, reflected, replicated or circular (as wide as wanted).

    `pad` has a pair (before, after) for each axis from the first, or pairs for the image axes only, from the last one
    (left, right, top, bottom, …), placed by `data_format`. A single int is the margin on every side of the image axes.
    Sizes below 0 cut. `value` is a number, or a tensor with one element.
    Errors: ArgumentError for pads that don't fit, and for a `data_format` that isn't one of a tensor of this rank."""

@_overload
def pairwise_distance(x1: _TensorLike, x2: _TensorLike, p: _float = 2.0, eps: _float = 1e-06, keepdim: _bool = False, name: _str | None = None) -> _Tensor: ...
@_overload
def pairwise_distance(x: _TensorLike, y: _TensorLike, p: _float = 2.0, epsilon: _float = 1e-06, keepdim: _bool = False, name: _str | None = None) -> _Tensor:
    """The p-norm of x - y + epsilon over the last axis."""

def pixel_shuffle(x: _TensorLike, upscale_factor: _int, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """Images [n, c r², h, w] as [n, c, h r, w r] (Shi et al., 2016)."""

def pixel_unshuffle(x: _TensorLike, downscale_factor: _int, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """Images [n, c, h r, w r] as [n, c r², h, w]: the inverse of pixel_shuffle."""

def poisson_nll_loss(input: _TensorLike, label: _TensorLike, log_input: _bool = True, full: _bool = False, epsilon: _float = 1e-08, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """-log of the Poisson distribution: exp(input) - label * input, or input - label * log(input) without log_input.

    full: Stirling's formula for log(label!) is added where the label is above 1."""

def prelu(x: _TensorLike, weight: _TensorLike, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """x where positive, else weight * x; weight [1], or [channels]."""

def relu(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """max(x, 0). Gradient at 0: 0."""

def relu6(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """x bounded to [0, 6]. The gradient at the bounds is 0."""

def relu_(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """`relu`, written in place."""

@_overload
def rms_norm(input: _TensorLike, normalized_shape: _Any = None, weight: _TensorLike | None = None, bias: _Any = None, eps: _float = 1e-06, name: _str | None = None) -> _Tensor: ...
@_overload
def rms_norm(x: _TensorLike, normalized_shape: _Any = None, weight: _TensorLike | None = None, bias: _Any = None, epsilon: _float = 1e-06, name: _str | None = None) -> _Tensor:
    """The last axes (default: one) over the root of their mean square; then times weight, plus bias.

    Source: Zhang, Sennrich, Root Mean Square Layer Normalization, 2019."""

def rnnt_loss(input: _TensorLike, label: _TensorLike, input_lengths: _Any, label_lengths: _Any, blank: _int = 0, fastemit_lambda: _float = 0.001, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """-log of the probability of the labels [n, length] under the scores input [n, time, length + 1, classes] of a
    transducer; scores are normalised by log_softmax first.

    fastemit_lambda: how much more the gradient favours labels over blanks (Yu et al., FastEmit, 2021)."""

def rrelu(x: _TensorLike, lower: _float = 0.125, upper: _float = 0.3333333333333333, training: _bool = True, name: _str | None = None) -> _Tensor:
    """x where positive, else x times a random slope between lower and upper; times their mean when not training."""

def scaled_dot_product_attention(query: _TensorLike, key: _TensorLike, value: _TensorLike, attn_mask: _Any = None, dropout_p: _float = 0.0, is_causal: _bool = False, training: _bool = True, scale: _float | None = None, name: _str | None = None, backend: _str | None = None, enable_gqa: _bool = True) -> _Tensor:
    """softmax(query · keyᵀ / √d) · value for each head, for [batch, length, heads, d].

    attn_mask: bool (true: may look) or float (added), broadcast to [batch, heads, queries, keys]. Keys and values may
    have fewer heads, each shared by a group of query heads, whatever enable_gqa says; there is one backend."""

def selu(x: _TensorLike, scale: _float = 1.0507009873554805, alpha: _float = 1.6732632423543772, name: _str | None = None) -> _Tensor:
    """scale * (x where positive, else alpha * (exp(x) - 1)): keeps mean 0 and variance 1 (Klambauer et al., 2017).

    Errors: ArgumentError for a scale of at most 1, or an alpha below 0."""

def sequence_mask(x: _TensorLike, maxlen: _Any = None, dtype: _DTypeLike = 'int64', name: _str | None = None) -> _Tensor:
    """1 at the first x[i] places of a new last axis of size `maxlen` (default: the largest length), 0 behind."""

@_overload
def sigmoid(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def sigmoid(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """1 / (1 + exp(-x))."""

def sigmoid_focal_loss(logit: _TensorLike, label: _TensorLike, normalizer: _Any = None, alpha: _float = 0.25, gamma: _float = 2.0, reduction: _str = 'sum', name: _str | None = None) -> _Tensor:
    """The binary cross entropy times alpha_t * (1 - p_t) ** gamma (Lin et al., 2017), over `normalizer` if given."""

@_overload
def silu(input: _TensorLike, inplace: _bool = False, name: _str | None = None) -> _Tensor: ...
@_overload
def silu(x: _TensorLike, inplace: _bool = False, name: _str | None = None) -> _Tensor:
    """x * sigmoid(x); `inplace`: written into x."""

def smooth_l1_loss(input: _TensorLike, label: _TensorLike, reduction: _str = 'mean', delta: _float = 1.0, is_huber: _bool = True, name: _str | None = None) -> _Tensor:
    """Half the square of d = input - label where |d| <= delta, else delta * (|d| - delta / 2) (Huber).

    is_huber=False: divided by delta."""

def soft_margin_loss(input: _TensorLike, label: _TensorLike, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """log(1 + exp(-label * input)) for labels 1 and -1."""

@_overload
def softmax(input: _TensorLike, dim: _int = -1, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def softmax(x: _TensorLike, axis: _int = -1, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """exp(x) over its sum along `axis`. The maximum is subtracted first; it needs no gradient, as the result stays the
    same whatever is subtracted."""

def softmax_(x: _TensorLike, axis: _int = -1, dtype: _DTypeLike | None = None, name: _str | None = None) -> _Tensor:
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

@_overload
def softshrink(input: _TensorLike, lambd: _float = 0.5, name: _str | None = None) -> _Tensor: ...
@_overload
def softshrink(x: _TensorLike, threshold: _float = 0.5, name: _str | None = None) -> _Tensor:
    """x moved towards 0 by `threshold`, and 0 where it is nearer. Errors: ArgumentError for a threshold below 0."""

def softsign(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """x / (1 + |x|)."""

def square_error_cost(input: _TensorLike, label: _TensorLike) -> _Tensor:
    """(input - label)², element by element. Errors: KindError for lists."""

def swiglu(x: _TensorLike, y: _TensorLike | None = None, name: _str | None = None) -> _Tensor:
    """silu(x) * y; without y, of the two halves of x along the last axis (Shazeer, GLU variants, 2020).

    Errors: ShapeError where x is to be halved and its last size is odd.

    >>> import vitrify as vt
    >>> vt.nn.functional.swiglu(vt.to_tensor([0.0, 2.0])).tolist()
    [0.0]"""

@_overload
def swish(input: _TensorLike, name: _str | None = None) -> _Tensor: ...
@_overload
def swish(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """x * sigmoid(x)."""

@_overload
def tanh(input: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def tanh(x: _TensorLike, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """Hyperbolic tangent."""

def tanh_(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """`tanh`, written in place."""

def tanhshrink(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """x - tanh(x)."""

def temporal_shift(x: _TensorLike, seg_num: _int, shift_ratio: _float = 0.25, name: _str | None = None, data_format: _str = 'NCHW') -> _Tensor:
    """Frames [n * seg_num, c, h, w]: the first channels from the frame before, the next from the one behind.

    shift_ratio: the share of channels that come from before, and that from behind; zeros beyond the ends."""

def thresholded_relu(x: _TensorLike, threshold: _float = 1.0, value: _float = 0.0, name: _str | None = None) -> _Tensor:
    """x where x > threshold, else `value`; NaN stays, without a gradient."""

def thresholded_relu_(x: _TensorLike, threshold: _float = 1.0, value: _float = 0.0, name: _str | None = None) -> _Tensor:
    """`thresholded_relu`, written in place."""

def triplet_margin_loss(input: _TensorLike, positive: _Any, negative: _Any, margin: _float = 1.0, p: _float = 2.0, epsilon: _float = 1e-06, swap: _bool = False, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """max(0, |input - positive| - |input - negative| + margin) over the last axis, in the p-norm.

    Errors: ShapeError where the three have different shapes; ArgumentError for a margin below 0."""

def triplet_margin_with_distance_loss(input: _TensorLike, positive: _Any, negative: _Any, distance_function: _Callable[[_Any, _Any], _Any] | None = None, margin: _float = 1.0, swap: _bool = False, reduction: _str = 'mean', name: _str | None = None) -> _Tensor:
    """max(0, d(input, positive) - d(input, negative) + margin), d by default the Euclidean distance.

    swap: d(positive, negative) instead of d(input, negative) where it is smaller."""

def unfold(x: _TensorLike, kernel_sizes: _Any, strides: _Any = 1, paddings: _Any = 0, dilations: _Any = 1, name: _str | None = None) -> _Tensor:
    """The elements under each window of images [n, c, h, w] as a column: [n, c kh kw, windows] (im2col)."""

def upsample(x: _TensorLike, size: _Shape | None = None, scale_factor: _Any = None, mode: _str = 'nearest', align_corners: _bool = False, align_mode: _int = 0, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """Another name of interpolate."""

def zeropad2d(x: _TensorLike, padding: _Any, data_format: _str = 'NCHW', name: _str | None = None) -> _Tensor:
    """Margins of zeros (left, right, top, bottom) around images; sizes below 0 cut."""
