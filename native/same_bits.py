"""`reference`: what a library computes, as a compiled function of this process. Its results have the library's bits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..base.errors import ArgumentError
from ..base.target import Target, host_target, using_target
from ..ir.walk import clone_program
from ..runtime.compiler import compile_program
from .building import captured
from .plan import fix_state
from .platforms import PLATFORMS, platform_of


def reference(model: Any, input_spec: Any, target: str = "x86_64-linux") -> Callable[..., Any]:
    """A compiled function with the bits that the library of a platform gives, to compare the two.

    It takes and returns NumPy's arrays, as `native.load`'s models do, and has state of its own. A function of
    `to_static` may differ in the last bits: its kernels are made for this very CPU, OpenBLAS computes some products,
    and weights aren't folded into the program.

    model, input_spec: as for `native.build`. Errors: ArgumentError for a platform whose code doesn't run here.
    """
    chosen = _own(target)
    program, weights, _ = captured(model, input_spec)
    made = clone_program(program)
    fix_state(made, weights)
    state = [np.array(weights[entry.name], order="C") for entry in made.state]
    with using_target(chosen):
        executable = compile_program(made)

    def run(*arrays: Any) -> Any:
        with using_target(chosen):
            results = executable.run([np.asarray(a) for a in arrays], state)
        return results[0] if len(results) == 1 else tuple(results)

    return run


def _own(name: str) -> Target:
    """A platform's kind of CPU for code of this process. Errors: ArgumentError."""
    platform, host = platform_of(name), host_target()
    here = [n for n, one in PLATFORMS.items() if not one.variants and _runs(one.target, host)]
    if name not in here:
        raise ArgumentError(f"code for {name} doesn't run here", remedy=f"use one of {', '.join(here) or 'none'}")
    return replace(platform.target, triple="")


def _runs(target: Target, host: Target) -> bool:
    return target.architecture == host.architecture and target.enabled <= host.enabled
