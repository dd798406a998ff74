"""What a user sees of a mistake: what the message says, what it doesn't, and how long the traceback is."""

from __future__ import annotations

import inspect
import os
import pickle
import re

import pytest

import vitrify as vt
from vitrify import nn
from vitrify.base.suggest import nearest

from .mistakes import MISTAKES, provoke, shown

# internal names and private places; a chain of errors that were handled inside the package
NEVER = re.compile(r"\w_public\b|\bEither\b|vitrify\.base|During handling|direct cause|KeyError|_storage|payload|<op ")
SAYS = {
    "add of two shapes": "shapes [2, 3] and [2, 5] don't broadcast",
    "matmul of two shapes": "3 columns against 2 rows",
    "reshape to another size": "can't reshape [2, 3] (6 elements) to [4]",
    "sum along axis 5": "use a value from -2 to 1",
    "sum with axes": "did you mean 'axis'?",
    "max with dim": "did you mean 'axis'?",
    "mean with keepdims": "did you mean 'keepdim'?",
    "sort with dim": "did you mean 'axis'?",
    "gather with float index": 'convert with astype("int64")',
    "condition on many": "reduce it with any()",
    "loss of float labels": "needs integer labels, not float32",
    "name to tensr": "did you mean 'to_tensor'?",
    "name rellu": "did you mean 'relu'?",
    "name summ": "Did you mean: 'sum'?",  # Python's own words: tensors have no hook for names that they haven't
    "name Linaer": "did you mean 'Linear'?",
    "name optimizer Adma": "did you mean 'Adam'?",
    "name DataLoder": "did you mean 'DataLoader'?",
    "name in jit": "did you mean 'to_static'?",
    "keyword of linear": "did you mean 'bias_attr'?",
    "keyword kernelsize of a pool": "did you mean 'kernel_size'?",
    "keyword dytpe": "did you mean 'dtype'?",
    "name StepLR": "module 'vitrify.optimizer.lr' has no attribute 'StepLR'\n  help: did you mean 'StepDecay'?",
    "keyword lr": "did you mean 'learning_rate'?",
    "shape in a layer": "the last size of x must be 3",
    "channels of a convolution": "the images need 3 channels",
    "foreign object in a layer": "x must be a tensor, not a T",
    "list given to a layer": "x must be a tensor, not a list",
    "missing super init": "call super().__init__() first",
    "in place on a leaf": "write under vt.no_grad()",
    "concat of two shapes": "all sizes but that of axis 0 must be equal",
    "stack of two shapes": "shapes [2, 3] and [2, 5] differ",
    "rows of unequal lengths": "row 0 has 2 elements, row 1 has 1",
    "function in a Sequential": ("not the function relu", "such as nn.ReLU() for F.relu"),
    "one sequence for an lstm": "unsqueeze(0) makes a batch of one sequence",
    "zeros of a float tensor": "a size must be an int",
    "index 7 of 2": "use -2 to 1",
    "cast to flaot32": "did you mean 'float32'?",
    "transpose with an axis twice": "such as [1, 0]",
    "label 7 of 3": (
        "cross_entropy: a label names no class: index 7 is outside an axis of 3 elements",
        "use labels from 0 to 2",
    ),
    "tensor plus a string": "`+` of a tensor can't take the str 'one'",
    "string plus a tensor": "`+` of a tensor can't take the str 'one'",
    "tensor below None": "`<` of a tensor can't take None\n  -->",
    "name of a sublayer": "'Net' layer has no attribute 'fc2'\n  help: did you mean 'fc1'?",
    "no argument for a layer": "Net(): missing a required argument: 'x': Net(x)",
    "layer called with too many arguments": "Net(): too many positional arguments: Net(x)",
    "import of Linaer": "cannot import name 'Linaer' from 'vitrify.nn'",
    "import of rellu": "did you mean 'relu'?",
    "import of Resiz": "did you mean 'Resize'?",
    "import of to tensr": "did you mean 'to_tensor'?",
    "keyword batchsize": "DataLoader() has no argument 'batchsize': DataLoader(dataset, ",
    "keyword dtyp of a spec": "did you mean 'dtype'?",
    "keyword epoch of fit": "Model.fit() has no argument 'epoch': Model.fit(train_data=None, ",
    "keyword optimzer of prepare": "did you mean 'optimizer'?",
    "keyword sise beside a missing one": "did you mean 'size'?",
    "keyword patienc": "did you mean 'patience'?",
    "keyword topkk": "did you mean 'topk'?",
    "keyword lok of a distribution": "did you mean 'loc'?",
    "keyword valeu of an initializer": "did you mean 'value'?",
    "keyword gama of a schedule": "did you mean 'gamma'?",
    "keyword inputspec of save": "did you mean 'input_spec'?",
    "loss with reduction meen": "did you mean 'mean'? The choices are 'mean', 'sum', 'none'",
    "interpolate bilinaer": "did you mean 'bilinear'?",
    "pad with mode reflct": "did you mean 'reflect'?",
    "einsum of wrong ranks": "write one label per axis",
    "keyword full grph": "did you mean 'full_graph'?",
    "state of another network": "did you mean 'fc1.weight'?",
    "parameters without call": "call it: parameters=model.parameters()",
    "backward twice": "backward() was called twice through sum",
    "fit with arrays": "vt.io.TensorDataset([inputs, labels])",
    "loader of unequal sizes": "pass a collate_fn that pads",
    "missing data folder": "the folder /nowhere doesn't exist",
    "load of a missing file": "the folder /nowhere doesn't exist",
    "load of a pickle": "write the arrays alone",
    "saved model run with another rank": "give a tensor of 2 axes, not 1",
    "feed imgae": "'imgae' is no feed of the program, did you mean 'image'?",
    "feed of another rank": "-1 stands for any size",
    "fetch lossy": "use one of 'image'",
    "name bound in one branch": "assign it on every path",
    "tensor index into strings": "this one holds str",
    "list of unequal tensors": "this one holds float32[1] and float32[2]",
    "text of a tensor compared": "compare the tensor itself with a number",
    "class compiled": "decorate its `forward`",
    "source unknown": "put the function in a file and import it",
    "loop that changes a shape": "`h` has shape [2, 3] before the loop but [2, 2, 3] after one iteration",
    "stage after fusoin": "did you mean 'after fuse'?",
    "random in a program": "pass the numbers as an argument",
}
CASES = [(name, says, mode) for name, says in SAYS.items() for mode in ("eager", "compiled")]
CASES = [c for c in CASES if c[2] == "eager" or inspect.signature(MISTAKES[c[0]]).parameters]
FRAMES_OF_OURS = 2  # in a traceback
LINES_OF_MESSAGE = 5  # what happened, where (and from where), what to do, which function was compiled


@pytest.mark.parametrize(("name", "says", "mode"), CASES, ids=[f"{c[0]}-{c[2]}" for c in CASES])
def test_a_mistake_is_told_in_plain_terms(name: str, says: str | tuple[str, ...], mode: str) -> None:
    error = provoke(MISTAKES[name], mode == "compiled")
    assert error is not None
    lines = shown(error)
    text = "\n".join(lines)
    for part in (says,) if isinstance(says, str) else says:
        assert part in text
    assert "mistakes.py" in text  # the user's line
    assert NEVER.search(text) is None
    users = sum("mistakes.py" in line and line.startswith("  File") for line in lines)
    assert len(lines) <= 1 + 2 * users + 2 * FRAMES_OF_OURS + LINES_OF_MESSAGE


def test_whole_tracebacks_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    short = provoke(MISTAKES["add of two shapes"], False)
    monkeypatch.setenv("VITRIFY_FULL_TRACEBACK", "1")
    whole = provoke(MISTAKES["add of two shapes"], False)
    assert short is not None
    assert whole is not None
    assert len(shown(whole)) > len(shown(short))


def test_the_second_mistake_looks_like_the_first() -> None:
    """Known calls take a shorter way; their errors must not bring NumPy's along."""
    x, wide = vt.ones([2, 3]), vt.ones([2, 5])
    for fn in (lambda: x + x, lambda: x @ x.T, lambda: vt.concat([x, x])):
        fn()
    for name in ("add of two shapes", "matmul of two shapes", "concat of two shapes"):
        first, second = provoke(MISTAKES[name], False), provoke(MISTAKES[name], False)
        assert first is not None
        assert second is not None
        assert shown(first) == shown(second)
    with pytest.raises(ValueError, match="don't broadcast") as caught:
        x + wide
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_faults_of_the_users_own_code_stay_whole() -> None:
    class Net(nn.Layer):
        def forward(self, x):
            return len(x.shape, 1)

    with pytest.raises(TypeError, match="exactly one argument") as caught:
        Net()(vt.ones([2]))
    assert type(caught.value) is TypeError
    with pytest.raises(vt.errors.KindError, match="missing a required argument: 'x'"):
        Net()()


def test_a_users_error_beside_ours_stays_in_the_chain() -> None:
    with pytest.raises(vt.errors.ShapeError) as caught:
        try:
            {}["a"]
        except KeyError:
            vt.ones([2, 3]) + vt.ones([2, 5])
    assert any("KeyError: 'a'" in line for line in shown(caught.value))


def test_asking_for_a_name_and_copying_work() -> None:
    assert not hasattr(vt, "to_tensr")
    assert not hasattr(nn, "Linaer")
    assert not hasattr(vt.io, "__wrapped__")
    assert getattr(vt.io, "DataLoder", None) is None
    with pytest.raises(AttributeError) as caught:
        vt.to_tensr
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert isinstance(again, vt.errors.MissingError)
    assert list(inspect.signature(nn.Linear).parameters)[:2] == ["in_features", "out_features"]
    assert next(iter(inspect.signature(vt.sum).parameters)) == "x"
    assert vt.sum.__name__ == vt.Tensor.sum.__name__ == "sum"


def test_errors_have_their_public_place() -> None:
    for kind in vars(vt.errors).values():
        if isinstance(kind, type) and issubclass(kind, vt.errors.VitrifyError):
            assert kind.__module__ == "vitrify.errors"


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("rellu", ["relu", "gelu"], "relu"),
        ("linear", ["Linear"], "Linear"),
        ("dim", ["x", "axis", "keepdim"], "axis"),
        ("dim", ["dim0", "x"], "dim0"),
        ("cat", ["cast", "concat"], "concat"),
        ("Module", ["ModuleDict", "Layer"], "Layer"),
        ("Adma", ["Adamax", "Adam", "AdamW"], "Adam"),
        ("imgae", ["image", "imago"], "image"),
        ("sum", ["relu"], None),
        (3, ["relu"], None),
    ],
)
def test_the_nearest_name(name: object, known: list[str], meant: str | None) -> None:
    assert nearest(name, known) == meant


def test_no_setting_is_left_behind() -> None:
    assert os.environ.get("VITRIFY_FULL_TRACEBACK") in (None, "", "0")
