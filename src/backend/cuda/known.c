/* SPDX-License-Identifier: MIT */
/* Shapes found by `koshu tune`, for devices by name; others have those of
 * tuning.cuh. */
#include <string.h>

#include "backend/backend.h"
#include "backend/cuda/cuda.h"

struct known {
    enum koshu_shape_set set;
    unsigned size_class;
    const char *shape;
    int shared_memory;
};

/* Measured on an H100 80GB HBM3 on 2026-11-21 (docs/tuning.md). */
static const struct known h100[] = {
        {KOSHU_SHAPES_FAST, 7, "mutual t128 i8 u1 f4 b3", -1},
        {KOSHU_SHAPES_FAST, 8, "mutual t128 i8 u1 f4 b3", -1},
        {KOSHU_SHAPES_SINGLE, 1, "direct t32x8 i2 u4 f32 b4", -1},
        {KOSHU_SHAPES_DOUBLE, 3, "mutual t64 i6 u2 f2 b4", -1},
        {KOSHU_SHAPES_DOUBLE, 4, "mutual t64 i8 u2 f2 b4", -1},
        {KOSHU_SHAPES_DOUBLE, 5, "mutual t64 i8 u2 f2 b4", -1},
        {KOSHU_SHAPES_DOUBLE, 6, "mutual t64 i8 u2 f2 b4", -1},
        {KOSHU_SHAPES_DOUBLE, 7, "mutual t64 i8 u2 f2 b4", -1},
        {KOSHU_SHAPES_DOUBLE, 8, "mutual t64 i8 u2 f2 b4", -1},
};
enum { N_H100 = sizeof h100 / sizeof h100[0] };

/* The first whose word is in the model's name. */
static const struct {
    const char *word;
    const struct known *known;
    size_t n;
} models[] = {
        {"H100", h100, N_H100},
        {"H200", h100, N_H100}, /* not measured: H100's, the same processors */
        {"A100", h100, N_H100}, /* not measured: H100's */
};

void
koshu_cuda_choose_known(struct koshu_backend *backend)
{
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
        if (!strstr(backend->model, models[m].word)) continue;
        for (size_t k = 0; k < models[m].n; k++) {
            const struct known *w = &models[m].known[k];
            koshu_tuning_choose(backend, w->set, w->size_class, w->shape,
                                w->shared_memory);
        }
        return;
    }
}
