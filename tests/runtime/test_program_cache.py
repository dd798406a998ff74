"""Compiled programs on disk: found again by another process, and by nothing that would want another one."""

import marshal
import pickle
import random
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base import dtype as dt
from vitrify.base import unique_name
from vitrify.base.target import TARGETS, using_target
from vitrify.ir.core import Block, Operation, Program
from vitrify.ir.verifier import verify
from vitrify.ir.walk import walk
from vitrify.jit.custom_ops import unregister_op
from vitrify.ops.create import ArrayData
from vitrify.ops.op import OPS
from vitrify.ops.types import ListType, TensorType
from vitrify.passes import extensions
from vitrify.runtime import cache_files, program_cache, program_file
from vitrify.runtime.options import CompileOptions
from vitrify.runtime.schedule.step_printer import print_steps


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VITRIFY_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(program_cache, "LEAST", 1)
    return tmp_path


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bool]]:
    """Whether each look into the cache found something, in order."""
    seen: list[bool] = []
    find = program_cache.find

    def noting(name: str) -> Any:
        made = find(name)
        seen.append(made is not None)
        return made

    monkeypatch.setattr(program_cache, "find", noting)
    return seen


def grow(x: vt.Tensor, limit: float) -> tuple[vt.Tensor, vt.Tensor]:
    """A loop, a branch, a product, a list, a check."""
    rows = []
    total = vt.zeros([4])
    while total.sum() < limit:
        if (x.sum() > 0) & (total.max() < 5.0):
            total = total + vt.nn.functional.softmax(x @ x.t(), axis=-1).sum(axis=0)[:4]
        else:
            total = total + 1.5
        rows.append(total * 2)
    return total, vt.stack(rows)


def executable(fn: Any) -> Any:
    return fn._last.runner.executable


def compiled(fn: Callable[..., Any]) -> Any:
    return vt.to_static(fn)


def test_the_second_function_finds_what_the_first_one_left(found: list[bool], folder: Path) -> None:
    x = vt.to_tensor(np.linspace(-1, 2, 16, dtype="float32").reshape(4, 4))
    expected = [part.numpy() for part in grow(x, 12.0)]
    first, second = compiled(grow), compiled(grow)
    for fn in (first, second, second):
        for part, wanted in zip(fn(x, 12.0), expected, strict=True):
            np.testing.assert_allclose(part.numpy(), wanted, rtol=2e-6)
    assert found == [False, True]
    assert [path.suffix for path in folder.iterdir()].count(".program") == 1
    made, kept = executable(first), executable(second)
    assert str(made.program) == str(kept.program)
    assert print_steps(made.steps) == print_steps(kept.steps)
    assert [text for _, text in made.kernel_texts] == [text for _, text in kept.kernel_texts]
    assert [op.loc.excerpt() for op in made.program.body] == [op.loc.excerpt() for op in kept.program.body]
    verify(kept.program)
    assert "passes" in made.report.seconds
    assert "found" in kept.report.seconds


def training_step(seed: int) -> tuple[Any, vt.nn.Layer]:
    vt.seed(seed)
    net = vt.nn.Sequential(vt.nn.Linear(6, 8), vt.nn.Dropout(0.5), vt.nn.GELU(), vt.nn.Linear(8, 3))
    optimizer = vt.optimizer.AdamW(0.05, parameters=net.parameters())

    @vt.to_static
    def step(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
        loss = vt.nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return step, net


def test_training_goes_on_with_the_same_bits(found: list[bool]) -> None:
    x, y = vt.randn([16, 6]), vt.randint(0, 3, [16])
    runs = []
    for _ in range(2):
        with unique_name.guard():  # the names of parameters stand in the program
            step, net = training_step(3)
        losses = [float(step(x, y)) for _ in range(5)]
        runs.append((losses, [p.numpy() for p in net.parameters()]))
    assert found == [False, True]
    assert runs[0][0] == runs[1][0]
    for a, b in zip(runs[0][1], runs[1][1], strict=True):
        np.testing.assert_array_equal(a, b)


def test_gradients_are_found_with_the_program(found: list[bool]) -> None:
    x = np.linspace(-1, 2, 16, dtype="float32").reshape(4, 4)
    runs = []
    for _ in range(2):
        fn, given = compiled(grow), vt.to_tensor(x, stop_gradient=False)
        total, rows = fn(given, 12.0)
        (total * total).sum().backward()
        first, given.grad = given.grad, None
        fn(given, 12.0)[1].sum().backward()
        runs.append((first, given.grad, total, rows))
    assert found == [False] * 3 + [True] * 3  # the pair, the forward and the backward program
    eager = vt.to_tensor(x, stop_gradient=False)
    (grow(eager, 12.0)[0] ** 2).sum().backward()
    np.testing.assert_allclose(runs[0][0].numpy(), eager.grad.numpy(), atol=5e-5)  # numbers up to 11
    for a, b in zip(*runs, strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy())


def test_second_derivatives_of_a_pair_from_disk(found: list[bool]) -> None:
    def cube(x: vt.Tensor) -> vt.Tensor:
        return x * x * x

    for _ in range(2):
        x = vt.to_tensor([1.0, -2.0], stop_gradient=False)
        (slope,) = vt.grad(compiled(cube)(x).sum(), [x], create_graph=True)
        (second,) = vt.grad(slope.sum(), [x])
        assert slope.tolist() == [3.0, 12.0]
        assert second.tolist() == [6.0, -12.0]
    assert found[0] is False
    assert found[len(found) // 2 :] == [True] * (len(found) // 2)


def test_a_program_that_was_read_is_written_with_the_same_bytes() -> None:
    """The gradients' programs are found by what was read: their own files are named by it."""
    data = program_file.to_bytes(captured(lambda x: grow(x, 12.0)[0] + vt.arange(4), vt.ones([4, 4])))
    assert program_file.to_bytes(*program_file.from_bytes(data)) == data


def test_operations_get_their_fields_when_something_asks() -> None:
    """Arguments have theirs at once; the first field that is asked for brings all, also for threads that ask together."""
    program = captured(lambda x: grow(x, 12.0)[0] + vt.arange(4), vt.ones([4, 4]))
    data = program_file.to_bytes(program)

    (read,) = program_file.from_bytes(data)
    assert [v.type for v in read.body.args] == [v.type for v in program.body.args]
    with pytest.raises(AttributeError):
        Block.__dict__["operations"].__get__(read.body)
    assert str(read) == str(program)
    assert len(Block.__dict__["operations"].__get__(read.body)) == len(program.body.operations)
    assert [len(v.uses) for v in read.body.args] == [len(v.uses) for v in program.body.args]
    verify(read)
    with ThreadPoolExecutor(4) as pool:
        for _ in range(20):
            (read,) = program_file.from_bytes(data)
            assert set(pool.map(str, [read] * 8)) == {str(program)}
            (read,) = program_file.from_bytes(data)
            assert set(pool.map(lambda v: len(v.uses), read.body.args * 8)) == {len(v.uses) for v in program.body.args}


def test_parts_of_programs_have_no_other_fields() -> None:
    (read,) = program_file.from_bytes(program_file.to_bytes(captured(scaled, vt.ones([5]))))
    for part in (read.body, read.body.args[0], read.body.operations[0], Block()):
        with pytest.raises(AttributeError, match=f"'{type(part).__name__}' object has no attribute 'colour'"):
            _ = part.colour
    with pytest.raises(AttributeError, match="'Operation' object has no attribute 'op'"):
        _ = Operation.__new__(Operation).op


def test_a_program_that_only_runs_stays_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read makes the parts that it names; those of the whole program come with the first field."""
    made: list[Any] = []
    monkeypatch.setattr(program_file, "_fill", lambda records, found: made.append(len(records)))
    (read,) = program_file.from_bytes(program_file.to_bytes(captured(lambda x: grow(x, 12.0)[0], vt.ones([4, 4]))))
    assert ([str(v.type) for v in read.body.args], made) == (["f32[4, 4]"], [])
    with pytest.raises(AttributeError):
        _ = read.body.operations
    assert made[0] > 80


def test_arguments_of_any_type_come_back() -> None:
    """A list's type is in no table; a block within an operation has arguments, too."""
    kind = ListType(TensorType(dt.float32, (3,)))
    program = Program()
    program.body.add_arg(kind, "xs")
    program.feeds.append("xs")
    inner = Block([kind, TensorType(dt.float32, ())])
    program.body.append(Operation(OPS["return"], [], {}, [], [inner]))
    (read,) = program_file.from_bytes(program_file.to_bytes(program))
    assert [(v.type, v.hint, v.producer is read.body) for v in read.body.args] == [(kind, "xs", True)]
    (block,) = read.body.operations[0].blocks
    assert [v.type for v in block.args] == [v.type for v in inner.args]
    assert block.parent is read.body.operations[0]
    assert all(v.producer is block for v in block.args)


def test_a_fingerprint_is_one_of_all_that_is_written() -> None:
    """Two programs have one fingerprint exactly where they have the same bytes."""
    data = program_file.to_bytes(captured(lambda x: grow(x, 12.0)[0] + vt.arange(4), vt.ones([4, 4])))

    def edited(edit: Callable[[Any], object] = str) -> tuple[bytes, bytes]:
        (program,) = program_file.from_bytes(data)
        edit(program)
        return program_file.to_bytes(program), program_file.fingerprint(program)

    def operations(program: Any) -> list[Any]:
        return list(walk(program.body))

    seen = {edited()}
    assert seen == {edited()}
    count = len(operations(program_file.from_bytes(data)[0]))
    for k in range(count):
        for edit in (
            lambda o: o.attrs.update(more=1),
            lambda o: o.attrs.update(more=(1, "two")),
            lambda o: o.attrs.update(more=ArrayData(np.arange(3))),
            lambda o: setattr(o, "loc", replace(o.loc, line=o.loc.line + 1)),
            lambda o: setattr(o, "op", OPS["tanh"]),
            lambda o: o.add_result(TensorType(vt.float32, (2, 3))),
            lambda o: o.add_result(TensorType(vt.float32, (2, 3)), "named"),
            lambda o: o.operands and o.add_operand(o.operands[0]),
            lambda o: o.add_block(Block()),
            lambda o: o.blocks and o.blocks[0].add_arg(TensorType(vt.float32, ())),
            lambda o: o.parent.operations.remove(o),
        ):
            seen.add(edited(lambda program, k=k, edit=edit: edit(operations(program)[k])))
    seen.add(edited(lambda program: setattr(program, "name", "other")))
    seen.add(edited(lambda program: program.feeds.reverse() or program.feeds.append("x")))
    assert len({whole for whole, _ in seen}) == len({short for _, short in seen}) == len(seen) > 8 * count


def test_an_error_of_a_program_from_disk_names_the_users_line(found: list[bool]) -> None:
    def pick(x: vt.Tensor, k: vt.Tensor) -> vt.Tensor:
        return x[k] * 2  # this line

    x = vt.ones([3])
    for _ in range(2):
        fn = compiled(pick)
        fn(x, vt.to_tensor(1))
        with pytest.raises(IndexError, match="this line"):
            fn(x, vt.to_tensor(7))
    assert found == [False, True]


def test_pieces_over_sizes_of_the_run_come_back(found: list[bool]) -> None:
    def counts(keys: vt.Tensor) -> vt.Tensor:
        found = vt.bincount(keys)
        return (found.astype("float32") / found.sum()).sqrt() * 2

    keys = vt.arange(20000) % 6000
    expected = counts(keys).numpy()
    for _ in range(2):
        fn = compiled(counts)
        for _ in range(2):
            np.testing.assert_allclose(fn(keys).numpy(), expected, rtol=1e-6)
    assert found[0] is False
    assert any(found)


def scaled(x: vt.Tensor) -> vt.Tensor:
    return (x * 3.0 + 1.0).tanh()


def captured(fn: Callable[..., Any] = scaled, *args: Any) -> Any:
    made = compiled(fn)
    made(*(args or (vt.ones([5]),)))
    return made._last.runner.executable_source


def name_of(program: Any, **options: Any) -> str | None:
    return program_cache.file_of(program, CompileOptions(**options))


def test_the_name_changes_with_all_that_the_program_depends_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def other(x: vt.Tensor) -> vt.Tensor:
        return (x * 3.5 + 1.0).tanh()

    def elsewhere(x: vt.Tensor) -> vt.Tensor:
        return (x * 3.0 + 1.0).tanh()

    table = np.arange(5, dtype="float32")

    def with_table(x: vt.Tensor) -> vt.Tensor:
        return x * vt.to_tensor(table)

    program = captured()
    names = [name_of(program), name_of(program, numerics="fast"), name_of(program, schedule=("-loop_kernels",))]
    names += [name_of(captured(fn)) for fn in (other, elsewhere, with_table)]
    table[2] = 7.0
    names.append(name_of(captured(with_table)))
    names.append(name_of(captured(scaled, vt.ones([6]))))
    names.append(name_of(captured(scaled, vt.ones([5], dtype="float64"))))
    chosen = next(target for name, target in TARGETS.items() if name == "sse4")
    with using_target(chosen):
        names.append(name_of(program))
    with monkeypatch.context() as patch:
        patch.setattr(program_cache, "_package", lambda: "another version")
        names.append(name_of(program))
    assert None not in names
    assert len(set(names)) == len(names)
    assert name_of(captured()) == names[0]
    assert name_of(program, compile="background") == names[0]


def test_nothing_is_kept_of_what_depends_on_the_users_own(monkeypatch: pytest.MonkeyPatch) -> None:
    program = captured()
    assert name_of(program) is not None
    monkeypatch.setattr(vt.base.flags.flags, "verify", True)
    assert name_of(program) is None
    monkeypatch.setattr(vt.base.flags.flags, "verify", False)
    with monkeypatch.context() as patch:
        patch.setattr(extensions, "_rules", [object()])
        assert name_of(program) is None
    with monkeypatch.context() as patch:
        patch.setenv("VITRIFY_CACHE_LIMIT", "0")
        assert name_of(program) is None
    with monkeypatch.context() as patch:
        patch.setattr(program_cache, "LEAST", 1000)
        assert name_of(program) is None
    twice = vt.register_op("kept_twice", "{0} * 2", grad=lambda g, y, x: g * 2)
    try:
        own = captured(lambda x: twice(x) + 1)
        assert name_of(own) is None
    finally:
        unregister_op("kept_twice")
    assert name_of(own) is None  # its row is no longer in the table


def test_large_constants_are_not_kept() -> None:
    table = np.zeros(program_cache.MOST_BYTES, dtype="uint8")
    assert name_of(captured(lambda x: x + vt.to_tensor(table)[0].astype("float32"))) is None


def test_another_process_finds_it(folder: Path) -> None:
    script = folder / "script.py"
    script.write_text(
        textwrap.dedent("""
        import sys
        import vitrify as vt
        from vitrify.runtime import program_cache
        program_cache.LEAST = 1
        @vt.to_static
        def f(x, w):
            for _ in range(3):
                x = vt.nn.functional.gelu(x @ w) + x
            return x.sum()
        x, w = vt.arange(12, dtype="float32").reshape([3, 4]), vt.ones([4, 4]) * 0.1
        print(float(f(x, w)).hex(), float(f(x[:2], w)).hex())
        print("vitrify.runtime.to_steps" in sys.modules, "vitrify.runtime.codegen.llvm_backend" in sys.modules)
        """)
    )
    runs = [subprocess.run([sys.executable, script], capture_output=True, text=True, check=True) for _ in range(2)]
    (first, made), (second, kept) = (run.stdout.split("\n")[:2] for run in runs)
    assert first == second
    assert made == "True True"
    assert kept == "False False"  # neither the passes nor what compiles kernels were imported


def test_damaged_files_are_compiled_again(found: list[bool], folder: Path) -> None:
    compiled(scaled)(vt.ones([5]))
    (file,) = folder.glob("*.program")
    good = file.read_bytes()
    for data in (good[:-1], good[:40], b"", good[:60] + b"x" + good[61:], b"VITRIFYP" + good[8:][::-1]):
        file.write_bytes(data)
        assert float(compiled(scaled)(vt.ones([5]))[0]) == pytest.approx(np.tanh(4.0), rel=1e-6)
        assert file.read_bytes() == good
    assert found == [False] * 6


def test_a_renamed_file_is_not_taken_for_another_program(folder: Path) -> None:
    compiled(scaled)(vt.ones([5]))
    (file,) = folder.glob("*.program")
    other = file.with_name("0" * 64 + ".program")
    other.write_bytes(file.read_bytes())
    assert program_cache.find(other.name) is None
    assert program_cache.find(file.name) is not None


def test_no_changed_byte_is_read(folder: Path) -> None:
    compiled(scaled)(vt.ones([5]))
    (file,) = folder.glob("*.program")
    good = file.read_bytes()
    draw = random.Random(5)
    for _ in range(300):
        changed = bytearray(good)
        changed[draw.randrange(len(changed))] ^= draw.randint(1, 255)
        file.write_bytes(bytes(changed))
        assert program_cache.find(file.name) is None
    file.write_bytes(good)
    assert program_cache.find(file.name) is not None


class _Shell:
    def __reduce__(self) -> Any:
        return print, ("run",)


def test_nothing_but_data_is_made(capsys: pytest.CaptureFixture[str]) -> None:
    def file(types: bytes, others: bytes, whole: bytes) -> bytes:
        program = marshal.dumps(([], others, []), 2)
        bodies = [] if others == empty else [(0, [(1, -1, 0, "x")])]  # a block, whose argument's type is the last other
        return marshal.dumps((([], []), bytes([2, 1]), types, bodies, program, whole), 2)

    empty = pickle.dumps([])
    with pytest.raises(pickle.UnpicklingError, match=r"print isn't part of a compiled program"):
        program_file.from_bytes(file(empty, empty, pickle.dumps(_Shell())))
    with pytest.raises(pickle.UnpicklingError, match=r"os\.system isn't part"):
        program_file.from_bytes(file(b"cos\nsystem\n(S'true'\ntR.", empty, empty))
    with pytest.raises(pickle.UnpicklingError, match=r"cache_files\.clear isn't part"):
        program_file.from_bytes(file(empty, b"cvitrify.runtime.cache_files\nclear\n(tR.", empty))
    for broken in (b"", b"no file", file(empty, empty, empty)[:-9], marshal.dumps((1, 2), 2), marshal.dumps(None, 2)):
        with pytest.raises(pickle.UnpicklingError, match="this isn't the file of a program"):
            program_file.from_bytes(broken)
    assert capsys.readouterr().out == ""
    with pytest.raises(pickle.PicklingError, match="can't be a part"):
        program_file.to_bytes(print)


def test_show_and_clear_know_programs(folder: Path) -> None:
    compiled(scaled)(vt.ones([5]))
    kinds = {entry.name.partition(".")[2] for entry in cache_files.entries()}
    assert "program" in kinds
    cache_files.clear()
    assert cache_files.entries() == []


def test_special_attributes_come_back_as_they_were() -> None:
    parts = (
        np.float32(1.5), np.array([np.nan, -0.0]), np.array([1, 2], "int8"), vt.ones([2], dtype="bfloat16").numpy(),
        slice(1, None), frozenset({1}), {2}, 1 + 2j, float("inf"), None, CompileOptions(numerics="fast"), np.zeros((0, 3)),
    )  # fmt: skip
    for part, back in zip(parts, program_file.from_bytes(program_file.to_bytes(*parts)), strict=True):
        assert type(part) is type(back)
        if isinstance(part, np.ndarray):
            assert part.dtype == back.dtype
            assert part.shape == back.shape
            assert part.tobytes() == back.tobytes()
        else:
            assert part == back
