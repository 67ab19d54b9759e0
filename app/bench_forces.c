/* SPDX-License-Identifier: MIT */
/* Particles that attract each other, and the time that takes. */
#include <math.h>

#include <koshu/initial.h>

#include "bench.h"
#include "internal.h"

koshu_status
bench_particles_of(struct koshu_context *context,
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
bench_forces_make_of(struct koshu_context *context,
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
    return bench_particles_of(context, problem, n, &forces->particles);
}
