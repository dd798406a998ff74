"""Loops over objects whose attributes are written, which a tensor ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


class Lot:
    def __init__(self, quantity: Any) -> None:
        self.quantity = quantity
        self.last = [quantity]


def fills(lots: list[Lot], need: Any) -> Any:
    for lot in lots:
        take = min(lot.quantity, need)
        lot.quantity = lot.quantity - take
        need = need - take
        if need <= 0:
            break
    return need


def finds(lots: list[Lot], need: Any) -> Any:
    for k, lot in enumerate(lots):
        lot.quantity -= need
        lot.last.append(need)
        if lot.quantity > 0:
            return k
    return -1


def of_dicts(lots: list[Lot], need: Any) -> Any:
    rows = [{"q": lot.quantity} for lot in lots]
    for row in rows:
        row["q"] = row["q"] - need
        if row["q"] > 0:
            break
    return [row["q"] for row in rows]


def in_pairs(lots: list[Lot], need: Any) -> Any:
    for (_, lot), factor in zip(enumerate(lots), (1.0, 2.0, 3.0), strict=False):
        lot.quantity = lot.quantity - need * factor
        lot.last[0] = lot.quantity
        if lot.quantity > 0:
            break
    return lots[0].quantity + lots[-1].quantity


def writes_in_place(lots: list[Lot], need: Any) -> Any:
    for lot in lots:
        lot.quantity.subtract_(need)
        if lot.quantity > 0:
            break
    return need


@pytest.mark.parametrize("fn", [fills, finds, of_dicts, in_pairs, writes_in_place])
def test_what_the_iterations_wrote_is_there(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    lots = {call: [Lot(vt.zeros([])) for _ in range(3)] for call in (fn, compiled)}

    def told(call: Callable[..., Any], need: float, quantities: list[float]) -> Any:
        for lot, quantity in zip(lots[call], quantities, strict=True):
            lot.quantity = vt.to_tensor(quantity)
            lot.last[:] = [lot.quantity]
        results = [str(call(lots[call], vt.to_tensor(need))) for _ in range(2)]
        return results, [(lot.quantity.tolist(), str(lot.last)) for lot in lots[call]]

    for need in (0.5, 2.0, 4.0, 9.0):
        for quantities in ([3.0, 1.0, 2.0], [1.0, 3.0, 8.0]):
            assert told(compiled, need, quantities) == told(fn, need, quantities)
