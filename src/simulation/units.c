/* SPDX-License-Identifier: MIT */
/*
 * The units of a run. Forces have G = 1: particles are in the run's units of
 * length and velocity, and their masses are G times those in its unit of mass.
 * Files have masses without G.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "domain/domain.h"
#include "particles/particles.h"
#include "simulation/simulation.h"

/* Files whose units imply G = 1 were written with many values of G, which agree
 * to three digits. */
static const double same_g = 2e-3;

double
koshu_units_mass_factor(const struct koshu_units *units)
{
    const double g = koshu_units_gravitational_constant(units);
    return fabs(g - 1) <= same_g ? 1 : g;
}

const char *
koshu_time_text(const struct koshu_parameter_values *v, double time,
                char text[64])
{
    if (koshu_is_comoving(v))
        snprintf(text, 64, "z = %.4g", 1 / time - 1);
    else
        koshu_quantity_text(&v->units, KOSHU_QUANTITY_TIME, time, 64, text);
    return text;
}

/* ---- a model ------------------------------------------------------------- */

/* The length that is 1 in the model. */
static double
length_of_model(const struct koshu_parameter_values *v)
{
    switch (v->initial.model) {
    case KOSHU_MODEL_SPHERE:
    case KOSHU_MODEL_FRACTAL: return v->radius;
    case KOSHU_MODEL_CUBE: return v->edge;
    case KOSHU_MODEL_HERNQUIST:
    case KOSHU_MODEL_DEHNEN:
    case KOSHU_MODEL_NFW:
    case KOSHU_MODEL_EFF:
    case KOSHU_MODEL_GALAXY: return v->scale_length;
    case KOSHU_MODEL_TWO_BODY: return v->semi_major_axis;
    default: return v->virial_radius;
    }
}

/* A solar mass and a parsec in the units of the run. */
static koshu_status
solar_units(struct koshu_context *context, const struct koshu_units *run,
            double *mass, double *length)
{
    struct koshu_units solar;
    KOSHU_TRY(koshu_units_find(context, "pc, Msun, d", &solar));
    *mass = koshu_units_factor(&solar, run, KOSHU_QUANTITY_MASS);
    *length = koshu_units_factor(&solar, run, KOSHU_QUANTITY_LENGTH);
    return KOSHU_OK;
}

koshu_status
koshu_size_model(struct koshu_context *context,
                 const struct koshu_parameter_values *v,
                 struct koshu_initial_options *options, double *total_mass)
{
    double mass, length, stars;
    *total_mass = v->total_mass;
    if (koshu_units_are_henon(&v->units)) return KOSHU_OK;
    KOSHU_TRY(solar_units(context, &v->units, &mass, &length));
    options->length_pc = length_of_model(v) / length;
    options->mass_msun = v->total_mass / mass;
    if (options->mass_function == KOSHU_MASS_FUNCTION_EQUAL) return KOSHU_OK;
    KOSHU_TRY(koshu_initial_mass(context, options, &stars));
    *total_mass = stars * mass;
    return KOSHU_OK;
}

koshu_status
koshu_scale_model(struct koshu_context *context,
                  const struct koshu_parameter_values *v, double total_mass,
                  struct koshu_particles *particles)
{
    const double length = length_of_model(v);
    const double mass = total_mass * koshu_units_mass_factor(&v->units);
    const struct koshu_unit_factors f = {length, mass, sqrt(mass / length)};
    koshu_status status = KOSHU_OK;
    if (mass != 1 || length != 1) status = koshu_particles_scale(particles, &f);
    return koshu_ranks_collective_status(context, status);
}

/* ---- a file -------------------------------------------------------------- */

/* Either the file or the run is in dimensionless units, the other is not. */
static koshu_status
refuse(struct koshu_context *context, const char *file,
       const struct koshu_units *of_file, const struct koshu_units *of_run)
{
    char a[128], b[128];
    koshu_units_text(of_file, sizeof a, a);
    koshu_units_text(of_run, sizeof b, b);
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "%s is in %s, but the run in %s; remove `units`, or make "
                      "a file in units: koshu convert --help",
                      file, a, b);
}

/* from NULL: the file states no units. */
static void
say(struct koshu_context *context, const char *file,
    const struct koshu_units *from, const struct koshu_units *to)
{
    char a[128], b[128];
    if (!koshu_is_first_rank(context)) return;
    koshu_units_text(from, sizeof a, a);
    koshu_units_text(to, sizeof b, b);
    if (from)
        koshu_log(context, KOSHU_LOG_LEVEL_WARNING,
                  "%s: converted from %s to %s", file, a, b);
    else
        koshu_log(context, KOSHU_LOG_LEVEL_WARNING,
                  "%s: it states no units: its numbers are taken to be in %s",
                  file, b);
}

/* Factors from the file's units to the run's; logs the conversion. */
static koshu_status
factors_of(struct koshu_context *context, const char *file,
           const struct koshu_snapshot_info *info,
           const struct koshu_units *run, struct koshu_unit_factors *f)
{
    *f = (struct koshu_unit_factors){1, 1, 1};
    if (!info->has_units) {
        if (!koshu_units_are_henon(run)) say(context, file, NULL, run);
        return KOSHU_OK;
    }
    const struct koshu_units *from = &info->units;
    if (koshu_units_are_henon(from) != koshu_units_are_henon(run))
        return refuse(context, file, from, run);
    *f = (struct koshu_unit_factors){
            koshu_units_factor(from, run, KOSHU_QUANTITY_LENGTH),
            koshu_units_factor(from, run, KOSHU_QUANTITY_MASS),
            koshu_units_factor(from, run, KOSHU_QUANTITY_VELOCITY)};
    if (f->length != 1 || f->mass != 1 || f->velocity != 1)
        say(context, file, from, run);
    return KOSHU_OK;
}

static koshu_status
check_gravity(struct koshu_context *context, const char *file,
              const struct koshu_units *units)
{
    const double g = koshu_units_gravitational_constant(units);
    if (g > 0 && isfinite(g)) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "%s: its units of %g cm, %g g and %g cm/s make G = %g; "
                      "choose others",
                      file, units->length_cm, units->mass_g,
                      units->velocity_cm_s, g);
}

koshu_status
koshu_convert_file(struct koshu_context *context,
                   struct koshu_parameters *parameters,
                   struct koshu_particles *particles,
                   struct koshu_snapshot_info *info)
{
    const struct koshu_parameter_values *v =
            koshu_parameters_values(parameters);
    const char *file = v->initial_file;
    struct koshu_unit_factors f;
    KOSHU_TRY(check_gravity(context, file, &info->units));
    KOSHU_TRY(koshu_parameters_use_units(parameters, &info->units));
    KOSHU_TRY(factors_of(context, file, info, &v->units, &f));
    info->units = v->units;
    info->box_size *= f.length;
    if (koshu_is_comoving(v)) /* from sqrt(a) dx/dt to a^2 dx/dt */
        f.velocity *= pow(info->time, 1.5);
    else
        info->time *= f.length / f.velocity;
    f.mass *= koshu_units_mass_factor(&v->units);
    if (f.length == 1 && f.mass == 1 && f.velocity == 1) return KOSHU_OK;
    return koshu_particles_scale(particles, &f);
}

void
koshu_warn_of_lost_units(const struct koshu_simulation *s)
{
    char names[128];
    if (s->values->snapshot.format != KOSHU_FORMAT_TIPSY ||
        koshu_units_are_henon(&s->kept.units) ||
        !koshu_is_first_rank(s->context))
        return;
    koshu_units_text(&s->kept.units, sizeof names, names);
    koshu_log(s->context, KOSHU_LOG_LEVEL_WARNING,
              "output.snapshot.format: tipsy keeps no units: the numbers of "
              "its files are in %s",
              names);
}

double
koshu_velocity_factor(const struct koshu_simulation *s)
{
    return s->kept.hubble > 0 ? pow(s->integrator->clock.time, 1.5) : 1;
}

/* ---- what is written ----------------------------------------------------- */

void
koshu_diagnostics_without_g(struct koshu_diagnostics *d, double g)
{
    double *const sums[] = {&d->mass, &d->kinetic, &d->potential, &d->total};
    for (size_t k = 0; k < sizeof sums / sizeof sums[0]; k++) *sums[k] /= g;
    for (int k = 0; k < 3; k++) {
        d->momentum[k] /= g;
        d->angular_momentum[k] /= g;
    }
}

/* The log columns that have a unit. */
static const struct {
    const char *name;
    enum koshu_quantity quantity;
} columns[] = {{"time", KOSHU_QUANTITY_TIME},
               {"kinetic", KOSHU_QUANTITY_ENERGY},
               {"potential", KOSHU_QUANTITY_ENERGY},
               {"total", KOSHU_QUANTITY_ENERGY},
               {"external", KOSHU_QUANTITY_ENERGY},
               {"px", KOSHU_QUANTITY_MOMENTUM},
               {"py", KOSHU_QUANTITY_MOMENTUM},
               {"pz", KOSHU_QUANTITY_MOMENTUM},
               {"lx", KOSHU_QUANTITY_ANGULAR_MOMENTUM},
               {"ly", KOSHU_QUANTITY_ANGULAR_MOMENTUM},
               {"lz", KOSHU_QUANTITY_ANGULAR_MOMENTUM},
               {"cx", KOSHU_QUANTITY_LENGTH},
               {"cy", KOSHU_QUANTITY_LENGTH},
               {"cz", KOSHU_QUANTITY_LENGTH},
               {"r01", KOSHU_QUANTITY_LENGTH},
               {"r05", KOSHU_QUANTITY_LENGTH},
               {"r10", KOSHU_QUANTITY_LENGTH},
               {"r25", KOSHU_QUANTITY_LENGTH},
               {"r50", KOSHU_QUANTITY_LENGTH},
               {"r75", KOSHU_QUANTITY_LENGTH},
               {"r90", KOSHU_QUANTITY_LENGTH}};

/* " [Myr]"; "": the column has no unit. */
static void
unit_of_column(const struct koshu_units *units, const char *name, size_t n,
               size_t size, char *text)
{
    char label[64] = "";
    for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++)
        if (strlen(columns[k].name) == n &&
            memcmp(columns[k].name, name, n) == 0)
            koshu_units_label(units, columns[k].quantity, sizeof label, label);
    snprintf(text, size, label[0] ? " [%s]" : "%s", label);
}

void
koshu_header_with_units(const char *plain, const struct koshu_units *units,
                        bool comoving, size_t size, char *header)
{
    size_t used = 0;
    header[0] = '\0';
    for (const char *at = plain; *at && used < size;) {
        char unit[80];
        const size_t n = strcspn(at, ",\n");
        unit_of_column(units, at, n, sizeof unit, unit);
        if (comoving && strncmp(at, "time", n) == 0) unit[0] = '\0';
        used += (size_t)snprintf(header + used, size - used, "%.*s%s%.1s",
                                 (int)n, at, unit, at + n);
        at += n + (at[n] != '\0');
    }
}
