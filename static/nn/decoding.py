"""Decoding until every sequence has ended: `StepDecoder` (Paddle: `Decoder`), `BeamSearchDecoder`, `dynamic_decode`.

The loop is a while loop of the program where it is captured: how many steps there are is the data's business. Source of
the interface: PaddlePaddle's nn/decode; beam search keeps the `beam_size` best prefixes and finds the paths at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...base.dtype import int64
from ...base.errors import ArgumentError, KindError, MissingError
from ...base.pytree import flatten, map_leaves, unflatten
from ...dygraph.tensor import Tensor
from ...jit.converters.stdlib.run_lists.lists import whole
from ...jit.converters.while_loop import while_loop as traced_while
from ...jit.trace.tracer import active
from ...ops import functions
from ..cond_while import deciding_sizes

FAR = 1e9  # the log probability of what can't be chosen is minus this
F = functions()


def _leaf(value: Any) -> bool:
    return isinstance(value, Tensor)


def _each(fn: Callable[[Any], Any], nest: Any) -> Any:
    return map_leaves(fn, nest, _leaf)


class StepDecoder:
    """What `dynamic_decode` calls: subclasses say how decoding begins, what a step is, and how it ends.

    `initialize(inits)` returns (inputs, states, finished), `step(time, inputs, states)` returns (outputs, states, next
    inputs, finished); `finalize(outputs, states, lengths)` may be left out.

    >>> StepDecoder().tracks_own_finished
    False
    """

    is_state = True  # of the user's: the cell and the functions in it may have state

    def initialize(self, inits: Any) -> tuple[Any, Any, Any]:
        """First inputs, first states, and a bool tensor that says which sequences have ended."""
        raise NotImplementedError

    def step(self, time: Any, inputs: Any, states: Any, **kwargs: Any) -> tuple[Any, Any, Any, Any]:
        """Outputs, states, inputs of the next step, and which sequences have ended."""
        raise NotImplementedError

    def finalize(self, outputs: Any, final_states: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """Outputs and states of the whole decoding, from the outputs of all steps, stacked on axis 0."""
        raise NotImplementedError

    @property
    def tracks_own_finished(self) -> bool:
        """Whether `finished` of a step is all there is to know: sequences that change places know it themselves."""
        return False


class BeamSearchDecoder(StepDecoder):
    """The `beam_size` likeliest sequences that a cell generates.

    cell: called with inputs [batch * beam, ...] and states, returns outputs and states. embedding_fn makes inputs of
    tokens int64[batch, beam]; output_fn makes scores [batch, beam, vocabulary] of the cell's outputs.

    >>> import vitrify as vt
    >>> cell = vt.nn.GRUCell(4, 4)
    >>> decoder = vt.nn.BeamSearchDecoder(cell, 0, 1, 2, vt.nn.Embedding(6, 4), vt.nn.Linear(4, 6))
    >>> ids, states = vt.nn.dynamic_decode(decoder, vt.zeros([3, 4]), max_step_num=5)
    >>> ids.shape[::2]
    [3, 2]
    """

    class OutputWrapper(NamedTuple):
        """What a step gives: [batch, beam] each."""

        scores: Any
        predicted_ids: Any
        parent_ids: Any

    class StateWrapper(NamedTuple):
        """What goes from step to step: the cell's states, and [batch, beam] each."""

        cell_states: Any
        log_probs: Any
        finished: Any
        lengths: Any

    def __init__(
        self, cell: Any, start_token: int, end_token: int, beam_size: int, embedding_fn: Any = None,
        output_fn: Any = None,
    ) -> None:  # fmt: skip
        if not callable(cell):
            raise KindError(f"BeamSearchDecoder: the cell must be callable, not a {type(cell).__name__}")
        if not isinstance(beam_size, int) or beam_size < 1:
            raise ArgumentError(f"BeamSearchDecoder: beam_size must be at least 1, got {beam_size!r}")
        self.cell = cell
        self.embedding_fn = embedding_fn
        self.output_fn = output_fn
        self.start_token = start_token
        self.end_token = end_token
        self.beam_size = beam_size

    @staticmethod
    def tile_beam_merge_with_batch(x: Any, beam_size: int) -> Any:
        """[batch, ...] as [batch * beam_size, ...], each row `beam_size` times.

        >>> import vitrify as vt
        >>> BeamSearchDecoder.tile_beam_merge_with_batch(vt.to_tensor([1, 2]), 2).tolist()
        [1, 1, 2, 2]
        """
        return F["repeat_interleave"](x, beam_size, 0)

    def _spread(self, x: Any) -> Any:
        """[batch, ...] as [batch, beam, ...]."""
        return F["expand"](F["unsqueeze"](x, [1]), [x.shape[0], self.beam_size, *x.shape[1:]])

    def _merge(self, x: Any) -> Any:
        return F["reshape"](x, [-1, *x.shape[2:]])

    def _split(self, x: Any) -> Any:
        return F["reshape"](x, [-1, self.beam_size, *x.shape[1:]])

    def _embedded(self, tokens: Any) -> Any:
        return self.embedding_fn(tokens) if self.embedding_fn else tokens

    def initialize(self, inits: Any) -> tuple[Any, Any, Any]:
        """Inputs of start tokens; states of which only a sample's first beam can be chosen; nothing has ended."""
        batch = flatten(inits, _leaf)[0][0].shape[0]
        shape = [batch, self.beam_size]
        first = F["arange"](self.beam_size) == 0
        log_probs = F["expand"](F["where"](first, F["zeros"]([1]), F["full"]([1], -FAR)), shape)
        finished = F["full"](shape, False, "bool")
        states = self.StateWrapper(_each(self._spread, inits), log_probs, finished, F["zeros"](shape, int64))
        return self._embedded(F["full"](shape, self.start_token, int64)), states, finished

    def step(self, time: Any, inputs: Any, states: Any, **kwargs: Any) -> tuple[Any, Any, Any, Any]:
        """Scores and tokens of the best beams, and which beam each goes on from."""
        cell_states = _each(self._merge, states.cell_states)
        outputs, cell_states = self.cell(_each(self._merge, inputs), cell_states, **kwargs)
        logits = _each(self._split, outputs)
        logits = logits if self.output_fn is None else self.output_fn(logits)
        chosen, new = self._choose(logits, _each(self._split, cell_states), states)
        return chosen, new, self._embedded(chosen.predicted_ids), new.finished

    def _choose(self, logits: Any, cell_states: Any, states: Any) -> tuple[Any, Any]:
        vocabulary = logits.shape[-1]
        end = F["arange"](vocabulary) == self.end_token
        ended_only = F["where"](end, F["zeros"]([1], logits.dtype), F["full"]([1], -FAR, logits.dtype))
        log_probs = F["log"](F["softmax"](logits, -1))
        log_probs = F["where"](F["unsqueeze"](states.finished, [2]), ended_only, log_probs)
        log_probs = log_probs + F["unsqueeze"](states.log_probs, [2])
        scores, places = F["topk"](F["reshape"](log_probs, [-1, self.beam_size * vocabulary]), self.beam_size)
        parents, tokens = places // vocabulary, places % vocabulary

        def of_parents(x: Any) -> Any:
            index = F["reshape"](parents, [*parents.shape, *[1] * (x.ndim - 2)])
            return F["take_along_axis"](x, F["expand"](index, x.shape), 1)

        ended = of_parents(states.finished)
        lengths = of_parents(states.lengths) + F["cast"](F["logical_not"](ended), int64)
        ended = F["logical_or"](ended, tokens == self.end_token)
        output = self.OutputWrapper(scores, tokens, parents)
        return output, self.StateWrapper(_each(of_parents, cell_states), scores, ended, lengths)

    def finalize(self, outputs: Any, final_states: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """Tokens int64[time, batch, beam], followed back from the last step."""
        paths = _Paths(outputs.predicted_ids, outputs.parent_ids)
        _repeat(paths.goes_on, paths.step, paths.get, paths.put, ("time", "beams", "tokens"))
        return F["flip"](_stacks(paths.tokens)[0], [0]), final_states

    @property
    def tracks_own_finished(self) -> bool:
        """True: beams change places."""
        return True


class _Paths:
    """The beams that the last ones came from, from the last step to the first."""

    def __init__(self, tokens: Any, parents: Any) -> None:
        self.all_tokens, self.all_parents = tokens, parents
        self.tokens = [(tokens[-1],)]
        self.beams = parents[-1]
        self.time = F["shape"](parents)[0] - 2

    def step(self) -> None:
        tokens, parents = self.all_tokens[self.time], self.all_parents[self.time]
        self.tokens = [*self.tokens, (F["take_along_axis"](tokens, self.beams, 1),)]
        self.beams = F["take_along_axis"](parents, self.beams, 1)
        self.time = self.time - 1

    def goes_on(self) -> Any:
        return self.time >= 0

    def get(self) -> tuple[Any, ...]:
        return (self.time, self.beams, self.tokens)

    def put(self, values: tuple[Any, ...]) -> None:
        self.time, self.beams, self.tokens = values


def _repeat(
    test: Callable[[], Any], step: Callable[[], None], get: Callable[[], tuple[Any, ...]],
    put: Callable[[tuple[Any, ...]], None], names: tuple[str, ...],
) -> None:  # fmt: skip
    """`while test(): step()`, a loop of the program where it is captured."""
    if active() is None:
        while test():
            step()
        return
    with deciding_sizes():
        traced_while(test, step, get, put, names, names)


def _stacks(steps: list[tuple[Any, ...]]) -> list[Any]:
    """What the steps of a loop gave, [time, ...] each."""
    tracer = active()
    if tracer is not None:
        return list(whole(tracer, steps).stacks)
    return [F["stack"](list(each), 0) for each in zip(*steps, strict=True)]


class _Loop:
    """The state of a decoding, and one step of it."""

    def __init__(self, decoder: StepDecoder, inits: Any, impute: bool) -> None:
        self.impute = impute
        self.inputs, self.states, self.finished = decoder.initialize(inits)
        self.time = F["zeros"]([1], int64)
        self.lengths = F["zeros"](self.finished.shape, int64)
        self.outputs: list[tuple[Any, ...]] = []  # the leaves of each step's outputs
        self.form: Any = None

    def step(self, decoder: StepDecoder, more: dict[str, Any]) -> None:
        outputs, states, inputs, finished = decoder.step(self.time, self.inputs, self.states, **more)
        if getattr(decoder, "tracks_own_finished", False):
            self.lengths = getattr(states, "lengths", self.lengths)
        else:
            finished = F["logical_or"](finished, self.finished)
            self.lengths = self.lengths + F["cast"](F["logical_not"](finished), int64)
            if self.impute:
                states = _kept(self.states, states, finished)
        self.inputs, self.states, self.finished, self.time = inputs, states, finished, self.time + 1
        leaves, self.form = flatten(outputs, _leaf)
        self.outputs = [*self.outputs, tuple(leaves)]

    def goes_on(self, most: int | None) -> Any:
        left = F["logical_not"](F["all"](self.finished))
        return left if most is None else F["logical_and"](left, F["less_equal"](F["reshape"](self.time, []), most))

    def get(self) -> tuple[Any, ...]:
        return (self.time, self.inputs, self.states, self.finished, self.lengths, self.outputs)

    def put(self, values: tuple[Any, ...]) -> None:
        self.time, self.inputs, self.states, self.finished, self.lengths, self.outputs = values


def _kept(old: Any, new: Any, finished: Any) -> Any:
    """The old states of sequences that have ended."""
    before, after = flatten(old, _leaf)[0], flatten(new, _leaf)
    made = [
        F["where"](F["reshape"](finished, [*finished.shape, *[1] * (b.ndim - finished.ndim)]), a, b)
        for a, b in zip(before, after[0], strict=True)
    ]
    return unflatten(after[1], iter(made))


def dynamic_decode(
    decoder: StepDecoder, inits: Any = None, max_step_num: int | None = None, output_time_major: bool = False,
    impute_finished: bool = False, is_test: bool = False, return_length: bool = False, **kwargs: Any,
) -> Any:  # fmt: skip
    """Call `decoder.step` until every sequence has ended; (outputs, states), with `return_length` lengths too.

    max_step_num: the last step's number, counted from 0, so that there are at most max_step_num + 1. Outputs are
    [batch, time, ...], or [time, batch, ...] with `output_time_major`. impute_finished: ended sequences keep their
    states. is_test changes nothing. decoder: a Decoder, or any object with `initialize` and `step`.
    Errors: MissingError for one without them; ArgumentError if every sequence has ended before the first step.

    >>> import vitrify as vt
    >>> cell = vt.nn.GRUCell(4, 4)
    >>> decoder = vt.nn.BeamSearchDecoder(cell, 0, 1, 2, vt.nn.Embedding(6, 4), vt.nn.Linear(4, 6))
    >>> ids, states, lengths = vt.nn.dynamic_decode(decoder, vt.zeros([3, 4]), max_step_num=5, return_length=True)
    >>> lengths.shape
    [3, 2]
    """
    for name in ("initialize", "step"):
        if not hasattr(decoder, name):
            raise MissingError(
                f"'{type(decoder).__name__}' object has no attribute '{name}': dynamic_decode needs a Decoder",
                remedy="give an nn.Decoder, or any object with the methods `initialize` and `step`",
            )
    loop = _Loop(decoder, inits, impute_finished)
    if active() is None and bool(F["all"](loop.finished)):
        raise ArgumentError("dynamic_decode: every sequence has ended before the first step")

    def step() -> None:  # a closure: a loop of the program finds the state of the decoder through it
        loop.step(decoder, kwargs)

    step()
    names = ("time", "inputs", "states", "finished", "sequence_lengths", "outputs")
    _repeat(lambda: loop.goes_on(max_step_num), step, loop.get, loop.put, names)
    outputs = unflatten(loop.form, iter(_stacks(loop.outputs)))
    states, lengths = loop.states, loop.lengths
    finalize = getattr(decoder, "finalize", None)
    if finalize is not None and getattr(finalize, "__func__", None) is not StepDecoder.finalize:
        outputs, states = finalize(outputs, states, lengths)
    if not output_time_major:
        outputs = _each(lambda x: F["transpose"](x, [1, 0, *range(2, x.ndim)]), outputs)
    return (outputs, states, lengths) if return_length else (outputs, states)
