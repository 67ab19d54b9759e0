/* SPDX-License-Identifier: MIT */
#include <errno.h>
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
                failed ? koshu_fail_errno(context, KOSHU_IO,
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

/* Is there a new row for what this old entry is about? */
static bool
is_replaced(const json_t *entry, const char *model,
            const struct koshu_tune_table *table)
{
    if (!is_text(entry, "device", model)) return false;
    const json_int_t n = json_integer_value(json_object_get(entry, "n"));
    for (size_t r = 0; r < table->n_rows; r++) {
        const struct koshu_tune_row *row = &table->rows[r];
        if (row->best && (json_int_t)row->n == n &&
            is_text(entry, "precision", koshu_shape_set_name(row->set)))
            return true;
    }
    return false;
}

/* What the file says so far that stays; an empty list where it says nothing
 * that can be read. */
static json_t *
read_kept(const char *path, const char *model,
          const struct koshu_tune_table *table)
{
    json_t *root = json_load_file(path, 0, NULL);
    json_t *old = NULL, *kept = json_array();
    if (koshu_tuning_is_valid(root)) old = json_object_get(root, "shapes");
    for (size_t k = 0; k < json_array_size(old); k++)
        if (!is_replaced(json_array_get(old, k), model, table))
            json_array_append(kept, json_array_get(old, k));
    json_decref(root);
    return kept;
}

static json_t *
make_entry(const char *model, const struct koshu_tune_row *row)
{
    char name[KOSHU_SHAPE_NAME];
    koshu_shape_name(row->shape, name);
    return json_pack("{s:s, s:s, s:I, s:s, s:i, s:f}", "device", model,
                     "precision", koshu_shape_set_name(row->set), "n",
                     (json_int_t)row->n, "shape", name, "shared_memory",
                     row->shared_memory, "seconds", row->seconds);
}

static koshu_status
write_text(struct koshu_context *context, const char *path, const char *text)
{
    struct koshu_file *file;
    KOSHU_TRY(koshu_file_begin(context, path, &file));
    koshu_status status = koshu_file_write(file, text, strlen(text));
    if (status == KOSHU_OK) return koshu_file_commit(file);
    koshu_file_abandon(file);
    return status;
}

koshu_status
koshu_tune_save(const struct koshu_backend *backend,
                const struct koshu_tune_table *table, char *path, size_t size)
{
    struct koshu_context *context = backend->context;
    if (!koshu_tuning_path(path, size))
        return koshu_fail(context, KOSHU_NOT_FOUND,
                          "no place for the winners: set XDG_CACHE_HOME or "
                          "HOME to a directory");
    KOSHU_TRY(make_directories(context, path));
    json_t *shapes = read_kept(path, backend->model, table);
    for (size_t r = 0; r < table->n_rows; r++)
        if (table->rows[r].best)
            json_array_append_new(shapes,
                                  make_entry(backend->model, &table->rows[r]));
    json_t *root = json_pack("{s:o}", "shapes", shapes);
    char *text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    koshu_status status =
            text ? write_text(context, path, text)
                 : koshu_fail_memory(context, 0, "text of the winners");
    free(text);
    json_decref(root);
    return status;
}
