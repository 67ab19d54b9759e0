/* SPDX-License-Identifier: MIT */
/* The solver method that sums a user-defined interaction. */
#include "solve/solver_interaction.h"

#include <string.h>

#include "backend/backend.h"
#include "base/base.h"
#include "domain/domain.h"
#include "particles/particles.h"

enum { COLUMNS = 7 }; /* x y z vx vy vz mass */

koshu_status
koshu_solver_create_sums(struct koshu_solver *solver)
{
    struct koshu_interaction *interaction = solver->options.interaction;
    if (!interaction)
        return koshu_fail(solver->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "solver.method: interaction needs an interaction");
    return koshu_interaction_sums_create(solver->context, interaction,
                                         &solver->sums);
}

/* Gathers the particles of all ranks in solver->all. This rank's come first, so
 * that a target has the same index among the sources. Collective. */
static koshu_status
gather(struct koshu_solver *s, struct koshu_particles *particles,
       const double *const mine[COLUMNS])
{
    const size_t total = koshu_particles_total(particles),
                 first = koshu_particles_first(particles);
    koshu_status status = KOSHU_GROW(s, all, (COLUMNS + 1) * total, s->context,
                                     "particles of all ranks");
    KOSHU_TRY(koshu_ranks_collective_status(s->context, status));
    double *column = s->all + COLUMNS * total;
    for (int k = 0; k < COLUMNS; k++) {
        double *to = s->all + (size_t)k * total;
        KOSHU_TRY(koshu_gather_column(particles, mine[k], column));
        const size_t n = koshu_particles_count(particles);
        memcpy(to, column + first, n * sizeof *to);
        memcpy(to + n, column, first * sizeof *to);
        memcpy(to + n + first, column + first + n,
               (total - first - n) * sizeof *to);
    }
    return KOSHU_OK;
}

static koshu_status
acquire(struct koshu_particles *particles, unsigned fields,
        struct koshu_particle_view *v)
{
    KOSHU_TRY(koshu_particles_on_host(particles,
                                      KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION |
                                              KOSHU_FIELD_VELOCITY,
                                      KOSHU_ACCESS_READ, v));
    return koshu_particles_on_host(particles, fields, KOSHU_ACCESS_WRITE, v);
}

koshu_status
koshu_solver_do_sums(struct koshu_solver *solver,
                     const struct koshu_force_task *task,
                     struct koshu_particles *particles, unsigned fields)
{
    const size_t total = koshu_particles_total(particles);
    const bool alone = koshu_context_ranks(solver->context) == 1;
    struct koshu_particle_view v;
    koshu_status status = acquire(particles, fields, &v);
    KOSHU_TRY(koshu_ranks_collective_status(solver->context, status));
    const double *in[COLUMNS] = {v.x, v.y, v.z, v.vx, v.vy, v.vz, v.mass};
    if (!alone) KOSHU_TRY(gather(solver, particles, in));
    for (size_t k = 0; !alone && k < COLUMNS; k++)
        in[k] = solver->all + k * total;
    const struct koshu_interaction_inputs inputs = {
            in[0], in[1], in[2], in[3],
            in[4], in[5], in[6], task->eps * task->eps};
    const struct koshu_interaction_outputs outputs = {
            .ax = v.ax,
            .ay = v.ay,
            .az = v.az,
            .potential = fields & KOSHU_FIELD_POTENTIAL ? v.potential : NULL};
    status = koshu_interaction_sums_do(solver->sums, v.n, total, &inputs,
                                       &outputs);
    solver->interactions += (uint64_t)total * total;
    return koshu_ranks_collective_status(solver->context, status);
}
