/* SPDX-License-Identifier: MIT */
/*
 * What the fast multipole method stores for the cells of a tree on the device,
 * besides the tree's own cells; the counterpart of struct koshu_fmm_cells in
 * fmm/fmm.h.
 */
#ifndef KOSHU_BACKEND_CUDA_FMM_CELLS_CUH
#define KOSHU_BACKEND_CUDA_FMM_CELLS_CUH

#include "backend/cuda/tree/cells.cuh"
#include "fmm/fmm.h"

namespace koshu {

/* The centre of the box of a cell's particles, all of which lie within
 * |radius|. |radius| is at least a fixed part of the parent's; radius < 0: all
 * particles are at one point. */
struct alignas(32) fmm_place {
    double x, y, z, radius;
};

/* The minimum of a radius over its parent's, as in fmm/cells.c. */
constexpr double fmm_least_part = 0x1p-8;

/* The unit of length of a cell's expansions: a power of two between its radius
 * and twice that. */
static __device__ __forceinline__ double
length_of(const fmm_place &p)
{
    const long long below = (1ll << 52) - 1;
    const long long bits = __double_as_longlong(fabs(p.radius));
    return __longlong_as_double((bits + below) & ~below);
}

/* 1 / x, where x is a power of two. */
static __device__ __forceinline__ double
inverse_of_power(double x)
{
    return __longlong_as_double((2046ll << 52) - __double_as_longlong(x));
}

/* Consecutive entries of a list. */
struct fmm_span {
    const uint32_t *entry;
    uint32_t n;
};

/* The lists of a target cell: far cells, near leaves, and what is left to its
 * children, in that order. */
struct fmm_lists {
    fmm_span far, near, pending;
};

/* Memory for entries is taken from these chunks: for near leaves from the last,
 * for the rest from the others, one after another as they fill up. Counts of
 * what was taken, or wanted, are kept for each. */
enum {
    FMM_LENT_CHUNKS = 4, /* arrays of the store, until it gets its results */
    FMM_FAR_CHUNK = FMM_LENT_CHUNKS,
    FMM_NEAR_CHUNK,
    FMM_CHUNKS
};
struct fmm_chunk {
    uint32_t *entry;
    unsigned long long n;
};

/* The near images of a periodic box (koshu_fmm_images). */
struct fmm_images {
    uint32_t n;
    koshu_image_code code;
    double edge, middle[3];
    const double (*shift)[3];
};

/* In a periodic box the root fills it, so that images are about its centre. */
static __host__ __device__ __forceinline__ fmm_place
place_of_box(const fmm_images &images)
{
    return {images.middle[0], images.middle[1], images.middle[2],
            sqrt(3.0) / 2 * images.edge};
}

/* What Plummer softening adds to the expansions (kernels/cartesian.h), from
 * number `begin` of a row on. order 0: nothing. */
struct fmm_softening {
    int order, terms;
    size_t begin;
    const koshu_cartesian *cartesian;
    /* squared distances: order k suffices from reach2[k] on */
    double reach2[KOSHU_MAX_CARTESIAN_ORDER + 1];
    double per_theta2; /* 1 / theta^2 */
};

static __device__ __forceinline__ int
order_at(const fmm_softening &s, double distance2)
{
    int order = 0;
    if (distance2 == 0) return 0;
    while (order < s.order && distance2 < s.reach2[order]) order++;
    return order;
}

/* The largest order that a cell needs as target or source: it acts through
 * expansions only at distances of at least its radius over theta. Children need
 * no smaller order than their parent. */
static __device__ __forceinline__ int
largest_order(const fmm_softening &s, const fmm_place &p)
{
    const double rounding = 1 - 0x1p-40;
    return order_at(s, rounding * p.radius * p.radius * s.per_theta2);
}

/* Cells that also have expansions in double precision: targets below n_top,
 * sources below n_top_sources (solve/fmm_top.c). wide: this view is of those
 * expansions. */
struct fmm_top {
    uint32_t n_top, n_top_sources;
    bool wide;
};

/* Particles with their masses. */
struct fmm_particles {
    const double *x, *y, *z, *mass;
};

/* The sources: cells of the targets' own tree, or parts of other ranks' trees
 * (forest.cu), which are numbered separately. */
struct fmm_sources {
    fmm_particles particle;
    const fmm_place *place;
    uint32_t roots; /* cells 0 ... roots - 1 are roots */
    bool of_others; /* other ranks' cells: sums are added to existing ones */
};

struct fmm_view {
    size_t n;
    const double *x, *y, *z, *mass;
    uint32_t n_cells;
    const tree_cell *cell, *source; /* cells with their targets, and the same
                                       with their sources */
    fmm_sources from;
    bool waits; /* local expansions are incomplete until other ranks' are
                   added */
    const uint32_t *parent;
    const fmm_place *place;
    const fmm_lists *lists;
    void *multipole, *local; /* `stride` numbers per cell */
    size_t stride;
    double per_mass, eps;
    fmm_softening softening;
    fmm_images images;
    fmm_top top;
    /* As in struct koshu_fmm, for each set of charges; NULL: none. */
    const double *background;
};

static __device__ __forceinline__ uint32_t
cell_of(const fmm_view &v, uint32_t entry)
{
    return koshu_entry_cell(&v.images.code, entry);
}

/* The displacement of an entry's image from the box. */
static __device__ __forceinline__ const double *
shift_of(const fmm_view &v, uint32_t entry)
{
    return v.images.shift[koshu_entry_image(&v.images.code, entry)];
}

/* The place of an entry's cell. */
static __device__ __forceinline__ fmm_place
place_of(const fmm_view &v, uint32_t entry)
{
    fmm_place p = v.from.place[cell_of(v, entry)];
    if (v.images.code.mask == 0) return p;
    const double *shift = shift_of(v, entry);
    p.x += shift[0];
    p.y += shift[1];
    p.z += shift[2];
    return p;
}

/* Whether this view's expansions handle the pair: in double precision if both
 * cells are in the top, otherwise in the usual one. */
static __device__ __forceinline__ bool
acts_here(const fmm_view &v, uint32_t target, uint32_t source)
{
    const bool wide = target < v.top.n_top && source < v.top.n_top_sources;
    return wide == v.top.wide;
}

/* Counts that the host reads at the end. */
struct fmm_counts {
    unsigned long long entries[FMM_CHUNKS]; /* if beyond the last chunks, none
                                               were written after one was full
                                             */
    unsigned long long translations;        /* from far cells */
    unsigned long long pairs;
    unsigned long long lost; /* not 0: a sum is infinite or NaN */
};

} /* namespace koshu */

#endif
