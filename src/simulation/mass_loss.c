/* SPDX-License-Identifier: MIT */
/* Mass loss of stars: see mass_loss.h. */
#include "simulation/mass_loss.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "domain/domain.h"
#include "particles/particles.h"
#include "simulation/simulation.h"

bool
koshu_mass_loss_is_wanted(const struct koshu_simulation *s)
{
    return s->values->stars.mass_table[0] || s->mass_loss.function;
}

void
koshu_mass_loss_free(struct koshu_mass_loss *mass_loss)
{
    koshu_mass_table_destroy(mass_loss->table);
    koshu_free(mass_loss->mass);
}

/* ---- other masses -------------------------------------------------------- */

/* Multiplies the present masses by the table's ratio, so that merged stars lose
 * mass as a star of their summed initial mass. */
static void
take_table(const struct koshu_mass_table *table, double from, double to,
           size_t n, const double *initial_mass, double *mass)
{
    for (size_t k = 0; k < n; k++)
        mass[k] *= koshu_mass_table_ratio(table, initial_mass[k], from, to);
}

static koshu_status
check_masses(const struct koshu_simulation *s,
             const struct koshu_particle_view *p, const double *mass)
{
    for (size_t k = 0; k < p->n; k++)
        if (!(mass[k] > 0) || !isfinite(mass[k]))
            return koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT,
                              "mass loss: particle %zu (id %llu) gets the mass "
                              "%g: expected a finite one > 0",
                              k, (unsigned long long)p->id[k], mass[k]);
    return KOSHU_OK;
}

/* Calls the caller's function, if there is one. */
static koshu_status
call(struct koshu_simulation *s, const struct koshu_particle_view *p,
     double from, double *mass, const double *initial)
{
    const double to = s->integrator->clock.time;
    const struct koshu_mass_loss *m = &s->mass_loss;
    const koshu_status status =
            m->function
                    ? m->function(m->user, from, to, p->n, p->id, initial, mass)
                    : KOSHU_OK;
    if (status == KOSHU_OK) return KOSHU_OK;
    return koshu_fail(s->context, status,
                      "mass loss: the function that was given failed at the "
                      "time %g",
                      to);
}

/* Computes the new masses in the run's unit of mass, and multiplies them by G
 * at the end. */
static koshu_status
find_masses(struct koshu_simulation *s, const struct koshu_particle_view *p,
            double from, double *mass, double *initial)
{
    const double g = s->kept.mass_factor, to = s->integrator->clock.time;
    for (size_t k = 0; k < p->n; k++) {
        mass[k] = p->mass[k] / g;
        initial[k] = p->initial_mass[k] / g;
    }
    if (s->mass_loss.table)
        take_table(s->mass_loss.table, from, to, p->n, initial, mass);
    KOSHU_TRY(call(s, p, from, mass, initial));
    KOSHU_TRY(check_masses(s, p, mass));
    for (size_t k = 0; k < p->n; k++) /* an unchanged mass keeps its bits */
        mass[k] = mass[k] == p->mass[k] / g ? p->mass[k] : mass[k] * g;
    return KOSHU_OK;
}

/* ---- a step -------------------------------------------------------------- */

static bool
is_changed(const struct koshu_particle_view *p, const double *mass)
{
    for (size_t k = 0; k < p->n; k++)
        if (mass[k] != p->mass[k]) return true;
    return false;
}

/* Computes the masses of this rank's stars in mass_loss->mass; *changed: some
 * differ. */
static koshu_status
find_own(struct koshu_simulation *s, double before, unsigned *changed)
{
    struct koshu_particle_view p;
    KOSHU_TRY(koshu_particles_on_host(s->particles,
                                      KOSHU_FIELD_ID | KOSHU_FIELD_MASS |
                                              KOSHU_FIELD_INITIAL_MASS,
                                      KOSHU_ACCESS_READ, &p));
    KOSHU_TRY(KOSHU_GROW(&s->mass_loss, mass, 2 * p.n, s->context,
                         "masses of stars"));
    double *const mass = s->mass_loss.mass;
    KOSHU_TRY(find_masses(s, &p, before, mass, mass + p.n));
    *changed = is_changed(&p, mass);
    return KOSHU_OK;
}

static koshu_status
set_masses(struct koshu_simulation *s)
{
    struct koshu_particle_view p;
    const koshu_status status = koshu_particles_on_host(
            s->particles, KOSHU_FIELD_MASS, KOSHU_ACCESS_READ_WRITE, &p);
    if (status == KOSHU_OK && p.n > 0)
        memcpy(p.mass, s->mass_loss.mass, p.n * sizeof *p.mass);
    return koshu_ranks_collective_status(s->context, status);
}

/* The energy as in energy.csv; potentials must be known. */
static koshu_status
energy_of(const struct koshu_simulation *s, double *energy)
{
    struct koshu_diagnostics d = {.size = sizeof d};
    double external = 0;
    KOSHU_TRY(koshu_diagnostics_compute(s->particles, &d));
    if (s->external)
        KOSHU_TRY(koshu_external_energy(s->external, s->particles, &external));
    *energy = d.total + external;
    return KOSHU_OK;
}

/* If no mass changes, the particles are not touched. */
koshu_status
koshu_mass_loss_step(struct koshu_simulation *s, double before)
{
    unsigned changed = 0;
    double first, last;
    const koshu_status status = find_own(s, before, &changed);
    KOSHU_TRY(koshu_collective_status(s->context, status, &changed));
    if (!changed) return KOSHU_OK;
    KOSHU_TRY(energy_of(s, &first));
    KOSHU_TRY(set_masses(s));
    KOSHU_TRY(koshu_integrator_renew(s->integrator));
    KOSHU_TRY(energy_of(s, &last));
    s->kept.removed_energy += first - last;
    return KOSHU_OK;
}

/* ---- the beginning ------------------------------------------------------- */

static koshu_status
keep_initial_masses(struct koshu_simulation *s)
{
    struct koshu_particle_view p;
    KOSHU_TRY(koshu_particles_on_host(s->particles, KOSHU_FIELD_INITIAL_MASS,
                                      KOSHU_ACCESS_WRITE, &p));
    KOSHU_TRY(koshu_particles_on_host(s->particles, KOSHU_FIELD_MASS,
                                      KOSHU_ACCESS_READ, &p));
    memcpy(p.initial_mass, p.mass, p.n * sizeof *p.mass);
    return KOSHU_OK;
}

koshu_status
koshu_mass_loss_begin(struct koshu_simulation *s)
{
    const char *path = s->values->stars.mass_table;
    if (path[0])
        KOSHU_TRY(koshu_mass_table_read(s->context, path, &s->kept.units,
                                        &s->mass_loss.table));
    return koshu_particles_fields(s->particles) & KOSHU_FIELD_INITIAL_MASS
                   ? KOSHU_OK /* set by the checkpoint */
                   : keep_initial_masses(s);
}
