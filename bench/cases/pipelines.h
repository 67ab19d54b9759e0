/* SPDX-License-Identifier: MIT */
/* A user's interaction with n particles as both sets, and koshu's own kernel
 * for the same, with data in the host's memory. */
#ifndef KOSHU_BENCH_PIPELINES_H
#define KOSHU_BENCH_PIPELINES_H

#include <koshu/interaction.h>

#include "app/built_in_kernels.h"
#include "bench/bench.h"

struct pipeline {
    const struct bench *b;
    const char *name; /* of the built-in kernel */
    struct kernel_source source;
    struct koshu_interaction *interaction;
    size_t n, n_i_fields, n_j_fields, n_outputs;
    double *i, *j, *out; /* rows, with the columns that the kernel names */
    struct koshu_particles *particles;
    struct koshu_particle_const_view view; /* of all particles */
    struct bench_sums sums; /* by koshu's own kernel, if there is one */
};

/*
 * Makes a Plummer sphere. Numbers other than positions, velocities and masses
 * are random, see the table in pipelines.c. In single precision all are rounded
 * to float. The caller closes it, whatever the status. Returns the statuses of
 * reading a kernel source, koshu_interaction_create() and
 * koshu_initial_create().
 */
KOSHU_MUST_CHECK koshu_status pipeline_open(const struct bench *b,
                                            const char *name, size_t n,
                                            struct pipeline *pipeline);
void pipeline_close(struct pipeline *pipeline);

/* Creates the interaction of its source in a context. */
KOSHU_MUST_CHECK koshu_status pipeline_create(
        const struct pipeline *pipeline, struct koshu_context *context,
        enum koshu_precision precision, struct koshu_interaction **interaction);

/* Times the interaction and, in turn with it, koshu's own kernel for gravity
 * and gravity-jerk. Without such a kernel timings[1] has no repeats, and NaN as
 * times. */
KOSHU_MUST_CHECK koshu_status pipeline_time(struct pipeline *pipeline,
                                            struct bench_timing timings[2]);

#endif
