/* A model for several levels of x86-64: each has a part of the library; the widest that this CPU runs is called. */
#include "NAME.h"
#include <cpuid.h>

#define HIDDEN __attribute__((visibility("hidden")))

#define LEVEL(SUFFIX)                                                                                                  \
    extern HIDDEN size_t NAME##SUFFIX##_memory(const int64_t *);                                                       \
    extern HIDDEN NAME_model *NAME##SUFFIX##_create(void *, size_t);                                                   \
    extern HIDDEN int NAME##SUFFIX##_run(NAME_model *, const NAME_tensor *, const NAME_tensor *);                      \
    extern HIDDEN void NAME##SUFFIX##_reset(NAME_model *);                                                             \
    extern HIDDEN void *NAME##SUFFIX##_state(NAME_model *, int, size_t *);                                             \
    extern HIDDEN int NAME##SUFFIX##_bind(NAME_model *, int, NAME_callback, void *);                                   \
    extern HIDDEN int NAME##SUFFIX##_attach(NAME_model *, const void *, size_t);                                       \
    extern HIDDEN int NAME##SUFFIX##_map(NAME_model *, const char *);                                                  \
    extern HIDDEN void NAME##SUFFIX##_unmap(NAME_model *);                                                             \
    extern HIDDEN void NAME##SUFFIX##_threads(NAME_model *, int, NAME_pool, void *);                                   \
    extern HIDDEN const char *NAME##SUFFIX##_last_error(const NAME_model *);

LEVEL(_v2)
LEVEL(_v3)
LEVEL(_v4)

struct NAME_model {
    int level;
    NAME_model *part;
};

#define ROOM 32 /* for this struct, wherever the arena begins */
#define CALL(LEVEL, FUNCTION, ...)                                                                                     \
    ((LEVEL) == 4   ? NAME_v4_##FUNCTION(__VA_ARGS__)                                                                  \
     : (LEVEL) == 3 ? NAME_v3_##FUNCTION(__VA_ARGS__)                                                                  \
                    : NAME_v2_##FUNCTION(__VA_ARGS__))

static int has(unsigned found, unsigned wanted) { return (found & wanted) == wanted; }

/* The level of this CPU, of which the system has to keep the registers, too. */
static int level(void) {
    unsigned a, b, c, d, kept, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !has(c, bit_FMA | bit_MOVBE | bit_OSXSAVE | bit_AVX | bit_F16C)) return 2;
    __asm__ volatile("xgetbv" : "=a"(kept), "=d"(high) : "c"(0));
    if (!has(kept, 0x6)) return 2;
    if (!__get_cpuid(0x80000001, &a, &b, &c, &d) || !has(c, bit_LZCNT)) return 2;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !has(b, bit_BMI | bit_AVX2 | bit_BMI2)) return 2;
    if (!has(kept, 0xe6) || !has(b, bit_AVX512F | bit_AVX512DQ | bit_AVX512CD | bit_AVX512BW | bit_AVX512VL)) return 3;
    return 4;
}

size_t NAME_memory(const int64_t *dims) {
    size_t size = CALL(level(), memory, dims);
    return size == 0 ? 0 : size + ROOM;
}

NAME_model *NAME_create(void *arena, size_t size) {
    if (arena == NULL || size < ROOM) return NULL;
    NAME_model *model = (NAME_model *)(((uintptr_t)arena + 15) / 16 * 16);
    int found = level();
    NAME_model *part = CALL(found, create, (unsigned char *)arena + ROOM, size - ROOM);
    if (part == NULL) return NULL;
    model->level = found;
    model->part = part;
    return model;
}

int NAME_run(NAME_model *model, const NAME_tensor *inputs, const NAME_tensor *outputs) {
    return model == NULL ? CALL(2, run, model, inputs, outputs) : CALL(model->level, run, model->part, inputs, outputs);
}

void NAME_reset(NAME_model *model) {
    if (model != NULL) CALL(model->level, reset, model->part);
}

void *NAME_state(NAME_model *model, int number, size_t *bytes) {
    return model == NULL ? NULL : CALL(model->level, state, model->part, number, bytes);
}

int NAME_bind(NAME_model *model, int number, NAME_callback function, void *user) {
    return model == NULL ? CALL(2, bind, model, number, function, user)
                         : CALL(model->level, bind, model->part, number, function, user);
}

int NAME_attach(NAME_model *model, const void *file, size_t size) {
    return model == NULL ? CALL(2, attach, model, file, size) : CALL(model->level, attach, model->part, file, size);
}

int NAME_map(NAME_model *model, const char *path) {
    return model == NULL ? CALL(2, map, model, path) : CALL(model->level, map, model->part, path);
}

void NAME_unmap(NAME_model *model) {
    if (model != NULL) CALL(model->level, unmap, model->part);
}

void NAME_threads(NAME_model *model, int count, NAME_pool pool, void *user) {
    if (model != NULL) CALL(model->level, threads, model->part, count, pool, user);
}

const char *NAME_last_error(const NAME_model *model) {
    return model == NULL ? CALL(2, last_error, model) : CALL(model->level, last_error, model->part);
}
