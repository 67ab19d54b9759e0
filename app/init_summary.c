/* SPDX-License-Identifier: MIT */
/* What koshu init prints of the model that it has made. */
#include <stdio.h>

#include <koshu/diagnostics.h>
#include <koshu/solver.h>

#include "app.h"
#include "init_summary.h"

/* A sum over pairs takes at most seconds for so many particles. */
enum { ENERGY_LIMIT = 65536 };

static koshu_status
measure(struct koshu_context *context, struct koshu_particles *particles,
        struct koshu_diagnostics *diagnostics)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_solver *solver;
    options.precision = KOSHU_PRECISION_MIXED;
    koshu_status status = koshu_solver_create(context, &options, &solver);
    if (status != KOSHU_OK) return status;
    status = koshu_solver_forces(solver, particles,
                                 KOSHU_FIELD_ACCELERATION |
                                         KOSHU_FIELD_POTENTIAL);
    if (status == KOSHU_OK)
        status = koshu_diagnostics_compute(particles, diagnostics);
    koshu_solver_destroy(solver);
    return status;
}

/* Prints what was measured. The model's G, mass and size are 1, so results are
 * multiplied by the factors of the units. */
static void
print_measured(const struct init_scale *s, const struct koshu_diagnostics *d)
{
    const struct koshu_unit_factors *f = &s->factor;
    char energy[64], length[64];
    koshu_units_label(&s->units, KOSHU_QUANTITY_ENERGY, sizeof energy, energy);
    koshu_units_label(&s->units, KOSHU_QUANTITY_LENGTH, sizeof length, length);
    if (length[0])
        printf("  E = %.6g [%s]  Q = %.6f  r_h = %.6g [%s]",
               d->total * f->mass * f->velocity * f->velocity, energy,
               d->virial_ratio, d->lagrangian_radius[HALF_MASS] * f->length,
               length);
    else
        printf("  E = %.6f  Q = %.6f  r_h = %.6f",
               d->total * f->mass * f->velocity * f->velocity, d->virial_ratio,
               d->lagrangian_radius[HALF_MASS] * f->length);
}

/* Prints the total mass drawn from a mass function. */
static void
print_mass(const struct init_scale *s)
{
    char unit[64];
    koshu_units_label(&s->units, KOSHU_QUANTITY_MASS, sizeof unit, unit);
    if (unit[0]) printf("  M = %.6g [%s]", s->factor.mass, unit);
}

koshu_status
init_summarize(struct koshu_context *context, const struct init_arguments *a,
               const struct init_scale *s, struct koshu_particles *particles)
{
    struct koshu_diagnostics d = {.size = sizeof d};
    bool measured = a->initial.n <= ENERGY_LIMIT;
    if (measured) KOSHU_TRY(measure(context, particles, &d));
    printf("%s  n = %zu  seed = %llu", a->model, a->initial.n,
           (unsigned long long)a->initial.seed);
    if (a->initial.mass_function != KOSHU_MASS_FUNCTION_EQUAL) print_mass(s);
    if (measured) print_measured(s, &d);
    printf("  -> %s\n", printable(a->output));
    return KOSHU_OK;
}
