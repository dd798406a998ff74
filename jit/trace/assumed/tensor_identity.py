"""Whether it matters which tensors are one: the same program needn't do for a tensor with two names and for two."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ....dygraph.storage import held
from ....dygraph.tensor import Tensor


@dataclass(slots=True)
class AskedIdentity:
    """What a trace is asked of the identity of tensors: by `is`, by `id()`, and where they are hashed."""

    is_asked: bool = False
    outside: dict[int, Tensor] = field(default_factory=dict)  # those that aren't arguments, by identity
    numbered: set[int] = field(default_factory=set)  # identities of tensors whose `id()` code takes

    def ask(self, *tensors: Tensor) -> None:
        """Code asks whether these are one tensor. Arguments that are one of them in another call get another answer."""
        self.is_asked = True
        self.outside |= {id(x): x for x in tensors if isinstance(held(x), np.ndarray)}

    def number(self, x: Tensor) -> None:
        """Code takes the `id()` of a tensor."""
        self.ask(x)
        self.numbered.add(id(x))


@dataclass(frozen=True, slots=True)
class TensorIdentity:
    """What a program takes for granted of the identity of tensors.

    matters: it is for calls in which the same arguments are one tensor, or one that the function finds elsewhere: it
    computes gradients of them, or code asks. outside: tensors that code asks for. numbered: arguments whose `id()` it
    takes, so that each is the very tensor of the first call.
    """

    matters: bool = False
    outside: tuple[Tensor, ...] = ()
    numbered: frozenset[int] = frozenset()
