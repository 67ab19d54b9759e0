/* SPDX-License-Identifier: MIT */
/*
 * The dual traversal on the device (see fmm/lists.c), from the root's level
 * down. A warp takes a target; each lane compares it with one of the source
 * cells that its parent left. The warp goes through these twice, counting its
 * entries and then writing them in order to contiguous memory. Where that lies
 * depends on timing, but the list's contents do not.
 */
#include "backend/cuda/fmm/engine.cuh"
#include "backend/cuda/tree/walking_group.cuh"

namespace koshu {

enum { LIST_WARPS = 4, LIST_BLOCKS = 8 };

/* Sibling source cells, given by the first as an entry. */
struct sources {
    uint32_t first, n;
};

struct lists_args {
    fmm_level level;
    fmm_view view;
    koshu_opening opening;
    double apart;
    bool cores; /* pairs at zero distance interact */
    sources *stack;
    unsigned stack_capacity, levels;
    fmm_lists *lists;
    fmm_chunk chunk[FMM_CHUNKS];
    unsigned first_chunk; /* the first that has memory */
    fmm_counts *counts;
};

/* What is done with a pair of cells; FAR to PENDING are lists, in this
 * order. */
enum fate : unsigned { FAR, NEAR, PENDING, CUT, NOTHING };

/* A target in work; the same in all lanes of a warp. */
struct list_maker {
    const lists_args &a;
    sources *const stack;
    const unsigned lane;
    uint32_t target;
    uint32_t first, last; /* its particles: first ... last - 1 */
    fmm_place at;
    bool leaf;
    unsigned top;
    uint32_t n[3];   /* entries so far, by list */
    uint32_t *to[3]; /* where they are written */
    bool write;
};

/* Whether no particle is in both. */
KOSHU_DEVICE bool
are_others(const list_maker &m, const tree_cell &source)
{
    return m.a.view.from.of_others || source.first >= m.last ||
           source.first + source.n <= m.first;
}

/* Two cells that are each a single point count as far, too, unless one contains
 * the other: particles do not act on themselves. With cores they do. */
KOSHU_DEVICE fate
fate_of(const list_maker &m, uint32_t entry)
{
    const fmm_view &v = m.a.view;
    if (v.source != v.cell && v.source[cell_of(v, entry)].n == 0)
        return NOTHING;
    const fmm_place s = place_of(v, entry);
    const double x = m.at.x - s.x, y = m.at.y - s.y, z = m.at.z - s.z;
    const double d2 = x * x + y * y + z * z;
    const double both = fabs(m.at.radius) + fabs(s.radius);
    const double least = both + m.a.apart;
    const double theta = koshu_opening_theta(&m.a.opening, both);
    if (both * both <= theta * theta * d2 &&
        (m.a.apart == 0 || least * least <= d2))
        return FAR;
    const tree_cell &source = v.source[cell_of(v, entry)];
    if (source.children == ALWAYS_WHOLE) return m.leaf ? FAR : PENDING;
    const bool source_leaf = source.children == 0;
    if (m.leaf && source_leaf) return NEAR;
    if (d2 == 0 && m.at.radius < 0 && s.radius < 0 && !m.a.cores &&
        are_others(m, source))
        return FAR;
    if (!source_leaf && (m.leaf || fabs(s.radius) >= fabs(m.at.radius)))
        return CUT;
    return PENDING;
}

/* Tests an entry in each lane that has one. */
KOSHU_DEVICE void
test(list_maker &m, bool there, uint32_t entry)
{
    const fate f = there ? fate_of(m, entry) : NOTHING;
#pragma unroll
    for (unsigned list = FAR; list <= PENDING; list++) {
        const unsigned mask = __ballot_sync(~0u, f == list);
        if (m.write && f == list)
            m.to[list][m.n[list] + lanes_before(mask, m.lane)] = entry;
        m.n[list] += (unsigned)__popc(mask);
    }
    const unsigned cut = __ballot_sync(~0u, f == CUT);
    if (f == CUT) {
        const uint32_t source = cell_of(m.a.view, entry);
        const tree_cell cell = m.a.view.source[source];
        m.stack[m.top + lanes_before(cut, m.lane)] = {
                entry - source + cell.child, cell.children};
    }
    m.top += (unsigned)__popc(cut);
    __syncwarp(); /* the stack has been written */
}

/* When the stack is nearly full, takes one cell's children only, so that their
 * number is bounded by the levels of the tree. */
KOSHU_DEVICE void
test_siblings(list_maker &m)
{
    enum { ENTRIES = WARP / 8 };
    const bool fits =
            m.top + WARP - ENTRIES + 7 * m.a.levels <= m.a.stack_capacity;
    const unsigned taken = min(m.top, fits ? (unsigned)ENTRIES : 1u);
    const unsigned entry = m.lane / 8, k = m.lane % 8;
    m.top -= taken;
    sources s = {};
    if (entry < taken) s = m.stack[m.top + entry];
    __syncwarp(); /* and may be overwritten */
    test(m, entry < taken && k < s.n, s.first + k);
}

/* The k-th root of the sources, counted over all images. */
KOSHU_DEVICE uint32_t
entry_of_root(const fmm_view &v, uint32_t k)
{
    const uint32_t image = k / v.from.roots, root = k % v.from.roots;
    return koshu_entry_of_image(&v.images.code, image) | root;
}

/* Tests all that the parent left; for the root, all roots of the sources. */
KOSHU_DEVICE void
traverse(list_maker &m)
{
    const bool root = m.target == 0;
    const fmm_view &v = m.a.view;
    fmm_span left = {0, v.images.n * v.from.roots};
    if (!root) left = m.a.lists[m.a.view.parent[m.target]].pending;
    for (uint32_t k = 0; k < left.n; k += WARP) {
        const bool there = k + m.lane < left.n;
        uint32_t entry = 0;
        if (there && root) entry = entry_of_root(v, k + m.lane);
        if (there && !root) entry = left.entry[k + m.lane];
        test(m, there, entry);
        while (m.top > 0) test_siblings(m);
    }
}

KOSHU_DEVICE uint32_t *
from_first_lane(uint32_t *p)
{
    const auto bits = reinterpret_cast<unsigned long long>(p);
    return reinterpret_cast<uint32_t *>(__shfl_sync(~0u, bits, 0));
}

/* NULL: the chunk has too little left. */
KOSHU_DEVICE uint32_t *
take_from(const lists_args &a, unsigned chunk, uint32_t n)
{
    const fmm_chunk &p = a.chunk[chunk];
    const unsigned long long first = atomicAdd(&a.counts->entries[chunk], n);
    return first + n <= p.n ? p.entry + first : nullptr;
}

/* Reserves memory for the entries counted; false: there is too little. */
KOSHU_DEVICE bool
reserve(list_maker &m)
{
    const uint32_t n = m.n[FAR] + m.n[PENDING];
    uint32_t *rest = nullptr, *near = nullptr;
    if (m.lane == 0) {
        for (unsigned k = m.a.first_chunk; !rest && k <= FMM_FAR_CHUNK; k++)
            rest = take_from(m.a, k, n);
        near = take_from(m.a, FMM_NEAR_CHUNK, m.n[NEAR]);
        fmm_lists l = {};
        if (rest && near)
            l = {{rest, m.n[FAR]},
                 {near, m.n[NEAR]},
                 {rest + m.n[FAR], m.n[PENDING]}};
        m.a.lists[m.target] = l;
    }
    m.to[FAR] = from_first_lane(rest);
    m.to[NEAR] = from_first_lane(near);
    m.to[PENDING] = m.to[FAR] + m.n[FAR];
    return m.to[FAR] && m.to[NEAR];
}

static __global__ void
__launch_bounds__(WARP *LIST_WARPS, LIST_BLOCKS)
        make_level(const __grid_constant__ lists_args a)
{
    wait_for_previous_kernel();
    const unsigned own = blockIdx.x * LIST_WARPS + threadIdx.x / WARP;
    const unsigned warps = gridDim.x * LIST_WARPS;
    unsigned long long translations = 0;
    list_maker m = {a, a.stack + (size_t)own * a.stack_capacity,
                    threadIdx.x % WARP};
    for (size_t k = a.level.begin + own; k < a.level.end; k += warps) {
        m.target = (uint32_t)k;
        m.at = a.view.place[k];
        const tree_cell cell = a.view.cell[k];
        m.leaf = cell.children == 0;
        m.first = cell.first;
        m.last = cell.first + cell.n;
        if (cell.n == 0) { /* no targets */
            if (m.lane == 0) a.lists[k] = {};
            continue;
        }
        for (int pass = 0; pass < 2; pass++) {
            m.write = pass > 0;
            m.n[FAR] = m.n[NEAR] = m.n[PENDING] = 0;
            traverse(m);
            if (pass == 0 && !reserve(m)) break;
        }
        translations += m.n[FAR];
    }
    if (m.lane == 0) atomicAdd(&a.counts->translations, translations);
}

static unsigned
levels_of_sources(const fmm_step &s)
{
    return std::max((unsigned)count_levels(s), s.levels);
}

static lists_args
args_of(const fmm_step &s)
{
    lists_args a = {};
    a.view = s.view;
    a.opening = s.opening;
    a.apart = apart_of(s);
    a.cores = s.core_reach > 0;
    a.stack = s.fmm->stacks.as<sources>();
    a.levels = levels_of_sources(s);
    a.stack_capacity = stack_capacity(a.levels);
    a.lists = s.lists;
    for (int k = 0; k < FMM_CHUNKS; k++) a.chunk[k] = s.chunk[k];
    a.first_chunk = s.chunk[0].n > 0 ? 0 : FMM_FAR_CHUNK;
    a.counts = s.counts;
    return a;
}

cudaError_t
make_lists(const fmm_step &s)
{
    const size_t max_blocks = s.cuda->multiprocessors * LIST_BLOCKS;
    const size_t warps = max_blocks * LIST_WARPS;
    KOSHU_CUDA_TRY(s.fmm->stacks.reserve(
            warps * stack_capacity(levels_of_sources(s)) * sizeof(sources)));
    lists_args args = args_of(s);
    for (size_t level = 0; level < count_levels(s); level++) {
        args.level = level_of(s, level);
        const size_t cells = args.level.end - args.level.begin;
        const size_t blocks =
                std::min(blocks_for(cells, (size_t)LIST_WARPS), max_blocks);
        KOSHU_CUDA_TRY(launch(s.cuda, make_level, (unsigned)blocks,
                              WARP * LIST_WARPS, 0, args));
    }
    return cudaSuccess;
}

} /* namespace koshu */
