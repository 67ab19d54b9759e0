/* SPDX-License-Identifier: MIT */
/* Measures and prints the state of a snapshot's particles. */
#include "info_state.h"

#include <math.h>
#include <stdio.h>

#include <koshu/solver.h>

#include "app.h"
#include "internal.h"

/* A tree takes seconds for up to so many particles. */
enum { TREE_LIMIT = 1 << 20, CORE_LEAST = 7 };

/* ---- measuring ----------------------------------------------------------- */

/* Potentials come from a solver with G = 1. */
static koshu_status
multiply_by_g(struct koshu_particles *particles,
              const struct koshu_snapshot_info *info)
{
    const double g = koshu_units_gravitational_constant(&info->units);
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_on_host(particles, KOSHU_FIELD_POTENTIAL,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < v.n; i++) v.potential[i] *= g;
    return KOSHU_OK;
}

koshu_status
compute_potential(struct koshu_particles *particles,
                  const struct koshu_snapshot_info *info,
                  enum koshu_precision precision, bool by_tree)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_solver *solver;
    options.precision = precision;
    options.softening = info->softening;
    if (by_tree) options.method = KOSHU_METHOD_TREE;
    KOSHU_TRY(koshu_solver_create(koshu_particles_context(particles), &options,
                                  &solver));
    koshu_status status = koshu_solver_forces(solver, particles,
                                              KOSHU_FIELD_ACCELERATION |
                                                      KOSHU_FIELD_POTENTIAL);
    koshu_solver_destroy(solver);
    return status == KOSHU_OK ? multiply_by_g(particles, info) : status;
}

/* If all particles are in one place, no potential is found: sums skip pairs
 * without distance. */
static koshu_status
find_potential(struct koshu_particles *particles, bool *found)
{
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_on_host(particles, KOSHU_FIELD_POTENTIAL,
                                      KOSHU_ACCESS_READ, &v));
    *found = v.n == 1;
    for (size_t i = 0; i < v.n && !*found; i++) *found = v.potential[i] != 0;
    return KOSHU_OK;
}

static koshu_status
find_energy(struct koshu_particles *particles,
            const struct koshu_snapshot_info *info, struct state *s)
{
    if (!s->stored)
        KOSHU_TRY(compute_potential(particles, info, KOSHU_PRECISION_MIXED,
                                    s->by_tree));
    KOSHU_TRY(find_potential(particles, &s->has_energy));
    s->reason = "every potential is 0";
    return KOSHU_OK;
}

/* As energy.csv has them: velocities are a^-3/2 times the a^2 dx/dt that runs
 * have; the background outside is only that of a sphere. */
static koshu_status
find_universe_energies(struct koshu_particles *particles,
                       const struct koshu_snapshot_info *info,
                       struct koshu_diagnostics *d)
{
    const double a = info->time, h0 = koshu_hubble0_in(&info->units);
    const double outward = info->box_size > 0 ? 0 : h0 * h0 * info->omega_m / 2;
    d->kinetic *= a * a * a;
    return koshu_universe_energies(particles, a, outward, d);
}

static koshu_status
measure_energies(struct koshu_particles *particles,
                 const struct koshu_snapshot_info *info,
                 struct koshu_diagnostics *d)
{
    KOSHU_TRY(koshu_diagnostics_compute(particles, d));
    if (!(info->hubble > 0 && info->time > 0)) return KOSHU_OK;
    return find_universe_energies(particles, info, d);
}

koshu_status
measure_state(struct koshu_particles *particles,
              const struct koshu_snapshot_info *info, bool energy,
              struct state *s)
{
    const size_t n = koshu_particles_total(particles);
    *s = (struct state){.stored = info->has_potential,
                        .by_tree = n > PAIRS_LIMIT,
                        .diagnostics.size = sizeof s->diagnostics};
    s->reason = "the potential of so many particles takes long (--energy "
                "computes it)";
    if (s->stored || energy || n <= TREE_LIMIT)
        KOSHU_TRY(find_energy(particles, info, s));
    KOSHU_TRY(s->has_energy ? measure_energies(particles, info, &s->diagnostics)
                            : koshu_diagnostics_of_motion(particles,
                                                          &s->diagnostics));
    if (n < CORE_LEAST || n > UINT32_MAX) return KOSHU_OK;
    KOSHU_TRY(koshu_core(particles, s->core, &s->core_radius));
    s->has_core = isfinite(s->core_radius);
    return KOSHU_OK;
}

/* ---- printing ------------------------------------------------------------ */

static void
print_vector(const char *name, const struct koshu_snapshot_info *info,
             enum koshu_quantity quantity, const double x[3])
{
    char unit[QUANTITY_TEXT];
    printf("%-11s %.9g %.9g %.9g%s\n", name, x[0], x[1], x[2],
           unit_text(&info->units, quantity, unit));
}

static void
print_length(const char *name, const struct koshu_snapshot_info *info,
             double length)
{
    char text[QUANTITY_TEXT];
    printf("%-11s %s\n", name,
           quantity_text(&info->units, KOSHU_QUANTITY_LENGTH, length, text));
}

static void
print_energies(const struct koshu_snapshot_info *info, const struct state *s)
{
    const struct koshu_diagnostics *d = &s->diagnostics;
    const char *peculiar =
            info->hubble > 0 ? "; of peculiar velocities, at physical distances"
                             : "";
    char unit[QUANTITY_TEXT];
    unit_text(&info->units, KOSHU_QUANTITY_ENERGY, unit);
    printf("E           %.9g%s (T = %.9g, W = %.9g; ", d->total, unit,
           d->kinetic, d->potential);
    if (s->stored)
        printf("potential of the file%s)\n", peculiar);
    else
        printf("potential %s, softening %.9g%s%s)\n",
               s->by_tree ? "by a tree" : "of all pairs", info->softening,
               info->box_size > 0 ? ", without periodic images" : "", peculiar);
    printf("Q           %.9g\n", d->virial_ratio);
}

void
print_state(const struct koshu_snapshot_info *info, const struct state *s)
{
    const struct koshu_diagnostics *d = &s->diagnostics;
    if (s->has_energy)
        print_energies(info, s);
    else
        printf("E           left out: %s\n", s->reason);
    print_vector("momentum", info, KOSHU_QUANTITY_MOMENTUM, d->momentum);
    print_vector("angular momentum", info, KOSHU_QUANTITY_ANGULAR_MOMENTUM,
                 d->angular_momentum);
    print_length("half-mass radius", info, d->lagrangian_radius[HALF_MASS]);
    if (!s->has_core) return;
    print_vector("density centre", info, KOSHU_QUANTITY_LENGTH, s->core);
    print_length("core radius", info, s->core_radius);
}

/* ---- JSON ---------------------------------------------------------------- */

static json_t *
vector_json(const double x[3])
{
    return json_pack("[f,f,f]", x[0], x[1], x[2]);
}

void
add_state_json(json_t *object, const struct state *s)
{
    const struct koshu_diagnostics *d = &s->diagnostics;
    if (s->has_energy)
        json_object_update_new(
                object, json_pack("{s:f,s:f,s:f,s:f}", "kinetic", d->kinetic,
                                  "potential_energy", d->potential, "energy",
                                  d->total, "virial_ratio", d->virial_ratio));
    json_object_update_new(
            object,
            json_pack("{s:o,s:o,s:f}", "momentum", vector_json(d->momentum),
                      "angular_momentum", vector_json(d->angular_momentum),
                      "half_mass_radius", d->lagrangian_radius[HALF_MASS]));
    if (s->has_core)
        json_object_update_new(object,
                               json_pack("{s:o,s:f}", "density_centre",
                                         vector_json(s->core), "core_radius",
                                         s->core_radius));
}
