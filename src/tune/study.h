/* SPDX-License-Identifier: MIT */
/* What the study of shapes and that of exchanges share; for src/tune only. */
#ifndef KOSHU_TUNE_STUDY_H
#define KOSHU_TUNE_STUDY_H

#include "tune/tune.h"

struct study {
    struct koshu_context *context;
    struct koshu_backend *backend;
    struct koshu_tune_table *table;
    /* All choices at one size, into the table; `own` may be set. */
    koshu_status (*measure)(struct study *s);
    /* Sums of a measurement take so many seconds together, and are so many; the
     * least of some measurements counts, of fewer where a sum is long. */
    double measured_seconds, long_seconds;
    int max_sums;
    /* at hand: */
    struct koshu_force_task task;
    enum koshu_shape_set set;
    unsigned size_class;
    struct koshu_particles *particles;
    double best; /* seconds of the best so far; 0: all are measured in full */
    size_t own;  /* the row of the backend's own choice; SIZE_MAX: the first */
};

/* For each set and size: particles, measure(), the best of its rows. */
KOSHU_MUST_CHECK koshu_status koshu_study_run(struct study *s, unsigned sets,
                                              koshu_tune_seen *seen);

/* So many sums over the store; what each takes, to the end of its last kernel.
 * (The device's own count of seconds leaves out most of that kernel.) */
KOSHU_MUST_CHECK koshu_status
koshu_study_sum(struct study *s, const struct koshu_force_task *task,
                size_t sums, double *seconds);

/* Seconds of a sum of the task at hand. */
KOSHU_MUST_CHECK koshu_status koshu_study_time(struct study *s,
                                               double *seconds);

/* Adds a row, with the set and size at hand. */
KOSHU_MUST_CHECK koshu_status koshu_study_add(struct study *s,
                                              struct koshu_tune_row row);

/* What is summed of a set. */
struct koshu_force_task koshu_study_task(enum koshu_shape_set set);

#endif
