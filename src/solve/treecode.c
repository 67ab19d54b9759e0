/* SPDX-License-Identifier: MIT */
/* The treecode: a tree, its groups, and the sums over a list for each group. */
#include "solve/treecode.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "devices/devices.h"
#include "particles/particles.h"
#include "solve/solve.h"
#include "solve/tree_ranks.h"

/* ---- life ---------------------------------------------------------------- */

static koshu_status
check_options(struct koshu_context *context,
              const struct koshu_solver_options *options)
{
    const struct koshu_tree_options *o = options->tree;
    if (!(o->theta > 0 && o->theta <= 1))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "theta = %g: it must be in (0, 1]", o->theta);
    if (!(o->alpha > 0 && isfinite(o->alpha)))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "alpha = %g: it must be finite and > 0", o->alpha);
    if (!koshu_multipole_order_name(o->multipole_order) ||
        !koshu_opening_criterion_name(o->opening_criterion) ||
        !koshu_space_filling_curve_name(o->space_filling_curve) ||
        !koshu_traversal_name(o->traversal))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "unknown multipole order %d, opening criterion %d, "
                          "space-filling curve %d or traversal %d",
                          (int)o->multipole_order, (int)o->opening_criterion,
                          (int)o->space_filling_curve, (int)o->traversal);
    return KOSHU_OK;
}

/* Whether the backend does everything on each rank, and whether each rank has a
 * device of its own. Collective. */
static koshu_status
find_walker(const struct koshu_backend *backend,
            const struct koshu_solver_options *options, bool *by_itself,
            bool *one_each)
{
    const struct koshu_force_task task = {.precision = options->precision,
                                          .eps = options->softening,
                                          .potential = true,
                                          .fast = options->fast};
    const struct koshu_tree_ops *ops = backend->ops->tree;
    const uint64_t ranks = (uint64_t)koshu_context_ranks(backend->context);
    uint64_t can = options->tree->traversal != KOSHU_TRAVERSAL_HOST && ops &&
                   (ranks == 1 || ops->parts) && ops->can(backend, &task);
    KOSHU_TRY(koshu_sum_counts(backend->context, &can, 1));
    *by_itself = can == ranks;
    *one_each = false;
    if (!*by_itself || ranks == 1) return KOSHU_OK;
    return koshu_sharing_look(backend->context, backend->unit, one_each);
}

static koshu_status
check_support(const struct koshu_backend *backend,
              const struct koshu_solver_options *options, bool by_itself)
{
    struct koshu_context *context = backend->context;
    if (options->precision == KOSHU_PRECISION_DOUBLE)
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "a tree has no double precision; take single or "
                          "mixed, or solver.method: direct");
    if (by_itself) return KOSHU_OK;
    if (options->tree->traversal == KOSHU_TRAVERSAL_DEVICE)
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "backend %s does not traverse trees itself; take "
                          "solver.traversal: auto",
                          backend->ops->name);
    if (!backend->ops->walks_in_caller && !backend->ops->walk_memory)
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "backend %s does not sum over the lists of a tree; "
                          "take --backend cpu, or solver.method: direct",
                          backend->ops->name);
    return KOSHU_OK;
}

/* Creates what computes the sums, and chooses the size of groups for it. */
static koshu_status
choose_sums(struct koshu_treecode *t, bool by_itself)
{
    const struct koshu_backend_ops *ops = t->backend->ops;
    const uint64_t n_crit = t->options.tree->n_crit;
    t->n_crit = koshu_n_crit_begin(n_crit, UINT64_MAX);
    if (by_itself) {
        t->n_crit = koshu_n_crit_begin(n_crit, ops->tree->max_n_crit);
        const struct koshu_tree_images images = koshu_tree_box_images(t->box);
        return ops->tree->create(t->backend, &images, &t->engine);
    }
    return koshu_tree_sums_create(t->backend, &t->sums);
}

static koshu_status
make(struct koshu_backend *backend, const struct koshu_solver_options *options,
     bool by_itself, struct koshu_treecode **treecode)
{
    struct koshu_treecode *t = *treecode = calloc(1, sizeof *t);
    if (!t) return koshu_fail_memory(backend->context, sizeof *t, "treecode");
    t->backend = backend;
    t->options = *options;
    t->tree.context = backend->context;
    t->tree.own_units = true;
    if (options->tree->box != 0)
        KOSHU_TRY(koshu_tree_box_create(backend, options, by_itself, &t->box));
    return choose_sums(t, by_itself);
}

koshu_status
koshu_treecode_create(struct koshu_backend *backend,
                      const struct koshu_solver_options *options,
                      struct koshu_treecode **treecode)
{
    struct koshu_context *context = backend->context;
    bool by_itself, one_each;
    *treecode = NULL;
    KOSHU_TRY(check_options(context, options));
    KOSHU_TRY(find_walker(backend, options, &by_itself, &one_each));
    KOSHU_TRY(check_support(backend, options, by_itself));
    koshu_status status = make(backend, options, by_itself, treecode);
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK && koshu_context_ranks(context) > 1)
        status = koshu_tree_ranks_create(*treecode, one_each,
                                         &(*treecode)->ranks);
    if (status == KOSHU_OK) return KOSHU_OK;
    koshu_treecode_destroy(*treecode);
    *treecode = NULL;
    return status;
}

void
koshu_treecode_destroy(struct koshu_treecode *t)
{
    if (!t) return;
    koshu_tree_sums_destroy(t->sums);
    koshu_tree_ranks_destroy(t->ranks);
    if (t->engine) t->backend->ops->tree->destroy(t->engine);
    koshu_tree_box_destroy(t->box);
    koshu_tree_free(&t->tree);
    koshu_groups_free(&t->groups);
    koshu_free(t->a);
    free(t);
}

/* ---- forces -------------------------------------------------------------- */

static koshu_status
sum_groups(struct koshu_treecode *t, const struct koshu_force_task *task,
           const struct koshu_particle_view *v,
           struct koshu_tree_report *report)
{
    struct koshu_tree_job job;
    const double start = koshu_now();
    KOSHU_TRY(koshu_treecode_job(t, task, v, &job));
    KOSHU_TRY(koshu_tree_sums_do(t->sums, &job, report));
    koshu_treecode_finish(t, task, v, koshu_now() - start, report);
    return KOSHU_OK;
}

static koshu_status
sum_all(struct koshu_treecode *t, const struct koshu_force_task *task,
        bool first, const struct koshu_particle_view *v,
        struct koshu_tree_report *report)
{
    KOSHU_TRY(koshu_treecode_prepare(t, task, first, v, report));
    KOSHU_TRY(sum_groups(t, task, v, report));
    const double start = koshu_now();
    KOSHU_TRY(koshu_tree_box_add(t->box, task, 0, v));
    report->seconds.moments += koshu_now() - start;
    return KOSHU_OK;
}

/* Accelerations that the relative criterion lacks are found by the geometric
 * one first. */
koshu_status
koshu_treecode_forces(struct koshu_treecode *t,
                      const struct koshu_force_task *task,
                      const struct koshu_particle_view *particles,
                      struct koshu_tree_report *report)
{
    struct koshu_particle_view v = *particles;
    KOSHU_TRY(koshu_tree_box_wrap(t->box, &v));
    const bool lacks = koshu_treecode_lacks_accelerations(t, &v);
    if (lacks) KOSHU_TRY(sum_all(t, task, true, &v, report));
    return sum_all(t, task, lacks && koshu_treecode_lacks_accelerations(t, &v),
                   &v, report);
}

/* ---- forces on a store --------------------------------------------------- */

static koshu_status
forces_from_host(struct koshu_treecode *t, const struct koshu_force_task *task,
                 struct koshu_particles *particles, unsigned fields,
                 struct koshu_tree_report *report)
{
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_on_host(particles,
                                      KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION,
                                      KOSHU_ACCESS_READ, &v));
    KOSHU_TRY(koshu_particles_on_host(particles, fields,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    return koshu_treecode_forces(t, task, &v, report);
}

static koshu_status
forces_by_engine(struct koshu_treecode *t, const struct koshu_force_task *task,
                 struct koshu_particles *particles, unsigned fields,
                 struct koshu_tree_report *report)
{
    const struct koshu_tree_options options = koshu_treecode_options(t);
    KOSHU_TRY(t->backend->ops->tree->forces(t->engine, task, &options,
                                            particles, fields, report));
    return koshu_tree_box_add_store(t->box, task, particles, fields, report);
}

koshu_status
koshu_treecode_forces_store(struct koshu_treecode *t,
                            const struct koshu_force_task *task,
                            struct koshu_particles *particles, unsigned fields,
                            struct koshu_tree_report *report)
{
    if (t->ranks)
        return koshu_tree_ranks_forces(t->ranks, task, particles, fields,
                                       report);
    if (!t->engine) return forces_from_host(t, task, particles, fields, report);
    KOSHU_TRY(forces_by_engine(t, task, particles, fields, report));
    if (koshu_treecode_wants_accelerations(t) &&
        !t->backend->ops->tree->had_accelerations(t->engine))
        KOSHU_TRY(forces_by_engine(t, task, particles, fields, report));
    koshu_n_crit_learn(&t->n_crit,
                       report->seconds.walk / (double)report->particles);
    return KOSHU_OK;
}
