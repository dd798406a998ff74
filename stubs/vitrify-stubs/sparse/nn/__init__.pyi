# Written by `make stubs`; edits here are lost.

"""Names of PaddlePaddle's module of the same path."""

from vitrify.dygraph.sparse import sparse_functional as functional
from vitrify.dygraph.sparse.sparse_nn import BatchNorm as BatchNorm
from vitrify.dygraph.sparse.sparse_nn import Conv2D as Conv2D
from vitrify.dygraph.sparse.sparse_nn import Conv3D as Conv3D
from vitrify.dygraph.sparse.sparse_nn import LeakyReLU as LeakyReLU
from vitrify.dygraph.sparse.sparse_nn import MaxPool3D as MaxPool3D
from vitrify.dygraph.sparse.sparse_nn import ReLU as ReLU
from vitrify.dygraph.sparse.sparse_nn import ReLU6 as ReLU6
from vitrify.dygraph.sparse.sparse_nn import Softmax as Softmax
from vitrify.dygraph.sparse.sparse_nn import SubmConv2D as SubmConv2D
from vitrify.dygraph.sparse.sparse_nn import SubmConv3D as SubmConv3D
from vitrify.dygraph.sparse.sparse_nn import SyncBatchNorm as SyncBatchNorm
