/* SPDX-License-Identifier: MIT */
/* Time steps of positions, strengths and the core radius. */
#include <math.h>

#include "base/base.h"
#include "vortex/vortex.h"

static const char *const schemes[] = {"ab2", "rk2", "rk4"};
static const char *const stretchings[] = {"classical", "transpose", "none"};
static const char *const diffusions[] = {"spreading", "exchange"};

const char *
koshu_vortex_scheme_name(int k)
{
    return koshu_enum_name(schemes, 3, (unsigned)k);
}

const char *
koshu_vortex_stretching_name(int k)
{
    return koshu_enum_name(stretchings, 3, (unsigned)k);
}

const char *
koshu_vortex_diffusion_name(int k)
{
    return koshu_enum_name(diffusions, 2, (unsigned)k);
}

/* Work space of a step. gradient: 9 n numbers; the other arrays are as long as
 * the state. */
struct step {
    struct koshu_vortex_solver *solver;
    const struct koshu_vortex_flow *flow;
    struct koshu_vortices *v;
    double dt, core2; /* core2: sigma^2 at the beginning of the step */
    double *gradient, *rate, *begin, *total;
};

/* Threads pay off only for enough numbers. */
static int
threads_for(const struct step *s, size_t n)
{
    return koshu_region_threads(s->v->context, n > 1 << 16);
}

/* The largest |omega| at a particle, from the velocity gradients. */
static double
find_max_vorticity(const struct step *s)
{
    const size_t n = s->v->n;
    const int threads = threads_for(s, n);
    double max = 0;
#pragma omp parallel for num_threads(threads) reduction(max : max)
    for (size_t i = 0; i < n; i++) {
        double square = 0;
        for (size_t c = 0; c < 3; c++) {
            const double w = koshu_vortex_curl(s->gradient, n, i, c);
            square += w * w;
        }
        max = fmax(max, square);
    }
    return sqrt(max);
}

/* ---- rates -------------------------------------------------------------- */

static void
stretch(const struct step *s)
{
    const size_t n = s->v->n;
    const double *const alpha = koshu_vortices_strength(s->v, 0);
    const bool transpose =
            s->flow->stretching == KOSHU_VORTEX_STRETCHING_TRANSPOSE;
    const bool none = s->flow->stretching == KOSHU_VORTEX_STRETCHING_NONE;
    double *const to = s->rate + 3 * n;
    const int threads = threads_for(s, n);
#pragma omp parallel for num_threads(threads)
    for (size_t p = 0; p < n; p++)
        for (size_t i = 0; i < 3; i++) {
            double sum = 0;
            for (size_t k = 0; !none && k < 3; k++)
                sum += alpha[k * n + p] *
                       s->gradient[(transpose ? 3 * k + i : 3 * i + k) * n + p];
            to[i * n + p] = sum;
        }
}

/* The rate of change of the present state; part: how far it is into the
 * step. */
static koshu_status
find_rate(const struct step *s, double part)
{
    struct koshu_vortices *v = s->v;
    const struct koshu_vortex_flow *f = s->flow;
    const bool spreads = f->diffusion == KOSHU_VORTEX_DIFFUSION_SPREADING;
    if (spreads) v->core = sqrt(s->core2 + 2 * f->viscosity * part * s->dt);
    KOSHU_TRY(koshu_vortices_check(v));
    KOSHU_TRY(koshu_vortex_velocities(s->solver, v, v->n, NULL, s->rate,
                                      s->gradient));
    stretch(s);
    if (spreads || f->viscosity == 0) return KOSHU_OK;
    return koshu_vortex_exchange(v, f->viscosity, s->rate + 3 * v->n);
}

/* ---- schemes ------------------------------------------------------------ */

static size_t
length(const struct step *s)
{
    return KOSHU_VORTEX_STATE * s->v->n;
}

/* state = state at the beginning of the step + part dt rate. */
static void
go(const struct step *s, const double *rate, double part)
{
    const size_t n = length(s);
    const int threads = threads_for(s, n);
#pragma omp parallel for num_threads(threads)
    for (size_t i = 0; i < n; i++)
        s->v->state[i] = s->begin[i] + part * s->dt * rate[i];
    koshu_vortices_wrap(s->v);
}

/* Adds to the total, or starts it. */
static void
add_rate(const struct step *s, double weight, bool is_first)
{
    const int threads = threads_for(s, length(s));
#pragma omp parallel for num_threads(threads)
    for (size_t i = 0; i < length(s); i++)
        s->total[i] = (is_first ? 0 : s->total[i]) + weight * s->rate[i];
}

static void
copy(const struct step *s, double *to, const double *from)
{
    const int threads = threads_for(s, length(s));
#pragma omp parallel for num_threads(threads)
    for (size_t i = 0; i < length(s); i++) to[i] = from[i];
}

/* The next Adams-Bashforth step needs the rate at the beginning of this one. */
static void
keep_rate(const struct step *s)
{
    copy(s, s->v->rate, s->rate);
    s->v->has_rate = true;
}

/* On entry to a scheme, s->rate is the rate at the beginning of the step. */
static koshu_status
step_midpoint(const struct step *s)
{
    keep_rate(s);
    go(s, s->rate, 0.5);
    KOSHU_TRY(find_rate(s, 0.5));
    go(s, s->rate, 1);
    return KOSHU_OK;
}

static koshu_status
step_adams_bashforth(const struct step *s)
{
    if (!s->v->has_rate) return step_midpoint(s);
    const double half = s->dt / s->v->last_step / 2;
    copy(s, s->total, s->v->rate);
    keep_rate(s);
    const int threads = threads_for(s, length(s));
#pragma omp parallel for num_threads(threads)
    for (size_t i = 0; i < length(s); i++)
        s->rate[i] += half * (s->rate[i] - s->total[i]);
    go(s, s->rate, 1);
    return KOSHU_OK;
}

static koshu_status
step_classical(const struct step *s)
{
    static const double at[] = {0, 0.5, 0.5, 1};
    static const double weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    add_rate(s, weight[0], true);
    for (int k = 1; k < 4; k++) {
        go(s, s->rate, at[k]);
        KOSHU_TRY(find_rate(s, at[k]));
        add_rate(s, weight[k], false);
    }
    go(s, s->total, 1);
    return KOSHU_OK;
}

static koshu_status
make_step(struct step *s)
{
    static koshu_status (*const make[])(const struct step *) = {
            step_adams_bashforth, step_midpoint, step_classical};
    struct koshu_vortices *v = s->v;
    copy(s, s->begin, v->state);
    KOSHU_TRY(find_rate(s, 0));
    v->max_vorticity = find_max_vorticity(s);
    KOSHU_TRY(make[s->flow->scheme](s));
    if (s->flow->diffusion == KOSHU_VORTEX_DIFFUSION_SPREADING)
        v->core = sqrt(s->core2 + 2 * s->flow->viscosity * s->dt);
    v->time += s->dt;
    v->last_step = s->dt;
    v->steps++;
    return koshu_vortices_check(v);
}

koshu_status
koshu_vortex_step(struct koshu_vortex_solver *solver,
                  const struct koshu_vortex_flow *flow, double dt,
                  struct koshu_vortices *v)
{
    const size_t n = KOSHU_VORTEX_STATE * v->n;
    double *block;
    KOSHU_TRY(koshu_vortex_solver_work(solver, 3 * n + 9 * v->n,
                                       "a step of vortices", &block));
    struct step s = {.solver = solver,
                     .flow = flow,
                     .v = v,
                     .dt = dt,
                     .core2 = v->core * v->core,
                     .rate = block,
                     .begin = block + n,
                     .total = block + 2 * n,
                     .gradient = block + 3 * n};
    return make_step(&s);
}
