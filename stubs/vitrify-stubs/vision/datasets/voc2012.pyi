# Written by `make stubs`; edits here are lost.

from typing import Any

def __getattr__(name: str) -> Any: ...
