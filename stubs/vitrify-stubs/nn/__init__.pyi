# Written by `make stubs`; edits here are lost.

"""Layers, containers, losses; `functional` and `initializer`."""

from builtins import bool as _bool
from builtins import int as _int
from typing import Any as _Any
from vitrify.dygraph.nn.activation_layers import CELU as CELU
from vitrify.dygraph.nn.activation_layers import ELU as ELU
from vitrify.dygraph.nn.activation_layers import GELU as GELU
from vitrify.dygraph.nn.activation_layers import GLU as GLU
from vitrify.dygraph.nn.activation_layers import Hardshrink as Hardshrink
from vitrify.dygraph.nn.activation_layers import Hardsigmoid as Hardsigmoid
from vitrify.dygraph.nn.activation_layers import Hardswish as Hardswish
from vitrify.dygraph.nn.activation_layers import Hardtanh as Hardtanh
from vitrify.dygraph.nn.activation_layers import LeakyReLU as LeakyReLU
from vitrify.dygraph.nn.activation_layers import LogSigmoid as LogSigmoid
from vitrify.dygraph.nn.activation_layers import LogSoftmax as LogSoftmax
from vitrify.dygraph.nn.activation_layers import Maxout as Maxout
from vitrify.dygraph.nn.activation_layers import Mish as Mish
from vitrify.dygraph.nn.activation_layers import PReLU as PReLU
from vitrify.dygraph.nn.activation_layers import RReLU as RReLU
from vitrify.dygraph.nn.activation_layers import ReLU as ReLU
from vitrify.dygraph.nn.activation_layers import ReLU6 as ReLU6
from vitrify.dygraph.nn.activation_layers import SELU as SELU
from vitrify.dygraph.nn.activation_layers import Sigmoid as Sigmoid
from vitrify.dygraph.nn.activation_layers import Silu as SiLU
from vitrify.dygraph.nn.activation_layers import Silu as Silu
from vitrify.dygraph.nn.activation_layers import Softmax as Softmax
from vitrify.dygraph.nn.activation_layers import Softmax2D as Softmax2D
from vitrify.dygraph.nn.activation_layers import Softplus as Softplus
from vitrify.dygraph.nn.activation_layers import Softshrink as Softshrink
from vitrify.dygraph.nn.activation_layers import Softsign as Softsign
from vitrify.dygraph.nn.activation_layers import Swish as Swish
from vitrify.dygraph.nn.activation_layers import Tanh as Tanh
from vitrify.dygraph.nn.activation_layers import Tanhshrink as Tanhshrink
from vitrify.dygraph.nn.activation_layers import ThresholdedReLU as ThresholdedReLU
from vitrify.dygraph.nn.attention_layers import MultiHeadAttention as MultiHeadAttention
from vitrify.dygraph.nn.cell import GRUCell as GRUCell
from vitrify.dygraph.nn.cell import LSTMCell as LSTMCell
from vitrify.dygraph.nn.cell import RNNCellBase as RNNCellBase
from vitrify.dygraph.nn.cell import SimpleRNNCell as SimpleRNNCell
from vitrify.dygraph.nn.class_loss import AdaptiveLogSoftmaxWithLoss as AdaptiveLogSoftmaxWithLoss
from vitrify.dygraph.nn.class_loss import CTCLoss as CTCLoss
from vitrify.dygraph.nn.class_loss import CosineEmbeddingLoss as CosineEmbeddingLoss
from vitrify.dygraph.nn.class_loss import GaussianNLLLoss as GaussianNLLLoss
from vitrify.dygraph.nn.class_loss import HSigmoidLoss as HSigmoidLoss
from vitrify.dygraph.nn.class_loss import MultiLabelMarginLoss as MultiLabelMarginLoss
from vitrify.dygraph.nn.class_loss import MultiLabelSoftMarginLoss as MultiLabelSoftMarginLoss
from vitrify.dygraph.nn.class_loss import MultiMarginLoss as MultiMarginLoss
from vitrify.dygraph.nn.class_loss import PoissonNLLLoss as PoissonNLLLoss
from vitrify.dygraph.nn.class_loss import RNNTLoss as RNNTLoss
from vitrify.dygraph.nn.class_loss import SoftMarginLoss as SoftMarginLoss
from vitrify.dygraph.nn.class_loss import TripletMarginWithDistanceLoss as TripletMarginWithDistanceLoss
from vitrify.dygraph.nn.container import LayerDict as LayerDict
from vitrify.dygraph.nn.container import LayerList as LayerList
from vitrify.dygraph.nn.container import ParameterDict as ParameterDict
from vitrify.dygraph.nn.container import ParameterList as ParameterList
from vitrify.dygraph.nn.container import Sequential as Sequential
from vitrify.dygraph.nn.conv_layers import Conv1D as Conv1D
from vitrify.dygraph.nn.conv_layers import Conv1DTranspose as Conv1DTranspose
from vitrify.dygraph.nn.conv_layers import Conv2D as Conv2D
from vitrify.dygraph.nn.conv_layers import Conv2DTranspose as Conv2DTranspose
from vitrify.dygraph.nn.conv_layers import Conv3D as Conv3D
from vitrify.dygraph.nn.conv_layers import Conv3DTranspose as Conv3DTranspose
from vitrify.dygraph.nn.dropout import AlphaDropout as AlphaDropout
from vitrify.dygraph.nn.dropout import Dropout as Dropout
from vitrify.dygraph.nn.dropout import Dropout2D as Dropout2D
from vitrify.dygraph.nn.dropout import Dropout3D as Dropout3D
from vitrify.dygraph.nn.dropout import FeatureAlphaDropout as FeatureAlphaDropout
from vitrify.dygraph.nn.embedding import Embedding as Embedding
from vitrify.dygraph.nn.layer import Layer as Layer
from vitrify.dygraph.nn.linear_layers import Bilinear as Bilinear
from vitrify.dygraph.nn.linear_layers import Flatten as Flatten
from vitrify.dygraph.nn.linear_layers import Identity as Identity
from vitrify.dygraph.nn.linear_layers import Linear as Linear
from vitrify.dygraph.nn.loss import BCELoss as BCELoss
from vitrify.dygraph.nn.loss import BCEWithLogitsLoss as BCEWithLogitsLoss
from vitrify.dygraph.nn.loss import CrossEntropyLoss as CrossEntropyLoss
from vitrify.dygraph.nn.loss import HingeEmbeddingLoss as HingeEmbeddingLoss
from vitrify.dygraph.nn.loss import KLDivLoss as KLDivLoss
from vitrify.dygraph.nn.loss import L1Loss as L1Loss
from vitrify.dygraph.nn.loss import MSELoss as MSELoss
from vitrify.dygraph.nn.loss import MarginRankingLoss as MarginRankingLoss
from vitrify.dygraph.nn.loss import NLLLoss as NLLLoss
from vitrify.dygraph.nn.loss import SmoothL1Loss as SmoothL1Loss
from vitrify.dygraph.nn.loss import TripletMarginLoss as TripletMarginLoss
from vitrify.dygraph.nn.margin_layers import CircularPad1D as CircularPad1D
from vitrify.dygraph.nn.margin_layers import CircularPad2D as CircularPad2D
from vitrify.dygraph.nn.margin_layers import CircularPad3D as CircularPad3D
from vitrify.dygraph.nn.margin_layers import ConstantPad1D as ConstantPad1D
from vitrify.dygraph.nn.margin_layers import ConstantPad2D as ConstantPad2D
from vitrify.dygraph.nn.margin_layers import ConstantPad3D as ConstantPad3D
from vitrify.dygraph.nn.margin_layers import Pad1D as Pad1D
from vitrify.dygraph.nn.margin_layers import Pad2D as Pad2D
from vitrify.dygraph.nn.margin_layers import Pad3D as Pad3D
from vitrify.dygraph.nn.margin_layers import ReflectionPad1D as ReflectionPad1D
from vitrify.dygraph.nn.margin_layers import ReflectionPad2D as ReflectionPad2D
from vitrify.dygraph.nn.margin_layers import ReflectionPad3D as ReflectionPad3D
from vitrify.dygraph.nn.margin_layers import ReplicationPad1D as ReplicationPad1D
from vitrify.dygraph.nn.margin_layers import ReplicationPad2D as ReplicationPad2D
from vitrify.dygraph.nn.margin_layers import ReplicationPad3D as ReplicationPad3D
from vitrify.dygraph.nn.margin_layers import ZeroPad1D as ZeroPad1D
from vitrify.dygraph.nn.margin_layers import ZeroPad2D as ZeroPad2D
from vitrify.dygraph.nn.margin_layers import ZeroPad3D as ZeroPad3D
from vitrify.dygraph.nn.norm import BatchNorm as BatchNorm
from vitrify.dygraph.nn.norm import BatchNorm1D as BatchNorm1D
from vitrify.dygraph.nn.norm import BatchNorm2D as BatchNorm2D
from vitrify.dygraph.nn.norm import BatchNorm3D as BatchNorm3D
from vitrify.dygraph.nn.norm import GroupNorm as GroupNorm
from vitrify.dygraph.nn.norm import InstanceNorm1D as InstanceNorm1D
from vitrify.dygraph.nn.norm import InstanceNorm2D as InstanceNorm2D
from vitrify.dygraph.nn.norm import InstanceNorm3D as InstanceNorm3D
from vitrify.dygraph.nn.norm import LayerNorm as LayerNorm
from vitrify.dygraph.nn.norm import RMSNorm as RMSNorm
from vitrify.dygraph.nn.norm import SpectralNorm as SpectralNorm
from vitrify.dygraph.nn.norm import SyncBatchNorm as SyncBatchNorm
from vitrify.dygraph.nn.param_attr import ParamAttr as ParamAttr
from vitrify.dygraph.nn.param_attr import ParamAttr as WeightAttr
from vitrify.dygraph.nn.pool_layers import AdaptiveAvgPool1D as AdaptiveAvgPool1D
from vitrify.dygraph.nn.pool_layers import AdaptiveAvgPool2D as AdaptiveAvgPool2D
from vitrify.dygraph.nn.pool_layers import AdaptiveAvgPool3D as AdaptiveAvgPool3D
from vitrify.dygraph.nn.pool_layers import AdaptiveMaxPool1D as AdaptiveMaxPool1D
from vitrify.dygraph.nn.pool_layers import AdaptiveMaxPool2D as AdaptiveMaxPool2D
from vitrify.dygraph.nn.pool_layers import AdaptiveMaxPool3D as AdaptiveMaxPool3D
from vitrify.dygraph.nn.pool_layers import AvgPool1D as AvgPool1D
from vitrify.dygraph.nn.pool_layers import AvgPool2D as AvgPool2D
from vitrify.dygraph.nn.pool_layers import AvgPool3D as AvgPool3D
from vitrify.dygraph.nn.pool_layers import FractionalMaxPool2D as FractionalMaxPool2D
from vitrify.dygraph.nn.pool_layers import FractionalMaxPool3D as FractionalMaxPool3D
from vitrify.dygraph.nn.pool_layers import LPPool1D as LPPool1D
from vitrify.dygraph.nn.pool_layers import LPPool2D as LPPool2D
from vitrify.dygraph.nn.pool_layers import MaxPool1D as MaxPool1D
from vitrify.dygraph.nn.pool_layers import MaxPool2D as MaxPool2D
from vitrify.dygraph.nn.pool_layers import MaxPool3D as MaxPool3D
from vitrify.dygraph.nn.pool_layers import MaxUnPool1D as MaxUnPool1D
from vitrify.dygraph.nn.pool_layers import MaxUnPool2D as MaxUnPool2D
from vitrify.dygraph.nn.pool_layers import MaxUnPool3D as MaxUnPool3D
from vitrify.dygraph.nn.rnn import BiRNN as BiRNN
from vitrify.dygraph.nn.rnn import GRU as GRU
from vitrify.dygraph.nn.rnn import LSTM as LSTM
from vitrify.dygraph.nn.rnn import RNN as RNN
from vitrify.dygraph.nn.rnn import SimpleRNN as SimpleRNN
from vitrify.dygraph.nn.transformer import Transformer as Transformer
from vitrify.dygraph.nn.transformer import TransformerDecoder as TransformerDecoder
from vitrify.dygraph.nn.transformer import TransformerDecoderLayer as TransformerDecoderLayer
from vitrify.dygraph.nn.transformer import TransformerEncoder as TransformerEncoder
from vitrify.dygraph.nn.transformer import TransformerEncoderLayer as TransformerEncoderLayer
from vitrify.dygraph.nn.vision_layers import ChannelShuffle as ChannelShuffle
from vitrify.dygraph.nn.vision_layers import CosineSimilarity as CosineSimilarity
from vitrify.dygraph.nn.vision_layers import Fold as Fold
from vitrify.dygraph.nn.vision_layers import LocalResponseNorm as LocalResponseNorm
from vitrify.dygraph.nn.vision_layers import PairwiseDistance as PairwiseDistance
from vitrify.dygraph.nn.vision_layers import PixelShuffle as PixelShuffle
from vitrify.dygraph.nn.vision_layers import PixelUnshuffle as PixelUnshuffle
from vitrify.dygraph.nn.vision_layers import Unflatten as Unflatten
from vitrify.dygraph.nn.vision_layers import Unfold as Unfold
from vitrify.dygraph.nn.vision_layers import Upsample as Upsample
from vitrify.dygraph.nn.vision_layers import UpsamplingBilinear2D as UpsamplingBilinear2D
from vitrify.dygraph.nn.vision_layers import UpsamplingNearest2D as UpsamplingNearest2D
from vitrify.dygraph.optimizer.clip import ClipGradByGlobalNorm as ClipGradByGlobalNorm
from vitrify.dygraph.optimizer.clip import ClipGradByNorm as ClipGradByNorm
from vitrify.dygraph.optimizer.clip import ClipGradByValue as ClipGradByValue
from vitrify.nn import functional as functional
from vitrify.nn import initializer as initializer
from vitrify.nn import utils as utils
from vitrify.static.nn.decoding import BeamSearchDecoder as BeamSearchDecoder
from vitrify.static.nn.decoding import StepDecoder as _StepDecoder

def dynamic_decode(decoder: _StepDecoder, inits: _Any = None, max_step_num: _int | None = None, output_time_major: _bool = False, impute_finished: _bool = False, is_test: _bool = False, return_length: _bool = False, **kwargs: _Any) -> _Any:
    """Call `decoder.step` until every sequence has ended; (outputs, states), with `return_length` lengths too.

    max_step_num: the last step's number, counted from 0, so that there are at most max_step_num + 1. Outputs are
    [batch, time, ...], or [time, batch, ...] with `output_time_major`. impute_finished: ended sequences keep their
    states. is_test changes nothing. decoder: a Decoder, or any object with `initialize` and `step`.
    Errors: MissingError for one without them; ArgumentError if every sequence has ended before the first step.

    >>> import vitrify as vt
    >>> cell = vt.nn.GRUCell(4, 4)
    >>> decoder = vt.nn.BeamSearchDecoder(cell, 0, 1, 2, vt.nn.Embedding(6, 4), vt.nn.Linear(4, 6))
    >>> ids, states, lengths = vt.nn.dynamic_decode(decoder, vt.zeros([3, 4]), max_step_num=5, return_length=True)
    >>> lengths.shape
    [3, 2]"""
