/* SPDX-License-Identifier: MIT */
/* The arrays of a rank's partition, and its sums. */
#include <cstdlib>
#include <new>

#include "backend/cuda/ranks/partition.cuh"
#include "backend/cuda/devices/peer_scatter.cuh"

using namespace koshu;

enum { ADD_THREADS = 256, SUM_BYTES = 4 * sizeof(double), QUAD_BYTES = 16 };

/* Allocations of their own blocks of memory can be opened by other processes
 * one by one. */
static size_t
whole_blocks(size_t bytes)
{
    const size_t block = (size_t)2 << 20;
    return (bytes + block - 1) / block * block;
}

int
koshu_cuda_partition_create(struct koshu_cuda *cuda, int rank, int n_ranks,
                            struct koshu_cuda_partition **partition)
{
    void *memory = calloc(1, sizeof(koshu_cuda_partition));
    *partition = nullptr;
    if (!memory) return cudaErrorMemoryAllocation;
    koshu_cuda_partition *s = new (memory) koshu_cuda_partition();
    s->cuda = cuda;
    s->rank = (size_t)rank;
    s->slices = distribution(0, (size_t)n_ranks);
    *partition = s;
    koshu_cuda_enter(cuda);
    for (cudaEvent_t *event : {&s->here, &s->done[0], &s->done[1]})
        KOSHU_CUDA_TRY(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    return cudaSuccess;
}

void
koshu_cuda_partition_destroy(struct koshu_cuda_partition *partition)
{
    if (!partition) return;
    koshu_cuda_enter(partition->cuda);
    cudaStreamSynchronize(partition->cuda->stream);
    koshu_cuda_peer_close(partition);
    for (staged_direction *direction : {&partition->out, &partition->in}) {
        if (direction->stream) cudaStreamDestroy(direction->stream);
        for (cudaEvent_t done : direction->done)
            if (done) cudaEventDestroy(done);
        cudaFreeHost(direction->buffer);
    }
    if (partition->here) cudaEventDestroy(partition->here);
    for (cudaEvent_t mark : partition->mark)
        if (mark) cudaEventDestroy(mark);
    for (cudaEvent_t done : partition->done)
        if (done) cudaEventDestroy(done);
    partition->~koshu_cuda_partition();
    free(partition);
}

/* ---- capacity ------------------------------------------------------------ */

static size_t
points_bytes(const precision_functions &functions, size_t total)
{
    return whole_blocks((total + PADDING) * functions.quads * QUAD_BYTES);
}

/* What comes of each rank may be as long as the longest slice. */
static size_t
sums_bytes(const koshu_cuda_partition *s, size_t total)
{
    return whole_blocks((total + 2 * s->slices.devices) * SUM_BYTES);
}

bool
koshu_cuda_partition_has_capacity(const struct koshu_cuda_partition *partition,
                                  const struct koshu_force_task *task,
                                  size_t total)
{
    return partition->points.has(
                   points_bytes(functions_of(*task, total), total)) &&
           partition->sums.has(sums_bytes(partition, total));
}

int
koshu_cuda_partition_reserve(struct koshu_cuda_partition *partition,
                             const struct koshu_force_task *task, size_t total)
{
    koshu_cuda_partition *s = partition;
    s->slices = distribution(0, s->slices.devices);
    koshu_cuda_enter(s->cuda);
    KOSHU_CUDA_TRY(
            s->points.reserve(points_bytes(functions_of(*task, total), total)));
    KOSHU_CUDA_TRY(s->sums.reserve(sums_bytes(s, total)));
    return s->come.reserve(sums_bytes(s, total));
}

/* All particles, of which the own are written here. */
static packed_memory
all_points(const koshu_cuda_partition *s)
{
    return {s->points.as<void>(), s->slices.n + PADDING};
}

size_t
koshu_cuda_partition_chunks(
        const struct koshu_cuda_partition *partition,
        const struct koshu_partition_range *range,
        struct koshu_partition_chunk chunks[KOSHU_PARTITION_CHUNKS])
{
    const koshu_cuda_partition *s = partition;
    const size_t first = s->slices.first((size_t)range->first);
    const size_t end = s->slices.first((size_t)(range->first + range->n));
    if (range->array != KOSHU_PARTITION_POINTS) {
        const bool come = range->array == KOSHU_PARTITION_COME;
        char *memory = (come ? s->come : s->sums).as<char>();
        /* a slice ends with its potentials: they stay where not requested */
        const bool all = range->n > 1 || s->setup.potential;
        chunks[0] = {memory + (come ? 0 : first) * SUM_BYTES,
                     (end - first) * (all ? SUM_BYTES : SUM_BYTES * 3 / 4)};
        return 1;
    }
    char *memory = s->points.as<char>();
    for (size_t c = 0; c < s->functions->quads; c++)
        chunks[c] = {memory + (c * all_points(s).capacity + first) * QUAD_BYTES,
                     (end - first) * QUAD_BYTES};
    return s->functions->quads;
}

/* ---- a call -------------------------------------------------------------- */

/* Zero beyond the last particle; before other ranks write theirs. */
static cudaError_t
clear_points(koshu_cuda_partition *s)
{
    KOSHU_CUDA_TRY(cudaMemsetAsync(s->points.as<void>(), 0,
                                   all_points(s).capacity *
                                           s->functions->quads * QUAD_BYTES,
                                   s->cuda->stream));
    return cudaStreamSynchronize(s->cuda->stream);
}

int
koshu_cuda_partition_measure(struct koshu_cuda_partition *partition,
                             const struct koshu_force_task *task,
                             struct koshu_cuda_store *store, size_t total,
                             struct koshu_partition_extent *extent,
                             bool *needs_all)
{
    koshu_cuda_partition *s = partition;
    const precision_functions &functions = functions_of(*task, total);
    const bool another = s->functions != &functions || s->slices.n != total;
    s->store = store;
    s->task = *task;
    s->functions = &functions;
    s->slices = distribution(total, s->slices.devices);
    *needs_all =
            another || !store->packed_valid || store->packed_for != &functions;
    for (int c = 0; c < 3; c++) {
        extent->low[c] = store->extent.of[c].low;
        extent->high[c] = store->extent.of[c].high;
    }
    extent->largest_mass = store->largest_mass;
    koshu_cuda_enter(s->cuda);
    return another ? clear_points(s) : cudaSuccess;
}

static void
take_extent(koshu_cuda_store *store, const koshu_partition_extent &all)
{
    for (int c = 0; c < 3; c++) {
        store->extent.of[c].low = all.low[c];
        store->extent.of[c].high = all.high[c];
    }
    store->largest_mass = all.largest_mass;
    store->packed_valid = false;
}

/* The own slice among all points: here, and on all ranks whose arrays are open.
 */
static cudaError_t
scatter_own(koshu_cuda_partition *s)
{
    const koshu_partition_range own = {KOSHU_PARTITION_POINTS, (int)s->rank, 1};
    koshu_partition_chunk chunks[KOSHU_PARTITION_CHUNKS];
    koshu_cuda_partition_chunks(s, &own, chunks);
    const size_t place = (size_t)(static_cast<char *>(chunks[0].memory) -
                                  s->points.as<char>());
    scatter_targets to;
    to.capacity = all_points(s).capacity;
    to.n = s->peers ? s->slices.devices : 1;
    to.base[0] = chunks[0].memory;
    for (size_t r = 0; s->peers && r < to.n; r++)
        to.base[r] = static_cast<char *>(s->peers[r].points) + place;
    return peer_scatter(s->cuda, packed_in(s->store), s->slices.count(s->rank),
                        s->functions->quads, to);
}

int
koshu_cuda_partition_start(struct koshu_cuda_partition *partition,
                           const struct koshu_partition_extent *all)
{
    koshu_cuda_partition *s = partition;
    koshu_cuda_enter(s->cuda);
    if (all) take_extent(s->store, *all);
    KOSHU_CUDA_TRY(pack_store(s->store, s->task, *s->functions));
    const fields &f = s->store->f;
    s->setup = {};
    s->setup.eps = s->task.eps;
    s->setup.potential = s->task.potential;
    s->setup.u = s->store->packed_units;
    s->setup.out = {f.a[0], f.a[1], f.a[2], f.potential, 0, 0, {}};
    if (s->peers)
        KOSHU_CUDA_TRY(
                (cudaError_t)koshu_cuda_peer_await(s, KOSHU_PARTITION_DONE));
    KOSHU_CUDA_TRY(scatter_own(s));
    return note_mark(s, KOSHU_PARTITION_SCATTERED);
}

/* Where rank `from` leaves what it has summed for a slice: in the place of that
 * rank among what comes to the slice's. */
static double *
come_from(const koshu_cuda_partition *s, void *come, size_t from, size_t slice)
{
    return static_cast<double *>(come) + from * 4 * s->slices.count(slice);
}

static part_targets
targets_of(const koshu_cuda_partition *s)
{
    part_targets to = {};
    if (!s->peers) to.all = s->sums.as<double>();
    for (size_t r = 0; s->peers && r < s->slices.devices; r++)
        to.of[r] = come_from(s, s->peers[r].come, s->rank, r);
    return to;
}

/* In the shape that tuning.cuh says: one that was chosen on a host may not be
 * that of another, and all must cut the pairs alike. */
int
koshu_cuda_partition_sum(struct koshu_cuda_partition *partition)
{
    koshu_cuda_partition *s = partition;
    koshu_cuda *cuda = s->cuda;
    const size_t each = cuda->multiprocessors, ranks = s->slices.devices;
    const struct partition mine = {s->rank * each, each, ranks * each, each,
                                   cuda->row_bytes};
    koshu_cuda_enter(cuda);
    KOSHU_CUDA_TRY(s->functions->partition(cuda, all_points(s), mine, s->slices,
                                           s->setup, targets_of(s)));
    return note_mark(s, KOSHU_PARTITION_SUMMED);
}

static __global__ void
__launch_bounds__(ADD_THREADS)
        add_sums(double *to, const double *come, size_t n)
{
    wait_for_previous_kernel();
    const size_t i = (size_t)blockIdx.x * ADD_THREADS + threadIdx.x;
    if (i < n) to[i] += come[i];
}

int
koshu_cuda_partition_add(struct koshu_cuda_partition *partition,
                         const struct koshu_partition_range *to,
                         const struct koshu_partition_range *come)
{
    koshu_partition_chunk a[KOSHU_PARTITION_CHUNKS], b[KOSHU_PARTITION_CHUNKS];
    koshu_cuda_partition_chunks(partition, to, a);
    koshu_cuda_partition_chunks(partition, come, b);
    const size_t n = a[0].bytes / sizeof(double);
    koshu_cuda_enter(partition->cuda);
    return launch(partition->cuda, add_sums,
                  (unsigned)((n + ADD_THREADS - 1) / ADD_THREADS), ADD_THREADS,
                  0, static_cast<double *>(a[0].memory),
                  static_cast<const double *>(b[0].memory), n);
}

/* The bits of k, of which there are n, backwards; n: a power of two. */
static size_t
reversed(size_t k, size_t n)
{
    size_t other = 0;
    for (; n > 1; n /= 2, k /= 2) other = 2 * other + k % 2;
    return other;
}

/* What has come from all ranks, in the order in which device_exchange.c adds
 * where they send each other their sums: of each place in a group, from the
 * next group round to the own; then of the places, pair by pair. */
static void
list_come(const koshu_cuda_partition *s, parts_list *list)
{
    const size_t n = s->slices.devices, group = n & (~n + 1);
    list->rows = group;
    list->in_a_row = n / group;
    const double **part = list->part;
    for (size_t row = 0; row < group; row++)
        for (size_t on = 1; on <= n / group; on++) {
            const size_t of = (s->rank / group + on) % (n / group);
            const size_t place = (s->rank % group) ^ reversed(row, group);
            *part++ = come_from(s, s->come.as<void>(), of * group + place,
                                s->rank);
        }
}

/* One part of the forces, the own slice of the sums; or one of each rank. */
static parts_list
parts_of(const koshu_cuda_partition *s)
{
    const koshu_partition_range own = {KOSHU_PARTITION_SUMS, (int)s->rank, 1};
    koshu_partition_chunk chunks[KOSHU_PARTITION_CHUNKS];
    koshu_cuda_partition_chunks(s, &own, chunks);
    parts_list list = {};
    list.n = s->slices.count(s->rank);
    list.rows = list.in_a_row = 1;
    list.part[0] = static_cast<const double *>(chunks[0].memory);
    if (s->peers) list_come(s, &list);
    return list;
}

int
koshu_cuda_partition_finish(struct koshu_cuda_partition *partition)
{
    koshu_cuda_partition *s = partition;
    koshu_cuda_enter(s->cuda);
    KOSHU_CUDA_TRY(s->functions->add_parts(s->cuda, parts_of(s), all_points(s),
                                           s->slices, s->rank, s->setup, {}));
    KOSHU_CUDA_TRY(note_mark(s, KOSHU_PARTITION_DONE));
    KOSHU_CUDA_TRY(
            cudaEventRecord(s->done[s->sum_number % 2], s->cuda->stream));
    s->sum_number++;
    return cudaEventSynchronize(s->done[s->sum_number % 2]);
}

int
koshu_cuda_partition_wait(struct koshu_cuda_partition *partition)
{
    koshu_cuda_enter(partition->cuda);
    return cudaStreamSynchronize(partition->cuda->stream);
}

void *
koshu_cuda_partition_stream(const struct koshu_cuda_partition *partition)
{
    return partition->cuda->stream;
}
