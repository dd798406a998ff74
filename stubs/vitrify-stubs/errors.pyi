# Written by `make stubs`; edits here are lost.

"""Every error that is raised on purpose; each is also the built-in error its reader expects.

>>> issubclass(ShapeError, ValueError)
True"""

from builtins import AssertionError as _AssertionError
from builtins import AttributeError as _AttributeError
from builtins import Exception as _Exception
from builtins import FileNotFoundError as _FileNotFoundError
from builtins import ImportError as _ImportError
from builtins import IndexError as _IndexError
from builtins import KeyError as _KeyError
from builtins import MemoryError as _MemoryError
from builtins import ModuleNotFoundError as _ModuleNotFoundError
from builtins import NotImplementedError as _NotImplementedError
from builtins import RecursionError as _RecursionError
from builtins import RuntimeError as _RuntimeError
from builtins import TypeError as _TypeError
from builtins import ValueError as _ValueError
from builtins import bool as _bool
from builtins import int as _int
from builtins import str as _str
from collections.abc import Callable as _Callable
from typing import Any as _Any
from vitrify.base.location import Loc as _Loc

class ArgumentError(VitrifyError, _ValueError, _AssertionError):
    """An argument outside its allowed values. PaddlePaddle raises ValueErrors for some and asserts others."""
    paddle_kind: _str

class VitrifyError(_Exception):
    """Base of all errors raised on purpose by this package.

    `loc` is the place in the user's code that it is about; without one the message names the user's line that was
    running. `remedy` says what to do.

    >>> str(ShapeError("x is f32[2], y is f32[3]", remedy="broadcast one of them"))
    'x is f32[2], y is f32[3]\\n  help: broadcast one of them'"""
    paddle_kind: _str | None
    message: _str
    loc: _Any
    raised_at: _Any
    says_paddle_kind: _bool
    def __init__(self, message: _str, *, loc: _Loc | None = None, remedy: _str | _Callable[[], _str | None] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def remedy(self) -> _str | None:
        """What to do; looked up when it is asked for, where finding it takes time."""
    @remedy.setter
    def remedy(self, value: _Any) -> None: ...
    def at(self, loc: _Loc | None) -> VitrifyError:
        """Give the error a place unless it has one; returns the error itself."""

class ArtifactError(VitrifyError, _ValueError):
    """A saved file that is missing parts, damaged, tampered with or foreign."""

class AssertedError(ArgumentError):
    """An argument that Paddle checks by `assert` alone: programs for it catch an AssertionError."""

class AxisError(VitrifyError, _IndexError, _ValueError, _AssertionError):
    """An axis or index outside the tensor's rank or size."""
    size: _int | None
    index: _int | None
    paddle_kind: _str

class BudgetError(VitrifyError, _AssertionError):
    """A compiled function whose cost exceeds what `assert_budget` allows."""

class CallbackError(VitrifyError, _RuntimeError):
    """A Python callback of a program is missing, failed, or returned the wrong thing."""

class CaptureError(VitrifyError, _RuntimeError):
    """A Python construct or value that can't become part of a program; names the line and the remedy."""

class CountError(ArgumentError, _TypeError):
    """A count that can't be one, as it is below 0: PaddlePaddle raises TypeErrors for those of `eye`.

    >>> import vitrify as vt
    >>> try:
    ...     vt.eye(-1)
    ... except TypeError as error:
    ...     type(error).__name__
    'CountError'"""

class DTypeError(VitrifyError, _TypeError, _ValueError, _RuntimeError):
    """A dtype an operation doesn't take. PaddlePaddle raises TypeErrors for these in static mode; in eager mode
    RuntimeErrors where a kernel is absent, and ValueErrors where a kernel checks.

    >>> import vitrify as vt
    >>> try:
    ...     vt.rand([2], dtype="int32")
    ... except RuntimeError as error:
    ...     type(error).__name__
    'DTypeError'"""
    paddle_kind: _str

class DataError(VitrifyError, _ValueError):
    """A data file that is damaged or of another kind."""

class DataNotFoundError(VitrifyError, _FileNotFoundError, _RuntimeError):
    """A data directory or file that isn't there. PaddlePaddle, which would download it, raises RuntimeErrors."""

class DepthError(VitrifyError, _RecursionError):
    """A function of a program that calls itself more often, one call within the other, than its limit allows.

    >>> str(DepthError("`fact` calls itself more than 1000 times deep"))
    '`fact` calls itself more than 1000 times deep'"""

class ExchangeError(VitrifyError, _RuntimeError):
    """Ranks that don't take part in the same exchange, wait for each other, or have failed."""

class FeedError(ArgumentError, _KeyError):
    """A feed that a run of a static program lacks. PaddlePaddle raises KeyErrors for it."""

class GradientError(VitrifyError, _RuntimeError):
    """A gradient that can't be computed: freed or stale graph, no path, no rule."""

class GuardError(VitrifyError, _ValueError):
    """A call that a program's assumptions (shapes, dtypes, input spec) don't admit."""

class KernelError(VitrifyError, _RuntimeError):
    """A generated kernel could not be compiled or loaded: a fault of ours; the text is in the message."""

class KindError(VitrifyError, _TypeError, _ValueError):
    """A Python object of another kind than asked for: a list where a Tensor belongs, a number for a layer.

    PaddlePaddle raises TypeErrors for these; its parsers of axes, sizes and numbers raise ValueErrors.

    >>> import vitrify as vt
    >>> try:
    ...     vt.split(vt.ones([4]), 2, axis=0.5)
    ... except ValueError as error:
    ...     type(error).__name__
    'KindError'"""
    paddle_kind: _str

class LoopStateError(CaptureError, _TypeError):
    """A value carried by a program loop changes its type between iterations."""

class MemberError(KindError, _AssertionError):
    """What is no layer or parameter, put among those of a layer, no metric among metrics, or no tensor for a loss:
    PaddlePaddle asserts that it is one."""

class MemoryLimitError(VitrifyError, _MemoryError):
    """A program that needs more memory than it may take or than there is; raised before anything runs.

    >>> str(MemoryLimitError("step needs 8 bytes", remedy="use a smaller batch"))
    'step needs 8 bytes\\n  help: use a smaller batch'"""

class MiscompileError(VitrifyError, _AssertionError):
    """A pass changed the meaning of a program (found in checked mode)."""

class MissingDependencyError(VitrifyError, _ImportError):
    """An optional library is needed for this; the message names the extra to install."""

class MissingError(VitrifyError, _AttributeError):
    """Something that isn't there: an attribute of a layer, the parameters of an optimiser."""
    owner: _Any
    @classmethod
    def unplaced(cls, message: _str, remedy: _Callable[[], _str | None]) -> MissingError:
        """One that is quickly made, since `hasattr` asks for it: it doesn't look for the user's line."""

class MissingModuleError(MissingNameError, _ModuleNotFoundError):
    """A module of PaddlePaddle that isn't here, imported as `paddle.x` (`import vitrify.as_paddle`)."""

class MissingNameError(VitrifyError, _ImportError):
    """A name that is imported from a module of this package and isn't there."""

class ModeError(VitrifyError, _RuntimeError):
    """A mode that can't be switched here: training and inference belong to the layer, not to its method."""

class NameTakenError(VitrifyError, _KeyError):
    """A name of a parameter, buffer or sublayer that can't be used: empty, dotted or taken."""

class NoSequenceError(DTypeError, _AssertionError):
    """A tensor of rank 0 where one with rows is needed: PaddlePaddle asserts that it has some.

    >>> import vitrify as vt
    >>> try:
    ...     len(vt.to_tensor(1))
    ... except AssertionError as error:
    ...     type(error).__name__
    'NoSequenceError'"""

class NoTensorError(DTypeError):
    """An object that can't become a tensor. PaddlePaddle raises TypeErrors and ValueErrors for these."""

class NoValueError(CaptureError, _TypeError, _AssertionError):
    """The elements of a variable of a static program, which has a value only while the program runs. PaddlePaddle
    raises TypeErrors for numbers of it, and asserts that it isn't asked for an array."""

class NonFiniteError(VitrifyError, _RuntimeError):
    """An op or a gradient is NaN or infinite where a check for that was asked for."""

class OpenSizeError(CaptureError, _NotImplementedError):
    """A size that only a run knows, where the operations themselves depend on it."""

class OperandError(KindError):
    """An operand that is no tensor. PaddlePaddle raises ValueErrors for these in eager mode, TypeErrors in static mode.

    >>> import vitrify as vt
    >>> vt.bincount(3.5)
    Traceback (most recent call last):
    vitrify.errors.OperandError: bincount: x must be a tensor, not a float
      help: make one of it: to_tensor(x)"""
    paddle_kind: _str

class OtherModeError(ModeError, _NotImplementedError, _AssertionError):
    """A call in eager mode of what builds static programs, or the other way round."""

class OtherProgramError(CaptureError, _TypeError):
    """A variable of a static program, used while another program is built. Where that is to ask for its number
    (`bool(y.sum() > 0)`), PaddlePaddle raises TypeErrors."""

class ParseError(VitrifyError, _ValueError):
    """Program text that isn't in the grammar."""

class RankLostError(ExchangeError):
    """Ranks of an elastic run that have died: those that are left may go on without them."""

class RateError(StateError, _RuntimeError):
    """A learning rate that can't be set by hand, because a scheduler sets it."""

class StateError(VitrifyError, _ValueError):
    """Parameters, buffers or state dictionaries that don't fit."""

class RuleError(VitrifyError, _ValueError):
    """A rewrite rule of the user's that doesn't keep meaning; the message has an input that shows it."""

class ShapeError(VitrifyError, _ValueError, _AssertionError):
    """Shapes that don't fit an operation. PaddlePaddle raises ValueErrors for some and asserts others.

    >>> import vitrify as vt
    >>> try:
    ...     vt.linalg.cholesky(vt.ones([2, 3]))
    ... except AssertionError as error:
    ...     type(error).__name__
    'ShapeError'"""
    paddle_kind: _str

class StateKeyError(StateError, _RuntimeError):
    """A state dictionary whose names aren't those of the layer, where a strict load asks for all of them."""

class SubscriptError(DTypeError, AxisError):
    """An object that is no subscript: a string, a float, a tensor of floats.

    >>> import vitrify as vt
    >>> try:
    ...     vt.ones([2, 3])["a"]
    ... except IndexError as error:
    ...     type(error).__name__
    'SubscriptError'"""

class VerifyError(VitrifyError, _ValueError):
    """A program that breaks an invariant of the IR."""
