/* SPDX-License-Identifier: MIT */
/* A j-particle store on a device: creation, memory, and its particles. */
#include <cmath>
#include <cstdlib>

#include "backend/cuda/cuda.h"
#include "backend/cuda/j_store/store.cuh"

using namespace koshu;

/* ---- life ---------------------------------------------------------------- */

static cudaError_t
open_buffers(koshu_cuda_j_store *m)
{
    KOSHU_CUDA_TRY(m->done.reserve(sizeof(uint64_t)));
    *m->done.as<uint64_t>() = 0;
    KOSHU_CUDA_TRY(m->differs.reserve(sizeof(uint32_t)));
    KOSHU_CUDA_TRY(m->blocks_done.reserve(sizeof(uint32_t)));
    KOSHU_CUDA_TRY(cudaMemsetAsync(m->blocks_done.as<void>(), 0,
                                   sizeof(uint32_t), m->cuda->stream));
    for (j_stage &s : m->stages) {
        KOSHU_CUDA_TRY(s.index.reserve(STAGED * sizeof(uint32_t)));
        KOSHU_CUDA_TRY(s.particles.reserve(STAGED * sizeof(koshu_j_particle)));
    }
    return cudaSuccess;
}

cudaError_t
koshu::open_j_store(koshu_cuda_j_store *m, koshu_cuda *cuda)
{
    m->cuda = cuda;
    m->least_reach = INFINITY;
    return open_buffers(m);
}

void
koshu::close_j_store(koshu_cuda_j_store *m)
{
    koshu_cuda_enter(m->cuda);
    cudaStreamSynchronize(m->cuda->stream);
    free(m->ids);
    free(m->exponent);
    free(m->place);
}

/* ---- kernels ------------------------------------------------------------- */

/* Particles first ... end - 1, which are zero, get their indices as ids, and
 * the time NEVER_SET. */
static __global__ void
__launch_bounds__(J_THREADS)
        number_particles(const __grid_constant__ stored to, koshu_j_part part,
                         uint32_t first, uint32_t end)
{
    wait_for_previous_kernel();
    const uint32_t k = first + blockIdx.x * J_THREADS + threadIdx.x;
    if (k >= end) return;
    to.id()[k] = (int64_t)((uint64_t)k * part.parts + part.part);
    to.time_bits()[k] = NEVER_SET;
}

/* Stores n particles from host memory, with one thread per word; all addresses
 * differ. */
static __global__ void
__launch_bounds__(J_THREADS)
        scatter(const __grid_constant__ stored to, const uint32_t *address,
                const koshu_j_particle *particles, uint32_t n)
{
    wait_for_previous_kernel();
    const uint32_t k = blockIdx.x * J_THREADS + threadIdx.x;
    if (k >= n * STORED_WORDS) return;
    const double *from = reinterpret_cast<const double *>(particles);
    to.of(k % STORED_WORDS)[address[k / STORED_WORDS]] = from[k];
}

/* Enters the ids of particles 0 ... n - 1. The result does not depend on the
 * order. */
static __global__ void
__launch_bounds__(J_THREADS)
        enter_ids(const __grid_constant__ id_table table,
                  const __grid_constant__ stored from, uint32_t n)
{
    wait_for_previous_kernel();
    const uint32_t address = blockIdx.x * J_THREADS + threadIdx.x;
    if (address >= n) return;
    const int64_t id = from.id()[address];
    for (uint32_t k = table.place(id);; k = (k + 1) & table.mask) {
        id_entry *e = &table.entry[k];
        const uint32_t there = atomicCAS(&e->address, EMPTY, address);
        if (there == EMPTY) return;
        if (from.id()[there] != id) continue;
        atomicMin(&e->address, address);
        e->unique = 0;
        return;
    }
}

/* ---- memory -------------------------------------------------------------- */

template <class T>
static bool
enlarge(T **array, size_t n)
{
    T *larger = (T *)realloc(*array, n * sizeof **array);
    if (larger) *array = larger;
    return larger != nullptr;
}

static cudaError_t
grow_host(koshu_cuda_j_store *m, size_t capacity)
{
    if (!enlarge(&m->ids, capacity) || !enlarge(&m->exponent, capacity) ||
        !enlarge(&m->place, capacity))
        return cudaErrorMemoryAllocation;
    for (size_t k = m->base.capacity; k < capacity; k++) {
        m->ids[k] = (int64_t)koshu_j_part_index(m->part, k);
        m->exponent[k] = INT16_MAX;
        m->place[k] = 0;
    }
    return cudaSuccess;
}

/* Allocates memory for a new capacity; existing particles are copied. */
static cudaError_t
grow_device(koshu_cuda_j_store *m, size_t capacity)
{
    const size_t word = sizeof(double), stride = whole_lines(capacity);
    const size_t bytes = STORED_WORDS * stride * word, now = m->base.capacity;
    buffer fresh;
    KOSHU_CUDA_TRY(fresh.reserve(bytes));
    const stored to = {fresh.as<double>(), stride};
    cudaStream_t stream = m->cuda->stream;
    KOSHU_CUDA_TRY(cudaMemsetAsync(to.word, 0, bytes, stream));
    if (now > 0)
        KOSHU_CUDA_TRY(cudaMemcpy2DAsync(
                to.word, stride * word, m->held.word, m->held.stride * word,
                now * word, STORED_WORDS, cudaMemcpyDeviceToDevice, stream));
    KOSHU_CUDA_TRY(launch(m->cuda, number_particles,
                          (unsigned)blocks_for(capacity - now, J_THREADS),
                          J_THREADS, 0, to, m->part, (uint32_t)now,
                          (uint32_t)capacity));
    KOSHU_CUDA_TRY(cudaStreamSynchronize(stream));
    m->stored_memory.swap(fresh);
    m->held = to;
    m->valid = false;
    return cudaSuccess;
}

cudaError_t
koshu::grow_j_store(koshu_cuda_j_store *m, size_t capacity)
{
    if (capacity >= SEVERAL_OWN - JERK_CHUNK) return cudaErrorMemoryAllocation;
    KOSHU_CUDA_TRY(grow_host(m, capacity));
    return grow_device(m, capacity);
}

koshu_status
koshu::j_store_reserve(koshu_backend_j_store *store, size_t capacity)
{
    koshu_cuda_j_store *m = own(store);
    koshu_cuda_enter(m->cuda);
    return status_of(m->cuda, grow_j_store(m, capacity),
                     "making room for j-particles on the device");
}

/* ---- particles ----------------------------------------------------------- */

/* Like ilogb(), limited to 16 bits. */
static int16_t
exponent_of(double x)
{
    if (!std::isfinite(x)) return INT16_MAX;
    return (int16_t)(x > 0 ? ilogb(x) : -INT16_MAX);
}

/* Updates the host's data of a particle. */
static void
note(koshu_cuda_j_store *m, size_t index, const koshu_j_particle *p)
{
    if (m->ids[index] != p->id) {
        m->ids[index] = p->id;
        if (index < m->entered) m->entered = 0;
    }
    m->exponent[index] = INT16_MAX;
    if (p->mass == 0) return; /* may be far away, if a caller has removed it */
    double reach = 0;
    for (double x : p->x) reach = fmax(reach, fabs(x));
    m->exponent[index] = exponent_of(reach);
    m->largest_mass = fmax(m->largest_mass, fabs(p->mass));
    m->reach = fmax(m->reach, reach);
    if (reach > 0) m->least_reach = fmin(m->least_reach, reach);
}

/* Waits until the device has read what was sent from a stage. */
static cudaError_t
clear(koshu_cuda_j_store *m, j_stage *s)
{
    const volatile uint64_t *done = m->done.as<uint64_t>();
    koshu_cuda_enter(m->cuda);
    if (s->is_sent && *done < s->before)
        KOSHU_CUDA_TRY(cudaStreamSynchronize(m->cuda->stream));
    s->is_sent = false;
    return cudaSuccess;
}

cudaError_t
koshu::send_staged(koshu_cuda_j_store *m)
{
    j_stage *s = &m->stages[m->stage];
    if (s->n == 0) return cudaSuccess;
    koshu_cuda_enter(m->cuda);
    KOSHU_CUDA_TRY(launch(m->cuda, scatter,
                          blocks_for(s->n * (unsigned)STORED_WORDS, J_THREADS),
                          J_THREADS, 0, m->held, s->index.as<uint32_t>(),
                          s->particles.as<koshu_j_particle>(), s->n));
    s->n = 0;
    s->is_sent = true;
    s->before = m->number + 1;
    m->stage = (m->stage + 1) % STAGES;
    return cudaSuccess;
}

/* Where the particle of an index is collected; replaces an earlier one. */
static cudaError_t
place_for(koshu_cuda_j_store *m, uint32_t index, koshu_j_particle **place)
{
    if (m->stages[m->stage].n == STAGED) KOSHU_CUDA_TRY(send_staged(m));
    j_stage *s = &m->stages[m->stage];
    if (s->n == 0) KOSHU_CUDA_TRY(clear(m, s));
    uint32_t *at = s->index.as<uint32_t>(), k = m->place[index];
    if (k >= s->n || at[k] != index) k = s->n++;
    at[k] = index;
    m->place[index] = k;
    *place = &s->particles.as<koshu_j_particle>()[k];
    return cudaSuccess;
}

static void
read(koshu_j_particle *to, const koshu_j_particles &p, size_t at)
{
    to->time = p.time ? p.time[at] : 0;
    to->mass = p.mass[at];
    koshu_j_vector(to->x, p.x, p.y, p.z, at);
    koshu_j_vector(to->v, p.vx, p.vy, p.vz, at);
    koshu_j_vector(to->a, p.ax, p.ay, p.az, at);
    koshu_j_vector(to->jerk, p.jx, p.jy, p.jz, at);
    koshu_j_vector(to->snap, p.sx, p.sy, p.sz, at);
}

cudaError_t
koshu::set_j_particle(koshu_cuda_j_store *m, size_t k, int64_t id,
                      const koshu_j_particles &particles, size_t at)
{
    koshu_j_particle *place;
    m->valid = false;
    KOSHU_CUDA_TRY(place_for(m, (uint32_t)k, &place));
    place->id = id;
    read(place, particles, at);
    note(m, k, place);
    return cudaSuccess;
}

static cudaError_t
set(koshu_cuda_j_store *m, const uint64_t *index, const koshu_j_particles &p,
    size_t stride)
{
    for (size_t k = 0; k < p.n; k++) {
        const size_t to = koshu_j_index(index, k), at = k * stride;
        KOSHU_CUDA_TRY(set_j_particle(m, to, koshu_j_id(&p, at, to), p, at));
    }
    return cudaSuccess;
}

koshu_status
koshu::j_store_set(koshu_backend_j_store *store, const uint64_t *index,
                   const koshu_j_particles *particles, size_t stride)
{
    koshu_cuda_j_store *m = own(store);
    return status_of(m->cuda, set(m, index, *particles, stride),
                     "copying j-particles to the device");
}

/* ---- ids ----------------------------------------------------------------- */

cudaError_t
koshu::make_table(koshu_cuda_j_store *m, uint32_t n_j, id_table *table)
{
    size_t size = 1;
    while (size < 2 * (size_t)(m->entered < n_j ? n_j : m->entered)) size *= 2;
    *table = {m->table.as<id_entry>(), (uint32_t)(size - 1)};
    if (m->entered >= n_j) return cudaSuccess;
    KOSHU_CUDA_TRY(m->table.reserve(size * sizeof(id_entry)));
    table->entry = m->table.as<id_entry>();
    KOSHU_CUDA_TRY(cudaMemsetAsync(table->entry, 0xff, size * sizeof(id_entry),
                                   m->cuda->stream));
    KOSHU_CUDA_TRY(launch(m->cuda, enter_ids, blocks_for(n_j, J_THREADS),
                          J_THREADS, 0, *table, m->held, n_j));
    m->entered = n_j;
    return cudaSuccess;
}
