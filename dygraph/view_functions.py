"""The functions and methods whose results are views, as in Paddle: each calls the function of the op table, and says
which part of its operand the result is. Code of this library that calls the op table itself gets plain values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import signature
from typing import Any

from ..ops import functions, methods
from ..ops.argument_names import names_of
from ..ops.dispatch import bottoms, interpreters
from ..ops.op import Op
from . import storage as cells
from . import views
from .call_cache import EAGER
from .cuts import Cutting
from .saved import hooks as saving
from .storage import Sharing
from .tensor import Parameter, Tensor
from .views import AXES, DIAGONAL, ITEM, SHAPE, STRIDED, WINDOWS, link

Link = Callable[[Tensor, Any, dict[str, Any]], Any]  # (operand, result, arguments by name), gives the result


def _as_shape(x: Tensor, made: Tensor, given: dict[str, Any]) -> Any:
    shape = made._storage.payload.shape
    sharing = x._storage.shared
    is_whole = sharing.__class__ is not Sharing or sharing.is_plain()
    if cells.on_layout_used is not None:
        cells.on_layout_used(x, made)
    elif is_whole:
        return link(x, made, SHAPE, shape) if made._dtype is x._dtype else made
    if not views.takes_shape(x, shape):
        return made
    return link(x, made, SHAPE, shape) if made._dtype is x._dtype else made


def _as_order(order: Callable[[int, dict[str, Any]], Sequence[int]]) -> Link:
    """Of a function that orders axes anew, given here by the number of axes."""

    def linked(x: Tensor, made: Tensor, given: dict[str, Any]) -> Any:
        return link(x, made, AXES, tuple(order(len(x._storage.payload.shape), given)))

    return linked


def _transposed(rank: int, given: dict[str, Any]) -> Sequence[int]:
    order = given.get("perm")
    if "dim0" in given:
        return _exchanged(rank, int(given["dim0"]), int(given["dim1"]))
    if order is None:
        return range(rank)[::-1]
    if not isinstance(order, (list, tuple)) and not hasattr(order, "__iter__"):  # one by one: two are exchanged
        order = [order, *given["further"]]
        if len(order) == 2:
            return _exchanged(rank, int(order[0]), int(order[1]))
    found = [int(a) % rank for a in order]
    return [*found, *range(len(found), rank)]


def _permuted(rank: int, given: dict[str, Any]) -> Sequence[int]:
    order: Any = [*([] if given.get("dims") is None else [given["dims"]]), *given.get("axes", ())]
    order = order[0] if len(order) == 1 and isinstance(order[0], (list, tuple)) else order
    return _transposed(rank, {"perm": order})


def _swapped(rank: int, given: dict[str, Any]) -> Sequence[int]:
    if given.get("axis1") is None:
        return _transposed(rank, {"perm": given.get("axis0") if given.get("perm") is None else given["perm"]})
    return _exchanged(rank, int(given["axis0"]), int(given["axis1"]))


def _exchanged(rank: int, first: int, second: int) -> Sequence[int]:
    order = list(range(rank))
    order[first], order[second] = order[second], order[first]
    return order


def _moved(rank: int, given: dict[str, Any]) -> Sequence[int]:
    moved, places = ([a % rank for a in _ints(given[k])] for k in ("source", "destination"))
    rest = iter([k for k in range(rank) if k not in moved])
    target = dict(zip(places, moved, strict=True))
    return [target[k] if k in target else next(rest) for k in range(rank)]


def _ints(given: Any) -> list[int]:
    found = given.tolist() if hasattr(given, "tolist") else given
    return [int(v) for v in found] if isinstance(found, (list, tuple)) else [int(found)]


def _as_box(x: Tensor, made: Tensor, given: dict[str, Any]) -> Any:
    key: list[Any] = [slice(None)] * len(x._storage.payload.shape)
    steps = given.get("strides")
    bounds = [
        _listed(given["starts"]),
        _listed(given["ends"]),
        [None] * len(given["axes"]) if steps is None else _listed(steps),
    ]
    for axis, *bound in zip(given["axes"], *bounds, strict=True):
        key[int(axis)] = slice(*[views.plain_bound(b) for b in bound])
    return link(x, made, ITEM, tuple(key))


def _listed(given: Any) -> Any:
    if isinstance(given, Tensor):
        return [given[k] for k in range(int(given.shape[0]))] if given.ndim else [given]
    return given if isinstance(given, (list, tuple)) else [given]


def _narrowed(x: Tensor, made: Tensor, given: dict[str, Any]) -> Any:
    axis = int(given["dim"]) % len(x._storage.payload.shape)
    start, size = given["start"], x._storage.payload.shape[axis]
    start = int(start) if isinstance(start, Tensor) else start
    if type(start) is int and start < 0:
        start = start + size
    return link(x, made, ITEM, (*[slice(None)] * axis, slice(start, start + given["length"])))


def _unbound(x: Tensor, made: Any, given: dict[str, Any]) -> Any:
    axis = int(given.get("axis", 0)) % len(x._storage.payload.shape)
    for k, y in enumerate(made):
        link(x, y, ITEM, (*[slice(None)] * axis, k))
    return made


def _diagonal(x: Tensor, made: Tensor, given: dict[str, Any]) -> Any:
    return link(x, made, DIAGONAL, (given.get("offset", 0), given.get("axis1", 0), given.get("axis2", 1)))


def _strided(x: Tensor, made: Tensor, given: dict[str, Any]) -> Any:
    part = tuple(given["shape"]), tuple(given["stride"]), given.get("offset", 0)
    if cells.on_layout_used is not None:
        cells.on_layout_used(x, made)
    return link(x, made, STRIDED, part) if views.is_dense(x) else made


def _windows(x: Tensor, made: Tensor, given: dict[str, Any]) -> Any:
    axis = int(given["axis"]) % len(x._storage.payload.shape)
    return link(x, made, WINDOWS, (axis, int(given["size"]), int(given["step"])))


_LINKS: dict[str, Link] = {
    **dict.fromkeys(
        ("reshape", "reshape_as", "flatten", "ravel", "unflatten", "squeeze", "unsqueeze", "view", "view_as",
         "atleast_1d", "atleast_2d", "atleast_3d"), _as_shape,
    ),
    "transpose": _as_order(_transposed), "permute": _as_order(_permuted), "moveaxis": _as_order(_moved),
    "swapaxes": _as_order(_swapped), "swapdims": _as_order(_swapped),
    "t": _as_order(lambda rank, given: range(rank)[::-1]),
    "matrix_transpose": _as_order(lambda rank, given: _exchanged(rank, -1, -2)),
    "slice": _as_box, "strided_slice": _as_box, "narrow": _narrowed, "unbind": _unbound, "diagonal": _diagonal,
    "as_strided": _strided, "unfold": _windows,
}  # fmt: skip


def _viewing(name: str, fn: Any, call: Any) -> Any:
    """`call`, which is the function `fn` or a method that runs it, with views as results. Tools find `fn` as `row`."""
    linked, of_shape = _LINKS[name], _LINKS[name] is _as_shape
    named = names_of(fn)
    own, (parameters, rest) = named.own, _parameters(fn)
    spellings = [parameters[0], *(other for other, meant in own.items() if meant == parameters[0])]

    def in_full(*args: Any, **kwargs: Any) -> Any:
        if rest == parameters[0] and len(args) > 1:
            return [in_full(x, **kwargs) for x in args]
        x = args[0] if args else next((kwargs[p] for p in spellings if p in kwargs), None)
        if x.__class__ is not Tensor and x.__class__ is not Parameter:
            return call(*args, **kwargs)
        cell = x._storage
        alone = _NONE if cell.shared is False else _alone(cell)
        made = call(*args, **kwargs)
        if made is x or (made.__class__ is not Tensor and made.__class__ is not list):
            return made
        if of_shape:
            linked(x, made, kwargs)
        else:
            given = dict(zip(parameters, args, strict=False)) | {"further": args[len(parameters) :]}
            if kwargs or rest is not None:
                given |= {own.get(k, k): v for k, v in kwargs.items()}
            if rest is not None:
                given = dict(kwargs) | {rest: args[parameters.index(rest) :]}
            linked(x, made, given)
        sharing = cell.shared
        if alone is not None and sharing.__class__ is Sharing and sharing.parts:
            sharing.others = False  # `call` has shared the memory with the view alone
            for above in alone:
                above.others = False
        return made

    cuts, again = Cutting(name, in_full), EAGER.again

    def viewing(*args: Any, **kwargs: Any) -> Any:
        if not interpreters() and bottoms[0] is EAGER and not saving:
            made = again(cuts, args, kwargs)
            if made is not NotImplemented:
                return made
        return in_full(*args, **kwargs)

    doc = call.doc if isinstance(call, Op) else call.__doc__
    viewing.__name__, viewing.__qualname__, viewing.__doc__ = call.__name__, call.__qualname__, doc
    viewing.__signature__, viewing.row = signature(call), fn  # type: ignore[attr-defined]
    return viewing


_NONE: Sequence[Any] = ()


def _parameters(fn: Any) -> tuple[list[str], str | None]:
    if isinstance(fn, Op):
        return [*fn.operands, *fn.attrs], None
    found = signature(fn).parameters.values()
    return [p.name for p in found], next((p.name for p in found if p.kind is p.VAR_POSITIONAL), None)


def _alone(cell: Any) -> Sequence[Any] | None:
    """What says that nothing but views sees the memory of a cell, of those behind it; None if something else does."""
    found: list[Any] = []
    sharing = cell.shared
    while type(sharing) is Sharing:
        if sharing.others:
            return None
        found.append(sharing)
        sharing = False if sharing.cell is None else sharing.cell.shared
    return None if sharing else found


def attach() -> None:
    """Give Tensor the methods; safe to call again."""
    for name, fn in methods().items():
        if name in _LINKS:
            setattr(Tensor, name, _viewing(name, fn, vars(Tensor)[name]))


VIEWING: dict[str, Callable[..., Any]] = {
    name: _viewing(name, fn, fn) for name, fn in functions().items() if name in _LINKS
}  # the public functions among them
