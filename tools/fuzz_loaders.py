"""Read mutated files of PaddlePaddle and PyTorch: each gives a value or a VitrifyError, and runs nothing.

Weights (`.pdparams`, `.pt`) are refused with an ArtifactError; inference programs (`.pdmodel`, `.json`, `.pdiparams`)
with any typed error, as a changed program may be whole but unsupported.

Use: python tools/fuzz_loaders.py [COUNT [SEED]]   (COUNT files of each kind; default 10000)
"""

from __future__ import annotations

import encodings.raw_unicode_escape  # noqa: F401 - pickle imports it when a file needs it
import io
import pickle
import random
import struct
import sys
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

import vitrify as vt
from vitrify.errors import ArtifactError, VitrifyError
from vitrify.jit.paddle_models.paddle_load import read_model

FORBIDDEN = ("exec", "compile", "import", "os.", "subprocess.", "socket.", "open", "pickle.", "ctypes.", "shutil.")
WEIGHTS = {"0": np.arange(6, dtype="float32").tobytes(), "1": np.arange(3).tobytes()}
INSIDE = "pickle in torch's zip"  # changed before it is zipped, so that checksums fit
MODELS = Path(__file__).resolve().parent.parent / "tests" / "jit" / "paddle_models"
PROGRAMS = ("encoder", "mobile", "reader", "steps")  # whose files are mutated
MOST_BYTES = 64 * 2**20
MOST_SECONDS = 5.0
Load = Callable[[bytes], Any]


class Global:
    """A name in a pickle, `module name`."""

    def __init__(self, name: str) -> None:
        self.name = name


class Call:
    """A call of a name in a pickle."""

    def __init__(self, name: str, *arguments: Any) -> None:
        self.name, self.arguments = name, arguments


class Reference:
    """A reference to something outside of a pickle."""

    def __init__(self, *parts: Any) -> None:
        self.parts = parts


def assembled(value: Any) -> bytes:
    """A pickle of protocol 2, with names that needn't exist."""
    return b"\x80\x02" + _code(value) + b"."


def _code(value: Any) -> bytes:
    if value is None or isinstance(value, bool):
        return {None: b"N", True: b"\x88", False: b"\x89"}[value]
    if isinstance(value, int):
        return b"\x8a\x08" + struct.pack("<q", value)
    if isinstance(value, str):
        return b"X" + struct.pack("<I", len(value.encode())) + value.encode()
    if isinstance(value, Global):
        return b"c" + value.name.replace(" ", "\n").encode() + b"\n"
    if isinstance(value, Call):
        return _code(Global(value.name)) + _code(value.arguments) + b"R"
    if isinstance(value, Reference):
        return _code(value.parts) + b"Q"
    if isinstance(value, (list, tuple)):
        return b"(" + b"".join(map(_code, value)) + (b"l" if isinstance(value, list) else b"t")
    return b"}(" + b"".join(_code(part) for item in value.items() for part in item) + b"u"


def tensor(key: str, kind: str, count: int, shape: Any, strides: Any, offset: int = 0) -> Call:
    """A tensor as torch pickles it."""
    storage = Reference("storage", Global(f"torch {kind}Storage"), key, "cpu", count)
    return Call("torch._utils _rebuild_tensor_v2", storage, offset, shape, strides, False, {})


def torch_zip(value: Any, storages: dict[str, bytes], order: bytes = b"little") -> bytes:
    """A file as torch.save writes it."""
    return zipped(assembled(value), storages, order)


def zipped(text: bytes, storages: dict[str, bytes], order: bytes = b"little") -> bytes:
    """The zip archive around a pickle."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("net/data.pkl", text)
        archive.writestr("net/byteorder", order)
        for key, data in storages.items():
            archive.writestr(f"net/data/{key}", data)
        archive.writestr("net/version", b"3\n")
    return file.getvalue()


def torch_old(value: Any, storages: dict[str, tuple[int, bytes]]) -> bytes:
    """A file as torch.save wrote it before version 1.6."""
    machine = {"protocol_version": 1001, "little_endian": True, "type_sizes": {"int": 4}}
    magic = b"\x80\x02\x8a\x0a" + 0x1950A86A20F9469CFC6C.to_bytes(10, "little") + b"."
    parts = [magic, assembled(1001), assembled(machine), assembled(value), assembled(list(storages))]
    parts += [struct.pack("<q", count) + data for count, data in storages.values()]
    return b"".join(parts)


def paddle_state(protocol: int = 4) -> bytes:
    """A state dict as paddle.save writes it, with a nested dict beside the arrays."""
    state: dict[str, Any] = {
        "fc.weight": np.arange(6, dtype="float32").reshape(2, 3),
        "fc.bias": np.asfortranarray(np.ones((3, 2), "float64")),
        "short": np.array([0x3F80, 0x4000], "uint16"),
        "StructuredToParameterName@@": {"fc.weight": "linear_0.w_0"},
        "LR_Scheduler": {"last_epoch": 3, "last_lr": np.float64(0.1), "milestones": [1, 2, (3, None, True)]},
    }
    return pickle.dumps(state, protocol)


def samples() -> dict[str, bytes]:
    """Good files by kind."""
    weights = WEIGHTS
    state = {"weight": tensor("0", "Float", 6, (3, 2), (1, 3)), "steps": tensor("1", "Long", 3, (), (), 2)}
    checkpoint = {"state_dict": state, "epoch": 3, "lr": [True, None, "x"]}
    old = {"weight": tensor("0", "Float", 6, (3, 2), (2, 1))}
    return {
        "paddle 2": paddle_state(2), "paddle 4": paddle_state(4), "torch": torch_zip(checkpoint, weights),
        "torch old": torch_old(old, {"0": (6, weights["0"])}), INSIDE: assembled(checkpoint),
    }  # fmt: skip


def mutated(good: bytes, draw: random.Random) -> bytes:
    """A file with some bytes changed, removed, doubled, or an opcode put between."""
    data = bytearray(good)
    for _ in range(draw.choice((1, 1, 2, 4, 16))):
        at = draw.randrange(len(data) + 1)
        match draw.randrange(6):
            case 0 if at < len(data):
                data[at] ^= 1 << draw.randrange(8)
            case 1:
                del data[at : at + draw.randrange(1, 9)]
            case 2:
                data[at:at] = data[draw.randrange(len(data) + 1) :][: draw.randrange(1, 40)]
            case 3:
                data[at:at] = bytes([draw.choice(b"()].}]lRbQacde012NIJKLXU\x8a\x8b\x93\x94\x81\x82\x95rqhjgp")])
            case 4:
                data[at : at + 4] = struct.pack("<I", draw.choice((0, 1, 2**31 - 1, 2**32 - 1, draw.getrandbits(32))))
            case _:
                data[at:at] = draw.choice((b"cos\nsystem\n", b"cbuiltins\neval\n", b"X\x02\0\0\0lstR", b"}" * 9))
        if not data:
            return b"\x80"
    return bytes(data)


_seen: list[str] = []
_watching = False
ALLOWED: list[str] = []  # folders whose files may be opened


def _watch(event: str, arguments: Any) -> None:
    if _watching and event.startswith(FORBIDDEN) and not _allowed(event, arguments):
        _seen.append(f"{event}{arguments!r:.80}")


def _allowed(event: str, arguments: Any) -> bool:
    return event in ("open", "os.listdir", "os.scandir") and str(arguments[0]).startswith(tuple(ALLOWED))


@contextmanager
def watched() -> Iterator[list[str]]:
    """Note the events of Python's audit that a loader has no reason for."""
    global _watching
    if _watch not in _installed:
        sys.addaudithook(_watch)
        _installed.append(_watch)
    _seen.clear()
    _watching = True
    try:
        yield _seen
    finally:
        _watching = False


_installed: list[Callable[..., Any]] = []


def _weights(data: bytes) -> None:
    try:
        vt.load(io.BytesIO(data), return_numpy=True)
    except VitrifyError as error:
        if not isinstance(error, ArtifactError):
            raise AssertionError(f"a {type(error).__name__}: {error}") from error
        raise


def attempt(data: bytes, load: Load = _weights) -> str:
    """How reading went: "read" or "refused". Errors: AssertionError for anything else."""
    with watched() as seen:
        start = time.process_time()  # of this process, however loaded the machine is
        try:
            load(data)
            outcome = "read"
        except VitrifyError:
            outcome = "refused"
        seconds = time.process_time() - start
        assert not seen, seen
    assert seconds < MOST_SECONDS, f"{seconds:.1f} s"
    return outcome


def import_codecs() -> None:
    """Import those that json and zipfile import when they meet them."""
    for codec in ("utf-16-le", "utf-16-be", "utf-16", "utf-32-le", "utf-32-be", "utf-32", "utf-8-sig", "cp437"):
        "".encode(codec)


def tried(kind: str, count: int, changed: Callable[[], tuple[bytes, Load]]) -> dict[str, int]:
    """How many of `count` changed files were read and refused, in bounded memory; one that does else is printed."""
    outcomes = {"read": 0, "refused": 0}
    tracemalloc.start()
    for _ in range(count):
        data, load = changed()
        try:
            outcomes[attempt(data, load)] += 1
        except BaseException:
            print(f"{kind}: {data!r}", file=sys.stderr)
            raise
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < MOST_BYTES, f"{kind}: {peak:,} bytes"
    return outcomes


def run(count: int, seed: int) -> Iterator[tuple[str, dict[str, int]]]:
    """Kind of file, and how many mutated ones were read and refused."""
    draw = random.Random(seed)
    for kind, good in samples().items():
        whole = (lambda text: zipped(text, WEIGHTS)) if kind == INSIDE else bytes
        vt.load(io.BytesIO(whole(good)))  # so that what reading imports is imported
        for broken in (good[:-9], good[:20]):
            try:
                vt.load(io.BytesIO(whole(broken)))
            except ArtifactError:
                pass
        import_codecs()
        yield kind, tried(kind, count, lambda good=good, whole=whole: (whole(mutated(good, draw)), _weights))


def programs() -> dict[str, tuple[list[bytes], list[Load]]]:
    """Kind of file -> (good files, how each is read once it is changed)."""
    found: dict[str, tuple[list[bytes], list[Load]]] = {}
    for suffix, form in ((".pdmodel", "old"), (".json", "new")):
        for name in PROGRAMS:
            model, params = MODELS / f"{form}_{name}{suffix}", MODELS / f"{form}_{name}.pdiparams"
            program, weights = model.read_bytes(), params.read_bytes() if params.is_file() else None
            good, loads = found.setdefault(suffix, ([], []))
            good.append(program)
            loads.append(partial(_program, weights))
            if weights is not None:
                good, loads = found.setdefault(".pdiparams", ([], []))
                good.append(weights)
                loads.append(partial(read_model, "m", program))
    return found


def _program(weights: bytes | None, program: bytes) -> Any:
    return read_model("m", program, weights)


def run_programs(count: int, seed: int) -> Iterator[tuple[str, dict[str, int]]]:
    """Kind of file, and how many mutated ones were read and refused."""
    draw = random.Random(seed)
    for kind, (good, loads) in programs().items():
        for data, load in zip(good, loads, strict=True):
            load(data)  # so that what reading imports is imported, and errors have read the lines they show
            for broken in (data[:-9], data[:20], b"{}"):
                try:
                    load(broken)
                except VitrifyError as error:
                    str(error)

        def changed(good: list[bytes] = good, loads: list[Load] = loads) -> tuple[bytes, Load]:
            k = draw.randrange(len(good))
            return mutated(good[k], draw), loads[k]

        yield kind, tried(kind, count, changed)


if __name__ == "__main__":
    given = [int(argument) for argument in sys.argv[1:]]
    count, seed = (given + [10_000, 20261123][len(given) :])[:2]
    for kind, outcomes in chain(run(count, seed), run_programs(count, seed)):
        print(f"{kind}: {outcomes['read']:,} read, {outcomes['refused']:,} refused", flush=True)
