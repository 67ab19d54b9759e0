/* SPDX-License-Identifier: MIT */
/* j-particle stores divided over several devices. */
#include "backend/cuda/j_store/divided.cuh"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "backend/cuda/runtime/object.cuh"

using namespace koshu;

using divided_store = koshu_cuda_divided_store;

/* Up to this number of particles to set, or of results to add, the caller alone
 * is as fast as several threads. */
enum { FEW_SET = 128, FEW_ADDED = 2048 };

static divided_store *
divided(const koshu_backend_j_store *store)
{
    return reinterpret_cast<divided_store *>(
            const_cast<koshu_backend_j_store *>(store));
}

/* Calls work(part) on all devices at the same time. */
template <class Work>
static cudaError_t
by_parts(divided_store *s, const Work &work)
{
    return by_all(s->group, [&](size_t k) { return work(s->part[k]); });
}

/* How many parts have any of the first n_j particles; these are the first
 * parts. */
static size_t
parts_with(const divided_store *s, size_t n_j)
{
    return std::min(n_j, s->group->n);
}

/* ---- life ---------------------------------------------------------------- */

static cudaError_t
open_part(divided_store *s, size_t k)
{
    koshu_cuda_j_store *m = s->part[k] = make_object<koshu_cuda_j_store>();
    if (!m) return cudaErrorMemoryAllocation;
    m->base = s->base;
    m->part = {k, s->group->n};
    return open_j_store(m, s->group->members[k].lane[0]);
}

static void
close_store(koshu_backend_j_store *store)
{
    divided_store *s = divided(store);
    for (size_t k = 0; k < s->group->n; k++) {
        if (!s->part[k]) continue;
        close_j_store(s->part[k]);
        free_object(s->part[k]);
    }
}

static cudaError_t
reserve_part(koshu_cuda_j_store *m, size_t capacity)
{
    const size_t n = koshu_j_part_count(m->part, capacity);
    if (n <= m->base.capacity) return cudaSuccess;
    KOSHU_CUDA_TRY(grow_j_store(m, n));
    m->base.capacity = n;
    return cudaSuccess;
}

static koshu_status
reserve(koshu_backend_j_store *store, size_t capacity)
{
    divided_store *s = divided(store);
    const cudaError_t error = by_parts(s, [&](koshu_cuda_j_store *m) {
        return reserve_part(m, capacity);
    });
    return status_in(s->group, error,
                     "making room for j-particles on the device");
}

/* ---- particles ----------------------------------------------------------- */

/* Sets those of the particles that belong to the part. */
static cudaError_t
set_part(koshu_cuda_j_store *m, const uint64_t *index,
         const koshu_j_particles &p, size_t stride)
{
    const koshu_j_part part = m->part;
    for (size_t k = 0; k < p.n; k++) {
        const size_t to = koshu_j_index(index, k), at = k * stride;
        if (to % part.parts != part.part) continue;
        KOSHU_CUDA_TRY(set_j_particle(m, to / part.parts,
                                      koshu_j_id(&p, at, to), p, at));
    }
    return cudaSuccess;
}

static cudaError_t
set_few(divided_store *s, const uint64_t *index, const koshu_j_particles &p,
        size_t stride)
{
    for (size_t k = 0; k < s->group->n; k++) {
        s->group->failed = k;
        KOSHU_CUDA_TRY(set_part(s->part[k], index, p, stride));
    }
    return cudaSuccess;
}

static koshu_status
set(koshu_backend_j_store *store, const uint64_t *index,
    const koshu_j_particles *particles, size_t stride)
{
    divided_store *s = divided(store);
    const koshu_j_particles &p = *particles;
    const cudaError_t error =
            p.n <= FEW_SET ? set_few(s, index, p, stride)
                           : by_parts(s, [&](koshu_cuda_j_store *m) {
                                 return set_part(m, index, p, stride);
                             });
    return status_in(s->group, error, "copying j-particles to the device");
}

static int64_t
id_of(const koshu_backend_j_store *store, uint64_t index)
{
    const divided_store *s = divided(store);
    const size_t n = s->group->n;
    return s->part[index % n]->ids[index / n];
}

/* ---- sums ---------------------------------------------------------------- */

/* All parts get the extent of all particles, so that kernels and limits are
 * those of a single store. */
static void
unify_extent(divided_store *s)
{
    const koshu_cuda_j_store *first = s->part[0];
    double reach = first->reach, mass = first->largest_mass,
           least = first->least_reach;
    for (size_t k = 1; k < s->group->n; k++) {
        reach = fmax(reach, s->part[k]->reach);
        mass = fmax(mass, s->part[k]->largest_mass);
        least = fmin(least, s->part[k]->least_reach);
    }
    for (size_t k = 0; k < s->group->n; k++) {
        s->part[k]->reach = reach;
        s->part[k]->largest_mass = mass;
        s->part[k]->least_reach = least;
    }
}

static bool
can(const koshu_backend_j_store *store, const koshu_jerk_task *task)
{
    divided_store *s = divided(store);
    unify_extent(s);
    return j_store_can(&s->part[0]->base, task);
}

static const j_functions *
functions_of(const divided_store *s, size_t n_j)
{
    unsigned near_origin = 0;
    for (size_t k = 0; k < parts_with(s, n_j); k++) {
        const size_t n = koshu_j_part_count(s->part[k]->part, n_j);
        near_origin += count_near_origin(s->part[k], (uint32_t)n);
    }
    return functions_for(s->base.precision, near_origin, n_j);
}

static koshu_status
start(koshu_backend_j_store *store, const koshu_jerk_task *task, double time,
      size_t n_j, size_t n_i, const koshu_i_particle *i)
{
    divided_store *s = divided(store);
    const char *doing = "beginning sums over j-particles";
    s->group->failed = 0;
    if (n_i >= SEVERAL_OWN)
        return status_in(s->group, cudaErrorMemoryAllocation, doing);
    unify_extent(s);
    const j_request request = {*task, functions_of(s, n_j), time, (uint32_t)n_i,
                               i};
    s->n_j = n_j;
    s->n_i = (uint32_t)n_i;
    s->nearest = task->nearest;
    const cudaError_t error = by_parts(s, [&](koshu_cuda_j_store *m) {
        const size_t n = koshu_j_part_count(m->part, n_j);
        return n > 0 ? start_j_sums(m, request, (uint32_t)n) : cudaSuccess;
    });
    return status_in(s->group, error, doing);
}

/* Adds the sums of all parts on i-particles first ... end - 1, in the order of
 * the devices. */
static void
add_results(const divided_store *s, uint32_t first, uint32_t end,
            koshu_jerk_result *result)
{
    const size_t parts = parts_with(s, s->n_j),
                 bytes = s->nearest ? sizeof *result
                                    : offsetof(koshu_jerk_result, nearest_r2);
    for (uint32_t k = first; k < end; k++) {
        koshu_jerk_result sum = koshu_j_part_result(
                s->part[0]->part, &s->part[0]->last.result[k]);
        for (size_t p = 1; p < parts; p++) {
            const koshu_cuda_j_store *m = s->part[p];
            const koshu_jerk_result more =
                    koshu_j_part_result(m->part, &m->last.result[k]);
            koshu_jerk_result_add(&sum, &more);
        }
        memcpy(&result[k], &sum, bytes);
    }
}

/* The same; if there are many, by the threads of the devices. */
static void
add_chunk(divided_store *s, uint32_t first, uint32_t end,
          koshu_jerk_result *result)
{
    const size_t threads = s->group->n, n = end - first;
    if (n <= FEW_ADDED) {
        add_results(s, first, end, result);
        return;
    }
    (void)by_all(s->group, [&](size_t k) {
        add_results(s, first + (uint32_t)(n * k / threads),
                    first + (uint32_t)(n * (k + 1) / threads), result);
        return cudaSuccess;
    });
}

static cudaError_t
wait_for_parts(divided_store *s, uint32_t chunk)
{
    for (size_t k = 0; k < parts_with(s, s->n_j); k++) {
        s->group->failed = k;
        KOSHU_CUDA_TRY(wait_for_chunk(s->part[k], chunk));
    }
    return cudaSuccess;
}

/* Adds the results of each chunk while the devices work on the next one. */
static cudaError_t
read_results(divided_store *s, koshu_jerk_result *result)
{
    const uint32_t width = s->part[0]->chunk;
    for (uint32_t first = 0, chunk = 0; first < s->n_i; chunk++) {
        const uint32_t end = first + std::min(width, s->n_i - first);
        KOSHU_CUDA_TRY(wait_for_parts(s, chunk));
        add_chunk(s, first, end, result);
        first = end;
    }
    return cudaSuccess;
}

static koshu_status
wait(koshu_backend_j_store *store, koshu_jerk_result *result)
{
    divided_store *s = divided(store);
    return status_in(s->group, read_results(s, result),
                     "summing over j-particles");
}

/* ---- neighbours ---------------------------------------------------------- */

/* Merges the lists of the parts for i-particle i. */
static void
merge_lists(const divided_store *s, uint32_t *const *list, uint32_t i,
            size_t max, uint64_t *count, uint64_t *index)
{
    koshu_j_part_list of[KOSHU_MAX_DEVICES];
    const size_t parts = parts_with(s, s->n_j);
    count[i] = 0;
    for (size_t p = 0; p < parts; p++) {
        const koshu_cuda_j_store *m = s->part[p];
        const uint64_t has = m->count.as<uint64_t>()[i];
        count[i] += has;
        of[p] = {nullptr, std::min<uint64_t>(has, max)};
        if (of[p].n > 0) of[p].k = list[p] + m->start.as<uint64_t>()[i];
    }
    if (max > 0)
        koshu_j_parts_merge(parts, s->group->n, of, max, index + i * max);
}

static koshu_status
neighbours(koshu_backend_j_store *store, size_t max, uint64_t *count,
           uint64_t *index)
{
    divided_store *s = divided(store);
    uint32_t *list[KOSHU_MAX_DEVICES] = {};
    const size_t parts = parts_with(s, s->n_j);
    const cudaError_t error = by_all(s->group, [&](size_t k) {
        return k < parts ? list_neighbours(s->part[k], max, &list[k])
                         : cudaSuccess;
    });
    for (uint32_t i = 0; i < s->n_i && error == cudaSuccess; i++)
        merge_lists(s, list, i, max, count, index);
    for (uint32_t *of_part : list) free(of_part);
    return status_in(s->group, error, "listing neighbours");
}

static const koshu_j_store_ops divided_ops = {
        .size = sizeof(divided_store),
        .bytes_per_particle = J_STORE_HOST_BYTES,
        .open = open_divided_store,
        .close = close_store,
        .can = can,
        .reserve = reserve,
        .set = set,
        .id = id_of,
        .start = start,
        .wait = wait,
        .neighbours = neighbours,
};

koshu_status
koshu::open_divided_store(koshu_backend_j_store *store)
{
    divided_store *s = divided(store);
    s->base.ops = &divided_ops;
    s->group = group_of(store->backend);
    const cudaError_t error =
            by_all(s->group, [&](size_t k) { return open_part(s, k); });
    return status_in(s->group, error,
                     "making room for j-particles on the device");
}
