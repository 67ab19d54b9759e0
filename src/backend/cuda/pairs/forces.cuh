/* SPDX-License-Identifier: MIT */
/* Launches of the sums: a table of functions for each precision. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_FORCES_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_FORCES_CUH

#include <cmath>

#include "backend/backend.h"
#include "backend/cuda/particles/advance.cuh"
#include "backend/cuda/runtime/device.cuh"
#include "backend/cuda/pairs/direct.cuh"
#include "backend/cuda/pairs/mutual_plan.cuh"
#include "backend/cuda/pairs/parts.cuh"

namespace koshu {

/* The requested results and their units. */
struct force_setup {
    double eps; /* in the caller's units */
    bool potential;
    units u;
    force_out out; /* the functions below set its units */
};

/* 1 / eps^3 must not overflow: for a softening below this, in packed units,
 * kernels check for coincident pairs. */
template <class P>
constexpr double zero_distance_safe_below = in_float<P> ? 1e-12 : 1e-100;

template <class P>
static bool
zero_distance_safe(const force_setup &setup)
{
    return setup.eps / setup.u.length < zero_distance_safe_below<P>;
}

template <class P>
static softening<P>
softening_of(const force_setup &setup)
{
    using real = typename P::real;
    double eps = setup.eps / setup.u.length;
    return {(real)(eps * eps), (real)(eps > 0 ? 1 / eps : 0)};
}

template <class P>
static force_out
out_of(const force_setup &setup, const progress &noted)
{
    const units &u = setup.u;
    force_out out = setup.out;
    out.progress = noted;
    out.a_unit = u.mass / (u.length * u.length) * P::a_factor;
    out.potential_unit = -u.mass / u.length;
    if (!setup.potential) out.potential = nullptr;
    return out;
}

/* A batch divided into items, and its sets whose forces may cancel, in parts
 * of at most FIND_THREADS i-particles; all on the device. */
struct item_list {
    packed_memory i, j;
    const uint64_t *self; /* may be NULL */
    const direct_item *items;
    const direct_block *blocks;
    size_t n_items, n_blocks;
    const particle_set *sets;
    size_t n_sets;
};

/* A kernel in one shape. */
struct shaped_kernel {
    koshu_shape shape;
    /* Forces of n particles on each other. */
    cudaError_t (*all)(koshu_cuda *, const packed_memory &, size_t n,
                       const force_setup &);
    /* How it divides them; the fields of the device have been set already. */
    cudaError_t (*cut)(const koshu_cuda *, size_t n, bool potential,
                       koshu_force_shape *);
    /* A device's contribution to the forces on all slices.n particles, as parts
     * of all slices; NULL: for direct(). */
    cudaError_t (*partition)(koshu_cuda *, const packed_memory &,
                             const partition &, const distribution &slices,
                             const force_setup &, const part_targets &);
};

/* direct() in one shape: i-particles per block, and the function that sums a
 * list of such blocks. */
struct item_kernel {
    size_t width;
    cudaError_t (*sum)(koshu_cuda *, const item_list &, const force_setup &);
};

struct shape_list {
    const shaped_kernel *kernels;
    size_t n;
};

/* Particles that a block of the widest shape may read beyond the last one. */
enum { PADDING = 1024 };

struct precision_functions {
    size_t quads;
    enum koshu_shape_set set;        /* the set that selections refer to */
    double zero_distance_safe_below; /* eps in packed units; below it selections
                                      * are ignored */

    cudaError_t (*advance)(const koshu_cuda *, const advance_args &,
                           const packed_memory &);
    /* The kernel of tuning.cuh for n particles on each other, and the one for
     * several devices that divide the pairs. */
    const shaped_kernel *(*all_for)(size_t n);
    const shaped_kernel *(*mutual_for)(size_t n);
    item_kernel few, many; /* for batches; not in mixed precision */
    /* Finds forces that cancel in the results of its sets, and recomputes them;
     * NULL: not needed in this precision. */
    cudaError_t (*recompute)(koshu_cuda *, const item_list &,
                             const force_setup &);

    shape_list shapes; /* those of tuning.cuh, for selections */

    /* For several devices. others(): forces on n_i particles by n_j other
     * particles. add_parts(): slice k of the forces, the sum of its parts (all:
     * the particles of all slices). */
    cudaError_t (*others)(koshu_cuda *, const packed_memory &i, size_t n_i,
                          const packed_memory &j, size_t n_j,
                          const force_setup &);
    cudaError_t (*add_parts)(koshu_cuda *, const parts_list &,
                             const packed_memory &all,
                             const distribution &slices, size_t k,
                             const force_setup &, const progress &);
};

extern const precision_functions functions_fast, functions_single,
        functions_mixed, functions_double;

/* Shapes that only selections use; compiled with KOSHU_CUDA_TUNE. */
extern const shape_list more_fast, more_single, more_mixed, more_double;

/*
 * Pairs of floats need many particles, so that the pairs' roundings average out
 * to what mixed precision promises; for few, double precision is as fast.
 */
enum { MIXED_FROM = 16384 };

/* Up to this many particles, the rounding of a single close pair in float may
 * exceed what single precision promises; sums in double take hardly longer. */
enum { DOUBLE_UP_TO = 2048 };

/* For a store of n particles; n = 0 for a batch. */
inline const precision_functions &
functions_of(const koshu_force_task &task, size_t n)
{
    switch (task.precision) {
    case KOSHU_PRECISION_MIXED:
        return n < MIXED_FROM ? functions_double : functions_mixed;
    case KOSHU_PRECISION_DOUBLE: return functions_double;
    default:
        if (task.fast) return functions_fast;
        return 0 < n && n <= DOUBLE_UP_TO ? functions_double : functions_single;
    }
}

/* The number of particles whose sum takes one device as long as its part of
 * this one; the shape is that for this number. */
inline size_t
as_on_one(const distribution &slices)
{
    return (size_t)((double)slices.n / sqrt((double)slices.devices));
}

/* The shape selected for a store of n particles, if any. */
inline const koshu_cuda_selection &
selection_of(const koshu_cuda *cuda, const precision_functions &functions,
             size_t n)
{
    return cuda->choice[functions.set][koshu_size_class(n)];
}

/* The same, if it is valid for this softening; kernel NULL: use that of
 * tuning.cuh, with the usual shared memory. */
inline koshu_cuda_selection
selected_for(const koshu_cuda *cuda, const precision_functions &functions,
             size_t n, const force_setup &setup)
{
    const koshu_cuda_selection &choice = selection_of(cuda, functions, n);
    const bool zero_distance_safe =
            setup.eps / setup.u.length < functions.zero_distance_safe_below;
    if (!choice.kernel || zero_distance_safe) return {nullptr, SHARED_MEMORY};
    return choice;
}

} /* namespace koshu */

#endif
