/* SPDX-License-Identifier: MIT */
/* The real-space part of Ewald sums (solve/ewald_pairs.h), without dipoles. */
#include "backend/cuda/ewald/ewald.cuh"

namespace koshu {

/* Targets per block: each source is loaded once for all of them. */
enum { TARGETS = 4 };

struct pairs_args {
    ewald_slice slice;
    size_t m;
    const double *at; /* three rows */
    double a, eps2, reach, own;
    double *part;
};

struct pair_sum {
    double potential, gradient[3];
};

/* Adds erfc(a s) / s and its derivative for an image at distance d, if it is in
 * reach. */
KOSHU_DEVICE void
add_image(const pairs_args &p, double charge, double x, double y, double z,
          pair_sum *sum)
{
    const double two_per_root_pi = 1.12837916709551257390;
    const double r2 = x * x + y * y + z * z, s2 = r2 + p.eps2;
    if (r2 == 0) sum->potential -= charge * p.own;
    if (r2 == 0 || s2 > p.reach * p.reach) return;
    const double s = sqrt(s2), b = erfc(p.a * s) / s;
    const double gauss = two_per_root_pi * p.a * exp(-p.a * p.a * s2);
    const double slope = charge * (b + gauss) / s2;
    sum->potential += charge * b;
    sum->gradient[0] -= slope * x;
    sum->gradient[1] -= slope * y;
    sum->gradient[2] -= slope * z;
}

/* Images in reach along one axis, counted from the nearest one. */
struct images {
    double first, last;
    __device__ __forceinline__ images(double d, double reach)
        : first(ceil(-reach - d)), last(floor(reach - d))
    {
    }
};

KOSHU_DEVICE void
add_source(const pairs_args &p, double charge, double x, double y, double z,
           pair_sum *sum)
{
    x -= rint(x);
    y -= rint(y);
    z -= rint(z);
    const images of_x(x, p.reach), of_y(y, p.reach), of_z(z, p.reach);
    for (double i = of_x.first; i <= of_x.last; i++)
        for (double j = of_y.first; j <= of_y.last; j++)
            for (double k = of_z.first; k <= of_z.last; k++)
                add_image(p, charge, x + i, y + j, z + k, sum);
}

/* A block has some targets and one chunk of the sources. */
static __global__ void
__launch_bounds__(EWALD_THREADS) sum_pairs(const __grid_constant__ pairs_args p)
{
    const size_t chunk = (p.slice.n + EWALD_CHUNKS - 1) / EWALD_CHUNKS,
                 begin = blockIdx.y * chunk,
                 end = min(begin + chunk, p.slice.n),
                 first = (size_t)blockIdx.x * TARGETS;
    pair_sum sum[TARGETS] = {};
    wait_for_previous_kernel();
    for (size_t j = begin + threadIdx.x; j < end; j += EWALD_THREADS) {
        const double x = p.slice.x[0][j], y = p.slice.x[1][j],
                     z = p.slice.x[2][j], charge = p.slice.charge[j];
#pragma unroll
        for (int t = 0; t < TARGETS; t++)
            if (first + t < p.m)
                add_source(p, charge, p.at[first + t] - x,
                           p.at[p.m + first + t] - y,
                           p.at[2 * p.m + first + t] - z, &sum[t]);
    }
#pragma unroll
    for (int t = 0; t < TARGETS; t++) {
        const double each[KOSHU_EWALD_RESULTS] = {
                sum_of_block(sum[t].potential),
                sum_of_block(sum[t].gradient[0]),
                sum_of_block(sum[t].gradient[1]),
                sum_of_block(sum[t].gradient[2])};
        if (threadIdx.x > 0 || first + t >= p.m) continue;
        double *const to =
                p.part + (blockIdx.y * p.m + first + t) * KOSHU_EWALD_RESULTS;
        for (int c = 0; c < KOSHU_EWALD_RESULTS; c++) to[c] += each[c];
    }
}

cudaError_t
add_pairs(koshu_cuda *cuda, ewald_sums *s, const ewald_slice &slice)
{
    const koshu_ewald_task *t = s->task;
    const pairs_args args = {
            slice,    t->m,   s->at.as<double>(),       t->a, t->eps * t->eps,
            t->reach, t->own, s->pair_part.as<double>()};
    const dim3 blocks((unsigned)blocks_for(t->m, TARGETS), EWALD_CHUNKS);
    return launch(cuda, sum_pairs, blocks, EWALD_THREADS, 0, args);
}

/* ---- sums of chunks ------------------------------------------------------ */

/* Adds up chunks in order, on top of the waves' part. */
static __global__ void
__launch_bounds__(EWALD_THREADS)
        add_chunks(const double *part, size_t numbers, double mean, double *to)
{
    const size_t k = (size_t)blockIdx.x * EWALD_THREADS + threadIdx.x;
    wait_for_previous_kernel();
    if (k >= numbers) return;
    double sum = k % KOSHU_EWALD_RESULTS == 0 ? mean : 0;
    for (int chunk = 0; chunk < EWALD_CHUNKS; chunk++)
        sum += part[chunk * numbers + k];
    to[k] += sum;
}

cudaError_t
finish_pairs(koshu_cuda *cuda, ewald_sums *s)
{
    const size_t numbers = s->task->m * KOSHU_EWALD_RESULTS;
    return launch(cuda, add_chunks,
                  (unsigned)blocks_for(numbers, EWALD_THREADS), EWALD_THREADS,
                  0, s->pair_part.as<double>(), numbers, s->task->mean,
                  s->result.as<double>());
}

} /* namespace koshu */
