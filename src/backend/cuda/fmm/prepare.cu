/* SPDX-License-Identifier: MIT */
/* What the fast multipole method prepares once for all charges at the same
 * positions: tree, places, memory, lists. */
#include <algorithm>
#include <cmath>

#include "backend/cuda/fmm/engine.cuh"
#include "backend/fmm_parts.h"

namespace koshu {

/* ---- memory -------------------------------------------------------------- */

/* Accelerations, and the potential if it is requested, are written by the last
 * stage, at the leaves, which needs near lists only. */
static void
lend_results(fmm_step *s)
{
    const koshu_cuda_store *store = s->tree.store;
    const fields &f = store->f;
    double *const array[FMM_LENT_CHUNKS] = {f.a[0], f.a[1], f.a[2],
                                            s->tree.task.potential ? f.potential
                                                                   : NULL};
    for (int k = 0; k < FMM_LENT_CHUNKS; k++)
        if (array[k])
            s->chunk[k] = {reinterpret_cast<uint32_t *>(array[k]),
                           store->n * (sizeof(double) / sizeof(uint32_t))};
}

/* Reserves memory for the entries, estimated as some more than a uniform cube
 * has. */
static cudaError_t
reserve_entries(const fmm_step &s)
{
    const double theta = koshu_opening_of_small(&s.fmm->options.opening),
                 near_ones = 1 / (theta * theta * theta);
    const size_t cells = s.view.n_cells, least = 1;
    size_t rest = (size_t)(cells * (40 + 64 * near_ones)), lent = 0;
    const size_t near = (size_t)(cells * (24 + 16 * near_ones));
    for (int k = 0; k < FMM_LENT_CHUNKS; k++) lent += s.chunk[k].n;
    rest = rest > lent ? rest - lent : least;
    KOSHU_CUDA_TRY(s.entries->far.reserve(rest * sizeof(uint32_t)));
    return s.entries->near.reserve(near * sizeof(uint32_t));
}

/* Rows begin at memory sectors. */
static size_t
stride_of(int terms, size_t real)
{
    const size_t sector = 32 / real;
    return ((size_t)terms + sector - 1) / sector * sector;
}

/* lattice: the effect of the images that are not cells is passed down with the
 * rest. This is not so with several ranks. */
static cudaError_t
reserve(fmm_step *s, bool lattice)
{
    koshu_fmm_engine *f = s->fmm;
    const size_t cells = s->view.n_cells;
    const int terms = (f->options.order + 1) * (f->options.order + 1);
    s->view.stride = stride_of(terms + s->view.softening.terms, s->real);
    if (lattice) KOSHU_CUDA_TRY(lay_out_top(s));
    const size_t row = s->view.stride * s->real;
    KOSHU_CUDA_TRY(f->places.reserve(cells * sizeof *s->place));
    KOSHU_CUDA_TRY(f->parents.reserve(cells * sizeof *s->parent));
    KOSHU_CUDA_TRY(f->boxes.reserve(cells * 6 * sizeof(double)));
    KOSHU_CUDA_TRY(f->lists.reserve(cells * sizeof *s->lists));
    s->bytes_of_set = cells * row;
    KOSHU_CUDA_TRY(f->expansions.reserve(2 * s->sets * s->bytes_of_set));
    return reserve_entries(*s);
}

static fmm_chunk
chunk_in(const buffer &memory)
{
    return {memory.as<uint32_t>(), memory.bytes() / sizeof(uint32_t)};
}

void
lay_out_entries(fmm_step *s)
{
    s->chunk[FMM_FAR_CHUNK] = chunk_in(s->entries->far);
    s->chunk[FMM_NEAR_CHUNK] = chunk_in(s->entries->near);
}

static void
lay_out(fmm_step *s)
{
    const koshu_fmm_engine *f = s->fmm;
    fmm_view *v = &s->view;
    s->place = f->places.as<fmm_place>();
    s->parent = f->parents.as<uint32_t>();
    s->lists = f->lists.as<fmm_lists>();
    s->counts = f->counts.as<fmm_counts>();
    v->place = s->place;
    v->parent = s->parent;
    v->lists = s->lists;
    v->from.place = s->place;
    v->from.roots = 1;
    v->multipole = f->expansions.as<char>();
    v->local = f->expansions.as<char>() + s->sets * s->bytes_of_set;
    if (v->top.n_top > 0 && f->options.depth == 0)
        v->background = f->sums.as<double>() + 2 * SUM_BLOCKS;
    lay_out_entries(s);
}

/* ---- what the operators see ---------------------------------------------- */

static fmm_softening
softening_of(const koshu_fmm_engine &f, double eps)
{
    fmm_softening s = {};
    const koshu_fmm_softening *of = f.options.softening;
    if (!f.options.cartesian || eps == 0) return s;
    s.order = of->order;
    s.terms = s.order > 0 ? koshu_cartesian_terms(s.order) : 0;
    s.begin = f.options.cartesian->begin;
    s.cartesian = f.cartesian.as<koshu_cartesian>();
    for (int k = 0; k <= s.order; k++)
        s.reach2[k] = of->reach[k] * of->reach[k] * eps * eps;
    const double theta = koshu_opening_of_small(&f.options.opening);
    s.per_theta2 = 1 / (theta * theta);
    return s;
}

static fmm_images
images_of(const koshu_fmm_engine &f)
{
    fmm_images to = {};
    const koshu_fmm_images *of = f.options.images;
    to.n = 1;
    if (!f.options.lattice) return to;
    to.n = (uint32_t)of->n;
    to.code = of->code;
    to.edge = of->edge;
    for (int c = 0; c < 3; c++) to.middle[c] = of->middle[c];
    to.shift = f.shifts.as<const double[3]>();
    return to;
}

/* A factor for charges that brings their sums near 1. */
static double
unit_of_mass(double largest, uint64_t n)
{
    const double mass = largest * sqrt((double)n);
    return mass > 0 ? 1 / power_of_two(mass) : 1;
}

fmm_view
view_of(const koshu_fmm_engine &fmm, const koshu_cuda_store &store, double eps)
{
    const fields &f = store.f;
    fmm_view v = {};
    v.n = store.n;
    v.x = f.x[0];
    v.y = f.x[1];
    v.z = f.x[2];
    v.mass = f.mass;
    v.per_mass = unit_of_mass(store.largest_mass, store.n);
    v.eps = eps;
    v.softening = softening_of(fmm, v.eps);
    v.images = images_of(fmm);
    return v;
}

/* ---- lists --------------------------------------------------------------- */

cudaError_t
start_lists(const fmm_step &s)
{
    const cudaStream_t stream = s.cuda->stream;
    KOSHU_CUDA_TRY(cudaMemsetAsync(s.counts, 0, sizeof *s.counts, stream));
    KOSHU_CUDA_TRY(make_lists(s));
    KOSHU_CUDA_TRY(cudaMemcpyAsync(s.seen, s.counts, sizeof *s.seen,
                                   cudaMemcpyDeviceToHost, stream));
    return note(s, FMM_LISTS_END);
}

static bool
is_short(const fmm_step &s, int chunk)
{
    return s.seen->entries[chunk] > s.chunk[chunk].n;
}

/* Larger than what was wanted, which is counted only until memory is full. */
static cudaError_t
grow_chunk(const fmm_step &s, int chunk, buffer *to)
{
    const size_t wanted = s.seen->entries[chunk];
    if (!is_short(s, chunk)) return cudaSuccess;
    return to->reserve((wanted + wanted / 2) * sizeof(uint32_t));
}

static cudaError_t
grow_entries(fmm_step *s)
{
    KOSHU_CUDA_TRY(grow_chunk(*s, FMM_FAR_CHUNK, &s->entries->far));
    KOSHU_CUDA_TRY(grow_chunk(*s, FMM_NEAR_CHUNK, &s->entries->near));
    lay_out_entries(s);
    return cudaSuccess;
}

cudaError_t
settle_lists(fmm_step *s)
{
    const cudaEvent_t there = s->fmm->event[FMM_LISTS_END];
    KOSHU_CUDA_TRY(cudaEventSynchronize(there));
    while (is_short(*s, FMM_FAR_CHUNK) || is_short(*s, FMM_NEAR_CHUNK)) {
        KOSHU_CUDA_TRY(grow_entries(s));
        KOSHU_CUDA_TRY(start_lists(*s));
        KOSHU_CUDA_TRY(cudaEventSynchronize(there));
    }
    return cudaSuccess;
}

/* ---- once for all charges ------------------------------------------------ */

static fmm_operators
operators_of(const koshu_fmm_engine_options &o)
{
    using getter = fmm_operators (*)();
    static constexpr getter by_order[FMM_MAX_ORDER_IN_REGISTERS + 1] = {
            nullptr,
            operators_of_order<1>,
            operators_of_order<2>,
            operators_of_order<3>,
            operators_of_order<4>,
            operators_of_order<5>,
            operators_of_order<6>,
            operators_of_order<7>,
            operators_of_order<8>,
            operators_of_order<9>,
            operators_of_order<10>};
    if (o.precision == KOSHU_PRECISION_DOUBLE)
        return operators_of_any_order<double>();
    if (o.order <= FMM_MAX_ORDER_IN_REGISTERS) return by_order[o.order]();
    return operators_of_any_order<float>();
}

fmm_step
step_of(koshu_fmm_engine *f)
{
    fmm_step s = {};
    s.fmm = f;
    s.cuda = f->cuda;
    s.real = f->options.precision == KOSHU_PRECISION_DOUBLE ? sizeof(double)
                                                            : sizeof(float);
    s.operators = operators_of(f->options);
    s.softening = s.real == sizeof(double) ? operators_of_softening<double>()
                                           : operators_of_softening<float>();
    s.seen = f->counts_on_host.as<fmm_counts>();
    return s;
}

/* The default number of particles per leaf, at which direct sums cost as much
 * as they save. Translations of high order, and of floats beyond the orders in
 * registers, cost more. */
static uint64_t
usual_n_leaf(const koshu_fmm_engine_options &o)
{
    if (o.precision == KOSHU_PRECISION_DOUBLE) return o.order < 16 ? 192 : 256;
    if (o.order > FMM_MAX_ORDER_IN_REGISTERS) return 256;
    return o.order < 6 ? 64 : 128;
}

/* Small sets have smaller leaves: eight of the usual size would not occupy the
 * device, and in a box near sums would be as large as the background that is
 * subtracted, which loses too many digits in floats. */
static uint64_t
n_leaf_of(const koshu_fmm_engine_options &o, size_t n)
{
    const uint64_t least = 64, parts = 16;
    if (o.n_leaf > 0) return o.n_leaf;
    return std::min(usual_n_leaf(o), std::max(least, (uint64_t)n / parts));
}

/* If all ranks' particles would fit in one leaf, no cell is far. */
static koshu_opening
opening_of(const koshu_fmm_engine_options &o, const koshu_fmm_common *common)
{
    const bool leaf = common && common->n <= n_leaf_of(o, common->n);
    return leaf ? koshu_opening{} : o.opening;
}

/* The minimum radius of a rank's root, relative to all ranks' particles, as in
 * fmm/cells.c. */
static double
least_of_root(const koshu_fmm_common *common)
{
    return common ? fmm_least_part * sqrt(3.0) / 2 * common->side : 0;
}

cudaError_t
prepare_cells(koshu_fmm_engine *f, koshu_cuda_store *store,
              const koshu_force_task &task, const fmm_shape &shape, fmm_step *s,
              koshu_status *outcome)
{
    koshu_tree_options options = koshu_tree_options_default();
    *s = step_of(f);
    s->n_leaf = options.n_leaf = n_leaf_of(f->options, store->n);
    s->sets = shape.sets;
    s->core_reach = shape.core_reach;
    s->opening = opening_of(f->options, shape.common);
    KOSHU_CUDA_TRY(note(*s, FMM_START));
    if (const koshu_fmm_images *in = f->options.images)
        KOSHU_CUDA_TRY(wrap_positions(store, in->corner, in->edge));
    KOSHU_CUDA_TRY(cut_tree(f->tree, store, task, options,
                            shape.common ? &shape.common->extent : nullptr,
                            &s->tree, outcome));
    KOSHU_CUDA_TRY(note(*s, FMM_TREE_END));
    if (*outcome != KOSHU_OK) return cudaSuccess;
    s->view = view_of(*f, *store, task.eps);
    s->side = box_of(f->tree->seen->extent).side;
    if (const koshu_fmm_common *all = shape.common) {
        s->view.per_mass = unit_of_mass(all->largest_mass, all->n);
        s->side = all->side;
    }
    f->cells = s->view.n_cells = f->tree->seen->level[TREE_LEVELS];
    s->view.cell = s->view.source = f->tree->cell;
    if (const koshu_fmm_images *in = f->options.images)
        s->view.images.code = f->code =
                koshu_fmm_code_of(in, s->opening.theta[0], apart_of(*s));
    if (!koshu_fmm_code_fits(&s->view.images.code, f->cells))
        *outcome = KOSHU_ERROR_UNSUPPORTED;
    if (*outcome != KOSHU_OK) return cudaSuccess;
    s->charge[0] = s->view.mass;
    s->entries = &f->entries;
    if (shape.lends) lend_results(s);
    KOSHU_CUDA_TRY(reserve(s, f->options.lattice && !shape.common));
    lay_out(s);
    KOSHU_CUDA_TRY(place_cells(*s, least_of_root(shape.common)));
    if (shape.apart > 0) KOSHU_CUDA_TRY(part_cells(s, shape.apart));
    return cudaSuccess;
}

cudaError_t
prepare_fmm(koshu_fmm_engine *f, koshu_cuda_store *store,
            const koshu_force_task &task, const fmm_shape &shape, fmm_step *s,
            koshu_status *outcome)
{
    KOSHU_CUDA_TRY(prepare_cells(f, store, task, shape, s, outcome));
    return *outcome == KOSHU_OK ? start_lists(*s) : cudaSuccess;
}

} /* namespace koshu */
