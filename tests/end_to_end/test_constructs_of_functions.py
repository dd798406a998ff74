"""Functions, classes, containers and statements of Python inside captured code: compiled equals eager."""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import functools

import vitrify as vt

from .constructs_support import Table

table = Table()


@table.row()
def starred(x):
    a, *b = x
    *c, d = [x[0], x[1], x[2]]
    return a + sum(b), c, d


@table.row()
def chained(x):
    a = b = x * 2
    a = a + 1
    return a, b


@table.row()
def aug(x):
    xs = [x, x * 2]
    xs[0] += 1
    d = {"k": x}
    d["k"] *= 3
    xs[-1] -= d["k"]
    return xs, d


class Node:
    n = 0

    def __init__(self, x):
        self.x = x
        self._s = 1.0

    @property
    def scale(self):
        return self._s

    @scale.setter
    def scale(self, v):
        self._s = v

    @classmethod
    def make(cls, x):
        return cls(x)

    @staticmethod
    def twice(x):
        return x * 2 if x.sum() > 0 else x

    def __call__(self, y):
        return self.x * y

    def __getitem__(self, k):
        return self.x[k]

    def __len__(self):
        return 3

    def __add__(self, o):
        return Node(self.x + o.x)

    def __eq__(self, o):
        return self.x.sum() == o.x.sum()

    def __bool__(self):
        return True

    def __contains__(self, v):
        return v > 0


@table.row()
def props(x):
    n = Node.make(x)
    if x.sum() > 0:
        n.scale = 2.0
    else:
        n.scale = x.sum()
    return n.scale * n(x), Node.twice(x), n[1], len(n), (n + n).x, n == n


class Sub(Node):
    def __init__(self, x):
        super().__init__(x)
        self.extra = x * 3

    @classmethod
    def make(cls, x):
        made = super().make(x)
        return made

    def __call__(self, y):
        if y.sum() > 0:
            return super().__call__(y)
        return super().__call__(y) - self.extra


@table.row()
def supers(x):
    return Sub.make(x)(x), Sub(x)(x)


@dataclasses.dataclass
class Point:
    a: object
    b: object = 1.0
    tags: list = dataclasses.field(default_factory=list)

    def norm(self):
        if self.a.sum() > 0:
            return self.a * self.b
        return -self.a


@table.row()
def dataclass_use(x):
    p = Point(x)
    q = dataclasses.replace(p, b=x * 2)
    p.tags.append(x)
    return p.norm(), q.norm(), len(p.tags), len(q.tags)


class Mode(enum.Enum):
    A = 1
    B = 2


@table.row()
def enums(x):
    m = Mode.A
    y = x * 2 if m is Mode.A else x
    return y * m.value, {Mode.A: x}[Mode.A]


@contextlib.contextmanager
def ctx(log):
    log.append(1)
    try:
        yield 5
    finally:
        log.append(2)


@table.row()
def managers(x):
    log = []
    with ctx(log) as v:
        if x.sum() > 0:
            y = x * v
        else:
            y = x
    with contextlib.suppress(KeyError):
        {}["a"]
    with contextlib.ExitStack() as st:
        st.enter_context(ctx(log))
        st.callback(log.append, 3)
    with vt.no_grad():
        z = x * 2
    with contextlib.nullcontext(x) as w:
        pass
    return y, log, z.stop_gradient, w


class Own:
    def __init__(self):
        self.k = 0

    def __enter__(self):
        self.k += 1
        return self

    def __exit__(self, *a):
        self.k += 10
        return False


@table.row()
def own_cm(x):
    o = Own()
    with o as p:
        if x.sum() > 0:
            p.k += 100
    return x * o.k


@table.row()
def delete(x):
    y = x
    z = {"a": x, "b": x}
    del z["a"]
    xs = [x, x * 2]
    del xs[0]
    del y
    return z, xs


@table.row()
def nonlocals(x):
    total = x * 0
    n = 0

    def add(v):
        nonlocal total, n
        total = total + v
        n += 1

    for v in x:
        if v > 0:
            add(v)
    i = 0
    while total.sum() < 30 and i < 10:
        add(x.abs())
        i += 1
    return total, n, i


@table.row()
def local_class(x):
    class K:
        z = 3

        def f(self, v):
            return v * self.z if v.sum() > 0 else v

    return K().f(x)


@table.row()
def lambdas(x):
    f = lambda a, b=2, *c, k=1, **d: a * b + sum(c) + k + len(d)  # noqa: E731
    fs = [lambda v, i=i: v * i for i in range(3)]
    return (
        f(x),
        f(x, 3, 1, 2, k=5, z=1),
        [g(x) for g in fs],
        sorted([3, 1, 2], key=lambda v: -v),
        (lambda v: v if v.sum() > 0 else -v)(x),
    )


@table.row()
def args_kwargs(x):
    def g(a, /, b, *rest, c=1, **kw):
        return a * b + sum(rest) * c + sum(kw.values())

    t = (x, 2)
    d = {"c": 3, "q": x}
    return g(*t, 1, 2, **d), g(x, b=3)


def deco(fn):
    @functools.wraps(fn)
    def w(*a, **k):
        r = fn(*a, **k)
        return r * 2 if r.sum() > 0 else r

    return w


@deco
def decorated(x):
    return x + 1


@table.row()
def decorators(x):
    return decorated(x), decorated.__name__


@table.row()
def recursion(x):
    def fact(n):
        return x if n == 0 else fact(n - 1) * n

    return fact(4)


@table.row()
def setattr_dyn(x):
    n = Node(x)
    setattr(n, "q", x * 2)  # noqa: B010
    if x.sum() > 0:
        setattr(n, "q", x * 5)  # noqa: B010
    vars(n)["r"] = 1
    return getattr(n, "q"), hasattr(n, "zz"), n.r


@table.row()
def match_stmt(x):
    def g(v):
        match v:
            case [a, b]:
                return a + b
            case {"k": q}:
                return q
            case Point(a=a):
                return a
            case int():
                return x * v
            case _:
                return x

    return g([x, x]), g({"k": x}), g(Point(x)), g(3), g("s")


@table.row()
def match_tensor(x):
    n = x[0].astype("int64")
    match n:
        case 1:
            y = x
        case -1:
            y = x * 10
        case _:
            y = -x
    match x.sum():
        case s if s > 0:
            y = y + 1
        case _:
            pass
    return y


@table.row()
def returns_a_list_that_finally_changes(x):
    log = []
    try:
        if x.sum() > 0:
            return x, log
        y = x * 2
    finally:
        log.append(1)
    return y, log


@table.names()
def test_compiled_equals_eager(name):
    table.check(name)
