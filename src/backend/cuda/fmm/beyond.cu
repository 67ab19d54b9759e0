/* SPDX-License-Identifier: MIT */
/*
 * What the images of a periodic box do that a tree does not walk, and the
 * background (solve/tree_box.c): by one expansion of all particles, in double
 * precision, about the middle of the box. Its multipoles are sums over parts of
 * the particles, the same on any device.
 */
#include "backend/cuda/fmm/box.cuh"
#include "backend/cuda/fmm/leaves.cuh"
#include "backend/cuda/runtime/for_each.cuh"

namespace koshu {

enum { PARTS = 4096 };

/* Parts as leaves that lie where the box does. */
static cudaError_t
lay_out_parts(koshu_fmm_engine *f, fmm_view *v)
{
    KOSHU_CUDA_TRY(f->apart.reserve(PARTS * sizeof(tree_cell)));
    KOSHU_CUDA_TRY(f->places.reserve(PARTS * sizeof(fmm_place)));
    tree_cell *const cell = f->apart.as<tree_cell>();
    fmm_place *const place = f->places.as<fmm_place>();
    const fmm_place box = place_of_box(v->images);
    const size_t n = v->n;
    v->n_cells = PARTS;
    v->cell = v->source = cell;
    v->place = place;
    return for_each(f->cuda, PARTS, [=] __device__(size_t k) {
        const size_t first = k * n / PARTS, end = (k + 1) * n / PARTS;
        cell[k] = {(uint32_t)first, (uint32_t)(end - first), 0, 0};
        place[k] = box;
    });
}

/* A row of multipoles for each part; behind them that of the local expansion.
 */
static cudaError_t
reserve_rows(fmm_step *s)
{
    koshu_fmm_engine *f = s->fmm;
    fmm_view *v = &s->view;
    v->stride = EXPANSION_TERMS(f->options.order);
    KOSHU_CUDA_TRY(f->top.reserve((PARTS + 1) * v->stride * sizeof(double)));
    KOSHU_CUDA_TRY(
            f->sums.reserve((2 * SUM_BLOCKS + FMM_MAX_SETS) * sizeof(double)));
    v->multipole = f->top.as<double>();
    v->local = f->top.as<double>() + PARTS * v->stride;
    v->background = f->sums.as<double>() + 2 * SUM_BLOCKS;
    return cudaMemsetAsync(v->local, 0, v->stride * sizeof(double),
                           s->cuda->stream);
}

/* To the first row the sum of all, a block to a term. */
static __global__ void
__launch_bounds__(ITEM_THREADS) sum_parts(double *row, size_t stride)
{
    wait_for_previous_kernel();
    double sum = 0, none = 0;
    for (size_t k = threadIdx.x; k < PARTS; k += ITEM_THREADS)
        sum += row[k * stride + blockIdx.x];
    sum_block(&sum, &none);
    if (threadIdx.x == 0) row[blockIdx.x] = sum;
}

/* A warp to a part. */
static __global__ void
__launch_bounds__(WARP) add_local(const __grid_constant__ leaf_args a)
{
    extern __shared__ __align__(32) char memory[];
    wait_for_previous_kernel();
    auto *term = reinterpret_cast<leaf_term<double> *>(memory);
    const fmm_view &v = a.view;
    const tree_cell part = v.cell[blockIdx.x];
    const fmm_place at = v.place[0];
    const double length = length_of(at), per_length = 1 / length;
    load_terms(a, 0, 0, term);
    for (uint32_t i = part.first + threadIdx.x; i < part.first + part.n;
         i += WARP) {
        const particle_in_cell<double> p = {(v.x[i] - at.x) * per_length,
                                            (v.y[i] - at.y) * per_length,
                                            (v.z[i] - at.z) * per_length, 0};
        const leaf_term<double> sum = far_sums(a, 0, term, length, p);
        const double unit = per_length * per_length * a.out.a_unit;
        a.out.ax[i] += sum.x * unit;
        a.out.ay[i] += sum.y * unit;
        a.out.az[i] += sum.z * unit;
        if (a.out.potential)
            a.out.potential[i] +=
                    sum.potential * per_length * a.out.potential_unit;
    }
}

static cudaError_t
launch_local(const fmm_step &s, const koshu_cuda_store &store, bool potential)
{
    const fields &f = store.f;
    const double unit = 1 / s.view.per_mass;
    const leaf_args args = {s.view,
                            s.fmm->on_device,
                            {f.a[0],
                             f.a[1],
                             f.a[2],
                             potential ? f.potential : nullptr,
                             unit,
                             unit,
                             {}},
                            nullptr};
    const size_t bytes = s.view.stride * sizeof(leaf_term<double>);
    return launch(s.cuda, add_local, PARTS, WARP, bytes, args);
}

cudaError_t
add_beyond(koshu_fmm_engine *f, koshu_cuda_store *store,
           const koshu_force_task &task)
{
    fmm_step s = step_of(f);
    s.view = view_of(*f, *store, task.eps);
    KOSHU_CUDA_TRY(lay_out_parts(f, &s.view));
    KOSHU_CUDA_TRY(reserve_rows(&s));
    KOSHU_CUDA_TRY(s.operators.p2m(s));
    KOSHU_CUDA_TRY(launch(s.cuda, sum_parts, dim3((unsigned)s.view.stride),
                          ITEM_THREADS, 0, f->top.as<double>(), s.view.stride));
    KOSHU_CUDA_TRY(add_lattice(s));
    return launch_local(s, *store, task.potential);
}

} /* namespace koshu */
