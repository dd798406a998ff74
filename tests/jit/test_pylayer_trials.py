"""A PyLayer whose forward checks its arguments: the trial run at capture takes elements that it accepts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError


class Logarithm(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        assert (x >= 1).all(), "x must be >= 1"
        ctx.save_for_backward(x)
        return vt.log(x)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensor()
        return g / x


class Entropy(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, p: Any) -> Any:
        if abs(p.sum().item() - 1) > 1e-3:
            raise ValueError(f"no distribution: {p.sum().item():.1f}")
        ctx.save_for_backward(p)
        return -(p * vt.log(p)).sum()

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (p,) = ctx.saved_tensor()
        return -g * (vt.log(p) + 1)


class Table(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any, index: Any) -> Any:
        if index.min().item() < 5:
            raise IndexError("rows below 5 are reserved")
        return x[index - 5]

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g, None


def test_an_assertion_that_holds_for_the_call() -> None:
    @vt.to_static
    def f(x: Any) -> Any:
        return Logarithm.apply(x)

    for k in (1, 2):
        assert f(vt.ones([2]) * k).tolist() == pytest.approx([np.log(k)] * 2)
    assert f(vt.ones([5]) * 3).tolist() == pytest.approx([np.log(3)] * 5)  # another size, the same program or not
    with pytest.raises(AssertionError, match="x must be >= 1"):
        f(vt.ones([2]) * 0.5)


def test_a_check_of_all_elements_together() -> None:
    def f(x: Any) -> Any:
        x = x.detach()
        x.stop_gradient = False
        p = vt.nn.functional.softmax(x)
        Entropy.apply(p).backward()
        return x.grad

    compiled = vt.to_static(f)
    for numbers in ([1.0, 2.0, 4.0], [0.5, 0.0, 1.0]):
        x = vt.to_tensor(numbers)
        np.testing.assert_allclose(compiled(x).numpy(), f(x).numpy(), rtol=1e-5)


def test_integers_and_a_result_of_another_layer() -> None:
    def f(x: Any, index: Any) -> Any:
        return Table.apply(Logarithm.apply(x + 7), index * 5)

    x, index = vt.arange(4).astype("float32"), vt.to_tensor([1, 1])
    assert vt.to_static(f)(x, index).tolist() == f(x, index).tolist()


def test_in_a_branch() -> None:
    @vt.to_static
    def f(x: Any) -> Any:
        if (x > 1).all():
            return Logarithm.apply(x)
        return x * 0

    assert f(vt.ones([2]) * 2).tolist() == pytest.approx([np.log(2)] * 2)
    assert f(vt.zeros([2])).tolist() == [0, 0]


def test_the_error_of_the_call_is_the_users() -> None:
    @vt.to_static
    def f(x: Any) -> Any:
        return Entropy.apply(x)

    with pytest.raises(ValueError, match=r"no distribution: 6\.0"):
        f(vt.ones([2]) * 3)


def test_in_a_loop() -> None:
    @vt.to_static
    def loop(x: Any, n: Any) -> Any:
        for _ in range(n):
            x = Logarithm.apply(x) + 5
        return x

    assert loop(vt.ones([2]), vt.to_tensor(1)).tolist() == [5, 5]
    assert loop(vt.ones([2]), vt.to_tensor(2)).tolist() == pytest.approx([np.log(5) + 5] * 2)


def test_without_a_call_elements_are_made_up() -> None:
    @vt.to_static(input_spec=[vt.static.InputSpec([2])])
    def f(x: Any) -> Any:
        return Logarithm.apply(x)

    assert "callback" in str(f.concrete_program.main_program)  # ones will do

    @vt.to_static(input_spec=[vt.static.InputSpec([2]), vt.static.InputSpec([2], "int64")])
    def refused(x: Any, index: Any) -> Any:
        return Table.apply(x, index)

    with pytest.raises(CaptureError, match=r"Table\.forward raised IndexError in a trial run") as caught:
        _ = refused.concrete_program
    assert caught.value.loc is not None and caught.value.loc.file == __file__


class TooLarge(Exception):
    pass


class Checked(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        if x.sum() > 5:
            raise TooLarge(f"{x.sum().item():.1f}")
        return x * 1

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g


@pytest.mark.parametrize("kind", [TooLarge, Exception, (KeyError, TooLarge)])
def test_an_exception_that_the_function_handles_is_an_error(kind: Any) -> None:
    @vt.to_static
    def f(x: Any) -> Any:
        try:
            return (Checked.apply(x) * 2).tolist()
        except kind:
            return None

    assert f(vt.ones([2])) == [2, 2]
    with pytest.raises(CaptureError, match=r"Checked\.forward raised TooLarge \(8\.0\)") as caught:
        f(vt.ones([2]) * 4)
    assert isinstance(caught.value.__cause__, TooLarge)
    assert "test_pylayer_trials.py" in str(caught.value) and "Checked.apply" in str(caught.value)


def test_an_exception_that_the_function_does_not_handle_goes_on() -> None:
    @vt.to_static
    def f(x: Any) -> Any:
        try:
            return (Checked.apply(x) * 2).tolist()
        except KeyError:
            return None

    assert f(vt.ones([2])) == [2, 2]
    with pytest.raises(TooLarge, match=r"8\.0"):
        f(vt.ones([2]) * 4)


def test_an_exception_of_each_trial_is_not_handled_at_capture() -> None:
    class Even(vt.autograd.PyLayer):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            if x.shape[0] % 2:
                raise ValueError("odd")
            return x * 1

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g

    @vt.to_static
    def f(x: Any) -> Any:
        try:
            return Even.apply(x).tolist()
        except ValueError:
            return None

    with pytest.raises(CaptureError, match=r"Even\.forward raised ValueError"):
        f(vt.ones([3]))
    assert f(vt.ones([2])) == [1, 1]
