"""`incubate.nn.attn_bias` and `memory_efficient_attention`: masks of sequences that lie one behind the other.

A mask is added to the scores: 0 where a query may look at a key, -inf elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from ..base.errors import ArgumentError, ShapeError
from ..dygraph.conversions import to_tensor
from ..dygraph.nn import functional as F
from ..ops.infer import show_shape
from ..ops.op import FUNCTIONS, OPS


class AttentionBias:
    """What is added to attention's scores; `materialize(shape)` gives it as a tensor."""

    def materialize(self, shape: Sequence[int], dtype: Any = "float32") -> Any:
        """The mask of this shape, [..., queries, keys]."""
        raise NotImplementedError("a subclass says what its mask is")


class LowerTriangularMask(AttentionBias):
    """Query i looks at keys 0 … i.

    >>> LowerTriangularMask().materialize([2, 2]).tolist()
    [[0.0, -inf], [0.0, 0.0]]
    """

    def materialize(self, shape: Sequence[int], dtype: Any = "float32") -> Any:
        """The mask of this shape, [..., queries, keys]."""
        return _tensor(np.broadcast_to(_causal(*shape[-2:]), tuple(shape)), dtype)

    def add_bias(self, bias: Any) -> LowerTriangularMaskWithTensorBias:
        """The mask and a tensor that is added to the scores as well."""
        return LowerTriangularMaskWithTensorBias(bias)


class LowerTriangularMaskWithTensorBias(LowerTriangularMask):
    """Query i looks at keys 0 … i, and a tensor is added to the scores."""

    def __init__(self, bias: Any) -> None:
        self._bias = bias

    def materialize(self, shape: Sequence[int], dtype: Any = "float32") -> Any:
        """The mask of this shape plus the tensor."""
        return super().materialize(shape, dtype) + self._bias


@dataclass
class SeqLenInfo:
    """Where sequences of different lengths start in one long axis.

    >>> list(SeqLenInfo.from_seqlens([2, 3]).intervals())
    [(0, 2), (2, 5)]
    """

    seqstart: Any
    max_seqlen: int
    seqstart_py: list[int]

    def intervals(self) -> Iterator[tuple[int, int]]:
        """First position of each sequence, and the one behind its last."""
        yield from pairwise(self.seqstart_py)

    @classmethod
    def from_seqlens(cls, seqlens: Sequence[int]) -> SeqLenInfo:
        """Sequences of these lengths, one behind the other."""
        starts = [0, *accumulate(seqlens)]
        return cls(to_tensor(starts, "int32"), max(seqlens, default=-1), starts)

    def split(self, x: Any, batch_sizes: Sequence[int] | None = None) -> list[Any]:
        """The parts of x [1, all, ...]: one per entry of batch_sizes, which says how many sequences it has.

        Errors: ShapeError if x isn't as long as the sequences.
        """
        starts = self.seqstart_py
        if x.shape[0] != 1 or x.shape[1] != starts[-1]:
            raise ShapeError(f"split needs a tensor [1, {starts[-1]}, ...], not {show_shape(x.shape)}")
        sizes = [1] * (len(starts) - 1) if batch_sizes is None else list(batch_sizes)
        ends = [0, *accumulate(sizes)]
        lengths = [starts[after] - starts[before] for before, after in pairwise(ends)]
        parts = FUNCTIONS["split"](x, lengths, 1)
        return [OPS["reshape"](part, [n, -1, *x.shape[2:]]) for n, part in zip(sizes, parts, strict=True)]


@dataclass
class PaddedSeqLenInfo(SeqLenInfo):
    """Sequences that all have room for as many positions, of which each uses the first ones."""

    seqlen: Any
    seqlen_py: Sequence[int]

    def intervals(self) -> Iterator[tuple[int, int]]:
        """First position of each sequence, and the one behind the last that it uses."""
        for start, length in zip(self.seqstart_py, self.seqlen_py, strict=False):
            yield start, start + length

    @classmethod
    def from_seqlens(cls, seqlens: Sequence[int]) -> SeqLenInfo:
        """Errors: NotImplementedError, as the room isn't known."""
        raise NotImplementedError("use PaddedSeqLenInfo.from_seqlens_padded(seqlens, padding)")

    @classmethod
    def from_seqlens_padded(cls, seqlens: Sequence[int], padding: int) -> PaddedSeqLenInfo:
        """Sequences of these lengths, each in `padding` positions. Errors: ArgumentError if one is longer."""
        if any(length > padding for length in seqlens):
            raise ArgumentError(f"a sequence of {max(seqlens)} doesn't fit into a padding of {padding}")
        starts = [k * padding for k in range(len(seqlens) + 1)]
        return cls(to_tensor(starts, "int32"), max(seqlens), starts, to_tensor(list(seqlens), "int32"), seqlens)

    def split(self, x: Any, batch_sizes: Sequence[int] | None = None) -> list[Any]:
        """Errors: NotImplementedError, as the parts have different lengths."""
        raise NotImplementedError("padded sequences aren't split")


@dataclass
class BlockDiagonalMask(AttentionBias):
    """Queries of a sequence look at the keys of that sequence.

    >>> BlockDiagonalMask.from_seqlens([1, 1]).materialize([2, 2]).tolist()
    [[0.0, -inf], [-inf, 0.0]]
    """

    q_seqinfo: SeqLenInfo
    k_seqinfo: SeqLenInfo
    _batch_sizes: Sequence[int] | None = None

    def materialize(self, shape: Sequence[int], dtype: Any = "float32") -> Any:
        """The mask of this shape, [..., queries, keys]. Errors: ShapeError if these aren't the sequences' lengths."""
        blocks = [self._block(q, k) for q, k in _lengths(self)]
        return _tensor(_of_blocks(self, shape, blocks), dtype)

    def _block(self, queries: int, keys: int) -> Any:
        return np.zeros((queries, keys))

    @classmethod
    def from_seqlens(cls, q_seqlen: Sequence[int], kv_seqlen: Sequence[int] | None = None) -> BlockDiagonalMask:
        """The mask for sequences of these lengths. Errors: ArgumentError if there are more of one than of the other."""
        queries = SeqLenInfo.from_seqlens(q_seqlen)
        if kv_seqlen is None or list(q_seqlen) == list(kv_seqlen):
            return cls(queries, queries)
        _as_many("from_seqlens", q_seqlen, kv_seqlen)
        return cls(queries, SeqLenInfo.from_seqlens(kv_seqlen))

    @classmethod
    def from_tensor_list(cls, tensors: Sequence[Any]) -> tuple[BlockDiagonalMask, Any]:
        """The mask for tensors [batch, length, ...], and the tensors as one, [1, all, ...]."""
        mask = cls.from_seqlens(_each_length(tensors))
        mask._batch_sizes = [x.shape[0] for x in tensors]
        return mask, _in_one(tensors)

    @classmethod
    def from_tensor_lists_qkv(
        cls, tensors_q: Sequence[Any], tensors_k: Sequence[Any], tensors_v: Sequence[Any] | None = None
    ) -> tuple[BlockDiagonalMask, Any, Any, Any]:
        """The mask for queries and keys [batch, length, ...]; these and the values (or None) as one tensor each."""
        _as_many("from_tensor_lists_qkv", tensors_q, tensors_k)
        if tensors_v is not None:
            _as_many("from_tensor_lists_qkv", tensors_k, tensors_v)
        mask = cls.from_seqlens(_each_length(tensors_q), _each_length(tensors_k))
        mask._batch_sizes = [x.shape[0] for x in tensors_q]
        return mask, _in_one(tensors_q), _in_one(tensors_k), None if tensors_v is None else _in_one(tensors_v)

    def split_queries(self, tensor: Any) -> list[Any]:
        """The parts of the queries' tensor."""
        return self.q_seqinfo.split(tensor, self._batch_sizes)

    def split_kv(self, tensor: Any) -> list[Any]:
        """The parts of the keys' tensor, or of the values'."""
        return self.k_seqinfo.split(tensor, self._batch_sizes)

    def split(self, tensor: Any) -> list[Any]:
        """The parts of a tensor. Errors: ArgumentError if queries and keys have different lengths."""
        if self.q_seqinfo is not self.k_seqinfo:
            raise ArgumentError(
                "split: queries and keys have different lengths", remedy="use split_queries or split_kv"
            )
        return self.q_seqinfo.split(tensor, self._batch_sizes)

    def make_causal(self) -> BlockDiagonalCausalMask:
        """The same, where a query looks at no later key."""
        return BlockDiagonalCausalMask(self.q_seqinfo, self.k_seqinfo, self._batch_sizes)


@dataclass
class BlockDiagonalCausalMask(BlockDiagonalMask):
    """Query i of a sequence looks at keys 0 … i of that sequence."""

    def _block(self, queries: int, keys: int) -> Any:
        return _causal(queries, keys)


@dataclass
class BlockDiagonalCausalWithOffsetPaddedKeysMask(AttentionBias):
    """Query i of a sequence looks at keys 0 … i + offset of that sequence; the keys are padded."""

    q_seqinfo: SeqLenInfo
    k_seqinfo: PaddedSeqLenInfo
    causal_diagonal: Any = None

    def materialize(self, shape: Sequence[int], dtype: Any = "float32") -> Any:
        """The mask of this shape, [..., queries, keys]. Errors: ShapeError if these aren't the sequences' lengths."""
        lengths = _lengths(self)
        offsets = [0] * len(lengths) if self.causal_diagonal is None else self.causal_diagonal.tolist()
        blocks = [_causal(q, k, offset) for (q, k), offset in zip(lengths, offsets, strict=True)]
        return _tensor(_of_blocks(self, shape, blocks), dtype)

    @classmethod
    def from_seqlens(
        cls, q_seqlen: Sequence[int], kv_padding: int, kv_seqlen: Sequence[int], causal_diagonal: Any = None
    ) -> BlockDiagonalCausalWithOffsetPaddedKeysMask:
        """The mask for queries of these lengths and keys that have kv_padding positions each."""
        _as_many("from_seqlens", q_seqlen, kv_seqlen)
        queries = SeqLenInfo.from_seqlens(q_seqlen)
        return cls(queries, PaddedSeqLenInfo.from_seqlens_padded(kv_seqlen, kv_padding), causal_diagonal)


def memory_efficient_attention(
    query: Any, key: Any, value: Any, attn_bias: Any = None, p: float = 0.0, scale: float | None = None,
    training: bool = True,
) -> Any:  # fmt: skip
    """softmax(query · keyᵀ · scale + attn_bias) · value for each head, for [batch, length, heads, size].

    attn_bias: a tensor, one of the masks here, or None; p: how much is dropped; scale: 1/√size if None.
    """
    if isinstance(attn_bias, AttentionBias):
        shape = [query.shape[0], query.shape[2], query.shape[1], key.shape[1]]
        attn_bias = attn_bias.materialize(shape, query.dtype)
    return F.scaled_dot_product_attention(query, key, value, attn_bias, p, training=training, scale=scale)


def _tensor(mask: Any, dtype: Any) -> Any:
    return OPS["cast"](to_tensor(mask.astype(np.float32)), dtype)


def _causal(queries: int, keys: int, offset: int = 0) -> Any:
    return np.where(np.arange(keys) > np.arange(queries)[:, None] + offset, -np.inf, 0.0)


def _lengths(mask: Any) -> list[tuple[int, int]]:
    spans = zip(mask.q_seqinfo.intervals(), mask.k_seqinfo.intervals(), strict=True)
    return [(q_end - q_start, k_end - k_start) for (q_start, q_end), (k_start, k_end) in spans]


def _of_blocks(mask: Any, shape: Sequence[int], blocks: Sequence[Any]) -> Any:
    """The blocks at the places of their sequences, -inf around them."""
    size = mask.q_seqinfo.seqstart_py[-1], mask.k_seqinfo.seqstart_py[-1]
    if tuple(shape[-2:]) != size:
        raise ShapeError(f"the mask of {size[0]} queries and {size[1]} keys can't have shape {show_shape(shape)}")
    whole = np.full(size, -np.inf)
    for (q_start, _), (k_start, _), block in zip(
        mask.q_seqinfo.intervals(), mask.k_seqinfo.intervals(), blocks, strict=True
    ):
        whole[q_start : q_start + block.shape[0], k_start : k_start + block.shape[1]] = block
    return np.broadcast_to(whole, tuple(shape))


def _as_many(name: str, first: Sequence[Any], second: Sequence[Any]) -> None:
    if len(first) != len(second):
        raise ArgumentError(f"{name}: {len(first)} sequences of queries, {len(second)} of keys or values")


def _each_length(tensors: Sequence[Any]) -> list[int]:
    return [x.shape[1] for x in tensors for _ in range(x.shape[0])]


def _in_one(tensors: Sequence[Any]) -> Any:
    return OPS["concat"]([OPS["reshape"](x, [1, -1, *x.shape[2:]]) for x in tensors], 1)
