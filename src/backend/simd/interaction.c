/* SPDX-License-Identifier: MIT */
#include "backend/simd/interaction.h"

#include <string.h>

#include "backend/compiled/compiled.h"
#include "backend/simd/simd.h"

/* What a compiler is told of each instruction set, by its name. */
static struct compiled_target
target_of(const struct simd_isa *isa)
{
    if (strcmp(isa->name, "avx512") == 0)
        return (struct compiled_target){
                64,
                {"-mavx512f", "-mavx2", "-mfma", "-mprefer-vector-width=512"}};
    if (strcmp(isa->name, "avx2") == 0)
        return (struct compiled_target){32, {"-mavx2", "-mfma"}};
    if (strcmp(isa->name, "sse42") == 0)
        return (struct compiled_target){16, {"-msse4.2"}};
    return (struct compiled_target){16, {NULL}};
}

static koshu_status
compile(struct koshu_backend *backend,
        const struct koshu_interaction_source *source,
        struct koshu_interaction_program **program)
{
    const struct simd_backend *b = (const struct simd_backend *)backend;
    const struct compiled_target target = target_of(b->isa);
    return koshu_compiled_create(backend, source, &target, program);
}

const struct koshu_interaction_ops koshu_simd_interaction = {
        .compile = compile,
        .destroy = koshu_compiled_destroy,
        .evaluate = koshu_compiled_evaluate,
};
