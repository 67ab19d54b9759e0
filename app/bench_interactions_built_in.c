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
    return koshu_force_direct(g->context, &g->i, &g->j, &g->options,
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
                        .i = {.n = n, .x = x, .y = y, .z = z},
                        .j = {.n = n, .x = x, .y = y, .z = z, .mass = mass},
                        .result = {.ax = a, .ay = a + n, .az = a + 2 * n}};
    g.options.precision = o->precision;
    g.options.softening = sqrt(p->i[3]);
    const struct bench_work works[] = {*work, {gravity_once, NULL, &g}};
    koshu_status status = bench_times(2, works, o->repeats, timings);
    free(memory);
    return status;
}

/* ---- gravity-jerk ---------------------------------------------------------
 */

struct jerk {
    struct koshu_j_store *store;
    struct koshu_j_store_start_options options;
    struct koshu_j_particles j;
    struct koshu_i_particles i;
    struct koshu_force_result result;
};

/* With the particles, which the interaction is given anew too. */
static koshu_status
jerk_once(void *user)
{
    struct jerk *s = user;
    KOSHU_TRY(koshu_j_store_set(s->store, NULL, &s->j));
    KOSHU_TRY(koshu_j_store_start(s->store, &s->i, s->j.n, &s->options));
    return koshu_j_store_wait(s->store, &s->result);
}

enum { JERK_FIELDS = 7, JERK_SUMS = 7 };

/* memory: JERK_FIELDS + JERK_SUMS arrays of n. */
static void
jerk_fill(struct jerk *s, const struct interaction_problem *p, double *memory,
          int64_t *id)
{
    const size_t n = p->n;
    double *f[JERK_FIELDS + JERK_SUMS];
    for (size_t c = 0; c < JERK_FIELDS + JERK_SUMS; c++) f[c] = memory + c * n;
    for (size_t k = 0; k < n; k++) {
        for (size_t c = 0; c < JERK_FIELDS; c++)
            f[c][k] = p->j[k * p->n_j_fields + c];
        id[k] = (int64_t)k;
    }
    s->j = (struct koshu_j_particles){.n = n,
                                      .x = f[0],
                                      .y = f[1],
                                      .z = f[2],
                                      .vx = f[3],
                                      .vy = f[4],
                                      .vz = f[5],
                                      .mass = f[6]};
    s->i = (struct koshu_i_particles){.n = n,
                                      .x = f[0],
                                      .y = f[1],
                                      .z = f[2],
                                      .vx = f[3],
                                      .vy = f[4],
                                      .vz = f[5],
                                      .id = id};
    s->result = (struct koshu_force_result){.ax = f[7],
                                            .ay = f[8],
                                            .az = f[9],
                                            .potential = f[10],
                                            .jx = f[11],
                                            .jy = f[12],
                                            .jz = f[13]};
}

static koshu_status
jerk(struct koshu_context *context, const struct interactions_options *o,
     const struct interaction_problem *p, const struct bench_work *work,
     struct bench_timing timings[2])
{
    struct jerk s = {.options = koshu_j_store_start_options_default()};
    struct koshu_j_store_options options = koshu_j_store_options_default();
    double *memory = calloc(p->n, (JERK_FIELDS + JERK_SUMS) * sizeof *memory);
    int64_t *id = calloc(p->n, sizeof *id);
    const struct bench_work works[] = {*work, {jerk_once, NULL, &s}};
    koshu_status status = KOSHU_ERROR_OUT_OF_MEMORY;
    s.options.softening = 1.0 / 256;
    options.precision = o->precision;
    if (!memory || !id) goto cleanup;
    jerk_fill(&s, p, memory, id);
    KOSHU_TRY_CLEANUP(koshu_j_store_create(context, p->n, &options, &s.store));
    status = bench_times(2, works, o->repeats, timings);
cleanup:
    koshu_j_store_destroy(s.store);
    free(memory);
    free(id);
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
