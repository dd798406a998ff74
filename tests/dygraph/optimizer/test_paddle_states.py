"""States of optimisers that PaddlePaddle 3.3.1 has saved: training goes on as it does there.

`paddle_states.json` holds, for each optimiser, its state and its parameter after three steps (rate 0.05, batch_num 2)
with the gradients of `GRADIENTS`, and the parameter after three more.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import StateError

SAVED = json.loads((Path(__file__).parent / "paddle_states.json").read_text())
GRADIENTS = [np.array([[0.5 * k - 1, 0.3], [-0.2 * k, 0.1 + k]], "float32") for k in range(6)]


def made(name: str) -> tuple[Any, Any, dict[str, Any]]:
    """A parameter as it was, a new optimiser for it, and the saved state."""
    known = SAVED[name]
    value = vt.nn.initializer.Assign(np.array(known["at"], "float32"))
    w = vt.create_parameter([2, 2], "float32", name=f"w_{name}", default_initializer=value)
    more = {"batch_num": 2} if name == "ASGD" else {}
    optimizer = getattr(vt.optimizer, name)(learning_rate=0.05, parameters=[w], **more)
    state = {k: vt.to_tensor(np.array(v["value"], v["dtype"])) for k, v in known["state"].items()}
    return w, optimizer, state


@pytest.mark.parametrize("is_compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("name", SAVED)
def test_training_goes_on(name: str, is_compiled: bool) -> None:
    w, optimizer, state = made(name)
    optimizer.set_state_dict(state)

    def step(grad: Any) -> None:
        (w * grad).sum().backward()
        optimizer.step()
        optimizer.clear_grad()

    fn = vt.to_static(step) if is_compiled else step
    for grad in GRADIENTS[3:]:
        fn(vt.to_tensor(grad))
    assert np.allclose(w.numpy(), SAVED[name]["later"], rtol=1e-5, atol=1e-5)  # there in float32 alone


def test_what_is_no_state_of_it_is_refused_and_changes_nothing() -> None:
    w, optimizer, state = made("Adam")
    before = {k: v.numpy().tolist() for k, v in optimizer.state_dict().items() if hasattr(v, "numpy")}
    uneven = {k: v if "beta1" not in k else vt.to_tensor([0.5, 0.7]) for k, v in state.items()}
    for wrong, words in ((uneven, "the optimiser needs"), (state | {"w_Adam_other_0": w}, "belongs to no parameter")):
        with pytest.raises(StateError, match=words):
            optimizer.set_state_dict(wrong)
    assert {k: v.numpy().tolist() for k, v in optimizer.state_dict().items() if hasattr(v, "numpy")} == before
