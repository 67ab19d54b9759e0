/* SPDX-License-Identifier: MIT */
/* Isotropic spheres by Eddington's formula: see spherical.h. */
#include "initial/spherical.h"

#include <math.h>

#include "base/base.h"

enum { N = KOSHU_RADII };

/* ---- mass and potential -------------------------------------------------- */

/* The integrand 4 pi r^n rho with respect to ln r. */
static double
shell(const struct koshu_spherical_law *law, double r, int n)
{
    const double rho = law->at(r, law->parameter).density;
    return 4 * M_PI * (n == 3 ? r * r * r : r * r) * rho;
}

/* Simpson's rule between two radii. */
static double
between(const struct koshu_spherical_law *law, const struct koshu_spherical *t,
        size_t k, int n)
{
    const double middle = sqrt(t->r[k] * t->r[k + 1]);
    return t->log_step / 6 *
           (shell(law, t->r[k], n) + 4 * shell(law, middle, n) +
            shell(law, t->r[k + 1], n));
}

static void
find_masses(const struct koshu_spherical_law *law, struct koshu_spherical *t)
{
    const double first = law->at(t->r[0], law->parameter).slope,
                 last = law->at(t->r[N - 1], law->parameter).slope;
    t->inner_slope = 3 + first;
    t->mass[0] = shell(law, t->r[0], 3) / t->inner_slope;
    for (size_t k = 0; k < N - 1; k++)
        t->mass[k + 1] = t->mass[k] + between(law, t, k, 3);
    /* outside: a power of r that falls faster than r^-3 */
    const double all =
            t->mass[N - 1] + shell(law, t->r[N - 1], 3) / -(3 + last);
    double outside = shell(law, t->r[N - 1], 2) / -(2 + last);
    for (size_t k = N; k-- > 0;) {
        if (k < N - 1) outside += between(law, t, k, 2);
        t->psi[k] = (t->mass[k] / t->r[k] + outside) / all;
    }
    for (size_t k = 0; k < N; k++) {
        t->mass[k] /= all;
        t->density[k] = law->at(t->r[k], law->parameter).density / all;
        t->all[k] = t->mass[k];
        t->all_density[k] = t->density[k];
    }
}

/* psi = int_r^inf M / r d ln r, by the trapezoidal rule with its end
 * correction. */
static void
find_potential_of_all(koshu_mass_law *all, const void *user,
                      struct koshu_spherical *t)
{
    const double h = t->log_step;
    double before = 0, slope_before = 0;
    for (size_t k = N; k-- > 0;) {
        const double r = t->r[k];
        const struct koshu_mass_at at = all(user, r);
        const double f = at.mass / r, slope = 4 * M_PI * r * r * at.density - f;
        t->all[k] = at.mass;
        t->all_density[k] = at.density;
        t->psi[k] = k == N - 1 ? 1 / r
                               : t->psi[k + 1] + h / 2 * (f + before) +
                                         h * h / 12 * (slope - slope_before);
        before = f;
        slope_before = slope;
    }
}

/* ---- the distribution function ------------------------------------------- */

/* d^2 rho / d psi^2, with psi' = -M / r^2. */
static double
second_derivative(const struct koshu_spherical_law *law,
                  const struct koshu_spherical *t, size_t k)
{
    const struct koshu_law_at at = law->at(t->r[k], law->parameter);
    const double r = t->r[k], rho = t->density[k];
    const double rho1 = rho * at.slope / r;
    const double rho2 =
            rho / (r * r) * (at.slope * at.slope - at.slope + at.curvature);
    const double psi1 = -t->all[k] / (r * r);
    const double psi2 =
            2 * t->all[k] / (r * r * r) - 4 * M_PI * t->all_density[k];
    return (rho2 - rho1 * psi2 / psi1) / (psi1 * psi1);
}

/* The integral of a function of psi that is linear from g0 at `low` to g1 at
 * `high`, divided by sqrt(E - psi); high <= E. */
static double
linear_part(double E, double low, double high, double g0, double g1)
{
    const double a = sqrt(E - low), b = sqrt(fmax(0, E - high));
    const double slope = (g1 - g0) / (high - low);
    return 2 * (a - b) * (g0 + slope * (E - low)) -
           slope * 2 / 3 * (a * a * a - b * b * b);
}

static koshu_status
find_f(struct koshu_context *context, const struct koshu_spherical_law *law,
       struct koshu_spherical *t)
{
    double g[N];
    for (size_t k = 0; k < N; k++) g[k] = second_derivative(law, t, k);
    for (size_t e = 0; e < N; e++) {
        const double E = t->psi[e];
        double sum = 2 * g[N - 1] * (sqrt(E) - sqrt(E - t->psi[N - 1]));
        for (size_t k = N - 1; k > e; k--)
            sum += linear_part(E, t->psi[k], t->psi[k - 1], g[k], g[k - 1]);
        if (sum < 0)
            return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                              "no isotropic velocities keep this density in "
                              "equilibrium: at r = %g the distribution "
                              "function is negative; take another parameter",
                              t->r[e]);
        t->log_f[e] = log(fmax(sum / (sqrt(8) * M_PI * M_PI), 1e-300));
    }
    return KOSHU_OK;
}

/* The maximum of v^2 f at each radius, over all energies of the table. */
static void
find_bounds(struct koshu_spherical *t)
{
    for (size_t k = 0; k < N; k++) {
        t->bound[k] = 0;
        for (size_t e = k; e < N; e++)
            t->bound[k] = fmax(t->bound[k],
                               2 * (t->psi[k] - t->psi[e]) * exp(t->log_f[e]));
    }
}

/* all NULL: in the potential of this sphere alone. */
static koshu_status
solve(struct koshu_context *context, const struct koshu_spherical_law *law,
      koshu_mass_law *all, const void *user, struct koshu_spherical *t)
{
    t->log_nearest = log(law->nearest);
    t->log_step = log(law->farthest / law->nearest) / (N - 1);
    for (size_t k = 0; k < N; k++)
        t->r[k] = exp(t->log_nearest + (double)k * t->log_step);
    find_masses(law, t);
    if (all) find_potential_of_all(all, user, t);
    KOSHU_TRY(find_f(context, law, t));
    find_bounds(t);
    return KOSHU_OK;
}

koshu_status
koshu_spherical_solve(struct koshu_context *context,
                      const struct koshu_spherical_law *law,
                      struct koshu_spherical *table)
{
    return solve(context, law, NULL, NULL, table);
}

koshu_status
koshu_spherical_solve_among(struct koshu_context *context,
                            const struct koshu_spherical_law *law,
                            koshu_mass_law *all, const void *user,
                            struct koshu_spherical *table)
{
    return solve(context, law, all, user, table);
}

/* ---- between the radii --------------------------------------------------- */

/* The index of the last radius that encloses at most this mass; 0 where none
 * does. */
static size_t
find_mass(const struct koshu_spherical *t, double mass)
{
    size_t low = 0, high = N - 1;
    while (high - low > 1) {
        const size_t k = (low + high) / 2;
        if (t->mass[k] <= mass)
            low = k;
        else
            high = k;
    }
    return low;
}

/* The radius that encloses this mass, from a cubic in ln r that matches the
 * masses and densities at both ends. */
static double
radius_between(const struct koshu_spherical *t, size_t k, double mass)
{
    const double h = t->log_step, m0 = t->mass[k], m1 = t->mass[k + 1];
    const double r0 = t->r[k], r1 = t->r[k + 1];
    const double d0 = 4 * M_PI * r0 * r0 * r0 * t->density[k] * h,
                 d1 = 4 * M_PI * r1 * r1 * r1 * t->density[k + 1] * h;
    double low = 0, high = 1;
    for (int turn = 0; turn < 50; turn++) {
        const double x = (low + high) / 2, y = 1 - x;
        const double m = m0 * y * y * (1 + 2 * x) + m1 * x * x * (1 + 2 * y) +
                         d0 * x * y * y - d1 * x * x * y;
        if (m < mass)
            low = x;
        else
            high = x;
    }
    return r0 * exp(low * h);
}

double
koshu_spherical_radius(const struct koshu_spherical *table, double fraction,
                       size_t *k)
{
    const struct koshu_spherical *t = table;
    *k = 0;
    if (fraction < t->mass[0])
        return t->r[0] * pow(fraction / t->mass[0], 1 / t->inner_slope);
    *k = find_mass(t, fraction);
    return radius_between(t, *k, fraction);
}

/* Outside all mass psi is linear in 1 / r. Between two radii that are as close
 * as these this holds to second order everywhere. */
double
koshu_spherical_psi(const struct koshu_spherical *table, double r)
{
    const struct koshu_spherical *t = table;
    const double x = (log(r) - t->log_nearest) / t->log_step;
    if (x <= 0) return t->psi[0];
    if (x >= N - 1) return t->psi[N - 1] * t->r[N - 1] / r;
    const size_t k = (size_t)x;
    const double part = (1 / t->r[k] - 1 / r) / (1 / t->r[k] - 1 / t->r[k + 1]);
    return t->psi[k] + part * (t->psi[k + 1] - t->psi[k]);
}

double
koshu_spherical_f(const struct koshu_spherical *table, double E)
{
    const struct koshu_spherical *t = table;
    size_t low = 0, high = N - 1; /* psi decreases */
    if (E >= t->psi[0]) return exp(t->log_f[0]);
    if (E <= t->psi[N - 1]) return E > 0 ? exp(t->log_f[N - 1]) : 0;
    while (high - low > 1) {
        const size_t k = (low + high) / 2;
        if (t->psi[k] >= E)
            low = k;
        else
            high = k;
    }
    const double part = (t->psi[low] - E) / (t->psi[low] - t->psi[high]);
    return exp(t->log_f[low] + part * (t->log_f[high] - t->log_f[low]));
}

/* ---- particles ----------------------------------------------------------- */

/* Draws the speed from v^2 f by rejection. Between two radii the bound is the
 * larger of both plus 10 %. */
static double
speed(const struct koshu_spherical *t, struct koshu_random *random, double r,
      size_t k)
{
    const double psi = koshu_spherical_psi(t, r), escape = sqrt(2 * psi);
    const double bound = 1.1 * fmax(t->bound[k], t->bound[k + 1]);
    for (;;) {
        const double v = escape * koshu_random_uniform(random);
        const double g = v * v * koshu_spherical_f(t, psi - v * v / 2);
        if (bound * koshu_random_uniform(random) < g) return v;
    }
}

void
koshu_spherical_draw(const struct koshu_spherical *table, double kept,
                     struct koshu_body *body)
{
    size_t k;
    const double X = kept * koshu_random_uniform(&body->position);
    const double r = koshu_spherical_radius(table, X, &k);
    koshu_random_direction(&body->position, r, body->x);
    koshu_random_direction(&body->velocity, speed(table, &body->velocity, r, k),
                           body->v);
}

koshu_status
koshu_spherical_prepare(struct koshu_context *context,
                        const struct koshu_spherical_law *law, void **table)
{
    struct koshu_spherical *t = koshu_alloc(1, sizeof *t);
    if (!t) return koshu_fail_memory(context, sizeof *t, "spherical model");
    const koshu_status status = koshu_spherical_solve(context, law, t);
    if (status == KOSHU_OK)
        *table = t;
    else
        koshu_free(t);
    return status;
}
