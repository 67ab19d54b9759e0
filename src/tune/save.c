/* SPDX-License-Identifier: MIT */
/* Writes the best rows of a study to the user's file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <jansson.h>

#include "base/base.h"
#include "io/io.h"
#include "tune/tune.h"

/* Creates missing directories above the last name of the path. */
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

const char *
koshu_tune_device(const struct koshu_backend *backend)
{
    return backend->group_model[0] ? backend->group_model : backend->model;
}

const char *
koshu_tune_choice(const struct koshu_tune_row *row, char *text)
{
    if (!row->shape) return koshu_exchange_name((enum koshu_exchange)row->k);
    koshu_shape_name(row->shape, text);
    return text;
}

/* The best rows as entries of the file. */
static json_t *
make_entries(const struct koshu_backend *backend,
             const struct koshu_tune_table *table)
{
    json_t *entries = json_array();
    for (size_t r = 0; r < table->n_rows; r++) {
        const struct koshu_tune_row *row = &table->rows[r];
        char name[KOSHU_SHAPE_NAME];
        if (!row->best) continue;
        json_array_append_new(
                entries,
                json_pack("{s:s, s:s, s:I, s:s, s:i, s:f}", "device",
                          koshu_tune_device(backend), "precision",
                          koshu_shape_set_name(row->set), "n",
                          (json_int_t)row->n, "shape",
                          koshu_tune_choice(row, name), "shared_memory",
                          row->shared_memory, "seconds", row->seconds));
    }
    return entries;
}

/* Does one of the entries replace this old one? */
static bool
is_replaced(const json_t *old, const json_t *entries)
{
    static const char *const keys[] = {"device", "precision", "n"};
    for (size_t k = 0; k < json_array_size(entries); k++) {
        const json_t *entry = json_array_get(entries, k);
        int same = 0;
        for (int key = 0; key < 3; key++)
            same += json_equal(json_object_get(old, keys[key]),
                               json_object_get(entry, keys[key]));
        if (same == 3) return true;
    }
    return false;
}

/* The entries of the file that stay; an empty list if it cannot be read. */
static json_t *
read_kept(const char *path, const json_t *entries)
{
    json_t *root = json_load_file(path, 0, NULL);
    json_t *old = NULL, *kept = json_array();
    if (koshu_tuning_is_valid(root)) old = json_object_get(root, "shapes");
    for (size_t k = 0; k < json_array_size(old); k++)
        if (!is_replaced(json_array_get(old, k), entries))
            json_array_append(kept, json_array_get(old, k));
    json_decref(root);
    return kept;
}

/* Writes the file; takes ownership of `shapes`. */
static koshu_status
write_shapes(struct koshu_context *context, json_t *shapes, const char *path)
{
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
    struct koshu_context *context = backend->context;
    if (!koshu_tuning_path(path, size))
        return koshu_fail(context, KOSHU_ERROR_NOT_FOUND,
                          "no place for the winners: set XDG_CACHE_HOME or "
                          "HOME to a directory");
    KOSHU_TRY(make_directories(context, path));
    json_t *entries = make_entries(backend, table);
    json_t *shapes = read_kept(path, entries);
    json_array_extend(shapes, entries);
    json_decref(entries);
    return write_shapes(context, shapes, path);
}
