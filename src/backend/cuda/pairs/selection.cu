/* SPDX-License-Identifier: MIT */
/* Selects the shape for each size. */
#include "backend/cuda/cuda.h"
#include "backend/cuda/pairs/forces.cuh"

using namespace koshu;

#ifdef KOSHU_CUDA_TUNE
#define MORE(list) &(list)
#else
#define MORE(list) nullptr
#endif

/* In the order of enum koshu_shape_set. */
static const struct {
    const precision_functions *functions;
    const shape_list *more;
} sets[KOSHU_SHAPE_SETS] = {
        {&functions_fast, MORE(more_fast)},
        {&functions_single, MORE(more_single)},
        {&functions_mixed, MORE(more_mixed)},
        {&functions_double, MORE(more_double)},
};

static const shaped_kernel *
kernel_at(enum koshu_shape_set set, size_t k)
{
    const shape_list &own = sets[set].functions->shapes;
    const shape_list *more = sets[set].more;
    if (k < own.n) return &own.kernels[k];
    k -= own.n;
    return more && k < more->n ? &more->kernels[k] : nullptr;
}

const struct koshu_shape *
koshu_cuda_shape_at(enum koshu_shape_set set, size_t k)
{
    const shaped_kernel *kernel = kernel_at(set, k);
    return kernel ? &kernel->shape : nullptr;
}

void
koshu::select_shape(koshu_cuda *cuda, enum koshu_shape_set set,
                    unsigned size_class, size_t k, int shared_memory)
{
    cuda->choice[set][size_class] = {kernel_at(set, k), shared_memory};
}
