/* SPDX-License-Identifier: MIT */
/*
 * Assigns the masses of particles to meshes. Atomic sums come in any order, so
 * that they are sums of integers, whose bits do not depend on it: a mesh counts
 * in units of 2^-62 of the total mass, which is 1e-10 of a particle's mass for
 * 10^9 particles.
 */
#include "backend/cuda/power/power.cuh"

#include "backend/cuda/runtime/for_each.cuh"
#include "kernels/assignment.h"

namespace koshu {

/* Number of particles on the device at a time: mass, x, y, z. */
static constexpr size_t CHUNK = (size_t)1 << 24;
enum { FIELDS = 4 };

struct deposit {
    unsigned long long *mesh;
    const double *mass, *x, *y, *z;
    double box, shift, units; /* units: per mass 1 */
    size_t grid, row;         /* row: in reals */
};

template <int POINTS>
KOSHU_DEVICE void
deposit_particle(const deposit &d, size_t i)
{
    const size_t n = d.grid;
    const struct koshu_reach x = koshu_reach(POINTS, d.x[i], d.box, n, d.shift),
                             y = koshu_reach(POINTS, d.y[i], d.box, n, d.shift),
                             z = koshu_reach(POINTS, d.z[i], d.box, n, d.shift);
    const double mass = d.mass[i] * d.units;
    size_t plane = x.first;
#pragma unroll
    for (int a = 0; a < POINTS; a++) {
        size_t line = y.first;
#pragma unroll
        for (int b = 0; b < POINTS; b++) {
            unsigned long long *const to = d.mesh + (plane * n + line) * d.row;
            size_t at = z.first;
#pragma unroll
            for (int c = 0; c < POINTS; c++) {
                const double part = mass * x.part[a] * y.part[b] * z.part[c];
                atomicAdd(to + at, (unsigned long long)__double2ll_rn(part));
                at = at + 1 < n ? at + 1 : 0;
            }
            line = line + 1 < n ? line + 1 : 0;
        }
        plane = plane + 1 < n ? plane + 1 : 0;
    }
}

template <int POINTS>
static cudaError_t
deposit_by(koshu_cuda *cuda, const deposit &d, size_t n)
{
    return for_each(cuda, n, [=] __device__(size_t i) {
        deposit_particle<POINTS>(d, i);
    });
}

static cudaError_t
deposit_chunk(power_meshes *m, size_t n)
{
    const koshu_power_task *t = m->task;
    const double *const mass = m->chunk.as<double>();
    for (int k = 0; k < m->n; k++) {
        const deposit d = {m->mesh[k].as<unsigned long long>(),
                           mass,
                           mass + n,
                           mass + 2 * n,
                           mass + 3 * n,
                           t->box,
                           k ? 0.5 : 0.,
                           0x1p62 / t->total_mass,
                           t->grid,
                           2 * m->row};
        switch (t->points) {
        case 2: KOSHU_CUDA_TRY(deposit_by<2>(m->cuda, d, n)); break;
        case 3: KOSHU_CUDA_TRY(deposit_by<3>(m->cuda, d, n)); break;
        default: KOSHU_CUDA_TRY(deposit_by<4>(m->cuda, d, n));
        }
    }
    return cudaSuccess;
}

static cudaError_t
take_chunk(power_meshes *m, size_t first, size_t n)
{
    const koshu_power_task *t = m->task;
    const double *const from[FIELDS] = {t->mass, t->x[0], t->x[1], t->x[2]};
    host_copy copies[FIELDS];
    for (int k = 0; k < FIELDS; k++)
        copies[k] = {m->chunk.as<double>() + (size_t)k * n,
                     const_cast<double *>(from[k] + first), n * sizeof(double)};
    return upload(m->cuda, copies, FIELDS);
}

static cudaError_t
allocate(power_meshes *m)
{
    const size_t n = m->task->n < CHUNK ? m->task->n : CHUNK;
    for (int k = 0; k < m->n; k++) {
        const size_t bytes = m->cells() * sizeof(double);
        KOSHU_CUDA_TRY(m->mesh[k].reserve(bytes));
        KOSHU_CUDA_TRY(cudaMemsetAsync(m->mesh[k].as<void>(), 0, bytes,
                                       m->cuda->stream));
    }
    return m->chunk.reserve(FIELDS * n * sizeof(double));
}

/* Converts integers to masses, in place. */
static cudaError_t
make_real(power_meshes *m)
{
    const double unit = m->task->total_mass * 0x1p-62;
    for (int k = 0; k < m->n; k++) {
        void *const mesh = m->mesh[k].as<void>();
        KOSHU_CUDA_TRY(for_each(m->cuda, m->cells(), [=] __device__(size_t i) {
            const long long count = ((const long long *)mesh)[i];
            ((double *)mesh)[i] = unit * (double)count;
        }));
    }
    return cudaSuccess;
}

cudaError_t
deposit_masses(power_meshes *m)
{
    KOSHU_CUDA_TRY(allocate(m));
    for (size_t first = 0; first < m->task->n; first += CHUNK) {
        const size_t left = m->task->n - first, n = left < CHUNK ? left : CHUNK;
        KOSHU_CUDA_TRY(take_chunk(m, first, n));
        KOSHU_CUDA_TRY(deposit_chunk(m, n));
    }
    return make_real(m);
}

} /* namespace koshu */
