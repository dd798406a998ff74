# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any

class SlotSettings:
    """A data set's settings; each is an attribute, too.

    `base.InMemoryDataset` sets one by `set_batch_size(2)`, `distributed.InMemoryDataset` by the same name after `_`."""
    settings: _dict[_str, _Any]
    def __init__(self) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def init(self, **settings: _Any) -> None:
        """Settings by name. Errors: ArgumentError for an unknown one; KindError for variables of other dtypes."""
    def update_settings(self, **settings: _Any) -> None:
        """Change some of the settings."""
    def set_batch_size(self, batch_size: _int) -> None:
        """How many samples a batch has; the last one may have fewer."""
    def set_thread(self, thread_num: _int) -> None:
        """Kept without effect: batches are trained one after the other."""
    def set_use_var(self, var_list: _Any) -> None:
        """The variables that the slots of a line are fed to."""
    def set_pipe_command(self, pipe_command: _str) -> None:
        """A command of the shell that gets a file on its standard input and writes lines of slots."""
    def set_hdfs_config(self, fs_name: _str, fs_ugi: _str) -> None:
        """Kept without effect."""
    def set_download_cmd(self, download_cmd: _str) -> None:
        """Kept without effect."""
    def set_parse_ins_id(self, parse_ins_id: _bool) -> None:
        """Whether lines begin with a sample's name, which is read over."""
    def set_parse_content(self, parse_content: _bool) -> None:
        """Whether lines have a text before the slots, which is read over."""
    def set_fea_eval(self, record_candidate_size: _int, fea_eval: _bool = True) -> None:
        """Whether `slots_shuffle` works."""
    def set_merge_by_lineid(self, merge_size: _int = 2) -> None:
        """Errors: ModeError: a sample has one line."""
    def set_uid_slot(self, uid_slot: _str) -> None:
        """The slot that names a user."""
    def set_shuffle_by_uid(self, enable_shuffle_uid: _bool) -> None:
        """Whether samples of one user stay on one rank: with several ranks `global_shuffle` refuses it."""
    def set_feed_type(self, data_feed_type: _str) -> None:
        """Kept without effect, as all below: there is one reader."""
    def set_queue_num(self, queue_num: _int) -> None:
        """Kept."""
    def set_trainer_num(self, trainer_num: _int) -> None:
        """Kept."""
    def set_fleet_send_batch_size(self, fleet_send_batch_size: _int = 1024) -> None:
        """Kept."""
    def set_fleet_send_sleep_seconds(self, fleet_send_sleep_seconds: _int = 0) -> None:
        """Kept."""
    def set_generate_unique_feasigns(self, generate_uni_feasigns: _bool, shard_num: _int) -> None:
        """Kept: tables of features are a parameter server's."""
    def generate_local_tables_unlock(self, table_id: _int, fea_dim: _int, read_thread_num: _int, consume_thread_num: _int, shard_num: _int) -> None:
        """Nothing: there are no tables to fill."""
    def set_date(self, date: _str) -> None:
        """Kept."""
    def set_pass_id(self, pass_id: _int) -> None:
        """The number of a pass over the data, for `get_pass_id`."""
    def get_pass_id(self) -> _int:
        """The number of the pass."""
