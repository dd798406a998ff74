"""The names around `to_static`: marks, modes, Paddle's `jit.dy2static`, and where a function's source comes from."""

from __future__ import annotations

import copy
import functools
import importlib
import linecache
import logging
from typing import Any

import pytest

import vitrify as vt
from vitrify.errors import CaptureError, KindError, ModeError


def x3() -> Any:
    return vt.to_tensor([1.0, 2.0, 3.0])


def doubles(x: Any) -> Any:
    if x.sum() > 0:
        return x * 2
    return x


def plus_one(fn: Any) -> Any:
    @functools.wraps(fn)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return fn(*args, **kwargs) + 1

    return wrapper


class Counted:
    """A decorator with a state."""

    def __init__(self, fn: Any) -> None:
        functools.update_wrapper(self, fn)
        self.fn, self.calls = fn, 0

    def __call__(self, x: Any) -> Any:
        self.calls += 1
        return self.fn(x) + self.calls


class Thing:
    rate = 2

    def method(this, x: Any) -> Any:  # noqa: N805 - any name will do
        return doubles(x) * this.rate

    @staticmethod
    def alone(x: Any) -> Any:
        return doubles(x) + 5

    @classmethod
    def of_class(cls, x: Any) -> Any:
        return doubles(x) * cls.rate

    @property
    def twice(self) -> Any:
        return self.rate * 2

    def __call__(self, x: Any) -> Any:
        return doubles(x) * self.twice


class Derived(Thing):
    def method(self, x: Any) -> Any:
        return super().method(x) + 1

    def old_super(self, x: Any) -> Any:
        return super().method(x) - 1


DOUBLED, TRIPLED = (lambda x: x * 2 if x.sum() > 0 else x), (lambda x: x * 3 if x.sum() > 0 else x)  # on one line
THING = Derived()
FORMS: list[tuple[Any, list[float]]] = [
    (doubles, [2, 4, 6]),
    (DOUBLED, [2, 4, 6]),
    (TRIPLED, [3, 6, 9]),
    (plus_one(doubles), [3, 5, 7]),
    (Counted(doubles), [3, 5, 7]),
    (functools.partial(lambda x, a: doubles(x) * a, a=2), [4, 8, 12]),
    (functools.partial(lambda a, x: doubles(x) * a, 2), [4, 8, 12]),
    (functools.partial(THING.method), [5, 9, 13]),
    (THING.method, [5, 9, 13]),
    (THING.old_super, [3, 7, 11]),
    (THING.alone, [7, 9, 11]),
    (THING.of_class, [4, 8, 12]),
    (THING, [8, 16, 24]),
]


@pytest.mark.parametrize(("target", "want"), FORMS)
def test_forms_of_functions(target: Any, want: list[float]) -> None:
    assert vt.to_static(target)(x3()).tolist() == want


def test_a_decorator_keeps_its_state() -> None:
    counted = Counted(doubles)
    compiled = vt.to_static(counted)
    assert [compiled(x3()).tolist()[0] for _ in range(4)] == [3, 4, 5, 6]
    assert counted.calls == 4
    assert compiled.get_traced_count() == 1


SOURCE = "def f(x):\n    if x.sum() > 0:\n        return x * 2\n    return x\n"


@pytest.mark.parametrize("file", ["<made-1>", "<ipython-input-3-abc>", "<stdin>-7"])
def test_source_from_a_cell(file: str) -> None:
    linecache.cache[file] = (len(SOURCE), None, SOURCE.splitlines(True), file)
    space: dict[str, Any] = {}
    exec(compile(SOURCE, file, "exec"), space)
    assert vt.to_static(space["f"])(x3()).tolist() == [2, 4, 6]


def test_no_source_names_the_remedy() -> None:
    space: dict[str, Any] = {}
    exec(SOURCE, space)
    with pytest.raises(CaptureError, match="the source of `f` isn't available") as caught:
        vt.to_static(space["f"])(x3())
    assert "put the function in a file" in str(caught.value)
    assert "not_to_static" in str(caught.value)


def test_modes() -> None:
    fn = vt.to_static(doubles)
    assert fn.training
    assert not fn.eval().training
    assert fn.train().training
    net = vt.to_static(vt.nn.Linear(3, 3))
    with pytest.raises(ModeError, match="has a mode of its own"):
        net.forward.eval()
    assert isinstance(ModeError("x"), RuntimeError)
    net.eval()
    assert not net.forward.training


def test_concrete_programs() -> None:
    fn = vt.to_static(lambda x, y: x + y)
    spec = vt.InputSpec([None], "float32")
    made, entry = fn.get_concrete_program(spec, spec)
    assert (len(made.inputs), entry) == (2, None)
    made, entry = fn.get_concrete_program(x3(), x3())
    assert entry is fn.program_cache[0]
    assert entry.train_program == entry.infer_program == made.main_program
    assert fn(x3(), x3()).tolist() == [2, 4, 6]
    assert fn.get_traced_count() == 1
    assert fn.concrete_program_specify_input_spec([spec, spec]).main_program.feeds == ["x", "y"]


class Nested:
    def listed(self, pair: Any) -> Any:
        return pair[0] + pair[1]

    def named(self, parts: Any, scale: Any = 1) -> Any:
        return parts["a"][0] * parts["b"] * scale


def test_inputs_have_the_names_of_the_parameters() -> None:
    spec = vt.InputSpec([None, 2])
    listed = vt.to_static(Nested().listed, input_spec=[[spec, spec]])
    assert [leaf.name for leaf in listed.inputs] == ["pair_0", "pair_1"]
    named = vt.to_static(Nested().named, input_spec=[{"a": [spec], "b": spec}, vt.InputSpec([], "int64", "by")])
    assert [leaf.name for leaf in named.inputs] == ["a_0", "b", "by"]
    assert [leaf.shape for leaf in named.concrete_program.inputs] == [(-1, 2), (-1, 2), ()]
    assert [leaf.dtype.name for leaf in named.inputs] == ["float32", "float32", "int64"]


def test_programs_for_specs_are_kept() -> None:
    fn = vt.to_static(lambda x, y, k=1: x * k + y)
    any_row, one_row = vt.InputSpec([None, 2]), vt.InputSpec([1, 2])
    first = fn.get_concrete_program(any_row, any_row)[0]
    assert fn.get_concrete_program(any_row, any_row, 1)[0] == first
    assert len(fn.program_cache) == 1
    assert fn.get_concrete_program(any_row, y=any_row, k=2)[0] != first
    assert fn.get_concrete_program(one_row, any_row)[0] != first
    assert len(fn.program_cache) == 3
    assert fn.program_cache.concrete_programs()[0] == first
    assert not hasattr(first, "__dict__")
    with pytest.raises(ValueError, match="for `y`"):
        fn.get_concrete_program(any_row)
    with pytest.raises(TypeError, match="unexpected keyword"):
        fn.get_concrete_program(any_row, any_row, other=1)


def test_the_last_program() -> None:
    fn = vt.to_static(doubles)
    with pytest.raises(ValueError, match="no program yet"):
        fn.program_cache.last()
    fn(x3())
    number, (shown, partial) = fn.program_cache.last()
    assert (number, len(fn.program_cache)) == (1, 1)
    assert shown == fn.concrete_program
    assert partial.program == partial.train_program == partial.infer_program == fn.main_program
    assert fn.main_program != vt.to_static(lambda x: x, input_spec=[vt.InputSpec([1])]).main_program


def test_operations_of_a_program() -> None:
    fn = vt.to_static(doubles, input_spec=[vt.InputSpec([3])])
    program = fn.main_program
    block = program.global_block()
    assert block.num_ops() == len(block.ops)
    assert [op.name() for op in block.ops][-1] == block.ops[-1].type == "if"
    assert (program.num_blocks, len(block.ops[-1].blocks())) == (3, 2)
    assert program.blocks[1].ops[-1].type == "multiply"
    assert "axis" in block.ops[0].attrs()
    assert program.feeds == fn.program.feeds
    assert str(program) == str(fn.program)


def test_static_mode_has_no_compiled_functions() -> None:
    fn = vt.to_static(doubles, input_spec=[vt.InputSpec([3])])
    vt.enable_static()
    try:
        with vt.static.program_guard(vt.static.Program()):
            x = vt.static.data("x", [3])
            for use in (lambda: fn(x), lambda: fn.concrete_program, lambda: fn.inputs, lambda: fn.outputs):
                with pytest.raises(RuntimeError, match="only available in dynamic mode"):
                    use()
    finally:
        vt.disable_static()
    assert fn(x3()).tolist() == [2, 4, 6]


def test_functions_that_stay_python_show_their_own_code() -> None:
    @vt.jit.not_to_static
    def plain(x: Any) -> Any:
        if x.shape[0] > 1:  # a Python test
            x = x + 1
        return x

    code = vt.to_static(plain).code
    assert "if x.shape[0] > 1:\n" in code
    assert "#" not in code


def test_a_spec_that_is_too_long() -> None:
    spec = vt.InputSpec([3])
    with pytest.raises(ValueError, match="input_spec has 2 entries, but doubles takes 1 argument"):
        vt.to_static(doubles, input_spec=[spec, spec])
    with pytest.raises(ValueError, match="no keyword argument 'other'"):
        vt.to_static(doubles, input_spec=[spec])(x3(), other=1)


def test_marked_axes_are_symbols_at_once() -> None:
    fn = vt.to_static(lambda x: x * 2)
    fn(vt.jit.marker.dynamic_dims(vt.ones([2, 3]), [0]))
    for size in (3, 4, 1):
        assert fn(vt.ones([size, 3])).shape == [size, 3]
    assert fn.get_traced_count() == 1
    with pytest.raises(IndexError, match="axis 2"):
        vt.jit.marker.dynamic_dims(vt.ones([2]), 2)


@pytest.mark.parametrize("mark", [vt.jit.marker.unified, vt.jit.marker.force_dynamic, vt.jit.marker.unified()])
def test_marked_functions_stay_python(mark: Any) -> None:
    @mark
    def helper(x: Any) -> Any:
        return x * 2 if isinstance(x, vt.Tensor) else x

    assert vt.to_static(lambda x: helper(x))(x3()).tolist() == [2, 4, 6]
    assert vt.jit.marker.capture_control_flow(helper) is helper


def test_code_level(caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]) -> None:
    vt.jit.set_code_level(100, also_to_stdout=True)
    vt.jit.set_verbosity(1)
    try:
        with caplog.at_level(logging.WARNING, "vitrify.jit"):
            vt.to_static(lambda x: x + 1 if x.sum() > 0 else x)(x3())
    finally:
        vt.jit.set_code_level(0)
        vt.jit.set_verbosity(0)
    assert "vt_rt.if_exp" in caplog.text
    assert "converted" in caplog.text
    assert "vt_rt.if_exp" in capsys.readouterr().out
    with pytest.raises(KindError, match="takes an int"):
        vt.jit.set_code_level("all")  # type: ignore[arg-type]


NAMES = {
    "jit.dy2static": ["convert_to_static", "convert_call", "convert_ifelse", "ProgramTranslator", "StaticFunction"],
    "jit.dy2static.utils": ["Dygraph2StaticException", "func_to_source_code", "ast_to_source_code", "unwrap"],
    "jit.dy2static.error": ["ERROR_DATA", "ErrorData", "attach_error_data", "Dy2StKeyError"],
    "jit.dy2static.program_translator": ["StaticFunction", "ConcreteProgram", "ASTStaticFunction"],
    "jit.dy2static.convert_call_func": ["convert_call", "translator_logger"],
    "jit.dy2static.convert_operators": ["convert_while_loop", "convert_logical_and", "convert_len"],
    "jit.marker": ["unified", "force_dynamic", "capture_control_flow", "dynamic_dims"],
    "jit.api": ["to_static"],
}


@pytest.mark.parametrize("module", NAMES)
def test_paddles_names(module: str) -> None:
    found = importlib.import_module(f"vitrify.{module}")
    assert [n for n in NAMES[module] if not hasattr(found, n)] == []


def test_errors_carry_the_users_lines() -> None:
    from vitrify.jit.dy2static.error import ERROR_DATA, message_of

    def fails(x: Any) -> Any:
        return vt.concat([x, vt.ones([2, 2])])

    with pytest.raises(ValueError, match="concat") as caught:
        vt.to_static(fails)(x3())
    text = getattr(caught.value, ERROR_DATA).create_message()
    assert "In transformed code:" in text
    assert "return vt.concat([x, vt.ones([2, 2])])" in text
    assert message_of(caught.value) == text


def test_the_translator(monkeypatch: pytest.MonkeyPatch) -> None:
    translator = vt.jit.ProgramTranslator.get_instance()
    assert "vt_rt" in translator.get_code(doubles)
    main, startup, inputs, outputs = translator.get_program(doubles, x3())
    assert (len(inputs), main.feeds, len(startup.body.operations)) == (1, ["x"], 0)
    assert outputs is not None
    assert translator.get_func(doubles)(x3()).tolist() == [2, 4, 6]
    translator.enable(False)
    try:
        with pytest.warns(UserWarning, match="runs uncompiled"):
            assert translator.get_output(doubles, x3()).tolist() == [2, 4, 6]
        assert not translator.enable_to_static
    finally:
        translator.reset()


def test_source_texts() -> None:
    from vitrify.jit.dy2static.utils import func_to_source_code

    assert func_to_source_code(THING.method).startswith("def method(self")
    with pytest.raises(TypeError, match="not int"):
        func_to_source_code(3)  # type: ignore[arg-type]


def test_copies_and_instances_are_independent() -> None:
    class Scaled(vt.nn.Layer):
        def __init__(self, rate: Any) -> None:
            super().__init__()
            self.rate, self.lin = rate, vt.nn.Linear(3, 3)

        @vt.to_static
        def forward(self, x: Any) -> Any:
            return self.lin(x) * self.rate

    a, b = Scaled("2" * 2), Scaled(3)
    a.rate = 2
    twin = copy.deepcopy(a)
    before = a(x3()).tolist()
    assert twin(x3()).tolist() == before
    twin.lin.weight.set_value(twin.lin.weight * 0)
    assert twin(x3()).tolist() == [v * 2 for v in twin.lin.bias.tolist()]
    assert a(x3()).tolist() == before
    assert b(x3()).tolist() != before
    assert a.forward is not b.forward
