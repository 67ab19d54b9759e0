/* SPDX-License-Identifier: MIT */
/*
 * Evaluates user-defined interactions on host arrays.
 *
 * All j-particles are copied to the device, i-particles in chunks: while one
 * chunk is summed, the next is copied to the device and the results of the
 * previous one are copied back. The division of the work depends only on the
 * sizes of the sets and on the device.
 */
#include <algorithm>
#include <cmath>

#include "backend/cuda/interaction/args.h"
#include "backend/cuda/interaction/program.cuh"
#include "backend/cuda/pairs/forces.cuh"

namespace koshu {

/* How a sum is divided: blocks of i-particles, chunks of j-particles. */
struct pair_cut {
    const pair_kernel *kernel;
    size_t blocks, chunk, chunks;
    double cost;
};

/* ---- division of the work ------------------------------------------------ */

/* The work of the busiest multiprocessor, in pairs that it could sum in the
 * same time. The constants are those of direct(), whose pair has a weight of
 * 26. */
static double
cost_of(const koshu_interaction_program *program, const pair_kernel &kernel,
        size_t blocks, size_t chunk, size_t chunks)
{
    const double speed = (program->size.real == sizeof(float) ? 26.0 : 13.0) /
                         (double)program->size.weight;
    const double wave_cost = 24000 * speed / (double)kernel.at_once,
                 partials_cost = 13000 * speed, load_cost = 1000 * speed;
    const size_t multiprocessors = program->cuda->multiprocessors;
    const size_t at_once = multiprocessors * kernel.at_once;
    const size_t all = blocks * chunks;
    const size_t last = blocks_for(all % at_once, multiprocessors);
    const double slower = last * kernel.threads() < 512 ? 1.25 : 1;
    const double busy =
            (double)(all / at_once * kernel.at_once) + (double)last * slower;
    /* a j-particle is read from shared memory once for all i-particles of a
     * lane */
    const double read = 1 + 0.12 / kernel.shape.per_thread;
    const size_t loads =
            blocks_for(program->size.n_outputs * kernel.width() * chunks,
                       kernel.threads());
    return (double)(kernel.width() * chunk) * busy * read +
           wave_cost * (double)blocks_for(all, at_once) +
           (chunks > 1 ? partials_cost + load_cost * (double)loads : 0);
}

/* Tries a number of chunks that gives each multiprocessor about `each` blocks,
 * or no division. */
static void
try_cuts(const koshu_interaction_program *program, const pair_kernel &kernel,
         size_t n_i, size_t n_j, pair_cut *best)
{
    const size_t max_chunks = 65535, max_chunk = (size_t)1 << 30;
    const size_t step = kernel.step;
    const size_t blocks = blocks_for(n_i, kernel.width());
    for (size_t each = 0; each <= 16; each++) {
        const size_t wanted = std::min(
                max_chunks,
                std::max(1 + n_j / max_chunk,
                         each * program->cuda->multiprocessors / blocks));
        const size_t chunk = blocks_for(n_j, wanted * step) * step;
        const size_t chunks = blocks_for(n_j, chunk);
        const double cost = cost_of(program, kernel, blocks, chunk, chunks);
        if (cost < best->cost) *best = {&kernel, blocks, chunk, chunks, cost};
    }
}

static pair_cut
cut_for(const koshu_interaction_program *program, size_t n_i, size_t n_j)
{
    pair_cut best = {nullptr, 0, 0, 0, INFINITY};
    for (size_t k = 0; k < program->n_kernels; k++)
        try_cuts(program, program->kernels[k], n_i, n_j, &best);
    return best;
}

/* ---- j-particles --------------------------------------------------------- */

enum { ROW_THREADS = 256 };

/* Copies n rows of `given` numbers to rows of `row` numbers in the program's
 * precision, up to the end of the last 16 bytes. */
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
launch_rows(koshu_interaction_program *program, size_t n, cudaStream_t stream)
{
    pair_memory *memory = &program->cuda->pairs;
    const size_t row = program->size.row, vector = 16 / sizeof(Real);
    const size_t all = blocks_for(n * row, vector) * vector;
    KOSHU_CUDA_TRY(memory->rows_j.reserve(all * sizeof(Real)));
    lay_rows<<<(unsigned)blocks_for(all, ROW_THREADS), ROW_THREADS, 0,
               stream>>>(memory->rows_j.as<Real>(),
                         memory->given_j.as<double>(), n,
                         (unsigned)program->n_j_fields, (unsigned)row, all);
    return cudaGetLastError();
}

/* Brings j-particles into the form that the kernels read. */
static cudaError_t
bring_j(koshu_interaction_program *program, size_t n, const double *j,
        const void **rows)
{
    pair_memory *memory = &program->cuda->pairs;
    const cudaStream_t stream = memory->lane[0].stream;
    const size_t bytes = n * program->n_j_fields * sizeof(double);
    KOSHU_CUDA_TRY(memory->given_j.reserve(bytes));
    KOSHU_CUDA_TRY(cudaMemcpyAsync(memory->given_j.as<void>(), j, bytes,
                                   cudaMemcpyHostToDevice, stream));
    const bool as_given = program->size.real == sizeof(double) &&
                          program->size.row == program->n_j_fields &&
                          bytes % 16 == 0;
    if (!as_given)
        KOSHU_CUDA_TRY(program->size.real == sizeof(float)
                               ? launch_rows<float>(program, n, stream)
                               : launch_rows<double>(program, n, stream));
    *rows = as_given ? memory->given_j.as<void>() : memory->rows_j.as<void>();
    KOSHU_CUDA_TRY(cudaEventRecord(memory->j_is_there, stream));
    return cudaStreamWaitEvent(memory->lane[1].stream, memory->j_is_there, 0);
}

/* ---- i-particles --------------------------------------------------------- */

/* The arguments of evaluate(). */
struct pair_call {
    koshu_interaction_program *program;
    size_t n_i, n_j;
    const double *i;
    const void *rows;       /* of j, on the device */
    const double *device_i; /* all i-particles, if they are also the
                             * j-particles */
    double *out;
    size_t i_chunk; /* i-particles per chunk, at most */
};

static cudaError_t
launch_pairs(const pair_call &call, pair_lane *lane, const pair_cut &cut,
             koshu_interaction_args args)
{
    const koshu_interaction_program *program = call.program;
    const pair_kernel &kernel = *cut.kernel;
    const size_t partials = cut.chunks > 1 ? cut.blocks * cut.chunks : 0;
    KOSHU_CUDA_TRY(lane->partial.reserve(partials * kernel.width() *
                                         program->size.n_outputs *
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
    return of_driver(program->driver.launch(
            kernel.function, (unsigned)cut.blocks, (unsigned)cut.chunks, 1,
            kernel.threads(), 1, 1, 0, lane->stream, arguments, nullptr));
}

/* Copies and sums the chunk that begins at `first`. */
static cudaError_t
start_i_chunk(const pair_call &call, pair_lane *lane, size_t first)
{
    const koshu_pair_size &size = call.program->size;
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
    return launch_pairs(call, lane, cut_for(call.program, n, call.n_j), args);
}

static cudaError_t
finish_i_chunk(const pair_call &call, pair_lane *lane, size_t first)
{
    const size_t n_outputs = call.program->size.n_outputs;
    const size_t n = std::min(call.i_chunk, call.n_i - first);
    return cudaMemcpyAsync(call.out + first * n_outputs, lane->out.as<double>(),
                           n * n_outputs * sizeof(double),
                           cudaMemcpyDeviceToHost, lane->stream);
}

/* Few i-particles are one chunk; with several, all copies but the first and
 * last are hidden. */
static size_t
i_chunk_for(size_t n_i)
{
    const size_t least = 16384, max_n = 1048576, chunks = 4;
    return std::min(max_n, std::max(least, blocks_for(n_i, chunks)));
}

static cudaError_t
run(pair_call *call, const double *j)
{
    koshu_interaction_program *program = call->program;
    pair_lane *lanes = program->cuda->pairs.lane;
    KOSHU_CUDA_TRY(bring_j(program, call->n_j, j, &call->rows));
    if (j == call->i && call->n_j == call->n_i &&
        program->n_j_fields == program->size.n_i_fields)
        call->device_i = program->cuda->pairs.given_j.as<double>();
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

cudaError_t
evaluate_pairs(koshu_interaction_program *program, size_t n_i, const double *i,
               size_t n_j, const double *j, double *out)
{
    pair_call call = {program, n_i, n_j, i, nullptr, nullptr, out, 0};
    cudaError_t error = run(&call, j);
    /* also after an error: the caller must be free to reuse its arrays */
    for (const pair_lane &lane : program->cuda->pairs.lane) {
        cudaError_t end = cudaStreamSynchronize(lane.stream);
        if (error == cudaSuccess) error = end;
    }
    return error;
}

} /* namespace koshu */
