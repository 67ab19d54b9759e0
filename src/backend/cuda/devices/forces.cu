/* SPDX-License-Identifier: MIT */
/*
 * The forces of a store. One device sums its particles on each other. Several
 * devices use one of three schemes (Miki13 section 3):
 *
 * send-sync (Miki13 Fig. 3): each device sums its own slice on itself, sends
 * its positions to all others on its second stream, and sums the positions
 * received from each of them on its slice, alternating between the two streams;
 *
 * sync-recv (Fig. 4): the same, but each device fetches positions, once all
 * devices have theirs;
 *
 * mutual: all devices get all positions, and each computes an equal part of all
 * pairs, each pair once (pairs/mutual_forces.cuh); the parts of the forces are
 * sent back to the devices that own the particles.
 *
 * Parts of a force are added in the order of the slices, so that results are
 * the same, bit for bit, in every run.
 */
#include <algorithm>

#include "backend/cuda/devices/copy.cuh"

using namespace koshu;

/* ---- one device ---------------------------------------------------------- */

/* Sums the packed particles of a store on each other, in the shape selected for
 * their number, if there is one. */
static cudaError_t
sum_on_itself(const koshu_cuda_store *s, const precision_functions &functions,
              const force_setup &setup)
{
    koshu_cuda *cuda = s->cuda;
    const koshu_cuda_selection selected =
            selected_for(cuda, functions, s->n, setup);
    const shaped_kernel *kernel =
            selected.kernel ? selected.kernel : functions.all_for(s->n);
    cuda->shared_memory = selected.shared_memory;
    const cudaError_t error = kernel->all(cuda, packed_in(s), s->n, setup);
    cuda->shared_memory = SHARED_MEMORY;
    return error;
}

static cudaError_t
sum_alone(koshu_cuda_store *s, const koshu_force_task &task)
{
    const koshu_force_task in_range = task_in(task, s->extent);
    const precision_functions &functions = functions_of(in_range, s->n);
    KOSHU_CUDA_TRY(pack_store(s, in_range, functions));
    return sum_on_itself(s, functions, setup_of(s, task, s->packed_units));
}

/* ---- preparation of several devices -------------------------------------- */

static cudaError_t
make_part(koshu_cuda_copy *c, size_t k)
{
    const member &m = c->group->members[k];
    koshu_backend_partition *&p = c->part[k];
    if (!p) p = make_partition(m.lane[0], k, m.mine);
    if (!p) return cudaErrorMemoryAllocation;
    p->in_process = true;
    p->slices = c->slices;
    p->store = c->store[k];
    if (k == 0) p->noted = c->group->progress;
    p->members = c->slices.devices;
    for (event &mark : p->mark) KOSHU_CUDA_TRY(mark.open());
    return cudaSuccess;
}

/* Gives each device the arrays and marks of all. */
static void
connect(koshu_cuda_copy *c)
{
    for (size_t k = 0; k < c->slices.devices; k++) {
        c->part[k]->connected = true;
        for (size_t m = 0; m < c->slices.devices; m++) {
            const koshu_backend_partition *other = c->part[m];
            peer *p = &c->part[k]->peers[m];
            p->device = other->cuda->device;
            std::copy_n(other->array, PEER_ARRAYS, p->array);
            p->sums = other->sums.as<void>();
            std::copy_n(other->mark, KOSHU_TRAFFIC_MARKS, p->mark);
        }
    }
}

/* Once per precision: steps allocate nothing. */
static cudaError_t
reserve(koshu_cuda_copy *c, const precision_functions &functions,
        koshu_exchange scheme)
{
    const bool sums = scheme == KOSHU_EXCHANGE_MUTUAL && !c->group->direct;
    if (c->ready_for == &functions && (c->has_sums || !sums))
        return cudaSuccess;
    c->ready_for = nullptr; /* until all of them have it */
    KOSHU_CUDA_TRY(wait_for_all(c->group));
    KOSHU_CUDA_TRY(by_slices(c, [&](size_t k) {
        KOSHU_CUDA_TRY(make_part(c, k));
        KOSHU_CUDA_TRY(
                reserve_memory(c->part[k], functions, c->slices.n, sums));
        return clear_points(c->part[k], functions, c->slices);
    }));
    connect(c);
    c->ready_for = &functions;
    c->has_sums |= sums;
    return cudaSuccess;
}

/* ---- copies in one process ----------------------------------------------- */

/* Copies member `from`'s slice to member `to`, on a lane of either. */
static cudaError_t
copy_slice(const koshu_backend_partition *p, size_t from, size_t to,
           const koshu_cuda *lane)
{
    const size_t bytes = p->slices.count(from) * QUAD_BYTES;
    const peer &source = p->peers[from], &target = p->peers[to];
    if (bytes == 0) return cudaSuccess;
    for (size_t q = 0; q < p->functions->quads; q++) {
        const size_t at =
                (q * points_from(p, 0).capacity + p->slices.first(from)) *
                QUAD_BYTES;
        KOSHU_CUDA_TRY(cudaMemcpyPeerAsync(
                static_cast<char *>(target.array[PEER_POINTS]) + at,
                target.device,
                static_cast<char *>(source.array[PEER_POINTS]) + at,
                source.device, bytes, lane->stream));
    }
    return cudaSuccess;
}

/* Fetches the particles of all others. */
static cudaError_t
fetch_points(koshu_backend_partition *p)
{
    const size_t n = p->slices.devices;
    for (size_t step = 1; step < n; step++)
        KOSHU_CUDA_TRY(copy_slice(p, (p->place + step) % n, p->place, p->cuda));
    return cudaSuccess;
}

/* Fetches what the others have summed for this one's particles. */
static cudaError_t
fetch_sums(koshu_backend_partition *p)
{
    const size_t n = p->slices.devices, count = p->slices.count(p->place);
    const size_t bytes = (p->task.potential ? 4 : 3) * count * sizeof(double);
    for (size_t step = 1; step < n && count > 0; step++) {
        const size_t m = (p->place + step) % n;
        KOSHU_CUDA_TRY(cudaMemcpyPeerAsync(
                come_from(p, p->come.as<void>(), m, p->place), p->cuda->device,
                static_cast<const double *>(p->peers[m].sums) +
                        4 * p->slices.first(p->place),
                p->peers[m].device, bytes, p->cuda->stream));
    }
    return cudaSuccess;
}

/* ---- send-sync and sync-recv --------------------------------------------- */

/* Results go to part m of the forces on a slice. */
static force_setup
setup_for(const koshu_backend_partition *p, size_t m)
{
    const size_t n = p->slices.count(p->place);
    double *part = come_from(p, p->come.as<void>(), m, p->place);
    force_setup setup = p->setup;
    setup.out = {part, part + n, part + 2 * n, part + 3 * n, 0, 0, {}};
    return setup;
}

/* Sums the slice on itself, on the first stream. */
static cudaError_t
sum_own(const koshu_backend_partition *p)
{
    if (p->slices.count(p->place) == 0) return cudaSuccess;
    return sum_on_itself(p->store, *p->functions, setup_for(p, p->place));
}

/* Sends the slice to all others, on the second stream. */
static cudaError_t
send(koshu_backend_partition *p, member *m)
{
    const size_t n = p->slices.devices;
    const koshu_cuda *lane = m->lane[1];
    KOSHU_CUDA_TRY(cudaStreamWaitEvent(lane->stream,
                                       p->mark[KOSHU_PARTITION_SCATTERED], 0));
    for (size_t step = 1; step < n; step++)
        KOSHU_CUDA_TRY(copy_slice(p, p->place, (p->place + step) % n, lane));
    return cudaEventRecord(m->sent, lane->stream);
}

/* Sums slice m on the own one, once it has arrived. */
static cudaError_t
sum_other(koshu_cuda_copy *c, const koshu_backend_partition *p, size_t m,
          koshu_cuda *lane, koshu_exchange scheme)
{
    const size_t n_i = p->slices.count(p->place), n_j = p->slices.count(m);
    if (scheme == KOSHU_EXCHANGE_SEND_SYNC) {
        KOSHU_CUDA_TRY(cudaStreamWaitEvent(lane->stream,
                                           c->group->members[m].sent, 0));
    } else {
        KOSHU_CUDA_TRY(cudaStreamWaitEvent(
                lane->stream, p->peers[m].mark[KOSHU_PARTITION_SCATTERED], 0));
        KOSHU_CUDA_TRY(copy_slice(p, m, p->place, lane));
    }
    if (n_i == 0 || n_j == 0) return cudaSuccess;
    return p->functions->others(lane, packed_in(p->store), n_i,
                                points_from(p, m), n_j, setup_for(p, m));
}

static parts_list
parts_of_slices(const koshu_backend_partition *p)
{
    parts_list list = {};
    list.n = p->slices.count(p->place);
    list.rows = 1;
    for (size_t m = 0; m < p->slices.devices && p->slices.count(m) > 0; m++)
        list.part[list.in_a_row++] =
                come_from(p, p->come.as<void>(), m, p->place);
    return list;
}

/* Sums those of the others, beginning with the next device, alternating between
 * the two streams; then adds all parts. */
static cudaError_t
sum_others(koshu_cuda_copy *c, size_t k, koshu_exchange scheme)
{
    koshu_backend_partition *p = c->part[k];
    member *m = &c->group->members[k];
    const size_t n = c->slices.devices;
    KOSHU_CUDA_TRY(cudaStreamWaitEvent(m->lane[1]->stream,
                                       p->mark[KOSHU_PARTITION_SCATTERED], 0));
    for (size_t step = 1; step < n; step++)
        KOSHU_CUDA_TRY(
                sum_other(c, p, (k + step) % n, m->lane[step % LANES], scheme));
    KOSHU_CUDA_TRY(cudaEventRecord(m->joined, m->lane[1]->stream));
    KOSHU_CUDA_TRY(cudaStreamWaitEvent(m->lane[0]->stream, m->joined, 0));
    return finish(p, parts_of_slices(p));
}

static cudaError_t
sum_slices(koshu_cuda_copy *c, koshu_exchange scheme)
{
    KOSHU_CUDA_TRY(by_slices(c, [&](size_t k) {
        KOSHU_CUDA_TRY(scatter(c->part[k]));
        KOSHU_CUDA_TRY(sum_own(c->part[k]));
        return scheme == KOSHU_EXCHANGE_SEND_SYNC
                       ? send(c->part[k], &c->group->members[k])
                       : cudaSuccess;
    }));
    return by_slices(c, [&](size_t k) { return sum_others(c, k, scheme); });
}

/* ---- mutual -------------------------------------------------------------- */

/* Each step starts after all devices have enqueued what it waits for. */
static cudaError_t
sum_pairs(koshu_cuda_copy *c)
{
    KOSHU_CUDA_TRY(by_slices(c, [&](size_t k) { return scatter(c->part[k]); }));
    KOSHU_CUDA_TRY(by_slices(c, [&](size_t k) {
        koshu_backend_partition *p = c->part[k];
        KOSHU_CUDA_TRY(await(p, p->cuda->stream, KOSHU_PARTITION_SCATTERED));
        if (!p->writes) KOSHU_CUDA_TRY(fetch_points(p));
        return sum_part(p);
    }));
    return by_slices(c, [&](size_t k) {
        koshu_backend_partition *p = c->part[k];
        KOSHU_CUDA_TRY(await(p, p->cuda->stream, KOSHU_PARTITION_SUMMED));
        if (!p->writes) KOSHU_CUDA_TRY(fetch_sums(p));
        return finish(p, parts_of(p));
    });
}

/* ---- the sum ------------------------------------------------------------- */

static cudaError_t
sum_on_several(koshu_cuda_copy *c, const koshu_force_task &task,
               koshu_exchange scheme)
{
    const bool mutual = scheme == KOSHU_EXCHANGE_MUTUAL;
    KOSHU_CUDA_TRY(reserve(c, functions_of(task, c->slices.n), scheme));
    for (size_t k = 0; k < c->slices.devices; k++) {
        c->part[k]->task = task;
        c->part[k]->writes = mutual && c->group->direct;
    }
    KOSHU_CUDA_TRY(mutual ? sum_pairs(c) : sum_slices(c, scheme));
    c->group->common_sums++;
    return cudaSuccess;
}

/* For few particles, the host prepares the next steps while a sum runs, lest
 * the device wait for it. For many, that time is negligible, and waiting
 * gives the caller the true time of a sum and a prompt reaction to signals.
 * Several devices always start the next sum early, because they must first
 * synchronise. */
static unsigned
may_run_ahead(const koshu_cuda_copy *c)
{
    const size_t few = 32768 * c->slices.devices;
    return c->slices.n < few ? 4 : c->slices.devices > 1;
}

koshu_status
koshu_cuda_force_store(struct koshu_backend *backend,
                       const struct koshu_force_task *task,
                       struct koshu_particles *particles, unsigned fields)
{
    koshu_cuda_group *group = group_of(backend);
    koshu_cuda_copy *c;
    KOSHU_TRY(copy_of(backend, particles, group->n, &c));
    KOSHU_TRY(start_forces(particles, fields));
    cudaError_t error;
    if (group->n == 1) {
        enter(backend);
        error = sum_alone(c->store[0], *task);
    } else {
        error = sum_on_several(c, *task,
                               koshu_cuda_exchange(backend, task, c->slices.n));
    }
    if (error == cudaSuccess) error = keep_pace(group, may_run_ahead(c));
    return status_in(group, error, "summing forces");
}
