/* SPDX-License-Identifier: MIT */
/* koshu bench jerk: one row. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_jerk.h"
#include "internal.h"

/* N j-particles; every (N / n)-th of them is an i-particle. */
struct sphere {
    struct koshu_j_particles j;
    struct koshu_i_particles i;
    double *memory;
    int64_t *id; /* of the i-particles */
};

enum { J_ARRAYS = 7, I_ARRAYS = 6 };

static void
sphere_free(struct sphere *s)
{
    free(s->memory);
    free(s->id);
}

static void
copy_particles(struct sphere *s, const struct koshu_particle_const_view *v,
               size_t n_i)
{
    const double *const from[J_ARRAYS] = {v->x,  v->y,  v->z,   v->vx,
                                          v->vy, v->vz, v->mass};
    const size_t n_j = v->n;
    double *j[J_ARRAYS], *i[I_ARRAYS];
    for (size_t c = 0; c < J_ARRAYS; c++) {
        j[c] = s->memory + c * n_j;
        memcpy(j[c], from[c], n_j * sizeof *j[c]);
    }
    for (size_t c = 0; c < I_ARRAYS; c++) {
        i[c] = s->memory + J_ARRAYS * n_j + c * n_i;
        for (size_t k = 0; k < n_i; k++) i[c][k] = from[c][k * n_j / n_i];
    }
    for (size_t k = 0; k < n_i; k++) s->id[k] = (int64_t)(k * n_j / n_i);
    s->j = (struct koshu_j_particles){.n = n_j,
                                      .x = j[0],
                                      .y = j[1],
                                      .z = j[2],
                                      .vx = j[3],
                                      .vy = j[4],
                                      .vz = j[5],
                                      .mass = j[6]};
    s->i = (struct koshu_i_particles){.n = n_i,
                                      .x = i[0],
                                      .y = i[1],
                                      .z = i[2],
                                      .vx = i[3],
                                      .vy = i[4],
                                      .vz = i[5],
                                      .id = s->id};
}

/* The caller frees it, whatever the status. */
static koshu_status
sphere_make(struct koshu_context *context, const struct bench_problem *problem,
            size_t n_j, size_t n_i, struct sphere *s)
{
    const size_t bytes = (J_ARRAYS * n_j + I_ARRAYS * n_i) * sizeof(double);
    *s = (struct sphere){0};
    KOSHU_TRY(koshu_particles_require(
            context, n_j, KOSHU_PARTICLE_BYTES + J_ARRAYS * sizeof(double)));
    s->memory = malloc(bytes);
    s->id = calloc(n_i, sizeof *s->id);
    if (!s->memory || !s->id)
        return koshu_fail_memory(context, bytes, "particles");
    struct koshu_particles *particles;
    struct koshu_particle_const_view v = {.size = sizeof v};
    KOSHU_TRY(bench_particles_of(context, problem, n_j, &particles));
    koshu_status status = koshu_particles_acquire_read(
            particles,
            KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION | KOSHU_FIELD_VELOCITY, &v);
    if (status == KOSHU_OK) copy_particles(s, &v, n_i);
    koshu_particles_release_read(particles);
    koshu_particles_destroy(particles);
    return status;
}

/* ---- results ------------------------------------------------------------- */

struct sums {
    struct koshu_force_result to;
    double *memory;
    uint64_t *nearest;
};

enum { SUM_ARRAYS = 8 };

static void
sums_free(struct sums *s)
{
    free(s->memory);
    free(s->nearest);
}

/* The caller frees it, whatever the status. */
static koshu_status
sums_make(struct koshu_context *context, size_t n, bool nearest, struct sums *s)
{
    const size_t bytes = n * (SUM_ARRAYS * sizeof(double) + sizeof(uint64_t));
    double *a = calloc(n, SUM_ARRAYS * sizeof *a);
    *s = (struct sums){.memory = a, .nearest = calloc(n, sizeof *s->nearest)};
    if (!a || !s->nearest)
        return koshu_fail_memory(context, bytes, "accelerations and jerks");
    s->to = (struct koshu_force_result){.ax = a,
                                        .ay = a + n,
                                        .az = a + 2 * n,
                                        .jx = a + 3 * n,
                                        .jy = a + 4 * n,
                                        .jz = a + 5 * n,
                                        .potential = a + 6 * n};
    if (nearest) {
        s->to.nearest_r2 = a + 7 * n;
        s->to.nearest = s->nearest;
    }
    return KOSHU_OK;
}

/* ---- a call -------------------------------------------------------------- */

struct caller {
    struct koshu_j_store *store;
    const struct sphere *sphere;
    struct koshu_j_store_start_options options;
    const struct koshu_force_result *result;
    double time;
};

/* To the next time: so little that no bit of a position changes. */
#define TIME_STEP 0x1p-300

static koshu_status
once(void *user)
{
    struct caller *c = user;
    const struct sphere *s = c->sphere;
    c->time += TIME_STEP;
    KOSHU_TRY(koshu_j_store_set_time(c->store, c->time));
    KOSHU_TRY(koshu_j_store_start(c->store, &s->i, s->j.n, &c->options));
    return koshu_j_store_wait(c->store, c->result);
}

/* The sums at time 0; and what a call takes, where timing is not NULL. */
static koshu_status
sum(struct koshu_context *context, const struct jerk_options *o,
    const struct sphere *s, const struct koshu_force_result *result,
    struct bench_timing *timing)
{
    struct koshu_j_store_options options = koshu_j_store_options_default();
    struct caller c = {.sphere = s,
                       .options = koshu_j_store_start_options_default(),
                       .result = result};
    koshu_status status;
    options.precision = o->problem.precision;
    c.options.softening = sqrt(o->problem.eps2);
    c.options.nearest = o->nearest;
    KOSHU_TRY(koshu_j_store_create(context, s->j.n, &options, &c.store));
    KOSHU_TRY_CLEANUP(koshu_j_store_set(c.store, NULL, &s->j));
    if (timing) {
        const struct bench_work work = {once, NULL, &c};
        KOSHU_TRY_CLEANUP(bench_time(&work, o->repeats, timing));
    }
    c.time = -TIME_STEP;
    KOSHU_TRY_CLEANUP(once(&c));
cleanup:
    koshu_j_store_destroy(c.store);
    return status;
}

/* ---- errors -------------------------------------------------------------- */

size_t
jerk_error_particles(const struct jerk_options *options, size_t ni)
{
    return bench_compared_count_of(options->errors, ni);
}

/* The i-particles 0, n_i / n, 2 n_i / n, ... of a sphere, whose memory they
 * take; index[k]: which the k-th is. */
static void
choose(const struct sphere *all, size_t n, struct sphere *some, size_t *index)
{
    const double *const from[I_ARRAYS] = {all->i.x,  all->i.y,  all->i.z,
                                          all->i.vx, all->i.vy, all->i.vz};
    double *const m = some->memory;
    for (size_t k = 0; k < n; k++) {
        index[k] = k * all->i.n / n;
        some->id[k] = all->id[index[k]];
        for (size_t c = 0; c < I_ARRAYS; c++) m[c * n + k] = from[c][index[k]];
    }
    some->j = all->j;
    some->i = (struct koshu_i_particles){.n = n,
                                         .x = m,
                                         .y = m + n,
                                         .z = m + 2 * n,
                                         .vx = m + 3 * n,
                                         .vy = m + 4 * n,
                                         .vz = m + 5 * n,
                                         .id = some->id};
}

/* Of x, three arrays, against `reference`; index[k]: whose reference k is. */
static bool
errors_of(size_t n, const size_t *index, const double *const x[3],
          const double *const reference[3], struct bench_errors *errors)
{
    double *all = calloc(3 * n, sizeof *all);
    if (!all) return false;
    for (size_t c = 0; c < 3; c++)
        for (size_t k = 0; k < n; k++) all[c * n + k] = x[c][index[k]];
    const double *const chosen[3] = {all, all + n, all + 2 * n};
    bool done = bench_errors_between(n, reference, chosen, errors);
    free(all);
    return done;
}

static koshu_status
compare(struct koshu_context *ref, const struct jerk_options *o,
        const struct sphere *all, const struct koshu_force_result *r,
        struct jerk_row *row)
{
    const size_t n = jerk_error_particles(o, all->i.n);
    if (n == 0) return KOSHU_OK;
    koshu_status status = KOSHU_ERROR_OUT_OF_MEMORY;
    struct sums sums = {.memory = NULL};
    struct sphere some = {.memory = calloc(n, I_ARRAYS * sizeof(double)),
                          .id = calloc(n, sizeof *some.id)};
    size_t *index = calloc(n, sizeof *index);
    if (!some.memory || !some.id || !index) goto cleanup;
    choose(all, n, &some, index);
    KOSHU_TRY_CLEANUP(sums_make(ref, n, o->nearest, &sums));
    const struct koshu_force_result *t = &sums.to;
    KOSHU_TRY_CLEANUP(sum(ref, o, &some, t, NULL));
    const double *const a[3] = {r->ax, r->ay, r->az},
                        *const jerk[3] = {r->jx, r->jy, r->jz},
                        *const a_ref[3] = {t->ax, t->ay, t->az},
                        *const jerk_ref[3] = {t->jx, t->jy, t->jz};
    status = errors_of(n, index, a, a_ref, &row->a) &&
                             errors_of(n, index, jerk, jerk_ref, &row->jerk)
                     ? KOSHU_OK
                     : KOSHU_ERROR_OUT_OF_MEMORY;
cleanup:
    sphere_free(&some);
    sums_free(&sums);
    free(index);
    return status;
}

/* ---- a row --------------------------------------------------------------- */

koshu_status
jerk_measure(struct koshu_context *context, struct koshu_context *ref,
             const struct jerk_options *options, struct jerk_row *row)
{
    struct koshu_backend *backend;
    KOSHU_TRY(koshu_backend_of(context, &backend));
    row->threads = koshu_context_threads(context);
    snprintf(row->backend, sizeof row->backend, "%s", backend->ops->name);
    snprintf(row->device, sizeof row->device, "%s", backend->device);

    struct sphere sphere;
    struct sums sums = {.memory = NULL};
    koshu_status status =
            sphere_make(context, &options->problem, row->n, row->ni, &sphere);
    if (status == KOSHU_OK)
        status = sums_make(context, row->ni, options->nearest, &sums);
    if (status == KOSHU_OK)
        status = sum(context, options, &sphere, &sums.to, &row->timing);
    if (status == KOSHU_OK)
        status = compare(ref, options, &sphere, &sums.to, row);
    sphere_free(&sphere);
    sums_free(&sums);
    return status;
}
