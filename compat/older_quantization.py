"""Names of PaddlePaddle's older quantisation, which `quantization.QuantConfig` with PTQ or QAT replaces: not usable."""

from __future__ import annotations

from .refused import Refused

_LAYERS = "quantization.PTQ and quantization.QAT, with a QuantConfig, quantise layers."
_PROGRAMS = "static programs aren't quantised; quantization.PTQ and quantization.QAT quantise layers."


def _refused(name: str, reason: str = _PROGRAMS) -> Refused:
    return Refused(name, (), {"__doc__": reason, "__module__": __name__})


AbsmaxQuantizer = _refused("AbsmaxQuantizer", _LAYERS)
HistQuantizer = _refused("HistQuantizer", _LAYERS)
KLQuantizer = _refused("KLQuantizer", _LAYERS)
PerChannelAbsmaxQuantizer = _refused("PerChannelAbsmaxQuantizer", _LAYERS)
PTQConfig = _refused("PTQConfig", _LAYERS)
ImperativePTQ = _refused("ImperativePTQ", _LAYERS)
ImperativeQuantAware = _refused("ImperativeQuantAware", _LAYERS)
SUPPORT_ACT_QUANTIZERS = [AbsmaxQuantizer, HistQuantizer, KLQuantizer]
SUPPORT_WT_QUANTIZERS = [AbsmaxQuantizer, PerChannelAbsmaxQuantizer]

AddQuantDequantForInferencePass = _refused("AddQuantDequantForInferencePass")
AddQuantDequantPass = _refused("AddQuantDequantPass")
AddQuantDequantPassV2 = _refused("AddQuantDequantPassV2")
ConvertToInt8Pass = _refused("ConvertToInt8Pass")
OutScaleForInferencePass = _refused("OutScaleForInferencePass")
OutScaleForTrainingPass = _refused("OutScaleForTrainingPass")
PostTrainingQuantization = _refused("PostTrainingQuantization")
PostTrainingQuantizationProgram = _refused("PostTrainingQuantizationProgram")
Quant2Int8MkldnnPass = _refused("Quant2Int8MkldnnPass")
QuantWeightPass = _refused("QuantWeightPass")
QuantizationFreezePass = _refused("QuantizationFreezePass")
QuantizationTransformPass = _refused("QuantizationTransformPass")
QuantizationTransformPassV2 = _refused("QuantizationTransformPassV2")
WeightQuantization = _refused("WeightQuantization")
ARMCPUQuantizer = _refused("ARMCPUQuantizer")
BaseQuantizer = _refused("BaseQuantizer")
MKLDNNQuantizer = _refused("MKLDNNQuantizer")
TensorRTQuantizer = _refused("TensorRTQuantizer")
_GRAPHS = "passes rewrite the programs of `to_static`; there is no graph to edit by hand."
IrGraph = _refused("IrGraph", _GRAPHS)
IrNode = _refused("IrNode", _GRAPHS)
IrOpNode = _refused("IrOpNode", _GRAPHS)
IrVarNode = _refused("IrVarNode", _GRAPHS)
load_variable_data = _refused("load_variable_data")
quant_tensor = _refused("quant_tensor")

# Operators that a pass would look at: none, as there are no passes.
SUPPORT_WEIGHT_QUANTIZATION_OP_DICT: dict[str, list[list[str]]] = {}
SUPPORT_ACT_QUANTIZATION_OP_DICT: dict[str, list[list[str]]] = {}
SUPPORT_QUANTIZATION_OP_DICT: dict[str, list[list[str]]] = {}
