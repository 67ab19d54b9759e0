/* SPDX-License-Identifier: MIT */
/* The functions of forces.cuh for one precision P; included by one file per
 * precision. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_LAUNCH_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_LAUNCH_CUH

#include <type_traits>

#include "backend/cuda/pairs/direct_launcher.cuh"
#include "backend/cuda/pairs/mutual_forces.cuh"

namespace koshu {

/* Is direct() used for few particles, and for batches? */
template <class P>
constexpr bool sums_sets = !std::is_same<P, mixed_precision>::value;

template <size_t N>
constexpr shape_list
list_of(const shaped_kernel (&kernels)[N])
{
    return {kernels, N};
}

/* The kernels of tuning.cuh. */
template <class P, bool = sums_sets<P>>
constexpr shaped_kernel tuned_kernels[] = {
        direct_in<P, typename tuning<P>::few>,
        direct_in<P, typename tuning<P>::many>,
        mutual_in<P, typename tuning<P>::small>,
        mutual_in<P, typename tuning<P>::large>,
};
template <class P>
constexpr shaped_kernel tuned_kernels<P, false>[] = {
        mutual_in<P, typename tuning<P>::small>,
        mutual_in<P, typename tuning<P>::large>,
};

template <class P>
static const shaped_kernel *
mutual_for(size_t n)
{
    const shaped_kernel *small = tuned_kernels<P> + (sums_sets<P> ? 2 : 0);
    return n < tuning<P>::large_from ? small : small + 1;
}

template <class P>
static const shaped_kernel *
all_for(size_t n)
{
    if constexpr (sums_sets<P>)
        if (n < tuning<P>::mutual_from) return tuned_kernels<P>;
    return mutual_for<P>(n);
}

template <class P>
static cudaError_t
launch_advance(const koshu_cuda *cuda, const advance_args &args,
               const packed_memory &to)
{
    return launch(cuda, advance<P>, blocks_for(args.n, ADVANCE_THREADS),
                  ADVANCE_THREADS, 0, args, packed_of<P>(to));
}

template <class P, class S>
constexpr item_kernel items_in = {direct_launcher<P, S>::width,
                                  direct_launcher<P, S>::items};

template <class P>
static cudaError_t
launch_others(koshu_cuda *cuda, const packed_memory &i, size_t n_i,
              const packed_memory &j, size_t n_j, const force_setup &setup)
{
    using tuned = tuning<P>;
    if constexpr (sums_sets<P>)
        if (n_i < tuned::mutual_from)
            return direct_launcher<P, typename tuned::few>::others(
                    cuda, i, n_i, j, n_j, setup);
    return direct_launcher<P, typename tuned::many>::others(cuda, i, n_i, j,
                                                            n_j, setup);
}

/* Adds up parts; lists particles whose forces cancel, and recomputes those. */
template <class P>
static cudaError_t
launch_add_parts(koshu_cuda *cuda, const parts_list &list,
                 const packed_memory &all, const distribution &slices, size_t k,
                 const force_setup &setup, const progress &noted)
{
    const size_t first = slices.first(k);
    force_setup of_all = setup; /* with indices that count from the first of all
                                 * slices */
    for (double **to : {&of_all.out.ax, &of_all.out.ay, &of_all.out.az,
                        &of_all.out.potential})
        *to -= first;
    recompute_args<P> recompute = {};
    KOSHU_CUDA_TRY(recompute_in_store(cuda, all, slices.n, of_all, list.n,
                                      noted, &recompute));
    force_out out = setup.out;
    out.a_unit = out.potential_unit = 1;
    out.progress = recomputes<P> ? progress{} : noted;
    if (!setup.potential) out.potential = nullptr;
    KOSHU_CUDA_TRY(launch(
            cuda, add_parts<P>, (unsigned)blocks_for(list.n, PARTS_LANES),
            dim3(PARTS_LANES, PARTS_GROUPS), 0, list, out, first, recompute));
    return launch_recompute(cuda, recompute);
}

template <class P>
constexpr precision_functions
table_of(enum koshu_shape_set set)
{
    precision_functions f = {};
    f.quads = P::quads;
    f.set = set;
    f.zero_distance_safe_below = zero_distance_safe_below<P>;
    f.advance = launch_advance<P>;
    f.all_for = all_for<P>;
    f.mutual_for = mutual_for<P>;
    if constexpr (sums_sets<P>) {
        f.few = items_in<P, typename tuning<P>::few>;
        f.many = items_in<P, typename tuning<P>::many>;
    }
    if constexpr (recomputes<P>) f.recompute = recompute_in_sets<P>;
    f.shapes = list_of(tuned_kernels<P>);
    f.others = launch_others<P>;
    f.add_parts = launch_add_parts<P>;
    return f;
}

} /* namespace koshu */

#endif
