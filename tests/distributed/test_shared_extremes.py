"""A maximum over ranks that several ranks hold shares its gradient; a model's buffers are rank 0's once it is wrapped."""

from __future__ import annotations

import numpy as np

import vitrify as vt
from vitrify.distributed import run_ranks


def test_ranks_with_the_same_extreme_share_its_gradient():
    def run():
        x = vt.to_tensor([2.0, float(vt.distributed.get_rank())], stop_gradient=False)
        vt.distributed.all_reduce_of(x * 1.0, "max").sum().backward()
        return x.grad.numpy()

    first, second = run_ranks(run, ranks=2)
    np.testing.assert_array_equal(first + second, [2.0, 2.0])
    np.testing.assert_array_equal(first[0], second[0])
    np.testing.assert_array_equal([first[1], second[1]], [0.0, 2.0])


def test_wrapping_a_model_makes_its_buffers_equal():
    def run():
        net = vt.nn.BatchNorm1D(2)
        net._mean.set_value(vt.full([2], float(vt.distributed.get_rank())))
        return vt.DataParallel(net)._layers._mean.numpy().tolist()

    assert run_ranks(run, ranks=2) == [[0.0, 0.0], [0.0, 0.0]]
