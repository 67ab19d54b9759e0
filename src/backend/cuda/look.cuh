/* SPDX-License-Identifier: MIT */
/*
 * Sums again of forces that cancel (magnitude.cuh), at the end of direct(): the
 * CUDA block that has all sums of its i-particles looks through them. With few
 * particles a kernel of its own would take a good part of the time.
 */
#ifndef KOSHU_BACKEND_CUDA_LOOK_CUH
#define KOSHU_BACKEND_CUDA_LOOK_CUH

#include "backend/cuda/magnitude.cuh"
#include "backend/cuda/sum_double.cuh"

namespace koshu {

/* Of WIDTH i-particles in a block of THREADS, both whole warps. */
template <int WIDTH, int THREADS> struct look_memory {
    static constexpr unsigned groups = THREADS > WIDTH ? THREADS / WIDTH : 1;
    static_assert(SAMPLES % groups == 0, "samples are dealt out");
    sampled_magnitude sampled[groups][WIDTH];
    unsigned again[WIDTH / 32]; /* a bit for each */
};

/* Stores of fewer particles are not looked through: looking takes 0.7
 * microseconds, and a sum again 2.6 or more (H100), whatever their number. */
enum { LOOKED_THROUGH_FROM = 8192 };

/* n particles on each other, or n = 0: nothing is looked for. */
template <class P> struct look_args {
    packed<P> particles;
    size_t n;
    softening<P> soft;
    softening<double_precision> double_soft;
    double part;   /* cancelled_part(), times the unit of a */
    force_out out; /* the results; of sums in double precision */
};

/* Finds those of the block's i_first ... i_first + i_count - 1 whose results
 * cancel; all threads know afterwards. */
template <class P, int WIDTH, int THREADS>
KOSHU_DEVICE void
look_for_cancelled(const look_args<P> &a, size_t i_first, unsigned i_count,
                   look_memory<WIDTH, THREADS> *memory)
{
    constexpr unsigned groups = look_memory<WIDTH, THREADS>::groups;
    constexpr unsigned rows = WIDTH > THREADS ? WIDTH / THREADS : 1;
    double magnitude[rows];
    for (unsigned k = 0; k < rows; k++) { /* on its way meanwhile */
        const unsigned r = k * THREADS + threadIdx.x;
        const size_t i = i_first + min(r, i_count - 1);
        magnitude[k] = 0;
        if (r < WIDTH)
            magnitude[k] = fabs(__ldcg(a.out.ax + i)) +
                           fabs(__ldcg(a.out.ay + i)) +
                           fabs(__ldcg(a.out.az + i));
    }
    for (unsigned t = threadIdx.x; t < WIDTH * groups; t += THREADS) {
        const unsigned r = t % WIDTH, group = t / WIDTH;
        const size_t i = i_first + min(r, i_count - 1);
        memory->sampled[group][r] = sample<P, SAMPLES / groups>(
                a.particles, a.soft, 0, a.n, group * (SAMPLES / groups),
                a.particles.q[0][i]);
    }
    __syncthreads();
    for (unsigned k = 0; k < rows; k++) {
        const unsigned r = k * THREADS + threadIdx.x;
        if (r >= WIDTH) break;
        sampled_magnitude all = memory->sampled[0][r];
        for (unsigned g = 1; g < groups; g++) all.add(memory->sampled[g][r]);
        const unsigned found = __ballot_sync(
                ~0u, r < i_count && all.tell(magnitude[k], a.part));
        if (r % 32 == 0) memory->again[r / 32] = found;
    }
    __syncthreads();
}

/* By the block that has written all results of its i-particles. */
template <class P, bool GUARDED, int WIDTH, int THREADS>
KOSHU_DEVICE void
sum_cancelled(const look_args<P> &a, size_t i_first, unsigned i_count,
              look_memory<WIDTH, THREADS> *memory)
{
    __syncthreads(); /* nobody needs what was in that memory */
    look_for_cancelled(a, i_first, i_count, memory);
#pragma unroll 1
    for (unsigned w = 0; w < WIDTH / 32; w++)
#pragma unroll 1
        for (unsigned left = memory->again[w]; left; left &= left - 1) {
            const size_t i = i_first + w * 32 + (unsigned)__ffs((int)left) - 1;
            const gravity_sum_f64 sum = sum_in_double<P, GUARDED, THREADS>(
                    a.particles, 0, a.n, a.particles.q[0][i], i, a.double_soft);
            if (threadIdx.x == 0) put_sum(a.out, i, sum);
        }
}

} /* namespace koshu */

#endif
