/* SPDX-License-Identifier: MIT */
/*
 * Targets other than the sources, in one tree with them. Each leaf's sources
 * come first, so that near pairs are of targets with sources only, and every
 * cell has two sets of particles. Cells without sources act on none; cells
 * without targets have no lists.
 */
#include <utility>

#include "backend/cuda/fmm/engine.cuh"

namespace koshu {

enum { APART_WARPS = 4 };

struct apart_args {
    fmm_view view; /* with both sets of cells */
    const particle_tag *tag;
    uint32_t sources; /* particles with an origin below this are sources */
    uint32_t *order;  /* which particle comes at each place */
    tree_cell *source, *target;
};

/* Finds where a leaf's particles go, one in each lane; keeps their order.
 * source, target: the numbers of each placed so far, updated. */
KOSHU_DEVICE void
place_particle(const apart_args &a, uint32_t k, bool there, uint32_t *source,
               uint32_t *target)
{
    const unsigned lane = threadIdx.x % WARP, below = (1u << lane) - 1;
    const bool acts = there && a.tag[k].origin < a.sources;
    const unsigned acting = __ballot_sync(~0u, acts),
                   others = __ballot_sync(~0u, there && !acts);
    const uint32_t to = acts ? *source + __popc(acting & below)
                             : *target + __popc(others & below);
    if (there && a.order) a.order[to] = k;
    *source += __popc(acting);
    *target += __popc(others);
}

/* A warp for each leaf, which it goes through twice: to count and to write. */
static __global__ void
__launch_bounds__(WARP *APART_WARPS)
        part_leaves(const __grid_constant__ apart_args a)
{
    wait_for_previous_kernel();
    const size_t k = (size_t)blockIdx.x * APART_WARPS + threadIdx.x / WARP;
    if (k >= a.view.n_cells) return;
    const tree_cell leaf = a.view.cell[k];
    if (leaf.children > 0) return;
    const unsigned lane = threadIdx.x % WARP;
    apart_args counting = a;
    counting.order = nullptr;
    uint32_t sources = 0, targets = 0;
    for (uint32_t j = 0; j < leaf.n; j += WARP)
        place_particle(counting, leaf.first + j + lane, j + lane < leaf.n,
                       &sources, &targets);
    if (lane == 0) {
        a.source[k] = {leaf.first, sources, leaf.child, 0};
        a.target[k] = {leaf.first + sources, targets, leaf.child, 0};
    }
    uint32_t source = leaf.first, target = leaf.first + sources;
    for (uint32_t j = 0; j < leaf.n; j += WARP)
        place_particle(a, leaf.first + j + lane, j + lane < leaf.n, &source,
                       &target);
}

/* Counts for cells whose children are counted already. */
static cudaError_t
count_level(const fmm_step &s, const apart_args &a, const fmm_level &level)
{
    return for_each(s.cuda, level.end - level.begin, [=] __device__(size_t at) {
        const size_t k = level.begin + at;
        tree_cell source = a.view.cell[k];
        tree_cell target = source;
        if (source.children == 0) return;
        source.n = target.n = 0;
        for (uint32_t c = 0; c < source.children; c++) {
            source.n += a.source[source.child + c].n;
            target.n += a.target[source.child + c].n;
        }
        a.source[k] = source;
        a.target[k] = target;
    });
}

/* Puts *array in the new order; it is swapped with *spare, of the same
 * length. */
template <class T>
static cudaError_t
reorder(const fmm_step &s, const uint32_t *order, T **array, double **spare)
{
    static_assert(sizeof(T) == sizeof(double), "arrays are exchanged");
    T *const to = reinterpret_cast<T *>(*spare);
    const T *from = *array;
    KOSHU_CUDA_TRY(for_each(s.cuda, s.view.n, [=] __device__(size_t k) {
        to[k] = from[order[k]];
    }));
    *spare = reinterpret_cast<double *>(*array);
    *array = to;
    return cudaSuccess;
}

/* Uses the velocities' memory, as there are no velocities. */
static cudaError_t
reorder_all(fmm_step *s, const uint32_t *order)
{
    koshu_cuda_store *store = s->tree.store;
    double **const spare = &store->f.v[0];
    for (double *&x : store->f.x) KOSHU_CUDA_TRY(reorder(*s, order, &x, spare));
    KOSHU_CUDA_TRY(reorder(*s, order, &store->tag, spare));
    s->view.x = store->f.x[0];
    s->view.y = store->f.x[1];
    s->view.z = store->f.x[2];
    return cudaSuccess;
}

cudaError_t
part_cells(fmm_step *s, uint32_t sources)
{
    const size_t cells = s->view.n_cells;
    KOSHU_CUDA_TRY(s->fmm->apart.reserve(2 * cells * sizeof(tree_cell)));
    tree_cell *const both = s->fmm->apart.as<tree_cell>();
    uint32_t *const order = reinterpret_cast<uint32_t *>(s->tree.store->f.a[0]);
    const apart_args args = {s->view, s->tree.store->tag, sources, order,
                             both,    both + cells};
    KOSHU_CUDA_TRY(launch(s->cuda, part_leaves,
                          (unsigned)blocks_for(cells, (size_t)APART_WARPS),
                          WARP * APART_WARPS, 0, args));
    for (size_t level = count_levels(*s); level-- > 0;)
        KOSHU_CUDA_TRY(count_level(*s, args, level_of(*s, level)));
    s->view.source = args.source;
    s->view.cell = args.target;
    return reorder_all(s, order);
}

} /* namespace koshu */
