"""A user's function, eager and compiled: values, dtypes, structure, printed text, side effects, errors, gradients."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.pytree import flatten, map_leaves
from vitrify.base.size import ElementCount

Make = Callable[[], Callable[..., Any]]


def tensors(value: Any, gradients: bool) -> Any:
    """Fresh tensors in place of arrays; those of floats need gradients where asked for."""

    def fresh(array: np.ndarray[Any, Any]) -> vt.Tensor:
        made = vt.to_tensor(array.copy())
        made.stop_gradient = not (gradients and made.dtype.is_floating)
        return made

    return map_leaves(fresh, copy.deepcopy(value), lambda v: isinstance(v, np.ndarray))


def leaves_of(value: Any) -> list[vt.Tensor]:
    return flatten(value, lambda v: isinstance(v, vt.Tensor))[0]


def total(value: Any) -> Any:
    """A number from all float tensors of a result, with a weight of its own for each element."""
    found: Any = None
    for k, x in enumerate([x for x in leaves_of(value) if x.dtype.is_floating and not x.stop_gradient]):
        weights = vt.arange(1, x.size + 1).astype(x.dtype).reshape(x.shape) / (x.size * (k + 1.0))
        part = (x * weights).sum()
        found = part if found is None else found + part
    return found


SIZES: dict[type, type] = {ElementCount: int}  # of shapes that vary, programs give plain numbers


def same(got: Any, want: Any, what: str) -> None:
    """Equal values, dtypes and structure. A Python number may come out of a program as a tensor without axes."""
    if isinstance(got, vt.Tensor) and isinstance(want, (bool, int, float)):
        assert got.ndim == 0, f"{what}: {got!r}, not {want!r}"
        kind = {bool: "bool", int: "int64", float: "float32"}[type(want)]
        assert got.dtype.name == kind, f"{what}: {got.dtype.name}, not {type(want).__name__}"
        np.testing.assert_allclose(got.numpy(), want, rtol=2e-5, atol=1e-6, err_msg=what)
        return
    assert SIZES.get(type(got), type(got)) is SIZES.get(type(want), type(want)), f"{what}: {got!r}, not {want!r}"
    if isinstance(want, vt.Tensor):
        assert got.dtype is want.dtype, f"{what}: {got.dtype}, not {want.dtype}"
        assert list(got.shape) == list(want.shape), f"{what}: {got.shape}, not {want.shape}"
        assert got.stop_gradient is want.stop_gradient, f"{what}: stop_gradient is {got.stop_gradient}"
        np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=2e-5, atol=1e-5, err_msg=what)
    elif isinstance(want, dict):
        assert list(got) == list(want), f"{what}: {got!r}, not {want!r}"
        for key in want:
            same(got[key], want[key], f"{what}[{key!r}]")
    elif isinstance(want, (tuple, list)):
        assert len(got) == len(want), f"{what}: {got!r}, not {want!r}"
        for k, (a, b) in enumerate(zip(got, want, strict=True)):
            same(a, b, f"{what}[{k}]")
    elif isinstance(want, float):
        assert got == pytest.approx(want, rel=1e-4, abs=1e-5, nan_ok=True), what
    elif dataclasses.is_dataclass(want):
        same(vars(got), vars(want), what)
    else:
        assert got == want or got != got, f"{what}: {got!r}, not {want!r}"


class Run:
    """What one call did."""

    def __init__(self, fn: Callable[..., Any], args: Any, state: Callable[[], Any] | None) -> None:
        self.args = args
        self.result: Any = None
        self.error: Exception | None = None
        text = io.StringIO()
        vt.seed(7)
        with contextlib.redirect_stdout(text):
            try:
                self.result = fn(*args)
            except Exception as error:
                self.error = error
        self.text = text.getvalue()
        self.state = copy.deepcopy(state()) if state is not None else None
        self.after = vt.rand([1]).item()  # the generator's state goes on in step

    def agrees(self, want: Run, what: str) -> None:
        if want.error is not None or self.error is not None:
            if want.error is None or type(self.error) is not type(want.error):
                raise AssertionError(f"{what}: {self.error!r}, not {want.error!r}") from self.error
            ours, theirs = (
                str(e.args[0]).split("\n")[0] for e in (self.error, want.error)
            )  # pytest adds lines to asserts
            assert ours == theirs, what
            return
        assert self.text == want.text, f"{what}: printed {self.text!r}, not {want.text!r}"
        same(self.result, want.result, f"{what}: result")
        for k, (a, b) in enumerate(zip(leaves_of(self.args), leaves_of(want.args), strict=True)):
            same(a.detach(), b.detach(), f"{what}: argument {k}")
        same(self.state, want.state, f"{what}: state")
        assert self.after == pytest.approx(want.after), f"{what}: the random numbers aren't in step"

    def gradients(self, parameters: list[vt.Tensor]) -> list[Any]:
        """Of the total of the results, for arguments and parameters."""
        loss = None if self.error is not None else total(self.result)
        if loss is not None:
            loss.backward()
        return grads_of([*leaves_of(self.args), *parameters])


def grads_of(xs: list[vt.Tensor]) -> list[Any]:
    found = [np.zeros(x.shape) if x.grad is None else x.grad.numpy() for x in xs if x.dtype.is_floating]
    for x in xs:
        x.clear_grad(set_to_zero=False)
    return found


def close(got: list[Any], want: list[Any], what: str) -> None:
    for k, (a, b) in enumerate(zip(got, want, strict=True)):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=3e-5, err_msg=f"{what} {k}")


def with_backward(fn: Callable[..., Any]) -> Callable[..., Any]:
    def step(*args: Any) -> Any:
        out = fn(*args)
        loss = total(out)
        if loss is not None:
            loss.backward()
            return loss.detach()
        return None

    return step


def check(
    make: Make, calls: list[tuple[Any, ...]], gradients: bool = True, outside: bool = True, traces: int | None = None
) -> None:
    """Eager and compiled agree on all calls, each done twice; then with backward() outside and inside."""
    eager, fn = make(), make()
    compiled = vt.to_static(fn)
    for number, args in enumerate(calls):
        for turn in range(2):
            what = f"call {number}.{turn} {args}"
            ours = Run(compiled, tensors(args, False), getattr(fn, "state", None))
            ours.agrees(Run(eager, tensors(args, False), getattr(eager, "state", None)), what)
    if traces is not None:
        assert compiled.get_traced_count() <= traces, compiled.explain()
    if gradients and outside:
        check_outside(calls, fn, compiled, eager)
    if gradients:
        check_inside(make, calls)


def check_outside(calls: list[tuple[Any, ...]], fn: Any, compiled: Any, eager: Any) -> None:
    for number, args in enumerate(calls):
        ours, wanted = (Run(f, tensors(args, True), None) for f in (compiled, eager))
        ours.agrees(wanted, f"recording call {number}")
        own, expected = (r.gradients(parameters_of(f)) for r, f in ((ours, fn), (wanted, eager)))
        close(own, expected, f"call {number} {args}: gradient outside")


def check_inside(make: Make, calls: list[tuple[Any, ...]]) -> None:
    eager, fn = make(), make()
    one, other = vt.to_static(with_backward(fn)), with_backward(eager)
    for number, args in enumerate(calls):
        ours, wanted = (Run(f, tensors(args, True), None) for f in (one, other))
        ours.agrees(wanted, f"backward inside, call {number} {args}")
        if wanted.error is None:
            own = grads_of([*leaves_of(ours.args), *parameters_of(fn)])
            expected = grads_of([*leaves_of(wanted.args), *parameters_of(eager)])
            close(own, expected, f"call {number} {args}: gradient inside")


def parameters_of(fn: Any) -> list[vt.Tensor]:
    owner = getattr(fn, "owner", None)
    return [] if owner is None else list(owner.parameters())


def refuse(fn: Callable[..., Any], args: tuple[Any, ...], kind: type[Exception], message: str, line: str) -> None:
    """A compiled call raises `kind` with this message, at the line with this text, and says what to do."""
    with pytest.raises(kind, match=message) as caught:
        vt.to_static(fn)(*tensors(args, False))
    error: Any = caught.value
    assert error.loc is not None, error
    assert line in error.loc.text(), error
    assert error.remedy, error


@pytest.fixture
def agree() -> Callable[..., None]:
    return check


@pytest.fixture
def refused() -> Callable[..., None]:
    return refuse
