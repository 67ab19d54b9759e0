/* SPDX-License-Identifier: MIT */
/* Times a pipeline, and koshu's own kernel for the same interaction. */
#include <math.h>
#include <string.h>

#include <koshu/force.h>
#include <koshu/j_store.h>

#include "bench/cases/pipelines.h"

struct own {
    struct koshu_context *context;
    const struct bench_sums *sums;
    struct koshu_force_options options; /* for a direct sum */
    struct koshu_j_store *store;        /* for jerks */
    struct koshu_j_store_start_options start;
};

static koshu_status
gravity_once(void *user)
{
    struct own *o = user;
    return koshu_force_direct(o->context, &o->sums->i, &o->sums->j, &o->options,
                              &o->sums->result);
}

/* Includes sending the particles, which the interaction also gets anew. */
static koshu_status
jerk_once(void *user)
{
    struct own *o = user;
    KOSHU_TRY(koshu_j_store_set(o->store, NULL, &o->sums->j));
    KOSHU_TRY(koshu_j_store_start(o->store, &o->sums->i, o->sums->j.n,
                                  &o->start));
    return koshu_j_store_wait(o->store, &o->sums->result);
}

static koshu_status
pipeline_once(void *user)
{
    struct pipeline *p = user;
    return koshu_interaction_evaluate(p->interaction, p->n, p->n, p->i, p->j,
                                      p->out);
}

static koshu_status
time_gravity(struct pipeline *p, struct bench_timing timings[2])
{
    struct own own = {.context = p->b->context,
                      .sums = &p->sums,
                      .options = koshu_force_options_default()};
    const struct bench_work works[] = {{pipeline_once, NULL, p},
                                       {gravity_once, NULL, &own}};
    own.options.precision = p->b->options->precision;
    own.options.softening = sqrt(p->i[3]);
    p->sums.i.id = NULL;
    return bench_times(2, works, p->b->options->repeats, timings);
}

static koshu_status
time_jerk(struct pipeline *p, struct bench_timing timings[2])
{
    struct koshu_j_store_options options = koshu_j_store_options_default();
    struct own own = {.sums = &p->sums,
                      .start = koshu_j_store_start_options_default()};
    const struct bench_work works[] = {{pipeline_once, NULL, p},
                                       {jerk_once, NULL, &own}};
    own.start.softening = 1.0 / 256;
    options.precision = p->b->options->precision;
    KOSHU_TRY(koshu_j_store_create(p->b->context, p->n, &options, &own.store));
    koshu_status status =
            bench_times(2, works, p->b->options->repeats, timings);
    koshu_j_store_destroy(own.store);
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
    KOSHU_TRY(bench_sums_make(p->b, &p->view, p->n, p->n,
                              jerks ? BENCH_JERKS : 0u, &p->sums));
    return jerks ? time_jerk(p, timings) : time_gravity(p, timings);
}
