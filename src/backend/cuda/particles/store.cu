/* SPDX-License-Identifier: MIT */
/*
 * A particle store's fields on the device.
 *
 * A kick is deferred until its result is needed, so that the second half kick
 * of a leapfrog step, the first of the next, the drift and the packing of the
 * new positions are one pass over the particles.
 */
#include <algorithm>

#include "backend/cuda/particles/resident.cuh"
#include "backend/cuda/runtime/for_each.cuh"
#include "backend/cuda/runtime/object.cuh"
#include "kernels/wrapped.h"
#include "particles/particles.h"

using namespace koshu;

enum { ARRAYS = STORE_ARRAYS };

/* The smallest number of elements of an array: gives trees of few particles
 * room for their bits. */
enum { LEAST_CAPACITY = 256 };

static void
lay_out(fields *f, double *memory, size_t stride)
{
    double *next = memory;
    f->mass = next;
    for (int c = 0; c < 3; c++) f->x[c] = next += stride;
    for (int c = 0; c < 3; c++) f->v[c] = next += stride;
    for (int c = 0; c < 3; c++) f->a[c] = next += stride;
    f->potential = next + stride;
}

static size_t
stride_of(size_t n)
{
    const size_t line = 32;
    return std::max((n + line - 1) / line * line, (size_t)LEAST_CAPACITY);
}

static cudaError_t
create(koshu_cuda_store *s, koshu_cuda *cuda, size_t n, size_t capacity)
{
    s->cuda = cuda;
    s->n = n;
    s->stride = stride_of(capacity);
    KOSHU_CUDA_TRY(s->memory.reserve(ARRAYS * s->stride * sizeof(double)));
    lay_out(&s->f, s->memory.as<double>(), s->stride);
    /* a tree also moves velocities and potentials that were never set */
    double *const end = s->f.mass + ARRAYS * s->stride;
    KOSHU_CUDA_TRY(cudaMemsetAsync(s->f.v[0], 0,
                                   (size_t)(end - s->f.v[0]) * sizeof(double),
                                   cuda->stream));
    KOSHU_CUDA_TRY(s->flag.reserve(sizeof *s->not_finite));
    s->not_finite = s->flag.as<int>();
    *s->not_finite = 0;
    return cudaSuccess;
}

cudaError_t
koshu::create_store(koshu_cuda *cuda, size_t n, size_t capacity,
                    koshu_cuda_store **store)
{
    *store = nullptr;
    koshu_cuda_store *s = make_object<koshu_cuda_store>();
    if (!s) return cudaErrorMemoryAllocation;
    cudaError_t error = create(s, cuda, n, capacity);
    if (error == cudaSuccess)
        *store = s;
    else
        destroy_store(s);
    return error;
}

void
koshu::destroy_store(koshu_cuda_store *store)
{
    if (!store) return;
    if (store->cuda) cudaStreamSynchronize(store->cuda->stream);
    free_object(store);
}

/* Trees exchange arrays with each other, and with the tags. */
cudaError_t
koshu::grow_store(koshu_cuda_store *store, size_t n)
{
    koshu_cuda_store *s = store;
    const size_t stride = stride_of(n + spare_particles(n)),
                 bytes = s->n * sizeof(double);
    const fields_list old = list_fields(s->f);
    buffer memory, tags;
    KOSHU_CUDA_TRY(start_tree(s));
    KOSHU_CUDA_TRY(memory.reserve(ARRAYS * stride * sizeof(double)));
    KOSHU_CUDA_TRY(tags.reserve(stride * sizeof(particle_tag)));
    lay_out(&s->f, memory.as<double>(), stride);
    const fields_list now = list_fields(s->f);
    for (int k = 0; k < ARRAYS; k++)
        KOSHU_CUDA_TRY(cudaMemcpyAsync(now.array[k], old.array[k], bytes,
                                       cudaMemcpyDeviceToDevice,
                                       s->cuda->stream));
    KOSHU_CUDA_TRY(cudaMemcpyAsync(tags.as<void>(), s->tag, bytes,
                                   cudaMemcpyDeviceToDevice, s->cuda->stream));
    KOSHU_CUDA_TRY(cudaStreamSynchronize(s->cuda->stream));
    s->memory.swap(memory);
    s->tag_memory.swap(tags);
    s->tag = s->tag_memory.as<particle_tag>();
    s->stride = stride;
    return cudaSuccess;
}

/* ---- leapfrog ------------------------------------------------------------ */

/* Does deferred kicks, then the drift, then the packing, as requested. */
static cudaError_t
advance_now(koshu_cuda_store *s, bool drifts, double drift, bool packs)
{
    if (s->kicks == 0 && !drifts && !packs) return cudaSuccess;
    advance_args args = {};
    args.f = s->f;
    args.n = s->n;
    args.kicks = s->kicks;
    for (int k = 0; k < s->kicks; k++) args.kick[k] = s->kick[k];
    args.drifts = drifts;
    args.drift = drift;
    args.packs = packs;
    args.u = s->packed_units;
    args.not_finite = (int *)s->not_finite;
    s->kicks = 0;
    const precision_functions &functions =
            s->packed_for ? *s->packed_for : functions_double;
    s->packed_valid = packs || (s->packed_valid && !drifts);
    if (s->n == 0) return cudaSuccess;
    return functions.advance(s->cuda, args, packed_in(s));
}

cudaError_t
koshu::kick(koshu_cuda_store *store, double dt)
{
    if (store->kicks == ADVANCE_KICKS)
        KOSHU_CUDA_TRY(advance_now(store, false, 0, false));
    store->kick[store->kicks++] = dt;
    return cudaSuccess;
}

cudaError_t
koshu::drift(koshu_cuda_store *store, double dt)
{
    return advance_now(store, true, dt, store->packed_for != nullptr);
}

cudaError_t
koshu::make_kicks(koshu_cuda_store *store)
{
    return advance_now(store, false, 0, false);
}

cudaError_t
koshu::wrap_positions(koshu_cuda_store *store, const double corner[3],
                      double edge)
{
    store->packed_valid = false;
    for (int d = 0; d < 3; d++) {
        double *const x = store->f.x[d];
        const double from = corner[d];
        KOSHU_CUDA_TRY(
                for_each(store->cuda, store->n, [=] __device__(size_t k) {
                    x[k] = koshu_wrapped(x[k], from, edge);
                }));
    }
    return cudaSuccess;
}

bool
koshu::take_not_finite(koshu_cuda_store *store)
{
    bool found = *store->not_finite != 0;
    *store->not_finite = 0;
    return found;
}

/* ---- forces -------------------------------------------------------------- */

/* Reserves memory for packed particles of these functions; it is zero beyond
 * the n-th. */
static cudaError_t
reserve_packed(koshu_cuda_store *s, const precision_functions &functions)
{
    if (s->packed_for == &functions) return cudaSuccess;
    const size_t bytes = (s->n + PADDING) * functions.quads * 16;
    KOSHU_CUDA_TRY(s->packed.reserve(bytes));
    KOSHU_CUDA_TRY(
            cudaMemsetAsync(s->packed.as<void>(), 0, bytes, s->cuda->stream));
    s->packed_for = &functions;
    s->packed_valid = false;
    return cudaSuccess;
}

cudaError_t
koshu::pack_store(koshu_cuda_store *s, const koshu_force_task &task,
                  const precision_functions &functions)
{
    KOSHU_CUDA_TRY(reserve_packed(s, functions));
    if (!s->packed_valid)
        s->packed_units = units_of(task, s->extent, s->largest_mass);
    /* kicks use the accelerations that are about to be overwritten */
    return advance_now(s, false, 0, !s->packed_valid);
}

/* ---- copies -------------------------------------------------------------- */

/* Lists copies of the selected fields; returns the number of arrays. */
static size_t
list_copies(const koshu_cuda_store *s, unsigned selected,
            const koshu_particle_view &host, host_copy (&list)[ARRAYS])
{
    const fields_list device = list_fields(s->f);
    size_t n = 0;
    for (size_t k = 0; k < ARRAYS; k++)
        if (koshu_particle_arrays[KOSHU_ARRAY_MASS + k].field & selected)
            list[n++] = {device.array[k],
                         koshu_particle_array(&host, KOSHU_ARRAY_MASS + k),
                         s->n * sizeof(double)};
    return n;
}

/* ---- the order of a tree ------------------------------------------------- */

cudaError_t
koshu::start_tree(koshu_cuda_store *store)
{
    koshu_cuda_store *s = store;
    KOSHU_CUDA_TRY(make_kicks(s));
    s->packed_valid = false;
    if (s->tag) return cudaSuccess;
    KOSHU_CUDA_TRY(s->tag_memory.reserve(s->stride * sizeof(particle_tag)));
    particle_tag *tag = s->tag_memory.as<particle_tag>();
    KOSHU_CUDA_TRY(for_each(s->cuda, s->n, [=] __device__(size_t k) {
        tag[k] = {(uint32_t)k, 0};
    }));
    s->tag = tag;
    return cudaSuccess;
}

/* Memory in the host's order: for several arrays at once, if they are short, so
 * that the host waits only once; for ranges of an array, if it is long. */
enum { THROUGH = 1 << 26, RANGE = 1 << 24 };

/* The particles that the host has at first ... first + n - 1. */
struct origin_range {
    size_t first, n;
};

static cudaError_t
copy_range_by_origin(koshu_cuda_store *s, const host_copy *list, size_t count,
                     const origin_range &range, bool up)
{
    const particle_tag *tag = s->tag;
    const size_t n = range.n, first = range.first;
    host_copy through[ARRAYS];
    for (size_t k = 0; k < count; k++)
        through[k] = {s->cuda->between_steps.as<double>() + k * n,
                      static_cast<double *>(list[k].host) + first,
                      n * sizeof(double)};
    if (up) KOSHU_CUDA_TRY(upload(s->cuda, through, count));
    for (size_t k = 0; k < count; k++) {
        double *here = static_cast<double *>(list[k].device);
        double *there = static_cast<double *>(through[k].device);
        KOSHU_CUDA_TRY(for_each(s->cuda, s->n, [=] __device__(size_t at) {
            const size_t origin = tag[at].origin - first;
            if (origin >= n) return;
            if (up)
                here[at] = there[origin];
            else
                there[origin] = here[at];
        }));
    }
    return up ? cudaSuccess : download(s->cuda, through, count);
}

static cudaError_t
copy_by_origin(koshu_cuda_store *s, const host_copy *list, size_t count,
               bool up)
{
    if (s->n == 0 || count == 0) return cudaSuccess;
    const size_t range = std::min((size_t)s->n, (size_t)RANGE),
                 bytes = range * sizeof(double),
                 fits = std::max(THROUGH / bytes, (size_t)1),
                 some = std::min(fits, count);
    KOSHU_CUDA_TRY(s->cuda->between_steps.reserve(some * bytes));
    for (size_t k = 0; k < count; k += some)
        for (size_t first = 0; first < s->n; first += range)
            KOSHU_CUDA_TRY(copy_range_by_origin(
                    s, list + k, std::min(some, count - k),
                    {first, std::min(range, s->n - first)}, up));
    return cudaSuccess;
}

/* The work is in the tags. */
static cudaError_t
upload_work(koshu_cuda_store *s, double *work)
{
    const size_t bytes = s->n * sizeof *work;
    KOSHU_CUDA_TRY(start_tree(s));
    KOSHU_CUDA_TRY(s->cuda->between_steps.reserve(bytes));
    const double *from = s->cuda->between_steps.as<double>();
    const host_copy copy = {s->cuda->between_steps.as<void>(), work, bytes};
    particle_tag *tag = s->tag;
    KOSHU_CUDA_TRY(upload(s->cuda, &copy, 1));
    return for_each(s->cuda, s->n, [=] __device__(size_t k) {
        put_work(&tag[k], work_from(from[tag[k].origin]));
    });
}

static cudaError_t
download_work(koshu_cuda_store *s, double *work)
{
    const size_t bytes = s->n * sizeof *work;
    KOSHU_CUDA_TRY(start_tree(s));
    KOSHU_CUDA_TRY(s->cuda->between_steps.reserve(bytes));
    double *to = s->cuda->between_steps.as<double>();
    const host_copy copy = {to, work, bytes};
    const particle_tag *tag = s->tag;
    KOSHU_CUDA_TRY(for_each(s->cuda, s->n, [=] __device__(size_t k) {
        to[tag[k].origin] = work_of(tag[k]);
    }));
    return download(s->cuda, &copy, 1);
}

/* ---- copies of fields ---------------------------------------------------- */

static cudaError_t
copy_fields(koshu_cuda_store *s, unsigned fields,
            const koshu_particle_view &host, bool up)
{
    host_copy list[ARRAYS];
    const size_t count = list_copies(s, fields, host, list);
    KOSHU_CUDA_TRY(make_kicks(s));
    if (fields & KOSHU_FIELD_WORK && s->n > 0)
        KOSHU_CUDA_TRY(up ? upload_work(s, host.work)
                          : download_work(s, host.work));
    if (s->tag) return copy_by_origin(s, list, count, up);
    return up ? upload(s->cuda, list, count) : download(s->cuda, list, count);
}

cudaError_t
koshu::upload_fields(koshu_cuda_store *s, unsigned fields,
                     const koshu_particle_view &host)
{
    if (fields & KOSHU_FIELD_POSITION) {
        s->extent = box();
        s->extent.include(host.x, host.y, host.z, s->n);
    }
    if (fields & KOSHU_FIELD_MASS) {
        s->largest_mass = largest(host.mass, s->n);
        s->least_mass = -1;
    }
    if (fields & (KOSHU_FIELD_POSITION | KOSHU_FIELD_MASS))
        s->packed_valid = false;
    return copy_fields(s, fields, host, true);
}

cudaError_t
koshu::download_fields(koshu_cuda_store *s, unsigned fields,
                       const koshu_particle_view &host)
{
    return copy_fields(s, fields, host, false);
}
