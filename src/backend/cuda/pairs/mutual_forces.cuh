/* SPDX-License-Identifier: MIT */
/* Forces by mutual() in a shape, and the use of its sums: as results or, on one
 * of several devices, as parts of the forces on all particles for the devices
 * that own these. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_MUTUAL_FORCES_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_MUTUAL_FORCES_CUH

#include "backend/cuda/pairs/gravity_pairs.cuh"
#include "backend/cuda/pairs/mutual_launcher.cuh"
#include "backend/cuda/pairs/recompute_launcher.cuh"

namespace koshu {

/* The end on one device (finish.cuh): writes results, and lists forces that
 * cancel. The first range of rows overwrites, the others add; after the last,
 * the sums are done. */
template <class P> struct force_results : finish_end {
    force_out out;
    recompute_args<P> recompute;

    struct memory {
        cancellation_sample of[recomputes<P> ? FINISH_GROUPS : 1][FINISH_LANES];
    };
    __device__ __forceinline__ int components() const
    {
        return out.potential ? 4 : 3;
    }
    __device__ __forceinline__ void
    start(memory *sampled, size_t i, unsigned lane, unsigned group) const
    {
        if constexpr (recomputes<P>)
            sampled->of[group][lane] = sample<P, SAMPLES / FINISH_GROUPS>(
                    recompute, recompute.whole,
                    group * (SAMPLES / FINISH_GROUPS), recompute.i.q[0][i]);
    }
    __device__ __forceinline__ void
    put(int, const double (*part)[4][FINISH_LANES], const memory *sampled,
        double *sum, size_t i, unsigned lane, unsigned group) const
    {
        if (last && group == FINISH_GROUPS - 1 && lane == 0 && in_last_block())
            note_end(out.progress);
        if (group > 0 || i >= n) return;
        for (int g = 1; g < FINISH_GROUPS; g++)
            for (int c = 0; c < 4; c++) sum[c] += part[g][c][lane];
        const double ax = (first ? 0 : out.ax[i]) + out.a_unit * sum[0];
        const double ay = (first ? 0 : out.ay[i]) + out.a_unit * sum[1];
        const double az = (first ? 0 : out.az[i]) + out.a_unit * sum[2];
        out.ax[i] = ax;
        out.ay[i] = ay;
        out.az[i] = az;
        if (out.potential)
            out.potential[i] = (first ? 0 : out.potential[i]) +
                               out.potential_unit * sum[3];
        if (recomputes<P> && last)
            list(sampled, i, lane, fabs(ax) + fabs(ay) + fabs(az));
    }

  private:
    __device__ __forceinline__ void
    list(const memory *sampled, size_t i, unsigned lane, double absolute) const
    {
        cancellation_sample all = sampled->of[0][lane];
        for (int g = 1; g < FINISH_GROUPS; g++) all.add(sampled->of[g][lane]);
        list_cancellation(recompute, i, 0, recompute.i.q[0][i], all, absolute,
                          recompute.part);
    }
};

/* The end on one of several devices. */
struct partition_results : finish_end {
    distribution slices;
    part_targets to; /* used with the last range */
    double *so_far;  /* [4][n]: before that; unused if there is one range */
    bool potential;
    double a_unit, potential_unit;

    __device__ __forceinline__ int components() const
    {
        return 3 + potential;
    }
    __device__ __forceinline__ double *target(size_t i, unsigned group) const
    {
        return i < n ? to.component(slices, i, group) : nullptr;
    }
    /* Group c has component c. */
    __device__ __forceinline__ void
    put(double *target, const double (*by_group)[4][FINISH_LANES], memory *,
        double *, size_t i, unsigned lane, unsigned group) const
    {
        if (group >= (unsigned)components() || i >= n) return;
        double all = 0;
        for (int g = 0; g < FINISH_GROUPS; g++) all += by_group[g][group][lane];
        all *= group < 3 ? a_unit : potential_unit;
        if (!first) all += so_far[group * n + i];
        *(last ? target : so_far + group * n + i) = all;
    }
};

/* WITH_ZERO_SAFE: includes the kernel for very small softening. */
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

    static cudaError_t all(koshu_cuda *cuda, const packed_memory &particles,
                           size_t n, const force_setup &setup)
    {
        force_results<P> end = {};
        end.n = n;
        end.out = out_of<P>(setup, recomputes<P> ? progress{} : cuda->progress);
        KOSHU_CUDA_TRY(recompute_in_store(cuda, particles, n, setup, n,
                                          cuda->progress, &end.recompute));
        cuda->sums++;
        KOSHU_CUDA_TRY(launcher::sum(
                cuda, kernel_for(setup.potential, zero_distance_safe<P>(setup)),
                packed_of<P>(particles), softening_of<P>(setup),
                whole_device(cuda), n, end));
        return launch_recompute(cuda, end.recompute);
    }

    /* This device's part of the sums on all particles. */
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
        const partition_results end = {{false, false, n},
                                       slices,
                                       to,
                                       so_far,
                                       setup.potential,
                                       units.a_unit,
                                       units.potential_unit};
        return launcher::sum(
                cuda, kernel_for(setup.potential, zero_distance_safe<P>(setup)),
                packed_of<P>(all), softening_of<P>(setup), mine, n, end);
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
