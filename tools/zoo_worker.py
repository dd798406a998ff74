"""Runs stages of model classes in processes of their own: `zoo_worker.py paddle|vitrify JOBS OUTPUT` (see zoo.py).

JOBS is a JSON list of {"root", "file", "name"}. A process of a framework imports each file once and forks for each
class and stage. OUTPUT gets a JSON line for each: the class, the stage, the outcome, seconds. With `paddle` the one
stage `peer` constructs the class, finds inputs that `forward` takes, and keeps weights, inputs, results and sizes of
gradients beside OUTPUT.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import multiprocessing
import os
import pickle
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import zoo_guess
import zoo_list
import zoo_standins

LONGEST = float(os.environ.get("ZOO_SECONDS", "60"))  # of processor time
PEER = 1 if os.environ.get("ZOO_LISTED") else 0.1  # one try, or one of many guesses
SECONDS = {"peer": LONGEST * PEER, "saved": LONGEST * 2.5, "kernels": LONGEST * 2.5}
MEMORY = {"vitrify": 9 << 30, "paddle": 24 << 30}
PATIENCE = 6
MOVED = 1e-6  # by so much of themselves inputs are moved, which shows how far rounding may carry gradients
LARGEST = float(os.environ.get("ZOO_LARGEST", "2e6"))  # elements of all parameters


def load(root: str, file: str) -> Any:
    """The module of a file: by its package if it is in one, else by itself with its folder on the path."""
    path = Path(root, file)
    package = []
    folder = path.parent
    while folder != Path(root) and (folder / "__init__.py").exists():
        package.insert(0, folder.name)
        folder = folder.parent
    nested = [str(each) for each in sorted(Path(root).iterdir()) if (each / each.name / "__init__.py").exists()]
    sys.path[:0] = [str(folder), *nested, root]
    if package:
        return importlib.import_module(".".join([*package, path.stem]))
    name = "zoo_" + hashlib.md5(str(path).encode()).hexdigest()[:8]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def start_loggers(inside: str) -> None:
    """Call `init_logger` of a checkout's modules, as its scripts do before they construct a model."""
    for module in [each for each in sys.modules.values() if (getattr(each, "__file__", None) or "").startswith(inside)]:
        start = vars(module).get("init_logger")
        if callable(start) and start not in _started:
            _started.append(start)
            start()


_started: list[Any] = []


def forget(root: str, before: set[str]) -> None:
    """Modules and packages beside a script are dropped, so that another folder's `net.py` and `models` are its own."""
    tops = {name for name in sys.modules if "." not in name} - before
    for top in tops:
        file = getattr(sys.modules[top], "__file__", None) or next(iter(getattr(sys.modules[top], "__path__", [])), "")
        folder = Path(file.removesuffix("/__init__.py")).parent
        if file.startswith(root + os.sep) and folder != Path(root):
            for name in [each for each in sys.modules if each == top or each.startswith(top + ".")]:
                del sys.modules[name]


def in_process(seconds: float, task: Callable[[], dict[str, Any]], memory: int) -> dict[str, Any]:
    """What a task returns or fails with, run in a fork with limits: seconds of processor time, which a busy or stopped
    machine doesn't use up, and PATIENCE times as many by the clock.
    """
    read, write = os.pipe()
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        os.close(read)
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        try:
            result = {"ok": True, **(task() or {})}
            result["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        except BaseException as error:
            result = {"ok": False, "error": f"{type(error).__name__}: {error}"[:600], "at": _places(error)}
        os.write(write, json.dumps(result, default=str).encode())
        os._exit(0)
    os.close(write)
    os.set_blocking(read, False)
    status = None
    while time.monotonic() - start < PATIENCE * seconds:
        ended_child, code = os.waitpid(child, os.WNOHANG)
        if ended_child:
            status = code
            break
        time.sleep(0.02)
    try:
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        ended = f"not reached in {seconds:g} seconds"
    except (ProcessLookupError, ChildProcessError, PermissionError):
        ended = "the process died"
    if status is not None and os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
        ended = f"not reached in {seconds:g} seconds"
    try:
        text = os.read(read, 1 << 16).decode()
    except BlockingIOError:
        text = ""
    os.close(read)
    result = json.loads(text) if text else {"ok": False, "error": ended}
    return {**result, "seconds": round(time.monotonic() - start, 2)}


def _places(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    return " < ".join(f"{Path(f.filename).name}:{f.lineno}" for f in reversed(frames))


def kept_at(output: Path, job: dict[str, str]) -> Path:
    """The file in which the peer keeps what a class computes."""
    key = hashlib.md5("{root}:{file}:{name}".format(**job).encode()).hexdigest()[:16]
    return output.with_suffix("") / key


def leaves(value: Any, *, exported: bool = False) -> list[Any]:
    """Arrays of a nested result, dicts by their sorted keys; exported: of tensors alone."""
    if hasattr(value, "numpy") and hasattr(value, "stop_gradient"):
        return [np.asarray(value.numpy())]
    if isinstance(value, dict):
        return [leaf for key in sorted(value, key=str) for leaf in leaves(value[key], exported=exported)]
    if isinstance(value, (list, tuple)):
        return [leaf for each in value for leaf in leaves(each, exported=exported)]
    return [np.asarray(value)] if not exported and isinstance(value, (int, float, np.ndarray)) else []


def tensors(paddle: Any, value: Any) -> Any:
    """Tensors for the arrays of nested inputs."""
    if isinstance(value, dict):
        return {key: tensors(paddle, each) for key, each in value.items()}
    if isinstance(value, list):
        return [tensors(paddle, each) for each in value]
    return paddle.to_tensor(value) if isinstance(value, np.ndarray) else value


def loss_of(paddle: Any, result: Any) -> Any:
    """The mean square of all floating results, in order."""
    total = None
    stack = [result]
    while stack:
        each = stack.pop(0)
        if hasattr(each, "numpy") and hasattr(each, "stop_gradient"):
            if "float" in str(each.dtype) and not each.stop_gradient:
                total = (each * each).mean() if total is None else total + (each * each).mean()
        elif isinstance(each, dict):
            stack[:0] = [each[key] for key in sorted(each, key=str)]
        elif isinstance(each, (list, tuple)):
            stack[:0] = list(each)
    return total


def construct(
    paddle: Any, module: Any, job: dict[str, Any], attempt: int = 0, call: dict[str, Any] | None = None
) -> tuple[Any, dict[str, Any]]:
    """A model and the arguments that are listed or guessed for it, or taken from a call in the checkout."""
    paddle.seed(11)
    np.random.seed(11)
    name = job["name"]
    if job.get("listed"):
        return zoo_list.model(paddle, module, name, job["listed"]), {}
    made = getattr(module, name)
    arguments = zoo_guess.constructor_arguments(made, module, attempt, call=call or {})
    model = made(**arguments)
    if not isinstance(model, paddle.nn.Layer):
        raise zoo_guess.Unguessed("not a layer")
    return model, arguments


def preload(paddle: Any, names: Path) -> None:
    """Import what a small model's stages import, so that not every fork imports it again; `names` keeps the list."""
    with tempfile.TemporaryDirectory() as folder:

        def run() -> dict[str, Any]:
            model = paddle.nn.Sequential(paddle.nn.Conv2D(3, 4, 3), paddle.nn.BatchNorm2D(4), paddle.nn.ReLU())
            x = paddle.ones([2, 3, 8, 8])
            loss_of(paddle, model(x)).backward()
            paddle.jit.save(paddle.jit.to_static(model), f"{folder}/m", input_spec=[x])
            paddle.jit.load(f"{folder}/m")(x)
            paddle.onnx.export(model, f"{folder}/m", input_spec=[paddle.static.InputSpec.from_tensor(x)])
            names.write_text("\n".join(sys.modules))
            return {}

        if not names.exists() and not in_process(200, run, MEMORY["vitrify"])["ok"]:
            return
        for name in names.read_text().splitlines():
            if name.partition(".")[0] in ("vitrify", "numba", "llvmlite", "gast", "onnx", "google", "ml_dtypes"):
                importlib.import_module(name)


class TooLarge(Exception):
    """A model has more parameters than the tool takes."""


def _limited(create: Any) -> Any:
    """Like `create`, but stops a construction as soon as its parameters get too many."""
    made = 0

    def create_parameter(self: Any, shape: Any, *args: Any, **kwargs: Any) -> Any:
        nonlocal made
        made += int(np.prod([int(n) for n in shape])) if isinstance(shape, (list, tuple)) else 0
        if made > LARGEST:
            raise TooLarge(f"over {LARGEST:g} parameters")
        return create(self, shape, *args, **kwargs)

    return create_parameter


def peer(paddle: Any, module: Any, job: dict[str, Any], output: Path) -> dict[str, Any]:
    """Construct, find inputs, keep what the class computes: the first way of guessing that works."""
    failed: list[Exception] = []
    create = paddle.nn.Layer.create_parameter
    calls: list[Any] = list(job.get("calls") or ())
    if job.get("listed"):
        return _run_peer(paddle, module, job, output, 0, None)
    for attempt, call in [*((k, None) for k in range(zoo_guess.ATTEMPTS)), *((0, each) for each in calls)]:
        paddle.nn.Layer.create_parameter = _limited(create)
        try:
            return _run_peer(paddle, module, job, output, attempt, call)
        except Exception as error:
            failed.append(error)
    raise next((error for error in failed if isinstance(error, TooLarge)), failed[0])


def _run_peer(
    paddle: Any, module: Any, job: dict[str, Any], output: Path, attempt: int, call: dict[str, Any] | None
) -> dict[str, Any]:
    model, arguments = construct(paddle, module, job, attempt, call)
    count = sum(int(np.prod(p.shape)) for p in model.parameters())
    if count > LARGEST:
        raise TooLarge(f"{count} parameters")
    if count == 0:
        raise zoo_guess.Unguessed("no parameters")
    model.eval()
    last: Exception | None = None
    listed = job.get("listed")
    for given in [zoo_list.inputs(paddle, module, listed)] if listed else zoo_guess.inputs(model, arguments):
        try:
            result = model(*tensors(paddle, given))
            loss = loss_of(paddle, result)
        except Exception as error:
            last = error
            continue
        arrays = leaves(result)
        if not arrays or loss is None:
            last = TypeError("no floating result")
            continue
        kept = {"given": given, "arrays": arrays, "again": leaves(model(*tensors(paddle, given))), "attempt": attempt}
        kept |= {"call": call, "listed": listed}
        kept["state"] = {key: value.numpy() for key, value in model.state_dict().items()}
        kept["hidden"] = [value.numpy() for value in hidden(paddle, model)]
        kept |= _peer_gradients(paddle, model, given, loss)
        kept["trains"] = _trains(paddle, model, given)
        kept_at(output, job).parent.mkdir(parents=True, exist_ok=True)
        kept_at(output, job).write_bytes(pickle.dumps(kept))
        return {"shape": str(getattr(given[0], "shape", type(given[0]).__name__)) if given else "", "size": count}
    raise zoo_guess.Unguessed(f"forward: {last}")


def _peer_gradients(paddle: Any, model: Any, given: list[Any], loss: Any) -> dict[str, Any]:
    """Norms of gradients, twice, and with inputs moved by MOVED; none where PaddlePaddle refuses them, as of recurrent
    layers in evaluation mode.
    """
    try:
        first = gradients(model, loss)
    except RuntimeError as error:
        return {"gradients": None, "refused": str(error)}
    model.clear_gradients()
    again = gradients(model, loss_of(paddle, model(*tensors(paddle, given))))
    model.clear_gradients()
    near = [x * np.float32(1 + MOVED) if getattr(x, "dtype", None) == np.float32 else x for x in given]
    moved = gradients(model, loss_of(paddle, model(*tensors(paddle, near))))
    return {"gradients": first, "gradients again": again, "gradients near": moved}


def hidden(paddle: Any, model: Any) -> list[Any]:
    """Parameters of layers that stand in plain lists, which no state names, in order."""
    known = {id(each) for each in model.parameters()}
    lists = [v for layer in model.sublayers(include_self=True) for v in vars(layer).values() if isinstance(v, list)]
    layers = [each for one in lists for each in one if isinstance(each, paddle.nn.Layer)]
    return [each for layer in layers for each in layer.parameters() if id(each) not in known]


def _trains(paddle: Any, model: Any, given: list[Any]) -> bool:
    """Whether `forward` takes the inputs in training mode, too: heads of detectors want the truth then."""
    model.train()
    try:
        return loss_of(paddle, model(*tensors(paddle, given))) is not None
    except Exception:  # whatever the model's code raises
        return False


def gradients(model: Any, loss: Any) -> dict[str, float]:
    """The norm of each parameter's gradient of `loss`."""
    loss.backward()
    norms = {}
    for name, parameter in model.named_parameters():
        if parameter.grad is not None:
            norms[name] = float(np.linalg.norm(_dense(parameter)))
    return norms


def _dense(parameter: Any) -> Any:
    """The gradient; of PaddlePaddle's selected rows, where a row may stand twice, the sum."""
    grad = parameter.grad
    values = np.asarray(grad.numpy(), "float64")
    if not (hasattr(grad, "is_selected_rows") and grad.is_selected_rows()):
        return values
    dense = np.zeros(parameter.shape)
    np.add.at(dense, grad.rows(), values)
    return dense


def main() -> None:
    """Go through the jobs."""
    os.environ.setdefault("PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION", "python")  # checkouts have files of old compilers
    os.environ.setdefault("PARL_BACKEND", "paddle")
    framework, jobs_file, output = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    if framework == "vitrify":
        import vitrify.as_paddle  # noqa: F401
    import paddle
    import zoo_stages

    if framework == "paddle":
        sys.meta_path.insert(0, zoo_standins.Fluid())
        paddle.fluid = importlib.import_module("paddle.fluid")
    else:
        preload(paddle, output.with_suffix(".modules"))
    zoo_standins.older_names()
    stand_in = zoo_standins.StandIn()
    multiprocessing.set_start_method = partial(multiprocessing.set_start_method, force=True)  # many files may set it
    sys.meta_path.append(stand_in)
    if sys.argv[4:] == ["none"]:
        return
    stages: dict[str, Any] = {"peer": peer} if framework == "paddle" else {"alone": peer, **zoo_stages.STAGES}
    wanted = sys.argv[4].split(",") if len(sys.argv) > 4 else [each for each in stages if each != "alone"]
    jobs = json.loads(jobs_file.read_text())
    done = {tuple(r[k] for k in ("root", "file", "name", "stage")) for r in records(output)}
    first_path, before = list(sys.path), set(sys.modules)
    for file in dict.fromkeys((job["root"], job["file"]) for job in jobs):
        mine = [job for job in jobs if (job["root"], job["file"]) == file]
        mine = [(job, s) for job in mine for s in wanted if (*file, job["name"], s) not in done]
        if not mine:
            continue
        sys.path[:] = first_path
        module, failed, loaded = None, None, set(sys.modules)
        inside = os.path.realpath(file[0]) + os.sep
        try:
            stand_in.folder = os.path.realpath(file[0])
            module = load(*file)
        except (Exception, SystemExit) as error:
            failed = {"ok": False, "error": f"import: {type(error).__name__}: {error}"[:600], "at": _places(error)}
            for name in set(sys.modules) - loaded:  # a checkout's half packages would fail its other files too
                if os.path.realpath(getattr(sys.modules[name], "__file__", None) or "/").startswith(inside):
                    del sys.modules[name]
        stand_in.folder = ""
        start_loggers(inside)
        for job, stage in mine:
            result = failed or in_process(
                SECONDS.get(stage, LONGEST),
                partial(stages[stage], paddle, module, job, output),
                MEMORY[framework],
            )
            with output.open("a") as lines:
                lines.write(
                    json.dumps({**{key: job[key] for key in ("root", "file", "name")}, "stage": stage, **result}) + "\n"
                )
        for name in [each for each in sys.modules if isinstance(sys.modules[each], zoo_standins.Empty)]:
            del sys.modules[name]  # another file may find a module of that name
        forget(file[0], before)


def records(output: Path) -> list[dict[str, Any]]:
    """What has been written so far."""
    return [json.loads(line) for line in output.read_text().splitlines()] if output.exists() else []


if __name__ == "__main__":
    main()
