"""Attributes of this package's objects that are changed between two calls: a compiled function sees what eager code sees.

Each object below is used by a function. Whatever of it can be changed is changed in turn, and where that changes what the
plain function gives, a compiled one must give the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import distribution as D
from vitrify import nn
from vitrify import optimizer as O
from vitrify.base.pytree import flatten
from vitrify.dygraph.tensor import Parameter, Tensor

Use = tuple[Any, Callable[..., Any], list[Any]]  # the object, the function, tensors that it writes


def parameter(*numbers: float, **settings: Any) -> Any:
    return Parameter(np.array(numbers or (1.0,), "float32"), **settings)


def training(make: Callable[[Any], Any], **settings: Any) -> Use:
    p = parameter(1.0, -2.0, 0.5, **settings)
    optimizer = make(p)

    def step(x: Any) -> Any:
        (p * x * p).sum().backward()
        optimizer.step()
        optimizer.clear_grad()
        return p * 1.0

    return (optimizer, p), step, [p]


def scaled() -> Use:
    p = parameter(1.0, 2.0)
    optimizer, scaler = O.SGD(0.1, parameters=[p]), vt.amp.GradScaler(init_loss_scaling=4.0, incr_every_n_steps=1)

    def step(x: Any) -> Any:
        scaler.scale((p * x).sum()).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.clear_grad()
        return p * 1.0, scaler._scale * 1.0

    return scaler, step, [p]


def averaged() -> Use:
    p = parameter(1.0, 2.0)
    optimizer = O.SGD(0.1, parameters=[p])
    average = vt.incubate.ModelAverage(0.5, parameters=[p], min_average_window=1, max_average_window=2)

    def step(x: Any) -> Any:
        (p * x).sum().backward()
        optimizer.step()
        average.step()
        optimizer.clear_grad()
        return [v * 1 for table in average._accumulators.values() for v in table.values()]

    return average, step, [p]


def looking_ahead() -> Use:
    p = parameter(1.0, 2.0)
    optimizer = vt.incubate.LookAhead(O.SGD(0.1, parameters=[p]), alpha=0.5, k=1)

    def step(x: Any) -> Any:
        (p * x).sum().backward()
        optimizer.step()
        optimizer.clear_grad()
        return p * 1.0

    return optimizer, step, [p]


def density(made: Any, x: Any, entropy: bool = True) -> Use:
    def ask(_: Any) -> Any:
        found = [made.log_prob(x)]
        for name in ("entropy", "mean", "variance", "stddev")[not entropy :]:
            try:
                value = getattr(made, name)
                found.append(value() if callable(value) else value)
            except (NotImplementedError, ValueError):  # a Cauchy distribution has no mean
                pass
        return found

    return made, ask, []


def mapped(made: Any, x: Any, y: Any = None) -> Use:
    return made, lambda _: [made.forward(x), made.inverse(made.forward(x) if y is None else y)], []


def drawn(initializer: Any) -> Use:
    p = parameter(*range(9))
    q = Parameter(np.zeros((3, 3), "float32"))

    def first(_: Any) -> Any:
        initializer(q)
        return q * 1.0

    return initializer, first, [p, q]


def called(made: Any, *inputs: Any) -> Use:
    return made, lambda _: made(*inputs), made.buffers() if hasattr(made, "buffers") else []


def t(*numbers: float) -> Any:
    return vt.to_tensor(np.array(numbers, "float32"))


def clipped(clip: Any) -> Callable[[], Use]:
    return lambda: training(lambda p: O.SGD(0.1, parameters=[p], grad_clip=clip))


def with_options(kind: Any, **options: Any) -> Callable[[], Use]:
    return lambda: training(lambda p: kind(learning_rate=0.1, parameters=[p], **options))


IMAGE = vt.to_tensor(np.random.default_rng(0).uniform(0, 1, (3, 6, 6)).astype("float32"))
USES: dict[str, Callable[[], Use]] = {
    "SGD": with_options(O.SGD, weight_decay=0.1),
    "SGD, L1Decay": with_options(O.SGD, weight_decay=vt.regularizer.L1Decay(0.1)),
    "settings of a parameter": lambda: training(
        lambda p: O.SGD(0.1, parameters=[p], grad_clip=nn.ClipGradByNorm(0.5)),
        optimize_attr={"learning_rate": 0.5}, regularizer=vt.regularizer.L2Decay(0.2),
    ),
    "groups": lambda: training(
        lambda p: O.Momentum(0.1, parameters=[{"params": [p], "learning_rate": 0.5, "momentum": 0.8, "weight_decay": 0.1}])
    ),
    "Momentum": with_options(O.Momentum, weight_decay=0.1, rescale_grad=0.5),
    "Adam": with_options(O.Adam, weight_decay=0.1),
    "AdamW": with_options(O.AdamW, lr_ratio=lambda p: 0.5),
    "Adamax": with_options(O.Adamax),
    "Adagrad": with_options(O.Adagrad, initial_accumulator_value=0.1),
    "Adadelta": with_options(O.Adadelta),
    "RMSProp": with_options(O.RMSProp, momentum=0.5),
    "Lamb": with_options(O.Lamb),
    "NAdam": with_options(O.NAdam),
    "RAdam": with_options(O.RAdam),
    "ASGD": with_options(O.ASGD, batch_num=2),
    "Rprop": with_options(O.Rprop),
    "ClipGradByValue": clipped(nn.ClipGradByValue(0.5)),
    "ClipGradByNorm": clipped(nn.ClipGradByNorm(0.5)),
    "ClipGradByGlobalNorm": clipped(nn.ClipGradByGlobalNorm(0.5)),
    "GradScaler": scaled,
    "ModelAverage": averaged,
    "LookAhead": looking_ahead,
    "Normal": lambda: density(D.Normal(t(0.5), t(1.5)), t(0.3)),
    "LogNormal": lambda: density(D.LogNormal(t(0.5), t(1.5)), t(0.3)),
    "Uniform": lambda: density(D.Uniform(t(0.0), t(1.5)), t(0.3)),
    "Bernoulli": lambda: density(D.Bernoulli(t(0.3)), t(1.0)),
    "ContinuousBernoulli": lambda: density(D.ContinuousBernoulli(t(0.3)), t(0.4)),
    "Categorical": lambda: density(D.Categorical(t(0.3, 0.4)), vt.to_tensor([1])),
    "Beta": lambda: density(D.Beta(t(0.5), t(1.5)), t(0.3)),
    "Gamma": lambda: density(D.Gamma(t(0.5), t(1.5)), t(0.3)),
    "Chi2": lambda: density(D.Chi2(t(1.5)), t(0.3)),
    "Exponential": lambda: density(D.Exponential(t(1.5)), t(0.3)),
    "Dirichlet": lambda: density(D.Dirichlet(t(0.5, 1.5)), t(0.3, 0.7)),
    "Laplace": lambda: density(D.Laplace(t(0.5), t(1.5)), t(0.3)),
    "Gumbel": lambda: density(D.Gumbel(t(0.5), t(1.5)), t(0.3)),
    "Cauchy": lambda: density(D.Cauchy(t(0.5), t(1.5)), t(0.3)),
    "StudentT": lambda: density(D.StudentT(t(3.5), t(0.5), t(1.5)), t(0.3)),
    "Geometric": lambda: density(D.Geometric(t(0.3)), t(2.0)),
    "Poisson": lambda: density(D.Poisson(t(1.5)), t(2.0), entropy=False),
    "Binomial": lambda: density(D.Binomial(vt.to_tensor(4), t(0.3)), t(2.0), entropy=False),
    "Multinomial": lambda: density(D.Multinomial(3, t(0.3, 0.7)), t(1.0, 2.0)),
    "MultivariateNormal": lambda: density(
        D.MultivariateNormal(t(0.5, 0.1), covariance_matrix=vt.to_tensor([[2.0, 0.5], [0.5, 1.0]])), t(0.3, 0.2)
    ),
    "Independent": lambda: density(D.Independent(D.Normal(t(0.5, 0.1), t(1.5, 1.0)), 1), t(0.3, 0.2)),
    "TransformedDistribution": lambda: density(
        D.TransformedDistribution(D.Normal(t(0.5), t(1.5)), [D.AffineTransform(t(1.0), t(2.0))]), t(0.3)
    ),
    "AffineTransform": lambda: mapped(D.AffineTransform(t(1.0), t(2.0)), t(0.3)),
    "PowerTransform": lambda: mapped(D.PowerTransform(t(2.0)), t(0.3)),
    "ChainTransform": lambda: mapped(D.ChainTransform([D.AffineTransform(t(1.0), t(2.0)), D.ExpTransform()]), t(0.3)),
    "IndependentTransform": lambda: mapped(D.IndependentTransform(D.AffineTransform(t(1.0), t(2.0)), 1), t(0.3, 0.4)),
    "StackTransform": lambda: mapped(D.StackTransform([D.AffineTransform(t(1.0), t(2.0))], 0), t(0.3)),
    "ReshapeTransform": lambda: mapped(D.ReshapeTransform([4], [2, 2]), t(0.3, 0.1, 0.2, 0.4)),
    "Constant": lambda: drawn(nn.initializer.Constant(2.0)),
    "initializer.Normal": lambda: drawn(nn.initializer.Normal(0.5, 1.5)),
    "TruncatedNormal": lambda: drawn(nn.initializer.TruncatedNormal(0.5, 1.5)),
    "initializer.Uniform": lambda: drawn(nn.initializer.Uniform(-0.5, 1.5)),
    "XavierNormal": lambda: drawn(nn.initializer.XavierNormal()),
    "KaimingUniform": lambda: drawn(nn.initializer.KaimingUniform()),
    "Orthogonal": lambda: drawn(nn.initializer.Orthogonal(2.0)),
    "Normalize": lambda: called(vt.vision.transforms.Normalize([0.5, 0.4, 0.3], [0.2, 0.3, 0.4]), IMAGE),
    "CenterCrop": lambda: called(vt.vision.transforms.CenterCrop(4), IMAGE),
    "Pad": lambda: called(vt.vision.transforms.Pad(1, 0.5), IMAGE),
    "Grayscale": lambda: called(vt.vision.transforms.Grayscale(1), IMAGE),
    "weight_norm": lambda: called(nn.utils.weight_norm(nn.Linear(3, 3)), t(1.0, 2.0, 3.0)),
    "spectral_norm": lambda: called(nn.utils.spectral_norm(nn.Linear(3, 3)).eval(), t(1.0, 2.0, 3.0)),
}  # fmt: skip

ASIDE = frozenset({
    "_lr_tensor", "_learning_rate", "_accumulators", "_name", "name", "_full_name", "_storage", "_dtype", "_grad", "_node",
    "_slot", "_stop", "_grad_is_zero", "_hooks", "_found", "_good", "_bad", "_scale",
})  # fmt: skip  # what is state of the program or no setting


def places(owner: Any, seen: set[int], path: str = "") -> Iterator[tuple[str, Any, Any, Any]]:
    """(path, owner, key, value) of all that an object of this package holds."""
    if id(owner) in seen:
        return
    seen.add(id(owner))
    if isinstance(owner, dict):
        items = [(f"{path}[{k!r}]", k, v) for k, v in owner.items()]
    elif isinstance(owner, (list, tuple)):
        items = [(f"{path}[{k}]", k, v) for k, v in enumerate(owner)]
    elif type(owner).__module__.startswith("vitrify.") and hasattr(owner, "__dict__"):
        items = [(f"{path}.{k}", k, v) for k, v in vars(owner).items()]
    else:
        return
    for where, key, value in items:
        if key in ASIDE:
            continue
        if not isinstance(owner, tuple):
            yield where, owner, key, value
        if not isinstance(value, Tensor) or isinstance(value, Parameter):
            yield from places(value, seen, where)


def other_values(value: Any) -> list[Any]:
    """Values to put in place of one."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1]
    if isinstance(value, float):
        return [value * 0.75 + 0.05, value * 0.5 + 0.1]
    if isinstance(value, Tensor) and not isinstance(value, Parameter):
        return [value * 0.75 + 0.05] if value.dtype.is_floating else [value + 1] if value.dtype.is_integer else []
    if isinstance(value, (list, tuple)) and value and all(type(v) in (int, float) for v in value):
        return [type(value)([*other_values(value[0])[:1], *value[1:]])]
    if type(value) is type(lambda: 0):
        return [lambda *args: 0.25]
    return []


def put(owner: Any, key: Any, value: Any) -> bool:
    """Whether it can be changed."""
    if isinstance(owner, (dict, list)):
        owner[key] = value
    else:
        try:
            setattr(owner, key, value)
        except AttributeError:
            return False
    return True


def outcome(run: Callable[[], Any]) -> Any:
    try:
        found = flatten(run(), lambda v: isinstance(v, Tensor))[0]
    except Exception as error:  # broad: whatever eager mode says of it
        return type(error).__name__
    return [v.numpy().copy() for v in found]


def agree(a: Any, b: Any) -> bool:
    if isinstance(a, str) or isinstance(b, str):
        return a == b if type(a) is type(b) else False
    return len(a) == len(b) and all(
        x.shape == y.shape and np.allclose(x, y, 2e-5, 1e-6, equal_nan=True) for x, y in zip(a, b, strict=True)
    )


@pytest.mark.filterwarnings("ignore::vitrify.jit.call.recompiles.RecompileWarning")
@pytest.mark.parametrize("name", USES)
def test_a_changed_setting_is_seen(name: str) -> None:
    unseen = []
    root, function, written = USES[name]()
    optimizers = [x for x in (root if isinstance(root, tuple) else (root,)) if hasattr(x, "_accumulators")]
    optimizers += [x.inner_optimizer for x in optimizers if hasattr(x, "inner_optimizer")]
    compiled = vt.jit.to_static(function, numerics="reference")
    x = t(1.0)
    started = [(p, p.numpy().copy()) for p in written]
    scales = (
        [(v, v.numpy().copy()) for v in vars(root).values() if isinstance(v, Tensor)] if name == "GradScaler" else []
    )
    function(x)
    tables = [table for optimizer in optimizers for table in optimizer._accumulators.values()]
    firsts = {id(state): state.numpy().copy() for table in tables for state in table.values()}

    def reset() -> None:
        for p, array in [*started, *scales]:
            p.set_value(array)
            p.clear_grad()
        for optimizer in optimizers:
            for table in optimizer._accumulators.values():
                for state in table.values():
                    state.set_value(firsts.get(id(state), np.zeros(state.shape, state.numpy().dtype)))

    def run(fn: Any) -> Any:
        reset()
        vt.seed(3)
        return outcome(lambda: fn(x))

    usual = run(function)
    assert not isinstance(usual, str), usual
    assert agree(run(compiled), usual)
    for where, owner, key, value in list(places(root, set())):
        for other in other_values(value):
            if not put(owner, key, other):
                break
            wanted = run(function)
            found = run(compiled) if not agree(wanted, usual) else wanted
            if not agree(found, wanted) and not (isinstance(found, str) and isinstance(wanted, str)):
                unseen.append((where, value, other, wanted, found))
            put(owner, key, value)
            if not agree(run(compiled), usual):
                unseen.append((where, "put back", outcome(lambda: compiled(x)), usual))
    assert unseen == []
