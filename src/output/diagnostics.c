/* SPDX-License-Identifier: MIT */
/* Diagnostics: energies, momenta, centre and Lagrangian radii of the
 * particles. */
#include <koshu/diagnostics.h>

#include <math.h>

#include "base/base.h"
#include "domain/domain.h"
#include "kernels/diagnostics.h"
#include "output/lagrangian.h"
#include "output/output.h"
#include "particles/particles.h"

/* ---- sums ---------------------------------------------------------------- */

enum {
    N_SUMS = KOSHU_DIAGNOSTIC_SUMS,
    FIELDS = KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION | KOSHU_FIELD_VELOCITY |
             KOSHU_FIELD_POTENTIAL
};

/* Each block is summed by one thread; the blocks are then added in order. */
enum { BLOCK = 1024 };

static void
add_particle(struct koshu_sum *sum, const struct koshu_particle_view *v,
             size_t i)
{
    const double x[3] = {v->x[i], v->y[i], v->z[i]};
    const double u[3] = {v->vx[i], v->vy[i], v->vz[i]};
    double term[N_SUMS];
    koshu_diagnostic_terms(v->mass[i], x, u, v->potential[i], term);
    for (int k = 0; k < N_SUMS; k++) koshu_sum_add(&sum[k], term[k]);
}

static void
add_particles(const void *user, size_t begin, size_t end,
              struct koshu_sum *sums)
{
    for (size_t i = begin; i < end; i++) add_particle(sums, user, i);
}

static koshu_status
sum_on_host(struct koshu_particles *particles,
            const struct koshu_particle_view *v, double total[N_SUMS])
{
    struct koshu_summation s = koshu_summation_of(particles);
    /* starting other threads would take longer */
    if (v->n <= 4 * BLOCK) s.threads = 1;
    s.block = BLOCK;
    s.n_sums = N_SUMS;
    s.add = add_particles;
    s.user = v;
    return koshu_sum_particles(&s, total);
}

static koshu_status
sum_on_device(const struct koshu_diagnosed *of, double total[N_SUMS])
{
    struct koshu_sum sum[N_SUMS] = {{0}};
    KOSHU_TRY(of->ops->sum(of->device, sum));
    for (int k = 0; k < N_SUMS; k++) total[k] = koshu_sum_value(sum[k]);
    return KOSHU_OK;
}

/* Sums where the particles are; ranks add theirs in the same order as on the
 * host. */
static koshu_status
find_particles(struct koshu_particles *particles, struct koshu_diagnosed *of)
{
    struct koshu_context *context = koshu_particles_context(particles);
    if (koshu_context_ranks(context) == 1)
        of->ops = koshu_particles_device_sums(particles, FIELDS, &of->device);
    if (of->ops) return KOSHU_OK;
    const koshu_status status = koshu_particles_on_host(
            particles, FIELDS, KOSHU_ACCESS_READ, &of->view);
    return koshu_ranks_collective_status(context, status);
}

/* ---- the kinetic energy ------------------------------------------------- */

/* The sums: of the energy, and of the momentum. */
enum { ENERGY, MOMENTUM, N_KINETIC = MOMENTUM + 3 };

static void
add_kinetic(const void *user, size_t begin, size_t end, struct koshu_sum *sum)
{
    const struct koshu_particle_view *v = user;
    for (size_t i = begin; i < end; i++) {
        const double u[3] = {v->vx[i], v->vy[i], v->vz[i]}, m = v->mass[i];
        koshu_sum_add(&sum[ENERGY],
                      0.5 * m * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
        for (int c = 0; c < 3; c++) koshu_sum_add(&sum[MOMENTUM + c], m * u[c]);
    }
}

static koshu_status
kinetic_on_host(struct koshu_particles *particles, double total[N_KINETIC])
{
    struct koshu_summation s = koshu_summation_of(particles);
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_ranks_collective_status(
            s.context,
            koshu_particles_on_host(particles,
                                    KOSHU_FIELD_MASS | KOSHU_FIELD_VELOCITY,
                                    KOSHU_ACCESS_READ, &v)));
    s.block = BLOCK;
    s.n_sums = N_KINETIC;
    s.add = add_kinetic;
    s.user = &v;
    return koshu_sum_particles(&s, total);
}

/* Sums of a device that have potentials are not used: these may be out of
 * date. */
static koshu_status
find_kinetic(struct koshu_particles *particles, double kinetic[N_KINETIC])
{
    const unsigned fields = KOSHU_FIELD_MASS | KOSHU_FIELD_VELOCITY;
    struct koshu_diagnosed of = {.ops = NULL};
    double total[N_SUMS];
    if (koshu_context_ranks(koshu_particles_context(particles)) == 1)
        of.ops = koshu_particles_device_sums(particles, fields, &of.device);
    if (!of.ops) return kinetic_on_host(particles, kinetic);
    KOSHU_TRY(sum_on_device(&of, total));
    kinetic[ENERGY] = total[KOSHU_SUM_KINETIC];
    for (int c = 0; c < 3; c++)
        kinetic[MOMENTUM + c] = total[KOSHU_SUM_MOMENTUM + c];
    return KOSHU_OK;
}

koshu_status
koshu_kinetic_energy(struct koshu_particles *particles, double *kinetic,
                     double momentum[3])
{
    double total[N_KINETIC];
    KOSHU_TRY(find_kinetic(particles, total));
    *kinetic = total[ENERGY];
    for (int c = 0; c < 3; c++) momentum[c] = total[MOMENTUM + c];
    return KOSHU_OK;
}

/* ---- what is not finite -------------------------------------------------- */

static koshu_status
check_sums(struct koshu_particles *particles, const double total[N_SUMS])
{
    struct koshu_context *context = koshu_particles_context(particles);
    struct koshu_particle_view v;
    size_t k = 0;
    while (k < N_SUMS && isfinite(total[k])) k++;
    if (k == N_SUMS) return KOSHU_OK;
    /* a bad position on any rank spoils the potentials of all */
    KOSHU_TRY(koshu_ranks_collective_status(context,
                                            koshu_particles_check(particles)));
    koshu_status status = koshu_particles_on_host(
            particles, KOSHU_FIELD_POTENTIAL, KOSHU_ACCESS_READ, &v);
    if (status == KOSHU_OK)
        status = koshu_particles_check_finite(particles, &v,
                                              KOSHU_ARRAY_POTENTIAL,
                                              KOSHU_ARRAY_POTENTIAL + 1);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    return koshu_fail(context, KOSHU_ERROR_NOT_FINITE,
                      "every particle is finite, but their sums are beyond the "
                      "range of double; choose other units");
}

/* Particles with masses have potentials. If all are 0, they have not been
 * computed, and W would be 0 without a warning. If W is not 0, there is nothing
 * to check. */
static koshu_status
require_potentials(struct koshu_particles *particles,
                   const double total[N_SUMS])
{
    struct koshu_context *context = koshu_particles_context(particles);
    struct koshu_particle_view v;
    double any = 0;
    if (total[KOSHU_SUM_POTENTIAL] != 0 || total[KOSHU_SUM_MASS] == 0 ||
        koshu_particles_total(particles) == 1)
        return KOSHU_OK;
    const koshu_status status = koshu_particles_on_host(
            particles, KOSHU_FIELD_POTENTIAL, KOSHU_ACCESS_READ, &v);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    for (size_t i = 0; i < v.n && any == 0; i++) any = v.potential[i] != 0;
    KOSHU_TRY(koshu_largest(context, &any));
    if (any != 0) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "every potential is 0: the particles are at one place "
                      "without softening, or potentials were not computed "
                      "(koshu_solver_forces() with KOSHU_FIELD_POTENTIAL)");
}

/* ---- all of it ---------------------------------------------------------- */

static void
fill(struct koshu_diagnostics *d, const double total[N_SUMS])
{
    d->mass = total[KOSHU_SUM_MASS];
    d->kinetic = total[KOSHU_SUM_KINETIC];
    d->potential = total[KOSHU_SUM_POTENTIAL];
    d->total = d->kinetic + d->potential;
    d->virial_ratio = d->potential != 0 ? d->kinetic / fabs(d->potential) : 0;
    for (int k = 0; k < 3; k++) {
        d->momentum[k] = total[KOSHU_SUM_MOMENTUM + k];
        d->angular_momentum[k] = total[KOSHU_SUM_ANGULAR_MOMENTUM + k];
        d->centre[k] = d->mass != 0 ? total[KOSHU_SUM_MOMENT + k] / d->mass : 0;
    }
}

static koshu_status
compute(struct koshu_particles *particles, bool has_potentials,
        struct koshu_diagnostics *diagnostics)
{
    struct koshu_context *context = koshu_particles_context(particles);
    struct koshu_diagnostics d = {.size = sizeof d};
    struct koshu_diagnosed of = {.ops = NULL};
    double total[N_SUMS];
    KOSHU_TRY(find_particles(particles, &of));
    KOSHU_TRY(of.ops ? sum_on_device(&of, total)
                     : sum_on_host(particles, &of.view, total));
    KOSHU_TRY(check_sums(particles, total));
    if (has_potentials) KOSHU_TRY(require_potentials(particles, total));
    fill(&d, total);
    KOSHU_TRY(koshu_lagrangian_radii(context, &of, &d));
    return koshu_report_write(context, "koshu_diagnostics", diagnostics, &d,
                              sizeof d);
}

koshu_status
koshu_diagnostics_compute(struct koshu_particles *particles,
                          struct koshu_diagnostics *diagnostics)
{
    KOSHU_REQUIRE(NULL, particles);
    KOSHU_REQUIRE(koshu_particles_context(particles), diagnostics);
    return compute(particles, true, diagnostics);
}

koshu_status
koshu_diagnostics_of_motion(struct koshu_particles *particles,
                            struct koshu_diagnostics *diagnostics)
{
    return compute(particles, false, diagnostics);
}
