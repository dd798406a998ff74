"""The part of the table that holds the folders which PaddlePaddle gained after release 2.0, but incubate."""

from __future__ import annotations

from .named import REST
from .named import from_module as _from
from .named import renamed as _renamed

_OPTIMIZERS = ("adadelta", "adagrad", "adam", "adamax", "adamw", "lamb", "lbfgs", "momentum", "rmsprop", "sgd")

NEWER: dict[str, dict[str, str]] = {
    "amp": {"OptimizerState": "compat.older_helpers:OptimizerState"},
    "amp.grad_scaler": _from("dygraph.grad_scaler", "GradScaler AmpScaler")
    | {"OptimizerState": "compat.older_helpers:OptimizerState"},
    "metric.metrics": {REST: "metric"},
    "vision.image": _from("vision", "image_load get_image_backend set_image_backend"),
    "base.libpaddle": {REST: "base.core"},
    "base.layer_helper_base": {"LayerHelperBase": "compat.scope_values:LayerHelperBase"},
    "base.log_helper": _from("compat.older_helpers", "get_logger"),
    "utils.flops": _from("compat.operator_flops", "flops register_flops"),
    "vision.models._utils": _from("compat.intermediate_layers", "IntermediateLayerGetter")
    | _renamed("compat.intermediate_layers", _make_divisible="divisible"),
    "profiler.profiler": {REST: "profiler"},
    "profiler.utils": _from("profiler", "RecordEvent"),
    "static.log_helper": _from("compat.older_helpers", "get_logger"),
    "device.xpu": _from("dygraph.device", "device_count synchronize"),
    **{f"optimizer.{name}": {REST: "dygraph.optimizer"} for name in _OPTIMIZERS},
    "amp.debugging": {REST: "dygraph.tensor_checks"},
    "quantization": _from(
        "compat.older_quantization",
        "AbsmaxQuantizer HistQuantizer KLQuantizer PerChannelAbsmaxQuantizer PTQConfig ImperativePTQ "
        "ImperativeQuantAware SUPPORT_ACT_QUANTIZERS SUPPORT_WT_QUANTIZERS",
    )
    | {REST: "dygraph.quantization"},
    "static.quantization": {
        REST: "compat.older_quantization",
        "quant_config": "compat.older_quantization",
        "utils": "compat.older_quantization",
    },
    "static.quantization.quant_config": {REST: "compat.older_quantization"},
    "static.quantization.utils": {REST: "compat.older_quantization"},
    "quantization.base_observer": _from("dygraph.quantization.quanters", "BaseObserver"),
    "quantization.base_quanter": _from("dygraph.quantization.quanters", "BaseQuanter"),
    "quantization.config": _from("dygraph.quantization.quantised_models", "QuantConfig SingleLayerConfig"),
    "quantization.factory": _from("dygraph.quantization.quanters", "QuanterFactory quanter")
    | {"ObserverFactory": "dygraph.quantization.quanters:QuanterFactory"},
    "quantization.observers": _from("dygraph.quantization.quanters", "AbsmaxObserver GroupWiseWeightObserver"),
    "quantization.observers.abs_max": _from("dygraph.quantization.quanters", "AbsmaxObserver AbsmaxObserverLayer"),
    "quantization.quanters": _from("dygraph.quantization.quanters", "FakeQuanterWithAbsMaxObserver"),
    "quantization.quanters.abs_max": _from(
        "dygraph.quantization.quanters", "FakeQuanterWithAbsMaxObserver FakeQuanterWithAbsMaxObserverLayer"
    ),
    "quantization.ptq": _from("dygraph.quantization", "PTQ"),
    "quantization.qat": _from("dygraph.quantization", "QAT"),
    "quantization.quantize": _from("dygraph.quantization.quantised_models", "Quantization"),
    "quantization.wrapper": _from("dygraph.quantization.quanted_layers", "ObserveWrapper"),
    "nn.quant.format": _from(
        "dygraph.quantization.quanted_layers",
        "ConvertibleQuantedLayer LinearDequanter LinearQuanter LinearQuanterDequanter",
    ),
    "nn.quant.qat": _from("dygraph.quantization.quanted_layers", "QuantedConv2D QuantedLinear"),
    "nn.quant.stub": _from("dygraph.quantization.quanted_layers", "QuanterStub") | {"Stub": "nn.quant:Stub"},
}

# names that stand in a file of a package, but not in the package
ADDED: dict[str, dict[str, str]] = {
    "tensor.linalg": _from("linalg", "matrix_norm vector_norm"),
    "nn.functional.distance": {"pdist": ":pdist"},
    "audio.functional.window": {
        f"{name}_window": f":{name}_window" for name in ("bartlett", "blackman", "hamming", "hann", "kaiser")
    },
    "nn.functional.input": {"embedding_renorm_": "dygraph.nn.stochastic:embedding_renorm_"},
    "nn.layer.layers": {"HookRemoveHelper": "dygraph.hooks:QuietHandle"},
    "nn.layer.norm": _renamed("dygraph.nn.norm", _BatchNormBase="_BatchNorm", _InstanceNormBase="_InstanceNorm"),
    "nn.layer.conv": _renamed("dygraph.nn.conv_layers", _ConvNd="_Conv"),
    "nn.layer.rnn": {"rnn": "compat.older_helpers:along_time"},
    "nn.layer.transformer": _renamed(
        "compat.older_helpers",
        _convert_attention_mask="convert_attention_mask",
        _convert_param_attr_to_list="convert_param_attr_to_list",
    ),
    "tensor.math": _renamed(
        "fluid.layers",
        _add_with_axis="elementwise_add",
        _subtract_with_axis="elementwise_sub",
        _multiply_with_axis="elementwise_mul",
        _divide_with_axis="elementwise_div",
    ),
    "framework.io_utils": _from("compat.scope_values", "get_value set_value")
    | _renamed("compat.scope_values", is_pir_fetch_var="is_fetch_variable"),
    "static.amp.fp16_utils": _renamed(
        "compat.scope_values", _keep_layer_norm_scale_bias_to_fp32="layer_norm_keeps_float32"
    ),
}
