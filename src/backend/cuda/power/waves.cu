/* SPDX-License-Identifier: MIT */
/* Transforms meshes to waves, and sums over these bin by bin, in a fixed
 * order. */
#include "backend/cuda/power/power.cuh"

#include "backend/cuda/runtime/kernel.cuh"
#include "kernels/assignment.h"

namespace koshu {

/* ---- transforms ---------------------------------------------------------- */

enum { PLAN_PLANES, PLAN_COLUMNS, N_PLANS };

/* The largest divisor of grid for which a part is small: the transform needs as
 * much work space as is transformed at a time. */
static size_t
part_of(const power_meshes &m)
{
    const size_t max = (size_t)1 << 26, grid = m.task->grid;
    size_t part = grid;
    while (part > 1 && (grid % part != 0 || m.cells() / grid * part > max))
        part--;
    return part;
}

static koshu_status
make_plans(power_meshes *m)
{
    const long long n = (long long)m->task->grid, row = (long long)m->row;
    koshu_cufft_shape shapes[N_PLANS] = {};
    shapes[PLAN_PLANES] = {KOSHU_CUFFT_FROM_REAL, true, 2, {n, n}, 1, n * row,
                           (long long)m->part};
    shapes[PLAN_COLUMNS] = {
            KOSHU_CUFFT_COMPLEX,     true, 1, {n, 0}, n * row, 1,
            (long long)m->part * row};
    size_t bytes;
    KOSHU_TRY(koshu_cufft_create(m->cuda->context, N_PLANS, shapes,
                                 (cudaStream_t)m->cuda->stream, &m->cufft,
                                 &bytes));
    KOSHU_TRY(status_of(m->cuda, m->work.reserve(bytes),
                        "work space of transforms"));
    return koshu_cufft_give(m->cufft, m->work.as<void>());
}

static koshu_status
transform(const power_meshes &m, double *mesh)
{
    const size_t n = m.task->grid, line = 2 * m.row, plane = n * line;
    for (size_t i = 0; i < n; i += m.part)
        KOSHU_TRY(koshu_cufft_transform(m.cufft, PLAN_PLANES, true,
                                        mesh + i * plane));
    for (size_t j = 0; j < n; j += m.part)
        KOSHU_TRY(koshu_cufft_transform(m.cufft, PLAN_COLUMNS, true,
                                        mesh + j * line));
    return KOSHU_OK;
}

koshu_status
plan_transforms(power_meshes *m)
{
    m->part = part_of(*m);
    return make_plans(m);
}

koshu_status
transform_meshes(power_meshes *m)
{
    for (int k = 0; k < m->n; k++)
        KOSHU_TRY(transform(*m, m->mesh[k].as<double>()));
    return KOSHU_OK;
}

/* ---- bins ---------------------------------------------------------------- */

enum { BIN_THREADS = 128 };

struct waves {
    const double *mesh, *shifted; /* shifted NULL: there is only one mesh */
    const koshu_wave_axis *axis;
    koshu_wave_scale scale;
    size_t grid, row, n_bins;
    double2 *sums; /* [plane][bin]: of k, of P */
};

/* The least integer whose square is not below x. */
KOSHU_DEVICE long
root_above(long x)
{
    return x > 0 ? (long)ceil(sqrt((double)x)) : 0;
}

/* Waves of bin m, m - 1/2 <= |k| < m + 1/2, in a row (i, j): those along z
 * whose l^2 is in a range. */
KOSHU_DEVICE void
add_row(const waves &w, long m, koshu_wave_axis a[3], size_t at, double2 *sum)
{
    const long square = (long)(a[0].f * a[0].f + a[1].f * a[1].f),
               end = root_above(m * m + m + 1 - square);
    for (long l = root_above(m * m - m + 1 - square); l < end; l++) {
        a[2] = w.axis[l];
        const double n = l == 0 || (size_t)(2 * l) == w.grid ? 1 : 2;
        const size_t wave = 2 * (at + (size_t)l);
        sum->x += n * sqrt((double)(square + l * l));
        sum->y += n * koshu_wave_power(&w.scale, a, w.mesh + wave,
                                       w.shifted ? w.shifted + wave : nullptr);
    }
}

/* A thread has one bin of a plane, and sums it row by row, like the
 * processors. */
static __global__ void
__launch_bounds__(BIN_THREADS) sum_bins(const __grid_constant__ waves w)
{
    wait_for_previous_kernel();
    const size_t plane = blockIdx.x,
                 bin = (size_t)blockIdx.y * BIN_THREADS + threadIdx.x;
    if (bin >= w.n_bins) return;
    koshu_wave_axis a[3] = {w.axis[plane]};
    double2 sum = {0, 0};
    for (size_t j = 0; j < w.grid; j++) {
        a[1] = w.axis[j];
        add_row(w, (long)bin + 1, a, (plane * w.grid + j) * w.row, &sum);
    }
    w.sums[plane * w.n_bins + bin] = sum;
}

cudaError_t
sum_waves(power_meshes *m)
{
    const koshu_power_task *t = m->task;
    const size_t bytes = t->grid * t->n_bins * sizeof(double2);
    KOSHU_CUDA_TRY(m->wave_axis.reserve(t->grid * sizeof *t->axis));
    KOSHU_CUDA_TRY(m->sums.reserve(bytes));
    const host_copy axes = {m->wave_axis.as<void>(),
                            const_cast<koshu_wave_axis *>(t->axis),
                            t->grid * sizeof *t->axis};
    KOSHU_CUDA_TRY(upload(m->cuda, &axes, 1));
    const waves w = {m->mesh[0].as<double>(),
                     m->mesh[1].as<double>(),
                     m->wave_axis.as<koshu_wave_axis>(),
                     *t->scale,
                     t->grid,
                     m->row,
                     t->n_bins,
                     m->sums.as<double2>()};
    const dim3 blocks((unsigned)t->grid,
                      (unsigned)blocks_for(t->n_bins, BIN_THREADS));
    KOSHU_CUDA_TRY(launch(m->cuda, sum_bins, blocks, BIN_THREADS, 0, w));
    const host_copy sums = {m->sums.as<void>(), t->plane, bytes};
    return download(m->cuda, &sums, 1);
}

} /* namespace koshu */
