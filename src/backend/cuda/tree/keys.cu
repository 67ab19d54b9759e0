/* SPDX-License-Identifier: MIT */
/* The bounding box of particles, and their keys in it. */
#include "backend/cuda/tree/engine.cuh"

namespace koshu {

/* ---- the box ------------------------------------------------------------- */

struct measured {
    double low[3], high[3], least_mass;
    bool bad, accelerated;
};

struct measure_args {
    uint32_t n;
    const double *x[3], *a[3], *mass; /* a, mass: NULL where not needed */
    double per_a;
    particle_tag *tag;
    tree_state *state;
};

KOSHU_DEVICE void
measure_one(const measure_args &s, uint32_t k, measured *m)
{
    for (int c = 0; c < 3; c++) {
        const double x = s.x[c][k];
        m->low[c] = fmin(m->low[c], x);
        m->high[c] = fmax(m->high[c], x);
        m->bad |= !isfinite(x);
    }
    if (s.mass) {
        const double mass = fabs(s.mass[k]);
        if (mass > 0) m->least_mass = fmin(m->least_mass, mass);
    }
    if (!s.a[0]) return;
    const double ax = s.a[0][k], ay = s.a[1][k], az = s.a[2][k];
    const float a = (float)(sqrt(ax * ax + ay * ay + az * az) * s.per_a);
    s.tag[k].a = a;
    m->accelerated |= a > 0;
}

/* Combines a warp's values in lane 0. */
KOSHU_DEVICE void
gather_warp(measured *m)
{
    for (unsigned other = 16; other > 0; other /= 2)
        for (int c = 0; c < 3; c++) {
            m->low[c] =
                    fmin(m->low[c], __shfl_down_sync(~0u, m->low[c], other));
            m->high[c] =
                    fmax(m->high[c], __shfl_down_sync(~0u, m->high[c], other));
        }
    for (unsigned other = 16; other > 0; other /= 2)
        m->least_mass = fmin(m->least_mass,
                             __shfl_down_sync(~0u, m->least_mass, other));
    m->bad = __any_sync(~0u, m->bad);
    m->accelerated = __any_sync(~0u, m->accelerated);
}

static __global__ void
__launch_bounds__(ITEM_THREADS) measure(const __grid_constant__ measure_args s)
{
    __shared__ measured of_warp[ITEM_THREADS / 32];
    wait_for_previous_kernel();
    measured m = {{INFINITY, INFINITY, INFINITY},
                  {-INFINITY, -INFINITY, -INFINITY},
                  INFINITY,
                  false,
                  false};
    const size_t step = (size_t)gridDim.x * ITEM_THREADS;
    for (size_t k = (size_t)blockIdx.x * ITEM_THREADS + threadIdx.x; k < s.n;
         k += step)
        measure_one(s, (uint32_t)k, &m);
    gather_warp(&m);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = m;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    m = of_warp[threadIdx.x % (ITEM_THREADS / 32)];
    gather_warp(&m);
    if (threadIdx.x != 0) return;
    for (int c = 0; c < 3; c++) {
        atomicMin(&s.state->extent.low[c], ordered(m.low[c]));
        atomicMax(&s.state->extent.high[c], ordered(m.high[c]));
    }
    if (m.least_mass < INFINITY)
        atomicMin(&s.state->least_mass,
                  (unsigned long long)__double_as_longlong(m.least_mass));
    if (m.bad) s.state->not_finite = 1;
    if (m.accelerated) s.state->accelerated = 1;
}

/* Starts with an empty extent, or with the root cell's if that is given; it
 * contains all particles. */
static cudaError_t
begin_state(const tree_step &s)
{
    tree_extent extent = {{~0ull, ~0ull, ~0ull}, {0, 0, 0}};
    for (int c = 0; s.root && c < 3; c++) {
        extent.low[c] = ordered(s.root->low[c]);
        extent.high[c] = ordered(s.root->high[c]);
    }
    tree_state *const state = s.state;
    return for_each(s.cuda, 1, [=] __device__(size_t) {
        *state = {};
        state->least_mass = ~0ull;
        state->extent = extent;
    });
}

cudaError_t
measure_particles(const tree_step &s)
{
    const size_t max_blocks = s.cuda->multiprocessors * 8;
    const fields &f = s.store->f;
    measure_args args = {s.n,
                         {f.x[0], f.x[1], f.x[2]},
                         {nullptr, nullptr, nullptr},
                         s.store->least_mass < 0 ? f.mass : nullptr,
                         s.per_a,
                         s.store->tag,
                         s.state};
    if (s.criterion.relative)
        for (int c = 0; c < 3; c++) args.a[c] = f.a[c];
    dim3 blocks = blocks_of(s.n);
    if (blocks.x > max_blocks) blocks.x = (unsigned)max_blocks;
    KOSHU_CUDA_TRY(begin_state(s));
    return launch(s.cuda, measure, blocks, ITEM_THREADS, 0, args);
}

/* ---- keys ---------------------------------------------------------------- */

cudaError_t
make_keys(const tree_step &s)
{
    const fields f = s.store->f;
    const bool hilbert = s.hilbert;
    const tree_state *state = s.state;
    uint64_t *key = s.key;
    uint32_t *order = s.order;
    return for_each(s.cuda, s.n, [=] __device__(size_t k) {
        const tree_box box = box_of(state->extent);
        key[k] = key_of(box, hilbert, f.x[0][k], f.x[1][k], f.x[2][k]);
        order[k] = (uint32_t)k;
    });
}

} /* namespace koshu */
