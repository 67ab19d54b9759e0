/* SPDX-License-Identifier: MIT */
/* A member's arrays and its steps. */
#include "backend/cuda/devices/partition.cuh"

#include "backend/cuda/runtime/for_each.cuh"
#include "backend/cuda/runtime/object.cuh"

using namespace koshu;

/* ---- life ---------------------------------------------------------------- */

koshu_backend_partition *
koshu::make_partition(koshu_cuda *cuda, size_t place, const partition &mine)
{
    koshu_backend_partition *p = make_object<koshu_backend_partition>();
    if (!p) return nullptr;
    p->cuda = cuda;
    p->place = place;
    p->mine = mine;
    return p;
}

void
koshu::destroy_partition(koshu_backend_partition *p)
{
    if (!p) return;
    koshu_cuda_enter(p->cuda);
    cudaStreamSynchronize(p->cuda->stream);
    close_peers(p);
    free_object(p);
}

/* ---- memory -------------------------------------------------------------- */

static size_t
points_bytes(const precision_functions &functions, size_t total)
{
    return whole_blocks((total + PADDING) * functions.quads * QUAD_BYTES);
}

/* What comes from each member may be as long as the longest slice. */
static size_t
sums_bytes(const koshu_backend_partition *p, size_t total)
{
    return whole_blocks((total + 2 * p->slices.devices) * SUM_BYTES);
}

bool
koshu::has_capacity(const koshu_backend_partition *p,
                    const koshu_force_task *task, size_t total)
{
    return p->points.has(points_bytes(functions_of(*task, total), total)) &&
           p->sums.has(sums_bytes(p, total));
}

cudaError_t
koshu::reserve_memory(koshu_backend_partition *p,
                      const precision_functions &functions, size_t total,
                      bool sums)
{
    KOSHU_CUDA_TRY(p->points.reserve(points_bytes(functions, total)));
    if (sums) KOSHU_CUDA_TRY(p->sums.reserve(sums_bytes(p, total)));
    KOSHU_CUDA_TRY(p->come.reserve(sums_bytes(p, total)));
    p->array[PEER_POINTS] = p->points.as<void>();
    p->array[PEER_COME] = p->come.as<void>();
    return cudaSuccess;
}

/* Zeroes all points, also beyond the last particle, before other members write
 * theirs. */
cudaError_t
koshu::clear_points(koshu_backend_partition *p,
                    const precision_functions &functions,
                    const distribution &slices)
{
    p->functions = &functions;
    p->slices = slices;
    KOSHU_CUDA_TRY(cudaMemsetAsync(p->points.as<void>(), 0,
                                   points_from(p, 0).capacity *
                                           functions.quads * QUAD_BYTES,
                                   p->cuda->stream));
    return cudaStreamSynchronize(p->cuda->stream);
}

packed_memory
koshu::points_from(const koshu_backend_partition *p, size_t k)
{
    return {p->points.as<char>() + p->slices.first(k) * QUAD_BYTES,
            p->slices.n + PADDING};
}

double *
koshu::come_from(const koshu_backend_partition *p, void *come, size_t from,
                 size_t k)
{
    return static_cast<double *>(come) + from * 4 * p->slices.count(k);
}

/* ---- steps --------------------------------------------------------------- */

/* The destination of a slice's first particle on each device; all have the same
 * capacity. */
struct scatter_targets {
    void *base[KOSHU_MAX_DEVICES];
    size_t n, capacity;
};

static __global__ void
__launch_bounds__(ITEM_THREADS)
        scatter_quads(const uint4 *from, size_t capacity, size_t n,
                      const __grid_constant__ scatter_targets to)
{
    wait_for_previous_kernel();
    const size_t i = (size_t)blockIdx.x * ITEM_THREADS + threadIdx.x;
    if (i >= n) return;
    const uint4 quad = from[blockIdx.y * capacity + i];
    for (size_t k = 0; k < to.n; k++)
        static_cast<uint4 *>(to.base[k])[blockIdx.y * to.capacity + i] = quad;
}

/* Packs the own slice into the array of all points: here and, if kernels write
 * to peers, there. */
static cudaError_t
scatter_own(koshu_backend_partition *p)
{
    const packed_memory own = points_from(p, p->place);
    const packed_memory from = packed_in(p->store);
    const size_t n = p->slices.count(p->place);
    scatter_targets to = {{own.base}, 1, own.capacity};
    if (n == 0) return cudaSuccess;
    if (p->writes) to.n = p->slices.devices;
    for (size_t m = 0; p->writes && m < to.n; m++)
        to.base[m] = static_cast<char *>(p->peers[m].array[PEER_POINTS]) +
                     p->slices.first(p->place) * QUAD_BYTES;
    return launch(p->cuda, scatter_quads,
                  dim3(blocks_of(n).x, (unsigned)p->functions->quads),
                  ITEM_THREADS, 0, static_cast<const uint4 *>(from.base),
                  from.capacity, n, to);
}

cudaError_t
koshu::scatter(koshu_backend_partition *p)
{
    KOSHU_CUDA_TRY(pack_store(p->store, p->task, *p->functions));
    p->setup = setup_of(p->store, p->task, p->store->packed_units);
    if (p->connected)
        KOSHU_CUDA_TRY(await(p, p->cuda->stream, KOSHU_PARTITION_DONE));
    KOSHU_CUDA_TRY(scatter_own(p));
    return note_mark(p, KOSHU_PARTITION_SCATTERED);
}

static part_targets
targets_of(const koshu_backend_partition *p)
{
    part_targets to = {};
    if (!p->writes) to.all = p->sums.as<double>();
    for (size_t m = 0; p->writes && m < p->slices.devices; m++)
        to.of[m] = come_from(p, p->peers[m].array[PEER_COME], p->place, m);
    return to;
}

/* Ranks use the shape of tuning.cuh: a selection on one host may differ from
 * that of another, and all must divide the pairs in the same way. */
cudaError_t
koshu::sum_part(koshu_backend_partition *p)
{
    const size_t n = as_on_one(p->slices);
    koshu_cuda_selection selected = {nullptr, SHARED_MEMORY};
    if (p->in_process)
        selected = selected_for(p->cuda, *p->functions, n, p->setup);
    const shaped_kernel *kernel = selected.kernel && selected.kernel->partition
                                          ? selected.kernel
                                          : p->functions->mutual_for(n);
    p->cuda->shared_memory = selected.shared_memory;
    const cudaError_t error =
            kernel->partition(p->cuda, points_from(p, 0), p->mine, p->slices,
                              p->setup, targets_of(p));
    p->cuda->shared_memory = SHARED_MEMORY;
    return error == cudaSuccess ? note_mark(p, KOSHU_PARTITION_SUMMED) : error;
}

cudaError_t
koshu::finish(koshu_backend_partition *p, const parts_list &parts)
{
    if (parts.n > 0)
        KOSHU_CUDA_TRY(p->functions->add_parts(p->cuda, parts,
                                               points_from(p, 0), p->slices,
                                               p->place, p->setup, p->noted));
    return note_mark(p, KOSHU_PARTITION_DONE);
}

/* ---- addition of parts --------------------------------------------------- */

/* The bits of k < n in reverse order; n: a power of two. */
static size_t
reversed(size_t k, size_t n)
{
    size_t other = 0;
    for (; n > 1; n /= 2, k /= 2) other = 2 * other + k % 2;
    return other;
}

/* What has come from all ranks, in the order in which devices/exchange.c adds
 * when ranks send each other their sums: for each place in a group, from the
 * next group round to the own one; then the places, in pairs. */
static void
list_of_ranks(const koshu_backend_partition *p, parts_list *list)
{
    const size_t n = p->slices.devices, group = n & (~n + 1);
    list->rows = group;
    list->in_a_row = n / group;
    const double **part = list->part;
    for (size_t row = 0; row < group; row++)
        for (size_t on = 1; on <= n / group; on++) {
            const size_t of = (p->place / group + on) % (n / group);
            const size_t place = (p->place % group) ^ reversed(row, group);
            *part++ = come_from(p, p->come.as<void>(), of * group + place,
                                p->place);
        }
}

/* In the order of slices; for the own one, what was not sent. */
static void
list_in_process(const koshu_backend_partition *p, parts_list *list)
{
    const double *own = list->part[0];
    list->in_a_row = p->slices.devices;
    for (size_t m = 0; m < p->slices.devices; m++)
        list->part[m] = come_from(p, p->come.as<void>(), m, p->place);
    if (!p->writes) list->part[p->place] = own;
}

parts_list
koshu::parts_of(const koshu_backend_partition *p)
{
    parts_list list = {};
    list.n = p->slices.count(p->place);
    list.rows = list.in_a_row = 1;
    list.part[0] = p->sums.as<double>() + 4 * p->slices.first(p->place);
    if (p->in_process)
        list_in_process(p, &list);
    else if (p->writes)
        list_of_ranks(p, &list);
    return list;
}
