/* SPDX-License-Identifier: MIT */
/*
 * What the fast multipole method knows of the cells of a tree on the device: as
 * struct koshu_fmm_cells of fmm/fmm.h, beside the tree's own cells.
 */
#ifndef KOSHU_BACKEND_CUDA_FMM_CELLS_CUH
#define KOSHU_BACKEND_CUDA_FMM_CELLS_CUH

#include "backend/cuda/tree/cells.cuh"
#include "fmm/fmm.h"

namespace koshu {

/* The middle of the box that a cell's particles fill. All of them are within
 * |radius|, which is no less than a part of its parent's; < 0: all are in one
 * point. */
struct alignas(32) fmm_place {
    double x, y, z, radius;
};

/* Of its parent's radius, at least, as in fmm/cells.c. */
constexpr double fmm_least_part = 0x1p-8;

/* What a cell's expansions count lengths in: a power of two, its radius or up
 * to twice that. */
static __device__ __forceinline__ double
length_of(const fmm_place &p)
{
    const long long below = (1ll << 52) - 1;
    const long long bits = __double_as_longlong(fabs(p.radius));
    return __longlong_as_double((bits + below) & ~below);
}

/* 1 / x of a power of two. */
static __device__ __forceinline__ double
inverse_of_power(double x)
{
    return __longlong_as_double((2046ll << 52) - __double_as_longlong(x));
}

/* A part of the entries of all lists. */
struct fmm_span {
    unsigned long long first;
    uint32_t n;
};

/* Of each cell, as a target: far cells, then near leaves, then what is left to
 * its children. */
struct fmm_lists {
    fmm_span far, near, pending;
};

/* The entries of lists: a cell and, above its bits, an image of a periodic box
 * (koshu_fmm_images); mask 0: there is none but the box. */
struct fmm_images {
    uint32_t n, mask;
    unsigned bits;
    double edge, middle[3];
    const double (*shift)[3];
};

/* The root fills a periodic box, so that the images are about its centre. */
static __host__ __device__ __forceinline__ fmm_place
place_of_box(const fmm_images &images)
{
    return {images.middle[0], images.middle[1], images.middle[2],
            sqrt(3.0) / 2 * images.edge};
}

/* What Plummer softening adds to the expansions (kernels/cartesian.h): its
 * numbers begin at `begin` in a row. order 0: nothing. */
struct fmm_softening {
    int order, terms;
    size_t begin;
    const koshu_cartesian *cartesian;
    /* of the squares of distances: order k does from reach2[k] on */
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

/* The largest that a cell takes, as target or as source: what it acts on by
 * expansions is its radius over theta away, or more. A child's is not smaller
 * than its parent's. */
static __device__ __forceinline__ int
largest_order(const fmm_softening &s, const fmm_place &p)
{
    const double rounding = 1 - 0x1p-40;
    return order_at(s, rounding * p.radius * p.radius * s.per_theta2);
}

/* Cells whose expansions are in double precision besides: targets before n_top,
 * sources before n_top_sources (solve/fmm_top.c). wide: this view is of those
 * expansions. */
struct fmm_top {
    uint32_t n_top, n_top_sources;
    bool wide;
};

/* Particles with their masses. */
struct fmm_particles {
    const double *x, *y, *z, *mass;
};

/* Sources: the cells of the targets' own tree, or parts of other ranks' trees
 * (forest.cu), whose numbers are their own. */
struct fmm_sources {
    fmm_particles particle;
    const fmm_place *place;
    uint32_t roots; /* cells 0 ... roots - 1 */
    bool of_others; /* sums are added to those that are there */
};

struct fmm_view {
    size_t n;
    const double *x, *y, *z, *mass;
    uint32_t n_cells;
    const tree_cell *cell, *source; /* with targets; the same with sources */
    fmm_sources from;
    bool waits; /* local expansions are not complete: others' are to come */
    const uint32_t *parent;
    const fmm_place *place;
    const fmm_lists *lists;
    const uint32_t *entry;
    void *multipole, *local; /* `stride` numbers for each cell */
    size_t stride;
    double per_mass, eps;
    fmm_softening softening;
    fmm_images images;
    fmm_top top;
    /* As in struct koshu_fmm, of each set of charges; NULL: there is none. */
    const double *background;
};

static __device__ __forceinline__ uint32_t
cell_of(const fmm_view &v, uint32_t entry)
{
    return entry & ~v.images.mask;
}

/* What an entry's image is away from the box. */
static __device__ __forceinline__ const double *
shift_of(const fmm_view &v, uint32_t entry)
{
    return v.images.shift[entry >> v.images.bits];
}

/* Where an entry's cell is. */
static __device__ __forceinline__ fmm_place
place_of(const fmm_view &v, uint32_t entry)
{
    fmm_place p = v.from.place[cell_of(v, entry)];
    if (v.images.mask == 0) return p;
    const double *shift = shift_of(v, entry);
    p.x += shift[0];
    p.y += shift[1];
    p.z += shift[2];
    return p;
}

/* Do the multipoles of a far cell come to a target's expansion here: those in
 * double precision to the others, or not? */
static __device__ __forceinline__ bool
acts_here(const fmm_view &v, uint32_t target, uint32_t source)
{
    const bool wide = target < v.top.n_top && source < v.top.n_top_sources;
    return wide == v.top.wide;
}

/* What the host must know when all is done. */
struct fmm_counts {
    unsigned long long entries;      /* of lists; more than there is memory for:
                                        none were written since */
    unsigned long long translations; /* from far cells */
    unsigned long long pairs;
    unsigned long long lost; /* not 0: a sum is infinite or NaN */
};

} /* namespace koshu */

#endif
