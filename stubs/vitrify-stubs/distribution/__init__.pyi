# Written by `make stubs`; edits here are lost.

"""Probability distributions: draws, densities, entropies, divergences."""

from builtins import type as _type
from collections.abc import Callable as _Callable
from typing import Any as _Any
from vitrify.dygraph.distribution.base import Distribution as Distribution
from vitrify.dygraph.distribution.base import Distribution as _Distribution
from vitrify.dygraph.distribution.base import ExponentialFamily as ExponentialFamily
from vitrify.dygraph.distribution.continuous import Cauchy as Cauchy
from vitrify.dygraph.distribution.continuous import Gumbel as Gumbel
from vitrify.dygraph.distribution.continuous import Laplace as Laplace
from vitrify.dygraph.distribution.continuous import LogNormal as LogNormal
from vitrify.dygraph.distribution.continuous import Normal as Normal
from vitrify.dygraph.distribution.continuous import StudentT as StudentT
from vitrify.dygraph.distribution.continuous import Uniform as Uniform
from vitrify.dygraph.distribution.discrete import Bernoulli as Bernoulli
from vitrify.dygraph.distribution.discrete import Binomial as Binomial
from vitrify.dygraph.distribution.discrete import Categorical as Categorical
from vitrify.dygraph.distribution.discrete import Geometric as Geometric
from vitrify.dygraph.distribution.discrete import Multinomial as Multinomial
from vitrify.dygraph.distribution.discrete import Poisson as Poisson
from vitrify.dygraph.distribution.event_transform import ReshapeTransform as ReshapeTransform
from vitrify.dygraph.distribution.event_transform import SoftmaxTransform as SoftmaxTransform
from vitrify.dygraph.distribution.event_transform import StackTransform as StackTransform
from vitrify.dygraph.distribution.event_transform import StickBreakingTransform as StickBreakingTransform
from vitrify.dygraph.distribution.multivariate import LKJCholesky as LKJCholesky
from vitrify.dygraph.distribution.multivariate import MultivariateNormal as MultivariateNormal
from vitrify.dygraph.distribution.positive import Beta as Beta
from vitrify.dygraph.distribution.positive import Chi2 as Chi2
from vitrify.dygraph.distribution.positive import ContinuousBernoulli as ContinuousBernoulli
from vitrify.dygraph.distribution.positive import Dirichlet as Dirichlet
from vitrify.dygraph.distribution.positive import Exponential as Exponential
from vitrify.dygraph.distribution.positive import Gamma as Gamma
from vitrify.dygraph.distribution.transform import AbsTransform as AbsTransform
from vitrify.dygraph.distribution.transform import AffineTransform as AffineTransform
from vitrify.dygraph.distribution.transform import ChainTransform as ChainTransform
from vitrify.dygraph.distribution.transform import ExpTransform as ExpTransform
from vitrify.dygraph.distribution.transform import IndependentTransform as IndependentTransform
from vitrify.dygraph.distribution.transform import PowerTransform as PowerTransform
from vitrify.dygraph.distribution.transform import SigmoidTransform as SigmoidTransform
from vitrify.dygraph.distribution.transform import TanhTransform as TanhTransform
from vitrify.dygraph.distribution.transform import Transform as Transform
from vitrify.dygraph.distribution.transformed import Independent as Independent
from vitrify.dygraph.distribution.transformed import TransformedDistribution as TransformedDistribution

def kl_divergence(p: _Distribution, q: _Distribution) -> _Any:
    """The expected log_prob of p minus that of q under p. NotImplementedError for kinds without a formula.

    >>> from vitrify.distribution import Normal
    >>> float(kl_divergence(Normal(0.0, 1.0), Normal(0.0, 1.0)))
    0.0"""

def register_kl(cls_p: _type, cls_q: _type) -> _Callable[[_Callable[[_Any, _Any], _Any]], _Callable[[_Any, _Any], _Any]]:
    """Decorate a function of two distributions as the divergence of their classes."""
