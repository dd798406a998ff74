"""Results, and what a function leaves outside, of kinds beside lists, tuples and dicts: they hold each call's values, or
are refused with a line. Never do they hold tensors of the capture.
"""

from __future__ import annotations

import abc
import types
from collections import ChainMap, OrderedDict, UserDict, UserList, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError

T = TypeVar("T")


class Stack(list[Any]):
    def top(self) -> Any:
        return self[-1]


class Named(list[Any]):
    def __init__(self, items: Any, name: Any) -> None:
        super().__init__(items)
        self.name = name


class Pair(tuple[Any, ...]):
    __slots__ = ()


class Failure(Exception):
    def __init__(self, loss: Any, step: int) -> None:
        super().__init__(loss, step)
        self.loss = loss


class Base(abc.ABC):
    @abc.abstractmethod
    def read(self) -> Any: ...


class Box(Base, Generic[T]):
    def __init__(self, v: Any) -> None:
        self.v = v

    def read(self) -> Any:
        return self.v


class Ring(deque[Any]):
    pass


class Settings(UserDict[Any, Any]):
    pass


@dataclass
class Candidate:
    x: Any
    y: Any

    def score(self) -> Any:
        return (self.x * 2 + self.y).sum()

    @property
    def half(self) -> Any:
        return self.x / 2


left = types.SimpleNamespace(last=None)


def leaves(x: Any) -> list[Any]:
    """The numbers in a result, whatever it is made of."""
    if isinstance(x, vt.Tensor):
        return x.flatten().tolist()
    if isinstance(x, (UserDict, ChainMap, dict)):
        return [n for k in sorted(x) for n in leaves(x[k])]
    if isinstance(x, BaseException):
        return [*leaves(x.args), *leaves(vars(x))]
    if isinstance(x, (int, float, str, type(None))):
        return [x]
    if isinstance(x, (set, frozenset)):
        return sorted(n for part in x for n in leaves(part))
    own = leaves(vars(x)) if hasattr(x, "__dict__") else []
    return [*own, *(n for part in (x if hasattr(x, "__iter__") else ()) for n in leaves(part))]


def structure(x: Any) -> Any:
    return type(x), getattr(x, "maxlen", None), list(vars(x)) if hasattr(x, "__dict__") else None


REBUILT: list[Callable[[Any], Any]] = [
    lambda x: deque([x.sum(), x], maxlen=3),
    lambda x: Ring([x.sum(), x], 5),
    lambda x: {"history": deque([x.sum()]), "n": 1},
    lambda x: deque([deque([x]), {"a": x * 2}]),
    lambda x: {"a": x.sum(), "b": x}.values(),
    lambda x: {"a": x.sum(), "b": x}.items(),
    lambda x: OrderedDict(b=x.sum(), a=x).values(),
    lambda x: Stack([x.sum(), x]),
    lambda x: Named([x.sum(), x], x * 3),
    lambda x: Pair((x.sum(), x)),
    lambda x: {x.sum(), x.max()},
    lambda x: frozenset([x.sum(), x.max()]),
    lambda x: UserDict(a=x.sum(), b=[x]),
    lambda x: Settings(a=x.sum()),
    lambda x: UserDict(a=x.sum(), b=x).values(),
    lambda x: ChainMap({"a": x.sum()}, {"b": x}).items(),
    lambda x: UserList([x.sum(), x]),
    lambda x: ChainMap({"a": x.sum()}, {"b": x}),
    lambda x: Box(x.sum()),
    lambda x: Box(deque([x.sum(), Stack([x])])),
    lambda x: Failure(x.sum(), 3),
    lambda x: [Failure(x.sum(), 3)],
    lambda x: deque([int(x.sum()), float(x.max())]),
    lambda x: deque([1, 2]),
]


@pytest.mark.parametrize("number", range(len(REBUILT)))
def test_results_hold_the_values_of_each_call(number: int) -> None:
    fn = REBUILT[number]
    compiled = vt.jit.to_static(fn)
    results = []
    for x in (vt.to_tensor([1.0, 2.0]), vt.to_tensor([4.0, 5.0]), vt.to_tensor([1.0, 2.0, 4.0])):
        found, expected = compiled(x), fn(x)
        assert leaves(found) == leaves(expected)
        assert structure(found) == structure(expected)
        results.append(found)
    assert results[0] is not results[1]


@pytest.mark.parametrize("number", range(len(REBUILT)))
def test_what_is_left_outside_holds_the_values_of_each_call(number: int) -> None:
    def fn(x: Any) -> Any:
        left.last = REBUILT[number](x)
        return x

    compiled = vt.jit.to_static(fn)
    for x in (vt.to_tensor([1.0, 2.0]), vt.to_tensor([4.0, 5.0])):
        compiled(x)
        assert leaves(left.last) == leaves(REBUILT[number](x))


def a_generator(x: Any) -> Any:
    return (v * 2 for v in x)


def a_map(x: Any) -> Any:
    return map(abs, [x.sum()])


def a_zip(x: Any) -> Any:
    return [zip([x.sum()], [1], strict=True)]


def an_iterator(x: Any) -> Any:
    return iter([1, 2])


def a_lambda(x: Any) -> Any:
    y = x.sum()
    return [lambda: y * 2]


def a_bound_method(x: Any) -> Any:
    return Box(x * 2).read


def a_default(x: Any) -> Any:
    def read(y: Any = x * 2) -> Any:
        return y

    return read


def a_function_left_outside(x: Any) -> Any:
    y = x.sum()
    left.last = lambda: y
    return x


def an_iterator_left_outside(x: Any) -> Any:
    left.last = map(abs, [x])
    return x


@pytest.mark.parametrize(
    "fn",
    [a_generator, a_map, a_zip, an_iterator, a_lambda, a_bound_method, a_default, a_function_left_outside,
     an_iterator_left_outside],
)  # fmt: skip
def test_what_no_program_can_make_is_refused(fn: Callable[[Any], Any]) -> None:
    left.last = None
    with pytest.raises(CaptureError, match="which no program can make anew at each call") as told:
        vt.jit.to_static(fn)(vt.ones([2]))
    code = fn.__code__
    assert told.value.loc.file == code.co_filename
    assert code.co_firstlineno <= told.value.loc.line <= code.co_firstlineno + 4
    assert left.last is None


def test_distributions_come_out() -> None:
    def fn(x: Any) -> Any:
        return vt.distribution.Normal(x.mean(), x.max()), vt.distribution.Categorical(x)

    compiled = vt.jit.to_static(fn)
    for x in (vt.to_tensor([1.0, 2.0]), vt.to_tensor([3.0, 5.0])):
        (normal, kinds), (wanted, others) = compiled(x), fn(x)
        assert normal.mean.tolist() == wanted.mean.tolist()
        assert normal.log_prob(x).tolist() == pytest.approx(wanted.log_prob(x).tolist())
        assert kinds.entropy().tolist() == pytest.approx(others.entropy().tolist())


def test_functions_and_iterators_that_hold_nothing_of_a_run_come_out() -> None:
    def helper(x: Any) -> Any:
        return x * 2

    kept = iter([1, 2])
    box = Box(vt.ones([2]))
    fn = vt.jit.to_static(lambda x: (helper, kept, box, box.read, x * 2))
    found = fn(vt.ones([2]))
    assert found[0] is helper
    assert found[1] is kept
    assert found[2] is box
    assert found[3]() is box.v


def picked(x: Any) -> Any:
    p = Candidate(x, x) if x.sum() > 0 else Candidate(-x, x)
    return p.score(), p


def of_a_property(x: Any) -> Any:
    p = Candidate(x, x) if x.sum() > 0 else Candidate(-x, x)
    return p.half, p


def best_of_rows(x: Any) -> Any:
    best = None
    for r in x:
        c = Candidate(r, r * 2)
        if best is None or c.score() > best.score():
            best = c
    return best, best.score()  # type: ignore[union-attr]


def searched(x: Any) -> Any:
    p = Candidate(x, 1.0)
    for _ in range(3):
        if x.sum() > 3:
            break
        p = Candidate(x, x.sum())
        x = x + p.score()
    return p, p.score()


def left_outside(x: Any) -> Any:
    p = Candidate(x, x) if x.sum() > 0 else Candidate(-x, x)
    s = p.score()
    left.last = p
    return s, left.last


def numbers_only(x: Any) -> Any:
    p = Candidate(1, 2) if x.sum() > 0 else Candidate(3, 4)
    return p.half, p


def of_two_classes(x: Any) -> Any:
    p = Candidate(x, "a") if x.sum() > 0 else Candidate(x * 2, x)
    return p.half, p


def in_a_list(x: Any) -> Any:
    found = [Candidate(x, x), Candidate(x * 2, x)] if x.sum() > 0 else [Candidate(-x, x), Candidate(x, -x)]
    return sum(c.score() for c in found), found


def replaced_field(x: Any) -> Any:
    p = Candidate(x, x) if x.sum() > 0 else Candidate(-x, x)
    p.score()
    p.y = p.half + 1
    return p


@pytest.mark.parametrize(
    "fn",
    [picked, of_a_property, best_of_rows, searched, left_outside, numbers_only, of_two_classes, in_a_list,
     replaced_field],
)  # fmt: skip
def test_an_object_that_a_tensor_chose_holds_values_after_a_call_of_its_methods(fn: Callable[[Any], Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for x in (vt.to_tensor([1.0, 2.0]), vt.to_tensor([-4.0, 1.0]), vt.to_tensor([0.5, 0.25])):
        first, second, expected = compiled(x), compiled(x), fn(x)
        assert leaves(first) == pytest.approx(leaves(expected))
        assert leaves(second) == pytest.approx(leaves(expected))
        objects = [p for p in (first, *(first if isinstance(first, tuple) else ())) if isinstance(p, Candidate)]
        again = [p for p in (second, *(second if isinstance(second, tuple) else ())) if isinstance(p, Candidate)]
        assert not any(p is q for p in objects for q in again)


def of_each_path(x: Any) -> Any:
    return deque([x * 2]) if x.sum() > 0 else deque([x * 3, x])


def of_one_path(x: Any) -> Any:
    found = {}
    if x.sum() > 0:
        found["a"] = deque([x * 2], 4)
    return found


def written_after(x: Any) -> Any:
    q: Any = deque([x * 2]) if x.sum() > 0 else deque([x * 3, x])
    p = q
    p.append(x)
    return q, len(q)


def under_two_names(x: Any) -> Any:
    found: dict[str, Any] = {}
    if x.sum() > 0:
        found["a"] = p = Stack([x * 2])
        p.append(x)
    return found


def an_exception_or_none(x: Any) -> Any:
    return Failure(x * 2, 1) if x.sum() > 0 else None


def a_set_or_none(x: Any) -> Any:
    return {1: {x * 2}} if x.sum() > 0 else None


def an_object_of_a_path(x: Any) -> Any:
    found = {}
    if x.sum() > 0:
        found["box"] = Box(deque([x * 2]))
    return found


def left_on_each_path(x: Any) -> Any:
    if x.sum() > 0:
        left.last = deque([x * 2])
    else:
        left.last = deque([x * 3, x])
    return x


def appended_on_one_path(x: Any) -> Any:
    q = deque([x])
    if x.sum() > 0:
        q.append(x * 2)
    return Box(q)


@pytest.mark.parametrize(
    "fn",
    [of_each_path, of_one_path, written_after, under_two_names, an_exception_or_none, a_set_or_none,
     an_object_of_a_path, left_on_each_path, appended_on_one_path],
)  # fmt: skip
def test_what_a_path_made_holds_values(fn: Callable[[Any], Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for x in (vt.to_tensor([1.0, 2.0]), vt.to_tensor([-4.0, 1.0]), vt.to_tensor([3.0, 4.0])):
        expected, kept = fn(x), left.last
        found = compiled(x)
        assert leaves(found) == leaves(expected)
        assert structure(found) == structure(expected)
        assert leaves(left.last) == leaves(kept)


def test_deques_that_a_defaultdict_makes_on_a_path_hold_values() -> None:
    def stats_of(wrap: Any) -> Any:
        stats: Any = defaultdict(deque)

        def step(x: Any) -> Any:
            if x.sum() > 0:
                stats["big"].append(x.sum())
            else:
                stats["small"].append(x.sum())
            return x

        call = wrap(step)
        for v in (-1.0, -2.0, 1.0, 2.0, -3.0):
            call(vt.full([2], v))
        return stats

    found, expected = stats_of(vt.jit.to_static), stats_of(lambda fn: fn)
    assert {k: leaves(v) for k, v in found.items()} == {k: leaves(v) for k, v in expected.items()}
    assert all(type(v) is deque for v in found.values())


def test_a_deque_of_a_length_that_only_a_run_knows_comes_out() -> None:
    def fn(x: Any) -> Any:
        found: Any = deque()
        for v in x:
            if v > 1:
                found.append(v * 2)
        return found

    compiled = vt.jit.to_static(fn)
    for x in (vt.to_tensor([1.0, 2.0, 3.0]), vt.to_tensor([0.0, 0.0, 3.0, 4.0])):
        found = compiled(x)
        assert isinstance(found, deque)
        assert leaves(found) == leaves(fn(x))


def test_saved_programs_give_the_items(tmp_path: Any) -> None:
    class Net(vt.nn.Layer):
        def forward(self, x: Any) -> Any:
            return deque([x.sum(), x * 2], maxlen=4), Stack([x])

    net = Net()
    vt.jit.save(net, str(tmp_path / "net"), input_spec=[vt.static.InputSpec([2], "float32")])
    found = vt.jit.load(str(tmp_path / "net"))(vt.ones([2]))  # loaded programs give a list of all tensors
    assert [v.tolist() for v in found] == [2.0, [2.0, 2.0], [1.0, 1.0]]
