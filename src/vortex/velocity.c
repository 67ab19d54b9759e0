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

double *
koshu_vortex_solver_work(struct koshu_vortex_solver *solver, size_t numbers)
{
    if (numbers <= solver->work_size) return solver->work;
    koshu_free(solver->work);
    solver->work = koshu_alloc(numbers, sizeof *solver->work);
    solver->work_size = solver->work ? numbers : 0;
    return solver->work;
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

struct core {
    const struct koshu_core_table *table;
    double per_length, per_s, radius2; /* 1 / sigma, 1 / (2 sigma^2), R^2 */
    struct koshu_fmm_core shape;
    const struct koshu_fmm_kernels *kernels;
};

/* The difference that the core makes to 1 / r^3, and to its derivative over
 * r. */
static inline void
core_factors(const struct core *core, double r2, double *a, double *b)
{
    const double p = core->per_length, p3 = p * p * p;
    double of[KOSHU_CORE_FUNCTIONS];
    koshu_core_interpolate(core->table, r2 * core->per_s, of);
    *a = p3 * of[KOSHU_CORE_VALUE];
    *b = p3 * p * p * of[KOSHU_CORE_SLOPE];
    if (r2 == 0) return;
    const double u2 = 1 / r2, u3 = u2 * sqrt(u2);
    *a -= u3;
    *b += 3 * u3 * u2;
}

static inline void
add_velocity(const double alpha[3], const double d[3], double a, double b,
             double *sum)
{
    double *const g = sum + VELOCITY;
    const double x[3] = {alpha[1] * d[2] - alpha[2] * d[1],
                         alpha[2] * d[0] - alpha[0] * d[2],
                         alpha[0] * d[1] - alpha[1] * d[0]};
    for (int i = 0; i < 3; i++) {
        sum[i] += a * x[i];
        for (int k = 0; k < 3; k++) g[3 * i + k] += b * x[i] * d[k];
    }
    g[1] -= a * alpha[2];
    g[2] += a * alpha[1];
    g[3] += a * alpha[2];
    g[5] -= a * alpha[0];
    g[6] -= a * alpha[1];
    g[7] += a * alpha[0];
}

static void
add_cores(const struct koshu_near *near, const void *argument, size_t first,
          size_t end, const double x[3], double *sum)
{
    const struct core *core = argument;
    for (size_t j = first; j < end; j++) {
        const double d[3] = {x[0] - near->x[0][j], x[1] - near->x[1][j],
                             x[2] - near->x[2][j]};
        const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (r2 >= core->radius2) continue;
        const double alpha[3] = {near->strength[0][j], near->strength[1][j],
                                 near->strength[2][j]};
        double a, b;
        core_factors(core, r2, &a, &b);
        add_velocity(alpha, d, a, b, sum);
    }
}

/* Uses the backend's vectorised sums if it has them; falls back to double where
 * single precision is not enough. */
static void
add_rows(const struct koshu_near *near, const void *argument, size_t n,
         const struct koshu_fmm_row *row, double *sum)
{
    const struct core *core = argument;
    const struct koshu_fmm_rows rows = {
            &core->shape,
            {near->x[0], near->x[1], near->x[2]},
            {near->strength[0], near->strength[1], near->strength[2]},
            n,
            row,
            core->table};
    if (core->kernels->cores && core->kernels->cores(&rows, sum)) return;
    for (size_t k = 0; k < n; k++)
        add_cores(near, core, row[k].first, row[k].end, row[k].x, sum);
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
    struct koshu_backend *backend;
    const double radius = s->options.reach * v->core;
    struct core core = {
            &s->table,       1 / v->core,   1 / (2 * v->core * v->core),
            radius * radius, core_of(s, v), NULL};
    const struct koshu_near_targets targets = {n, x, VELOCITY + GRADIENT, sums,
                                               0};
    KOSHU_TRY(koshu_backend_of(s->context, &backend));
    core.kernels = backend->ops->fmm->kernels(backend, s->options.precision);
    if (memcmp(s->table.p, core.shape.p, sizeof core.shape.p) != 0)
        koshu_core_table_make(core.shape.p, &s->table);
    KOSHU_TRY(koshu_near_create(v, radius, &near));
    koshu_near_sum_rows(&near, &targets, add_rows, &core);
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
    double *const sums = koshu_alloc(rows * n, sizeof *sums);
    if (!sums)
        return koshu_fail_memory(s->context, 8 * rows * n,
                                 "velocities of vortices");
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
    double *const at = koshu_alloc(3 * n, sizeof *at);
    if (!at) return koshu_fail_memory(s->context, 24 * n, "targets");
    memcpy(at, target, 3 * n * sizeof *at);
    koshu_status status = koshu_vortex_coincide(v, n, at);
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
