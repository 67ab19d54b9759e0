/* SPDX-License-Identifier: MIT */
/* Errors of a solver's forces against direct sums in double precision, in a
 * periodic box against Ewald sums; and what the original tree algorithm would
 * have cost. */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "particles/particles.h"
#include "solve/sample.h"
#include "solve/solve.h"
#include "solve/treecode.h"
#include "tree/tree.h"

/* ---- the sample ---------------------------------------------------------- */

/* The accelerations of each particle, as x y z. */
struct sample {
    size_t n;
    double *exact, *got;
};

/* ---- errors -------------------------------------------------------------- */

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double
length(double x, double y, double z)
{
    return hypot(hypot(x, y), z);
}

/* 0 if both are 0, as for a single particle. */
static double
ratio(double off, double exact)
{
    return off > 0 ? off / exact : 0;
}

/* Relative to the exact accelerations: the errors, over whose memory they are
 * written, and the L2 error of all. */
static double *
relative_errors(const struct sample *s, double *l2)
{
    double *const error = s->exact, all_off = 0, all_exact = 0;
    for (size_t k = 0; k < s->n; k++) {
        const double *const got = s->got + 3 * k, *const at = s->exact + 3 * k,
                            exact = length(at[0], at[1], at[2]),
                            off = length(got[0] - at[0], got[1] - at[1],
                                         got[2] - at[2]);
        all_off = hypot(all_off, off);
        all_exact = hypot(all_exact, exact);
        error[k] = ratio(off, exact);
    }
    *l2 = ratio(all_off, all_exact);
    return error;
}

static void
rank_errors(const struct sample *s, struct koshu_tree_errors *errors)
{
    double *const error = relative_errors(s, &errors->l2), squares = 0;
    qsort(error, s->n, sizeof *error, compare);
    for (size_t k = 0; k < s->n; k++) squares += error[k] * error[k];
    const double last = (double)(s->n - 1);
    errors->sample = s->n;
    errors->median = error[(size_t)(0.5 * last)];
    errors->p90 = error[(size_t)(0.9 * last)];
    errors->p99 = error[(size_t)(0.99 * last)];
    errors->max = error[s->n - 1];
    errors->rms = sqrt(squares / (double)s->n);
}

/* ---- the Barnes-Hut list length ------------------------------------------ */

/* Particles in a leaf: the more, the less memory for cells, and the longer it
 * takes to divide those that are opened. Few particles get a complete tree. */
static uint32_t
n_leaf_of(size_t n)
{
    enum { MANY = 1 << 18, N_LEAF = 32 };
    return n < MANY ? 1 : N_LEAF;
}

static koshu_status
find_length(struct koshu_context *context, const struct koshu_treecode *t,
            const struct koshu_particle_view *v, size_t sample, double *length)
{
    struct koshu_tree tree = {.context = context,
                              .options = *t->options.tree,
                              .few = 1,
                              .images = koshu_tree_box_images(t->box)};
    struct koshu_tree_seconds seconds;
    tree.options.n_leaf = n_leaf_of(v->n);
    koshu_status status =
            koshu_tree_make(&tree, v->n, v->x, v->y, v->z, v->mass, &seconds);
    if (status == KOSHU_OK)
        status = koshu_barnes_hut_length(&tree, sample, v->ax, v->ay, v->az,
                                         length);
    koshu_tree_free(&tree);
    return status;
}

koshu_status
koshu_solver_barnes_hut_length(const struct koshu_solver *solver,
                               struct koshu_particles *particles, size_t sample,
                               double *length)
{
    const struct koshu_treecode *t = solver->treecode;
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_on_host(particles,
                                      KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION |
                                              KOSHU_FIELD_ACCELERATION,
                                      KOSHU_ACCESS_READ, &v));
    KOSHU_TRY(koshu_tree_box_wrap(t->box, &v));
    return find_length(koshu_particles_context(particles), t, &v, sample,
                       length);
}

/* ---- both ---------------------------------------------------------------- */

/* If a device builds the tree, it computes these sums too, except in a box. */
static koshu_status
take_sample(const struct koshu_solver *solver,
            struct koshu_particles *particles, struct sample *s)
{
    const double eps = solver->options.softening;
    const struct koshu_treecode *t = solver->treecode;
    const struct koshu_tree_ops *ops = solver->backend->ops->tree;
    if (t && t->engine && !t->ranks && !t->box && ops->sample)
        return ops->sample(t->engine, eps, particles, s->n, s->exact);
    return koshu_sample_take(solver, particles, s->n, s->exact, s->got);
}

static koshu_status
take_errors(const struct koshu_solver *solver,
            struct koshu_particles *particles, size_t sample,
            struct koshu_tree_errors *errors)
{
    struct sample s = {.n = sample};
    koshu_status status = KOSHU_OK;
    s.exact = koshu_alloc(6 * sample, sizeof *s.exact);
    if (!s.exact)
        status =
                koshu_fail_memory(solver->context, 6 * sample * sizeof *s.exact,
                                  "errors of forces");
    status = koshu_ranks_collective_status(solver->context, status);
    s.got = s.exact + 3 * sample;
    if (status == KOSHU_OK) status = take_sample(solver, particles, &s);
    if (status == KOSHU_OK) rank_errors(&s, errors);
    koshu_free(s.exact);
    return status;
}

koshu_status
koshu_solver_tree_errors_of(struct koshu_solver *solver,
                            struct koshu_particles *particles, size_t sample,
                            bool list_length, struct koshu_tree_errors *errors)
{
    const size_t n = koshu_particles_total(particles);
    if (sample > n) sample = n;
    if (sample == 0)
        return koshu_fail(solver->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "errors of forces: there is no sample");
    if (koshu_solver_box(solver) > 0 && solver->fmm_options.image_depth > 0)
        return koshu_fail(solver->context, KOSHU_ERROR_UNSUPPORTED,
                          "errors of forces: Ewald sums have all images; take "
                          "image_depth = 0");
    KOSHU_TRY(take_errors(solver, particles, sample, errors));
    if (!list_length || !solver->treecode || solver->treecode->ranks)
        return KOSHU_OK;
    return koshu_solver_barnes_hut_length(solver, particles, sample,
                                          &errors->barnes_hut_length);
}

koshu_status
koshu_solver_tree_errors(struct koshu_solver *solver,
                         struct koshu_particles *particles, size_t sample,
                         struct koshu_tree_errors *errors)
{
    KOSHU_REQUIRE(NULL, solver);
    KOSHU_REQUIRE(NULL, particles);
    KOSHU_REQUIRE(NULL, errors);
    KOSHU_TRY(koshu_particles_refuse_views(particles, KOSHU_ACCESS_WRITE,
                                           "koshu_solver_tree_errors()"));
    struct koshu_tree_errors measured = {0};
    KOSHU_TRY(koshu_solver_tree_errors_of(solver, particles, sample, true,
                                          &measured));
    return koshu_report_write(solver->context, "koshu_tree_errors", errors,
                              &measured, sizeof measured);
}
