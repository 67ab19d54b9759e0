/* SPDX-License-Identifier: MIT */
/* The methods of a solver: forces of a whole particle store by each of them. */
#include "backend/backend.h"
#include "base/base.h"
#include "particles/particles.h"
#include "solve/fmm_ranks.h"
#include "solve/self.h"
#include "solve/solve.h"
#include "solve/solver_interaction.h"
#include "solve/treecode.h"

/* ---- direct -------------------------------------------------------------- */

/* All particles as one i-set, with themselves as one j-set. */
static koshu_status
directly_from_host(struct koshu_solver *solver,
                   const struct koshu_force_task *task,
                   struct koshu_particles *particles, unsigned fields)
{
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_on_host(particles,
                                      KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION,
                                      KOSHU_ACCESS_READ, &v));
    KOSHU_TRY(
            koshu_particles_on_host(particles, fields, KOSHU_ACCESS_WRITE, &v));
    KOSHU_TRY(koshu_self_reserve(solver->context, &solver->self,
                                 &solver->n_self, v.n));
    const size_t offset[2] = {0, v.n};
    struct koshu_force_batch batch = {
            .n_sets = 1,
            .i_offset = offset,
            .j_offset = offset,
            .i = {v.n, v.x, v.y, v.z, solver->self},
            .j = {v.n, v.x, v.y, v.z, v.mass},
            .result = {v.ax, v.ay, v.az, v.potential},
    };
    return solver->backend->ops->force(solver->backend, task, &batch);
}

/* Over ranks whose devices do not exchange particles themselves. */
static koshu_status
directly_by_host(struct koshu_solver *solver,
                 const struct koshu_force_task *task,
                 struct koshu_particles *particles, unsigned fields)
{
    if (solver->devices)
        koshu_transfer_is_by(solver->context, KOSHU_HOST_STAGED);
    return koshu_rank_exchange_forces(solver->exchange, task, particles,
                                      fields);
}

static koshu_status
forces_directly(struct koshu_solver *solver,
                const struct koshu_force_task *task,
                struct koshu_particles *particles, unsigned fields)
{
    const struct koshu_backend_ops *ops = solver->backend->ops;
    const uint64_t n = koshu_particles_total(particles);
    if (solver->devices && koshu_device_exchange_can(solver->devices, n))
        KOSHU_TRY(koshu_device_exchange_forces(solver->devices, task, particles,
                                               n, fields));
    else if (solver->exchange)
        KOSHU_TRY(directly_by_host(solver, task, particles, fields));
    else if (ops->force_store)
        KOSHU_TRY(ops->force_store(solver->backend, task, particles, fields));
    else
        KOSHU_TRY(directly_from_host(solver, task, particles, fields));
    solver->interactions += n * n;
    return KOSHU_OK;
}

/* ---- by cells ------------------------------------------------------------ */

static void
count(struct koshu_solver *solver)
{
    koshu_tree_report_add(&solver->tree_total, &solver->tree_last);
    solver->interactions += solver->tree_last.interactions;
}

static koshu_status
create_tree(struct koshu_solver *solver)
{
    return koshu_treecode_create(solver->backend, &solver->options,
                                 &solver->treecode);
}

static koshu_status
forces_by_tree(struct koshu_solver *solver, const struct koshu_force_task *task,
               struct koshu_particles *particles, unsigned fields)
{
    KOSHU_TRY(koshu_treecode_forces_store(solver->treecode, task, particles,
                                          fields, &solver->tree_last));
    count(solver);
    return KOSHU_OK;
}

static koshu_status
create_fmm(struct koshu_solver *solver)
{
    const koshu_status status = koshu_fmm_of_options(
            solver->backend, &solver->fmm_options,
            solver->options.softening > 0, &solver->fmm_pairs, &solver->fmm);
    KOSHU_TRY(koshu_ranks_collective_status(solver->context, status));
    return koshu_context_ranks(solver->context) > 1
                   ? koshu_fmm_ranks_create(solver->fmm,
                                            solver->options.transport)
                   : KOSHU_OK;
}

static koshu_status
forces_by_fmm(struct koshu_solver *solver, const struct koshu_force_task *task,
              struct koshu_particles *particles, unsigned fields)
{
    struct koshu_force_task with = *task;
    with.precision = solver->fmm_pairs;
    KOSHU_TRY(koshu_fmm_forces_store(solver->fmm, &with, particles, fields,
                                     &solver->tree_last));
    count(solver);
    return KOSHU_OK;
}

/* ---- all ----------------------------------------------------------------- */

static const struct koshu_solver_method methods[] = {
        [KOSHU_METHOD_DIRECT] = {.forces = forces_directly},
        [KOSHU_METHOD_TREE] = {.create = create_tree, .forces = forces_by_tree},
        [KOSHU_METHOD_FMM] = {.create = create_fmm, .forces = forces_by_fmm},
        [KOSHU_METHOD_INTERACTION] = {.create = koshu_solver_create_sums,
                                      .forces = koshu_solver_do_sums}};

static const char *const names[] = {"direct", "tree", "fmm", "interaction"};
KOSHU_ENUM_NAMES(koshu_method, "a method of solvers", names)

static const char *const boundaries[] = {"isolated", "periodic"};
KOSHU_ENUM_NAMES(koshu_boundary, "a boundary condition", boundaries)

const struct koshu_solver_method *
koshu_solver_method_of(int method)
{
    const size_t n = sizeof methods / sizeof methods[0];
    return (unsigned)method < n ? &methods[method] : NULL;
}
