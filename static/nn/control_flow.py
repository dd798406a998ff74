"""Names of PaddlePaddle's module of this path."""

from ..blocks import ConditionalBlock, Switch, While
from ..cond_while import Assert, Print, case, cond, switch_case, while_loop

__all__ = ["Assert", "ConditionalBlock", "Print", "Switch", "While", "case", "cond", "switch_case", "while_loop"]
