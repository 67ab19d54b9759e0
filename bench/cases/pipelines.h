/* SPDX-License-Identifier: MIT */
/* A user's interaction on n particles that are both sets, and koshu's own
 * kernel for the same, from the host's memory and back there. */
#ifndef KOSHU_BENCH_PIPELINES_H
#define KOSHU_BENCH_PIPELINES_H

#include <koshu/interaction.h>

#include "app/built_in_kernels.h"
#include "bench/bench.h"

struct pipeline {
    const struct bench *b;
    const char *name; /* the built-in kernel's */
    struct kernel_source source;
    struct koshu_interaction *interaction;
    size_t n, n_i_fields, n_j_fields, n_outputs;
    double *i, *j, *out; /* rows of numbers, by its names of columns */
    struct koshu_particles *particles;
    struct koshu_particle_const_view view; /* of all of them */
    struct bench_sums sums; /* of koshu's own kernel, where there is one */
};

/*
 * A Plummer sphere; numbers that are neither places, velocities nor masses are
 * random, see the table in the file. In single precision all are rounded to
 * float. The caller closes it, whatever the status. What reading a kernel
 * source, koshu_interaction_create() and koshu_initial_create() return.
 */
KOSHU_MUST_CHECK koshu_status pipeline_open(const struct bench *b,
                                            const char *name, size_t n,
                                            struct pipeline *pipeline);
void pipeline_close(struct pipeline *pipeline);

/* The interaction of its source in a context. */
KOSHU_MUST_CHECK koshu_status pipeline_create(
        const struct pipeline *pipeline, struct koshu_context *context,
        enum koshu_precision precision, struct koshu_interaction **interaction);

/* Of the interaction; and, in turns with it, of koshu's own kernel: for gravity
 * and gravity-jerk. Else timings[1] is of no repeats, its times NaN. */
KOSHU_MUST_CHECK koshu_status pipeline_time(struct pipeline *pipeline,
                                            struct bench_timing timings[2]);

#endif
