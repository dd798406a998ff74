"""The best path of tags against trying all paths."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import ShapeError
from vitrify.text import ViterbiDecoder, viterbi_decode

LENGTHS = [1, 2, 3, 3, 2]


def scored(potentials: np.ndarray, moves: np.ndarray, path: tuple[int, ...], ends: bool) -> float:
    """The sum of a path's potentials and transitions."""
    total = sum(potentials[i, tag] for i, tag in enumerate(path)) + sum(moves[pair] for pair in pairwise(path))
    return float(total + (moves[-1, path[0]] + moves[-2, path[-1]] if ends else 0.0))


@pytest.mark.parametrize("ends", [True, False])
@pytest.mark.parametrize("captured", [True, False])
def test_best_path_is_the_best_of_all(ends: bool, captured: bool) -> None:
    rng = np.random.default_rng(0)
    potentials, moves = rng.normal(size=(5, 4, 4)), rng.normal(size=(4, 4))
    decoder = ViterbiDecoder(vt.to_tensor(moves), ends)
    call = vt.to_static(decoder) if captured else decoder
    scores, paths = call(vt.to_tensor(potentials), vt.to_tensor(LENGTHS))
    assert paths.shape == [5, 3] and paths.dtype == vt.int64
    for row, length in enumerate(LENGTHS):
        best = max(product(range(4), repeat=length), key=lambda path: scored(potentials[row], moves, path, ends))
        assert paths.tolist()[row] == [*best, *[0] * (3 - length)]
        assert scores.tolist()[row] == pytest.approx(scored(potentials[row], moves, best, ends))


def test_shapes_that_do_not_fit_are_errors() -> None:
    with pytest.raises(ShapeError, match="lengths \\[batch\\]"):
        viterbi_decode(vt.ones([2, 3]), vt.ones([3, 3]), vt.to_tensor([1]))
    with pytest.raises(ShapeError, match="transitions of 3 tags"):
        viterbi_decode(vt.ones([1, 2, 3]), vt.ones([2, 2]), vt.to_tensor([1]))
