# Written by `make stubs`; edits here are lost.

from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any
from vitrify.static.program import Program as _Program

class PipelineOptimizer:
    """An optimizer whose `minimize` makes a pipeline of a static program, with the stages that `device_guard` names.

    Ops inside `device_guard("cpu:1")` are stage 1. The program says what is computed of one part. A run is fed
    num_microbatches parts at once: sizes that are left open are those of all parts together, and the first size of a
    feed, if it is known, is one part's. Loss and gradients are the means of the parts'. Each rank calls it with the
    same program; there are as many ranks as stages (in a grid of `fleet.init`: as its pp_degree), or one rank that runs
    all. schedule_mode: "1F1B" or "FThenB"."""
    inner_opt: _Any
    parts: _int
    schedule: _str
    def __init__(self, optimizer: _Any, num_microbatches: _int = 1, start_cpu_core_id: _int = 0, *, schedule_mode: _str = '1F1B') -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def minimize(self, loss: _Any, startup_program: _Program | None = None, parameters: _Any = None, no_grad_set: _Any = None) -> _tuple[_list[_Any], _list[_tuple[_Any, _Any]]]:
        """This rank's stage of a program, with updates: (its operations, [(parameter, gradient)] of this stage).

        All ranks can fetch the loss. What else a stage computes can be fetched there: rows of all parts, the mean of a
        number, or else what the last part made. The startup program makes this stage's parameters alone.
        Errors: KindError for a loss that is no variable; ArgumentError where stages and ranks don't fit; ModeError for
        a program with gradients."""
