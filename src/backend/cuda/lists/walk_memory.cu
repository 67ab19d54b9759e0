/* SPDX-License-Identifier: MIT */
/*
 * Batches of walks: for each, pinned memory of the host, the same on the
 * device, and a stream, so that copies and sums of several batches overlap.
 */
#include <algorithm>
#include <cstdint>

#include "backend/cuda/cuda.h"
#include "backend/cuda/lists/walk_sums.cuh"
#include "backend/cuda/runtime/device.cuh"
#include "backend/cuda/runtime/object.cuh"

using namespace koshu;

namespace {

/* Events on the device's clock. */
enum moment { UP, SUMS, DOWN, DONE, MOMENTS };

/* A batch; `base` points into host memory, `args` to the same arrays in device
 * memory. */
struct walks {
    koshu_walk_memory base; /* first: pointers are cast */
    koshu_cuda *cuda;
    host_buffer host;
    buffer device;
    koshu::stream stream;
    event at[MOMENTS];
    walk_args args;
};

/* Arrays placed in memory one after another; without memory, only their bytes
 * are counted. */
struct places {
    char *memory;
    size_t bytes;

    template <class T> void take(T **array, size_t n)
    {
        const size_t align = 256;
        *array = reinterpret_cast<T *>(memory + bytes);
        bytes += (n * sizeof(T) + align - 1) / align * align;
    }
};

} /* namespace */

static size_t
rows_of(bool split)
{
    return split ? KOSHU_WALK_SPLIT : KOSHU_WALK_POINT;
}

/* The bytes of a batch's arrays; also sets them, if there is memory. */
static size_t
lay_out(const koshu_walk_memory &m, char *memory, koshu_walks *at)
{
    const koshu_walk_capacity &capacity = m.capacity;
    places p = {memory, 0};
    p.take(&at->i_offset, capacity.walks + 1);
    p.take(&at->j_offset, capacity.walks + 1);
    p.take(&at->cell_offset, capacity.walks + 1);
    for (size_t r = 0; r < rows_of(m.split); r++) p.take(&at->i[r], capacity.i);
    for (size_t r = 0; r < rows_of(m.split); r++) p.take(&at->j[r], capacity.j);
    for (float *&row : at->cell) p.take(&row, capacity.cells);
    for (double *&row : at->result) p.take(&row, capacity.i);
    return p.bytes;
}

/* ---- life ---------------------------------------------------------------- */

static size_t
bytes(const koshu_backend *backend)
{
    const size_t part = 128;
    size_t free = 0, total = 0;
    enter(backend);
    if (cudaMemGetInfo(&free, &total) != cudaSuccess) return 0;
    return std::min(total / part, free / 2);
}

static void
destroy(koshu_walk_memory *memory)
{
    if (!memory) return;
    walks *w = reinterpret_cast<walks *>(memory);
    if (w->stream) cudaStreamSynchronize(w->stream);
    free_object(w);
}

static cudaError_t
make(walks *w)
{
    const size_t bytes = lay_out(w->base, nullptr, &w->base.at);
    KOSHU_CUDA_TRY(w->host.reserve(bytes));
    KOSHU_CUDA_TRY(w->device.reserve(bytes));
    lay_out(w->base, w->host.as<char>(), &w->base.at);
    lay_out(w->base, w->device.as<char>(), &w->args);
    for (event &moment : w->at) KOSHU_CUDA_TRY(moment.open(cudaEventDefault));
    return w->stream.open();
}

static koshu_status
create(koshu_backend *backend, const koshu_walk_capacity *capacity, bool split,
       koshu_walk_memory **memory)
{
    koshu_cuda *cuda = enter(backend);
    walks *w = make_object<walks>();
    *memory = nullptr;
    if (!w)
        return koshu_fail_memory(backend->context, sizeof *w, "lists of walks");
    w->base.context = backend->context;
    w->base.capacity = *capacity;
    w->base.split = split;
    w->cuda = cuda;
    const cudaError_t error = make(w);
    if (error == cudaSuccess)
        *memory = &w->base;
    else
        destroy(&w->base);
    return status_of(cuda, error, "making room for the lists of walks");
}

/* ---- kernels ------------------------------------------------------------- */

using walk_kernel = void (*)(walk_args);

template <class P>
static walk_kernel
kernel_of(bool potential, bool zero_distance_safe)
{
    static constexpr walk_kernel kernels[2][2] = {
            {sum_walks<P, false, false>, sum_walks<P, false, true>},
            {sum_walks<P, true, false>, sum_walks<P, true, true>}};
    return kernels[potential][zero_distance_safe];
}

/* With a smaller softening 1 / eps^3 overflows a float. */
static walk_kernel
select_kernel(const koshu_walk_task &task)
{
    const bool zero_distance_safe = task.eps < 1e-12;
    if (task.split)
        return kernel_of<mixed_precision>(task.potential, zero_distance_safe);
    if (task.fast)
        return kernel_of<fast_precision>(task.potential, zero_distance_safe);
    return kernel_of<single_precision>(task.potential, zero_distance_safe);
}

/* i-particles per chunk: fewer if chunks of `largest` i-particles of the
 * concurrent walks would not occupy the device. */
static unsigned
walk_chunk_size(const koshu_cuda *cuda, size_t n_concurrent, size_t largest)
{
    const size_t wanted = 4 * cuda->multiprocessors;
    unsigned chunk = WALK_CHUNK;
    while (n_concurrent > 0 && chunk > WALK_WARP &&
           n_concurrent * ((largest + chunk - 1) / chunk) < wanted)
        chunk /= 2;
    return chunk;
}

static cudaError_t
launch_walks(walks *w, const koshu_walk_task &task, size_t n_walks)
{
    const size_t max_y = 65535;
    size_t largest = 1;
    for (size_t k = 0; k < n_walks; k++)
        largest = std::max(largest,
                           w->base.at.i_offset[k + 1] - w->base.at.i_offset[k]);
    w->args.chunk = walk_chunk_size(w->cuda, task.n_concurrent, largest);
    const dim3 blocks(
            (unsigned)n_walks,
            (unsigned)std::min((largest + w->args.chunk - 1) / w->args.chunk,
                               max_y));
    const walk_kernel kernel = select_kernel(task);
    kernel<<<blocks, WALK_WARP * WALK_WARPS, 0, w->stream>>>(w->args);
    return cudaGetLastError();
}

/* ---- a batch ------------------------------------------------------------- */

/* Copies the first n elements of rows to the device or back; rows lie one after
 * another and have the same length. */
template <class T>
static cudaError_t
copy_rows(const walks *w, T *const *row, size_t rows, size_t n,
          cudaMemcpyKind direction)
{
    char *host = reinterpret_cast<char *>(row[0]);
    char *device = w->device.as<char>() + (host - w->host.as<char>());
    const size_t pitch = reinterpret_cast<char *>(row[1]) - host;
    const bool up = direction == cudaMemcpyHostToDevice;
    if (n == 0) return cudaSuccess;
    if (pitch <= INT32_MAX)
        return cudaMemcpy2DAsync(up ? device : host, pitch, up ? host : device,
                                 pitch, n * sizeof(T), rows, direction,
                                 w->stream);
    /* long rows are copied one by one */
    for (size_t r = 0; r < rows; r++)
        KOSHU_CUDA_TRY(cudaMemcpyAsync((up ? device : host) + r * pitch,
                                       (up ? host : device) + r * pitch,
                                       n * sizeof(T), direction, w->stream));
    return cudaSuccess;
}

static cudaError_t
copy_up(const walks *w, size_t n_walks)
{
    const koshu_walks &a = w->base.at;
    const cudaMemcpyKind up = cudaMemcpyHostToDevice;
    const size_t rows = rows_of(w->base.split);
    size_t *const offset[3] = {a.i_offset, a.j_offset, a.cell_offset};
    KOSHU_CUDA_TRY(copy_rows(w, offset, 3, n_walks + 1, up));
    KOSHU_CUDA_TRY(copy_rows(w, a.i, rows, a.i_offset[n_walks], up));
    KOSHU_CUDA_TRY(copy_rows(w, a.j, rows, a.j_offset[n_walks], up));
    return copy_rows(w, a.cell, KOSHU_WALK_CELL, a.cell_offset[n_walks], up);
}

static cudaError_t
start_batch(walks *w, const koshu_walk_task &task, size_t n_walks)
{
    const koshu_walks &a = w->base.at;
    w->args.own = task.own;
    KOSHU_CUDA_TRY(cudaEventRecord(w->at[UP], w->stream));
    KOSHU_CUDA_TRY(copy_up(w, n_walks));
    KOSHU_CUDA_TRY(cudaEventRecord(w->at[SUMS], w->stream));
    KOSHU_CUDA_TRY(launch_walks(w, task, n_walks));
    KOSHU_CUDA_TRY(cudaEventRecord(w->at[DOWN], w->stream));
    KOSHU_CUDA_TRY(copy_rows(w, a.result, 3 + task.potential,
                             a.i_offset[n_walks], cudaMemcpyDeviceToHost));
    return cudaEventRecord(w->at[DONE], w->stream);
}

static cudaError_t
wait_for_batch(walks *w, koshu_walk_times *times)
{
    double at[MOMENTS];
    KOSHU_CUDA_TRY(cudaEventSynchronize(w->at[DONE]));
    for (int m = 0; m < MOMENTS; m++) {
        float milliseconds;
        KOSHU_CUDA_TRY(cudaEventElapsedTime(&milliseconds, w->cuda->walk_clock,
                                            w->at[m]));
        at[m] = 1e-3 * milliseconds;
    }
    *times = {{at[UP], at[SUMS]}, {at[SUMS], at[DOWN]}, {at[DOWN], at[DONE]}};
    return cudaSuccess;
}

static cudaError_t
record_clock(koshu_cuda *cuda)
{
    KOSHU_CUDA_TRY(cuda->walk_clock.open(cudaEventDefault));
    KOSHU_CUDA_TRY(cudaEventRecord(cuda->walk_clock, cuda->stream));
    return cudaEventSynchronize(cuda->walk_clock);
}

/* ---- operations ---------------------------------------------------------- */

static koshu_status
start_clock(koshu_backend *backend)
{
    koshu_cuda *cuda = enter(backend);
    return status_of(cuda, record_clock(cuda), "starting a clock");
}

static koshu_status
start(koshu_walk_memory *memory, const koshu_walk_task *task, size_t n_walks)
{
    walks *w = reinterpret_cast<walks *>(memory);
    koshu_cuda_enter(w->cuda);
    return status_of(w->cuda, start_batch(w, *task, n_walks),
                     "summing over the lists of walks");
}

static koshu_status
wait(koshu_walk_memory *memory, koshu_walk_times *times)
{
    walks *w = reinterpret_cast<walks *>(memory);
    koshu_cuda_enter(w->cuda);
    return status_of(w->cuda, wait_for_batch(w, times),
                     "summing over the lists of walks");
}

const koshu_walk_memory_ops koshu_cuda_walk_memory = {.bytes = bytes,
                                                      .create = create,
                                                      .destroy = destroy,
                                                      .start_clock =
                                                              start_clock,
                                                      .start = start,
                                                      .wait = wait};
