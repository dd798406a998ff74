"""Mistakes of newcomers, as functions that make them. `python -m tests.end_to_end.mistakes` prints what a user sees.

Those with parameters are also compiled; `given` says what each parameter gets.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import pickle
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import vitrify as vt
from vitrify import nn

F = nn.functional
MISTAKES: dict[str, Callable[..., Any]] = {}


def mistake(fn: Callable[..., Any]) -> Callable[..., Any]:
    """List a function among the mistakes, under its name with spaces."""
    MISTAKES[fn.__name__.replace("_", " ").strip()] = fn
    return fn


def given(name: str) -> Any:
    """The value of a parameter of a mistake, by the parameter's name."""
    return {
        "x": lambda: vt.ones([2, 3]),
        "y": lambda: vt.ones([2, 3]) * 2,
        "wide": lambda: vt.ones([2, 5]),
        "images": lambda: vt.ones([1, 1, 8, 8]),
        "scores": lambda: vt.ones([4, 3]),
        "floats": lambda: vt.ones([4]),
        "labels": lambda: vt.to_tensor([0, 1, 2, 7]),
        "k": lambda: vt.to_tensor(1),
        "n": lambda: vt.to_tensor(3.5),
    }[name]()


# ---- operations


@mistake
def add_of_two_shapes(x, wide):
    return x + wide


@mistake
def tensor_plus_a_string(x):
    return x + "one"


@mistake
def string_plus_a_tensor(x):
    return "one" + x


@mistake
def tensor_below_None(x):
    return x < None


@mistake
def matmul_of_two_shapes(x, y):
    return x @ y


@mistake
def concat_of_two_shapes(x, wide):
    return vt.concat([x, wide], axis=0)


@mistake
def stack_of_two_shapes(x, wide):
    return vt.stack([x, wide])


@mistake
def reshape_to_another_size(x):
    return x.reshape([4])


@mistake
def sum_along_axis_5(x):
    return x.sum(axis=5)


@mistake
def sum_with_axes(x):
    return x.sum(axes=1)


@mistake
def max_with_dim(x):
    return x.max(dim=1)


@mistake
def mean_with_keepdims(x):
    return vt.mean(x, keepdims=True)


@mistake
def sort_with_dim(x):
    return vt.sort(x, dim=1)


@mistake
def rows_of_unequal_lengths():
    return vt.to_tensor([[1, 2], [3]])


@mistake
def function_in_a_Sequential():
    return nn.Sequential(nn.Linear(4, 3), F.relu)


@mistake
def one_sequence_for_an_lstm(x):
    return nn.LSTM(3, 4)(x)


@mistake
def zeros_of_a_float_tensor(n):
    return vt.zeros([n, n])


@mistake
def index_7_of_2(x):
    return x[7]


@mistake
def add_a_string(x):
    return x + "one"


@mistake
def cast_to_flaot32(x):
    return x.astype("flaot32")


@mistake
def transpose_with_an_axis_twice(x):
    return x.transpose([0, 0])


@mistake
def condition_on_many(x):
    if x > 2:
        return x
    return -x


@mistake
def item_of_many(x):
    return x.item()


@mistake
def gather_with_float_index(x, floats):
    return vt.gather(x, floats)


@mistake
def loss_of_float_labels(scores, floats):
    return F.cross_entropy(scores, floats)


@mistake
def label_7_of_3(scores, labels):
    return F.cross_entropy(scores, labels)


@mistake
def loss_with_reduction_meen(x, y):
    return F.mse_loss(x, y, reduction="meen")


@mistake
def interpolate_bilinaer(images):
    return F.interpolate(images, size=[4, 4], mode="bilinaer")


@mistake
def pad_with_mode_reflct(images):
    return F.pad(images, [1, 1, 1, 1], mode="reflct")


@mistake
def einsum_of_wrong_ranks(x, y):
    return vt.einsum("ijk,kl->il", x, y)


# ---- names


@mistake
def name_to_tensr():
    return vt.to_tensr([1.0])


@mistake
def name_rellu(x):
    return F.rellu(x)


@mistake
def name_summ(x):
    return x.summ()


@mistake
def name_Linaer():
    return nn.Linaer(3, 4)


@mistake
def import_of_rellu():
    from vitrify.nn.functional import rellu

    return rellu


@mistake
def import_of_Resiz():
    from vitrify.vision.transforms import Resiz

    return Resiz


@mistake
def import_of_to_tensr():
    from vitrify import to_tensr

    return to_tensr


@mistake
def keyword_batchsize():
    return vt.io.DataLoader([1, 2], batchsize=2)


@mistake
def keyword_dtyp_of_a_spec():
    return vt.static.InputSpec([2], dtyp="float32")


@mistake
def keyword_epoch_of_fit():
    return vt.Model(Net()).fit([1], epoch=2)


@mistake
def keyword_optimzer_of_prepare():
    return vt.Model(Net()).prepare(optimzer=None)


@mistake
def keyword_sise_beside_a_missing_one():
    return vt.vision.transforms.Resize(sise=3)


@mistake
def keyword_patienc():
    return vt.callbacks.EarlyStopping(patienc=1)


@mistake
def keyword_topkk():
    return vt.metric.Accuracy(topkk=1)


@mistake
def keyword_lok_of_a_distribution():
    return vt.distribution.Normal(lok=0.0, scale=1.0)


@mistake
def keyword_valeu_of_an_initializer():
    return nn.initializer.Constant(valeu=1.0)


@mistake
def keyword_gama_of_a_schedule():
    return vt.optimizer.lr.ExponentialDecay(0.1, gama=0.9)


@mistake
def keyword_inputspec_of_save():
    vt.jit.save(Net(), "net.vt", inputspec=[])


@mistake
def name_optimizer_Adma():
    return vt.optimizer.Adma(0.1)


@mistake
def name_DataLoder():
    return vt.io.DataLoder([])


@mistake
def import_of_Linaer():
    from vitrify.nn import Linaer

    return Linaer


@mistake
def name_of_a_sublayer():
    net = Net()
    return net.fc2


@mistake
def name_in_jit():
    return vt.jit.to_statik


@mistake
def tensor_as_in_torch():
    return vt.tensor([1.0]).summ()


@mistake
def keyword_of_linear():
    return nn.Linear(3, 4, bias=False)


@mistake
def keyword_kernelsize_of_a_pool():
    return nn.MaxPool2D(kernelsize=2)


@mistake
def keyword_lr():
    return vt.optimizer.Adam(lr=0.1, parameters=Net().parameters())


@mistake
def keyword_full_grph():
    return vt.to_static(lambda x: x, full_grph=True)


@mistake
def keyword_dytpe():
    return vt.to_tensor([1.0], dytpe="float32")


@mistake
def name_StepLR():
    return vt.optimizer.lr.StepLR


@mistake
def device_gpuu():
    return vt.set_device("gpuu")


@mistake
def backend_cuda():
    return vt.to_static(lambda x: x, backend="cuda")


@mistake
def dtype_in_zeros():
    return vt.zeros([2], dtype="fp32x")


# ---- layers and training


class Net(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.fc1 = nn.Linear(3, 4)

    def forward(self, x):
        return self.fc1(x)


@mistake
def layer_called_with_too_many_arguments(x, y):
    return Net()(x, y)


@mistake
def shape_in_a_layer(wide):
    return Net()(wide)


@mistake
def channels_of_a_convolution(images):
    return nn.Conv2D(3, 4, 3)(images)


@mistake
def no_argument_for_a_layer():
    return Net()()


@mistake
def missing_super_init():
    class Bad(nn.Layer):
        def __init__(self):
            self.fc = nn.Linear(2, 2)

    return Bad()


@mistake
def foreign_object_in_a_layer():
    class T:
        pass

    return nn.Linear(3, 4)(T())


@mistake
def list_given_to_a_layer():
    return nn.Linear(3, 4)([[1.0, 2.0, 3.0]])


@mistake
def state_of_another_network():
    net = Net()
    state = {"fc.weight": vt.ones([3, 4]), "fc1.bias": vt.ones([5])}
    return net.set_state_dict(state, strict=True)


@mistake
def parameters_without_call():
    return vt.optimizer.Adam(0.1, parameters=Net().parameters)


@mistake
def optimizer_without_parameters():
    return vt.optimizer.SGD(0.1).step()


@mistake
def backward_twice():
    x = vt.ones([2])
    x.stop_gradient = False
    loss = (x * x).sum()
    loss.backward()
    loss.backward()


@mistake
def in_place_on_a_leaf():
    x = vt.ones([2])
    x.stop_gradient = False
    x.add_(vt.ones([2]))


@mistake
def fit_with_arrays():
    model = vt.Model(Net())
    model.prepare(vt.optimizer.Adam(parameters=model.parameters()), nn.CrossEntropyLoss())
    model.fit(np.ones((8, 3), "float32"), np.zeros(8, "int64"))


@mistake
def fit_before_prepare():
    vt.Model(Net()).fit([(np.ones(3, "float32"), np.int64(0))])


@mistake
def loader_of_unequal_sizes():
    data = [np.ones(2, "float32"), np.ones(3, "float32")]
    return list(vt.io.DataLoader(data, batch_size=2))


# ---- files


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as path:
        yield Path(path)


@mistake
def missing_data_folder():
    return vt.vision.datasets.MNIST(image_path="/nowhere/images.gz", label_path="/nowhere/labels.gz")


@mistake
def load_of_a_missing_file():
    return vt.load("/nowhere/net.pdparams")


@mistake
def load_of_a_pickle():
    with folder() as at:
        (at / "net.pdparams").write_bytes(
            pickle.dumps({"fc.weight": np.ones((2, 2), "float32"), "steps": range(3)}, protocol=2)
        )
        return vt.load(str(at / "net.pdparams"))


@mistake
def load_of_a_text():
    with folder() as at:
        (at / "net.vt").write_text("hello, this is no artifact")
        return vt.jit.load(str(at / "net.vt"))


@mistake
def saved_model_run_with_another_rank():
    with folder() as at:
        vt.jit.save(Net(), str(at / "net.vt"), input_spec=[vt.InputSpec([None, 3], "float32")])
        return vt.jit.load(str(at / "net.vt"))(vt.ones([3]))


# ---- static programs


@contextlib.contextmanager
def program() -> Iterator[tuple[Any, Any]]:
    vt.enable_static()
    try:
        main = vt.static.Program()
        with vt.static.program_guard(main):
            image = vt.static.data("image", [None, 3])
            loss = vt.mean(image, name="loss")
        yield main, loss
    finally:
        vt.disable_static()


@mistake
def feed_imgae():
    with program() as (main, loss):
        exe = vt.static.Executor()
        return exe.run(main, feed={"imgae": np.ones((2, 3), "float32")}, fetch_list=[loss])


@mistake
def feed_of_another_rank():
    with program() as (main, loss):
        exe = vt.static.Executor()
        return exe.run(main, feed={"image": np.ones(3, "float32")}, fetch_list=[loss])


@mistake
def fetch_lossy():
    with program() as (main, _):
        exe = vt.static.Executor()
        return exe.run(main, feed={"image": np.ones((2, 3), "float32")}, fetch_list=["lossy"])


# ---- compiled functions


@mistake
def loop_that_changes_a_shape():
    @vt.to_static
    def f(x, n):
        h = x
        while n > 0:
            h = vt.stack([h, h])
            n = n - 1
        return h

    return f(vt.ones([2, 3]), vt.to_tensor(2))


@mistake
def name_bound_in_one_branch():
    @vt.to_static
    def f(x):
        if x.sum() > 100:
            result = x * 2
        return result

    return f(vt.ones([2]))


@mistake
def tensor_index_into_strings():
    names = [f"name {n}" for n in range(100)]

    @vt.to_static
    def f(x, k):
        if names[k] == "name 1":
            return x
        return -x

    return f(vt.ones([2]), vt.to_tensor(1))


@mistake
def list_of_unequal_tensors():
    @vt.to_static
    def f(x, k):
        parts = [vt.ones([n + 1]) for n in range(40)]
        return x + parts[k].sum()

    return f(vt.ones([2]), vt.to_tensor(1))


@mistake
def generator_compiled():
    @vt.to_static
    def rows(x):
        yield x[0]

    return rows(vt.ones([2, 3]))


@mistake
def time_in_a_program():
    @vt.to_static
    def f(x):
        return x * time.time()

    return f(vt.ones([2]))


@mistake
def file_in_a_program():
    @vt.to_static
    def f(x):
        with open("/nowhere/log.txt", "w") as log:  # noqa: PTH123
            log.write("x")
        return x

    return f(vt.ones([2]))


@mistake
def random_in_a_program():
    @vt.to_static
    def f(x):
        return x * random.random()

    return f(vt.ones([2]))


@mistake
def numpy_random_in_a_program():
    @vt.to_static
    def f(x):
        return x + np.random.rand(2)

    return f(vt.ones([2]))


@mistake
def numpy_value_into_scipy():
    import math

    @vt.to_static
    def f(x):
        return math.erf(x.numpy()[0])

    return f(vt.ones([2]))


@mistake
def text_of_a_tensor_compared():
    @vt.to_static
    def f(x):
        if f"{x.sum()}" == "2":
            return x
        return -x

    return f(vt.ones([2]))


@mistake
def class_compiled():
    @vt.to_static
    class Other(nn.Layer):
        def forward(self, x):
            return x

    return Other()


@mistake
def source_unknown():
    space = {"vt": vt}
    exec("f = vt.to_static(lambda x: x + 1 if x.sum() > 0 else x)", space)
    return space["f"](vt.ones([2]))


@mistake
def call_with_another_rank_than_the_spec():
    f = vt.to_static(lambda x: x * 2, input_spec=[vt.InputSpec([None, 3], "float32")])
    return f(vt.ones([3]))


@mistake
def call_with_too_few_arguments():
    return vt.to_static(lambda x, y: x + y)(vt.ones([2]))


@mistake
def program_before_the_first_call():
    return vt.to_static(lambda x: x * 2).program


@mistake
def loop_limit_of_none():
    @vt.to_static
    def f(x, n):
        total = None
        for _ in range(n):
            total = x if total is None else total + x
            x = x.astype("float64")
        return total

    return f(vt.ones([2]), vt.to_tensor(3))


@mistake
def stage_after_fusoin():
    f = vt.to_static(lambda x: x * 2)
    f(vt.ones([2]))
    return f.dump("after fusoin")


# ---- what is printed


def arguments(fn: Callable[..., Any]) -> list[Any]:
    return [given(name) for name in inspect.signature(fn).parameters]


def provoke(fn: Callable[..., Any], compile: bool) -> BaseException | None:
    """The error of a mistake, its traceback beginning with the user's line; None if there is none."""
    run = vt.to_static(fn) if compile else fn
    args = arguments(fn)
    try:
        run(*args)
    except Exception as error:
        return error.with_traceback(error.__traceback__.tb_next if error.__traceback__ else None)
    return None


def shown(error: BaseException) -> list[str]:
    """The lines that Python prints for an error that nobody catches, without the marks under them."""
    printed = io.StringIO()
    with contextlib.redirect_stderr(printed):
        sys.__excepthook__(type(error), error, error.__traceback__)
    return [line for line in printed.getvalue().splitlines() if line.strip(" ^~")]


def main(wanted: str = "") -> None:
    for name, fn in MISTAKES.items():
        if wanted not in name:
            continue
        modes = [False, True] if inspect.signature(fn).parameters else [False]
        for compile in modes:
            with contextlib.redirect_stdout(io.StringIO()):
                error = provoke(fn, compile)
            lines = [] if error is None else shown(error)
            print(f"======== {name}{' (compiled)' if compile else ''}: {len(lines)} lines")
            print("\n".join(lines) or "no error")


if __name__ == "__main__":
    main(*sys.argv[1:])
