/* SPDX-License-Identifier: MIT */
/* Self-gravitating particles, and their forces. */
#include <math.h>

#include <koshu/diagnostics.h>
#include <koshu/snapshot.h>

#include "bench/bench.h"

/* Multiplies masses by G, as a run does, so that G is 1 in the file's units. */
static koshu_status
read_file(const struct bench *b, struct koshu_particles **particles)
{
    struct koshu_snapshot_info info = {.size = sizeof info};
    KOSHU_TRY(koshu_snapshot_read(b->context, b->options->file, &info,
                                  particles));
    const double g = koshu_units_mass_factor(&info.units);
    const struct koshu_unit_factors factors = {1, g, 1};
    const koshu_status status = koshu_particles_scale(*particles, &factors);
    if (status == KOSHU_OK) return KOSHU_OK;
    koshu_particles_destroy(*particles);
    *particles = NULL;
    return status;
}

static koshu_status
make(const struct bench *b, size_t n, struct koshu_particles **particles)
{
    struct koshu_initial_options model = koshu_initial_options_default();
    if (b->options->file) return read_file(b, particles);
    model.model = b->options->model;
    model.n = n;
    model.seed = b->options->seed;
    return koshu_initial_create(b->context, &model, particles);
}

/* Moves positions by --offset, and rounds them to floats. */
static koshu_status
move(struct koshu_particles *particles, double offset, bool rounds)
{
    struct koshu_particle_view v = {.size = sizeof v};
    if (offset == 0 && !rounds) return KOSHU_OK;
    KOSHU_TRY(koshu_particles_acquire_write(particles, KOSHU_FIELD_POSITION,
                                            KOSHU_ACCESS_READ_WRITE, &v));
    double *const x[3] = {v.x, v.y, v.z};
    for (int d = 0; d < 3; d++)
        for (size_t i = 0; i < v.n; i++) {
            x[d][i] += offset;
            if (rounds) x[d][i] = (float)x[d][i];
        }
    koshu_particles_release_write(particles);
    return KOSHU_OK;
}

koshu_status
bench_particles(const struct bench *b, size_t n,
                struct koshu_particles **particles)
{
    const bool single = b->options->precision == KOSHU_PRECISION_SINGLE;
    KOSHU_TRY(make(b, n, particles));
    koshu_status status =
            move(*particles, b->options->offset, b->which->rounds && single);
    if (status == KOSHU_OK) return KOSHU_OK;
    koshu_particles_destroy(*particles);
    *particles = NULL;
    return status;
}

/* ---- systems ------------------------------------------------------------- */

struct koshu_solver_options
bench_solver_options(const struct bench *b)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    options.precision = b->options->precision;
    options.softening = sqrt(b->options->eps2);
    options.fast = b->options->fast;
    return options;
}

koshu_status
bench_system_make(const struct bench *b, size_t n,
                  const struct koshu_solver_options *solver,
                  const struct koshu_integrator_options *integrator,
                  struct bench_system *system)
{
    const struct koshu_solver_options usual = bench_solver_options(b);
    struct bench_system *s = system;
    *s = (struct bench_system){.fields = KOSHU_FIELD_ACCELERATION};
    if (b->options->potential) s->fields |= KOSHU_FIELD_POTENTIAL;
    KOSHU_TRY(koshu_solver_create(b->context, solver ? solver : &usual,
                                  &s->solver));
    KOSHU_TRY(bench_particles(b, n, &s->particles));
    if (!integrator) return KOSHU_OK;
    return koshu_integrator_create(s->solver, s->particles, 0, integrator,
                                   &s->integrator);
}

void
bench_system_free(struct bench_system *system)
{
    koshu_integrator_destroy(system->integrator);
    koshu_particles_destroy(system->particles);
    koshu_solver_destroy(system->solver);
}

koshu_status
bench_forces(void *system)
{
    struct bench_system *s = system;
    return koshu_solver_forces(s->solver, s->particles, s->fields);
}

koshu_status
bench_wait(void *system)
{
    struct bench_system *s = system;
    return koshu_solver_wait(s->solver);
}

koshu_status
bench_energy(const struct bench_system *system, double *total)
{
    struct koshu_diagnostics diagnostics = {.size = sizeof diagnostics};
    KOSHU_TRY(koshu_diagnostics_compute(system->particles, &diagnostics));
    *total = diagnostics.total;
    return KOSHU_OK;
}
