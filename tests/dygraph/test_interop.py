"""Arrays, DLPack and weights to and from other libraries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, ArtifactError, KindError, StateError

DTYPES = ["float32", "float64", "int64", "uint8", "bool", "float16", "complex64"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_come_out_as_copies_or_views(dtype: str) -> None:
    x = vt.to_tensor([[1, 0], [2, 3]]).astype(dtype)
    copied, viewed = np.array(x), x.__array__(copy=False)
    np.testing.assert_array_equal(copied, x.numpy())
    assert copied.dtype == dtype
    assert np.asarray(x, "float64" if dtype != "complex64" else "complex128").dtype.itemsize >= 8
    copied[:] = 0
    assert viewed.tolist() == x.tolist()
    assert not viewed.flags.writeable
    x.zero_()  # the view keeps what it showed
    assert viewed[1, 1] != 0
    with pytest.raises(ArgumentError, match="without a copy"):
        x.__array__("int8", copy=False)


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d != "bool"])
def test_dlpack_shares_memory_both_ways(dtype: str) -> None:
    torch = pytest.importorskip("torch")
    x = vt.to_tensor([[1, 0], [2, 3]]).astype(dtype)
    other = torch.from_dlpack(x)
    assert other.data_ptr() == x.__array__(copy=False).ctypes.data
    back = vt.from_dlpack(other)
    assert back.__array__(copy=False).ctypes.data == other.data_ptr()
    assert back.dtype is x.dtype
    again = vt.utils.dlpack.from_dlpack(vt.utils.dlpack.to_dlpack(x))
    assert again.tolist() == x.tolist()
    back.add_(vt.ones([2, 2], dtype))  # a write moves the tensor to memory of its own
    assert other.tolist() == x.tolist() != back.tolist()


@pytest.mark.parametrize("torch_writes", [True, False])
def test_safetensors_files_are_everyones(tmp_path: Any, torch_writes: bool) -> None:
    theirs = pytest.importorskip("safetensors.numpy")
    arrays = {"a.weight": np.arange(6.0).reshape(2, 3), "b": np.array(3, "int64"), "empty": np.zeros((0, 2), "float32")}
    path = tmp_path / "x.safetensors"
    if torch_writes:
        theirs.save_file(arrays, path, metadata={"format": "pt"})
        found = vt.interop.load_safetensors(path)
        assert all(isinstance(x, vt.Tensor) for x in found.values())
        made = {name: x.numpy() for name, x in found.items()}
    else:
        vt.interop.save_safetensors({k: vt.to_tensor(v) for k, v in arrays.items()}, path, {"note": "hello"})
        made = theirs.load_file(path)
    assert set(made) == set(arrays)
    for name, array in arrays.items():
        np.testing.assert_array_equal(made[name], array)
        assert made[name].dtype == array.dtype


def torch_model(torch: Any) -> Any:
    layers = [torch.nn.Conv2d(1, 2, 3), torch.nn.BatchNorm2d(2), torch.nn.Flatten(), torch.nn.Linear(8, 3)]
    model = torch.nn.Sequential(*layers)
    with torch.no_grad():
        model[1].running_mean += 0.3
        model[1].running_var *= 2.0
    return model.eval()


def our_model() -> Any:
    return vt.nn.Sequential(vt.nn.Conv2D(1, 2, 3), vt.nn.BatchNorm2D(2), vt.nn.Flatten(), vt.nn.Linear(8, 3)).eval()


@pytest.mark.parametrize("by_file", [True, False])
def test_torch_weights_give_torchs_results(tmp_path: Any, by_file: bool) -> None:
    torch = pytest.importorskip("torch")
    theirs, ours = torch_model(torch), our_model()
    state: Any = theirs.state_dict()
    if by_file:
        state = tmp_path / "model.safetensors"
        vt.interop.save_safetensors({k: v.numpy() for k, v in theirs.state_dict().items()}, state)
    assert vt.interop.load_torch_state_dict(ours, state) == ([], [])
    x = np.random.default_rng(0).normal(size=(2, 1, 4, 4)).astype("float32")
    np.testing.assert_allclose(
        ours(vt.to_tensor(x)).numpy(), theirs(torch.tensor(x)).detach().numpy(), rtol=1e-4, atol=1e-5
    )


@pytest.mark.parametrize("kind", ["LSTM", "GRU"])
def test_recurrent_weights_of_torch(kind: str) -> None:
    torch = pytest.importorskip("torch")
    theirs = getattr(torch.nn, kind)(3, 4, num_layers=2, bidirectional=True, batch_first=True)
    ours = getattr(vt.nn, kind)(3, 4, num_layers=2, direction="bidirect")
    assert vt.interop.load_torch_state_dict(ours, theirs.state_dict()) == ([], [])
    x = np.random.default_rng(0).normal(size=(2, 5, 3)).astype("float32")
    np.testing.assert_allclose(
        ours(vt.to_tensor(x))[0].numpy(), theirs(torch.tensor(x))[0].detach().numpy(), rtol=1e-4, atol=1e-5
    )


def torchs_recurrent_state(ours: Any, biases: bool = True) -> dict[str, Any]:
    """Arrays under the names and in the shapes that torch has for a recurrent network."""
    drawn = np.random.default_rng(1)
    state = {}
    for name, value in ours.state_dict().items():
        if name.startswith("weight") or (biases and name.startswith("bias")):
            state[name] = drawn.normal(size=value.shape).astype("float32")
    for k, own, suffix in ours.named_cells() if ours.proj_size else ():
        shape = ours.state_dict()[f"{own}.weight_ho"].shape[::-1]
        state[f"weight_hr_l{k}{suffix}"] = drawn.normal(size=shape).astype("float32")
    return state


@pytest.mark.parametrize("options", [{}, {"proj_size": 2}, {"direction": "bidirect", "num_layers": 2, "proj_size": 2}])
@pytest.mark.parametrize("inside", [False, True])
def test_recurrent_layers_take_torchs_names(inside: bool, options: dict[str, Any]) -> None:
    ours = vt.nn.LSTM(3, 4, **options)
    state = torchs_recurrent_state(ours)
    holder = vt.nn.LayerDict({"lstm": ours}) if inside else ours
    given = {f"lstm.{name}": value for name, value in state.items()} if inside else state
    assert vt.interop.load_torch_state_dict(holder, given) == ([], [])
    for name, value in state.items():
        if name.startswith("weight_hr"):
            (own,) = (own for k, own, suffix in ours.named_cells() if name == f"weight_hr_l{k}{suffix}")
            np.testing.assert_array_equal(ours.state_dict()[f"{own}.weight_ho"].numpy(), value.T)
        else:
            np.testing.assert_array_equal(getattr(ours, name).numpy(), value)
    del given[next(iter(given))]
    with pytest.raises(StateError, match=r"missing: .*weight_ih_l0.*; unexpected: none"):
        vt.interop.load_torch_state_dict(holder, given)


def test_a_network_without_biases_needs_none_of_torchs() -> None:
    ours = vt.nn.GRU(3, 4, bias_ih_attr=False, bias_hh_attr=False)
    state = torchs_recurrent_state(ours, biases=False)
    assert vt.interop.load_torch_state_dict(ours, state) == ([], [])
    with pytest.raises(StateError, match="missing: weight_hh_l0"):
        vt.interop.load_torch_state_dict(ours, {k: v for k, v in state.items() if k != "weight_hh_l0"})


def torchs_attention(size: int, kdim: int | None = None, start: str = "") -> dict[str, Any]:
    """Arrays under the names and in the shapes that torch has for `nn.MultiheadAttention`."""
    drawn = np.random.default_rng(2)
    shapes = {"in_proj_weight": (3 * size, size)}
    if kdim is not None:
        shapes = {"q_proj_weight": (size, size), "k_proj_weight": (size, kdim), "v_proj_weight": (size, size)}
    shapes |= {"in_proj_bias": (3 * size,), "out_proj.weight": (size, size), "out_proj.bias": (size,)}
    return {f"{start}{name}": drawn.normal(size=shape).astype("float32") for name, shape in shapes.items()}


def attention_by_hand(state: dict[str, Any], x: Any, heads: int) -> Any:
    """What torch computes from its joint matrix, on [length, size]."""
    q, k, v = np.split(x @ state["in_proj_weight"].T + state["in_proj_bias"], 3, axis=1)
    parts = []
    for q_h, k_h, v_h in zip(*(np.split(m, heads, axis=1) for m in (q, k, v)), strict=True):
        scores = np.exp(q_h @ k_h.T / np.sqrt(q_h.shape[1]))
        parts.append(scores / scores.sum(1, keepdims=True) @ v_h)
    return np.concatenate(parts, axis=1) @ state["out_proj.weight"].T + state["out_proj.bias"]


def test_the_joint_projection_of_torchs_attention() -> None:
    ours, state = vt.nn.MultiHeadAttention(6, 2), torchs_attention(6)
    assert vt.interop.load_torch_state_dict(ours, state) == ([], [])
    x = np.random.default_rng(3).normal(size=(5, 6)).astype("float32")
    made = ours(vt.to_tensor(x[None])).numpy()[0]
    np.testing.assert_allclose(made, attention_by_hand(state, x, 2), rtol=1e-4, atol=1e-5)
    with pytest.raises(StateError, match=r"missing: q_proj.bias, k_proj.bias, v_proj.bias; unexpected: none"):
        vt.interop.load_torch_state_dict(ours, {k: v for k, v in state.items() if k != "in_proj_bias"})
    with pytest.raises(StateError, match=r"'in_proj_bias' has shape \[17\]; .* take 18 rows of it"):
        vt.interop.load_torch_state_dict(ours, state | {"in_proj_bias": state["in_proj_bias"][1:]})
    without = vt.nn.MultiHeadAttention(6, 2, bias_attr=False)
    with pytest.raises(StateError, match=r"missing: none; unexpected: in_proj_bias, out_proj.bias"):
        vt.interop.load_torch_state_dict(without, state)


def test_three_projections_of_torchs_attention() -> None:
    ours, state = vt.nn.MultiHeadAttention(6, 2, kdim=4), torchs_attention(6, 4)
    assert vt.interop.load_torch_state_dict(ours, state) == ([], [])
    np.testing.assert_array_equal(ours.k_proj.weight.numpy(), state["k_proj_weight"].T)
    np.testing.assert_array_equal(ours.v_proj.bias.numpy(), state["in_proj_bias"][12:])


def test_attention_under_another_name() -> None:
    block, state = vt.nn.LayerDict({"attention": vt.nn.MultiHeadAttention(4, 1)}), torchs_attention(4, start="attn.")
    renamed = lambda name: name.replace("attn.", "attention.", 1)  # noqa: E731
    assert vt.interop.load_torch_state_dict(block, state, renamed) == ([], [])
    np.testing.assert_array_equal(block["attention"].q_proj.weight.numpy(), state["attn.in_proj_weight"][:4].T)


def test_attention_of_a_decoder_layer() -> None:
    ours = vt.nn.TransformerDecoderLayer(4, 2, 8)
    state = torchs_attention(4, start="self_attn.") | torchs_attention(4, start="multihead_attn.")
    rest = {name: value for name, value in ours.state_dict().items() if "attn" not in name}
    state |= {n: v.numpy().T if v.ndim == 2 else v.numpy() for n, v in rest.items()}
    assert vt.interop.load_torch_state_dict(ours, state) == ([], [])
    np.testing.assert_array_equal(ours.cross_attn.out_proj.weight.numpy(), state["multihead_attn.out_proj.weight"].T)
    np.testing.assert_array_equal(ours.cross_attn.k_proj.bias.numpy(), state["multihead_attn.in_proj_bias"][4:8])


def test_a_shared_tensor_needs_one_of_its_names() -> None:
    net = vt.nn.LayerDict({"embedding": vt.nn.Embedding(5, 3), "out": vt.nn.Embedding(5, 3)})
    net["out"].weight = net["embedding"].weight
    weight = np.ones((5, 3), "float32")
    assert vt.interop.load_paddle_state_dict(net, {"out.weight": weight}) == ([], [])
    np.testing.assert_array_equal(net["embedding"].weight.numpy(), weight)


def test_names_are_mapped_and_mistakes_named() -> None:
    layer = vt.nn.Linear(2, 3)
    weight, bias = np.arange(6.0, dtype="float32").reshape(2, 3), np.ones(3, "float32")
    vt.interop.load_paddle_state_dict(layer, {"fc.w": weight, "bias": bias}, {"fc.w": "weight"})
    np.testing.assert_array_equal(layer.weight.numpy(), weight)
    vt.interop.load_torch_state_dict(
        layer, {"net.weight": weight.T * 2, "net.bias": bias, "x": bias}, lambda n: n[4:] if n[:4] == "net." else None
    )
    np.testing.assert_array_equal(layer.weight.numpy(), weight * 2)
    with pytest.raises(StateError, match="missing: bias; unexpected: other"):
        vt.interop.load_paddle_state_dict(layer, {"weight": weight, "other": bias})
    assert vt.interop.load_paddle_state_dict(layer, {"weight": weight, "other": bias}, strict=False) == (
        ["bias"],
        ["other"],
    )
    with pytest.raises(StateError, match=r"shape \[3, 2\]"):
        vt.interop.load_paddle_state_dict(layer, {"weight": weight.T, "bias": bias})
    with pytest.raises(KindError, match="Layer"):
        vt.interop.load_torch_state_dict({}, {})  # type: ignore[arg-type]


def test_files_of_other_kinds(tmp_path: Any) -> None:
    vt.save([vt.ones([1])], tmp_path / "x")
    with pytest.raises(ArgumentError, match="flat dict"):
        vt.interop.load_safetensors(tmp_path / "x")
    (tmp_path / "y").write_bytes(b"no file of tensors")
    with pytest.raises(ArtifactError):
        vt.interop.load_safetensors(tmp_path / "y")
    with pytest.raises(KindError, match="strings"):
        vt.interop.save_safetensors({1: np.ones(1)}, tmp_path / "z")  # type: ignore[dict-item]


FOREIGN = {  # how a file of another library starts, and what the message says
    "numpy": (b"\x93NUMPY\x01\x00v\x00{'descr': '<f4'", "array of NumPy", "numpy.load"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_files_of_other_libraries_are_named(name: str, tmp_path: Any) -> None:
    start, kind, remedy = FOREIGN[name]
    path = tmp_path / "net.pdparams"
    path.write_bytes(start + bytes(100))
    for read in (vt.load, lambda path: vt.interop.load_paddle_state_dict(vt.nn.Linear(1, 1), path)):
        with pytest.raises(ArtifactError) as caught:
            read(path)
        assert kind in str(caught.value)
        assert remedy in str(caught.value)
