/* SPDX-License-Identifier: MIT */
/*
 * Groups: n_crit consecutive particles along the curve, divided where the curve
 * jumps. So the lanes of a walk are fully used, whereas the groups of
 * tree/groups.c, cells of at most n_crit particles, leave a third of them
 * empty. Without the division, a box that spans two distant places would open
 * cells that are far from both.
 */
#include "backend/cuda/tree/engine.cuh"

namespace koshu {

/* Bits for all particles, and the number of bits before each word; the last
 * word is 0, so that its entry is the total. */
struct group_marks {
    uint32_t words;
    uint32_t *bits, *before;
};

/* The marks are where the keys' indices were. */
static group_marks
marks_of(const tree_step &s)
{
    group_marks m = {};
    m.words = s.n / 32 + 1;
    m.bits = reinterpret_cast<uint32_t *>(s.store->f.a[2]);
    m.before = m.bits + m.words + 1;
    return m;
}

/* A jump longer than this, in units of the longest side of the group's box,
 * divides it. In a Plummer sphere of 2^20 this makes 0.5 % more groups, in a
 * cube none, and the longest lists, in the halo, a fortieth as long. */
constexpr double widest_jump = 0.8;

/* Two particles of a lane: the k-th and (k + 32)-nd of the warp. */
struct chunk {
    double x[2][3];
    double jump2[2]; /* squared distance from the previous particle */
    unsigned n;
};

struct cut_args {
    uint32_t n, n_crit;
    const double *x[3];
    uint32_t *bits;
};

KOSHU_DEVICE void
load_chunk(const cut_args &s, size_t first, unsigned lane, chunk *c)
{
    c->n = (unsigned)(s.n - first < s.n_crit ? s.n - first : s.n_crit);
    double before[3];
    for (unsigned half = 0; half < 2; half++) {
        const unsigned k = lane + 32 * half;
        const size_t at = first + (k < c->n ? k : c->n - 1);
        c->jump2[half] = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double x = s.x[axis][at];
            double last = __shfl_up_sync(~0u, x, 1);
            if (lane == 0) last = half ? before[axis] : x;
            before[axis] = __shfl_sync(~0u, x, 31);
            c->x[half][axis] = x;
            c->jump2[half] += (x - last) * (x - last);
        }
    }
}

/* The squared longest side of the bounding box of the chunk's particles first
 * ... end - 1. */
KOSHU_DEVICE double
side2_of(const chunk &c, unsigned lane, unsigned first, unsigned end)
{
    double side = 0;
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (unsigned half = 0; half < 2; half++) {
            const unsigned k = lane + 32 * half;
            if (k < first || k >= end) continue;
            low = fmin(low, c.x[half][axis]);
            high = fmax(high, c.x[half][axis]);
        }
        for (unsigned other = 16; other > 0; other /= 2) {
            low = fmin(low, __shfl_xor_sync(~0u, low, other));
            high = fmax(high, __shfl_xor_sync(~0u, high, other));
        }
        side = fmax(side, high - low);
    }
    return side * side;
}

/* Those of the chunk's particles first + 1 ... end - 1 that are too far from
 * the previous one. */
KOSHU_DEVICE unsigned long long
wide_jumps(const chunk &c, unsigned lane, unsigned first, unsigned end)
{
    const double most2 =
            widest_jump * widest_jump * side2_of(c, lane, first, end);
    unsigned long long wide = 0;
    for (unsigned half = 0; half < 2; half++) {
        const unsigned k = lane + 32 * half;
        const bool jumps = k > first && k < end && c.jump2[half] > most2;
        wide |= (unsigned long long)__ballot_sync(~0u, jumps) << 32 * half;
    }
    return end - first > 2 ? wide : 0;
}

/* A warp divides a chunk, and then the rest of it, until no jump is too
 * wide. */
static __global__ void
__launch_bounds__(ITEM_THREADS) cut_groups(const __grid_constant__ cut_args s)
{
    wait_for_previous_kernel();
    const size_t thread = (size_t)blockIdx.x * ITEM_THREADS + threadIdx.x;
    const size_t first = thread / 32 * s.n_crit;
    const unsigned lane = threadIdx.x % 32;
    if (first >= s.n) return;
    chunk c;
    load_chunk(s, first, lane, &c);
    unsigned long long begins = 1;
    for (unsigned k = 0; k < c.n;) {
        const unsigned long long behind = k < 63 ? begins >> (k + 1) : 0;
        const unsigned end = behind ? k + (unsigned)__ffsll(behind) : c.n;
        const unsigned long long wide = wide_jumps(c, lane, k, end);
        begins |= wide;
        if (wide == 0) k = end;
    }
    if (lane < c.n && begins >> lane & 1)
        set_bit(s.bits, 0, (uint32_t)(first + lane));
    if (lane + 32 < c.n && begins >> (lane + 32) & 1)
        set_bit(s.bits, 0, (uint32_t)(first + lane + 32));
}

cudaError_t
mark_all_groups(const tree_step &s)
{
    const group_marks m = marks_of(s);
    const fields &f = s.store->f;
    tree_state *state = s.state;
    const size_t words = (size_t)m.words + 1;
    const size_t chunks = ((size_t)s.n + s.n_crit - 1) / s.n_crit;
    const cut_args args = {s.n, s.n_crit, {f.x[0], f.x[1], f.x[2]}, m.bits};
    KOSHU_CUDA_TRY(
            cudaMemsetAsync(m.bits, 0, words * sizeof *m.bits, s.cuda->stream));
    KOSHU_CUDA_TRY(launch(s.cuda, cut_groups, blocks_of(chunks * 32),
                          ITEM_THREADS, 0, args));
    KOSHU_CUDA_TRY(count_before(s.tree, m.bits, m.before, words));
    return for_each(s.cuda, 1, [=] __device__(size_t) {
        state->groups = m.before[m.words];
    });
}

/* ---- groups -------------------------------------------------------------- */

struct boxes_args {
    uint32_t n, groups;
    tree_group *group;
    const double *x[3];
    const particle_tag *tag;
    tree_criterion criterion;
};

/* A warp makes one group. */
static __global__ void
__launch_bounds__(ITEM_THREADS) box_groups(const __grid_constant__ boxes_args s)
{
    wait_for_previous_kernel();
    const size_t thread = (size_t)blockIdx.x * ITEM_THREADS + threadIdx.x;
    const size_t number = thread / 32;
    if (number >= s.groups) return;
    tree_group g = s.group[number];
    g.n = (number + 1 < s.groups ? s.group[number + 1].first : s.n) - g.first;
    double low[3] = {INFINITY, INFINITY, INFINITY};
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};
    float a = INFINITY;
    for (uint32_t k = threadIdx.x % 32; k < g.n; k += 32) {
        for (int c = 0; c < 3; c++) {
            low[c] = fmin(low[c], s.x[c][g.first + k]);
            high[c] = fmax(high[c], s.x[c][g.first + k]);
        }
        if (s.criterion.relative) a = fminf(a, s.tag[g.first + k].a);
    }
    for (unsigned other = 16; other > 0; other /= 2) {
        for (int c = 0; c < 3; c++) {
            low[c] = fmin(low[c], __shfl_xor_sync(~0u, low[c], other));
            high[c] = fmax(high[c], __shfl_xor_sync(~0u, high[c], other));
        }
        a = fminf(a, __shfl_xor_sync(~0u, a, other));
    }
    if (threadIdx.x % 32 != 0) return;
    set_box(&g, low, high);
    g.factor = factor_of(s.criterion, a);
    s.group[number] = g;
}

cudaError_t
make_groups(const tree_step &s)
{
    const uint32_t groups = s.tree->seen->groups;
    KOSHU_CUDA_TRY(reserve_groups(s.tree, groups));
    const group_marks m = marks_of(s);
    const fields &f = s.store->f;
    tree_group *group = s.tree->groups.as<tree_group>();
    const boxes_args args = {s.n,          groups,
                             group,        {f.x[0], f.x[1], f.x[2]},
                             s.store->tag, s.criterion};
    KOSHU_CUDA_TRY(for_each(s.cuda, m.words, [=] __device__(size_t word) {
        start_groups(m.bits, m.before, (uint32_t)word, group);
    }));
    return launch(s.cuda, box_groups, blocks_of((size_t)groups * 32),
                  ITEM_THREADS, 0, args);
}

} /* namespace koshu */
