/* SPDX-License-Identifier: MIT */
/* Block time steps: memory, launches, copies. */
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>

#include "backend/cuda/hermite/block.h"
#include "backend/cuda/hermite/kernel.cuh"
#include "backend/cuda/particles/box.cuh"
#include "backend/cuda/runtime/device.cuh"

using namespace koshu;

/* Pairs that a stage may sum, and the time after which a launch pauses: so
 * that none runs for long, and the host is heard. */
static constexpr double max_pairs = 0x1p36;
static constexpr unsigned long long max_nanoseconds = 100000000;

/* Unit of length of pairs of floats, in softening lengths. */
static constexpr double pairs_unit = 0x1p20;

/* Particles that are worth a block of the grid. */
static constexpr size_t worth_a_block = 16;

enum { VECTORS = 4, DOUBLES = 3 * VECTORS + 2 }; /* x v a j, mass, potential */

struct block_functions {
    size_t quads;
    cudaError_t (*prepare)(block_setup *, const units &);
    cudaError_t (*launch)(const koshu_cuda *, const block_setup &,
                          unsigned blocks, void *packed, double eps);
};

struct koshu_cuda_block {
    koshu_cuda *cuda;
    const block_functions *functions;
    double eps;
    unsigned blocks;
    buffer doubles, level, packed, list, listed, partial, members, barrier;
    block_setup setup;
    volatile block_place *left; /* host memory that the device writes */
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
             void *packed, double eps)
{
    using quad = typename P::quad;
    block_args<P> args = {};
    static_cast<block_setup &>(args) = setup;
    for (int copy = 0; copy < 2; copy++)
        for (int c = 0; c < P::quads; c++)
            args.packed[copy].q[c] = static_cast<quad *>(packed) +
                                     (size_t)(copy * P::quads + c) * setup.n;
    const double packed_eps = eps * setup.per_length;
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
 * Are pairs of floats good for it? Softening must not be many orders of
 * magnitude shorter than the system. That is judged by numbers that never
 * change in a run, M and T, the whole mass and the longest step: (G M T^2)^1/3
 * is a length of its size or less.
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

/* Double precision takes the caller's units. The length changes no bit but of
 * block_pairs. */
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
    double **all[DOUBLES] = {&f->mass, &f->x[0],     &f->x[1], &f->x[2],
                             &f->v[0], &f->v[1],     &f->v[2], &f->a[0],
                             &f->a[1], &f->a[2],     &f->j[0], &f->j[1],
                             &f->j[2], &f->potential};
    for (int k = 0; k < DOUBLES; k++) *all[k] = memory + k * n;
}

static cudaError_t
reserve(koshu_cuda_block *b, const koshu_block_task &task, size_t n)
{
    block_setup &s = b->setup;
    const size_t copies = task.iterations > 1 ? 2 : 1;
    const size_t tiles = (s.chunk + BLOCK_WIDEST - 1) / BLOCK_WIDEST;
    /* the list is in parts of whole lines, one for each block */
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

struct copy {
    double *host, *device;
};

/* Mass last. */
static void
list_copies(const koshu_cuda_block *b, const koshu_block_particles &p,
            copy (&list)[DOUBLES])
{
    const block_fields &f = b->setup.f;
    const copy all[DOUBLES] = {
            {p.x, f.x[0]},
            {p.y, f.x[1]},
            {p.z, f.x[2]},
            {p.vx, f.v[0]},
            {p.vy, f.v[1]},
            {p.vz, f.v[2]},
            {p.ax, f.a[0]},
            {p.ay, f.a[1]},
            {p.az, f.a[2]},
            {p.jx, f.j[0]},
            {p.jy, f.j[1]},
            {p.jz, f.j[2]},
            {p.potential, f.potential},
            {(double *)p.mass, f.mass},
    };
    std::copy(all, all + DOUBLES, list);
}

static cudaError_t
upload(koshu_cuda_block *b, const koshu_block_particles &p,
       const uint8_t *level)
{
    unsigned long long members[BLOCK_LEVELS] = {};
    copy list[DOUBLES];
    list_copies(b, p, list);
    for (const copy &c : list)
        KOSHU_CUDA_TRY(cudaMemcpyAsync(c.device, c.host, p.n * sizeof(double),
                                       cudaMemcpyHostToDevice,
                                       b->cuda->stream));
    for (size_t k = 0; k < p.n; k++) members[level[k]]++;
    KOSHU_CUDA_TRY(cudaMemcpyAsync(b->setup.f.level, level, p.n,
                                   cudaMemcpyHostToDevice, b->cuda->stream));
    KOSHU_CUDA_TRY(cudaMemcpyAsync(b->setup.members, members, sizeof members,
                                   cudaMemcpyHostToDevice, b->cuda->stream));
    return cudaStreamSynchronize(b->cuda->stream);
}

static cudaError_t
create(koshu_cuda_block *b, koshu_cuda *cuda, const koshu_block_task &task,
       const koshu_block_particles &p, const uint8_t *level)
{
    const size_t n = p.n, least = 1024;
    const size_t blocks = (n + worth_a_block - 1) / worth_a_block;
    block_setup &s = b->setup;
    b->cuda = cuda;
    b->eps = task.eps;
    b->functions = functions_of_task(task, p);
    b->blocks = (unsigned)std::min(
            {blocks, cuda->multiprocessors, (size_t)BLOCK_MAX_BLOCKS});
    s.n = (uint32_t)n;
    s.chunk = (uint32_t)std::min(
            n, std::max(least, (size_t)(max_pairs / (double)n)));
    s.nanoseconds = max_nanoseconds;
    s.tick = task.tick;
    s.eta = task.eta;
    s.longest = task.longest;
    s.fixed = task.fixed;
    s.iterations = task.iterations;
    const units u = units_of_particles(task, p);
    KOSHU_CUDA_TRY(reserve(b, task, n));
    KOSHU_CUDA_TRY(b->functions->prepare(&s, u));
    return upload(b, p, level);
}

int
koshu_cuda_block_create(struct koshu_cuda *cuda,
                        const struct koshu_block_task *task,
                        const struct koshu_block_particles *particles,
                        const uint8_t *level, uint64_t time,
                        struct koshu_cuda_block **block)
{
    *block = nullptr;
    void *memory = calloc(1, sizeof(koshu_cuda_block));
    if (!memory) return cudaErrorMemoryAllocation;
    koshu_cuda_block *b = new (memory) koshu_cuda_block();
    b->setup.place.time = time;
    cudaError_t error = create(b, cuda, *task, *particles, level);
    if (error == cudaSuccess)
        *block = b;
    else
        koshu_cuda_block_destroy(b);
    return error;
}

void
koshu_cuda_block_destroy(struct koshu_cuda_block *block)
{
    if (!block) return;
    if (block->cuda) cudaStreamSynchronize(block->cuda->stream);
    if (block->left) cudaFreeHost((void *)block->left);
    block->~koshu_cuda_block();
    free(block);
}

/* ---- run and read -------------------------------------------------------- */

/* One launch; *flags as at its last barrier. */
static cudaError_t
run_once(koshu_cuda_block *b, unsigned *flags)
{
    barrier_word barrier;
    const cudaStream_t stream = b->cuda->stream;
    KOSHU_CUDA_TRY(
            cudaMemsetAsync(b->setup.barrier, 0, sizeof barrier, stream));
    KOSHU_CUDA_TRY(b->functions->launch(b->cuda, b->setup, b->blocks,
                                        b->packed.as<void>(), b->eps));
    KOSHU_CUDA_TRY(cudaMemcpyAsync(&barrier, b->setup.barrier, sizeof barrier,
                                   cudaMemcpyDeviceToHost, stream));
    KOSHU_CUDA_TRY(cudaStreamSynchronize(stream));
    b->setup.place = *const_cast<const block_place *>(b->left);
    *flags = (unsigned)(barrier >> 32);
    return cudaSuccess;
}

int
koshu_cuda_block_run(struct koshu_cuda_block *block, uint64_t until,
                     uint64_t max_block_steps,
                     struct koshu_block_progress *progress,
                     koshu_status *outcome)
{
    block_place &place = block->setup.place;
    unsigned flags = BLOCK_PAUSE;
    block->setup.until = until;
    block->setup.max_block_steps = max_block_steps;
    place.blocks = place.steps = 0;
    while (flags == BLOCK_PAUSE) KOSHU_CUDA_TRY(run_once(block, &flags));
    progress->tick = place.time;
    progress->blocks = place.blocks;
    progress->steps = place.steps;
    *outcome = flags & BLOCK_NOT_FINITE   ? KOSHU_ERROR_NOT_FINITE
               : flags & BLOCK_SHORT_STEP ? KOSHU_ERROR_BAD_INPUT
                                          : KOSHU_OK;
    return cudaSuccess;
}

int
koshu_cuda_block_read(struct koshu_cuda_block *block,
                      const struct koshu_block_particles *particles,
                      uint8_t *level, uint64_t *time)
{
    const cudaStream_t stream = block->cuda->stream;
    const size_t n = block->setup.n;
    copy list[DOUBLES];
    list_copies(block, *particles, list);
    for (int k = 0; k < DOUBLES - 1; k++)
        KOSHU_CUDA_TRY(cudaMemcpyAsync(list[k].host, list[k].device,
                                       n * sizeof(double),
                                       cudaMemcpyDeviceToHost, stream));
    KOSHU_CUDA_TRY(cudaMemcpyAsync(level, block->setup.f.level, n,
                                   cudaMemcpyDeviceToHost, stream));
    *time = block->setup.place.time;
    return cudaStreamSynchronize(stream);
}
