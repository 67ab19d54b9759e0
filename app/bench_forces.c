/* SPDX-License-Identifier: MIT */
/* Particles that attract each other, and the time that takes. */
#include <math.h>

#include <koshu/initial.h>

#include "bench.h"
#include "internal.h"

koshu_status
bench_particles(struct koshu_context *context,
                const struct bench_problem *problem, size_t n,
                struct koshu_particles **particles)
{
    struct koshu_initial_options model = koshu_initial_options_default();
    model.n = n;
    model.seed = problem->seed;
    KOSHU_TRY(koshu_initial_create(context, &model, particles));
    struct koshu_particle_view v = {.size = sizeof v};
    koshu_status status = koshu_particles_acquire_write(
            *particles, KOSHU_FIELD_POSITION, KOSHU_ACCESS_READ_WRITE, &v);
    if (status != KOSHU_OK) {
        koshu_particles_destroy(*particles);
        *particles = NULL;
        return status;
    }
    double *const x[3] = {v.x, v.y, v.z};
    for (int d = 0; d < 3; d++)
        for (size_t i = 0; i < v.n; i++) {
            x[d][i] += problem->offset;
            if (problem->precision == KOSHU_PRECISION_SINGLE)
                x[d][i] = (float)x[d][i];
        }
    koshu_particles_release_write(*particles);
    return KOSHU_OK;
}

koshu_status
bench_forces_make(struct koshu_context *context,
                  const struct bench_problem *problem, size_t n,
                  struct bench_forces *forces)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    options.precision = problem->precision;
    options.softening = sqrt(problem->eps2);
    options.fast = problem->fast;
    *forces = (struct bench_forces){
            .fields = KOSHU_FIELD_ACCELERATION |
                      (problem->potential ? KOSHU_FIELD_POTENTIAL : 0)};
    KOSHU_TRY(koshu_solver_create(context, &options, &forces->solver));
    return bench_particles(context, problem, n, &forces->particles);
}

void
bench_forces_free(struct bench_forces *forces)
{
    koshu_particles_destroy(forces->particles);
    koshu_solver_destroy(forces->solver);
}

static koshu_status
once(void *user)
{
    struct bench_forces *f = user;
    return koshu_solver_forces(f->solver, f->particles, f->fields);
}

static koshu_status
wait(void *user)
{
    struct bench_forces *f = user;
    return koshu_solver_wait(f->solver);
}

koshu_status
bench_forces_time(struct bench_forces *forces, size_t repeats,
                  struct bench_timing *timing)
{
    const struct bench_work work = {once, wait, forces};
    return bench_time(&work, repeats, timing);
}
