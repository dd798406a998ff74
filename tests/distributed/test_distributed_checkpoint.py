"""Sharded checkpoints: bit-equal on any number of ranks, whole or absent, and damage is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify.distributed.sharding import group_sharded_parallel
from vitrify.errors import ArgumentError, ArtifactError, KindError, StateError

COUNTS = (1, 2, 3, 4)
DATA = np.random.default_rng(5).standard_normal((24, 6)).astype("float32")


def parts_of() -> tuple[Any, Any, Any]:
    """A model, its optimizer with sharded states, and a training step."""
    vt.seed(3)
    net = vt.nn.Sequential(vt.nn.Linear(4, 5), vt.nn.Tanh(), vt.nn.Linear(5, 2))
    rate = vt.optimizer.lr.StepDecay(0.05, 2, 0.5)
    optimizer = vt.optimizer.Adam(rate, parameters=net.parameters())
    optimizer = dist.ShardedStates(1).optimizer(optimizer)
    model = vt.DataParallel(net)

    def step(k: int) -> None:
        rows = np.split(DATA[12 * (k % 2) :][:12], dist.get_world_size())[dist.get_rank()]
        loss = ((model(vt.to_tensor(rows[:, :4])) - vt.to_tensor(rows[:, 4:])) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        rate.step()

    return net, optimizer, step


def state_bytes(net: Any, optimizer: Any) -> dict[str, Any]:
    """Every tensor as bytes."""
    found = {**net.state_dict(), **optimizer.state_dict()}
    return {name: x.numpy().tobytes() if hasattr(x, "numpy") else x for name, x in found.items()}


def trained(path: str | None, steps: int) -> dict[str, Any]:
    net, optimizer, step = parts_of()
    for k in range(steps):
        step(k)
    if path is not None:
        dist.save_state_dict({"model": net.state_dict(), "optimizer": optimizer.state_dict()}, path)
    return state_bytes(net, optimizer)


def restored(path: str, more: int = 0) -> dict[str, Any]:
    net, optimizer, step = parts_of()
    state = {"model": net.state_dict(), "optimizer": {}}
    dist.load_state_dict(state, path)
    optimizer.set_state_dict(state["optimizer"])
    for k in range(more):
        step(3 + k)
    return state_bytes(net, optimizer)


@pytest.mark.parametrize("saved", COUNTS)
@pytest.mark.parametrize("loaded", COUNTS)
def test_any_number_of_ranks_loads_the_bits(saved: int, loaded: int, tmp_path: Path) -> None:
    path = str(tmp_path / "step")
    wanted = dist.run_ranks(trained, path, 3, ranks=saved)
    found = dist.run_ranks(restored, path, ranks=loaded)
    assert len(wanted[0]) > 9 and all(one == wanted[0] for one in [*wanted, *found])
    assert sorted(p.name for p in tmp_path.iterdir()) == ["step"]
    names = {f"rank-{k}.safetensors" for k in range(saved)}
    assert {p.name for p in (tmp_path / "step").iterdir()} == {*names, "metadata.json"}


@pytest.mark.parametrize("ranks", COUNTS)
def test_training_goes_on_with_the_same_bits(ranks: int, tmp_path: Path) -> None:
    path = str(tmp_path / "step")
    dist.run_ranks(trained, path, 3, ranks=ranks)
    assert dist.run_ranks(restored, path, 2, ranks=ranks) == dist.run_ranks(trained, None, 5, ranks=ranks)


# ---- parameters that are sharded, too


def sharded_parts() -> tuple[Any, Any, Any]:
    """A model of whose parameters each rank has a part; as `group_sharded_parallel` returns it, and as it was."""
    vt.seed(3)
    inner: Any = vt.nn.Sequential(vt.nn.Linear(4, 5), vt.nn.Tanh(), vt.nn.Linear(5, 2))
    optimizer = vt.optimizer.Adam(0.1, parameters=inner.parameters())
    net, optimizer, _ = group_sharded_parallel(inner, optimizer, "p_g_os", segment_size=0)
    return inner, net, optimizer


def model_state(inner: Any, net: Any, how: str) -> dict[str, Any]:
    """The three state dicts that a user may give: whole, this rank's parts, or those of the layer inside."""
    return dict(inner.state_dict() if how == "inner" else net.state_dict(sharded=how == "parts"))


def trained_in_parts(path: str | None, how: str, steps: int = 2, loads: bool = False) -> dict[str, Any]:
    """Everything as bytes, after a checkpoint is loaded, some steps are taken, or a checkpoint is saved."""
    inner, net, optimizer = sharded_parts()
    if path is not None and loads:
        state = {"model": model_state(inner, net, how), "optimizer": {}}
        dist.load_state_dict(state, path)
        optimizer.set_state_dict(state["optimizer"])
    for k in range(steps):
        net(vt.to_tensor(DATA[k : k + 2, :4])).sum().backward()
        optimizer.step()
        optimizer.clear_grad()
    if path is not None and not loads:
        dist.save_state_dict({"model": model_state(inner, net, how), "optimizer": optimizer.state_dict()}, path)
    return state_bytes(net, optimizer)


@pytest.mark.parametrize("saved", ["whole", "parts", "inner"])
@pytest.mark.parametrize("ranks", COUNTS)
def test_sharded_parameters_are_loaded_on_any_number_of_ranks(ranks: int, saved: str, tmp_path: Path) -> None:
    path = str(tmp_path / "step")
    wanted = dist.run_ranks(trained_in_parts, path, saved, ranks=2)
    assert len(wanted[0]) > 9 and wanted[0] == wanted[1]
    assert wanted[0] != dist.run_ranks(trained_in_parts, None, "", 0, ranks=1)[0]
    for how in ("whole", "parts", "inner"):
        assert dist.run_ranks(trained_in_parts, path, how, 0, True, ranks=ranks) == [wanted[0]] * ranks, how


def test_parts_and_whole_parameters_make_the_same_files(tmp_path: Path) -> None:
    for how in ("whole", "parts"):
        dist.run_ranks(trained_in_parts, str(tmp_path / how), how, ranks=3)
    for file in (tmp_path / "whole").iterdir():
        assert file.read_bytes() == (tmp_path / "parts" / file.name).read_bytes()


def test_filled_states_reach_the_optimizer(tmp_path: Path) -> None:
    """Gathered states that are filled in place change what the ranks keep, as those of other optimizers do."""

    def run() -> Any:
        _, net, optimizer = sharded_parts()
        for k in range(2):
            net(vt.to_tensor(DATA[k : k + 2, :4])).sum().backward()
            optimizer.step()
            if k == 0:
                dist.save_state_dict(optimizer.state_dict(), str(tmp_path / "step"))
                wanted = state_bytes(vt.nn.Layer(), optimizer)
        changed = state_bytes(vt.nn.Layer(), optimizer)
        dist.load_state_dict(optimizer.state_dict(), str(tmp_path / "step"))
        return wanted, changed, state_bytes(vt.nn.Layer(), optimizer)

    for wanted, changed, found in dist.run_ranks(run, ranks=3):
        assert found == wanted != changed


def test_parts_of_other_ranks_are_refused(tmp_path: Path) -> None:
    def run() -> None:
        inner, _, _ = sharded_parts()
        group = dist.new_group([0, 1])
        if group.is_member():
            dist.save_state_dict(inner.state_dict(), str(tmp_path / "step"), group)

    with pytest.raises(StateError, match=r"in parts of ranks 0, 1, 2; ranks \[0, 1\] save"):
        dist.run_ranks(run, ranks=3)
    assert list(tmp_path.iterdir()) == []

    def other() -> None:
        inner, net, _ = sharded_parts()
        before = state_bytes(net, net)
        with pytest.raises(StateError, match=r"is float32\[4, 5\], the checkpoint has float32\[5\]"):
            dist.load_state_dict(inner.state_dict(), str(tmp_path / "other"))
        assert state_bytes(net, net) == before

    dist.save_state_dict({"0.weight": vt.ones([5])}, str(tmp_path / "other"))
    dist.run_ranks(other, ranks=2)


def test_each_rank_writes_its_share(tmp_path: Path) -> None:
    path = tmp_path / "step"
    dist.run_ranks(lambda: dist.save_state_dict({"x": vt.arange(4000)}, str(path)), ranks=4)
    sizes = [(path / f"rank-{k}.safetensors").stat().st_size for k in range(4)]
    assert max(sizes) < 8000 + 300 and min(sizes) >= 8000


def test_values_of_all_kinds(tmp_path: Path) -> None:
    path = str(tmp_path / "step")
    special = np.array([np.nan, -0.0, np.inf, -np.inf], "float32")
    state = {
        "special": vt.to_tensor(special), "empty": vt.zeros([0, 3]), "scalar": vt.to_tensor(2.5),
        "short": vt.to_tensor([1.5, 2.0]).astype("bfloat16"), "array": np.arange(3), "flags": vt.to_tensor([True]),
        "plain": {"a": 1, "b": "text", "c": [1, 2.5], "d": None, "e": np.float32(0.5)},
    }  # fmt: skip
    dist.run_ranks(lambda: dist.save_state_dict(state, path), ranks=3)
    found: dict[str, Any] = {}
    dist.load_state_dict(found, path)
    assert found["special"].numpy().tobytes() == special.tobytes()
    assert found["empty"].shape == [0, 3] and found["scalar"].shape == [] and found["scalar"].item() == 2.5
    assert found["short"].dtype.name == "bfloat16" and found["short"].astype("float32").tolist() == [1.5, 2.0]
    assert found["array"].tolist() == [0, 1, 2] and found["flags"].tolist() == [True]
    assert found["plain"] == {"a": 1, "b": "text", "c": [1, 2.5], "d": None, "e": 0.5}
    held = {"array": np.zeros(3, np.int64), "plain": {"a": 7}}
    dist.load_state_dict(held, path)
    assert held["array"].tolist() == [0, 1, 2] and held["plain"] == {"a": 1}


def test_what_differs_is_the_coordinators(tmp_path: Path) -> None:
    path = str(tmp_path / "step")

    def save() -> None:
        rank = dist.get_rank()
        dist.save_state_dict({"own": vt.ones([5]) * rank, "rank": rank, "same": vt.ones([5])}, path, coordinator_rank=1)

    dist.run_ranks(save, ranks=3)
    found: dict[str, Any] = {}
    dist.load_state_dict(found, path)
    assert found["own"].tolist() == [1.0] * 5 and found["rank"] == 1 and found["same"].tolist() == [1.0] * 5


def test_a_group_saves_and_replaces(tmp_path: Path) -> None:
    path = str(tmp_path / "step")

    def save() -> None:
        group = dist.new_group([1, 2])
        if group.is_member():
            for k in range(2):
                dist.save_state_dict({"x": vt.ones([4]) * k}, path, group, coordinator_rank=2, unique_id=7)

    dist.run_ranks(save, ranks=3)
    found = {"x": vt.zeros([4])}
    dist.load_state_dict(found, path, unique_id=7)
    assert found["x"].tolist() == [1.0] * 4 and [p.name for p in (tmp_path / "step").iterdir()] == ["7"]


def damaged(path: Path, how: str) -> Path:
    """Damage a checkpoint; the file that is to be named."""
    shard, metadata = path / "rank-1.safetensors", path / "metadata.json"
    if how == "missing":
        shard.unlink()
        return shard
    if how in ("truncated", "flipped"):
        data = bytearray(shard.read_bytes())
        data[-1] ^= 1
        shard.write_bytes(data[:-4] if how == "truncated" else data)
        return shard
    if how == "no metadata":
        metadata.unlink()
    elif how == "garbage":
        metadata.write_text("{")
    elif how == "edited":
        said = json.loads(metadata.read_text())
        said["tensors"][0]["shape"] = [1]
        metadata.write_text(json.dumps(said))
    elif how == "foreign":
        metadata.write_text("[1]")
    return metadata


@pytest.mark.parametrize("how", ["missing", "truncated", "flipped", "no metadata", "garbage", "edited", "foreign"])
def test_damage_is_named_and_changes_nothing(how: str, tmp_path: Path) -> None:
    path = tmp_path / "step"
    dist.run_ranks(lambda: dist.save_state_dict({"x": vt.ones([9]), "y": vt.ones([9])}, str(path)), ranks=2)
    file = damaged(path, how)
    state = {"x": vt.zeros([9])}
    with pytest.raises(ArtifactError, match=file.name) as caught:
        dist.load_state_dict(state, str(path))
    assert str(file) in str(caught.value) and state["x"].tolist() == [0.0] * 9


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "step")
    dist.save_state_dict({"x": vt.ones([3]), "y": vt.ones([3])}, path)
    state = {"x": vt.zeros([3]), "y": vt.zeros([4])}
    with pytest.raises(StateError, match=r"'y' is float32\[4\], the checkpoint has float32\[3\]"):
        dist.load_state_dict(state, path)
    assert state["x"].tolist() == [0.0] * 3
    with pytest.raises(StateError, match=r"has no 'net\.z'"):
        dist.load_state_dict({"x": vt.zeros([3]), "net": {"z": 1}}, path)
    with pytest.raises(KindError, match="'f' is a function"):
        dist.save_state_dict({"f": damaged}, path)
    with pytest.raises(KindError, match="isn't a text: 1"):
        dist.save_state_dict({"d": {1: 2}}, path)
    with pytest.raises(ArgumentError, match="async_save"):
        dist.save_state_dict({}, path, async_save=True)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("dear")
    with pytest.raises(ArtifactError, match="is no artifact"):
        dist.save_state_dict({}, str(tmp_path / "mine"))
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "dear"


def test_ranks_with_other_tensors_are_named(tmp_path: Path) -> None:
    def save() -> None:
        dist.save_state_dict({"x": vt.ones([3 + dist.get_rank()])}, str(tmp_path / "step"))

    with pytest.raises(StateError, match=r"'x' is float32\[4\] on rank 1 and float32\[3\] on rank 0"):
        dist.run_ranks(save, ranks=2)
    assert list(tmp_path.iterdir()) == []


def test_a_rank_that_cannot_write_is_named_on_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from vitrify.distributed import checkpoint

    path, write = tmp_path / "step", checkpoint.place_file
    dist.run_ranks(lambda: dist.save_state_dict({"x": vt.zeros([3])}, str(path)), ranks=2)

    def full(target: Path, content: Any) -> None:
        if target.name == "rank-1.safetensors":
            raise OSError(28, "No space left on device")
        write(target, content)

    monkeypatch.setattr(checkpoint, "place_file", full)
    said = []

    def save() -> None:
        with pytest.raises(ArtifactError, match="rank 1 failed") as caught:
            dist.save_state_dict({"x": vt.ones([3])}, str(path))
        said.append(str(caught.value))

    dist.run_ranks(save, ranks=2)
    assert len(said) == 2 and all("No space left" in text for text in said)
    found: dict[str, Any] = {}
    dist.load_state_dict(found, str(path))
    assert found["x"].tolist() == [0.0] * 3 and [p.name for p in tmp_path.iterdir()] == ["step"]
