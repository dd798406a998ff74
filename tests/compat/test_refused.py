"""Names that packages import for GPUs and shards: importing them works, using them says why it can't."""

import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, MissingDependencyError, ModeError
from vitrify.device.cuda import Event, Stream, current_stream, stream_guard
from vitrify.distributed.fleet.meta_parallel.sharding.group_sharded_optimizer_stage2 import GroupShardedOptimizerStage2
from vitrify.distributed.fleet.meta_parallel.sharding.group_sharded_stage2 import GroupShardedStage2
from vitrify.distributed.fleet.meta_parallel.sharding.group_sharded_stage3 import GroupShardedStage3
from vitrify.distributed.fleet.meta_parallel.sharding.group_sharded_storage import GradStorage, ParamStorage
from vitrify.distributed.fleet.meta_parallel.sharding.group_sharded_utils import Type
from vitrify.utils.cpp_extension import CppExtension, load, setup

REFUSED = [
    Event,
    Stream,
    GroupShardedOptimizerStage2,
    GroupShardedStage2,
    GroupShardedStage3,
    GradStorage,
    ParamStorage,
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


@pytest.mark.parametrize("function", [load, setup, CppExtension])
def test_operators_in_another_language(function):
    with pytest.raises(MissingDependencyError, match="PyLayer"):
        function(name="op", sources=["op.cc"])
