"""Settings of data sets of slots, by name and by the methods that set one: those of clusters have no effect."""

from __future__ import annotations

from typing import Any

from ..base.errors import ArgumentError, KindError, ModeError
from ..static.variable import Variable

AS_IT_IS = "cat"

# settings by name, with their defaults; those of clusters are kept without effect
_SETTINGS: dict[str, Any] = {
    "batch_size": 1, "thread_num": 1, "use_var": (), "pipe_command": AS_IT_IS, "input_type": 0, "fs_name": "",
    "fs_ugi": "", "download_cmd": AS_IT_IS, "parse_ins_id": False, "parse_content": False, "fea_eval": False,
    "candidate_size": 10000, "merge_size": -1, "queue_num": -1, "fleet_send_batch_size": 1024,
    "fleet_send_sleep_seconds": 0, "data_feed_type": "MultiSlotInMemoryDataFeed", "trainer_num": 1, "pass_id": 0,
    "uid_slot": "", "shuffle_by_uid": False, "generate_uni_feasigns": False, "date": "",
}  # fmt: skip


class SlotSettings:
    """A data set's settings; each is an attribute, too.

    `base.InMemoryDataset` sets one by `set_batch_size(2)`, `distributed.InMemoryDataset` by the same name after `_`.
    """

    def __init__(self) -> None:
        self.settings: dict[str, Any] = dict(_SETTINGS)

    def __getattr__(self, name: str) -> Any:
        if name in _SETTINGS:
            return self.settings[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def init(self, **settings: Any) -> None:
        """Settings by name. Errors: ArgumentError for an unknown one; KindError for variables of other dtypes."""
        self.update_settings(**settings)

    def update_settings(self, **settings: Any) -> None:
        """Change some of the settings."""
        for name, value in settings.items():
            if name not in _SETTINGS:
                raise ArgumentError(
                    f"{type(self).__name__} has no setting {name}", remedy=f"it has {', '.join(_SETTINGS)}"
                )
            self.settings[name] = value
        if not isinstance(self.settings["batch_size"], int) or self.settings["batch_size"] < 1:
            raise ArgumentError(f"batch_size must be an int above 0, not {self.settings['batch_size']!r}")
        if self.settings["merge_size"] not in (-1, 0):
            raise ModeError(
                "samples of several lines (merge_size) aren't supported", remedy="write a sample in one line"
            )
        for variable in self.settings["use_var"]:
            if not isinstance(variable, Variable) or variable.dtype.name not in ("int64", "float32"):
                raise KindError("use_var takes variables of int64 or float32")

    def _init_distributed_settings(self, **settings: Any) -> None:
        """More settings by name."""
        self.update_settings(**settings)

    def set_batch_size(self, batch_size: int) -> None:
        """How many samples a batch has; the last one may have fewer."""
        self.update_settings(batch_size=batch_size)

    def set_thread(self, thread_num: int) -> None:
        """Kept without effect: batches are trained one after the other."""
        self.update_settings(thread_num=thread_num)

    def set_use_var(self, var_list: Any) -> None:
        """The variables that the slots of a line are fed to."""
        self.update_settings(use_var=var_list)

    def set_pipe_command(self, pipe_command: str) -> None:
        """A command of the shell that gets a file on its standard input and writes lines of slots."""
        self.update_settings(pipe_command=pipe_command)

    def set_hdfs_config(self, fs_name: str, fs_ugi: str) -> None:
        """Kept without effect."""
        self.update_settings(fs_name=fs_name, fs_ugi=fs_ugi)

    def set_download_cmd(self, download_cmd: str) -> None:
        """Kept without effect."""
        self.update_settings(download_cmd=download_cmd)

    def set_parse_ins_id(self, parse_ins_id: bool) -> None:
        """Whether lines begin with a sample's name, which is read over."""
        self.update_settings(parse_ins_id=parse_ins_id)

    def set_parse_content(self, parse_content: bool) -> None:
        """Whether lines have a text before the slots, which is read over."""
        self.update_settings(parse_content=parse_content)

    def set_fea_eval(self, record_candidate_size: int, fea_eval: bool = True) -> None:
        """Whether `slots_shuffle` works."""
        self.update_settings(candidate_size=record_candidate_size, fea_eval=fea_eval)

    def set_merge_by_lineid(self, merge_size: int = 2) -> None:
        """Errors: ModeError: a sample has one line."""
        self.update_settings(merge_size=merge_size)

    def set_uid_slot(self, uid_slot: str) -> None:
        """The slot that names a user."""
        self.update_settings(uid_slot=uid_slot)

    def set_shuffle_by_uid(self, enable_shuffle_uid: bool) -> None:
        """Whether samples of one user stay on one rank: with several ranks `global_shuffle` refuses it."""
        self.update_settings(shuffle_by_uid=enable_shuffle_uid)

    def set_feed_type(self, data_feed_type: str) -> None:
        """Kept without effect, as all below: there is one reader."""
        self.update_settings(data_feed_type=data_feed_type)

    def set_queue_num(self, queue_num: int) -> None:
        """Kept."""
        self.update_settings(queue_num=queue_num)

    def set_trainer_num(self, trainer_num: int) -> None:
        """Kept."""
        self.update_settings(trainer_num=trainer_num)

    def set_fleet_send_batch_size(self, fleet_send_batch_size: int = 1024) -> None:
        """Kept."""
        self.update_settings(fleet_send_batch_size=fleet_send_batch_size)

    def set_fleet_send_sleep_seconds(self, fleet_send_sleep_seconds: int = 0) -> None:
        """Kept."""
        self.update_settings(fleet_send_sleep_seconds=fleet_send_sleep_seconds)

    def set_generate_unique_feasigns(self, generate_uni_feasigns: bool, shard_num: int) -> None:
        """Kept: tables of features are a parameter server's."""
        self.update_settings(generate_uni_feasigns=generate_uni_feasigns)

    def generate_local_tables_unlock(
        self, table_id: int, fea_dim: int, read_thread_num: int, consume_thread_num: int, shard_num: int
    ) -> None:
        """Nothing: there are no tables to fill."""

    def set_date(self, date: str) -> None:
        """Kept."""
        self.update_settings(date=date)

    def set_pass_id(self, pass_id: int) -> None:
        """The number of a pass over the data, for `get_pass_id`."""
        self.update_settings(pass_id=pass_id)

    def get_pass_id(self) -> int:
        """The number of the pass."""
        return int(self.settings["pass_id"])


# `distributed`'s classes have them under names that PaddlePaddle's own examples use
for _name in [name for name in vars(SlotSettings) if name.startswith(("set_", "generate_"))]:
    setattr(SlotSettings, f"_{_name}", vars(SlotSettings)[_name])
