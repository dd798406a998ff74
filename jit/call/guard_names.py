"""Guards by whose they are: layers have the names by which the function reaches them, as in `net.features.0`."""

from __future__ import annotations

from collections.abc import Sequence

from ...dygraph.nn.layer import Layer
from ..trace.traced import Assumption


class InstanceNames:
    """The names of the layers that some assumptions are about."""

    def __init__(self, assumptions: Sequence[Assumption]) -> None:
        self._names: dict[int, str] = {}
        for assumed in assumptions:  # what a variable of the function holds
            if assumed.kind in ("cell", "item") and isinstance(assumed.value, Layer) and isinstance(assumed.name, str):
                if not assumed.layered:
                    self._name(assumed.value, assumed.name)
        held = [a.owner for a in assumptions if isinstance(a.owner, Layer)]
        inner = {id(part) for layer in held for part in layer.sublayers()}
        for layer in (*(layer for layer in held if id(layer) not in inner), *held):
            self._name(layer, type(layer).__name__)

    def _name(self, layer: Layer, name: str) -> None:
        if id(layer) in self._names:
            return
        for path, part in layer.named_sublayers(include_self=True):
            self._names.setdefault(id(part), f"{name}.{path}" if path else name)

    def of(self, assumed: Assumption) -> tuple[str, str]:
        """The instance that an assumption is about, and what of it; an empty name for what is no layer's."""
        owner, name = assumed.owner, str(assumed.name)
        if assumed.kind == "call":  # about an attribute of a layer, which the call is bound to
            owner, name = (getattr(owner, "args", None) or (None,))[0], name.partition(" of ")[0]
        if not isinstance(owner, Layer) or id(owner) not in self._names:
            return "", ""
        return f"{self._names[id(owner)]} ({type(owner).__name__})", name
