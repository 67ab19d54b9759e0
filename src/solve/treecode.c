/* SPDX-License-Identifier: MIT */
/* A tree, its groups, and the sums over a list for each of them. */
#include "solve/treecode.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "particles/particles.h"
#include "solve/solve.h"

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

/* Does the backend do all of it? */
static bool
walks_by_itself(const struct koshu_backend *backend,
                const struct koshu_solver_options *options)
{
    const struct koshu_force_task task = {.precision = options->precision,
                                          .eps = options->softening,
                                          .potential = true,
                                          .fast = options->fast};
    return options->tree->traversal != KOSHU_TRAVERSAL_HOST &&
           backend->ops->tree && backend->ops->tree->can(backend, &task);
}

static koshu_status
check_support(const struct koshu_backend *backend,
              const struct koshu_solver_options *options)
{
    struct koshu_context *context = backend->context;
    if (options->precision == KOSHU_PRECISION_DOUBLE)
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "a tree has no double precision; take single or "
                          "mixed, or solver.method: direct");
    if (walks_by_itself(backend, options)) return KOSHU_OK;
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

/* Whoever is to make the sums, and the groups that suit it. */
static koshu_status
choose_sums(struct koshu_treecode *t)
{
    const struct koshu_backend_ops *ops = t->backend->ops;
    const uint64_t n_crit = t->options.tree->n_crit;
    t->n_crit = koshu_n_crit_begin(n_crit, UINT64_MAX);
    if (walks_by_itself(t->backend, &t->options)) {
        t->n_crit = koshu_n_crit_begin(n_crit, ops->tree->max_n_crit);
        return ops->tree->create(t->backend, &t->engine);
    }
    return koshu_tree_sums_create(t->backend, &t->sums);
}

koshu_status
koshu_treecode_create(struct koshu_backend *backend,
                      const struct koshu_solver_options *options,
                      struct koshu_treecode **treecode)
{
    struct koshu_context *context = backend->context;
    *treecode = NULL;
    KOSHU_TRY(check_options(context, options));
    KOSHU_TRY(check_support(backend, options));
    struct koshu_treecode *t = calloc(1, sizeof *t);
    if (!t) return koshu_fail_memory(context, sizeof *t, "treecode");
    t->backend = backend;
    t->options = *options;
    t->tree.context = context;
    t->tree.own_units = true;
    koshu_status status = choose_sums(t);
    if (status == KOSHU_OK && options->tree->box != 0)
        status = koshu_tree_box_create(backend, options, &t->box);
    if (status == KOSHU_OK)
        *treecode = t;
    else
        koshu_treecode_destroy(t);
    return status;
}

void
koshu_treecode_destroy(struct koshu_treecode *t)
{
    if (!t) return;
    if (t->engine) t->backend->ops->tree->destroy(t->engine);
    koshu_tree_sums_destroy(t->sums);
    koshu_tree_box_destroy(t->box);
    koshu_tree_free(&t->tree);
    koshu_groups_free(&t->groups);
    free(t);
}

/* ---- forces -------------------------------------------------------------- */

/* Walk and force share what the threads spent together, transfer and force what
 * they waited for a device. */
static void
divide_seconds(struct koshu_tree_report *r, double lists)
{
    const double all = r->seconds.walk + r->seconds.force;
    const double copies = r->device.up + r->device.down;
    const double device = r->device.up + r->device.sums + r->device.down;
    r->seconds.walk = all > 0 ? lists * r->seconds.walk / all : 0;
    r->seconds.force = lists - r->seconds.walk;
    if (device > 0) r->seconds.transfer = r->seconds.force * copies / device;
    r->seconds.force -= r->seconds.transfer;
}

/* Of the work of the threads. */
static void
write_report(struct koshu_treecode *t, const struct koshu_tree_seconds *seconds,
             double groups, double lists, struct koshu_tree_report *r)
{
    const double work = r->seconds.walk + r->seconds.force;
    r->evaluations = 1;
    r->particles = t->tree.n;
    r->cells = t->tree.n_cells;
    r->groups = t->groups.n;
    r->n_crit = t->n_crit.now;
    r->n_leaf = t->tree.options.n_leaf;
    r->space_filling_curve = t->tree.options.space_filling_curve;
    r->seconds.keys = seconds->keys;
    r->seconds.sort = seconds->sort;
    r->seconds.build = seconds->build;
    r->seconds.moments = seconds->moments;
    r->seconds.groups = groups;
    divide_seconds(r, lists);
    koshu_n_crit_learn(&t->n_crit, work / (double)t->tree.n);
}

/* The relative criterion needs accelerations of an earlier step. */
static bool
has_accelerations(const struct koshu_particle_view *v)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->ax[i] != 0 || v->ay[i] != 0 || v->az[i] != 0) return true;
    return false;
}

/* All accelerations and, where requested, potentials, times these. */
static void
multiply(const struct koshu_treecode *t, const struct koshu_particle_view *v,
         double acceleration, double potential)
{
    const int threads =
            koshu_region_threads(t->backend->context, v->n > 1 << 14);
    if (acceleration == 1 && potential == 1) return;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t i = 0; i < v->n; i++) {
        v->ax[i] *= acceleration;
        v->ay[i] *= acceleration;
        v->az[i] *= acceleration;
        if (potential != 1) v->potential[i] *= potential;
    }
}

/* Are particles in the same place? Then their keys are the same, and no leaf
 * holds others. */
static bool
some_coincide(const struct koshu_tree *t)
{
    for (size_t k = 0; k < t->n; k++)
        for (size_t j = k + 1; j < t->n && j <= k + t->options.n_leaf; j++)
            if (t->x[j] == t->x[k] && t->y[j] == t->y[k] && t->z[j] == t->z[k])
                return true;
    return false;
}

/* In units of the tree. One whose square is no float is as good as none, but
 * for the potential of pairs at no distance. */
static koshu_status
softening_of(const struct koshu_treecode *t, double *eps)
{
    const double smallest = sqrt(FLT_MIN);
    *eps = t->tree.eps / t->tree.units.length;
    if (*eps == 0 || *eps >= smallest) return KOSHU_OK;
    *eps = 0;
    if (!some_coincide(&t->tree)) return KOSHU_OK;
    return koshu_fail(
            t->backend->context, KOSHU_ERROR_UNSUPPORTED,
            "particles of a tree are at the same place, and floats do "
            "not hold their potential with softening %g: take a "
            "larger one, or solver.method: direct with precision: "
            "double",
            t->tree.eps);
}

/* Sums over the groups, in the units of the tree and back: the accelerations
 * that there were are what the relative criterion takes. */
static koshu_status
sum_groups(struct koshu_treecode *t, const struct koshu_force_task *task,
           const struct koshu_particle_view *v,
           struct koshu_tree_report *report)
{
    const double length = t->tree.units.length, mass = t->tree.units.mass;
    const double acceleration = mass / (length * length);
    const double potential = task->potential ? mass / length : 1;
    /* Of the host's lists there are many at once, which fill a device with
     * whole walks; how many is the threads' affair, not that of the results. */
    struct koshu_tree_job job = {
            .backend = t->backend,
            .tree = &t->tree,
            .groups = &t->groups,
            .task = {.potential = task->potential,
                     .fast = task->fast,
                     .split = task->precision == KOSHU_PRECISION_MIXED,
                     .own = true},
            .particles = v};
    KOSHU_TRY(softening_of(t, &job.task.eps));
    multiply(t, v, 1 / acceleration, 1);
    const koshu_status status = koshu_tree_sums_do(t->sums, &job, report);
    multiply(t, v, acceleration, potential);
    return status;
}

/* By the criterion that the particles' accelerations allow. */
static koshu_status
sum_all(struct koshu_treecode *t, const struct koshu_force_task *task,
        const struct koshu_particle_view *v, struct koshu_tree_report *report)
{
    struct koshu_tree_seconds seconds;
    t->tree.options = *t->options.tree;
    t->tree.images = koshu_tree_box_images(t->box);
    t->tree.eps = task->eps;
    if (!has_accelerations(v))
        t->tree.options.opening_criterion = KOSHU_OPENING_CRITERION_GEOMETRIC;
    KOSHU_TRY(koshu_tree_make(&t->tree, v->n, v->x, v->y, v->z, v->mass,
                              &seconds));
    double start = koshu_now();
    KOSHU_TRY(koshu_groups_make(&t->groups, &t->tree, t->n_crit.now));
    double middle = koshu_now();
    *report = (struct koshu_tree_report){0};
    KOSHU_TRY(sum_groups(t, task, v, report));
    write_report(t, &seconds, middle - start, koshu_now() - middle, report);
    start = koshu_now();
    KOSHU_TRY(koshu_tree_box_add(t->box, task, v));
    report->seconds.moments += koshu_now() - start;
    return KOSHU_OK;
}

koshu_status
koshu_treecode_forces(struct koshu_treecode *t,
                      const struct koshu_force_task *task,
                      const struct koshu_particle_view *particles,
                      struct koshu_tree_report *report)
{
    struct koshu_particle_view v = *particles;
    KOSHU_TRY(koshu_tree_box_wrap(t->box, &v));
    /* in a box forces cancel in part, which the geometric criterion does not
     * know */
    if (t->box && !has_accelerations(&v) &&
        t->options.tree->opening_criterion == KOSHU_OPENING_CRITERION_RELATIVE)
        KOSHU_TRY(sum_all(t, task, &v, report));
    return sum_all(t, task, &v, report);
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

koshu_status
koshu_treecode_forces_store(struct koshu_treecode *t,
                            const struct koshu_force_task *task,
                            struct koshu_particles *particles, unsigned fields,
                            struct koshu_tree_report *report)
{
    const struct koshu_tree_ops *ops = t->backend->ops->tree;
    struct koshu_tree_options options = *t->options.tree;
    if (!t->engine) return forces_from_host(t, task, particles, fields, report);
    options.n_crit = t->n_crit.now;
    KOSHU_TRY(
            ops->forces(t->engine, task, &options, particles, fields, report));
    koshu_n_crit_learn(&t->n_crit,
                       report->seconds.walk / (double)report->particles);
    return KOSHU_OK;
}
