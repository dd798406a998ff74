# Written by `make stubs`; edits here are lost.

"""`nn.utils`: weight_norm and spectral_norm as hooks of a layer, clipping of gradients, parameters as one vector."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from collections.abc import Iterable as _Iterable
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer

def clip_grad_norm_(parameters: _Any, max_norm: _float, norm_type: _float = 2.0, error_if_nonfinite: _bool = False) -> _Any:
    """Scale all gradients together so that their norm is at most max_norm; the norm before.

    norm_type: the p of the norm, inf included. Errors: ArgumentError for a norm that isn't finite, on request."""

def clip_grad_value_(parameters: _Any, clip_value: _float) -> None:
    """Bound every element of all gradients to [-clip_value, clip_value]."""

def parameters_to_vector(parameters: _Iterable[_Any], name: _str | None = None) -> _Any:
    """All elements of the parameters, one after the other, as one tensor of rank 1."""

def remove_weight_norm(layer: _Layer, name: _str = 'weight') -> _Layer:
    """Undo weight_norm: the product becomes a parameter again. Errors: ArgumentError without weight_norm."""

def spectral_norm(layer: _Layer, name: _str = 'weight', n_power_iterations: _int = 1, eps: _float = 1e-12, dim: _int | None = None) -> _Layer:
    """Divide the parameter `name` of a layer by its largest singular value, estimated by power iterations.

    The parameter is `<name>_orig` from now on; buffers `<name>_u` and `<name>_v` hold the vectors, which move in
    training. dim: the axis of the matrix's rows (default: 0, 1 for Linear and transposed convolutions).
    Source: Miyato et al., Spectral Normalization for Generative Adversarial Networks, 2018."""

def vector_to_parameters(vec: _Any, parameters: _Iterable[_Any], name: _str | None = None) -> None:
    """Write the elements of `vec` into the parameters, one after the other."""

def weight_norm(layer: _Layer, name: _str = 'weight', dim: _int | None = 0) -> _Layer:
    """Make the parameter `name` of a layer a product: length `<name>_g` times direction `<name>_v` (both trained).

    dim: the axis whose slices have lengths of their own; None: one length for all. Returns the layer.
    Source: Salimans, Kingma, Weight Normalization, 2016.

    >>> from .linear_layers import Linear
    >>> sorted(n for n, _ in weight_norm(Linear(2, 3)).named_parameters())
    ['bias', 'weight_g', 'weight_v']"""
