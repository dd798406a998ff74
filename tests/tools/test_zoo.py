"""The crawler of model classes: what it finds, what it guesses, and how a stage's process ends."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
import pytest

import vitrify as vt

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import zoo
import zoo_guess
import zoo_list
import zoo_stages
import zoo_worker

SOURCE = """
import helpers
class Block(nn.Layer):
    def forward(self, x): return x
class Inner(Block):
    def forward(self, x): return x
class Settings:
    def forward(self, x): return x
class NoForward(nn.Layer):
    pass
def small(pretrained=False): return Block()
def _hidden(pretrained=False): return Block()
"""


def test_classes_and_factories_are_found(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "net.py").write_text(SOURCE)
    (tmp_path / "tests" / "net.py").write_text(SOURCE)
    (tmp_path / "broken.py").write_text("class (")
    found = zoo.classes(tmp_path)
    assert [job["name"] for job in found] == ["Block", "Inner", "small"]
    assert {job["file"] for job in found} == {"net.py"}


class Net(vt.nn.Layer):
    """Arguments without defaults, and two inputs."""

    def __init__(self, in_channels: int, num_classes: int, wide: bool = False) -> None:
        super().__init__()
        self.first = vt.nn.Conv2D(in_channels, num_classes, 3)

    def forward(self, x: vt.Tensor, label: vt.Tensor) -> vt.Tensor:
        return self.first(x).mean() + label.sum()


def test_arguments_and_inputs_are_guessed() -> None:
    arguments = zoo_guess.constructor_arguments(Net, sys.modules[__name__])
    assert arguments == {"in_channels": 8, "num_classes": 5}
    picture, label = next(zoo_guess.inputs(Net(**arguments), arguments))
    assert picture.shape == (2, 8, 32, 32)
    assert (picture.dtype, label.dtype) == (np.float32, np.int64)
    with pytest.raises(zoo_guess.Unguessed):
        zoo_guess.constructor_arguments(lambda some_cfg: None, sys.modules[__name__])


def _explode() -> dict[str, object]:
    raise ValueError("why")


def _hang() -> dict[str, object]:
    time.sleep(20)
    return {}


def test_a_stage_tells_how_it_ended() -> None:
    done = zoo_worker.in_process(10, lambda: {"found": 3}, 64 << 30)
    assert done["ok"]
    assert done["found"] == 3
    failed = zoo_worker.in_process(10, _explode, 64 << 30)
    assert not failed["ok"]
    assert failed["error"] == "ValueError: why"
    assert zoo_worker.in_process(0.2, _hang, 64 << 30)["error"] == "not reached in 0.2 seconds"


def test_results_are_compared_by_shape_and_value() -> None:
    ones = np.ones(3, np.float32)
    assert zoo_stages.near([ones], [ones], 0.0) == {"difference": 0.0}
    with pytest.raises(zoo_stages.Differs, match="shapes"):
        zoo_stages.near([ones], [ones[:2]], 1.0)
    with pytest.raises(zoo_stages.Differs, match=r"by 0\.5"):
        zoo_stages.near([ones * np.float32(1.5)], [ones], 1e-3)


def test_gradients_differ_by_more_than_rounding_may_carry() -> None:
    expected = {"a": 100.0, "b": 1.0, "tiny": 1e-9}
    assert zoo_stages.differing({"a": 100.1, "b": 1.0, "tiny": 5e-5}, expected, expected) == []
    got = {"a": 100.4, "b": 1.1, "tiny": 0.0}
    assert zoo_stages.differing(got, expected, expected) == ["a", "b"]
    assert zoo_stages.differing(got, expected, {**expected, "a": 100.3}) == ["b"]


def test_the_table_counts_the_last_run_of_a_stage(tmp_path: Path) -> None:
    line = '{{"root": "/a/Zoo", "file": "f.py", "name": "N", "stage": "{}", "ok": {}, "error": ""}}\n'
    output = tmp_path / "out.jsonl"
    output.write_text(line.format("peer", "true") + line.format("eager", "false") + line.format("eager", "true"))
    rows = zoo.summary(output).splitlines()
    assert rows[-1].split()[:6] == ["all", "1", "1", "1", "of", "1"]
    assert [job["name"] for job in zoo.usable(output)] == ["N"]


LISTED = """repository\tfile\tname\targuments\tinputs\tnote
# a remark
Zoo\tnet.py\tNet\tin_channels=4, num_classes=2\tfloats(1, 4, 5, 5), whole(2, below=3)
Zoo\tnet.py\tNarrow\t=Net(1, 1)\t[floats(2)], {"a": floats(3)}\tone channel
Other\tnet.py\tNet\t\t
"""


def test_a_list_names_models_their_arguments_and_inputs(tmp_path: Path) -> None:
    path = tmp_path / "models.tsv"
    path.write_text(LISTED)
    first, second = zoo_list.jobs(path, tmp_path / "Zoo")
    assert (first["file"], first["name"], second["name"]) == ("net.py", "Net", "Narrow")
    module = sys.modules[__name__]
    assert zoo_list.model(vt, module, "Net", first["listed"]).first.weight.shape == [2, 4, 3, 3]
    assert zoo_list.model(vt, module, "Narrow", second["listed"]).first.weight.shape == [1, 1, 3, 3]
    picture, label = zoo_list.inputs(vt, module, first["listed"])
    assert (picture.shape, picture.dtype, label.shape, label.dtype) == ((1, 4, 5, 5), np.float32, (2,), np.int64)
    (inside,), named = zoo_list.inputs(vt, module, second["listed"])
    assert (inside.shape, list(named)) == ((2,), ["a"])


def test_the_committed_list_is_whole() -> None:
    rows = zoo_list.rows(Path(zoo.__file__).with_name("zoo_models.tsv"))
    assert len({(row["repository"], row["file"], row["name"]) for row in rows}) == len(rows) == 138
    for row in rows:
        compile(
            row["arguments"][1:] if row["arguments"].startswith("=") else f"f({row['arguments']})", row["name"], "eval"
        )
        compile(f"[{row['inputs']}]", row["name"], "eval")
