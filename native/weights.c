/* Weights that lie beside a library: a safetensors file, compared piece by piece with the header that was written when
 * the library was built. It stands in a model's C file, behind the table of those pieces. */
#if defined(__linux__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#define VT_MAPS 1
#endif

int NAME_attach(NAME_model *model, const void *file, size_t size) {
    if (model == NULL) return UPPER_NULL;
    model->weights = NULL;
    if (file == NULL) return fail(model, UPPER_NULL, "the weights are null");
    if ((uintptr_t)file % 64 != 0) return fail(model, UPPER_ALIGN, "the weights aren't aligned to 64 bytes");
    const unsigned char *bytes = file;
    uint64_t head = 0;
    for (int k = 7; k >= 0 && size >= 8; k--) head = head << 8 | bytes[k];
    if (size < 8 || head > size - 8) return fail(model, UPPER_WEIGHTS, "the weights are no safetensors file");
    size_t at = 8;
    for (size_t k = 0; k < sizeof vt_pieces / sizeof *vt_pieces; k++) {
        size_t length = strlen(vt_pieces[k].text);
        if (length > 8 + (size_t)head - at || memcmp(bytes + at, vt_pieces[k].text, length) != 0)
            return fail(model, UPPER_WEIGHTS, vt_pieces[k].wrong);
        at += length;
    }
    if (head != VT_HEAD || size != 8 + VT_HEAD + VT_CONTENT)
        return fail(model, UPPER_WEIGHTS, "the file of the weights is longer or shorter than it was built");
    model->weights = bytes + 8 + VT_HEAD;
    model->error = "";
    NAME_reset(model);
    return UPPER_OK;
}

void NAME_unmap(NAME_model *model) {
    if (model == NULL) return;
    model->weights = NULL;
#ifdef VT_MAPS
    if (model->mapped != NULL) munmap(model->mapped, model->mapped_size);
#endif
    model->mapped = NULL;
}

int NAME_map(NAME_model *model, const char *path) {
    if (model == NULL) return UPPER_NULL;
    if (path == NULL) return fail(model, UPPER_NULL, "the path is null");
    NAME_unmap(model);
#ifdef VT_MAPS
    struct stat found;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return fail(model, UPPER_FILE, "the file of the weights can't be opened");
    void *start = MAP_FAILED;
    if (fstat(file, &found) == 0 && found.st_size > 0)
        start = mmap(NULL, (size_t)found.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (start == MAP_FAILED) return fail(model, UPPER_FILE, "the file of the weights can't be mapped");
    model->mapped = start;
    model->mapped_size = (size_t)found.st_size;
    int wrong = NAME_attach(model, start, model->mapped_size);
    if (wrong) {
        const char *why = model->error;
        NAME_unmap(model);
        return fail(model, wrong, why);
    }
    return UPPER_OK;
#else
    return fail(model, UPPER_FILE, "files can't be mapped on this platform: read the file and call NAME_attach");
#endif
}
