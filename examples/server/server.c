/* An HTTP server over the digits library: POST /predict, GET /health, GET /metrics. One model and one thread per worker.
 *
 *   server PORT [WORKERS]        0 takes any free port; the first line that is printed names it
 *
 * A request is a JSON list of numbers, 64 for each image, as many images as the library's limit allows. */
#include "digits.h"

#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { PIXELS = 64, DIGITS = 10, MOST_IMAGES = 64, MOST_BYTES = 1 << 18, WAIT_SECONDS = 10 };

static atomic_long requests, failures, microseconds;

typedef struct {
    int listener;
    digits_model *model;
    char *text; /* of a request, then of an answer */
} worker;

static int all_sent(int client, const char *text, size_t size) {
    while (size > 0) {
        ssize_t done = send(client, text, size, MSG_NOSIGNAL);
        if (done <= 0) return 0;
        text += done;
        size -= (size_t)done;
    }
    return 1;
}

static int answer(int client, const char *status, const char *type, const char *body, int keep) {
    char head[256];
    int size = snprintf(head, sizeof head,
                        "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: %s\r\n\r\n", status, type,
                        strlen(body), keep ? "keep-alive" : "close");
    return all_sent(client, head, (size_t)size) && all_sent(client, body, strlen(body)) && keep;
}

static int refuse(int client, const char *status, const char *why, int keep) {
    char body[256];
    atomic_fetch_add(&failures, 1);
    snprintf(body, sizeof body, "{\"error\": \"%s\"}\n", why);
    return answer(client, status, "application/json", body, keep);
}

/* How many numbers a JSON list has; -1 where it is none, -2 where it has more than `most`. Nested lists are one list. */
static long numbers_of(const char *text, float *found, long most) {
    long count = 0, depth = 0;
    for (const char *c = text; *c != '\0';) {
        if (*c == '[' || *c == ']') {
            depth += *c++ == '[' ? 1 : -1;
            if (depth < 0) return -1;
        } else if (strchr(", \t\r\n", *c) != NULL) {
            c++;
        } else {
            char *end;
            float number = strtof(c, &end);
            if (end == c || depth == 0) return -1;
            if (count == most) return -2;
            found[count++] = number;
            c = end;
        }
    }
    return depth == 0 && count > 0 ? count : -1;
}

static int predict(worker *self, int client, const char *body, int keep) {
    static _Thread_local float images[MOST_IMAGES * PIXELS], logits[MOST_IMAGES * DIGITS];
    long count = numbers_of(body, images, MOST_IMAGES * PIXELS);
    if (count == -2) return refuse(client, "413 Content Too Large", "at most 64 images", keep);
    if (count < 0 || count % PIXELS != 0) return refuse(client, "400 Bad Request", "64 numbers for each image", keep);
    int64_t n = count / PIXELS, in_shape[] = {n, 1, 8, 8}, out_shape[] = {n, DIGITS};
    digits_tensor inputs[] = {{images, in_shape}}, outputs[] = {{logits, out_shape}};
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    if (digits_run(self->model, inputs, outputs) != DIGITS_OK)
        return refuse(client, "400 Bad Request", digits_last_error(self->model), keep);
    clock_gettime(CLOCK_MONOTONIC, &end);
    atomic_fetch_add(&microseconds, (end.tv_sec - start.tv_sec) * 1000000 + (end.tv_nsec - start.tv_nsec) / 1000);
    char *to = self->text;
    for (int64_t k = 0; k < n; k++) {
        const float *row = logits + k * DIGITS;
        int best = 0;
        for (int d = 1; d < DIGITS; d++) best = row[d] > row[best] ? d : best;
        to += sprintf(to, "%s{\"digit\": %d, \"logits\": [", k == 0 ? "[" : ", ", best);
        for (int d = 0; d < DIGITS; d++) to += sprintf(to, "%s%.9g", d == 0 ? "" : ", ", (double)row[d]);
        to += sprintf(to, "]}");
    }
    strcpy(to, "]\n");
    return answer(client, "200 OK", "application/json", self->text, keep);
}

static int metrics(int client, int keep) {
    char body[256];
    snprintf(body, sizeof body, "requests_total %ld\nfailures_total %ld\nmodel_seconds_total %.6f\n", requests, failures,
             (double)microseconds / 1e6);
    return answer(client, "200 OK", "text/plain; version=0.0.4", body, keep);
}

/* The value of a header, or the text for none. */
static const char *header(const char *head, const char *name, const char *none) {
    for (const char *line = strstr(head, "\r\n"); line != NULL; line = strstr(line + 2, "\r\n"))
        if (strncasecmp(line + 2, name, strlen(name)) == 0 && line[2 + strlen(name)] == ':')
            return line + 3 + strlen(name) + strspn(line + 3 + strlen(name), " ");
    return none;
}

/* One request of a connection; 0 where it is to be closed. */
static int serve_one(worker *self, int client, size_t *held) {
    char *text = self->text, *end;
    for (;;) {
        text[*held] = '\0';
        if ((end = strstr(text, "\r\n\r\n")) != NULL) break;
        ssize_t more = *held < MOST_BYTES ? recv(client, text + *held, MOST_BYTES - *held, 0) : 0;
        if (more <= 0) return 0;
        *held += (size_t)more;
    }
    *end = '\0';
    long size = strtol(header(text, "Content-Length", "0"), NULL, 10);
    int keep = strncasecmp(header(text, "Connection", ""), "close", 5) != 0;
    char *body = end + 4;
    atomic_fetch_add(&requests, 1);
    if (size < 0 || size > MOST_BYTES - (body - text)) return refuse(client, "413 Content Too Large", "too long", 0);
    while ((size_t)(body - text) + (size_t)size > *held) {
        ssize_t more = recv(client, text + *held, MOST_BYTES - *held, 0);
        if (more <= 0) return 0;
        *held += (size_t)more;
    }
    body[size] = '\0';
    *held = 0; /* a client waits for an answer before it asks again */
    if (strncmp(text, "GET /health ", 12) == 0) return answer(client, "200 OK", "text/plain", "ok\n", keep);
    if (strncmp(text, "GET /metrics ", 13) == 0) return metrics(client, keep);
    if (strncmp(text, "POST /predict ", 14) == 0) return predict(self, client, body, keep);
    return refuse(client, "404 Not Found", "POST /predict, GET /health, GET /metrics", keep);
}

static void *work(void *given) {
    worker *self = given;
    const struct timeval wait = {WAIT_SECONDS, 0};
    for (;;) {
        int client = accept(self->listener, NULL, NULL);
        if (client < 0) {
            if (errno == EINTR || errno == ECONNABORTED) continue;
            return NULL;
        }
        setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
        size_t held = 0;
        while (serve_one(self, client, &held)) {}
        close(client);
    }
}

int main(int count, char **words) {
    int port = count > 1 ? atoi(words[1]) : 8080, workers = count > 2 ? atoi(words[2]) : 2, one = 1;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(getenv("SERVER_PUBLIC") != NULL ? INADDR_ANY : INADDR_LOOPBACK);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 64) != 0) return perror("server"), 1;
    getsockname(listener, (struct sockaddr *)&address, &size);
    signal(SIGPIPE, SIG_IGN);
    printf("http://127.0.0.1:%d\n", ntohs(address.sin_port));
    fflush(stdout);
    for (int k = 0; k < workers; k++) {
        worker *self = malloc(sizeof *self);
        size_t needed = digits_memory(NULL);
        *self = (worker){listener, digits_create(malloc(needed), needed), malloc(MOST_BYTES + 1)};
        pthread_t thread;
        if (self->model == NULL || pthread_create(&thread, NULL, work, self) != 0) return 1;
    }
    pause();
    return 0;
}
