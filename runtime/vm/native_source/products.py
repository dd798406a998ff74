"""Matrix products by BLAS or by plain loops, whole or one chunk of them."""

from .layout import GemmWord, TeamWord
from .primitives import (
    at,
    call_gemm32,
    call_gemm64,
    call_gemv32,
    call_gemv64,
    f32,
    helper,
    load,
    load_f32,
    load_f64,
    store_f32,
    store_f64,
)

# CBLAS_ORDER and CBLAS_TRANSPOSE.
ROW_MAJOR = 101
AS_IS = 111
TRANSPOSED = 112


@helper
def part(lo: int, hi: int, chunk: int, chunks: int, grain: int) -> tuple[int, int]:
    """The bounds of one chunk of a range; long ranges are cut at multiples of the grain."""
    step = (hi - lo + chunks - 1) // chunks
    if step >= grain:
        step = (step + grain - 1) // grain * grain
    first = min(lo + step * chunk, hi)
    return first, min(first + step, hi)


@helper
def multiply_plainly(single: bool, block: int, m: int, n: int, a: int, b: int, c: int) -> None:
    """One product m x n, each element summed in order: the bits of `vt_product` in libraries (native/runtime.c)."""
    k = load(at(block, GemmWord.K))
    ldc = load(at(block, GemmWord.LDC))
    alpha = load_f64(at(block, GemmWord.ALPHA))
    beta = load_f64(at(block, GemmWord.BETA))
    a_row, a_step = load(at(block, GemmWord.LDA)), 1
    if load(at(block, GemmWord.TRANSPOSE_A)) != 0:
        a_row, a_step = 1, a_row
    b_row, b_step = load(at(block, GemmWord.LDB)), 1
    if load(at(block, GemmWord.TRANSPOSE_B)) != 0:
        b_row, b_step = 1, b_row
    for i in range(m):
        for j in range(n):
            if single:
                total = f32(0.0)
                for q in range(k):
                    total += load_f32(a + 4 * (i * a_row + q * a_step)) * load_f32(b + 4 * (q * b_row + j * b_step))
                place = c + 4 * (i * ldc + j)
                old = f32(0.0)
                if beta != 0.0:
                    old = f32(beta) * load_f32(place)
                store_f32(place, f32(alpha) * total + old)
            else:
                sums = 0.0
                for q in range(k):
                    sums += load_f64(a + 8 * (i * a_row + q * a_step)) * load_f64(b + 8 * (q * b_row + j * b_step))
                place = c + 8 * (i * ldc + j)
                before = 0.0
                if beta != 0.0:
                    before = beta * load_f64(place)
                store_f64(place, alpha * sums + before)


@helper
def multiply_one(team: int, single: bool, block: int, m: int, n: int, a: int, b: int, c: int) -> None:
    """One product m x n; a matrix times a vector goes to gemv."""
    if load(at(block, GemmWord.PLAIN)) != 0:
        multiply_plainly(single, block, m, n, a, b, c)
        return
    k = load(at(block, GemmWord.K))
    transpose_a = load(at(block, GemmWord.TRANSPOSE_A))
    transpose_b = load(at(block, GemmWord.TRANSPOSE_B))
    lda = load(at(block, GemmWord.LDA))
    ldb = load(at(block, GemmWord.LDB))
    ldc = load(at(block, GemmWord.LDC))
    alpha = load_f64(at(block, GemmWord.ALPHA))
    beta = load_f64(at(block, GemmWord.BETA))
    # gemv leaves its result alone when k is 0.
    if k > 0 and n == 1:
        rows, columns, flag = m, k, AS_IS
        if transpose_a != 0:
            rows, columns, flag = k, m, TRANSPOSED
        step = ldb
        if transpose_b != 0:
            step = 1
        multiply_vector(team, single, flag, rows, columns, alpha, a, lda, b, step, beta, c, ldc)
        return
    if k > 0 and m == 1:
        rows, columns, flag = k, n, TRANSPOSED
        if transpose_b != 0:
            rows, columns, flag = n, k, AS_IS
        step = 1
        if transpose_a != 0:
            step = lda
        multiply_vector(team, single, flag, rows, columns, alpha, b, ldb, a, step, beta, c, 1)
        return
    flag_a = AS_IS
    if transpose_a != 0:
        flag_a = TRANSPOSED
    flag_b = AS_IS
    if transpose_b != 0:
        flag_b = TRANSPOSED
    if single:
        gemm = load(at(team, TeamWord.SGEMM))
        call_gemm32(gemm, ROW_MAJOR, flag_a, flag_b, m, n, k, f32(alpha), a, lda, b, ldb, f32(beta), c, ldc)
    else:
        gemm = load(at(team, TeamWord.DGEMM))
        call_gemm64(gemm, ROW_MAJOR, flag_a, flag_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)


@helper
def multiply_vector(
    team: int, single: bool, flag: int, rows: int, columns: int, alpha: float, a: int, lda: int, x: int, x_step: int,
    beta: float, y: int, y_step: int,
) -> None:  # fmt: skip
    """y = alpha op(a) x + beta y."""
    if single:
        gemv = load(at(team, TeamWord.SGEMV))
        call_gemv32(gemv, ROW_MAJOR, flag, rows, columns, f32(alpha), a, lda, x, x_step, f32(beta), y, y_step)
    else:
        gemv = load(at(team, TeamWord.DGEMV))
        call_gemv64(gemv, ROW_MAJOR, flag, rows, columns, alpha, a, lda, x, x_step, beta, y, y_step)


@helper
def row_parts(m: int, n: int, chunks: int) -> int:
    """Into how many parts the rows of a product are cut, and its columns into as many as that leaves.

    Each part copies its rows of a and its columns of b: of the ways to cut, the one that copies least.
    """
    if chunks == 2:
        if m >= min(n, 480):
            return 2
        return 1
    best, parts = 1, 2
    while parts <= chunks:
        if chunks % parts == 0 and parts * n + chunks // parts * m < best * n + chunks // best * m:
            best = parts
        parts += 1
    return best


@helper
def multiply(team: int, single: bool, block: int, chunk: int, chunks: int) -> None:
    """One chunk of a batch of products: some of the batch when it is long enough, else a slab of each product."""
    size = 8
    if single:
        size = 4
    m = load(at(block, GemmWord.M))
    n = load(at(block, GemmWord.N))
    inner = load(at(block, GemmWord.INNER_BATCH))
    first, last = 0, load(at(block, GemmWord.BATCH)) * inner
    m_first, m_last, n_first, n_last = 0, m, 0, n
    if last >= chunks:
        first, last = part(first, last, chunk, chunks, 1 << 62)
    else:
        rows = row_parts(m, n, chunks)
        if rows > 1:
            # OpenBLAS walks rows by 24 (f32): cut there, each element is summed as in the whole product.
            step = max(1, (m // rows + 24) // 48) * 48
            m_first = min(m, step * (chunk % rows))
            if chunk % rows + 1 < rows:
                m_last = min(m, m_first + step)
        n_first, n_last = part(0, n, chunk // rows, chunks // rows, 64)
    if m_first >= m_last or n_first >= n_last:
        return
    a_row, b_column = load(at(block, GemmWord.LDA)), 1
    if load(at(block, GemmWord.TRANSPOSE_A)) != 0:
        a_row = 1
    if load(at(block, GemmWord.TRANSPOSE_B)) != 0:
        b_column = load(at(block, GemmWord.LDB))
    a = load(at(block, GemmWord.A)) + size * m_first * a_row
    b = load(at(block, GemmWord.B)) + size * n_first * b_column
    c = load(at(block, GemmWord.C)) + size * (m_first * load(at(block, GemmWord.LDC)) + n_first)
    for which in range(first, last):
        x, y = which // inner, which % inner
        multiply_one(
            team, single, block, m_last - m_first, n_last - n_first,
            a + size * (x * load(at(block, GemmWord.STRIDE_A)) + y * load(at(block, GemmWord.INNER_STRIDE_A))),
            b + size * (x * load(at(block, GemmWord.STRIDE_B)) + y * load(at(block, GemmWord.INNER_STRIDE_B))),
            c + size * (x * load(at(block, GemmWord.STRIDE_C)) + y * load(at(block, GemmWord.INNER_STRIDE_C))),
        )  # fmt: skip
