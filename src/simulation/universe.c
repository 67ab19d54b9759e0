/* SPDX-License-Identifier: MIT */
/* Runs in comoving coordinates. Formulas: simulation.h,
 * integrate/integrate.h. */
#include <math.h>

#include "base/base.h"
#include "domain/domain.h"
#include "output/output.h"
#include "particles/particles.h"
#include "simulation/simulation.h"

/* ---- checks of the file -------------------------------------------------- */

koshu_status
koshu_universe_check(struct koshu_context *context,
                     const struct koshu_parameter_values *v,
                     const struct koshu_snapshot_info *info)
{
    const bool comoving = koshu_is_comoving(v);
    if (info->hubble > 0 && !comoving)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s describes a universe at z = %.4g, in comoving "
                          "coordinates; give integrator.coordinates: comoving",
                          v->initial_file, 1 / info->time - 1);
    if (!comoving) return KOSHU_OK;
    if (info->inconsistent[0])
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s states no universe: %s; correct one of them",
                          v->initial_file, info->inconsistent);
    if (!(info->hubble > 0))
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s states no universe: integrator.coordinates: "
                          "comoving needs Omega0, OmegaLambda and HubbleParam "
                          "in its Header, and there as Time the scale factor "
                          "of its Redshift, as koshu init cosmology and GADGET "
                          "write them (of monofonIC the output gadget_hdf5)",
                          v->initial_file);
    if (koshu_units_are_henon(&info->units))
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s states no units: state them by koshu convert %s "
                          "NEW.hdf5 --from 'kpc, 1e10 Msun, km/s', GADGET's "
                          "usual units (all over h)",
                          v->initial_file, v->initial_file);
    const struct koshu_cosmology c = {.omega_m = info->omega_m,
                                      .omega_lambda = info->omega_lambda,
                                      .omega_r = v->cosmology.omega_r,
                                      .w = v->cosmology.w,
                                      .h = info->hubble};
    return koshu_cosmology_check(context, &c);
}

static double
hubble0(const struct koshu_simulation *s)
{
    return koshu_hubble0_in(&s->kept.units);
}

/* 4 pi/3 G times the comoving mean density. */
static double
background(const struct koshu_simulation *s)
{
    return 0.5 * hubble0(s) * hubble0(s) * s->kept.omega_m;
}

/* The mass of all particles in a periodic box. */
static double
mass_of_box(const struct koshu_simulation *s)
{
    const double box = s->kept.box_size;
    return background(s) * box * box * box * 3 / (4 * M_PI);
}

static void
add_masses(const void *user, size_t begin, size_t end, struct koshu_sum *sum)
{
    const struct koshu_particle_view *v = user;
    for (size_t i = begin; i < end; i++) koshu_sum_add(sum, v->mass[i]);
}

/* Sums in blocks that do not depend on the number of threads and ranks. */
static koshu_status
sum_of(struct koshu_particles *particles, unsigned fields,
       koshu_add_particles *add, double *sum)
{
    struct koshu_particle_view v;
    struct koshu_summation all = koshu_summation_of(particles);
    KOSHU_TRY(koshu_ranks_collective_status(
            all.context,
            koshu_particles_on_host(particles, fields, KOSHU_ACCESS_READ, &v)));
    all.block = 1024;
    all.n_sums = 1;
    all.add = add;
    all.user = &v;
    return koshu_sum_particles(&all, sum);
}

koshu_status
koshu_universe_check_density(struct koshu_simulation *s)
{
    const double same = 0.01, box = s->kept.box_size;
    double mass;
    if (!koshu_is_comoving(s->values) ||
        s->values->boundary != KOSHU_BOUNDARY_PERIODIC)
        return KOSHU_OK;
    KOSHU_TRY(sum_of(s->particles, KOSHU_FIELD_MASS, add_masses, &mass));
    const double omega = 4 * M_PI / 3 * mass / (box * box * box) /
                         background(s) * s->kept.omega_m;
    if (fabs(omega - s->kept.omega_m) <= same * s->kept.omega_m)
        return KOSHU_OK;
    return koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT,
                      "%s: its particles in a box of %g give Omega_m = %.4g, "
                      "but it states Omega0 = %g: its units or its box are not "
                      "those it states (comoving, lengths and masses over h)",
                      s->values->initial_file, box, omega, s->kept.omega_m);
}

/* ---- the integrator ------------------------------------------------------ */

void
koshu_universe_expand(struct koshu_simulation *s)
{
    const struct koshu_parameter_values *v = s->values;
    if (!koshu_is_comoving(v)) return;
    const struct koshu_universe expansion = {
            .cosmology = {.omega_m = s->kept.omega_m,
                          .omega_lambda = s->kept.omega_lambda,
                          .omega_r = v->cosmology.omega_r,
                          .w = v->cosmology.w,
                          .h = s->kept.hubble,
                          .hubble0 = hubble0(s)},
            .background =
                    v->boundary == KOSHU_BOUNDARY_PERIODIC ? 0 : background(s),
            .softening = v->solver.softening,
            .softening_largest = v->softening_physical};
    koshu_integrator_expand(s->integrator, &expansion);
}

double
koshu_time_after(const struct koshu_parameter_values *v, double time, double x)
{
    return koshu_is_comoving(v) ? time * exp(x) : time + x;
}

double
koshu_time_between(const struct koshu_parameter_values *v, double from,
                   double to)
{
    return koshu_is_comoving(v) ? log(to / from) : to - from;
}

/* ---- the energy ---------------------------------------------------------- */

static void
add_outward(const void *user, size_t begin, size_t end, struct koshu_sum *sum)
{
    const struct koshu_particle_view *v = user;
    for (size_t i = begin; i < end; i++) {
        const double x[3] = {v->x[i], v->y[i], v->z[i]};
        koshu_sum_add(sum, -0.5 * v->mass[i] *
                                   (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
    }
}

/* T, and the theta that follows from it. */
static koshu_status
follow_motion(struct koshu_simulation *s)
{
    const double a = s->integrator->clock.time;
    double momentum[3];
    KOSHU_TRY(koshu_kinetic_energy(s->particles, &s->kinetic, momentum));
    s->kinetic /= a * a;
    koshu_universe_choose_theta(s, mass_of_box(s), momentum);
    return KOSHU_OK;
}

koshu_status
koshu_universe_begin(struct koshu_simulation *s)
{
    if (!koshu_is_comoving(s->values)) return KOSHU_OK;
    return follow_motion(s);
}

/* int T da over a step, with T as a power of a, which is exact while
 * perturbations grow as a power. */
static double
integral(double a0, double t0, double a1, double t1)
{
    const double slope = log(t1 / t0) / log(a1 / a0);
    if (!(fabs(slope) < 10)) return (t0 + t1) / 2 * (a1 - a0);
    if (fabs(slope + 1) < 1e-3) return a0 * t0 * log(a1 / a0);
    return (a1 * t1 - a0 * t0) / (slope + 1);
}

koshu_status
koshu_universe_step(struct koshu_simulation *s, double before)
{
    const double a = s->integrator->clock.time, kinetic = s->kinetic;
    if (!koshu_is_comoving(s->values)) return KOSHU_OK;
    KOSHU_TRY(follow_motion(s));
    s->kept.kinetic_integral += integral(before, kinetic, a, s->kinetic);
    return KOSHU_OK;
}

koshu_status
koshu_universe_energies(struct koshu_particles *particles, double a,
                        double outward, struct koshu_diagnostics *d)
{
    double moment = 0;
    if (outward > 0)
        KOSHU_TRY(sum_of(particles, KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION,
                         add_outward, &moment));
    d->kinetic /= a * a;
    d->potential = (d->potential + outward * moment) / a;
    d->total = d->kinetic + d->potential;
    d->virial_ratio = d->potential != 0 ? d->kinetic / fabs(d->potential) : 0;
    return KOSHU_OK;
}

double
koshu_universe_invariant(const struct koshu_simulation *s, double a,
                         double energy)
{
    return koshu_is_comoving(s->values) ? a * energy + s->kept.kinetic_integral
                                        : energy;
}
