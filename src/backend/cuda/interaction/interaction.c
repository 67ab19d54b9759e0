/* SPDX-License-Identifier: MIT */
/* Interactions of the user's own: the operations of the backend. */
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/interaction/interaction.h"
#include "base/base.h"

struct koshu_interaction_program {
    struct koshu_context *context;
    struct koshu_cuda *cuda;
    struct koshu_cuda_pairs *pairs;
};

static koshu_status
load(struct koshu_cuda_backend *b,
     const struct koshu_interaction_source *source,
     const struct koshu_pair_code *code,
     struct koshu_interaction_program **program)
{
    struct koshu_context *context = b->base.context;
    struct koshu_interaction_program *p = calloc(1, sizeof *p);
    if (!p) return koshu_fail_memory(context, sizeof *p, "interaction");
    p->context = context;
    p->cuda = b->cuda;
    koshu_status status = koshu_cuda_check(
            context, koshu_cuda_pairs_load(b->cuda, source, code, &p->pairs),
            "loading an interaction");
    if (status == KOSHU_OK)
        *program = p;
    else
        free(p);
    return status;
}

static koshu_status
compile(struct koshu_backend *backend,
        const struct koshu_interaction_source *source,
        struct koshu_interaction_program **program)
{
    struct koshu_cuda_backend *b = (struct koshu_cuda_backend *)backend;
    struct koshu_context *context = backend->context;
    int capability;
    struct koshu_pair_code code;
    koshu_cuda_enter(b->cuda);
    KOSHU_TRY(koshu_cuda_check(context,
                               koshu_cuda_capability(b->cuda, &capability),
                               "asking for the compute capability"));
    KOSHU_TRY(koshu_pair_code_of(context, source, capability, &code));
    koshu_status status = load(b, source, &code, program);
    free(code.bytes);
    return status;
}

static void
destroy(struct koshu_interaction_program *program)
{
    if (!program) return;
    koshu_cuda_pairs_unload(program->pairs);
    free(program);
}

static koshu_status
evaluate(struct koshu_interaction_program *program, size_t n_i, const double *i,
         size_t n_j, const double *j, double *out)
{
    koshu_cuda_enter(program->cuda);
    return koshu_cuda_check(
            program->context,
            koshu_cuda_pairs_evaluate(program->pairs, n_i, i, n_j, j, out),
            "evaluating an interaction");
}

const struct koshu_interaction_ops koshu_cuda_interaction = {
        .compile = compile, .destroy = destroy, .evaluate = evaluate};
