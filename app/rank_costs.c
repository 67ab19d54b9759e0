/* SPDX-License-Identifier: MIT */
/* Reads and writes files of costs. */
#include "rank_costs.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app.h"

koshu_status
costs_save(struct koshu_context *context, const char *path, json_t *root)
{
    struct koshu_file *out;
    char *text = json_dumps(root, JSON_INDENT(2) | JSON_PRESERVE_ORDER |
                                          JSON_REAL_PRECISION(9));
    json_decref(root);
    if (!text)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "cannot write the costs as JSON");
    koshu_status status = koshu_file_begin(context, path, &out);
    if (status == KOSHU_OK) {
        fprintf(out->stream, "%s\n", text);
        status = koshu_file_commit(out);
    }
    free(text);
    return status;
}

koshu_status
costs_load(struct koshu_context *context, const char *path, json_t **root)
{
    json_error_t error;
    *root = NULL;
    if (access(path, F_OK) != 0)
        return koshu_fail_errno(context, KOSHU_ERROR_NOT_FOUND, "'%s'", path);
    *root = json_load_file(path, 0, &error);
    if (*root) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT, "%s, line %d: %s", path,
                      error.line, error.text);
}

koshu_status
rank_costs_save(struct koshu_context *context, const char *path,
                const struct rank_costs_file *file)
{
    const struct koshu_rank_costs *c = &file->costs;
    json_t *object = json_pack(
            "{s:s, s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:i, s:I, "
            "s:b}",
            "device", file->device, "precision", file->precision, "ranks",
            file->ranks, "interaction_seconds", c->pair, "full_particles",
            c->full, "call_seconds", c->call, "sync_seconds", c->sync,
            "sync_doubling_seconds", c->sync_doubling, "message_seconds",
            c->message, "particle_seconds", c->particle, "streams", c->streams,
            "capacity", (json_int_t)c->capacity, "shared", (int)c->shared);
    return costs_save(context, path, object);
}

/* Can a prediction be made from these costs? */
static bool
usable(const struct koshu_rank_costs *c)
{
    const double all[] = {c->pair,          c->full,    c->call,    c->sync,
                          c->sync_doubling, c->message, c->particle};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        if (!(all[k] >= 0 && isfinite(all[k]))) return false;
    return c->pair > 0 && (c->streams == 1 || c->streams == 2);
}

koshu_status
rank_costs_unpack(struct koshu_context *context, const char *path, json_t *root,
                  struct rank_costs_file *file)
{
    struct koshu_rank_costs *c = &file->costs;
    const char *device, *precision;
    json_int_t capacity;
    json_error_t error;
    int shared = false; /* missing in some files */
    if (json_unpack_ex(
                root, &error, 0,
                "{s:s, s:s, s:i, s:F, s:F, s:F, s:F, s:F, s:F, s:F, s:i, s:I, "
                "s?b}",
                "device", &device, "precision", &precision, "ranks",
                &file->ranks, "interaction_seconds", &c->pair, "full_particles",
                &c->full, "call_seconds", &c->call, "sync_seconds", &c->sync,
                "sync_doubling_seconds", &c->sync_doubling, "message_seconds",
                &c->message, "particle_seconds", &c->particle, "streams",
                &c->streams, "capacity", &capacity, "shared", &shared) != 0)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s: %s; `koshu bench scaling --save` writes such a "
                          "file",
                          path, error.text);
    snprintf(file->device, sizeof file->device, "%s", device);
    snprintf(file->precision, sizeof file->precision, "%s", precision);
    c->shared = shared;
    c->capacity = capacity > 0 ? (size_t)capacity : SIZE_MAX;
    if (usable(c)) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "%s: a cost is negative, or interaction_seconds is not "
                      "above 0, or streams is neither 1 nor 2",
                      path);
}
