/* SPDX-License-Identifier: MIT */
/* The Hermite integrator with block time steps: memory, launches, copies, and
 * the operations of the backend. */
#include <algorithm>
#include <cmath>

#include "backend/cuda/devices/group.cuh"
#include "backend/cuda/hermite/kernel.cuh"
#include "backend/cuda/particles/box.cuh"
#include "backend/cuda/cuda.h"
#include "backend/cuda/runtime/device.cuh"
#include "backend/cuda/runtime/object.cuh"

using namespace koshu;

/* Limits of the pairs that a stage may sum, and of the time of a launch, so
 * that the host can react to signals in between. */
static constexpr double max_pairs = 0x1p36;
static constexpr unsigned long long max_nanoseconds = 100000000;

/* Unit of length for pairs of floats, in softening lengths. */
static constexpr double pairs_unit = 0x1p20;

/* Number of particles for which another block of the grid pays. */
static constexpr size_t worth_a_block = 16;

/* Beyond this many particles several devices do not use this engine, which
 * works on one device: the host's engine lets all of them sum
 * (j_store/divided.cuh), which then outweighs the data that pass through the
 * host. */
static constexpr size_t worth_all_devices = 262144;

enum { VECTORS = 4, DOUBLES = 3 * VECTORS + 2 }; /* x v a j, mass, potential */

struct block_functions {
    size_t quads;
    cudaError_t (*prepare)(block_setup *, const units &);
    cudaError_t (*launch)(const koshu_cuda *, const block_setup &,
                          unsigned blocks, void *packed);
};

struct koshu_block_engine {
    koshu_cuda *cuda;
    const block_functions *functions;
    unsigned blocks;
    uint8_t *host_level; /* of each particle: exponent of its step */
    buffer doubles, level, packed, list, listed, partial, members, barrier;
    block_setup setup;
    volatile block_place *left; /* in host memory; the device writes it */
};

/* ---- launches ------------------------------------------------------------ */

template <class P>
static cudaError_t
prepare_block(block_setup *setup, const units &u)
{
    setup->per_length = 1 / u.length;
    setup->per_mass = 1 / u.mass;
    setup->a_unit = jerk_unit<P>(JERK_AX, u);
    setup->j_unit = jerk_unit<P>(JERK_JX, u);
    setup->potential_unit = jerk_unit<P>(JERK_MR, u);
    return cudaFuncSetAttribute(block_steps<P>,
                                cudaFuncAttributeMaxDynamicSharedMemorySize,
                                (int)sizeof(block_memory<P>));
}

template <class P>
static cudaError_t
launch_block(const koshu_cuda *cuda, const block_setup &setup, unsigned blocks,
             void *packed)
{
    block_args<P> args = {};
    static_cast<block_setup &>(args) = setup;
    auto *quads = static_cast<typename P::quad *>(packed);
    for (auto &copy : args.packed) {
        copy = packed_of<P>({quads, setup.n});
        quads += (size_t)P::quads * setup.n;
    }
    const double packed_eps = setup.task.eps * setup.per_length;
    args.eps2 = (typename P::real)(packed_eps * packed_eps);
    cudaLaunchAttribute resident = {};
    resident.id = cudaLaunchAttributeCooperative;
    resident.val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = BLOCK_THREADS;
    config.dynamicSmemBytes = sizeof(block_memory<P>);
    config.stream = cuda->stream;
    config.attrs = &resident;
    config.numAttrs = 1;
    KOSHU_CUDA_TRY(cudaLaunchKernelEx(&config, block_steps<P>, args));
    return cudaGetLastError();
}

template <class P>
static constexpr block_functions functions_for = {P::quads, prepare_block<P>,
                                                  launch_block<P>};

/*
 * Are pairs of floats accurate enough? The softening must not be many orders of
 * magnitude shorter than the system. That is judged by numbers that never
 * change in a run, the total mass M and the longest step T: the length (G M
 * T^2)^1/3 is at most of the system's size.
 */
static bool
takes_pairs(const koshu_block_task &task, const koshu_block_particles &p)
{
    double mass = 0, step = task.tick * (double)task.longest;
    if (task.precision != KOSHU_PRECISION_MIXED) return false;
    for (size_t k = 0; k < p.n; k++) mass += p.mass[k];
    return task.eps > 0 && pairs_unit * task.eps >= cbrt(mass * step * step);
}

static const block_functions *
functions_of_task(const koshu_block_task &task, const koshu_block_particles &p)
{
    switch (task.precision) {
    case KOSHU_PRECISION_MIXED:
        return takes_pairs(task, p) ? &functions_for<block_pairs>
                                    : &functions_for<jerk_mixed>;
    case KOSHU_PRECISION_DOUBLE: return &functions_for<jerk_double>;
    default: return &functions_for<jerk_single>;
    }
}

/* ---- memory -------------------------------------------------------------- */

/* Double precision uses the caller's units. The unit of length changes no bit,
 * except with block_pairs. */
static units
units_of_particles(const koshu_block_task &task, const koshu_block_particles &p)
{
    units u = {1, 1};
    if (task.precision == KOSHU_PRECISION_DOUBLE) return u;
    double reach = fmax(task.eps, 0);
    for (size_t k = 0; k < p.n; k++)
        reach = fmax(reach,
                     fmax(fabs(p.x[k]), fmax(fabs(p.y[k]), fabs(p.z[k]))));
    const double mass = largest(p.mass, p.n);
    u.length = takes_pairs(task, p) ? pairs_unit * power_of_two(task.eps)
                                    : power_of_two(reach);
    if (mass > 0 && std::isfinite(mass)) u.mass = mass;
    return u;
}

static void
lay_out(block_fields *f, double *memory, size_t n)
{
    double *next = memory;
    f->mass = next;
    for (int c = 0; c < 3; c++) f->x[c] = next += n;
    for (int c = 0; c < 3; c++) f->v[c] = next += n;
    for (int c = 0; c < 3; c++) f->a[c] = next += n;
    for (int c = 0; c < 3; c++) f->j[c] = next += n;
    f->potential = next + n;
}

static cudaError_t
reserve(koshu_block_engine *b, const koshu_block_task &task, size_t n)
{
    block_setup &s = b->setup;
    const size_t copies = task.iterations > 1 ? 2 : 1;
    const size_t tiles = blocks_for(s.chunk, BLOCK_WIDEST);
    /* the list has one part per block, of whole cache lines */
    const size_t listed = n + (size_t)b->blocks * 32;
    KOSHU_CUDA_TRY(b->doubles.reserve(DOUBLES * n * sizeof(double)));
    KOSHU_CUDA_TRY(b->level.reserve(n));
    KOSHU_CUDA_TRY(b->packed.reserve(copies * n * b->functions->quads * 16));
    KOSHU_CUDA_TRY(b->list.reserve(listed * sizeof(uint32_t)));
    KOSHU_CUDA_TRY(b->listed.reserve(b->blocks * sizeof(uint32_t)));
    KOSHU_CUDA_TRY(b->partial.reserve((b->blocks + tiles) * JERK_COMPONENTS *
                                      BLOCK_WIDEST * sizeof(double)));
    KOSHU_CUDA_TRY(b->members.reserve(BLOCK_LEVELS * sizeof *s.members));
    KOSHU_CUDA_TRY(b->barrier.reserve(sizeof *s.barrier));
    lay_out(&s.f, b->doubles.as<double>(), n);
    s.f.level = b->level.as<uint8_t>();
    s.list = b->list.as<uint32_t>();
    s.listed = b->listed.as<uint32_t>();
    s.partial = b->partial.as<double>();
    s.members = b->members.as<unsigned long long>();
    s.barrier = b->barrier.as<barrier_word>();
    void *left;
    KOSHU_CUDA_TRY(cudaHostAlloc(&left, sizeof *b->left, cudaHostAllocMapped));
    b->left = s.left = static_cast<block_place *>(left);
    return cudaSuccess;
}

/* Copies the host's arrays from the k-th on to the device, or back. */
static cudaError_t
copy_arrays(const koshu_block_engine *b, const koshu_block_particles &p, int k,
            cudaMemcpyKind direction)
{
    double *const mass = const_cast<double *>(p.mass);
    double *const host[DOUBLES] = {mass, p.x,  p.y,  p.z,        p.vx,
                                   p.vy, p.vz, p.ax, p.ay,       p.az,
                                   p.jx, p.jy, p.jz, p.potential};
    const bool up = direction == cudaMemcpyHostToDevice;
    const size_t n = b->setup.n;
    for (; k < DOUBLES; k++) {
        double *device = b->setup.f.mass + k * n;
        KOSHU_CUDA_TRY(cudaMemcpyAsync(
                up ? device : host[k], up ? host[k] : device,
                n * sizeof(double), direction, b->cuda->stream));
    }
    return cudaSuccess;
}

static cudaError_t
upload(koshu_block_engine *b, const koshu_block_particles &p)
{
    unsigned long long members[BLOCK_LEVELS] = {};
    KOSHU_CUDA_TRY(copy_arrays(b, p, 0, cudaMemcpyHostToDevice));
    for (size_t k = 0; k < p.n; k++) members[b->host_level[k]]++;
    KOSHU_CUDA_TRY(cudaMemcpyAsync(b->setup.f.level, b->host_level, p.n,
                                   cudaMemcpyHostToDevice, b->cuda->stream));
    KOSHU_CUDA_TRY(cudaMemcpyAsync(b->setup.members, members, sizeof members,
                                   cudaMemcpyHostToDevice, b->cuda->stream));
    return cudaStreamSynchronize(b->cuda->stream);
}

/* Downloads all fields but mass. */
static cudaError_t
download(const koshu_block_engine *b, const koshu_block_particles &p)
{
    KOSHU_CUDA_TRY(copy_arrays(b, p, 1, cudaMemcpyDeviceToHost));
    KOSHU_CUDA_TRY(cudaMemcpyAsync(b->host_level, b->setup.f.level, b->setup.n,
                                   cudaMemcpyDeviceToHost, b->cuda->stream));
    return cudaStreamSynchronize(b->cuda->stream);
}

static cudaError_t
open(koshu_block_engine *b, const koshu_block_task &task,
     const koshu_block_particles &p)
{
    const size_t n = p.n, least = 1024;
    const size_t blocks = blocks_for(n, worth_a_block);
    block_setup &s = b->setup;
    b->functions = functions_of_task(task, p);
    b->blocks = (unsigned)std::min(
            {blocks, b->cuda->multiprocessors, (size_t)BLOCK_MAX_BLOCKS});
    s.n = (uint32_t)n;
    s.chunk = (uint32_t)std::min(
            n, std::max(least, (size_t)(max_pairs / (double)n)));
    s.nanoseconds = max_nanoseconds;
    s.task = task;
    const units u = units_of_particles(task, p);
    KOSHU_CUDA_TRY(reserve(b, task, n));
    KOSHU_CUDA_TRY(b->functions->prepare(&s, u));
    return upload(b, p);
}

/* ---- life ---------------------------------------------------------------- */

static bool
can(const koshu_backend *backend, const koshu_block_task *task, size_t n)
{
    const bool is_for_all = group_of(backend)->n > 1 && n > worth_all_devices;
    return n <= BLOCK_MAX_N && !is_for_all &&
           koshu_cuda_can_soften(task->precision, task->eps);
}

/* Finds the levels of the steps, and the time at which the particles of every
 * level are where the arrays say. */
static koshu_status
find_levels(const koshu_block_engine *b, const koshu_block_particles &p,
            uint64_t *time)
{
    *time = 0;
    for (size_t k = 0; k < p.n; k++) *time = std::max(*time, p.tick[k]);
    for (size_t k = 0; k < p.n; k++) {
        const uint64_t step = p.step[k];
        if (step == 0 || (step & (step - 1)) != 0 ||
            p.tick[k] != (*time & ~(step - 1)))
            return koshu_fail(b->cuda->context, KOSHU_ERROR_INVALID_ARGUMENT,
                              "cuda: particle %zu at tick %llu with a step of "
                              "%llu ticks is not in block steps at tick %llu",
                              k, (unsigned long long)p.tick[k],
                              (unsigned long long)step,
                              (unsigned long long)*time);
        b->host_level[k] = (uint8_t)__builtin_ctzll(step);
    }
    return KOSHU_OK;
}

static void
destroy(koshu_block_engine *b)
{
    if (!b) return;
    cudaStreamSynchronize(b->cuda->stream);
    if (b->left) cudaFreeHost((void *)b->left);
    koshu_free(b->host_level);
    free_object(b);
}

static koshu_status
fill(koshu_block_engine *b, const koshu_block_task &task,
     const koshu_block_particles &p)
{
    b->host_level = static_cast<uint8_t *>(koshu_alloc(p.n, 1));
    if (!b->host_level)
        return koshu_fail_memory(b->cuda->context, p.n, "block time steps");
    KOSHU_TRY(find_levels(b, p, &b->setup.place.time));
    return status_of(b->cuda, open(b, task, p),
                     "making room for block time steps on the device");
}

static koshu_status
create(koshu_backend *backend, const koshu_block_task *task,
       const koshu_block_particles *particles, koshu_block_engine **engine)
{
    koshu_cuda *cuda = enter(backend);
    koshu_block_engine *b = make_object<koshu_block_engine>();
    if (!b) return koshu_fail_memory(backend->context, sizeof *b, "engine");
    b->cuda = cuda;
    const koshu_status status = fill(b, *task, *particles);
    if (status == KOSHU_OK)
        *engine = b;
    else
        destroy(b);
    return status;
}

/* ---- run and read -------------------------------------------------------- */

/* Launches until one does not end with a pause; *flags: those of the last
 * barrier. */
static cudaError_t
run_launches(koshu_block_engine *b, unsigned *flags)
{
    barrier_word barrier;
    const cudaStream_t stream = b->cuda->stream;
    do {
        KOSHU_CUDA_TRY(
                cudaMemsetAsync(b->setup.barrier, 0, sizeof barrier, stream));
        KOSHU_CUDA_TRY(b->functions->launch(b->cuda, b->setup, b->blocks,
                                            b->packed.as<void>()));
        KOSHU_CUDA_TRY(cudaMemcpyAsync(&barrier, b->setup.barrier,
                                       sizeof barrier, cudaMemcpyDeviceToHost,
                                       stream));
        KOSHU_CUDA_TRY(cudaStreamSynchronize(stream));
        b->setup.place = *const_cast<const block_place *>(b->left);
        *flags = (unsigned)(barrier >> 32);
    } while (*flags == BLOCK_PAUSE);
    return cudaSuccess;
}

static koshu_status
run(koshu_block_engine *b, uint64_t until, uint64_t max_block_steps,
    koshu_block_progress *progress)
{
    block_place &place = b->setup.place;
    unsigned flags;
    koshu_cuda_enter(b->cuda);
    b->setup.until = until;
    b->setup.max_block_steps = max_block_steps;
    place.blocks = place.steps = 0;
    KOSHU_TRY(status_of(b->cuda, run_launches(b, &flags),
                        "making block time steps"));
    *progress = {place.time, place.blocks, place.steps};
    return flags & BLOCK_NOT_FINITE   ? KOSHU_ERROR_NOT_FINITE
           : flags & BLOCK_SHORT_STEP ? KOSHU_ERROR_BAD_INPUT
                                      : KOSHU_OK;
}

static koshu_status
read_back(koshu_block_engine *b, const koshu_block_particles *particles)
{
    const uint64_t time = b->setup.place.time;
    koshu_cuda_enter(b->cuda);
    KOSHU_TRY(status_of(b->cuda, download(b, *particles),
                        "copying particles from the device"));
    for (size_t k = 0; k < b->setup.n; k++) {
        const uint8_t level = b->host_level[k];
        const uint64_t step = level == NO_STEP ? 0 : (uint64_t)1 << level;
        particles->step[k] = step;
        particles->tick[k] = step == 0 ? time : time & ~(step - 1);
    }
    return KOSHU_OK;
}

const koshu_block_ops koshu_cuda_block = {.can = can,
                                          .create = create,
                                          .destroy = destroy,
                                          .run = run,
                                          .read = read_back};
