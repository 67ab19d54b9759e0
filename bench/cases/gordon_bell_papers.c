/* SPDX-License-Identifier: MIT */
/* The numbers that papers give for their own runs, as rows beside koshu's. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/cases/gordon_bell.h"
#include "bench/harness.h"

static const struct winner {
    int year;
    const char *whose, *device;
} winners[] = {
        {1997, "Warren & al. 1997", "Loki and Hyglac, Pentium Pro"},
        {1998, "Warren & al. 1998", "Avalon, Alpha"},
        {1999, "Kawai & al. 1999", "GRAPE-5"},
        {2006, "Kawai & Fukushige 2006", "reconfigurable add-in card"},
        {2009, "Hamada & al. 2009", "256 GPUs, 128 PCs"},
        {2010, "Hamada & Nitadori 2010", "DEGIMA: 576 GPUs GT200, 144 PCs"},
};

/* Reads a number; NaN: the paper does not have it. */
static double
number_of(const struct koshu_table *t, size_t k, const char *name)
{
    for (size_t c = 0; c < t->n_columns; c++)
        if (strcmp(t->names[c], name) == 0)
            return t->values[k * t->n_columns + c];
    return NAN;
}

static void
name_row(int year, struct gordon_bell_row *row)
{
    snprintf(row->whose, sizeof row->whose, "%d", year);
    for (size_t k = 0; k < sizeof winners / sizeof winners[0]; k++) {
        const struct winner *w = &winners[k];
        if (w->year != year) continue;
        snprintf(row->whose, sizeof row->whose, "%s", w->whose);
        snprintf(row->base.device, sizeof row->base.device, "%s", w->device);
    }
}

static void
fill(const struct koshu_table *t, size_t k, struct gordon_bell_row *row)
{
    const double n = number_of(t, k, "n"), steps = number_of(t, k, "steps");
    row->base.n = isfinite(n) ? (size_t)n : 0;
    row->particles = n;
    row->base.interactions = number_of(t, k, "interactions") / steps;
    row->base.timing.seconds = number_of(t, k, "seconds") / steps;
    row->list_length = row->base.interactions / n;
    row->barnes_hut_length =
            number_of(t, k, "corrected_interactions") / steps / n;
    row->gflops = number_of(t, k, "gflops");
    row->corrected = number_of(t, k, "corrected_gflops");
    row->watts = number_of(t, k, "watts");
    row->price = number_of(t, k, "price");
    gordon_bell_divide(row);
    row->price_per_gflops = number_of(t, k, "price_per_gflops");
    row->mflops_per_dollar = 1e3 / row->price_per_gflops;
}

koshu_status
gordon_bell_papers(struct bench *b)
{
    const struct koshu_table *t = bench_paper_table(b, GORDON_BELL_TABLE);
    for (size_t k = 0; t && k < t->n_rows; k++) {
        struct gordon_bell_row row = {.base = bench_row(b, 0)};
        row.base.backend[0] = row.base.device[0] = '\0';
        row.base.precision = NULL;
        row.base.threads = 0;
        row.theta = row.alpha = NAN;
        row.joules_processors = row.joules_gpus = NAN;
        name_row((int)number_of(t, k, "year"), &row);
        fill(t, k, &row);
        KOSHU_TRY(bench_add(b, &row));
    }
    return KOSHU_OK;
}
