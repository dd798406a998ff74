"""The digits example as a C library: train it, build it for each platform, run all of them, compare the predictions.

    python examples/digits_native.py                                # all platforms that can be run here
    python examples/digits_native.py --target aarch64-linux --steps 300

It needs scikit-learn and vitrify[native]; qemu-user for other CPUs; wasmtime for WebAssembly. A platform whose emulator
is missing is skipped, with the reason.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from digits import DigitNet, batches, load_data, make_step, predict

import vitrify as vt
from vitrify.native.emulation import missing_emulator
from vitrify.native.platforms import PLATFORMS

BATCH = 64


class PlainDigitNet(DigitNet):
    """The network of digits.py, with operations where that one has an operator in Python."""

    def quantise(self, x):
        rounded = vt.round(vt.clip(x, -4.0, 4.0) * 8.0) / 8.0
        return x + (rounded - x).detach()  # the gradient passes straight through


def trained(steps: int):
    """The network after some compiled training steps, and the images and labels that it hasn't seen."""
    vt.seed(7)
    images, labels, test_images, test_labels, _ = load_data(None)
    net = PlainDigitNet(images.shape[-1])
    rate = vt.optimizer.lr.CosineAnnealingDecay(3e-3, T_max=steps + 1)
    step = vt.to_static(make_step(net, vt.optimizer.Adam(rate, parameters=net.parameters())))
    source = batches(images, labels, BATCH, np.random.default_rng(0))
    for _ in range(steps):
        step(*next(source))
        rate.step()
    net.eval()
    return net, test_images, test_labels


def build(net, folder: Path, target: str, most: int = BATCH) -> Path:
    """A library of the network, for up to `most` images at a time."""
    return vt.native.build(
        net, [vt.InputSpec(["n", 1, 8, 8])], folder / target, target, name="digits", limits={"n": most}
    )


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", action="append", choices=list(PLATFORMS), help="a platform; by default all")
    parser.add_argument("--steps", type=int, default=200, help="training steps")
    parser.add_argument("--out", type=Path, default=Path("out/native"), help="where the libraries go")
    return parser.parse_args()


def main() -> int:
    """Train, build, run, compare; exit status 1 if a platform predicts something else."""
    options = arguments()
    net, images, labels = trained(options.steps)
    images = images[:BATCH]
    logits = predict(net, images)
    right = float((logits.argmax(1) == labels[:BATCH]).mean())
    print(f"{'python':<18} {right:.0%} of {BATCH} images are predicted right")
    same = True
    for target in options.target or PLATFORMS:
        start = time.perf_counter()
        folder = build(net, options.out, target)
        seconds = time.perf_counter() - start
        size = (folder / PLATFORMS[target].shared.format("digits")).stat().st_size
        line = f"{target:<18} built in {seconds:.1f} s, {size // 1000} KB"
        missing = missing_emulator(target)
        if missing:
            print(f"{line}; not run: {missing} isn't there")
            continue
        (found,) = vt.native.emulate(folder, images)
        equal = (found.argmax(1) == logits.argmax(1)).all()
        same = same and bool(equal)
        answer = "the same predictions" if equal else "OTHER PREDICTIONS"
        print(f"{line}; {answer}, logits within {np.abs(found - logits).max():.1e}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
