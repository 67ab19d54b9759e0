/* SPDX-License-Identifier: MIT */
/* Ewald summation on the host or a device. Lengths are in edges of the box. */
#include <koshu/ewald.h>

#include <math.h>

#include "backend/backend.h"
#include "base/base.h"
#include "fmm/fmm.h"
#include "solve/ewald_pairs.h"
#include "solve/ewald_soften.h"
#include "solve/ewald_waves.h"
#include "solve/points.h"

KOSHU_DEFINE_DEFAULT(koshu_ewald_options, .box = 1)

static const double pi = 3.14159265358979323846;

/* Terms below exp(-cutoff^2), 2e-17, are left out. Derivatives of Gaussians
 * decay later, by factors of twice the squared cutoff. */
static const double cutoff_of_gradients = 6.2, cutoff_of_derivatives = 7;
enum { MAX_SPLITTING = 50 };

struct ewald {
    double a;   /* splitting parameter */
    double eps; /* softening */
    /* mean over the box of the sum in real space, for unit charge */
    double mean;
    double all; /* total charge */
    bool hessian;
    double cutoff;
    double *memory;
    struct ewald_sources sources;
    struct ewald_pairs pairs;
    struct ewald_waves waves;
};

/* A coordinate in edges of the box, wrapped into [0, 1). */
static double
wrapped(double x, double box)
{
    const double in_box = x / box - floor(x / box);
    return in_box < 1 ? in_box : 0;
}

/* The results: potential, gradient, Hessian. */
enum { RESULTS = 10 };

static void
put_sums(double potential, const double gradient[3], size_t i, double box,
         double *const to[RESULTS])
{
    if (to[0]) to[0][i] = potential / box;
    for (int k = 0; to[1] && k < 3; k++) to[1 + k][i] = gradient[k] / box / box;
}

static void
sum_at(const struct ewald *e, const struct koshu_laplace_points *at, size_t i,
       double box, double *const to[RESULTS])
{
    const double x[3] = {wrapped(at->x[i], box), wrapped(at->y[i], box),
                         wrapped(at->z[i], box)};
    struct ewald_sums sum = {.potential = -e->all * e->mean};
    koshu_ewald_add_pairs(&e->pairs, &e->sources, x, &sum);
    koshu_ewald_add_waves(&e->waves, x, e->hessian, &sum);
    put_sums(sum.potential, sum.gradient, i, box, to);
    for (int k = 0; e->hessian && k < 6; k++)
        to[4 + k][i] = sum.hessian[k] / box / box / box;
}

/* The splitting that makes both sums about equally expensive: a^6 grows with
 * the number of particles, as a pair costs as much as a hundred waves. */
static double
splitting_for(size_t n, size_t m)
{
    const double both = fmax(2.0 * (double)n * (double)m / (double)(n + m), 1);
    return fmin(sqrt(pi) * pow(100 * both, 1.0 / 6), MAX_SPLITTING);
}

/* Numbers per source: position, charge, dipole. */
enum { PLACE = 3, CHARGE, WITH_DIPOLE = CHARGE + 3 };

/* Allocates memory for the sources, then for the waves. */
static koshu_status
allocate(struct koshu_context *context, size_t n, bool dipoles, struct ewald *e)
{
    const int k = (int)ceil(e->cutoff * e->a / pi);
    const size_t weights = (size_t)k * (size_t)k + 1;
    const size_t of_sources = n * (dipoles ? WITH_DIPOLE : CHARGE);
    const size_t numbers = of_sources + weights + koshu_ewald_wave_numbers(k);
    e->memory = koshu_alloc(numbers, sizeof *e->memory);
    if (!e->memory)
        return koshu_fail_memory(context, numbers * sizeof *e->memory,
                                 "an Ewald sum");
    double *const weight = e->memory + of_sources;
    for (size_t i = 1; i < weights; i++)
        weight[i] = koshu_ewald_wave(e->a, e->eps, (double)i);
    e->waves = (struct ewald_waves){k, weight, weight + weights};
    return KOSHU_OK;
}

/* Copies the sources of a right-hand side, in edges of the box. */
static void
take_sources(struct ewald *e, const struct koshu_laplace_points *p, size_t rhs,
             double box)
{
    const double *const x[3] = {p->x, p->y, p->z};
    const double *const dipole[3] = {p->dipole_x, p->dipole_y, p->dipole_z};
    double *to = e->memory;
    e->sources.n = p->n;
    for (int k = 0; k < PLACE; k++, to += p->n) {
        e->sources.x[k] = to;
        for (size_t j = 0; j < p->n; j++) to[j] = wrapped(x[k][j], box);
    }
    e->sources.charge = to;
    for (size_t j = 0; j < p->n; j++) {
        to[j] = p->charge ? p->charge[rhs * p->n + j] : 0;
        e->all += to[j];
    }
    for (int k = 0; dipole[0] && k < 3; k++) {
        e->sources.dipole[k] = to += p->n;
        for (size_t j = 0; j < p->n; j++)
            to[j] = dipole[k][rhs * p->n + j] / box;
    }
}

static koshu_status
make(struct koshu_context *context, const struct koshu_ewald_options *o,
     const struct koshu_laplace_points *sources, size_t rhs, size_t targets,
     struct ewald *e)
{
    const size_t n = sources->n;
    const bool dipoles = sources->dipole_x != NULL;
    e->cutoff =
            dipoles || e->hessian ? cutoff_of_derivatives : cutoff_of_gradients;
    e->a = o->splitting > 0 ? o->splitting : splitting_for(n, targets);
    e->eps = o->softening / o->box;
    e->mean = koshu_ewald_mean(e->a, e->eps);
    e->pairs = koshu_ewald_pairs(e->a, e->eps, e->cutoff / e->a);
    KOSHU_TRY(allocate(context, n, dipoles, e));
    take_sources(e, sources, rhs, o->box);
    return KOSHU_OK;
}

static koshu_status
check(struct koshu_context *context, const struct koshu_ewald_options *o)
{
    if (!(o->box >= KOSHU_MIN_LENGTH && o->box <= KOSHU_MAX_LENGTH))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "box = %g: the edge of an Ewald sum's box must be "
                          "from %g to %g",
                          o->box, KOSHU_MIN_LENGTH, KOSHU_MAX_LENGTH);
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

/* ---- on a device --------------------------------------------------------- */

/* A device sums charges without second derivatives; NULL: the host must sum. */
static struct koshu_backend *
device_for(struct koshu_context *context, const struct ewald *e)
{
    struct koshu_backend *backend;
    if (e->hessian || e->sources.dipole[0] ||
        koshu_backend_of(context, &backend) != KOSHU_OK)
        return NULL;
    return backend->ops->ewald ? backend : NULL;
}

static struct koshu_ewald_task
task_of(const struct ewald *e, size_t m, double *at, double *result)
{
    const struct ewald_sources *s = &e->sources;
    return (struct koshu_ewald_task){.n = s->n,
                                     .x = {s->x[0], s->x[1], s->x[2]},
                                     .charge = s->charge,
                                     .m = m,
                                     .at = {at, at + m, at + 2 * m},
                                     .a = e->a,
                                     .eps = e->eps,
                                     .reach = e->pairs.reach,
                                     .own = e->pairs.own[0],
                                     .mean = -e->all * e->mean,
                                     .k = e->waves.k,
                                     .weight = e->waves.weight,
                                     .result = result};
}

static koshu_status
sum_on_device(struct koshu_backend *backend, const struct ewald *e,
              const struct koshu_laplace_points *points, double box,
              double *const to[RESULTS])
{
    const size_t m = points->n, numbers = (PLACE + KOSHU_EWALD_RESULTS) * m;
    const double *const x[PLACE] = {points->x, points->y, points->z};
    double *const at = koshu_alloc(numbers, sizeof *at);
    if (!at)
        return koshu_fail_memory(backend->context, numbers * sizeof *at,
                                 "an Ewald sum");
    for (size_t k = 0; k < PLACE * m; k++)
        at[k] = wrapped(x[k / m][k % m], box);
    double *const result = at + PLACE * m;
    const struct koshu_ewald_task task = task_of(e, m, at, result);
    const koshu_status status = backend->ops->ewald(backend, &task);
    for (size_t i = 0; i < m && status == KOSHU_OK; i++) {
        const double *const of = result + KOSHU_EWALD_RESULTS * i;
        put_sums(of[0], of + 1, i, box, to);
    }
    koshu_free(at);
    return status;
}

/* ---- all ----------------------------------------------------------------- */

static void
sum_on_host(struct koshu_context *context, struct ewald *e,
            const struct koshu_laplace_points *at, double box,
            double *const to[RESULTS])
{
    const int threads = koshu_region_threads(context, at->n + e->sources.n > 8);
    koshu_ewald_make_waves(&e->waves, &e->sources, threads);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
    for (size_t i = 0; i < at->n; i++) sum_at(e, at, i, box, to);
}

/* Sums of one right-hand side. */
static koshu_status
sum(struct koshu_context *context, const struct koshu_ewald_options *o,
    const struct koshu_laplace_sets *s, size_t rhs)
{
    const struct koshu_laplace_points *const at = &s->targets;
    const struct koshu_laplace_result *const r = &s->result;
    struct ewald e = {.hessian = r->hessian_xx != NULL};
    double *to[RESULTS] = {r->potential,  r->gradient_x, r->gradient_y,
                           r->gradient_z, r->hessian_xx, r->hessian_xy,
                           r->hessian_xz, r->hessian_yy, r->hessian_yz,
                           r->hessian_zz};
    for (int k = 0; k < RESULTS; k++) to[k] = from(to[k], rhs * at->n);
    KOSHU_TRY(make(context, o, &s->sources, rhs, at->n, &e));
    struct koshu_backend *const device = device_for(context, &e);
    koshu_status status = KOSHU_OK;
    if (device)
        status = sum_on_device(device, &e, at, o->box, to);
    else
        sum_on_host(context, &e, at, o->box, to);
    koshu_free(e.memory);
    return status;
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
    KOSHU_REQUIRE(context, sources);
    KOSHU_REQUIRE(context, result);
    KOSHU_TRY(koshu_read_points(context, sources, targets, result, &sets));
    KOSHU_TRY(KOSHU_READ_OPTIONS(context, koshu_ewald_options, options, &o));
    KOSHU_TRY(check(context, &o));
    KOSHU_TRY(koshu_check_threads(context));
    KOSHU_TRY(koshu_check_finite(context, &sets.sources, true));
    KOSHU_TRY(koshu_check_finite(context, &sets.targets, false));
    for (size_t rhs = 0; rhs < sets.sources.n_rhs; rhs++)
        KOSHU_TRY(sum(context, &o, &sets, rhs));
    return KOSHU_OK;
}
