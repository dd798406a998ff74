"""Distributions made of others: Independent (batch axes as event axes) and TransformedDistribution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.errors import ArgumentError, KindError
from ..modes import GradMode
from .base import Distribution, register_kl, sum_last
from .transform import ChainTransform, Transform


class Independent(Distribution):
    """Another distribution whose last batch axes count as axes of one draw: their log_prob is added up.

    >>> from vitrify import ones
    >>> from vitrify.distribution import Normal
    >>> Independent(Normal(ones([2, 3]), ones([2, 3])), 1).event_shape
    (3,)
    """

    def __init__(self, base: Distribution, reinterpreted_batch_rank: int) -> None:
        if not isinstance(base, Distribution):
            raise KindError(f"Independent: base must be a Distribution, not a {type(base).__name__}")
        if not 0 < reinterpreted_batch_rank <= len(base.batch_shape):
            raise ArgumentError(
                f"reinterpreted_batch_rank must be in 1..{len(base.batch_shape)}, not {reinterpreted_batch_rank}"
            )
        self._base, self._reinterpreted_batch_rank = base, reinterpreted_batch_rank
        split = len(base.batch_shape) - reinterpreted_batch_rank
        super().__init__(base.batch_shape[:split], base.batch_shape[split:] + base.event_shape)

    @property
    def mean(self) -> Any:
        return self._base.mean

    @property
    def variance(self) -> Any:
        return self._base.variance

    def sample(self, shape: Sequence[int] = (), seed: int = 0) -> Any:
        return self._base.sample(shape)

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        return self._base.rsample(shape)

    def log_prob(self, value: Any) -> Any:
        return sum_last(self._base.log_prob(value), self._reinterpreted_batch_rank)

    def entropy(self) -> Any:
        return sum_last(self._base.entropy(), self._reinterpreted_batch_rank)


class TransformedDistribution(Distribution):
    """What a list of transformations makes of another distribution's draws, the first one first.

    >>> from vitrify import to_tensor
    >>> from vitrify.distribution import AffineTransform, Normal
    >>> moved = TransformedDistribution(Normal(0.0, 1.0), [AffineTransform(to_tensor(1.0), to_tensor(2.0))])
    >>> round(float(moved.log_prob(to_tensor(1.0))), 4)
    -1.6121
    """

    def __init__(self, base: Distribution, transforms: Sequence[Transform]) -> None:
        if not isinstance(base, Distribution):
            raise KindError(f"TransformedDistribution: base must be a Distribution, not a {type(base).__name__}")
        if not isinstance(transforms, Sequence) or not all(isinstance(t, Transform) for t in transforms):
            raise KindError(f"TransformedDistribution takes a list of Transforms, not {transforms!r:.80}")
        self._base: Any = base
        self._transforms = list(transforms)
        shape = base.batch_shape + base.event_shape
        if not transforms:
            super().__init__(base.batch_shape, base.event_shape)
            return
        chain = ChainTransform(transforms)
        takes, gives = chain._domain.event_rank, chain._codomain.event_rank
        if len(shape) < takes:
            raise ArgumentError(f"these transformations need events with {takes} axes, the base has {len(shape)}")
        if takes > len(base.event_shape):
            self._base = base = Independent(base, takes - len(base.event_shape))
        made = tuple(chain.forward_shape(shape))
        split = len(made) - gives - max(len(base.event_shape) - takes, 0)
        super().__init__(made[:split], made[split:])

    def sample(self, shape: Sequence[int] = (), seed: int = 0) -> Any:
        with GradMode(False):
            return self._sent(self._base.sample(shape))

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        return self._sent(self._base.rsample(shape))

    def _sent(self, x: Any) -> Any:
        for t in self._transforms:
            x = t.forward(x)
        return x

    def log_prob(self, value: Any) -> Any:
        made, rank, y = 0.0, len(self.event_shape), value
        for t in reversed(self._transforms):
            x = t.inverse(y)
            rank += t._domain.event_rank - t._codomain.event_rank
            made = made - sum_last(t.forward_log_det_jacobian(x), rank - t._domain.event_rank)
            y = x
        return made + sum_last(self._base.log_prob(y), rank - len(self._base.event_shape))


def _transformed(self: Distribution, transforms: Sequence[Transform]) -> TransformedDistribution:
    return TransformedDistribution(self, transforms)


Distribution._transformed = _transformed


@register_kl(Independent, Independent)
def _independent(p: Independent, q: Independent) -> Any:
    if p._reinterpreted_batch_rank != q._reinterpreted_batch_rank:
        raise NotImplementedError("the divergence of Independent distributions needs equal reinterpreted_batch_rank")
    return sum_last(p._base.kl_divergence(q._base), p._reinterpreted_batch_rank)
