/* SPDX-License-Identifier: MIT */
/*
 * The FMM where a backend does all of it, on a store of its own. Targets apart
 * from the sources are particles without charge among them; of several
 * right-hand sides each is summed by itself.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "particles/particles.h"
#include "solve/fmm_sides.h"

/* ---- life ---------------------------------------------------------------- */

static koshu_status
refuse(const struct koshu_fmm *fmm, const char *what)
{
    return koshu_fail(fmm->backend->context, KOSHU_ERROR_UNSUPPORTED,
                      "backend %s has no FMM with %s; take --backend cpu",
                      fmm->backend->ops->name, what);
}

koshu_status
koshu_fmm_engine_open(struct koshu_fmm *fmm)
{
    if (fmm->options.box.edge > 0) return refuse(fmm, "periodic boxes");
    if (fmm->options.softened) return refuse(fmm, "softening");
    const struct koshu_fmm_engine_options options = {
            .precision = fmm->options.precision,
            .order = fmm->options.order,
            .theta = fmm->options.theta,
            .n_leaf = fmm->options.n_leaf};
    return fmm->backend->ops->fmm_engine->create(fmm->backend, &options,
                                                 &fmm->engine);
}

void
koshu_fmm_engine_close(struct koshu_fmm *fmm)
{
    koshu_particles_destroy(fmm->store);
    if (fmm->engine) fmm->backend->ops->fmm_engine->destroy(fmm->engine);
}

/* ---- sums ---------------------------------------------------------------- */

koshu_status
koshu_fmm_engine_forces(struct koshu_fmm *fmm,
                        const struct koshu_force_task *task,
                        struct koshu_particles *particles, unsigned fields)
{
    const struct koshu_fmm_engine_ops *ops = fmm->backend->ops->fmm_engine;
    struct koshu_laplace_report *r = &fmm->report;
    struct koshu_fmm_engine_report last;
    KOSHU_TRY(ops->forces(fmm->engine, task, particles, fields, &last));
    r->n_leaf = last.n_leaf;
    r->cells = last.cells;
    r->translations = last.translations;
    r->pairs = last.pairs;
    r->seconds.tree = last.seconds.tree;
    r->seconds.up = last.seconds.up;
    r->seconds.lists = last.seconds.lists;
    r->seconds.near = last.seconds.near;
    r->seconds.down = last.seconds.down;
    return KOSHU_OK;
}

static koshu_status
check_charges(struct koshu_context *context, const double *charge, size_t n)
{
    for (size_t i = 0; charge && i < n; i++)
        if (!isfinite(charge[i]))
            return koshu_fail(context, KOSHU_ERROR_NOT_FINITE,
                              "particle %zu of an FMM has the charge %g", i,
                              charge[i]);
    return KOSHU_OK;
}

static void
copy(double *to, const double *from, size_t n)
{
    if (n > 0) memcpy(to, from, n * sizeof *to);
}

/* Sources, then targets. */
static void
copy_points(const struct koshu_particle_view *v,
            const struct koshu_laplace_points *sources,
            const struct koshu_laplace_points *targets, const double *charge)
{
    const size_t n = sources->n;
    copy(v->x, sources->x, n);
    copy(v->y, sources->y, n);
    copy(v->z, sources->z, n);
    if (charge)
        copy(v->mass, charge, n);
    else
        memset(v->mass, 0, n * sizeof *v->mass);
    if (!targets) return;
    copy(v->x + n, targets->x, targets->n);
    copy(v->y + n, targets->y, targets->n);
    copy(v->z + n, targets->z, targets->n);
    memset(v->mass + n, 0, targets->n * sizeof *v->mass);
}

static koshu_status
fill_store(struct koshu_fmm *f, const struct koshu_laplace_points *sources,
           const struct koshu_laplace_points *targets, const double *charge)
{
    const size_t n = sources->n + (targets ? targets->n : 0);
    const unsigned fields = KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION;
    struct koshu_particle_view v = {.size = sizeof v};
    if (f->store && koshu_particles_count(f->store) != n) {
        koshu_particles_destroy(f->store);
        f->store = NULL;
    }
    if (!f->store)
        KOSHU_TRY(koshu_particles_create(f->backend->context, n, &f->store));
    KOSHU_TRY(koshu_particles_acquire_write(f->store, fields,
                                            KOSHU_ACCESS_WRITE, &v));
    copy_points(&v, sources, targets, charge);
    koshu_particles_release_write(f->store);
    return KOSHU_OK;
}

/* Of one right-hand side, whose place in the results is `first`; the
 * potential's sign is not gravity's. */
static koshu_status
take_results(struct koshu_fmm *f, unsigned fields, size_t skip, size_t n,
             double *const *to, size_t first)
{
    struct koshu_particle_const_view v = {.size = sizeof v};
    double *const potential = to[KOSHU_FMM_POTENTIAL];
    KOSHU_TRY(koshu_particles_acquire_read(f->store, fields, &v));
    const double *const a[3] = {v.ax, v.ay, v.az};
    for (size_t c = 0; c < 3; c++) {
        double *const gradient = to[KOSHU_FMM_GRADIENT + c];
        if (gradient) copy(gradient + first, a[c] + skip, n);
    }
    for (size_t i = 0; potential && i < n; i++)
        potential[first + i] = -v.potential[skip + i];
    koshu_particles_release_read(f->store);
    return KOSHU_OK;
}

static koshu_status
check_request(const struct koshu_fmm *fmm,
              const struct koshu_laplace_points *sources,
              const struct koshu_fmm_results *to)
{
    if (to->field[KOSHU_FMM_HESSIAN]) return refuse(fmm, "Hessians");
    if (to->velocity[0] || to->velocity_gradient[0])
        return refuse(fmm, "velocities of vortices");
    if (sources->dipole_x) return refuse(fmm, "dipoles");
    return KOSHU_OK;
}

koshu_status
koshu_fmm_engine_laplace(struct koshu_fmm *fmm,
                         const struct koshu_force_task *task,
                         const struct koshu_laplace_points *sources,
                         const struct koshu_laplace_points *targets,
                         const struct koshu_fmm_results *to)
{
    const size_t n = targets ? targets->n : sources->n;
    const size_t skip = targets ? sources->n : 0;
    struct koshu_force_task with = *task;
    unsigned fields = KOSHU_FIELD_ACCELERATION;
    KOSHU_TRY(check_request(fmm, sources, to));
    with.potential = to->field[KOSHU_FMM_POTENTIAL] != NULL;
    if (with.potential) fields |= KOSHU_FIELD_POTENTIAL;
    for (size_t k = 0; k < sources->n_rhs; k++) {
        const double *charge =
                sources->charge ? sources->charge + k * sources->n : NULL;
        KOSHU_TRY(check_charges(fmm->backend->context, charge, sources->n));
        KOSHU_TRY(fill_store(fmm, sources, targets, charge));
        KOSHU_TRY(koshu_fmm_engine_forces(fmm, &with, fmm->store, fields));
        KOSHU_TRY(take_results(fmm, fields, skip, n, to->field, k * n));
    }
    return KOSHU_OK;
}
