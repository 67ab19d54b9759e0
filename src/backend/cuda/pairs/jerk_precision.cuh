/* SPDX-License-Identifier: MIT */
/*
 * The precisions of sums with jerk: the memory layout of a particle with its
 * velocity, and a pair (formula in kernels/jerk.h).
 */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_JERK_PRECISION_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_JERK_PRECISION_CUH

#include <cstddef>

#include "backend/cuda/pairs/precision.cuh"

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

/* Errors of floats average out over many j-particles; with fewer than this, rms
 * errors of the acceleration below 2e-8 need jerk_double. */
enum { JERK_FLOATS_FROM = 49152 };

enum jerk_component {
    JERK_AX,     /* ... AZ */
    JERK_JX = 3, /* ... JZ */
    JERK_MR = 6,
    JERK_COMPONENTS
};

/*
 * A particle with its velocity is 2 ... 4 quads of 16 bytes, each in its own
 * array, in units of x / length and m / mass. length is a power of two, so that
 * it changes no bit of a result in any precision. Velocities are in the
 * caller's units.
 */

/* A point of gravity with its velocity. */
template <class P> struct moving_point : P::point {
    typename P::real vx, vy, vz;
};

struct jerk_single : fast_precision {
    using sum = jerk_sum_f32;
    static constexpr int quads = 2; /* x y z m; vx vy vz 0 */
    using point = moving_point<fast_precision>;

    /*
     * The factors for sums of a and j, and of mr. The device's estimates of 1 /
     * sqrt(r2) are too small by 5.5e-9 on average (H100; over all floats
     * between 1 and 4, weighted by 1 / r2); the rest of their errors, 3.4e-8,
     * averages out over many pairs.
     */
    static constexpr double too_small = 5.5e-9;
    static constexpr double a_factor = 1 + 3 * too_small,
                            mr_factor = 1 + too_small;

    KOSHU_DEVICE void
    pack(quad *q, const double (&x)[3], const double (&v)[3], double m)
    {
        fast_precision::pack(q, x[0], x[1], x[2], m);
        q[1] = make_float4((float)v[0], (float)v[1], (float)v[2], 0);
    }
    KOSHU_DEVICE point unpack(const quad *q)
    {
        return {fast_precision::unpack(q), q[1].x, q[1].y, q[1].z};
    }
    KOSHU_DEVICE void add(sum *s, const vector &d, const point &j,
                          const point &i, float, float rinv)
    {
        jerk_add_f32(s, d.x, d.y, d.z, j.vx - i.vx, j.vy - i.vy, j.vz - i.vz,
                     j.m, rinv);
    }
    /* Point: that of this precision, or of one derived from it. */
    template <class Point>
    KOSHU_DEVICE void
    add_both(sum *si, sum *sj, const vector &d, const Point &j, const Point &i,
             float rinv, float rinv3)
    {
        jerk_add_both_f32(si, sj, d.x, d.y, d.z, j.vx - i.vx, j.vy - i.vy,
                          j.vz - i.vz, i.m, j.m, rinv, rinv3);
    }
};

/* With m / r^3 accurate to the last bits; Point is the derived precision's. */
template <class Point> struct jerk_corrected : jerk_single {
    using point = Point;
    static constexpr double a_factor = single_precision::a_factor;

    KOSHU_DEVICE void add(sum *s, const vector &d, const point &j,
                          const point &i, float r2, float rinv)
    {
        jerk_add_estimate_f32(s, d.x, d.y, d.z, j.vx - i.vx, j.vy - i.vy,
                              j.vz - i.vz, r2, j.m, rinv);
    }
    KOSHU_DEVICE float rinv3(float r2, float rinv)
    {
        return single_precision::rinv3(r2, rinv);
    }
};

/*
 * Positions in double; only their differences are rounded to float. (This takes
 * fewer instructions than pairs of floats, and differences have full precision
 * wherever the particles are.)
 */
struct jerk_mixed_point {
    double x, y, z;
    float m, vx, vy, vz;
};

struct jerk_mixed : jerk_corrected<jerk_mixed_point> {
    static constexpr int quads = 3; /* x y; z m 0; vx vy vz 0 */

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

  private:
    /* Like a cast, but without its check for subnormal floats: r2 is then
     * rounded to zero, and the sum recomputed zero-distance-safe. */
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

struct jerk_double : double_precision {
    using sum = jerk_sum_f64;
    static constexpr int quads = 4; /* x y; z m; vx vy; vz 0 */
    using point = moving_point<double_precision>;
    static constexpr double mr_factor = 1;

    KOSHU_DEVICE void
    pack(quad *q, const double (&x)[3], const double (&v)[3], double m)
    {
        double_precision::pack(q, x[0], x[1], x[2], m);
        q[2] = make_double2(v[0], v[1]);
        q[3] = make_double2(v[2], 0);
    }
    KOSHU_DEVICE point unpack(const quad *q)
    {
        return {double_precision::unpack(q), q[2].x, q[2].y, q[3].x};
    }
    KOSHU_DEVICE void add(sum *s, const vector &d, const point &j,
                          const point &i, double, double rinv)
    {
        jerk_add_f64(s, d.x, d.y, d.z, j.vx - i.vx, j.vy - i.vy, j.vz - i.vz,
                     j.m, rinv);
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
store_point(const packed<P> &to, size_t index, const units &u,
            const double (&x)[3], const double (&v)[3], double m)
{
    const double packed_x[3] = {x[0] / u.length, x[1] / u.length,
                                x[2] / u.length};
    typename P::quad q[P::quads];
    P::pack(q, packed_x, v, m / u.mass);
    for (int c = 0; c < P::quads; c++) to.q[c][index] = q[c];
}

/* The factor that converts a component from sums over packed particles to the
 * caller's units. */
template <class P>
KOSHU_HD double
jerk_unit(int component, const units &u)
{
    const double a = P::a_factor * u.mass / (u.length * u.length);
    return component == JERK_MR  ? -P::mr_factor * u.mass / u.length
           : component < JERK_JX ? a
                                 : a / u.length;
}

/* The coordinate of padding particles on each axis: the square of a distance
 * from there is still finite. */
template <class P>
constexpr double padding_place = sizeof(typename P::real) == sizeof(float)
                                         ? 1e18
                                         : 1e150;

/* Is it a padding particle? */
template <class P>
KOSHU_DEVICE bool
is_padding(const typename P::point &j)
{
    const decltype(j.x) place = (decltype(j.x))padding_place<P>;
    return j.m == 0 && j.x == place && j.y == place && j.z == place;
}

} /* namespace koshu */

#endif
