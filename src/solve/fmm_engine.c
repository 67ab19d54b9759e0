/* SPDX-License-Identifier: MIT */
/* The FMM where a backend does all of it, in its own memory. */
#include "base/base.h"
#include "devices/devices.h"
#include "solve/fmm_ranks.h"

/* ---- life ---------------------------------------------------------------- */

koshu_status
koshu_fmm_engine_open(struct koshu_fmm *fmm)
{
    const struct koshu_fmm_engine_options options = {
            .precision = fmm->options.precision,
            .order = fmm->options.order,
            .opening = fmm->opening,
            .n_leaf = fmm->options.n_leaf,
            .cartesian = fmm->cartesian,
            .softening = &fmm->softening,
            .images = fmm->lattice ? &fmm->images : NULL,
            .lattice = fmm->lattice,
            .depth = fmm->options.box.depth};
    return fmm->backend->ops->fmm_engine->create(fmm->backend, &options,
                                                 &fmm->engine);
}

void
koshu_fmm_engine_close(struct koshu_fmm *fmm)
{
    if (fmm->engine) fmm->backend->ops->fmm_engine->destroy(fmm->engine);
}

/* ---- sums ---------------------------------------------------------------- */

/* If the error of the expansions is larger, the fast estimate of 1 / r in near
 * pairs, which errs by 2e-7, does not matter. */
static const double error_of_fast = 1e-4;

struct koshu_force_task
koshu_fmm_engine_task(const struct koshu_fmm *fmm,
                      const struct koshu_force_task *task)
{
    const double theta = koshu_opening_of_small(&fmm->opening);
    struct koshu_force_task own = *task;
    if (koshu_fmm_error(fmm->options.order, theta) > error_of_fast)
        own.fast = true;
    return own;
}

void
koshu_fmm_engine_take_report(struct koshu_fmm *fmm,
                             const struct koshu_fmm_engine_report *last)
{
    struct koshu_laplace_report *r = &fmm->report;
    r->n_leaf = last->n_leaf;
    r->cells = last->cells;
    r->translations = last->translations;
    r->pairs = last->pairs;
    r->copied_bytes = last->copied_bytes;
    r->seconds.tree = last->seconds.tree;
    r->seconds.up = last->seconds.up;
    r->seconds.lists = last->seconds.lists;
    r->seconds.near = last->seconds.near;
    r->seconds.down = last->seconds.down;
    r->seconds.copies = last->seconds.copies;
}

koshu_status
koshu_fmm_engine_forces(struct koshu_fmm *fmm,
                        const struct koshu_force_task *task,
                        struct koshu_particles *particles, unsigned fields)
{
    const struct koshu_fmm_engine_ops *ops = fmm->backend->ops->fmm_engine;
    const struct koshu_force_task own = koshu_fmm_engine_task(fmm, task);
    struct koshu_fmm_engine_report last;
    KOSHU_TRY(ops->forces(fmm->engine, &own, particles, fields, &last));
    koshu_fmm_engine_take_report(fmm, &last);
    return KOSHU_OK;
}

koshu_status
koshu_fmm_engine_beyond(struct koshu_fmm *fmm,
                        const struct koshu_force_task *task,
                        struct koshu_particles *particles, unsigned fields)
{
    const struct koshu_fmm_engine_ops *ops = fmm->backend->ops->fmm_engine;
    struct koshu_fmm_root mine, all;
    struct koshu_fmm_box_field field;
    koshu_status status = ops->root(fmm->engine, particles, &mine);
    KOSHU_TRY(koshu_fmm_sum_roots(fmm, status, &mine, &all));
    koshu_fmm_box_field_of(fmm, task->eps, &all, &field);
    status = ops->add_box_field(fmm->engine, &field, particles, fields);
    return koshu_ranks_collective_status(fmm->backend->context, status);
}

static struct koshu_fmm_points
points_of(const struct koshu_laplace_points *p)
{
    return (struct koshu_fmm_points){
            .n = p->n,
            .x = {p->x, p->y, p->z},
            .n_rhs = p->n_rhs,
            .charge = p->charge,
            .dipole = {p->dipole_x, p->dipole_y, p->dipole_z}};
}

bool
koshu_fmm_takes_cores(const struct koshu_fmm *fmm)
{
    return fmm->engine != NULL;
}

/* A core must not reach farther than the edge: images that are not cells lie
 * beyond it. */
static koshu_status
check_core(const struct koshu_fmm *fmm, const struct koshu_fmm_core *core)
{
    const double box = fmm->options.box.edge;
    if (box == 0 || core->radius * core->reach <= box) return KOSHU_OK;
    return koshu_fail(fmm->backend->context, KOSHU_ERROR_BAD_INPUT,
                      "the core radius %g of vortices, which reaches %g times "
                      "as far, is too large for a box of %g",
                      core->radius, core->reach, box);
}

static koshu_status
check_request(const struct koshu_fmm *fmm,
              const struct koshu_laplace_points *sources,
              const struct koshu_fmm_results *to)
{
    KOSHU_TRY(check_core(fmm, &to->core));
    const bool vortices = to->velocity[0] || to->velocity_gradient[0];
    if (!vortices || (sources->charge && !sources->dipole_x)) return KOSHU_OK;
    return koshu_fail(fmm->backend->context, KOSHU_ERROR_UNSUPPORTED,
                      "backend %s has no FMM with vortices that are dipoles; "
                      "take --backend cpu",
                      fmm->backend->ops->name);
}

koshu_status
koshu_fmm_engine_laplace(struct koshu_fmm *fmm,
                         const struct koshu_force_task *task,
                         const struct koshu_laplace_points *sources,
                         const struct koshu_laplace_points *targets,
                         const struct koshu_fmm_results *to)
{
    const struct koshu_fmm_engine_ops *ops = fmm->backend->ops->fmm_engine;
    const struct koshu_fmm_points given = points_of(sources);
    const struct koshu_force_task own = koshu_fmm_engine_task(fmm, task);
    struct koshu_fmm_engine_report last;
    struct koshu_fmm_points at;
    KOSHU_TRY(check_request(fmm, sources, to));
    if (targets) at = points_of(targets);
    KOSHU_TRY(ops->laplace(fmm->engine, &own, &given, targets ? &at : NULL, to,
                           &last));
    koshu_fmm_engine_take_report(fmm, &last);
    return KOSHU_OK;
}
