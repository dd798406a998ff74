"""A pytest plugin: test cases of single operators (`op_test.OpTest`) are checked through their Python functions.

PaddlePaddle's own harness builds descriptions of operators and asks its registry which argument is which. With
PaddlePaddle this plugin writes these answers down (one line a test: inputs, attributes, results). With vitrify it is
the module `op_test`: the same test cases call `python_api` with their inputs and attributes; results are compared with
the expected ones, gradients with numeric ones. A test for which nothing was written down is skipped.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import json
import os
import random
import sys
import unittest
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, ParamSpec

import numpy as np

MEASURED = 100  # elements of an input whose slopes are measured, drawn where it has more
Array = np.ndarray
P = ParamSpec("P")
SIGNATURES = "PADDLE_TESTS_SIGNATURES"
NO_FUNCTION = "describes an operator, no function"
# parameters of functions that no operator has as an attribute of the same meaning
OF_FUNCTIONS = {"name", "dtype", "out", "output"}


def pytest_configure(config: Any) -> None:
    """With vitrify `op_test` is this module; with PaddlePaddle its harness is watched."""
    if "vitrify" in sys.modules:
        sys.modules["op"] = ModuleType("op", "The test files' own helper for operators of release 1.")
        sys.modules["op"].Operator = _Operator  # type: ignore[attr-defined]
        sys.modules["op_test"] = sys.modules["legacy_test.op_test"] = sys.modules[__name__]
        # what wrappers of operators in test files call before the operator: there is no library of a GPU to leave out
        import_module("vitrify").Tensor._use_gpudnn = lambda tensor, use=True: tensor
    else:
        with contextlib.suppress(ImportError):
            _watch(import_module("prim_op_test").OpTestUtils)


class _Operator:
    """An operator by its description inside PaddlePaddle; other tests of such a file run."""

    def __init__(self, *_: Any, **__: Any) -> None:
        raise unittest.SkipTest(NO_FUNCTION)


def _test() -> str:
    return os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0].partition("::")[2]


def _watch(utilities: Any) -> None:
    prepare = utilities.prepare_python_api_arguments

    def noting(api: Any, inputs: Any, attributes: Any, signature: Any, *rest: Any, **more: Any) -> Any:
        with Path(os.environ[SIGNATURES]).open("a", encoding="utf-8") as file:
            file.write(json.dumps([_test(), [list(part) for part in signature]]) + "\n")
        return prepare(api, inputs, attributes, signature, *rest, **more)

    utilities.prepare_python_api_arguments = noting


@functools.cache
def _signatures() -> dict[str, list[list[str]]]:
    path = Path(os.environ[SIGNATURES])
    return dict(json.loads(line) for line in path.read_text().splitlines()) if path.exists() else {}


def _is_raw(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype == np.uint16


def _eager(check: Callable[P, Any]) -> Callable[P, Any]:
    """Checks run in eager mode, whatever mode another test left behind."""

    @functools.wraps(check)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> Any:
        with import_module("vitrify.base.dygraph").guard():
            return check(*args, **kwargs)

    return guarded


class OpTest(unittest.TestCase):
    """A test case with `inputs`, `attrs`, `outputs` and `python_api`."""

    inputs: dict[str, Any]
    outputs: dict[str, Any]
    python_api: Any
    dtype: Any = None
    check_pir_onednn = check_prim = check_prim_pir = False  # which further checks PaddlePaddle's harness makes

    @classmethod
    def setUpClass(cls) -> None:
        """The same numbers in each run."""
        np.random.seed(123)
        random.seed(124)

    @staticmethod
    def np_dtype_to_base_dtype(value: Any) -> Any:
        """The value itself."""
        return value

    np_value_to_base_value = np_dtype_to_base_dtype

    @staticmethod
    def _get_places() -> list[Any]:
        """The one place."""
        return [import_module("vitrify").CPUPlace()]

    def is_bfloat16_op(self) -> bool:
        """True where any input is bfloat16, written as its bits."""
        given = self.__dict__.get("inputs")  # asked before there are any: by the test's dtype
        return any(_is_raw(value) for _, value in _named(given)) if given else self.dtype == np.uint16

    def is_float16_op(self) -> bool:
        """True where any input is float16."""
        given = self.__dict__.get("inputs")
        if not given:
            return bool(self.dtype == np.float16)
        return any(getattr(value, "dtype", None) == np.float16 for _, value in _named(given))

    @_eager
    def check_output(self, atol: float = 1e-5, rtol: float = 1e-5, **options: Any) -> None:
        """Results of the function are the expected ones."""
        if self.is_bfloat16_op():
            atol, rtol = max(atol, 0.03), max(rtol, 0.01)
        elif self.is_float16_op():
            atol, rtol = max(atol, 1e-3), max(rtol, 1e-3)
        unchecked = set(options.get("no_check_set") or ())
        for name, value in self._call(self._tensors()).items():
            if name in unchecked or name not in self.outputs:
                continue
            given = self.outputs[name]
            made = value if isinstance(value, (list, tuple)) else [value]
            pairs = (
                zip([e[1] if isinstance(e, tuple) else e for e in given], made, strict=True)
                if isinstance(given, list)
                else [(given[0] if isinstance(given, tuple) else given, value)]
            )
            for expected, got in pairs:
                _compare(name, expected, got, atol, rtol)

    def check_output_with_place(self, place: Any = None, atol: float = 1e-5, **options: Any) -> None:
        """`check_output`: there is one place."""
        self.check_output(atol, **{name: value for name, value in options.items() if value is not None})

    @_eager
    def check_output_customized(
        self, checker: Callable[[list[Array]], None], custom_place: Any = None, **options: Any
    ) -> None:
        """A function of the test looks at the results."""
        checker([value.numpy() for value in _flat(self._call(self._tensors()).values())])

    def check_output_with_place_customized(
        self, checker: Callable[[list[Array]], None], place: Any = None, **options: Any
    ) -> None:
        """A function of the test looks at the results, of which the one with fewer rows comes first."""
        checker(sorted(self.calc_output(place), key=len))

    @_eager
    def calc_output(self, place: Any = None) -> list[Array]:
        """The results as arrays; bfloat16 as its bits."""
        made = _flat(self._call(self._tensors()).values())
        wide = [v.astype("float32") if v.dtype.name == "bfloat16" else v for v in made]
        return [
            convert_float_to_uint16(w.numpy()) if w is not v else v.numpy() for v, w in zip(made, wide, strict=True)
        ]

    def check_grad_with_place(
        self, place: Any, inputs_to_check: Any, output_names: Any, *rest: Any, **options: Any
    ) -> None:
        """`check_grad`: there is one place."""
        self.check_grad(inputs_to_check, output_names, *rest, **options)

    @_eager
    def check_grad(
        self,
        inputs_to_check: Sequence[str],
        output_names: str | Sequence[str],
        no_grad_set: Any = None,
        numeric_grad_delta: float = 0.005,
        in_place: bool = False,
        max_relative_error: float = 0.005,
        user_defined_grads: Any = None,
        user_defined_grad_outputs: Any = None,
        **options: Any,
    ) -> None:
        """Gradients of the results' means are the given ones or the numeric ones."""
        names = [output_names] if isinstance(output_names, str) else list(output_names)
        low = self.is_bfloat16_op() or self.is_float16_op()
        tensors = self._tensors()
        leaves = [_find(tensors, name) for name in inputs_to_check]
        for leaf in leaves:
            leaf.stop_gradient = False
        if isinstance(user_defined_grad_outputs, np.ndarray):
            user_defined_grad_outputs = [user_defined_grad_outputs]
        got = self._gradients(tensors, leaves, names, user_defined_grad_outputs)
        coarse = _is_coarse(getattr(self, "op_type", ""))
        if user_defined_grads is None:
            # PaddlePaddle's own harness takes smaller steps among doubles
            fine = numeric_grad_delta if coarse else min(numeric_grad_delta, 1e-5)
            steps = [fine if x.dtype.name == "float64" else numeric_grad_delta for x in leaves]
            user_defined_grads = [
                self._numeric(name, names, step, user_defined_grad_outputs, value)
                for name, step, value in zip(inputs_to_check, steps, got, strict=True)
            ]
        bound = max(max_relative_error, 0.05) if low else max_relative_error
        for name, leaf, value, expected in zip(inputs_to_check, leaves, got, user_defined_grads, strict=True):
            expected = _floats(np.asarray(expected))
            size = np.array(np.abs(expected))
            is_fine = leaf.dtype.name == "float64" and expected.dtype == np.float64 and not low and not coarse
            size[size < (1e-10 if is_fine else 1e-3)] = 1.0
            worst = float(
                np.max(np.abs(value - expected.reshape(value.shape)) / size.reshape(value.shape), initial=0.0)
            )
            assert worst <= bound, f"gradient of {name}: relative error {worst:g} is above {bound:g}"

    def _tensors(self, wide: bool = False) -> dict[str, Any]:
        """Tensors of the inputs by their operator's names; a list of pairs is a list of tensors."""
        return {
            name: {key: _tensor(value, wide) for key, value in given}
            if isinstance(given, list)
            else _tensor(given, wide)
            for name, given in self.inputs.items()
            if given is not None
        }

    def _call(self, tensors: dict[str, Any]) -> dict[str, Any]:
        signature = _signatures().get(_test())
        if signature is None or not callable(getattr(type(self), "python_api", self.__dict__.get("python_api"))):
            raise unittest.SkipTest(NO_FUNCTION)
        function = self.__dict__.get("python_api") or inspect.getattr_static(type(self), "python_api")
        function = function.__func__ if isinstance(function, staticmethod) else function
        result = function(*_arguments(function, signature, tensors, getattr(self, "attrs", {})))
        names = list(getattr(self, "python_out_sig", None) or signature[2])
        if isinstance(result, (list, tuple)) and len(names) == 1:
            return {names[0]: result if isinstance(self.outputs.get(names[0]), list) else result[0]}
        values = result if isinstance(result, (list, tuple)) else [result]
        return dict(zip(names, values, strict=False))

    def _gradients(self, tensors: dict[str, Any], leaves: list[Any], names: list[str], seeds: Any) -> list[Array]:
        paddle = import_module("vitrify")
        results = self._picked(self._call(tensors), names)
        if seeds is None:
            total = sum((r.astype("float32") if r.dtype.name in ("bfloat16", "float16") else r).mean() for r in results)
            outs, grads = [total / len(results)], None
        else:
            outs, grads = (
                results,
                [_tensor(np.asarray(s), False).astype(r.dtype) for s, r in zip(seeds, results, strict=False)],
            )
        found = paddle.grad(outs, leaves, grads, allow_unused=True)
        return [
            np.zeros(leaf.shape)
            if g is None
            else _floats(g.astype("complex128" if g.dtype.name.startswith("complex") else "float64").numpy())
            for leaf, g in zip(leaves, found, strict=False)
        ]

    def _picked(self, results: dict[str, Any], names: list[str]) -> list[Any]:
        """The results with these names, a member of a list by the name that `outputs` gives it."""
        members = {
            pair[0]: value
            for name, given in self.outputs.items()
            if isinstance(given, list) and name in results
            for pair, value in zip(given, results[name], strict=False)
            if isinstance(pair, tuple)
        }
        return [value for name in names for value in _flat([results[name] if name in results else members[name]])]

    def _numeric(self, name: str, names: list[str], step: float, seeds: Any, got: Array) -> Array:
        """Slopes of the results' mean. Of a large input some elements' are measured, the others' are those of `got`."""
        tensors = self._tensors(wide=True)
        holder, key = _place(tensors, name)
        array = np.array(holder[key].numpy())
        make = import_module("vitrify").to_tensor

        def value() -> float:
            holder[key] = make(array)
            results = [r.astype("float64").numpy() for r in self._picked(self._call(tensors), names)]
            if seeds is None:
                return float(sum(r.mean() for r in results)) / len(results)
            return float(
                sum((r * _floats(np.asarray(s)).reshape(r.shape)).sum() for r, s in zip(results, seeds, strict=False))
            )

        is_complex = array.dtype.kind == "c"
        slopes = np.array(got.reshape(array.shape), array.dtype if is_complex else np.float64)
        places = list(np.ndindex(*array.shape))
        for place in random.Random(0).sample(places, min(len(places), MEASURED)):
            slopes[place] = 0
            kept = array[place]
            for unit in (1.0, 1.0j) if is_complex else (1.0,):  # the real part's slopes along both axes
                array[place] = kept + unit * step
                above = value()
                array[place] = kept - unit * step
                slopes[place] += unit * (above - value()) / (2 * step)
            array[place] = kept
        return slopes


def _arguments(
    function: Any, signature: list[list[str]], tensors: dict[str, Any], attributes: dict[str, Any]
) -> list[Any]:
    """What PaddlePaddle's harness gives: operator's inputs and attributes in the order of its kernel's arguments."""
    empty = inspect.Parameter.empty
    parameters = list(inspect.signature(function).parameters.values())

    def listed(name: str) -> Any:
        given = tensors.get(name, empty)
        return list(given.values()) if isinstance(given, dict) else given

    def attribute(name: str) -> Any:
        return attributes[name] if attributes.get(name) is not None else listed(name)

    def operand(name: str) -> Any:
        """An input; as in PaddlePaddle's harness, a list of one tensor is that tensor."""
        given = listed(name)
        return given[0] if isinstance(given, list) and len(given) == 1 else given

    values = [*(operand(name) for name in signature[0]), *(attribute(name) for name in signature[1])]
    if not parameters or parameters[0].kind is inspect.Parameter.VAR_POSITIONAL:
        return values
    found = []
    for place, parameter in enumerate(parameters):
        if parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_KEYWORD):  # given by a `partial`, or nothing
            break
        if parameter.name in OF_FUNCTIONS:
            value = attributes.get(parameter.name, empty)
        else:
            value = values[place] if place < len(values) else attribute(parameter.name)
        if value is empty:
            value = parameter.default
        assert value is not empty, f"no argument for {parameter.name!r}"
        found.append(value)
    return found


def _named(inputs: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, given in inputs.items():
        yield from given if isinstance(given, list) else [(name, given)]


def _place(tensors: dict[str, Any], name: str) -> tuple[dict[str, Any], str]:
    holder = tensors if name in tensors else next(d for d in tensors.values() if isinstance(d, dict) and name in d)
    return holder, name


def _is_coarse(operator: str) -> bool:
    """Whether PaddlePaddle's own harness takes large steps for numeric gradients of an operator, doubles too."""
    with contextlib.suppress(ImportError):
        listed = import_module("white_list.op_threshold_white_list")
        return operator in listed.NEED_FIX_FP64_CHECK_GRAD_THRESHOLD_OP_LIST
    return False


def _find(tensors: dict[str, Any], name: str) -> Any:
    holder, key = _place(tensors, name)
    return holder[key]


def _flat(values: Any) -> list[Any]:
    return [v for value in values for v in (value if isinstance(value, (list, tuple)) else [value])]


def _tensor(value: Any, wide: bool) -> Any:
    make = import_module("vitrify").to_tensor
    value = value[0] if isinstance(value, tuple) else value
    if _is_raw(value):
        floats = convert_uint16_to_float(value)
        return make(floats.astype(np.float64)) if wide else make(floats).astype("bfloat16")
    value = np.asarray(value)
    if wide and value.dtype == np.complex64:
        return make(value.astype(np.complex128))
    return make(value.astype(np.float64) if wide and value.dtype in (np.float32, np.float16) else value)


def _floats(array: Array) -> Array:
    return convert_uint16_to_float(array) if array.dtype == np.uint16 else array


def _compare(name: str, expected: Any, got: Any, atol: float, rtol: float) -> None:
    expected = _floats(np.asarray(expected))
    value = got.astype("float32").numpy() if got.dtype.name == "bfloat16" else got.numpy()
    if expected.size == value.size and expected.shape != value.shape and () in (expected.shape, value.shape):
        expected = expected.reshape(value.shape)
    np.testing.assert_allclose(value, expected, atol=atol, rtol=rtol, err_msg=f"result {name}")


def convert_float_to_uint16(array: Any, data_format: str = "NCHW") -> Array:
    """The bits of bfloat16 numbers, rounded to nearest even."""
    bits = np.asarray(array, np.float32).view(np.uint32).astype(np.uint64)
    return np.asarray(((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16))  # NumPy makes numbers of 0 axes


def convert_uint16_to_float(bits: Any) -> Array:
    """bfloat16 numbers from their bits."""
    return (np.asarray(bits).astype(np.uint32) << 16).view(np.float32)


copy_bits_from_float_to_uint16 = convert_float_to_uint16


def skip_check_grad_ci(*_: Any, **__: Any) -> Callable[[Any], Any]:
    """A mark for PaddlePaddle's own checks."""
    return lambda case: case


skip_check_inplace_ci = skip_check_grad_ci


def _set_use_system_allocator(value: bool | None = None) -> bool:
    """Files set it when they are imported: there is one allocator."""
    return True


class OpTestTool:
    """Decorators of test cases."""

    @staticmethod
    def skip_if(condition: Any, reason: str) -> Any:
        """As unittest's."""
        return unittest.skipIf(condition, reason)

    @staticmethod
    def skip_if_not_cpu_bf16() -> Any:
        """Nothing to skip: bfloat16 is there on every machine."""
        return lambda case: case


@contextlib.contextmanager
def paddle_static_guard() -> Iterator[None]:
    """Static mode inside."""
    paddle = import_module("vitrify")
    paddle.enable_static()
    try:
        yield
    finally:
        paddle.disable_static()


def __getattr__(name: str) -> Any:
    if name.startswith(("__", "pytest")):
        raise AttributeError(name)

    def absent(*_: Any, **__: Any) -> Any:
        raise unittest.SkipTest(f"{NO_FUNCTION}: {name} belongs to PaddlePaddle's harness")

    return absent
