/* SPDX-License-Identifier: MIT */
/* Shapes found by `koshu tune`, by device name; other devices use
 * tuning.cuh. */
#include <string.h>

#include "backend/backend.h"
#include "backend/cuda/cuda.h"

/* Measured on 2026-11-21 (docs/tuning.md), except for an A100. */
static const struct koshu_cuda_builtin_tuning tuning[] = {
        {"H100", KOSHU_SHAPES_FAST, 4, "mutual t128 i8 u2 f4 b3", 100},
        {"H100", KOSHU_SHAPES_MIXED, 5, "mutual t64 i8 u2 f1 b6", 100},
        {"H200", KOSHU_SHAPES_FAST, 4, "mutual t128 i8 u2 f4 b3", 100},
        {"H200", KOSHU_SHAPES_MIXED, 5, "mutual t64 i8 u2 f1 b6", 100},
};
enum { N_TUNINGS = sizeof tuning / sizeof tuning[0] };

const struct koshu_cuda_builtin_tuning *
koshu_cuda_builtin_tuning_at(size_t k)
{
    return k < N_TUNINGS ? &tuning[k] : NULL;
}

void
koshu_cuda_select_builtin_tuning(struct koshu_backend *backend)
{
    for (const struct koshu_cuda_builtin_tuning *w = tuning;
         w < tuning + N_TUNINGS; w++)
        if (strstr(backend->model, w->word))
            koshu_tuning_select(backend, w->set, w->size_class, w->shape,
                                w->shared_memory);
}
