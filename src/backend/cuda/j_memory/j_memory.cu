/* SPDX-License-Identifier: MIT */
/*
 * The memory of j-particles: slots in double on the device, and what the last
 * sum read and wrote. The kernels read i-particles from host memory and write
 * results there themselves, and a number that tells that they are done: a
 * call for few i-particles waits for no copy and no event.
 */
#include "backend/cuda/j_memory/j_memory.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>

#include "backend/cuda/box.cuh"
#include "backend/cuda/j_memory/functions.cuh"

using namespace koshu;

/* Particles that set() sends in one piece; i-particles that are summed in one,
 * and that are only copied in one. */
enum { STAGED = 4096, STAGES = 2, PIECE = 65536, COPIED = 16384 };

namespace {

/* Host memory that the device reads and writes; grown like a buffer. */
class host_buffer {
  public:
    host_buffer() = default;
    host_buffer(const host_buffer &) = delete;
    host_buffer &operator=(const host_buffer &) = delete;
    ~host_buffer()
    {
        cudaFreeHost(memory);
    }
    /* What was in it is lost when it grows; nothing may be using it. */
    cudaError_t reserve(size_t bytes)
    {
        if (bytes <= size) return cudaSuccess;
        cudaFreeHost(memory);
        memory = nullptr;
        size = 0;
        KOSHU_CUDA_TRY(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped));
        size = bytes;
        return cudaSuccess;
    }
    template <class T> T *as() const
    {
        return static_cast<T *>(memory);
    }

  private:
    void *memory = nullptr;
    size_t size = 0;
};

/* Particles on their way to their slots. */
struct stage {
    host_buffer address, particles;
    bool busy;
    uint64_t before; /* the piece of sums that comes after them */
};

} /* namespace */

struct koshu_cuda_j_memory {
    koshu_cuda *cuda;
    koshu_precision precision;

    size_t capacity;
    buffer slot_memory;
    slots held;
    double reach, largest_mass; /* of all particles so far */

    stage stages[STAGES];
    int next_stage;

    /* The first `entered` slots' ids are in the table. */
    int64_t *ids; /* of all slots: a copy */
    uint32_t entered;
    buffer table;

    /* Packed j-particles: what they are. */
    buffer packed_j, id_j;
    bool valid; /* no slot has been written since */
    j_setup last;

    buffer packed_i, id_i, own, partial, blocks_done;
    host_buffer i, result, done, differs;
    uint64_t number;       /* pieces begun */
    uint64_t first_number; /* of the last sums, */
    uint32_t piece;        /* each of so many i-particles */
    const j_functions *functions;

    buffer in_slice, list;
    host_buffer count, start;
};

/* ---- waiting ------------------------------------------------------------ */

/* Until the piece of this number is done. */
static cudaError_t
wait_for(koshu_cuda_j_memory *m, uint64_t number)
{
    const unsigned long long looks = 4096;
    const volatile uint64_t *done = m->done.as<uint64_t>();
    for (unsigned long long look = 1; *done < number; look++) {
        if (look % looks != 0) continue;
        cudaError_t error = cudaStreamQuery(m->cuda->stream);
        if (error == cudaErrorNotReady) continue;
        return *done < number && error == cudaSuccess ? cudaErrorUnknown
                                                      : error;
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return cudaSuccess;
}

/* ---- life --------------------------------------------------------------- */

static size_t
whole_lines(size_t n)
{
    const size_t line = 32;
    return (n + line - 1) / line * line;
}

/* Slots of a new capacity; what is in the present ones is copied. */
static cudaError_t
grow(koshu_cuda_j_memory *m, size_t capacity)
{
    if (capacity >= SEVERAL_OWN - JERK_CHUNK) return cudaErrorMemoryAllocation;
    const size_t word = sizeof(double), stride = whole_lines(capacity);
    const size_t bytes = SLOT_WORDS * stride * word;
    buffer fresh;
    KOSHU_CUDA_TRY(fresh.reserve(bytes));
    int64_t *ids = (int64_t *)realloc(m->ids, capacity * sizeof *ids);
    if (!ids) return cudaErrorMemoryAllocation;
    m->ids = ids;
    for (size_t k = m->capacity; k < capacity; k++) ids[k] = (int64_t)k;
    const slots to = {fresh.as<double>(), stride};
    cudaStream_t stream = m->cuda->stream;
    KOSHU_CUDA_TRY(cudaMemsetAsync(to.word, 0, bytes, stream));
    if (m->capacity > 0)
        KOSHU_CUDA_TRY(cudaMemcpy2DAsync(to.word, stride * word, m->held.word,
                                         m->held.stride * word,
                                         m->capacity * word, SLOT_WORDS,
                                         cudaMemcpyDeviceToDevice, stream));
    const size_t added = capacity - m->capacity;
    KOSHU_CUDA_TRY(launch(m->cuda, number_slots,
                          (unsigned)((added + J_THREADS - 1) / J_THREADS),
                          J_THREADS, 0, to, (uint32_t)m->capacity,
                          (uint32_t)capacity));
    KOSHU_CUDA_TRY(cudaStreamSynchronize(stream));
    m->slot_memory.swap(fresh);
    m->held = to;
    m->capacity = capacity;
    m->valid = false;
    return cudaSuccess;
}

static cudaError_t
create(koshu_cuda_j_memory *m, size_t capacity)
{
    KOSHU_CUDA_TRY(m->done.reserve(sizeof(uint64_t)));
    *m->done.as<uint64_t>() = 0;
    KOSHU_CUDA_TRY(m->differs.reserve(sizeof(uint32_t)));
    KOSHU_CUDA_TRY(m->blocks_done.reserve(sizeof(uint32_t)));
    KOSHU_CUDA_TRY(cudaMemsetAsync(m->blocks_done.as<void>(), 0,
                                   sizeof(uint32_t), m->cuda->stream));
    for (stage &s : m->stages) {
        KOSHU_CUDA_TRY(s.address.reserve(STAGED * sizeof(uint32_t)));
        KOSHU_CUDA_TRY(s.particles.reserve(STAGED * sizeof(koshu_j_particle)));
    }
    return grow(m, capacity);
}

int
koshu_cuda_j_memory_create(struct koshu_cuda *cuda,
                           enum koshu_precision precision, size_t capacity,
                           struct koshu_cuda_j_memory **memory)
{
    *memory = nullptr;
    void *place = calloc(1, sizeof(koshu_cuda_j_memory));
    if (!place) return cudaErrorMemoryAllocation;
    koshu_cuda_j_memory *m = new (place) koshu_cuda_j_memory();
    m->cuda = cuda;
    m->precision = precision;
    cudaError_t error = create(m, capacity);
    if (error == cudaSuccess)
        *memory = m;
    else
        koshu_cuda_j_memory_destroy(m);
    return error;
}

void
koshu_cuda_j_memory_destroy(struct koshu_cuda_j_memory *memory)
{
    if (!memory) return;
    cudaStreamSynchronize(memory->cuda->stream);
    free(memory->ids);
    memory->~koshu_cuda_j_memory();
    free(memory);
}

int
koshu_cuda_j_memory_reserve(struct koshu_cuda_j_memory *memory, size_t capacity)
{
    return capacity > memory->capacity ? grow(memory, capacity) : cudaSuccess;
}

/* ---- particles ---------------------------------------------------------- */

/* A stage that nothing reads any more. */
static cudaError_t
free_stage(koshu_cuda_j_memory *m, stage **found)
{
    stage *s = &m->stages[m->next_stage];
    m->next_stage = (m->next_stage + 1) % STAGES;
    const volatile uint64_t *done = m->done.as<uint64_t>();
    if (s->busy && *done < s->before)
        KOSHU_CUDA_TRY(cudaStreamSynchronize(m->cuda->stream));
    s->busy = false;
    *found = s;
    return cudaSuccess;
}

/* What the host keeps in mind of a particle. */
static void
note(koshu_cuda_j_memory *m, size_t address, const koshu_j_particle *p)
{
    if (m->ids[address] != p->id) {
        m->ids[address] = p->id;
        if (address < m->entered) m->entered = 0;
    }
    m->largest_mass = fmax(m->largest_mass, fabs(p->mass));
    for (double x : p->x) m->reach = fmax(m->reach, fabs(x));
}

/* Particles first ... first + n - 1 of an array. */
static cudaError_t
send(koshu_cuda_j_memory *m, size_t first, size_t n, const uint64_t *address,
     const koshu_j_particle *particles)
{
    stage *s;
    KOSHU_CUDA_TRY(free_stage(m, &s));
    uint32_t *to = s->address.as<uint32_t>();
    for (size_t k = 0; k < n; k++) {
        to[k] = (uint32_t)(address ? address[first + k] : first + k);
        note(m, to[k], &particles[first + k]);
    }
    memcpy(s->particles.as<void>(), particles + first, n * sizeof *particles);
    const size_t threads = n * SLOT_WORDS;
    KOSHU_CUDA_TRY(launch(m->cuda, scatter,
                          (unsigned)((threads + J_THREADS - 1) / J_THREADS),
                          J_THREADS, 0, m->held, to,
                          s->particles.as<koshu_j_particle>(), (uint32_t)n));
    s->busy = true;
    s->before = m->number + 1;
    m->valid = false;
    return cudaSuccess;
}

int
koshu_cuda_j_memory_set(struct koshu_cuda_j_memory *memory, size_t n,
                        const uint64_t *address,
                        const struct koshu_j_particle *particles)
{
    const size_t most = STAGED;
    for (size_t first = 0; first < n; first += most)
        KOSHU_CUDA_TRY(send(memory, first, std::min(most, n - first), address,
                            particles));
    return cudaSuccess;
}

/* ---- sums --------------------------------------------------------------- */

/* The table of the first n_j slots' ids. (Entries of slots beyond n_j do no
 * harm: an address there is no j-particle, and where an id is not the only
 * one, all j-particles are asked for theirs.) */
static cudaError_t
enter(koshu_cuda_j_memory *m, uint32_t n_j, id_table *table)
{
    size_t size = 1;
    while (size < 2 * (size_t)(m->entered < n_j ? n_j : m->entered)) size *= 2;
    *table = {m->table.as<id_entry>(), (uint32_t)(size - 1)};
    if (m->entered >= n_j) return cudaSuccess;
    KOSHU_CUDA_TRY(m->table.reserve(size * sizeof(id_entry)));
    table->entry = m->table.as<id_entry>();
    KOSHU_CUDA_TRY(cudaMemsetAsync(table->entry, 0xff, size * sizeof(id_entry),
                                   m->cuda->stream));
    KOSHU_CUDA_TRY(launch(m->cuda, enter_ids, (n_j + J_THREADS - 1) / J_THREADS,
                          J_THREADS, 0, *table, m->held, n_j));
    m->entered = n_j;
    return cudaSuccess;
}

/* Of pairs in floats the errors must average out for mixed precision. */
static const j_functions *
functions_for(const koshu_cuda_j_memory *m, uint32_t n_j)
{
    if (m->precision == KOSHU_SINGLE) return &j_functions_single;
    if (m->precision == KOSHU_MIXED && n_j >= JERK_FLOATS_FROM)
        return &j_functions_mixed;
    return &j_functions_double;
}

/* 1 / r^3 stays in range, and equal masses are exactly 1. */
static units
units_for(const koshu_cuda_j_memory *m)
{
    units u = {1, 1};
    if (m->functions == &j_functions_double) return u;
    u.length = power_of_two(m->reach);
    if (m->largest_mass > 0 && std::isfinite(m->largest_mass))
        u.mass = m->largest_mass;
    return u;
}

static cudaError_t
reserve_i(koshu_cuda_j_memory *m, uint32_t n_i)
{
    const size_t points = whole_lines(n_i) * m->functions->quads * 16;
    KOSHU_CUDA_TRY(m->packed_i.reserve(points));
    KOSHU_CUDA_TRY(m->id_i.reserve(n_i * sizeof(int64_t)));
    KOSHU_CUDA_TRY(m->own.reserve(n_i * sizeof(uint32_t)));
    KOSHU_CUDA_TRY(m->i.reserve(n_i * sizeof(koshu_i_particle)));
    return m->result.reserve(n_i * sizeof(koshu_jerk_result));
}

/* Does prediction have to be done? */
static bool
is_predicted(const koshu_cuda_j_memory *m, const j_functions *functions,
             const units &u, double time, uint32_t n_j)
{
    return m->valid && m->functions == functions && m->last.time == time &&
           m->last.n_j >= n_j && m->last.u.length == u.length &&
           m->last.u.mass == u.mass;
}

/* i-particles first ... of a setup, at most so many. */
static j_setup
piece_of(const j_setup &all, uint32_t first, uint32_t most)
{
    j_setup s = all;
    s.n_i = std::min<uint32_t>(most, all.n_i - first);
    s.packed_i.base = static_cast<double2 *>(all.packed_i.base) + first;
    s.id_i += first;
    s.own += first;
    s.i += first;
    s.result += first;
    return s;
}

using j_sum_function = cudaError_t (*)(const koshu_cuda *, const j_setup &);

/* Begins what makes the results of a piece. */
static cudaError_t
begin_piece(koshu_cuda_j_memory *m, j_setup piece, j_sum_function sum)
{
    piece.number = m->number + 1;
    KOSHU_CUDA_TRY(sum(m->cuda, piece));
    m->number++;
    return cudaSuccess;
}

/* Copies i-particles, packs them, and makes the results of each piece; no
 * `sum`: not yet. The device works on one while the host copies the next. */
static cudaError_t
begin_copies(koshu_cuda_j_memory *m, j_setup *s, const koshu_i_particle *i,
             j_sum_function sum)
{
    for (uint32_t first = 0; first < s->n_i; first += m->piece) {
        const j_setup piece = piece_of(*s, first, m->piece);
        memcpy(m->i.as<koshu_i_particle>() + first, i + first,
               piece.n_i * sizeof *i);
        KOSHU_CUDA_TRY(m->functions->prepare(m->cuda, piece));
        if (sum) KOSHU_CUDA_TRY(begin_piece(m, piece, sum));
        s->predicts = false;
    }
    return cudaSuccess;
}

/* Would the sums of all j-particles on each other take less time than those
 * asked for? */
static bool
may_be_mutual(const koshu_cuda_j_memory *m, const j_setup &s)
{
    return s.n_j >= m->functions->mutual_from &&
           4 * (uint64_t)s.n_i >= 3 * (uint64_t)s.n_j;
}

/* Begins the sums of all j-particles on each other, where the i-particles are
 * such and there is memory for it. Waits until the former is known: that takes
 * some microseconds of the many that the sums take. */
static cudaError_t
begin_mutual(koshu_cuda_j_memory *m, const j_setup &s, bool *begun)
{
    uint32_t *differs = m->differs.as<uint32_t>();
    *differs = 0;
    *begun = false;
    KOSHU_CUDA_TRY(m->functions->compare(m->cuda, s, differs));
    KOSHU_CUDA_TRY(cudaStreamSynchronize(m->cuda->stream));
    if (*differs) return cudaSuccess;
    cudaError_t error = m->functions->mutual(m->cuda, s);
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError(); /* so that it is not taken for another's */
        return cudaSuccess;
    }
    *begun = error == cudaSuccess;
    return error;
}

/* Begins all sums; where they may be mutual, after all i-particles are there.
 */
static cudaError_t
begin_sums(koshu_cuda_j_memory *m, j_setup *s, const koshu_i_particle *i)
{
    const j_functions *f = m->functions;
    m->first_number = m->number + 1;
    m->piece = PIECE;
    if (!may_be_mutual(m, *s)) return begin_copies(m, s, i, f->sum);
    m->piece = COPIED;
    KOSHU_CUDA_TRY(begin_copies(m, s, i, nullptr));
    bool mutual;
    KOSHU_CUDA_TRY(begin_mutual(m, *s, &mutual));
    if (!mutual) m->piece = PIECE;
    for (uint32_t first = 0; first < s->n_i; first += m->piece)
        KOSHU_CUDA_TRY(begin_piece(m, piece_of(*s, first, m->piece),
                                   mutual ? f->end_mutual : f->sum));
    return cudaSuccess;
}

static cudaError_t
begin(koshu_cuda_j_memory *m, const koshu_jerk_task &task, double time,
      uint32_t n_j, uint32_t n_i, const koshu_i_particle *i)
{
    KOSHU_CUDA_TRY(wait_for(m, m->number));
    const j_functions *functions = functions_for(m, n_j);
    const j_functions *before = m->functions;
    m->functions = functions;
    j_setup s = {};
    s.u = units_for(m);
    s.predicts =
            before != functions || !is_predicted(m, functions, s.u, time, n_j);
    m->valid = false; /* until all went well */
    const size_t stride = whole_lines(m->capacity);
    KOSHU_CUDA_TRY(m->packed_j.reserve(stride * functions->quads * 16));
    KOSHU_CUDA_TRY(m->id_j.reserve(stride * sizeof(int64_t)));
    KOSHU_CUDA_TRY(reserve_i(m, n_i));
    KOSHU_CUDA_TRY(enter(m, n_j, &s.table));
    s.from = m->held;
    s.n_j = n_j;
    s.n_i = n_i;
    s.time = time;
    s.rounds = m->precision == KOSHU_SINGLE;
    s.eps = task.eps;
    s.nearest = task.nearest;
    s.packed_j = {m->packed_j.as<void>(), stride};
    s.packed_i = {m->packed_i.as<void>(), whole_lines(n_i)};
    s.id_j = m->id_j.as<int64_t>();
    s.id_i = m->id_i.as<int64_t>();
    s.own = m->own.as<uint32_t>();
    s.partial = &m->partial;
    s.i = m->i.as<koshu_i_particle>();
    s.result = m->result.as<koshu_jerk_result>();
    s.blocks_done = m->blocks_done.as<uint32_t>();
    s.done = m->done.as<uint64_t>();
    KOSHU_CUDA_TRY(begin_sums(m, &s, i));
    m->last = s;
    m->valid = true;
    return cudaSuccess;
}

int
koshu_cuda_j_memory_begin(struct koshu_cuda_j_memory *memory,
                          const struct koshu_jerk_task *task, double time,
                          size_t n_j, size_t n_i,
                          const struct koshu_i_particle *i)
{
    if (n_i >= SEVERAL_OWN) return cudaErrorMemoryAllocation;
    return begin(memory, *task, time, (uint32_t)n_j, (uint32_t)n_i, i);
}

int
koshu_cuda_j_memory_end(struct koshu_cuda_j_memory *memory,
                        struct koshu_jerk_result *result)
{
    const j_setup &s = memory->last;
    const size_t all = sizeof *result,
                 sums = offsetof(koshu_jerk_result, nearest_r2);
    uint64_t number = memory->first_number;
    for (uint32_t k = 0; k < s.n_i; k++) {
        if (k % memory->piece == 0) KOSHU_CUDA_TRY(wait_for(memory, number++));
        memcpy(&result[k], &s.result[k], s.nearest ? all : sums);
    }
    return cudaSuccess;
}

/* ---- neighbours --------------------------------------------------------- */

/* Slices that keep the multiprocessors busy. */
static j_neighbours
cut_neighbours(const koshu_cuda_j_memory *m)
{
    const size_t warps = 32 * m->cuda->multiprocessors, together = 4;
    const size_t chunks = (m->last.n_j + WARP - 1) / WARP;
    const size_t groups = (m->last.n_i + WARP - 1) / WARP;
    size_t slices = (warps / groups + together) / together * together;
    const size_t most = (chunks + together - 1) / together * together;
    if (slices > most) slices = most;
    j_neighbours n = {};
    n.slices = (uint32_t)slices;
    n.span = (uint32_t)((chunks + slices - 1) / slices * WARP);
    return n;
}

/* Lists that follow each other without gaps, to the caller's. */
static cudaError_t
fetch_lists(koshu_cuda_j_memory *m, const j_neighbours &n, uint64_t total,
            uint64_t *address)
{
    const size_t bytes = total * sizeof(uint32_t);
    uint32_t *list = (uint32_t *)malloc(bytes);
    if (!list) return cudaErrorMemoryAllocation;
    cudaError_t error = cudaMemcpyAsync(
            list, n.list, bytes, cudaMemcpyDeviceToHost, m->cuda->stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(m->cuda->stream);
    for (uint32_t i = 0; i < m->last.n_i && error == cudaSuccess; i++) {
        const uint64_t has = n.count[i] < n.most ? n.count[i] : n.most;
        for (uint64_t k = 0; k < has; k++)
            address[i * n.most + k] = list[n.start[i] + k];
    }
    free(list);
    return error;
}

int
koshu_cuda_j_memory_neighbours(struct koshu_cuda_j_memory *memory, size_t most,
                               uint64_t *count, uint64_t *address)
{
    koshu_cuda_j_memory *m = memory;
    const uint32_t n_i = m->last.n_i;
    j_neighbours n = cut_neighbours(m);
    KOSHU_CUDA_TRY(
            m->in_slice.reserve((size_t)n.slices * n_i * sizeof(uint32_t)));
    KOSHU_CUDA_TRY(m->count.reserve(n_i * sizeof(uint64_t)));
    KOSHU_CUDA_TRY(m->start.reserve(n_i * sizeof(uint64_t)));
    n.in_slice = m->in_slice.as<uint32_t>();
    n.most = most;
    n.count = m->count.as<uint64_t>();
    uint64_t *start = m->start.as<uint64_t>();
    n.start = start;
    KOSHU_CUDA_TRY(m->functions->count(m->cuda, m->last, n));
    KOSHU_CUDA_TRY(cudaStreamSynchronize(m->cuda->stream));
    uint64_t total = 0;
    for (uint32_t i = 0; i < n_i; i++) {
        start[i] = total;
        total += n.count[i] < most ? n.count[i] : most;
        count[i] = n.count[i];
    }
    if (total == 0) return cudaSuccess;
    KOSHU_CUDA_TRY(m->list.reserve(total * sizeof(uint32_t)));
    n.list = m->list.as<uint32_t>();
    KOSHU_CUDA_TRY(m->functions->list(m->cuda, m->last, n));
    return fetch_lists(m, n, total, address);
}
