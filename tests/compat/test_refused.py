"""Names that packages import for GPUs and shards: importing them works, using them says why it can't."""

import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, MissingDependencyError, ModeError
from vitrify.base.framework import IrGraph, IrNode
from vitrify.device.cuda import Event, Stream, current_stream, stream_guard
from vitrify.distributed.fleet.base.orthogonal_strategy import OrthogonalStrategy
from vitrify.distributed.fleet.base.strategy_group import DPGroup, MPGroup, PPGroup, ShardingGroup
from vitrify.distributed.fleet.meta_optimizers import RawProgramOptimizer
from vitrify.distributed.fleet.meta_parallel.sharding.group_sharded_optimizer_stage2 import GroupShardedOptimizerStage2
from vitrify.distributed.fleet.meta_parallel.sharding.group_sharded_stage2 import GroupShardedStage2
from vitrify.distributed.fleet.meta_parallel.sharding.group_sharded_stage3 import GroupShardedStage3
from vitrify.distributed.fleet.meta_parallel.sharding.group_sharded_storage import GradStorage, ParamStorage
from vitrify.distributed.fleet.meta_parallel.sharding.group_sharded_utils import Type
from vitrify.incubate.distributed.utils.io import save_for_auto_inference
from vitrify.pir import Value
from vitrify.quantization import SUPPORT_ACT_QUANTIZERS, ImperativePTQ, ImperativeQuantAware, KLQuantizer, PTQConfig
from vitrify.static.quantization import PostTrainingQuantization, QuantizationFreezePass, quant_config
from vitrify.utils.cpp_extension import BuildExtension, CppExtension, load, load_op_meta_info_and_register_op, setup
from vitrify.utils.cpp_extension.cpp_extension import CUDA_HOME
from vitrify.utils.cpp_extension.extension_utils import _import_module_from_library, _jit_compile, find_cuda_home

REFUSED = [
    Event,
    Stream,
    GroupShardedOptimizerStage2,
    GroupShardedStage2,
    GroupShardedStage3,
    GradStorage,
    ParamStorage,
    RawProgramOptimizer,
    Value,
    OrthogonalStrategy,
    DPGroup,
    MPGroup,
    PPGroup,
    ShardingGroup,
    ImperativePTQ,
    ImperativeQuantAware,
    KLQuantizer,
    PTQConfig,
    IrGraph,
    IrNode,
    PostTrainingQuantization,
    QuantizationFreezePass,
    quant_config.BaseQuantizer,
]


@pytest.mark.parametrize("kind", REFUSED)
def test_instances_are_refused_and_annotations_arent(kind):
    assert not isinstance(vt.ones([1]), kind)
    with pytest.raises(ModeError, match=kind.__name__):
        kind(1)


@pytest.mark.parametrize("function", [current_stream, stream_guard])
def test_there_is_no_gpu_to_ask(function):
    with pytest.raises(ArgumentError, match="no GPU"):
        function()


def test_dtypes_of_parameters():
    assert Type(vt.float32) is Type.fp32
    assert Type.fp16.value == vt.float16


@pytest.mark.parametrize(
    "function",
    [load, setup, CppExtension, load_op_meta_info_and_register_op, _import_module_from_library, _jit_compile],
)
def test_operators_in_another_language(function):
    with pytest.raises(MissingDependencyError, match="PyLayer"):
        function(name="op", sources=["op.cc"])


def test_lists_of_older_quantisation():
    assert KLQuantizer in SUPPORT_ACT_QUANTIZERS
    assert not quant_config.SUPPORT_QUANTIZATION_OP_DICT


def test_a_package_derives_its_own_builder():
    class Builder(BuildExtension):
        def build_extensions(self):
            raise AssertionError

    assert issubclass(Builder.with_options(use_ninja=False), BuildExtension)
    with pytest.raises(ModeError, match="C\\+\\+"):
        Builder()
    assert CUDA_HOME is None
    assert find_cuda_home() is None


def test_shards_of_automatic_inference():
    with pytest.raises(ModeError, match="several machines"):
        save_for_auto_inference("model", vt.nn.Linear(2, 3))
