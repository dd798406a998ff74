"""Pipelines: tuples of passes, in order."""
from __future__ import annotations
from .fuse import Fuse
from .manager import Pass
def default_pipeline() -> tuple[Pass, ...]:
    """temporary"""
    return (Fuse(),)
