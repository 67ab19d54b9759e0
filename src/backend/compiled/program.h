/* SPDX-License-Identifier: MIT */
/* A compiled interaction, for the files of this directory. */
#ifndef KOSHU_BACKEND_COMPILED_PROGRAM_H
#define KOSHU_BACKEND_COMPILED_PROGRAM_H

#include "backend/compiled/compiled.h"

struct koshu_interaction_program {
    struct koshu_context *context;
    size_t n_in_i, n_in_j, n_out;
    enum koshu_reduction *reduction; /* n_out */
    size_t *index_of;                /* n_out */
    double *constants;
    struct koshu_image image;
    compiled_function *function;
    struct simd_plan plan;
};

#endif
