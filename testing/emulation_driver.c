/* Runs kernels of another CPU under an emulator, for emulation.py: requests come through standard input.
 *
 * Each request begins with 8 words. LOAD: the length of a path and of a symbol, then both; the answer is the entry, or
 * 0 and a message. CALL: an entry, the bounds of a range, counts of regions, pointers and sizes; then a region's size
 * and distance from an alignment of 64 each, a pointer's region and offset each, the sizes, and the regions' contents.
 * The answer is 0 and the contents after the call, or the number of a region that the kernel wrote beyond.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOAD = 1, CALL = 2, GUARD = 64, MARK = 0xA5 };
typedef void (*kernel)(int64_t buffers, int64_t sizes, int64_t lo, int64_t hi);

static unsigned char **memory;
static int64_t count, *shape;

/* Say how far from each region the address lies that a kernel may not touch. */
static void tell(int number, siginfo_t *what, void *where) {
    (void)number, (void)where;
    for (int64_t k = 0; k < count; k++)
        fprintf(stderr, "region %d of %ld bytes: touched at %ld\n", (int)k, (long)shape[2 * k],
                (long)((unsigned char *)what->si_addr - memory[k]));
    _exit(3);
}

static void take(void *into, size_t size) {
    if (size && fread(into, 1, size, stdin) != size) exit(0);
}

static void give(const void *from, size_t size) {
    if (size && fwrite(from, 1, size, stdout) != size) exit(1);
}

static void *room(size_t size) {
    void *made = calloc(1, size + 1);
    if (made == NULL) exit(2);
    return made;
}

static void load(const int64_t *head) {
    char *path = room(head[1]), *symbol = room(head[2]);
    take(path, head[1]);
    take(symbol, head[2]);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *found = library ? dlsym(library, symbol) : NULL;
    const char *message = found ? "" : dlerror();
    int64_t answer[2] = {(int64_t)found, (int64_t)strlen(message)};
    give(answer, sizeof answer);
    give(message, strlen(message));
    free(path);
    free(symbol);
}

static int intact(const unsigned char *guard) {
    for (int k = 0; k < GUARD; k++)
        if (guard[k] != MARK) return 0;
    return 1;
}

static void call(const int64_t *head) {
    int64_t regions = head[4], pointers = head[5], sizes = head[6];
    int64_t *places = room(16 * pointers), *dims = room(8 * sizes);
    int64_t *words = room(8 * pointers), answer = 0;
    unsigned char **owned = room(sizeof(void *) * regions);
    shape = room(16 * regions), memory = room(sizeof(void *) * regions), count = regions;
    take(shape, 16 * regions);
    take(places, 16 * pointers);
    take(dims, 8 * sizes);
    for (int64_t k = 0; k < regions; k++) {
        size_t size = shape[2 * k];
        owned[k] = room(size + 4 * GUARD);
        uintptr_t start = ((uintptr_t)owned[k] + 2 * GUARD - 1) / GUARD * GUARD + shape[2 * k + 1];
        memory[k] = (unsigned char *)start;
        memset(memory[k] - GUARD, MARK, GUARD);
        take(memory[k], size);
        memset(memory[k] + size, MARK, GUARD);
    }
    for (int64_t k = 0; k < pointers; k++) words[k] = (int64_t)(memory[places[2 * k]] + places[2 * k + 1]);
    ((kernel)head[1])((int64_t)words, (int64_t)dims, head[2], head[3]);
    for (int64_t k = 0; k < regions; k++)
        if (!intact(memory[k] - GUARD) || !intact(memory[k] + shape[2 * k])) answer = k + 1;
    give(&answer, sizeof answer);
    for (int64_t k = 0; k < regions; k++) {
        give(memory[k], shape[2 * k]);
        free(owned[k]);
    }
    free(shape), free(places), free(dims), free(words), free(owned), free(memory);
}

int main(void) {
    struct sigaction action = {.sa_sigaction = tell, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    for (;;) {
        int64_t head[8];
        take(head, sizeof head);
        if (head[0] == LOAD) load(head);
        if (head[0] == CALL) call(head);
        fflush(stdout);
    }
}
