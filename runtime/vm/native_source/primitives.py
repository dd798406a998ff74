"""What native functions can call beyond plain Python, for linters, types and readers; Python can't run it.

`native.functions()` has what stands here in native code: LLVM instructions, and calls of C functions by address.
Addresses are in bytes; a word is an int64.
"""

from collections.abc import Callable
from typing import TypeVar

_Function = TypeVar("_Function", bound=Callable[..., object])
_NATIVE = "native code has this; Python can't run it"


def helper(function: _Function) -> _Function:
    """Mark a function that native functions call. It is compiled once, for int64 arguments."""
    return function


def f32(number: float) -> float:
    """Round a number to 32 bits."""
    raise NotImplementedError(_NATIVE)


# ---- memory


def at(block: int, index: int) -> int:
    """The address of a block's word."""
    raise NotImplementedError(_NATIVE)


def load(address: int) -> int:
    """The word at an address."""
    raise NotImplementedError(_NATIVE)


def store(address: int, value: int) -> None:
    """Write a word."""
    raise NotImplementedError(_NATIVE)


def load_u8(address: int) -> int:
    """The byte at an address."""
    raise NotImplementedError(_NATIVE)


def load_f64(address: int) -> float:
    """The float64 at an address."""
    raise NotImplementedError(_NATIVE)


def load_f32(address: int) -> float:
    """The float32 at an address."""
    raise NotImplementedError(_NATIVE)


def store_f32(address: int, value: float) -> None:
    """Write a float32."""
    raise NotImplementedError(_NATIVE)


def store_f64(address: int, value: float) -> None:
    """Write a float64."""
    raise NotImplementedError(_NATIVE)


def copy_bytes(target: int, source: int, count: int) -> None:
    """Copy memory; the two may overlap."""
    raise NotImplementedError(_NATIVE)


def fill_bytes(target: int, count: int, value: int) -> None:
    """Set each byte to a value."""
    raise NotImplementedError(_NATIVE)


# ---- memory that threads share: all sequentially consistent


def atomic_load(address: int) -> int:
    """The word at an address."""
    raise NotImplementedError(_NATIVE)


def atomic_store(address: int, value: int) -> None:
    """Write a word."""
    raise NotImplementedError(_NATIVE)


def atomic_add(address: int, amount: int) -> int:
    """Add to a word; what it was before."""
    raise NotImplementedError(_NATIVE)


def atomic_exchange(address: int, value: int) -> int:
    """Write a word; what it was before."""
    raise NotImplementedError(_NATIVE)


def compare_and_swap(address: int, expected: int, value: int) -> bool:
    """Write a word if it is what is expected; whether it was."""
    raise NotImplementedError(_NATIVE)


def pause() -> None:
    """Tell the core that this thread waits."""
    raise NotImplementedError(_NATIVE)


# ---- calls by address


def call_kernel(function: int, buffers: int, dims: int, lo: int, hi: int) -> None:
    """Run a kernel over lo:hi."""
    raise NotImplementedError(_NATIVE)


def call_gemm32(
    function: int, order: int, transpose_a: int, transpose_b: int, m: int, n: int, k: int,
    alpha: float, a: int, lda: int, b: int, ldb: int, beta: float, c: int, ldc: int,
) -> None:  # fmt: skip
    """BLAS's sgemm."""
    raise NotImplementedError(_NATIVE)


def call_gemm64(
    function: int, order: int, transpose_a: int, transpose_b: int, m: int, n: int, k: int,
    alpha: float, a: int, lda: int, b: int, ldb: int, beta: float, c: int, ldc: int,
) -> None:  # fmt: skip
    """BLAS's dgemm."""
    raise NotImplementedError(_NATIVE)


def call_gemv32(
    function: int, order: int, transpose: int, rows: int, columns: int,
    alpha: float, a: int, lda: int, x: int, x_step: int, beta: float, y: int, y_step: int,
) -> None:  # fmt: skip
    """BLAS's sgemv."""
    raise NotImplementedError(_NATIVE)


def call_gemv64(
    function: int, order: int, transpose: int, rows: int, columns: int,
    alpha: float, a: int, lda: int, x: int, x_step: int, beta: float, y: int, y_step: int,
) -> None:  # fmt: skip
    """BLAS's dgemv."""
    raise NotImplementedError(_NATIVE)


def call_realloc(function: int, memory: int, count: int) -> int:
    """The C library's realloc; 0 when memory is out."""
    raise NotImplementedError(_NATIVE)


def call_i(function: int, argument: int) -> int:
    """A C function `int f(int)`."""
    raise NotImplementedError(_NATIVE)


def call_p(function: int, argument: int) -> int:
    """A C function `int f(void *)`."""
    raise NotImplementedError(_NATIVE)


def call_void(function: int) -> int:
    """A C function `int f(void)`."""
    raise NotImplementedError(_NATIVE)


def call_clock(function: int, clock: int, moment: int) -> int:
    """The C library's clock_gettime."""
    raise NotImplementedError(_NATIVE)


def call_loop(function: int, operands: int, length: int, strides: int, data: int) -> None:
    """An inner loop of NumPy's."""
    raise NotImplementedError(_NATIVE)


# ---- MPI: a handle is an int in one library and a pointer in another; as a word it fits both (docs/decisions/0048)


def call_iallgather(
    function: int, source: int, size: int, kind: int, target: int, many: int, same: int, comm: int, request: int
) -> int:
    """MPI_Iallgather."""
    raise NotImplementedError(_NATIVE)


def call_test(function: int, request: int, flag: int, status: int) -> int:
    """MPI_Test."""
    raise NotImplementedError(_NATIVE)


def call_together(
    function: int, source: int, size: int, kind: int, target: int, many: int, same: int, comm: int
) -> int:
    """MPI_Allgather or MPI_Alltoall."""
    raise NotImplementedError(_NATIVE)


def call_bcast(function: int, target: int, size: int, kind: int, root: int, comm: int) -> int:
    """MPI_Bcast."""
    raise NotImplementedError(_NATIVE)
