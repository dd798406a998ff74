"""A model behind HTTP: answers, batches, what is refused, metrics, OpenAPI, the Open Inference Protocol."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.base.errors import ArgumentError, MissingDependencyError
from vitrify.inference import batching, serving
from vitrify.inference.batching import Batcher
from vitrify.inference.config import Config
from vitrify.inference.predictor import create_predictor
from vitrify.jit.api import InputSpec

Array = np.ndarray[Any, Any]
needs_web = pytest.mark.needs("fastapi", "httpx")


def numbers(*shape: int) -> Array:
    return np.random.default_rng(5).standard_normal(shape).astype("float32")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """A model of any batch: its file, and the layer."""
    vt.seed(2)
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
    net.eval()
    path = tmp_path_factory.mktemp("served") / "small.vt"
    vt.jit.save(net, path, [InputSpec(["n", 4])])
    return path, net


@pytest.fixture(scope="module")
def client(saved: tuple[Path, Any]) -> Iterator[Any]:
    """A client of the application, as HTTP sees it."""
    testclient = pytest.importorskip("fastapi.testclient")
    with testclient.TestClient(vt.inference.create_app(saved[0], window=0.01, most=8)) as found:
        yield found


@needs_web
def test_it_predicts_what_the_model_predicts(client: Any, saved: tuple[Path, Any]) -> None:
    name = next(iter(client.get("/health").json()["inputs"]))
    for rows in (1, 3, 8):
        x = numbers(rows, 4)
        answer = client.post("/predict", json={"inputs": {name: x.tolist()}})
        assert answer.status_code == 200
        (found,) = answer.json()["outputs"].values()
        np.testing.assert_allclose(found, saved[1](vt.to_tensor(x)).numpy(), rtol=1e-5, atol=1e-6)


@needs_web
def test_wrong_requests_are_told_what_is_wrong(client: Any) -> None:
    name = next(iter(client.get("/health").json()["inputs"]))
    for body, text in (
        ({}, 'no "inputs"'), ({"inputs": {"other": []}}, 'no "inputs"'), ({"inputs": {name: [[1, 2]]}}, "takes f32[n, 4]"),
        ({"inputs": {name: [[1, 2, 3, 4], [1]]}}, "different lengths"), ({"inputs": {name: [["a"] * 4]}}, "takes float32"),
        ({"inputs": {name: [[0.0] * 4] * 9}}, "at most 8"), ({"inputs": {name: 3.0}}, "takes f32[n, 4]"),
    ):  # fmt: skip
        answer = client.post("/predict", json=body)
        assert answer.status_code == 400
        assert text in answer.json()["error"]
    assert client.post("/predict", content="[1,").status_code == 422
    assert client.get("/nothing").status_code == 404


@needs_web
def test_metrics_and_openapi(client: Any) -> None:
    found = dict(line.rsplit(" ", 1) for line in client.get("/metrics").text.splitlines() if line[0] != "#")
    name = next(iter(client.get("/health").json()["inputs"]))
    client.post("/predict", json={"inputs": {name: [[0.0] * 4] * 2}})
    after = dict(line.rsplit(" ", 1) for line in client.get("/metrics").text.splitlines() if line[0] != "#")
    grown = {key: float(after[key]) - float(found[key]) for key in found}
    assert grown["vitrify_requests_total"] == grown["vitrify_batches_total"] == 1
    assert grown["vitrify_rows_total"] == 2
    assert after['vitrify_request_seconds_bucket{le="+Inf"}'] == after["vitrify_request_seconds_count"]
    paths = client.get("/openapi.json").json()["paths"]
    schema = paths["/predict"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert schema["properties"]["inputs"]["properties"][name]["description"] == "f32[n, 4]"
    assert {"/health", "/metrics", "/v2/models/small/infer"} <= set(paths)


@needs_web
def test_the_open_inference_protocol(client: Any, saved: tuple[Path, Any]) -> None:
    described = client.get("/v2/models/small").json()
    (one,) = described["inputs"]
    assert (one["datatype"], one["shape"]) == ("FP32", [-1, 4])
    x = numbers(2, 4)
    entry = {"name": one["name"], "shape": [2, 4], "datatype": "FP32", "data": x.ravel().tolist()}
    answer = client.post("/v2/models/small/infer", json={"inputs": [entry]}).json()
    assert answer["outputs"][0]["shape"] == [2, 3]
    wanted = saved[1](vt.to_tensor(x)).numpy().ravel()
    np.testing.assert_allclose(answer["outputs"][0]["data"], wanted, rtol=1e-5, atol=1e-6)
    for change in ({"shape": [3, 4]}, {"shape": "x"}, {"name": "other"}, {"shape": [4, 2]}):
        assert client.post("/v2/models/small/infer", json={"inputs": [entry | change]}).status_code == 400
    assert client.post("/v2/models/small/infer", json={"inputs": [5]}).status_code == 400
    assert client.get("/v2/health/ready").json()["ready"] is True


# ---- batches, without a web server ---------------------------------------------------------------------------------


def batched(path: Path, window: float, most: int, requests: list[list[Array]]) -> tuple[Batcher, list[Any]]:
    """The answers to requests that come at once; errors are answers, too."""
    batcher = Batcher(create_predictor(Config(str(path))), window, most)

    async def ask() -> list[Any]:
        return await asyncio.gather(*(batcher(arrays) for arrays in requests), return_exceptions=True)

    try:
        return batcher, asyncio.run(ask())
    finally:
        batcher.close()


def test_requests_of_one_window_are_one_batch(saved: tuple[Path, Any]) -> None:
    xs = [numbers(k, 4) * k for k in (1, 2, 3)]
    batcher, found = batched(saved[0], 0.05, 64, [[x] for x in xs])
    assert (batcher.metrics.batches, batcher.metrics.rows) == (1, 6)
    for x, (y,) in zip(xs, found, strict=True):
        np.testing.assert_allclose(y, saved[1](vt.to_tensor(x)).numpy(), rtol=1e-5, atol=1e-6)


def test_a_full_batch_does_not_wait(saved: tuple[Path, Any]) -> None:
    batcher, found = batched(saved[0], 60.0, 4, [[numbers(2, 4)] for _ in range(6)])
    assert (batcher.metrics.batches, len(found)) == (3, 6)


def test_without_a_window_requests_run_alone(saved: tuple[Path, Any]) -> None:
    assert batched(saved[0], 0.0, 64, [[numbers(1, 4)] for _ in range(3)])[0].metrics.batches == 3


def test_an_error_reaches_the_request_that_causes_it(tmp_path: Path) -> None:
    def checked(x: vt.Tensor) -> vt.Tensor:
        assert (x > 0).all(), "not positive"
        return x * 2.0

    vt.jit.save(vt.to_static(checked), tmp_path / "m.vt", [InputSpec(["n", 2])])
    good, bad = np.ones((2, 2), "float32"), -np.ones((1, 2), "float32")
    _, found = batched(tmp_path / "m.vt", 0.05, 64, [[good], [bad], [good * 3]])
    np.testing.assert_array_equal(found[0][0], good * 2)
    np.testing.assert_array_equal(found[2][0], good * 6)
    assert "not positive" in str(found[1])


@pytest.mark.parametrize("shape", [[3, 4], ["n", "n"]])
def test_models_without_a_batch_axis_run_requests_one_by_one(shape: list[Any], tmp_path: Path) -> None:
    vt.jit.save(vt.to_static(lambda x: vt.tanh(x)), tmp_path / "m.vt", [InputSpec(shape)])
    x = numbers(3, 3) if shape[0] == "n" else numbers(3, 4)
    batcher, found = batched(tmp_path / "m.vt", 0.05, 64, [[x], [x * 2]])
    assert (batcher.joins, batcher.metrics.batches) == (False, 2)
    np.testing.assert_allclose(found[1][0], np.tanh(x * 2), rtol=1e-5)


def test_numbers_that_json_has_not_are_null() -> None:
    text = json.dumps(serving._plain([[1.0, math.nan], [math.inf, 2]]))
    assert text == "[[1.0, null], [null, 2]]"


def test_what_cannot_be_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, saved: tuple[Path, Any]) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    with monkeypatch.context() as patch, pytest.raises(MissingDependencyError, match=r"vitrify\[serve\]"):
        patch.setattr(serving.importlib, "import_module", missing)
        vt.inference.create_app(saved[0])
    monkeypatch.setattr(serving, "web_package", lambda name: None)
    with pytest.raises(ArgumentError, match="there is no model"):
        vt.inference.create_app(tmp_path / "none.vt")
    with pytest.raises(ArgumentError, match="give most >= 1"):
        vt.inference.create_app(saved[0], most=0)
    assert tuple(sorted(batching.BUCKETS)) == batching.BUCKETS


@needs_web
def test_requests_of_a_model_that_looks_over_its_batch_are_not_joined(tmp_path: Path) -> None:
    testclient = pytest.importorskip("fastapi.testclient")
    for function, joins in ((lambda x: x - x.mean(0), False), (lambda x: x * 2, True)):
        vt.jit.save(function, tmp_path / "c.vt", input_spec=[vt.InputSpec([None, 4])])
        with testclient.TestClient(vt.inference.create_app(tmp_path / "c.vt")) as client:
            assert client.get("/health").json()["batching"] is joins
