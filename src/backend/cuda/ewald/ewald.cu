/* SPDX-License-Identifier: MIT */
/* Ewald sums on the first device of a backend. */
#include "backend/cuda/cuda.h"
#include "backend/cuda/ewald/ewald.cuh"

using namespace koshu;

/* Number of sources on the device at a time: 512 MiB. */
static const size_t slice_size = (size_t)1 << 24;

static cudaError_t
begin(koshu_cuda *cuda, ewald_sums *s)
{
    const koshu_ewald_task *t = s->task;
    const size_t row = t->m * sizeof(double),
                 parts = EWALD_CHUNKS * KOSHU_EWALD_RESULTS * row;
    KOSHU_CUDA_TRY(s->at.reserve(3 * row));
    KOSHU_CUDA_TRY(s->result.reserve(KOSHU_EWALD_RESULTS * row));
    KOSHU_CUDA_TRY(s->pair_part.reserve(parts));
    KOSHU_CUDA_TRY(
            cudaMemsetAsync(s->pair_part.as<void>(), 0, parts, cuda->stream));
    host_copy copies[3];
    for (int axis = 0; axis < 3; axis++)
        copies[axis] = {s->at.as<double>() + axis * t->m,
                        const_cast<double *>(t->at[axis]), row};
    KOSHU_CUDA_TRY(upload(cuda, copies, 3));
    const size_t largest = t->n < slice_size ? t->n : slice_size;
    KOSHU_CUDA_TRY(s->source.reserve(4 * largest * sizeof(double)));
    return make_wave_rows(cuda, s);
}

static cudaError_t
add_slice(koshu_cuda *cuda, ewald_sums *s, size_t first, size_t n)
{
    const koshu_ewald_task *t = s->task;
    double *const to = s->source.as<double>();
    const ewald_slice slice = {n, {to, to + n, to + 2 * n}, to + 3 * n};
    host_copy copies[4];
    for (int k = 0; k < 4; k++)
        copies[k] = {to + k * n,
                     const_cast<double *>(k < 3 ? t->x[k] : t->charge) + first,
                     n * sizeof(double)};
    KOSHU_CUDA_TRY(upload(cuda, copies, 4));
    KOSHU_CUDA_TRY(add_waves(cuda, s, slice));
    return add_pairs(cuda, s, slice);
}

static cudaError_t
sum_all(koshu_cuda *cuda, ewald_sums *s)
{
    const koshu_ewald_task *t = s->task;
    KOSHU_CUDA_TRY(begin(cuda, s));
    for (size_t first = 0; first < t->n; first += slice_size) {
        const size_t left = t->n - first;
        KOSHU_CUDA_TRY(add_slice(cuda, s, first,
                                 left < slice_size ? left : slice_size));
    }
    KOSHU_CUDA_TRY(finish_waves(cuda, s));
    KOSHU_CUDA_TRY(finish_pairs(cuda, s));
    const host_copy result = {s->result.as<void>(), t->result,
                              t->m * KOSHU_EWALD_RESULTS * sizeof(double)};
    return download(cuda, &result, 1);
}

koshu_status
koshu_cuda_ewald(struct koshu_backend *backend,
                 const struct koshu_ewald_task *task)
{
    koshu_cuda *cuda = enter(backend);
    if (task->m == 0) return KOSHU_OK;
    ewald_sums sums = {};
    sums.task = task;
    return status_of(cuda, sum_all(cuda, &sums), "Ewald sums");
}
