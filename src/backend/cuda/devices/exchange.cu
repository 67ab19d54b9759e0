/* SPDX-License-Identifier: MIT */
/* A rank's partition, as the backend's table of operations
 * (devices/partition.h). */
#include "backend/cuda/devices/copy.cuh"
#include "backend/cuda/devices/partition.cuh"
#include "backend/cuda/runtime/for_each.cuh"
#include "particles/particles.h"

using namespace koshu;

/* ---- life and capacity --------------------------------------------------- */

static cudaError_t
make_events(koshu_backend_partition *p)
{
    KOSHU_CUDA_TRY(p->here.open());
    KOSHU_CUDA_TRY(p->done[0].open());
    return p->done[1].open();
}

static koshu_status
create(koshu_backend *backend, int rank, int n_ranks,
       koshu_backend_partition **partition)
{
    koshu_cuda *cuda = enter(backend);
    const size_t each = cuda->multiprocessors;
    koshu_backend_partition *p = *partition =
            make_partition(cuda, (size_t)rank,
                           {(size_t)rank * each, each, (size_t)n_ranks * each,
                            each, cuda->row_bytes});
    if (!p) return koshu_fail_memory(backend->context, sizeof *p, "partition");
    p->backend = backend;
    p->members = (size_t)n_ranks;
    p->slices = distribution(0, (size_t)n_ranks);
    const cudaError_t error = make_events(p);
    if (error == cudaSuccess) return KOSHU_OK;
    destroy_partition(p);
    *partition = nullptr;
    return status_of(cuda, error, "sharing sums with other ranks");
}

static koshu_status
reserve(koshu_backend_partition *p, const koshu_force_task *task, size_t total)
{
    koshu_cuda_enter(p->cuda);
    p->slices = distribution(0, p->slices.devices);
    return status_of(p->cuda,
                     reserve_memory(p, functions_of(*task, total), total, true),
                     "making room for the particles of all ranks");
}

/* ---- arrays -------------------------------------------------------------- */

static const koshu_backend_partition *
partition_of(const koshu_device_arrays *arrays)
{
    return static_cast<const koshu_backend_partition *>(arrays);
}

static size_t
chunks(const koshu_device_arrays *arrays, const koshu_traffic_range *range,
       koshu_traffic_chunk chunks[KOSHU_TRAFFIC_CHUNKS])
{
    const koshu_backend_partition *p = partition_of(arrays);
    const size_t first = p->slices.first((size_t)range->first);
    const size_t end = p->slices.first((size_t)(range->first + range->n));
    if (range->array != KOSHU_PARTITION_POINTS) {
        const bool come = range->array == KOSHU_PARTITION_COME;
        char *memory = (come ? p->come : p->sums).as<char>();
        /* a slice ends with its potentials, which are not sent unless
         * requested */
        const bool all = range->n > 1 || p->setup.potential;
        chunks[0] = {memory + (come ? 0 : first) * SUM_BYTES,
                     (end - first) * (all ? SUM_BYTES : SUM_BYTES * 3 / 4)};
        return 1;
    }
    const packed_memory points = points_from(p, (size_t)range->first);
    for (size_t c = 0; c < p->functions->quads; c++)
        chunks[c] = {static_cast<char *>(points.base) +
                             c * points.capacity * QUAD_BYTES,
                     (end - first) * QUAD_BYTES};
    return p->functions->quads;
}

static void *
stream_of(const koshu_device_arrays *arrays)
{
    return arrays->cuda->stream;
}

static koshu_status
wait_for_device(koshu_device_arrays *arrays)
{
    koshu_cuda_enter(arrays->cuda);
    return status_of(arrays->cuda, cudaStreamSynchronize(arrays->cuda->stream),
                     "summing forces");
}

static const koshu_traffic_peer_ops peer_ops = {.handle = handle_of_arrays,
                                                .open = open_peers,
                                                .close = close_peers,
                                                .await = await_peers,
                                                .give = nullptr};
static const koshu_traffic_ops traffic_ops = {.wait = wait_for_device,
                                              .chunks = chunks,
                                              .stream = stream_of,
                                              .start = start_copies,
                                              .finish = finish_copies,
                                              .stage = &stage_ops,
                                              .peer = &peer_ops};

static koshu_device_arrays *
arrays_of(koshu_backend_partition *p)
{
    return p;
}

/* ---- sums ---------------------------------------------------------------- */

static koshu_status
measure(koshu_backend_partition *p, const koshu_force_task *task,
        koshu_particles *particles, unsigned fields,
        koshu_partition_extent *extent, bool *needs_all)
{
    const size_t total = koshu_particles_total(particles);
    const precision_functions &functions = functions_of(*task, total);
    const bool another = p->functions != &functions || p->slices.n != total;
    KOSHU_TRY(koshu_cuda_store_of(p->backend, particles, &p->store));
    KOSHU_TRY(start_forces(particles, fields));
    const koshu_cuda_store *store = p->store;
    p->task = *task;
    *needs_all =
            another || !store->packed_valid || store->packed_for != &functions;
    for (int c = 0; c < 3; c++) {
        extent->low[c] = store->extent.of[c].low;
        extent->high[c] = store->extent.of[c].high;
    }
    extent->largest_mass = store->largest_mass;
    if (!another) return KOSHU_OK;
    return status_of(
            p->cuda,
            clear_points(p, functions, distribution(total, p->slices.devices)),
            "making ready for the particles of all ranks");
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

static koshu_status
start(koshu_backend_partition *p, const koshu_partition_extent *all)
{
    koshu_cuda_enter(p->cuda);
    if (all) take_extent(p->store, *all);
    return status_of(p->cuda, scatter(p), "packing particles");
}

static koshu_status
add(koshu_backend_partition *p, const koshu_traffic_range *to,
    const koshu_traffic_range *come)
{
    koshu_traffic_chunk a[KOSHU_TRAFFIC_CHUNKS], b[KOSHU_TRAFFIC_CHUNKS];
    chunks(p, to, a);
    chunks(p, come, b);
    double *sum = static_cast<double *>(a[0].memory);
    const double *part = static_cast<double *>(b[0].memory);
    koshu_cuda_enter(p->cuda);
    return status_of(p->cuda,
                     for_each(p->cuda, a[0].bytes / sizeof *sum,
                              [=] __device__(size_t k) { sum[k] += part[k]; }),
                     "adding sums of other ranks");
}

/* Finishes, and waits for the sum before this one. */
static cudaError_t
finish_in_turn(koshu_backend_partition *p)
{
    KOSHU_CUDA_TRY(finish(p, parts_of(p)));
    KOSHU_CUDA_TRY(
            cudaEventRecord(p->done[p->sum_number % 2], p->cuda->stream));
    p->sum_number++;
    return cudaEventSynchronize(p->done[p->sum_number % 2]);
}

/* A step in the form of the table. */
template <cudaError_t (*STEP)(koshu_backend_partition *)>
static koshu_status
take_step(koshu_backend_partition *p)
{
    koshu_cuda_enter(p->cuda);
    return status_of(p->cuda, STEP(p), "summing forces");
}

const struct koshu_partition_ops koshu_cuda_partition = {
        .create = create,
        .destroy = destroy_partition,
        .has_capacity = has_capacity,
        .reserve = reserve,
        .measure = measure,
        .start = start,
        .sum = take_step<sum_part>,
        .add = add,
        .finish = take_step<finish_in_turn>,
        .arrays = arrays_of,
        .traffic = &traffic_ops,
};
