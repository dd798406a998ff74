"""`vt_rt`: what converted code calls. Without a trace every construct means what it means in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.frame_marks import asks_for_caller
from .convert import convert
from .converters import call as calls
from .converters import comprehensions, logical, variables
from .converters.assert_statement import assert_
from .converters.class_patterns import pattern_class
from .converters.for_loop import for_loop
from .converters.generators import Emit, asked_once, asked_once_if_alone
from .converters.if_else import if_else, if_exp
from .converters.managers import caught, manager
from .converters.regions.items_in_doubt import decide_items, held, look, look_at_new
from .converters.regions.markers import Undefined
from .converters.regions.statement_regions import step
from .converters.stdlib import dict_keys, iterators
from .converters.stdlib.adaptors import PLACED
from .converters.stdlib.outside_objects import unused
from .converters.stdlib.run_lists import lists
from .converters.stdlib.run_lists.chosen_items import choice_of
from .converters.stdlib.run_lists.list_lengths import is_place_of_run
from .converters.stdlib.strings import percent, run_time_string, shown
from .converters.while_loop import while_loop
from .trace.reachable import roots_of
from .trace.state.joined_containers import BEFORE
from .trace.tracer import active


@asks_for_caller
def _checked(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A function that looks for writes to containers that may be others, too (see trace/joined_containers.py)."""

    def run(*args: Any) -> Any:
        tracer = active()
        if tracer is None:
            return fn(*args)
        tracer.joints.check(args, place=BEFORE)
        made = fn(*args)
        tracer.joints.check((*args, made))
        return made

    return run


_item, _set_item, _delete_item = _checked(lists.item), _checked(lists.set_item), _checked(lists.delete_item)


def _decide_items(*values: Any) -> None:
    tracer = active()
    if tracer is not None:
        decide_items(tracer, *values)


@asks_for_caller
class Runtime:
    """The converters under the names that converted code uses."""

    Undefined = Undefined
    is_defined = staticmethod(variables.is_defined)
    load = staticmethod(variables.load)
    load_free = staticmethod(variables.load_free)
    bound = staticmethod(variables.bound)
    named = staticmethod(variables.named)
    returned = staticmethod(variables.returned)
    not_returned = staticmethod(variables.not_returned)
    deleted = staticmethod(variables.deleted)
    variable = staticmethod(variables.variable)
    attribute = staticmethod(variables.attribute)
    set_attribute = staticmethod(variables.set_attribute)
    if_else = staticmethod(if_else)
    if_exp = staticmethod(if_exp)
    step = staticmethod(step)
    while_loop = staticmethod(while_loop)
    for_loop = staticmethod(for_loop)
    and_ = staticmethod(logical.and_)
    or_ = staticmethod(logical.or_)
    not_ = staticmethod(logical.not_)
    compare_chain = staticmethod(logical.compare_chain)
    contains = staticmethod(logical.contains)
    equals = staticmethod(logical.equals)
    differ = staticmethod(logical.differ)
    identical = staticmethod(logical.identical)
    manager = staticmethod(manager)
    caught = staticmethod(caught)
    run_time_string = staticmethod(run_time_string)
    unused = staticmethod(unused)
    matched = staticmethod(variables.matched)
    pattern_class = staticmethod(pattern_class)
    has_length = staticmethod(variables.has_length)
    own = staticmethod(variables.own)
    class_of = staticmethod(variables.class_of)
    slice = slice
    assert_ = staticmethod(assert_)
    each = staticmethod(comprehensions.each)
    when = staticmethod(comprehensions.when)
    gathered = staticmethod(comprehensions.gathered)
    generated = staticmethod(comprehensions.generated)
    asked_once = staticmethod(asked_once)
    asked_once_if_alone = staticmethod(asked_once_if_alone)
    parts = staticmethod(comprehensions.parts)
    one_variable = staticmethod(comprehensions.one_variable)

    def item(self, base: Any, key: Any) -> Any:
        """`base[key]`."""
        tracer = active()
        key = key if tracer is None else dict_keys.as_number(tracer, base, key)
        if tracer is None:
            return _item(base, key)
        if tracer.in_doubt:
            decide_items(tracer, base)
        if dict_keys.is_asked(tracer, base, key):
            return calls.resolved(dict_keys.looked_up(self, base, key))
        dict_keys.identify(tracer, base, key)
        dict_keys.make_item(self, base, key)
        choice = choice_of(tracer, base, key)
        if choice is not None:
            return calls.resolved(choice.chosen(self, key))
        return _item(base, key)

    def element(self, base: Any, key: Any) -> Any:
        """`base[key]` as an element of a new list: a text that a run chooses may stay one of several there."""
        tracer = active()
        chosen = None if tracer is None else dict_keys.chosen(self, tracer, base, key)
        return self.item(base, key) if chosen is None else chosen

    def unpacked(self, value: Any) -> Any:
        """The value of `a, b = value`."""
        _decide_items(value)
        return iterators.unpacked(value)

    def shown(self, x: Any, conversion: str = "") -> Any:
        """What an f-string formats for `x`."""
        _decide_items(x)
        return shown(x, conversion)

    def percent(self, left: Any, right: Any) -> Any:
        """`left % right`."""
        _decide_items(left, right)
        return percent(left, right)

    def set_item(self, value: Any, base: Any, key: Any) -> None:
        """`base[key] = value`."""
        tracer = active()
        key = key if tracer is None else dict_keys.as_number(tracer, base, key)
        if tracer is not None and dict_keys.is_asked(tracer, base, key):
            dict_keys.put(self, tracer, base, key, value)
        else:
            _set_item(value, base, key)

    def delete_item(self, base: Any, key: Any) -> None:
        """`del base[key]`."""
        tracer = active()
        key = key if tracer is None else dict_keys.as_number(tracer, base, key)
        if tracer is not None and dict_keys.is_asked(tracer, base, key):
            dict_keys.removed(self, base, key)
        elif tracer is not None and type(base) is list and is_place_of_run(tracer, base, key):
            convert(PLACED["del"], self).function(base, key)
        else:
            _delete_item(base, key)

    def call(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Call a function in its converted form."""
        tracer = active()
        if tracer is None:
            return calls.call(self, function, args, kwargs)
        if tracer.in_doubt and type(function) is not Emit:
            decide_items(tracer, function, args, kwargs)
        pending = [p for _, _, p in held(tracer)] if tracer.in_doubt else []
        returned = self.last_call(function, *args, **kwargs)
        if tracer.in_doubt and tracer.style.in_steps and type(function) is not Emit:
            look_at_new(tracer, pending, (function, args, kwargs, returned))
        return returned

    def last_call(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """The same for a call that a statement ends with: what it leaves in doubt stays that."""
        tracer = active()
        if tracer is None:
            return calls.call(self, function, args, kwargs)
        joints = tracer.joints
        known = joints.count
        joints.check((function, args, kwargs), place=BEFORE)
        returned = calls.call(self, function, args, kwargs)
        joints.check((function, args, kwargs, returned), known)
        return returned

    def look(self, reads: Callable[[], Any]) -> None:
        """Before a statement that isn't a region: it reads these variables."""
        tracer = active()
        if tracer is not None:
            look(tracer, roots_of((reads,)))


RUNTIME = Runtime()
