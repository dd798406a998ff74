# Written by `make stubs`; edits here are lost.

"""Names of PaddlePaddle's module of the same path."""

from vitrify.dygraph.sparse import sparse_functional as functional
from vitrify.dygraph.sparse.sparse_nn import BatchNorm as BatchNorm
from vitrify.dygraph.sparse.sparse_nn import LeakyReLU as LeakyReLU
from vitrify.dygraph.sparse.sparse_nn import ReLU as ReLU
from vitrify.dygraph.sparse.sparse_nn import ReLU6 as ReLU6
from vitrify.dygraph.sparse.sparse_nn import Softmax as Softmax
