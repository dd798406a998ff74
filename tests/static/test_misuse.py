"""Each wrong call of the static API has an error of the class that Paddle's users expect, and leaves no trace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import static

FEED = {"x": np.ones((1, 2), "float32")}


@pytest.fixture
def built() -> Any:
    """A program with a layer and its loss, started, and what its wrong uses need."""
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        x = static.data("x", [None, 2])
        y = static.nn.fc(x, 2)
        loss = vt.mean(y)
        out = main.current_block().create_var(name="out", dtype="float32", shape=[-1, 2])
        shapeless = main.current_block().create_var(name="shapeless", dtype="float32")
    executor, closed = static.Executor(), static.Executor()
    executor.run(startup)
    closed.close()
    return SimpleNamespace(
        main=main, startup=startup, x=x, y=y, loss=loss, out=out, shapeless=shapeless, executor=executor, closed=closed
    )


def under(call: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The call while the program is built."""

    def run(b: Any) -> Any:
        with static.program_guard(b.main, b.startup):
            return call(b)

    return run


def run(b: Any, **arguments: Any) -> Any:
    return b.executor.run(b.main, **{"feed": FEED, "fetch_list": [b.loss]} | arguments)


MISUSES: list[tuple[str, type[Exception], str, Callable[[Any], Any]]] = [
    ("py_func x", TypeError, "x must be variables", under(lambda b: static.py_func(np.tanh, "x", b.out))),
    ("py_func out", TypeError, "out must be variables", under(lambda b: static.py_func(np.tanh, b.x, "out"))),
    ("py_func func", TypeError, "func must be callable", under(lambda b: static.py_func(3, b.x, b.out))),
    ("py_func backward", TypeError, "backward_func must", under(lambda b: static.py_func(np.tanh, b.x, b.out, 3))),
    ("py_func shape", ValueError, "the shape of out", under(lambda b: static.py_func(np.tanh, b.x, b.shapeless))),
    ("py_func skips", ValueError, "neither in x nor in out",
     under(lambda b: static.py_func(np.tanh, b.x, b.out, np.tanh, skip_vars_in_backward_input=b.y))),
    ("py_func misspelt", TypeError, "did you mean skip_vars_in_backward_input",
     under(lambda b: static.py_func(np.tanh, b.x, b.out, np.tanh, skip_var_in_backward_input=b.x))),
    ("variable", ValueError, "there is no variable nope", lambda b: b.main.global_block().var("nope")),
    ("feed list", TypeError, "feed must be a dict", lambda b: run(b, feed=[1, 2])),
    ("feed text", TypeError, "feed must be a dict", lambda b: run(b, feed="x")),
    ("feed missing", ValueError, "the feed x is missing", lambda b: run(b, feed={})),
    ("feed missing as a key", KeyError, "the feed x is missing", lambda b: run(b, feed={})),
    ("number outside", TypeError, "belongs to another program", lambda b: bool(b.y.sum() > 0)),
    ("groups of one axis", ValueError, "at least two axes", under(lambda b: static.nn.group_norm(vt.ones([3]), 3))),
    ("feed rank", ValueError, r"has the shape \[2\]", lambda b: run(b, feed={"x": FEED["x"][0]})),
    ("feed dtype", ValueError, "has the dtype float64", lambda b: run(b, feed={"x": np.ones((1, 2))})),
    ("fetch kind", TypeError, "fetch_list takes variables", lambda b: run(b, fetch_list=[3])),
    ("fetch None", TypeError, "fetch_list holds None", lambda b: run(b, fetch_list=[None])),
    ("fetch unknown", AttributeError, "has no variable nope", lambda b: run(b, fetch_list=["nope"])),
    ("fetch foreign", AttributeError, "has no variable",
     lambda b: b.executor.run(static.Program(), feed={}, fetch_list=[b.loss])),
    ("scope", ValueError, "scope must be a Scope", lambda b: run(b, scope=3)),
    ("no values", AttributeError, "run the startup program first", lambda b: run(b, scope=static.Scope())),
    ("program", TypeError, "needs a Program, not a int", lambda b: b.executor.run(3)),
    ("closed", RuntimeError, "this Executor is closed", lambda b: b.closed.run(b.main)),
    ("numpy", RuntimeError, "a value only while a program runs", lambda b: b.y.numpy()),
    ("backward", RuntimeError, "there is no tape in static mode", lambda b: b.y.backward()),
    ("append_op", ValueError, "there is no op 'nonsense'",
     lambda b: b.main.global_block().append_op(type="nonsense", inputs={"X": [b.x]}, outputs={"Out": [b.out]})),
    ("parse", ValueError, "expected `program`", lambda b: static.Program.parse_from_string(b"garbage")),
    ("minimize", TypeError, "needs a Variable as loss", under(lambda b: vt.optimizer.SGD(0.1).minimize(3))),
    ("append_backward", TypeError, "needs a Variable as loss", under(lambda b: static.append_backward(3))),
    ("gradients", TypeError, "targets must be variables", under(lambda b: static.gradients("y", b.x))),
    ("data shape", TypeError, "the shape must be a list", under(lambda b: static.data("q", 3))),
    ("data name", TypeError, "the name must be a str", under(lambda b: static.data(3, [2]))),
    ("normalize", TypeError, "needs a Program", lambda b: static.normalize_program(3, [b.x], [b.y])),
    ("state shape", ValueError, r"has the shape \[2, 2\]",
     lambda b: static.set_program_state(b.main, {b.main.all_parameters()[0].name: np.ones((3, 3), "float32")})),
    ("save path", ValueError, "path_prefix must be a path", lambda b: static.save_inference_model(1, [b.x], [b.y], b.executor)),
    ("save feeds", TypeError, "feed_vars must be variables",
     lambda b: static.save_inference_model("m", ["x"], [b.y], b.executor, program=b.main)),
    ("save name", ValueError, "path_prefix must be", lambda b: static.save_inference_model("", [b.x], [b.y], b.executor)),
    ("save executor", TypeError, "needs an Executor", lambda b: static.save_inference_model("m", [b.x], [b.y], 3)),
    ("load", ValueError, "there is no file", lambda b: static.load_inference_model("none", b.executor)),
    ("load state", ValueError, "there is no such file", lambda b: static.load(b.main, "none")),
    ("datasets", RuntimeError, "no data set was given", lambda b: b.executor.train_from_dataset(b.main)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "kind", "text", "call"), MISUSES, ids=[m[0] for m in MISUSES])
def test_a_wrong_call_is_told(
    built: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, kind: type[Exception], text: str,
    call: Callable[[Any], Any],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (expected,) = run(built)
    scope = static.global_scope()
    before = {n: np.array(scope.find_var(n).get_tensor()) for n in scope.local_var_names()}
    with pytest.raises(kind, match=text):
        call(built)
    assert list(tmp_path.iterdir()) == []  # nothing is written
    for n, array in before.items():
        np.testing.assert_array_equal(np.array(scope.find_var(n).get_tensor()), array)
    np.testing.assert_array_equal(run(built)[0], expected)  # and everything goes on


def test_a_function_of_py_func_that_builds_layers_is_told(built: Any) -> None:
    def builds(_: Any) -> Any:
        return static.nn.fc(built.x, 2)

    with static.program_guard(built.main, built.startup):
        static.py_func(builds, built.x, built.out)
    with pytest.raises(RuntimeError, match="builds uses variables of a program while that runs"):
        built.executor.run(built.main, feed=FEED, fetch_list=[built.out])


@pytest.mark.parametrize("where", ["forward", "backward"])
def test_an_error_in_a_python_function_leaves_the_scope_as_it_was(where: str) -> None:
    fails = [True]

    def forward(x: Any) -> Any:
        if where == "forward" and fails[0]:
            raise ZeroDivisionError("in forward")
        return np.array(x) * 2

    def backward(x: Any, y: Any, dy: Any) -> Any:
        if where == "backward" and fails[0]:
            raise ZeroDivisionError("in backward")
        return np.array(dy) * 2

    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        x = static.data("x", [None, 2])
        h = static.nn.batch_norm(static.nn.fc(x, 2))
        out = main.current_block().create_var(name="out", dtype="float32", shape=[-1, 2])
        static.py_func(forward, h, out, backward)
        loss = vt.mean(static.nn.fc(out, 1) ** 2)
        vt.optimizer.Adam(0.1).minimize(loss)
    executor, scope = static.Executor(), static.global_scope()
    executor.run(startup)
    feed = {"x": np.arange(6, dtype="float32").reshape(3, 2)}
    before = {n: np.array(scope.find_var(n).get_tensor()) for n in scope.local_var_names()}
    for _ in range(2):
        with pytest.raises(ZeroDivisionError, match=f"in {where}"):
            executor.run(main, feed=feed, fetch_list=[loss])
    for name, array in before.items():
        np.testing.assert_array_equal(np.array(scope.find_var(name).get_tensor()), array, err_msg=name)
    fails[0] = False
    executor.run(main, feed=feed, fetch_list=[loss])


DAMAGES: list[tuple[str, str, Callable[[bytes], bytes], str]] = [
    ("cut", ".pdmodel", lambda raw: raw[: len(raw) // 2], "expected"),
    ("empty", ".pdmodel", lambda raw: b"", "expected `program`"),
    ("binary", ".pdmodel", lambda raw: b"\xff\x00" * 50, "no text of a program"),
    ("unknown op", ".pdmodel", lambda raw: raw.replace(b"matmul", b"matmlu"), "there is no op `matmlu`"),
    ("cut", ".pdiparams", lambda raw: raw[: len(raw) // 2], "truncated"),
    ("empty", ".pdiparams", lambda raw: b"", "the file has only 0 bytes"),
    ("flipped", ".pdiparams", lambda raw: raw[:-3] + bytes([raw[-3] ^ 1]) + raw[-2:], "its checksum differs"),
]


@pytest.mark.parametrize(("name", "suffix", "damage", "text"), DAMAGES, ids=[f"{d[0]}{d[1]}" for d in DAMAGES])
def test_a_damaged_inference_model_is_told(
    built: Any, tmp_path: Path, name: str, suffix: str, damage: Callable[[bytes], bytes], text: str
) -> None:
    prefix = str(tmp_path / "model")
    static.save_inference_model(prefix, [built.x], [built.y], built.executor, program=built.main)
    file = Path(prefix + suffix)
    file.write_bytes(damage(file.read_bytes()))
    with static.scope_guard(static.Scope()):
        with pytest.raises(ValueError, match=text):
            static.load_inference_model(prefix, built.executor)
        assert static.global_scope().local_var_names() == []


def test_instance_norm_needs_channels() -> None:
    with static.program_guard(static.Program()), pytest.raises(ValueError, match="2 to 5 axes, not 1"):
        static.nn.instance_norm(static.data("x", [3]))


@pytest.mark.usefixtures("static_mode")
def test_an_image_of_open_size_can_not_be_resized() -> None:
    """The error is a NotImplementedError, as PaddlePaddle's."""
    image = vt.static.data("image", [3, None, None])
    with pytest.raises(NotImplementedError, match="an image's size must be known"):
        vt.vision.transforms.resize(image, 4)


def test_a_variable_of_a_program_has_no_elements() -> None:
    x = static.data("x", [2], "float32")
    with pytest.raises(AssertionError, match="only while a program runs"):
        x.numpy()
    with pytest.raises(TypeError, match="only while a program runs"):
        float(x.sum())


def test_a_variable_keeps_its_shape() -> None:
    block = static.Program().current_block()
    made = block.create_var(name="w", shape=[784, 100], dtype="float64")
    assert block.create_var(name="w") is made
    with pytest.raises(ValueError, match=r"has the shape \[784, 100\]"):
        block.create_var(name="w", shape=[24, 100])
