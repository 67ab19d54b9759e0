/* SPDX-License-Identifier: MIT */
/*
 * Sums on i-particles that are the j-particles themselves, in whatever order:
 * all j-particles are summed on each other by Newton's third law
 * (pairs/jerk_mutual.cuh), and each i-particle gets the sums of its own index.
 */
#ifndef KOSHU_BACKEND_CUDA_J_STORE_MUTUAL_CUH
#define KOSHU_BACKEND_CUDA_J_STORE_MUTUAL_CUH

#include "backend/cuda/j_store/launch.cuh"
#include "backend/cuda/pairs/jerk_finish.cuh"

namespace koshu {

/* ---- are they? ---------------------------------------------------------- */

/* As packed: where all that the sums read is the same, so are the sums. */
template <class P>
KOSHU_DEVICE bool
is_own(const j_sum_args<P> &a, uint32_t i)
{
    const uint32_t own = a.i.own[i];
    if (own >= a.n_j) return false; /* or one of several */
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
                  J_THREADS, 0, sum_args_of<P>(s), differs);
}

/* ---- sums --------------------------------------------------------------- */

/* Particles of a block. */
template <class S> constexpr uint32_t j_mutual_width = S::I *S::T;

template <class P, class S, bool NEAREST> struct j_mutual_launcher {
    using shared = jerk_mutual_shared<P, S, NEAREST>;
    using parts = jerk_parts<typename P::real>;
    static constexpr size_t width = j_mutual_width<S>;
    static_assert(width % JERK_FINISH_LANES == 0, "lanes have one block");

    /* The rows d_first ..., as many as memory is meant for. */
    static mutual_plan
    plan_for(const koshu_cuda *cuda, size_t n, size_t d_first)
    {
        const size_t blocks = (n + width - 1) / width;
        const size_t row = blocks * width * sizeof(parts);
        const size_t max_rows = std::max<size_t>(1, cuda->row_bytes / row);
        return mutual_range(blocks, S::I, d_first, max_rows,
                            cuda->multiprocessors * S::BLOCKS);
    }

    static cudaError_t reserve(koshu_cuda *cuda, const j_setup &s)
    {
        const mutual_plan plan = plan_for(cuda, s.n_j, 0);
        const size_t max_chunks = cuda->multiprocessors * S::BLOCKS,
                     rows = jerk_rows<NEAREST> * sizeof(double);
        KOSHU_CUDA_TRY(s.partial->reserve(s.n_j * rows));
        KOSHU_CUDA_TRY(cuda->scratch.by_segment.reserve(
                (max_chunks + plan.blocks) * width * rows));
        return cuda->scratch.by_row.reserve(plan.rows * plan.blocks * width *
                                            sizeof(parts));
    }

    static cudaError_t sum(koshu_cuda *cuda, const j_setup &s)
    {
        auto kernel = jerk_mutual<P, S, NEAREST>;
        const j_sum_args<P> sums = sum_args_of<P>(s);
        jerk_mutual_args<P> args = {};
        args.particles = sums.j.points;
        args.n = sums.n_j;
        args.eps2 = sums.eps2;
        args.by_segment = cuda->scratch.by_segment.as<double>();
        args.by_row = cuda->scratch.by_row.as<parts>();
        KOSHU_CUDA_TRY(cudaFuncSetAttribute(
                kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                (int)sizeof(shared)));
        const size_t d_end = mutual_d_end(plan_for(cuda, s.n_j, 0).blocks);
        for (size_t d = 0; d < d_end; d += args.plan.rows) {
            args.plan = plan_for(cuda, s.n_j, d);
            KOSHU_CUDA_TRY(launch(cuda, kernel, (unsigned)args.plan.chunks,
                                  S::T, sizeof(shared), args));
            KOSHU_CUDA_TRY(launch(cuda, finish_jerk_mutual<P, NEAREST>,
                                  blocks_for(args.n, JERK_FINISH_LANES),
                                  dim3(JERK_FINISH_LANES, JERK_FINISH_GROUPS),
                                  0, args, j_mutual_width<S>, sums.partial));
        }
        return cudaSuccess;
    }

    static cudaError_t all(koshu_cuda *cuda, const j_setup &s)
    {
        KOSHU_CUDA_TRY(reserve(cuda, s));
        return sum(cuda, s);
    }
};

template <class P, class S>
static cudaError_t
launch_mutual_shaped(koshu_cuda *cuda, const j_setup &s)
{
    return s.nearest ? j_mutual_launcher<P, S, true>::all(cuda, s)
                     : j_mutual_launcher<P, S, false>::all(cuda, s);
}

template <class P>
static cudaError_t
launch_mutual(koshu_cuda *cuda, const j_setup &s)
{
    using tuned = j_tuning<P>;
    return s.n_j < tuned::large_from
                   ? launch_mutual_shaped<P, typename tuned::small>(cuda, s)
                   : launch_mutual_shaped<P, typename tuned::large>(cuda, s);
}

template <class P>
static cudaError_t
launch_mutual_end(const koshu_cuda *cuda, const j_setup &s)
{
    using tuned = j_tuning<P>;
    j_sum_args<P> sums = sum_args_of<P>(s);
    sums.slices = 1;
    j_end_args<P> end = end_args_of(s, sums, s.n_j);
    end.of_stored = true;
    end.nearest_span = s.n_j < tuned::large_from
                               ? j_mutual_width<typename tuned::small>
                               : j_mutual_width<typename tuned::large>;
    return s.nearest ? launch_end<P, true>(cuda, end)
                     : launch_end<P, false>(cuda, end);
}

} /* namespace koshu */

#endif
