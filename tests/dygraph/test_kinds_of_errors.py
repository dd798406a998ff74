"""Errors are the built-in errors that PaddlePaddle raises for the same mistakes: programs for it catch those."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify import nn

ASSERTED: dict[str, Callable[[], Any]] = {
    "rank of softmax2d": lambda: nn.Softmax2D()(vt.ones([2, 3])),
    "heads": lambda: nn.MultiHeadAttention(4, 3),
    "width": lambda: nn.TransformerEncoderLayer(0, 2, 4),
    "weight of a convolution": lambda: nn.Conv2D(2, 3, 3, weight_attr=False),
    "item": lambda: nn.Sequential(nn.ReLU()).__setitem__("a", 3),
    "sublayer": lambda: nn.Sequential().add_sublayer("a", 3),
    "parameter": lambda: nn.ParameterList([3]),
    "layer of Sequential": lambda: nn.Sequential(nn.ReLU(), 1),
    "layer of LayerList": lambda: nn.LayerList([1]),
    "layer that is inserted": lambda: nn.Sequential(nn.ReLU()).insert(0, 1),
    "axis that is moved": lambda: vt.moveaxis(vt.ones([]), [1], [0]),
    "insertion": lambda: nn.LayerList([nn.ReLU()]).insert(7, nn.ReLU()),
    "no square": lambda: vt.linalg.cholesky(vt.ones([2, 3])),
    "rank of an unfold": lambda: F.unfold(vt.ones([2, 3, 4]), 2),
    "mode of pad": lambda: F.pad(vt.ones([1, 2, 3]), [1, 1], mode="foo"),
    "format of pad": lambda: F.pad(vt.ones([1, 2, 3]), [1, 1], mode="reflect", data_format="NCHW"),
    "size of an unpooling": lambda: F.max_unpool2d(vt.ones([1, 1, 2, 2]), vt.zeros([1, 1, 2, 2], "int64"), 2, output_size=3),
    "slope": lambda: F.elu_(vt.ones([3]), -1.0),
    "rank of slopes": lambda: F.prelu(vt.ones([1, 2]), vt.ones([1, 2])),
    "slopes without channels": lambda: F.prelu(vt.ones([2]), vt.ones([2])),
    "labels of dice_loss": lambda: F.dice_loss(vt.ones([2, 3]), vt.ones([2, 1])),
    "reduction": lambda: F.margin_cross_entropy(vt.ones([2, 3]), vt.ones([2], "int64"), reduction="foo"),
    "einsum": lambda: vt.einsum("ij,j->i", vt.ones([2, 2])),
    "length of rank 0": lambda: len(vt.to_tensor(1)),
    "rows of rank 0": lambda: list(vt.to_tensor(1)),
    "metric": lambda: vt.Model(nn.Linear(1, 1)).prepare(metrics=[3]),
    "loss": lambda: vt.optimizer.SGD(0.1, parameters=nn.Linear(1, 1).parameters()).minimize(3.0),
    "window": lambda: vt.signal.stft(vt.ones([8]), 4, 2, 8),
}  # fmt: skip

OTHERS: dict[str, tuple[Callable[[], Any], tuple[type[Exception], ...]]] = {
    "insertion far away": (lambda: nn.Sequential(nn.ReLU()).insert(7, nn.ReLU()), (IndexError,)),
    "negative count": (lambda: vt.eye(-1), (TypeError, ValueError)),
    "axis of another kind": (lambda: vt.flatten(vt.ones([2, 3]), 0.5, 1), (TypeError, ValueError)),
    "dtype of draws": (lambda: vt.rand([2], dtype="int32"), (TypeError, RuntimeError)),
    "dtype of an index": (lambda: vt.gather(vt.ones([2]), vt.ones([2])), (TypeError, ValueError)),
    "mask": (lambda: vt.ones([2, 3])[[True, False, False]], (IndexError, ValueError)),
    "subscript": (lambda: vt.ones([2, 3])["a"], (IndexError, ValueError, TypeError)),
    "rank of a diagonal": (lambda: vt.diagonal(vt.ones([2])), (IndexError,)),
    "rank of diag_embed": (lambda: vt.diag_embed(vt.to_tensor(1.0)), (IndexError,)),
    "no elements for a transform": (lambda: vt.fft.fft(vt.ones([8]), n=-1), (ValueError,)),
    "an axis for axes": (lambda: vt.fft.fft2(vt.ones([8, 2]), axes=3), (ValueError,)),
    "length of a stream": (lambda: len(vt.io.DataLoader(vt.io.IterableDataset())), (ValueError, TypeError)),
    "sample of a stream": (lambda: vt.io.IterableDataset()[0], (RuntimeError,)),
    "texts for a metric": (lambda: vt.metric.Precision().update("a", "b"), (ValueError,)),
    "more scores than there are": (
        lambda: vt.metric.accuracy(vt.ones([3, 2]), vt.zeros([3, 1], "int64"), k=5),
        (ValueError,),
    ),
    "end of one number": (lambda: vt.logspace(0, [10], 1, 2), (TypeError,)),
    "group": (lambda: F.class_center_sample(vt.ones([3], "int64"), 9, 6, group=True), (ValueError,)),
    "no labels": (lambda: F.class_center_sample(vt.ones([0], "int64"), 9, 6), (ValueError,)),
}


@pytest.mark.parametrize("mistake", ASSERTED)
def test_what_paddle_asserts(mistake: str) -> None:
    with pytest.raises(AssertionError):
        ASSERTED[mistake]()


@pytest.mark.parametrize("mistake", OTHERS)
def test_what_paddle_raises(mistake: str) -> None:
    call, kinds = OTHERS[mistake]
    for kind in kinds:
        with pytest.raises(kind):
            call()
