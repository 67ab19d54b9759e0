/* SPDX-License-Identifier: MIT */
/* Invariants, energy, enstrophy and divergence of a set of vortex particles. */
#include <math.h>

#include "base/base.h"
#include "devices/devices.h"
#include "vortex/ranks.h"
#include "vortex/vortex.h"

/* Component a of particle i is all[a n + i]. */
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

/* Sums over particles, made chunk by chunk so that they do not depend on the
 * number of threads. */
enum { CHUNK = 1 << 16 };
struct sums {
    struct koshu_sum strength[3], impulse[3], angular[3], centre[3];
    struct koshu_sum weight, energy, enstrophy, vorticity, velocity;
    struct koshu_sum squares[3], cubes[3]; /* of du_a / dx_a */
};
enum { N_SUMS = sizeof(struct sums) / sizeof(struct koshu_sum) };
struct chunk {
    struct sums sums;
    double max_velocity, max_vorticity;
};

struct particle {
    double x[3], alpha[3], u[3], omega[3], broad[3], broad_u[3], slope[3];
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
add_powers(struct sums *s, const struct particle *p)
{
    koshu_sum_add(&s->enstrophy, dot(p->alpha, p->broad) / 2);
    koshu_sum_add(&s->vorticity, dot(p->omega, p->omega));
    koshu_sum_add(&s->velocity, dot(p->u, p->u));
    for (int a = 0; a < 3; a++) {
        const double square = p->slope[a] * p->slope[a];
        koshu_sum_add(&s->squares[a], square);
        koshu_sum_add(&s->cubes[a], square * p->slope[a]);
    }
}

/* <d^3> / <d^2>^(3/2) */
static double
skewness_of(double square, double cube)
{
    return square > 0 ? cube / (square * sqrt(square)) : 0;
}

static void
finish(const struct sums *s, const struct koshu_vortices *v,
       struct koshu_vortex_diagnostics *d)
{
    const double weight = koshu_sum_value(s->weight), n = (double)v->n;
    for (int a = 0; a < 3; a++) {
        d->strength[a] = koshu_sum_value(s->strength[a]);
        d->impulse[a] = koshu_sum_value(s->impulse[a]);
        d->angular_impulse[a] = koshu_sum_value(s->angular[a]);
        d->centre[a] = weight > 0 ? koshu_sum_value(s->centre[a]) / weight : 0;
        d->skewness += skewness_of(koshu_sum_value(s->squares[a]) / n,
                                   koshu_sum_value(s->cubes[a]) / n) /
                       3;
    }
    d->enstrophy = koshu_sum_value(s->enstrophy);
    d->energy =
            koshu_sum_value(s->energy) - 2 * v->core * v->core * d->enstrophy;
    if (!(v->box > 0)) return;
    d->enstrophy = koshu_sum_value(s->vorticity) / (2 * n);
    d->energy = koshu_sum_value(s->velocity) / (2 * n);
}

/* Offsets of arrays of n numbers: velocity (3), vorticity (3), gradients (9);
 * in free space also vorticity and velocity (3 each) for cores that are 2^(1/2)
 * wider. */
enum { U = 0, OMEGA = 3, SLOPES = 6, BROAD = 15, BROAD_U = 18, ROWS = 21 };

static void
add_chunk(const struct koshu_vortices *v, const double *rows, size_t first,
          struct chunk *c)
{
    const size_t n = v->n;
    *c = (struct chunk){0};
    for (size_t i = first; i < n && i < first + CHUNK; i++) {
        struct particle p = {0};
        load(v->state, n, i, p.x);
        load(koshu_vortices_strength(v, 0), n, i, p.alpha);
        load(rows + U * n, n, i, p.u);
        load(rows + OMEGA * n, n, i, p.omega);
        load(rows + SLOPES * n, 4 * n, i, p.slope);
        if (!(v->box > 0)) {
            load(rows + BROAD * n, n, i, p.broad);
            load(rows + BROAD_U * n, n, i, p.broad_u);
        }
        add_moments(&c->sums, &p);
        add_powers(&c->sums, &p);
        c->max_velocity = fmax(c->max_velocity, sqrt(dot(p.u, p.u)));
        c->max_vorticity = fmax(c->max_vorticity, sqrt(dot(p.omega, p.omega)));
    }
}

static koshu_status
add_all(const struct koshu_vortices *v, const double *rows,
        struct koshu_vortex_diagnostics *d, double *omega)
{
    const size_t chunks = (v->n + CHUNK - 1) / CHUNK;
    const int threads = koshu_region_threads(v->context, chunks > 1);
    struct sums all = {0};
    struct chunk *chunk = koshu_alloc(chunks, sizeof *chunk);
    if (!chunk)
        return koshu_fail_memory(v->context, chunks * sizeof *chunk,
                                 "diagnostics");
#pragma omp parallel for num_threads(threads)
    for (size_t c = 0; c < chunks; c++)
        add_chunk(v, rows, c * CHUNK, &chunk[c]);
    for (size_t c = 0; c < chunks; c++) {
        const struct koshu_sum *from = (struct koshu_sum *)&chunk[c].sums;
        for (int k = 0; k < N_SUMS; k++)
            koshu_sum_add((struct koshu_sum *)&all + k,
                          koshu_sum_value(from[k]));
        d->max_velocity = fmax(d->max_velocity, chunk[c].max_velocity);
        d->max_vorticity = fmax(d->max_vorticity, chunk[c].max_vorticity);
    }
    koshu_free(chunk);
    finish(&all, v, d);
    *omega = sqrt(koshu_sum_value(all.vorticity) / (double)v->n);
    return KOSHU_OK;
}

/* ---- the divergence ------------------------------------------------------ */

/* The divergence is sampled at no more than this many particles, as sums over
 * cores take far longer than all else. The sampling error is about 0.3 %. */
enum { MAX_SAMPLE = 1 << 17 };

/* omega: the rms vorticity. */
static koshu_status
find_divergence(const struct koshu_vortices *v, double omega,
                struct koshu_vortex_diagnostics *d)
{
    /* Odd, since the edge of a lattice is often a power of 2 and an even stride
     * would sample few of its planes. */
    const size_t stride = v->n > MAX_SAMPLE ? v->n / MAX_SAMPLE | 1 : 1,
                 n = (v->n + stride - 1) / stride;
    double *at;
    struct koshu_sum squares = {0};
    KOSHU_TRY(koshu_vortex_alloc(v->context, 4 * n, "diagnostics", &at));
    double *const div = at + 3 * n;
    for (size_t i = 0; i < 3 * n; i++)
        at[i] = v->state[i / n * v->n + i % n * stride];
    const koshu_status status = koshu_vortex_divergence(v, n, at, div);
    for (size_t i = 0; status == KOSHU_OK && i < n; i++)
        koshu_sum_add(&squares, div[i] * div[i]);
    if (omega > 0)
        d->divergence =
                v->core * sqrt(koshu_sum_value(squares) / (double)n) / omega;
    koshu_free(at);
    return status;
}

/* ---- all ----------------------------------------------------------------- */

/* In free space: integrals of products of two fields, both with cores of radius
 * sigma, are sums over the particles of one field with cores of 2^(1/2)
 * sigma. */
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

static koshu_status
find_rows(struct koshu_vortex_solver *solver, const struct koshu_vortices *v,
          double *rows)
{
    const size_t n = v->n;
    KOSHU_TRY(koshu_vortex_velocities(solver, v, n, NULL, rows + U * n,
                                      rows + SLOPES * n));
    if (!(v->box > 0)) return find_broad(solver, v, rows);
    /* the curl, unlike the sum of the cores, has no divergence */
    koshu_vortex_curls(v->context, n, rows + SLOPES * n, rows + OMEGA * n);
    return KOSHU_OK;
}

/* Fills all diagnostics but the divergence; *omega: the rms vorticity. */
static koshu_status
find_sums(struct koshu_vortex_solver *solver, const struct koshu_vortices *v,
          struct koshu_vortex_diagnostics *d, double *omega)
{
    double *rows;
    KOSHU_TRY(koshu_vortex_solver_work(solver, ROWS * v->n, "diagnostics",
                                       &rows));
    KOSHU_TRY(find_rows(solver, v, rows));
    return koshu_ranks_collective_status(v->context,
                                         add_all(v, rows, d, omega));
}

koshu_status
koshu_vortex_diagnose(struct koshu_vortex_solver *solver,
                      const struct koshu_vortices *v,
                      struct koshu_vortex_diagnostics *diagnostics)
{
    struct koshu_vortex_diagnostics *d = diagnostics;
    double omega;
    *d = (struct koshu_vortex_diagnostics){0};
    KOSHU_TRY(find_sums(solver, v, d, &omega));
    return find_divergence(v, omega, d);
}
