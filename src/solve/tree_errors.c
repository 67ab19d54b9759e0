/* SPDX-License-Identifier: MIT */
/* How far the forces of a tree are from direct sums, and what the original
 * algorithm would have cost. */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "solve/treecode.h"
#include "tree/tree.h"

/* ---- direct sums on the sample ------------------------------------------- */

/* Arrays of n in one piece. */
struct sample {
    size_t n;
    double *x, *y, *z, *ax, *ay, *az, *error;
    uint64_t *index;
};

static koshu_status
allocate(struct koshu_context *context, size_t n, struct sample *s)
{
    double *memory = koshu_alloc(8 * n, sizeof *memory);
    if (!memory)
        return koshu_fail_memory(context, 8 * n * sizeof *memory,
                                 "errors of a tree");
    *s = (struct sample){n,
                         memory,
                         memory + n,
                         memory + 2 * n,
                         memory + 3 * n,
                         memory + 4 * n,
                         memory + 5 * n,
                         memory + 6 * n,
                         (uint64_t *)(memory + 7 * n)};
    return KOSHU_OK;
}

static void
choose(struct sample *s, const struct koshu_particle_view *v)
{
    for (size_t k = 0; k < s->n; k++) {
        const size_t i = k * v->n / s->n;
        s->index[k] = i;
        s->x[k] = v->x[i];
        s->y[k] = v->y[i];
        s->z[k] = v->z[i];
    }
}

static koshu_status
sum_directly(struct koshu_context *context, double eps,
             const struct koshu_particle_view *v, struct sample *s)
{
    struct koshu_force_options options = koshu_force_options_default();
    options.precision = KOSHU_DOUBLE;
    options.softening = eps;
    options.potential = false;
    const struct koshu_i_particles i = {s->n, s->x, s->y, s->z, s->index};
    const struct koshu_j_particles j = {v->n, v->x, v->y, v->z, v->mass};
    const struct koshu_force_result result = {s->ax, s->ay, s->az, NULL};
    return koshu_force_direct(context, &options, &i, &j, &result);
}

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* 0 where both are 0: a particle without any other. */
static double
relative_error(const struct koshu_particle_view *v, const struct sample *s,
               size_t k)
{
    const size_t i = s->index[k];
    const double off = hypot(hypot(v->ax[i] - s->ax[k], v->ay[i] - s->ay[k]),
                             v->az[i] - s->az[k]);
    return off > 0 ? off / hypot(hypot(s->ax[k], s->ay[k]), s->az[k]) : 0;
}

static void
rank_errors(const struct koshu_particle_view *v, struct sample *s,
            struct koshu_tree_errors *errors)
{
    for (size_t k = 0; k < s->n; k++) s->error[k] = relative_error(v, s, k);
    qsort(s->error, s->n, sizeof *s->error, compare);
    const double last = (double)(s->n - 1);
    errors->sample = s->n;
    errors->median = s->error[(size_t)(0.5 * last)];
    errors->p90 = s->error[(size_t)(0.9 * last)];
    errors->p99 = s->error[(size_t)(0.99 * last)];
    errors->max = s->error[s->n - 1];
}

/* ---- the original algorithm ---------------------------------------------- */

/* The list of a single particle, the k-th of the tree. */
static koshu_status
walk_alone(const struct koshu_tree *t, const struct koshu_particle_view *v,
           size_t k, struct koshu_walker *walker, double *length)
{
    const size_t i = t->order[k];
    const struct koshu_group group = koshu_group_of(t, (uint32_t)k, 1);
    const double a = hypot(hypot(v->ax[i], v->ay[i]), v->az[i]);
    if (koshu_tree_walk(t, &group, a, false, walker) != KOSHU_OK)
        return koshu_fail_memory(t->context, t->n, "an interaction list");
    *length += (double)(walker->list.n_j + walker->list.n_cells);
    return KOSHU_OK;
}

static koshu_status
walk_originally(struct koshu_context *context,
                const struct koshu_solver_options *options,
                const struct koshu_particle_view *v, size_t sample,
                double *length)
{
    struct koshu_tree tree = {
            .context = context, .options = options->tree, .few = 1};
    struct koshu_tree_seconds seconds;
    struct koshu_walker walker = {0};
    koshu_status status;
    double sum = 0;
    tree.options.n_leaf = 1;
    KOSHU_TRY_CLEANUP(
            koshu_tree_make(&tree, v->n, v->x, v->y, v->z, v->mass, &seconds));
    for (size_t k = 0; k < sample; k++) {
        const size_t at = k * v->n / sample;
        KOSHU_TRY_CLEANUP(walk_alone(&tree, v, at, &walker, &sum));
    }
    *length = sum / (double)sample;
cleanup:
    koshu_walker_free(&walker);
    koshu_tree_free(&tree);
    return status;
}

koshu_status
koshu_tree_errors_take(struct koshu_context *context,
                       const struct koshu_solver_options *options,
                       const struct koshu_particle_view *particles,
                       size_t sample, struct koshu_tree_errors *errors)
{
    struct sample s = {0};
    KOSHU_TRY(allocate(context, sample, &s));
    choose(&s, particles);
    koshu_status status =
            sum_directly(context, options->softening, particles, &s);
    if (status == KOSHU_OK) rank_errors(particles, &s, errors);
    if (status == KOSHU_OK)
        status = walk_originally(context, options, particles, sample,
                                 &errors->original_length);
    koshu_free(s.x);
    return status;
}
