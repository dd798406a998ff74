"""The exception tree: one class per kind of mistake, each also the built-in error its reader expects.

VitrifyError
├── CaptureError (SyntaxError's cousin, a RuntimeError)   Python that can't become a program
│   ├── OpenSizeError (NotImplementedError)               a size that only a run knows, where operations depend on it
│   ├── NoValueError (TypeError, AssertionError)          elements of a variable of a static program
│   ├── OtherProgramError (TypeError)                      a variable of a static program, outside of that program
│   └── LoopStateError (TypeError)                        a loop-carried value that changes type
├── ShapeError (ValueError, AssertionError)
├── ArgumentError (ValueError, AssertionError)            AssertedError: what Paddle asserts alone
│   ├── CountError (TypeError)
│   └── FeedError (KeyError)                               a feed that a run of a program lacks
├── DTypeError (TypeError, ValueError, RuntimeError)
│   ├── NoTensorError
│   └── NoSequenceError (AssertionError)                  the length or rows of a tensor of rank 0
├── AxisError (IndexError, ValueError, AssertionError)
│   └── SubscriptError (a DTypeError)
├── VerifyError (ValueError)      ├── ParseError (ValueError)
├── MiscompileError (AssertionError) ├── BudgetError (AssertionError)
├── RuleError (ValueError)
├── ArtifactError (ValueError)    ├── CallbackError (RuntimeError)
├── GradientError (RuntimeError)  ├── StateError (ValueError)
├── KernelError (RuntimeError)    ├── GuardError (ValueError)
├── NonFiniteError (RuntimeError) ├── MemoryLimitError (MemoryError)
├── DataError (ValueError)        ├── DataNotFoundError (FileNotFoundError)
├── KindError (TypeError, ValueError)
│   ├── OperandError              ├── NameTakenError (KeyError)
│   ├── MemberError (AssertionError)
├── MissingError (AttributeError) ├── RateError (RuntimeError), a StateError
├── MissingNameError (ImportError)  └── MissingModuleError (ModuleNotFoundError)
├── ModeError (RuntimeError)      ├── DepthError (RecursionError)
├── ExchangeError (RuntimeError)   ├── StateKeyError (RuntimeError), a StateError
└── MissingDependencyError (ImportError)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .location import Loc, raise_loc


class VitrifyError(Exception):
    r"""Base of all errors raised on purpose by this package.

    `loc` is the place in the user's code that it is about; without one the message names the user's line that was
    running. `remedy` says what to do.

    >>> str(ShapeError("x is f32[2], y is f32[3]", remedy="broadcast one of them"))
    'x is f32[2], y is f32[3]\n  help: broadcast one of them'
    """

    paddle_kind: str | None = None  # PaddlePaddle's word for such errors, which its messages begin with
    says_paddle_kind = False  # set where programs run that look for these words: `import paddle` means this package

    def __init__(
        self, message: str, *, loc: Loc | None = None, remedy: str | Callable[[], str | None] | None = None
    ) -> None:
        if VitrifyError.says_paddle_kind and self.paddle_kind is not None:
            mark = f"({self.paddle_kind}) "
            message = mark + message.removeprefix(mark)
        super().__init__(message)
        self.message = message
        self.loc = loc if loc is not None and loc.file else None
        self._remedy: str | Callable[[], str | None] | None = remedy
        self.raised_at = raise_loc() if self.loc is None else None

    @property
    def remedy(self) -> str | None:
        """What to do; looked up when it is asked for, where finding it takes time."""
        if callable(self._remedy):
            self._remedy = self._remedy()
        return self._remedy

    @remedy.setter
    def remedy(self, remedy: str | None) -> None:
        self._remedy = remedy

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.args, self.__dict__ | {"_remedy": self.remedy}

    def at(self, loc: Loc | None) -> VitrifyError:
        """Give the error a place unless it has one; returns the error itself."""
        if self.loc is None and loc is not None and loc.file:
            known = self.raised_at  # the same line, with the calls that led there
            self.loc = known if known is not None and (known.file, known.line) == (loc.file, loc.line) else loc
        return self

    def __str__(self) -> str:
        parts = [self.message]
        place = self.loc or self.raised_at
        if place is not None and place.excerpt() not in self.message:
            parts.append(place.excerpt())
        if self.remedy:
            parts.append(f"  help: {self.remedy}")
        return "\n".join(parts)


class CaptureError(VitrifyError, RuntimeError):
    """A Python construct or value that can't become part of a program; names the line and the remedy."""


class OpenSizeError(CaptureError, NotImplementedError):
    """A size that only a run knows, where the operations themselves depend on it."""


class NoValueError(CaptureError, TypeError, AssertionError):
    """The elements of a variable of a static program, which has a value only while the program runs. PaddlePaddle
    raises TypeErrors for numbers of it, and asserts that it isn't asked for an array.
    """


class OtherProgramError(CaptureError, TypeError):
    """A variable of a static program, used while another program is built. Where that is to ask for its number
    (`bool(y.sum() > 0)`), PaddlePaddle raises TypeErrors.
    """


class LoopStateError(CaptureError, TypeError):
    """A value carried by a program loop changes its type between iterations."""


class ShapeError(VitrifyError, ValueError, AssertionError):
    """Shapes that don't fit an operation. PaddlePaddle raises ValueErrors for some and asserts others.

    >>> import vitrify as vt
    >>> try:
    ...     vt.linalg.cholesky(vt.ones([2, 3]))
    ... except AssertionError as error:
    ...     type(error).__name__
    'ShapeError'
    """

    paddle_kind = "InvalidArgument"


class DTypeError(VitrifyError, TypeError, ValueError, RuntimeError):
    """A dtype an operation doesn't take. PaddlePaddle raises TypeErrors for these in static mode; in eager mode
    RuntimeErrors where a kernel is absent, and ValueErrors where a kernel checks.

    >>> import vitrify as vt
    >>> try:
    ...     vt.rand([2], dtype="int32")
    ... except RuntimeError as error:
    ...     type(error).__name__
    'DTypeError'
    """

    paddle_kind = "NotFound"


class NoTensorError(DTypeError):
    """An object that can't become a tensor. PaddlePaddle raises TypeErrors and ValueErrors for these."""


class NoSequenceError(DTypeError, AssertionError):
    """A tensor of rank 0 where one with rows is needed: PaddlePaddle asserts that it has some.

    >>> import vitrify as vt
    >>> try:
    ...     len(vt.to_tensor(1))
    ... except AssertionError as error:
    ...     type(error).__name__
    'NoSequenceError'
    """


class ArgumentError(VitrifyError, ValueError, AssertionError):
    """An argument outside its allowed values. PaddlePaddle raises ValueErrors for some and asserts others."""

    paddle_kind = "InvalidArgument"


class AssertedError(ArgumentError):
    """An argument that Paddle checks by `assert` alone: programs for it catch an AssertionError."""


class CountError(ArgumentError, TypeError):
    """A count that can't be one, as it is below 0: PaddlePaddle raises TypeErrors for those of `eye`.

    >>> import vitrify as vt
    >>> try:
    ...     vt.eye(-1)
    ... except TypeError as error:
    ...     type(error).__name__
    'CountError'
    """


class FeedError(ArgumentError, KeyError):
    """A feed that a run of a static program lacks. PaddlePaddle raises KeyErrors for it."""


class AxisError(VitrifyError, IndexError, ValueError, AssertionError):
    """An axis or index outside the tensor's rank or size."""

    paddle_kind = "InvalidArgument"

    size: int | None = None  # of the axis, where an index is outside of it
    index: int | None = None  # that index


class SubscriptError(DTypeError, AxisError):
    """An object that is no subscript: a string, a float, a tensor of floats.

    >>> import vitrify as vt
    >>> try:
    ...     vt.ones([2, 3])["a"]
    ... except IndexError as error:
    ...     type(error).__name__
    'SubscriptError'
    """


class VerifyError(VitrifyError, ValueError):
    """A program that breaks an invariant of the IR."""


class ParseError(VitrifyError, ValueError):
    """Program text that isn't in the grammar."""


class MiscompileError(VitrifyError, AssertionError):
    """A pass changed the meaning of a program (found in checked mode)."""


class RuleError(VitrifyError, ValueError):
    """A rewrite rule of the user's that doesn't keep meaning; the message has an input that shows it."""


class ArtifactError(VitrifyError, ValueError):
    """A saved file that is missing parts, damaged, tampered with or foreign."""


class CallbackError(VitrifyError, RuntimeError):
    """A Python callback of a program is missing, failed, or returned the wrong thing."""


class GradientError(VitrifyError, RuntimeError):
    """A gradient that can't be computed: freed or stale graph, no path, no rule."""


class StateError(VitrifyError, ValueError):
    """Parameters, buffers or state dictionaries that don't fit."""


class RateError(StateError, RuntimeError):
    """A learning rate that can't be set by hand, because a scheduler sets it."""


class StateKeyError(StateError, RuntimeError):
    """A state dictionary whose names aren't those of the layer, where a strict load asks for all of them."""


class ModeError(VitrifyError, RuntimeError):
    """A mode that can't be switched here: training and inference belong to the layer, not to its method."""


class OtherModeError(ModeError, NotImplementedError, AssertionError):
    """A call in eager mode of what builds static programs, or the other way round."""


class ExchangeError(VitrifyError, RuntimeError):
    """Ranks that don't take part in the same exchange, wait for each other, or have failed."""


class RankLostError(ExchangeError):
    """Ranks of an elastic run that have died: those that are left may go on without them."""


class DepthError(VitrifyError, RecursionError):
    r"""A function of a program that calls itself more often, one call within the other, than its limit allows.

    >>> str(DepthError("`fact` calls itself more than 1000 times deep"))
    '`fact` calls itself more than 1000 times deep'
    """


class KernelError(VitrifyError, RuntimeError):
    """A generated kernel could not be compiled or loaded: a fault of ours; the text is in the message."""


class BudgetError(VitrifyError, AssertionError):
    """A compiled function whose cost exceeds what `assert_budget` allows."""


class MemoryLimitError(VitrifyError, MemoryError):
    r"""A program that needs more memory than it may take or than there is; raised before anything runs.

    >>> str(MemoryLimitError("step needs 8 bytes", remedy="use a smaller batch"))
    'step needs 8 bytes\n  help: use a smaller batch'
    """


class KindError(VitrifyError, TypeError, ValueError):
    """A Python object of another kind than asked for: a list where a Tensor belongs, a number for a layer.

    PaddlePaddle raises TypeErrors for these; its parsers of axes, sizes and numbers raise ValueErrors.

    >>> import vitrify as vt
    >>> try:
    ...     vt.split(vt.ones([4]), 2, axis=0.5)
    ... except ValueError as error:
    ...     type(error).__name__
    'KindError'
    """

    paddle_kind = "InvalidType"


class MemberError(KindError, AssertionError):
    """What is no layer or parameter, put among those of a layer, no metric among metrics, or no tensor for a loss:
    PaddlePaddle asserts that it is one.
    """


class OperandError(KindError):
    """An operand that is no tensor. PaddlePaddle raises ValueErrors for these in eager mode, TypeErrors in static mode.

    >>> import vitrify as vt
    >>> vt.bincount(3.5)
    Traceback (most recent call last):
    vitrify.errors.OperandError: bincount: x must be a tensor, not a float
      help: make one of it: to_tensor(x)
    """

    paddle_kind = "InvalidArgument"


class NameTakenError(VitrifyError, KeyError):
    """A name of a parameter, buffer or sublayer that can't be used: empty, dotted or taken."""


class MissingError(VitrifyError, AttributeError):
    """Something that isn't there: an attribute of a layer, the parameters of an optimiser."""

    owner: Any = None  # what was asked for the attribute; in `obj` Python would look for a guess of its own

    @classmethod
    def unplaced(cls, message: str, remedy: Callable[[], str | None]) -> MissingError:
        """One that is quickly made, since `hasattr` asks for it: it doesn't look for the user's line."""
        made = cls.__new__(cls, message)
        made.message, made._remedy, made.loc, made.raised_at = message, remedy, None, None
        return made


class MissingNameError(VitrifyError, ImportError):
    """A name that is imported from a module of this package and isn't there."""


class MissingModuleError(MissingNameError, ModuleNotFoundError):
    """A module of PaddlePaddle that isn't here, imported as `paddle.x` (`import vitrify.as_paddle`)."""


class GuardError(VitrifyError, ValueError):
    """A call that a program's assumptions (shapes, dtypes, input spec) don't admit."""


class DataError(VitrifyError, ValueError):
    """A data file that is damaged or of another kind."""


class DataNotFoundError(VitrifyError, FileNotFoundError, RuntimeError):
    """A data directory or file that isn't there. PaddlePaddle, which would download it, raises RuntimeErrors."""


class MissingDependencyError(VitrifyError, ImportError):
    """An optional library is needed for this; the message names the extra to install."""


class NonFiniteError(VitrifyError, RuntimeError):
    """An op or a gradient is NaN or infinite where a check for that was asked for."""


for _kind in list(vars().values()):
    if isinstance(_kind, type) and issubclass(_kind, VitrifyError):
        _kind.__module__ = f"{__name__.partition('.')[0]}.errors"  # where users find it
del _kind
