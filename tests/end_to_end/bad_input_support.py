"""What the tests of bad input share: a small world of state, compared before and after, and looks at messages."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn

INTERNAL = re.compile(r"Value\(|Operation\(|_storage|payload|\bgroup\b|select_update|take_along_axis|return_value")


def arange(*shape: int, dtype: str = "float32") -> vt.Tensor:
    return vt.to_tensor(np.arange(int(np.prod(shape))).reshape(shape).astype(dtype))


class World:
    """A network with parameters, buffers and dropout, its optimiser, and everything that a failed call must leave."""

    def __init__(self) -> None:
        vt.seed(3)
        self.net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1D(4), nn.Dropout(0.5), nn.Linear(4, 2))
        self.opt = vt.optimizer.Adam(1e-2, parameters=self.net.parameters())

    def step(self, loss: Any) -> Any:
        loss.backward()
        self.opt.step()
        self.opt.clear_grad()
        return loss

    def tensors(self) -> Iterator[tuple[str, Any]]:
        yield from self.net.named_parameters()
        yield from self.net.named_buffers()

    def snapshot(self) -> dict[str, Any]:
        """Everything, read past the properties: these note that somebody looked at a gradient."""
        found: dict[str, Any] = {"rng": vt.get_rng_state()[0].numpy().tolist()}
        for name, x in self.tensors():
            grad = x._grad
            found[name] = (
                x._storage.payload.tobytes(), x._storage.version, x.stop_gradient, id(x._storage), x.is_leaf,
                None if grad is None else (grad._storage.payload.tobytes(), id(grad)), x._grad_is_zero,
            )  # fmt: skip
        for name, x in self.opt.state_dict().items():
            found[f"opt.{name}"] = x.numpy().tobytes() if isinstance(x, vt.Tensor) else repr(x)
        found["attributes"] = {k: v for k, v in vars(self.opt).items() if isinstance(v, (int, float, str))}
        return found

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        before = self.snapshot()
        yield
        after = self.snapshot()
        changed = sorted(k for k in before.keys() | after.keys() if before.get(k) != after.get(k))
        assert changed == [], changed


def shown(error: BaseException) -> str:
    """The last lines that a user sees: the message and the notes."""
    return "\n".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ())])


def fails(call: Callable[[], Any], kind: type[BaseException], text: str, line: str = "") -> BaseException:
    """`call` raises this, and says this; the message shows the user's line. Returns the error."""
    with pytest.raises(kind) as caught:
        call()
    message = shown(caught.value)
    assert text in message, message
    assert line in message, message
    words = "\n".join(text for text in message.splitlines() if not text.startswith(("  -->", "      ")))
    assert not INTERNAL.search(words), message
    if isinstance(caught.value, vt.errors.VitrifyError):
        assert "  --> test_bad_" in message, message
    return caught.value


def user_lines(error: BaseException) -> list[str]:
    """The lines of these tests that the traceback shows, outermost first."""
    frames = traceback.extract_tb(error.__traceback__)
    return [frame.line or "" for frame in frames if "test_bad_" in frame.filename]
