/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "base/base.h"
#include "vortex/vortex.h"

/* Particle i as vectors. */
static void
load(const double *all, size_t n, size_t i, double to[3])
{
    for (size_t a = 0; a < 3; a++) to[a] = all[a * n + i];
}

static void
cross(const double a[3], const double b[3], double to[3])
{
    for (int c = 0; c < 3; c++) {
        const int p = (c + 1) % 3, q = (c + 2) % 3;
        to[c] = a[p] * b[q] - a[q] * b[p];
    }
}

static double
dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Sums over all particles, added one by one. */
struct sums {
    struct koshu_sum strength[3], impulse[3], angular[3], centre[3];
    struct koshu_sum weight, energy, enstrophy, divergence, vorticity;
};

struct particle {
    double x[3], alpha[3], u[3], omega[3], broad[3], broad_u[3], divergence;
};

static void
add_moments(struct sums *s, const struct particle *p)
{
    double once[3], twice[3];
    const double size = sqrt(dot(p->alpha, p->alpha));
    cross(p->x, p->alpha, once);
    cross(p->x, once, twice);
    for (int a = 0; a < 3; a++) {
        koshu_sum_add(&s->strength[a], p->alpha[a]);
        koshu_sum_add(&s->impulse[a], once[a] / 2);
        koshu_sum_add(&s->angular[a], twice[a] / 3);
        koshu_sum_add(&s->centre[a], size * p->x[a]);
    }
    koshu_sum_add(&s->weight, size);
    koshu_sum_add(&s->energy, dot(p->broad_u, once));
}

static void
add_squares(struct sums *s, const struct particle *p)
{
    koshu_sum_add(&s->enstrophy, dot(p->alpha, p->broad) / 2);
    koshu_sum_add(&s->divergence, p->divergence * p->divergence);
    koshu_sum_add(&s->vorticity, dot(p->omega, p->omega));
}

static void
finish(const struct sums *s, const struct koshu_vortices *v,
       struct koshu_vortex_diagnostics *d)
{
    const double weight = koshu_sum_value(s->weight);
    const double omega2 = koshu_sum_value(s->vorticity);
    for (int a = 0; a < 3; a++) {
        d->strength[a] = koshu_sum_value(s->strength[a]);
        d->impulse[a] = koshu_sum_value(s->impulse[a]);
        d->angular_impulse[a] = koshu_sum_value(s->angular[a]);
        d->centre[a] = weight > 0 ? koshu_sum_value(s->centre[a]) / weight : 0;
    }
    d->enstrophy = koshu_sum_value(s->enstrophy);
    d->energy =
            koshu_sum_value(s->energy) - 2 * v->core * v->core * d->enstrophy;
    if (v->box > 0) d->enstrophy = omega2 / (2 * (double)v->n);
    d->divergence =
            omega2 > 0 ? v->core * sqrt(koshu_sum_value(s->divergence) / omega2)
                       : 0;
}

/* Rows of n numbers: u 3, omega 3, omega of sigma 2^(1/2) 3, div omega 1, the
 * gradients 9; in free space u of sigma 2^(1/2) 3. */
enum {
    U = 0,
    OMEGA = 3,
    BROAD = 6,
    DIVERGENCE = 9,
    SLOPES = 10,
    BROAD_U = 19,
    ROWS = 22
};

/* Of n numbers: <d^3> / <d^2>^(3/2). */
static double
skewness_of(const double *d, size_t n)
{
    struct koshu_sum squares = {0}, cubes = {0};
    for (size_t i = 0; i < n; i++) {
        koshu_sum_add(&squares, d[i] * d[i]);
        koshu_sum_add(&cubes, d[i] * d[i] * d[i]);
    }
    const double square = koshu_sum_value(squares) / (double)n;
    if (!(square > 0)) return 0;
    return koshu_sum_value(cubes) / (double)n / (square * sqrt(square));
}

static void
add_all(const struct koshu_vortices *v, const double *rows,
        struct koshu_vortex_diagnostics *d)
{
    const size_t n = v->n;
    struct sums s = {0};
    struct koshu_sum u2 = {0};
    for (size_t i = 0; i < n; i++) {
        struct particle p = {.divergence = rows[DIVERGENCE * n + i]};
        load(v->state, n, i, p.x);
        load(koshu_vortices_strength(v, 0), n, i, p.alpha);
        load(rows + U * n, n, i, p.u);
        load(rows + OMEGA * n, n, i, p.omega);
        load(rows + BROAD * n, n, i, p.broad);
        load(rows + BROAD_U * n, n, i, p.broad_u);
        add_moments(&s, &p);
        add_squares(&s, &p);
        koshu_sum_add(&u2, dot(p.u, p.u));
        d->max_velocity = fmax(d->max_velocity, sqrt(dot(p.u, p.u)));
        d->max_vorticity = fmax(d->max_vorticity, sqrt(dot(p.omega, p.omega)));
    }
    finish(&s, v, d);
    for (size_t a = 0; a < 3; a++)
        d->skewness += skewness_of(rows + (SLOPES + 4 * a) * n, n) / 3;
    if (v->box > 0) d->energy = koshu_sum_value(u2) / (2 * (double)n);
}

/* In free space: by cores that are 2^(1/2) wider, means over a particle's own
 * are integrals over all space. */
static koshu_status
find_broad(struct koshu_vortex_solver *solver, const struct koshu_vortices *v,
           double *rows)
{
    const size_t n = v->n;
    struct koshu_vortices broad = *v;
    broad.core = sqrt(2) * v->core;
    KOSHU_TRY(koshu_vortex_velocities(solver, &broad, n, NULL,
                                      rows + BROAD_U * n, NULL));
    KOSHU_TRY(koshu_vortex_vorticity(&broad, n, v->state, rows + BROAD * n));
    return koshu_vortex_vorticity(v, n, v->state, rows + OMEGA * n);
}

/* In a box: the curl of the velocity, without the divergence that the sum of
 * cores may have. */
static void
find_curls(size_t n, double *rows)
{
    for (size_t c = 0; c < 3; c++)
        for (size_t i = 0; i < n; i++)
            rows[(OMEGA + c) * n + i] =
                    koshu_vortex_curl(rows + SLOPES * n, n, i, c);
}

static koshu_status
find_rows(struct koshu_vortex_solver *solver, const struct koshu_vortices *v,
          double *rows)
{
    const size_t n = v->n;
    KOSHU_TRY(koshu_vortex_velocities(solver, v, n, NULL, rows + U * n,
                                      rows + SLOPES * n));
    if (v->box > 0)
        find_curls(n, rows);
    else
        KOSHU_TRY(find_broad(solver, v, rows));
    return koshu_vortex_divergence(v, rows + DIVERGENCE * n);
}

koshu_status
koshu_vortex_diagnose(struct koshu_vortex_solver *solver,
                      const struct koshu_vortices *v,
                      struct koshu_vortex_diagnostics *diagnostics)
{
    double *rows = koshu_alloc(ROWS * v->n, sizeof *rows);
    *diagnostics = (struct koshu_vortex_diagnostics){0};
    if (!rows)
        return koshu_fail_memory(v->context, ROWS * 8 * v->n, "diagnostics");
    const koshu_status status = find_rows(solver, v, rows);
    if (status == KOSHU_OK) add_all(v, rows, diagnostics);
    koshu_free(rows);
    return status;
}
