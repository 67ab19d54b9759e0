/* SPDX-License-Identifier: MIT */
/*
 * The precisions of the device: the memory layout of a particle, the difference
 * of two positions, 1 / r and 1 / r^3.
 *
 * A particle is one or two vectors of 16 bytes (quads), each in its own array,
 * so that a warp's loads from shared memory have no bank conflicts.
 */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_PRECISION_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_PRECISION_CUH

#include <cstddef>
#include <type_traits>

#include "backend/cuda/runtime/kernel.cuh"
#include "backend/cuda/pairs/estimate.cuh"
#include "kernels/kernels.h"

#define KOSHU_REAL float
#define KOSHU_TYPED(name) name##_f32
#include "kernels/gravity.h"
#undef KOSHU_REAL
#undef KOSHU_TYPED
#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/gravity.h"
#include "kernels/rsqrt.h"
#undef KOSHU_REAL
#undef KOSHU_TYPED

/* The same names for both number types. */
#define KOSHU_TYPED(name) name
#define KOSHU_REAL float
#include "kernels/zero_distance.h"
#undef KOSHU_REAL
#define KOSHU_REAL double
#include "kernels/zero_distance.h"
#undef KOSHU_REAL
#undef KOSHU_TYPED

namespace koshu {

/* Float arithmetic, 1 / r^3 from the estimate as it is. */
struct fast_precision {
    using real = float;
    using sum = gravity_sum_f32;
    struct vector {
        float x, y, z;
    };

    /* The factor for sums of a and mr. */
    static constexpr double a_factor = 1;

    KOSHU_DEVICE float r2(const vector &d, float eps2)
    {
        return gravity_r2_f32(d.x, d.y, d.z, eps2);
    }
    KOSHU_DEVICE float distance2(const vector &d)
    {
        return gravity_distance2_f32(d.x, d.y, d.z);
    }
    KOSHU_DEVICE float rinv(float r2)
    {
        return estimate(r2);
    }
    KOSHU_DEVICE float rinv3(float, float rinv)
    {
        return gravity_cube_f32(rinv);
    }
    KOSHU_DEVICE void add(sum *s, const vector &d, float m, float, float rinv)
    {
        gravity_add_f32(s, d.x, d.y, d.z, m, rinv);
    }
    KOSHU_DEVICE void add_both(sum *i, sum *j, const vector &d, float mi,
                               float mj, float rinv, float rinv3)
    {
        gravity_add_both_f32(i, j, d.x, d.y, d.z, mi, mj, rinv, rinv3);
    }

    static constexpr int quads = 1;
    using quad = float4; /* x y z m */
    struct point {
        float x, y, z, m;
    };

    KOSHU_DEVICE void pack(quad *q, double x, double y, double z, double m)
    {
        q[0] = make_float4((float)x, (float)y, (float)z, (float)m);
    }
    KOSHU_DEVICE point unpack(const quad *q)
    {
        return {q[0].x, q[0].y, q[0].z, q[0].w};
    }
    KOSHU_DEVICE vector difference(const point &j, const point &i)
    {
        return {j.x - i.x, j.y - i.y, j.z - i.z};
    }
};

/* Float arithmetic, 1 / r^3 accurate to the last bits. */
struct single_precision : fast_precision {
    static constexpr double a_factor = KOSHU_GRAVITY_ESTIMATE_SCALE;

    KOSHU_DEVICE float rinv3(float r2, float rinv)
    {
        return gravity_cube_estimate_f32(r2, rinv);
    }
    KOSHU_DEVICE void
    add(sum *s, const vector &d, float m, float r2, float rinv)
    {
        gravity_add_estimate_f32(s, d.x, d.y, d.z, r2, m, rinv);
        s->mr += m * rinv;
    }
};

/*
 * The same with positions as pairs of floats. Within distance 1 the high parts
 * are multiples of 2^-23, so that their differences are exact wherever the two
 * particles are: the difference of positions is rounded only once. (If high
 * parts were rounded like floats, the same low bits of x_i would be lost
 * against all distant j-particles, an error that does not average out.)
 */
struct mixed_precision : single_precision {
    static constexpr int quads = 2; /* high x y z, m; low x y z, 0 */
    struct point {
        float x, y, z, m, x_low, y_low, z_low;
    };

    KOSHU_DEVICE float high(double x)
    {
        return (float)(rint(x * 0x1p23) * 0x1p-23);
    }
    KOSHU_DEVICE void pack(quad *q, double x, double y, double z, double m)
    {
        q[0] = make_float4(high(x), high(y), high(z), (float)m);
        q[1] = make_float4((float)(x - q[0].x), (float)(y - q[0].y),
                           (float)(z - q[0].z), 0.0f);
    }
    KOSHU_DEVICE point unpack(const quad *q)
    {
        return {q[0].x, q[0].y, q[0].z, q[0].w, q[1].x, q[1].y, q[1].z};
    }
    KOSHU_DEVICE vector difference(const point &j, const point &i)
    {
        return {gravity_difference_f32(j.x, j.x_low, i.x, i.x_low),
                gravity_difference_f32(j.y, j.y_low, i.y, i.y_low),
                gravity_difference_f32(j.z, j.z_low, i.z, i.z_low)};
    }
};

struct double_precision {
    using real = double;
    using sum = gravity_sum_f64;
    struct vector {
        double x, y, z;
    };
    static constexpr double a_factor = 1;

    KOSHU_DEVICE double r2(const vector &d, double eps2)
    {
        return gravity_r2_f64(d.x, d.y, d.z, eps2);
    }
    KOSHU_DEVICE double distance2(const vector &d)
    {
        return gravity_distance2_f64(d.x, d.y, d.z);
    }
    KOSHU_DEVICE double rinv(double r2)
    {
        return rsqrt_third_order_f64(r2, estimate(r2));
    }
    KOSHU_DEVICE double rinv3(double, double rinv)
    {
        return gravity_cube_f64(rinv);
    }
    KOSHU_DEVICE void
    add(sum *s, const vector &d, double m, double, double rinv)
    {
        gravity_add_f64(s, d.x, d.y, d.z, m, rinv);
    }
    KOSHU_DEVICE void add_both(sum *i, sum *j, const vector &d, double mi,
                               double mj, double rinv, double rinv3)
    {
        gravity_add_both_f64(i, j, d.x, d.y, d.z, mi, mj, rinv, rinv3);
    }

    static constexpr int quads = 2; /* x y; z m */
    using quad = double2;
    struct point {
        double x, y, z, m;
    };

    KOSHU_DEVICE void pack(quad *q, double x, double y, double z, double m)
    {
        q[0] = make_double2(x, y);
        q[1] = make_double2(z, m);
    }
    KOSHU_DEVICE point unpack(const quad *q)
    {
        return {q[0].x, q[0].y, q[1].x, q[1].y};
    }
    KOSHU_DEVICE vector difference(const point &j, const point &i)
    {
        return {j.x - i.x, j.y - i.y, j.z - i.z};
    }
};

/* Are partial sums in float, to be added up in double? */
template <class P>
constexpr bool in_float = std::is_same<typename P::real, float>::value;

/* The softening, and what a pair at distance 0 adds to mr. If eps is so small
 * that 1 / eps^3 overflows, kernels check for such pairs (ZERO_SAFE). */
template <class P> struct softening {
    typename P::real eps2, coincident;
};

/*
 * The units of packed particles, x / length and m / mass, where length is a
 * power of two. So 1 / r^3 stays in range whatever the caller's units are, and
 * equal masses are exactly 1.
 */
struct units {
    double length, mass;
};

template <class P> struct packed {
    typename P::quad *q[P::quads];
};

/* The same for any precision: arrays of quads of 16 bytes, `capacity` apart. */
struct packed_memory {
    void *base;
    size_t capacity;
};

template <class P>
static packed<P>
packed_of(const packed_memory &memory)
{
    using quad = typename P::quad;
    packed<P> p;
    for (int c = 0; c < P::quads; c++)
        p.q[c] = static_cast<quad *>(memory.base) + c * memory.capacity;
    return p;
}

template <class P>
KOSHU_DEVICE void
store_point(const packed<P> &to, size_t index, const units &u, double x,
            double y, double z, double m)
{
    typename P::quad q[P::quads];
    P::pack(q, x / u.length, y / u.length, z / u.length, m / u.mass);
    for (int c = 0; c < P::quads; c++) to.q[c][index] = q[c];
}

template <class P>
KOSHU_DEVICE typename P::point
load_point(const packed<P> &from, size_t index)
{
    typename P::quad q[P::quads];
    for (int c = 0; c < P::quads; c++) q[c] = from.q[c][index];
    return P::unpack(q);
}

} /* namespace koshu */

#endif
