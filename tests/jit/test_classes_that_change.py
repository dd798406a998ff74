"""Objects whose class the function changes, and slots of containers of a user's class."""

import pytest

import vitrify as vt
from vitrify.errors import CaptureError


class Calm:
    def speed(self):
        return 1


class Hasty(Calm):
    def speed(self):
        return 2


class Tagged(list):
    __slots__ = ("tag",)


class TaggedDict(dict):
    __slots__ = ("tag",)


def changes_of_class(mode, way):
    """Results and classes over calls of a function that changes one."""
    walker = Calm()

    @mode
    def turn(x):
        if way == "always":
            walker.__class__ = Hasty
            walker.last = x.sum()
        elif way == "before a condition":
            walker.__class__ = Hasty
            if x.sum() > 5:
                walker.last = x
        elif way == "in a branch":
            if x.sum() > 1:
                walker.__class__ = Hasty
        else:
            for v in x:
                if v > 1:
                    walker.__class__ = Hasty
        return walker.speed()

    shown = []
    for x in (0.0, 2.0, 0.0, 8.0):
        walker.__class__ = Calm
        shown.append((turn(vt.to_tensor([x])), type(walker).__name__))
    return shown


@pytest.mark.parametrize("way", ["always", "before a condition"])
def test_a_class_that_each_call_changes(way):
    assert changes_of_class(vt.to_static, way) == changes_of_class(lambda fn: fn, way)


@pytest.mark.parametrize("way", ["in a branch", "in a loop"])
def test_a_class_that_a_condition_changes_is_refused(way):
    with pytest.raises(CaptureError, match="the class of a Calm"):
        changes_of_class(vt.to_static, way)


@pytest.mark.parametrize("kind", [Tagged, TaggedDict])
def test_slots_of_containers_that_the_function_makes(kind):
    def make(x):
        made = kind([x * 2] if kind is Tagged else {"a": x * 2})
        made.tag = x.sum()
        return made

    compiled = vt.to_static(make)
    for x in (2.0, 3.0):
        made = compiled(vt.to_tensor([x]))
        assert type(made) is kind and made.tag.item() == x and made[0 if kind is Tagged else "a"].tolist() == [2 * x]


@pytest.mark.parametrize("kind", [Tagged, TaggedDict])
def test_slots_of_replaced_containers_are_read_anew(kind):
    def run(mode):
        class Holder:
            held = kind()

        Holder.held.tag = vt.to_tensor(0.0)
        holder = Holder()

        @mode
        def turn(x):
            last = holder.held.tag
            holder.held = kind()
            holder.held.tag = x * 2
            return last

        return [turn(vt.to_tensor(x)).item() for x in (1.0, 2.0, 3.0)]

    assert run(vt.to_static) == run(lambda fn: fn)


@pytest.mark.parametrize("kind", [Tagged, TaggedDict])
def test_slots_of_containers_from_outside_are_not_written(kind):
    held = kind()
    held.tag = 0

    @vt.to_static
    def turn(x):
        held.tag = x.sum()

    with pytest.raises(CaptureError, match="the slot 'tag'"):
        turn(vt.to_tensor([1.0]))
    assert held.tag == 0
