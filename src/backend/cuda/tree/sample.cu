/* SPDX-License-Identifier: MIT */
/*
 * Accelerations of a sample of a store's particles, those in the store and
 * exact ones, from which a tree's errors are computed without copying all
 * particles. Changes neither the tree nor the store.
 */
#include <algorithm>

#include "backend/cuda/tree/engine.cuh"

namespace koshu {

enum { SAMPLE_THREADS = 128, SAMPLE_BLOCKS = 1024 };

struct exact_j {
    double x, y, z, mass;
};

struct sample_args {
    fields f;
    const particle_tag *tag; /* NULL: in the host's order */
    uint32_t n, sample;
    uint32_t slices, slice; /* number of slices of the j-particles; particles
                             * per slice */
    double eps2;
    double *exact, *got; /* x y z of each */
    double *part;        /* the same for each slice, slice after slice */
    uint32_t *place;     /* index of each sample particle on the device */
};

/* ---- the sample ---------------------------------------------------------- */

/* The q-th of the sample is the host's particle q n / sample, rounded down; as
 * sample <= n, all are different. */
KOSHU_DEVICE void
find_sample(const sample_args &s, size_t k)
{
    const uint64_t origin = s.tag ? s.tag[k].origin : k;
    const uint64_t q = (origin * s.sample + s.n - 1) / s.n;
    if (q >= s.sample || q * s.n / s.sample != origin) return;
    s.place[q] = (uint32_t)k;
    for (int c = 0; c < 3; c++) s.got[3 * q + c] = s.f.a[c][k];
}

/* ---- exact sums ---------------------------------------------------------- */

/* A particle at the same position has no direction and, without softening, no
 * finite force. */
static __device__ __forceinline__ void
add_exact(gravity_sum_f64 *sum, const exact_j &j, const double x[3],
          double eps2, bool itself)
{
    const double dx = j.x - x[0], dy = j.y - x[1], dz = j.z - x[2];
    const double r2 = gravity_r2_f64(dx, dy, dz, eps2);
    if (itself || r2 == 0) return;
    gravity_add_f64(sum, dx, dy, dz, j.mass, rsqrt(r2));
}

static __global__ void
__launch_bounds__(SAMPLE_THREADS)
        sum_sample(const __grid_constant__ sample_args s)
{
    __shared__ exact_j tile[SAMPLE_THREADS];
    wait_for_previous_kernel();
    const uint32_t i = blockIdx.x * SAMPLE_THREADS + threadIdx.x;
    const uint32_t place = s.place[min(i, s.sample - 1)];
    const double x[3] = {s.f.x[0][place], s.f.x[1][place], s.f.x[2][place]};
    const size_t begin = (size_t)blockIdx.y * s.slice;
    const size_t end = min(begin + s.slice, (size_t)s.n);
    gravity_sum_f64 sum = {};
    for (size_t first = begin; first < end; first += SAMPLE_THREADS) {
        const size_t j = first + threadIdx.x;
        const unsigned count =
                (unsigned)min(end - first, (size_t)SAMPLE_THREADS);
        if (j < end)
            tile[threadIdx.x] = {s.f.x[0][j], s.f.x[1][j], s.f.x[2][j],
                                 s.f.mass[j]};
        __syncthreads();
        for (unsigned k = 0; k < count; k++)
            add_exact(&sum, tile[k], x, s.eps2, first + k == place);
        __syncthreads();
    }
    if (i >= s.sample) return;
    double *const to = s.part + 3 * ((size_t)blockIdx.y * s.sample + i);
    to[0] = sum.ax;
    to[1] = sum.ay;
    to[2] = sum.az;
}

/* ---- all of it ----------------------------------------------------------- */

/* Enough blocks to fill any device; slices depend only on the numbers of
 * particles. */
static void
cut(sample_args *s, unsigned groups)
{
    const uint32_t max_slices = std::max(SAMPLE_BLOCKS / groups, 1u);
    const uint32_t tiles = (s->n + SAMPLE_THREADS - 1) / SAMPLE_THREADS;
    s->slice = (tiles + max_slices - 1) / max_slices * SAMPLE_THREADS;
    s->slices = (s->n + s->slice - 1) / s->slice;
}

static cudaError_t
lay_out(koshu_tree_engine *t, sample_args *s)
{
    const size_t components = 3 * (size_t)s->sample;
    KOSHU_CUDA_TRY(
            t->sample.reserve((s->slices + 2) * components * sizeof(double) +
                              s->sample * sizeof(uint32_t)));
    s->exact = t->sample.as<double>();
    s->got = s->exact + components;
    s->part = s->got + components;
    s->place = reinterpret_cast<uint32_t *>(s->part + s->slices * components);
    return cudaSuccess;
}

cudaError_t
sample_store(koshu_tree_engine *t, const koshu_cuda_store *store, double eps,
             size_t sample, double *accelerations)
{
    const unsigned groups =
            (unsigned)((sample + SAMPLE_THREADS - 1) / SAMPLE_THREADS);
    sample_args s = {};
    s.f = store->f;
    s.tag = store->tag;
    s.n = (uint32_t)store->n;
    s.sample = (uint32_t)sample;
    s.eps2 = eps * eps;
    cut(&s, groups);
    KOSHU_CUDA_TRY(lay_out(t, &s));
    KOSHU_CUDA_TRY(for_each(t->cuda, s.n,
                            [=] __device__(size_t k) { find_sample(s, k); }));
    KOSHU_CUDA_TRY(launch(t->cuda, sum_sample, dim3(groups, s.slices),
                          dim3(SAMPLE_THREADS), 0, s));
    /* added slice by slice, so that the bits are the same each time */
    const size_t components = 3 * sample;
    KOSHU_CUDA_TRY(for_each(t->cuda, components, [=] __device__(size_t k) {
        double sum = 0;
        for (uint32_t slice = 0; slice < s.slices; slice++)
            sum += s.part[slice * components + k];
        s.exact[k] = sum;
    }));
    KOSHU_CUDA_TRY(cudaMemcpyAsync(accelerations, s.exact,
                                   6 * sample * sizeof(double),
                                   cudaMemcpyDeviceToHost, t->cuda->stream));
    return cudaStreamSynchronize(t->cuda->stream);
}

} /* namespace koshu */
