"""PaddlePaddle's inference programs: what its releases 2.6.2 (.pdmodel) and 3.3.1 (.json) wrote is read and computes
the same. tests/jit/paddle_models/make.py wrote them.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import ArgumentError, ArtifactError
from vitrify.inference import Config, create_predictor
from vitrify.jit.paddle_models.paddle_load import read_model
from vitrify.jit.paddle_models.wire import Wire

HERE = Path(__file__).parent / "paddle_models"
MODELS = [
    "encoder", "functions", "images", "lengths", "lenet", "losses", "matrices", "mobile", "pieces", "reader", "steps",
]  # fmt: skip
FORMS = [f"{form}_{name}" for form in ("old", "new") for name in MODELS]


def case(name: str) -> tuple[Any, list[Any]]:
    """(input, results) of a model."""
    held = np.load(HERE / f"{name.partition('_')[2]}.npz")
    return held["x"], [held[f"y{k}"] for k in range(len(held.files) - 1)]


def close(found: list[Any], wanted: list[Any]) -> None:
    assert len(found) == len(wanted)
    for mine, theirs in zip(found, wanted, strict=True):
        array = np.asarray(mine.numpy() if isinstance(mine, vt.Tensor) else mine)
        assert (array.dtype, array.shape) == (theirs.dtype, theirs.shape)
        np.testing.assert_allclose(array, theirs, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", FORMS)
def test_a_loaded_program_computes_what_paddle_does(name: str) -> None:
    x, wanted = case(name)
    layer = vt.jit.load(str(HERE / name))
    made = layer(vt.to_tensor(x))
    close(list(made) if isinstance(made, (tuple, list)) else [made], wanted)


@pytest.mark.parametrize("name", ["old_mobile", "new_mobile", "new_steps"])
def test_static_and_inference_read_them_too(name: str) -> None:
    x, wanted = case(name)
    executor = vt.static.Executor()
    vt.enable_static()
    try:
        program, feeds, fetches = vt.static.load_inference_model(str(HERE / name), executor)
        close(executor.run(program, feed={feeds[0]: x}, fetch_list=fetches), wanted)
    finally:
        vt.disable_static()
    suffix = ".json" if name.startswith("new") else ".pdmodel"
    predictor = create_predictor(Config(str(HERE / f"{name}{suffix}"), str(HERE / f"{name}.pdiparams")))
    close(list(predictor.run([x])), wanted)


@pytest.mark.parametrize("form", ["old", "new"])
def test_a_loaded_program_trains_and_is_saved_again(form: str, tmp_path: Path) -> None:
    x, (wanted,) = case("_lenet")
    layer = vt.jit.load(str(HERE / f"{form}_lenet"))
    assert {name.rpartition(".")[0] for name, _ in layer.named_parameters()} == {
        "conv2d_0", "conv2d_1", "linear_0", "linear_1"
    }  # fmt: skip
    vt.jit.save(layer, str(tmp_path / "again"))
    close([vt.jit.load(str(tmp_path / "again"))(vt.to_tensor(x))], [wanted])
    optimizer = vt.optimizer.SGD(0.01, parameters=layer.parameters())
    losses = []
    for _ in range(3):
        loss = (layer(vt.to_tensor(x)) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    assert losses[2] < losses[0]


def test_statistics_of_batch_normalisation_are_buffers() -> None:
    for form in ("old", "new"):
        layer = vt.jit.load(str(HERE / f"{form}_mobile"))
        frozen = {name for name, _ in layer.named_buffers()}
        assert {name.rpartition(".")[2] for name in frozen} == {"w_1", "w_2"}


def test_what_vitrify_wrote_is_loaded_alike(tmp_path: Path) -> None:
    vt.enable_static()
    try:
        main = vt.static.Program()
        with vt.static.program_guard(main):
            x = vt.static.data("x", [None, 3])
            y = x * 2 + 1
            vt.static.save_inference_model(str(tmp_path / "m"), [x], [y], vt.static.Executor(), program=main)
    finally:
        vt.disable_static()
    assert vt.jit.load(str(tmp_path / "m"))(vt.ones([2, 3])).tolist() == [[3.0] * 3] * 2


# ---- errors


def changed(text: str, before: str, after: str) -> bytes:
    assert before in text
    return text.replace(before, after).encode()


def test_operations_without_a_row_are_named_all_at_once() -> None:
    text = (HERE / "new_steps.json").read_text()
    data = changed(text, '"1.less_than"', '"1.warpctc"').replace(b'"1.multiply"', b'"3.own_op"')
    with pytest.raises(ArgumentError, match=r"operations that can't be read: own_op, warpctc") as caught:
        read_model("m.json", data, None)
    assert "export it as ONNX" in str(caught.value)


def test_missing_files_and_parameters(tmp_path: Path) -> None:
    shutil.copy(HERE / "new_lenet.json", tmp_path / "m.json")
    with pytest.raises(ArgumentError, match="there is no file"):
        vt.jit.load(str(tmp_path / "m"))
    (tmp_path / "m.pdiparams").write_bytes((HERE / "new_lenet.pdiparams").read_bytes()[:-5])
    with pytest.raises(ArtifactError, match=r"m\.pdiparams: not parameters of PaddlePaddle, or damaged ones"):
        vt.jit.load(str(tmp_path / "m"))
    (tmp_path / "m.pdiparams").write_bytes((HERE / "new_lenet.pdiparams").read_bytes() + b"more")
    with pytest.raises(ArtifactError, match="the file has more"):
        vt.jit.load(str(tmp_path / "m"))
    (tmp_path / "m.pdiparams").write_bytes((HERE / "new_mobile.pdiparams").read_bytes())
    with pytest.raises(ArtifactError, match=r"in the parameters|not parameters"):
        vt.jit.load(str(tmp_path / "m"))


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"{", "JSONDecodeError"),
        (b'{"base_code": {"magic": "other"}}', "magic word"),
        (json.dumps({"base_code": {"magic": "pir"}, "program": {"regions": []}}).encode(), "ValueError"),
        (b"\n\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "without an end"),
        (b"\n\x7fabc", "ends after the file"),
        (b"\n\x02\x0b\x00", "wire type 3"),
        (b"\n\x02\x00\x00", "without a number"),
    ],
)
def test_damaged_programs(data: bytes, part: str) -> None:
    with pytest.raises(ArtifactError, match=part):
        read_model("m", data, None)


def test_a_form_that_cannot_be_read_says_which() -> None:
    text = (HERE / "new_mobile.json").read_text()
    data = changed(
        text, '{"AT":{"#":"0.a_bool","D":true},"N":"is_test"}', '{"AT":{"#":"0.a_bool","D":false},"N":"is_test"}'
    )
    data = data.replace(b'"D":true},"N":"use_global_stats"', b'"D":false},"N":"use_global_stats"')
    with pytest.raises(ArgumentError, match=r"batch_norm: batch normalisation while training is not supported"):
        read_model("m.json", data, (HERE / "new_mobile.pdiparams").read_bytes())


def test_fields_of_a_message() -> None:
    wire = Wire(
        "m", b"\x08\x96\x01\x12\x02hi\x1a\x02\x01\x02\x25\x00\x00\x80\x3f\x28\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
    )
    assert (wire.whole(1), wire.text(2), wire.ints(3), wire.floats(4), wire.whole(5)) == (150, "hi", [1, 2], [1.0], -1)
    assert (wire.whole(9, 7), wire.texts(9), wire.message(9).ints(1)) == (7, [], [])


def test_an_attribute_that_no_row_reads_is_refused() -> None:
    text = (HERE / "new_lenet.json").read_text()
    before = '"N":"ceil_mode"'
    data = changed(text, before, '"N":"a_mode_of_later_releases"').replace(
        b'"D":false},"N":"a_mode', b'"D":true},"N":"a_mode'
    )
    params = (HERE / "new_lenet.pdiparams").read_bytes()
    with pytest.raises(ArgumentError, match=r"pool2d: a_mode_of_later_releases=True is not supported"):
        read_model("m.json", data, params)
