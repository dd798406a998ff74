"""Functions with too many paths: each statement is traced once per path, not all that follows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import CaptureError
from vitrify.jit.convert import Style, convert
from vitrify.jit.converters.regions import decisions
from vitrify.jit.runtime import RUNTIME

KEYS = ([0, 0, 0], [2, 1, 0], [0, 0, 2], [3, 1, 0], [0, 2, 2], [2, 2, 2])


@pytest.fixture(autouse=True)
def few_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """One path more than none is too many, so that every function here is traced in steps."""
    monkeypatch.setattr(decisions, "MOST_TAIL_COPIES", 0)


def maybe(x: Any, flag: Any) -> Any:
    if flag:
        return x
    return None


class Box:
    def __init__(self, value: Any) -> None:
        self.value = value
        self.count = 0


def options(x: Any, k: Any) -> Any:
    best, count = None, 0
    if k[0] > 1:
        best = x * 2
    y = (best if best is not None else x) * 0.5
    best = maybe(y, k[1] > 0)
    if best is not None:
        count += 1
    for j in range(3):
        if k[j] > 1:
            best = None
        elif best is None:
            best = y + j
            count = count + 1
    return x, y, count, best


def in_a_loop(x: Any, k: Any) -> Any:
    best, other = None, x
    for j in range(k[0] + 1):
        best = maybe(other * 0.5, k[1] > j)
        other = other + 1 if best is None else best * 2
    return best, other


def two_loops(x: Any, k: Any) -> Any:
    best = None
    for _ in range(k[0]):
        best = x * 1.0
    for _ in range(k[1]):
        y = best if best is not None else x
        best = y * 2
    return best


def sizes(x: Any, k: Any) -> Any:
    y = x[:2] if k[0] > 1 else x
    z = y * 2 if k[1] > 1 else y[:1]
    return z.sum() + len(y), y.shape[0]


def objects(x: Any, k: Any) -> Any:
    box, d, xs = Box(None), {"a": x}, [x]
    if k[0] > 1:
        box.value = x
        d["b"] = x * 2
    if box.value is None:
        box.count += 1
    if k[1] > 1:
        xs.append(x + 1)
    y = box.value * 3 if box.value is not None else d["a"]
    return y, box.count, len(xs), "b" in d, d


def raises(x: Any, k: Any) -> Any:
    best = maybe(x, k[0] > 1)
    try:
        if best is None:
            raise ValueError("none")
        y = best * 2
    except ValueError:
        y = x * 0
    if k[1] > 1 and best is not None:
        raise KeyError("too much")
    return y, best


def in_a_closure(x: Any, k: Any) -> Any:
    best, count = None, 0

    def look() -> Any:
        nonlocal best, count
        count += 1
        if best is None:
            best = maybe(x * count, k[count] > 0)
        return best

    first, second = look(), look()
    return first, second, count


def lengths(x: Any, k: Any) -> Any:
    found = [x]
    for _ in range(k[0]):
        found.append(x * 2)
    n = len(found)
    best = maybe(x, k[1] > 0)
    y = (best if best is not None else x) * n
    rows = x[x > 0]
    size = rows.shape[0]
    return y.sum() + size, n, vt.stack(found).sum(axis=0), rows * size


def in_a_big_statement(x: Any, k: Any) -> Any:
    best, pair, shown, xs = None, (x, None), None, [x]
    for j in range(3):
        if k[j] > 0:
            if k[j] > 1:
                best = x * j
                pair = (best, j)
            elif k[0] > j:
                best, shown = None, "small"
            else:
                shown = j * 2
                pair = (None, x * 3)
            xs.append(x * 2 if best is None else best)
        elif best is not None:
            pair = best, pair[1]
            continue
        else:
            shown = x + j
    return best, pair, shown, len(xs)


def of_a_tensor_written_later(x: Any, k: Any) -> Any:
    a, b = x * 2, x * 3
    if k[0] > 1:
        y = b
    elif k[1] > 1:
        y = None
    else:
        y = 0.5
    if y is not None:
        y = y * a
    z = y if k[2] > 1 else None
    a = a + 1
    return y, z, a.sum()


def read_on_one_path(x: Any, k: Any) -> Any:
    best, y = None, x
    for _ in range(k[0]):
        if k[1] > 0:
            if best is None:
                y = y + 1
            else:
                y = best * 0.5
        best = maybe(y, k[2] > 1)
    return best, y


def written_in_place(x: Any, k: Any) -> Any:
    best, y = maybe(x * 2, k[0] > 1), x * 0
    if k[1] > 0:
        if best is not None:
            best.add_(x)
    if k[2] > 0 and best is not None:
        best[0] = 7.0
        y = best * 1
    return best, y


def tried(x: Any, k: Any) -> Any:
    best, count = None, 0
    try:
        best = maybe(x, k[0] > 1)
        y = best * 2 if best is not None else x
        for j in range(2):
            if k[j] > 2:
                raise KeyError("two")
            best = maybe(y, k[j] > 0)
            count += 1
        if best is None:
            raise ValueError("none")
        y = y + best
    except ValueError as error:
        y, best = x * len(error.args), maybe(x, k[1] > 0)
        count = count if best is None else count + 1
    else:
        best = None if k[2] > 0 else (y, count)
    finally:
        count += 10
    return y, best, count


class Counted:
    def __init__(self, box: Box) -> None:
        self.box = box

    def __enter__(self) -> Box:
        self.box.count += 1
        return self.box

    def __exit__(self, kind: Any, *_: Any) -> bool:
        self.box.count += 10
        return kind is ValueError


def in_a_with(x: Any, k: Any) -> Any:
    box, best = Box(x), None
    with Counted(box) as b:
        best = maybe(x, k[0] > 1)
        y = best * 2 if best is not None else x
        b.value = y
        if k[1] > 1:
            raise ValueError("left")
        best = maybe(y, k[2] > 0)
    with Counted(box):
        if best is None:
            raise ValueError("none")
        best = maybe(best, k[1] > 0)
    return best, box.value, box.count


CASES = [
    options,
    read_on_one_path,
    written_in_place,
    tried,
    in_a_with,
    in_a_big_statement,
    of_a_tensor_written_later,
    in_a_loop,
    two_loops,
    sizes,
    objects,
    raises,
    in_a_closure,
    lengths,
]


def plain(value: Any) -> Any:
    if isinstance(value, vt.Tensor):
        return value.numpy().tolist()
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return {key: plain(v) for key, v in value.items()} if isinstance(value, dict) else value


def outcome(fn: Callable[..., Any], key: list[int]) -> Any:
    x = vt.to_tensor([0.5, -1.0, 2.0], stop_gradient=False)
    try:
        found = fn(x, vt.to_tensor(key))
    except KeyError as error:
        return repr(error)
    tensors = [t for t in found if isinstance(t, vt.Tensor) and not t.stop_gradient] if type(found) is tuple else []
    if tensors:
        sum(t.sum() for t in tensors).backward()
    return plain(found), None if x.grad is None else np.round(x.grad.numpy(), 4).tolist()


@pytest.mark.parametrize("fn", CASES, ids=[f.__name__ for f in CASES])
def test_results_gradients_and_errors_are_those_of_eager_mode(fn: Callable[..., Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for key in KEYS:
        assert outcome(compiled, key) == outcome(fn, key), key


def test_what_follows_is_traced_once() -> None:
    """Eight variables that are None or not: 2 to the 8th ways through the end, but each statement has two."""

    def many(x: Any, k: Any) -> Any:
        found = []
        for j in range(8):
            best = maybe(x * j, k[j] > 0)
            found.append(best if best is not None else x)
        return vt.stack(found).sum(axis=0)

    compiled = vt.jit.to_static(many)
    for key in ([0] * 8, [1] * 8, [0, 1] * 4):
        got, want = (fn(vt.ones([3]), vt.to_tensor(key)).numpy() for fn in (compiled, many))
        np.testing.assert_allclose(got, want)
    program = str(compiled.concrete_trace().program)
    assert program.count("stack") <= 2


def test_what_follows_in_a_try_or_with_is_traced_once() -> None:
    def many(x: Any, k: Any) -> Any:
        found, box = [], Box(None)
        try:
            with Counted(box):
                for j in range(8):
                    best = maybe(x * j, k[j] > 0)
                    found.append(best if best is not None else x)
            if k[0] > 1:
                raise KeyError("two")
        except KeyError:
            found = [x]
        return vt.stack(found).sum(axis=0)

    compiled = vt.jit.to_static(many)
    for key in ([0] * 8, [1] * 8, [0, 1] * 4, [2] * 8):
        got, want = (fn(vt.ones([3]), vt.to_tensor(key)).numpy() for fn in (compiled, many))
        np.testing.assert_allclose(got, want)
    program = str(compiled.concrete_trace().program)
    assert program.count("stack") <= 3


def test_an_if_leaves_one_of_several_without_another_trace_of_its_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    split: list[str] = []
    ends = decisions.Decision.split

    def counted(self: Any, message: str = "", loc: Any = None) -> Any:
        if self.region is not None and self.region.tracer.style.in_steps:
            split.append(message)
        return ends(self, message, loc)

    monkeypatch.setattr(decisions.Decision, "split", counted)

    def nested(x: Any, k: Any) -> Any:
        best = None
        if k[0] > 0:
            if k[1] > 0:
                if k[2] > 0:
                    best = x
                else:
                    best = (x, x)
            else:
                best = "none"
        return best

    compiled = vt.jit.to_static(nested)
    for key in KEYS:
        assert outcome(compiled, key) == outcome(nested, key), key
    assert len(split) <= 3, split  # the `return` looks at its four kinds; no `if` is traced again


def test_each_statement_stands_in_a_function_of_its_own() -> None:
    text = convert(maybe, RUNTIME, Style(in_steps=True)).code
    assert "vt_rt.step(" in text
    assert "vt_rt.step(" not in convert(maybe, RUNTIME).code


def test_a_program_without_a_call_is_traced_as_if_it_were_the_first() -> None:
    def chosen(x: Any) -> Any:
        if x.sum() > 0:
            return x * 2, "above"
        return x * 3, "below"

    def plain(x: Any) -> Any:
        return x + 1

    spec = [vt.InputSpec([2], "float32")]
    assert "if" in str(vt.to_static(chosen, input_spec=spec).program)
    assert "if" not in str(vt.to_static(plain, input_spec=spec).program)


def test_a_view_of_a_size_that_only_its_statement_knows() -> None:
    def formed(x: Any, sizes: Any) -> Any:
        y = x
        if x.sum() > 0:
            y = vt.reshape(x, [sizes[0], sizes[1]])
        z = y.transpose([1, 0])
        return y * 2, z + 1

    compiled = vt.jit.to_static(formed)
    x = vt.to_tensor(np.arange(6, dtype="float32").reshape(2, 3))
    for sizes in ([3, 2], [1, 6]):
        for each in (x, -x):
            found = [y.numpy() for y in compiled(each, vt.to_tensor(sizes))]
            expected = [y.numpy() for y in formed(each, vt.to_tensor(sizes))]
            for a, b in zip(found, expected, strict=True):
                np.testing.assert_array_equal(a, b)


def test_what_may_be_another_tensor_behind_a_statement() -> None:
    """A write to one of both would miss the other one: it is refused, as is a look at what was written otherwise."""

    def formed(x: Any, k: Any) -> Any:
        y = x.clone()
        v = y
        if k[0] > 1:
            v = y.reshape([3, 2])
        v[0] = 5.0
        return y, v

    def maybe_itself(x: Any, k: Any) -> Any:
        y = x.clone()
        v = None
        if k[0] > 1:
            v = y
        if v is not None:
            v[0] = 5.0
        return y, v

    def written_besides(x: Any, k: Any) -> Any:
        y = x.clone()
        v = y
        if k[0] > 1:
            v = y.reshape([3, 2])
        y[0] = 5.0
        return y, v

    def made_anew(x: Any, k: Any) -> Any:
        y = x.clone()
        v = None
        if k[0] > 1:
            v = y.reshape([3, 2]) + 0
        if v is not None:
            v[0] = 5.0
        return y, v

    x = vt.to_tensor(np.arange(6, dtype="float32").reshape(2, 3))
    for fn, message in (
        (formed, "writes in place to a variable that is, on one path of a branch, another tensor"),
        (maybe_itself, "writes in place to a variable that is, on one path of a branch, another tensor"),
        (written_besides, "reads a variable that is, on one path of a branch, a tensor that was written"),
    ):
        with pytest.raises(CaptureError, match=message):
            vt.jit.to_static(fn)(x, vt.to_tensor([2]))
    compiled = vt.jit.to_static(made_anew)
    for k in (2, 0):
        for a, b in zip(compiled(x, vt.to_tensor([k])), made_anew(x, vt.to_tensor([k])), strict=True):
            np.testing.assert_array_equal(np.asarray(a), np.asarray(b))
