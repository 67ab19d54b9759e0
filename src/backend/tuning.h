/* SPDX-License-Identifier: MIT */
/*
 * Shapes: the compiled instances of a kernel, which of them a backend uses for
 * which sizes, and the user's file of those that were found fastest.
 */
#ifndef KOSHU_BACKEND_TUNING_H
#define KOSHU_BACKEND_TUNING_H

#include <stdbool.h>
#include <stddef.h>

struct koshu_backend;

/* One compiled instance of a kernel. `threads` per group and `groups` per block
 * hold `per_thread` i-particles each; `flush`: number of j-particles (direct)
 * or rounds (mutual) after which sums are added up in double; `blocks`: per
 * multiprocessor at a time. */
struct koshu_shape {
    const char *kernel;
    int threads, groups, per_thread, unroll, flush, blocks;
};

/* Sums that have separate shapes. */
enum koshu_shape_set {
    KOSHU_SHAPES_FAST,
    KOSHU_SHAPES_SINGLE,
    KOSHU_SHAPES_MIXED,
    KOSHU_SHAPES_DOUBLE
};

enum {
    KOSHU_SHAPE_SETS = 4,
    /* class c: n nearest to 2^(10 + c); the first and last take the rest */
    KOSHU_SIZE_CLASSES = 11,
    KOSHU_SHAPE_NAME = 64
};

static inline unsigned
koshu_size_class(size_t n)
{
    unsigned c = 0;
    while (c + 1 < KOSHU_SIZE_CLASSES && n >= ((size_t)3 << (9 + c))) c++;
    return c;
}

#ifdef __cplusplus
extern "C" {
#endif

/* 2^(10 + size_class) */
size_t koshu_size_of_class(unsigned size_class);

/* "fast", "single", "mixed", "double"; NULL past the last. */
const char *koshu_shape_set_name(unsigned set);
/* Writes the name, like "direct t32x8 i4 u2 f32 b2", to text of
 * KOSHU_SHAPE_NAME. */
void koshu_shape_name(const struct koshu_shape *shape, char *text);

/* Selects the backend's shape of this name. Returns false if there is none. */
bool koshu_tuning_select(struct koshu_backend *backend,
                         enum koshu_shape_set set, unsigned size_class,
                         const char *name, int shared_memory);

/* $XDG_CACHE_HOME/koshu/tune.json, else that in ~/.cache. Returns false if
 * there is no home directory, or the path is longer than size. */
bool koshu_tuning_path(char *path, size_t size);

/* Is this valid content of that file: entries that name device, precision, n,
 * shape and shared memory? NULL is not. */
struct json_t;
bool koshu_tuning_is_valid(const struct json_t *root);

/*
 * Selects the shapes in the file at koshu_tuning_path() for the backend's
 * model, and exchanges for this many devices of it. Shapes that this build
 * lacks are skipped. With KOSHU_TUNE=off nothing is selected; an invalid file
 * is ignored with a warning, once per process.
 */
void koshu_tuning_apply(struct koshu_backend *backend);

#ifdef __cplusplus
}
#endif

#endif
