"""Models as libraries: equal to eager mode, on this machine and for AArch64 under qemu; C's errors; what is refused."""

from __future__ import annotations

import ctypes
import json
import platform
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.base.errors import ArgumentError, KindError, MissingDependencyError
from vitrify.base.target import runnable
from vitrify.native import linker
from vitrify.native.c_model import FUNCTIONS
from vitrify.native.emulation import missing_emulator
from vitrify.native.linker import link_program
from vitrify.native.platforms import PLATFORMS

from .conftest import Built
from .models import CASES, GENERATOR, LARGE, Counter, compare, expected, mlp, numbers

pytestmark = [
    pytest.mark.needs("ziglang"),
    pytest.mark.skipif(platform.machine() != "x86_64", reason="libraries are for x86-64"),
]
Array = np.ndarray[Any, Any]


def test_a_library_gives_what_eager_mode_gives(model_name: str, built: Built) -> None:
    case = (CASES | LARGE)[model_name]
    folder, model = built(model_name)
    loaded = vt.native.load(folder)
    for _ in range(2):
        compare(loaded(*case.arrays), expected(model, case.arrays))
    written = {"main.c", "manifest.json", *(model_name + ending for ending in (".h", ".hpp", ".py"))}
    assert {f.name for f in folder.iterdir()} - {"__pycache__"} == {
        *written,
        f"lib{model_name}.so",
        f"lib{model_name}.a",
    }


def test_two_models_run_in_two_threads(built: Built) -> None:
    folder, model = built("lenet")
    models = [vt.native.load(folder) for _ in range(2)]
    images = [numbers(2, 1, 28, 28) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(lambda k=k: [models[k](images[k]) for _ in range(50)]) for k in range(2)]
        for image, run in zip(images, runs, strict=True):
            wanted = expected(model, (image,))
            for found in run.result():
                compare(found, wanted)


def test_every_size_up_to_the_limit(built: Built) -> None:
    folder, model = built("mlp_of_any_batch")
    loaded = vt.native.load(folder)
    for n in range(41):
        x = numbers(n, 64)
        compare(loaded(x), expected(model, (x,)))
    with pytest.raises(MemoryError, match="n isn't from 0 to 40"):
        loaded(numbers(41, 64))


def in_turn(name: str, target: str) -> bool:
    """Each model on one platform: what every change is tried on."""
    here = [name for name, platform in PLATFORMS.items() if not platform.runs_on]
    distance = list(CASES | LARGE).index(name) - here.index(target)
    return name in CASES and distance % len(here) == 0


@pytest.mark.slow
@pytest.mark.parametrize("target", [name for name, platform in PLATFORMS.items() if not platform.runs_on])
def test_a_library_for_another_platform_gives_what_eager_mode_gives(
    model_name: str, target: str, built: Built, pytestconfig: pytest.Config
) -> None:
    if not (pytestconfig.getoption("--all-platforms") or in_turn(model_name, target)):
        pytest.skip("every model on every platform takes minutes: --all-platforms")
    missing = missing_emulator(target)
    if missing or (target.endswith("v4") and "avx512" not in runnable()):
        pytest.skip(f"{missing or 'AVX-512'} isn't there")
    case = (CASES | LARGE)[model_name]
    folder, model = built(model_name, target)
    found = vt.native.emulate(folder, *case.arrays, runs=case.runs)
    for _ in range(case.runs):
        wanted = expected(model, case.arrays)
    compare(found, wanted)


def test_a_model_needs_memory_for_the_sizes_it_is_made_for(built: Built) -> None:
    folder, model = built("mlp_of_any_batch")
    full, small = vt.native.load(folder), vt.native.load(folder, limits={"n": 1})
    assert small._arena.size < full._arena.size / 10
    for n in (1, 0, 1):
        x = numbers(n, 64)
        compare(small(x), expected(model, (x,)))
        compare(full(x), expected(model, (x,)))
    with pytest.raises(MemoryError, match="the arena is too small for these sizes"):
        small(numbers(2, 64))
    compare(small(x), expected(model, (x,)))
    with pytest.raises(ValueError, match=r"was built for sizes up to \{'n': 40\}, not \{'n': 41\}"):
        vt.native.load(folder, limits={"n": 41})
    with pytest.raises(ValueError, match=r"has the open sizes \['n'\], not \['m'\]"):
        vt.native.load(folder, limits={"m": 5})


def test_a_library_takes_a_kernel_for_as_many_rows_as_there_are(built: Built) -> None:
    folder, model = built("layers_of_any_batch")
    loaded = vt.native.load(folder)
    for n in (0, 1, 2, 3, 7, 32, 33, 80):
        x = numbers(n, 300)
        compare(loaded(x), expected(model, (x,)))


@pytest.mark.skipif(shutil.which("qemu-x86_64") is None, reason="qemu-x86_64 isn't installed")
@pytest.mark.parametrize("cpu", ["Nehalem", "Haswell"])
def test_one_library_chooses_the_level_of_the_cpu(cpu: str, built: Built, tmp_path: Path) -> None:
    """Nehalem is of level 2, Haswell of 3: code of a higher one would end the program."""
    case = CASES["lenet_of_any_batch"]
    folder, model = built("lenet_of_any_batch", "x86_64-linux-any")
    link_program(PLATFORMS["x86_64-linux-any"], folder, "lenet_of_any_batch", tmp_path / "example")
    case.arrays[0].tofile(tmp_path / "x.bin")
    command = ["qemu-x86_64", "-cpu", cpu, str(tmp_path / "example"), "n=3", str(tmp_path / "x.bin")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = np.array(done.stdout.split(":")[1].split(), "float32").reshape(3, 10)
    compare(found, expected(model, case.arrays))


@pytest.mark.parametrize("name", ["t", "k", "model", "places"])
def test_a_size_may_be_called_as_c_calls_something_else(name: str, tmp_path: Path) -> None:
    vt.native.build(lambda x: vt.concat([x, x]) * 2, [vt.InputSpec([name, 3])], tmp_path / "m", limits={name: 9})
    x = numbers(4, 3)
    np.testing.assert_array_equal(vt.native.load(tmp_path / "m")(x), np.concatenate([x, x]) * 2)


def test_state_lives_in_the_model_until_it_is_reset(tmp_path: Path) -> None:
    vt.native.build(Counter(), [vt.InputSpec([3])], tmp_path / "m")
    first, second = vt.native.load(tmp_path / "m"), vt.native.load(tmp_path / "m")
    one = np.ones(3, "float32")
    np.testing.assert_array_equal(first(one), [4, 6, 8])
    np.testing.assert_array_equal(first(one), [6, 8, 10])
    np.testing.assert_array_equal(second(one), [4, 6, 8])
    first.reset()
    np.testing.assert_array_equal(first(one), [4, 6, 8])


def test_keys_and_values_of_attention_stay_in_the_model(built: Built) -> None:
    folder, decoder = built("decoder")
    loaded = vt.native.load(folder)
    for k in range(5):
        x = numbers(8)
        compare(loaded(x), expected(decoder, (x,)))
        assert loaded.state["count"] == k + 1
    np.testing.assert_allclose(loaded.state["keys"], decoder.keys.numpy(), rtol=1e-5, atol=1e-6)
    loaded.state["count"][...] = 0
    decoder.count.set_value(vt.zeros([], "int64"))
    compare(loaded(x), expected(decoder, (x,)))


def test_a_training_step_learns_in_the_library(built: Built) -> None:
    x, labels = numbers(20, 6), GENERATOR.integers(0, 3, 20)
    folder, step = built("training")
    loaded = vt.native.load(folder)
    losses = [(float(loaded(x, labels)), step(vt.to_tensor(x), vt.to_tensor(labels)).item()) for _ in range(20)]
    np.testing.assert_allclose(*zip(*losses, strict=True), rtol=1e-4)
    assert losses[-1][0] < losses[0][0] / 2
    weights = [a for a in loaded.state.values() if a.shape == (6, 16)]
    assert len(weights) == 3, "the weights and two moments"


def test_a_list_that_outgrows_its_room_is_an_error(built: Built) -> None:
    folder, model = built("list", list_items=8)
    loaded = vt.native.load(folder)
    x, _ = CASES["list"].arrays
    compare(loaded(x, np.array(8)), expected(model, (x, np.array(8))))
    with pytest.raises(MemoryError, match=r"a list has more items than were planned for \(models.py:\d+\)"):
        loaded(x, np.array(9))
    compare(loaded(x, np.array(3)), expected(model, (x, np.array(3))))


def test_a_check_of_the_program_names_the_user_s_line(tmp_path: Path) -> None:
    def picked(x: vt.Tensor, k: vt.Tensor) -> vt.Tensor:
        assert (x > 0).all(), "not positive"
        return x[k]

    vt.native.build(picked, [vt.InputSpec([3]), vt.InputSpec([], "int64")], tmp_path / "m")
    loaded = vt.native.load(tmp_path / "m")
    assert loaded(np.array([1, 2, 3], "float32"), np.array(2)) == 3
    with pytest.raises(RuntimeError, match=r"IndexError: an index is out of range \(test_building.py:\d+\)"):
        loaded(np.array([1, 2, 3], "float32"), np.array(3))
    with pytest.raises(RuntimeError, match=r"not positive \(test_building.py:\d+\)"):
        loaded(np.array([1, -2, 3], "float32"), np.array(0))


class Halve(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, x: vt.Tensor) -> vt.Tensor:
        return x / 2.0

    @staticmethod
    def backward(ctx: Any, gradient: vt.Tensor) -> vt.Tensor:
        return gradient / 2.0


@pytest.mark.parametrize("target", ["x86_64-linux", "x86_64-linux-any"])
def test_a_callback_is_a_function_of_the_host_s(target: str, tmp_path: Path) -> None:
    def called(x: vt.Tensor) -> vt.Tensor:
        return Halve.apply(x * 3.0) + Halve.apply(x)

    spec = [vt.InputSpec(["n", 3])]
    with pytest.raises(ArgumentError, match=r"the callback \S*Halve runs in Python") as found:
        vt.native.build(called, spec, tmp_path / "m", target, limits={"n": 5})
    assert 'callbacks={"Halve": "c"}' in str(found.value)
    vt.native.build(called, spec, tmp_path / "m", target, limits={"n": 5}, callbacks={"Halve": "c"})
    assert "callback 0: Halve, (f32[n, 3]) -> f32[n, 3]" in (tmp_path / "m" / "m.h").read_text()
    loaded, x = vt.native.load(tmp_path / "m"), numbers(4, 3)
    with pytest.raises(RuntimeError, match="the callback Halve isn't bound: call m_bind"):
        loaded(x)
    shapes = []

    def halve(a: Array) -> Array:
        shapes.append(a.shape)
        return a / 2

    loaded.bind("Halve", halve)
    np.testing.assert_allclose(loaded(x), x * 2, rtol=1e-6)
    assert shapes == [(4, 3)] * 2
    loaded.bind("Halve", lambda a: a / 0 if a.sum() else [][0])
    with pytest.raises(IndexError):
        loaded(np.zeros((1, 3), "float32"))
    with pytest.raises(ValueError, match=r"has the callbacks \['Halve'\], not 'Half'"):
        loaded.bind("Half", halve)


def test_callbacks_that_cannot_be_bound(tmp_path: Path) -> None:
    spec = [vt.InputSpec([3])]
    with pytest.raises(ArgumentError, match="the model calls no relu"):
        vt.native.build(lambda x: x * 2, spec, tmp_path / "m", callbacks={"relu": "c"})
    with pytest.raises(ArgumentError, match="the callback relu is bound to 'rust'"):
        vt.native.build(lambda x: x * 2, spec, tmp_path / "m", callbacks={"relu": "rust"})
    assert list(tmp_path.iterdir()) == []


# ---- C's interface ------------------------------------------------------------------------------------------------


class Tensor(ctypes.Structure):
    _fields_ = (("data", ctypes.c_void_p), ("shape", ctypes.c_void_p))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("library") / "m"
    vt.native.build(
        lambda x, y: (x + y, x.sum()), [vt.InputSpec(["n", 3]), vt.InputSpec(["n", 3])], folder, limits={"n": 5}
    )
    found = ctypes.CDLL(str(folder / "libm.so"))
    found.m_create.restype, found.m_memory.restype, found.m_last_error.restype = (
        ctypes.c_void_p,
        ctypes.c_size_t,
        ctypes.c_char_p,
    )
    found.m_memory.argtypes = (ctypes.c_void_p,)
    found.m_create.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
    found.m_run.argtypes, found.m_last_error.argtypes = (ctypes.c_void_p,) * 3, (ctypes.c_void_p,)
    return found


def tensor(array: Array | None, *shape: int) -> Tensor:
    sizes = _keep((ctypes.c_int64 * max(1, len(shape)))(*shape))
    return Tensor(0 if array is None else array.ctypes.data, ctypes.addressof(sizes))


_kept: list[Any] = []


def _keep(block: Any) -> Any:
    _kept.append(block)
    return block


def test_wrong_arguments_give_codes_and_texts(library: Any) -> None:
    size = library.m_memory(None)
    arena = np.empty(size + 1, np.uint8)
    assert library.m_create(None, size) is None
    assert library.m_create(arena.ctypes.data, 100) is None
    assert [library.m_memory((ctypes.c_int64 * 1)(n)) for n in (-1, 6)] == [0, 0]
    assert library.m_memory((ctypes.c_int64 * 1)(5)) == size
    model = library.m_create(arena.ctypes.data + 1, size)  # any address will do
    x, y, out, total = (np.ones((4, 3), "float32") for _ in range(4))

    def run(inputs: list[Tensor], outputs: list[Tensor]) -> tuple[int, str]:
        code = library.m_run(model, (Tensor * 2)(*inputs), (Tensor * 2)(*outputs))
        return code, library.m_last_error(model).decode()

    good, made = [tensor(x, 4, 3), tensor(y, 4, 3)], [tensor(out, 4, 3), tensor(total)]
    assert run(good, made) == (0, "")
    np.testing.assert_array_equal(out, 2)
    assert total[0, 0] == 12
    assert library.m_run(None, None, None) == 1
    assert library.m_last_error(None) == b"the model is null"
    assert library.m_run(model, None, None) == 1
    assert run([tensor(None, 4, 3), good[1]], made) == (1, "x is null")
    assert run([Tensor(x.ctypes.data, 0), good[1]], made) == (1, "x has no shape")
    assert run([good[0], tensor(y, 3, 3)], made) == (2, "the shape of y isn't that of f32[n, 3]")
    assert run([tensor(x, 4, 4), good[1]], made) == (2, "the shape of x isn't that of f32[n, 3]")
    assert run([tensor(x, 6, 3), tensor(y, 6, 3)], made) == (3, "n isn't from 0 to 5")
    assert run([tensor(x, -1, 3), tensor(y, -1, 3)], made) == (3, "n isn't from 0 to 5")
    assert run(good, [tensor(x, 4, 3), made[1]]) == (5, "output_0 overlaps x")
    assert run([tensor(x.view(np.uint8).reshape(-1)[1:], 3, 3), tensor(y, 3, 3)], made) == (
        6,
        "x isn't aligned to its elements",
    )
    assert run(good, made) == (0, "")


def test_only_the_header_s_functions_are_seen(library: Any) -> None:
    names = subprocess.run(
        ["nm", "-D", "--defined-only", library._name], capture_output=True, text=True, check=True
    ).stdout
    found = {line.split()[-1] for line in names.splitlines()}
    assert found == {f"m_{name}" for name in FUNCTIONS}


def test_a_library_needs_neither_numba_nor_this_package(built: Built) -> None:
    folder, _ = built("mlp")
    code = f"""
import sys
sys.path.insert(0, {str(folder)!r})
import numpy, mlp
print(mlp.load({str(folder)!r})(numpy.zeros((1, 64), 'float32')).shape)
print(sorted({{'numba', 'llvmlite', 'vitrify'}} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["(1, 10)", "[]"]


def test_loading_through_the_package_loads_no_compiler(built: Built) -> None:
    folder, _ = built("mlp")
    code = (
        f"import sys, vitrify as vt; vt.native.load({str(folder)!r}); print({{'numba', 'llvmlite'}} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_an_artifact_and_a_program_build(tmp_path: Path) -> None:
    x = numbers(4, 6)
    layer = nn.Linear(6, 2)
    layer.eval()
    vt.jit.save(layer, tmp_path / "linear.vt", [vt.InputSpec([4, 6])])
    vt.native.build(tmp_path / "linear.vt", None, tmp_path / "m")
    compare(vt.native.load(tmp_path / "m")(x), expected(layer, (x,)))
    program = vt.to_static(lambda x: vt.tanh(x), input_spec=[vt.InputSpec([4, 6])]).concrete_trace().program
    vt.native.build(program, None, tmp_path / "tanh")
    compare(vt.native.load(tmp_path / "tanh")(x), [np.tanh(x)])


# ---- refusals -----------------------------------------------------------------------------------------------------


def test_what_cannot_be_built_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    spec = [vt.InputSpec([4, 4])]

    def singular(x: vt.Tensor) -> vt.Tensor:
        return vt.linalg.svd(x)[1]

    with pytest.raises(ArgumentError, match="the operation svd runs in Python") as found:
        vt.native.build(singular, spec, tmp_path / "m")
    assert "return vt.linalg.svd(x)[1]" in str(found.value)
    with pytest.raises(ArgumentError, match="no platform 'aarch64-linus'") as found:
        vt.native.build(mlp(), spec, tmp_path / "m", "aarch64-linus")
    assert "aarch64-linux" in str(found.value)
    with pytest.raises(ArgumentError, match="'a-b' can't begin names of C"):
        vt.native.build(mlp(), spec, tmp_path / "a-b")
    with pytest.raises(ArgumentError, match="has the open sizes n; the limits name none"):
        vt.native.build(lambda x: x * 2, [vt.InputSpec(["n"])], tmp_path / "m")
    with pytest.raises(ArgumentError, match="the limit of n is 0"):
        vt.native.build(lambda x: x * 2, [vt.InputSpec(["n"])], tmp_path / "m", limits={"n": 0})
    with pytest.raises(ArgumentError, match="only a run knows the sizes of the operation picked"):
        vt.native.build(lambda x: x[x > 0], [vt.InputSpec([5])], tmp_path / "m")
    with pytest.raises(KindError, match="writes to a path, not to a list"):
        vt.native.build(mlp(), tmp_path / "m", spec)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_compiler_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linker.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingDependencyError, match=r"pip install vitrify\[native\]"):
        vt.native.build(mlp(), [vt.InputSpec([1, 64])], tmp_path / "m")
    with pytest.raises(KindError, match="writes to a path, not to a list"):
        vt.native.build(mlp(), tmp_path / "m", [vt.InputSpec([1, 64])])
    assert list(tmp_path.iterdir()) == []


def test_a_manifest_of_another_format_is_refused(built: Built, tmp_path: Path) -> None:
    shutil.copytree(built("mlp")[0], tmp_path / "m")
    file = tmp_path / "m" / "manifest.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"format": 99}))
    with pytest.raises(ValueError, match="has format 99, not 3: build the library anew"):
        vt.native.load(tmp_path / "m")
