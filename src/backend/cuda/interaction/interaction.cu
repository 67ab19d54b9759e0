/* SPDX-License-Identifier: MIT */
/*
 * Programs of interactions: loaded, and evaluated on host arrays.
 *
 * j-particles go to the device whole, i-particles in chunks: while one chunk is
 * summed, the next is copied there and the results of the last are copied back.
 * Pieces and chunks depend on the sizes of the sets and on the device alone.
 */
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>

#include "backend/cuda/runtime/device.cuh"
#include "backend/cuda/interaction/driver.h"
#include "backend/cuda/interaction/interaction.h"
#include "backend/cuda/interaction/args.h"
#include "backend/cuda/pairs/setup.cuh"

using namespace koshu;

namespace {

/* A kernel, and how many of its blocks a multiprocessor takes at once. */
struct pair_kernel {
    koshu_pair_shape shape;
    CUfunction function;
    size_t at_once, step;

    size_t width() const
    {
        return (size_t)shape.per_thread * WARP;
    }
    unsigned threads() const
    {
        return (unsigned)shape.warps * WARP;
    }
};

/* How a sum is cut: blocks of the i-particles, chunks of the j-particles. */
struct pair_cut {
    const pair_kernel *kernel;
    size_t blocks, chunk, chunks;
    double cost;
};

} /* namespace */

struct koshu_cuda_pairs {
    koshu_cuda *cuda;
    koshu_driver driver;
    CUmodule module;
    koshu_pair_size size;
    size_t n_j_fields;
    size_t n_kernels;
    pair_kernel kernels[KOSHU_PAIR_SHAPES];
};

/* Numbers of the driver and of the runtime mean the same errors. */
static cudaError_t
of_driver(CUresult result)
{
    return static_cast<cudaError_t>(result);
}

/* ---- loading ------------------------------------------------------------- */

/* Keeps a kernel unless its registers spill where those of the narrowest do
 * not; that comes last but for the one with many warps. */
static cudaError_t
find_kernel(koshu_cuda_pairs *pairs, const koshu_pair_shape &shape,
            int max_local)
{
    const koshu_driver &driver = pairs->driver;
    pair_kernel *kernel = &pairs->kernels[pairs->n_kernels];
    char name[KOSHU_PAIR_NAME];
    int local = 0, at_once = 0;
    *kernel = {shape, nullptr, 0, koshu_pair_step(&pairs->size, &shape)};
    koshu_pair_name(&shape, name);
    KOSHU_CUDA_TRY(
            of_driver(driver.function(&kernel->function, pairs->module, name)));
    KOSHU_CUDA_TRY(of_driver(driver.attribute(
            &local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, kernel->function)));
    KOSHU_CUDA_TRY(of_driver(driver.set_attribute(
            kernel->function,
            CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
            SHARED_MEMORY)));
    KOSHU_CUDA_TRY(of_driver(driver.occupancy(&at_once, kernel->function,
                                              (int)kernel->threads(), 0)));
    kernel->at_once = (size_t)at_once;
    if (at_once > 0 && local <= max_local) pairs->n_kernels++;
    return cudaSuccess;
}

static cudaError_t
local_bytes(koshu_cuda_pairs *pairs, const koshu_pair_shape &shape, int *bytes)
{
    CUfunction function;
    char name[KOSHU_PAIR_NAME];
    koshu_pair_name(&shape, name);
    KOSHU_CUDA_TRY(
            of_driver(pairs->driver.function(&function, pairs->module, name)));
    return of_driver(pairs->driver.attribute(
            bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, function));
}

static cudaError_t
load(koshu_cuda_pairs *pairs, const koshu_pair_code *code)
{
    if (!koshu_driver_find(&pairs->driver)) return cudaErrorInsufficientDriver;
    KOSHU_CUDA_TRY(cudaSetDevice(pairs->cuda->device));
    KOSHU_CUDA_TRY(cudaFree(nullptr)); /* the runtime's context is current */
    KOSHU_CUDA_TRY(pairs->cuda->pairs.open());
    KOSHU_CUDA_TRY(of_driver(pairs->driver.load(&pairs->module, code->bytes)));
    koshu_pair_shape shapes[KOSHU_PAIR_SHAPES];
    const size_t n = koshu_pair_shapes(&pairs->size, shapes);
    int max_local = 0;
    for (size_t k = 0; k < n; k++)
        if (shapes[k].per_thread == 1 && shapes[k].warps == 4)
            KOSHU_CUDA_TRY(local_bytes(pairs, shapes[k], &max_local));
    for (size_t k = 0; k < n; k++)
        KOSHU_CUDA_TRY(find_kernel(pairs, shapes[k], max_local));
    return pairs->n_kernels > 0 ? cudaSuccess : cudaErrorLaunchOutOfResources;
}

int
koshu_cuda_pairs_load(struct koshu_cuda *cuda,
                      const struct koshu_interaction_source *source,
                      const struct koshu_pair_code *code,
                      struct koshu_cuda_pairs **pairs)
{
    *pairs = nullptr;
    void *memory = calloc(1, sizeof(koshu_cuda_pairs));
    if (!memory) return cudaErrorMemoryAllocation;
    koshu_cuda_pairs *loaded = new (memory) koshu_cuda_pairs();
    loaded->cuda = cuda;
    loaded->size = koshu_pair_size_of(source);
    loaded->n_j_fields = source->n_j_fields;
    cudaError_t error = load(loaded, code);
    if (error == cudaSuccess)
        *pairs = loaded;
    else
        koshu_cuda_pairs_unload(loaded);
    return error;
}

void
koshu_cuda_pairs_unload(struct koshu_cuda_pairs *pairs)
{
    if (!pairs) return;
    if (pairs->module) {
        cudaSetDevice(pairs->cuda->device);
        pairs->driver.unload(pairs->module);
    }
    free(pairs);
}

int
koshu_cuda_capability(const struct koshu_cuda *cuda, int *capability)
{
    int major = 0, minor = 0;
    KOSHU_CUDA_TRY(cudaDeviceGetAttribute(
            &major, cudaDevAttrComputeCapabilityMajor, cuda->device));
    KOSHU_CUDA_TRY(cudaDeviceGetAttribute(
            &minor, cudaDevAttrComputeCapabilityMinor, cuda->device));
    *capability = 10 * major + minor;
    return cudaSuccess;
}

/* ---- cuts ---------------------------------------------------------------- */

/* The multiprocessor with the most to do: pairs that it could sum in its time.
 * The constants are those of direct(), whose pair has a weight of 26. */
static double
cost_of(const koshu_cuda_pairs *pairs, const pair_kernel &kernel, size_t blocks,
        size_t chunk, size_t chunks)
{
    const double speed = (pairs->size.real == sizeof(float) ? 26.0 : 13.0) /
                         (double)pairs->size.weight;
    const double wave_cost = 24000 * speed / (double)kernel.at_once,
                 partials_cost = 13000 * speed, load_cost = 1000 * speed;
    const size_t multiprocessors = pairs->cuda->multiprocessors;
    const size_t at_once = multiprocessors * kernel.at_once;
    const size_t all = blocks * chunks;
    const size_t last = blocks_for(all % at_once, multiprocessors);
    const double slower = last * kernel.threads() < 512 ? 1.25 : 1;
    const double busy =
            (double)(all / at_once * kernel.at_once) + (double)last * slower;
    /* j-particles are read from shared memory for all of a lane's at once */
    const double read = 1 + 0.12 / kernel.shape.per_thread;
    const size_t loads = blocks_for(
            pairs->size.n_outputs * kernel.width() * chunks, kernel.threads());
    return (double)(kernel.width() * chunk) * busy * read +
           wave_cost * (double)blocks_for(all, at_once) +
           (chunks > 1 ? partials_cost + load_cost * (double)loads : 0);
}

/* Chunks that give each multiprocessor about `each` blocks, or no cut. */
static void
try_cuts(const koshu_cuda_pairs *pairs, const pair_kernel &kernel, size_t n_i,
         size_t n_j, pair_cut *best)
{
    const size_t max_chunks = 65535, max_chunk = (size_t)1 << 30;
    const size_t step = kernel.step;
    const size_t blocks = blocks_for(n_i, kernel.width());
    for (size_t each = 0; each <= 16; each++) {
        const size_t wanted = std::min(
                max_chunks,
                std::max(1 + n_j / max_chunk,
                         each * pairs->cuda->multiprocessors / blocks));
        const size_t chunk = blocks_for(n_j, wanted * step) * step;
        const size_t chunks = blocks_for(n_j, chunk);
        const double cost = cost_of(pairs, kernel, blocks, chunk, chunks);
        if (cost < best->cost) *best = {&kernel, blocks, chunk, chunks, cost};
    }
}

static pair_cut
cut_for(const koshu_cuda_pairs *pairs, size_t n_i, size_t n_j)
{
    pair_cut best = {nullptr, 0, 0, 0, INFINITY};
    for (size_t k = 0; k < pairs->n_kernels; k++)
        try_cuts(pairs, pairs->kernels[k], n_i, n_j, &best);
    return best;
}

/* ---- j-particles --------------------------------------------------------- */

enum { ROW_THREADS = 256 };

/* Numbers of `given` a row to `row` a row, in the precision; to the end of the
 * last 16 bytes. */
template <class Real>
static __global__ void
__launch_bounds__(ROW_THREADS)
        lay_rows(Real *to, const double *from, size_t n, unsigned given,
                 unsigned row, size_t all)
{
    const size_t at = (size_t)blockIdx.x * ROW_THREADS + threadIdx.x;
    if (at >= all) return;
    const size_t j = at / row;
    const unsigned k = (unsigned)(at % row);
    to[at] = j < n && k < given ? (Real)from[j * given + k] : (Real)0;
}

template <class Real>
static cudaError_t
launch_rows(koshu_cuda_pairs *pairs, size_t n, cudaStream_t stream)
{
    pair_memory *memory = &pairs->cuda->pairs;
    const size_t row = pairs->size.row, vector = 16 / sizeof(Real);
    const size_t all = blocks_for(n * row, vector) * vector;
    KOSHU_CUDA_TRY(memory->rows_j.reserve(all * sizeof(Real)));
    lay_rows<<<(unsigned)blocks_for(all, ROW_THREADS), ROW_THREADS, 0,
               stream>>>(memory->rows_j.as<Real>(),
                         memory->given_j.as<double>(), n,
                         (unsigned)pairs->n_j_fields, (unsigned)row, all);
    return cudaGetLastError();
}

/* Where the kernels read them. */
static cudaError_t
bring_j(koshu_cuda_pairs *pairs, size_t n, const double *j, const void **rows)
{
    pair_memory *memory = &pairs->cuda->pairs;
    const cudaStream_t stream = memory->lane[0].stream;
    const size_t bytes = n * pairs->n_j_fields * sizeof(double);
    KOSHU_CUDA_TRY(memory->given_j.reserve(bytes));
    KOSHU_CUDA_TRY(cudaMemcpyAsync(memory->given_j.as<void>(), j, bytes,
                                   cudaMemcpyHostToDevice, stream));
    const bool as_given = pairs->size.real == sizeof(double) &&
                          pairs->size.row == pairs->n_j_fields &&
                          bytes % 16 == 0;
    if (!as_given)
        KOSHU_CUDA_TRY(pairs->size.real == sizeof(float)
                               ? launch_rows<float>(pairs, n, stream)
                               : launch_rows<double>(pairs, n, stream));
    *rows = as_given ? memory->given_j.as<void>() : memory->rows_j.as<void>();
    KOSHU_CUDA_TRY(cudaEventRecord(memory->j_is_there, stream));
    return cudaStreamWaitEvent(memory->lane[1].stream, memory->j_is_there, 0);
}

/* ---- i-particles --------------------------------------------------------- */

namespace {

/* What evaluate() was called with. */
struct pair_call {
    koshu_cuda_pairs *pairs;
    size_t n_i, n_j;
    const double *i;
    const void *rows;       /* of j, on the device */
    const double *device_i; /* all i-particles, where they are j-particles */
    double *out;
    size_t i_chunk; /* i-particles, at most */
};

} /* namespace */

static cudaError_t
launch_pairs(const pair_call &call, pair_lane *lane, const pair_cut &cut,
             koshu_interaction_args args)
{
    const koshu_cuda_pairs *pairs = call.pairs;
    const pair_kernel &kernel = *cut.kernel;
    const size_t partials = cut.chunks > 1 ? cut.blocks * cut.chunks : 0;
    KOSHU_CUDA_TRY(lane->partial.reserve(partials * kernel.width() *
                                         pairs->size.n_outputs *
                                         sizeof(double)));
    if (!lane->arrived.has(cut.blocks * sizeof(unsigned))) {
        KOSHU_CUDA_TRY(lane->arrived.reserve(cut.blocks * sizeof(unsigned)));
        KOSHU_CUDA_TRY(cudaMemsetAsync(lane->arrived.as<void>(), 0,
                                       cut.blocks * sizeof(unsigned),
                                       lane->stream));
    }
    args.partial = lane->partial.as<double>();
    args.arrived = lane->arrived.as<unsigned>();
    args.chunk = (int)cut.chunk;
    void *arguments[] = {&args};
    return of_driver(pairs->driver.launch(
            kernel.function, (unsigned)cut.blocks, (unsigned)cut.chunks, 1,
            kernel.threads(), 1, 1, 0, lane->stream, arguments, nullptr));
}

/* The chunk that begins at `first`: there, and summed. */
static cudaError_t
start_i_chunk(const pair_call &call, pair_lane *lane, size_t first)
{
    const koshu_pair_size &size = call.pairs->size;
    const size_t n = std::min(call.i_chunk, call.n_i - first);
    koshu_interaction_args args = {};
    if (call.device_i) {
        args.i = call.device_i + first * size.n_i_fields;
    } else {
        const size_t bytes = n * size.n_i_fields * sizeof(double);
        KOSHU_CUDA_TRY(lane->i.reserve(bytes));
        KOSHU_CUDA_TRY(cudaMemcpyAsync(lane->i.as<void>(),
                                       call.i + first * size.n_i_fields, bytes,
                                       cudaMemcpyHostToDevice, lane->stream));
        args.i = lane->i.as<double>();
    }
    KOSHU_CUDA_TRY(lane->out.reserve(n * size.n_outputs * sizeof(double)));
    args.j = call.rows;
    args.out = lane->out.as<double>();
    args.i_first = (int)first;
    args.n_i = (int)n;
    args.n_j = (int)call.n_j;
    return launch_pairs(call, lane, cut_for(call.pairs, n, call.n_j), args);
}

static cudaError_t
finish_i_chunk(const pair_call &call, pair_lane *lane, size_t first)
{
    const size_t n_outputs = call.pairs->size.n_outputs;
    const size_t n = std::min(call.i_chunk, call.n_i - first);
    return cudaMemcpyAsync(call.out + first * n_outputs, lane->out.as<double>(),
                           n * n_outputs * sizeof(double),
                           cudaMemcpyDeviceToHost, lane->stream);
}

/* Few are one chunk; of many, the copies of all but the first and last are
 * hidden. */
static size_t
i_chunk_for(size_t n_i)
{
    const size_t least = 16384, max_n = 1048576, chunks = 4;
    return std::min(max_n, std::max(least, blocks_for(n_i, chunks)));
}

static cudaError_t
run(pair_call *call, const double *j)
{
    koshu_cuda_pairs *pairs = call->pairs;
    pair_lane *lanes = pairs->cuda->pairs.lane;
    KOSHU_CUDA_TRY(cudaSetDevice(pairs->cuda->device));
    KOSHU_CUDA_TRY(bring_j(pairs, call->n_j, j, &call->rows));
    if (j == call->i && call->n_j == call->n_i &&
        pairs->n_j_fields == pairs->size.n_i_fields)
        call->device_i = pairs->cuda->pairs.given_j.as<double>();
    call->i_chunk = i_chunk_for(call->n_i);
    const size_t chunks = blocks_for(call->n_i, call->i_chunk);
    for (size_t p = 0; p < chunks; p++) {
        KOSHU_CUDA_TRY(start_i_chunk(*call, &lanes[p % 2], p * call->i_chunk));
        if (p > 0)
            KOSHU_CUDA_TRY(finish_i_chunk(*call, &lanes[(p - 1) % 2],
                                          (p - 1) * call->i_chunk));
    }
    return finish_i_chunk(*call, &lanes[(chunks - 1) % 2],
                          (chunks - 1) * call->i_chunk);
}

int
koshu_cuda_pairs_evaluate(struct koshu_cuda_pairs *pairs, size_t n_i,
                          const double *i, size_t n_j, const double *j,
                          double *out)
{
    pair_call call = {pairs, n_i, n_j, i, nullptr, nullptr, out, 0};
    cudaError_t error = run(&call, j);
    /* also after an error: the caller's arrays are free again */
    for (const pair_lane &lane : pairs->cuda->pairs.lane) {
        cudaError_t end = cudaStreamSynchronize(lane.stream);
        if (error == cudaSuccess) error = end;
    }
    return error;
}
