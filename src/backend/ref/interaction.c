/* SPDX-License-Identifier: MIT */
/* Interactions as they stand: one pair after the other, in double precision,
 * no liberty taken by the compiler. */
#include "backend/compiled/compiled.h"
#include "backend/ref/ref.h"

static koshu_status
compile(struct koshu_backend *backend,
        const struct koshu_interaction_source *source,
        struct koshu_interaction_program **program)
{
    const struct compiled_target target = {0};
    return koshu_compiled_create(backend, source, &target, program);
}

const struct koshu_interaction_ops koshu_ref_interaction = {
        .always_double = true,
        .compile = compile,
        .destroy = koshu_compiled_destroy,
        .evaluate = koshu_compiled_evaluate,
};
