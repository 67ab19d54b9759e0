/* SPDX-License-Identifier: MIT */
/* Times a step of the spectral method. */
#include <math.h>
#include <stdio.h>

#include "bench/cases/turbulence.h"

struct row {
    struct bench_row base;
    size_t points;
    double rate; /* points per second */
};

static const struct bench_column columns[] = {
        {"points", "points", "%6lld", ROW(points)},
        BENCH_SHOW("ms", "%10.3f", timing.seconds, 0, 1e3),
        BENCH_SHOW("least", "%10.3f", timing.least, 0, 1e3),
        {"points_per_s", "points/s", "%10.3e", ROW(rate)},
        {0}};

static const struct bench_table table = {
        .name = "turbulence_step",
        .row_size = sizeof(struct row),
        .columns = columns,
};

/* Steps so short that the flow does not change; they take as long as any. */
static koshu_status
once(void *user)
{
    struct koshu_flow *f = user;
    return f->ops->step(f->state, 1e-6);
}

static koshu_status
measure(struct bench *b, struct koshu_flow *f)
{
    const struct turbulence_options *o = b->own;
    const size_t n = o->points;
    struct row row = {.base = bench_row(b, n * n * n), .points = n};
    const struct bench_work work = {.once = once, .user = f};
    KOSHU_TRY(f->ops->create(f, &f->state));
    KOSHU_TRY(once(f)); /* allocates, so it is not timed */
    KOSHU_TRY(bench_time(&work, b->options->repeats, &row.base.timing));
    row.base.interactions = NAN;
    row.rate = (double)row.base.n / row.base.timing.seconds;
    if (!b->options->json) {
        char what[256];
        f->ops->describe(f->state, sizeof what, what);
        printf("a step of fourth order: %s\nbackend %s: %s\n", what,
               row.base.backend, row.base.device);
    }
    bench_start(b, &table, 0);
    return bench_add(b, &row);
}

koshu_status
turbulence_step(struct bench *b)
{
    struct koshu_flow *f = NULL;
    koshu_status status = turbulence_prepare(b, "spectral", "taylor-green", &f);
    if (status == KOSHU_OK) status = measure(b, f);
    koshu_flow_destroy(f);
    return status;
}
