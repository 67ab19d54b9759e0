/* SPDX-License-Identifier: MIT */
/* The reader of tuning files: whatever a file holds, a backend only gets shapes
 * that it has, or none. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/backend.h"
#include "fuzz.h"

const char fuzz_name[] = "tuning";

enum { N_SHAPES = 2 };
static const struct koshu_shape shapes[N_SHAPES] = {
        {"direct", 32, 8, 4, 2, 32, 2}, {"mutual", 128, 1, 8, 2, 4, 3}};

static const struct koshu_shape *
shape_at(enum koshu_shape_set set, size_t k)
{
    (void)set;
    return k < N_SHAPES ? &shapes[k] : NULL;
}

static int calls;

static void
choose(struct koshu_backend *backend, enum koshu_shape_set set,
       unsigned size_class, size_t k, int shared_memory)
{
    (void)backend;
    calls++;
    if ((int)set >= KOSHU_SHAPE_SETS || size_class >= KOSHU_SIZE_CLASSES ||
        k >= N_SHAPES || shared_memory < -1 || shared_memory > 100)
        abort();
}

static void
choose_exchange(struct koshu_backend *backend, enum koshu_shape_set set,
                unsigned size_class, enum koshu_exchange scheme)
{
    (void)backend;
    calls++;
    if ((int)set >= KOSHU_SHAPE_SETS || size_class >= KOSHU_SIZE_CLASSES ||
        (int)scheme >= KOSHU_EXCHANGES)
        abort();
}

/* In this process's own cache. */
static const char *
tuning_file(void)
{
    static char path[128], folder[] = "/tmp/koshu-fuzz-XXXXXX";
    if (path[0]) return path;
    if (!mkdtemp(folder)) abort();
    setenv("XDG_CACHE_HOME", folder, 1);
    snprintf(path, sizeof path, "%s/koshu", folder);
    if (mkdir(path, 0700) != 0) abort();
    if (!koshu_tuning_path(path, sizeof path)) abort();
    return path;
}

int
fuzz_write_seed(int k, const char *path)
{
    static const char *const seeds[] = {
            "{\"shapes\": [{\"device\": \"GPU, 9.0\", \"precision\": "
            "\"mixed\", \"n\": 1024, \"shape\": \"direct t32x8 i4 u2 f32 "
            "b2\", \"shared_memory\": 100, \"seconds\": 0.001}]}\n",
            "{\"shapes\": [{\"device\": \"2 x GPU, 9.0\", \"precision\": "
            "\"single\", \"n\": 65536, \"shape\": \"mutual\", "
            "\"shared_memory\": -1, \"seconds\": 0.001}]}\n"};
    if (k > 1) return 0;
    FILE *f = fopen(path, "w");
    return f && fputs(seeds[k], f) >= 0 && fclose(f) == 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const struct koshu_backend_ops ops = {.name = "fake",
                                                 .shape_at = shape_at,
                                                 .select_shape = choose,
                                                 .select_exchange =
                                                         choose_exchange};
    struct koshu_backend backend = {
            .ops = &ops, .model = "GPU, 9.0", .group_model = "2 x GPU, 9.0"};
    FILE *f = fopen(tuning_file(), "w");
    if (!f || fwrite(bytes, 1, n, f) != n || fclose(f) != 0) abort();
    if (koshu_context_create(NULL, &backend.context) != KOSHU_OK) abort();
    static int inputs;
    koshu_tuning_apply(&backend);
    /* the first input is a seed, which must work */
    if (inputs++ == 0 && calls == 0) abort();
    koshu_context_destroy(backend.context);
    unlink(tuning_file());
    return 0;
}
