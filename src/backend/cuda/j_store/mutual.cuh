/* SPDX-License-Identifier: MIT */
/*
 * Sums on i-particles that are the j-particles themselves, in any order: all
 * j-particles are summed on each other by Newton's third law
 * (pairs/mutual.cuh), and each i-particle gets the sums of its own index.
 */
#ifndef KOSHU_BACKEND_CUDA_J_STORE_MUTUAL_CUH
#define KOSHU_BACKEND_CUDA_J_STORE_MUTUAL_CUH

#include "backend/cuda/j_store/launch.cuh"
#include "backend/cuda/pairs/jerk_pairs.cuh"
#include "backend/cuda/pairs/mutual_launcher.cuh"

namespace koshu {

/* Compares packed data: if everything that the sums read is the same, so are
 * the sums. */
template <class P>
KOSHU_DEVICE bool
is_own(const j_sum_args<P> &a, uint32_t i)
{
    const uint32_t own = a.i.own[i];
    if (own >= a.n_j) return false; /* not found, or not unique */
    const typename P::point p = load_point(a.i.points, i),
                            q = load_point(a.j.points, own);
    return p.x == q.x && p.y == q.y && p.z == q.z && p.vx == q.vx &&
           p.vy == q.vy && p.vz == q.vz;
}

template <class P>
static __global__ void
__launch_bounds__(J_THREADS)
        compare_with_own(const __grid_constant__ j_sum_args<P> a,
                         uint32_t *differs)
{
    wait_for_previous_kernel();
    const uint32_t i = blockIdx.x * J_THREADS + threadIdx.x;
    if (i < a.n_i && !is_own(a, i)) *differs = 1;
}

template <class P>
static cudaError_t
launch_compare(const koshu_cuda *cuda, const j_setup &s, uint32_t *differs)
{
    return launch(cuda, compare_with_own<P>, blocks_for(s.n_i, J_THREADS),
                  J_THREADS, 0, sum_args_of<P>(s, {}), differs);
}

/* total[row][i], n per row, in the form of jerk_rows, where ROW_NEAREST_FIRST
 * is the start of the block of particles that has the nearest one. The first
 * range of rows overwrites, the others add. */
template <class Parts> struct total_results : finish_end {
    double *total;

    __device__ __forceinline__ int components() const
    {
        return Parts::rows;
    }
    __device__ __forceinline__ void
    put(int, const double (*part)[Parts::rows][FINISH_LANES], memory *,
        double *sum, size_t i, unsigned lane, unsigned group) const
    {
        if (group > 0 || i >= n) return;
        for (int g = 1; g < FINISH_GROUPS; g++)
            Parts::add_rows(sum, &part[g][0][lane], FINISH_LANES, Parts::rows);
        if (!first) Parts::add_rows(sum, &total[i], n, Parts::rows);
        for (int c = 0; c < Parts::rows; c++) total[c * n + i] = sum[c];
    }
};

template <class P, class S, bool NEAREST>
static cudaError_t
launch_mutual_shaped(koshu_cuda *cuda, const j_setup &s)
{
    using parts = jerk_parts<P, NEAREST>;
    const size_t n = s.n_j;
    KOSHU_CUDA_TRY(s.memory->reserve(n * parts::rows * sizeof(double)));
    const j_sum_args<P> sums = sum_args_of<P>(s, {});
    const total_results<parts> end = {{false, false, n}, sums.partial};
    return mutual_launcher<parts, S>::sum(
            cuda, mutual_of<jerk_pairs<P, NEAREST>, S>, sums.j.points,
            {s.n_j, sums.eps2}, whole_device(cuda), n, end);
}

template <class P, bool NEAREST>
static cudaError_t
launch_mutual_of(koshu_cuda *cuda, const j_setup &s)
{
    using tuned = j_tuning<P>;
    return s.n_j < tuned::large_from
                   ? launch_mutual_shaped<P, typename tuned::small, NEAREST>(
                             cuda, s)
                   : launch_mutual_shaped<P, typename tuned::large, NEAREST>(
                             cuda, s);
}

template <class P>
static cudaError_t
launch_mutual(koshu_cuda *cuda, const j_setup &s)
{
    return s.nearest ? launch_mutual_of<P, true>(cuda, s)
                     : launch_mutual_of<P, false>(cuda, s);
}

template <class P>
static cudaError_t
launch_mutual_end(const koshu_cuda *cuda, const j_setup &s)
{
    using tuned = j_tuning<P>;
    j_end_args<P> end = end_args_of(s, sum_args_of<P>(s, {1, 0}), s.n_j);
    end.of_stored = true;
    end.nearest_span = s.n_j < tuned::large_from ? tuned::small::width
                                                 : tuned::large::width;
    return s.nearest ? launch_end<P, true>(cuda, end)
                     : launch_end<P, false>(cuda, end);
}

} /* namespace koshu */

#endif
