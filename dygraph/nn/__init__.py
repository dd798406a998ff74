"""Layers: `Layer`, containers, and the usual layers and losses by family; `functional`, `initializer`."""

from __future__ import annotations

from ..optimizer.clip import ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue
from . import functional, initializer
from .activation import (
    CELU,
    ELU,
    GELU,
    GLU,
    SELU,
    Hardshrink,
    Hardsigmoid,
    Hardswish,
    Hardtanh,
    LeakyReLU,
    LogSigmoid,
    LogSoftmax,
    Maxout,
    Mish,
    PReLU,
    ReLU,
    ReLU6,
    Sigmoid,
    SiLU,
    Softmax,
    Softplus,
    Softshrink,
    Softsign,
    Swish,
    Tanh,
    Tanhshrink,
    ThresholdedReLU,
)
from .attention import MultiHeadAttention, TransformerEncoder, TransformerEncoderLayer
from .cell import GRUCell, LSTMCell, RNNCellBase, SimpleRNNCell
from .container import LayerDict, LayerList, ParameterList, Sequential
from .conv import Conv1D, Conv2D, Conv2DTranspose
from .dropout import AlphaDropout, Dropout, Dropout2D
from .embedding import Embedding
from .layer import Layer
from .linear import Bilinear, Flatten, Identity, Linear
from .loss import (
    BCELoss,
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    HingeEmbeddingLoss,
    KLDivLoss,
    L1Loss,
    MarginRankingLoss,
    MSELoss,
    NLLLoss,
    SmoothL1Loss,
    TripletMarginLoss,
)
from .norm import (
    BatchNorm,
    BatchNorm1D,
    BatchNorm2D,
    GroupNorm,
    InstanceNorm1D,
    InstanceNorm2D,
    LayerNorm,
    RMSNorm,
)
from .param_attr import ParamAttr, WeightAttr
from .pool import (
    AdaptiveAvgPool1D,
    AdaptiveAvgPool2D,
    AdaptiveMaxPool1D,
    AdaptiveMaxPool2D,
    AvgPool1D,
    AvgPool2D,
    MaxPool1D,
    MaxPool2D,
)
from .rnn import GRU, LSTM, RNN, SimpleRNN

__all__ = [
    "CELU", "ELU", "GELU", "GLU", "GRU", "LSTM", "RNN", "SELU", "AdaptiveAvgPool1D", "AdaptiveAvgPool2D",
    "AdaptiveMaxPool1D", "AdaptiveMaxPool2D", "AlphaDropout", "AvgPool1D", "AvgPool2D", "BCELoss", "BCEWithLogitsLoss",
    "BatchNorm", "BatchNorm1D", "BatchNorm2D", "Bilinear", "ClipGradByGlobalNorm", "ClipGradByNorm",
    "ClipGradByValue", "Conv1D", "Conv2D", "Conv2DTranspose", "CrossEntropyLoss",
    "Dropout", "Dropout2D", "Embedding", "Flatten", "GRUCell", "GroupNorm", "Hardshrink", "Hardsigmoid", "Hardswish",
    "Hardtanh", "HingeEmbeddingLoss", "Identity", "InstanceNorm1D", "InstanceNorm2D", "KLDivLoss", "L1Loss",
    "LSTMCell", "Layer", "LayerDict", "LayerList", "LayerNorm", "LeakyReLU", "Linear", "LogSigmoid", "LogSoftmax",
    "MSELoss", "MarginRankingLoss", "MaxPool1D", "MaxPool2D", "Maxout", "Mish", "MultiHeadAttention", "NLLLoss",
    "PReLU", "ParamAttr", "ParameterList", "RMSNorm", "RNNCellBase", "ReLU", "ReLU6", "Sequential", "SiLU", "Sigmoid",
    "SimpleRNN", "SimpleRNNCell", "SmoothL1Loss", "Softmax", "Softplus", "Softshrink", "Softsign", "Swish", "Tanh",
    "Tanhshrink", "ThresholdedReLU", "TransformerEncoder", "TransformerEncoderLayer", "TripletMarginLoss",
    "WeightAttr", "functional", "initializer",
]  # fmt: skip
