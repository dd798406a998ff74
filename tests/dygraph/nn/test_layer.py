"""Layer: attributes, names, state, modes, hooks, copies, errors."""

from __future__ import annotations

import copy
import warnings
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vitrify.base.errors import (
    ArgumentError,
    DTypeError,
    KindError,
    MissingError,
    NameTakenError,
    StateError,
    VitrifyError,
)
from vitrify.dygraph import nn
from vitrify.dygraph.conversions import to_tensor
from vitrify.dygraph.nn.layer import layer_epoch
from vitrify.dygraph.serialize import load, save
from vitrify.dygraph.tensor import Parameter, Tensor


class Net(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.norm = nn.BatchNorm1D(3)
        self.last = nn.Linear(3, 1)
        self.scale = self.create_parameter([1])

    def forward(self, x: Any) -> Any:
        return self.last(self.norm(self.first(x))) * self.scale


def ones(*shape: int) -> Tensor:
    return to_tensor(np.ones(shape, "float32"))


def test_names_of_parameters_buffers_and_sublayers() -> None:
    net = Net()
    assert [n for n, _ in net.named_parameters()] == [
        "scale", "first.weight", "first.bias", "norm.weight", "norm.bias", "norm._mean", "norm._variance",
        "last.weight", "last.bias",
    ]  # fmt: skip
    assert [n for n, _ in net.named_parameters(prefix="net", include_sublayers=False)] == ["net.scale"]
    net.norm.register_buffer("seen", ones(1))
    assert [n for n, _ in net.named_buffers()] == ["norm.seen"]
    assert [n for n, _ in net.named_sublayers()] == ["first", "norm", "last"]
    assert next(net.named_sublayers(include_self=True)) == ("", net)
    assert [n for n, _ in net.named_children()] == ["first", "norm", "last"]
    assert len(net.sublayers()) == len(list(net.children())) == 3
    assert len(net.parameters()) == 9
    assert len(net.buffers()) == 1


def test_shared_objects_are_listed_once() -> None:
    net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    net[1].weight = net[0].weight
    net.add_sublayer("again", net[0])
    assert [n for n, _ in net.named_parameters()] == ["0.weight", "0.bias", "1.bias"]
    assert "1.weight" in dict(net.named_parameters(remove_duplicate=False))
    assert [n for n, _ in net.named_sublayers()] == ["0", "1"]
    assert {"0.weight", "1.weight", "again.weight"} <= set(net.state_dict())


def test_assignment_moves_a_name_between_tables() -> None:
    layer: Any = nn.Layer()
    layer.x = Parameter([1.0])
    layer.x = nn.Linear(1, 1)
    assert not layer._parameters
    assert list(layer._sub_layers) == ["x"]
    layer.x = Parameter([1.0])
    assert not layer._sub_layers
    layer.x = None
    assert layer.x is None
    assert layer.parameters() == []
    layer.b = to_tensor([1.0])
    assert [n for n, _ in layer.named_buffers()] == ["b"]
    assert "b" not in layer.state_dict()
    layer.register_buffer("kept", to_tensor([1.0]))
    layer.kept = to_tensor([2.0])
    assert layer.state_dict()["kept"].tolist() == [2.0]
    del layer.kept
    assert not hasattr(layer, "kept")
    layer.plain = 3
    layer.plain = Parameter([1.0])
    assert "plain" not in layer.__dict__


@pytest.mark.parametrize(
    ("name", "value", "part"),
    [
        ("w", 3, "holds a Parameter; it can't become a int"),
        ("w", to_tensor([1.0]), "holds a Parameter; it can't become a Tensor"),
        ("sub", "text", "holds a Layer; it can't become a str"),
        ("buf", [1.0], "holds a buffer; it can't become a list"),
    ],
)
def test_wrong_kinds_are_refused(name: str, value: Any, part: str) -> None:
    layer: Any = nn.Layer()
    layer.w, layer.sub, layer.buf = Parameter([1.0]), nn.Linear(1, 1), to_tensor([1.0])
    with pytest.raises(KindError, match=part) as caught:
        setattr(layer, name, value)
    assert isinstance(caught.value, TypeError)
    assert isinstance(getattr(layer, name), (Tensor, nn.Layer))


def test_super_init_comes_first() -> None:
    class Early(nn.Layer):
        def __init__(self) -> None:
            self.inner = nn.Linear(1, 1)

    with pytest.raises(StateError, match=r"super\(\).__init__\(\) first") as caught:
        Early()
    assert isinstance(caught.value, ValueError)

    class Never(nn.Layer):
        def __init__(self) -> None:
            self.size = 3

    with pytest.raises(MissingError, match="isn't ready"):
        Never()(1)


def test_a_layer_may_have_a_method_named_backward() -> None:
    class Flow(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.inner = nn.Linear(2, 2)

        def forward(self, x: Any) -> Any:
            return self.inner(x)

        def backward(self, x: Any) -> Any:
            return -self.forward(x)

    flow = Flow()
    x = to_tensor([[1.0, 2.0]])
    assert (flow.backward(x) == -flow(x)).all()
    flow(x).sum().backward()
    assert flow.inner.weight.grad is not None


@pytest.mark.parametrize(
    ("layer", "attributes"),
    [
        (nn.AdaptiveAvgPool2D(1, name="pool"), {"_name": "pool", "name": "pool"}),
        (nn.Linear(2, 3, weight_attr=False, name="fc"), {"_weight_attr": False, "_bias_attr": None, "name": "fc"}),
        (nn.Conv2D(2, 3, 1, bias_attr=False), {"_param_attr": None, "_bias_attr": False}),
        (nn.BatchNorm2D(2, name="bn"), {"_weight_attr": None, "_bias_attr": None, "_name": "bn"}),
        (nn.LayerNorm(2, bias_attr=False), {"_weight_attr": None, "_bias_attr": False}),
        (nn.GroupNorm(1, 2), {"_weight_attr": None, "_bias_attr": None}),
        (nn.InstanceNorm2D(2), {"_weight_attr": None, "_bias_attr": None}),
        (nn.MultiHeadAttention(4, 2, vdim=3), {"kdim": 4, "vdim": 3}),
    ],
)
def test_arguments_under_the_names_that_programs_read(layer: nn.Layer, attributes: dict[str, object]) -> None:
    assert {name: getattr(layer, name) for name in attributes} == attributes


@pytest.mark.parametrize("name", ["", "a.b", "forward", "training"])
def test_names_that_cannot_be_used(name: str) -> None:
    layer = nn.Layer()
    for add, value in (
        (layer.add_parameter, Parameter([1.0])), (layer.add_sublayer, nn.Linear(1, 1)),
        (layer.register_buffer, to_tensor([1.0])),
    ):  # fmt: skip
        if name == "a.b" and isinstance(value, nn.Layer):
            continue  # a sublayer's may have dots
        with pytest.raises(NameTakenError) as caught:
            add(name, value)  # type: ignore[operator]
        assert isinstance(caught.value, KeyError)
        with pytest.raises(KindError, match="must be a string"):
            add(3, value)  # type: ignore[operator]
        with pytest.raises(KindError, match="needs a"):
            add("fine", "text")  # type: ignore[operator]


def test_unknown_attribute() -> None:
    with pytest.raises(AttributeError, match="'Linear' layer has no attribute 'wieght'"):
        nn.Linear(1, 1).wieght


@pytest.mark.parametrize("value", [[nn.Linear(1, 1)], (Parameter([1.0]),), {"a": nn.Linear(1, 1)}])
def test_hidden_layers_warn(value: Any) -> None:
    layer: Any = nn.Layer()
    with pytest.warns(UserWarning, match=r"aren't registered.*use nn\.(LayerList|ParameterList|LayerDict)"):
        layer.parts = value


def test_state_dict_round_trip(tmp_path: Path) -> None:
    a, b = Net(), Net()
    a(ones(4, 2))  # moves the running statistics
    assert type(a.state_dict()) is OrderedDict
    save(a.state_dict(), tmp_path / "net.pdparams")
    assert b.set_state_dict(load(tmp_path / "net.pdparams")) == ([], [])
    a.eval()
    b.eval()
    np.testing.assert_array_equal(a(ones(2, 2)).numpy(), b(ones(2, 2)).numpy())
    assert a.first.weight is not b.first.weight
    assert a.state_dict()["first.weight"] is a.first.weight


def test_state_dict_by_parameter_name() -> None:
    a, b = nn.Linear(2, 2), nn.Linear(2, 2)
    state = {b.weight.name: a.weight, b.bias.name: a.bias}
    assert b.set_state_dict(state, use_structured_name=False) == ([], [])
    np.testing.assert_array_equal(a.weight.numpy(), b.weight.numpy())


def test_a_state_that_does_not_fit() -> None:
    net = nn.Linear(2, 3)
    before = net.weight.numpy()
    state = {"weight": np.zeros((9, 9), "float32"), "other": np.zeros(3)}
    with pytest.warns(UserWarning, match="set_state_dict of Linear") as seen:
        missing, unexpected = net.set_state_dict(state)
    assert missing == ["weight", "bias"]
    assert unexpected == ["other", "weight"]
    texts = " ".join(str(w.message) for w in seen)
    assert "'weight' has shape [9, 9], the layer's has [2, 3]" in texts
    assert "'bias' is missing" in texts
    np.testing.assert_array_equal(net.weight.numpy(), before)
    with pytest.raises(StateError, match="doesn't fit Linear"):
        net.set_state_dict({"bias": np.ones(3), "weight": np.zeros((9, 9))}, strict=True)
    assert net.bias.numpy().tolist() == [0, 0, 0]


def test_train_and_eval_reach_everything() -> None:
    net = nn.Sequential(nn.Dropout(0.5), nn.Sequential(nn.Dropout(0.5)))
    assert net.eval() is net
    assert not any(layer.training for layer in net.sublayers(include_self=True))
    net.train()
    assert all(layer.training for layer in net.sublayers(include_self=True))


def test_apply_goes_from_the_inside_out() -> None:
    seen: list[str] = []
    net = nn.Sequential(nn.Linear(1, 1), nn.Sequential(nn.ReLU()))
    assert net.apply(lambda layer: seen.append(type(layer).__name__)) is net
    assert seen == ["Linear", "ReLU", "Sequential", "Sequential"]


def test_hooks_run_in_order_and_replace() -> None:
    layer = nn.Identity()
    log: list[str] = []
    pre = layer.register_forward_pre_hook(lambda la, xs: log.append("pre1"))
    layer.register_forward_pre_hook(lambda la, xs: (log.append("pre0"), xs[0] + 1)[1], prepend=True)
    layer.register_forward_post_hook(lambda la, xs, y: (log.append(f"post{xs[0]}"), y * 10)[1])
    assert layer(1) == 20
    assert log == ["pre0", "pre1", "post2"]
    assert pre.remove() is None
    pre.remove()  # once more does nothing
    layer(1)
    assert log[3:] == ["pre0", "post2"]


def test_hooks_with_kwargs_and_always_call() -> None:
    class Power(nn.Layer):
        def forward(self, x: Any, n: int = 1) -> Any:
            if n < 0:
                raise ZeroDivisionError
            return x**n

    layer, seen = Power(), []
    layer.register_forward_pre_hook(lambda la, xs, kw: (xs, {"n": kw["n"] + 1}), with_kwargs=True)
    layer.register_forward_post_hook(lambda la, xs, kw, y: seen.append((xs, kw, y)), with_kwargs=True)
    layer.register_forward_post_hook(lambda la, xs, y: seen.append(y), always_call=True)
    assert layer(2, n=2) == 8
    assert seen == [((2,), {"n": 3}, 8), 8]
    with pytest.raises(ZeroDivisionError):
        layer(2, n=-5)
    assert seen[2:] == [None]
    layer.register_forward_pre_hook(lambda la, xs, kw: 3, with_kwargs=True)
    with pytest.raises(ArgumentError, match="None or"):
        layer(2, n=2)


def test_every_change_of_a_layer_is_counted() -> None:
    net: Any = nn.Sequential(nn.Linear(1, 1), nn.Dropout())

    def counts(change: Any) -> bool:
        before = layer_epoch.value
        change()
        return layer_epoch.value > before

    handle = net.register_forward_pre_hook(lambda la, xs: None)
    changes = [
        lambda: setattr(net, "a", 1), lambda: delattr(net, "a"), net.eval, lambda: net.append(nn.ReLU()),
        lambda: net.register_forward_post_hook(lambda la, xs, y: None), handle.remove,
        lambda: net.register_buffer("b", to_tensor([1.0])), lambda: net.add_parameter("p", Parameter([1.0])),
        lambda: net.__delitem__(2), lambda: setattr(net[0], "bias", None),
    ]  # fmt: skip
    assert [counts(change) for change in changes] == [True] * len(changes)
    assert not counts(net.eval)  # nothing changed
    assert not counts(lambda: net[0].weight.set_value([[2.0]]))
    assert not counts(lambda: net(ones(1, 1)))


def test_deepcopy_is_independent() -> None:
    net = Net()
    twin = copy.deepcopy(net)
    np.testing.assert_array_equal(net.first.weight.numpy(), twin.first.weight.numpy())
    twin.first.weight.set_value(np.zeros((2, 3)))
    twin.norm._mean.fill_(5.0)
    assert net.first.weight.numpy().any()
    assert not net.norm._mean.numpy().any()
    assert isinstance(twin.first.weight, Parameter)
    twin.eval()
    assert net.training
    shared = nn.Sequential(net.first, net.first)
    double = copy.deepcopy(shared)
    assert double[0] is double[1]


def test_dtype_conversion_keeps_the_objects() -> None:
    net = Net()
    weight = net.first.weight
    net(ones(3, 2)).sum().backward()
    assert net.astype("float64") is net
    assert net.first.weight is weight
    assert weight.dtype.name == weight.grad.dtype.name == net.norm._mean.dtype.name == "float64"
    assert net(to_tensor(np.ones((2, 2)))).dtype.name == "float64"
    assert net.to("cpu", "float32").first.weight.dtype.name == "float32"
    with pytest.raises(ArgumentError, match="there is no device"):
        net.to(device=1)
    with pytest.raises(AssertionError, match="blocking"):
        net.to(blocking=1)
    assert net.astype("float64").float().last.bias.dtype.name == "float32"
    assert net.astype("int64").last.bias.dtype.name == "int64"


def test_clear_gradients() -> None:
    layer = nn.Linear(2, 1)
    layer(ones(1, 2)).sum().backward()
    layer.clear_gradients()
    assert layer.weight.grad.tolist() == [[0.0], [0.0]]
    layer.clear_gradients(set_to_zero=False)
    assert layer.weight.grad is None


def test_create_parameter_and_attr() -> None:
    layer = nn.Layer()
    assert layer.create_parameter([2], attr=False) is None
    assert layer.create_parameter([2], is_bias=True).tolist() == [0, 0]  # type: ignore[union-attr]
    init = nn.initializer.Constant(3.0)
    p = layer.create_parameter([2], nn.ParamAttr("mine", init, learning_rate=0.5, trainable=False, need_clip=False))
    assert p is not None
    assert (p.name, p.tolist(), p.trainable, p.need_clip) == ("mine", [3, 3], False, False)
    assert p.optimize_attr == {"learning_rate": 0.5}
    assert layer.create_parameter([1], "named").name == "named"  # type: ignore[union-attr]
    assert layer.create_parameter([1], init).tolist() == [3.0]  # type: ignore[union-attr]
    assert not layer.parameters()
    with pytest.raises(KindError, match="attr must be a ParamAttr"):
        layer.create_parameter([1], 3)
    with pytest.raises(DTypeError, match="float dtype"):
        layer.create_parameter([1], dtype="int64")
    with pytest.raises(ArgumentError, match="shape of a parameter"):
        layer.create_parameter([-1])
    with pytest.raises(KindError, match="initializer must be"):
        nn.ParamAttr(initializer=3)  # type: ignore[arg-type]


def test_names_and_texts() -> None:
    layer = nn.Conv2D(1, 2, 3)
    number = layer.full_name().removeprefix("conv2d_")
    assert layer.weight.name == f"conv2d_{number}.w_0"
    assert layer.bias.name == f"conv2d_{number}.b_0"
    net = nn.Sequential(nn.Linear(2, 3), ("act", nn.Sequential(nn.ReLU())))
    assert repr(net) == (
        "Sequential(\n  (0): Linear(in_features=2, out_features=3, dtype=float32)\n"
        "  (act): Sequential(\n    (0): ReLU()\n  )\n)"
    )
    assert {"weight", "bias"} <= set(dir(nn.Linear(1, 1)))
    assert nn.Layer("scope").full_name().startswith("scope_")
    with pytest.raises(NotImplementedError, match="no forward"):
        nn.Layer()(1)


def test_properties_with_setters_work() -> None:
    class Half(nn.Layer):
        @property
        def rate(self) -> float:
            return 0.5 * self.whole

        @rate.setter
        def rate(self, value: float) -> None:
            self.whole = value

    layer = Half()
    layer.rate = 4.0
    assert layer.rate == 2.0


def test_errors_of_layers_are_typed_and_help() -> None:
    wrong: list[Any] = [
        lambda: nn.Linear(-1, 1), lambda: nn.Conv2D(3, 4, 3, groups=2), lambda: nn.Dropout(2.0),
        lambda: nn.Dropout(mode="x"), lambda: nn.Embedding(3, 2, padding_idx=3), lambda: nn.GroupNorm(2, 3),
        lambda: nn.LSTM(2, 2, direction="back"), lambda: nn.MultiHeadAttention(5, 2), lambda: nn.MSELoss("max"),
        lambda: nn.Linear(2, 3)(ones(1, 4)), lambda: nn.BatchNorm2D(3)(ones(2, 4, 2, 2)),
        lambda: nn.BatchNorm2D(3)(ones(2, 3)), lambda: nn.LayerNorm(3)(ones(2, 4)), lambda: nn.LeakyReLU(slope=1),
        lambda: nn.Conv2D(1, 1, 3, padding_mode="same"), lambda: nn.LSTMCell(3, 2)(ones(1, 4)),
        lambda: nn.SimpleRNNCell(3, 2, activation="gelu"), lambda: nn.LSTM(3, 2)(ones(1, 4)),
        lambda: nn.BatchNorm1D(3, momentum=2.0),
    ]  # fmt: skip
    for make in wrong:
        with pytest.raises(VitrifyError):
            make()


def test_no_warning_for_plain_lists() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        layer: Any = nn.Layer()
        layer.sizes = [1, 2, 3]
