"""Masks of sequences that lie one behind the other, and attention with them."""

from __future__ import annotations

import numpy as np
import pytest

import vitrify as vt
from vitrify.incubate.nn.attn_bias import (
    AttentionBias,
    BlockDiagonalCausalMask,
    BlockDiagonalCausalWithOffsetPaddedKeysMask,
    BlockDiagonalMask,
    LowerTriangularMask,
    PaddedSeqLenInfo,
    SeqLenInfo,
)
from vitrify.incubate.nn.memory_efficient_attention import memory_efficient_attention

NEVER = -np.inf


def test_triangles() -> None:
    made = LowerTriangularMask().materialize([3, 2, 3], "float64")
    assert made.shape == [3, 2, 3] and made.dtype == vt.float64
    np.testing.assert_array_equal(made.numpy()[1], [[0, NEVER, NEVER], [0, 0, NEVER]])
    added = LowerTriangularMask().add_bias(vt.full([2, 3], 5.0)).materialize([2, 3])
    np.testing.assert_array_equal(added.numpy(), [[5, NEVER, NEVER], [5, 5, NEVER]])
    with pytest.raises(NotImplementedError):
        AttentionBias().materialize([2, 2])


def test_lengths() -> None:
    info = SeqLenInfo.from_seqlens([2, 2, 1])
    assert info.seqstart.tolist() == [0, 2, 4, 5] and info.max_seqlen == 2
    x = vt.arange(10).reshape([1, 5, 2])
    assert [part.shape for part in info.split(x)] == [[1, 2, 2], [1, 2, 2], [1, 1, 2]]
    pairs, last = info.split(x, [2, 1])
    assert pairs.tolist() == [[[0, 1], [2, 3]], [[4, 5], [6, 7]]] and last.tolist() == [[[8, 9]]]
    with pytest.raises(ValueError, match=r"\[1, 5, \.\.\.\], not \[1, 4, 2\]"):
        info.split(x[:, :4])
    padded = PaddedSeqLenInfo.from_seqlens_padded([1, 3], 4)
    assert list(padded.intervals()) == [(0, 1), (4, 7)] and padded.seqlen.tolist() == [1, 3]
    with pytest.raises(ValueError, match="5 doesn't fit into a padding of 4"):
        PaddedSeqLenInfo.from_seqlens_padded([5], 4)
    for refused in (lambda: PaddedSeqLenInfo.from_seqlens([1]), lambda: padded.split(x)):
        with pytest.raises(NotImplementedError):
            refused()


def test_blocks() -> None:
    mask = BlockDiagonalMask.from_seqlens([1, 2], [2, 1])
    wanted = [[0, 0, NEVER], [NEVER, NEVER, 0], [NEVER, NEVER, 0]]
    np.testing.assert_array_equal(mask.materialize([2, 3, 3]).numpy(), [wanted] * 2)
    causal = mask.make_causal()
    assert type(causal) is BlockDiagonalCausalMask
    np.testing.assert_array_equal(causal.materialize([3, 3]).numpy()[0], [0, NEVER, NEVER])
    offset = BlockDiagonalCausalWithOffsetPaddedKeysMask.from_seqlens([2, 1], 3, [2, 3], vt.to_tensor([0, 1]))
    wanted = [[0, *[NEVER] * 5], [0, 0, *[NEVER] * 4], [*[NEVER] * 3, 0, 0, NEVER]]
    np.testing.assert_array_equal(offset.materialize([3, 6]).numpy(), wanted)
    with pytest.raises(ValueError, match="3 queries and 3 keys can't have shape"):
        mask.materialize([2, 3])
    with pytest.raises(ValueError, match="2 sequences of queries, 1 of keys"):
        BlockDiagonalMask.from_seqlens([1, 2], [3])
    with pytest.raises(ValueError, match="split_queries or split_kv"):
        mask.split(vt.ones([1, 3, 1]))


def test_attention_of_sequences_in_one_is_that_of_each() -> None:
    vt.seed(0)
    parts = [vt.randn([2, 3, 2, 4]), vt.randn([1, 5, 2, 4])]
    for make in (BlockDiagonalMask, BlockDiagonalCausalMask):
        mask, q, k, v = make.from_tensor_lists_qkv(parts, parts, parts)
        made = mask.split(memory_efficient_attention(q, k, v, mask, scale=0.3))
        causal = None if make is BlockDiagonalMask else LowerTriangularMask()
        for part, one in zip(parts, made, strict=True):
            alone = memory_efficient_attention(part, part, part, causal, scale=0.3)
            np.testing.assert_allclose(one.numpy(), alone.numpy(), rtol=1e-5, atol=1e-6)
    mask, x = BlockDiagonalMask.from_tensor_list(parts)
    assert x.shape == [1, 11, 2, 4] and [part.shape for part in mask.split_kv(x)] == [part.shape for part in parts]
