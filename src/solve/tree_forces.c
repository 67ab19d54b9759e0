/* SPDX-License-Identifier: MIT */
/* Forces from lists made on the host, step by step: tree and groups, the sums
 * over their lists, and units. */
#include <float.h>
#include <math.h>

#include "base/base.h"
#include "particles/particles.h"
#include "solve/treecode.h"

/* ---- tree and groups ----------------------------------------------------- */

/* The smallest acceleration of a group's particles, in the units of the
 * tree. */
static double
smallest_acceleration(const struct koshu_treecode *t,
                      const struct koshu_particle_view *v,
                      const struct koshu_group *group)
{
    const double length = t->tree.units.length;
    const double unit = length * length / t->tree.units.mass;
    const uint32_t *order = t->tree.order + group->first;
    double a2 = INFINITY;
    for (size_t k = 0; k < group->n; k++) {
        const size_t i = order[k];
        const double x = v->ax[i] * unit, y = v->ay[i] * unit,
                     z = v->az[i] * unit;
        a2 = fmin(a2, x * x + y * y + z * z);
    }
    return sqrt(a2);
}

/* Finds it for each group; the geometric criterion does not need it. */
static koshu_status
find_accelerations(struct koshu_treecode *t,
                   const struct koshu_particle_view *v)
{
    const size_t n = t->groups.n;
    const int threads = koshu_region_threads(t->backend->context, n > 1 << 9);
    const bool relative = t->tree.options.opening_criterion ==
                          KOSHU_OPENING_CRITERION_RELATIVE;
    KOSHU_TRY(KOSHU_GROW(t, a, n, t->backend->context, "groups of a tree"));
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t k = 0; k < n; k++)
        t->a[k] =
                relative ? smallest_acceleration(t, v, &t->groups.group[k]) : 0;
    return KOSHU_OK;
}

static void
begin_report(const struct koshu_treecode *t,
             const struct koshu_tree_seconds *seconds, double groups,
             struct koshu_tree_report *r)
{
    *r = (struct koshu_tree_report){.evaluations = 1,
                                    .particles = t->tree.n,
                                    .cells = t->tree.n_cells,
                                    .groups = t->groups.n};
    r->seconds.keys = seconds->keys;
    r->seconds.sort = seconds->sort;
    r->seconds.build = seconds->build;
    r->seconds.moments = seconds->moments;
    r->seconds.groups = groups;
}

bool
koshu_treecode_wants_accelerations(const struct koshu_treecode *t)
{
    return t->options.tree->opening_criterion ==
           KOSHU_OPENING_CRITERION_RELATIVE;
}

bool
koshu_has_accelerations(const struct koshu_particle_view *v)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->ax[i] != 0 || v->ay[i] != 0 || v->az[i] != 0) return true;
    return false;
}

bool
koshu_treecode_lacks_accelerations(const struct koshu_treecode *t,
                                   const struct koshu_particle_view *v)
{
    return koshu_treecode_wants_accelerations(t) && !koshu_has_accelerations(v);
}

/* Errors are the same after accelerations that err by 1 %, which take less than
 * half of the time of an angle of 0.5 (docs/tree.md). In a box forces cancel in
 * part, which the geometric criterion does not take into account: with angle 1
 * they would be wrong by their own size. */
static double
guiding_theta(const struct koshu_treecode *t)
{
    return t->box ? 0.5 : 1;
}

struct koshu_tree_options
koshu_treecode_options(const struct koshu_treecode *t)
{
    struct koshu_tree_options o = *t->options.tree;
    o.n_crit = t->n_crit.now;
    if (koshu_treecode_wants_accelerations(t)) o.theta = guiding_theta(t);
    return o;
}

koshu_status
koshu_treecode_prepare(struct koshu_treecode *treecode,
                       const struct koshu_force_task *task, bool lacks,
                       const struct koshu_particle_view *v,
                       struct koshu_tree_report *report)
{
    struct koshu_treecode *t = treecode;
    struct koshu_tree_seconds seconds;
    t->tree.options = koshu_treecode_options(t);
    t->tree.images = koshu_tree_box_images(t->box);
    t->tree.eps = task->eps;
    if (lacks)
        t->tree.options.opening_criterion = KOSHU_OPENING_CRITERION_GEOMETRIC;
    KOSHU_TRY(koshu_tree_make(&t->tree, v->n, v->x, v->y, v->z, v->mass,
                              &seconds));
    const double start = koshu_now();
    KOSHU_TRY(koshu_groups_make(&t->groups, &t->tree, t->n_crit.now));
    KOSHU_TRY(find_accelerations(t, v));
    begin_report(t, &seconds, koshu_now() - start, report);
    return KOSHU_OK;
}

/* ---- sums ---------------------------------------------------------------- */

/* Whether particles coincide: then their keys are equal and their leaf holds no
 * others. */
static bool
some_coincide(const struct koshu_tree *t)
{
    for (size_t k = 0; k < t->n; k++)
        for (size_t j = k + 1; j < t->n && j <= k + t->options.n_leaf; j++)
            if (t->x[j] == t->x[k] && t->y[j] == t->y[k] && t->z[j] == t->z[k])
                return true;
    return false;
}

/* The softening in units of the tree. If its square underflows, it matters only
 * for the potential of pairs at zero distance. */
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

koshu_status
koshu_treecode_job(const struct koshu_treecode *treecode,
                   const struct koshu_force_task *task,
                   const struct koshu_particle_view *particles,
                   struct koshu_tree_job *job)
{
    /* The host's lists are so many that whole walks fill a device. How many
     * depends on the number of threads, on which results must not depend. */
    *job = (struct koshu_tree_job){
            .backend = treecode->backend,
            .tree = &treecode->tree,
            .groups = &treecode->groups,
            .a = treecode->a,
            .task = {.potential = task->potential,
                     .fast = task->fast,
                     .split = task->precision == KOSHU_PRECISION_MIXED,
                     .own = true},
            .particles = particles};
    return softening_of(treecode, &job->task.eps);
}

/* Divides the seconds of the lists between walk and force in the ratio of the
 * threads' times. The part of force in which a device copied is transfer. */
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

/* Converts all accelerations and, where requested, potentials from units of the
 * tree to the caller's. */
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

void
koshu_treecode_finish(struct koshu_treecode *treecode,
                      const struct koshu_force_task *task,
                      const struct koshu_particle_view *particles, double lists,
                      struct koshu_tree_report *report)
{
    struct koshu_treecode *t = treecode;
    const double length = t->tree.units.length, mass = t->tree.units.mass;
    const double work = report->seconds.walk + report->seconds.force;
    multiply(t, particles, mass / (length * length),
             task->potential ? mass / length : 1);
    divide_seconds(report, lists);
    report->n_crit = t->n_crit.now;
    report->n_leaf = t->tree.options.n_leaf;
    report->space_filling_curve = t->tree.options.space_filling_curve;
    if (t->tree.n > 0) koshu_n_crit_learn(&t->n_crit, work / (double)t->tree.n);
}
