/* SPDX-License-Identifier: MIT */
/*
 * The FMM in a periodic box, on the device: expansions of the largest cells in
 * double precision (solve/fmm_top.c), what the images do that are too many to
 * be cells, and the neutralising background (solve/fmm_box.c).
 */
#include "backend/cuda/fmm/engine.cuh"
#include "backend/cuda/runtime/for_each.cuh"

namespace koshu {

/* ---- the cells in double precision --------------------------------------- */

enum { TOP_LEVELS = 3 };

static uint32_t
cells_of_levels(const fmm_step &s, size_t levels)
{
    return s.tree.tree->levels.first[std::min(levels, count_levels(s))];
}

cudaError_t
lay_out_top(fmm_step *s)
{
    fmm_top *top = &s->view.top;
    top->n_top = cells_of_levels(*s, TOP_LEVELS);
    top->n_top_sources = cells_of_levels(*s, TOP_LEVELS + 1);
    const size_t rows = 2 * (size_t)top->n_top_sources;
    KOSHU_CUDA_TRY(s->fmm->top.reserve(rows * s->view.stride * sizeof(double)));
    return s->fmm->sums.reserve(2 * (SUM_BLOCKS + 1) * sizeof(double));
}

/* The step that has these cells' expansions. */
static fmm_step
wide_step(const fmm_step &s)
{
    fmm_step wide = s;
    wide.real = sizeof(double);
    wide.operators = operators_of_any_order<double>();
    wide.view.n_cells = s.view.top.n_top_sources;
    wide.view.top.wide = true;
    wide.view.multipole = s.fmm->top.as<double>();
    wide.view.local =
            s.fmm->top.as<double>() + wide.view.n_cells * s.view.stride;
    return wide;
}

static size_t
terms_of(const fmm_step &s)
{
    const size_t p = (size_t)s.fmm->options.order;
    return (p + 1) * (p + 1);
}

/* Numbers of the other expansions, floats or doubles. */
struct other_rows {
    void *numbers;
    bool in_double;

    __device__ double get(size_t at) const
    {
        return in_double ? static_cast<double *>(numbers)[at]
                         : (double)static_cast<float *>(numbers)[at];
    }
    __device__ void put(size_t at, double x) const
    {
        if (in_double)
            static_cast<double *>(numbers)[at] = x;
        else
            static_cast<float *>(numbers)[at] = (float)x;
    }
};

static other_rows
others_of(const fmm_step &s, void *numbers)
{
    return {numbers, s.real == sizeof(double)};
}

/* change(at, row), of all numbers of the cells from `begin` to the last of the
 * sources. */
template <class Change>
static cudaError_t
change_rows(const fmm_step &s, uint32_t begin, const Change &change)
{
    const size_t terms = terms_of(s), stride = s.view.stride;
    const size_t cells = s.view.top.n_top_sources - begin;
    return for_each(s.cuda, cells * terms, [=] __device__(size_t k) {
        const size_t row = begin + k / terms;
        change(row * stride + k % terms, row);
    });
}

/* Of cells below the top, which have them from their children. */
static cudaError_t
copy_multipoles(const fmm_step &s, const fmm_step &wide)
{
    const other_rows from = others_of(s, s.view.multipole);
    double *const to = static_cast<double *>(wide.view.multipole);
    const tree_cell *const cell = s.view.cell;
    return change_rows(s, s.view.top.n_top,
                       [=] __device__(size_t at, size_t row) {
                           if (cell[row].children > 0) to[at] = from.get(at);
                       });
}

/* What other far cells gave; below the top nothing is there yet. */
static cudaError_t
take_far(const fmm_step &s, const fmm_step &wide)
{
    const other_rows from = others_of(s, s.view.local);
    double *const to = static_cast<double *>(wide.view.local);
    const size_t n_top = s.view.top.n_top;
    return change_rows(s, 0, [=] __device__(size_t at, size_t row) {
        to[at] = row < n_top ? to[at] + from.get(at) : 0;
    });
}

static cudaError_t
give_local(const fmm_step &s, const fmm_step &wide)
{
    const other_rows to = others_of(s, s.view.local);
    const double *const from = static_cast<double *>(wide.view.local);
    const size_t n_top = s.view.top.n_top;
    return change_rows(s, 0, [=] __device__(size_t at, size_t row) {
        to.put(at, (row < n_top ? 0 : to.get(at)) + from[at]);
    });
}

/* ---- the lattice and the background -------------------------------------- */

struct source_args {
    fmm_view view;
    double *sums; /* two of each block */
};

/* The block's sums. */
KOSHU_DEVICE void
sum_block(double *charge, double *second)
{
    __shared__ double of[2][ITEM_THREADS];
    of[0][threadIdx.x] = *charge;
    of[1][threadIdx.x] = *second;
    for (unsigned half = ITEM_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            for (auto &row : of) row[threadIdx.x] += row[threadIdx.x + half];
    }
    __syncthreads();
    *charge = of[0][0];
    *second = of[1][0];
}

/* Of all sources, in lengths of the box: the charge, and about the middle sum_j
 * q_j y_j^2. As many blocks on any device, for the same bits. */
static __global__ void
__launch_bounds__(ITEM_THREADS)
        sum_sources(const __grid_constant__ source_args a)
{
    wait_for_previous_kernel();
    const fmm_view &v = a.view;
    const double per_edge = 1 / v.images.edge;
    double charge = 0, second = 0;
    for (size_t j = (size_t)blockIdx.x * ITEM_THREADS + threadIdx.x; j < v.n;
         j += (size_t)SUM_BLOCKS * ITEM_THREADS) {
        const double x = (v.x[j] - v.images.middle[0]) * per_edge,
                     y = (v.y[j] - v.images.middle[1]) * per_edge,
                     z = (v.z[j] - v.images.middle[2]) * per_edge;
        const double q = v.mass[j] * v.per_mass;
        charge += q;
        second += q * (x * x + y * y + z * z);
    }
    sum_block(&charge, &second);
    if (threadIdx.x > 0) return;
    a.sums[2 * blockIdx.x] = charge;
    a.sums[2 * blockIdx.x + 1] = second;
}

struct lattice_args {
    fmm_view view;        /* wide */
    const double *matrix; /* of the lattice: local = matrix multipole */
    const double *sums;
    double *background; /* NULL: no background */
    koshu_lattice_softening soft;
    int p;
};

/* Of the background, and of the softening that has its form. */
KOSHU_DEVICE double
factor_of(const koshu_lattice_softening &soft)
{
    return 4 * 3.14159265358979323846 / 3 - soft.curvature;
}

/* What of the background is harmonic, of multipoles in lengths of the box. */
KOSHU_DEVICE double
harmonic_of(const koshu_lattice_softening &soft, double charge, double second,
            const double *multipole, int k)
{
    if (k == 0) return factor_of(soft) / 2 * second + soft.mean * charge;
    return k < 4 ? -factor_of(soft) * multipole[k] : 0;
}

/* ratio^n of term k, of degree n */
KOSHU_DEVICE double
scale_of(double ratio, int k)
{
    double factor = 1;
    for (int n = 1; n * n <= k; n++) factor *= ratio;
    return factor;
}

/* One block: to the root's local expansion. */
static __global__ void
__launch_bounds__(ITEM_THREADS)
        apply_lattice(const __grid_constant__ lattice_args a)
{
    __shared__ double multipole[(KOSHU_MAX_ORDER + 1) * (KOSHU_MAX_ORDER + 1)];
    wait_for_previous_kernel();
    const int terms = (a.p + 1) * (a.p + 1);
    const double ratio = length_of(a.view.place[0]) / a.view.images.edge;
    const double *from = static_cast<const double *>(a.view.multipole);
    double *to = static_cast<double *>(a.view.local);
    double charge = 0, second = 0;
    for (unsigned k = threadIdx.x; k < SUM_BLOCKS; k += ITEM_THREADS) {
        charge += a.sums[2 * k];
        second += a.sums[2 * k + 1];
    }
    sum_block(&charge, &second);
    for (int k = (int)threadIdx.x; k < terms; k += ITEM_THREADS)
        multipole[k] = from[k] * scale_of(ratio, k);
    __syncthreads();
    for (int k = (int)threadIdx.x; k < terms; k += ITEM_THREADS) {
        double sum = 0;
        for (int n = 0; n < terms; n++)
            sum += a.matrix[(size_t)n * terms + k] * multipole[n];
        if (a.background)
            sum += harmonic_of(a.soft, charge, second, multipole, k);
        to[k] += sum * ratio * scale_of(ratio, k);
    }
    if (a.background && threadIdx.x == 0)
        *a.background = factor_of(a.soft) * charge;
}

static cudaError_t
add_lattice(const fmm_step &wide)
{
    const koshu_fmm_engine *f = wide.fmm;
    double *sums = f->sums.as<double>();
    KOSHU_CUDA_TRY(launch(wide.cuda, sum_sources, dim3(SUM_BLOCKS),
                          ITEM_THREADS, 0, source_args{wide.view, sums}));
    const fmm_view &v = wide.view;
    const koshu_lattice_softening soft =
            koshu_lattice_soften(f->options.images, v.eps / v.images.edge);
    return launch(wide.cuda, apply_lattice, dim3(1), ITEM_THREADS, 0,
                  lattice_args{v, f->lattice.as<double>(), sums,
                               const_cast<double *>(v.background), soft,
                               f->options.order});
}

/* For the local expansions of a level's cells: what the background is there
 * more than about their parents' centres. */
cudaError_t
shift_background(const fmm_step &s, const fmm_level &level)
{
    const fmm_view v = s.view;
    if (!v.background) return cudaSuccess;
    const double per_edge = 1 / v.images.edge;
    const other_rows to = others_of(s, v.local);
    return for_each(s.cuda, level.end - level.begin, [=] __device__(size_t k) {
        const size_t child = level.begin + k, at = child * v.stride;
        const fmm_place own = v.place[child], from = v.place[v.parent[child]];
        const double length = length_of(own) * per_edge;
        const double x = (own.x - from.x) * per_edge,
                     y = (own.y - from.y) * per_edge,
                     z = (own.z - from.z) * per_edge;
        const double b = *v.background * length;
        to.put(at, to.get(at) + b * (x * x + y * y + z * z) / 2);
        to.put(at + 1, to.get(at + 1) + b * length * y);
        to.put(at + 2, to.get(at + 2) + b * length * z);
        to.put(at + 3, to.get(at + 3) + b * length * x);
    });
}

/* ---- all of it ----------------------------------------------------------- */

static cudaError_t
make_wide_multipoles(const fmm_step &s, const fmm_step &wide)
{
    KOSHU_CUDA_TRY(copy_multipoles(s, wide));
    KOSHU_CUDA_TRY(wide.operators.p2m(wide));
    for (size_t level = std::min((size_t)TOP_LEVELS, count_levels(s));
         level-- > 0;)
        KOSHU_CUDA_TRY(wide.operators.m2m(wide, level_of(s, level)));
    return cudaSuccess;
}

static cudaError_t
make_wide_locals(const fmm_step &s, fmm_step wide)
{
    const uint32_t cells = wide.view.n_cells;
    wide.view.n_cells = s.view.top.n_top;
    KOSHU_CUDA_TRY(wide.operators.m2l(wide));
    wide.view.n_cells = cells;
    KOSHU_CUDA_TRY(take_far(s, wide));
    KOSHU_CUDA_TRY(add_lattice(wide));
    for (size_t level = 1; level < levels_below_top(s); level++) {
        KOSHU_CUDA_TRY(wide.operators.l2l(wide, level_of(s, level)));
        KOSHU_CUDA_TRY(shift_background(wide, level_of(s, level)));
    }
    return give_local(s, wide);
}

size_t
levels_below_top(const fmm_step &s)
{
    return std::min((size_t)TOP_LEVELS + 1, count_levels(s));
}

cudaError_t
sum_top(const fmm_step &s)
{
    const fmm_step wide = wide_step(s);
    KOSHU_CUDA_TRY(make_wide_multipoles(s, wide));
    return make_wide_locals(s, wide);
}

} /* namespace koshu */
