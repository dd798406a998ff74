"""Names from PaddlePaddle's own files that public repositories import. Values are PaddlePaddle 3.3.1's."""

from pathlib import Path

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.base.errors import ArgumentError, DataError, DataNotFoundError, KindError, MissingError
from vitrify.io.dataloader.collate import default_collate_fn, default_convert_fn
from vitrify.nn.initializer import MSRAInitializer, NumpyArrayInitializer, TruncatedNormalInitializer, XavierInitializer
from vitrify.nn.initializer.initializer import Initializer, calculate_gain
from vitrify.nn.initializer.lazy_init import LazyGuard
from vitrify.nn.initializer.uniform import UniformInitializer
from vitrify.static.log_helper import get_logger
from vitrify.vision.image import image_load
from vitrify.vision.transforms.functional import _is_pil_image
from vitrify.vision.transforms.transforms import _check_input, _get_image_size


def test_sizes_of_images():
    assert _get_image_size(np.zeros((4, 5, 3))) == (5, 4)
    assert _get_image_size(vt.zeros([3, 4, 5])) == (5, 4)
    assert _get_image_size(vt.zeros([2, 3, 4, 5])) == (5, 4)
    assert not _is_pil_image(np.zeros((4, 5)))
    with pytest.raises(KindError, match="not a list"):
        _get_image_size([1])


@pytest.mark.parametrize(
    ("given", "expected"), [(0.5, [0.5, 1.5]), (2, [0, 3]), ((1, 1), None), ([0.2, 0.5], [0.2, 0.5]), (0, None)]
)
def test_ranges_of_factors(given, expected):
    assert _check_input(given, "hue") == expected


@pytest.mark.parametrize(("given", "kind"), [(-1, ArgumentError), ((3, 1), ArgumentError), ("a", KindError)])
def test_no_ranges(given, kind):
    with pytest.raises(kind, match="hue"):
        _check_input(given, "hue")


def test_samples_are_joined_in_their_own_kind():
    joined = default_collate_fn(
        [{"a": np.zeros(2, "float32"), "b": (1, 2.0), "c": vt.ones([2]), "d": "x"} for _ in range(2)]
    )
    assert joined["a"].dtype == np.float32
    assert joined["a"].shape == (2, 2)
    assert [type(each) for each in joined["b"]] == [np.ndarray, np.ndarray]
    assert joined["b"][0].dtype == np.int64
    assert joined["c"].tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert joined["d"] == ["x", "x"]
    with pytest.raises(DataError, match="differ"):
        default_collate_fn([(1, 2), (1,)])


def test_a_sample_keeps_its_entries():
    x = vt.ones([1])
    converted = default_convert_fn(((1, x), "a", {"k": (b"b",)}))
    assert converted == [[1, x], "a", {"k": [b"b"]}]
    assert converted[0][1] is x


def test_initialisers_under_the_names_of_their_files():
    vt.seed(1)
    values = {
        "he": MSRAInitializer(uniform=False, fan_in=100),
        "slope": MSRAInitializer(fan_in=100, negative_slope=1.0, nonlinearity="leaky_relu"),
        "glorot": XavierInitializer(gain=2.0),
        "even": UniformInitializer(-1.0, 1.0),
        "cut": TruncatedNormalInitializer(scale=0.5),
    }
    assert all(isinstance(each, Initializer) for each in values.values())
    made = {k: vt.create_parameter([300, 400], "float32", default_initializer=v).numpy() for k, v in values.items()}
    spread = {k: float(v.std()) for k, v in made.items()}
    assert spread == pytest.approx({"he": 0.1414, "slope": 0.1, "glorot": 0.107, "even": 0.577, "cut": 0.5}, rel=0.02)
    array = np.arange(6.0, dtype="float32").reshape(2, 3)
    kept = vt.create_parameter([2, 3], "float32", default_initializer=NumpyArrayInitializer(array))
    np.testing.assert_array_equal(kept.numpy(), array)
    assert calculate_gain("tanh") == pytest.approx(5 / 3)
    with LazyGuard():
        assert nn.Linear(2, 3).weight.shape == [2, 3]


MARGINS = {"ReflectionPad2d": "reflect", "ReplicationPad2d": "replicate", "CircularPad2d": "circular"}


@pytest.mark.parametrize("name", MARGINS)
def test_margins_of_one_kind(name):
    x = vt.arange(36, dtype="float32").reshape([1, 1, 6, 6])
    for padding in (2, [1, 2, 0, 1]):
        got = getattr(nn, name)(padding)(x)
        np.testing.assert_array_equal(got.numpy(), nn.Pad2D(padding, MARGINS[name])(x).numpy())


def test_margins_of_other_ranks():
    x = vt.arange(12, dtype="float32").reshape([1, 2, 6])
    assert nn.ReflectionPad1d([1, 2])(x).numpy()[0, 0].tolist() == [1, 0, 1, 2, 3, 4, 5, 4, 3]
    assert nn.CircularPad1d(1)(x).numpy()[0, 0].tolist() == [5, 0, 1, 2, 3, 4, 5, 0]
    assert nn.ReplicationPad3d(1)(x.reshape([1, 1, 2, 2, 3])).shape == [1, 1, 4, 4, 5]


def test_convolutions_with_bias_by_name():
    x = vt.ones([2, 3, 6, 6])
    plain = nn.Conv2d(3, 4, 3, padding=1, bias=False)
    assert list(plain.state_dict()) == ["weight"]
    assert plain(x).shape == [2, 4, 6, 6]
    assert isinstance(plain, nn.Conv2D)
    assert list(nn.Conv1d(6, 4, 3, 2, 1, 1, 1, bias=True).state_dict()) == ["weight", "bias"]
    assert nn.Conv3d(1, 1, 1, dtype="float64", device="cpu").weight.dtype == vt.float64
    with pytest.raises(ArgumentError, match="bias=False"):
        nn.Conv2d(3, 4, 3, bias=False, bias_attr=nn.initializer.Constant(1.0))


def test_states_of_an_optimizer():
    assert [state.name for state in vt.amp.OptimizerState] == ["INIT", "UNSCALED", "STEPPED"]
    assert vt.amp.grad_scaler.GradScaler is vt.amp.GradScaler


def test_a_run_of_one_process_by_older_names():
    assert vt.distributed.parallel.parallel_helper._is_parallel_ctx_initialized() is False
    assert vt.distributed.parallel.ParallelEnv is vt.distributed.ParallelEnv
    assert vt.distributed.collective._c_identity(vt.ones([2])).tolist() == [1.0, 1.0]


def test_names_of_files_and_of_other_devices():
    assert vt.optimizer.adam.Adam is vt.optimizer.Adam
    assert vt.metric.metrics.Accuracy is vt.metric.Accuracy
    assert image_load is vt.vision.image_load
    assert vt.vision.DatasetFolder is vt.vision.datasets.DatasetFolder
    assert (vt.device.xpu.device_count(), vt.device.get_all_device_type()) == (0, [])
    assert (vt.version.cuda_archs(), vt.version.xpu_xre()) == ([], "False")


def test_names_of_the_core():
    assert issubclass(vt.base.core.EOFException, Exception)
    vt.seed(5)
    assert vt.base.core.default_cpu_generator().initial_seed() == 5
    assert float(vt.nn.clip._squared_l2_norm(vt.to_tensor([3.0, 4.0]))) == 25.0
    name = vt.utils.unique_name.generate_with_ignorable_key("x")
    assert name != vt.utils.unique_name.generate_with_ignorable_key("x")


def test_an_older_spelling_of_an_argument():
    @vt.framework.deprecate_stat_dict
    def load(state_dict):
        return state_dict

    with pytest.warns(DeprecationWarning, match="state_dict"):
        assert load(stat_dict=3) == 3
    assert load(4) == 4


def test_a_logger_of_its_own(capsys):
    made = get_logger("some.name", "INFO", fmt="%(levelname)s %(message)s")
    made.info("said")
    assert capsys.readouterr().err == "INFO said\n"


def test_bases_of_normalisations():
    assert isinstance(nn.InstanceNorm2D(2), nn.layer.norm._InstanceNormBase)
    assert not isinstance(nn.BatchNorm2D(2), nn.layer.norm._InstanceNormBase)


def test_inner_helper_of_a_layer():
    layer = nn.Linear(2, 3)
    assert layer._helper.get_default_dtype() == "float32"
    assert layer._helper.create_parameter(None, [4], is_bias=True).tolist() == [0.0] * 4
    assert layer._helper.name == layer.full_name()

    class Own(nn.Layer):
        def __init__(self):
            super().__init__()
            self._helper = "mine"

    assert Own()._helper == "mine"


class Scaled(nn.Layer):
    def __init__(self):
        super().__init__()
        self.weight_u, self.weight_v = vt.ones([2]), vt.ones([3])

    def forward(self, weight):
        out = self._helper.create_variable_for_type_inference(self._dtype)
        self._helper.append_op(
            type="spectral_norm",
            inputs={"Weight": weight, "U": [self.weight_u], "V": self.weight_v},
            outputs={"Out": out},
            attrs={"dim": 0, "power_iters": 0, "eps": 1e-12},
        )
        return out


@pytest.mark.parametrize("wrap", [lambda net: net, lambda net: vt.jit.to_static(net, numerics="reference")])
def test_an_operator_that_a_layer_appends_in_eager_mode(wrap):
    net, x = wrap(Scaled()), vt.to_tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]], stop_gradient=False)
    y = net(x)
    y.sum().backward()
    np.testing.assert_allclose(y.numpy(), x.numpy() / 22.0, rtol=1e-6)  # as PaddlePaddle 3.3.1: over u·W·v
    np.testing.assert_allclose(x.grad.numpy(), 0.0, atol=1e-7)  # the sum of all elements is constant


def test_an_operator_that_isnt_there():
    helper = nn.Linear(2, 3)._helper
    with pytest.raises(ArgumentError, match="no operator 'nothing'"):
        helper.append_op(type="nothing", inputs={}, outputs={"Out": helper.create_variable_for_type_inference("int64")})
    two = [helper.create_variable_for_type_inference("float32") for _ in range(2)]
    with pytest.raises(ArgumentError, match="gives 1 of the 2 results"):
        helper.append_op(type="tanh", inputs={"X": vt.ones([1])}, outputs={"Out": two})


def test_models_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = vt.hub
    (tmp_path / "hubconf.py").write_text(
        'from beside import SIZE\ndependencies = ["numpy"]\n\ndef net(k=1):\n    """A net."""\n    return SIZE * k\n'
    )
    (tmp_path / "beside.py").write_text("SIZE = 3\n")
    folder = str(tmp_path)
    assert hub.list(folder, source="local") == ["net"] and hub.help(folder, "net", "local") == "A net."
    assert hub.load(folder, "net", source="local", k=2) == 6
    monkeypatch.setattr("vitrify.compat.hub.HUB_HOME", str(tmp_path))
    (tmp_path / "me_nets_dev").mkdir()
    (tmp_path / "me_nets_dev" / "hubconf.py").write_text('dependencies = ["no_such_package"]')
    with pytest.raises(DataError, match="no_such_package"):
        hub.list("me/nets:dev")
    with pytest.raises(DataNotFoundError, match="nothing is downloaded"):
        hub.list("me/nets")
    with pytest.raises(ArgumentError, match="source is one of"):
        hub.help(folder, "net", source="elsewhere")
    with pytest.raises(ArgumentError, match="owner/name"):
        hub.list("nets")
    with pytest.raises(RuntimeError, match="offers no model 'other'") as caught:
        hub.load(folder, "other", "local")
    assert isinstance(caught.value, MissingError)
    with pytest.raises(ArgumentError, match="is a string"):
        hub.load(folder, 3, "local")


def test_slopes_of_prelu_in_any_shape() -> None:
    x = vt.to_tensor(np.linspace(-3, 3, 24, dtype="float32").reshape(2, 3, 2, 2))
    slopes = vt.to_tensor([0.5, 1.0, 2.0])
    for given, layout, mode in ((slopes.reshape([1, 3, 1, 1]), "NCHW", "channel"), (slopes, "NCHW", "channel")):
        made = vt._C_ops.prelu(x, given, layout, mode)
        assert np.array_equal(made, np.where(x.numpy() > 0, x, x.numpy() * slopes.numpy()[None, :, None, None]))
    each = vt.to_tensor(np.arange(12, dtype="float32").reshape(1, 3, 2, 2))
    assert np.array_equal(
        vt._C_ops.prelu(x, each, "NCHW", "element"), np.where(x.numpy() > 0, x, x.numpy() * each.numpy())
    )
    assert np.array_equal(vt._C_ops.prelu(x, slopes[:1], "NCHW", "all"), np.where(x.numpy() > 0, x, x.numpy() * 0.5))


def test_a_logger_writes_to_a_file(tmp_path, capsys):
    from vitrify.hapi.logger import setup_logger

    made = setup_logger(str(tmp_path / "logs"), name="of_a_test")
    made.info("first")
    assert (tmp_path / "logs" / "log.txt").read_text().endswith(" - of_a_test - INFO - first\n")
    assert capsys.readouterr().out.endswith(" - of_a_test - INFO - first\n")
    assert setup_logger(name="of_a_test") is made and len(made.handlers) == 2
    for handler in made.handlers:
        handler.close()


def test_files_that_are_given_or_absent(tmp_path):
    from vitrify.dataset.common import _check_exists_and_download

    given = tmp_path / "data"
    given.write_text("")
    assert _check_exists_and_download(str(given), "https://x/data", None, "m") == str(given)
    with pytest.raises(ValueError, match="download is False"):
        _check_exists_and_download(str(tmp_path / "other"), "https://x/data", None, "m", False)
    with pytest.raises(DataNotFoundError, match="nothing is downloaded"):
        _check_exists_and_download(None, "https://x/absent", None, "no_such_module")
