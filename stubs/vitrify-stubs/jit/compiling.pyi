# Written by `make stubs`; edits here are lost.

class Compiling:
    """Traces a function and compiles what the trace gives."""
