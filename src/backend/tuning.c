/* SPDX-License-Identifier: MIT */
/* Names of shapes, and the user's file of the shapes that were found
 * fastest. */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "backend/backend.h"
#include "base/base.h"

size_t
koshu_size_of_class(unsigned size_class)
{
    return (size_t)1024 << size_class;
}

const char *
koshu_shape_set_name(unsigned set)
{
    static const char *const names[KOSHU_SHAPE_SETS] = {
            [KOSHU_SHAPES_FAST] = "fast",
            [KOSHU_SHAPES_SINGLE] = "single",
            [KOSHU_SHAPES_MIXED] = "mixed",
            [KOSHU_SHAPES_DOUBLE] = "double",
    };
    return set < KOSHU_SHAPE_SETS ? names[set] : NULL;
}

void
koshu_shape_name(const struct koshu_shape *s, char *text)
{
    char groups[16] = "";
    if (s->groups > 1) snprintf(groups, sizeof groups, "x%d", s->groups);
    snprintf(text, KOSHU_SHAPE_NAME, "%s t%d%s i%d u%d f%d b%d", s->kernel,
             s->threads, groups, s->per_thread, s->unroll, s->flush, s->blocks);
}

bool
koshu_tuning_select(struct koshu_backend *backend, enum koshu_shape_set set,
                    unsigned size_class, const char *name, int shared_memory)
{
    const struct koshu_shape *shape;
    char text[KOSHU_SHAPE_NAME];
    for (size_t k = 0; (shape = backend->ops->shape_at(set, k)); k++) {
        koshu_shape_name(shape, text);
        if (strcmp(text, name) != 0) continue;
        backend->ops->select_shape(backend, set, size_class, k, shared_memory);
        return true;
    }
    return false;
}

bool
koshu_tuning_path(char *path, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *below = "";
    if (!cache || cache[0] != '/') { /* XDG: relative paths are ignored */
        cache = getenv("HOME");
        below = "/.cache";
    }
    if (!cache || !cache[0]) return false;
    int n = snprintf(path, size, "%s%s/koshu/tune.json", cache, below);
    return n > 0 && (size_t)n < size;
}

/* ---- the file ------------------------------------------------------------ */

/* The set or class that an entry names; the number of sets or classes if it
 * names none. */
static unsigned
set_of(const char *name)
{
    unsigned set = 0;
    while (set < KOSHU_SHAPE_SETS &&
           strcmp(koshu_shape_set_name(set), name) != 0)
        set++;
    return set;
}

static unsigned
class_of(json_int_t n)
{
    unsigned c = 0;
    while (c < KOSHU_SIZE_CLASSES && (json_int_t)koshu_size_of_class(c) != n)
        c++;
    return c;
}

struct entry {
    const char *device, *precision, *shape;
    json_int_t n;
    int shared_memory;
};

static bool
read_entry(json_t *json, struct entry *e)
{
    return json_unpack(json, "{s:s, s:s, s:I, s:s, s:i}", "device", &e->device,
                       "precision", &e->precision, "n", &e->n, "shape",
                       &e->shape, "shared_memory", &e->shared_memory) == 0 &&
           e->shared_memory >= -1 && e->shared_memory <= 100;
}

bool
koshu_tuning_is_valid(const struct json_t *root)
{
    struct entry e;
    const json_t *shapes = json_object_get(root, "shapes");
    if (!json_is_array(shapes)) return false;
    for (size_t k = 0; k < json_array_size(shapes); k++)
        if (!read_entry(json_array_get(shapes, k), &e)) return false;
    return true;
}

/* Applies an entry. Entries of other devices, or of shapes that this build
 * lacks, are skipped. With several devices, entries name exchanges. */
static void
apply(struct koshu_backend *backend, const struct entry *e)
{
    const unsigned set = set_of(e->precision), c = class_of(e->n);
    if (set == KOSHU_SHAPE_SETS || c == KOSHU_SIZE_CLASSES) return;
    if (strcmp(e->device, backend->model) == 0)
        koshu_tuning_select(backend, (enum koshu_shape_set)set, c, e->shape,
                            e->shared_memory);
    if (!backend->ops->select_exchange ||
        strcmp(e->device, backend->group_model) != 0)
        return;
    enum koshu_exchange scheme;
    if (koshu_exchange_find(NULL, e->shape, &scheme) == KOSHU_OK)
        backend->ops->select_exchange(backend, (enum koshu_shape_set)set, c,
                                      scheme);
}

static void
apply_all(struct koshu_backend *backend, const json_t *root)
{
    struct entry e;
    const json_t *shapes = json_object_get(root, "shapes");
    for (size_t k = 0; k < json_array_size(shapes); k++)
        if (read_entry(json_array_get(shapes, k), &e)) apply(backend, &e);
}

/* Warns once: a program may open the device repeatedly. */
static void
warn(struct koshu_context *context, const char *path)
{
    static atomic_flag warned = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&warned))
        koshu_log(context, KOSHU_LOG_LEVEL_WARNING,
                  "'%s' cannot be read and is ignored; `koshu tune` writes it "
                  "anew",
                  path);
}

void
koshu_tuning_apply(struct koshu_backend *backend)
{
    const char *wanted = getenv("KOSHU_TUNE");
    char path[4096];
    if (!backend->ops->shape_at || (wanted && strcmp(wanted, "off") == 0) ||
        !koshu_tuning_path(path, sizeof path))
        return;
    FILE *file = fopen(path, "re");
    if (!file && errno == ENOENT) return;
    json_t *root = file ? json_loadf(file, 0, NULL) : NULL;
    if (koshu_tuning_is_valid(root))
        apply_all(backend, root);
    else
        warn(backend->context, path);
    json_decref(root);
    if (file) fclose(file);
}
