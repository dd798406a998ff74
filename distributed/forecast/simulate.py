"""`simulate`: time, memory and traffic of a training step on as many ranks as one likes, without running them.

One rank runs, for real, with exchanges that give arrays of the right form at once: it stands for all that do the same.
Ranks that it sends to or receives from run as well: the other stages of a pipeline. A virtual clock then puts what they
computed, as measured, and what they exchanged, by the model of the network, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from ...base.errors import ArgumentError, KindError
from ...dygraph.tensor import Tensor
from ...jit.api import to_static
from ...jit.function import StaticFunction
from ...ops.exchange import with_transport
from ..exchanges import all_reduce_of
from ..mpi_calls import SMALL
from ..simulator import Simulator
from ..strategy import init as init_fleet
from .network import FIXED, Network
from .network import network as chosen_network
from .outlook import Forecast, RankMemory, forecast
from .recording import COMPUTE, Act, Recording, Trace, places_of, typical
from .symbolic import Symbolic

MOST_ROLES = 64
WARM = 2  # calls before those that are measured: capture, compilation, states that the first call makes


@dataclass(frozen=True, slots=True)
class _Walked:
    """What one rank did in a step, and what it holds."""

    trace: Trace
    memory: RankMemory


def simulate(
    step: Callable[..., Any], *inputs: Any, ranks: int, network: Network | str = "10GbE", strategy: Any = None,
    calls: int = 5, speed: float = 1.0, times: Mapping[str, float] | None = None,
) -> Forecast:  # fmt: skip
    """Predict a training step on `ranks` ranks: its time, each rank's memory, and the traffic.

    step: a function that makes the model on its rank, as for `run_ranks`, and returns the step with its inputs:
    `(step, x, y)`; it is called with `inputs`. Whatever strategy it uses (`DataParallel`, a fleet, a pipeline) is
    predicted. Or a captured training step of one rank, with example `inputs`: then the step is predicted with the
    gradients of its parameters averaged, as `DataParallel` does. inputs are those of one rank. The step runs `calls`
    times (and twice before) on this machine; the median of what it computes counts, divided by `speed` for ranks that
    are so many times as fast. network: a Network, or a name ("10GbE", "100GbE", "infiniband", "shared memory").
    strategy: a fleet.DistributedStrategy for which `fleet.init` is called before the function that makes the model: its
    `fleet.distributed_model` and `fleet.distributed_optimizer` then follow it, so one function serves all strategies.
    times: those of another prediction (`.timeline.times`), to compare both with the same computing.
    Parameters and states are afterwards as before. Values that come from other ranks are made up.
    Errors: ArgumentError for fewer than one rank or call, for a step without a parameter to train, and for one that
    exchanges with more than 64 kinds of ranks; KindError where `step` or what it returns isn't callable, and for a
    strategy beside a captured step, whose optimizer is chosen already.

    >>> import vitrify as vt
    >>> def make():
    ...     net = vt.DataParallel(vt.nn.Linear(64, 64))
    ...     optimizer = vt.optimizer.SGD(0.1, parameters=net.parameters())
    ...     @vt.to_static
    ...     def step(x):
    ...         net(x).mean().backward()
    ...         optimizer.step()
    ...         optimizer.clear_grad()
    ...     return step, vt.ones([8, 64])
    >>> predicted = simulate(make, ranks=1024, network="10GbE")
    >>> predicted.memory.parameters, predicted.roles[0].exchanges, predicted.seconds > predicted.computing
    (16640, 1, True)
    """
    chosen = chosen_network(network)
    _check(step, ranks, calls, speed)
    if isinstance(step, StaticFunction):
        if strategy is not None:
            raise KindError("simulate: a strategy needs a function that makes the model; this step is made already",
                            remedy="give a function that uses fleet.distributed_model and fleet.distributed_optimizer, "
                            "and returns `step, x, y`")  # fmt: skip
        with _averaging(step, inputs) as made:
            walked = {0: _walk(lambda: (made, *inputs), 0, ranks, calls, chosen)}
    else:
        walked = _all_roles(lambda: _with_strategy(strategy, step, inputs), ranks, calls, chosen)
    measured = {rank: _by_step(w.trace) for rank, w in walked.items()}
    known = {**{k: v for found in measured.values() for k, v in found.items()}, **(times or {})}
    traces = [_timed(w.trace, known, speed) for w in walked.values()]
    return forecast(ranks, chosen, traces, [w.memory for w in walked.values()], known)


def _check(step: Any, ranks: int, calls: int, speed: float) -> None:
    if not callable(step):
        raise KindError(f"simulate needs a function, not a {type(step).__name__}",
                        remedy="give a captured step and its inputs, or a function that returns both")  # fmt: skip
    for name, number, least in (("ranks", ranks, 1), ("calls", calls, 1)):
        if number < least:
            raise ArgumentError(f"simulate: {name} has to be at least {least}, not {number}")
    if not speed > 0:
        raise ArgumentError(f"simulate: speed has to be positive, not {speed}")


def _with_strategy(strategy: Any, make: Callable[..., Any], inputs: Sequence[Any]) -> Any:
    if strategy is not None:
        init_fleet(strategy=strategy)
    return make(*inputs)


def _all_roles(make: Callable[[], Any], ranks: int, calls: int, chosen: Network) -> dict[int, _Walked]:
    """Rank 0, and all that it or they send to or receive from."""
    walked: dict[int, _Walked] = {}
    left = [0]
    while left:
        rank = left.pop(0)
        walked[rank] = found = _walk(make, rank, ranks, calls, chosen)
        partners = {
            a.parcel.group[a.parcel.peer]
            for a in found.trace.acts
            if a.parcel is not None and a.parcel.peer is not None
        }
        left += sorted(partners - walked.keys() - set(left))
        if len(walked) + len(left) > MOST_ROLES:
            raise ArgumentError(
                f"simulate: more than {MOST_ROLES} ranks send to each other, so no few of them stand for all",
                remedy="use run_timed, which runs every rank, or exchanges of groups",
            )
    return walked


def _walk(make: Callable[[], Any], rank: int, ranks: int, calls: int, chosen: Network) -> _Walked:
    """Run the step on one rank that stands for others."""

    def live() -> _Walked:
        recording = Recording(Symbolic(rank, ranks))
        with with_transport(recording):
            made = make()
            step, *inputs = made if isinstance(made, tuple) else (made,)
            if not callable(step):
                raise KindError(f"simulate: the function returned a {type(step).__name__}, not a step",
                                remedy="return the step and its inputs: `return step, x, y`")  # fmt: skip
            for _ in range(WARM):
                step(*inputs)
            traces = []
            for _ in range(calls):
                recording.begin()
                step(*inputs)
                traces.append(recording.end())
            trace = typical(traces)
            return _Walked(trace, _memory_of(step, inputs, trace, chosen))

    (found,) = Simulator(1).run(live, (), {})
    walked: _Walked = found
    return walked


def _by_step(trace: Trace) -> dict[str, float]:
    """Seconds of computing by where in a rank's step it is."""
    return {key: act.seconds for key, act in zip(_keys(trace), trace.acts, strict=True) if act.kind == COMPUTE}


def _keys(trace: Trace) -> list[str]:
    return [f"{k}, {name}" for k, name in enumerate(places_of(trace))]


def _timed(trace: Trace, times: Mapping[str, float], speed: float) -> Trace:
    acts = [
        replace(act, seconds=times[key] / speed) if act.kind == COMPUTE else act
        for key, act in zip(_keys(trace), trace.acts, strict=True)
    ]
    return Trace(trace.rank, acts)


# ---- memory


def _memory_of(step: Any, inputs: Sequence[Any], trace: Trace, chosen: Network) -> RankMemory:
    exchange = max((_taken(act, chosen) for act in trace.acts), default=0)
    given = sum(_bytes(x) for x in inputs if isinstance(x, Tensor))
    entries = step.program_cache if isinstance(step, StaticFunction) else ()
    if not entries:
        return RankMemory(inputs=given, exchange=exchange)
    state = {id(s.tensor): s for s in entries[-1].trace.state if isinstance(s.tensor, Tensor)}.values()
    parameters = sum(_bytes(s.tensor) for s in state if s.role == "parameter")
    states = sum(_bytes(s.tensor) for s in state if s.role != "parameter")
    cost = step.cost()
    shapes = tuple(tuple(x.shape) for x in inputs if isinstance(x, Tensor))
    if cost.symbols and len(shapes) == len(entries[-1].trace.inputs.leaves):
        cost = cost.at(**(entries[-1].sizes_for(shapes) or {}))
    peak = cost.peak if isinstance(cost.peak, int) else None
    return RankMemory(parameters, states, given, peak, exchange)


def _bytes(tensor: Tensor) -> int:
    return int(tensor.size) * tensor.dtype.itemsize


def _taken(act: Act, chosen: Network) -> int:
    """What our transport takes for an exchange besides its operand and its result."""
    parcel = act.parcel
    if parcel is None or parcel.name != "all_reduce" or chosen.algorithm != FIXED or len(parcel.group) < 2:
        return 0
    return parcel.bytes * len(parcel.group) if parcel.bytes <= SMALL else 3 * parcel.bytes


# ---- a step of one rank


@contextmanager
def _averaging(step: StaticFunction, inputs: Sequence[Any]) -> Iterator[StaticFunction]:
    """The step with its gradients averaged; what it wrote is taken back at the end."""
    found = step.get_concrete_program(*inputs)[0].trace
    trained = [s.tensor for s in found.state if s.role == "parameter" and not s.tensor.stop_gradient]
    if not trained:
        raise ArgumentError("simulate: the step trains no parameter, so its ranks exchange nothing",
                            remedy="give a training step, or a function that makes the model and the step")  # fmt: skip
    held = [(s.tensor, s.tensor.numpy().copy()) for s in found.state if isinstance(s.tensor, Tensor)]
    handles = [p.register_hook(_averaged) for p in trained]
    try:
        yield to_static(step.dygraph_function)
    finally:
        for handle in handles:
            handle.remove()
        for tensor, value in held:
            tensor.set_value(value)


def _averaged(gradient: Any) -> Any:
    return all_reduce_of(gradient, "mean")
