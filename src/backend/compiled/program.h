/* SPDX-License-Identifier: MIT */
/* A compiled interaction, for the files of this directory. */
#ifndef KOSHU_BACKEND_COMPILED_PROGRAM_H
#define KOSHU_BACKEND_COMPILED_PROGRAM_H

#include "backend/compiled/compiled.h"

struct koshu_interaction_program {
    struct koshu_context *context;
    size_t n_i_fields, n_j_fields, n_outputs;
    enum koshu_reduction *reduction; /* n_outputs */
    size_t *index_of;                /* n_outputs */
    double *constants;
    struct koshu_image image;
    compiled_function *function;
    struct simd_plan plan;
};

#endif
