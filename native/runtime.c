/* What every library has: sizes, checks of arguments, and matrix products. It stands at the top of a model's C file. */

static inline int64_t vt_floor_div(int64_t a, int64_t b) {
    int64_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

static inline int64_t vt_max(int64_t a, int64_t b) { return a > b ? a : b; }

static inline int64_t vt_word(const void *place) {
    int64_t word;
    memcpy(&word, place, sizeof word);
    return word;
}

static inline void vt_set(void *place, int64_t word) { memcpy(place, &word, sizeof word); }

static inline int vt_overlap(const void *a, int64_t a_bytes, const void *b, int64_t b_bytes) {
    uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return a_bytes > 0 && b_bytes > 0 && x < y + (uintptr_t)b_bytes && y < x + (uintptr_t)a_bytes;
}

/* Kernels over a part of their range, for a thread pool of the host's. */
typedef void (*vt_task)(void *job, int number);
typedef void (*vt_kernel)(int64_t buffers, int64_t dims, int64_t lo, int64_t hi);

typedef struct {
    int count;
    void (*pool)(void *user, vt_task task, void *job, int count);
    void *user;
} vt_team;

typedef struct {
    vt_kernel kernel;
    const int64_t *buffers, *dims;
    int64_t extent, chunks;
} vt_job;

static inline void vt_chunk(void *given, int number) {
    const vt_job *job = given;
    int64_t step = (job->extent + job->chunks - 1) / job->chunks;
    if (step >= 64) step = (step + 63) / 64 * 64;
    int64_t lo = step * number, hi = lo + step < job->extent ? lo + step : job->extent;
    if (lo < hi) job->kernel((int64_t)(uintptr_t)job->buffers, (int64_t)(uintptr_t)job->dims, lo, hi);
}

/* A whole range: in pieces where its work pays for them (pair, chunk: for two, for each), of which there are `parts`. */
static inline void vt_split(const vt_team *team, vt_kernel kernel, const int64_t *buffers, const int64_t *dims,
                            int64_t extent, int64_t work, int64_t pair, int64_t chunk, int64_t parts) {
    int64_t chunks = team->count < 2 || work < pair ? 1 : vt_max(work / chunk, 2);
    if (chunks > parts) chunks = parts;
    if (chunks > extent) chunks = extent;
    if (chunks < 2) {
        kernel((int64_t)(uintptr_t)buffers, (int64_t)(uintptr_t)dims, 0, extent);
    } else {
        vt_job job = {kernel, buffers, dims, extent, chunks};
        team->pool(team->user, vt_chunk, &job, (int)chunks);
    }
}

/* c = alpha op(a) op(b) + beta c, for each index into the batch; a stride of 0 repeats an operand. */
typedef struct {
    int64_t m, n, k, transpose_a, transpose_b, rank;
    double alpha, beta;
    const int64_t *counts, *a_steps, *b_steps, *c_steps;
} vt_product;

#define VT_ROWS 4
#define VT_COLUMNS 32

#define VT_PRODUCT(NAME, TYPE)                                                                                         \
    static void NAME##_block(const vt_product *p, const TYPE *a, const TYPE *b, TYPE *c, int64_t i, int64_t j) {       \
        int64_t rows = p->m - i < VT_ROWS ? p->m - i : VT_ROWS, columns = p->n - j < VT_COLUMNS ? p->n - j : VT_COLUMNS; \
        int64_t a_row = p->transpose_a ? 1 : p->k, a_step = p->transpose_a ? p->m : 1;                                 \
        int64_t b_row = p->transpose_b ? 1 : p->n, b_step = p->transpose_b ? p->k : 1;                                 \
        TYPE sums[VT_ROWS][VT_COLUMNS] = {{0}}, strip[VT_COLUMNS] = {0};                                               \
        for (int64_t q = 0; q < p->k; q++) {                                                                           \
            const TYPE *line = b + q * b_row + j * b_step;                                                             \
            if (columns == VT_COLUMNS && b_step == 1)                                                                  \
                memcpy(strip, line, sizeof strip);                                                                     \
            else                                                                                                       \
                for (int64_t y = 0; y < columns; y++) strip[y] = line[y * b_step];                                     \
            for (int64_t x = 0; x < rows; x++) {                                                                       \
                TYPE factor = a[(i + x) * a_row + q * a_step];                                                         \
                for (int y = 0; y < VT_COLUMNS; y++) sums[x][y] += factor * strip[y];                                  \
            }                                                                                                          \
        }                                                                                                              \
        for (int64_t x = 0; x < rows; x++)                                                                             \
            for (int64_t y = 0; y < columns; y++) {                                                                    \
                TYPE *place = c + (i + x) * p->n + j + y;                                                              \
                *place = (TYPE)p->alpha * sums[x][y] + (p->beta != 0 ? (TYPE)p->beta * *place : 0);                    \
            }                                                                                                          \
    }                                                                                                                  \
    static void NAME(const vt_product *p, int64_t level, const TYPE *a, const TYPE *b, TYPE *c) {                      \
        if (level < p->rank) {                                                                                         \
            for (int64_t k = 0; k < p->counts[level]; k++)                                                             \
                NAME(p, level + 1, a + k * p->a_steps[level], b + k * p->b_steps[level], c + k * p->c_steps[level]);   \
            return;                                                                                                    \
        }                                                                                                              \
        for (int64_t i = 0; i < p->m; i += VT_ROWS)                                                                    \
            for (int64_t j = 0; j < p->n; j += VT_COLUMNS) NAME##_block(p, a, b, c, i, j);                             \
    }
