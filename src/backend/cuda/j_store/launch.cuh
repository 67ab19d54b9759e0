/* SPDX-License-Identifier: MIT */
/* The functions of functions.cuh for one precision P: preparation, and sums on
 * arbitrary i-particles. */
#ifndef KOSHU_BACKEND_CUDA_J_STORE_LAUNCH_CUH
#define KOSHU_BACKEND_CUDA_J_STORE_LAUNCH_CUH

#include <algorithm>

#include "backend/cuda/j_store/last_step.cuh"
#include "backend/cuda/j_store/functions.cuh"
#include "backend/cuda/pairs/tuning.cuh"

namespace koshu {

/*
 * Shapes, the fastest found on an H100. For sum_slices(): `few` for up to its
 * width of i-particles, `some` for fewer than 16 groups of `many`. For
 * mutual(): `small` from mutual_from j-particles on, `large` from large_from
 * on.
 */
template <class P> struct j_tuning;

template <> struct j_tuning<jerk_single> {
    using few = j_shape<4, 1, 8, 4, 4, 4>;
    using some = j_shape<32, 1, 8, 1, 4, 4>;
    using many = j_shape<32, 4, 4, 2, 2, 4>;
    using small = mutual_shape<4, 128, 2, 2, true, 4>;
    using large = mutual_shape<6, 128, 4, 1, true, 3>;
    static constexpr uint32_t mutual_from = 16384, large_from = 98304;
};
template <> struct j_tuning<jerk_mixed> {
    using few = j_shape<4, 1, 8, 4, 4, 4>;
    using some = j_shape<32, 1, 8, 2, 4, 4>;
    using many = j_shape<32, 2, 4, 2, 4, 5>;
    using small = mutual_shape<4, 128, 2, 2, true, 3>;
    using large = small;
    static constexpr uint32_t mutual_from = JERK_FLOATS_FROM,
                              large_from = JERK_FLOATS_FROM;
};
template <> struct j_tuning<jerk_double> {
    using few = j_shape<4, 1, 8, 4, 4, 2>;
    using some = j_shape<32, 1, 8, 4, 4, 2>;
    using many = j_shape<32, 2, 4, 4, 4, 3>;
    using small = mutual_shape<4, 64, 2, 1, false, 4>;
    using large = small;
    static constexpr uint32_t mutual_from = 16384, large_from = 16384;
};

template <class P>
static j_args<P>
args_of(const j_setup &s)
{
    return {s,
            {packed_of<P>(s.packed_j), s.id_j},
            {packed_of<P>(s.packed_i), s.id_i, s.own}};
}

template <class P>
static cudaError_t
launch_prepare(const koshu_cuda *cuda, const j_setup &s)
{
    j_args<P> args = args_of<P>(s);
    if (!s.predicts) args.n_j = 0;
    const uint32_t blocks =
            blocks_for(args.n_j, J_THREADS) + blocks_for(args.n_i, J_THREADS);
    return launch(cuda, prepare<P>, blocks, J_THREADS, 0, args);
}

struct j_cut {
    uint32_t slices, span;
};

/*
 * Chooses slices of n_j j-particles so that `groups` blocks of W warps for each
 * fill the device, which runs at_once of them at a time, in few and full waves.
 * Starting a block costs about `overhead` chunks of a warp.
 */
static inline j_cut
cut_for(uint32_t groups, uint32_t n_j, uint32_t W, uint32_t at_once)
{
    const uint32_t overhead = 1, max_waves = 16;
    const uint32_t unit = W * JERK_CHUNK, units = blocks_for(n_j, unit);
    j_cut best = {1, units * unit};
    uint64_t best_cost =
            (uint64_t)blocks_for(groups, at_once) * (units + overhead);
    for (uint32_t waves = 1; waves <= max_waves; waves++) {
        const uint64_t wanted = (uint64_t)waves * at_once / groups;
        if (wanted < 2) continue;
        const uint32_t span =
                blocks_for(units, std::min<uint64_t>(wanted, units));
        const uint32_t slices = blocks_for(units, span);
        const uint64_t cost = blocks_for((uint64_t)groups * slices, at_once) *
                              (span + overhead);
        if (cost >= best_cost) continue;
        best_cost = cost;
        best = {slices, span * unit};
        if (span == 1) break;
    }
    return best;
}

/* i-particles per block of end_sums(): few enough that no thread adds many
 * slices in sequence. */
static inline uint32_t
end_lanes(uint32_t n_i, uint32_t slices)
{
    const uint32_t each = 4;
    uint32_t lanes = 1;
    while (lanes < END_LANES && lanes < n_i &&
           END_THREADS / (2 * lanes) * each >= slices)
        lanes *= 2;
    return lanes;
}

/* The squared softening in packed units. */
static double
packed_eps2(const j_setup &s)
{
    const double eps = s.eps / s.u.length;
    return eps * eps;
}

/* The arrays that the sums of a setup read and write. */
template <class P>
static j_sum_args<P>
sum_args_of(const j_setup &s, const j_cut &cut)
{
    const j_args<P> args = args_of<P>(s);
    const auto eps2 = (typename P::real)packed_eps2(s);
    double *const partial = s.memory->as<double>();
    return {args.j, args.i, s.n_j, s.n_i, cut.slices, cut.span, eps2, partial};
}

/* The arguments that turn sums of groups of `width` i-particles into
 * results. */
template <class P>
static j_end_args<P>
end_args_of(const j_setup &s, const j_sum_args<P> &sum, uint32_t width)
{
    const uint32_t lanes = end_lanes(s.n_i, sum.slices), span = JERK_CHUNK;
    const double eps2 = packed_eps2(s);
    return {s, sum, width, false, span, lanes, eps2};
}

template <class P, bool NEAREST>
static cudaError_t
launch_end(const koshu_cuda *cuda, const j_end_args<P> &end)
{
    return launch(cuda, end_sums<P, NEAREST>,
                  blocks_for(end.sum.n_i, end.lanes), END_THREADS, 0, end);
}

template <class P, class S, bool NEAREST>
static cudaError_t
launch_sum_shaped(const koshu_cuda *cuda, const j_setup &s)
{
    const uint32_t groups = blocks_for(s.n_i, S::width);
    const j_cut cut = cut_for(groups, s.n_j, S::W,
                              (uint32_t)cuda->multiprocessors * S::B);
    const size_t blocks = (size_t)groups * cut.slices;
    KOSHU_CUDA_TRY(s.memory->reserve(blocks * jerk_rows<NEAREST> * S::width *
                                     sizeof(double)));
    const j_sum_args<P> args = sum_args_of<P>(s, cut);
    KOSHU_CUDA_TRY(launch(cuda, sum_slices<P, S, NEAREST>, (unsigned)blocks,
                          S::W * WARP, 0, args));
    return launch_end<P, NEAREST>(cuda, end_args_of(s, args, S::width));
}

template <class P, bool NEAREST>
static cudaError_t
launch_sum_of(const koshu_cuda *cuda, const j_setup &s)
{
    using tuned = j_tuning<P>;
    if (s.n_i <= tuned::few::width)
        return launch_sum_shaped<P, typename tuned::few, NEAREST>(cuda, s);
    if (s.n_i < 16 * tuned::many::width)
        return launch_sum_shaped<P, typename tuned::some, NEAREST>(cuda, s);
    return launch_sum_shaped<P, typename tuned::many, NEAREST>(cuda, s);
}

template <class P>
static cudaError_t
launch_sum(const koshu_cuda *cuda, const j_setup &s)
{
    return s.nearest ? launch_sum_of<P, true>(cuda, s)
                     : launch_sum_of<P, false>(cuda, s);
}

} /* namespace koshu */

#endif
