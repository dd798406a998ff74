"""The path of tags with the highest score. Source: A. J. Viterbi, Error bounds for convolutional codes, 1967."""

from __future__ import annotations

from typing import Any

from ..base.errors import ShapeError
from ..dygraph.nn.layer import Layer
from ..ops.infer import show_shape
from ..ops.op import FUNCTIONS, OPS


def viterbi_decode(
    potentials: Any, transition_params: Any, lengths: Any, include_bos_eos_tag: bool = True, name: str | None = None
) -> tuple[Any, Any]:
    """The score and the tags of each sequence's best path: (f[batch], i64[batch, longest length]).

    A path's score is the sum of its potentials [batch, steps, tags] and of transition_params [tags, tags] from each tag
    to the next. lengths [batch]: steps that count; tags after them are 0. include_bos_eos_tag: the last tag stands
    before the first step, the one before it after the last, and their transitions count.

    >>> from vitrify import to_tensor
    >>> potentials = to_tensor([[[0.0, 2.0], [3.0, 0.0]]])
    >>> score, path = viterbi_decode(potentials, to_tensor([[0.0, 0.0], [0.0, 0.0]]), to_tensor([2]), False)
    >>> score.tolist(), path.tolist()
    ([5.0], [[1, 0]])
    """
    _check(potentials, transition_params, lengths)
    steps, tags = potentials.shape[1], potentials.shape[2]
    moves = OPS["reshape"](transition_params, (1, tags, tags))
    left = OPS["reshape"](OPS["cast"](lengths, "int64"), (-1, 1))
    score = potentials[:, 0]
    if include_bos_eos_tag:
        score = score + moves[:, -1] + _ending(left == 1, moves)
    before = []
    for step in range(1, steps):
        reached = OPS["reshape"](score, (-1, tags, 1)) + moves
        before.append(FUNCTIONS["argmax"](reached, 1))
        made = OPS["max"](reached, axis=1) + potentials[:, step]
        if include_bos_eos_tag:
            made = made + _ending(left == step + 1, moves)
        score = OPS["where"](left > step, made, score)
    last = FUNCTIONS["argmax"](score, 1, keepdim=True)
    path = [OPS["where"](left >= steps, last, FUNCTIONS["zeros_like"](last))]
    tag = last
    for step in range(steps - 1, 0, -1):
        earlier = FUNCTIONS["take_along_axis"](before[step - 1], tag, 1)
        tag = OPS["where"](left > step, earlier, tag)
        path.append(OPS["where"](left >= step, tag, FUNCTIONS["zeros_like"](tag)))
    return OPS["max"](score, axis=1), OPS["concat"](path[::-1], 1)[:, : OPS["max"](left)]


def _ending(ends: Any, moves: Any) -> Any:
    """The transitions to the tag after the last step, for sequences that end."""
    return OPS["where"](ends, moves[:, -2], FUNCTIONS["zeros_like"](moves[:, -2]))


def _check(potentials: Any, transitions: Any, lengths: Any) -> None:
    if potentials.ndim != 3 or lengths.ndim != 1:
        raise ShapeError(
            "viterbi_decode takes potentials [batch, steps, tags] and lengths [batch], "
            f"got {show_shape(potentials.shape)} and {show_shape(lengths.shape)}"
        )
    if list(transitions.shape) != [potentials.shape[2]] * 2:
        raise ShapeError(
            f"viterbi_decode: transitions of {potentials.shape[2]} tags are [{potentials.shape[2]}, "
            f"{potentials.shape[2]}], got {show_shape(transitions.shape)}"
        )


class ViterbiDecoder(Layer):
    """`viterbi_decode` with the transitions of a trained model."""

    def __init__(self, transitions: Any, include_bos_eos_tag: bool = True, name: str | None = None) -> None:
        super().__init__()
        self.transitions, self.include_bos_eos_tag = transitions, include_bos_eos_tag

    def forward(self, potentials: Any, lengths: Any) -> tuple[Any, Any]:
        """Scores and paths of potentials [batch, steps, tags]."""
        return viterbi_decode(potentials, self.transitions, lengths, self.include_bos_eos_tag)
