/* @DESCRIPTION@
 *
@PORTS@
@LIMITS@ *
 * Several models may exist; each may be used by one thread at a time. Nothing is allocated, nothing is global.
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

/* A model in memory of the caller's, which has to live as long; null where that is null or too small. */
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

/* What the last call of @PREFIX@_run found wrong; empty where nothing was. */
@UPPER@_API const char *@PREFIX@_last_error(const @PREFIX@_model *model);

#ifdef __cplusplus
}
#endif
#endif
