/* SPDX-License-Identifier: MIT */
/* The last stage of a block step: adds the parts of the sums, corrects the
 * particles, and chooses their next steps. */
#ifndef KOSHU_BACKEND_CUDA_HERMITE_CORRECT_CUH
#define KOSHU_BACKEND_CUDA_HERMITE_CORRECT_CUH

#include <type_traits>

#include "backend/cuda/hermite/pairs.cuh"
#include "backend/cuda/hermite/predict.cuh"
#include "backend/cuda/pairs/zero_distance_safe.cuh"
#include "kernels/steps.h"

namespace koshu {

/* ---- parts of the sums --------------------------------------------------- */

/* Adds the values of lanes whose distance is a multiple of `lanes` (a power of
 * two); all get the sum. */
KOSHU_DEVICE void
sum_over_groups(double (&sum)[JERK_COMPONENTS], unsigned lanes)
{
    for (unsigned apart = WARP / 2; apart >= lanes; apart /= 2)
        for (double &s : sum) s += __shfl_xor_sync(~0u, s, (int)apart);
}

/*
 * `lanes` threads have one i-particle each, in each of the BLOCK_THREADS /
 * lanes groups, which divide the partial sums. The totals are in the first
 * group's threads. part: in shared memory.
 */
template <class P>
KOSHU_DEVICE void
sum_partials(const block_args<P> &a, const block_partition &partition,
             uint32_t rank, bool there, unsigned lanes,
             double (&sum)[JERK_COMPONENTS],
             double (*part)[JERK_COMPONENTS][WARP])
{
    const unsigned group = threadIdx.x / lanes, groups = BLOCK_THREADS / lanes;
    const unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    for (double &s : sum) s = 0;
    if (there) {
        const uint32_t tile = rank / partition.width,
                       r = rank % partition.width;
        const uint32_t unit = tile * partition.units;
        const uint32_t last = partition.worker(unit + partition.units - 1);
        for (uint32_t w = partition.worker(unit) + group; w <= last;
             w += groups) {
            const double *from = a.partial +
                                 partition.partial_index(w, tile) *
                                         JERK_COMPONENTS * partition.width +
                                 r;
            for (int c = 0; c < JERK_COMPONENTS; c++)
                sum[c] += from[c * partition.width];
        }
    }
    sum_over_groups(sum, lanes);
    __syncthreads();
    for (int c = 0; c < JERK_COMPONENTS; c++) part[warp][c][lane] = sum[c];
    __syncthreads();
    const unsigned warps_apart = lanes > WARP ? lanes / WARP : 1;
    if (threadIdx.x >= lanes) return;
#pragma unroll 4
    for (unsigned w = warp + warps_apart; w < BLOCK_WARPS; w += warps_apart)
        for (int c = 0; c < JERK_COMPONENTS; c++) sum[c] += part[w][c][lane];
}

/* Recomputes invalid sums (pairs/zero_distance_safe.cuh) by the whole warp.
 * They occur if the softening is 0, or so small that 1 / eps^3 overflows;
 * block_pairs are not used then. */
template <class P>
KOSHU_DEVICE void
mend_sums(const block_args<P> &a, const block_place &place, uint32_t k,
          bool there, double (&sum)[JERK_COMPONENTS])
{
    const packed<P> &packed = a.packed[place.iteration % 2];
    bool right = true;
    for (double s : sum) right = right && isfinite(s);
    unsigned wrong = __ballot_sync(~0u, there && !right);
    for (; wrong; wrong &= wrong - 1) {
        const int lane = __ffs((int)wrong) - 1;
        const exclude_own self = {{__shfl_sync(~0u, k, lane)}};
        const jerk_sum_f64 s = sum_jerk_zero_distance_safe(
                load_point(packed, self.own[0]), packed, a.n, a.eps2, self, 0);
        if ((int)(threadIdx.x % WARP) != lane) continue;
        for (int c = 0; c < JERK_COMPONENTS; c++) sum[c] = component(s, c);
    }
}

/* ---- the corrector ------------------------------------------------------- */

struct block_particle {
    double x[3], v[3], a[3], j[3];
};

KOSHU_DEVICE block_particle
load_particle(const block_fields &f, uint32_t k)
{
    block_particle p;
    for (int c = 0; c < 3; c++) {
        p.x[c] = f.x[c][k];
        p.v[c] = f.v[c][k];
        p.a[c] = f.a[c][k];
        p.j[c] = f.j[c][k];
    }
    return p;
}

KOSHU_DEVICE void
store_particle(const block_fields &f, uint32_t k, const block_particle &p)
{
    for (int c = 0; c < 3; c++) {
        f.x[c][k] = p.x[c];
        f.v[c][k] = p.v[c];
        f.a[c][k] = p.a[c];
        f.j[c][k] = p.j[c];
    }
}

/* Computes x and v at the end of the step from a and j there. */
KOSHU_DEVICE void
correct_particle(const block_particle &begin, double dt, block_particle *end)
{
    for (int c = 0; c < 3; c++) {
        end->v[c] = hermite_correct_v_f64(begin.v[c], begin.a[c], begin.j[c],
                                          end->a[c], end->j[c], dt);
        end->x[c] = hermite_correct_x_f64(begin.x[c], begin.v[c], begin.a[c],
                                          end->v[c], end->a[c], dt);
    }
}

KOSHU_DEVICE bool
is_finite(const block_particle &p)
{
    bool finite = true;
    for (int c = 0; c < 3; c++)
        finite = finite && fabs(p.x[c]) < INFINITY && fabs(p.v[c]) < INFINITY;
    return finite;
}

KOSHU_DEVICE double
length(const double (&v)[3])
{
    return sqrt(v[0] * v[0] + (v[1] * v[1] + v[2] * v[2]));
}

/* Aarseth's criterion, squared, in ticks: all derivatives are multiplied by
 * powers of the step, so that the step is the unit of time. */
KOSHU_DEVICE double
allowed_step(const block_particle &begin, const block_particle &end, double dt,
             uint64_t step, double eta)
{
    double jerk[3], snap[3], crackle[3];
    for (int c = 0; c < 3; c++) {
        jerk[c] = end.j[c] * dt;
        snap[c] = hermite_snap_f64(begin.a[c], begin.j[c], end.a[c], end.j[c],
                                   dt);
        crackle[c] = hermite_crackle_f64(begin.a[c], begin.j[c], end.a[c],
                                         end.j[c], dt);
    }
    double ticks = (double)step;
    return hermite_aarseth_f64(eta, length(end.a), length(jerk), length(snap),
                               length(crackle)) *
           (ticks * ticks);
}

/* The level of the next step; NO_STEP: shorter than a tick. */
template <class P>
KOSHU_DEVICE unsigned
next_level(const block_args<P> &a, const block_place &place, unsigned level,
           const block_particle &begin, const block_particle &end, double dt)
{
    if (a.task.fixed) return level;
    const uint64_t step = (uint64_t)1 << level;
    const uint64_t next =
            koshu_next_step(step, place.next, a.task.longest,
                            allowed_step(begin, end, dt, step, a.task.eta));
    return next > 0 ? (unsigned)__ffsll((long long)next) - 1 : NO_STEP;
}

/* Ends the last iteration. A particle that is not finite, or has no valid step,
 * is left unchanged, for the host to find. */
template <class P>
KOSHU_DEVICE void
accept_particle(const block_args<P> &a, const block_place &place, uint32_t k,
                unsigned level, const block_particle &begin,
                const block_particle &end, double dt)
{
    store_particle(a.f, k, end);
    const unsigned to = next_level(a, place, level, begin, end, dt);
    if (!is_finite(end)) raise_flag(a.barrier, BLOCK_NOT_FINITE);
    if (to == level) return;
    a.f.level[k] = (uint8_t)to;
    atomicAdd(&a.members[level], ~0ull);
    if (to == NO_STEP)
        raise_flag(a.barrier, BLOCK_SHORT_STEP);
    else
        atomicAdd(&a.members[to], 1ull);
}

template <class P>
KOSHU_DEVICE void
correct_one(const block_args<P> &a, const block_place &place, uint32_t k,
            unsigned level, const block_particle &begin,
            const double (&sum)[JERK_COMPONENTS])
{
    const double dt = (double)((uint64_t)1 << level) * a.task.tick;
    block_particle end;
    for (int c = 0; c < 3; c++) {
        end.a[c] = sum[JERK_AX + c] * a.a_unit;
        end.j[c] = sum[JERK_JX + c] * a.j_unit;
    }
    correct_particle(begin, dt, &end);
    if (place.iteration + 1 < a.task.iterations) {
        const int other = (place.iteration + 1) % 2;
        store_packed(a, other, k, end.x, end.v);
        return;
    }
    a.f.potential[k] = sum[JERK_MR] * a.potential_unit;
    accept_particle(a, place, k, level, begin, end, dt);
}

/* ---- the stage ----------------------------------------------------------- */

/* Chosen so that all blocks have work, and no thread more than one i-particle
 * unless needed. */
KOSHU_DEVICE unsigned
lanes_for(uint32_t count)
{
    const unsigned max_lanes = 256;
    unsigned lanes = 4;
    while (lanes < max_lanes && lanes * gridDim.x < count) lanes *= 2;
    return lanes;
}

template <class P>
KOSHU_DEVICE void
correct(const block_args<P> &a, const block_place &place,
        const block_partition &partition, uint32_t count,
        const uint32_t *before, double (*part)[JERK_COMPONENTS][WARP])
{
    const unsigned lanes = lanes_for(count), lane = threadIdx.x % lanes;
    const bool first_group = threadIdx.x < lanes;
    for (uint32_t first = blockIdx.x * lanes; first < count;
         first += gridDim.x * lanes) {
        const uint32_t rank = first + lane;
        const bool there = rank < count && first_group;
        uint32_t k = 0;
        unsigned level = 0;
        block_particle begin;
        double sum[JERK_COMPONENTS];
        if (there) {
            k = listed(a, before, place.first + rank);
            level = a.f.level[k];
            begin = load_particle(a.f, k);
        }
        sum_partials(a, partition, rank, rank < count, lanes, sum, part);
        if (threadIdx.x / WARP * WARP >= lanes) continue;
        if constexpr (!std::is_same<P, block_pairs>::value)
            mend_sums(a, place, k, there, sum);
        if (there) correct_one(a, place, k, level, begin, sum);
    }
}

} /* namespace koshu */

#endif
