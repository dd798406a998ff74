"""Python's text in C."""

from __future__ import annotations


def c_text(text: str) -> str:
    """The inside of a C string."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("?", "\\?")
    return "".join(c if c.isascii() else "".join(f"\\{byte:03o}" for byte in c.encode()) for c in plain)
