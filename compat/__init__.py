"""PaddlePaddle's own module paths (`base.framework`, `framework`, `utils.unique_name` ...), for programs that use them.

Nothing is implemented twice: `tables.py` says which object of the package each name means, and the finder in
`finder.py` makes those modules when they are imported. What only has a meaning on Paddle's other hardware or engines
has the answer of a CPU-only build.
"""

from .finder import install as install

__all__ = ["install"]
