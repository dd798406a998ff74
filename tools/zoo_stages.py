"""The stages that vitrify runs a model through, each against what the peer or eager mode computed (see zoo.py)."""

from __future__ import annotations

import os
import pickle
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

NEAR = 2e-4


class Differs(Exception):
    """Results are not the expected ones."""


def near(got: list[Any], expected: list[Any], limit: float, least: float = 1e-6) -> dict[str, Any]:
    """Compare arrays with a limit relative to the largest value of each, or to `least`; 0: bit for bit."""
    if [a.shape for a in got] != [a.shape for a in expected]:
        raise Differs(f"shapes {[a.shape for a in got]}, expected {[a.shape for a in expected]}")
    worst = 0.0
    for ours, theirs in zip(got, expected, strict=True):
        if not ours.size or np.array_equal(ours, theirs, equal_nan=ours.dtype.kind in "fc"):
            continue
        a, b = ours.astype("float64"), theirs.astype("float64")
        worst = max(worst, float(np.nanmax(np.abs(a - b)) / max(np.nanmax(np.abs(b)), least)))
    if worst > limit:
        raise Differs(f"by {worst:.2g} of the largest value")
    return {"difference": worst}


def prepared(paddle: Any, module: Any, job: dict[str, str], output: Path) -> tuple[Any, list[Any], dict[str, Any]]:
    """The class with the peer's weights, the inputs, and what the peer kept."""
    from zoo_worker import construct, hidden, kept_at, tensors

    kept: dict[str, Any] = {"trains": True}
    kept |= pickle.loads(kept_at(output, job).read_bytes())  # noqa: S301 - written by the peer just before
    model, _ = construct(paddle, module, {**job, "listed": kept.get("listed")}, kept["attempt"], kept["call"])
    state = model.state_dict()
    if set(state) != set(kept["state"]):
        raise Differs(f"names of the state: {sorted(set(state) ^ set(kept['state']))[:6]}")
    model.set_state_dict({key: paddle.to_tensor(value) for key, value in kept["state"].items()})
    for parameter, value in zip(hidden(paddle, model), kept.get("hidden", ()), strict=False):
        parameter.set_value(paddle.to_tensor(value))
    model.eval()
    return model, tensors(paddle, kept["given"]), kept


def constructed(paddle: Any, module: Any, job: dict[str, str], output: Path) -> dict[str, Any]:
    """The model, with the names of the peer's state."""
    prepared(paddle, module, job, output)
    return {}


def eager(paddle: Any, module: Any, job: dict[str, str], output: Path) -> dict[str, Any]:
    """Results as the peer's; where the peer's own second call differs (random numbers), shapes only."""
    from zoo_worker import leaves

    model, given, kept = prepared(paddle, module, job, output)
    got = leaves(model(*given))
    random = not all(np.array_equal(a, b, equal_nan=True) for a, b in zip(kept["arrays"], kept["again"], strict=True))
    return near(got, kept["arrays"], np.inf if random else NEAR)


def gradient(paddle: Any, module: Any, job: dict[str, str], output: Path) -> dict[str, Any]:
    """Norms of the parameters' gradients as the peer's; or as near as the peer's stay when its inputs move a little."""
    from zoo_worker import gradients, loss_of

    model, given, kept = prepared(paddle, module, job, output)
    got = gradients(model, loss_of(paddle, model(*given)))
    expected = kept["gradients"]
    if expected is None:
        return {"peer": kept["refused"][:200]}
    missing = sorted(set(got) ^ set(expected))
    if missing:
        raise Differs(f"gradients of {missing[:5]}")
    bad = differing(got, expected, kept.get("gradients near", expected))
    random = not all(np.array_equal(a, b, equal_nan=True) for a, b in zip(kept["arrays"], kept["again"], strict=True))
    random = random or expected != kept.get("gradients again", expected)  # random numbers times a weight of 0
    if bad and not random:
        raise Differs(f"gradients of {bad[:3]}: {[(got[k], expected[k]) for k in bad[:3]]}")
    return {}


def differing(got: dict[str, float], expected: dict[str, float], moved: dict[str, float]) -> list[str]:
    """Whose norms are further from the expected ones than 0.2 % and what those move by themselves."""
    least = 1e-3 * max(expected.values(), default=1.0)
    limits = {k: 2e-3 * max(v, least) + abs(moved.get(k, v) - v) for k, v in expected.items()}
    return [k for k in got if abs(got[k] - expected[k]) > limits[k]]


def capture(paddle: Any, module: Any, job: dict[str, str], output: Path) -> dict[str, Any]:
    """One whole program, interpreted: equal to eager mode bit for bit."""
    from zoo_worker import leaves

    model, given, _ = prepared(paddle, module, job, output)
    paddle.seed(5)
    expected = leaves(model(*given))
    static = paddle.jit.to_static(model, numerics="reference")
    paddle.seed(5)
    start = time.monotonic()
    found = near(leaves(static(*given)), expected, 0.0)
    return {**found, "first": round(time.monotonic() - start, 2)}


def step(paddle: Any, module: Any, job: dict[str, str], output: Path) -> dict[str, Any]:
    """Parameters after a captured step, interpreted, as after an eager one; in training mode if that runs."""
    after = []
    for captured in (False, True):
        model, given, kept = prepared(paddle, module, job, output)
        if kept["trains"]:
            model.train()
        optimizer = paddle.optimizer.SGD(learning_rate=0.01, parameters=model.parameters())
        run = _training_step(paddle, model, optimizer)
        paddle.seed(5)
        (paddle.jit.to_static(run, numerics="reference") if captured else run)(*given)
        after.append([value.numpy() for value in model.state_dict().values()])
    return near(after[1], after[0], 1e-5, 1e-3)  # a bias before a normalisation starts as 0 and gets rounding errors


def _training_step(paddle: Any, model: Any, optimizer: Any) -> Any:
    from zoo_worker import loss_of

    def run(*given: Any) -> Any:
        loss = loss_of(paddle, model(*given))
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return run


def saved(paddle: Any, module: Any, job: dict[str, str], output: Path) -> dict[str, Any]:
    """A saved and loaded model computes what eager mode does."""
    from zoo_worker import kept_at, leaves

    os.environ["VITRIFY_CACHE_DIR"] = f"{kept_at(output, job)}.cache"
    model, given, _ = prepared(paddle, module, job, output)
    paddle.seed(5)
    expected = leaves(model(*given))
    with tempfile.TemporaryDirectory() as folder:
        static = paddle.jit.to_static(model, numerics="reference")
        static(*given)
        paddle.jit.save(static, f"{folder}/model")
        loaded = paddle.jit.load(f"{folder}/model")
        paddle.seed(5)
        return near(leaves(loaded(*given)), expected, NEAR)


def onnx(paddle: Any, module: Any, job: dict[str, str], output: Path) -> dict[str, Any]:
    """An ONNX file is written, with inputs and results for a runtime beside it."""
    from zoo_worker import kept_at, leaves

    model, given, _ = prepared(paddle, module, job, output)
    expected = leaves(model(*given), exported=True)
    place = str(kept_at(output, job))
    paddle.onnx.export(model, place, input_spec=specs(paddle, given))
    Path(place + ".io").write_bytes(pickle.dumps((named(given), expected)))
    return {}


def specs(paddle: Any, value: Any) -> Any:
    """An InputSpec for each tensor."""
    if isinstance(value, dict):
        return {key: specs(paddle, each) for key, each in value.items()}
    if isinstance(value, list):
        return [specs(paddle, each) for each in value]
    return paddle.static.InputSpec.from_tensor(value) if hasattr(value, "stop_gradient") else value


def named(value: Any) -> dict[str, Any]:
    """The arrays of nested tensors by the tensors' names, which the exported inputs have."""
    if isinstance(value, (dict, list)):
        parts = value.values() if isinstance(value, dict) else value
        return {name: array for each in parts for name, array in named(each).items()}
    return {value.name: value.numpy()} if hasattr(value, "stop_gradient") else {}


def kernels(paddle: Any, module: Any, job: dict[str, str], output: Path) -> dict[str, Any]:
    """With kernels compiled: near eager mode, and how long the first call takes; `saved` finds its kernels."""
    from zoo_worker import kept_at, leaves

    model, given, _ = prepared(paddle, module, job, output)
    paddle.seed(5)
    expected = leaves(model(*given))
    static = paddle.jit.to_static(model)
    os.environ["VITRIFY_CACHE_DIR"] = empty = f"{kept_at(output, job)}.cache"
    shutil.rmtree(empty, ignore_errors=True)  # what an earlier run compiled doesn't count
    paddle.seed(5)
    start, used = time.monotonic(), time.process_time()
    got = leaves(static(*given))
    times = {"first": round(time.monotonic() - start, 2), "processor": round(time.process_time() - used, 2)}
    start = time.monotonic()
    static(*given)
    times["second"] = round(time.monotonic() - start, 3)
    return {**near(got, expected, NEAR), **times}


STAGES = {
    "construct": constructed, "eager": eager, "gradient": gradient, "capture": capture, "step": step,
    "kernels": kernels, "saved": saved, "onnx": onnx,
}  # fmt: skip
