"""Module path -> name -> object (`"module:attribute"` from the package's root).

`REST` names a module that has all further names. A module's submodules are those whose paths stand here.
"""

from __future__ import annotations

from .device_table import COMPILED_WITH as _COMPILED_WITH
from .device_table import DEVICES
from .device_table import PLACES as _PLACES
from .distributed_table import DISTRIBUTED
from .file_table import FILES
from .incubate_table import INCUBATE
from .named import REST
from .named import from_module as _from
from .named import methods as _methods
from .named import renamed as _renamed
from .newer_table import ADDED, NEWER

_KEPT_OF_FLUID = """core framework executor backward compiler data_feeder layer_helper lod_tensor param_attr reader
unique_name wrapped_decorator"""
_UNIQUE_NAMES = _from("base.unique_name", "UniqueNameGenerator generate guard switch") | {
    "generate_with_ignorable_key": "base.unique_name:generate"
}
_PROGRAMS = _from("static", "Program program_guard default_main_program default_startup_program Variable name_scope "
                            "cpu_places cuda_places")  # fmt: skip
_MODES = {
    "in_dygraph_mode": ":in_dynamic_mode", "in_dynamic_mode": ":in_dynamic_mode",
    "in_dynamic_or_pir_mode": ":in_dynamic_mode",
    "enable_static": ":enable_static", "disable_static": ":disable_static",
}  # fmt: skip
_HUB = {"list": "compat.hub:list_", "help": "compat.hub:help_", "load": "compat.hub:load"}
_AUTO_CAST = _from("dygraph.amp", "auto_cast amp_guard decorate") | {"amp_state": "compat.modes:amp_state", REST: "amp"}
_PIR = _renamed("compat.engine", use_pir_api="use_pir_api", in_pir_mode="use_pir_api")
_FLAGS = _from("compat.engine", "set_flags get_flags") | _from("compat.release", "require_version")
_PLACE_STATE = _renamed(
    "compat.engine", _current_expected_place="expected_place", _current_expected_place_="expected_place",
    _dygraph_place_guard="place_guard",
) | {"_set_expected_place": "dygraph.device:as_place"}  # fmt: skip
_GRADS = _from("static", "append_backward gradients")
_SCOPES = _from("static", "Scope global_scope scope_guard")
_SAVING = _from("compat.background_saving", "async_save clear_async_save_task_queue")
_GUARDS = (
    _from("compat.engine", "DygraphOldIrGuard DygraphPirGuard")
    | _from("compat.engine", "test_with_pir_api test_with_dygraph_pir test_with_old_ir_only")
    | _renamed("compat.engine", _switch_to_old_ir_="switch_ir", _switch_to_pir_="switch_ir")
    | _renamed("compat.dygraph", IrGuard="static_guard", OldIrGuard="static_guard")
)
_NEST = _from("compat.nest", "map_structure flatten pack_sequence_as assert_same_structure is_sequence to_sequence")
_CPP = _renamed(
    "compat.refused",
    **dict.fromkeys(
        (
            "load", "setup", "CppExtension", "CUDAExtension", "load_op_meta_info_and_register_op", "_jit_compile",
            "_import_module_from_library", "get_build_directory", "run_cmd",
        ),
        "cpp_operator",
    ),
) | _from("compat.refused", "BuildExtension CUDA_HOME IS_WINDOWS OS_NAME find_cuda_home")  # fmt: skip

_INITIALIZER_FILES = (
    "assign", "bilinear", "constant", "dirac", "kaiming", "normal", "orthogonal", "uniform", "xavier",
)  # fmt: skip
_LONG_INITIALIZERS = _from(
    "fluid.initializer",
    "ConstantInitializer UniformInitializer NormalInitializer TruncatedNormalInitializer XavierInitializer "
    "MSRAInitializer NumpyArrayInitializer BilinearInitializer",
)

_BASE_FRAMEWORK = (
    _PROGRAMS | _MODES | _PIR | _FLAGS | _PLACE_STATE | _PLACES | _COMPILED_WITH
    | _from("compat.engine", "convert_np_dtype_to_dtype_ deprecated")
    | {
        "Variable": "static:Variable",
        "Parameter": "dygraph.tensor:Parameter", "EagerParamBase": "compat.eager_parameters:EagerParamBase",
        **_from("compat.older_quantization", "IrGraph IrNode IrOpNode IrVarNode"),
        "deprecate_stat_dict": "compat.older_helpers:deprecate_stat_dict",
        "_dygraph_tracer": "ops.dispatch:current",
        "Block": "static:Block", "Operator": "static:Operator",
        "unique_name": "base.unique_name", "core": "base.core", "_as_place": "dygraph.device:as_place",
        "_get_paddle_place": "dygraph.device:as_place", "dygraph_only": "compat.engine:test_with_pir_api",
        "dygraph_not_support": "compat.engine:test_with_pir_api",
        "switch_main_program": "static:switch_main_program",
        "grad_var_name": "compat.engine:append_grad_suffix", "is_parameter": "compat.engine:is_parameter",
        "_dygraph_guard": "compat.engine:tracer_guard", "OpProtoHolder": "compat.engine:OpProtoHolder",
        "switch_startup_program": "static:switch_startup_program",
        "convert_np_dtype_to_proto_type": "compat.engine:convert_np_dtype_to_dtype_",
        "paddle_type_to_proto_type": "compat.engine:paddle_type_to_proto_type",
        "extract_plain_list": "compat.engine:as_plain_list",
        "dtype": "base.dtype:DType",
        **_from("compat.scope_values", "GRAD_VAR_SUFFIX TEMP_VAR_NAME ZERO_VAR_SUFFIX"),
    }
)  # fmt: skip

_SOT_GUARDS = (
    "strict_mode_guard min_graph_size_guard ENV_MIN_GRAPH_SIZE with_control_flow_guard allow_dynamic_shape_guard "
    "faster_guard_guard guard_tree_guard specialized_dim_numbers_guard enable_0_size_fallback_guard"
)
_SOT_ERRORS = "InnerError FallbackError BreakGraphError ExportError"
_TREES = _from("jit.dy2static.trees", "ast_to_func index_in_list is_dygraph_api is_paddle_func")
_TRANSFORMERS = {
    "logical_transformer": _from("jit.dy2static.trees", "cmpop_node_to_str"),
    "loop_transformer": _from("jit.dy2static.trees", "NameVisitor"),
}


_NN_UTILS = ("clip_grad_norm_", "clip_grad_value_", "spectral_norm_hook", "transform_parameters", "weight_norm_hook")

# classes of nn with the spelling of PyTorch and the same arguments
_SHORT = {
    name.replace("D", "d").replace("MaxUnPool", "MaxUnpool"): name
    for kind in (*(f"{margin}Pad" for margin in ("Circular", "Constant", "Reflection", "Replication", "Zero")),
                 "AdaptiveAvgPool", "AdaptiveMaxPool", "Conv", "MaxUnPool")
    for name in (f"{kind}1D", f"{kind}2D", f"{kind}3D")
} | {"UpsamplingBilinear2d": "UpsamplingBilinear2D", "UpsamplingNearest2d": "UpsamplingNearest2D",
     "LPPool1d": "LPPool1D", "LPPool2d": "LPPool2D"}  # fmt: skip

MODULES: dict[str, dict[str, str]] = {
    "base": _PROGRAMS
    | _MODES
    | _FLAGS
    | _PLACES
    | _COMPILED_WITH
    | _GRADS
    | _SCOPES
    | _from("distributed.slot_datasets", "DatasetFactory InMemoryDataset QueueDataset")
    | {
        "Executor": "static:Executor",
        "CompiledProgram": "static:CompiledProgram",
        "data": "static:data",
        "BuildStrategy": "static:BuildStrategy",
        "ExecutionStrategy": "static:ExecutionStrategy",
        "ParamAttr": ":ParamAttr",
        "WeightNormParamAttr": "static:WeightNormParamAttr",
        "enable_dygraph": ":disable_static",
        "disable_dygraph": ":enable_static",
        **dict.fromkeys(("Tensor", "LoDTensor", "DenseTensor"), "dygraph.dense:DenseTensor"),
        **_from("compat.engine", "create_lod_tensor create_random_int_lodtensor"),
        "enable_imperative": "fluid.mode:enable_imperative",
        "disable_imperative": "fluid.mode:disable_imperative",
        "initializer": "nn.initializer",
        "layers": "fluid.layers",
        "optimizer": "fluid.optimizer",
        "regularizer": "regularizer",
        "clip": "nn",
        "DataFeeder": "compat.older_helpers:DataFeeder",
        "device_guard": "static:device_guard",
        "in_pir_mode": "compat.engine:use_pir_api",
        "set_global_initializer": "dygraph.nn.initializer:set_global_initializer",
    },
    "base.framework": _BASE_FRAMEWORK,
    "base.core": _PLACES
    | _COMPILED_WITH
    | {
        "Place": "compat.engine:AnyPlace",
        "VarDesc": "compat.engine:VarDesc",
        "SelectedRows": "dygraph.selected_rows:SelectedRows",
        "Scope": "static:Scope",
        "globals": "compat.engine:all_flags",
        "_is_bwd_prim_enabled": "compat.engine:is_prim_enabled",
        "_is_fwd_prim_enabled": "compat.engine:is_prim_enabled",
        "_is_all_prim_enabled": "compat.engine:is_prim_enabled",
        "_set_prim_all_enabled": "compat.engine:set_prim_enabled",
        "set_prim_eager_enabled": "compat.engine:set_prim_enabled",
        "_set_prim_forward_enabled": "compat.engine:set_prim_enabled",
        "_set_prim_backward_enabled": "compat.engine:set_prim_enabled",
        **_from("compat.older_helpers", "EOFException default_cpu_generator"),
        "AnalysisConfig": "inference:Config",
        "create_paddle_predictor": "inference:create_predictor",
        "PaddlePredictor": "inference:Predictor",
        "Executor": "static:Executor",
        "get_cuda_device_count": "dygraph.device:device_count",
        "ProgramDesc": "static:Program",
        **dict.fromkeys(("Tensor", "LoDTensor", "DenseTensor"), "dygraph.dense:DenseTensor"),
        "DataType": "compat.engine:VarDesc.VarType",
        "op_support_gpu": "dygraph.device:is_compiled_with_custom_device",
        "cudnn_version": "compat.older_helpers:cudnn_version",
        "is_compiled_with_mkldnn": "dygraph.device:is_compiled_with_cuda",
        "is_compiled_with_onednn": "dygraph.device:is_compiled_with_cuda",
        "is_compiled_with_brpc": "dygraph.device:is_compiled_with_cuda",
        "is_compiled_with_dist": "dygraph.device:is_compiled_with_cuda",
        "supports_bfloat16": "compat.devices:is_bf16_supported",
        "supports_int8": "dygraph.device:is_compiled_with_custom_device",
        "grad_var_suffix": "compat.engine:grad_var_suffix",
        "_set_eager_deletion_mode": "compat.engine:set_eager_deletion_mode",
        "from_dlpack": "dygraph.conversions:dense_from_dlpack",
        **_from("inference.older_tensors", "PaddleTensor PaddleBuf PaddleDType"),
        "is_bfloat16_supported": "dygraph.device:is_compiled_with_custom_device",
        "is_float16_supported": "dygraph.device:is_compiled_with_custom_device",
    },
    "base.lod_tensor": _from("compat.engine", "create_lod_tensor create_random_int_lodtensor"),
    "base.core.eager": {
        "Tensor": ":Tensor",
        "sparse_coo_tensor": "compat.kernel_functions:sparse_coo_tensor",
        "scale": "compat.kernel_functions:scaled",
    },
    "base.dygraph": {
        "guard": "compat.dygraph:guard",
        "grad": ":grad",
        "no_grad": ":no_grad",
        "Layer": ":nn.Layer",
        "to_variable": "compat.dygraph:to_variable",
        "enabled": ":in_dynamic_mode",
        "enable_dygraph": ":disable_static",
        "disable_dygraph": ":enable_static",
        "Linear": ":nn.Linear",
    },
    "base.dygraph.base": {
        "guard": "compat.dygraph:guard",
        "enabled": ":in_dynamic_mode",
        "grad": ":grad",
        "no_grad": ":no_grad",
        "no_grad_": ":no_grad",
        "to_variable": "compat.dygraph:to_variable",
        "switch_to_static_graph": "compat.dygraph:switch_to_static_graph",
        "enable_dygraph": ":disable_static",
        "disable_dygraph": ":enable_static",
        "global_var": "compat.modes:global_var",
        "in_to_static_mode": "compat.modes:in_to_static_mode",
        "in_declarative_mode": "compat.modes:in_to_static_mode",  # its name up to release 2.5
    },
    "base.dygraph_utils": {},
    "base.unique_name": _UNIQUE_NAMES,
    "base.executor": _SCOPES
    | {"Executor": "static:Executor", "_as_lodtensor": "compat.engine:as_lodtensor"}
    | _renamed("compat.scope_values", _fetch_var="fetch_var"),
    "base.backward": _GRADS
    | {
        "_strip_grad_suffix_": "compat.engine:strip_grad_suffix",
        "_append_grad_suffix_": "compat.engine:append_grad_suffix",
        "_as_list": "compat.engine:as_list",
        "gradients_with_optimizer": "static:gradients_with_optimizer",
        "calc_gradient": "static:gradients",
    },
    "base.compiler": _from("static", "CompiledProgram BuildStrategy ExecutionStrategy"),
    "base.io": _from("io", "Dataset BatchSampler") | _from("compat.generator_loader", "DataLoader"),
    "base.reader": _from("compat.generator_loader", "DataLoader DataLoaderBase keep_data_loader_order"),
    "base.param_attr": {"ParamAttr": ":ParamAttr", "WeightNormParamAttr": "static:WeightNormParamAttr"},
    "base.wrapped_decorator": _from("compat.engine", "wrap_decorator signature_safe_contextmanager"),
    "base.layer_helper": {"LayerHelper": "static.helper:LayerHelper"},
    "common_ops_import": _from("base.framework", "default_main_program default_startup_program Variable")
    | _from("compat.checks", "check_type check_dtype check_variable_and_dtype check_shape")
    | _renamed("compat.engine", convert_dtype="convert_np_dtype_to_dtype_")
    | {"LayerHelper": "static.helper:LayerHelper"},
    "base.data_feeder": _from("compat.engine", "convert_np_dtype_to_dtype_")
    | _from("compat.checks", "check_type check_dtype check_variable_and_dtype check_shape")
    | _renamed("compat.engine", convert_dtype="convert_np_dtype_to_dtype_"),
    "framework": _BASE_FRAMEWORK
    | {
        "ParamAttr": ":ParamAttr",
        "set_default_dtype": ":set_default_dtype",
        "get_default_dtype": ":get_default_dtype",
        "seed": ":seed",
        "save": ":save",
        "load": ":load",
        **_SAVING,
        "no_grad": ":no_grad",
        "grad": ":grad",
        "set_grad_enabled": ":set_grad_enabled",
        "is_grad_enabled": ":is_grad_enabled",
        "create_parameter": "compat.dygraph:create_parameter",
        "LayerHelper": "static.helper:LayerHelper",
    },
    "framework.dtype": {"dtype": "base.dtype:DType", **_from("base.limits", "finfo iinfo"), REST: "base.dtype"},
    "framework.random": {
        "seed": ":seed",
        "_manual_program_seed": "compat.dygraph:manual_program_seed",
        "get_rng_state": ":get_rng_state",
        "set_rng_state": ":set_rng_state",
        "get_cuda_rng_state": "dygraph.device:get_available_custom_device",
        REST: ":",
    },
    "framework.io": _SAVING
    | {"save": ":save", "load": ":load", "EagerParamBase": "compat.eager_parameters:EagerParamBase"},
    "pir_utils": _GUARDS,
    "pir": _PROGRAMS | {"core": "pir.core", "Value": "compat.refused:Value"},
    "pir.core": _PROGRAMS
    | {"DataType": "compat.engine:VarDesc.VarType"}
    | _renamed("compat.scope_values", create_parameter="program_parameter")
    | _renamed("compat.engine", vartype_to_datatype="SAME_DTYPES", datatype_to_vartype="SAME_DTYPES"),
    **DEVICES,
    "compat.nn": _from("compat.torch_layers", "AvgPool1D AvgPool2D AvgPool3D Linear Softmax Unfold")
    | _renamed("compat.torch_layers", AvgPool1d="AvgPool1D", AvgPool2d="AvgPool2D", AvgPool3d="AvgPool3D"),
    "compat.nn.functional": _from("compat.torch_nn_functions", "linear pad softmax unfold"),
    "utils": _from(
        "compat.nest", "map_structure flatten pack_sequence_as assert_same_structure is_sequence to_sequence"
    )
    | _from("compat.engine", "deprecated try_import run_check")
    | _from("compat.older_helpers", "convert_to_list")
    | _from("compat.release", "require_version"),
    "version": _from(
        "compat.release",
        "full_version major minor patch rc commit with_mkl with_gpu with_tensorrt cuda_version cudnn_version "
        "tensorrt_version is_tagged cuda cudnn nccl xpu tensorrt show cuda_archs xpu_xre xpu_xccl xpu_xhpc",
    ),
    "utils.download": _renamed("compat.download", _decompress="decompress", _get_unique_endpoints="unique_endpoints")
    | _from("compat.download", "is_url get_weights_path_from_url get_path_from_url WEIGHTS_HOME")
    | {"_get_unique_endpoints": "distributed.strategy:get_unique_endpoints"},
    "utils.unique_name": _UNIQUE_NAMES,
    "utils.layers_utils": _NEST,
    "utils.cpp_extension": _CPP,
    "utils.cpp_extension.cpp_extension": _CPP,
    "utils.cpp_extension.extension_utils": _CPP,
    "utils.dlpack": _from("dygraph.conversions", "to_dlpack from_dlpack"),
    "utils.gast": _from(
        "compat.syntax",
        "parse dump walk NodeVisitor NodeTransformer For While If FunctionDef Name Call Assign And Or Eq NotEq Lt LtE "
        "Gt GtE In NotIn Is IsNot",
    ),
    "autograd.backward_utils": _from("compat.values", "ValueDict ValueSet"),
    "autograd.py_layer": _from("autograd", "PyLayer PyLayerContext once_differentiable"),
    "autograd.backward_mode": {
        "backward": "autograd:backward",
        "gradients_with_optimizer": "static:gradients_with_optimizer",
    },
    "autograd.ir_backward": {"grad": "static:gradients", **_from("static", "append_backward gradients")},
    "utils.environments": _from(
        "compat.modes",
        "BooleanEnvironmentVariable IntegerEnvironmentVariable StringEnvironmentVariable EnvironmentVariableGuard",
    ),
    "jit.api": _from("compat.modes", "sot_mode_guard ENV_ENABLE_SOT")
    | _from("jit.dy2static", "ProgramTranslator StaticFunction")
    | {"InputSpec": "static:InputSpec", "save": "jit:save", "load": "jit:load"}
    | {"dygraph_to_static_func": "jit.dy2static:convert_to_static"}
    | {"set_dynamic_shape": "compat.modes:set_dynamic_shape"},
    "jit.translated_layer": _from("jit", "TranslatedLayer")
    | _renamed("static.io", INFER_MODEL_SUFFIX="MODEL_SUFFIX", INFER_PARAMS_SUFFIX="PARAMS_SUFFIX")
    | _renamed("compat.engine", INFER_PARAMS_INFO_SUFFIX="PARAMS_INFO_SUFFIX", INFER_PROPERTY_SUFFIX="PROPERTY_SUFFIX"),
    "jit.pir_translated_layer": {"PIR_INFER_MODEL_SUFFIX": "compat.engine:PROGRAM_SUFFIX"},
    "jit.dy2static.origin_info": _from("jit.dy2static.utils", "unwrap"),
    "jit.sot": {"symbolic_translate": "compat.psdb:symbolic_translate", "psdb": "compat.psdb"},
    "jit.sot.psdb": {REST: "compat.psdb"},
    "jit.sot.utils": _from("compat.modes", f"{_SOT_GUARDS} sot_mode_guard")
    | _from("compat.psdb", f"{_SOT_ERRORS} try_ast_func"),
    "jit.sot.utils.exceptions": _from("compat.psdb", _SOT_ERRORS),
    "jit.sot.utils.envs": _from("compat.modes", _SOT_GUARDS),
    "jit.sot.opcode_translator": {},
    "jit.sot.opcode_translator.executor": {},
    "jit.sot.opcode_translator.executor.executor_cache": _from("compat.modes", "OpcodeExecutorCache"),
    "jit.dy2static.logging_utils": {"translator_logger": "jit.code_logs:logger"},
    "jit.dy2static.transformers": {},
    **{
        f"jit.dy2static{inner}.{name}": found
        for inner in ("", ".transformers")
        for name, found in _TRANSFORMERS.items()
    },
    "jit.dy2static.ast_utils": _from("jit.dy2static.utils", "ast_to_source_code func_to_source_code") | _TREES,
    **{f"fluid.layers.{part}": {REST: "fluid.layers"} for part in ("nn", "ops", "tensor", "loss", "control_flow")},
    **{  # PaddlePaddle 2.6 called `fluid` `base`: these are what is left of it there
        f"fluid.{part}": {REST: f"base.{part}"} for part in _KEPT_OF_FLUID.split()
    },
    "fluid.layers.utils": _NEST,
    "fluid.dygraph.base": {REST: "base.dygraph.base"},
    "fluid.dygraph.nn": {REST: "fluid.dygraph"},
    "fluid.dygraph.layers": {"Layer": "nn:Layer", "HookRemoveHelper": "dygraph.hooks:QuietHandle"},
    "amp.auto_cast": _AUTO_CAST,
    "fluid.dygraph.amp": _AUTO_CAST | _from("dygraph.grad_scaler", "AmpScaler GradScaler"),
    "fluid.dygraph.amp.auto_cast": _AUTO_CAST,
    "fluid.dygraph.parallel": _from("distributed", "ParallelEnv DataParallel"),
    "base.variable_index": _renamed("ops.indexing", _getitem_static="getitem", _setitem_static="setitem"),
    "static.nn.common": _from("static", "ExponentialMovingAverage") | {REST: "static.nn"},
    "static.nn.control_flow": {REST: "static.nn"},
    "static.nn.sequence_lod": {"sequence_mask": "nn.functional:sequence_mask", REST: "static.nn"},
    "vision.transforms.transforms": _renamed("compat.transform_helpers", _get_image_size="image_size")
    | _renamed("vision.transforms.factors", _check_input="factor_range")
    | {REST: "vision.transforms"},
    "nn.initializer.lazy_init": {"LazyGuard": ":LazyGuard"},
    "io.dataloader.collate": _from("compat.collate", "default_collate_fn default_convert_fn"),
    "reader.decorator": {REST: "reader"},
    "static.amp.amp_nn": _from("compat.loss_scaling", "check_finite_and_unscale update_loss_scaling"),
    "static.amp": _from("static.mixed_precision", "fp16_guard AutoMixedPrecisionLists CustomOpLists decorate"),
    "static.amp.bf16": _from(
        "static.mixed_precision", "AutoMixedPrecisionListsBF16 convert_float_to_uint16 decorate_bf16"
    )
    | _renamed("static.mixed_precision", bf16_guard="fp16_guard"),
    "static.amp.fp16_lists": _from("static.mixed_precision", "AutoMixedPrecisionLists CustomOpLists"),
    "static.input": _from("static", "InputSpec data setitem"),
    "geometric": _from(
        "compat.geometric",
        "send_u_recv send_ue_recv send_uv segment_sum segment_mean segment_max segment_min reindex_graph "
        "reindex_heter_graph sample_neighbors weighted_sample_neighbors",
    ),
    "sparse": {"nn": "dygraph.sparse.sparse_nn", REST: "dygraph.sparse"},
    "sparse.nn": {"functional": "dygraph.sparse.sparse_functional", REST: "dygraph.sparse.sparse_nn"},
    "sparse.nn.functional": {REST: "dygraph.sparse.sparse_functional"},
    "autograd.autograd": _from("dygraph.derivatives", "Hessian Jacobian hessian jacobian"),
    "regularizer": _from("dygraph.optimizer.regularizer", "L1Decay L2Decay")
    | {"WeightDecayRegularizer": "dygraph.optimizer.regularizer:Decay"},
    "autograd": {},
    "metric": _from("training.metrics", "Metric Accuracy Precision Recall Auc accuracy"),
    "callbacks": {REST: "training.callbacks"},
    "dataset": {},
    "dataset.common": _from("compat.download", "DATA_HOME download md5file")
    | _renamed("compat.download", _check_exists_and_download="check_exists_and_download"),
    "dataset.mnist": _from("data.mnist_reader", "train test"),
    "reader": _from(
        "data.readers",
        "cache map_readers buffered compose chain shuffle firstn xmap_readers multiprocess_reader ComposeNotAligned",
    ),
    "hub": _HUB,
    "hapi.hub": _HUB,
    "hapi": {"Model": "training:Model", "summary": "training:summary", "flops": "training:flops"}
    | _renamed("training", dynamic_flops="flops", static_flops="flops"),
    "hapi.logger": {"setup_logger": "compat.older_helpers:setup_logger"},
    "hapi.callbacks": {REST: "training.callbacks"},
    "hapi.progressbar": {"ProgressBar": "training.progress:ProgressBar"},
    "hapi.model": {
        "Model": "training:Model",
        "prepare_distributed_context": "compat.older_helpers:prepare_distributed_context",
        "to_list": "compat.engine:as_plain_list",
    }
    | _renamed("compat.older_helpers", _all_gather="all_gather_rows"),
    "tensor": {
        "create_tensor": "compat.older_helpers:create_tensor",
        **_from("dygraph.tensor_arrays", "create_array array_write array_read array_length"),
        "tensor": "dygraph.conversions:tensor",  # the module can be called
        **_methods("exponential_ uniform_ random_ resize_ set_ repeat split_with_sizes"),
        **_from("signal", "stft istft"),
        REST: ":",
    },
    "tensor.random": _methods("exponential_ uniform_ random_")
    | _from("compat.older_helpers", "uniform_random_batch_size_like")
    | {REST: ":"},
    "tensor.creation": _methods("resize_ set_ split_with_sizes")
    | {
        "create_global_var": "static:create_global_var",
        "create_tensor": "compat.older_helpers:create_tensor",
        REST: ":",
    },
    "tensor.manipulation": {
        "tensor_array_to_tensor": "dygraph.tensor_arrays:tensor_array_to_tensor",
        **_methods("fill_ zero_ repeat"),
        REST: ":",
    },
    "tensor.array": _from("dygraph.tensor_arrays", "create_array array_write array_read array_length"),
    "nn": _from("static.nn.decoding", "BeamSearchDecoder dynamic_decode")
    | _renamed("nn", Module="Layer", ModuleList="LayerList", ModuleDict="LayerDict", HuberLoss="SmoothL1Loss", **_SHORT)
    | {"Parameter": "dygraph.tensor:Parameter"},
    "nn.init": {REST: "compat.init"},
    "nn.initializer": _LONG_INITIALIZERS,
    "nn.initializer.initializer": _from("dygraph.nn.initializer", "Initializer calculate_gain"),
    **{f"nn.initializer.{name}": {REST: "nn.initializer"} for name in _INITIALIZER_FILES},
    "nn.parameter": _from("dygraph.tensor", "Parameter") | _from("compat.eager_parameters", "EagerParamBase"),
    "nn.clip": {
        "clip_by_norm": "dygraph.optimizer.clip:clip_by_norm",
        "ClipGradBase": "dygraph.optimizer.clip:ClipGradBase",
        "_squared_l2_norm": "compat.kernel_functions:squared_l2_norm",
        "_allow_pure_fp16_global_norm_clip": "compat.engine:allow_short_global_norm",
        **_renamed("nn", **{f"GradientClipBy{name}": f"ClipGradBy{name}" for name in ("GlobalNorm", "Norm", "Value")}),
        REST: "nn",
    },
    "nn.utils": {},
    **{f"nn.utils.{name}": {REST: "dygraph.nn.parameter_utils"} for name in _NN_UTILS},
    "nn.functional": {"logsigmoid": "nn.functional:log_sigmoid"},
    "distribution": {},
    "distribution.kl": _from("dygraph.distribution", "kl_divergence register_kl")
    | {"_kl_expfamily_expfamily": "dygraph.distribution.base:of_exponential_families"},
    **{
        f"distribution.{name}": {REST: f"dygraph.distribution.{ours}"}
        for name, ours in (("constraint", "constraint"), ("transform", "transform"), ("variable", "domain"))
    },
}
_DISTRIBUTIONS = (
    "bernoulli beta binomial categorical cauchy chi2 continuous_bernoulli dirichlet distribution exponential "
    "exponential_family gamma geometric gumbel independent laplace lkj_cholesky lognormal multinomial "
    "multivariate_normal normal poisson student_t transformed_distribution uniform"
)
_PARTS = {  # folder: (where its names are, its files)
    "tensor": ("", "attribute creation einsum linalg logic manipulation math ops random search stat to_string"),
    "distribution": ("distribution", _DISTRIBUTIONS),
    "nn.layer": ("nn", "activation common container conv distance layers loss norm pooling rnn transformer vision"),
    "nn.functional": ("nn.functional", "activation common conv distance extension input loss norm pooling vision"),
}
for _folder, (_target, _files) in _PARTS.items():
    for _file in _files.split():
        MODULES[f"{_folder}.{_file}"] = {REST: _target} | MODULES.get(f"{_folder}.{_file}", {})
_OLDER_RATES = _from("compat.older_rates", "noam_decay polynomial_decay piecewise_decay linear_lr_warmup")
MODULES |= {
    "io.dataloader": {REST: "io"},
    "io.reader": {"DataLoader": "compat.generator_loader:DataLoader", REST: "io"},
    "_C_ops": {REST: "compat.kernels:C_OPS"},
    "_legacy_C_ops": {REST: "compat.kernels:LEGACY_C_OPS"},
    "nn.decode": _from("static.nn.decoding", "BeamSearchDecoder dynamic_decode")
    | _renamed("static.nn.decoding", Decoder="StepDecoder"),
    "nn.layer": {REST: "nn"},
    "nn.loss": {REST: "nn"},
    "optimizer": {},
    "optimizer.lr": _OLDER_RATES | {REST: "dygraph.optimizer.lr"},
    "dygraph.optimizer.lr": _OLDER_RATES,  # whose module is `optimizer.lr`
    "optimizer.optimizer": {REST: "dygraph.optimizer"},
}
MODULES |= INCUBATE | NEWER | DISTRIBUTED
MODULES = FILES | MODULES
for _path, _names in ADDED.items():
    MODULES[_path] |= _names
