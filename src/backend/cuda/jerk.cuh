/* SPDX-License-Identifier: MIT */
/*
 * Acceleration, jerk, potential and nearest neighbour: the sum of a warp
 * (Belleman08 section 3; formula in kernels/jerk.h).
 *
 * A warp holds T * I i-particles in registers, I in each lane; lanes t, T + t,
 * 2 T + t ... hold the same ones and share the j-particles, so that few
 * i-particles do not leave lanes idle. It takes the j-particles of a range in
 * chunks of 32 through shared memory of its own, the next chunk on its way
 * while this one is summed: warps never wait for each other, and any warp may
 * do any piece of any sum. Partial sums are added up in double (Hamada07
 * eq. 2).
 *
 * A piece, by all lanes of a warp together:
 *
 *     __shared__ jerk_stage<P> stage[WARPS];
 *     jerk_lane<P, T, I, NEAREST> lane;
 *     lane.i[k] = load_jerk_point(i, index of T k + lane.column()), k < I
 *     sum_jerk<FLUSH, UNROLL>(&lane, j, first, end, eps2, exclude,
 *                             &stage[warp]);
 *     lane.total[k], times jerk_unit(), is the sum on it
 *
 * The errors of floats average out over many j-particles: for fewer than
 * JERK_FLOATS_FROM, rms errors of the acceleration below 2e-8 take
 * jerk_double.
 *
 * The inner loop has no guard. A sum to which a pair at (nearly) no distance
 * contributed, or one beyond the range of a float, is infinite or NaN:
 * is_finite_jerk() tells, and sum_jerk_carefully() does it again. (A finite sum
 * is right: an infinite 1 / r makes mr infinite or NaN, an infinite m / r^3
 * does it to a component of a.)
 */
#ifndef KOSHU_BACKEND_CUDA_JERK_CUH
#define KOSHU_BACKEND_CUDA_JERK_CUH

#include <cstddef>
#include <cstdint>

#include "backend/cuda/precision.cuh"

#define KOSHU_REAL float
#define KOSHU_TYPED(name) name##_f32
#include "kernels/jerk.h"
#undef KOSHU_REAL
#undef KOSHU_TYPED
#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/jerk.h"
#undef KOSHU_REAL
#undef KOSHU_TYPED

namespace koshu {

enum { WARP = 32, JERK_CHUNK = 32, JERK_FLOATS_FROM = 49152 };

enum jerk_component {
    JERK_AX,     /* ... AZ */
    JERK_JX = 3, /* ... JZ */
    JERK_MR = 6,
    JERK_COMPONENTS
};

/* ---- precisions --------------------------------------------------------- */

/*
 * A particle with its velocity is 2 ... 4 quads of 16 bytes, each in an array
 * of its own. In units of x / length and m / mass, length a power of two: in
 * no precision does it change a bit of a result. Velocities are the caller's.
 */
template <class P> struct jerk_packed {
    typename P::quad *q[P::quads];
};

/* Floats. */
struct jerk_single {
    using real = float;
    using sum = jerk_sum_f32;
    using quad = float4; /* x y z m; vx vy vz 0 */
    static constexpr int quads = 2;
    struct point {
        float x, y, z, m, vx, vy, vz;
    };
    struct vector {
        float x, y, z;
    };

    /*
     * What sums of a and j, and of mr, must be multiplied by. The device's
     * estimates of 1 / sqrt(r2) are too small by 5.5e-9 in the mean (H100; over
     * all floats between 1 and 4, with 1 / r2 for a weight); the rest of their
     * errors, 3.4e-8, averages out over many pairs.
     */
    static constexpr double too_small = 5.5e-9;
    static constexpr double a_scale = 1 + 3 * too_small,
                            mr_scale = 1 + too_small;

    KOSHU_DEVICE void
    pack(quad *q, const double (&x)[3], const double (&v)[3], double m)
    {
        q[0] = make_float4((float)x[0], (float)x[1], (float)x[2], (float)m);
        q[1] = make_float4((float)v[0], (float)v[1], (float)v[2], 0);
    }
    KOSHU_DEVICE point unpack(const quad *q)
    {
        return {q[0].x, q[0].y, q[0].z, q[0].w, q[1].x, q[1].y, q[1].z};
    }
    KOSHU_DEVICE vector difference(const point &j, const point &i)
    {
        return {j.x - i.x, j.y - i.y, j.z - i.z};
    }
    KOSHU_DEVICE float rinv(float r2)
    {
        return estimate(r2);
    }
    KOSHU_DEVICE void add(sum *s, const vector &d, const point &j,
                          const point &i, float, float rinv)
    {
        jerk_add_f32(s, d.x, d.y, d.z, j.vx - i.vx, j.vy - i.vy, j.vz - i.vz,
                     j.m, rinv);
    }
    KOSHU_DEVICE float rinv3(float, float rinv)
    {
        return gravity_cube_f32(rinv);
    }
    KOSHU_DEVICE void add_both(sum *si, sum *sj, const vector &d,
                               const point &j, const point &i, float rinv,
                               float rinv3)
    {
        jerk_add_both_f32(si, sj, d.x, d.y, d.z, j.vx - i.vx, j.vy - i.vy,
                          j.vz - i.vz, i.m, j.m, rinv, rinv3);
    }
};

/*
 * Positions in double; only their differences are rounded to float. (That
 * takes fewer instructions than pairs of floats, and the differences have all
 * their bits wherever the particles are.)
 */
struct jerk_mixed : jerk_single {
    static constexpr double a_scale = KOSHU_GRAVITY_ESTIMATE_SCALE;
    static constexpr int quads = 3; /* x y; z m 0; vx vy vz 0 */
    struct point {
        double x, y, z;
        float m, vx, vy, vz;
    };

    KOSHU_DEVICE void
    pack(quad *q, const double (&x)[3], const double (&v)[3], double m)
    {
        q[0] = make_float4(low(x[0]), high(x[0]), low(x[1]), high(x[1]));
        q[1] = make_float4(low(x[2]), high(x[2]), (float)m, 0);
        q[2] = make_float4((float)v[0], (float)v[1], (float)v[2], 0);
    }
    KOSHU_DEVICE point unpack(const quad *q)
    {
        return {whole(q[0].x, q[0].y),
                whole(q[0].z, q[0].w),
                whole(q[1].x, q[1].y),
                q[1].z,
                q[2].x,
                q[2].y,
                q[2].z};
    }
    KOSHU_DEVICE vector difference(const point &j, const point &i)
    {
        return {rounded(j.x - i.x), rounded(j.y - i.y), rounded(j.z - i.z)};
    }
    KOSHU_DEVICE void add(sum *s, const vector &d, const point &j,
                          const point &i, float r2, float rinv)
    {
        jerk_add_estimate_f32(s, d.x, d.y, d.z, j.vx - i.vx, j.vy - i.vy,
                              j.vz - i.vz, r2, j.m, rinv);
    }
    KOSHU_DEVICE float rinv3(float r2, float rinv)
    {
        return gravity_cube_estimate_f32(r2, rinv);
    }
    KOSHU_DEVICE void add_both(sum *si, sum *sj, const vector &d,
                               const point &j, const point &i, float rinv,
                               float rinv3)
    {
        jerk_add_both_f32(si, sj, d.x, d.y, d.z, j.vx - i.vx, j.vy - i.vy,
                          j.vz - i.vz, i.m, j.m, rinv, rinv3);
    }

  private:
    /* As a cast, without the test for floats below the normal range that it
     * comes with: r2 is rounded to zero then, and the sum done carefully. */
    KOSHU_DEVICE float rounded(double d)
    {
        float f;
        asm("cvt.rn.f32.f64 %0, %1;" : "=f"(f) : "d"(d));
        return f;
    }
    /* The halves of a double, moved as floats. */
    KOSHU_DEVICE float low(double x)
    {
        return __int_as_float(__double2loint(x));
    }
    KOSHU_DEVICE float high(double x)
    {
        return __int_as_float(__double2hiint(x));
    }
    KOSHU_DEVICE double whole(float low, float high)
    {
        return __hiloint2double(__float_as_int(high), __float_as_int(low));
    }
};

struct jerk_double {
    using real = double;
    using sum = jerk_sum_f64;
    using quad = double2; /* x y; z m; vx vy; vz 0 */
    static constexpr int quads = 4;
    struct point {
        double x, y, z, m, vx, vy, vz;
    };
    struct vector {
        double x, y, z;
    };
    static constexpr double a_scale = 1, mr_scale = 1;

    KOSHU_DEVICE void
    pack(quad *q, const double (&x)[3], const double (&v)[3], double m)
    {
        q[0] = make_double2(x[0], x[1]);
        q[1] = make_double2(x[2], m);
        q[2] = make_double2(v[0], v[1]);
        q[3] = make_double2(v[2], 0);
    }
    KOSHU_DEVICE point unpack(const quad *q)
    {
        return {q[0].x, q[0].y, q[1].x, q[1].y, q[2].x, q[2].y, q[3].x};
    }
    KOSHU_DEVICE vector difference(const point &j, const point &i)
    {
        return {j.x - i.x, j.y - i.y, j.z - i.z};
    }
    KOSHU_DEVICE double rinv(double r2)
    {
        return rsqrt_third_order_f64(r2, estimate(r2));
    }
    KOSHU_DEVICE void add(sum *s, const vector &d, const point &j,
                          const point &i, double, double rinv)
    {
        jerk_add_f64(s, d.x, d.y, d.z, j.vx - i.vx, j.vy - i.vy, j.vz - i.vz,
                     j.m, rinv);
    }
    KOSHU_DEVICE double rinv3(double, double rinv)
    {
        return gravity_cube_f64(rinv);
    }
    KOSHU_DEVICE void add_both(sum *si, sum *sj, const vector &d,
                               const point &j, const point &i, double rinv,
                               double rinv3)
    {
        jerk_add_both_f64(si, sj, d.x, d.y, d.z, j.vx - i.vx, j.vy - i.vy,
                          j.vz - i.vz, i.m, j.m, rinv, rinv3);
    }
};

template <class P>
KOSHU_DEVICE void
store_jerk_point(const jerk_packed<P> &to, size_t index, const units &u,
                 const double (&x)[3], const double (&v)[3], double m)
{
    const double packed_x[3] = {x[0] / u.length, x[1] / u.length,
                                x[2] / u.length};
    typename P::quad q[P::quads];
    P::pack(q, packed_x, v, m / u.mass);
    for (int c = 0; c < P::quads; c++) to.q[c][index] = q[c];
}

template <class P>
KOSHU_DEVICE typename P::point
load_jerk_point(const jerk_packed<P> &from, size_t index)
{
    typename P::quad q[P::quads];
    for (int c = 0; c < P::quads; c++) q[c] = from.q[c][index];
    return P::unpack(q);
}

/* From sums of packed particles to the caller's units: what a component is to
 * be multiplied by. */
template <class P>
KOSHU_HD double
jerk_unit(int component, const units &u)
{
    const double a = P::a_scale * u.mass / (u.length * u.length);
    return component == JERK_MR  ? -P::mr_scale * u.mass / u.length
           : component < JERK_JX ? a
                                 : a / u.length;
}

/* ---- sums in memory ------------------------------------------------------ */

/* A row for each component; with nearest neighbours one for r2, and one for
 * the address from which on to look for them. */
template <bool NEAREST>
constexpr int jerk_rows = JERK_COMPONENTS + (NEAREST ? 2 : 0);
enum { ROW_NEAREST_R2 = JERK_COMPONENTS, ROW_NEAREST_FIRST };

/* Of (r2, address), the nearer; of equal ones the lower. */
KOSHU_DEVICE bool
is_nearer(double r2, double address, double than_r2, double than_address)
{
    return r2 < than_r2 || (r2 == than_r2 && address < than_address);
}

template <bool NEAREST>
KOSHU_DEVICE void
clear_jerk_rows(double *row)
{
    for (int c = 0; c < jerk_rows<NEAREST>; c++) row[c] = 0;
    if (NEAREST) row[ROW_NEAREST_R2] = INFINITY;
}

/* Adds rows that are `stride` after each other. */
template <bool NEAREST>
KOSHU_DEVICE void
add_jerk_rows(double *row, const double *part, size_t stride)
{
    for (int c = 0; c < JERK_COMPONENTS; c++) row[c] += part[c * stride];
    if (!NEAREST) return;
    const double r2 = part[ROW_NEAREST_R2 * stride],
                 first = part[ROW_NEAREST_FIRST * stride];
    if (is_nearer(r2, first, row[ROW_NEAREST_R2], row[ROW_NEAREST_FIRST])) {
        row[ROW_NEAREST_R2] = r2;
        row[ROW_NEAREST_FIRST] = first;
    }
}

/* ---- what a lane has ---------------------------------------------------- */

/*
 * Of I i-particles. After sum_jerk() all lanes that hold an i-particle have
 * the same total. Nearest: the smallest unsoftened r2, and the first chunk
 * that has a j-particle there (by the address of its first).
 */
template <class P, int T_, int I_, bool NEAREST_> struct jerk_lane {
    static constexpr int T = T_, I = I_;
    static constexpr bool NEAREST = NEAREST_;
    using precision = P;

    typename P::point i[I];
    jerk_sum_f64 total[I];
    typename P::real nearest_r2[NEAREST ? I : 1];
    uint32_t nearest_chunk[NEAREST ? I : 1];

    /* Which i-particles: those of this lane are T k + column(). */
    KOSHU_DEVICE int column()
    {
        return (int)(threadIdx.x % WARP) % T;
    }
    /* Which j-particles of a chunk: row(), row() + WARP / T ... */
    KOSHU_DEVICE int row()
    {
        return (int)(threadIdx.x % WARP) / T;
    }
    __device__ __forceinline__ void begin()
    {
        for (int k = 0; k < I && NEAREST; k++) {
            nearest_r2[k] = INFINITY;
            nearest_chunk[k] = 0;
        }
    }
};

/* ---- who is left out ---------------------------------------------------- */

/*
 * A policy has three functions: may(k, chunk), whether i-particle k may have to
 * leave out a j-particle of the chunk that begins at this address; mask(k,
 * chunk, end), a bit for each that it must leave out, of those below `end`; and
 * is(k, j), whether it must leave out this one. Only chunks where some lane
 * says "may" are summed with a question for each pair.
 */

/* The i-particles are j-particles themselves; NO_OWN: this one is not. */
enum : uint32_t { NO_OWN = UINT32_MAX };

template <int I> struct exclude_own {
    uint32_t own[I];

    __device__ __forceinline__ bool may(int k, uint32_t chunk) const
    {
        return own[k] - chunk < JERK_CHUNK;
    }
    __device__ __forceinline__ uint32_t mask(int k, uint32_t chunk,
                                             uint32_t) const
    {
        return may(k, chunk) ? 1u << (own[k] - chunk) : 0;
    }
    __device__ __forceinline__ bool is(int k, uint32_t j) const
    {
        return own[k] == j;
    }
};

/* ---- the sum of a warp -------------------------------------------------- */

/* Two chunks of j-particles, one being filled; of one warp. */
template <class P> struct jerk_stage {
    typename P::quad q[2][P::quads][JERK_CHUNK];
};

/* Begins the copy of a quad to shared memory; without `there`, zeros. */
template <class Quad>
KOSHU_DEVICE void
begin_copy(Quad *shared, const Quad *global, bool there)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                         (unsigned)__cvta_generic_to_shared(shared)),
                 "l"(global), "r"(there ? 16 : 0)
                 : "memory");
}

/* A chunk, as one group of copies: none beyond `end`. */
template <class P>
KOSHU_DEVICE void
begin_chunk(typename P::quad (*to)[JERK_CHUNK], const jerk_packed<P> &j,
            uint32_t chunk, uint32_t end)
{
    const uint32_t lane = threadIdx.x % WARP, at = chunk + lane;
    if (chunk < end)
        for (int c = 0; c < P::quads; c++)
            begin_copy(&to[c][lane], &j.q[c][at < end ? at : chunk], at < end);
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Waits for all groups of copies but the last one. */
KOSHU_DEVICE void
wait_for_chunk()
{
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncwarp();
}

KOSHU_DEVICE float
smaller(float a, float b)
{
    return fminf(a, b);
}

KOSHU_DEVICE double
smaller(double a, double b)
{
    return a < b ? a : b;
}

/* One pair. */
template <class P, bool NEAREST, bool MASKED>
KOSHU_DEVICE void
add_jerk(typename P::sum *s, const typename P::point &i,
         const typename P::point &j, typename P::real eps2, bool excluded,
         typename P::real *nearest_r2)
{
    using real = typename P::real;
    const typename P::vector d = P::difference(j, i);
    real r2;
    if (NEAREST) {
        r2 = d.x * d.x + (d.y * d.y + d.z * d.z);
        const real found = MASKED && excluded ? (real)INFINITY : r2;
        *nearest_r2 = smaller(found, *nearest_r2);
        r2 += eps2;
    } else {
        r2 = d.x * d.x + (d.y * d.y + (d.z * d.z + eps2));
    }
    real rinv = P::rinv(r2);
    if (MASKED && excluded) rinv = 0;
    P::add(s, d, j, i, r2, rinv);
}

/* The chunk that begins at address `chunk`, of which those below `end` are
 * there. */
template <bool MASKED, int UNROLL, class Lane, class Exclude>
KOSHU_DEVICE void
add_chunk(Lane *lane, typename Lane::precision::sum *s,
          const typename Lane::precision::quad (*from)[JERK_CHUNK],
          typename Lane::precision::real eps2, const Exclude &exclude,
          uint32_t chunk, uint32_t end)
{
    using P = typename Lane::precision;
    constexpr int I = Lane::I, T = Lane::T;
    constexpr bool NEAREST = Lane::NEAREST;
    typename P::real nearest_r2[I];
    for (int k = 0; k < I; k++) nearest_r2[k] = (typename P::real)INFINITY;
    const int row = Lane::row();
    uint32_t left_out[I] = {};
    if (MASKED) {
        const uint32_t there = end - chunk,
                       beyond = there < JERK_CHUNK ? ~0u << there : 0;
        for (int k = 0; k < I; k++)
            left_out[k] = beyond | exclude.mask(k, chunk, end);
    }
#pragma unroll UNROLL
    for (int m = 0; m < JERK_CHUNK; m += WARP / T) {
        typename P::quad q[P::quads];
        for (int c = 0; c < P::quads; c++) q[c] = from[c][m + row];
        const typename P::point j = P::unpack(q);
#pragma unroll
        for (int k = 0; k < I; k++) {
            const bool excluded = MASKED && (left_out[k] >> (m + row) & 1);
            add_jerk<P, NEAREST, MASKED>(&s[k], lane->i[k], j, eps2, excluded,
                                         &nearest_r2[k]);
        }
    }
    for (int k = 0; k < I && NEAREST; k++)
        if (nearest_r2[k] < lane->nearest_r2[k]) {
            lane->nearest_r2[k] = nearest_r2[k];
            lane->nearest_chunk[k] = chunk;
        }
}

/* Where sums in double are kept: with the lane, */
struct totals_in_lane {
    template <class Lane> KOSHU_DEVICE void begin(Lane *lane)
    {
        for (jerk_sum_f64 &t : lane->total) t = {0, 0, 0, 0, 0, 0, 0};
    }
    template <class Lane, class Sum>
    KOSHU_DEVICE void add(Lane *lane, int k, const Sum &s)
    {
        jerk_sum_f64 *t = &lane->total[k];
        t->ax += s.ax;
        t->ay += s.ay;
        t->az += s.az;
        t->jx += s.jx;
        t->jy += s.jy;
        t->jz += s.jz;
        t->mr += s.mr;
    }
};

/* or in shared memory, [JERK_COMPONENTS][WIDTH] of them for the i-particles
 * T k + column() of a warp, where T is all lanes. That leaves registers for
 * more warps. */
template <int WIDTH> struct totals_in_shared {
    double (*of)[WIDTH];

    template <class Lane> __device__ __forceinline__ void begin(Lane *) const
    {
        for (int c = 0; c < JERK_COMPONENTS; c++)
            for (int k = Lane::column(); k < WIDTH; k += WARP) of[c][k] = 0;
    }
    template <class Lane, class Sum>
    __device__ __forceinline__ void add(Lane *, int k, const Sum &s) const
    {
        static_assert(Lane::T == WARP && Lane::I * WARP == WIDTH,
                      "an i-particle has one lane");
        const double sums[JERK_COMPONENTS] = {s.ax, s.ay, s.az, s.jx,
                                              s.jy, s.jz, s.mr};
        for (int c = 0; c < JERK_COMPONENTS; c++)
            of[c][WARP * k + Lane::column()] += sums[c];
    }
};

template <class Lane, class Sum, class Totals>
KOSHU_DEVICE void
flush_jerk(Lane *lane, Sum *s, const Totals &totals)
{
    for (int k = 0; k < Lane::I; k++) {
        totals.add(lane, k, s[k]);
        s[k] = {0, 0, 0, 0, 0, 0, 0};
    }
}

/* Adds up the lanes that share an i-particle. */
template <class Lane>
KOSHU_DEVICE void
join_rows(Lane *lane)
{
    for (int k = 0; k < Lane::I; k++)
        for (int other = Lane::T; other < WARP; other *= 2) {
            double *of[JERK_COMPONENTS] = {
                    &lane->total[k].ax, &lane->total[k].ay, &lane->total[k].az,
                    &lane->total[k].jx, &lane->total[k].jy, &lane->total[k].jz,
                    &lane->total[k].mr};
            for (double *x : of) *x += __shfl_xor_sync(~0u, *x, other);
            if (!Lane::NEAREST) continue;
            auto r2 = __shfl_xor_sync(~0u, lane->nearest_r2[k], other);
            uint32_t chunk =
                    __shfl_xor_sync(~0u, lane->nearest_chunk[k], other);
            if (r2 < lane->nearest_r2[k] ||
                (r2 == lane->nearest_r2[k] && chunk < lane->nearest_chunk[k])) {
                lane->nearest_r2[k] = r2;
                lane->nearest_chunk[k] = chunk;
            }
        }
}

/*
 * The j-particles first ... end - 1 on the i-particles of the warp, which are
 * in lane->i; writes *totals, and the rest of *lane but what is of its own
 * share of the j-particles. `first` is a multiple of JERK_CHUNK. stride: from
 * one chunk to the next, for warps that take turns. FLUSH: chunks between sums
 * in double.
 */
template <int FLUSH, int UNROLL, class Lane, class Exclude, class Totals>
KOSHU_DEVICE void
sum_jerk_to(const Totals &totals, Lane *lane,
            const jerk_packed<typename Lane::precision> &j, uint32_t first,
            uint32_t end, typename Lane::precision::real eps2,
            const Exclude &exclude, jerk_stage<typename Lane::precision> *stage,
            uint32_t stride)
{
    using P = typename Lane::precision;
    typename P::sum s[Lane::I];
    lane->begin();
    totals.begin(lane);
    for (int k = 0; k < Lane::I; k++) s[k] = {0, 0, 0, 0, 0, 0, 0};
    begin_chunk(stage->q[0], j, first, end);
    int buffer = 0, unflushed = 0;
#pragma unroll 1
    for (uint32_t chunk = first; chunk < end; chunk += stride) {
        begin_chunk(stage->q[buffer ^ 1], j, chunk + stride, end);
        bool may = end - chunk < JERK_CHUNK;
        for (int k = 0; k < Lane::I; k++) may |= exclude.may(k, chunk);
        may = __any_sync(~0u, may);
        wait_for_chunk();
        if (may)
            add_chunk<true, 2>(lane, s, stage->q[buffer], eps2, exclude, chunk,
                               end);
        else
            add_chunk<false, UNROLL>(lane, s, stage->q[buffer], eps2, exclude,
                                     chunk, end);
        __syncwarp(); /* all have read the chunk */
        buffer ^= 1;
        if (in_float<P> && ++unflushed == FLUSH) {
            flush_jerk(lane, s, totals);
            unflushed = 0;
        }
    }
    flush_jerk(lane, s, totals);
}

/* The same, with the sums in lane->total; lanes that hold the same i-particles
 * have the same in the end. */
template <int FLUSH, int UNROLL, class Lane, class Exclude>
KOSHU_DEVICE void
sum_jerk(Lane *lane, const jerk_packed<typename Lane::precision> &j,
         uint32_t first, uint32_t end, typename Lane::precision::real eps2,
         const Exclude &exclude, jerk_stage<typename Lane::precision> *stage,
         uint32_t stride = JERK_CHUNK)
{
    sum_jerk_to<FLUSH, UNROLL>(totals_in_lane(), lane, j, first, end, eps2,
                               exclude, stage, stride);
    join_rows(lane);
}

/* ---- what is rare ------------------------------------------------------- */

/* Is a sum right? (See above.) */
KOSHU_DEVICE bool
is_finite_jerk(const jerk_sum_f64 &s)
{
    return isfinite(s.ax + s.ay + s.az + s.jx + s.jy + s.jz + s.mr);
}

/* A pair in double, wherever the two are; see koshu/j_memory.h for those at
 * one place. */
template <class P>
KOSHU_DEVICE void
add_jerk_carefully(jerk_sum_f64 *s, const typename P::point &i,
                   const typename P::point &j, double eps2)
{
    const double dx = (double)j.x - i.x, dy = (double)j.y - i.y,
                 dz = (double)j.z - i.z;
    const double wx = (double)j.vx - i.vx, wy = (double)j.vy - i.vy,
                 wz = (double)j.vz - i.vz;
    const double r2 = dx * dx + (dy * dy + dz * dz);
    if (r2 + eps2 == 0) return;
    const double rinv = 1 / sqrt(r2 + eps2);
    if (r2 > 0) {
        jerk_add_f64(s, dx, dy, dz, wx, wy, wz, j.m, rinv);
        return;
    }
    const double mr3 = j.m * rinv * (rinv * rinv);
    if (wx != 0) s->jx += mr3 * wx;
    if (wy != 0) s->jy += mr3 * wy;
    if (wz != 0) s->jz += mr3 * wz;
    s->mr += j.m * rinv;
}

/*
 * The j-particles 0 ... end - 1 on one i-particle that all lanes of the warp
 * have, k of `exclude`; all lanes return the sum, as jerk_unit() wants it.
 */
template <class P, class Exclude>
static __device__ __noinline__ jerk_sum_f64
sum_jerk_carefully(const typename P::point &i, const jerk_packed<P> &j,
                   uint32_t end, double eps2, const Exclude &exclude, int k)
{
    jerk_sum_f64 s = {0, 0, 0, 0, 0, 0, 0};
    for (uint32_t at = threadIdx.x % WARP; at < end; at += WARP)
        if (!exclude.is(k, at))
            add_jerk_carefully<P>(&s, i, load_jerk_point(j, at), eps2);
    double *of[JERK_COMPONENTS] = {&s.ax, &s.ay, &s.az, &s.jx,
                                   &s.jy, &s.jz, &s.mr};
    for (double *x : of)
        for (int other = 1; other < WARP; other *= 2)
            *x += __shfl_xor_sync(~0u, *x, other);
    const double a = 1 / P::a_scale;
    return {s.ax * a, s.ay * a, s.az * a,          s.jx * a,
            s.jy * a, s.jz * a, s.mr / P::mr_scale};
}

struct nearest_neighbour {
    double r2; /* infinite: there is none */
    uint32_t address;
};

/* Of one i-particle that all lanes have, among the j-particles `first` ...
 * end - 1; all lanes return it. Of several the lowest address. */
template <class P, class Exclude>
KOSHU_DEVICE nearest_neighbour
nearest_among(const typename P::point &i, const jerk_packed<P> &j,
              uint32_t first, uint32_t end, const Exclude &exclude, int k)
{
    nearest_neighbour n = {INFINITY, first};
    for (uint32_t at = first + threadIdx.x % WARP; at < end; at += WARP) {
        if (exclude.is(k, at)) continue;
        const typename P::vector d = P::difference(load_jerk_point(j, at), i);
        const double r2 = d.x * d.x + (d.y * d.y + d.z * d.z);
        if (r2 < n.r2) n = {r2, at};
    }
    for (int other = 1; other < WARP; other *= 2) {
        double r2 = __shfl_xor_sync(~0u, n.r2, other);
        uint32_t address = __shfl_xor_sync(~0u, n.address, other);
        if (r2 < n.r2 || (r2 == n.r2 && address < n.address)) n = {r2, address};
    }
    return n;
}

} /* namespace koshu */

#endif
