"""A `.json` of PaddlePaddle 3: a program of its newer intermediate representation, as a Model.

Operations and values have no names there: values are numbers, and inputs have places.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

from ...base.errors import ArtifactError
from .paddle_model import Block, Model, ModelStep, Variable, dtype_of, short_dtype

_BUILTIN = "0"  # the dialect of what only handles lists
_HOMONYMS = ("split",)  # it takes a list apart; another dialect's cuts a tensor
_MOST_DEPTH = 64  # of blocks in blocks
_FAULTS = (KeyError, IndexError, TypeError, ValueError, AttributeError)


def read_pir(where: str, data: bytes) -> Model:
    """The program of a `.json`. Errors: ArtifactError for damaged data, DTypeError for unknown element types."""
    try:
        whole = json.loads(data)
        if whole["base_code"]["magic"] != "pir":
            raise ValueError("it has no magic word `pir`")
        (region,) = whole["program"]["regions"]
        (block,) = region["blocks"]
        return _Reader(where).model(block)
    except ArtifactError:
        raise
    except (*_FAULTS, RecursionError) as error:
        raise ArtifactError(
            f"{where}: not a program of PaddlePaddle, or a damaged one ({type(error).__name__}: {error})"
        ) from error


class _Reader:
    def __init__(self, where: str) -> None:
        self.where = where
        self.feeds: list[Variable] = []
        self.fetches: dict[int, str] = {}
        self.parameters: dict[str, Variable] = {}
        self.absent: set[str] = set()

    def fail(self, what: str) -> NoReturn:
        """ArtifactError that says what is damaged."""
        raise ArtifactError(f"{self.where}: not a program of PaddlePaddle, or a damaged one ({what})")

    def model(self, block: Any) -> Model:
        """The whole program."""
        made = self.block(block, 0)
        return Model("new", self.feeds, [self.fetches[k] for k in sorted(self.fetches)], self.parameters, made)

    def block(self, block: Any, depth: int) -> Block:
        """A block and those in it."""
        if depth > _MOST_DEPTH:
            self.fail("blocks are nested too deeply")
        made = Block([self._name(a) for a in block["args"]])
        for operation in block["ops"]:
            self._operation(made, operation, depth)
        return made

    @staticmethod
    def _name(value: Any) -> str:
        number = value["#" if "#" in value and "%" not in value else "%"]
        if type(number) is not int:
            raise ValueError(f"a value called {number!r:.40}")
        return str(number) if number else ""

    def _operation(self, block: Block, operation: Any, depth: int) -> None:
        kind = operation["#"]
        if kind == "p":  # a parameter, in a form of its own
            value = operation["O"]
            flags, name = operation["OA"], operation["A"][3]
            if not flags[0]:  # what a run fills in, such as masks of dropout; no file holds it
                self.absent.add(self._name(value))
                return
            trainable = len(flags) > 2 and bool(flags[2])
            self.parameters[self._name(value)] = self._variable(str(name), value["TT"], trainable)
            return
        dialect, _, kind = str(kind).partition(".")
        kind = f"builtin.{kind}" if dialect == _BUILTIN and kind in _HOMONYMS else kind.rstrip("_")
        attributes = {str(a["N"]): _plain(a["AT"]) for a in operation.get("A", [])}
        inputs = [name if name not in self.absent else "" for name in map(self._name, operation.get("I", []))]
        outputs = [self._name(v) for v in operation.get("O", [])]
        if kind == "data":
            self.feeds.append(self._variable(str(attributes["name"]), operation["O"][0]["TT"], False))
            block.steps.append(ModelStep(kind, {}, {"": outputs}, attributes))
        elif kind == "fetch" and not depth:
            self.fetches[int(attributes["col"])] = inputs[0]
        elif kind == "yield":
            block.results = inputs
        else:
            inner = tuple(self.block(b, depth + 1) for region in operation.get("regions", []) for b in region["blocks"])
            block.steps.append(ModelStep(kind, {"": inputs}, {"": outputs}, attributes, inner))

    def _variable(self, name: str, kind: Any, trainable: bool) -> Variable:
        element, shape = kind["D"][0]["#"], tuple(int(d) for d in kind["D"][1])
        if any(d < -1 for d in shape):
            self.fail(f"{name} has the shape {list(shape)}")
        return Variable(name, shape, short_dtype(str(element).rpartition("t_")[2], name), trainable)


def _plain(value: Any) -> Any:
    """An attribute as a Python value; a dtype as a DType."""
    kind, held = str(value["#"]).rpartition(".")[2], value.get("D")
    if kind == "a_array":
        return [_plain(v) for v in held]
    if kind == "a_dtype":
        return None if str(held).startswith("Undefined") else dtype_of(str(held), "an attribute")
    if held is None and "VD" in value:  # infinities and NaN, which JSON has no numbers for
        return float(value["VD"])
    return held
