"""Containers, iteration and the standard library inside captured code: compiled equals eager."""

from __future__ import annotations

import collections
import functools
import itertools
import operator

import vitrify as vt

from .constructs_support import Table

table = Table()


@table.row()
def ops_module(x):
    return (
        operator.add(x, 1),
        operator.mul(x, x),
        operator.neg(x),
        operator.itemgetter(0)(x),
        operator.attrgetter("shape")(x)[0],
        operator.gt(x, 0),
        operator.matmul(x, x),
        operator.truediv(x, 2),
        operator.methodcaller("sum")(x),
    )


@table.row()
def op_truth(x):
    return (
        x * 2 if operator.gt(x.sum(), 0) else x,
        operator.not_(x.sum() > 0),
        operator.truth(x.sum() > 0),
        operator.contains([1, 2], 1),
    )


P = collections.namedtuple("P", "a b")


@table.row()
def namedtuples(x):
    p = P(x, 2)
    if x.sum() > 0:
        p = p._replace(b=3)
    return p.a * p.b, p._asdict()["b"], p


@table.row()
def collects(x):
    od = collections.OrderedDict(a=x, b=x * 2)
    od.move_to_end("a")
    dq = collections.deque([x, x * 2], maxlen=2)
    dq.append(x * 3)
    dq.rotate(1)
    dd = collections.defaultdict(lambda: x * 0)
    for k in ["a", "b", "a"]:
        dd[k] = dd[k] + x
    cm = collections.ChainMap({"a": x}, {"b": 2})
    return list(od), list(dq), dict(dd), cm["b"] * cm["a"]


@table.row()
def itools(x):
    return (
        [list(g) for k, g in itertools.groupby([1, 1, 2])],
        list(itertools.permutations([1, 2])),
        list(itertools.combinations(x, 2))[-1][1],
        list(itertools.repeat(x, 2)),
        list(itertools.chain.from_iterable([[x], [x]])),
        list(itertools.pairwise(x))[1][0],
        list(itertools.compress([x, x * 2], [True, False])),
        list(itertools.accumulate([1, 2, 3], initial=0)),
        list(itertools.zip_longest([x], [1, 2]))[1][1],
    )


@table.row()
def tensor_bool_conv(x):
    return int(x[0]), float(x[1]), bool(x[0] > 0), complex(x[0]), int(x.sum() * 2) + 1, float(x[0]) ** 2, x[0].item()


@table.row()
def conv_used(x):
    n = int(x[0].abs())
    t = 0.0
    for i in range(n):
        t += float(x[i])
    return t, [float(v) for v in x], n % 2 == 0, str(n) if False else 1


@table.row()
def builtin_misc(x):
    return (
        abs(x),
        pow(x, 2),
        round(x[0], 1),
        divmod(x, 2)[0],
        len(x),
        max(x),
        min(x),
        sum(x),
        sorted(x),
        list(reversed([x, 1])),
        type(x) is vt.Tensor,
        isinstance(x, (int, vt.Tensor)),
        callable(x),
        hasattr(x, "shape"),
        getattr(x, "nope", 3),
        list(map(lambda v: v * 2, x)),
        all([]),
        any([]),
    )


@table.row()
def any_all_tensors(x):
    return any([x[0] > 0, x[1] > 5]), all(v > -10 for v in x), all(x > 0), any(x > 0), all(x > 0) and x.sum() > 0


@table.row()
def dict_iter(x):
    d = {"a": x, "b": x * 2}
    t = x * 0
    for k in d:
        t = t + d[k]
    for k, v in d.items():
        if v.sum() > 0:
            t = t + v
        if v.sum() > 100:
            break
    for v in d.values():
        t = t * v
    d.update(c=x)
    d.setdefault("d", x)
    q = d.pop("a")
    return t, list(d), {**d, "z": 1}, d | {"y": 2}, q


@table.row()
def in_ops(x):
    return 2 in x, x[0] in [1.0, 2.0], x[0] in {1: 2}, "a" in {"a": x}, x[0] in x, 5 not in x


@table.row()
def slices(x):
    s = slice(0, 2)
    n = (x[0].abs()).astype("int64")
    return x[s], x[slice(None)], [x, x, x][s], x[n:], x[:n], [1, 2, 3][n - 1], (x, x * 2, x * 3)[n - 1]


@table.row()
def ternary_chain(x):
    return x if x.sum() > 3 else x * 2 if x.sum() > 0 else x * 3


@table.row()
def for_else(x):
    for v in x:
        if v > 5:
            r = 1
            break
    else:
        r = 2
    while x.sum() > 100:
        x = x / 2
    else:
        r += 10
    return r, x


@table.row()
def walrus_everywhere(x):
    if (s := x.sum()) > 0 and (m := x.max()) > 1:
        y = s + m
    else:
        y = s
    while (n := y - 1) > 3:
        y = n
    return y, [q for v in x if (q := v * 2) > 0], (z := y + 1) * z


@table.row()
def partials(x):
    f = functools.partial(lambda a, b, c=1: a * b + c, b=2)
    g = functools.partial(f, c=5)
    return f(x), g(x), functools.reduce(lambda a, b: a + b, [x, x, x]), functools.reduce(operator.mul, x, 2.0)


@table.row()
def cached(x):
    @functools.lru_cache
    def sq(n):
        return n * n

    return x * sq(3) * sq(3)


@table.row()
def setops(x):
    s = {1, 2} | {3}
    s.add(4)
    t = frozenset([1])
    return sorted(s - t), x


@table.row()
def zips(x):
    t = x.sum() * 0
    for (i, a), b in zip(enumerate(x), reversed(x)):
        t = t + i * a * b
    for a, b in zip([x, x], [1, 2], strict=True):
        t = t + a.sum() * b
    return t, list(zip(*[(1, 2), (3, 4)])), dict(zip("ab", x))


@table.row()
def iter_next(x):
    it = iter([x, x * 2])
    a = next(it)
    b = next(it)
    c = next(it, 7)
    jt = iter(x)
    f = next(jt)
    return a, b, c, f


@table.row()
def exc_group(x):
    try:
        try:
            raise ValueError("a")
        except ValueError as e:
            raise TypeError("b") from e
    except TypeError as t:
        n = str(t) + str(t.__cause__)
    return x * len(n)


@table.names()
def test_compiled_equals_eager(name):
    table.check(name)
