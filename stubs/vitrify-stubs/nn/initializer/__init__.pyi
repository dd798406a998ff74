# Written by `make stubs`; edits here are lost.

"""First values of parameters. Random ones come from the default generator, so that `vt.seed` repeats them.

They are drawn by the eager interpreter, also when a layer is made inside a captured function, which is captured anew
at each call then. What an initializer fills there itself is drawn by the program."""

from builtins import float as _float
from builtins import str as _str
from vitrify.dygraph.nn.initializer import Assign as Assign
from vitrify.dygraph.nn.initializer import Bilinear as Bilinear
from vitrify.dygraph.nn.initializer import Constant as Constant
from vitrify.dygraph.nn.initializer import Dirac as Dirac
from vitrify.dygraph.nn.initializer import Initializer as Initializer
from vitrify.dygraph.nn.initializer import Initializer as _Initializer
from vitrify.dygraph.nn.initializer import KaimingNormal as KaimingNormal
from vitrify.dygraph.nn.initializer import KaimingUniform as KaimingUniform
from vitrify.dygraph.nn.initializer import Normal as Normal
from vitrify.dygraph.nn.initializer import Orthogonal as Orthogonal
from vitrify.dygraph.nn.initializer import TruncatedNormal as TruncatedNormal
from vitrify.dygraph.nn.initializer import Uniform as Uniform
from vitrify.dygraph.nn.initializer import XavierNormal as XavierNormal
from vitrify.dygraph.nn.initializer import XavierUniform as XavierUniform

def calculate_gain(nonlinearity: _str, param: _float | None = None) -> _float:
    """The factor that keeps the variance through an activation.

    >>> calculate_gain("tanh")
    1.6666666666666667"""

def set_global_initializer(weight_init: _Initializer | None, bias_init: _Initializer | None = None) -> None:
    """Initialise parameters that have no initializer of their own with these; None: the usual ones again."""
