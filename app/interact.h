/* SPDX-License-Identifier: MIT */
/* Between the parts of `koshu interact`. */
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
    struct koshu_interaction *interaction; /* compiled when columns are read */
    /* what the source declares */
    struct interact_names {
        size_t n;
        const char *names[KOSHU_INTERACTION_MAX];
    } of_i, of_j, of_out;
    struct interact_set i_set, j_set; /* j_set: empty, where it is i_set */
    size_t n_j;
    double *i, *j, *kept, *out; /* rows */
};

/* Reads the kernel source, before anything is compiled: what it declares; sets
 * its constants. */
KOSHU_MUST_CHECK koshu_status interact_declare(struct interact_work *work);

/* Refuses a setting that neither a constant nor a column has used. */
KOSHU_MUST_CHECK koshu_status
interact_check_settings(const struct interact_work *work);

/* Evaluates work->out; an evaluation that takes long reports its progress on
 * standard error. *seconds: of the evaluation. */
KOSHU_MUST_CHECK koshu_status interact_evaluate(struct interact_work *work,
                                                double *seconds);

/* Writes the columns that are kept and the results. */
KOSHU_MUST_CHECK koshu_status interact_write(const struct interact_work *work);

#endif
