/* SPDX-License-Identifier: MIT */
/* The public interface of the FMM for charges and vortices. */
#include <koshu/laplace.h>

#include <stdatomic.h>
#include <stdlib.h>

#include "base/base.h"
#include "solve/fmm.h"
#include "solve/points.h"
#include "solve/solve.h"

KOSHU_DEFINE_DEFAULT(koshu_laplace_options, .precision = KOSHU_PRECISION_SINGLE,
                     .tolerance = 1e-5, .multipole_order = 8, .theta = 0.5)

struct koshu_laplace {
    struct koshu_context *context;
    struct koshu_fmm *fmm;
    enum koshu_precision precision; /* precision of pairs */
    bool fast;                      /* for pairs too */
    atomic_flag busy;
};

/* Below these tolerances single precision would show in near pairs; in a
 * periodic box, where sums cancel, it does so at larger ones. */
static const double single_tolerance = 1e-5, single_tolerance_in_box = 1e-4;

static enum koshu_precision
precision_of_pairs(const struct koshu_laplace_options *o)
{
    const bool single = o->precision == KOSHU_PRECISION_SINGLE;
    const double least =
            o->box > 0 ? single_tolerance_in_box : single_tolerance;
    return single && o->tolerance > 0 && o->tolerance < least
                   ? KOSHU_PRECISION_MIXED
                   : o->precision;
}

/* The fast 1 / r has a root mean square error of 6e-5 for a force from a single
 * pair; below this tolerance it would show. */
#define FAST_TOLERANCE 2e-4

/* ---- life ---------------------------------------------------------------- */

static koshu_status
check(struct koshu_context *context, const struct koshu_laplace_options *o)
{
    const double least = o->precision == KOSHU_PRECISION_DOUBLE ? 1e-12 : 1e-6;
    if (o->tolerance == 0 || (o->tolerance >= least && o->tolerance <= 0.1))
        return KOSHU_OK;
    return koshu_fail(
            context, KOSHU_ERROR_INVALID_ARGUMENT,
            "tolerance = %g: it must be from %g to 0.1 in %s "
            "precision, or 0 where multipole order and theta are given",
            o->tolerance, least, koshu_precision_name(o->precision));
}

koshu_status
koshu_fmm_of_options(struct koshu_backend *backend,
                     const struct koshu_laplace_options *o, bool softened,
                     enum koshu_precision *pairs, struct koshu_fmm **fmm)
{
    struct koshu_fmm_options options = {
            .precision = o->precision,
            .order = (int)o->multipole_order,
            .theta = o->theta,
            .n_leaf = o->n_leaf,
            .softened = softened,
            .box = {.edge = o->box,
                    .corner = {o->corner[0], o->corner[1], o->corner[2]},
                    .depth = o->image_depth}};
    KOSHU_TRY(check(backend->context, o));
    *pairs = precision_of_pairs(o);
    if (o->tolerance > 0) koshu_fmm_choose(&options, o->tolerance);
    return koshu_fmm_create(backend, &options, fmm);
}

static koshu_status
create(struct koshu_laplace *l, const struct koshu_laplace_options *o)
{
    struct koshu_backend *backend;
    KOSHU_TRY(koshu_check_precision(l->context, o->precision));
    KOSHU_TRY(koshu_backend_of(l->context, &backend));
    l->fast = o->tolerance >= FAST_TOLERANCE;
    return koshu_fmm_of_options(backend, o, false, &l->precision, &l->fmm);
}

koshu_status
koshu_laplace_create(struct koshu_context *context,
                     const struct koshu_laplace_options *options,
                     struct koshu_laplace **laplace)
{
    struct koshu_laplace_options o;
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, laplace);
    *laplace = NULL;
    KOSHU_TRY(KOSHU_READ_OPTIONS(context, koshu_laplace_options, options, &o));
    struct koshu_laplace *l = calloc(1, sizeof *l);
    if (!l) return koshu_fail_memory(context, sizeof *l, "sums of 1 / r");
    l->context = context;
    atomic_flag_clear(&l->busy);
    const koshu_status status = create(l, &o);
    if (status == KOSHU_OK)
        *laplace = l;
    else
        koshu_laplace_destroy(l);
    return status;
}

void
koshu_laplace_destroy(struct koshu_laplace *laplace)
{
    if (!laplace) return;
    koshu_fmm_destroy(laplace->fmm);
    free(laplace);
}

KOSHU_DEFINE_REPORT(koshu_laplace_report, laplace, koshu_laplace_report, report,
                    koshu_fmm_last(laplace->fmm))

/* ---- sums ---------------------------------------------------------------- */

static struct koshu_fmm_results
results_of(const struct koshu_laplace_result *r)
{
    return (struct koshu_fmm_results){
            .field = {r->potential, r->gradient_x, r->gradient_y, r->gradient_z,
                      r->hessian_xx, r->hessian_xy, r->hessian_xz,
                      r->hessian_yy, r->hessian_yz, r->hessian_zz}};
}

/* Sums for the sets, after checking that no other thread is doing so. */
static koshu_status
sum(struct koshu_laplace *l, const struct koshu_laplace_sets *sets, bool apart,
    bool potential, const struct koshu_fmm_results *to)
{
    const struct koshu_force_task task = {
            .precision = l->precision, .fast = l->fast, .potential = potential};
    KOSHU_TRY(koshu_check_threads(l->context));
    if (atomic_flag_test_and_set(&l->busy))
        return koshu_fail(l->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "another thread is using these sums of 1 / r: give "
                          "each thread an object, and a context, of its own");
    const koshu_status status = koshu_fmm_laplace(
            l->fmm, &task, &sets->sources, apart ? &sets->targets : NULL, to);
    atomic_flag_clear(&l->busy);
    return status;
}

koshu_status
koshu_laplace_sums(struct koshu_laplace *laplace,
                   const struct koshu_laplace_points *sources,
                   const struct koshu_laplace_points *targets,
                   const struct koshu_laplace_result *result)
{
    KOSHU_REQUIRE(NULL, laplace);
    struct koshu_context *context = laplace->context;
    struct koshu_laplace_sets sets;
    KOSHU_REQUIRE(context, sources);
    KOSHU_REQUIRE(context, result);
    KOSHU_TRY(koshu_read_points(context, sources, targets, result, &sets));
    const struct koshu_fmm_results to = results_of(&sets.result);
    return sum(laplace, &sets, targets != NULL, sets.result.potential != NULL,
               &to);
}

/* ---- Biot and Savart ----------------------------------------------------- */

static koshu_status
read_velocity(struct koshu_context *context,
              const struct koshu_laplace_velocity *given,
              struct koshu_fmm_results *to)
{
    struct koshu_laplace_velocity v;
    KOSHU_TRY(KOSHU_READ_OPTIONS(context, koshu_laplace_velocity, given, &v));
    *to = (struct koshu_fmm_results){
            .velocity = {v.x, v.y, v.z},
            .velocity_gradient = {v.gradient_xx, v.gradient_xy, v.gradient_xz,
                                  v.gradient_yx, v.gradient_yy, v.gradient_yz,
                                  v.gradient_zx, v.gradient_zy, v.gradient_zz}};
    KOSHU_TRY(koshu_check_all_or_none(
            context, 3, (const double *const *)to->velocity, "velocity"));
    return koshu_check_all_or_none(context, 9,
                                   (const double *const *)to->velocity_gradient,
                                   "velocity gradient");
}

static koshu_status
sum_vortices(struct koshu_laplace *laplace, const struct koshu_fmm_core *core,
             const struct koshu_laplace_points *sources,
             const struct koshu_laplace_points *targets,
             const struct koshu_laplace_velocity *velocity)
{
    KOSHU_REQUIRE(NULL, laplace);
    struct koshu_context *context = laplace->context;
    const struct koshu_laplace_result none = koshu_laplace_result_default();
    struct koshu_laplace_sets sets;
    struct koshu_fmm_results to;
    KOSHU_REQUIRE(context, sources);
    KOSHU_REQUIRE(context, velocity);
    KOSHU_TRY(koshu_read_points(context, sources, targets, &none, &sets));
    KOSHU_TRY(read_velocity(context, velocity, &to));
    to.core = *core;
    if (sets.sources.n_rhs == 3)
        return sum(laplace, &sets, targets != NULL, false, &to);
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "%zu right-hand sides of vortex strengths: there must be "
                      "3, their components",
                      sets.sources.n_rhs);
}

koshu_status
koshu_laplace_biot_savart(struct koshu_laplace *laplace,
                          const struct koshu_laplace_points *sources,
                          const struct koshu_laplace_points *targets,
                          const struct koshu_laplace_velocity *velocity)
{
    return sum_vortices(laplace, &(struct koshu_fmm_core){0}, sources, targets,
                        velocity);
}

/* ---- and with cores ------------------------------------------------------ */

bool
koshu_laplace_takes_cores(const struct koshu_laplace *laplace)
{
    return koshu_fmm_takes_cores(laplace->fmm);
}

koshu_status
koshu_laplace_cores(struct koshu_laplace *laplace,
                    const struct koshu_fmm_core *core,
                    const struct koshu_laplace_points *sources,
                    const struct koshu_laplace_points *targets,
                    const struct koshu_laplace_velocity *velocity)
{
    return sum_vortices(laplace, core, sources, targets, velocity);
}
