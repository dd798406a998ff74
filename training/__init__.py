"""The high-level road: `Model.fit` with metrics and callbacks, and tables of a network's layers."""

from . import callbacks, metrics
from .model import Model
from .summary import flops, summary

__all__ = ["Model", "callbacks", "flops", "metrics", "summary"]
