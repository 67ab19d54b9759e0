/* SPDX-License-Identifier: MIT */
/* koshu info of files that are not snapshots of particles: logs, tables,
 * flows, catalogues. */
#include "info_kind.h"

#include <stdio.h>
#include <string.h>

#include "json.h"
#include "rank_costs.h"
#include "tree_costs.h"

/* Prints such a file, as text or as JSON. */
static koshu_status
print_kind(struct koshu_context *context, const char *path, const char *kind,
           const char *more, bool json)
{
    if (json)
        return print_json(context, json_pack("{s:s,s:s,s:s}", "file", path,
                                             "kind", kind, "more", more));
    printf("%s\nkind        %s%s%s\n", printable(path), kind, *more ? ", " : "",
           printable(more));
    return KOSHU_OK;
}

/* The beginning of the file; "": it cannot be read, which a reader will
 * report. */
static void
read_head(const char *path, char *head, size_t size)
{
    FILE *file = fopen(path, "rb");
    memset(head, 0, size);
    if (!file) return;
    if (fread(head, 1, size - 1, file) == 0) head[0] = '\0';
    fclose(file);
}

static const char *
picture_kind(const char *head)
{
    if (memcmp(head, "\x89PNG\r\n\x1a\n", 8) == 0) return "picture (PNG)";
    if (strncmp(head, "%PDF-", 5) == 0) return "picture (PDF)";
    if (strncmp(head, "<?xml", 5) == 0 && strstr(head, "<svg"))
        return "picture (SVG)";
    return NULL;
}

static const char *
log_kind(const struct koshu_table *t)
{
    for (size_t c = 0; c < t->n_columns; c++) {
        if (strcmp(t->names[c], "energy_error") == 0) return "log of energies";
        if (strcmp(t->names[c], "bound_mass") == 0)
            return "log of a star cluster";
        if (strcmp(t->names[c], "err_median") == 0)
            return "log of the errors of forces";
        if (strcmp(t->names[c], "gflops_38") == 0) return "log of performance";
    }
    return "log";
}

static koshu_status
print_log(struct koshu_context *context, const char *path, bool json)
{
    struct koshu_table t;
    char more[128];
    size_t time;
    KOSHU_TRY(koshu_table_read(context, path, KOSHU_TABLE_LOG, &t));
    koshu_status status = koshu_table_find(context, &t, "time", &time);
    if (status == KOSHU_OK) {
        const double *last = t.values + (t.n_rows - 1) * t.n_columns;
        snprintf(more, sizeof more, "%zu row%s, t = %.9g ... %.9g%s%s",
                 t.n_rows, t.n_rows > 1 ? "s" : "", t.values[time], last[time],
                 *t.units[time] ? " " : "", t.units[time]);
        status = print_kind(context, path, log_kind(&t), more, json);
    }
    koshu_table_free(&t);
    return status;
}

static koshu_status
print_costs_of(struct koshu_context *context, const char *path, json_t *root,
               bool json)
{
    struct rank_costs_file direct;
    struct tree_costs_file tree;
    char more[256];
    const bool is_tree = tree_costs_are(root);
    KOSHU_TRY(is_tree ? tree_costs_unpack(context, path, root, &tree)
                      : rank_costs_unpack(context, path, root, &direct));
    const int ranks = is_tree ? tree.ranks : direct.ranks;
    snprintf(more, sizeof more, "%s, measured on %d rank%s",
             is_tree ? tree.device : direct.device, ranks,
             ranks > 1 ? "s" : "");
    return print_kind(context, path,
                      is_tree ? "costs of trees over ranks" : "costs of ranks",
                      more, json);
}

static koshu_status
print_costs(struct koshu_context *context, const char *path, bool json)
{
    json_t *root;
    KOSHU_TRY(costs_load(context, path, &root));
    const koshu_status status = print_costs_of(context, path, root, json);
    json_decref(root);
    return status;
}

static koshu_status
print_parameter_file(struct koshu_context *context, const char *path, bool json)
{
    struct koshu_parameters *p;
    const char *title = "";
    KOSHU_TRY(koshu_parameters_create(context, &p));
    koshu_status status = koshu_parameters_read(p, path);
    if (status == KOSHU_OK) status = koshu_parameters_get(p, "title", &title);
    if (status == KOSHU_OK)
        status = print_kind(context, path, "parameter file", title, json);
    koshu_parameters_destroy(p);
    return status;
}

/* The number of points of the grid, or of particles. */
static void
put_size(const struct koshu_flow_summary *s, char text[64])
{
    if (s->points > 0)
        snprintf(text, 64, "%llu^3 points", (unsigned long long)s->points);
    else
        snprintf(text, 64, "%llu particles", (unsigned long long)s->particles);
}

static koshu_status
print_flow_json(struct koshu_context *context, const char *path,
                const struct koshu_flow_summary *s, bool checkpoint)
{
    return print_json(context,
                      json_pack("{s:s,s:s,s:s,s:s,s:I,s:I,s:f,s:I,s:f,s:b}",
                                "file", path, "kind", "flow", "method", s->kind,
                                "program", s->program, "points",
                                (json_int_t)s->points, "particles",
                                (json_int_t)s->particles, "time", s->time,
                                "step", (json_int_t)s->step, "box_size", s->box,
                                "checkpoint", checkpoint));
}

static koshu_status
print_flow(struct koshu_context *context, const char *path,
           const struct koshu_flow_summary *s, bool json)
{
    char size[64];
    bool checkpoint;
    KOSHU_TRY(koshu_is_checkpoint(context, path, &checkpoint));
    if (json) return print_flow_json(context, path, s, checkpoint);
    put_size(s, size);
    printf("%s\nkind        flow, %s, %s\n", printable(path),
           printable(s->kind), size);
    if (s->program[0]) printf("written by  %s\n", printable(s->program));
    printf("time        %.9g\nstep        %llu\n", s->time,
           (unsigned long long)s->step);
    if (s->box > 0)
        printf("box size    %.9g\n", s->box);
    else
        printf("box size    0: free space\n");
    if (checkpoint)
        printf("checkpoint  yes (koshu run --restart goes on from it)\n");
    printf("parameters  yes (--parameters prints them)\n");
    return KOSHU_OK;
}

static koshu_status
info_flow(struct koshu_context *context, const char *path, bool json,
          bool *known)
{
    struct koshu_flow_summary s;
    KOSHU_TRY(koshu_flow_file_inspect(context, path, &s, known));
    return *known ? print_flow(context, path, &s, json) : KOSHU_OK;
}

static bool
ends_with(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

/* Of a flow more is printed. */
static koshu_status
info_output(struct koshu_context *context, const char *path, bool json,
            bool hdf5, bool *known)
{
    const struct koshu_other_output *other;
    if (hdf5) KOSHU_TRY(info_flow(context, path, json, known));
    if (*known) return KOSHU_OK;
    KOSHU_TRY(koshu_recognise_other(context, path, &other));
    *known = other;
    return other ? print_kind(context, path, other->kind, "", json) : KOSHU_OK;
}

koshu_status
info_other(struct koshu_context *context, const char *path, bool json,
           bool *known)
{
    char head[512];
    bool is_log = false;
    read_head(path, head, sizeof head);
    const char *picture = picture_kind(head);
    const bool costs = head[strspn(head, " \r\n\t")] == '{';
    const bool parameters = ends_with(path, ".yaml") || ends_with(path, ".yml");
    *known = true;
    if (picture) return print_kind(context, path, picture, "", json);
    if (costs) return print_costs(context, path, json);
    if (parameters && head[0]) return print_parameter_file(context, path, json);
    *known = false;
    if (!head[0]) return KOSHU_OK;
    KOSHU_TRY(info_output(context, path, json, memcmp(head, "\x89HDF", 4) == 0,
                          known));
    if (!*known) KOSHU_TRY(koshu_is_log(context, path, &is_log));
    if (!is_log) return KOSHU_OK;
    *known = true;
    return print_log(context, path, json);
}
