"""`distributed` and `fleet` answer as one process; what needs several is refused."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify.distributed import fleet
from vitrify.errors import DataError
from vitrify.utils import download


def test_exchanges_of_one_process() -> None:
    x = vt.to_tensor([1.0, 2.0])
    dist.all_reduce(x, op=dist.ReduceOp.MAX).wait()
    dist.broadcast(x, 0), dist.reduce(x, 0), dist.barrier()
    assert x.tolist() == [1.0, 2.0]
    gathered: list[Any] = []
    dist.all_gather(gathered, x)
    dist.alltoall(gathered, [x * 2])
    dist.gather(x, gathered)
    dist.all_gather_object(gathered, "a")
    assert [g if g == "a" else g.tolist() for g in gathered] == [[1.0, 2.0], [2.0, 4.0], [1.0, 2.0], "a"]
    dist.scatter(x, [vt.to_tensor([5.0, 6.0])])
    assert x.tolist() == [5.0, 6.0]
    dist.reduce_scatter(x, [vt.to_tensor([7.0, 8.0])])
    assert x.tolist() == [7.0, 8.0] and dist.new_group([0]).nranks == 1


@pytest.mark.parametrize(
    "wrong",
    [
        lambda x: dist.broadcast(x, 1),
        lambda x: dist.new_group([0, 1]),
        lambda x: dist.scatter(x, [x, x]),
        lambda x: dist.all_reduce(x, op="median"),
        lambda x: dist.send(x, 1),
        lambda x: dist.recv(x, 1),
        lambda x: fleet.init_server(),
    ],
)
def test_what_needs_several_processes_is_refused(wrong: Callable[[Any], Any]) -> None:
    with pytest.raises(
        (ValueError, RuntimeError), match=r"no rank 1 in a run of 1|as many tensors|no operation|servers"
    ):
        wrong(vt.ones([2]))


def test_a_program_of_fleet() -> None:
    fleet.init(is_collective=True, strategy=fleet.DistributedStrategy())
    net = fleet.distributed_model(vt.nn.Linear(2, 1))
    optimizer = fleet.distributed_optimizer(vt.optimizer.SGD(0.1, parameters=net.parameters()))
    net(vt.ones([3, 2])).sum().backward()
    before = net.weight.numpy()
    from vitrify.distributed.fleet.utils.hybrid_parallel_util import fused_allreduce_gradients

    fused_allreduce_gradients(list(net.parameters()), None)
    optimizer.step()
    np.testing.assert_allclose(net.weight.numpy(), before - 0.3, rtol=1e-6)
    assert (fleet.worker_index(), fleet.worker_num(), fleet.is_first_worker(), fleet.is_server()) == (0, 1, True, False)
    assert fleet.util.get_file_shard(["a", "b"]) == ["a", "b"] and fleet.util.all_gather(3) == [3]


def test_exchanges_of_layers_in_one_process() -> None:
    from vitrify.distributed.fleet.layers.mpu import mp_ops
    from vitrify.fluid.core import CPUPlace

    assert CPUPlace is vt.CPUPlace
    x = vt.to_tensor([[1.0, 2.0]], stop_gradient=False)
    y = mp_ops._c_split(mp_ops._c_concat(mp_ops._mp_allreduce(mp_ops._c_identity(x), use_calc_stream=True)))
    (y * 3).sum().backward()
    np.testing.assert_array_equal(y.numpy(), x.numpy())
    np.testing.assert_array_equal(x.grad.numpy(), [[3.0, 3.0]])


def test_the_sum_of_a_file(tmp_path: Path) -> None:
    from vitrify.dataset.common import md5file

    (tmp_path / "a").write_bytes(b"abc")
    assert md5file(str(tmp_path / "a")) == "900150983cd24fb0d6963f7d28e17f72"


@pytest.mark.parametrize(("files", "wanted"), [(["net/a", "net/b"], "net"), (["a"], "a"), (["a", "b"], "all")])
@pytest.mark.parametrize("kind", ["zip", "gztar"])
def test_an_archive_is_unpacked(tmp_path: Path, files: list[str], wanted: str, kind: str) -> None:
    for name in files:
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text(name)
    (tmp_path / "out").mkdir()
    made = download._decompress(shutil.make_archive(str(tmp_path / "out" / "all"), kind, tmp_path / "in"))
    assert made == str(tmp_path / "out" / wanted)
    assert sorted(p.read_text() for p in [Path(made), *Path(made).rglob("*")] if p.is_file()) == files
    with pytest.raises(DataError, match="neither"):
        download._decompress(__file__)


def test_nothing_is_downloaded(tmp_path: Path) -> None:
    url = "https://example.org/files/net.pdparams"
    with pytest.raises(FileNotFoundError, match="nothing is downloaded"):
        download.get_path_from_url(url, str(tmp_path))
    (tmp_path / "net.pdparams").write_bytes(b"abc")
    wanted = str(tmp_path / "net.pdparams")
    assert download.get_path_from_url(url, str(tmp_path), hashlib.md5(b"abc").hexdigest()) == wanted
    with pytest.raises(ValueError, match="MD5"):
        download.get_path_from_url(url, str(tmp_path), "0")
    (tmp_path / "data").mkdir()
    assert download.get_path_from_url("http://example.org/data.tar.gz", str(tmp_path)) == str(tmp_path / "data")
    assert download._get_unique_endpoints(["a:1", "a:2", "b:1"]) == {"a:1", "b:1"}


def test_a_gpu_is_not_there() -> None:
    vt.device.cuda.empty_cache()
    with pytest.raises(ValueError, match="no GPU"):
        vt.device.cuda.max_memory_allocated()


def test_helpers_of_repositories() -> None:
    from vitrify.common_ops_import import check_type, check_variable_and_dtype, convert_dtype
    from vitrify.nn.layer.transformer import _convert_attention_mask, _convert_param_attr_to_list

    assert convert_dtype("int64") is vt.int64 and callable(check_type) and callable(check_variable_and_dtype)
    assert _convert_attention_mask(vt.to_tensor([1, 0]), vt.float32).tolist() == [0.0, -1e9]
    mask = vt.to_tensor([0.5, -2.0])
    assert _convert_attention_mask(mask, vt.float32) is mask and _convert_attention_mask(None, vt.float32) is None
    assert _convert_attention_mask(mask, vt.float64).dtype is vt.float64
    attr = vt.ParamAttr(name="w")
    assert [a.name for a in _convert_param_attr_to_list(attr, 2)] == ["w", "w"]
    assert _convert_param_attr_to_list(False, 2) == [False, False] and _convert_param_attr_to_list([True], 1) == [None]
    with pytest.raises(ValueError, match="2 attrs"):
        _convert_param_attr_to_list([None], 2)
    with vt.static.amp.fp16_guard():
        assert vt.ones([1]).dtype is vt.float32


def test_further_names() -> None:
    names = ("float", "double", "half", "int", "long", "short", "cfloat", "cdouble")
    assert [getattr(vt, name).name for name in names] == [
        "float32", "float64", "float16", "int32", "int64", "int16", "complex64", "complex128",
    ]  # fmt: skip
    assert not {"float", "int"} & set(vt.__all__)
    from vitrify.vision.transforms.transforms import Compose

    assert vt.vision.Compose is Compose and callable(vt.vision.resnet18)
    assert vt.inference.Config.Precision is vt.inference.PrecisionType
