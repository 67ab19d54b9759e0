/* SPDX-License-Identifier: MIT */
/* Gravity as a policy of mutual(). */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_GRAVITY_PAIRS_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_GRAVITY_PAIRS_CUH

#include "backend/cuda/pairs/interact.cuh"
#include "backend/cuda/pairs/mutual.cuh"

namespace koshu {

/* Parts of sums, moved in vectors of 16 bytes. */
template <class P> struct gravity_parts {
    using precision = P;
    using constants = softening<P>;
    struct alignas(16) part {
        typename P::sum s;
    };
    static constexpr int rows = 4;
    static constexpr unsigned at_once = 32 / sizeof(typename P::real);

    KOSHU_DEVICE void clear(double *sum)
    {
        for (int c = 0; c < rows; c++) sum[c] = 0;
    }
    KOSHU_DEVICE void
    add_rows(double *sum, const double *from, size_t stride, int components)
    {
        for (int c = 0; c < rows; c++)
            if (c < components) sum[c] += from[c * stride];
    }
    KOSHU_DEVICE void add_part(double *sum, const part &p, size_t)
    {
        for (int c = 0; c < rows; c++) sum[c] += component(p.s, c);
    }
};

/* Accelerations, and optionally the potential. */
template <class P, bool POTENTIAL, bool ZERO_SAFE> struct gravity_pairs {
    using precision = P;
    using real = typename P::real;
    using point = typename P::point;
    using sum = typename P::sum;
    using parts = gravity_parts<P>;
    using part = typename parts::part;
    using constants = softening<P>;
    using warp_index = int;
    static constexpr int components = 3 + POTENTIAL;

    template <int I> struct lane {
        sum s[I];
        point i[I];
    };
    template <int B> struct memory {
    };

    /* The last particle is followed by others without mass. */
    KOSHU_DEVICE void load(typename P::quad *q, const packed<P> &from,
                           size_t index, const constants &)
    {
        for (int c = 0; c < P::quads; c++) q[c] = from.q[c][index];
    }

    template <class Lane>
    KOSHU_DEVICE void
    add(Lane *lane, int k, const point &j, const constants &soft, bool self)
    {
        interact<P, ZERO_SAFE, true>(&lane->s[k], lane->i[k], j, soft, self);
    }
    template <class Lane>
    KOSHU_DEVICE void add_both(Lane *lane, int k, sum *sj, part *,
                               const point &j, const constants &soft)
    {
        const point &i = lane->i[k];
        const typename P::vector d = P::difference(j, i);
        const real r2 = P::r2(d, soft.eps2);
        real rinv = P::rinv(r2), rinv3 = P::rinv3(r2, rinv);
        gravity_rinv_kept_both(&rinv, &rinv3, soft.coincident,
                               ZERO_SAFE &&
                                       lost_in_r2<P>::is(d, r2, soft.eps2));
        P::add_both(&lane->s[k], sj, d, i.m, j.m, rinv, rinv3);
    }

    KOSHU_DEVICE void rotate(part *p, int from)
    {
        rotate_components<components>(&p->s, from);
        if (!POTENTIAL) p->s.mr = 0;
    }
    KOSHU_DEVICE void merge(part *p, const part &other)
    {
        add_components(&p->s, other.s);
    }

    template <class Memory, class Lane>
    KOSHU_DEVICE void start(Memory *, Lane *, int, int)
    {
    }
    template <class Memory, class Lane>
    KOSHU_DEVICE void end_tile(Memory *, Lane *, int, int, uint32_t)
    {
    }
    template <class Memory>
    KOSHU_DEVICE void end_segment(const Memory *, int, double *, size_t)
    {
    }
};

} /* namespace koshu */

#endif
