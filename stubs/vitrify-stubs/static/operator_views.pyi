# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.ir.core import Operation as _Operation
from vitrify.static.op_steps import OpStep as _OpStep

class Operator:
    """A view of one operation, or of those that make one step: an operation's gradient, a parameter's update.

    type: as PaddlePaddle's classic programs spell it (`matmul_v2`, `reduce_mean_grad`, `sgd`); `name()` as those of
    release 3 do (`pd_op.matmul`). Inputs and outputs have the names of the row's operands, or `Param` and `Grad` for an
    update. `attr("op_role")` is 0 for forward operations, 1 for gradients, 2 for updates."""
    block: _Any
    def __init__(self, block: _Any, operations: _Sequence[_Operation], step: _OpStep = ...) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def type(self) -> _str:
        """`matmul_v2`, `elementwise_add_grad`, `sgd`; the row's name where PaddlePaddle has no operator for it."""
    def name(self) -> _str:
        """Its name as PaddlePaddle 3 spells it: `pd_op.matmul`."""
    @property
    def idx(self) -> _int:
        """Its place in the block."""
    @property
    def input_names(self) -> _list[_str]:
        """The names of the row's operands; of an update `Param`, `Grad` and the variables that it keeps."""
    @property
    def output_names(self) -> _list[_str]:
        """`Out`, or `Out0`, `Out1`, ...; of an update `ParamOut` and the variables that it keeps."""
    @property
    def input_arg_names(self) -> _list[_str]:
        """The names of the variables that go in."""
    @property
    def output_arg_names(self) -> _list[_str]:
        """The names of the variables that come out; those of state that an update writes."""
    def input(self, slot: _str) -> _list[_str]:
        """Names of the variables in an input slot."""
    def output(self, slot: _str) -> _list[_str]:
        """Names of the variables in an output slot."""
    @property
    def attr_names(self) -> _list[_str]:
        """The names of its attributes; those with blocks have `sub_block`."""
    def has_attr(self, name: _str) -> _bool:
        """Whether it has an attribute."""
    def attr(self, name: _str) -> _Any:
        """An attribute; `op_namescope` is the name scope that it was built in, `op_device` its stage of a pipeline.

        Errors: ArgumentError."""
    @property
    def blocks(self) -> _list[_Any]:
        """The blocks inside it: the branches of an `if`, the body of a loop."""
    def all_attrs(self) -> _dict[_str, _Any]:
        """All attributes; a step of several operations has those of its operator."""
    def attrs(self) -> _dict[_str, _Any]:
        """All attributes; a step of several operations has those of its operator."""
    def to_string(self, *_: _Any) -> _str:
        """A line with its name, inputs and outputs."""
