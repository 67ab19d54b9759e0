/* SPDX-License-Identifier: MIT */
/* Shared by the parts of `koshu interact`. */
#ifndef KOSHU_APP_INTERACT_H
#define KOSHU_APP_INTERACT_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/interaction.h>

#include "built_in_kernels.h"
#include "fields.h"
#include "interact_set.h"
#include "internal.h"

struct interact_arguments {
    const char *word; /* NAME or FILE */
    const char *output, *backend, *show;
    struct word_list i, j, keep; /* files, files, columns */
    struct interact_settings settings;
    enum koshu_precision precision;
    int threads;
    bool list, force;
};

/* A kernel and its particles, ready to be evaluated. */
struct interact_work {
    struct koshu_context *context;
    struct interact_arguments *a;
    struct kernel_source text;
    /* compiled after the columns have been read */
    struct koshu_interaction *interaction;
    /* what the source declares */
    struct interact_names {
        size_t n;
        const char *names[KOSHU_INTERACTION_MAX];
    } of_i, of_j, of_out;
    /* j_set is empty where it is the same as i_set */
    struct interact_set i_set, j_set;
    size_t n_j;
    double *i, *j, *kept, *out; /* rows */
};

/* Reads the kernel source, without compiling it: finds its declarations and
 * sets its constants. */
KOSHU_MUST_CHECK koshu_status interact_declare(struct interact_work *work);

/* Refuses settings that neither a constant nor a column has used. */
KOSHU_MUST_CHECK koshu_status
interact_check_settings(const struct interact_work *work);

/* Evaluates work->out. A long evaluation reports its progress on standard
 * error. *seconds: the time of the evaluation. */
KOSHU_MUST_CHECK koshu_status interact_evaluate(struct interact_work *work,
                                                double *seconds);

/* Writes the kept columns and the results. */
KOSHU_MUST_CHECK koshu_status interact_write(const struct interact_work *work);

#endif
