/* SPDX-License-Identifier: MIT */
/*
 * The FMM in a periodic box, on the device: the largest cells have expansions
 * in double precision (solve/fmm_top.c), to which the lattice's contribution is
 * added (lattice.cu).
 */
#include "backend/cuda/fmm/box.cuh"
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
    return s->fmm->sums.reserve((2 * SUM_BLOCKS + FMM_MAX_SETS) *
                                sizeof(double));
}

/* The step with the double-precision expansions. */
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

/* Calls change(at, row) for all numbers of the cells from `begin` to the last
 * of the sources. */
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

/* For cells just below the top; those in the top sum their children's. */
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

/* Adds what far cells outside the top gave, and clears rows below the top. */
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

/* ---- all of it ----------------------------------------------------------- */

static cudaError_t
make_wide_multipoles(const fmm_step &s, const fmm_step &wide)
{
    KOSHU_CUDA_TRY(copy_multipoles(s, wide));
    KOSHU_CUDA_TRY(expand_leaves(wide));
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
