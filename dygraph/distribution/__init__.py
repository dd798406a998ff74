"""Probability distributions over tensors: draws, densities, entropies and divergences, in Paddle's form."""

from .base import Distribution, ExponentialFamily, kl_divergence, register_kl
from .continuous import Cauchy, Gumbel, Laplace, LogNormal, Normal, StudentT, Uniform
from .discrete import Bernoulli, Binomial, Categorical, Geometric, Multinomial, Poisson
from .event_transform import ReshapeTransform, SoftmaxTransform, StackTransform, StickBreakingTransform
from .multivariate import LKJCholesky, MultivariateNormal
from .positive import Beta, Chi2, ContinuousBernoulli, Dirichlet, Exponential, Gamma
from .transform import (
    AbsTransform,
    AffineTransform,
    ChainTransform,
    ExpTransform,
    IndependentTransform,
    PowerTransform,
    SigmoidTransform,
    TanhTransform,
    Transform,
)  # fmt: skip
from .transformed import Independent, TransformedDistribution

__all__ = [
    "AbsTransform", "AffineTransform", "Bernoulli", "Beta", "Binomial", "Categorical", "Cauchy", "ChainTransform",
    "Chi2", "ContinuousBernoulli", "Dirichlet", "Distribution", "ExpTransform", "Exponential", "ExponentialFamily",
    "Gamma", "Geometric", "Gumbel", "Independent", "IndependentTransform", "LKJCholesky", "Laplace", "LogNormal",
    "Multinomial", "MultivariateNormal", "Normal", "Poisson", "PowerTransform", "ReshapeTransform",
    "SigmoidTransform", "SoftmaxTransform", "StackTransform", "StickBreakingTransform", "StudentT", "TanhTransform",
    "Transform", "TransformedDistribution", "Uniform", "kl_divergence", "register_kl",
]  # fmt: skip
