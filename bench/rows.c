/* SPDX-License-Identifier: MIT */
/* Prints rows, by their columns, as text and as JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "app/json.h"
#include "bench/harness.h"

#define BASE(member) BENCH_ROW(struct bench_row, member)

/* Members that the JSON of every row has, where they are known. */
static const struct bench_column common[] = {
        {.key = "backend", .field = BASE(backend)},
        {.key = "device", .field = BASE(device)},
        {.key = "precision", .field = BASE(precision)},
        {.key = "n", .field = BASE(n)},
        {.key = "seconds", .field = BASE(timing.seconds)},
        {.key = "seconds_least", .field = BASE(timing.least)},
        {.key = "repeats", .field = BASE(timing.repeats)},
        {.key = "interactions_per_s", .field = BASE(rate)},
        {.key = "threads", .field = BASE(threads)},
        {.key = "file", .field = BENCH_OPTION(struct bench_options, file)},
        {0}};

static const struct bench_column of_errors[] = {
        {.key = "err_median", .field = BASE(errors.median)},
        {.key = "err_p99", .field = BASE(errors.p99)},
        {.key = "err_max", .field = BASE(errors.max)},
        {.key = "err_rms", .field = BASE(errors.rms)},
        {.key = "err_l2", .field = BASE(errors.l2)},
        {.key = "err_particles", .field = BASE(errors.particles)},
        {0}};

/* ---- rows ---------------------------------------------------------------- */

void
bench_start(struct bench *b, const struct bench_table *table, unsigned view)
{
    struct bench_output *o = b->output;
    if (o->table != table) {
        free(o->rows);
        o->rows = NULL;
        o->n = o->capacity = 0;
    }
    if (o->table && !b->options->json && !o->fresh) putchar('\n');
    o->table = table;
    o->view = view;
    o->fresh = true;
}

void
bench_view(struct bench *b, unsigned view)
{
    if (b->output->fresh) b->output->view = view;
}

struct bench_row
bench_row(const struct bench *b, size_t n)
{
    struct bench_row row = {.n = n,
                            .n_i = n,
                            .threads = koshu_context_threads(b->context),
                            .precision =
                                    koshu_precision_name(b->options->precision),
                            .timing = {.seconds = NAN, .least = NAN},
                            .errors = {.median = NAN,
                                       .p99 = NAN,
                                       .max = NAN,
                                       .rms = NAN,
                                       .l2 = NAN},
                            .interactions = (double)n * (double)n};
    struct koshu_backend *backend;
    if (koshu_backend_of(b->context, &backend) != KOSHU_OK) return row;
    snprintf(row.backend, sizeof row.backend, "%s", backend->ops->name);
    snprintf(row.device, sizeof row.device, "%s", backend->device);
    return row;
}

static koshu_status
keep(struct bench *b, const void *row)
{
    struct bench_output *o = b->output;
    const size_t size = o->table->row_size;
    if (o->n == o->capacity) {
        const size_t capacity = 2 * o->capacity + 16;
        char *rows = reallocarray(o->rows, capacity, size);
        if (!rows)
            return koshu_fail_memory(b->context, capacity * size, "rows");
        o->rows = rows;
        o->capacity = capacity;
    }
    memcpy(o->rows + o->n++ * size, row, size);
    return KOSHU_OK;
}

const void *
bench_row_at(const struct bench *b, size_t k)
{
    return b->output->rows + k * b->output->table->row_size;
}

const void *
bench_first_of(const struct bench *b, size_t n)
{
    for (size_t k = 0; k < b->output->n; k++) {
        const struct bench_row *row = bench_row_at(b, k);
        if (row->n == n) return row;
    }
    return NULL;
}

/* ---- values -------------------------------------------------------------- */

static json_t *
real(double x)
{
    if (isnan(x)) return NULL;
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *
text(const char *s)
{
    return s && s[0] ? json_string(s) : NULL;
}

json_t *
bench_value(const struct bench *b, const struct field *f, const void *row)
{
    const void *at = (const char *)(f->of_options ? b->own : row) + f->offset;
    switch (f->type) {
    case FIELD_FLAG: return json_boolean(*(const bool *)at);
    case FIELD_INT: return json_integer(*(const int *)at);
    case FIELD_SIZE: return json_integer((json_int_t) * (const size_t *)at);
    case FIELD_REAL: return real(*(const double *)at);
    case FIELD_TEXT: return text(*(const char *const *)at);
    case FIELD_CHARS: return text(at);
    case FIELD_PRINTED: return real(bench_printed(b, f->printed, row));
    default: return NULL;
    }
}

/* ---- text ---------------------------------------------------------------- */

enum { CELL = 64 };

static bool
is_shown(const struct bench *b, const struct bench_column *c)
{
    return c->heading && (c->views == 0 || (c->views & b->output->view));
}

static bool
is_last(const struct bench_column *c)
{
    return !c->key && !c->heading;
}

static void
print_cell(const struct bench *b, const struct bench_column *c, const void *row,
           char cell[CELL])
{
    json_t *value = bench_value(b, &c->field, row);
    const double scale = c->scale != 0 ? c->scale : 1;
    if (json_is_real(value))
        snprintf(cell, CELL, c->format, scale * json_real_value(value));
    else if (json_is_integer(value))
        snprintf(cell, CELL, c->format, json_integer_value(value));
    else if (json_is_string(value))
        snprintf(cell, CELL, c->format, json_string_value(value));
    else if (json_is_null(value) && c->field.type != FIELD_PRINTED)
        snprintf(cell, CELL, "inf");
    else
        snprintf(cell, CELL, "-");
    json_decref(value);
}

/* The width of a column: of its heading, or of its format. */
static int
width_of(const struct bench_column *c)
{
    const char *format = c->format ? c->format : "";
    const int heading = (int)strlen(c->heading),
              width = atoi(format + strspn(format, "%-+")) +
                      (strstr(format, "%%") != NULL);
    return width > heading ? width : heading;
}

static void
print_line(const struct bench *b, const void *row)
{
    const char *between = "";
    for (const struct bench_column *c = b->output->table->columns; !is_last(c);
         c++) {
        char cell[CELL];
        if (!is_shown(b, c)) continue;
        if (row && c->format)
            print_cell(b, c, row, cell);
        else
            snprintf(cell, CELL, "%s", c->heading);
        const bool left = c->format && strncmp(c->format, "%-", 2) == 0;
        printf("%s%*s", between, left ? -width_of(c) : width_of(c), cell);
        between = " ";
    }
    putchar('\n');
    fflush(stdout);
}

/* Prints what the papers' tables are whose columns this view shows. */
static void
print_legends(const struct bench *b)
{
    const char *before = "";
    for (const struct bench_column *c = b->output->table->columns; !is_last(c);
         c++) {
        if (!is_shown(b, c) || c->field.type != FIELD_PRINTED) continue;
        const char *legend = bench_paper_legend(b, c->field.printed);
        if (legend[0] && strcmp(legend, before) != 0) printf("%s\n", legend);
        before = legend;
    }
}

/* "dt = 0.25", for settings that are in JSON and shown in the head. */
static void
print_setting(const struct bench *b, const struct bench_column *c,
              const struct bench_row *first)
{
    json_t *value = bench_value(b, &c->field, first);
    if (json_is_true(value))
        printf(", %s", c->key);
    else if (json_is_number(value))
        printf(", %s = %g", c->key, json_number_value(value));
    else if (json_is_string(value))
        printf(", %s = %s", c->key, printable(json_string_value(value)));
    json_decref(value);
}

static void
print_subject(const struct bench *b, const struct bench_row *first)
{
    const struct bench_options *o = b->options;
    const char *own = b->output->table->particles;
    if (own)
        printf("%s", own);
    else if (o->file)
        printf("particles of '%s'", printable(o->file));
    else
        printf("%s", koshu_model_name(o->model));
    printf(", %s precision", first->precision);
}

static void
print_head(const struct bench *b, const struct bench_row *first)
{
    const struct bench_table *table = b->output->table;
    if (table->title) {
        printf("%s\n", table->title);
        if (first->n > 0) print_subject(b, first);
        for (const struct bench_column *c = table->columns; !is_last(c); c++)
            if (c->views & BENCH_HEAD) print_setting(b, c, first);
        printf("%sbackend %s: %s\n", first->n > 0 ? "\n" : "", first->backend,
               first->device);
    }
    if (first->errors.particles > 0)
        printf("errors: relative, of as many particles, %s in double\n",
               b->box > 0 ? "Ewald sums" : "ref");
    print_legends(b);
    putchar('\n');
    print_line(b, NULL);
}

void
bench_show_again(struct bench *b, unsigned view)
{
    if (b->options->json || b->output->n == 0) return;
    b->output->view = view;
    putchar('\n');
    print_head(b, bench_row_at(b, 0));
    for (size_t k = 0; k < b->output->n; k++) print_line(b, bench_row_at(b, k));
}

/* ---- JSON ---------------------------------------------------------------- */

/* Adds a value as "a.b": b of the object a, which is created if necessary. */
static void
set(json_t *object, const char *key, json_t *value)
{
    const char *dot = strchr(key, '.');
    char name[CELL];
    if (!value) return;
    if (!dot) {
        json_object_set_new(object, key, value);
        return;
    }
    snprintf(name, sizeof name, "%.*s", (int)(dot - key), key);
    json_t *inner = json_object_get(object, name);
    if (!inner) json_object_set_new(object, name, inner = json_object());
    json_object_set_new(inner, dot + 1, value);
}

static void
set_columns(const struct bench *b, const struct bench_column *columns,
            const void *row, json_t *object)
{
    for (const struct bench_column *c = columns; !is_last(c); c++)
        if (c->key) set(object, c->key, bench_value(b, &c->field, row));
}

static koshu_status
print_object(const struct bench *b, const struct bench_row *row)
{
    const struct bench_table *table = b->output->table;
    json_t *object = json_object();
    set(object, "bench", text(table->name ? table->name : b->which->name));
    set_columns(b, common, row, object);
    for (int k = 0; k < 2 && table->flops[k] > 0; k++) {
        char key[CELL];
        snprintf(key, sizeof key, "gflops_%d", table->flops[k]);
        set(object, key, real(row->gflops[k]));
    }
    set_columns(b, table->columns, row, object);
    if (row->errors.particles > 0) set_columns(b, of_errors, row, object);
    KOSHU_TRY(print_json(b->context, object));
    fflush(stdout);
    return KOSHU_OK;
}

koshu_status
bench_add(struct bench *b, void *row)
{
    struct bench_row *r = row;
    r->rate = r->interactions / r->timing.seconds;
    for (int k = 0; k < 2; k++)
        r->gflops[k] = 1e-9 * b->output->table->flops[k] * r->rate;
    KOSHU_TRY(keep(b, row));
    if (b->options->json)
        return b->output->table->text_only ? KOSHU_OK : print_object(b, row);
    if (b->output->view == BENCH_HIDDEN) return KOSHU_OK;
    if (b->output->fresh) print_head(b, row);
    b->output->fresh = false;
    print_line(b, row);
    return KOSHU_OK;
}
