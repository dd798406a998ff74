"""Write the files that a release leaves for the tests of later ones: one of each kind, with inputs and results.

    python tests/compat/releases/make.py          # into tests/compat/releases/<version>; refuses to overwrite

Run once, from the commit of a release; what is written is never changed again (see README.md beside this file).
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

import vitrify as vt
from vitrify.ir.printer import print_program
from vitrify.static import InputSpec

nn, F = vt.nn, vt.nn.functional
HERE = Path(__file__).resolve().parent


IMAGE, STEPS = InputSpec([None, 1, 4, 4], "float32", "image"), InputSpec([], "int64", "steps")


class Network(nn.Layer):
    """Convolution, statistics that calls update, a loop and branches that hang on tensors, and two methods."""

    def __init__(self) -> None:
        super().__init__()
        self.convolution = nn.Conv2D(1, 3, 3, padding=1)
        self.normal = nn.BatchNorm2D(3)
        self.dense = nn.Linear(3 * 4 * 4, 5)
        self.register_buffer("calls", vt.zeros([], "int64"))

    @vt.jit.to_static(input_spec=[IMAGE, STEPS])
    def forward(self, image: Any, steps: Any) -> dict[str, Any]:
        """Logits of a batch, sharpened `steps` times; {"logits": f32[n, 5], "sum": f32[]}."""
        self.calls.add_(vt.ones([], "int64"))
        h = F.relu(self.normal(self.convolution(image)))
        h = self.dense(h.flatten(1))
        turn = vt.zeros([], "int64")
        while turn < steps:
            h = vt.tanh(h) * 1.5
            turn = turn + 1
        if h.sum() > 0:
            h = h - h.mean()
        else:
            h = h * 2.0
        return {"logits": h, "sum": h.sum()}

    @vt.jit.to_static(input_spec=[IMAGE])
    def encode(self, image: Any, scale: float = 2.0) -> tuple[Any, Any]:
        """What the convolution gives, and its position of the largest element."""
        h = self.convolution(image) * scale
        return h, h.flatten(1).argmax(axis=-1)


class Cube(vt.autograd.PyLayer):
    """A callback: x³ and its gradient."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return vt.to_tensor(x.numpy() ** 3)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensor()
        return grad * 3.0 * x * x


def with_callback(x: Any) -> Any:
    """Runs a PyLayer between two operations."""
    return Cube.apply(x * 0.5) + 1.0


def found(x: Any, k: Any) -> tuple[Any, list[Any]]:
    """A loop with a break and a list whose length hangs on it, integers and booleans."""
    xs = []
    total = vt.zeros([3])
    for step in range(k):
        total = total + x[step % 2] * (step + 1)
        if total.sum() > 20:
            break
        xs.append(total)
    return total, [x > 0, vt.argsort(x, axis=-1), vt.stack(xs)]


def image(seed: int, batch: int = 2) -> Any:
    """A batch of images."""
    return np.random.default_rng(seed).normal(size=(batch, 1, 4, 4)).astype(np.float32)


def write_models(folder: Path, kept: dict[str, Any]) -> None:
    """A layer with two methods as a folder, as a zip and as Python; functions with a loop and with a callback."""
    network = Network()
    network(vt.to_tensor(image(0)), vt.to_tensor(1))  # statistics that aren't the first ones
    network.eval()
    for name, options in (("layer", {}), ("layer.vt", {}), ("python", {"format": "python"})):
        vt.jit.save(network, folder / name, **options)
    batch = image(1, 3)
    kept["layer.image"], kept["layer.steps"] = batch, np.array(2)
    made = network(vt.to_tensor(batch), vt.to_tensor(2))
    kept["layer.logits"], kept["layer.sum"] = made["logits"].numpy(), made["sum"].numpy()
    encoded, place = network.encode(vt.to_tensor(batch))
    kept["layer.encoded"], kept["layer.place"] = encoded.numpy(), place.numpy()
    x = vt.to_tensor(np.random.default_rng(2).normal(size=(2, 3)).astype(np.float32))
    kept["function.x"], kept["callback.x"] = x.numpy(), x.numpy()
    vt.jit.save(found, folder / "function.vt", [InputSpec([2, 3], "float32", "x"), InputSpec([], "int64", "k")])
    total, (positive, order, steps) = found(x, vt.to_tensor(4))
    kept.update(
        {"function.total": total.numpy(), "function.positive": positive.numpy(), "function.order": order.numpy()}
    )
    kept["function.steps"] = steps.numpy()
    vt.jit.save(with_callback, folder / "callback.vt", [InputSpec([2, 3], "float32", "x")])
    kept["callback.y"] = with_callback(x).numpy()
    program = vt.jit.to_static(found, input_spec=[x, vt.to_tensor(4)]).concrete_trace().program
    (folder / "program.ir").write_text(print_program(program), encoding="utf-8")


def write_static(folder: Path, kept: dict[str, Any]) -> None:
    """An inference model of a static program, with a branch."""
    vt.enable_static()
    try:
        main, start = vt.static.Program(), vt.static.Program()
        with vt.static.program_guard(main, start):
            x = vt.static.data("x", [None, 4], "float32")
            h = vt.static.nn.fc(x, 3, activation="relu")
            y = vt.static.nn.cond(h.sum() > 1, lambda: vt.exp(-h), lambda: h * 3.0)
        executor = vt.static.Executor()
        executor.run(start)
        feed = np.random.default_rng(3).normal(size=(5, 4)).astype(np.float32)
        (result,) = executor.run(main, feed={"x": feed}, fetch_list=[y])
        vt.static.save_inference_model(str(folder / "inference"), [x], [y], executor, program=main)
    finally:
        vt.disable_static()
    kept["inference.x"], kept["inference.y"] = feed, result


def training() -> tuple[Any, Any]:
    """A small model and its optimiser, as the checkpoint's user defines them."""
    model = nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4), nn.GELU(), nn.Linear(4, 2))
    schedule = vt.optimizer.lr.CosineAnnealingDecay(0.05, T_max=10)
    return model, vt.optimizer.AdamW(schedule, parameters=model.parameters(), grad_clip=nn.ClipGradByGlobalNorm(1.0))


def train(model: Any, optimizer: Any, first: int, last: int) -> float:
    """Steps on fixed numbers; the last loss."""
    loss = vt.zeros([])
    for step in range(first, last):
        rng = np.random.default_rng(step)
        x, y = (vt.to_tensor(rng.normal(size=(8, n)).astype(np.float32)) for n in (3, 2))
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        optimizer._learning_rate.step()
    return float(loss)


def write_checkpoint(folder: Path, kept: dict[str, Any]) -> None:
    """Parameters, moments and schedule after three steps; the parameters after three more are the results."""
    model, optimizer = training()
    train(model, optimizer, 0, 3)
    vt.save(model.state_dict(), folder / "checkpoint.pdparams")
    vt.save(optimizer.state_dict(), folder / "checkpoint.pdopt")
    kept["checkpoint.loss"] = np.array(train(model, optimizer, 3, 6))
    kept.update({f"checkpoint.{k}": v.numpy() for k, v in model.state_dict().items()})
    nested = {"epoch": 3, "name": "best", "rates": [0.1, 0.2], "mask": vt.to_tensor([True, False]), "half": _half()}
    vt.save(nested, folder / "nested.pdparams")


def _half() -> Any:
    return vt.to_tensor([1.5, -2.0]).astype("bfloat16")


def main() -> int:
    """Write everything for the version that is running."""
    folder = HERE / vt.__version__
    if folder.exists():
        print(f"{folder} is there: files of a release are never written anew", file=sys.stderr)
        return 1
    folder.mkdir()
    vt.seed(1)
    kept: dict[str, Any] = {}
    write_models(folder, kept)
    write_static(folder, kept)
    write_checkpoint(folder, kept)
    np.savez(folder / "expected.npz", **kept)
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    digests = {str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}
    (folder / "digests.json").write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
    print(f"{sum(f.stat().st_size for f in folder.rglob('*'))} bytes in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
