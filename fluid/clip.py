"""Limits of gradients under their old names."""

from ..dygraph.optimizer import ClipGradByGlobalNorm as GradientClipByGlobalNorm
from ..dygraph.optimizer import ClipGradByNorm as GradientClipByNorm
from ..dygraph.optimizer import ClipGradByValue as GradientClipByValue

__all__ = ["GradientClipByGlobalNorm", "GradientClipByNorm", "GradientClipByValue"]
