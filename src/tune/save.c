/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <jansson.h>

#include "base/base.h"
#include "io/io.h"
#include "tune/tune.h"

/* The directories above the last name, as far as they are missing. */
static koshu_status
make_directories(struct koshu_context *context, char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const int made = mkdir(path, 0700);
        const bool failed = made != 0 && errno != EEXIST;
        koshu_status status =
                failed ? koshu_fail_errno(context, KOSHU_ERROR_IO,
                                          "cannot make the directory '%s'",
                                          path)
                       : KOSHU_OK;
        *slash = '/';
        KOSHU_TRY(status);
    }
    return KOSHU_OK;
}

static bool
is_text(const json_t *entry, const char *key, const char *text)
{
    const char *value = json_string_value(json_object_get(entry, key));
    return value && strcmp(value, text) == 0;
}

/* What was found, as an entry of the file. */
struct winner {
    const char *device;
    enum koshu_shape_set set;
    size_t n;
    char shape[KOSHU_SHAPE_NAME];
    int shared_memory;
    double seconds;
};

struct winners {
    size_t n;
    struct winner of[KOSHU_SHAPE_SETS * KOSHU_SIZE_CLASSES];
};

/* Is one of them about what this old entry is about? */
static bool
is_replaced(const json_t *entry, const struct winners *winners)
{
    const json_int_t n = json_integer_value(json_object_get(entry, "n"));
    for (size_t k = 0; k < winners->n; k++) {
        const struct winner *w = &winners->of[k];
        if ((json_int_t)w->n == n && is_text(entry, "device", w->device) &&
            is_text(entry, "precision", koshu_shape_set_name(w->set)))
            return true;
    }
    return false;
}

/* What the file says so far that stays; an empty list where it says nothing
 * that can be read. */
static json_t *
read_kept(const char *path, const struct winners *winners)
{
    json_t *root = json_load_file(path, 0, NULL);
    json_t *old = NULL, *kept = json_array();
    if (koshu_tuning_is_valid(root)) old = json_object_get(root, "shapes");
    for (size_t k = 0; k < json_array_size(old); k++)
        if (!is_replaced(json_array_get(old, k), winners))
            json_array_append(kept, json_array_get(old, k));
    json_decref(root);
    return kept;
}

static json_t *
make_entry(const struct winner *w)
{
    return json_pack("{s:s, s:s, s:I, s:s, s:i, s:f}", "device", w->device,
                     "precision", koshu_shape_set_name(w->set), "n",
                     (json_int_t)w->n, "shape", w->shape, "shared_memory",
                     w->shared_memory, "seconds", w->seconds);
}

static koshu_status
save(struct koshu_context *context, const struct winners *winners, char *path,
     size_t size)
{
    if (!koshu_tuning_path(path, size))
        return koshu_fail(context, KOSHU_ERROR_NOT_FOUND,
                          "no place for the winners: set XDG_CACHE_HOME or "
                          "HOME to a directory");
    KOSHU_TRY(make_directories(context, path));
    json_t *shapes = read_kept(path, winners);
    for (size_t k = 0; k < winners->n; k++)
        json_array_append_new(shapes, make_entry(&winners->of[k]));
    json_t *root = json_pack("{s:o}", "shapes", shapes);
    char *text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    koshu_status status =
            text ? koshu_file_write_whole(context, path, text, strlen(text))
                 : koshu_fail_memory(context, 0, "text of the winners");
    free(text);
    json_decref(root);
    return status;
}

koshu_status
koshu_tune_save(const struct koshu_backend *backend,
                const struct koshu_tune_table *table, char *path, size_t size)
{
    struct winners winners = {0};
    for (size_t r = 0; r < table->n_rows; r++) {
        const struct koshu_tune_row *row = &table->rows[r];
        if (!row->best) continue;
        struct winner *w = &winners.of[winners.n++];
        *w = (struct winner){.device = backend->model,
                             .set = row->set,
                             .n = row->n,
                             .shared_memory = row->shared_memory,
                             .seconds = row->seconds};
        koshu_shape_name(row->shape, w->shape);
    }
    return save(backend->context, &winners, path, size);
}

koshu_status
koshu_tune_save_exchanges(const struct koshu_backend *backend,
                          const struct koshu_exchange_table *table, char *path,
                          size_t size)
{
    struct winners winners = {0};
    for (size_t r = 0; r < table->n_rows; r++) {
        const struct koshu_exchange_row *row = &table->rows[r];
        struct winner *w = &winners.of[winners.n++];
        *w = (struct winner){.device = backend->group_model,
                             .set = row->set,
                             .n = row->n,
                             .shared_memory = -1,
                             .seconds = row->seconds[row->best]};
        snprintf(w->shape, sizeof w->shape, "%s",
                 koshu_exchange_name(row->best));
    }
    return save(backend->context, &winners, path, size);
}
