"""One program becomes two: forward, which also returns what backward needs, and backward, from there to gradients.

A compiled function called from eager code is one node of the tape with these two programs. Lists can't leave a program:
where the gradient of a loop needs the lists that its iterations filled, the backward program runs that loop again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.dtype import bool_
from ...ir.builder import Builder
from ...ir.core import Block, Operation, Program, Value, is_list
from ...ir.dynamic_sizes import mentioned, told_by
from ...ir.facts import bound_symbols
from ...ir.walk import clone_operation, clone_program, walk
from ...ops.dims import deciding
from ...ops.effects import Effect
from ...ops.op import OPS
from ...ops.sizes import any_issued, freshened, is_plain, runtime_names
from ...ops.types import TensorType
from ..algebra.dce import DeadCode
from ..fusion.match_attention import MatchAttention
from .block_vjps import vjp_block
from .presence import Dependence, links_of
from .prune import bytes_of, plan
from .residual_lists import keep_lists
from .residuals import needs_of, redirect
from .reverse import Arrived, by_constraints, carries_gradient, inputs_of
from .size_values import fitted, tell_sizes


@dataclass(frozen=True, slots=True)
class Residual:
    """Where the array for one feed of the backward program comes from.

    kind "argument": argument `index` (feeds, then state) of the forward program, as it was before the call;
    "fetch": fetch `index` of the forward program.
    """

    kind: str
    index: int


@dataclass(frozen=True, slots=True)
class Differentiated:
    """A forward program, whose first `fetches` fetches are the user's, and its backward program.

    backward's feeds: one array per entry of `residuals`, then one gradient per entry of `seeds` (numbers of user
    fetches that can carry one), then, if it `asks`, one bool per entry of `seeds`: whether a gradient arrived. Its
    fetches: gradients of the arguments numbered in `gradients` (feeds, then state), then bools.
    links: for each of `gradients`, whether it comes from each of `seeds`, NEVER or ALWAYS; or, where a branch or a loop
    decides, the number of the fetch of `backward` that tells whether there is a gradient.
    lists: the residuals that are handles of lists in Python (residual_lists.py), to be dropped with the run.
    """

    forward: Program
    backward: Program
    fetches: int
    residuals: tuple[Residual, ...]
    seeds: tuple[int, ...]
    gradients: tuple[int, ...]
    links: tuple[tuple[Dependence, ...] | int, ...]
    lists: tuple[int, ...] = ()
    asks: bool = False

    def told(self, arrived: Iterable[bool]) -> list[Any]:
        """What the backward program takes besides gradients: for each of `seeds`, whether one arrived."""
        return [np.asarray(there) for there in arrived] if self.asks else []


def differentiate(program: Program, wrt: Sequence[int], *, fuse: bool = True) -> Differentiated:
    """Forward and backward programs for the arguments numbered in `wrt` (feeds, then state). `program` stays as it is.

    fuse: attention becomes one row, which rounds otherwise than its parts. Arguments without a path to a float fetch
    are missing from `gradients`.
    Errors: GradientError where a loop with a Python callback keeps what has a size that only a run knows.
    """
    forward = clone_program(program)
    if fuse:
        MatchAttention().run(forward)  # its gradient keeps no scores
    backward = Program(f"{program.name}.backward", constraints=list(program.constraints))
    outputs = list(forward.fetches)
    seeds = [k for k, v in enumerate(outputs) if carries_gradient(v)]
    builder = Builder(backward.body)
    builder.loc = forward.body.terminator.loc
    arguments = [forward.body.args[k] for k in wrt]
    linked = links_of(forward.body, arguments)
    rows = [tuple(linked(k, outputs[j]) for j in seeds) for k in range(len(arguments))]
    asks = len(seeds) > 1 and any(Dependence.SOMETIMES in row for row in rows)
    with deciding(by_constraints(program.constraints)), builder.active():
        fed = [backward.add_feed(f"gradient{k}", freshened(outputs[k].tensor_type)) for k in seeds]
        there = [backward.add_feed(f"there{k}", TensorType(bool_, ())) if asks else None for k in seeds]
        fits = [fitted(value, outputs[k].type) for value, k in zip(fed, seeds, strict=True)]
        given = [Arrived(g, flag) for g, flag in zip(fits, there, strict=True)]
        grads = vjp_block(builder, [outputs[k] for k in seeds], given, arguments, block=forward.body)
    found = [(k, a, row) for k, a, row in zip(wrt, grads, rows, strict=True) if a is not None]
    links, flags = _links([(a, row) for _, a, row in found])
    builder.return_([*(a.gradient for _, a, _ in found), *flags])
    names = [f"gradient of {_argument_name(program, k)}" for k, _, _ in found]
    told = [name for name, link in zip(names, links, strict=True) if isinstance(link, int)]
    backward.fetch_names = [*names, *(f"whether there is a {name}" for name in told)]
    handles = keep_lists(forward, backward)
    residuals = _connect(forward, backward)
    kept = {forward.fetches.index(v) for v in handles}
    lists = tuple(k for k, r in enumerate(residuals) if r.kind == "fetch" and r.index in kept)
    DeadCode().run(forward)
    DeadCode().run(backward)
    for operation in walk(backward.body):  # what only fits types together belongs to where the gradients come from
        operation.loc = operation.loc if operation.loc.file else builder.loc
    return Differentiated(
        forward, backward, len(outputs), residuals, tuple(seeds), tuple(k for k, *_ in found), links, lists, asks
    )


def _links(
    found: Sequence[tuple[Arrived, tuple[Dependence, ...]]],
) -> tuple[tuple[tuple[Dependence, ...] | int, ...], list[Value]]:
    """How each gradient depends on what arrives, and the bools that the backward program gives besides gradients."""
    flags: list[Value] = []
    links: list[tuple[Dependence, ...] | int] = []
    for arrived, row in found:
        if Dependence.SOMETIMES not in row or arrived.there is None:
            links.append(tuple(Dependence.NEVER if d is Dependence.NEVER else Dependence.ALWAYS for d in row))
            continue
        links.append(len(found) + len(flags))
        flags.append(arrived.there)
    return tuple(links), flags


def _argument_name(program: Program, k: int) -> str:
    return [*program.feeds, *(entry.name for entry in program.state)][k]


def _connect(forward: Program, backward: Program) -> tuple[Residual, ...]:
    """Give the backward program feeds for what it reads of the forward program, or operations that compute it again."""
    prelude = Block()
    mapping: dict[Value, Value] = {}
    repeated = _repeated_loops(forward, backward)
    inside = {r for o in repeated for r in o.results}
    if any_issued():
        read = [v for v in needs_of(forward.body, backward.body) if v not in inside and not is_list(v)]
        tell_sizes(forward.body, backward.body, read, inside)
    needs = dict.fromkeys(v for v in needs_of(forward.body, backward.body) if v not in inside)
    needs.update((v, None) for o in repeated for v in inputs_of(o) if v not in inside)
    decided = plan(forward.body, list(needs), free={*forward.body.args, *forward.fetches, *inside})
    recomputed = [*decided.recomputed, *repeated]
    fed = dict.fromkeys(v for v in needs if v.block is forward.body)
    fed.update((v, None) for o in recomputed for v in inputs_of(o))
    made = {r for o in recomputed for r in o.results}
    sources = [v for v in fed if v not in made]
    sources += _size_sources(forward, backward, sources)
    updated = {o.operands[0] for o in forward.body.operations if o.op.effect is Effect.STATE}
    residuals = tuple(_residual(forward, v, updated) for v in sources)
    wanted = set(recomputed)
    again = [o for o in forward.body.operations if o in wanted]
    told = _told(again, inside) if any_issued() else set()
    shaped = _add_feeds(backward, sources, mapping, told)
    for operation in again:
        prelude.append(clone_operation(operation, mapping))
    for value, known in mapping.items():
        redirect(value, known, backward.body)
    binds = [o for o in backward.body.operations if o.name == "bind_size"] if any_issued() else []
    rest = [o for o in backward.body.operations if o not in binds] if binds else backward.body.operations
    backward.body.operations = [*binds, *_once_known(shaped, prelude.operations, told), *rest]
    for operation in backward.body.operations:
        operation.parent = backward.body
    return residuals


def _told(again: Sequence[Operation], inside: Collection[Value]) -> set[str]:
    """Sizes that loops among the repeated operations tell, and nothing that is repeated before them names."""
    named: set[str] = set()
    told: set[str] = set()
    for operation in again:
        own = set(told_by([r for r in operation.results if r in inside]))
        given = {name for v in inputs_of(operation) for name in runtime_names(v.type)}
        told |= own - named - given
        named |= mentioned(operation) | own | given
    return told


def _once_known(shaped: list[Operation], repeated: list[Operation], told: Collection[str]) -> list[Operation]:
    """`shaped`, then `repeated`; but what names a size that a repeated loop tells stands behind that loop."""
    waiting = {o: mentioned(o) & set(told) for o in shaped}
    order = [o for o in shaped if not waiting[o]]
    for operation in repeated:
        order.append(operation)
        known = told_by(operation.results).keys()
        for late in [o for o in shaped if waiting[o]]:
            waiting[late] -= known
            if not waiting[late]:
                order.append(late)
    return order


def _repeated_loops(forward: Program, backward: Program) -> list[Operation]:
    """Operations of the forward body whose lists the backward program reads, and those that make their lists."""
    found: dict[Operation, None] = {}
    stack = [v for v in needs_of(forward.body, backward.body) if is_list(v)]
    while stack:
        operation = stack.pop().operation
        if operation is None or operation in found:
            continue
        found[operation] = None
        stack.extend(v for v in inputs_of(operation) if is_list(v))
    return [o for o in forward.body.operations if o in found]


def _size_sources(forward: Program, backward: Program, sources: Sequence[Value]) -> list[Value]:
    """Arguments that tell the sizes which the backward program's arguments don't."""
    known = bound_symbols(v.type for v in (*sources, *backward.body.args))
    extra: list[Value] = []
    for value in sorted(forward.body.args, key=bytes_of):
        new = bound_symbols([value.type]) - known
        if new:
            extra.append(value)
            known |= new
    return extra


def _residual(forward: Program, value: Value, updated: Collection[Value]) -> Residual:
    """The forward fetch or argument (none of those that are `updated`) that holds a value; a new fetch if none does."""
    if value in forward.body.args and value not in updated:
        return Residual("argument", value.index)
    return Residual("fetch", _fetch(forward, value))


def _fetch(forward: Program, value: Value) -> int:
    """The fetch with a value; a new one where there is none."""
    fetches = forward.fetches
    if value not in fetches:
        forward.body.terminator.add_operand(value)
        if forward.fetch_names:
            forward.fetch_names.append(f"residual{len(fetches)}")
    return forward.fetches.index(value)


def _add_feeds(
    backward: Program, sources: Sequence[Value], mapping: dict[Value, Value], told: Collection[str]
) -> list[Operation]:
    """Feeds for the residuals, before the gradients' feeds; operations that give some of them their types.

    told: sizes that repeated loops tell; a feed that told them as well would define them twice.
    """
    shaped: list[Operation] = []
    gradients = list(backward.feeds), list(backward.body.args)
    backward.feeds = [f"residual{k}" for k in range(len(sources))] + gradients[0]
    backward.body.set_args([])
    for value in sources:
        kind = value.tensor_type
        if all((is_plain(d) and str(d) not in told) or not runtime_names(d) for d in kind.shape):
            mapping[value] = backward.body.add_arg(kind, value.hint)
            continue
        feed = backward.body.add_arg(freshened(kind), value.hint)
        shaped.append(Operation(OPS["reshape"], [feed], {"shape": kind.shape}, [kind]))
        mapping[value] = shaped[-1].result
    backward.body.set_args([*backward.body.args, *gradients[1]])
    return shaped
