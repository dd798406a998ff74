# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from collections.abc import Iterator as _Iterator
from collections.abc import Sequence as _Sequence
from numpy import ndarray as _ndarray
from typing import Any as _Any
from vitrify.distributed.slot_settings import SlotSettings as _SlotSettings

class InMemoryDataset(DatasetBase):
    """Samples that are read into memory, where they can be shuffled.

    Errors: ModeError where samples are needed before `load_into_memory`."""
    def __init__(self) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def load_into_memory(self, is_shuffle: _bool = False) -> None:
        """Read all files."""
    def preload_into_memory(self, thread_num: _int | None = None) -> None:
        """The same; nothing goes on in the background."""
    def wait_preload_done(self) -> None:
        """Nothing: `preload_into_memory` has read them."""
    def release_memory(self) -> None:
        """Forget the samples."""
    def rows(self) -> _Iterator[_list[_ndarray]]:
        """The samples in memory."""
    def local_shuffle(self) -> None:
        """Another order of this rank's samples."""
    def global_shuffle(self, fleet: _Any = None, thread_num: _int = 12) -> None:
        """Another order of the samples of all ranks, each of which keeps its share."""
    def slots_shuffle(self, slots: _Sequence[_str]) -> None:
        """Give the values of some slots to other samples: how much worse a model is then says how much they matter.

        It needs the setting `fea_eval`, without which it does nothing."""
    def get_memory_data_size(self, fleet: _Any = None) -> _int:
        """How many samples are in memory; with `fleet`, of all ranks."""
    def get_shuffle_data_size(self, fleet: _Any = None) -> _int:
        """The same."""

class DatasetBase(_SlotSettings):
    """What data sets of slots share. Each line of a file holds one sample, with the slots of `use_var` in their order.

    Settings: `batch_size`; `use_var`, variables of int64 or float32; `pipe_command`, which each file goes through (by
    the shell). Others are kept without effect."""
    filelist: _list[_str]
    def __init__(self) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def set_filelist(self, filelist: _Sequence[_str]) -> None:
        """The files to read. Errors: ModeError for files of a cluster."""
    def rows(self) -> _Iterator[_list[_ndarray]]:
        """The samples of all files: one array for each variable."""
    def feeds(self, drop_last: _bool = False) -> _Iterator[_dict[_str, _ndarray]]:
        """Batches: by each variable's name the values of the samples, one after the other, in its shape.

        Errors: DataError for lines of another form, or values that don't fill the variable's shape."""

class QueueDataset(DatasetBase):
    """Samples that are read from files while a program trains.

    >>> import tempfile
    >>> import vitrify as vt
    >>> vt.enable_static()
    >>> words = vt.static.data("words", [None, 2], "int64")
    >>> with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
    ...     _ = file.write("2 1 9\\n2 2 8\\n")
    ...     file.flush()
    ...     lines = QueueDataset()
    ...     lines.init(batch_size=2, use_var=[words])
    ...     lines.set_filelist([file.name])
    ...     print([batch["words"].tolist() for batch in lines.feeds()])
    [[[1, 9], [2, 8]]]
    >>> vt.disable_static()"""
