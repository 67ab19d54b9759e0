/* SPDX-License-Identifier: MIT */
/* Large copies, in parts that pass through pinned memory. */
#include "backend/cuda/runtime/pipeline.cuh"

#include <algorithm>
#include <cstring>
#include <omp.h>

#include "backend/cuda/cuda.h"
#include "backend/cuda/runtime/device.cuh"

namespace koshu {

static constexpr size_t PART = (size_t)1 << 20;

/* Copies, and their total number of parts. */
struct pipeline::job {
    koshu_cuda *cuda;
    const host_copy *copies;
    size_t parts, threads;
    bool up;

    static size_t count(const host_copy &copy)
    {
        return (copy.bytes + PART - 1) / PART;
    }
    host_copy part(size_t k) const
    {
        const host_copy *copy = copies;
        for (; k >= count(*copy); copy++) k -= count(*copy);
        return {static_cast<char *>(copy->device) + k * PART,
                static_cast<char *>(copy->host) + k * PART,
                std::min(PART, copy->bytes - k * PART)};
    }
};

cudaError_t
pipeline::open()
{
    for (event &part : done) KOSHU_CUDA_TRY(part.open());
    return memory.reserve(MAX_THREADS * TURNS * PART);
}

char *
pipeline::at(size_t place) const
{
    return memory.as<char>() + place * PART;
}

/* ---- one part ------------------------------------------------------------ */

/* Starts the device's work on a part: it reads what was copied to `place`, or
 * writes it. */
cudaError_t
pipeline::start(const job &j, size_t part, size_t place)
{
    const host_copy p = j.part(part);
    const cudaStream_t stream = j.cuda->stream;
    if (j.up) {
        KOSHU_CUDA_TRY(cudaEventSynchronize(done[place]));
        memcpy(at(place), p.host, p.bytes);
        KOSHU_CUDA_TRY(cudaMemcpyAsync(p.device, at(place), p.bytes,
                                       cudaMemcpyHostToDevice, stream));
    } else {
        KOSHU_CUDA_TRY(cudaMemcpyAsync(at(place), p.device, p.bytes,
                                       cudaMemcpyDeviceToHost, stream));
    }
    return cudaEventRecord(done[place], stream);
}

/* Copies what the device wrote from `place` to the destination. */
cudaError_t
pipeline::finish(const job &j, size_t part, size_t place)
{
    const host_copy p = j.part(part);
    if (j.up) return cudaSuccess;
    KOSHU_CUDA_TRY(cudaEventSynchronize(done[place]));
    memcpy(p.host, at(place), p.bytes);
    return cudaSuccess;
}

/* ---- all of them --------------------------------------------------------- */

/* Processes every threads-th part, with the device one part ahead. */
cudaError_t
pipeline::do_own(const job &j, size_t thread)
{
    const size_t first = thread * TURNS;
    size_t turn = 0;
    for (size_t k = thread; k < j.parts + j.threads; k += j.threads, turn++) {
        if (k < j.parts) KOSHU_CUDA_TRY(start(j, k, first + turn % TURNS));
        if (turn > 0)
            KOSHU_CUDA_TRY(
                    finish(j, k - j.threads, first + (turn - 1) % TURNS));
    }
    return cudaSuccess;
}

cudaError_t
pipeline::run(const job &j)
{
    cudaError_t error = cudaSuccess;
#pragma omp parallel num_threads((int)j.threads)
    {
        job own = j;
        own.threads = (size_t)omp_get_num_threads();
        koshu_cuda_enter(j.cuda);
        const cudaError_t failed = do_own(own, (size_t)omp_get_thread_num());
#pragma omp critical
        if (failed != cudaSuccess) error = failed;
    }
    return error;
}

static size_t
threads_of(const koshu_cuda *cuda)
{
    return (size_t)koshu_region_threads(cuda->context, true);
}

/* For a single part a thread would do no more than the driver does. */
bool
pipeline::is_for(koshu_cuda *cuda, const host_copy *copies, size_t n)
{
    size_t bytes = 0;
    for (size_t k = 0; k < n; k++) bytes += copies[k].bytes;
    return bytes > 2 * PART && threads_of(cuda) > 1;
}

cudaError_t
pipeline::copy(koshu_cuda *cuda, const host_copy *copies, size_t n, bool up)
{
    const size_t threads = threads_of(cuda);
    job j = {cuda, copies, 0, 0, up};
    for (size_t k = 0; k < n; k++) j.parts += job::count(copies[k]);
    j.threads = std::min(std::min(threads, (size_t)MAX_THREADS), j.parts);
    KOSHU_CUDA_TRY(open());
    return run(j);
}

cudaError_t
pipeline::upload(koshu_cuda *cuda, const host_copy *copies, size_t n)
{
    return copy(cuda, copies, n, true);
}

cudaError_t
pipeline::download(koshu_cuda *cuda, const host_copy *copies, size_t n)
{
    KOSHU_CUDA_TRY(copy(cuda, copies, n, false));
    return cudaStreamSynchronize(cuda->stream);
}

} /* namespace koshu */
