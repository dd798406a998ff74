"""Names of PaddlePaddle's module of this path."""

from ..control import Assert, Print, case, cond, switch_case, while_loop

__all__ = ["Assert", "Print", "case", "cond", "switch_case", "while_loop"]
