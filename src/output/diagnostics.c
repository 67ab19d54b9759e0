/* SPDX-License-Identifier: MIT */
#include <koshu/diagnostics.h>

#include <math.h>

#include "base/base.h"
#include "domain/domain.h"
#include "output/lagrangian.h"
#include "particles/particles.h"

/* ---- sums ---------------------------------------------------------------- */

/* The quantities that are sums over particles. */
enum {
    MASS,
    KINETIC,
    POTENTIAL,
    MOMENTUM,
    ANGULAR_MOMENTUM = MOMENTUM + 3,
    MOMENT = ANGULAR_MOMENTUM + 3, /* sum m x */
    N_SUMS = MOMENT + 3
};

enum {
    FIELDS = KOSHU_FIELD_ID | KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION |
             KOSHU_FIELD_VELOCITY | KOSHU_FIELD_POTENTIAL
};

/* Blocks are summed each by one thread, and then in order. */
enum { BLOCK = 1024 };

static void
add_particle(struct koshu_sum *sum, const struct koshu_particle_view *v,
             size_t i)
{
    double m = v->mass[i];
    double x = v->x[i], y = v->y[i], z = v->z[i];
    double px = m * v->vx[i], py = m * v->vy[i], pz = m * v->vz[i];
    koshu_sum_add(&sum[MASS], m);
    koshu_sum_add(&sum[KINETIC],
                  0.5 * (px * v->vx[i] + py * v->vy[i] + pz * v->vz[i]));
    koshu_sum_add(&sum[POTENTIAL], 0.5 * m * v->potential[i]);
    koshu_sum_add(&sum[MOMENTUM], px);
    koshu_sum_add(&sum[MOMENTUM + 1], py);
    koshu_sum_add(&sum[MOMENTUM + 2], pz);
    koshu_sum_add(&sum[ANGULAR_MOMENTUM], y * pz - z * py);
    koshu_sum_add(&sum[ANGULAR_MOMENTUM + 1], z * px - x * pz);
    koshu_sum_add(&sum[ANGULAR_MOMENTUM + 2], x * py - y * px);
    koshu_sum_add(&sum[MOMENT], m * x);
    koshu_sum_add(&sum[MOMENT + 1], m * y);
    koshu_sum_add(&sum[MOMENT + 2], m * z);
}

static void
add_particles(const void *user, size_t begin, size_t end,
              struct koshu_sum *sums)
{
    for (size_t i = begin; i < end; i++) add_particle(sums, user, i);
}

static koshu_status
sum_all(struct koshu_particles *particles, const struct koshu_particle_view *v,
        double total[N_SUMS])
{
    struct koshu_summation s = koshu_summation_of(particles);
    if (v->n <= 4 * BLOCK) s.threads = 1; /* to start others takes longer */
    s.block = BLOCK;
    s.n_sums = N_SUMS;
    s.add = add_particles;
    s.user = v;
    return koshu_sum_particles(&s, total);
}

/* ---- what is not finite -------------------------------------------------- */

static koshu_status
check_sums(struct koshu_particles *particles,
           const struct koshu_particle_view *v, const double total[N_SUMS])
{
    struct koshu_context *context = koshu_particles_context(particles);
    size_t k = 0;
    while (k < N_SUMS && isfinite(total[k])) k++;
    if (k == N_SUMS) return KOSHU_OK;
    /* a bad position, on whichever rank, makes all potentials bad */
    KOSHU_TRY(koshu_ranks_collective_status(context,
                                            koshu_particles_check(particles)));
    KOSHU_TRY(koshu_ranks_collective_status(
            context,
            koshu_particles_check_finite(particles, v, KOSHU_ARRAY_POTENTIAL,
                                         KOSHU_ARRAY_POTENTIAL + 1)));
    return koshu_fail(context, KOSHU_ERROR_NOT_FINITE,
                      "every particle is finite, but their sums are beyond the "
                      "range of double; choose other units");
}

/* Particles with masses have potentials: where all are 0, they have not been
 * computed, and W would be 0 without a warning. Where W is not 0, they are not
 * checked. */
static koshu_status
require_potentials(struct koshu_particles *particles,
                   const struct koshu_particle_view *v,
                   const double total[N_SUMS])
{
    struct koshu_context *context = koshu_particles_context(particles);
    double any = 0;
    if (total[POTENTIAL] != 0 || total[MASS] == 0 ||
        koshu_particles_total(particles) == 1)
        return KOSHU_OK;
    for (size_t i = 0; i < v->n && any == 0; i++) any = v->potential[i] != 0;
    KOSHU_TRY(koshu_largest(context, &any));
    if (any != 0) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "every potential is 0: compute them before the "
                      "diagnostics (koshu_solver_forces() with "
                      "KOSHU_FIELD_POTENTIAL)");
}

/* ---- all of it ---------------------------------------------------------- */

static void
fill(struct koshu_diagnostics *d, const double total[N_SUMS])
{
    d->mass = total[MASS];
    d->kinetic = total[KINETIC];
    d->potential = total[POTENTIAL];
    d->total = d->kinetic + d->potential;
    d->virial_ratio = d->potential != 0 ? d->kinetic / fabs(d->potential) : 0;
    for (int k = 0; k < 3; k++) {
        d->momentum[k] = total[MOMENTUM + k];
        d->angular_momentum[k] = total[ANGULAR_MOMENTUM + k];
        d->centre[k] = d->mass != 0 ? total[MOMENT + k] / d->mass : 0;
    }
}

koshu_status
koshu_diagnostics_compute(struct koshu_particles *particles,
                          struct koshu_diagnostics *diagnostics)
{
    KOSHU_REQUIRE(NULL, particles);
    struct koshu_context *context = koshu_particles_context(particles);
    KOSHU_REQUIRE(context, diagnostics);
    struct koshu_diagnostics d = {.size = sizeof d};
    struct koshu_particle_view v;
    double total[N_SUMS];
    koshu_status status =
            koshu_particles_on_host(particles, FIELDS, KOSHU_ACCESS_READ, &v);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    KOSHU_TRY(sum_all(particles, &v, total));
    KOSHU_TRY(check_sums(particles, &v, total));
    KOSHU_TRY(require_potentials(particles, &v, total));
    fill(&d, total);
    KOSHU_TRY(koshu_lagrangian_radii(particles, &v, &d));
    return koshu_report_write(context, "koshu_diagnostics", diagnostics, &d,
                              sizeof d);
}
