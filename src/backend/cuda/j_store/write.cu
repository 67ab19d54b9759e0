/* SPDX-License-Identifier: MIT */
/* What a j-particle store holds. */
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>

#include "backend/cuda/j_store/j_store.h"
#include "backend/cuda/j_store/store.cuh"
#include "backend/cuda/j_store/write.cuh"

using namespace koshu;

/* ---- life --------------------------------------------------------------- */

/* Memory of a new capacity; the present particles are copied. */
static cudaError_t
grow(koshu_cuda_j_store *m, size_t capacity)
{
    if (capacity >= SEVERAL_OWN - JERK_CHUNK) return cudaErrorMemoryAllocation;
    const size_t word = sizeof(double), stride = whole_lines(capacity);
    const size_t bytes = STORED_WORDS * stride * word;
    buffer fresh;
    KOSHU_CUDA_TRY(fresh.reserve(bytes));
    int64_t *ids = (int64_t *)realloc(m->ids, capacity * sizeof *ids);
    if (!ids) return cudaErrorMemoryAllocation;
    m->ids = ids;
    for (size_t k = m->capacity; k < capacity; k++) ids[k] = (int64_t)k;
    int16_t *exponent =
            (int16_t *)realloc(m->exponent, capacity * sizeof *exponent);
    if (!exponent) return cudaErrorMemoryAllocation;
    m->exponent = exponent;
    for (size_t k = m->capacity; k < capacity; k++) exponent[k] = INT16_MAX;
    const stored to = {fresh.as<double>(), stride};
    cudaStream_t stream = m->cuda->stream;
    KOSHU_CUDA_TRY(cudaMemsetAsync(to.word, 0, bytes, stream));
    if (m->capacity > 0)
        KOSHU_CUDA_TRY(cudaMemcpy2DAsync(to.word, stride * word, m->held.word,
                                         m->held.stride * word,
                                         m->capacity * word, STORED_WORDS,
                                         cudaMemcpyDeviceToDevice, stream));
    const size_t added = capacity - m->capacity;
    KOSHU_CUDA_TRY(launch(m->cuda, number_particles,
                          (unsigned)((added + J_THREADS - 1) / J_THREADS),
                          J_THREADS, 0, to, (uint32_t)m->capacity,
                          (uint32_t)capacity));
    KOSHU_CUDA_TRY(cudaStreamSynchronize(stream));
    m->stored_memory.swap(fresh);
    m->held = to;
    m->capacity = capacity;
    m->valid = false;
    return cudaSuccess;
}

static cudaError_t
create(koshu_cuda_j_store *m, size_t capacity)
{
    KOSHU_CUDA_TRY(m->done.reserve(sizeof(uint64_t)));
    *m->done.as<uint64_t>() = 0;
    KOSHU_CUDA_TRY(m->differs.reserve(sizeof(uint32_t)));
    KOSHU_CUDA_TRY(m->blocks_done.reserve(sizeof(uint32_t)));
    KOSHU_CUDA_TRY(cudaMemsetAsync(m->blocks_done.as<void>(), 0,
                                   sizeof(uint32_t), m->cuda->stream));
    for (j_stage &s : m->stages) {
        KOSHU_CUDA_TRY(s.address.reserve(STAGED * sizeof(uint32_t)));
        KOSHU_CUDA_TRY(s.particles.reserve(STAGED * sizeof(koshu_j_particle)));
    }
    return grow(m, capacity);
}

int
koshu_cuda_j_store_create(struct koshu_cuda *cuda,
                          enum koshu_precision precision, size_t capacity,
                          struct koshu_cuda_j_store **memory)
{
    *memory = nullptr;
    void *place = calloc(1, sizeof(koshu_cuda_j_store));
    if (!place) return cudaErrorMemoryAllocation;
    koshu_cuda_j_store *m = new (place) koshu_cuda_j_store();
    m->cuda = cuda;
    m->precision = precision;
    m->least_reach = INFINITY;
    cudaError_t error = create(m, capacity);
    if (error == cudaSuccess)
        *memory = m;
    else
        koshu_cuda_j_store_destroy(m);
    return error;
}

void
koshu_cuda_j_store_destroy(struct koshu_cuda_j_store *memory)
{
    if (!memory) return;
    cudaStreamSynchronize(memory->cuda->stream);
    free(memory->ids);
    free(memory->exponent);
    memory->~koshu_cuda_j_store();
    free(memory);
}

int
koshu_cuda_j_store_reserve(struct koshu_cuda_j_store *memory, size_t capacity)
{
    return capacity > memory->capacity ? grow(memory, capacity) : cudaSuccess;
}

/* ---- particles ---------------------------------------------------------- */

/* A stage that nothing reads any more. */
static cudaError_t
free_stage(koshu_cuda_j_store *m, j_stage **found)
{
    j_stage *s = &m->stages[m->next_stage];
    m->next_stage = (m->next_stage + 1) % STAGES;
    const volatile uint64_t *done = m->done.as<uint64_t>();
    if (s->busy && *done < s->before)
        KOSHU_CUDA_TRY(cudaStreamSynchronize(m->cuda->stream));
    s->busy = false;
    *found = s;
    return cudaSuccess;
}

/* As ilogb() has it, within 16 bits. */
static int16_t
exponent_of(double x)
{
    if (!std::isfinite(x)) return INT16_MAX;
    return (int16_t)(x > 0 ? ilogb(x) : -INT16_MAX);
}

/* What the host keeps of a particle. */
static void
note(koshu_cuda_j_store *m, size_t address, const koshu_j_particle *p)
{
    if (m->ids[address] != p->id) {
        m->ids[address] = p->id;
        if (address < m->entered) m->entered = 0;
    }
    m->exponent[address] = INT16_MAX;
    if (p->mass == 0)
        return; /* far away where a caller has put it out of use */
    double reach = 0;
    for (double x : p->x) reach = fmax(reach, fabs(x));
    m->exponent[address] = exponent_of(reach);
    m->largest_mass = fmax(m->largest_mass, fabs(p->mass));
    m->reach = fmax(m->reach, reach);
    if (reach > 0) m->least_reach = fmin(m->least_reach, reach);
}

/* Particles first ... first + n - 1 of an array. */
static cudaError_t
send(koshu_cuda_j_store *m, size_t first, size_t n, const uint64_t *address,
     const koshu_j_particle *particles)
{
    j_stage *s;
    KOSHU_CUDA_TRY(free_stage(m, &s));
    uint32_t *to = s->address.as<uint32_t>();
    for (size_t k = 0; k < n; k++) {
        to[k] = (uint32_t)(address ? address[first + k] : first + k);
        note(m, to[k], &particles[first + k]);
    }
    memcpy(s->particles.as<void>(), particles + first, n * sizeof *particles);
    const size_t threads = n * STORED_WORDS;
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
koshu_cuda_j_store_set(struct koshu_cuda_j_store *memory, size_t n,
                       const uint64_t *address,
                       const struct koshu_j_particle *particles)
{
    const size_t max_n = STAGED;
    for (size_t first = 0; first < n; first += max_n)
        KOSHU_CUDA_TRY(send(memory, first, std::min(max_n, n - first), address,
                            particles));
    return cudaSuccess;
}

/* ---- ids ---------------------------------------------------------------- */

cudaError_t
koshu::enter(koshu_cuda_j_store *m, uint32_t n_j, id_table *table)
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
