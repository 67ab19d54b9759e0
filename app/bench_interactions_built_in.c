/* SPDX-License-Identifier: MIT */
/* koshu bench interactions: the kernels that koshu itself has, on the same
 * particles, from the host's memory and back there too. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/force.h>
#include <koshu/j_store.h>

#include "bench_interactions.h"
#include "internal.h"

/* ---- gravity --------------------------------------------------------------
 */

struct gravity {
    struct koshu_context *context;
    struct koshu_force_options options;
    struct koshu_i_particles i;
    struct koshu_j_particles j;
    struct koshu_force_result result;
};

static koshu_status
gravity_once(void *user)
{
    struct gravity *g = user;
    return koshu_force_direct(g->context, &g->options, &g->i, &g->j,
                              &g->result);
}

static koshu_status
gravity(struct koshu_context *context, const struct interactions_options *o,
        const struct interaction_problem *p, const struct bench_work *work,
        struct bench_timing timings[2])
{
    const size_t n = p->n;
    double *memory = calloc(n, 7 * sizeof *memory);
    if (!memory) return koshu_fail_memory(context, 7 * n * 8, "particles");
    double *x = memory, *y = x + n, *z = y + n, *mass = z + n, *a = mass + n;
    for (size_t k = 0; k < n; k++) {
        const double *row = p->j + k * p->n_j_fields;
        x[k] = row[0];
        y[k] = row[1];
        z[k] = row[2];
        mass[k] = row[3];
    }
    struct gravity g = {.context = context,
                        .options = koshu_force_options_default(),
                        .i = {n, x, y, z, NULL},
                        .j = {n, x, y, z, mass},
                        .result = {a, a + n, a + 2 * n, NULL}};
    g.options.precision = o->precision;
    g.options.softening = sqrt(p->i[3]);
    g.options.potential = false;
    const struct bench_work works[] = {*work, {gravity_once, NULL, &g}};
    koshu_status status = bench_times(2, works, o->repeats, timings);
    free(memory);
    return status;
}

/* ---- gravity-jerk ---------------------------------------------------------
 */

struct jerk {
    struct koshu_j_store *memory;
    struct koshu_jerk_options options;
    size_t n;
    struct koshu_j_particle *j;
    struct koshu_i_particle *i;
    struct koshu_jerk_result *result;
};

/* With the particles, which the interaction is given anew too. */
static koshu_status
jerk_once(void *user)
{
    struct jerk *s = user;
    KOSHU_TRY(koshu_j_store_set(s->memory, s->n, NULL, s->j));
    KOSHU_TRY(koshu_j_store_start(s->memory, &s->options, s->n, s->n, s->i));
    return koshu_j_store_wait(s->memory, s->result);
}

static void
jerk_fill(struct jerk *s, const struct interaction_problem *p)
{
    for (size_t k = 0; k < s->n; k++) {
        const double *row = p->j + k * p->n_j_fields;
        s->j[k] = (struct koshu_j_particle){.id = (int64_t)k, .mass = row[6]};
        s->i[k] = (struct koshu_i_particle){.id = (int64_t)k};
        memcpy(s->j[k].x, row, sizeof s->j[k].x);
        memcpy(s->j[k].v, row + 3, sizeof s->j[k].v);
        memcpy(s->i[k].x, row, sizeof s->i[k].x);
        memcpy(s->i[k].v, row + 3, sizeof s->i[k].v);
    }
}

static koshu_status
jerk(struct koshu_context *context, const struct interactions_options *o,
     const struct interaction_problem *p, const struct bench_work *work,
     struct bench_timing timings[2])
{
    struct jerk s = {.n = p->n,
                     .options = {.softening = 1.0 / 256},
                     .j = calloc(p->n, sizeof *s.j),
                     .i = calloc(p->n, sizeof *s.i),
                     .result = calloc(p->n, sizeof *s.result)};
    const struct bench_work works[] = {*work, {jerk_once, NULL, &s}};
    koshu_status status = KOSHU_ERROR_OUT_OF_MEMORY;
    if (!s.j || !s.i || !s.result) goto cleanup;
    jerk_fill(&s, p);
    KOSHU_TRY_CLEANUP(
            koshu_j_store_create(context, o->precision, p->n, &s.memory));
    status = bench_times(2, works, o->repeats, timings);
cleanup:
    koshu_j_store_destroy(s.memory);
    free(s.j);
    free(s.i);
    free(s.result);
    return status;
}

koshu_status
interactions_time(struct koshu_context *context, const char *name,
                  const struct interactions_options *options,
                  const struct interaction_problem *problem,
                  const struct bench_work *work, struct bench_timing timings[2])
{
    timings[1] = (struct bench_timing){0};
    if (strcmp(name, "gravity") == 0)
        return gravity(context, options, problem, work, timings);
    if (strcmp(name, "gravity-jerk") == 0)
        return jerk(context, options, problem, work, timings);
    return bench_time(work, options->repeats, &timings[0]);
}
