# Written by `make stubs`; edits here are lost.

"""Building blocks of static programs: layers that make their own parameters, and control flow."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from collections.abc import Sequence as _Sequence
from typing import Any as _Any

def batch_norm(input: _Any, act: _str | None = None, is_test: _bool = False, momentum: _float = 0.9, epsilon: _float = 1e-05, param_attr: _Any = None, bias_attr: _Any = None, data_layout: _str = 'NCHW', in_place: _bool = False, name: _str | None = None, moving_mean_name: _str | None = None, moving_variance_name: _str | None = None, do_model_average_for_mean_and_var: _bool = True, use_global_stats: _bool = False) -> _Any:
    """Batch normalisation per channel; the running statistics are parameters that aren't trained."""

def bilinear_tensor_product(x: _Any, y: _Any, size: _int, act: _str | None = None, name: _str | None = None, param_attr: _Any = None, bias_attr: _Any = None) -> _Any:
    """x W_k y + b for each of `size` matrices W_k."""

def case(pred_fn_pairs: _Sequence[_tuple[_Any, _Callable[[], _Any]]], default: _Callable[[], _Any] | None = None, name: _str | None = None) -> _Any:
    """The function of the first pair whose condition holds; `default` (or the last pair's) if none does.

    Errors: KindError, ArgumentError for pairs that aren't (bool tensor, function)."""

def cond(pred: _Any, true_fn: _Callable[[], _Any] | None = None, false_fn: _Callable[[], _Any] | None = None, name: _str | None = None, return_names: _Any = None) -> _Any:
    """`true_fn()` if `pred` (a bool tensor of one element) else `false_fn()`; both return values of the same structure.

    Errors: KindError for what can't be called; as `if` in captured functions."""

def conv2d(input: _Any, num_filters: _int, filter_size: _Any, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int | None = None, param_attr: _Any = None, bias_attr: _Any = None, use_cudnn: _bool = True, act: _str | None = None, name: _str | None = None, data_format: _str = 'NCHW') -> _Any:
    """Convolution of images [n, c, h, w]."""

def conv2d_transpose(input: _Any, num_filters: _int, output_size: _Any = None, filter_size: _Any = None, padding: _Any = 0, stride: _Any = 1, dilation: _Any = 1, groups: _int | None = None, param_attr: _Any = None, bias_attr: _Any = None, use_cudnn: _bool = True, act: _str | None = None, name: _str | None = None, data_format: _str = 'NCHW') -> _Any:
    """Transposed convolution of images [n, c, h, w]."""

def conv3d(input: _Any, num_filters: _int, filter_size: _Any, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int | None = None, param_attr: _Any = None, bias_attr: _Any = None, use_cudnn: _bool = True, act: _str | None = None, name: _str | None = None, data_format: _str = 'NCDHW') -> _Any:
    """Convolution of volumes [n, c, d, h, w]."""

def conv3d_transpose(input: _Any, num_filters: _int, output_size: _Any = None, filter_size: _Any = None, padding: _Any = 0, stride: _Any = 1, dilation: _Any = 1, groups: _int | None = None, param_attr: _Any = None, bias_attr: _Any = None, use_cudnn: _bool = True, act: _str | None = None, name: _str | None = None, data_format: _str = 'NCDHW') -> _Any:
    """Transposed convolution of volumes [n, c, d, h, w]."""

def embedding(input: _Any, size: _Sequence[_int], is_sparse: _bool = False, is_distributed: _bool = False, padding_idx: _int | None = None, param_attr: _Any = None, dtype: _Any = 'float32') -> _Any:
    """Rows of a table [size[0], size[1]] by their numbers."""

def fc(x: _Any, size: _int, num_flatten_dims: _int = 1, weight_attr: _Any = None, bias_attr: _Any = None, activation: _str | None = None, name: _str | None = None) -> _Any:
    """x W + b: axes from `num_flatten_dims` on are one. Several inputs (a list) have a weight each and are added.

    Errors: KindError for an input that is no variable; ArgumentError for num_flatten_dims out of range."""

def group_norm(input: _Any, groups: _int, epsilon: _float = 1e-05, param_attr: _Any = None, bias_attr: _Any = None, act: _str | None = None, data_layout: _str = 'NCHW', name: _str | None = None) -> _Any:
    """Normalisation over groups of channels."""

def instance_norm(input: _Any, epsilon: _float = 1e-05, param_attr: _Any = None, bias_attr: _Any = None, name: _str | None = None) -> _Any:
    """Normalisation per sample and channel, of inputs of 2 to 5 axes. Errors: ShapeError for others."""

def layer_norm(input: _Any, scale: _bool = True, shift: _bool = True, begin_norm_axis: _int = 1, epsilon: _float = 1e-05, param_attr: _Any = None, bias_attr: _Any = None, act: _str | None = None, name: _str | None = None) -> _Any:
    """Normalisation over the axes from `begin_norm_axis` on."""

def nce(input: _Any, label: _Any, num_total_classes: _int, sample_weight: _Any = None, param_attr: _Any = None, bias_attr: _Any = None, num_neg_samples: _int | None = None, name: _str | None = None, sampler: _str = 'uniform', custom_dist: _Sequence[_float] | None = None, seed: _int = 0, is_sparse: _bool = False) -> _Any:
    """The loss [n, 1] of telling each row's classes from sampled ones; it makes a weight [classes, d] and a bias.

    Shapes: input f[n, d], label i64[n, classes of a row], sample_weight [n] or [n, 1]. sampler: classes are drawn
    "uniform", "log_uniform" (frequent ones first) or by "custom_dist", with replacement and for each row anew;
    seed: other than 0, every run draws the same. is_sparse: without effect.
    Errors: KindError for no variables, and for other dtypes than float32 and float64, int64; ShapeError;
    ArgumentError. Source: Gutmann, Hyvärinen, Noise-contrastive estimation, 2010."""

def prelu(x: _Any, mode: _str, param_attr: _Any = None, data_format: _str = 'NCHW', name: _str | None = None) -> _Any:
    """max(0, x) + a min(0, x) with a learnt `a`: one ("all"), per channel ("channel"), or per element ("element")."""

def py_func(func: _Callable[..., _Any], x: _Any, out: _Any, backward_func: _Callable[..., _Any] | None = None, skip_vars_in_backward_input: _Any = None, **unknown: _Any) -> _Any:
    """`func(*x)` in Python whenever the program gets there; its results are the values of `out`.

    x: variables, or None. out: variables made by `block.create_var(name, dtype, shape)`, or None for a function that is
    called for what it does. backward_func(*x, *out, *gradients of out) returns a gradient, or None, for each x;
    without it no gradient flows. skip_vars_in_backward_input: members of x and out that it doesn't get.
    Errors: KindError, ArgumentError for other kinds; CallbackError for results that don't fit."""

def row_conv(input: _Any, future_context_size: _int, param_attr: _Any = None, act: _str | None = None) -> _Any:
    """Each row plus the `future_context_size` rows after it, weighted per column; then `act`.

    Shapes: input f[n, t, d]; the weight f[future_context_size + 1, d]; result f[n, t, d]."""

def sparse_embedding(input: _Any, size: _Sequence[_int], padding_idx: _int | None = None, is_test: _bool = False, entry: _Any = None, table_class: _str = 'MemorySparseTable', param_attr: _Any = None, dtype: _Any = 'float32', slot: _Any = None) -> _Any:
    """`embedding` of a table that parameter servers may hold.

    The rest is for Paddle's servers, without effect: every row is admitted, and there is one kind of table.
    Errors: ShapeError for an empty input."""

def spectral_norm(weight: _Any, dim: _int = 0, power_iters: _int = 1, eps: _float = 1e-12, name: _str | None = None) -> _Any:
    """The weight divided by its largest singular value, which `power_iters` steps of power iteration estimate.

    The vectors of the iteration are persistable. Errors: ArgumentError for another axis than 0 or 1."""

def static_pylayer(forward_fn: _Callable[..., _Any], inputs: _Sequence[_Any], backward_fn: _Callable[..., _Any] | None = None, name: _str | None = None) -> _Any:
    """`forward_fn(*inputs)`, whose gradient is `backward_fn(*gradients of the results)`; both run in Python.

    Where forward_fn returns None, so does this. Errors: KindError for other kinds; ArgumentError for inputs that are no
    variables, or whose gradients are wanted without a backward_fn."""

def switch_case(branch_index: _Any, branch_fns: _Any, default: _Callable[[], _Any] | None = None, name: _str | None = None) -> _Any:
    """The function with the number `branch_index` (an int tensor of one element); `default` for any other number.

    branch_fns: functions, a dict number -> function, or pairs. Without a default the largest number's function is it.
    Errors: KindError, ArgumentError for other kinds and for numbers given twice."""

def while_loop(cond: _Callable[..., _Any], body: _Callable[..., _Any], loop_vars: _Sequence[_Any], is_test: _bool = False, name: _str | None = None) -> _list[_Any]:
    """Repeat `loop_vars = body(*loop_vars)` while `cond(*loop_vars)` holds; the last ones, as a list.

    Errors: KindError, ArgumentError for other kinds, and for a body that returns another number of values; as `while`
    in captured functions."""
