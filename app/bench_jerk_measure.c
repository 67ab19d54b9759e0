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
    size_t n_j, n_i;
    struct koshu_j_particle *j;
    struct koshu_i_particle *i;
};

static void
sphere_free(struct sphere *s)
{
    free(s->j);
    free(s->i);
}

static void
copy_particles(struct sphere *s, const struct koshu_particle_const_view *v)
{
    for (size_t k = 0; k < s->n_j; k++)
        s->j[k] =
                (struct koshu_j_particle){.id = (int64_t)k,
                                          .mass = v->mass[k],
                                          .x = {v->x[k], v->y[k], v->z[k]},
                                          .v = {v->vx[k], v->vy[k], v->vz[k]}};
    for (size_t k = 0; k < s->n_i; k++) {
        const struct koshu_j_particle *j = &s->j[k * s->n_j / s->n_i];
        s->i[k] = (struct koshu_i_particle){.id = j->id};
        memcpy(s->i[k].x, j->x, sizeof j->x);
        memcpy(s->i[k].v, j->v, sizeof j->v);
    }
}

/* The caller frees it, whatever the status. */
static koshu_status
sphere_make(struct koshu_context *context, const struct bench_problem *problem,
            size_t n_j, size_t n_i, struct sphere *s)
{
    *s = (struct sphere){0};
    KOSHU_TRY(koshu_particles_require(context, n_j,
                                      KOSHU_PARTICLE_BYTES + sizeof *s->j));
    *s = (struct sphere){n_j, n_i, calloc(n_j, sizeof *s->j),
                         calloc(n_i, sizeof *s->i)};
    if (!s->j || !s->i)
        return koshu_fail_memory(context, n_j * sizeof *s->j, "particles");
    struct koshu_particles *particles;
    struct koshu_particle_const_view v = {.size = sizeof v};
    KOSHU_TRY(bench_particles(context, problem, n_j, &particles));
    koshu_status status = koshu_particles_acquire_read(
            particles,
            KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION | KOSHU_FIELD_VELOCITY, &v);
    if (status == KOSHU_OK) copy_particles(s, &v);
    koshu_particles_release_read(particles);
    koshu_particles_destroy(particles);
    return status;
}

/* ---- a call -------------------------------------------------------------- */

struct caller {
    struct koshu_j_store *memory;
    const struct sphere *sphere;
    struct koshu_jerk_options options;
    struct koshu_jerk_result *result;
    double time;
};

/* To the next time: so little that no bit of a position changes. */
#define AGAIN 0x1p-300

static koshu_status
once(void *user)
{
    struct caller *c = user;
    const struct sphere *s = c->sphere;
    c->time += AGAIN;
    KOSHU_TRY(koshu_j_store_set_time(c->memory, c->time));
    KOSHU_TRY(
            koshu_j_store_start(c->memory, &c->options, s->n_j, s->n_i, s->i));
    return koshu_j_store_wait(c->memory, c->result);
}

/* The sums at time 0; and what a call takes, where timing is not NULL. */
static koshu_status
sums(struct koshu_context *context, const struct jerk_options *o,
     const struct sphere *s, struct koshu_jerk_result *result,
     struct bench_timing *timing)
{
    struct caller c = {.sphere = s,
                       .options = {sqrt(o->problem.eps2), o->nearest},
                       .result = result};
    koshu_status status;
    KOSHU_TRY(koshu_j_store_create(context, o->problem.precision, s->n_j,
                                   &c.memory));
    KOSHU_TRY_CLEANUP(koshu_j_store_set(c.memory, s->n_j, NULL, s->j));
    if (timing) {
        const struct bench_work work = {once, NULL, &c};
        KOSHU_TRY_CLEANUP(bench_time(&work, o->repeats, timing));
    }
    c.time = -AGAIN;
    KOSHU_TRY_CLEANUP(once(&c));
cleanup:
    koshu_j_store_destroy(c.memory);
    return status;
}

/* ---- errors -------------------------------------------------------------- */

size_t
jerk_error_particles(const struct jerk_options *options, size_t ni)
{
    return bench_compared_count(options->errors, ni);
}

/* Of the accelerations or the jerks; index[k]: whose reference[k] is. */
static bool
errors_of(size_t n, const size_t *index, const struct koshu_jerk_result *result,
          const struct koshu_jerk_result *reference, bool jerk,
          struct bench_errors *errors)
{
    double *all = calloc(6 * n, sizeof *all);
    if (!all) return false;
    for (size_t k = 0; k < n; k++) {
        const struct koshu_jerk_result *r = &result[index[k]],
                                       *t = &reference[k];
        for (size_t c = 0; c < 3; c++) {
            all[c * n + k] = jerk ? t->jerk[c] : t->a[c];
            all[(3 + c) * n + k] = jerk ? r->jerk[c] : r->a[c];
        }
    }
    const double *const x[6] = {all,         all + n,     all + 2 * n,
                                all + 3 * n, all + 4 * n, all + 5 * n};
    bool done = bench_errors_between(n, x, x + 3, errors);
    free(all);
    return done;
}

static koshu_status
take_errors(struct koshu_context *ref, const struct jerk_options *o,
            const struct sphere *all, const struct koshu_jerk_result *result,
            struct jerk_row *row)
{
    size_t n = jerk_error_particles(o, all->n_i);
    if (n == 0) return KOSHU_OK;
    koshu_status status = KOSHU_ERROR_OUT_OF_MEMORY;
    struct sphere some = {all->n_j, n, all->j, calloc(n, sizeof *some.i)};
    struct koshu_jerk_result *reference = calloc(n, sizeof *reference);
    size_t *index = calloc(n, sizeof *index);
    if (!some.i || !reference || !index) goto cleanup;
    for (size_t k = 0; k < n; k++) {
        index[k] = k * all->n_i / n;
        some.i[k] = all->i[index[k]];
    }
    KOSHU_TRY_CLEANUP(sums(ref, o, &some, reference, NULL));
    status = errors_of(n, index, result, reference, false, &row->a) &&
                             errors_of(n, index, result, reference, true,
                                       &row->jerk)
                     ? KOSHU_OK
                     : KOSHU_ERROR_OUT_OF_MEMORY;
cleanup:
    free(some.i);
    free(reference);
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
    struct koshu_jerk_result *result = NULL;
    koshu_status status =
            sphere_make(context, &options->problem, row->n, row->ni, &sphere);
    if (status == KOSHU_OK && !(result = calloc(row->ni, sizeof *result)))
        status = koshu_fail_memory(context, row->ni * sizeof *result,
                                   "accelerations and jerks");
    if (status == KOSHU_OK)
        status = sums(context, options, &sphere, result, &row->timing);
    if (status == KOSHU_OK)
        status = take_errors(ref, options, &sphere, result, row);
    sphere_free(&sphere);
    free(result);
    return status;
}
