"""A saved model behind HTTP: an application of FastAPI with batching, health, metrics and OpenAPI."""

from __future__ import annotations

import importlib
import json
import math
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np

from ..base.errors import ArgumentError, DTypeError, MissingDependencyError, ShapeError, VitrifyError
from ..ops.dims import Dim
from ..ops.types import TensorType
from .batching import Array, Batcher
from .config import Config
from .predictor import Predictor, create_predictor

_KINDS = {"float32": "FP32", "float64": "FP64", "float16": "FP16", "bfloat16": "BF16", "bool": "BOOL"}  # of protocol v2


def create_app(model: Any, *, window: float = 0.002, most: int = 64, name: str | None = None) -> Any:
    """An application (ASGI) that serves a saved model: run it with uvicorn, or with `vitrify serve`.

    model: the path that jit.save got, or a Predictor. window: seconds that a request waits for others, with which it
    runs as one batch. most: rows of a batch, and of a request. name: of the model in URLs; by default the file's.
    POST /predict takes {"inputs": {name: nested lists}} and gives {"outputs": {...}}; GET /health, /metrics, /docs and
    /openapi.json; /v2/models/{name}/infer and the health checks of the Open Inference Protocol, which KServe speaks.
    Errors: MissingDependencyError without the extra `serve`; ArgumentError for a missing file.
    """
    fastapi = web_package("fastapi")
    if most < 1 or window < 0:
        raise ArgumentError(f"a batch has {most} rows after {window} seconds", remedy="give most >= 1 and window >= 0")
    predictor = model if isinstance(model, Predictor) else create_predictor(Config(str(model)))
    title = name or ("model" if isinstance(model, Predictor) else Path(str(model)).stem)
    server = _Server(predictor, Batcher(predictor, window, most), title)

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        yield
        server.batcher.close()

    app = fastapi.FastAPI(title=title, description="A model served by vitrify.", lifespan=lifespan)
    _add_routes(app, server, fastapi)
    return app


def web_package(name: str) -> Any:
    """A package of the extra `serve`. MissingDependencyError where it isn't installed."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingDependencyError(
            f"serving a model needs {name}, which isn't installed", remedy="pip install vitrify[serve]"
        ) from error


def _add_routes(app: Any, server: _Server, fastapi: Any) -> None:
    plain, root = fastapi.responses.PlainTextResponse, f"/v2/models/{server.name}"

    async def answer(made: Any) -> Any:
        code, found = await made
        return fastapi.Response(json.dumps(found), code, media_type="application/json")

    async def predict(body: dict[str, Any]) -> Any:
        return await answer(server.answered(server.predict, body))

    async def infer(body: dict[str, Any]) -> Any:
        return await answer(server.answered(server.infer, body))

    async def health() -> dict[str, Any]:
        return {"status": "ok", **server.description()}

    async def described() -> dict[str, Any]:
        return server.metadata()

    async def ready() -> dict[str, Any]:
        return {"name": server.name, "ready": True, "live": True}

    async def metrics() -> Any:
        return plain(server.batcher.metrics.text(), media_type="text/plain; version=0.0.4")

    extra = {"requestBody": {"content": {"application/json": {"schema": server.schema()}}, "required": True}}
    app.add_api_route("/predict", predict, methods=["POST"], openapi_extra=extra, summary="Run the model")
    app.add_api_route("/health", health, methods=["GET"], summary="Inputs and outputs of the model")
    app.add_api_route("/metrics", metrics, methods=["GET"], summary="Counters for Prometheus")
    app.add_api_route(f"{root}/infer", infer, methods=["POST"], summary="Run the model (Open Inference Protocol)")
    app.add_api_route(root, described, methods=["GET"], summary="Metadata (Open Inference Protocol)")
    for path in (f"{root}/ready", "/v2/health/ready", "/v2/health/live"):
        app.add_api_route(path, ready, methods=["GET"], summary="Whether the model answers")


class _Server:
    """One model: requests to arrays, arrays to answers."""

    def __init__(self, predictor: Predictor, batcher: Batcher, name: str) -> None:
        self.predictor, self.batcher, self.name = predictor, batcher, name
        self.inputs, self.outputs = predictor.input_types, predictor.output_types

    async def answered(self, function: Any, body: Mapping[str, Any]) -> tuple[int, Any]:
        """The HTTP status and the answer to a request."""
        start, code = time.perf_counter(), 200
        try:
            found = await function(body)
        except VitrifyError as error:
            code, found = 400, {"error": error.message, "help": error.remedy}
        except (AssertionError, IndexError) as error:  # checks of the model, of what it was given
            code, found = 400, {"error": f"{type(error).__name__}: {error}"}
        except Exception as error:  # broad: a callback of the model can raise anything, and the server goes on
            code, found = 500, {"error": f"{type(error).__name__}: {error}"}
        self.batcher.metrics.answered(time.perf_counter() - start, code != 200)
        return code, found

    async def predict(self, body: Mapping[str, Any]) -> Any:
        """{"inputs": {name: nested lists}}."""
        given = body.get("inputs")
        if not isinstance(given, Mapping) or set(given) != set(self.inputs):
            raise ArgumentError(
                'the request has no "inputs" of the model\'s names',
                remedy=f'send {{"inputs": {{{", ".join(f"{json.dumps(n)}: [...]" for n in self.inputs)}}}}}',
            )
        made = await self._run([_array(name, given[name], kind) for name, kind in self.inputs.items()])
        return {"outputs": {name: _plain(array.tolist()) for name, array in made.items()}}

    async def infer(self, body: Mapping[str, Any]) -> Any:
        """The request of the Open Inference Protocol: tensors with name, shape, datatype and flat data."""
        entries = body.get("inputs")
        found = {}
        for one in entries if isinstance(entries, list) else []:
            if not isinstance(one, Mapping) or not {"name", "shape", "data"} <= set(one):
                raise ArgumentError("an input has no name, shape or data")
            found[one["name"]] = one
        if set(found) != set(self.inputs):
            raise ArgumentError(f"the model takes the inputs {', '.join(self.inputs)}")
        arrays = []
        for name, kind in self.inputs.items():
            flat = _array(name, found[name]["data"], kind, any_rank=True).reshape(-1)
            shape = found[name]["shape"]
            if not isinstance(shape, list) or not all(isinstance(n, int) and n >= 0 for n in shape):
                raise ShapeError(f"the shape of {name} is {shape!r}")
            if math.prod(shape) != flat.size:
                raise ShapeError(f"{name} has {flat.size} numbers, which aren't of the shape {shape}")
            arrays.append(_checked(name, flat.reshape(shape), kind))
        made = await self._run(arrays)
        outputs = [
            {"name": n, "shape": list(a.shape), "datatype": _kind(self.outputs[n]), "data": _plain(a.ravel().tolist())}
            for n, a in made.items()
        ]
        return {"model_name": self.name, "outputs": outputs}

    async def _run(self, arrays: list[Array]) -> dict[str, Array]:
        if self.batcher.joins and arrays[0].shape[0] > self.batcher.most:
            raise ArgumentError(f"{arrays[0].shape[0]} rows; a request has at most {self.batcher.most}")
        if self.batcher.joins and len({a.shape[0] for a in arrays}) != 1:
            raise ShapeError("the inputs have different numbers of rows")
        return dict(zip(self.outputs, await self.batcher(arrays), strict=True))

    def description(self) -> dict[str, Any]:
        """Inputs and outputs by name, and how requests are joined."""
        shown = {"inputs": self.inputs, "outputs": self.outputs}
        found: dict[str, Any] = {group: {n: str(t) for n, t in types.items()} for group, types in shown.items()}
        batches = self.batcher
        return {"model": self.name, **found, "batching": batches.joins, "window": batches.window, "most": batches.most}

    def metadata(self) -> dict[str, Any]:
        """The metadata of the Open Inference Protocol; -1 is an open size."""

        def entries(types: Mapping[str, TensorType]) -> list[dict[str, Any]]:
            return [
                {"name": n, "datatype": _kind(t), "shape": [-1 if isinstance(d, Dim) else d for d in t.shape]}
                for n, t in types.items()
            ]

        return {
            "name": self.name, "platform": "vitrify", "inputs": entries(self.inputs), "outputs": entries(self.outputs),
        }  # fmt: skip

    def schema(self) -> dict[str, Any]:
        """What OpenAPI says of a request."""
        inputs = {n: {"type": "array", "items": {}, "description": str(t)} for n, t in self.inputs.items()}
        properties = {"inputs": {"type": "object", "properties": inputs, "required": list(self.inputs)}}
        return {"type": "object", "properties": properties, "required": ["inputs"]}


def _array(name: str, value: Any, kind: TensorType, *, any_rank: bool = False) -> Array:
    """An input from nested lists. Errors: ShapeError, DTypeError."""
    try:
        found = np.asarray(value)
    except ValueError as error:
        raise ShapeError(f"{name} is no array: its rows have different lengths") from error
    wanted = kind.dtype.numpy
    numbers = "biuf" if np.issubdtype(wanted, np.floating) or wanted.kind == "V" else "biu"
    if found.size and found.dtype.kind not in numbers:
        raise DTypeError(f"{name} takes {kind.dtype.name}, not {found.dtype}")
    made = found.astype(wanted)
    if "f" not in numbers and found.size and not np.array_equal(made, found):
        raise DTypeError(f"{name} has numbers that {kind.dtype.name} doesn't hold")
    return made if any_rank else _checked(name, made, kind)


def _checked(name: str, array: Array, kind: TensorType) -> Array:
    fits = array.ndim == len(kind.shape) and all(
        isinstance(d, Dim) or d == n for d, n in zip(kind.shape, array.shape, strict=True)
    )
    if not fits:
        raise ShapeError(f"{name} takes {kind}, not {list(array.shape)}")
    return array


def _plain(value: Any) -> Any:
    """Numbers that JSON has: null for NaN and infinities."""
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _kind(kind: TensorType) -> str:
    return _KINDS.get(kind.dtype.name, kind.dtype.name.upper())
