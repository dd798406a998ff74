"""Dicts and sets of tensors tell them apart by what they are."""

from __future__ import annotations

import pytest

import vitrify as vt
from vitrify.autograd.backward_utils import ValueDict, ValueSet


def test_a_dict_of_tensors() -> None:
    a, b, c = vt.ones([2]), vt.ones([2]), vt.ones([2])
    found = ValueDict({a: 1})
    found.update(ValueDict({b: 2}))
    assert (found[a], found[b], found.get(c), found.pop(b, None), b in found, len(found)) == (1, 2, None, 2, False, 1)
    assert next(iter(found.keys())) is a and list(found.values()) == [1] and found.setdefault(a, 3) == 1
    other = found.copy()
    other[c] = 3
    assert c in other and c not in found and "ValueDict(" in repr(other)
    for wrong in (lambda: found[c], lambda: found.pop(c), lambda: found.__delitem__(c)):
        with pytest.raises(KeyError):
            wrong()
    lists = ValueDict(default_factory=list)
    assert lists.get(a) is None and not lists
    lists.copy()[a].append(1)
    lists[a].append(2)
    assert lists[a] == [2]


def test_a_set_of_tensors() -> None:
    a, b, c = vt.ones([2]), vt.ones([2]), vt.ones([2])
    first, second = ValueSet([a, b]), ValueSet([b, c])
    assert [len(made) for made in (first & second, first | second, first - second)] == [1, 3, 1]
    assert b in (first & second) and a not in second and bool(first) and not ValueSet()
    copied = first.copy()
    copied.add(c)
    copied.discard(a)
    copied.update([b])
    copied.remove(b)
    assert copied.pop() is c and len(first) == 2 and repr(ValueSet()) == "ValueSet()"
    with pytest.raises(KeyError):
        copied.remove(a)
