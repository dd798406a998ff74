# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from typing import Any as _Any
from typing import Concatenate as _Concatenate
from typing import Generic as _Generic
from typing import overload as _overload
from vitrify._stub_types import P as _P
from vitrify._stub_types import Q as _Q
from vitrify._stub_types import R_co as _R_co
from vitrify._stub_types import S as _S
from vitrify.jit.compiling import Compiling as _Compiling
from vitrify.jit.inspect.certificate import Certificate as _Certificate
from vitrify.jit.inspect.function_views import ConcreteProgram as _ConcreteProgram
from vitrify.jit.inspect.function_views import ProgramCache as _ProgramCache
from vitrify.jit.inspect.function_views import Views as _Views
from vitrify.runtime.vm.calls.call_entry import NativelyCalled as _NativelyCalled

class StaticFunction(_NativelyCalled, _Compiling, _Views, _Generic[_P, _R_co]):
    """A function compiled as a whole. Made by `to_static`; called like the function itself.

    On a class it is a descriptor: each instance gets a compiled function of its own, kept with the instance."""
    def __init__(self, function: _Callable[..., _Any], input_spec: _Any = None, settings: _Any = ..., instance: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R_co:
        """Call self as a function."""
    @_overload
    def __get__(self, instance: None, owner: _Any=None) -> StaticFunction[_P, _R_co]: ...
    @_overload
    def __get__(self: StaticFunction[_Concatenate[_S, _Q], _R_co], instance: _S, owner: _Any=None) -> StaticFunction[_Q, _R_co]: ...
    @property
    def dygraph_function(self) -> _Any:
        """The function as it was written, bound to its instance."""
    @property
    def __vitrify_inline__(self) -> _Any:
        """What a trace captures when it meets this function."""
    def rollback(self) -> _Any:
        """Put the original function back on its instance, and return it."""
    def get_concrete_program(self, *args: _Any, **kwargs: _Any) -> _tuple[_ConcreteProgram, _Any | None]:
        """The program for these arguments (tensors, or InputSpecs in their places) and the entry that runs it.

        With InputSpecs there is no entry (None): the program is only shown."""
    @property
    def program_cache(self) -> _ProgramCache:
        """The entries, oldest first; without any, the programs that specs gave."""
    def get_traced_count(self) -> _int:
        """How often the function was traced."""
    def concrete_trace(self, input_spec: _Any = None) -> _Any:
        """The trace of the last call; without calls, or for another spec, one made from the spec."""
    def certificate(self, *, strict: _bool = False) -> _Certificate:
        """What became of each statement: in the program, evaluated while capturing (with guarded values), or opaque.

        It is about the program of the last call, or of the input_spec. strict: CaptureError if a statement is opaque."""
