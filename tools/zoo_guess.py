"""Guessed arguments of models: what constructors without defaults and `forward` are given, from names and layers."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

# what a constructor's parameter without a default is given, by its name
NUMBERS: dict[str, Any] = {
    "in_channels": 8, "in_channel": 8, "in_ch": 8, "in_c": 8, "inp": 8, "inplanes": 8, "c1": 8, "ch_in": 8,
    "num_channels": 8, "input_channels": 8, "in_planes": 8, "in_features": 8, "input_dim": 8, "in_dim": 8, "nin": 8,
    "out_channels": 8, "out_channel": 8, "out_ch": 8, "out_c": 8, "oup": 8, "planes": 8, "c2": 8, "ch_out": 8,
    "num_filters": 8, "filters": 8, "output_channels": 8, "out_planes": 8, "out_features": 8, "output_dim": 8,
    "out_dim": 8, "nout": 8, "nf": 8, "ngf": 8, "channels": 8, "channel": 8, "c": 8, "ch": 8, "mid_channels": 8,
    "input_nc": 3, "output_nc": 3, "dim": 16, "embed_dim": 16, "d_model": 16, "hidden_size": 16, "hidden_dim": 16,
    "embedding_dim": 16, "emb_dim": 16, "input_size": 16, "output_size": 16, "hidden": 16, "n_feat": 8, "size": 16,
    "emb_size": 16, "attention_dim": 16, "dim_in": 16, "dim_out": 16, "features": 8, "inter_channels": 8,
    "feat_dim": 16,
    "num_heads": 2, "n_head": 2, "heads": 2, "nhead": 2, "n_heads": 2, "head": 2, "num_attention_heads": 2,
    "num_classes": 5, "class_num": 5, "n_classes": 5, "nclass": 5, "class_dim": 5, "nc": 5, "num_class": 5,
    "kernel_size": 3, "filter_size": 3, "ksize": 3, "k": 3, "kernel": 3, "stride": 1, "s": 1, "strides": 1,
    "padding": 1, "p": 1, "num_layers": 2, "depth": 2, "n_layers": 2, "num_blocks": 2, "n": 2, "layers": 18,
    "num_hidden_layers": 2, "intermediate_size": 32, "dim_feedforward": 32, "ffn_dim": 32, "d_inner": 32,
    "mlp_ratio": 2, "expansion": 2, "expand_ratio": 2, "vocab_size": 64, "dict_size": 64, "dropout": 0.1,
    "drop_rate": 0.1, "dropout_rate": 0.1, "window_size": 4, "input_resolution": (8, 8), "img_size": 32,
    "image_size": 32, "patch_size": 4, "groups": 1, "group": 1, "dilation": 1, "reduction": 2, "scale": 1,
    "max_len": 32,
    "sparse_feature_number": 50, "sparse_feature_dim": 6, "dense_feature_dim": 13, "sparse_num_field": 4,
    "layer_sizes": [16, 8], "num_field": 4, "layer_sizes_dnn": [16, 8], "dense_layers": [16, 8], "item_num": 50,
    "user_num": 50, "num_users": 50, "num_items": 50, "mf_dim": 8, "fc_sizes": [16, 8], "item_count": 50,
    "cat_count": 20, "item_emb_size": 16, "cat_emb_size": 16, "cat_number": 20, "item_emb_dim": 16, "act": "relu",
    "if_act": True, "use_se": True, "bias": True, "shortcut": True, "bn": True, "name": "block", "use_mkldnn": False,
    "num_nodes": 16, "max_position_embeddings": 32, "type_vocab_size": 2, "seq_len": 8, "max_seq_len": 8, "T": 4,
    "num_experts": 2, "expert_num": 2, "gate_num": 2, "expert_size": 8, "tower_size": 8, "feature_size": 16,
    "neg_num": 2,
    "emb_path": None, "init_value": 0.1, "initializer_range": 0.02, "input_keys": ("x", "y"), "output_keys": ("u",),
    "d_ffn": 32, "padding_type": "zero", "pad_type": "zero", "data_format": "NCHW", "norm_type": "bn", "mode": "train",
    "num_patches": 16, "num_queries": 4, "num_tokens": 4, "nz": 16, "style_dim": 16, "num_seg": 4, "num_segments": 4,
}  # fmt: skip
# smaller than a constructor's default, where the default belongs to a large model of texts
SMALLER = {
    "vocab_size": 64, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 48,
    "embedding_size": 32, "max_position_embeddings": 64, "d_model": 32, "num_encoder_layers": 2,
    "num_decoder_layers": 2, "encoder_layers": 2, "decoder_layers": 2,
    "encoder_attention_heads": 2, "decoder_attention_heads": 2, "encoder_ffn_dim": 48, "decoder_ffn_dim": 48,
    "num_layers": 2, "num_heads": 2, "n_layer": 2, "n_head": 2, "n_embd": 32, "d_ff": 48, "d_kv": 16,
    "num_key_value_heads": 2,
}  # fmt: skip
BACKBONES = ("ResNet18_vd", "ResNet50_vd", "MobileNetV2_x1_0", "MobileNetV2", "HRNet_W18", "STDC1")
SIDES = ("H", "W", "h", "w", "hw_shape", "input_size", "size", "x_size")
WHOLE_NUMBERS = ("ids", "src", "token", "item", "label", "index", "sparse", "target", "word", "user", "hist", "cate")


ATTEMPTS = 3
# parameters that are classes of layers, of the first attempt and the others
LAYERS = {
    "norm_layer": ("BatchNorm2D", "LayerNorm"), "norm": ("LayerNorm", "BatchNorm2D"), "act_layer": ("GELU", "ReLU"),
    "activation_layer": ("ReLU", "GELU"), "conv_layer": ("Conv2D", "Conv2D"),
}  # fmt: skip
CONFIGURATIONS = ("config", "cfg", "configs")
LISTS = ("s", "list", "nchan", "layers", "filter", "channel", "dim")


class Unguessed(Exception):
    """No value is known for a parameter."""


def constructor_arguments(
    made: Any, module: Any, attempt: int = 0, depth: int = 0, call: Mapping[str, Any] = MappingProxyType({})
) -> dict[str, Any]:
    """Arguments for a class or factory: those without defaults, and smaller sizes for models of texts.

    `attempt` 1 gives every width the same number, 2 gives lists to plural names. `call` has arguments by place or name
    that go before guesses.
    """
    found: dict[str, Any] = {}
    parameters = inspect.signature(made).parameters
    given = {name: call[str(k)] for k, name in enumerate(parameters) if str(k) in call}
    given.update({name: call[name] for name in parameters if name in call})
    texts = "hidden_size" in parameters and "vocab_size" in parameters
    for name, parameter in parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if name in given:
            found[name] = given[name]
        elif parameter.default is not parameter.empty:
            if texts and name in SMALLER:
                found[name] = SMALLER[name]
            elif name == "name" and parameter.default is None and attempt:
                found[name] = "block"
        else:
            found[name] = _value(parameter, made, module, attempt, depth)
    return found


def _value(parameter: inspect.Parameter, made: Any, module: Any, attempt: int, depth: int) -> Any:
    name = parameter.name
    known = NUMBERS.get(name, NUMBERS.get(name.lower()))
    if name in CONFIGURATIONS or "Config" in str(parameter.annotation):
        return _configuration(parameter, made, module)
    if name.lower() in LAYERS:
        import paddle

        return getattr(paddle.nn, LAYERS[name.lower()][min(attempt, 1)])
    if attempt == 2 and name.lower().endswith(LISTS):
        return [known if type(known) is int else 8] * 2
    if known is None:
        part = _part(name, module, attempt, depth)
        known = _by_spelling(name, parameter.annotation) if part is None else part
    return 16 if attempt == 1 and known in (8, 16) else known


def _by_spelling(name: str, annotation: Any) -> Any:
    """A value for a name that no table has: from its ending, its beginning or its annotation."""
    word, kind = name.lower(), str(annotation)
    if word.startswith(("use_", "with_", "is_", "if_", "has_", "need", "enable")) or kind.endswith("bool'>"):
        return True
    if word.endswith(("rate", "prob", "ratio", "dropout", "eps", "epsilon", "drop", "alpha", "gamma", "weight")):
        return 0.1
    if word.endswith(("act", "activation", "act_type", "act_name", "nonlinearity")):
        return "relu"
    if word.endswith(("type", "mode", "method", "name", "path", "config", "cfg", "dict", "fn", "func", "layer")):
        raise Unguessed(name)
    if word.endswith(("list", "shapes", "dims", "sizes", "units", "specs")) or "ist[" in kind or "uple[" in kind:
        return [8, 8]
    if word.endswith(("channel", "channels", "planes", "filters", "width", "chn", "chans", "ch", "features", "nf")):
        return 8
    if word.endswith(("dim", "size", "hidden", "embed", "feat", "units", "len", "length")):
        return 16
    if word.startswith(("num", "n_")):
        return 2
    return 4


def _configuration(parameter: inspect.Parameter, made: Any, module: Any) -> Any:
    """An object of the configuration class that stands in the file, with small sizes."""
    kinds = [each for each in vars(module).values() if isinstance(each, type) and each.__name__.endswith("Config")]
    kinds = [each for each in kinds if each.__name__ not in ("PretrainedConfig", "Config")]
    annotated = parameter.annotation
    if isinstance(annotated, type) and annotated.__name__ not in ("PretrainedConfig", "dict", "_empty"):
        kinds = [parameter.annotation]
    if not kinds:
        raise Unguessed(parameter.name)
    named = getattr(made, "__name__", "").lower()
    kind = max(kinds, key=lambda each: _alike(each.__name__.lower(), named))
    takes = inspect.signature(kind).parameters
    return kind(**{name: value for name, value in SMALLER.items() if name in takes})


def _alike(a: str, b: str) -> int:
    """How many letters two words begin with in common."""
    return next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _part(name: str, module: Any, attempt: int, depth: int) -> Any:
    """A model that another one is built on: a `backbone`, or `bert` for a BertModel of the same file."""
    if depth > 1:
        raise Unguessed(name)
    if name == "backbone":
        owner = next((getattr(module, each) for each in BACKBONES if hasattr(module, each)), None)
        owner = owner or _backbone_elsewhere(module)
        if owner is None:
            raise Unguessed(name)
    else:
        wanted = {name.replace("_", ""), name.replace("_", "") + "model"}
        owner = next((value for key, value in vars(module).items() if key.lower() in wanted and callable(value)), None)
    return None if owner is None else owner(**constructor_arguments(owner, module, attempt, depth + 1))


def _backbone_elsewhere(module: Any) -> Any:
    import sys

    top = module.__name__.partition(".")[0]
    inside = [m for key, m in list(sys.modules.items()) if key.startswith(top + ".")]
    return next((getattr(m, each) for each in BACKBONES for m in inside if callable(vars(m).get(each))), None)


def inputs(model: Any, arguments: dict[str, Any]) -> Iterator[list[Any]]:
    """Lists of arrays for the parameters of `forward` that have no default, the likeliest first."""
    required = [
        p.name for p in inspect.signature(model.forward).parameters.values()
        if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]  # fmt: skip
    variadic = [p for p in inspect.signature(model.forward).parameters.values() if p.kind is p.VAR_POSITIONAL]
    if not required and variadic:
        required = ["x"]
    if len(required) > 5:
        return
    for shape in shapes(model, arguments):
        yield [_array(name, shape, place) for place, name in enumerate(required)]
    if len(required) > 1:
        for shape in shapes(model, arguments):
            yield from _unlike(required, shape)
    first = _channels(model)
    sizes = next((v for k, v in arguments.items() if isinstance(v, (list, tuple)) and "channels" in k), None)
    sizes = sizes or ([first] * 4 if first else None)
    if len(required) == 1 and sizes:
        yield [[_floats((2, int(c), 32 >> i, 32 >> i)) for i, c in enumerate(sizes[:5])]]
        yield [[_floats((2, 16, int(c))) for c in sizes[:3]]]
    if len(required) == 1 and required[0] in ("inputs", "batch", "x", "data"):
        picture = {"image": _floats((2, 3, 64, 64)), "im_shape": np.full((2, 2), 64.0, "float32")}
        yield [{**picture, "scale_factor": np.ones((2, 2), "float32"), "im_id": np.zeros((2, 1), "int64")}]
        keys = getattr(model, "input_keys", None)
        if keys:
            yield [{str(key): _floats((6, 1)) for key in keys}]


def _unlike(required: list[str], shape: tuple[int, ...]) -> Iterator[list[Any]]:
    """Inputs of which the others aren't like the first: half or twice as large pictures, a vector for each sample."""
    first = _array(required[0], shape, 0)
    others: list[tuple[int, ...]] = [shape[:2], (shape[0], shape[-1]), (shape[0], 16), (shape[0],), (shape[0], 8)]
    if len(shape) == 4:
        half, double = max(shape[2] // 2, 1), shape[2] * 2
        others += [(*shape[:2], half, half), (*shape[:2], double, double), (shape[0], 1, *shape[2:])]
    for other in others:
        yield [first, *(_array(name, other, place) for place, name in enumerate(required[1:], 1))]


def shapes(model: Any, arguments: dict[str, Any]) -> Iterator[tuple[int, ...]]:
    """Shapes for the first input, from the first layer that has weights."""
    kind, size = _first(model)
    picture = (32, 64, 224, 16, 8)
    if kind == "conv2d":
        yield from ((2, size, s, s) for s in picture)
        yield (2, 4, size, 32, 32)
        yield (2, size, 4, 32, 32)
    elif kind == "conv3d":
        yield from ((1, size, 4, 32, 32), (1, size, 8, 56, 56), (1, size, 16, 16, 16), (1, size, 8, 112, 112))
    elif kind == "conv1d":
        yield from ((2, size, 16), (2, size, 1), (2, 16, size), (2, size, 64))
    elif kind == "linear":
        yield from (
            (2, 16, size),
            (2, size),
            (2, 4, 4, size),
            (16, 2, size),
            (2, size, 8, 8),
            (2, 64, size),
            (4, 50, size),
        )
    elif kind == "embedding":
        yield from ((2, 8), (2, 1), (2,), (2, 4, 1), (8, 2))
    elif kind == "norm":
        yield from ((2, size, 16, 16), (2, 16, size), (2, size), (2, size, 16), (2, size, 4, 8, 8))
    yield from ((2, 3, 32, 32), (2, 8, 16, 16), (2, 16, 16), (2, 16), (2, 8), (2, 1, 32, 32), (2, 3, 224, 224))
    yield from ((2, 3, 32, 100), (2, 64, 8, 8), (1, 3, 8, 56, 56), (2, 8, 3, 32, 32), (6, 2), (6, 3), (2, 80, 20), (4,))


def _first(model: Any) -> tuple[str, int]:
    for layer in model.sublayers(include_self=True):
        weight = getattr(layer, "weight", None)
        if weight is None or not hasattr(weight, "shape") or type(layer).__name__.startswith("_Fake"):
            continue
        name, shape = type(layer).__name__.lower(), [int(n) for n in weight.shape]
        if "conv" in name and len(shape) >= 3:
            turned = shape[0] if "transpose" in name else shape[1] * int(getattr(layer, "_groups", 1) or 1)
            return f"conv{len(shape) - 2}d", turned
        if "embedding" in name and len(shape) == 2:
            return "embedding", shape[0]
        if len(shape) == 2:
            return "linear", shape[0]
        if "norm" in name and len(shape) == 1:
            return "norm", shape[0]
    return "", 0


def _channels(model: Any) -> int | None:
    kind, size = _first(model)
    return size if kind.startswith("conv") else None


def _array(name: str, shape: tuple[int, ...], place: int) -> Any:
    if name in SIDES and len(shape) >= 3:  # the picture's sides, of patches in a row
        side = round(shape[1] ** 0.5) if len(shape) == 3 else shape[-1]
        return [side, side] if name in SIDES[4:] else side
    if any(part in name.lower() for part in WHOLE_NUMBERS) or len(shape) == 1:
        return np.random.RandomState(3 + place).randint(0, 2, shape if len(shape) < 4 else shape[:1]).astype("int64")
    if name in ("mask", "attn_mask", "attention_mask", "src_mask") and len(shape) == 3:
        return np.zeros((shape[0], 1, 1, shape[1]), "float32")
    return _floats(shape, place)


def _floats(shape: tuple[int, ...], place: int = 0) -> Any:
    return np.random.RandomState(7 + place).uniform(-1, 1, shape).astype("float32")
