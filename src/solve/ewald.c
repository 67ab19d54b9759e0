/* SPDX-License-Identifier: MIT */
/* Ewald summation. Lengths are in edges of the box. */
#include <koshu/ewald.h>

#include <math.h>

#include "base/base.h"
#include "solve/ewald_soften.h"
#include "solve/ewald_waves.h"
#include "solve/points.h"

KOSHU_DEFINE_DEFAULT(koshu_ewald_options, .box = 1)

static const double pi = 3.14159265358979323846;

/* Terms below exp(-CUTOFF^2) = 2e-17 are left out. */
#define CUTOFF 6.2
enum { MAX_SPLITTING = 50 };

struct ewald {
    double a;     /* splitting parameter */
    double eps;   /* softening */
    double mean;  /* of the sum in real space over the box, of charge 1 */
    double reach; /* of that sum */
    int images;   /* in it, to each side */
    size_t n;
    double *x, *y, *z, *q; /* sources, in [0, 1) */
    struct ewald_waves waves;
};

/* ---- sum in real space --------------------------------------------------- */

/* A source at this distance; at none, its waves' part at its own place. */
static void
add_pair(const struct ewald *e, double q, double x, double y, double z,
         double *sum)
{
    const double r2 = x * x + y * y + z * z, s2 = r2 + e->eps * e->eps;
    const double a = e->a;
    if (r2 == 0) sum[3] -= q * koshu_ewald_own(a, e->eps);
    if (r2 == 0 || s2 > e->reach * e->reach) return;
    const double s = sqrt(s2), part = erfc(a * s) / s;
    const double slope = (part + 2 * a / sqrt(pi) * exp(-a * a * s2)) / s2 * q;
    sum[0] -= slope * x;
    sum[1] -= slope * y;
    sum[2] -= slope * z;
    sum[3] += q * part;
}

/* All images of a source that are in reach of a place. */
static void
add_images(const struct ewald *e, double q, double x, double y, double z,
           double *sum)
{
    const int n = e->images;
    x -= rint(x);
    y -= rint(y);
    z -= rint(z);
    for (int i = -n; i <= n; i++)
        for (int k = -n; k <= n; k++)
            for (int l = -n; l <= n; l++)
                add_pair(e, q, x + i, y + k, z + l, sum);
}

/* ---- all of it ----------------------------------------------------------- */

/* In [0, 1), of the box's edge. */
static double
wrapped(double x, double box)
{
    const double in_box = x / box - floor(x / box);
    return in_box < 1 ? in_box : 0;
}

static void
sum_at(const struct ewald *e, const struct koshu_laplace_points *at, size_t i,
       double box, double *const to[4])
{
    const double x = wrapped(at->x[i], box), y = wrapped(at->y[i], box),
                 z = wrapped(at->z[i], box);
    double sum[4] = {0}, total = 0;
    for (size_t j = 0; j < e->n; j++) {
        add_images(e, e->q[j], x - e->x[j], y - e->y[j], z - e->z[j], sum);
        total += e->q[j];
    }
    sum[3] -= total * e->mean;
    koshu_ewald_add_waves(&e->waves, x, y, z, sum);
    for (int k = 0; k < 4; k++)
        if (to[k]) to[k][i] = k < 3 ? sum[k] / box / box : sum[k] / box;
}

/* Both sums take about the same time where a^6 goes with the particles: a pair
 * costs that of a hundred waves. */
static double
splitting_for(size_t n, size_t m)
{
    const double both = fmax(2.0 * (double)n * (double)m / (double)(n + m), 1);
    return fmin(sqrt(pi) * pow(100 * both, 1.0 / 6), MAX_SPLITTING);
}

/* Sources, then what waves have. */
static koshu_status
allocate(struct koshu_context *context, size_t n, struct ewald *e)
{
    const int k = (int)ceil(CUTOFF * e->a / pi);
    const size_t weights = (size_t)k * (size_t)k + 1;
    const size_t numbers = 4 * n + weights + koshu_ewald_wave_numbers(k);
    e->x = koshu_alloc(numbers, sizeof *e->x);
    if (!e->x)
        return koshu_fail_memory(context, numbers * sizeof *e->x,
                                 "an Ewald sum");
    e->n = n;
    e->y = e->x + n;
    e->z = e->y + n;
    e->q = e->z + n;
    double *const weight = e->q + n;
    for (size_t i = 1; i < weights; i++)
        weight[i] = koshu_ewald_wave(e->a, e->eps, (double)i);
    e->waves = (struct ewald_waves){k, weight, weight + weights};
    return KOSHU_OK;
}

static koshu_status
make(struct koshu_context *context, const struct koshu_ewald_options *o,
     const struct koshu_laplace_points *sources, size_t rhs, size_t targets,
     struct ewald *e)
{
    const size_t n = sources->n;
    e->a = o->splitting > 0 ? o->splitting : splitting_for(n, targets);
    e->eps = o->softening / o->box;
    e->mean = koshu_ewald_mean(e->a, e->eps);
    e->reach = CUTOFF / e->a;
    e->images = e->reach > 0.5 ? (int)(e->reach + 0.5) : 0;
    KOSHU_TRY(allocate(context, n, e));
    for (size_t j = 0; j < n; j++) {
        e->x[j] = wrapped(sources->x[j], o->box);
        e->y[j] = wrapped(sources->y[j], o->box);
        e->z[j] = wrapped(sources->z[j], o->box);
        e->q[j] = sources->charge[rhs * n + j];
    }
    return KOSHU_OK;
}

static koshu_status
check_sets(struct koshu_context *context, const struct koshu_laplace_sets *s)
{
    if (!s->result.hessian_xx && !s->sources.dipole_x) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                      "Ewald sums have no dipoles and no Hessians: leave them "
                      "NULL");
}

static koshu_status
check(struct koshu_context *context, const struct koshu_ewald_options *o)
{
    if (!(o->box > 0 && isfinite(o->box)))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "box = %g: the edge of an Ewald sum's box must be "
                          "positive and finite",
                          o->box);
    if (!(o->softening >= 0 && o->softening <= o->box / 2))
        return koshu_fail(
                context, KOSHU_ERROR_INVALID_ARGUMENT,
                "softening = %g of an Ewald sum: it must be from 0 to "
                "half of the box, %g",
                o->softening, o->box / 2);
    if (o->splitting == 0 ||
        (o->splitting >= 0.5 && o->splitting <= MAX_SPLITTING))
        return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "splitting = %g: it must be from 0.5 to %d, or 0 to have "
                      "it chosen",
                      o->splitting, MAX_SPLITTING);
}

static double *
from(double *results, size_t first)
{
    return results ? results + first : NULL;
}

/* Of one right-hand side. */
static koshu_status
sum(struct koshu_context *context, const struct koshu_ewald_options *o,
    const struct koshu_laplace_sets *s, size_t rhs)
{
    struct ewald e;
    const struct koshu_laplace_points *const at = &s->targets;
    const size_t first = rhs * at->n;
    double *const to[4] = {from(s->result.gradient_x, first),
                           from(s->result.gradient_y, first),
                           from(s->result.gradient_z, first),
                           from(s->result.potential, first)};
    KOSHU_TRY(make(context, o, &s->sources, rhs, at->n, &e));
    const int threads = koshu_region_threads(context, at->n + e.n > 8);
    koshu_ewald_make_waves(&e.waves, e.n, e.x, e.y, e.z, e.q, threads);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
    for (size_t i = 0; i < at->n; i++) sum_at(&e, at, i, o->box, to);
    koshu_free(e.x);
    return KOSHU_OK;
}

koshu_status
koshu_ewald_sums(struct koshu_context *context,
                 const struct koshu_laplace_points *sources,
                 const struct koshu_laplace_points *targets,
                 const struct koshu_ewald_options *options,
                 const struct koshu_laplace_result *result)
{
    struct koshu_ewald_options o;
    struct koshu_laplace_sets sets;
    KOSHU_REQUIRE(context, context);
    KOSHU_TRY(koshu_read_points(context, sources, targets, result, &sets));
    KOSHU_TRY(KOSHU_READ_OPTIONS(context, koshu_ewald_options, options, &o));
    KOSHU_TRY(check(context, &o));
    KOSHU_TRY(check_sets(context, &sets));
    KOSHU_TRY(koshu_check_threads(context));
    KOSHU_TRY(koshu_check_finite(context, &sets.sources, true));
    KOSHU_TRY(koshu_check_finite(context, &sets.targets, false));
    for (size_t rhs = 0; rhs < sets.sources.n_rhs; rhs++)
        KOSHU_TRY(sum(context, &o, &sets, rhs));
    return KOSHU_OK;
}
