"""The part of the table that holds the folders which PaddlePaddle gained after release 2.0, but incubate."""

from __future__ import annotations

from .named import REST
from .named import from_module as _from

_OPTIMIZERS = ("adadelta", "adagrad", "adam", "adamax", "adamw", "lamb", "lbfgs", "momentum", "rmsprop", "sgd")

NEWER: dict[str, dict[str, str]] = {
    "amp": {"OptimizerState": "compat.older_helpers:OptimizerState"},
    "amp.grad_scaler": _from("dygraph.grad_scaler", "GradScaler AmpScaler")
    | {"OptimizerState": "compat.older_helpers:OptimizerState"},
    "metric.metrics": {REST: "metric"},
    "vision.image": _from("vision", "image_load get_image_backend set_image_backend"),
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
