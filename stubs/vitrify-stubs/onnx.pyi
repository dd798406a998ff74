# Written by `make stubs`; edits here are lost.

"""ONNX models: `export` writes one, `load` reads one as a layer."""

from builtins import bytes as _bytes
from builtins import int as _int
from builtins import str as _str
from collections.abc import Mapping as _Mapping
from os import PathLike as _PathLike
from typing import Any as _Any
from vitrify.jit.serialize.load import TranslatedLayer as _TranslatedLayer

def export(layer: _Any, path: _str | _PathLike[_str], input_spec: _Any = None, opset_version: _int | None = None, **configs: _Any) -> None:
    """Write a layer or function as an ONNX model, in inference mode.

    path: `.onnx` is added unless it is there; missing folders are made; the file appears whole or not at all.
    input_spec: InputSpecs or example tensors; not needed when `to_static` got one or the function was called. Sizes of
    None become dim_params. opset_version: 13 to 22, by default 18 or the first later one that has what is
    needed; an older one is raised to 13 with a warning.
    output_spec (option): numbers of the outputs to keep. Nested inputs and outputs become flat lists in order.
    Parameters are initializers under their names in `state_dict`; the model holds their present values.
    Warns where the model takes something for granted of open sizes, or of those of a call that no input_spec describes;
    the file's metadata say it, under `vitrify.assumed`.
    Errors: ArgumentError that names operations without an ONNX form; MissingDependencyError without the library onnx.

    >>> import vitrify as vt
    >>> vt.onnx.export(vt.nn.Linear(4, 2), "linear", [vt.static.InputSpec([None, 4])])  # doctest: +SKIP"""

def load(source: _str | _PathLike[_str] | _bytes, constants: _Mapping[_str, _Any] | None = None) -> _TranslatedLayer:
    """An ONNX model as a layer: callable, compiled, trainable, saved again by `jit.save`.

    source: a path, or the bytes of a model. Floating initializers become parameters under their names (the statistics
    of batch normalisation: buffers), others constants; dim_params become symbolic sizes. constants: values for inputs
    of the model that have to be known while it is loaded, such as axes; they are no arguments of the layer any more.
    Errors: ArtifactError for a file that is missing, damaged or of an opset other than 7 to 28; ArgumentError that
    names all operators that aren't supported; MissingDependencyError without the library onnx.

    >>> import onnx.parser  # doctest: +SKIP
    >>> import vitrify as vt
    >>> text = '<ir_version: 8, opset_import: ["": 18]> halves (float[N] x) => (float[N] y) { y = Add(x, x) }'
    >>> layer = vt.onnx.load(onnx.parser.parse_model(text).SerializeToString())  # doctest: +SKIP
    >>> layer(vt.to_tensor([1.0, 2.0])).tolist()  # doctest: +SKIP
    [2.0, 4.0]"""
