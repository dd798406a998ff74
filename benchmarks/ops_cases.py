"""The cases of ops.py: what every library computes, on which shapes and dtypes.

An expression is Python text over `x, y, z` (the inputs) and `L`, the library's module: `vt`, `np`, `torch` or `jnp`.
Where a library spells something in another way it has a text of its own; "-" says that it has none.
"""

from dataclasses import dataclass, field

import numpy as np

SHAPES = {
    "tiny": (8, 8), "cache": (256, 256), "odd": (251, 127), "tall": (65536, 16), "wide": (16, 65536), "memory": (2048, 2048),
}  # fmt: skip
MATRICES = {"tiny": (64, 4, 4), "cache": (100, 100), "memory": (400, 400), "odd": (7, 31, 31), "tall": (20000, 3, 3)}
FLOATS, NUMBERS, INTEGERS = ("f32", "f64"), ("f32", "f64", "i64"), ("i64",)
TYPES = {"f32": "float32", "f64": "float64", "i64": "int64"}


@dataclass(frozen=True)
class Case:
    """One operation: an expression per library, and how to make its inputs."""

    name: str
    family: str
    texts: dict
    inputs: str = "x"
    dtypes: tuple = FLOATS
    gradient: bool = True
    shapes: dict = field(default_factory=lambda: SHAPES)
    low: float = -2.0
    high: float = 2.0

    def arrays(self, size, dtype):
        """The inputs for a size, from a fixed seed."""
        rng = np.random.default_rng(7)
        return [self._array(rng, kind, self.shapes[size], dtype) for kind in self.inputs.split()]

    def _array(self, rng, kind, shape, dtype):
        """Kinds: see `_KINDS`; others have the case's shape, range and dtype."""
        if kind in _KINDS:
            return _KINDS[kind](rng, shape, TYPES[dtype])
        if dtype == "i64":
            return rng.integers(int(self.low * 50), int(self.high * 50) + 1, shape)
        return rng.uniform(self.low, self.high, shape).astype(TYPES[dtype])

    def text(self, library):
        """The expression of a library, None where it has none."""
        text = self.texts.get(library, self.texts.get("all", "-"))
        return None if text == "-" else text


def _positive_definite(rng, shape, dtype):
    made = rng.standard_normal(shape)
    return (made @ np.swapaxes(made, -1, -2) + shape[-1] * np.eye(shape[-1])).astype(dtype)


_KINDS = {
    "row": lambda rng, s, t: rng.uniform(0.5, 1.5, s[-1:]).astype(t),
    "column": lambda rng, s, t: rng.uniform(0.5, 1.5, (s[0], 1)).astype(t),
    "same": lambda rng, s, t: rng.uniform(0.5, 2.0, s).astype(t) if t != "int64" else rng.integers(1, 9, s),
    "mask": lambda rng, s, t: rng.uniform(size=s) < 0.5,
    "sorted": lambda rng, s, t: np.sort(rng.uniform(-2, 2, 1000)).astype(t),
    "rows": lambda rng, s, t: rng.integers(0, s[0], s[0]),
    "columns": lambda rng, s, t: rng.integers(0, s[-1], s),
    "few": lambda rng, s, t: rng.integers(0, min(10, s[0]), s[0]),
    "labels": lambda rng, s, t: rng.integers(0, s[-1], s[0]),
    "shift": lambda rng, s, t: rng.integers(0, 8, s),
    "turned": lambda rng, s, t: rng.uniform(-1, 1, s[::-1]).astype(t),
    "spd": _positive_definite,
    "triangle": lambda rng, s, t: np.tril(_positive_definite(rng, s, t)),
    "right": lambda rng, s, t: rng.standard_normal((*s[:-1], 2)).astype(t),
    "filter3": lambda rng, s, t: rng.standard_normal((8, 4, 3, 3)).astype(t),
    "bits": lambda rng, s, t: rng.integers(0, 1 << 20, s),
}
_MADE = []


def _case(name, family, text="-", *, inputs="x", **fields):
    texts = {k: fields.pop(k) for k in ("vt", "np", "torch", "jax") if k in fields}
    _MADE.append(Case(name, family, {"all": text} | texts, inputs, **fields))


def _many(names, family, text="L.{0}(x)", **fields):
    """Several cases; `vt:torch:np:jax` gives other names in this order ("" for the first one)."""
    for item in names.split():
        parts = item.split(":")
        spelled = dict(zip(("vt", "torch", "np", "jax"), parts, strict=False))
        texts = {}
        for library in ("vt", "torch", "np", "jax"):
            word = spelled.get(library) or parts[0]
            texts[library] = "-" if word == "-" else word if "(" in word else text.format(word)
        _case(parts[0], family, **texts, **fields)


F, J, S = "torch.nn.functional.", "jax.nn.", "jax.scipy.special."
G = "vt.nn.functional."


def _elementwise():
    _many(
        "exp expm1 sin cos tan asin:arcsin:arcsin:arcsin atan:arctan:arctan:arctan sinh cosh tanh square abs sign floor "
        "ceil round trunc sigmoid:sigmoid:-:jax.nn.sigmoid(x) relu:relu:np.maximum(x,0):jax.nn.relu(x) "
        "erf:erf:-:jax.scipy.special.erf(x) neg:neg:negative:negative",
        "elementwise", low=-0.9, high=0.9,
    )  # fmt: skip
    _many(
        "log log2 log10 log1p sqrt rsqrt:rsqrt:1/np.sqrt(x):jax.lax.rsqrt(x) reciprocal acosh:arccosh:arccosh:arccosh "
        "lgamma:lgamma:-:jax.scipy.special.gammaln(x) digamma:digamma:-:jax.scipy.special.digamma(x)",
        "elementwise", low=1.1, high=3.0,
    )  # fmt: skip
    _many(
        "erfinv:erfinv:-:jax.scipy.special.erfinv(x) i0:i0:i0:jax.scipy.special.i0(x) "
        "i1:torch.special.i1(x):-:jax.scipy.special.i1(x)",
        "elementwise", low=-0.9, high=0.9,
    )  # fmt: skip
    _case(
        "polygamma",
        "elementwise",
        vt="vt.polygamma(x, 1)",
        torch="torch.polygamma(1, x)",
        jax=S + "polygamma(1, x)",
        low=0.5,
    )
    _case("gammainc", "elementwise", vt="vt.gammainc(x, y)", torch="torch.special.gammainc(x, y)", jax=S + "gammainc(x, y)",
          inputs="x same", low=0.5, gradient=False)  # fmt: skip
    _many("isnan isinf isfinite", "elementwise", gradient=False)
    _many("signbit", "elementwise", gradient=False)
    _many("add subtract multiply maximum minimum", "elementwise", "L.{0}(x, y)", inputs="x same", dtypes=NUMBERS)
    _many("divide atan2:arctan2:arctan2:arctan2 hypot logaddexp", "elementwise", "L.{0}(x, y)", inputs="x same")
    _many(
        "fmax fmin copysign nextafter heaviside", "elementwise", "L.{0}(x, y)", inputs="x same", gradient=False,
    )  # fmt: skip
    _many("floor_divide remainder", "elementwise", "L.{0}(x, y)", inputs="x same", dtypes=NUMBERS, gradient=False)
    _many(
        "equal:eq not_equal less_than:lt:less:less less_equal:le greater_than:gt:greater:greater",
        "elementwise", "L.{0}(x, y)", inputs="x same", dtypes=NUMBERS, gradient=False,
    )  # fmt: skip
    _many(
        "bitwise_and bitwise_or bitwise_xor gcd lcm",
        "elementwise",
        "L.{0}(x, y)",
        inputs="bits bits",
        dtypes=INTEGERS,
        gradient=False,
    )
    _many(
        "bitwise_left_shift::left_shift:left_shift bitwise_right_shift::right_shift:right_shift", "elementwise",
        "L.{0}(x, y)", inputs="bits shift", dtypes=INTEGERS, gradient=False,
    )  # fmt: skip
    _many(
        "logical_and logical_or logical_xor",
        "elementwise",
        "L.{0}(x, y)",
        inputs="mask mask",
        dtypes=("f32",),
        gradient=False,
    )
    for k in ("2", "3", "-1", "0.5", "7", "-2.5"):
        _case(f"pow_{k}", "elementwise", f"x ** {k}", low=0.5, high=2.0)
    _case("pow_2_int", "elementwise", "x ** 2", dtypes=INTEGERS, gradient=False)
    _case("pow_3_int", "elementwise", "x ** 3", dtypes=INTEGERS, gradient=False)
    _case("pow_of_arrays", "elementwise", "x ** y", inputs="x same", low=0.5)
    _case("where", "elementwise", "L.where(z, x, y)", inputs="x same mask", dtypes=NUMBERS)
    _case("clip", "elementwise", "L.clip(x, -1, 1)", dtypes=NUMBERS)
    _case("add_row", "elementwise", "x + y", inputs="x row")
    _case("multiply_column", "elementwise", "x * y", inputs="x column")
    _case("cast_to_int", "elementwise", vt="vt.cast(x, 'int64')", np="x.astype('int64')", torch="x.to(torch.int64)",
          jax="x.astype('int64')", gradient=False)  # fmt: skip
    _case("cast_to_f32", "elementwise", vt="vt.cast(x, 'float32')", np="x.astype('float32')", torch="x.to(torch.float32)",
          jax="x.astype('float32')", dtypes=("f64", "i64"), gradient=False)  # fmt: skip
    _case("nan_to_num", "elementwise", "L.nan_to_num(x)", gradient=False)
    _case("lerp", "elementwise", vt="vt.lerp(x, y, 0.3)", torch="torch.lerp(x, y, 0.3)", np="x + 0.3 * (y - x)",
          jax="x + 0.3 * (y - x)", inputs="x same")  # fmt: skip


def _activations():
    for (
        name
    ) in "gelu silu mish softplus elu selu celu hardtanh hardswish relu6 softsign log_sigmoid leaky_relu".split():
        theirs = {"log_sigmoid": "logsigmoid"}.get(name, name)
        mine = {"hardtanh": "hard_tanh", "hardswish": "hard_swish", "softsign": "soft_sign"}.get(name, name)
        more = ", approximate=False" if name == "gelu" else ""
        _case(name, "activation", vt=f"{G}{name}(x)", torch=f"{F}{theirs}(x)", jax=f"{J}{mine}(x{more})")
    for name in ("softmax", "log_softmax"):
        for axis in (0, 1):
            _case(f"{name}_{axis}", "activation", vt=f"{G}{name}(x, axis={axis})", torch=f"{F}{name}(x, dim={axis})",
                  jax=f"{J}{name}(x, axis={axis})")  # fmt: skip


def _reductions():
    for axis in (0, 1, None):
        short = "all" if axis is None else axis
        dims = "(0, 1)" if axis is None else axis
        at = f"axis={axis}"
        for name in ("sum", "mean", "prod"):
            texts = {"torch": f"torch.{name}(x)" if axis is None else f"torch.{name}(x, dim={axis})"}
            _case(f"{name}_{short}", "reduction", f"L.{name}(x, {at})", **texts, low=0.9, high=1.1,
                  dtypes=NUMBERS if name == "sum" else FLOATS)  # fmt: skip
        for name in ("max", "min"):
            _case(
                f"{name}_{short}",
                "reduction",
                f"L.{name}(x, {at})",
                torch=f"torch.a{name}(x, dim={dims})",
                dtypes=NUMBERS,
            )
        for name in ("var", "std"):
            _case(f"{name}_{short}", "reduction", f"L.{name}(x, {at})", vt=f"vt.{name}(x, {at}, unbiased=False)",
                  torch=f"torch.{name}(x, dim={dims}, unbiased=False)")  # fmt: skip
        _case(f"logsumexp_{short}", "reduction", vt=f"vt.logsumexp(x, {at})", torch=f"torch.logsumexp(x, dim={dims})",
              jax=f"{S}logsumexp(x, {at})")  # fmt: skip
        _case(f"norm_{short}", "reduction", vt=f"vt.norm(x, p=2, {at})", torch=f"torch.linalg.vector_norm(x, dim={dims})",
              np=f"np.sqrt((x * x).sum({at}))", jax=f"jnp.sqrt((x * x).sum({at}))")  # fmt: skip
        for name in ("any", "all"):
            _case(f"{name}_{short}", "reduction", f"L.{name}(x, {at})", torch=f"torch.{name}(x)" if axis is None else None
                  or f"torch.{name}(x, dim={axis})", inputs="mask", dtypes=("f32",), gradient=False)  # fmt: skip
        for name in ("argmax", "argmin"):
            _case(f"{name}_{short}", "reduction", f"L.{name}(x, {at})", torch=f"torch.{name}(x, dim={axis})", dtypes=NUMBERS,
                  gradient=False)  # fmt: skip
        _case(f"count_nonzero_{short}", "reduction", f"L.count_nonzero(x, {at})", torch=f"torch.count_nonzero(x, dim={dims})",
              dtypes=NUMBERS, gradient=False)  # fmt: skip
    cube = {k: (s[0] // d, d, s[1]) for k, s in SHAPES.items() for d in [1 if k == "odd" else 4]}
    for axes in ("(0, 2)", "(0, 1)", "(1, 2)", "1"):
        for name in ("sum", "max", "var"):
            more = ", unbiased=False" if name == "var" else ""
            _case(f"{name}_{axes}_of_3", "reduction", f"L.{name}(x, axis={axes})", vt=f"vt.{name}(x, axis={axes}{more})",
                  torch=f"torch.{'amax' if name == 'max' else name}(x, dim={axes}{more})", shapes=cube)  # fmt: skip
    for name in ("nansum", "nanmean"):
        _case(f"{name}_1", "reduction", f"L.{name}(x, axis=1)", torch=f"torch.{name}(x, dim=1)")


def _ordered():
    small = {k: v for k, v in SHAPES.items() if k != "memory"} | {"memory": (1000, 1000)}
    fixed = {"shapes": small}
    for axis in (0, 1):
        at = f"axis={axis}"
        for name in ("cumsum", "cumprod"):
            _case(f"{name}_{axis}", "ordered", f"L.{name}(x, {at})", vt=f"vt.{name}(x, {axis})", torch=f"torch.{name}(x, dim={axis})", low=0.9, high=1.1,
                  dtypes=NUMBERS if name == "cumsum" else FLOATS, **fixed)  # fmt: skip
        _case(f"cummax_{axis}", "ordered", vt=f"vt.cummax(x, {at})[0]", torch=f"torch.cummax(x, dim={axis})[0]",
              np=f"np.maximum.accumulate(x, {at})", jax=f"jax.lax.cummax(x, {at})", dtypes=NUMBERS, **fixed)  # fmt: skip
        _case(f"logcumsumexp_{axis}", "ordered", vt=f"vt.logcumsumexp(x, {at})", torch=f"torch.logcumsumexp(x, dim={axis})",
              np=f"np.logaddexp.accumulate(x, {at})", jax=f"jax.lax.cumlogsumexp(x, {at})", **fixed)  # fmt: skip
        _case(
            f"sort_{axis}",
            "ordered",
            f"L.sort(x, {at})",
            torch=f"torch.sort(x, dim={axis})[0]",
            dtypes=NUMBERS,
            **fixed,
        )
        _case(f"argsort_{axis}", "ordered", f"L.argsort(x, {at})", torch=f"torch.argsort(x, dim={axis})", dtypes=NUMBERS,
              gradient=False, **fixed)  # fmt: skip
        _case(f"argsort_stable_{axis}", "ordered", f"L.argsort(x, {at}, stable=True)",
              torch=f"torch.argsort(x, dim={axis}, stable=True)", dtypes=NUMBERS, gradient=False, **fixed)  # fmt: skip
        _case(f"median_{axis}", "ordered", f"L.median(x, {at})", torch="-", gradient=False, **fixed)
        _case(f"kthvalue_{axis}", "ordered", vt=f"vt.kthvalue(x, 3, {at})[0]", torch=f"torch.kthvalue(x, 3, dim={axis})[0]",
              np=f"np.partition(x, 2, {at}).take(2, {axis})", gradient=False, **fixed)  # fmt: skip
    for k in (1, 5, 8):
        _case(f"topk_{k}", "ordered", vt=f"vt.topk(x, {k})[0]", torch=f"torch.topk(x, {k})[0]", jax=f"jax.lax.top_k(x, {k})[0]",
              dtypes=NUMBERS, **fixed)  # fmt: skip
    _case(
        "quantile_1",
        "ordered",
        "L.quantile(x, 0.3, axis=1)",
        torch="torch.quantile(x, 0.3, dim=1)",
        gradient=False,
        **fixed,
    )
    _case("mode_1", "ordered", vt="vt.mode(x)[0]", torch="torch.mode(x)[0]", dtypes=INTEGERS, gradient=False, **fixed)
    _case("searchsorted", "ordered", "L.searchsorted(y, x)", inputs="x sorted", gradient=False, **fixed)
    _case("bucketize", "ordered", vt="vt.bucketize(x, y)", torch="torch.bucketize(x, y)", np="np.searchsorted(y, x)",
          jax="jnp.searchsorted(y, x)", inputs="x sorted", gradient=False, **fixed)  # fmt: skip
    _case("histogram", "ordered", vt="vt.histogram(x, 100, -2, 2)", torch="torch.histc(x, 100, -2, 2)",
          np="np.histogram(x, 100, (-2, 2))[0]", jax="jnp.histogram(x, 100, (-2, 2))[0]", gradient=False, **fixed)  # fmt: skip
    _case("isin", "ordered", "L.isin(x, y)", inputs="bits shift", dtypes=INTEGERS, gradient=False, **fixed)


def _places():
    _case(
        "gather_rows",
        "indexing",
        vt="vt.gather(x, y)",
        np="x[y]",
        torch="x[y]",
        jax="x[y]",
        inputs="x rows",
        dtypes=NUMBERS,
    )
    _case(
        "index_select_1",
        "indexing",
        vt="vt.index_select(x, y, 1)",
        np="np.take(x, y, 1)",
        torch="torch.index_select(x, 1, y)",
        jax="jnp.take(x, y, 1)",
        inputs="x labels",
        shapes={k: s for k, s in SHAPES.items() if k != "tall"},
    )  # fmt: skip: of 65,536 rows, as many columns
    _case(
        "take_along_axis",
        "indexing",
        "L.take_along_axis(x, y, 1)",
        torch="torch.take_along_dim(x, y, 1)",
        inputs="x columns",
    )
    _case(
        "embedding",
        "indexing",
        vt=f"{G}embedding(y, x)",
        torch=f"{F}embedding(y, x)",
        np="x[y]",
        jax="x[y]",
        inputs="x rows",
    )
    for kind in ("rows", "few"):
        _case(f"index_add_{kind}", "indexing", vt="vt.index_add(x, z, 0, y)", torch="torch.index_add(x, 0, z, y)",
              jax="x.at[z].add(y)", inputs=f"x same {kind}", dtypes=NUMBERS)  # fmt: skip
    _case("segment_sum", "indexing", vt="vt.scatter_nd_add(vt.zeros_like(x), vt.unsqueeze(y, 1), x)",
          torch="torch.zeros_like(x).index_add(0, y, x)", jax="jax.ops.segment_sum(x, y, x.shape[0])", inputs="x few")  # fmt: skip
    _case("put_along_axis_add", "indexing", vt="vt.put_along_axis(x, y, z, 1, 'add')",
          torch="torch.scatter_add(x, 1, y, z)", inputs="x columns same")  # fmt: skip
    _case("masked_fill", "indexing", vt="vt.masked_fill(x, y, 1.5)", torch="torch.masked_fill(x, y, 1.5)",
          np="np.where(y, x.dtype.type(1.5), x)", jax="jnp.where(y, 1.5, x)", inputs="x mask")  # fmt: skip
    _case(
        "masked_scatter",
        "indexing",
        vt="vt.masked_scatter(x, y, z)",
        torch="torch.masked_scatter(x, y, z)",
        inputs="x mask same",
    )
    _case("one_hot", "indexing", vt=f"{G}one_hot(x, 64)", torch=f"{F}one_hot(x, 64)", jax=f"{J}one_hot(x, 64)", inputs="shift",
          dtypes=INTEGERS, gradient=False, shapes={k: s for k, s in SHAPES.items() if k in ("tiny", "cache", "odd")})  # fmt: skip
    _case("bincount", "indexing", vt="vt.bincount(x, minlength=8)", torch="torch.bincount(x, minlength=8)", np="np.bincount(x, minlength=8)",
          jax="jnp.bincount(x, length=8)", inputs="few", dtypes=INTEGERS, gradient=False)  # fmt: skip


def _moves():
    _case("transpose", "moves", vt="vt.transpose(x, [1, 0])", torch="x.t().contiguous()", np="np.ascontiguousarray(x.T)", jax="x.T + 0",
          dtypes=NUMBERS)  # fmt: skip
    _many("tril triu", "moves")
    _many("fliplr flipud", "moves", "L.{0}(x) * 1")
    _case("roll", "moves", "L.roll(x, 3, 1)")
    _case("concat_1", "moves", vt="vt.concat([x, y], 1)", torch="torch.cat([x, y], 1)", np="np.concatenate([x, y], 1)",
          jax="jnp.concatenate([x, y], 1)", inputs="x same")  # fmt: skip
    _case("stack_2", "moves", "L.stack([x, y], 2)", inputs="x same")
    _case("tile", "moves", "L.tile(x, (2, 2))", vt="vt.tile(x, [2, 2])")
    _case("pad", "moves", vt=f"{G}pad(x, [1, 1, 2, 2])", torch=f"{F}pad(x, [2, 2, 1, 1])", np="np.pad(x, ((1, 1), (2, 2)))",
          jax="jnp.pad(x, ((1, 1), (2, 2)))")  # fmt: skip
    _case("slice_2", "moves", "x[:, ::2] * 1", dtypes=NUMBERS)
    _case("diff", "moves", "L.diff(x)")
    _case("trace", "moves", "L.trace(x)")
    fitting = {k: s for k, s in SHAPES.items() if k != "tall"}  # of 65,536 rows, 16 GiB
    _case("outer", "moves", "L.outer(x[:, 0], x[:, 1])", shapes=fitting)
    _case("repeat_interleave", "moves", vt="vt.repeat_interleave(x, 2, 1)", torch="torch.repeat_interleave(x, 2, 1)",
          np="np.repeat(x, 2, 1)", jax="jnp.repeat(x, 2, 1)")  # fmt: skip


def _models():
    shape = "x.shape[-1:]"
    _case("layer_norm", "model", vt=f"{G}layer_norm(x, {shape}, y, y)", torch=f"{F}layer_norm(x, {shape}, y, y)",
          jax="(x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * y + y", inputs="x row")  # fmt: skip
    _case("batch_norm", "model", vt="(x - x.mean(0)) * vt.rsqrt(vt.var(x, 0, unbiased=False) + 1e-5) * y",
          torch=f"{F}batch_norm(x, None, None, y, None, True)", np="(x - x.mean(0)) / np.sqrt(x.var(0) + 1e-5) * y",
          jax="(x - x.mean(0)) * jax.lax.rsqrt(x.var(0) + 1e-5) * y", inputs="x row")  # fmt: skip
    _case("cross_entropy", "model", vt=f"{G}cross_entropy(x, y)", torch=f"{F}cross_entropy(x, y)",
          jax="-jnp.take_along_axis(jax.nn.log_softmax(x), y[:, None], 1).mean()", inputs="x labels")  # fmt: skip
    for name, text in {"mse_loss": "((x - y) ** 2).mean()", "l1_loss": "abs(x - y).mean()"}.items():
        _case(name, "model", text, vt=f"{G}{name}(x, y)", torch=f"{F}{name}(x, y)", inputs="x same")
    _case(
        "cosine_similarity",
        "model",
        vt=f"{G}cosine_similarity(x, y)",
        torch=f"{F}cosine_similarity(x, y)",
        inputs="x same",
    )
    small = {k: s for k, s in SHAPES.items() if k in ("tiny", "cache", "odd")}
    _case("cdist", "model", vt="vt.cdist(x, y)", torch="torch.cdist(x, y)", inputs="x same", shapes=small)
    _case("cov", "model", "L.cov(x)", shapes=small)
    _case("corrcoef", "model", "L.corrcoef(x)", shapes=small)
    planes = {"tiny": (1, 4, 8, 8), "cache": (2, 4, 32, 32), "odd": (3, 4, 31, 29), "memory": (8, 4, 128, 128)}
    _case("conv2d", "model", vt=f"{G}conv2d(x, y)", torch=f"{F}conv2d(x, y)", inputs="x filter3", shapes=planes,
          jax="jax.lax.conv(x, y, (1, 1), 'VALID')")  # fmt: skip
    for name in ("max_pool2d", "avg_pool2d"):
        _case(name, "model", vt=f"{G}{name}(x, 2)", torch=f"{F}{name}(x, 2)", shapes=planes)


def _linear_algebra():
    fixed = {"shapes": MATRICES, "inputs": "spd"}
    _many("inv det cholesky", "linear algebra", "L.linalg.{0}(x)", **fixed)
    _case("slogdet", "linear algebra", "L.linalg.slogdet(x)[1]", vt="vt.linalg.slogdet(x)[1]", **fixed)
    _case("solve", "linear algebra", "L.linalg.solve(x, y)", shapes=MATRICES, inputs="spd right")
    _case("triangular_solve", "linear algebra", vt="vt.linalg.triangular_solve(x, y, upper=False)",
          torch="torch.linalg.solve_triangular(x, y, upper=False)", jax="jax.lax.linalg.triangular_solve(x, y, left_side=True, lower=True)",
          shapes=MATRICES, inputs="triangle right")  # fmt: skip
    _case("qr", "linear algebra", "L.linalg.qr(x)[1]", **fixed)
    _case("eigh", "linear algebra", "L.linalg.eigh(x)[0]", **fixed)
    _case("svd", "linear algebra", vt="vt.linalg.svd(x)[1]", torch="torch.linalg.svd(x)[1]", np="np.linalg.svd(x)[1]",
          jax="jnp.linalg.svd(x)[1]", gradient=False, **fixed)  # fmt: skip
    _case("matrix_power", "linear algebra", "L.linalg.matrix_power(x, 3)", **fixed)
    _case("matmul", "linear algebra", "L.matmul(x, x)", **fixed)
    _case(
        "matvec",
        "linear algebra",
        "L.matmul(x, y)",
        shapes={k: s for k, s in SHAPES.items() if k != "tiny"},
        inputs="x row",
    )
    for name in ("fft", "rfft"):
        _case(name, "linear algebra", f"L.abs(L.fft.{name}(x))", gradient=False)
    _case("dot", "linear algebra", "L.dot(x[0], x[1])", torch="torch.dot(x[0], x[1])")
    _case("matmul_int", "linear algebra", "L.matmul(x, y)", inputs="bits bits", dtypes=INTEGERS, gradient=False,
          shapes={"tiny": (8, 8), "cache": (64, 64), "odd": (31, 31)})  # fmt: skip


for _part in (_elementwise, _activations, _reductions, _ordered, _places, _moves, _models, _linear_algebra):
    _part()
CASES = {case.name: case for case in _MADE}
