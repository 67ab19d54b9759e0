/* SPDX-License-Identifier: MIT */
/* User-defined interactions: how a backend compiles and evaluates them. */
#ifndef KOSHU_BACKEND_INTERACTION_H
#define KOSHU_BACKEND_INTERACTION_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/force.h>
#include <koshu/status.h>

#include "kernel_source/kernel_source.h"

struct koshu_backend;

/* Files of src/ that generated programs include; the list ends with NULL. */
struct koshu_text_file {
    const char *name, *text;
};

/* A compiled interaction. Each backend embeds it in a struct of its own. */
struct koshu_interaction_program;

struct koshu_interaction_ops {
    bool always_double; /* whatever precision is requested */
    /* Status: as koshu_interaction_create(). The source must outlive the
     * program. */
    koshu_status (*compile)(struct koshu_backend *backend,
                            const struct koshu_kernel_source *source,
                            struct koshu_interaction_program **program);
    void (*destroy)(struct koshu_interaction_program *program);
    /* n_i, n_j >= 1; rows as in koshu_interaction_evaluate(). */
    koshu_status (*evaluate)(struct koshu_interaction_program *program,
                             size_t n_i, const double *i, size_t n_j,
                             const double *j, double *out);
};

#endif
