"""The commands on artifacts and functions: their texts, their JSON, their exit codes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base import target
from vitrify.cli import doctor
from vitrify.cli.main import main
from vitrify.cli.outcome import Exit, printable

Cli = Callable[..., Any]


def test_inspect_an_artifact(cli: Cli, artifact: Path) -> None:
    data = cli("inspect", artifact, "--json").json
    assert data["kind"] == "artifact" and data["methods"] == ["forward"] and data["symbols"] == ["N"]
    assert data["inputs"] == [{"name": "x", "type": "f32[N, 4]"}] and data["outputs"] == ["f32[N, 2]"]
    assert data["state"] == {"parameter": {"entries": 4, "elements": 58, "bytes": 232}}
    assert data["operations"]["matmul"] == 2
    text = cli("inspect", artifact).out
    assert "x: f32[N, 4]" in text and "58 elements, 232 bytes" in text and "matmul" in text


def test_inspect_shows_stages_and_kernels(cli: Cli, artifact: Path, module: Path) -> None:
    stages = cli("inspect", artifact, "--stages").out.split("\n")
    assert stages[0] == "captured" and "after fuse" in stages
    assert "group" not in cli("inspect", artifact, "--stage", "captured").out
    assert "group" in cli("inspect", artifact, "--stage", "fuse").out
    assert "def body(" in cli("inspect", f"{module}:described", "--kernels", "--input", "f32[3,4]").out
    wrong = cli("inspect", artifact, "--stage", "after lunch")
    assert wrong.code == Exit.USAGE and "no stage 'after lunch'" in wrong.err and "captured" in wrong.err


@pytest.mark.parametrize(
    ("option", "part"),
    [("--code", "def described(x):"), ("--plan", "peak planned"), ("--explain", "described"), ("--stages", "captured")],
)
def test_inspect_a_function(cli: Cli, module: Path, option: str, part: str) -> None:
    found = cli("inspect", f"{module}:described", "--input", "f32[3,4]", option)
    assert (found.code, found.err) == (0, "") and part in found.out


def test_run_gives_the_values_of_the_function(cli: Cli, module: Path) -> None:
    found = cli("run", f"{module}:described", "--input", "x=[[0.5, -1, 0, 2]]", "--json").json
    values = np.array(found["outputs"][0]["values"])
    np.testing.assert_allclose(values, 2 * np.tanh([[0.5, -1, 0, 2]]), rtol=1e-6)


def test_run_makes_the_same_inputs_again(cli: Cli, artifact: Path, tmp_path: Path) -> None:
    first = cli("run", artifact, "--size", "N=3", "--json", "--output", tmp_path / "out.npz").json
    assert first["outputs"][0]["shape"] == [3, 2]
    assert cli("run", artifact, "--size", "N=3", "--json").json == first
    assert cli("run", artifact, "--size", "N=3", "--json", "--seed", 1).json != first
    x = np.random.default_rng((0, 0)).standard_normal((3, 4)).astype("float32")
    expected = vt.jit.load(artifact)(vt.to_tensor(x)).numpy()
    np.testing.assert_array_equal(np.load(tmp_path / "out.npz")["output0"], expected)


def test_run_takes_files_and_types(cli: Cli, module: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "y.npy", np.ones((4, 2), "float32"))
    found = cli("run", f"{module}:undescribed", "--input", "f32[3,4]", "--input", f"@{tmp_path / 'y.npy'}", "--json")
    assert found.json["outputs"][0]["shape"] == [3, 2]
    assert cli("run", f"{module}:plain", "--input", "i32[2]", "--json").json["outputs"][0]["dtype"] == "float32"
    assert cli("run", f"{module}:Held.layer", "--input", "f32[1,4]").code == 0


def test_diff_finds_nothing_and_weights_and_programs(
    cli: Cli, artifact: Path, module: Path, tmp_path: Path, saved: Callable[[Path, int], Path]
) -> None:
    same = cli("diff", artifact, artifact, "--run", "--json")
    assert same.code == Exit.DONE and same.json["equal"] and same.json["results"][0]["equal"]
    other = saved(tmp_path / "other.vt", 2)
    found = cli("diff", artifact, other, "--run", "--json")
    assert found.code == Exit.FOUND and found.json["program"] == []
    assert {row["name"] for row in found.json["weights"]} >= {"0.weight", "2.weight"}
    assert found.json["results"][0]["elements"] == 8 and found.json["results"][0]["ulp"] > 1
    text = cli("diff", artifact, other, "--run").out
    assert "weight 0.weight: values differ in 32 of 32 elements" in text and text.endswith("they differ\n")
    programs = cli("diff", artifact, f"{module}:described")
    assert programs.code == Exit.FOUND and "+   %0 = tanh" in programs.out


def test_bench_times_calls(cli: Cli, module: Path) -> None:
    data = cli("bench", f"{module}:described", "--seconds", 0.02, "--eager", "--threads", 1, "--json").json
    for way in ("compiled", "eager"):
        assert 0 < data[way]["min"] <= data[way]["median"] <= data[way]["p90"] and data[way]["calls"] > 1
    assert data["threads"] == 1
    assert "median" in cli("bench", f"{module}:described", "--seconds", 0.02).out


def test_cache_is_shown_warmed_and_cleared(
    cli: Cli, artifact: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VITRIFY_CACHE_DIR", str(tmp_path / "cache"))
    assert cli("cache", "show", "--json").json["kernels"] == 0
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "abc.o").write_bytes(b"12345")
    (tmp_path / "cache" / "notes.txt").write_text("not ours")
    shown = cli("cache", "show", "--json").json
    assert (shown["kernels"], shown["bytes"], shown["directory"]) == (1, 5, str(tmp_path / "cache"))
    assert "kernels" in cli("cache", "show").out
    assert set(cli("cache", "warm", artifact, "--json").json) == {"target", "compiled", "from_disk", "seconds"}
    assert cli("cache", "clear", "--json").json["deleted"] >= 1
    assert [file.name for file in (tmp_path / "cache").iterdir()] == ["notes.txt"]


def test_doctor_says_what_is_there(cli: Cli) -> None:
    found = cli("doctor", "--json")
    data = found.json
    assert found.code == Exit.DONE and data["problems"] == []
    assert data["packages"]["numpy"] == np.__version__ and data["threads"]["used"] >= 1
    assert data["cpu"]["vector_bytes"] in (16, 32, 64)
    assert "nothing is wrong" in cli("doctor").out


def test_doctor_looks_for_what_each_extra_installs() -> None:
    declared = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    for extra, packages in declared["optional-dependencies"].items():
        for package in [] if extra in ("all", "dev", "docs", "matrix") else packages:
            name = re.split(r"[><=~!]", package)[0]
            assert f"(extra `{extra}`)" in doctor.OPTIONAL[name], f"doctor says nothing about {package}"
    for name, purpose in doctor.OPTIONAL.items():
        extra = re.findall("extra `([a-z]+)`", purpose)[0]
        assert any(p.startswith(name) for p in declared["optional-dependencies"][extra]), f"{extra} has no {name}"


def test_doctor_finds_a_cache_that_cannot_be_written(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("VITRIFY_CACHE_DIR", str(tmp_path / "file" / "cache"))
    found = cli("doctor")
    assert found.code == Exit.FOUND and "set VITRIFY_CACHE_DIR" in found.out


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion_knows_the_commands(cli: Cli, shell: str) -> None:
    pytest.importorskip("shtab")
    script = cli("completion", shell).out
    assert all(word in script for word in ("inspect", "doctor", "json", "warm"))


def test_completion_without_its_library(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    found = cli("completion", "bash")
    assert found.code == Exit.MISSING and "pip install shtab" in found.err


BAD = {
    "no such file": (["inspect", "nowhere.vt"], Exit.TARGET, "no such file"),
    "no such module": (["inspect", "nowhere_at_all:f"], Exit.TARGET, "can't be imported"),
    "no such script": (["inspect", "nowhere.py:f"], Exit.TARGET, "no such file"),
    "no such function": (["inspect", "{module}:missing"], Exit.TARGET, "it has"),
    "not a function": (["inspect", "{module}:NUMBER"], Exit.TARGET, "not a function"),
    "a class": (["inspect", "{module}:Held"], Exit.TARGET, "is a class"),
    "no description": (["run", "{module}:undescribed"], Exit.USAGE, "--input f32[8,784]"),
    "no such method": (["run", "{artifact}", "--method", "backward"], Exit.TARGET, "no method 'backward'"),
    "an unknown input": (["run", "{artifact}", "--input", "z=f32[1,4]"], Exit.USAGE, "no input 'z'"),
    "too many inputs": (["run", "{artifact}", "--input", "f32[1,4]", "--input", "1"], Exit.USAGE, "there are 1"),
    "an unknown dtype": (["run", "{artifact}", "--input", "f99[1,4]"], Exit.USAGE, "is no dtype"),
    "no value": (["run", "{artifact}", "--input", "hello"], Exit.USAGE, "doesn't understand"),
    "no array": (["run", "{artifact}", "--input", "@nowhere.npy"], Exit.USAGE, "numpy.save"),
    "no size": (["run", "{artifact}", "--size", "N"], Exit.USAGE, "NAME=NUMBER"),
    "an unknown size": (["run", "{artifact}", "--size", "Q=3"], Exit.USAGE, "the open sizes are N"),
    "a size of a given input": (
        ["run", "{module}:undescribed", "--input", "f32[3]", "--size", "N=3"],
        Exit.USAGE,
        "leave --size out",
    ),
    "a wrong shape": (["run", "{artifact}", "--input", "f32[1,5]"], Exit.FAILED, "f32[N, 4]"),
    "refused code": (["run", "{module}:refused", "--input", "f32[3]"], Exit.FAILED, "functions_of_the_cli_tests.py"),
    "code of an artifact": (["inspect", "{artifact}", "--code"], Exit.USAGE, "MODULE:FUNCTION"),
    "an unwritable output": (["run", "{artifact}", "--output", "{artifact}/x.npz"], Exit.USAGE, "can't be written"),
    "warm nothing": (["cache", "warm"], Exit.USAGE, "needs a target"),
    "clear a target": (["cache", "clear", "{artifact}"], Exit.USAGE, "takes no target"),
    "no time": (["bench", "{artifact}", "--seconds", "0"], Exit.USAGE, "more than 0"),
}


@pytest.mark.parametrize("name", BAD)
def test_mistakes_have_a_code_and_a_message(cli: Cli, artifact: Path, module: Path, name: str) -> None:
    arguments, code, part = BAD[name]
    filled = [a.format(artifact=artifact, module=module) for a in arguments]
    found = cli(*filled)
    assert found.code == code and part in found.err and found.out == ""
    assert "Traceback" not in found.err
    error = cli(*filled, "--json").json["error"]
    assert error["kind"] and error["message"]


def test_a_damaged_artifact_is_an_error_not_a_crash(cli: Cli, artifact: Path) -> None:
    data = artifact.read_bytes()
    k = data.index(b"program.ir") + 10  # kernels lie in front of it: they are read only when asked for
    for damaged in (b"", data[: len(data) // 2], b"not a zip", data[:k] + b"\0" * 40 + data[k + 40 :]):
        artifact.write_bytes(damaged)
        found = cli("inspect", artifact)
        assert found.code == Exit.TARGET and "net.vt" in found.err and "Traceback" not in found.err
    with zipfile.ZipFile(artifact, "w") as archive:
        archive.writestr("../manifest.json", json.dumps({"format": "vitrify.artifact/1"}))
    assert cli("run", artifact).code == Exit.TARGET


def test_callbacks_come_from_a_module(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "callbacks_of_the_cli_tests.py").write_text(
        "import vitrify as vt\n\nclass Twice(vt.autograd.PyLayer):\n"
        "    @staticmethod\n    def forward(ctx, x):\n        return x * 2\n\n"
        "    @staticmethod\n    def backward(ctx, g):\n        return g * 2\n\n"
        '@vt.to_static(input_spec=[vt.InputSpec([2], name="x")])\ndef f(x):\n    return Twice.apply(x)\n'
    )
    file = tmp_path / "callbacks_of_the_cli_tests.py"
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import vitrify as vt; import {file.stem} as m\n"
    code += f"vt.jit.save(m.f, {str(tmp_path / 'm.vt')!r})"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
    missing = cli("inspect", tmp_path / "m.vt")
    assert missing.code == Exit.TARGET and "Twice" in missing.err
    found = cli("run", tmp_path / "m.vt", "--callbacks", file, "--input", "[1, 2.5]", "--json").json
    assert found["outputs"][0]["values"] == [2.0, 5.0]


def test_what_an_artifact_says_cannot_steer_the_terminal() -> None:
    assert printable("a\x1b[2J\u202eb\tc\n") == "a\\x1b[2J\\u202eb\tc\n"


def test_it_runs_as_a_module(artifact: Path) -> None:
    environment = {**os.environ, "COLUMNS": "100"}
    command = [sys.executable, "-m", "vitrify"]
    shown = subprocess.run([*command, "--help"], capture_output=True, text=True, timeout=120, env=environment)
    assert shown.returncode == 0 and all(word in shown.stdout for word in ("inspect", "bench", "doctor"))
    wrong = subprocess.run([*command, "fly"], capture_output=True, text=True, timeout=120, env=environment)
    assert wrong.returncode == Exit.USAGE and "invalid choice" in wrong.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["inspct", "model.vt"], "invalid choice: 'inspct'; did you mean 'inspect'?"),
        (["fly"], "use one of 'inspect', 'run'"),
        (["doctor", "--jsn"], "unrecognized arguments: --jsn; did you mean '--json'?"),
        (["bench", "model.vt", "--secnds=3"], "did you mean '--seconds'?"),
    ],
)
def test_a_wrong_word_of_the_command_line(capsys: pytest.CaptureFixture[str], words: list[str], says: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == Exit.USAGE
    assert says in capsys.readouterr().err


def test_output_that_nobody_reads_ends_it_quietly(artifact: Path) -> None:
    closed = subprocess.run(
        f"{sys.executable} -m vitrify inspect {artifact} --stage captured | head -c 1 ; exit ${{PIPESTATUS[0]}}",
        shell=True, executable="/bin/bash", capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert closed.returncode in (0, Exit.PIPE_CLOSED) and "Traceback" not in closed.stderr


def test_inspect_shows_costs(cli: Cli, artifact: Path, module: Path) -> None:
    assert "floating-point" in cli("inspect", artifact, "--cost").out
    at = cli("inspect", artifact, "--cost", "--size", "N=8", "--json").json
    assert at["work"] == 8 * (2 * 4 * 8 + 8 + 8 + 2 * 8 * 2 + 2) and at["time"]["seconds"] > 0
    assert cli("inspect", f"{module}:described", "--cost", "--json").json["work"] == f"{4 * 8 + 4}*N"
    wrong = cli("inspect", artifact, "--cost", "--size", "M=8")
    assert wrong.code == Exit.FAILED and "no open size" in wrong.err


def test_profile_shows_where_the_time_goes(cli: Cli, artifact: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    data = cli("profile", artifact, "--seconds", 0.02, "--trace", trace, "--json").json
    assert {row["name"] for row in data["kernels"]} >= {"matmul"} and data["summary"]["wall"] >= 0.02
    assert "traceEvents" in json.loads(trace.read_text())
    assert "in compiled programs" in cli("profile", artifact, "--seconds", 0.02, "--compiling").out
    assert cli("profile", artifact, "--seconds", 0).code == Exit.USAGE


def test_doctor_tells_the_target_and_one_that_cannot_be(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli("doctor", "--json").json["cpu"]["target"] == "host"
    monkeypatch.setenv("VITRIFY_TARGET", "avx521")
    target._own_target.cache_clear()
    try:
        found = cli("doctor", "--json")
    finally:
        monkeypatch.undo()
        target._own_target.cache_clear()
    assert found.code == Exit.FOUND
    assert "did you mean 'avx512'?" in found.json["problems"][0]


def test_the_extra_all_has_every_extra_for_users() -> None:
    declared = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    extras = declared["optional-dependencies"]
    (both,) = extras["all"]
    named = re.fullmatch(r"vitrify\[([a-z,]+)\]", both)
    assert named is not None
    assert set(named[1].split(",")) == set(extras) - {"all", "dev", "docs", "matrix"}
