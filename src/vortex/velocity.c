/* SPDX-License-Identifier: MIT */
/* Velocities by the fast multipole method. If the backend can sum cores of near
 * pairs, it does all in one pass; otherwise the sums are made without cores and
 * the difference due to the cores is added for the particles nearby. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/laplace.h>

#include "backend/backend.h"
#include "base/base.h"
#include "solve/solve.h"
#include "vortex/near.h"
#include "vortex/ranks.h"

static const double pi = 3.14159265358979323846;
enum { VELOCITY = 3, GRADIENT = 9 };

struct koshu_vortex_solver {
    struct koshu_context *context;
    struct koshu_vortex_options options;
    struct koshu_laplace *laplace;
    struct koshu_core_table table;
    double *work;
    size_t work_size;
};

koshu_status
koshu_vortex_solver_create(struct koshu_context *context,
                           const struct koshu_vortex_options *options,
                           struct koshu_vortex_solver **solver)
{
    struct koshu_laplace_options o = koshu_laplace_options_default();
    struct koshu_vortex_solver *s = calloc(1, sizeof *s);
    *solver = NULL;
    if (!s) return koshu_fail_memory(context, sizeof *s, "velocities");
    s->context = context;
    s->options = *options;
    o.precision = options->precision;
    o.tolerance = options->tolerance;
    o.box = options->box;
    if (options->tolerance == 0) {
        o.multipole_order = options->multipole_order;
        o.theta = options->theta;
    }
    koshu_core_table_make((const double[VORTEX_CORE_TERMS]){0}, &s->table);
    const koshu_status status = koshu_laplace_create(context, &o, &s->laplace);
    if (status == KOSHU_OK)
        *solver = s;
    else
        koshu_vortex_solver_destroy(s);
    return status;
}

void
koshu_vortex_solver_destroy(struct koshu_vortex_solver *solver)
{
    if (!solver) return;
    koshu_laplace_destroy(solver->laplace);
    koshu_free(solver->work);
    free(solver);
}

koshu_status
koshu_vortex_solver_work(struct koshu_vortex_solver *solver, size_t n,
                         const char *purpose, double **work)
{
    struct koshu_vortex_solver *s = solver;
    koshu_status status = KOSHU_OK;
    if (n > s->work_size) {
        koshu_free(s->work);
        s->work_size = 0;
        status = koshu_vortex_alloc(s->context, n, purpose, &s->work);
    }
    if (status == KOSHU_OK && n > s->work_size) s->work_size = n;
    *work = s->work;
    return status;
}

bool
koshu_vortex_solver_is_fast(const struct koshu_vortex_solver *solver)
{
    return koshu_laplace_takes_cores(solver->laplace);
}

koshu_status
koshu_vortex_solver_report(const struct koshu_vortex_solver *solver,
                           struct koshu_laplace_report *report)
{
    return koshu_laplace_report(solver->laplace, report);
}

/* ---- the core ----------------------------------------------------------- */

struct cores {
    struct koshu_fmm_core core;
    const struct koshu_core_table *table;
    const struct koshu_fmm_kernels *kernels, *precise;
};

/* In double where single precision is not enough. */
static void
add_cores(const struct koshu_fmm_rows *rows, const void *argument, double *sums)
{
    const struct cores *c = argument;
    struct koshu_fmm_rows with = *rows;
    with.core = &c->core;
    with.table = c->table;
    if (!c->kernels->cores(&with, sums)) c->precise->cores(&with, sums);
}

/* ---- both --------------------------------------------------------------- */

static struct koshu_fmm_core
core_of(const struct koshu_vortex_solver *s, const struct koshu_vortices *v)
{
    const struct koshu_vortex_core_shape shape = koshu_vortex_core_shape(v);
    struct koshu_fmm_core core = {v->core, s->options.reach, {0}};
    _Static_assert(sizeof core.p == sizeof shape.p, "P of a core");
    memcpy(core.p, shape.p, sizeof core.p);
    return core;
}

/* cores: include them in the near field (the backend must be able to). */
static koshu_status
sum_by_fmm(struct koshu_vortex_solver *s, const struct koshu_vortices *v,
           bool cores, size_t n, const double *target, double *u, double *g)
{
    struct koshu_laplace_points from = koshu_laplace_points_default(),
                                at = koshu_laplace_points_default();
    struct koshu_laplace_velocity to = koshu_laplace_velocity_default();
    double **const slopes[] = {
            &to.gradient_xx, &to.gradient_xy, &to.gradient_xz,
            &to.gradient_yx, &to.gradient_yy, &to.gradient_yz,
            &to.gradient_zx, &to.gradient_zy, &to.gradient_zz};
    const double *const x = target ? target : v->state;
    from.n = v->n;
    from.x = koshu_vortices_position(v, 0);
    from.y = koshu_vortices_position(v, 1);
    from.z = koshu_vortices_position(v, 2);
    from.n_rhs = 3;
    from.charge = koshu_vortices_strength(v, 0);
    at.n = n;
    at.x = x;
    at.y = x + n;
    at.z = x + 2 * n;
    to.x = u;
    to.y = u + n;
    to.z = u + 2 * n;
    for (size_t k = 0; g && k < GRADIENT; k++) *slopes[k] = g + k * n;
    const struct koshu_fmm_core core = core_of(s, v);
    if (cores)
        return koshu_laplace_cores(s->laplace, &core, &from,
                                   target ? &at : NULL, &to);
    return koshu_laplace_biot_savart(s->laplace, &from, target ? &at : NULL,
                                     &to);
}

static koshu_status
sum_near(struct koshu_vortex_solver *s, const struct koshu_vortices *v,
         size_t n, const double *x, double *sums)
{
    struct koshu_near near;
    struct cores cores = {core_of(s, v), &s->table, NULL, NULL};
    const struct koshu_near_targets targets = {n, x, VELOCITY + GRADIENT, sums,
                                               0};
    KOSHU_TRY(koshu_backend_fmm_kernels(s->context, s->options.precision,
                                        &cores.kernels));
    KOSHU_TRY(koshu_backend_fmm_kernels(s->context, KOSHU_PRECISION_DOUBLE,
                                        &cores.precise));
    if (memcmp(s->table.p, cores.core.p, sizeof cores.core.p) != 0)
        koshu_core_table_make(cores.core.p, &s->table);
    KOSHU_TRY(koshu_near_create(v, s->options.reach * v->core, &near));
    koshu_near_sum(&near, &targets, add_cores, &cores);
    koshu_near_free(&near);
    return KOSHU_OK;
}

static void
add_sums(size_t n, const double *sums, double *to)
{
    for (size_t i = 0; to && i < n; i++) to[i] += sums[i] / (4 * pi);
}

static koshu_status
sum_both(struct koshu_vortex_solver *s, const struct koshu_vortices *v,
         size_t n, const double *target, double *velocity, double *gradient)
{
    double *sums = koshu_alloc((VELOCITY + GRADIENT) * n, sizeof *sums);
    if (!sums)
        return koshu_fail_memory(s->context, 96 * n, "velocities of vortices");
    koshu_status status =
            sum_by_fmm(s, v, false, n, target, velocity, gradient);
    if (status == KOSHU_OK)
        status = sum_near(s, v, n, target ? target : v->state, sums);
    if (status == KOSHU_OK) {
        add_sums(VELOCITY * n, sums, velocity);
        add_sums(GRADIENT * n, sums + VELOCITY * n, gradient);
    }
    koshu_free(sums);
    return status;
}

static koshu_status
find_velocities(struct koshu_vortex_solver *s, const struct koshu_vortices *v,
                size_t n, const double *target, double *velocity,
                double *gradient)
{
    if (koshu_vortex_solver_is_fast(s))
        return sum_by_fmm(s, v, true, n, target, velocity, gradient);
    return sum_both(s, v, n, target, velocity, gradient);
}

/* ---- over ranks --------------------------------------------------------- */

struct velocities {
    struct koshu_vortex_solver *solver;
    const struct koshu_vortices *v;
    bool gradient;
};

static koshu_status
sum_at(const void *argument, size_t n, const double *x, double *sums)
{
    const struct velocities *a = argument;
    return find_velocities(a->solver, a->v, n, x, sums,
                           a->gradient ? sums + VELOCITY * n : NULL);
}

/* Velocities and gradients at all targets, divided among the ranks. */
static koshu_status
sum_on_ranks(struct koshu_vortex_solver *s, const struct koshu_vortices *v,
             size_t n, const double *target, double *velocity, double *gradient)
{
    const struct velocities a = {s, v, gradient != NULL};
    const size_t rows = gradient ? VELOCITY + GRADIENT : VELOCITY;
    double *sums;
    KOSHU_TRY(koshu_vortex_alloc(s->context, rows * n, "velocities of vortices",
                                 &sums));
    const koshu_status status = koshu_vortex_sum_on_ranks(
            s->context, sum_at, &a, rows, n, target ? target : v->state, sums);
    if (status == KOSHU_OK) {
        memcpy(velocity, sums, VELOCITY * n * sizeof *sums);
        if (gradient)
            memcpy(gradient, sums + VELOCITY * n, GRADIENT * n * sizeof *sums);
    }
    koshu_free(sums);
    return status;
}

static koshu_status
sum_all(struct koshu_vortex_solver *s, const struct koshu_vortices *v, size_t n,
        const double *target, double *velocity, double *gradient)
{
    if (koshu_context_ranks(s->context) > 1)
        return sum_on_ranks(s, v, n, target, velocity, gradient);
    return find_velocities(s, v, n, target, velocity, gradient);
}

/* Targets that are not the particles themselves: those that almost coincide
 * with a particle are first moved onto it. */
static koshu_status
sum_elsewhere(struct koshu_vortex_solver *s, const struct koshu_vortices *v,
              size_t n, const double *target, double *velocity,
              double *gradient)
{
    double *at;
    KOSHU_TRY(koshu_vortex_alloc(s->context, 3 * n, "targets", &at));
    memcpy(at, target, 3 * n * sizeof *at);
    koshu_status status = koshu_ranks_collective_status(
            s->context, koshu_vortex_coincide(v, n, at));
    if (status == KOSHU_OK) status = sum_all(s, v, n, at, velocity, gradient);
    koshu_free(at);
    return status;
}

koshu_status
koshu_vortex_velocities(struct koshu_vortex_solver *s,
                        const struct koshu_vortices *v, size_t n_i,
                        const double *target, double *velocity,
                        double *gradient)
{
    if (target && !koshu_vortex_solver_is_fast(s))
        return sum_elsewhere(s, v, n_i, target, velocity, gradient);
    return sum_all(s, v, target ? n_i : v->n, target, velocity, gradient);
}

void
koshu_vortex_curls(struct koshu_context *context, size_t n_i,
                   const double *gradient, double *curl)
{
    const int threads = koshu_region_threads(context, n_i > 1 << 16);
#pragma omp parallel for num_threads(threads)
    for (size_t i = 0; i < n_i; i++)
        for (size_t c = 0; c < 3; c++)
            curl[c * n_i + i] = koshu_vortex_curl(gradient, n_i, i, c);
}
