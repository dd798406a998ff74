"""The release of PaddlePaddle whose names this package follows, as PaddlePaddle's `version` module tells its own."""

from __future__ import annotations

from importlib import import_module

from ..base.errors import ArgumentError, KindError

_module = f"{__name__.partition('.')[0]}.version"
full_version = "3.3.1"
major, minor, patch = full_version.split(".")
rc = "0"
commit = "Unknown"
with_mkl = with_gpu = with_tensorrt = "OFF"
cuda_version = cudnn_version = tensorrt_version = "False"
is_tagged = True


def cuda() -> str:
    """The version of CUDA: "False", as of every build for CPUs."""
    return "False"


def cudnn() -> str:
    """The version of cuDNN: "False"."""
    return "False"


def nccl() -> str:
    """The version of NCCL: "0"."""
    return "0"


def xpu() -> str:
    """The version of XPU: "False"."""
    return "False"


def xpu_xre() -> str:
    """The version of XRE: "False"."""
    return "False"


def xpu_xccl() -> str:
    """The version of XCCL: "False"."""
    return "False"


def xpu_xhpc() -> str:
    """The version of XHPC: "False"."""
    return "False"


def cuda_archs() -> list[int]:
    """The kinds of GPUs that kernels were built for: none."""
    return []


def tensorrt() -> str:
    """The version of TensorRT: "None", as of every build for CPUs."""
    return "None"


def show() -> None:
    """Print the release and that this is a build for CPUs."""
    print(f"full_version: {full_version}\nmajor: {major}\nminor: {minor}\npatch: {patch}\nrc: {rc}\ncuda: {cuda()}")


def require_version(min_version: str, max_version: str | None = None) -> None:
    """Raise an error unless the release that this package follows lies within the bounds.

    The release is `major`, `minor`, `patch` and `rc` of `vitrify.version`; 0.0.0.0 (no release) is within all bounds.

    Errors: KindError, ArgumentError for a bound that is no version; RuntimeError outside of the bounds.

    >>> require_version("2.0.0")
    """
    low = _numbers(min_version)
    high = None if max_version is None else _numbers(max_version)
    if high is not None and high < low:
        raise ArgumentError(f"max_version {max_version} is below min_version {min_version}")
    told = import_module(_module)  # programs may have changed its numbers
    release = f"{told.major}.{told.minor}.{told.patch}.{told.rc}"
    own = _numbers(release)
    if not any(own):
        return
    if own < low or (high is not None and own > high):
        bound = f"at least {min_version}" if own < low else f"at most {max_version}"
        raise RuntimeError(f"the program needs PaddlePaddle {bound}; vitrify follows {release}")


def _numbers(version: str) -> tuple[int, ...]:
    if not isinstance(version, str):
        raise KindError(f"a version is a string, not a {type(version).__name__}")
    parts = version.split(".")
    if len(parts) > 4 or not all(part.isdecimal() and part.isascii() for part in parts):
        raise ArgumentError(f"{version!r} is no version", remedy='write it as "2.0.0", with up to four numbers')
    return tuple(int(part) for part in (*parts, "0", "0", "0")[:4])
