"""Pictures of programs."""

from .torchviz import make_dot as make_dot
