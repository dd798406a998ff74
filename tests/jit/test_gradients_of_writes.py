"""Tensors written in place by values that need a gradient only on some paths, or only from some iteration on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError


def stored_before_the_step(d: Any) -> Any:
    x, p = vt.to_tensor(0.0), vt.zeros([4])
    for i, z in enumerate(d):
        p[i] = x
        x = x + z
    return p


def in_a_while_loop(d: Any) -> Any:
    x, p, i = vt.to_tensor(0.0), vt.zeros([4]), 0
    while p.sum() < 100 and i < 4:
        p[i] = x
        x = x + d[i]
        i += 1
    return p**2


def beside_a_gradient(d: Any) -> Any:
    x, p = vt.to_tensor(0.0), vt.zeros([4])
    for i, z in enumerate(d):
        p[i] = x * 2
        x = x + z
    return p + x


def added_to(d: Any) -> Any:
    x, p = vt.zeros([4]), vt.zeros([4])
    for z in d:
        p.add_(x)
        x = x * 0.5 + z
    return p


def branch_after_branch(d: Any) -> Any:
    x, p = vt.zeros([]), vt.zeros([4])
    if d[0] > -100:
        p[0] = x
        x = x + d[0]
    if d[1] > -100:
        p[1] = x
        x = x + d[1]
    if d[2] > 100:
        p[2] = x
    return p


def constant_on_the_first_path(d: Any) -> Any:
    x, p = d[0] * 2, vt.zeros([4])
    if d[1] < -100:
        p[1] = 5.0
    else:
        p[1] = x
    return p


def constant_on_the_second_path(d: Any) -> Any:
    x, p = d[0] * 2, vt.zeros([4])
    if d[1] > -100:
        p[1] = x
    else:
        p[1] = 5.0
    return p


def unrecorded_on_one_path(d: Any) -> Any:
    p = d * 2
    if d[1] > 0:
        with vt.no_grad():
            p[1] = 5.0
    else:
        p[1] = d[0] * 3
    return p * p


def unrecorded_afterwards(d: Any) -> Any:
    p = vt.zeros([4])
    p[::2] = d.mean()
    with vt.no_grad():
        p[2] = 0.5
    return p * p


def unrecorded_in_a_loop(d: Any) -> Any:
    p = vt.zeros([4])
    for i in range(vt.to_tensor(3)):
        p[i] = d.mean() * i
        with vt.no_grad():
            p[1] = 0.5
    return p * p


def unrecorded_then_in_place(d: Any) -> Any:
    p = d * 1.5
    with vt.no_grad():
        p[1] = d[0]
    p.scale_(0.5)
    with vt.no_grad():
        p[2] = 0.5
    p.add_(d)
    return p * p


def through_an_alias_in_a_loop(d: Any) -> Any:
    p = d * 1.5
    alias = p.detach()
    for _ in range(vt.to_tensor(2)):
        alias.scale_(0.5)
    return p * p


WAYS = [
    stored_before_the_step, in_a_while_loop, beside_a_gradient, added_to, branch_after_branch,
    constant_on_the_first_path, constant_on_the_second_path, unrecorded_on_one_path, unrecorded_afterwards,
    unrecorded_in_a_loop, unrecorded_then_in_place, through_an_alias_in_a_loop,
]  # fmt: skip


@pytest.mark.parametrize("function", WAYS)
def test_gradients_are_those_of_eager_mode(function: Callable[[Any], Any]) -> None:
    compiled = vt.to_static(function)
    for values in ([1.0, 2.0, 3.0, 4.0], [0.5, -1.0, 0.25, 2.0]):
        found = []
        for way in (function, compiled):
            d = vt.to_tensor(values, stop_gradient=False)
            y = way(d)
            (y * vt.to_tensor([1.0, 2.0, 4.0, 8.0])).sum().backward()
            found.append((y.numpy(), d.grad.numpy()))
        for eager, made in zip(*found, strict=True):
            np.testing.assert_allclose(made, eager, rtol=1e-6)


def test_a_loop_that_writes_a_variable_in_place_or_gives_it_another_tensor() -> None:
    def run(d: Any, n: Any) -> Any:
        q, y, i = d * 1.0, vt.zeros([]), vt.to_tensor(0)
        while i < n:
            if i < 1:
                q[1] = 1.5
            else:
                y = y + 0.1
                q = q + 0.1
            i = i + 1
        return q, y

    compiled = vt.to_static(run)
    for n in (2, 1, 0):
        found = [[t.tolist() for t in way(vt.to_tensor([1.0, 0.5, -0.5]), vt.to_tensor(n))] for way in (run, compiled)]
        assert found[1] == found[0]


def parameter_in_a_loop(net: Any, x: Any) -> Any:
    for _ in x:
        with vt.no_grad():
            net.weight.detach().scale_(0.9)
    return (net.weight * x.sum()).sum()


def parameter_swapped_under_a_condition(net: Any, x: Any) -> Any:
    with vt.no_grad():
        old = net.weight.clone()
        net.weight.set_value(net.weight * 0.5)
        if net(x).sum() > 0:
            net.weight.set_value(old)
    return net(x)


def gradient_on_two_paths(net: Any, x: Any) -> Any:
    net(x).sum().backward()
    if x.sum() > 0:
        net.weight.grad.scale_(0.5)
    else:
        net.weight.grad = net.weight.grad * 2
    return net.weight.grad * 1 + (net.weight * x.sum()).sum()


@pytest.mark.parametrize("function", [parameter_in_a_loop, parameter_swapped_under_a_condition, gradient_on_two_paths])
def test_gradients_of_parameters_that_are_written(function: Callable[..., Any]) -> None:
    for sign in (1.0, -1.0):
        found = []
        for compiles in (False, True):
            net = vt.nn.Linear(2, 1)
            net.weight.set_value(vt.ones([2, 1]))
            net.bias.set_value(vt.zeros([1]))

            def run(x: Any, net: Any = net) -> Any:
                return function(net, x)

            y = (vt.to_static(run) if compiles else run)(vt.to_tensor([[1.0, 2.0]]) * sign)
            y.sum().backward()
            found.append((y.tolist(), net.weight.tolist(), net.weight.grad.tolist()))
        assert found[1] == found[0]


def two_names(d: Any) -> Any:
    p = vt.zeros([4])
    alias = p.detach()
    p[0] = d[0] * 2
    alias[1] = d[1] * 3
    return p * p + alias * vt.to_tensor([1.0, 3.0, 5.0, 7.0])


def two_names_the_other_first(d: Any) -> Any:
    p = vt.zeros([4])
    alias = p.detach()
    alias[1] = d[1] * 3
    p[0] = d[0] * 2
    return p * p + alias * vt.to_tensor([1.0, 3.0, 5.0, 7.0])


def three_times_by_two_names(d: Any) -> Any:
    p = d * 2
    alias = p.detach()
    alias[1] = d[1] * 3
    p[0] = d[0] * 2
    alias[2] = d[3] * 7
    with vt.no_grad():
        p[3] = 0.5
    return alias * 2 + p * p


def two_names_before_a_loop(d: Any) -> Any:
    p = d * 1.5
    alias = p.detach()
    alias[0] = d[1] * 3
    total = vt.zeros([4])
    for i in range(vt.to_tensor(3)):
        total = total + alias * d[i] + p * p
    return total


def a_leaf_over_what_was_written(d: Any) -> Any:
    p = d * 1.5
    with vt.no_grad():
        p[0] = 1.0
    leaf = p.detach()
    leaf.stop_gradient = False
    (slope,) = vt.grad((leaf * leaf).sum(), leaf)
    return p * slope + leaf.detach() * d


def a_leaf_made_without_a_record(d: Any) -> Any:
    with vt.no_grad():
        leaf = d * 2
    leaf.stop_gradient = False
    (slope,) = vt.grad((leaf * leaf * leaf).sum(), leaf, create_graph=True)
    return slope * d


def an_alias_of_each_iteration(d: Any) -> Any:
    p, total = vt.zeros([4]), vt.zeros([4])
    for i in range(vt.to_tensor(3)):
        alias = p.detach()
        alias[i] = d[i] * 2
        total = total + alias
    return total + p


NAMES = [
    two_names, two_names_the_other_first, three_times_by_two_names, two_names_before_a_loop, a_leaf_over_what_was_written,
    a_leaf_made_without_a_record, an_alias_of_each_iteration,
]  # fmt: skip


@pytest.mark.parametrize("function", NAMES)
def test_names_of_one_memory_have_gradients_of_their_own(function: Callable[[Any], Any]) -> None:
    test_gradients_are_those_of_eager_mode(function)


def recorded_by_an_alias(d: Any) -> Any:
    p = d * 1.5
    alias = p.detach()
    if d.sum() > -100:
        alias[0] = d[1]
    return alias * d[2] + p * 2


def recorded_by_both(d: Any) -> Any:
    p = vt.zeros([4])
    alias = p.detach()
    for i in range(vt.to_tensor(2)):
        p[i] = d[0] * 2
        alias[i + 1] = d[1] * 3
    return p * p + alias


def recorded_by_one_on_each_path(d: Any) -> Any:
    p, alias = vt.zeros([4]), None
    alias = p.detach()
    for i in range(vt.to_tensor(2)):
        if d[i] > 0:
            p[0] = d[0] * 2
        else:
            alias[1] = d[1] * 3
    return p * p + alias


@pytest.mark.parametrize("function", [recorded_by_an_alias, recorded_by_both, recorded_by_one_on_each_path])
def test_two_names_with_gradients_come_out_of_no_block(function: Callable[[Any], Any]) -> None:
    with pytest.raises(CaptureError, match="same memory with a gradient of its own"):
        vt.to_static(function)(vt.to_tensor([1.0, -2.0, 3.0, 4.0], stop_gradient=False))


def test_a_loop_that_gives_a_variable_the_elements_of_another_one() -> None:
    def run(d: Any, n: Any) -> Any:
        q, y, i = d * 1.0, vt.zeros([3]), vt.to_tensor(0)
        while i < n:
            if i < 1:
                q.set_value(y)
            else:
                y = y + 0.1
                q = q + 0.1
            i = i + 1
        return q, y

    def in_turn(d: Any, n: Any) -> Any:
        q, r, i = d * 1.0, d * 3, vt.to_tensor(0)
        while i < n:
            vt.assign(r, q)
            r = r + q
            i = i + 1
        return q, r

    for fn in (run, in_turn):
        compiled = vt.to_static(fn)
        for n in (3, 2, 1, 0):
            found = [
                [t.tolist() for t in way(vt.to_tensor([1.0, 0.5, -0.5]), vt.to_tensor(n))] for way in (fn, compiled)
            ]
            assert found[1] == found[0]


def an_alias_is_read_in_the_loop(d: Any) -> Any:
    p = d * 1.5
    alias, total = p.detach(), vt.zeros([4])
    for _ in range(vt.to_tensor(3)):
        alias.scale_(0.5)
        total = total + (alias + 0) * d
    return total + p


def an_alias_and_a_tensor_without_a_gradient(d: Any) -> Any:
    p, total = vt.zeros([4]), vt.zeros([4])
    for i in range(vt.to_tensor(3)):
        total = total + (p + 0) * d
        with vt.no_grad():
            p[i] = d[i] * 3
    return total + p


@pytest.mark.parametrize("function", [an_alias_is_read_in_the_loop, an_alias_and_a_tensor_without_a_gradient])
def test_a_name_without_a_gradient_has_none_in_a_loop(function: Callable[[Any], Any]) -> None:
    test_gradients_are_those_of_eager_mode(function)
