/* SPDX-License-Identifier: MIT */
/* Centring and virial scaling: what depends on all particles. */
#include <math.h>

#include <koshu/force.h>

#include "base/base.h"
#include "initial/initial.h"

/* The parts of a sum: a constant, so that the order of additions does not
 * depend on the number of threads. */
enum { N_PARTS = 256 };

/* m_k a_k b_k, or m_k a_k where b is NULL. */
static struct koshu_sum
sum_part(size_t first, size_t end, const double *m, const double *a,
         const double *b)
{
    struct koshu_sum s = {0};
    for (size_t k = first; k < end; k++)
        koshu_sum_add(&s, m[k] * a[k] * (b ? b[k] : 1));
    return s;
}

double
koshu_initial_sum(int threads, size_t n, const double *m, const double *a,
                  const double *b)
{
    struct koshu_sum part[N_PARTS], total = {0};
    size_t each = n / N_PARTS + 1;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int p = 0; p < N_PARTS; p++) {
        size_t first = (size_t)p * each, end = first + each;
        part[p] = sum_part(first, end < n ? end : n, m, a, b);
    }
    for (int p = 0; p < N_PARTS; p++) koshu_sum_join(&total, part[p]);
    return koshu_sum_value(total);
}

double
koshu_initial_kinetic(int threads, const struct koshu_particle_view *view)
{
    const double *v[] = {view->vx, view->vy, view->vz};
    double twice = 0;
    for (int k = 0; k < 3; k++)
        twice += koshu_initial_sum(threads, view->n, view->mass, v[k], v[k]);
    return twice / 2;
}

koshu_status
koshu_initial_potential(struct koshu_context *context,
                        const struct koshu_particle_view *view, double *energy)
{
    size_t n = view->n;
    double *scratch = koshu_alloc(4 * n, sizeof *scratch);
    if (!scratch)
        return koshu_fail_memory(context, 4 * n * sizeof *scratch,
                                 "potential of an initial model");
    struct koshu_force_options options = koshu_force_options_default();
    options.precision = KOSHU_DOUBLE;
    struct koshu_i_particles i = {n, view->x, view->y, view->z, view->id};
    struct koshu_j_particles j = {n, view->x, view->y, view->z, view->mass};
    struct koshu_force_result result = {scratch, scratch + n, scratch + 2 * n,
                                        scratch + 3 * n};
    koshu_status status =
            koshu_force_direct(context, &options, &i, &j, &result);
    if (status == KOSHU_OK)
        *energy = koshu_initial_sum(koshu_context_threads(context), n,
                                    view->mass, result.potential, NULL) /
                  2;
    koshu_free(scratch);
    return status;
}

static void
shift(int threads, size_t n, double *a, double by)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t k = 0; k < n; k++) a[k] += by;
}

static void
scale(int threads, size_t n, double *a, double by)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t k = 0; k < n; k++) a[k] *= by;
}

/* Twice, because the first shift rounds as the far coordinates do. */
void
koshu_initial_centre(int threads, const struct koshu_particle_view *view)
{
    double *array[] = {view->x, view->y, view->z, view->vx, view->vy, view->vz};
    for (int k = 0; k < 12; k++) {
        double *a = array[k % 6];
        shift(threads, view->n, a,
              -koshu_initial_sum(threads, view->n, view->mass, a, NULL));
    }
}

static void
scale_velocities(int threads, const struct koshu_particle_view *view, double by)
{
    scale(threads, view->n, view->vx, by);
    scale(threads, view->n, view->vy, by);
    scale(threads, view->n, view->vz, by);
}

koshu_status
koshu_initial_virial_ratio(struct koshu_context *context,
                           const struct koshu_particle_view *view,
                           double continuous_potential, double ratio)
{
    int threads = koshu_context_threads(context);
    size_t n = view->n;
    if (n == 1) return KOSHU_OK;
    double W = (1 - 1 / (double)n) * continuous_potential;
    if (n <= KOSHU_PAIR_SUM_LIMIT)
        KOSHU_TRY(koshu_initial_potential(context, view, &W));
    double T = koshu_initial_kinetic(threads, view);
    scale_velocities(threads, view, sqrt(ratio * -W / T));
    return KOSHU_OK;
}

koshu_status
koshu_initial_exact_virial(struct koshu_context *context,
                           const struct koshu_particle_view *view)
{
    int threads = koshu_context_threads(context);
    double W;
    KOSHU_TRY(koshu_initial_potential(context, view, &W));
    double longer = W / -0.5; /* W goes as 1 / length */
    scale(threads, view->n, view->x, longer);
    scale(threads, view->n, view->y, longer);
    scale(threads, view->n, view->z, longer);
    double T = koshu_initial_kinetic(threads, view);
    scale_velocities(threads, view, sqrt(0.25 / T));
    return KOSHU_OK;
}
