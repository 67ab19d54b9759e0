/* SPDX-License-Identifier: MIT */
/* Forces by mutual() in a shape. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_MUTUAL_FORCES_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_MUTUAL_FORCES_CUH

#include "backend/cuda/pairs/finish_forces.cuh"
#include "backend/cuda/pairs/gravity_pairs.cuh"
#include "backend/cuda/pairs/mutual_launcher.cuh"
#include "backend/cuda/pairs/recompute_launcher.cuh"

namespace koshu {

/* WITH_ZERO_SAFE: with the kernel for a softening next to nothing. */
template <class P, class S, bool WITH_ZERO_SAFE = true> struct mutual_forces {
    using launcher = mutual_launcher<gravity_parts<P>, S>;
    static_assert(launcher::width <= PADDING, "particles end before the block");

    static mutual_kernel<gravity_parts<P>>
    kernel_for(bool potential, bool zero_safe)
    {
        if constexpr (WITH_ZERO_SAFE)
            if (zero_safe) return mutual_of<gravity_pairs<P, true, true>, S>;
        return potential ? mutual_of<gravity_pairs<P, true, false>, S>
                         : mutual_of<gravity_pairs<P, false, false>, S>;
    }

    static mutual_kernel<gravity_parts<P>> kernel_for(const force_setup &setup)
    {
        return kernel_for(setup.potential, zero_distance_safe<P>(setup));
    }

    static cudaError_t all(koshu_cuda *cuda, const packed_memory &particles,
                           size_t n, const force_setup &setup)
    {
        force_results<P> end = {};
        end.n = n;
        end.out = out_of<P>(setup, recomputes<P> ? progress{} : cuda->progress);
        KOSHU_CUDA_TRY(
                recompute_in_store(cuda, particles, n, setup, &end.recompute));
        cuda->sums++;
        KOSHU_CUDA_TRY(launcher::sum(
                cuda, kernel_for(setup), packed_of<P>(particles),
                softening_of<P>(setup), whole_device(cuda), n, end));
        return launch_recompute(cuda, end.recompute);
    }

    /* What of the sums on all particles is this device's. */
    static cudaError_t
    of_partition(koshu_cuda *cuda, const packed_memory &all,
                 const partition &mine, const distribution &slices,
                 const force_setup &setup, const part_targets &to)
    {
        const size_t n = slices.n;
        const force_out units = out_of<P>(setup, {});
        if (launcher::plan_for(mine, n, 0).rows <
            mutual_d_end(blocks_for(n, launcher::width)))
            KOSHU_CUDA_TRY(
                    cuda->scratch.so_far.reserve(4 * n * sizeof(double)));
        double *const so_far = cuda->scratch.so_far.as<double>();
        const finish_end all_of = {false, false, n};
        const partition_results end = {all_of,
                                       slices,
                                       to,
                                       so_far,
                                       setup.potential,
                                       units.a_unit,
                                       units.potential_unit};
        return launcher::sum(cuda, kernel_for(setup), packed_of<P>(all),
                             softening_of<P>(setup), mine, n, end);
    }

    static cudaError_t shape(const koshu_cuda *cuda, size_t n, bool potential,
                             koshu_force_shape *shape)
    {
        KOSHU_CUDA_TRY(
                launcher::shape(cuda, kernel_for(potential, false), n, shape));
        shape->launches += recomputes<P>;
        return cudaSuccess;
    }
};

template <class P, class S, bool WITH_ZERO_SAFE = true>
constexpr shaped_kernel mutual_in = {
        {"mutual", S::T, 1, S::I, S::UNROLL, S::FLUSH, S::BLOCKS},
        mutual_forces<P, S, WITH_ZERO_SAFE>::all,
        mutual_forces<P, S, WITH_ZERO_SAFE>::shape,
        mutual_forces<P, S, WITH_ZERO_SAFE>::of_partition};

} /* namespace koshu */

#endif
