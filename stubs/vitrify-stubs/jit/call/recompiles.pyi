# Written by `make stubs`; edits here are lost.

from builtins import UserWarning as _UserWarning

class InputSpecWarning(_UserWarning):
    """A compiled function is called with a tensor that its input_spec doesn't describe: the call has a program of its
    own."""

class RecompileWarning(_UserWarning):
    """A compiled function keeps getting programs: an argument changes in a way that asks for another one each time."""
