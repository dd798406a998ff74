"""setuptools as build backend; an editable install also shows the stubs to type checkers and editors.

Checkers can't follow the import hook of an editable install. A file of paths leads them to the folder of the stubs.
"""

from __future__ import annotations

import base64
import hashlib
import zipfile
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_sdist as build_sdist,
)  # fmt: skip
from setuptools.build_meta import (
    build_wheel as build_wheel,
)
from setuptools.build_meta import (
    get_requires_for_build_editable as get_requires_for_build_editable,
)
from setuptools.build_meta import (
    get_requires_for_build_sdist as get_requires_for_build_sdist,
)
from setuptools.build_meta import (
    get_requires_for_build_wheel as get_requires_for_build_wheel,
)
from setuptools.build_meta import (
    prepare_metadata_for_build_editable as prepare_metadata_for_build_editable,
)
from setuptools.build_meta import (
    prepare_metadata_for_build_wheel as prepare_metadata_for_build_wheel,
)

STUBS = Path(__file__).resolve().parent.parent / "stubs"
FILE = "__editable__.vitrify-stubs.pth"


def build_editable(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    """The wheel of an editable install, with a file of paths that names the folder of the stubs."""
    name = build_meta.build_editable(wheel_directory, config_settings, metadata_directory)
    add(Path(wheel_directory) / name, FILE, f"{STUBS}\n".encode())
    return name


def add(wheel: Path, name: str, content: bytes) -> None:
    """Put a file into a wheel, and into its record."""
    with zipfile.ZipFile(wheel) as old:
        entries = [(info, old.read(info)) for info in old.infolist()]
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    line = f"{name},sha256={digest},{len(content)}\n".encode()
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as new:
        for info, data in entries:
            new.writestr(info, data + line if info.filename.endswith(".dist-info/RECORD") else data)
        new.writestr(name, content)
