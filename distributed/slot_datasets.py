"""Data sets for training from files of slots (see multi_slot.py): `Executor.train_from_dataset` runs over them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..base.drawing import drawing
from ..base.errors import ArgumentError, DataError, DataNotFoundError, ModeError
from .exchanges import all_gather_object
from .group import here
from .multi_slot import read_line
from .slot_settings import AS_IT_IS, SlotSettings

Row = list[np.ndarray]
_REMOTE = ("hdfs:", "afs:")


class DatasetBase(SlotSettings):
    """What data sets of slots share. Each line of a file holds one sample, with the slots of `use_var` in their order.

    Settings: `batch_size`; `use_var`, variables of int64 or float32; `pipe_command`, which each file goes through (by
    the shell). Others are kept without effect.
    """

    def __init__(self) -> None:
        super().__init__()
        self.filelist: list[str] = []

    def set_filelist(self, filelist: Sequence[str]) -> None:
        """The files to read. Errors: ModeError for files of a cluster."""
        for name in filelist:
            if str(name).startswith(_REMOTE):
                raise ModeError(f"{name} lies in a cluster's file system", remedy="copy it, and name the copy")
        self.filelist = [str(name) for name in filelist]

    def rows(self) -> Iterator[Row]:
        """The samples of all files: one array for each variable."""
        dtypes = [v.dtype.name for v in self.settings["use_var"]]
        texts = int(self.settings["parse_ins_id"]) + int(self.settings["parse_content"])
        for name in self.filelist:
            for line in _lines(name, self.settings["pipe_command"]):
                if line.strip():
                    yield read_line(line, dtypes, texts)

    def feeds(self, drop_last: bool = False) -> Iterator[dict[str, np.ndarray]]:
        """Batches: by each variable's name the values of the samples, one after the other, in its shape.

        Errors: DataError for lines of another form, or values that don't fill the variable's shape.
        """
        batch: list[Row] = []
        for row in self.rows():
            batch.append(row)
            if len(batch) == self.settings["batch_size"]:
                yield self._feed(batch)
                batch = []
        if batch and not drop_last:
            yield self._feed(batch)

    def _feed(self, batch: Sequence[Row]) -> dict[str, np.ndarray]:
        return {
            variable.name: _shaped(variable, np.concatenate(column))
            for variable, column in zip(self.settings["use_var"], zip(*batch, strict=True), strict=True)
        }


def _lines(name: str, command: str) -> list[str]:
    try:
        with Path(name).open("rb") as file:
            if command == AS_IT_IS:
                return file.read().decode().splitlines()
            done = subprocess.run(
                command, shell=True, stdin=file, capture_output=True, check=False
            )  # the user's command
    except FileNotFoundError as cause:
        raise DataNotFoundError(f"there is no file {name}") from cause
    if done.returncode:
        said = done.stderr.decode().strip()[-200:]
        raise DataError(f"the pipe_command {command!r} ended with {done.returncode} for {name}: {said}")
    return done.stdout.decode().splitlines()


def _shaped(variable: Any, values: np.ndarray) -> np.ndarray:
    sizes = [d if type(d) is int and d >= 0 else -1 for d in variable.shape]
    known = int(np.prod([d for d in sizes if d >= 0]))
    if sizes.count(-1) != 1 or not known or values.size % known:
        raise DataError(f"{values.size} values of a batch don't fill {variable.name} of shape {sizes}")
    return values.reshape(sizes)


class QueueDataset(DatasetBase):
    r"""Samples that are read from files while a program trains.

    >>> import tempfile
    >>> import vitrify as vt
    >>> vt.enable_static()
    >>> words = vt.static.data("words", [None, 2], "int64")
    >>> with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
    ...     _ = file.write("2 1 9\n2 2 8\n")
    ...     file.flush()
    ...     lines = QueueDataset()
    ...     lines.init(batch_size=2, use_var=[words])
    ...     lines.set_filelist([file.name])
    ...     print([batch["words"].tolist() for batch in lines.feeds()])
    [[[1, 9], [2, 8]]]
    >>> vt.disable_static()
    """


class FileInstantDataset(DatasetBase):
    """Samples that are read from files while a program trains, as with QueueDataset."""


class InMemoryDataset(DatasetBase):
    """Samples that are read into memory, where they can be shuffled.

    Errors: ModeError where samples are needed before `load_into_memory`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._loaded: list[Row] | None = None
        self._random = np.random.default_rng()

    def load_into_memory(self, is_shuffle: bool = False) -> None:
        """Read all files."""
        self._loaded = list(super().rows())
        if is_shuffle:
            self.local_shuffle()

    def preload_into_memory(self, thread_num: int | None = None) -> None:
        """The same; nothing goes on in the background."""
        self.load_into_memory()

    def wait_preload_done(self) -> None:
        """Nothing: `preload_into_memory` has read them."""

    def release_memory(self) -> None:
        """Forget the samples."""
        self._loaded = None

    def rows(self) -> Iterator[Row]:
        """The samples in memory."""
        return iter(self._samples())

    def _samples(self) -> list[Row]:
        if self._loaded is None:
            raise ModeError("no samples are in memory", remedy="call load_into_memory() first")
        return self._loaded

    def local_shuffle(self) -> None:
        """Another order of this rank's samples."""
        samples = self._samples()
        self._loaded = [samples[k] for k in drawing(self._random).permutation(len(samples))]

    def global_shuffle(self, fleet: Any = None, thread_num: int = 12) -> None:
        """Another order of the samples of all ranks, each of which keeps its share."""
        rank, ranks, _ = here()
        if ranks > 1 and self.settings["shuffle_by_uid"]:
            raise ModeError("global_shuffle by users (shuffle_by_uid) isn't there for several ranks",
                            remedy="write each user's samples into files of one rank")  # fmt: skip
        if ranks > 1:
            parts: list[Any] = []
            all_gather_object(parts, (int(drawing(self._random).integers(2**31)), self._samples()))
            together = [row for _, rows in parts for row in rows]
            order = np.random.default_rng(parts[0][0]).permutation(len(together))
            self._loaded = [together[k] for k in order[rank::ranks]]
        self.local_shuffle()

    def slots_shuffle(self, slots: Sequence[str]) -> None:
        """Give the values of some slots to other samples: how much worse a model is then says how much they matter.

        It needs the setting `fea_eval`, without which it does nothing.
        """
        if not self.settings["fea_eval"]:
            return
        samples = [list(row) for row in self._samples()]
        for k, variable in enumerate(self.settings["use_var"]):
            if variable.name in slots:
                column = [row[k] for row in samples]
                for row, source in zip(samples, drawing(self._random).permutation(len(samples)), strict=True):
                    row[k] = column[source]
        self._loaded = samples

    def get_memory_data_size(self, fleet: Any = None) -> int:
        """How many samples are in memory; with `fleet`, of all ranks."""
        count = len(self._loaded or ())
        if fleet is None:
            return count
        counts: list[Any] = []
        all_gather_object(counts, count)
        return sum(counts)

    def get_shuffle_data_size(self, fleet: Any = None) -> int:
        """The same."""
        return self.get_memory_data_size(fleet)


class DatasetFactory:
    """Makes data sets by the names of their classes.

    >>> type(DatasetFactory().create_dataset("InMemoryDataset")).__name__
    'InMemoryDataset'
    """

    def create_dataset(self, datafeed_class: str = "QueueDataset") -> DatasetBase:
        """A new data set. Errors: ArgumentError (a ValueError) for another class."""
        kinds = {kind.__name__: kind for kind in (QueueDataset, InMemoryDataset)}
        if datafeed_class not in kinds:
            raise ArgumentError(f"there is no data set {datafeed_class!r}", remedy=f"there are {', '.join(kinds)}")
        return kinds[datafeed_class]()
