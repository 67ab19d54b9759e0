/* SPDX-License-Identifier: MIT */
/* The kernels of listings.h. */
#include <cstdlib>
#include "bench/cases/listings.h"
#include "bench/internal.h"

/* ---- kernels ------------------------------------------------------------ */

/* Listing 1: eps^2 last takes a product, two FMA and a sum; eps^2 first takes
 * three FMA. */
template <bool EPS2_FIRST>
static __device__ __forceinline__ float
squared_distance(float dx, float dy, float dz, float eps2)
{
    if (EPS2_FIRST) return eps2 + dx * dx + dy * dy + dz * dz;
    float r2 = dx * dx + dy * dy + dz * dz;
    r2 += eps2;
    return r2;
}

template <bool EPS2_FIRST>
static __device__ __forceinline__ void
add_pair(float4 *sum, float4 pi, float4 pj, float eps2)
{
    const float dx = pj.x - pi.x, dy = pj.y - pi.y, dz = pj.z - pi.z;
    float r = rsqrtf(squared_distance<EPS2_FIRST>(dx, dy, dz, eps2));
    r = r * r * r * pj.w;
    sum->x += dx * r;
    sum->y += dy * r;
    sum->z += dz * r;
}

/* Listing 2: the load is either between the two barriers, or before both, where
 * it overlaps with the sums of other warps. */
template <bool EPS2_FIRST, bool LOADS_AHEAD, int THREADS, int UNROLL>
static __global__ void
__launch_bounds__(THREADS) sum_pairs(const float4 *position,
                                     float4 *acceleration, int n_j, float eps2)
{
    __shared__ float4 body[THREADS];
    const int i = blockIdx.x * THREADS + threadIdx.x;
    const float4 pi = position[i];
    float4 sum = {0, 0, 0, 0};
    for (int first = 0; first < n_j; first += THREADS) {
        float4 pj;
        if (LOADS_AHEAD) pj = position[first + threadIdx.x];
        __syncthreads();
        body[threadIdx.x] = LOADS_AHEAD ? pj : position[first + threadIdx.x];
        __syncthreads();
#pragma unroll UNROLL
        for (int j = 0; j < THREADS; j++)
            add_pair<EPS2_FIRST>(&sum, pi, body[j], eps2);
    }
    atomicAdd(&acceleration[i].x, sum.x);
    atomicAdd(&acceleration[i].y, sum.y);
    atomicAdd(&acceleration[i].z, sum.z);
}

/* Threads per block and unrolled steps, as chosen by the authors (section
 * 2). */
static const struct {
    void (*kernel)(const float4 *, float4 *, int, float);
    unsigned threads;
} listings[LISTINGS] = {
        {sum_pairs<false, false, 256, 32>, 256},
        {sum_pairs<true, false, 256, 128>, 256},
        {sum_pairs<true, true, 512, 256>, 512},
};

/* ---- what they work on -------------------------------------------------- */

struct listing_sums {
    koshu_context *context;
    enum listing which;
    size_t n, filled; /* particles; the same with padding */
    float eps2;
    float4 *position, *acceleration; /* on the device */
    /* of `filled` elements, for both directions */
    float4 *host;
};

static koshu_status
status_of(const listing_sums *s, cudaError_t error, const char *doing)
{
    if (error == cudaSuccess) return KOSHU_OK;
    return koshu_fail(s->context,
                      error == cudaErrorMemoryAllocation
                              ? KOSHU_ERROR_OUT_OF_MEMORY
                              : KOSHU_ERROR_DEVICE,
                      "%s: %s", doing, cudaGetErrorString(error));
}

static cudaError_t
copy_particles(listing_sums *s, const koshu_particle_const_view *v)
{
    const size_t bytes = s->filled * sizeof *s->host;
    for (size_t k = 0; k < v->n; k++)
        s->host[k] = {(float)v->x[k], (float)v->y[k], (float)v->z[k],
                      (float)v->mass[k]};
    cudaError_t error = cudaMalloc(&s->position, bytes);
    if (error == cudaSuccess) error = cudaMalloc(&s->acceleration, bytes);
    if (error != cudaSuccess) return error;
    return cudaMemcpy(s->position, s->host, bytes, cudaMemcpyHostToDevice);
}

/* Uses the current device of the thread, which has opened the backend. */
koshu_status
listing_open(koshu_context *context, enum listing which,
             const koshu_particle_const_view *particles, double eps2,
             listing_sums **sums)
{
    const size_t threads = listings[which].threads;
    listing_sums *s = *sums = (listing_sums *)calloc(1, sizeof *s);
    if (!s) return koshu_fail_memory(context, sizeof *s, "listings");
    s->context = context;
    s->which = which;
    s->n = particles->n;
    s->filled = (s->n + threads - 1) / threads * threads;
    s->eps2 = (float)eps2;
    s->host = (float4 *)calloc(s->filled, sizeof *s->host);
    if (!s->host)
        return koshu_fail_memory(context, s->filled * sizeof *s->host,
                                 "listings");
    return status_of(s, copy_particles(s, particles), "copying particles");
}

void
listing_close(listing_sums *s)
{
    if (!s) return;
    cudaFree(s->position);
    cudaFree(s->acceleration);
    free(s->host);
    free(s);
}

static cudaError_t
enqueue(const listing_sums *s)
{
    const unsigned threads = listings[s->which].threads;
    const cudaError_t error = cudaMemsetAsync(
            s->acceleration, 0, s->filled * sizeof *s->acceleration);
    if (error != cudaSuccess) return error;
    listings[s->which].kernel<<<(unsigned)(s->filled / threads), threads>>>(
            s->position, s->acceleration, (int)s->filled, s->eps2);
    return cudaGetLastError();
}

koshu_status
listing_once(void *sums)
{
    const listing_sums *s = (const listing_sums *)sums;
    return status_of(s, enqueue(s), "summing");
}

koshu_status
listing_wait(void *sums)
{
    const listing_sums *s = (const listing_sums *)sums;
    return status_of(s, cudaDeviceSynchronize(), "summing");
}

koshu_status
listing_read(listing_sums *s, double *ax, double *ay, double *az)
{
    const cudaError_t error =
            cudaMemcpy(s->host, s->acceleration, s->filled * sizeof *s->host,
                       cudaMemcpyDeviceToHost);
    for (size_t k = 0; k < s->n; k++) {
        ax[k] = s->host[k].x;
        ay[k] = s->host[k].y;
        az[k] = s->host[k].z;
    }
    return status_of(s, error, "copying accelerations");
}
