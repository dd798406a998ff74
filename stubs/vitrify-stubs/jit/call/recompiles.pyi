# Written by `make stubs`; edits here are lost.

from builtins import UserWarning as _UserWarning

class RecompileWarning(_UserWarning):
    """A compiled function keeps getting programs: an argument changes in a way that asks for another one each time."""
