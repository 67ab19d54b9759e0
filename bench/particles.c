/* SPDX-License-Identifier: MIT */
/* Particles that attract each other, and the time that takes. */
#include <math.h>
#include <stdio.h>

#include <koshu/snapshot.h>

#include "bench/bench.h"
#include "bench/internal.h"

koshu_status
bench_particles(const struct bench *b, size_t n,
                struct koshu_particles **particles)
{
    struct koshu_initial_options model = koshu_initial_options_default();
    if (b->options->file)
        return koshu_snapshot_read(b->context, b->options->file, NULL,
                                   particles);
    model.model = b->options->model;
    model.n = n;
    model.seed = b->options->seed;
    return koshu_initial_create(b->context, &model, particles);
}

koshu_status
bench_particles_rounded(const struct bench *b, size_t n,
                        struct koshu_particles **particles)
{
    struct koshu_particle_view v = {.size = sizeof v};
    KOSHU_TRY(bench_particles(b, n, particles));
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
            x[d][i] += b->options->offset;
            if (b->options->precision == KOSHU_PRECISION_SINGLE)
                x[d][i] = (float)x[d][i];
        }
    koshu_particles_release_write(*particles);
    return KOSHU_OK;
}

const char *
bench_subject(const struct bench *b)
{
    static char subject[512];
    if (b->options->file)
        snprintf(subject, sizeof subject, "particles of '%s'",
                 printable(b->options->file));
    else
        snprintf(subject, sizeof subject, "%s",
                 koshu_model_name(b->options->model));
    return subject;
}

/* ---- direct sums --------------------------------------------------------- */

koshu_status
bench_forces_make(const struct bench *b, size_t n, struct bench_forces *forces)
{
    const struct bench_options *o = b->options;
    struct koshu_solver_options options = koshu_solver_options_default();
    options.precision = o->precision;
    options.softening = sqrt(o->eps2);
    options.fast = o->fast;
    *forces = (struct bench_forces){
            .fields = KOSHU_FIELD_ACCELERATION |
                      (o->potential ? KOSHU_FIELD_POTENTIAL : 0u)};
    KOSHU_TRY(koshu_solver_create(b->context, &options, &forces->solver));
    return bench_particles_rounded(b, n, &forces->particles);
}

void
bench_forces_free(struct bench_forces *forces)
{
    koshu_particles_destroy(forces->particles);
    koshu_solver_destroy(forces->solver);
}

static koshu_status
once(void *user)
{
    struct bench_forces *f = user;
    return koshu_solver_forces(f->solver, f->particles, f->fields);
}

static koshu_status
wait(void *user)
{
    struct bench_forces *f = user;
    return koshu_solver_wait(f->solver);
}

koshu_status
bench_forces_time(struct bench_forces *forces, size_t repeats,
                  struct bench_timing *timing)
{
    const struct bench_work work = {once, wait, forces};
    return bench_time(&work, repeats, timing);
}
