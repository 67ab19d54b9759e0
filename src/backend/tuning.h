/* SPDX-License-Identifier: MIT */
/*
 * Shapes: the compiled instances of a kernel, those that a backend uses for
 * which sizes, and the user's file of those that were found fastest.
 */
#ifndef KOSHU_BACKEND_TUNING_H
#define KOSHU_BACKEND_TUNING_H

#include <stdbool.h>
#include <stddef.h>

struct koshu_backend;

/* A kernel and its constants, one compiled instance: `threads` of a group and
 * `groups` of a block hold `per_thread` i-particles each; `flush`: after how
 * many j-particles (direct) or rounds (mutual) sums are added up in double;
 * `blocks`: on a multiprocessor at once. */
struct koshu_shape {
    const char *kernel;
    int threads, groups, per_thread, unroll, flush, blocks;
};

/* Sums that have shapes of their own. */
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
/* "direct t32x8 i4 u2 f32 b2" into text of KOSHU_SHAPE_NAME. */
void koshu_shape_name(const struct koshu_shape *shape, char *text);

/* Selects the backend's shape of this name. false: it has none. */
bool koshu_tuning_select(struct koshu_backend *backend,
                         enum koshu_shape_set set, unsigned size_class,
                         const char *name, int shared_memory);

/* $XDG_CACHE_HOME/koshu/tune.json, else that in ~/.cache. false: there is no
 * home, or its name is longer than size. */
bool koshu_tuning_path(char *path, size_t size);

/* Is this what that file holds: entries that name device, precision, n, shape
 * and shared memory? NULL is not. */
struct json_t;
bool koshu_tuning_is_valid(const struct json_t *root);

/*
 * Selects what the file at koshu_tuning_path() has for the backend's model,
 * and of exchanges for so many devices of it;
 * shapes that are not in this build are skipped. Nothing is selected where
 * KOSHU_TUNE=off; a file that is no such file is ignored with a warning, the
 * first time in a process.
 */
void koshu_tuning_apply(struct koshu_backend *backend);

#ifdef __cplusplus
}
#endif

#endif
