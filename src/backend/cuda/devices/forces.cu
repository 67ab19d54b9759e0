/* SPDX-License-Identifier: MIT */
/* The forces of a store on several devices: devices.h has the three schemes. */
#include "backend/cuda/devices/particles.cuh"
#include "backend/cuda/devices/peer_scatter.cuh"

using namespace koshu;

namespace {

/* One call. */
struct sum_of_all {
    koshu_cuda_group_store *s;
    const precision_functions *functions;
    const koshu_force_task *task;
    koshu_exchange scheme;

    member *at(size_t k) const
    {
        return &s->group->members[k];
    }
    size_t devices() const
    {
        return s->group->n;
    }
    size_t count(size_t k) const
    {
        return s->slices.count(k);
    }
    /* Do devices write into each other's memory, or are there copies? */
    bool direct() const
    {
        return s->group->direct;
    }
};

} /* namespace */

/* ---- memory -------------------------------------------------------------- */

static size_t
part_bytes(const sum_of_all &c, size_t n)
{
    return (c.task->potential ? 4 : 3) * n * sizeof(double);
}

/* Part number p of the forces on slice k. */
static double *
part_of(const sum_of_all &c, size_t k, size_t p)
{
    return c.s->slice[k].parts.as<double>() + p * 4 * c.count(k);
}

/* The packed particles of all slices on device k, from slice m on. */
static packed_memory
all_on(const sum_of_all &c, size_t k, size_t m)
{
    const size_t quad = 16;
    return {c.s->slice[k].all.as<char>() + c.s->slices.first(m) * quad,
            c.s->slices.n + PADDING};
}

static cudaError_t
reserve(const sum_of_all &c, size_t k)
{
    slice_on_device *slice = &c.s->slice[k];
    const size_t bytes = (c.s->slices.n + PADDING) * c.functions->quads * 16;
    const cudaStream_t stream = c.at(k)->lane[0]->stream;
    KOSHU_CUDA_TRY(slice->all.reserve(bytes));
    KOSHU_CUDA_TRY(slice->parts.reserve(c.devices() * 4 * c.count(k) *
                                        sizeof(double)));
    if (c.scheme == KOSHU_EXCHANGE_MUTUAL && !c.direct())
        KOSHU_CUDA_TRY(
                slice->given.reserve(4 * c.s->slices.n * sizeof(double)));
    KOSHU_CUDA_TRY(cudaMemsetAsync(slice->all.as<void>(), 0, bytes, stream));
    return cudaStreamSynchronize(stream); /* others may write there */
}

/* Once for a precision: nothing is allocated in a step. */
static int
reserve_all(const sum_of_all &c)
{
    const bool gives = c.scheme == KOSHU_EXCHANGE_MUTUAL;
    if (c.s->ready_for == c.functions && (c.s->gives || !gives)) return 0;
    c.s->ready_for = nullptr; /* until all of them have it */
    int error = koshu_cuda_group_wait(c.s->group);
    if (error == 0)
        error = by_all(c.s->group, [&](size_t k) { return reserve(c, k); });
    if (error != 0) return error;
    c.s->ready_for = c.functions;
    c.s->gives |= gives;
    return 0;
}

/* ---- items of work ------------------------------------------------------- */

/* Of slice k, with results to a part. Units are those of all slices; one
 * without particles has none. */
static force_setup
setup_for(const sum_of_all &c, size_t k, double *part)
{
    const size_t n = c.count(k);
    force_setup setup = {};
    setup.eps = c.task->eps;
    setup.potential = c.task->potential;
    setup.u = c.s->slice[n > 0 ? k : 0].store->packed_units;
    setup.out = {part, part + n, part + 2 * n, part + 3 * n, 0, 0, {}};
    return setup;
}

/* Slice `from`, to device `to`; the lane is of one of the two. */
static cudaError_t
copy_slice(const sum_of_all &c, size_t from, size_t to, const koshu_cuda *lane)
{
    const size_t quad = 16;
    const packed_memory source = packed_in(c.s->slice[from].store);
    const packed_memory target = all_on(c, to, from);
    if (c.count(from) == 0) return cudaSuccess;
    for (size_t q = 0; q < c.functions->quads; q++)
        KOSHU_CUDA_TRY(cudaMemcpyPeerAsync(
                static_cast<char *>(target.base) + q * target.capacity * quad,
                c.s->group->device[to],
                static_cast<char *>(source.base) + q * source.capacity * quad,
                c.s->group->device[from], c.count(from) * quad, lane->stream));
    return cudaSuccess;
}

/* Slice k, among those of all on all devices. */
static cudaError_t
scatter_slice(const sum_of_all &c, size_t k)
{
    scatter_targets to;
    to.n = c.devices();
    for (size_t m = 0; m < to.n; m++) {
        const packed_memory there = all_on(c, m, k);
        to.base[m] = there.base;
        to.capacity = there.capacity;
    }
    return peer_scatter(c.at(k)->lane[0], packed_in(c.s->slice[k].store),
                        c.count(k), c.functions->quads, to);
}

/* What all schemes begin with: positions packed, and in their place among
 * those of all, when no device needs the old ones any more. */
static cudaError_t
prepare(const sum_of_all &c, size_t k)
{
    koshu_cuda *lane = c.at(k)->lane[0];
    const bool scatters = c.scheme == KOSHU_EXCHANGE_MUTUAL && c.direct();
    KOSHU_CUDA_TRY(hold_for_others(c.s->group, k));
    if (c.count(k) > 0)
        KOSHU_CUDA_TRY(pack_store(c.s->slice[k].store, *c.task, *c.functions));
    if (scatters) KOSHU_CUDA_TRY(scatter_slice(c, k));
    KOSHU_CUDA_TRY(c.at(k)->packed.record(lane));
    return scatters ? cudaSuccess : copy_slice(c, k, k, lane);
}

/* What all schemes end with: the sum of the parts. */
static cudaError_t
add_all(const sum_of_all &c, size_t k, const parts_list &list)
{
    const koshu_cuda_store *store = c.s->slice[k].store;
    const fields &f = store->f;
    koshu_cuda *lane = c.at(k)->lane[0];
    force_setup setup = setup_for(c, k, nullptr);
    setup.out = {f.a[0], f.a[1], f.a[2], f.potential, 0, 0, {}};
    const progress noted = k == 0 ? c.s->group->progress : progress{};
    if (c.count(k) > 0)
        KOSHU_CUDA_TRY(c.functions->add_parts(lane, list, all_on(c, k, 0),
                                              c.s->slices, k, setup, noted));
    return c.at(k)->done.record(lane);
}

/* ---- send-sync and sync-recv --------------------------------------------- */

/* The slice on itself, on the first stream. */
static cudaError_t
sum_own(const sum_of_all &c, size_t k)
{
    if (c.count(k) == 0) return cudaSuccess;
    return sum_store(c.s->slice[k].store, *c.functions,
                     setup_for(c, k, part_of(c, k, k)));
}

/* To all others, on the second stream. */
static cudaError_t
send(const sum_of_all &c, size_t k)
{
    const koshu_cuda *lane = c.at(k)->lane[1];
    KOSHU_CUDA_TRY(c.at(k)->packed.hold(lane));
    for (size_t step = 1; step < c.devices(); step++)
        KOSHU_CUDA_TRY(copy_slice(c, k, (k + step) % c.devices(), lane));
    return c.at(k)->sent.record(lane);
}

/* Slice m on slice k, when it is there. */
static cudaError_t
sum_other(const sum_of_all &c, size_t k, size_t m, koshu_cuda *lane)
{
    if (c.scheme == KOSHU_EXCHANGE_SEND_SYNC) {
        KOSHU_CUDA_TRY(c.at(m)->sent.hold(lane));
    } else {
        KOSHU_CUDA_TRY(c.at(m)->packed.hold(lane));
        KOSHU_CUDA_TRY(copy_slice(c, m, k, lane));
    }
    if (c.count(k) == 0 || c.count(m) == 0) return cudaSuccess;
    return c.functions->others(lane, packed_in(c.s->slice[k].store), c.count(k),
                               all_on(c, k, m), c.count(m),
                               setup_for(c, k, part_of(c, k, m)));
}

/* Those of the others, from the next on, on the two streams in turn; then all
 * parts. */
static cudaError_t
sum_others(const sum_of_all &c, size_t k)
{
    koshu_cuda *const *lane = c.at(k)->lane;
    parts_list list = {};
    KOSHU_CUDA_TRY(c.at(k)->packed.hold(lane[1]));
    for (size_t step = 1; step < c.devices(); step++)
        KOSHU_CUDA_TRY(
                sum_other(c, k, (k + step) % c.devices(), lane[step % LANES]));
    KOSHU_CUDA_TRY(c.at(k)->joined.record(lane[1]));
    KOSHU_CUDA_TRY(c.at(k)->joined.hold(lane[0]));
    list.n = c.count(k);
    list.rows = 1;
    for (size_t m = 0; m < c.devices() && c.count(m) > 0; m++)
        list.part[list.in_a_row++] = part_of(c, k, m);
    return add_all(c, k, list);
}

static int
sum_slices(const sum_of_all &c)
{
    int error = by_all(c.s->group, [&](size_t k) {
        KOSHU_CUDA_TRY(prepare(c, k));
        KOSHU_CUDA_TRY(sum_own(c, k));
        return c.scheme == KOSHU_EXCHANGE_SEND_SYNC ? send(c, k) : cudaSuccess;
    });
    if (error != 0) return error;
    return by_all(c.s->group, [&](size_t k) { return sum_others(c, k); });
}

/* ---- mutual -------------------------------------------------------------- */

/* Where device k leaves its part of the forces on slice m. */
static double *
part_by(const sum_of_all &c, size_t k, size_t m)
{
    if (c.direct()) return part_of(c, m, k);
    return c.s->slice[k].given.as<double>() + 4 * c.s->slices.first(m);
}

/* All slices come to device k, which sums its part of the pairs. */
static cudaError_t
give(const sum_of_all &c, size_t k)
{
    koshu_cuda *lane = c.at(k)->lane[0];
    const force_setup setup = setup_for(c, k, nullptr);
    part_targets to = {};
    if (!c.direct()) to.all = c.s->slice[k].given.as<double>();
    for (size_t m = 0; m < c.devices(); m++) to.of[m] = part_by(c, k, m);
    for (size_t step = 1; step < c.devices(); step++) {
        const size_t m = (k + step) % c.devices();
        KOSHU_CUDA_TRY(c.at(m)->packed.hold(lane));
        if (!c.direct()) KOSHU_CUDA_TRY(copy_slice(c, m, k, lane));
    }
    auto sum = [&](const shaped_kernel *kernel) {
        const partition_function sum_pairs = kernel && kernel->partition
                                                     ? kernel->partition
                                                     : c.functions->partition;
        return sum_pairs(lane, all_on(c, k, 0), c.at(k)->mine, c.s->slices,
                         setup, to);
    };
    KOSHU_CUDA_TRY(in_selected_shape(lane, *c.functions, as_on_one(c.s->slices),
                                     setup, sum));
    return c.at(k)->summed.record(lane);
}

/* The parts of slice k come to it. */
static cudaError_t
take(const sum_of_all &c, size_t k)
{
    const koshu_cuda *lane = c.at(k)->lane[0];
    const koshu_cuda_group *group = c.s->group;
    const size_t n = c.count(k);
    parts_list list = {};
    list.n = n;
    list.rows = 1;
    list.in_a_row = c.devices();
    list.part[k] = part_by(c, k, k);
    for (size_t step = 1; step < c.devices(); step++) {
        const size_t m = (k + step) % c.devices();
        KOSHU_CUDA_TRY(c.at(m)->summed.hold(lane));
        list.part[m] = part_of(c, k, m);
        if (n > 0 && !c.direct())
            KOSHU_CUDA_TRY(cudaMemcpyPeerAsync(
                    part_of(c, k, m), group->device[k], part_by(c, m, k),
                    group->device[m], part_bytes(c, n), lane->stream));
    }
    return add_all(c, k, list);
}

static int
sum_pairs(const sum_of_all &c)
{
    int error = by_all(c.s->group, [&](size_t k) { return prepare(c, k); });
    if (error == 0)
        error = by_all(c.s->group, [&](size_t k) { return give(c, k); });
    if (error == 0)
        error = by_all(c.s->group, [&](size_t k) { return take(c, k); });
    return error;
}

/* ---- the sum ------------------------------------------------------------- */

int
koshu_cuda_group_store_forces(struct koshu_cuda_group_store *store,
                              const struct koshu_force_task *task,
                              enum koshu_exchange scheme)
{
    const sum_of_all c = {store, &functions_of(*task, store->slices.n), task,
                          scheme};
    int error = reserve_all(c);
    if (error == 0)
        error = scheme == KOSHU_EXCHANGE_MUTUAL ? sum_pairs(c) : sum_slices(c);
    if (error == 0) store->group->sums++;
    return error;
}
