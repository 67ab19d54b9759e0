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

/* Measured on an H100 80GB HBM3: docs/tuning.md. */
static const struct known h100[] = {
        {KOSHU_SHAPES_SINGLE, 8, "mutual t128 i8 u2 f4 b3", -1},
};
enum { N_H100 = sizeof h100 / sizeof h100[0] };

/* The first whose word is in the model's name. */
static const struct {
    const char *word;
    const struct known *known;
    size_t n;
} models[] = {
        {"H100", h100, N_H100},
        {"H200", h100, N_H100}, /* not measured: the same multiprocessors */
        {"A100", h100, N_H100}, /* not measured */
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
