"""Parameters in printed and raised texts have the heading of eager mode."""

import pytest

import vitrify as vt
from vitrify import nn


def shown(mode, capsys):
    layer = nn.Linear(2, 2)
    with vt.no_grad():
        layer.weight.set_value([[1.0, 0.0], [0.0, 1.0]])

    @mode
    def turn(x):
        print(layer.weight)
        print(f"{layer.bias} and {layer.bias!r}", [layer.bias], {"b": layer.bias})
        if x > 1:
            raise ValueError(f"bad {layer.bias}", layer.bias)
        return x

    texts = []
    for x in (0.0, 1.0, 2.0):
        if x > 1:
            with pytest.raises(ValueError) as found:
                turn(vt.to_tensor(x))
            texts.append(repr(found.value))
        else:
            turn(vt.to_tensor(x))
        texts.append(capsys.readouterr().out)
    return texts


def test_parameters_are_shown_as_such(capsys):
    assert shown(vt.to_static, capsys) == shown(lambda fn: fn, capsys)
