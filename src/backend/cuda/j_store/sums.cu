/* SPDX-License-Identifier: MIT */
/* Sums over a j-particle store. */
#include <algorithm>
#include <cmath>
#include <cstring>

#include "backend/cuda/cuda.h"
#include "backend/cuda/particles/box.cuh"
#include "backend/cuda/j_store/store.cuh"

using namespace koshu;

/* i-particles that are summed per chunk, and that are only copied per chunk. */
enum { CHUNK = 65536, COPIED = 16384 };

/* ---- waiting ------------------------------------------------------------- */

/* Waits until the chunk of this number is done. */
static cudaError_t
wait_for(const koshu_cuda_j_store *m, uint64_t number)
{
    const unsigned long long interval = 4096;
    const volatile uint64_t *done = m->done.as<uint64_t>();
    for (unsigned long long polls = 1; *done < number; polls++) {
        if (polls % interval != 0) continue;
        cudaError_t error = cudaStreamQuery(m->cuda->stream);
        if (error == cudaErrorNotReady) continue;
        return *done < number && error == cudaSuccess ? cudaErrorUnknown
                                                      : error;
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return cudaSuccess;
}

cudaError_t
koshu::wait_for_chunk(const koshu_cuda_j_store *m, uint32_t k)
{
    return wait_for(m, m->first_number + k);
}

/* ---- preparation --------------------------------------------------------- */

unsigned
koshu::count_near_origin(const koshu_cuda_j_store *m, uint32_t n_j)
{
    const double near = 0x1p-60 * power_of_two(m->reach);
    if (m->least_reach >= near) return 0;
    unsigned n = 0;
    for (uint32_t j = 0; j < n_j && n < 2; j++)
        n += m->exponent[j] < ilogb(near);
    return n;
}

/* Only near the origin can two particles be at a very short distance: elsewhere
 * rounding keeps positions further apart. With pairs of floats, errors must
 * average out for mixed precision. */
const j_functions *
koshu::functions_for(koshu_precision precision, unsigned near_origin,
                     size_t n_j)
{
    if (near_origin > 1) return &j_functions_double;
    if (precision == KOSHU_PRECISION_SINGLE) return &j_functions_single;
    if (precision == KOSHU_PRECISION_MIXED && n_j >= JERK_FLOATS_FROM)
        return &j_functions_mixed;
    return &j_functions_double;
}

/* Units in which 1 / r^3 stays in range, and equal masses are exactly 1. */
static units
units_for(const koshu_cuda_j_store *m, double eps)
{
    units u = {1, 1};
    if (m->functions == &j_functions_double) return u;
    u.length = power_of_two(fmax(m->reach, eps));
    if (m->largest_mass > 0 && std::isfinite(m->largest_mass))
        u.mass = m->largest_mass;
    return u;
}

static bool
is_predicted(const koshu_cuda_j_store *m, const j_functions *functions,
             const units &u, double time, uint32_t n_j)
{
    return m->valid && m->functions == functions && m->last.time == time &&
           m->last.n_j >= n_j && m->last.u.length == u.length &&
           m->last.u.mass == u.mass;
}

/* i-particles from `first` on, at most max_n of a setup. */
static j_setup
chunk_of(const j_setup &all, uint32_t first, uint32_t max_n)
{
    j_setup s = all;
    s.n_i = std::min<uint32_t>(max_n, all.n_i - first);
    s.packed_i.base = static_cast<double2 *>(all.packed_i.base) + first;
    s.id_i += first;
    s.own += first;
    s.host_i += first;
    s.result += first;
    return s;
}

using j_sum_function = cudaError_t (*)(const koshu_cuda *, const j_setup &);

static cudaError_t
start_chunk(koshu_cuda_j_store *m, j_setup chunk, j_sum_function sum)
{
    chunk.number = m->number + 1;
    KOSHU_CUDA_TRY(sum(m->cuda, chunk));
    m->number++;
    return cudaSuccess;
}

/* Copies i-particles, packs them, and computes the results of each chunk;
 * without `sum`, no results yet. The device works on one chunk while the host
 * copies the next. */
static cudaError_t
start_copies(koshu_cuda_j_store *m, j_setup *s, const koshu_i_particle *i,
             j_sum_function sum)
{
    for (uint32_t first = 0; first < s->n_i; first += m->chunk) {
        const j_setup chunk = chunk_of(*s, first, m->chunk);
        memcpy(m->i.as<koshu_i_particle>() + first, i + first,
               chunk.n_i * sizeof *i);
        KOSHU_CUDA_TRY(m->functions->prepare(m->cuda, chunk));
        if (sum) KOSHU_CUDA_TRY(start_chunk(m, chunk, sum));
        s->predicts = false;
    }
    return cudaSuccess;
}

/* Would summing all j-particles on each other take less time than the requested
 * sums? If there are other parts, most i-particles are theirs. */
static bool
may_be_mutual(const koshu_cuda_j_store *m, const j_setup &s)
{
    return m->part.parts == 1 && s.n_j >= m->functions->mutual_from &&
           4 * (uint64_t)s.n_i >= 3 * (uint64_t)s.n_j;
}

/* Starts the sums of all j-particles on each other, if the i-particles are the
 * j-particles and there is memory. Waits for that comparison, which takes a few
 * microseconds, much less than the sums. */
static cudaError_t
start_mutual(koshu_cuda_j_store *m, const j_setup &s, bool *begun)
{
    uint32_t *differs = m->differs.as<uint32_t>();
    *differs = 0;
    *begun = false;
    KOSHU_CUDA_TRY(m->functions->compare(m->cuda, s, differs));
    KOSHU_CUDA_TRY(cudaStreamSynchronize(m->cuda->stream));
    if (*differs) return cudaSuccess;
    cudaError_t error = m->functions->mutual(m->cuda, s);
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError(); /* clears the error, lest another call report it */
        return cudaSuccess;
    }
    *begun = error == cudaSuccess;
    return error;
}

/* Starts all sums; if they may be mutual, after all i-particles have been
 * copied. */
static cudaError_t
start_sums(koshu_cuda_j_store *m, j_setup *s, const koshu_i_particle *i)
{
    const j_functions *f = m->functions;
    m->first_number = m->number + 1;
    m->chunk = CHUNK;
    if (!may_be_mutual(m, *s)) return start_copies(m, s, i, f->sum);
    m->chunk = COPIED;
    KOSHU_CUDA_TRY(start_copies(m, s, i, nullptr));
    bool mutual;
    KOSHU_CUDA_TRY(start_mutual(m, *s, &mutual));
    if (!mutual) m->chunk = CHUNK;
    for (uint32_t first = 0; first < s->n_i; first += m->chunk)
        KOSHU_CUDA_TRY(start_chunk(m, chunk_of(*s, first, m->chunk),
                                   mutual ? f->end_mutual : f->sum));
    return cudaSuccess;
}

static cudaError_t
reserve(koshu_cuda_j_store *m, const j_functions &functions, uint32_t n_i)
{
    const size_t n_j = whole_lines(m->base.capacity);
    const size_t point = functions.quads * 16;
    KOSHU_CUDA_TRY(m->packed_j.reserve(n_j * point));
    KOSHU_CUDA_TRY(m->id_j.reserve(n_j * sizeof(int64_t)));
    KOSHU_CUDA_TRY(m->packed_i.reserve(whole_lines(n_i) * point));
    KOSHU_CUDA_TRY(m->id_i.reserve(n_i * sizeof(int64_t)));
    KOSHU_CUDA_TRY(m->own.reserve(n_i * sizeof(uint32_t)));
    KOSHU_CUDA_TRY(m->i.reserve(n_i * sizeof(koshu_i_particle)));
    return m->result.reserve(n_i * sizeof(koshu_jerk_result));
}

static j_setup
setup_for(koshu_cuda_j_store *m, const j_request &request, uint32_t n_j)
{
    const uint32_t n_i = request.n_i;
    j_setup s = {};
    s.from = m->held;
    s.n_j = n_j;
    s.n_i = n_i;
    s.time = request.time;
    s.to_float = m->base.precision == KOSHU_PRECISION_SINGLE;
    s.eps = request.task.eps;
    s.nearest = request.task.nearest;
    s.packed_j = {m->packed_j.as<void>(), whole_lines(m->base.capacity)};
    s.packed_i = {m->packed_i.as<void>(), whole_lines(n_i)};
    s.id_j = m->id_j.as<int64_t>();
    s.id_i = m->id_i.as<int64_t>();
    s.own = m->own.as<uint32_t>();
    s.memory = &m->partial;
    s.host_i = m->i.as<koshu_i_particle>();
    s.result = m->result.as<koshu_jerk_result>();
    s.blocks_done = m->blocks_done.as<uint32_t>();
    s.done = m->done.as<uint64_t>();
    return s;
}

cudaError_t
koshu::start_j_sums(koshu_cuda_j_store *m, const j_request &request,
                    uint32_t n_j)
{
    KOSHU_CUDA_TRY(send_staged(m));
    KOSHU_CUDA_TRY(wait_for(m, m->number));
    const j_functions *functions = request.functions, *before = m->functions;
    m->functions = functions;
    const units u = units_for(m, request.task.eps);
    const bool predicts = before != functions ||
                          !is_predicted(m, functions, u, request.time, n_j);
    m->valid = false; /* until everything has succeeded */
    KOSHU_CUDA_TRY(reserve(m, *functions, request.n_i));
    j_setup s = setup_for(m, request, n_j);
    s.u = u;
    s.predicts = predicts;
    KOSHU_CUDA_TRY(make_table(m, n_j, &s.table));
    KOSHU_CUDA_TRY(start_sums(m, &s, request.i));
    m->last = s;
    m->valid = true;
    return cudaSuccess;
}

/* Copies the results of each chunk as soon as they are complete. */
static cudaError_t
read_results(const koshu_cuda_j_store *m, koshu_jerk_result *result)
{
    const j_setup &s = m->last;
    const size_t all = sizeof *result,
                 sums = offsetof(koshu_jerk_result, nearest_r2);
    uint32_t chunk = 0;
    for (uint32_t k = 0; k < s.n_i; k++) {
        if (k % m->chunk == 0) KOSHU_CUDA_TRY(wait_for_chunk(m, chunk++));
        memcpy(&result[k], &s.result[k], s.nearest ? all : sums);
    }
    return cudaSuccess;
}

/* ---- as in struct koshu_j_store_ops -------------------------------------- */

bool
koshu::j_store_can(const koshu_backend_j_store *store,
                   const koshu_jerk_task *task)
{
    const double max_eps =
            0x1p40; /* with a larger one, squared distances underflow a float */
    const auto *m = reinterpret_cast<const koshu_cuda_j_store *>(store);
    const double eps = task->eps / power_of_two(m->reach);
    return koshu_cuda_can_soften(store->precision, eps) &&
           (store->precision == KOSHU_PRECISION_DOUBLE || eps <= max_eps);
}

koshu_status
koshu::j_store_start(koshu_backend_j_store *store, const koshu_jerk_task *task,
                     double time, size_t n_j, size_t n_i,
                     const koshu_i_particle *i)
{
    koshu_cuda_j_store *m = own(store);
    const uint32_t all = (uint32_t)n_j;
    koshu_cuda_enter(m->cuda);
    const j_request request = {
            *task,
            functions_for(store->precision, count_near_origin(m, all), n_j),
            time, (uint32_t)n_i, i};
    const cudaError_t error = n_i < SEVERAL_OWN ? start_j_sums(m, request, all)
                                                : cudaErrorMemoryAllocation;
    return status_of(m->cuda, error, "beginning sums over j-particles");
}

koshu_status
koshu::j_store_wait(koshu_backend_j_store *store, koshu_jerk_result *result)
{
    const koshu_cuda_j_store *m = own(store);
    koshu_cuda_enter(m->cuda);
    return status_of(m->cuda, read_results(m, result),
                     "summing over j-particles");
}
