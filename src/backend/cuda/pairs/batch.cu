/* SPDX-License-Identifier: MIT */
/*
 * The sets of a batch: copied to the device, divided into items, summed, and
 * copied back. The division depends only on the sizes of the sets and on the
 * device.
 */
#include <algorithm>
#include <cstdlib>

#include "backend/cuda/particles/box.cuh"
#include "backend/cuda/cuda.h"
#include "backend/cuda/pairs/forces.cuh"
#include "backend/cuda/particles/lost.cuh"

using namespace koshu;

/* Most items of one launch; more take several launches. */
enum { ITEMS_AT_ONCE = 16384, MANY_I = 2048, TILE = 256 };

namespace {

/* Lists on the host, which are filled and launched repeatedly. */
struct cutter {
    koshu_cuda *cuda;
    const precision_functions *functions;
    const koshu_force_batch *batch;
    const item_kernel *kernel;
    size_t chunks; /* of the j-particles of a set, as requested */
    force_setup setup;
    item_list list;
    direct_item *items;
    direct_block *blocks;
};

} /* namespace */

/* ---- to the device ------------------------------------------------------- */

/* Uploads arrays of n numbers each, one after another. */
static cudaError_t
upload_arrays(koshu_cuda *cuda, const double *const *from, int arrays, size_t n,
              buffer *to)
{
    host_copy copies[4];
    KOSHU_CUDA_TRY(to->reserve((size_t)arrays * n * sizeof(double)));
    for (int k = 0; k < arrays; k++)
        copies[k] = {to->as<double>() + (size_t)k * n,
                     const_cast<double *>(from[k]), n * sizeof(double)};
    return upload(cuda, copies, (size_t)arrays);
}

/* Uploads n elements of a list and frees it. */
template <class T>
static cudaError_t
upload_list(koshu_cuda *cuda, T *list, size_t n, buffer *to)
{
    const host_copy copy = {to->as<void>(), list, n * sizeof *list};
    cudaError_t error =
            list ? upload(cuda, &copy, 1) : cudaErrorMemoryAllocation;
    free(list);
    return error;
}

/* Packs x y z m; i-particles have no masses, and any are used. */
static cudaError_t
pack(cutter *c, const double *const *host, int arrays, size_t n, buffer *raw,
     buffer *packed, packed_memory *to)
{
    KOSHU_CUDA_TRY(packed->reserve(n * c->functions->quads * 16));
    *to = {packed->as<void>(), n};
    if (n == 0) return cudaSuccess;
    KOSHU_CUDA_TRY(upload_arrays(c->cuda, host, arrays, n, raw));
    advance_args args = {};
    double *device = raw->as<double>();
    for (int k = 0; k < 3; k++) args.f.x[k] = device + (size_t)k * n;
    args.f.mass = device + (size_t)(arrays - 1) * n;
    args.n = n;
    args.packs = true;
    args.u = c->setup.u;
    return c->functions->advance(c->cuda, args, *to);
}

/* The j index of each i-particle, counted from the start of the batch. */
static cudaError_t
upload_self(cutter *c)
{
    const koshu_force_batch *b = c->batch;
    c->list.self = nullptr;
    if (!b->i.self) return cudaSuccess;
    const size_t bytes = b->i.n * sizeof(uint64_t);
    KOSHU_CUDA_TRY(c->cuda->batch_self.reserve(bytes));
    uint64_t *self = static_cast<uint64_t *>(malloc(bytes));
    for (size_t s = 0; self && s < b->n_sets; s++)
        for (size_t i = b->i_offset[s]; i < b->i_offset[s + 1]; i++)
            self[i] = b->i.self[i] == KOSHU_NO_SELF
                              ? KOSHU_NO_SELF
                              : b->i.self[i] + b->j_offset[s];
    c->list.self = c->cuda->batch_self.as<uint64_t>();
    return upload_list(c->cuda, self, b->i.n, &c->cuda->batch_self);
}

static cudaError_t
upload_particles(cutter *c)
{
    const koshu_force_batch *b = c->batch;
    koshu_cuda *cuda = c->cuda;
    const double *j[4] = {b->j.x, b->j.y, b->j.z, b->j.mass};
    const double *i[3] = {b->i.x, b->i.y, b->i.z};
    KOSHU_CUDA_TRY(pack(c, j, 4, b->j.n, &cuda->batch_j, &cuda->batch_packed_j,
                        &c->list.j));
    KOSHU_CUDA_TRY(pack(c, i, 3, b->i.n, &cuda->batch_i, &cuda->batch_packed_i,
                        &c->list.i));
    return upload_self(c);
}

/* ---- items --------------------------------------------------------------- */

static cudaError_t
launch_list(cutter *c)
{
    koshu_cuda *cuda = c->cuda;
    if (c->list.n_items == 0) return cudaSuccess;
    const host_copy copies[2] = {{cuda->batch_items.as<void>(), c->items,
                                  c->list.n_items * sizeof *c->items},
                                 {cuda->batch_blocks.as<void>(), c->blocks,
                                  c->list.n_blocks * sizeof *c->blocks}};
    KOSHU_CUDA_TRY(upload(cuda, copies, 2));
    KOSHU_CUDA_TRY(c->kernel->sum(cuda, c->list, c->setup));
    c->list.n_items = c->list.n_blocks = 0;
    return cudaSuccess;
}

/* Adds an item for one block of i-particles against j-particles of its set. */
static cudaError_t
add_block(cutter *c, size_t i_first, size_t i_count, size_t j_first,
          size_t j_count)
{
    const size_t tiles = blocks_for(j_count, TILE);
    const size_t max_chunks = std::max<size_t>(1, std::min(c->chunks, tiles));
    const size_t chunk =
            std::max<size_t>(1, blocks_for(tiles, max_chunks)) * TILE;
    const size_t chunks = std::max<size_t>(1, blocks_for(j_count, chunk));
    if (c->list.n_items + chunks > ITEMS_AT_ONCE)
        KOSHU_CUDA_TRY(launch_list(c));
    const size_t block = c->list.n_blocks++;
    c->blocks[block] = {i_first, i_count, c->list.n_items, chunks};
    for (size_t k = 0; k < chunks; k++) {
        size_t done = k * chunk, count = std::min(chunk, j_count - done);
        c->items[c->list.n_items] = {i_first, i_count,         j_first + done,
                                     count,   c->list.n_items, block};
        c->list.n_items++;
    }
    return cudaSuccess;
}

static cudaError_t
sum_sets(cutter *c)
{
    const koshu_force_batch *b = c->batch;
    const size_t width = c->kernel->width;
    for (size_t s = 0; s < b->n_sets; s++)
        for (size_t i = b->i_offset[s]; i < b->i_offset[s + 1]; i += width)
            KOSHU_CUDA_TRY(add_block(
                    c, i, std::min(width, b->i_offset[s + 1] - i),
                    b->j_offset[s], b->j_offset[s + 1] - b->j_offset[s]));
    return launch_list(c);
}

/* Selects the shape for sets of this size, and the number of chunks that keeps
 * all multiprocessors busy to the end. */
static void
select_cuts(cutter *c)
{
    const koshu_force_batch *b = c->batch;
    const size_t items_wanted = 64 * c->cuda->multiprocessors;
    const bool many = b->i.n / b->n_sets >= MANY_I;
    c->kernel = many ? &c->functions->many : &c->functions->few;
    size_t blocks = b->i.n / c->kernel->width + 1;
    c->chunks =
            std::min<size_t>(ITEMS_AT_ONCE, blocks_for(items_wanted, blocks));
}

/* ---- forces that cancel -------------------------------------------------- */

/* With fewer j-particles cancellation is not strong enough. */
enum { CANCELLATION_FROM = 256 };

/* Lists the sets that are large enough, in blocks; returns their number. to may
 * be NULL. */
static size_t
list_sets(const koshu_force_batch *b, particle_set *to)
{
    size_t n = 0;
    for (size_t s = 0; s < b->n_sets; s++) {
        const size_t j = b->j_offset[s], n_j = b->j_offset[s + 1] - j;
        const size_t end = b->i_offset[s + 1];
        if (n_j < CANCELLATION_FROM) continue;
        for (size_t i = b->i_offset[s]; i < end; i += FIND_THREADS, n++)
            if (to)
                to[n] = {i, std::min<size_t>(FIND_THREADS, end - i), j, n_j};
    }
    return n;
}

static cudaError_t
recompute_where_needed(cutter *c)
{
    if (!c->functions->recompute) return cudaSuccess;
    item_list *list = &c->list;
    list->n_sets = list_sets(c->batch, nullptr);
    if (list->n_sets == 0) return cudaSuccess;
    const size_t bytes = list->n_sets * sizeof(particle_set);
    KOSHU_CUDA_TRY(c->cuda->batch_sets.reserve(bytes));
    particle_set *sets = static_cast<particle_set *>(malloc(bytes));
    if (sets) list_sets(c->batch, sets);
    KOSHU_CUDA_TRY(
            upload_list(c->cuda, sets, list->n_sets, &c->cuda->batch_sets));
    list->sets = c->cuda->batch_sets.as<particle_set>();
    return c->functions->recompute(c->cuda, *list, c->setup);
}

/* ---- from the device ----------------------------------------------------- */

static cudaError_t
download_results(cutter *c)
{
    const koshu_force_sums &r = c->batch->result;
    const force_out &out = c->setup.out;
    const size_t bytes = c->batch->i.n * sizeof(double);
    const host_copy copies[4] = {{out.ax, r.ax, bytes},
                                 {out.ay, r.ay, bytes},
                                 {out.az, r.az, bytes},
                                 {out.potential, r.potential, bytes}};
    return download(c->cuda, copies, 3 + c->setup.potential);
}

static cudaError_t
reserve(cutter *c)
{
    const size_t n = c->batch->i.n;
    koshu_cuda *cuda = c->cuda;
    KOSHU_CUDA_TRY(cuda->batch_items.reserve(ITEMS_AT_ONCE * sizeof *c->items));
    KOSHU_CUDA_TRY(
            cuda->batch_blocks.reserve(ITEMS_AT_ONCE * sizeof *c->blocks));
    KOSHU_CUDA_TRY(cuda->batch_result.reserve(4 * n * sizeof(double)));
    double *result = cuda->batch_result.as<double>();
    c->list.items = cuda->batch_items.as<direct_item>();
    c->list.blocks = cuda->batch_blocks.as<direct_block>();
    c->setup.out = {result, result + n, result + 2 * n, result + 3 * n, 0,
                    0,      {}};
    return cudaSuccess;
}

static cudaError_t
run(cutter *c)
{
    KOSHU_CUDA_TRY(reserve(c));
    KOSHU_CUDA_TRY(upload_particles(c));
    KOSHU_CUDA_TRY(sum_sets(c));
    KOSHU_CUDA_TRY(recompute_where_needed(c));
    return download_results(c);
}

static cudaError_t
sum_batch(koshu_cuda *cuda, const koshu_force_task &task,
          const koshu_force_batch &batch, const box &extent)
{
    cutter c = {};
    c.cuda = cuda;
    const koshu_force_task in_range = task_in(task, extent);
    c.functions = &functions_of(in_range, 0);
    c.batch = &batch;
    c.setup.eps = task.eps;
    c.setup.potential = task.potential;
    c.setup.u = units_of(in_range, extent, largest(batch.j.mass, batch.j.n));
    select_cuts(&c);
    c.items =
            static_cast<direct_item *>(malloc(ITEMS_AT_ONCE * sizeof *c.items));
    c.blocks = static_cast<direct_block *>(
            malloc(ITEMS_AT_ONCE * sizeof *c.blocks));
    cudaError_t error =
            c.items && c.blocks ? run(&c) : cudaErrorMemoryAllocation;
    free(c.items);
    free(c.blocks);
    return error;
}

/* The same if j-particles may be lost: sums first without them. */
static cudaError_t
sum_without_lost(koshu_cuda *cuda, const koshu_force_task &task,
                 const koshu_force_batch &batch)
{
    lost_particles lost;
    if (!lost.take_from(batch.j)) return cudaErrorMemoryAllocation;
    box extent;
    double place[3];
    extent.include(batch.i.x, batch.i.y, batch.i.z, batch.i.n);
    for (size_t k = 0; k < batch.j.n; k++) {
        if (is_lost(batch.j, k)) continue;
        extent.include(batch.j.x + k, batch.j.y + k, batch.j.z + k, 1);
    }
    for (int c = 0; c < 3; c++) {
        extremes *e = &extent.of[c];
        const bool some = e->low <= e->high && e->high < max_coordinate;
        place[c] = some ? e->high + fmax(e->high - e->low, fabs(e->high)) : 0;
        if (place[c] == 0) place[c] = 1;
        e->include(place[c]);
    }
    lost.put_at(place);
    koshu_force_batch rest = batch;
    rest.j = lost.rest;
    KOSHU_CUDA_TRY(sum_batch(cuda, task, rest, extent));
    add_all_lost(batch, task.eps, lost);
    return cudaSuccess;
}

static cudaError_t
sum_all(koshu_cuda *cuda, const koshu_force_task &task,
        const koshu_force_batch &batch)
{
    const koshu_force_targets &i = batch.i;
    const koshu_force_sources &j = batch.j;
    box extent;
    extent.include(j.x, j.y, j.z, j.n);
    if (!is_within(extent)) return sum_without_lost(cuda, task, batch);
    extent.include(i.x, i.y, i.z, i.n);
    KOSHU_CUDA_TRY(sum_batch(cuda, task, batch, extent));
    return any_set_is_lost(batch) && any_lost(j)
                   ? sum_without_lost(cuda, task, batch)
                   : cudaSuccess;
}

koshu_status
koshu_cuda_force(struct koshu_backend *backend,
                 const struct koshu_force_task *task,
                 const struct koshu_force_batch *batch)
{
    koshu_cuda *cuda = enter(backend);
    return status_of(cuda, sum_all(cuda, *task, *batch), "summing forces");
}
