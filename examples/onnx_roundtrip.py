"""A network and a function with a loop to ONNX and back: the same numbers, and training goes on.

Needs the library onnx (pip install vitrify[onnx]); where onnxruntime is installed it is asked, too.
"""

import importlib.util
import tempfile
from pathlib import Path

import numpy as np

import vitrify as vt


def halve(x, limit):
    """Halve x until its sum is below `limit`: how often that takes depends on the data."""
    turns = vt.zeros([], "int64")
    while x.sum() > limit:
        x = x * 0.5
        turns = turns + 1
    return x, turns


def main() -> None:
    """Export, load, compare, train."""
    folder = Path(tempfile.mkdtemp())
    spec = vt.static.InputSpec
    x = vt.to_tensor(np.random.default_rng(0).normal(size=(8, 4)).astype("float32"))

    model = vt.nn.Sequential(vt.nn.Linear(4, 16), vt.nn.ReLU(), vt.nn.Linear(16, 2))
    vt.onnx.export(model, folder / "model", [spec([None, 4])])
    loaded = vt.onnx.load(folder / "model.onnx")
    print("parameters:", ", ".join(loaded.state_dict()))
    print("largest difference:", float((loaded(x) - model(x)).abs().max()))

    optimizer = vt.optimizer.Adam(0.05, parameters=loaded.parameters())
    for step in range(3):
        loss = ((loaded(x) - 1.0) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        print(f"step {step}: loss {float(loss):.4f}")

    vt.onnx.export(halve, folder / "halve", [spec([None, 4]), spec([])])
    again = vt.onnx.load(folder / "halve.onnx")
    positive = x.abs()
    print("turns:", int(again(positive, vt.to_tensor(1.0))[1]), "and", int(halve(positive, vt.to_tensor(1.0))[1]))

    if importlib.util.find_spec("onnxruntime") is not None:
        import onnxruntime

        session = onnxruntime.InferenceSession(str(folder / "model.onnx"), providers=["CPUExecutionProvider"])
        (found,) = session.run(None, {session.get_inputs()[0].name: x.numpy()})
        print("onnxruntime differs by", float(np.abs(found - model(x).numpy()).max()))


if __name__ == "__main__":
    main()
