/* @DESCRIPTION@
 *
@PORTS@
@LIMITS@ *
 * Several models may exist; each may be used by one thread at a time. Nothing is allocated, nothing is global.
 * Weights: @WEIGHTS@.
 */
#ifndef @UPPER@_H
#define @UPPER@_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(@UPPER@_API)
#elif defined(_WIN32)
#define @UPPER@_API __declspec(dllexport)
#else
#define @UPPER@_API __attribute__((visibility("default")))
#endif

enum {
@CODES@
};
enum { @UPPER@_INPUTS = @INPUTS@, @UPPER@_OUTPUTS = @OUTPUTS@, @UPPER@_STATES = @STATES@ };

/* An array: its elements, row by row, and the size of each axis. shape may be null where all sizes are fixed. */
typedef struct {
    void *data;
    const int64_t *shape;
} @PREFIX@_tensor;

typedef struct @PREFIX@_model @PREFIX@_model;

/* How many bytes @PREFIX@_create needs for runs of at most these sizes, one for each dim above; null means the largest.
 * 0 where a size is beyond its limit. */
@UPPER@_API size_t @PREFIX@_memory(const int64_t *dims);

/* A model in memory of yours, which has to live as long; null where that is null or too small. */
@UPPER@_API @PREFIX@_model *@PREFIX@_create(void *arena, size_t size);

/* Compute all outputs from all inputs, in the order above. Gives 0, or the code of what was wrong. */
@UPPER@_API int @PREFIX@_run(@PREFIX@_model *model, const @PREFIX@_tensor *inputs, const @PREFIX@_tensor *outputs);

/* Give state (if the model has any) the values that it had when the model was built. */
@UPPER@_API void @PREFIX@_reset(@PREFIX@_model *model);

/* The memory of a part of the state, which may be read and written between runs, and its bytes; null for none. */
@UPPER@_API void *@PREFIX@_state(@PREFIX@_model *model, int number, size_t *bytes);

/* A function of yours that the model calls during a run: it reads the inputs, writes the outputs, and gives 0 if it could.
 * user: what you have given to @PREFIX@_bind. */
typedef int (*@PREFIX@_callback)(void *user, const @PREFIX@_tensor *inputs, const @PREFIX@_tensor *outputs);

/* Let the model call a function for a callback of the list above. Gives 0, or @UPPER@_NULL where there is no such one. */
@UPPER@_API int @PREFIX@_bind(@PREFIX@_model *model, int number, @PREFIX@_callback function, void *user);

/* Let the model read its weights from a safetensors file that lies in memory at `file`: `size` bytes, aligned to 64, that
 * live as long as the model. Names, types and shapes are compared with those that the library was built for; nothing is
 * copied but the first values of state. Only for libraries whose weights lie beside them. */
@UPPER@_API int @PREFIX@_attach(@PREFIX@_model *model, const void *file, size_t size);

/* The same with a file on disk, which is mapped: models and processes share its pages. @PREFIX@_unmap ends that. */
@UPPER@_API int @PREFIX@_map(@PREFIX@_model *model, const char *path);

/* Let go of the file of @PREFIX@_map; the model has no weights then. */
@UPPER@_API void @PREFIX@_unmap(@PREFIX@_model *model);

/* A thread pool of yours: calls task(job, k) for each k from 0 to count - 1, in any threads and any order, and returns
 * when all have returned. user: what you have given to @PREFIX@_threads. */
typedef void (*@PREFIX@_task)(void *job, int number);
typedef void (*@PREFIX@_pool)(void *user, @PREFIX@_task task, void *job, int count);

/* Let runs split large steps into up to `count` tasks. Results have the same bits for any count. A null pool or a count
 * of 1 means the thread that calls, as before the first call of this. */
@UPPER@_API void @PREFIX@_threads(@PREFIX@_model *model, int count, @PREFIX@_pool pool, void *user);

/* What the last call of @PREFIX@_run, _attach or _map found wrong; empty where nothing was. */
@UPPER@_API const char *@PREFIX@_last_error(const @PREFIX@_model *model);

#ifdef __cplusplus
}
#endif
#endif
