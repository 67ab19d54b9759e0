/* SPDX-License-Identifier: MIT */
/* Interactions of the user's own, compiled for the chosen instruction set. */
#include "backend/simd/simd.h"

static koshu_status
compile(struct koshu_backend *backend,
        const struct koshu_interaction_source *source,
        struct koshu_interaction_program **program)
{
    const struct simd_backend *b = (const struct simd_backend *)backend;
    return koshu_compiled_create(backend, source, &b->isa->target, program);
}

const struct koshu_interaction_ops koshu_simd_interaction = {
        .compile = compile,
        .destroy = koshu_compiled_destroy,
        .evaluate = koshu_compiled_evaluate,
};
