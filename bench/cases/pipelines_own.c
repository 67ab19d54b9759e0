/* SPDX-License-Identifier: MIT */
/* The time of a pipeline, and of the kernel that koshu itself has for the same.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/force.h>
#include <koshu/j_store.h>

#include "bench/cases/pipelines.h"

enum { SUMS = 7 };

struct own {
    struct koshu_context *context;
    struct koshu_force_options options; /* of a direct sum */
    struct koshu_j_store *store;        /* of jerks */
    struct koshu_j_store_start_options start;
    struct koshu_i_particles i;
    struct koshu_j_particles j;
    struct koshu_force_result sums;
};

static koshu_status
gravity_once(void *user)
{
    struct own *o = user;
    return koshu_force_direct(o->context, &o->i, &o->j, &o->options, &o->sums);
}

/* With the particles, which the interaction is given anew too. */
static koshu_status
jerk_once(void *user)
{
    struct own *o = user;
    KOSHU_TRY(koshu_j_store_set(o->store, NULL, &o->j));
    KOSHU_TRY(koshu_j_store_start(o->store, &o->i, o->j.n, &o->start));
    return koshu_j_store_wait(o->store, &o->sums);
}

static koshu_status
pipeline_once(void *user)
{
    struct pipeline *p = user;
    return koshu_interaction_evaluate(p->interaction, p->n, p->n, p->i, p->j,
                                      p->out);
}

/* ---- the particles of a pipeline, in columns ----------------------------- */

static koshu_status
columns_make(struct pipeline *p)
{
    const size_t n = p->n, columns = p->n_j_fields + SUMS;
    p->own = calloc(n, columns * sizeof *p->own);
    if (!p->own)
        return koshu_fail_memory(p->b->context, n * columns * sizeof *p->own,
                                 "particles");
    for (size_t k = 0; k < n; k++)
        for (size_t c = 0; c < p->n_j_fields; c++)
            p->own[c * n + k] = p->j[k * p->n_j_fields + c];
    for (size_t c = 0; c < 3; c++) p->a[c] = p->own + (p->n_j_fields + c) * n;
    return KOSHU_OK;
}

/* x y z, vx vy vz where there are jerks, mass. */
static struct own
own_of(const struct pipeline *p, bool jerks)
{
    const size_t n = p->n;
    const double *x = p->own, *v = jerks ? x + 3 * n : NULL;
    double *a = p->a[0];
    struct own o = {.context = p->b->context,
                    .options = koshu_force_options_default(),
                    .start = koshu_j_store_start_options_default(),
                    .i = {.n = n, .x = x, .y = x + n, .z = x + 2 * n},
                    .j = {.n = n, .x = x, .y = x + n, .z = x + 2 * n},
                    .sums = {.ax = a, .ay = a + n, .az = a + 2 * n}};
    o.j.mass = x + (p->n_j_fields - 1) * n;
    o.options.precision = p->b->options->precision;
    o.options.softening = sqrt(p->i[3]);
    if (!jerks) return o;
    o.start.softening = 1.0 / 256;
    o.i.vx = o.j.vx = v;
    o.i.vy = o.j.vy = v + n;
    o.i.vz = o.j.vz = v + 2 * n;
    o.sums.potential = a + 3 * n;
    o.sums.jx = a + 4 * n;
    o.sums.jy = a + 5 * n;
    o.sums.jz = a + 6 * n;
    return o;
}

/* ---- times --------------------------------------------------------------- */

static koshu_status
time_gravity(struct pipeline *p, struct bench_timing timings[2])
{
    struct own own = own_of(p, false);
    const struct bench_work works[] = {{pipeline_once, NULL, p},
                                       {gravity_once, NULL, &own}};
    return bench_times(2, works, p->b->options->repeats, timings);
}

static koshu_status
time_jerk(struct pipeline *p, struct bench_timing timings[2])
{
    struct koshu_j_store_options options = koshu_j_store_options_default();
    struct own own = own_of(p, true);
    int64_t *id = calloc(p->n, sizeof *id);
    const struct bench_work works[] = {{pipeline_once, NULL, p},
                                       {jerk_once, NULL, &own}};
    if (!id)
        return koshu_fail_memory(p->b->context, p->n * sizeof *id, "particles");
    for (size_t k = 0; k < p->n; k++) id[k] = (int64_t)k;
    own.i.id = id;
    options.precision = p->b->options->precision;
    koshu_status status =
            koshu_j_store_create(p->b->context, p->n, &options, &own.store);
    if (status == KOSHU_OK)
        status = bench_times(2, works, p->b->options->repeats, timings);
    koshu_j_store_destroy(own.store);
    free(id);
    return status;
}

koshu_status
pipeline_time(struct pipeline *p, struct bench_timing timings[2])
{
    const struct bench_work work = {pipeline_once, NULL, p};
    const bool jerks = strcmp(p->name, "gravity-jerk") == 0;
    timings[1] = (struct bench_timing){.seconds = NAN, .least = NAN};
    if (!jerks && strcmp(p->name, "gravity") != 0)
        return bench_time(&work, p->b->options->repeats, &timings[0]);
    KOSHU_TRY(columns_make(p));
    return jerks ? time_jerk(p, timings) : time_gravity(p, timings);
}
