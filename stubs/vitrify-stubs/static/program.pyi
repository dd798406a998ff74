# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import bytes as _bytes
from builtins import dict as _dict
from builtins import int as _int
from builtins import list as _list
from builtins import object as _object
from builtins import str as _str
from collections.abc import Callable as _Callable
from collections.abc import Iterator as _Iterator
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.dygraph.tensor import Tensor as _Tensor
from vitrify.ir.core import Operation as _Operation
from vitrify.ir.core import Value as _Value
from vitrify.static.operator_views import Operator as _Operator
from vitrify.static.scope import Scope as _Scope

class Block:
    """A view of a program's outermost block."""
    program: Program
    idx: _int
    parent_idx: _int
    forward_block_idx: _int
    def __init__(self, program: Program) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other: _object) -> _bool:
        """Return self==value."""
    @property
    def ops(self) -> _list[_Operator]:
        """Its operations, in order; an operation's gradient is one (`reduce_mean_grad`), an update, too (`sgd`)."""
    def view_of(self, operation: _Operation) -> _Operator:
        """A view of one operation."""
    @property
    def operations(self) -> _list[_Operation]:
        """The operations behind the views."""
    @property
    def vars(self) -> _dict[_str, _Any]:
        """Its variables by name."""
    def var(self, name: _str) -> _Any:
        """The variable of a name. Errors: ArgumentError (a ValueError)."""
    def has_var(self, name: _str) -> _bool:
        """Whether there is a variable of that name."""
    def vars_get(self, name) -> _Any: ...
    def all_parameters(self) -> _list[_Any]:
        """The program's parameters."""
    def create_var(self, name: _str | None = None, shape: _Sequence[_Any] | None = None, dtype: _Any = None, persistable: _bool = False, stop_gradient: _bool = False, **_: _Any) -> _Any:
        """A variable made beforehand: the output of `py_func` or `append_op`, or a persistable one.

        Errors: ArgumentError for a shape that isn't known where it must be."""
    def create_parameter(self, shape: _Sequence[_int], dtype: _Any, name: _str | None = None, initializer: _Any = None, trainable: _bool = True, lod_level: _int = 0, **settings: _Any) -> _Any:
        """A parameter of this program, whose operations make its first value by `initializer`, if one is given.

        Without one the startup program makes the first value. settings: `attr`, `is_bias` and `default_initializer` of
        `static.create_parameter`."""
    def append_op(self, type: _str, inputs: _dict[_str, _Any] | None = None, outputs: _dict[_str, _Any] | None = None, attrs: _dict[_str, _Any] | None = None, **_: _Any) -> _Operator:
        """Call an op by its name: its inputs in order, `attrs` by name; `outputs` take its results.

        Errors: ArgumentError for an op that isn't there."""

class Program:
    """A program that grows with each op called under its `program_guard`.

    `random_seed`: other than 0, every run draws the same random numbers. Setting it for the default main program while
    ops run at once seeds these, too.

    >>> Program().num_blocks
    1"""
    serve: _Callable[[_Scope], None] | None
    ends: _Callable[[], None] | None
    pipeline_stage: _int | None
    recorder: _Any
    vars: _dict[_str, _Any]
    keeps_feeds: _bool
    readers: _list[_Any]
    startup: Program | None
    origin: Program | None
    default_fetches: _list[_Any]
    cache: _dict[_Any, _Any]
    quick: _dict[_Any, _Any]
    sums_up: _bool
    def __init__(self) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def random_seed(self) -> _int:
        """The seed of every run; 0 for none."""
    @random_seed.setter
    def random_seed(self, value: _Any) -> None: ...
    def global_seed(self, seed: _int = 0) -> None:
        """Set the seed of this program and of those that are made from now on; 0 for none."""
    def global_block(self) -> Block:
        """The outermost block."""
    def current_block(self) -> Block:
        """The outermost block: inner ones are open only while `cond` or `while_loop` runs their functions."""
    def block(self, index: _int) -> Block:
        """The block of a number: 0 is the outermost, the others are those of `blocks`. Errors: ArgumentError."""
    @property
    def blocks(self) -> _list[Block]:
        """The outermost block, then those inside control flow, each behind the one around it."""
    @property
    def num_blocks(self) -> _int:
        """How many blocks there are: 1 without control flow."""
    @property
    def version(self) -> _int:
        """Grows with every change."""
    def list_vars(self) -> _Iterator[_Any]:
        """All variables that have a name."""
    def all_parameters(self) -> _list[_Any]:
        """The parameters."""
    def persistables(self) -> _list[_Any]:
        """Variables that keep their values between runs, those of optimisers and layers included."""
    def register(self, variable: _Any) -> None:
        """Make a variable known by its name."""
    def add_persistable(self, variable: _Any, values: _Callable[[], _Tensor] | None, described: _Any = None) -> None:
        """Make a persistable variable known here and in the startup program, which makes its first value.

        described: the kind and the attributes of the operator that makes it."""
    def adopt_state(self, name: _str, value: _Value, *, rng: _bool = False) -> None:
        """A persistable variable for a state entry that the program has already, or the stream of random numbers."""
    def add_global(self, name: _str, start: _Any, *, trainable: _bool = False, shape: _Sequence[_int] | None = None, dtype: _Any = None) -> _Any:
        """A persistable variable outside of any layer. `start`: an array, or None where a user will set it."""
    @property
    def desc(self) -> Program:
        """Itself: what Paddle's description holds is here."""
    def serialize_to_string(self) -> _bytes:
        """Its text as bytes, with the names that variables were given or asked for; `parse_from_string` takes it."""
    def to_string(self, throw_on_error: _bool = False, with_details: _bool = False) -> _str:
        """The program as text: what is forward, whose gradient an operation belongs to, which parameter it updates.

        with_details: also which line of yours made each operation."""
    @staticmethod
    def parse_from_string(text: _str | _bytes) -> _Any:
        """The program of a text made by `to_string`, as an ir.Program, ready for `Executor.run`."""
    def clone(self, for_test: _bool = False) -> Program:
        """A copy with the same names, so that parameters are shared through the scope.

        for_test: without gradients and updates, and with dropout and batch norm as in testing. Errors: ModeError for a
        stage of a pipeline, which has no other program for testing."""
    def state_dict(self, mode: _str = 'all', scope: _Any = None) -> _dict[_str, _Any]:
        """Values of persistable variables by name. mode: "param", "opt" (all others) or "all"."""
    def set_state_dict(self, state_dict: _dict[_str, _Any], scope: _Any = None) -> None:
        """Set persistable variables by name; names that the program lacks are passed over with a warning."""
    def seeded_state(self) -> _Any:
        """The random generator's state for a run with `random_seed`."""
