"""Runners and names of the eighteenth set: those of the seventeenth, and loops."""

from .seventeenth_frame import LIBRARIES, RNG, TORCH, Names, f32  # noqa: F401

PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def times(library, lib, count, step, state):
    """`count` steps: a loop of jax's, Python's elsewhere. `step(k, *state)`."""
    if library == "jax":
        return lib.lax.fori_loop(0, count, lambda k, s: step(k, *s), state)
    for k in range(count):
        state = step(k, *state)
    return state


def put(library, x, at, values):
    """x[at] = values."""
    if library == "jax":
        return x.at[at].set(values)
    x[at] = values
    return x
