/* SPDX-License-Identifier: MIT */
/* Runs the FMM on a particle store, and reports its work in the form of a
 * tree's. */
#include "base/base.h"
#include "particles/particles.h"
#include "solve/fmm_ranks.h"

static struct koshu_tree_report
report_of(const struct koshu_laplace_report *r, size_t n)
{
    return (struct koshu_tree_report){
            .evaluations = 1,
            .particles = n,
            .cells = r->cells,
            .interactions = r->pairs,
            .translations = r->translations,
            .n_leaf = r->n_leaf,
            .seconds = {.build = r->seconds.tree,
                        .moments = r->seconds.up,
                        .walk = r->seconds.down - r->seconds.near,
                        .force = r->seconds.near}};
}

static koshu_status
forces_on_host(struct koshu_fmm *fmm, const struct koshu_force_task *task,
               struct koshu_particles *particles, unsigned fields)
{
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_on_host(particles,
                                      KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION,
                                      KOSHU_ACCESS_READ, &v));
    KOSHU_TRY(
            koshu_particles_on_host(particles, fields, KOSHU_ACCESS_WRITE, &v));
    const struct koshu_force_sources j = {v.n, v.x, v.y, v.z, v.mass};
    const struct koshu_force_sums sums = {v.ax, v.ay, v.az, v.potential};
    return koshu_fmm_sums(fmm, task, &j, NULL, &sums);
}

koshu_status
koshu_fmm_forces_store(struct koshu_fmm *fmm,
                       const struct koshu_force_task *task,
                       struct koshu_particles *particles, unsigned fields,
                       struct koshu_tree_report *report)
{
    const size_t n = koshu_particles_count(particles);
    koshu_fmm_start_report(fmm);
    if (fmm->ranks)
        KOSHU_TRY(koshu_fmm_ranks_forces(fmm, task, particles, fields));
    else if (fmm->engine)
        KOSHU_TRY(koshu_fmm_engine_forces(fmm, task, particles, fields));
    else
        KOSHU_TRY(forces_on_host(fmm, task, particles, fields));
    const struct koshu_laplace_report last = koshu_fmm_last(fmm);
    *report = report_of(&last, n);
    return fmm->ranks ? koshu_fmm_ranks_report(fmm, report) : KOSHU_OK;
}
