"""Recording: one node per op on tensors that need gradients. The walk backward over the nodes is in backward.py.

A node keeps only the operands that its op's gradient rule reads; the others are placeholders with shape and dtype.
Edges lead to the nodes that made the operands, or to leaf tensors. Compiled programs and PyLayers are FunctionNodes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeAlias, Union

from ..base.dtype import DType
from ..base.errors import GradientError
from ..base.location import Loc
from ..ops.dispatch import bottoms, interpreters
from ..ops.op import OPS, OWN_OPS, Op
from . import storage as cells
from .hooks import HookTable
from .modes import is_recording
from .places import Place, loc_of, user_place
from .saved import Packed
from .saved import hooks as saving

Edge: TypeAlias = Union[tuple[Any, int], None]  # (Node or leaf Tensor, which of its outputs)

_new_node: Any = object.__new__
next_order = itertools.count(1).__next__


class UnreadOperand:
    """Stands for an operand whose elements a gradient rule doesn't read: shape and dtype only."""

    __slots__ = ("dtype", "shape")

    def __init__(self, dtype: DType, shape: Any) -> None:
        self.dtype = dtype
        self.shape = shape

    @property
    def ndim(self) -> int:
        return len(self.shape)


class Node:
    """One recorded step. `backward(grads)` gives one gradient (or None) per edge; None in `grads`: nothing arrived."""

    __slots__ = ("__weakref__", "edges", "hooks", "order", "place", "released", "retained", "specs")

    edges: tuple[Edge, ...]
    specs: tuple[UnreadOperand, ...]  # dtype and shape of each output
    hooks: dict[int, HookTable] | None  # output -> hooks on its gradient
    retained: dict[int, Any] | None  # output -> weak reference to the tensor whose .grad is wanted, key of later hooks
    order: int  # nodes made later have larger numbers: edges lead to smaller ones
    place: Place | None
    released: bool
    inner: Mapping[int, frozenset[int]] = MappingProxyType({})  # output -> those that the step computed from it

    @property
    def name(self) -> str:
        """What messages call the node."""
        raise NotImplementedError

    @property
    def loc(self) -> Loc:
        """The user's line that made it."""
        return loc_of(self.place)

    @property
    def kept(self) -> tuple[Any, ...]:
        """Tensors kept for backward."""
        return ()

    def backward(self, grads: tuple[Any, ...]) -> Sequence[Any]:
        raise NotImplementedError

    def release(self) -> None:
        """Drop what was kept for backward."""
        self.released = True

    def __repr__(self) -> str:
        return f"<node {self.name} at {loc_of(self.place).short()}>"


class NodeKind:
    """What the nodes of like calls have in common: op, attributes, types, and what the gradient rule reads of them.

    operands, specs: stand for operands and results whose elements the rule doesn't read. keep, keep_results: whether it
    reads them. rules: plans of the rule, by which gradients arrive and which are wanted, where the kind is used again
    (rule_stubs.py); None where it isn't.
    """

    __slots__ = ("attrs", "keep", "keep_results", "leads", "many", "op", "operands", "rules", "specs")

    def __init__(
        self, op: Op, attrs: dict[str, Any], operands: Sequence[UnreadOperand], results: Sequence[UnreadOperand], *,
        many: bool, integers: bool, again: bool,
    ) -> None:  # fmt: skip
        """integers: somebody asks for gradients of integers or bools. The rules of the rows say how these go on."""
        self.op, self.attrs, self.many = op, attrs, many
        self.keep_results, self.keep = values_read(op, len(operands))
        self.operands, self.specs = tuple(operands), tuple(results)
        self.leads = tuple([y.dtype.category >= 2 or integers for y in results])
        self.rules: dict[Any, Any] | None = {} if again and not integers else None

    @classmethod
    def of(cls, op: Op, attrs: dict[str, Any], inputs: Sequence[Any], outputs: Any, *, again: bool) -> NodeKind:
        """The kind of a call with these operands and results (a Tensor, or a tuple of several)."""
        many = type(outputs) is tuple
        integers = any(x._dtype.category < 2 and not x._stop for x in inputs)
        specs = [UnreadOperand(x._dtype, x._storage.payload.shape) for x in inputs]
        results = [UnreadOperand(y._dtype, y._storage.payload.shape) for y in (outputs if many else (outputs,))]
        return cls(op, attrs, specs, results, many=many, integers=integers, again=again)


@lru_cache(maxsize=4096)
def values_read(op: Op, count: int) -> tuple[bool, tuple[bool, ...]]:
    """`op.saved(count)`: whether the rule reads the results' elements, and those of which operands."""
    return op.saved(count)


class OpNode(Node):
    """One op call: its row's gradient rule and what that reads."""

    __slots__ = ("kind", "operands", "results", "versions")

    kind: NodeKind
    operands: tuple[Any, ...]  # Tensor, or UnreadOperand
    versions: tuple[int, ...]
    results: tuple[Any, ...] | None  # detached aliases of the outputs, when the rule reads them

    @property
    def op(self) -> Op:
        """The row."""
        return self.kind.op

    @property
    def attrs(self) -> dict[str, Any]:
        """Its attributes."""
        return self.kind.attrs

    @property
    def name(self) -> str:
        return self.kind.op.name

    def backward(self, grads: tuple[Any, ...]) -> Sequence[Any]:
        operands, results = self.operands, self.results
        for k, (x, version) in enumerate(zip(operands, self.versions, strict=True)):
            if type(x) is not UnreadOperand and x._storage.version != version:
                if not (self.kind.op.is_bilinear and self.edges[1 - k] is None):  # then nobody reads it
                    raise _stale(self, f"operand {k}", x._storage, version)
        ys: Any = self.specs
        if results is not None:
            for y in results:
                if y._storage.version != 0:
                    raise _stale(self, "result", y._storage, 0)
            ys = tuple(self._linked(y, k) for k, y in enumerate(results))
        active = interpreters()
        if active:
            if OPS.get(self.name) is self.op and self.name not in OWN_OPS:
                return active[-1].by_rule(self, grads, ys, operands)  # type: ignore[no-any-return]
        elif not is_recording():
            found = bottoms[0].rule_of(self, grads)
            if found is not NotImplemented:
                return found  # type: ignore[no-any-return]
        return self.by_rule(grads, ys, operands)

    def by_rule(self, grads: tuple[Any, ...], ys: Any, operands: tuple[Any, ...]) -> Sequence[Any]:
        """One gradient (or None) per operand, by the row's rule; `ys`: the results, or what stands for them."""
        vjp: Any = self.op.vjp
        if self.op.selective:
            wanted = tuple([edge is not None for edge in self.edges])
            return vjp(grads[0], ys[0], *operands, **self.attrs, wanted=wanted)  # type: ignore[no-any-return]
        if self.kind.many:
            return vjp(grads, ys, *operands, **self.attrs)  # type: ignore[no-any-return]
        return vjp(grads[0], ys[0], *operands, **self.attrs)  # type: ignore[no-any-return]

    @property
    def kept(self) -> tuple[Any, ...]:
        return tuple(x for x in (*self.operands, *(self.results or ())) if type(x) is not UnreadOperand)

    def _linked(self, result: Any, slot: int) -> Any:
        if cells.is_view(result._storage):
            alias = cells.alias_of_view(result)
        else:  # which nobody else gets to see
            alias = _new_node(type(result))
            alias._storage, alias._dtype = result._storage, result._dtype
        if alias.dtype.category >= 2:
            alias._stop, alias._node, alias._slot = False, self, slot
        return alias

    def release(self) -> None:
        self.released = True
        self.operands, self.results = (), None


class PackedNode(OpNode):
    """An op call under saved_tensors_hooks: what it keeps is packed, and unpacked for the time of its backward."""

    __slots__ = ()

    def pack(self) -> None:
        """Pack what is kept; called once, when the node has been attached."""
        self.operands = tuple(x if type(x) is UnreadOperand else Packed(x, place_of(x)) for x in self.operands)
        if self.results is not None:
            self.results = tuple(Packed(y, _no_place) for y in self.results)

    def backward(self, grads: tuple[Any, ...]) -> Sequence[Any]:
        kept = self.operands, self.results, self.versions
        self.operands = tuple(x.restore() if type(x) is Packed else x for x in kept[0])
        self.results = None if kept[1] is None else tuple(y.restore() for y in kept[1])
        self.versions = tuple(0 if type(x) is UnreadOperand else x._storage.version for x in self.operands)
        try:
            return super().backward(grads)
        finally:
            self.operands, self.results, self.versions = kept

    @property
    def kept(self) -> tuple[Any, ...]:
        return ()


def _no_place(alias: Any) -> None:
    """A result's alias: `OpNode._linked` gives it its place."""


def place_of(tensor: Any) -> Callable[[Any], None]:
    """A function that puts an alias of `tensor` where it stands in the graph."""
    edge = edge_of(tensor)

    def link(alias: Any) -> None:
        if edge is None:
            return
        if isinstance(edge[0], Node):
            alias._stop, alias._node, alias._slot = False, *edge
        else:
            record_function("saved tensor", [], [alias], lambda grads: grads, edges=[edge])

    return link


class FunctionNode(Node):
    """A step with a backward function of its own: a PyLayer, or a call of a compiled program."""

    __slots__ = ("fn", "label", "on_release")

    fn: Callable[[tuple[Any, ...]], Sequence[Any]] | None
    label: str
    on_release: Callable[[], None] | None

    @property
    def name(self) -> str:
        return self.label

    @property
    def inner(self) -> Mapping[int, frozenset[int]]:  # type: ignore[override]
        return getattr(getattr(self.fn, "__self__", None), "inner", Node.inner)

    def backward(self, grads: tuple[Any, ...]) -> Sequence[Any]:
        assert self.fn is not None
        return self.fn(grads)

    def release(self) -> None:
        self.released = True
        self.fn = None
        if self.on_release is not None:
            self.on_release()
            self.on_release = None


def edge_of(tensor: Any) -> Edge:
    """Where the gradient of `tensor` goes: nowhere, to the node that made it, or to the leaf itself."""
    if tensor._stop:
        return None
    node = tensor._node
    return (tensor, 0) if node is None else (node, tensor._slot)


def record(op: Op, inputs: Sequence[Any], outputs: Any, attrs: dict[str, Any]) -> None:
    """Put one op call on the tape. Call it only when gradients are recorded and some input needs one.

    `inputs` and `outputs` (a Tensor, or a tuple for several results) are Tensors; the outputs are fresh.
    """
    record_as(NodeKind.of(op, attrs, inputs, outputs, again=False), inputs, outputs)


def record_as(kind: NodeKind, inputs: Sequence[Any], outputs: Any) -> None:
    """`record` for a call whose kind is known."""
    node = _new_node(PackedNode if saving else OpNode)
    node.kind = kind
    if len(inputs) == 2:  # the usual numbers of operands, without lists
        x, y = inputs
        keeps_x, keeps_y = kind.keep
        spec_x, spec_y = kind.operands
        node.operands = x if keeps_x else spec_x, y if keeps_y else spec_y
        node.versions = x._storage.version if keeps_x else 0, y._storage.version if keeps_y else 0
        node.edges = (
            None if x._stop else (x, 0) if x._node is None else (x._node, x._slot),
            None if y._stop else (y, 0) if y._node is None else (y._node, y._slot),
        )
    elif len(inputs) == 1:
        x = inputs[0]
        node.operands = (x,) if kind.keep[0] else kind.operands
        node.versions = (x._storage.version,)
        node.edges = (None if x._stop else (x, 0) if x._node is None else (x._node, x._slot),)
    else:
        kept = list(zip(inputs, kind.keep, kind.operands, strict=True))
        node.operands = tuple([x if keeps else spec for x, keeps, spec in kept])
        node.versions = tuple([x._storage.version for x in inputs])
        node.edges = tuple([edge_of(x) for x in inputs])
    node.specs = kind.specs
    node.order = next_order()
    node.place = user_place()
    node.hooks = node.retained = None
    node.released = False
    if kind.many:
        node.results = tuple([y.detach() for y in outputs]) if kind.keep_results else None
        for k, y in enumerate(outputs):
            if kind.leads[k]:
                y._stop, y._node, y._slot = False, node, k
    else:
        if kind.keep_results:
            alias = _new_node(type(outputs))
            alias._storage, alias._dtype = outputs._storage, outputs._dtype
            node.results = (alias,)
        else:
            node.results = None
        if kind.leads[0]:
            outputs._stop, outputs._node, outputs._slot = False, node, 0
    if saving:
        node.pack()


def record_function(
    label: str,
    inputs: Sequence[Any],
    outputs: Sequence[Any],
    backward: Callable[[tuple[Any, ...]], Sequence[Any]],
    *,
    on_release: Callable[[], None] | None = None,
    edges: Sequence[Edge] | None = None,
    place: Place | None = None,
) -> FunctionNode:
    """Put a step with its own backward on the tape and return its node.

    `backward(grads)`: one gradient or None per output -> one gradient or None per input. It may be called again when
    the graph is retained; `on_release` is called when the graph is freed. `edges`: edge_of(input) taken earlier;
    `place`: the user's place, if that is known.
    """
    node = FunctionNode.__new__(FunctionNode)
    node.label, node.fn, node.on_release = label, backward, on_release
    if edges is None:  # `edge_of`, written out for the many parameters of a compiled network
        edges = [
            None if x._stop else (x, 0) if (maker := x._node) is None else (maker, x._slot) for x in inputs
        ]  # fmt: skip
    node.edges = tuple(edges)
    attach(node, outputs, place)
    return node


def attach(node: Node, outputs: Sequence[Any], place: Place | None = None) -> None:
    """Make `node` the maker of `outputs`; place: where the user asked for them, if that is known."""
    node.specs = specs_of(outputs)
    node.order = next_order()
    node.place = user_place() if place is None else place
    node.hooks = node.retained = None
    node.released = False
    for slot, y in enumerate(outputs):
        if y._dtype.category >= 2:
            if y._stop or cells.on_stop is not None:
                y.stop_gradient = False
            y._node = node
            y._slot = slot


def specs_of(outputs: Sequence[Any]) -> tuple[UnreadOperand, ...]:
    """Dtype and shape of each output."""
    return tuple([UnreadOperand(y._dtype, y._storage.payload.shape) for y in outputs])


def check_version(storage: Any, version: int, what: str, place: Place | None) -> None:
    """GradientError if a tensor saved by a PyLayer or a program was overwritten since."""
    if storage.version != version:
        raise _overwritten(what, loc_of(place).excerpt(), storage, version)


def _stale(node: Node, which: str, storage: Any, version: int) -> GradientError:
    return _overwritten(f"{which} of {node.name}", loc_of(node.place).excerpt(), storage, version)


def _overwritten(what: str, used: str, storage: Any, version: int) -> GradientError:
    written = loc_of(cells.root_of(storage).place).excerpt()
    lines = [f"the gradient needs the {what}, which was overwritten in place: "]
    lines[0] += f"received tensor_version:{storage.version} != wrapper_version_snapshot:{version}"
    lines += [f"  it was used here\n{used}"] if used else []
    lines += [f"  and overwritten here\n{written}"] if written else []
    return GradientError("\n".join(lines), remedy="use the form that makes a new tensor, or write to a clone()")
