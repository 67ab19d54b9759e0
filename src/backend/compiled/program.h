/* SPDX-License-Identifier: MIT */
/* A compiled interaction, for files of this directory only. */
#ifndef KOSHU_BACKEND_COMPILED_PROGRAM_H
#define KOSHU_BACKEND_COMPILED_PROGRAM_H

#include "backend/compiled/compiled.h"

struct koshu_interaction_program {
    struct koshu_context *context;
    const struct koshu_kernel_source *source;
    size_t n_outputs;
    double constants[KOSHU_INTERACTION_MAX];
    struct koshu_image image;
    compiled_function *function;
    struct simd_plan plan;
};

#endif
