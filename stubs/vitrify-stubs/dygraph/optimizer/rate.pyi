# Written by `make stubs`; edits here are lost.

class ReadByRuns:
    """Base of schedulers: captured code reads their numbers when the program gets there, as a run may have moved on."""
