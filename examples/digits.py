"""The main job: train a small network on handwritten digits, eagerly and compiled, export it, run it elsewhere.

    python examples/digits.py                       # scikit-learn's 1,797 digits, about a minute
    python examples/digits.py --data FOLDER         # MNIST from its IDX files (or VITRIFY_DATA=FOLDER)

The network has a tensor-dependent branch, a data-dependent loop and an operator that stays Python: one program.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from digits_callbacks import Quantise

import vitrify as vt
from vitrify import nn

try:
    from tqdm import tqdm
except ImportError:  # the bar is a comfort, not a need
    tqdm = None


class Settle(nn.Layer):
    """A hidden state that is refined until it settles: h = tanh(x + h W), at most 12 turns."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.mix = nn.Linear(width, width)

    def forward(self, x):
        state, change, turns = vt.tanh(x), vt.to_tensor(1.0), 0
        while change > 0.01 and turns < 12:
            following = vt.tanh(x + 0.3 * self.mix(state))
            change = vt.max(vt.abs(following - state))
            state = following
            turns += 1
        return state


class DigitNet(nn.Layer):
    """Two convolutions, a quantised bottleneck, a settling hidden layer, ten logits."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.first, self.second = nn.Conv2D(1, 16, 3, padding=1), nn.Conv2D(16, 32, 3, padding=1)
        self.norm, self.pool = nn.BatchNorm2D(32), nn.MaxPool2D(2, 2)
        self.narrow = nn.Linear(32 * (size // 4) ** 2, 64)
        self.settle = Settle(64)
        self.drop, self.out = nn.Dropout(0.2), nn.Linear(64, 10)

    def forward(self, images):
        if images.mean() > 0.5:  # dark ink on light paper: turn it round
            images = 1.0 - images
        x = self.pool(nn.functional.relu(self.first(images)))
        x = self.pool(nn.functional.relu(self.norm(self.second(x))))
        x = self.quantise(self.narrow(x.flatten(1)))
        return self.out(self.drop(self.settle(x)))

    def quantise(self, x):
        return Quantise.apply(x)


def batches(images, labels, size: int, rng: np.random.Generator) -> Iterator[tuple[vt.Tensor, vt.Tensor]]:
    """Endless shuffled batches; every third one as a negative, so that both branches are trained."""
    count = 0
    while True:
        order = rng.permutation(len(labels))
        for start in range(0, len(order) - size + 1, size):
            rows = order[start : start + size]
            batch = 1.0 - images[rows] if count % 3 == 2 else images[rows]
            count += 1
            yield vt.to_tensor(batch.astype(np.float32)), vt.to_tensor(labels[rows])


def make_step(net, optimizer):
    """One training step, as anybody would write it."""

    def step(images, labels):
        loss = nn.functional.cross_entropy(net(images), labels)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return step


def predict(function, images, size: int = 200) -> np.ndarray:
    """Logits of all images, batch by batch."""
    with vt.no_grad():
        parts = [function(vt.to_tensor(images[k : k + size])).numpy() for k in range(0, len(images), size)]
    return np.concatenate(parts)


def load_data(folder: str | None):
    """(train images, train labels, test images, test labels, what it is)."""
    if folder:
        train, test = (vt.io.MNIST(folder, mode) for mode in ("train", "test"))
        name = f"MNIST from {folder}"
    else:
        train, test = vt.io.Digits("train"), vt.io.Digits("test")
        name = "scikit-learn's embedded digits"
    return train.images, train.labels, test.images, test.labels, name


def run_steps(step, rate, source, count: int, label: str) -> float:
    """Run steps with a progress bar on a terminal, else with a line now and then; returns steps per second."""
    bar = tqdm(total=count, desc=label, unit="step", ncols=90) if tqdm and sys.stderr.isatty() else None
    start, loss = time.perf_counter(), None
    for k in range(1, count + 1):
        loss = step(*next(source))
        rate.step()
        if bar is not None:
            bar.update()
            if k % 20 == 0:
                bar.set_postfix(loss=f"{float(loss):.3f}")
        elif k % (count // 4 + 1) == 0:
            print(f"{'':<16} {k} of {count}, loss {float(loss):.4f}")
    per_second = count / (time.perf_counter() - start)
    if bar is not None:
        bar.close()
    print(f"{label:<16} {count} steps, loss {float(loss):.4f}, {per_second:.1f} steps/s")
    return per_second


def reload_elsewhere(model: Path, images, folder: Path) -> np.ndarray:
    """Predictions of the exported model in a fresh process that doesn't import this file."""
    np.save(folder / "images.npy", images)
    script = Path(__file__).with_name("digits_reload.py")
    answers = folder / "answers.npy"
    subprocess.run([sys.executable, str(script), str(model), str(folder / "images.npy"), str(answers)], check=True)
    return np.load(answers)


def show_inside(step, out: Path) -> None:
    """Write the program's dump and picture, and say what the memory plan saves."""
    (out / "step.captured.ir").write_text(step.dump("captured"))
    (out / "step.fused.ir").write_text(step.dump("after fusion"))
    vt.draw(step, out / "step.svg")
    plan = step.memory_plan
    (out / "memory_plan.txt").write_text(str(plan))
    print(
        f"memory           planned peak {plan.peak / 1e6:.2f} MB, sum of intermediates {plan.total / 1e6:.2f} MB "
        f"({plan.peak / plan.total:.0%}); {len(step.kernels)} kernels"
    )


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("VITRIFY_DATA"), help="folder with the MNIST IDX files")
    parser.add_argument("--steps", type=int, help="compiled training steps (default: 600, MNIST 2000)")
    parser.add_argument("--eager-steps", type=int, default=20, help="eager training steps before them")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--out", type=Path, default=Path("out"), help="where the model, the dumps and the picture go")
    return parser.parse_args()


def main() -> int:
    """Train, compare, export, reload; exit status 1 if predictions disagree or the accuracy is too low."""
    options = arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    vt.seed(7)
    images, labels, test_images, test_labels, name = load_data(options.data)
    print(
        f"data             {name}: {len(labels)} to train, {len(test_labels)} to test, "
        f"{images.shape[-1]}x{images.shape[-2]}"
    )
    net = DigitNet(images.shape[-1])
    steps = options.steps or (2000 if options.data else 600)
    rate = vt.optimizer.lr.CosineAnnealingDecay(3e-3, T_max=options.eager_steps + steps + 1)
    optimizer = vt.optimizer.Adam(rate, parameters=net.parameters())
    source = batches(images, labels, options.batch, np.random.default_rng(0))
    step = make_step(net, optimizer)
    eager_speed = run_steps(step, rate, source, options.eager_steps, "eager")

    compiled = vt.to_static(step)
    start = time.perf_counter()
    compiled(*next(source))
    print(f"compiling        {time.perf_counter() - start:.2f} s (capture, gradient, fusion, kernels; cached on disk)")
    compiled_speed = run_steps(compiled, rate, source, steps, "compiled")
    print(f"speed            compiled / eager = {compiled_speed / eager_speed:.1f}")
    show_inside(compiled, options.out)

    net.eval()
    eager_logits = predict(net, test_images)
    compiled_logits = predict(vt.to_static(net), test_images)
    model = options.out / "digits.vt"
    vt.jit.save(net, model, input_spec=[vt.InputSpec([None, 1, *images.shape[-2:]], "float32")])
    reloaded_logits = reload_elsewhere(model, test_images, options.out)
    accuracy = float((compiled_logits.argmax(1) == test_labels).mean())
    apart = max(np.abs(compiled_logits - eager_logits).max(), np.abs(reloaded_logits - eager_logits).max())
    same = [(logits.argmax(1) == eager_logits.argmax(1)).mean() for logits in (compiled_logits, reloaded_logits)]
    agree = min(same) >= 0.999  # Quantise may round one value in a million the other way
    print(f"accuracy         {accuracy:.4f}")
    print(
        f"predictions      eager, compiled and reloaded {'agree' if agree else 'DISAGREE'} (logits within {apart:.1e})"
    )
    files = ("digits.vt", "step.fused.ir", "step.svg", "memory_plan.txt")
    print(f"written          {', '.join(str(options.out / file) for file in files)}")
    wanted = 0.98 if options.data else 0.96
    short = options.steps is not None  # a shortened run proves nothing about accuracy
    return 0 if agree and (short or accuracy >= wanted) else 1


if __name__ == "__main__":
    sys.exit(main())
