/* SPDX-License-Identifier: MIT */
/* What the studies of shapes and of exchanges have in common; for src/tune
 * only. */
#ifndef KOSHU_TUNE_STUDY_H
#define KOSHU_TUNE_STUDY_H

#include "tune/tune.h"

struct study {
    struct koshu_context *context;
    struct koshu_backend *backend;
    struct koshu_tune_table *table;
    /* Measures all choices at one size and adds them to the table; may set
     * `own`. */
    koshu_status (*measure)(struct study *s);
    /* A measurement sums repeatedly for measured_seconds, but at most max_sums
     * times; the least of several measurements counts. If a sum takes more than
     * long_seconds, fewer are made. */
    double measured_seconds, long_seconds;
    int max_sums;
    /* current state: */
    struct koshu_force_task task;
    enum koshu_shape_set set;
    unsigned size_class;
    struct koshu_particles *particles;
    double best; /* time of the best choice so far; 0: all are measured in
                  * full */
    size_t own;  /* row of the backend's own choice; SIZE_MAX: the first */
};

/* For each set and size: makes particles, calls measure(), marks the best
 * row. */
KOSHU_MUST_CHECK koshu_status koshu_study_run(struct study *s, unsigned sets,
                                              koshu_tune_seen *seen);

/* Computes this many sums over the store; seconds: time per sum, to the end of
 * the last kernel. (The device's own seconds leave out most of that kernel.) */
KOSHU_MUST_CHECK koshu_status
koshu_study_sum(struct study *s, const struct koshu_force_task *task,
                size_t sums, double *seconds);

/* Time of one sum of the current task. */
KOSHU_MUST_CHECK koshu_status koshu_study_time(struct study *s,
                                               double *seconds);

/* Adds a row with the current set and size. */
KOSHU_MUST_CHECK koshu_status koshu_study_add(struct study *s,
                                              struct koshu_tune_row row);

/* The task of sums of this set. */
struct koshu_force_task koshu_study_task(enum koshu_shape_set set);

#endif
