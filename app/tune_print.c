/* SPDX-License-Identifier: MIT */
/* koshu tune: table, JSON, picture. */
#include <stdio.h>
#include <stdlib.h>

#include "app.h"
#include "json.h"
#include "tune.h"

static double
rate(const struct koshu_tune_row *row)
{
    return (double)row->n * (double)row->n / row->seconds;
}

static const char *
shared_text(int percent, char text[16])
{
    if (percent < 0) return "driver";
    snprintf(text, 16, "%d %%", percent);
    return text;
}

static void
print_row(const struct koshu_tune_row *row)
{
    const struct koshu_shape *s = row->shape;
    char name[KOSHU_SHAPE_NAME], shared[16];
    printf("%-7s %7zu %c %-7s %7d %6d %10d %6d %7s %10.3e %10.3e %8.1e%s  %s\n",
           koshu_shape_set_name(row->set), row->n, row->best ? '*' : ' ',
           s->kernel, s->threads * s->groups, s->unroll, s->per_thread,
           s->blocks, shared_text(row->shared_memory, shared), row->seconds,
           rate(row), row->error, row->right ? "" : "!",
           koshu_tune_choice(row, name));
}

static void
print_shapes(const struct koshu_tune_table *table, bool all)
{
    printf("Plummer spheres, eps = 0.1, acceleration + potential; errors: "
           "largest |a - a_ref| / max(|a_ref|, max |a_ref| / 10),\nref in "
           "double on the device; *: "
           "the fastest; !: not used, error above what is promised\n\n"
           "%-7s %7s   %-7s %7s %6s %10s %6s %7s %10s %10s %8s  %s\n",
           "set", "N", "kernel", "threads", "unroll", "i / thread", "blocks",
           "shared", "seconds", "pairs/s", "err_max", "shape");
    for (size_t r = 0; r < table->n_rows; r++)
        if (all || table->rows[r].best) print_row(&table->rows[r]);
}

enum { N_EXCHANGES = KOSHU_EXCHANGES - KOSHU_EXCHANGE_SEND_SYNC };

/* Prints the rows of one set and N as a line. */
static void
print_exchange(const struct koshu_tune_row row[N_EXCHANGES])
{
    const double send = row[0].seconds, receive = row[1].seconds;
    printf("%-7s %7zu", koshu_shape_set_name(row->set), row->n);
    for (int e = 0; e < N_EXCHANGES; e++) printf(" %10.3e", rate(&row[e]));
    printf(" %10.3f", receive / send);
    for (int e = 0; e < N_EXCHANGES; e++)
        if (row[e].best) printf("  %s\n", koshu_tune_choice(&row[e], NULL));
}

static void
print_exchanges(const struct koshu_tune_table *table)
{
    printf("Plummer spheres, eps = 0.1, acceleration + potential; pairs/s "
           "of each exchange (Miki et al. 2013, Fig. 5)\n\n"
           "%-7s %7s %10s %10s %10s %10s  %s\n",
           "set", "N", "send-sync", "sync-recv", "mutual", "send/recv",
           "fastest");
    for (size_t r = 0; r < table->n_rows; r += N_EXCHANGES)
        print_exchange(&table->rows[r]);
}

void
tune_print(const struct koshu_backend *backend,
           const struct koshu_tune_table *table, bool all)
{
    printf("%s\n", koshu_tune_device(backend));
    if (backend->group_model[0])
        print_exchanges(table);
    else
        print_shapes(table, all);
}

/* ---- JSON ---------------------------------------------------------------- */

static json_t *
exchange_json(const char *device, const struct koshu_tune_row *row)
{
    return json_pack("{s:s, s:s, s:I, s:s, s:f, s:f, s:b}", "device", device,
                     "precision", koshu_shape_set_name(row->set), "n",
                     (json_int_t)row->n, "exchange",
                     koshu_tune_choice(row, NULL), "seconds", row->seconds,
                     "interactions_per_s", rate(row), "best", (int)row->best);
}

static json_t *
shape_json(const char *device, const struct koshu_tune_row *row)
{
    const struct koshu_shape *s = row->shape;
    char name[KOSHU_SHAPE_NAME];
    return json_pack(
            "{s:s, s:s, s:I, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:f, s:f, "
            "s:f, s:b, s:b}",
            "device", device, "precision", koshu_shape_set_name(row->set), "n",
            (json_int_t)row->n, "shape", koshu_tune_choice(row, name), "kernel",
            s->kernel, "threads", s->threads * s->groups, "unroll", s->unroll,
            "i_per_thread", s->per_thread, "blocks", s->blocks, "shared_memory",
            row->shared_memory, "seconds", row->seconds, "interactions_per_s",
            rate(row), "err_max", row->error, "right", (int)row->right, "best",
            (int)row->best);
}

koshu_status
tune_print_json(const struct koshu_backend *backend,
                const struct koshu_tune_table *table)
{
    const char *device = koshu_tune_device(backend);
    for (size_t r = 0; r < table->n_rows; r++) {
        const struct koshu_tune_row *row = &table->rows[r];
        KOSHU_TRY(print_json(backend->context,
                             row->shape ? shape_json(device, row)
                                        : exchange_json(device, row)));
    }
    return KOSHU_OK;
}

/* ---- picture ------------------------------------------------------------ */

/* Appends the pairs of a set's rows; returns how many. */
static size_t
collect(const struct koshu_tune_table *table, unsigned set, bool best_only,
        double *pairs)
{
    size_t n = 0;
    for (size_t r = 0; r < table->n_rows; r++) {
        const struct koshu_tune_row *row = &table->rows[r];
        if (row->set != set || (best_only && !row->best)) continue;
        pairs[2 * n] = (double)row->n;
        pairs[2 * n++ + 1] = rate(row);
    }
    return n;
}

koshu_status
tune_plot(const struct koshu_backend *backend,
          const struct koshu_tune_table *table, const char *path)
{
    struct koshu_rates panels[KOSHU_SHAPE_SETS];
    struct koshu_curve curves[KOSHU_SHAPE_SETS][2];
    size_t n_panels = 0;
    double *pairs = reallocarray(NULL, 4 * table->n_rows + 1, sizeof *pairs);
    if (!pairs)
        return koshu_fail_memory(backend->context,
                                 4 * table->n_rows * sizeof *pairs,
                                 "points of a picture");
    double *next = pairs;
    for (unsigned set = 0; set < KOSHU_SHAPE_SETS; set++) {
        struct koshu_curve *c = curves[n_panels];
        c[0] = (struct koshu_curve){"each shape", KOSHU_CURVE_DOTS, 0, next};
        next += 2 * (c[0].n = collect(table, set, false, next));
        c[1] = (struct koshu_curve){"fastest", KOSHU_CURVE_LINE, 0, next};
        next += 2 * (c[1].n = collect(table, set, true, next));
        panels[n_panels] =
                (struct koshu_rates){koshu_shape_set_name(set), 2, c};
        if (c[1].n > 0) n_panels++;
    }
    koshu_status status =
            koshu_picture_rates(backend->context, backend->model, NULL,
                                "interactions / s", panels, n_panels, path);
    free(pairs);
    return status;
}
