/* SPDX-License-Identifier: MIT */
/*
 * The particles of a periodic box as a single cell, in double precision: their
 * expansion about its centre, and the effect of a local expansion about it on
 * them. Thus a tree gets the contribution of images that it does not walk, and
 * of the background; and an FMM over ranks that of images that are none of its
 * cells (solve/fmm_engine.c). The multipoles are sums over parts of the
 * particles, which are the same on any device.
 */
#include "backend/cuda/fmm/box.cuh"
#include "backend/cuda/fmm/leaves.cuh"
#include "backend/cuda/runtime/for_each.cuh"

namespace koshu {

enum { PARTS = 4096 };

/* Treats the parts as leaves that lie where the box does. */
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

/* A row of multipoles for each part; then the local expansion's row, and the
 * background. */
static cudaError_t
reserve_rows(fmm_step *s)
{
    koshu_fmm_engine *f = s->fmm;
    fmm_view *v = &s->view;
    v->stride = EXPANSION_TERMS(f->options.order);
    KOSHU_CUDA_TRY(
            f->top.reserve(((PARTS + 1) * v->stride + 1) * sizeof(double)));
    KOSHU_CUDA_TRY(
            f->sums.reserve((2 * SUM_BLOCKS + FMM_MAX_SETS) * sizeof(double)));
    double *const row = f->top.as<double>();
    v->multipole = row;
    v->local = row + PARTS * v->stride;
    v->background = row + (PARTS + 1) * v->stride;
    return cudaSuccess;
}

/* Charges are masses, without a unit of their own, so that those of several
 * stores can be added. */
static cudaError_t
start_step(koshu_fmm_engine *f, const koshu_cuda_store &store, fmm_step *s)
{
    *s = step_of(f);
    s->real = sizeof(double);
    s->operators = operators_of_any_order<double>();
    s->view = view_of(*f, store, 0);
    s->view.per_mass = 1;
    KOSHU_CUDA_TRY(lay_out_parts(f, &s->view));
    return reserve_rows(s);
}

/* The length of the box as a cell, over its edge. */
static double
ratio_of(const fmm_images &images)
{
    return power_of_two(place_of_box(images).radius) / images.edge;
}

/* Multiplies degree n of an expansion by factor ratio^n. */
static void
scale(int p, double factor, double ratio, double *v)
{
    for (int n = 0; n <= p; n++, factor *= ratio)
        for (int k = n * n; k < (n + 1) * (n + 1); k++) v[k] *= factor;
}

/* ---- multipoles ---------------------------------------------------------- */

/* Sums all rows into the first, one block for each term. */
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

static cudaError_t
download_root(const fmm_step &s, koshu_fmm_root *root)
{
    double sums[2 * SUM_BLOCKS];
    const koshu_fmm_engine *f = s.fmm;
    const host_copy copies[2] = {{f->top.as<double>(), root->multipole,
                                  s.view.stride * sizeof *root->multipole},
                                 {f->sums.as<double>(), sums, sizeof sums}};
    KOSHU_CUDA_TRY(download(s.cuda, copies, 2));
    scale(f->options.order, 1, ratio_of(s.view.images), root->multipole);
    for (int k = 0; k < SUM_BLOCKS; k++) {
        root->total += sums[2 * k];
        root->second += sums[2 * k + 1];
    }
    return cudaSuccess;
}

cudaError_t
sum_root(koshu_fmm_engine *f, const koshu_cuda_store &store,
         koshu_fmm_root *root)
{
    fmm_step s;
    *root = {};
    KOSHU_CUDA_TRY(start_step(f, store, &s));
    KOSHU_CUDA_TRY(s.operators.p2m(s));
    KOSHU_CUDA_TRY(launch(s.cuda, sum_parts, dim3((unsigned)s.view.stride),
                          ITEM_THREADS, 0, f->top.as<double>(), s.view.stride));
    KOSHU_CUDA_TRY(sum_all_sources(s));
    return download_root(s, root);
}

/* ---- the local expansion ------------------------------------------------- */

/* A warp for each part. */
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
    load_terms(a, 0, 0, (int)threadIdx.x, term);
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
    const leaf_args args = {s.view,
                            s.fmm->on_device,
                            {f.a[0],
                             f.a[1],
                             f.a[2],
                             potential ? f.potential : nullptr,
                             1,
                             1,
                             {}},
                            nullptr};
    const size_t bytes = s.view.stride * sizeof(leaf_term<double>);
    return launch(s.cuda, add_local, PARTS, WARP, bytes, args);
}

static cudaError_t
upload_field(const fmm_step &s, koshu_fmm_box_field field)
{
    const double ratio = ratio_of(s.view.images);
    scale(s.fmm->options.order, ratio, ratio, field.local);
    const host_copy copies[2] = {
            {s.view.local, field.local, s.view.stride * sizeof *field.local},
            {const_cast<double *>(s.view.background), &field.background,
             sizeof field.background}};
    return upload(s.cuda, copies, 2);
}

cudaError_t
add_box_field(koshu_fmm_engine *f, const koshu_cuda_store &store,
              const koshu_fmm_box_field &field, bool potential)
{
    fmm_step s;
    KOSHU_CUDA_TRY(start_step(f, store, &s));
    KOSHU_CUDA_TRY(upload_field(s, field));
    return launch_local(s, store, potential);
}

} /* namespace koshu */
