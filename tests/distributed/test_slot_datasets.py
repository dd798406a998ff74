"""Data sets of slots: batches, orders, what programs make of them, and settings that can't be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import distributed, static
from vitrify.base.errors import ArgumentError, DataError, DataNotFoundError, KindError, ModeError
from vitrify.distributed.simulator import run_ranks


@pytest.fixture(autouse=True)
def static_mode() -> Iterator[None]:
    vt.enable_static()
    yield
    vt.disable_static()


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Seven samples in two files: two numbers and a target, their sum."""
    texts = ["".join(f"2 {k} {k + 1} 1 {2 * k + 1}\n" for k in part) for part in (range(3), range(3, 7))]
    paths = [tmp_path / name for name in ("a", "b")]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return [str(path) for path in paths]


def inputs() -> tuple[Any, Any]:
    return static.data("x", [None, 2]), static.data("y", [None, 1])


def dataset(kind: Callable[[], Any], files: list[str], variables: Any, **settings: Any) -> Any:
    made = kind()
    made.init(batch_size=3, use_var=list(variables), **settings)
    made.set_filelist(files)
    return made


def test_batches_go_through_all_files(files: list[str]) -> None:
    with static.program_guard(static.Program()):
        made = dataset(distributed.QueueDataset, files, inputs())
    batches = list(made.feeds())
    assert [len(b["x"]) for b in batches] == [3, 3, 1]
    assert np.concatenate([b["y"] for b in batches]).ravel().tolist() == [1, 3, 5, 7, 9, 11, 13]
    assert [len(b["x"]) for b in made.feeds(drop_last=True)] == [3, 3]


def test_files_go_through_the_pipe_command(files: list[str]) -> None:
    with static.program_guard(static.Program()):
        made = dataset(distributed.QueueDataset, files[:1], inputs(), pipe_command="sed 's/^2 0/2 9/'")
        failing = dataset(distributed.QueueDataset, files, inputs(), pipe_command="no-such-command")
    assert next(made.feeds())["x"][0].tolist() == [9, 1]
    with pytest.raises(DataError, match="ended with 127"):
        list(failing.feeds())


def test_a_program_is_trained(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        x, y = inputs()
        loss = vt.mean((static.nn.fc(x, 1, bias_attr=False) - y) ** 2)
        vt.optimizer.SGD(0.01).minimize(loss)
    executor = static.Executor()
    executor.run(startup)
    made = dataset(distributed.InMemoryDataset, files, (x, y))
    made.load_into_memory()
    weight = np.array(static.global_scope().find_var(main.all_parameters()[0].name).get_tensor())
    for batch in made.feeds():
        weight = weight - 0.02 * batch["x"].T @ (batch["x"] @ weight - batch["y"]) / len(batch["x"])
    executor.train_from_dataset(main, made, fetch_list=[loss], fetch_info=["loss"], print_period=3)
    place = static.global_scope().find_var(main.all_parameters()[0].name).get_tensor()
    np.testing.assert_allclose(np.array(place), weight, rtol=1e-5)
    assert capsys.readouterr().out.startswith("batch 3: loss: ")
    executor.infer_from_dataset(main, made)
    np.testing.assert_allclose(np.array(place), weight, rtol=1e-5)


def test_a_loader_gives_feeds(files: list[str]) -> None:
    from vitrify.base.reader import DataLoader

    with static.program_guard(static.Program()) as _:
        x, y = inputs()
        total = vt.sum(x * y)
        found = [
            float(static.Executor().run(feed=feed, fetch_list=[total])[0])
            for feed in DataLoader.from_dataset(dataset(distributed.QueueDataset, files, (x, y)), drop_last=True)()
        ]
    assert found == [sum((2 * k + 1) ** 2 for k in part) for part in (range(3), range(3, 6))]


def test_samples_in_memory_change_their_order(files: list[str]) -> None:
    with static.program_guard(static.Program()):
        made = dataset(distributed.InMemoryDataset, files, inputs(), fea_eval=True)
    made.load_into_memory(is_shuffle=True)
    made.local_shuffle()
    made.global_shuffle()
    assert made.get_memory_data_size() == made.get_shuffle_data_size("all ranks") == 7
    rows = [(x.sum(), float(y[0])) for x, y in made.rows()]
    assert sorted(s for s, _ in rows) == [1, 3, 5, 7, 9, 11, 13]
    assert all(s == target for s, target in rows)
    made.slots_shuffle(["y"])
    assert sorted(float(y[0]) for _, y in made.rows()) == [1, 3, 5, 7, 9, 11, 13]
    made.release_memory()
    with pytest.raises(ModeError, match="load_into_memory"):
        list(made.rows())


def test_ranks_share_their_samples_out(files: list[str]) -> None:
    with static.program_guard(static.Program()):
        variables = inputs()

    def shuffled() -> tuple[int, list[float]]:
        made = dataset(distributed.InMemoryDataset, files[distributed.get_rank() :][:1], variables)
        made.load_into_memory()
        made.global_shuffle()
        return made.get_memory_data_size("all"), [float(y[0]) for _, y in made.rows()]

    first, second = run_ranks(shuffled, ranks=2)
    assert first[0] == second[0] == 7
    assert sorted(first[1] + second[1]) == [1, 3, 5, 7, 9, 11, 13]
    assert (len(first[1]), len(second[1])) == (4, 3)


def _settings(**settings: Any) -> Callable[[Any], None]:
    return lambda made: made.update_settings(**settings)


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        (_settings(batch_sise=3), ArgumentError, "no setting batch_sise"),
        (_settings(batch_size=0), ArgumentError, "above 0"),
        (_settings(merge_size=2), ModeError, "merge_size"),
        (_settings(use_var=["x"]), KindError, "use_var"),
        (lambda made: made.set_filelist(["hdfs:/a"]), ModeError, "cluster"),
        (lambda made: (made.set_filelist(["none"]), list(made.feeds())), DataNotFoundError, "no file none"),
        (lambda made: static.Executor().train_from_dataset(static.Program(), None), ModeError, "no data set"),
    ],
)
def test_what_cannot_be_is_told(change: Callable[[Any], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        change(distributed.QueueDataset())


def test_settings_have_methods_and_attributes(files: list[str]) -> None:
    made = vt.base.DatasetFactory().create_dataset("InMemoryDataset")
    made.set_feed_type("SlotRecordInMemoryDataFeed")
    made.set_batch_size(7)
    with static.program_guard(static.Program()):
        made.set_use_var(list(inputs()))
    made.set_pass_id(2)
    made._set_trainer_num(4)
    made.set_uid_slot("x")
    made.set_filelist(files)
    made.load_into_memory()
    (feed,) = made.feeds()
    assert feed["y"].ravel().tolist() == [1, 3, 5, 7, 9, 11, 13]
    assert (made.get_pass_id(), made.trainer_num, made.uid_slot, made.parse_ins_id) == (2, 4, "x", False)
    with pytest.raises(ModeError, match="merge_size"):
        made.set_merge_by_lineid(2)
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = made.nonsense
    assert isinstance(distributed.fleet.FileInstantDataset(), distributed.fleet.DatasetBase)
