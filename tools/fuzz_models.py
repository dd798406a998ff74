"""Read mutated files of vitrify, ONNX and safetensors: each gives a value or a VitrifyError, and runs nothing.

Saved programs are changed in one part, whose checksums are made to fit, and as whole zip files; rules, limits and
mutations of bytes are those of fuzz_loaders.py. Text is also changed by its words and numbers.

Use: python tools/fuzz_models.py [COUNT [SEED]]   (COUNT files of each kind; default 10000)
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import fuzz_loaders
import numpy as np
from fuzz_loaders import Load, mutated, tried

import vitrify as vt
from vitrify import nn
from vitrify.errors import VitrifyError

NUMBERS = ("0", "-1", "1", "2147483648", "9223372036854775808", "99999999999999", "1e999", "nan", "null", '"x"')
PARTS = ("weights.safetensors", "manifest.json", "program.ir")


class Branching(nn.Layer):
    """A network whose program has a branch, a loop, constants and a view's write."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 4)
        self.norm = nn.BatchNorm1D(4)

    def forward(self, x: Any) -> Any:
        """Rows that are halved until they are small, and their greatest."""
        y = self.norm(self.linear(x))
        if y.sum() > 0:
            y = y.reshape([-1, 2, 2]).transpose([0, 2, 1])
        else:
            y = vt.concat([y, y * 2], axis=1)[:, :4].reshape([-1, 2, 2])
        while y.abs().max() > 1:
            y = y / 2
        return {"y": y, "top": y.argmax(axis=-1)}


def models(folder: Path) -> dict[str, tuple[bytes, Load]]:
    """Kind of file -> (a good one, how it is read once it is changed)."""
    vt.seed(1)
    net = Branching().eval()
    spec = [vt.InputSpec([None, 3], name="x")]
    vt.jit.save(net, folder / "net", input_spec=spec)
    vt.jit.save(net, folder / "net.vt", input_spec=spec)
    state = {**net.state_dict(), "more": [1, (2.5, None), {"x": vt.ones([2])}]}
    vt.save(state, folder / "state.vt")
    vt.interop.save_safetensors(net.state_dict(), folder / "net.safetensors", {"made": "here"})
    plain = nn.Sequential(nn.Conv2D(1, 2, 3), nn.BatchNorm2D(2), nn.ReLU(), nn.Flatten(), nn.Linear(8, 3), nn.Softmax())
    vt.onnx.export(plain.eval(), folder / "plain", input_spec=[vt.InputSpec([None, 1, 4, 4], name="x")])
    vt.onnx.export(net, folder / "net", input_spec=spec)
    found: dict[str, tuple[bytes, Load]] = {}
    for name, load in (
        ("net.safetensors", vt.interop.load_safetensors),
        ("state.vt", vt.load),
        ("net.vt", vt.jit.load),
    ):
        found[f"{name}, whole"] = (folder / name).read_bytes(), partial(_from_file, folder / f"changed_{name}", load)
    for name in ("plain", "net"):
        found[f".onnx, {name}"] = (folder / f"{name}.onnx").read_bytes(), vt.onnx.load
    for part in PARTS:
        found[f"saved program, {part}"] = (folder / "net" / part).read_bytes(), partial(_with_part, folder, part)
    return found


def _with_part(folder: Path, part: str, data: bytes) -> Any:
    target = folder / "changed"
    if not target.exists():
        shutil.copytree(folder / "net", target)
    manifest = json.loads((folder / "net" / "manifest.json").read_text(encoding="utf-8"))
    if part == "manifest.json":
        manifest = _json(data)
    else:
        (target / part).write_bytes(data)
        manifest["parts"][part] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    if isinstance(manifest, dict):
        rest = {key: value for key, value in manifest.items() if key != "checksum"}
        text = json.dumps(rest, sort_keys=True, ensure_ascii=False)
        manifest["checksum"] = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        data = json.dumps(manifest, ensure_ascii=False).encode("utf-8", "surrogatepass")
    (target / "manifest.json").write_bytes(data)
    try:
        return vt.jit.load(target)
    finally:
        (target / part).write_bytes((folder / "net" / part).read_bytes())


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _from_file(target: Path, load: Callable[[Path], Any], data: bytes) -> Any:
    target.write_bytes(data)
    return load(target)


def changed(good: bytes, draw: random.Random) -> bytes:
    """A changed file: its bytes, or of text some words and numbers, which may be swapped, doubled or taken away."""
    if not good.isascii() or draw.random() < 0.4:
        return mutated(good, draw)
    words = re.findall(r"-?[\d.]+|\w+|\s+|.", good.decode())
    for _ in range(draw.choice((1, 1, 2, 4))):
        k = draw.randrange(len(words))
        match draw.randrange(5):
            case 0:
                words[k] = draw.choice(words)
            case 1:
                words[k] *= draw.choice((0, 2, 40))
            case 2:
                numbers = [i for i, word in enumerate(words) if word.strip("-.").isdigit()]
                words[draw.choice(numbers)] = draw.choice(NUMBERS)
            case 3:
                words[k : k + draw.randrange(30)] = []
            case _:
                start = draw.randrange(len(words))
                words[k:k] = words[start : start + draw.randrange(60)]
        words = words or ["x"]
    return "".join(words).encode()


def run(count: int, seed: int) -> Iterator[tuple[str, dict[str, int]]]:
    """Kind of file, how many mutated ones were read and refused."""
    draw = random.Random(seed)
    fuzz_loaders.import_codecs()
    with tempfile.TemporaryDirectory() as name:
        fuzz_loaders.ALLOWED.append(name)
        for kind, (good, load) in models(Path(name)).items():
            load(good)  # so that what reading imports is imported, and errors have read the lines they show
            for warm in (good[:-9], good[:20], b"{}", *(changed(good, draw) for _ in range(min(count, 40)))):
                try:
                    load(warm)
                except VitrifyError as error:
                    str(error)
            yield kind, tried(kind, count, lambda good=good, load=load: (changed(good, draw), load))


if __name__ == "__main__":
    given = [int(argument) for argument in sys.argv[1:]]
    count, seed = (given + [10_000, 20261129][len(given) :])[:2]
    with np.errstate(all="ignore"):
        for kind, outcomes in run(count, seed):
            print(f"{kind}: {outcomes['read']:,} read, {outcomes['refused']:,} refused", flush=True)
