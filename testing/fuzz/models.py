"""Random models and training steps: `random_model(seed)` gives a script's text, `check_model` runs it in every way.

A script defines `make()` (a model, its optimiser), `make_step(net, optimizer)` (a training step) and `batch(number)`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.pytree import flatten
from ...dygraph.conversions import to_tensor
from ...dygraph.random_generators import get_rng_state
from ...dygraph.random_generators import seed as set_seed
from ...dygraph.tensor import Tensor
from ...ir.input_spec import InputSpec
from ...ir.walk import walk
from ...jit.api import to_static
from ...jit.serialize.load import load
from ...jit.serialize.save import save
from .checks import EXACT, Coverage, check_passes, same, same_lists, scratch, stage, threads, verified
from .functions import arrays_for, load_module

BOUNDS = {"float32": {"relative": 2e-3, "absolute": 2e-3}, "float64": {"relative": 1e-6, "absolute": 1e-7}}

VECTOR, IMAGE, SEQUENCE = "vector", "image", "sequence"


class ModelWriter:
    """Writes the script of one random model."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"model {seed}")
        self.dtype = self.random.choice(["float32", "float64"])
        self.layers: list[str] = []
        self.lines: list[str] = []
        self.kind = self.random.choice([VECTOR, IMAGE, SEQUENCE, "ids"])
        self.size = 6  # features, channels or width of a sequence's elements
        self.side = 8  # of an image

    def text(self) -> str:
        """The whole script."""
        first = self.kind
        if first == "ids":
            self.apply("nn.Embedding(11, 6)")
            self.kind = SEQUENCE
        for _ in range(self.random.randint(2, 5)):
            getattr(self, f"_{self.kind}")()
        self._flatten()
        self.apply(f"nn.Linear({self.size}, 3)")
        layers = "\n        ".join(["super().__init__()", *self.layers])
        lines = "\n        ".join([*self.lines, "return h"])
        return (
            "import numpy as np\n\nimport vitrify as vt\nfrom vitrify import nn\n\n\nclass Net(nn.Layer):\n"
            f"    def __init__(self):\n        {layers}\n\n    def forward(self, h):\n        {lines}\n\n\n"
            f"{self._make()}\n\n{self._step()}\n\n{self._batch(first)}"
        )

    # ---- pieces

    def pick(self, *items: str) -> str:
        return self.random.choice(items)

    def put(self, line: str) -> None:
        self.lines.append(line)

    def layer(self, text: str) -> str:
        """A new sublayer's name."""
        name = f"self.part{len(self.layers)}"
        self.layers.append(f"{name} = {text}")
        return name

    def apply(self, text: str, form: str = "h = {0}(h)") -> None:
        self.put(form.format(self.layer(text)))

    def _activation(self) -> None:
        name = self.pick(
            "relu", "tanh", "gelu", "silu", "softplus", "elu", "sigmoid", "leaky_relu", "mish", "hardswish", "softmax",
            "log_softmax", "selu", "softsign", "relu6", "celu", "tanhshrink",
        )  # fmt: skip
        self.put(f"h = nn.functional.{name}(h)")

    def _shared(self) -> None:
        """What every kind of value takes: activations, dropout, branches, loops, state."""
        match self.random.randrange(8):
            case 0 | 1 | 2:
                self._activation()
            case 3:
                self.apply(f"nn.Dropout({self.pick('0.1', '0.5')})")
            case 4:
                self.put(f"if h.mean() > {self.pick('0.0', '-100.0', '100.0')}:")
                self.put("    h = h * 0.5")
                if self.random.random() < 0.5:
                    self.put("else:")
                    self.put("    h = vt.tanh(h)")
            case 5:
                self.put("count = vt.to_tensor(0)")
                self.put(f"while count < {self.pick('2', '3')}:")
                self.put("    h = h * 0.5 + vt.sin(h) * 0.25")
                self.put("    count = count + 1")
            case 6:
                self.put(f"for _ in range({self.pick('2', '3')}):")
                self.put(f"    h = h + 0.125 * {self.pick('vt.tanh(h)', 'h * h / (1.0 + h * h)', 'vt.cos(h)')}")
            case _:
                name = f"seen{len(self.layers)}"
                self.layers.append(f'self.register_buffer("{name}", vt.zeros([]))')
                self.put(f"self.{name}.set_value(self.{name} * 0.5 + h.detach().mean())")
                self.put(f"h = h - 0.01 * self.{name}")

    def _vector(self) -> None:
        match self.random.randrange(6):
            case 0:
                size = self.random.choice([4, 6, 8])
                self.apply(f"nn.Linear({self.size}, {size}{self.pick('', ', bias_attr=False')})")
                self.size = size
            case 1:
                norm = self.pick("nn.BatchNorm1D({0})", "nn.LayerNorm({0})", "nn.GroupNorm(2, {0})")
                self.apply(norm.format(self.size))
            case 2:
                self.apply(f"nn.Linear({self.size}, {self.size})", "h = h + vt.tanh({0}(h))")
            case 3:
                self.put("h = vt.concat([h, h.flip([1])], axis=1)")
                self.size *= 2
            case _:
                self._shared()

    def _image(self) -> None:
        match self.random.randrange(7):
            case 0 | 1:
                channels = self.random.choice([4, 6, 8])
                more = self.pick("", ", bias_attr=False", ", padding_mode='reflect'", ", dilation=1")
                self.apply(f"nn.Conv2D({self.size}, {channels}, 3, padding=1{more})")
                self.size = channels
            case 2:
                norm = self.pick("nn.BatchNorm2D({0})", "nn.InstanceNorm2D({0})", "nn.GroupNorm(2, {0})")
                self.apply(norm.format(self.size))
            case 3 if self.side >= 4:
                self.apply(self.pick("nn.MaxPool2D(2)", "nn.AvgPool2D(2)", "nn.AvgPool2D(2, stride=2)"))
                self.side //= 2
            case 4:
                conv = self.layer(f"nn.Conv2D({self.size}, {self.size}, 3, padding=1)")
                self.apply(f"nn.BatchNorm2D({self.size})", f"h = nn.functional.relu(h + {{0}}({conv}(h)))")
            case 5 if self.side <= 4:
                self.apply(f"nn.Conv2DTranspose({self.size}, {self.size}, 2, stride=2)")
                self.side *= 2
            case _:
                self._shared()

    def _sequence(self) -> None:
        match self.random.randrange(7):
            case 0:
                self.apply(f"nn.{self.pick('LSTM', 'GRU', 'SimpleRNN')}({self.size}, 6)", "h, _ = {0}(h)")
                self.size = 6
            case 1:
                heads = 2 if self.size % 2 == 0 else 1
                self.apply(f"nn.MultiHeadAttention({self.size}, {heads})", "h = h + {0}(h)")
            case 2:
                self.apply(f"nn.LayerNorm({self.size})")
            case 3:
                self.apply(f"nn.TransformerEncoderLayer({self.size}, 2, 8, dropout={self.pick('0.0', '0.1')})")
            case 4:
                self.put("rows = [h[:, 0]]")
                self.put("for k in range(1, 5):")
                self.put("    rows.append(rows[-1] * 0.5 + h[:, k])")
                self.put("h = vt.stack(rows, axis=1)")
            case _:
                self._shared()

    def _flatten(self) -> None:
        if self.kind == IMAGE:
            self.put(self.pick("h = h.mean(axis=[2, 3])", "h = nn.functional.adaptive_avg_pool2d(h, 1).flatten(1)"))
        elif self.kind == SEQUENCE:
            self.put(self.pick("h = h.mean(axis=1)", "h = h[:, -1]", "h = h.max(axis=1)"))

    def _make(self) -> str:
        clip = self.pick("", ", grad_clip=nn.ClipGradByGlobalNorm(0.5)", ", grad_clip=nn.ClipGradByNorm(0.5)",
                         ", grad_clip=nn.ClipGradByValue(0.25)")  # fmt: skip
        rate = self.pick("0.05", "vt.optimizer.lr.StepDecay(0.05, 2)", "vt.optimizer.lr.ExponentialDecay(0.05, 0.5)")
        names = ["SGD", "Momentum", "Adam", "AdamW", "RMSProp", "Adagrad", "Adamax", "Adadelta", "NAdam", "RAdam"]
        if self.dtype == "float32":
            del names[2:]  # the others divide by the gradient's size: rounding of a gradient that is zero would show
        name = self.pick(*names)
        decay = self.pick("", ", weight_decay=0.01") if name in ("SGD", "Momentum", "AdamW") else ""
        return (
            f"def make():\n    net = Net().to(dtype='{self.dtype}')\n"
            f"    rate = {rate}\n"
            f"    return net, vt.optimizer.{name}(rate, parameters=net.parameters(){decay}{clip})\n"
        )

    def _step(self) -> str:
        loss = "nn.functional." + self.pick(
            "cross_entropy(out, label)",
            "cross_entropy(out, label, label_smoothing=0.1)",
            "mse_loss(out, nn.functional.one_hot(label, 3).astype(out.dtype))",
            "smooth_l1_loss(out, nn.functional.one_hot(label, 3).astype(out.dtype))",
            "nll_loss(nn.functional.log_softmax(out), label)",
        )
        return (
            "def make_step(net, optimizer):\n    def step(x, label):\n        out = net(x)\n"
            f"        loss = {loss}\n        loss.backward()\n        optimizer.step()\n"
            "        optimizer.clear_grad()\n        return loss, out\n\n    return step\n"
        )

    def _batch(self, first: str) -> str:
        shapes = {VECTOR: "(n, 6)", IMAGE: "(n, 6, 8, 8)", SEQUENCE: "(n, 5, 6)"}
        drawn = "rng.integers(0, 11, (n, 5))" if first == "ids" else f"rng.standard_normal({shapes[first]})"
        kind = "np.int64" if first == "ids" else f"np.{self.dtype}"
        return (
            "def batch(number):\n    rng = np.random.default_rng(number)\n    n = 3 if number == 2 else 4\n"
            f"    return {drawn}.astype({kind}), rng.integers(0, 3, n)\n"
        )


def random_model(seed: int) -> str:
    """The text of a script with a random model and its training step; the same seed gives the same text.

    >>> "class Net(nn.Layer):" in random_model(0)
    True
    """
    return ModelWriter(seed).text()


STEPS = 4


def check_model(text: str, seed: int, coverage: Coverage | None = None) -> str:
    """Train the script's model eagerly and compiled, with one and two threads; save it and load it again.

    Disagreement: losses, results, parameters, buffers, moments or random numbers differ; a pass changes values.
    """
    seen = Coverage() if coverage is None else coverage
    module = load_module(text, f"<model {seed}>")
    seen.constructs.update(line.split("(")[0].rpartition(".")[2] for line in text.splitlines() if "nn." in line)
    expected = _trained(module, seed, lambda step: step, 1)
    for count in (1, 2):
        where = f"compiled, {count} threads"
        with stage(where), threads(count), verified():
            found = _trained(module, seed, to_static, count)
            _compare(expected, found)
    program = found.step.concrete_trace().program
    seen.add_program(program)
    if not any(o.name == "callback" for o in walk(program.body)):
        check_passes(program, *arrays_for(program, seed), seen)
    _check_saved(module, expected)
    return "equal"


class _Run:
    """What a training left: the results of each step, the state of the model and of the optimiser, the random state."""

    def __init__(self, module: dict[str, Any], seed: int, wrap: Callable[[Any], Any]) -> None:
        set_seed(seed)
        self.net, optimizer = module["make"]()
        self.step = wrap(module["make_step"](self.net, optimizer))
        self.results: list[Any] = []
        for number in range(STEPS):
            made = self.step(*map(to_tensor, module["batch"](number)))
            self.results.append([t.numpy() for t in made])
            if hasattr(optimizer._learning_rate, "step"):
                optimizer._learning_rate.step()
        self.state = {name: t.numpy() for name, t in self.net.state_dict().items()}
        leaves = flatten(optimizer.state_dict(), lambda x: isinstance(x, Tensor))[0]
        self.moments = [t.numpy() if isinstance(t, Tensor) else np.asarray(t) for t in leaves]
        self.random = [state.numpy() for state in get_rng_state()]
        self.bounds = BOUNDS[str(self.results[0][1].dtype)]


def _trained(module: dict[str, Any], seed: int, wrap: Callable[[Any], Any], count: int) -> _Run:
    with threads(count):
        return _Run(module, seed, wrap)


def _compare(expected: _Run, found: _Run) -> None:
    bounds = expected.bounds
    for k, (a, b) in enumerate(zip(expected.results, found.results, strict=True)):
        same_lists(a, b, f"loss and result of step {k}: part", bounds)
    assert list(expected.state) == list(found.state), "other entries in state_dict"
    for name in expected.state:
        same(expected.state[name], found.state[name], f"{name} after {STEPS} steps", **bounds)
    same_lists(expected.moments, found.moments, "entry of the optimiser's state", bounds)
    same_lists(expected.random, found.random, "random state", EXACT)


def _check_saved(module: dict[str, Any], run: _Run) -> None:
    net = run.net
    net.eval()
    x, _ = module["batch"](0)
    with stage("saved and loaded"), scratch() as folder:
        spec = InputSpec([None, *x.shape[1:]], str(x.dtype), "x")
        save(net, folder / "model", input_spec=[spec])
        loaded = load(folder / "model", structured=True)
        for size in (4, 2):  # in turn: a forward may move buffers on
            found = loaded(to_tensor(x[:size])).numpy()
            same(net(to_tensor(x[:size])).numpy(), found, f"result for a batch of {size}", **run.bounds)
