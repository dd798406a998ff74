"""Inference models: saved, loaded, run, and what damaged files do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import static
from vitrify.nn import functional as F

A = np.random.default_rng(0).random((5, 4)).astype(np.float32)


def network() -> tuple[Any, Any, Any]:
    x, label = static.data("x", [None, 4]), static.data("label", [None, 1], "int64")
    h = F.dropout(static.nn.batch_norm(static.nn.fc(x, 8)), 0.5)
    out = F.softmax(static.nn.fc(h, 3))
    F.cross_entropy(out, label).mean()
    exe = static.Executor()
    exe.run(static.default_startup_program())
    return x, out, exe


def test_a_model_makes_the_round_trip(tmp_path: Path) -> None:
    x, out, exe = network()
    prefix = str(tmp_path / "deep" / "model")
    static.save_inference_model(prefix, [x], [out], exe)
    assert sorted(p.name for p in (tmp_path / "deep").iterdir()) == ["model.pdiparams", "model.pdmodel"]
    expected = exe.run(static.default_main_program().clone(for_test=True), feed={"x": A}, fetch_list=[out])[0]
    with static.scope_guard(static.Scope()):
        program, feeds, fetches = static.load_inference_model(prefix, exe)
        assert (feeds, [f.name for f in fetches], fetches[0].shape) == (["x"], [out.name], [-1, 3])
        (found,) = exe.run(program, feed={feeds[0]: A}, fetch_list=fetches)
        np.testing.assert_allclose(found, expected, rtol=1e-6)
        (found,) = exe.run(program, feed={"x": A[:2]}, fetch_list=[fetches[0].name])
        assert found.shape == (2, 3)


def test_parts_as_bytes(tmp_path: Path) -> None:
    x, out, exe = network()
    text, params = static.serialize_program([x], [out]), static.serialize_persistables([x], [out], exe)
    static.save_to_file(str(tmp_path / "a" / "program"), text)
    program = static.deserialize_program(static.load_from_file(str(tmp_path / "a" / "program")))
    static.deserialize_persistables(program, params, exe)
    assert exe.run(program, feed={"x": A}, fetch_list=None)[0].shape == (5, 3)
    made = static.normalize_program(static.default_main_program(), [x], [out])
    assert exe.run(made, feed={"x": A}, fetch_list=[out])[0].shape == (5, 3)


def test_what_saving_refuses(tmp_path: Path) -> None:
    x, out, exe = network()
    with pytest.raises(ValueError, match="path_prefix"):
        static.save_inference_model("", [x], [out], exe)
    with pytest.raises(ValueError, match="feed_vars"):
        static.save_inference_model(str(tmp_path / "m"), ["x"], [out], exe)
    with pytest.raises(TypeError, match="Executor"):
        static.save_inference_model(str(tmp_path / "m"), [x], [out], 3)
    with pytest.raises(ValueError, match="need the feed x"):
        static.save_inference_model(str(tmp_path / "m"), [], [out], exe)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ValueError, match="bytes"):
        static.save_to_file(str(tmp_path / "x"), "text")


def test_damaged_files(tmp_path: Path) -> None:
    x, out, exe = network()
    prefix = str(tmp_path / "m")
    with pytest.raises(ValueError, match="no file"):
        static.load_inference_model(prefix, exe)
    static.save_inference_model(prefix, [x], [out], exe)
    model, params = tmp_path / "m.pdmodel", tmp_path / "m.pdiparams"
    whole_model, whole_params = model.read_bytes(), params.read_bytes()
    for file, whole in ((model, whole_model), (params, whole_params)):
        for part in (whole[: len(whole) // 2], b"", b"\x80\x04" + whole):
            file.write_bytes(part)
            with pytest.raises(vt.errors.VitrifyError):
                static.load_inference_model(prefix, exe)
        file.write_bytes(whole)
    static.load_inference_model(prefix, exe)


def test_a_saved_layer_is_an_inference_model(tmp_path: Path) -> None:
    vt.disable_static()
    net = vt.nn.Sequential(vt.nn.Linear(3, 4), vt.nn.BatchNorm1D(4))
    net.eval()
    path = str(tmp_path / "net")
    vt.jit.save(net, path, input_spec=[static.InputSpec([None, 3], name="image")])
    x = np.random.default_rng(0).standard_normal((5, 3)).astype("float32")
    wanted = net(vt.to_tensor(x)).numpy()
    vt.enable_static()
    with static.scope_guard(static.Scope()):
        runner = static.Executor()
        program, feeds, fetches = static.load_inference_model(path, runner)
        assert feeds == ["image"] and fetches[0].shape == [-1, 4]
        made = runner.run(program, feed={"image": x}, fetch_list=fetches)
    np.testing.assert_allclose(made[0], wanted, rtol=1e-5, atol=1e-6)


def test_a_saved_layer_is_found_by_the_names_of_its_files(tmp_path: Path) -> None:
    vt.disable_static()
    net = vt.nn.Linear(3, 4)
    vt.jit.save(net, str(tmp_path / "net.v1"), input_spec=[static.InputSpec([None, 3], name="image")])
    wanted = net(vt.ones([2, 3])).numpy()
    vt.enable_static()
    names = {"model_filename": "net.v1.pdmodel", "params_filename": "net.v1.pdiparams"}
    with static.scope_guard(static.Scope()):
        runner = static.Executor()
        program, _, _ = static.load_inference_model(str(tmp_path), runner, **names)
        # an empty list of fetches means the program's own, as None does
        (made,) = runner.run(program, feed={"image": np.ones((2, 3), "float32")}, fetch_list=[])
    np.testing.assert_allclose(made, wanted, rtol=1e-6)


@pytest.mark.usefixtures("static_mode")
def test_save_and_load_of_programs(tmp_path: Path) -> None:
    start = static.Program()
    with static.program_guard(main := static.Program(), start):
        y = static.nn.fc(static.data("x", [None, 3]), 2, activation="relu")
    name = y.name
    for program, file in ((main, "main.json"), (start, "start.json")):
        vt.save(program, tmp_path / file)
    again, first = vt.load(tmp_path / "main.json"), vt.load(tmp_path / "start.json")
    assert [op.type for op in again.global_block().ops] == [op.type for op in main.global_block().ops]
    executor, scope, feed = static.Executor(), static.Scope(), {"x": np.ones((2, 3), "float32")}
    vt.seed(3)
    executor.run(first, scope=scope)
    (wanted,) = executor.run(main, feed, [y], scope=scope)
    (found,) = executor.run(again, feed, [name], scope=scope)
    np.testing.assert_array_equal(found, wanted)
