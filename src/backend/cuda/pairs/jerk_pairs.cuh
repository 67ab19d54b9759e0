/* SPDX-License-Identifier: MIT */
/*
 * Gravity and jerk as a policy of mutual(). With nearest neighbours, the
 * smallest unsoftened r2 travels with the sums; only the block of that particle
 * is recorded, and searched at the end.
 *
 * Pairs at distance 0 are not treated specially: see jerk_sum.cuh.
 */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_JERK_PAIRS_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_JERK_PAIRS_CUH

#include <type_traits>

#include "backend/cuda/pairs/jerk_chunk.cuh"
#include "backend/cuda/pairs/jerk_rows.cuh"
#include "backend/cuda/pairs/mutual.cuh"

namespace koshu {

template <class P> struct jerk_constants {
    uint32_t n; /* particles */
    typename P::real eps2;
};

/* Parts of sums, moved in vectors of 16 bytes; sums are jerk_rows. */
template <class P, bool NEAREST> struct jerk_parts {
    using precision = P;
    using constants = jerk_constants<P>;
    struct alignas(16) part {
        typename P::sum s;
        typename P::real nearest_r2 = INFINITY;
    };
    static constexpr int rows = jerk_rows<NEAREST>;
    static constexpr unsigned at_once = 2;

    KOSHU_DEVICE void clear(double *sum)
    {
        clear_jerk_rows<NEAREST>(sum);
    }
    KOSHU_DEVICE void
    add_rows(double *sum, const double *from, size_t stride, int)
    {
        add_jerk_rows<NEAREST>(sum, from, stride);
    }
    KOSHU_DEVICE void add_part(double *sum, const part &p, size_t first)
    {
        double row[jerk_rows<true>];
        for (int c = 0; c < JERK_COMPONENTS; c++) row[c] = component(p.s, c);
        row[ROW_NEAREST_R2] = p.nearest_r2;
        row[ROW_NEAREST_FIRST] = (double)first;
        add_jerk_rows<NEAREST>(sum, row, 1);
    }
};

/* Shared memory for B particles; empty without nearest neighbours. */
template <class Real, int B, bool NEAREST> struct nearest_memory {
    Real nearest_r2[B];
    uint32_t nearest_first[B]; /* first particle of its block */
};
template <class Real, int B> struct nearest_memory<Real, B, false> {
};

template <class P, bool NEAREST> struct jerk_pairs {
    using precision = P;
    using real = typename P::real;
    using point = typename P::point;
    using sum = typename P::sum;
    using parts = jerk_parts<P, NEAREST>;
    using part = typename parts::part;
    using constants = jerk_constants<P>;
    /* With nearest neighbours and a signed number, the address of a subtile
     * would be recomputed for each j-particle. */
    using warp_index = std::conditional_t<NEAREST, unsigned, int>;
    static constexpr int components = JERK_COMPONENTS;

    template <int I> struct lane {
        point i[I];
        sum s[I];
        real nearest_r2[NEAREST ? I : 1]; /* in this tile */
    };
    template <int B> using memory = nearest_memory<real, B, NEAREST>;

    /* Beyond the last particle: massless and far away. */
    KOSHU_DEVICE void load(typename P::quad *q, const packed<P> &from,
                           size_t index, const constants &with)
    {
        const double x[3] = {padding_place<P>, 0, 0}, v[3] = {0, 0, 0};
        const uint32_t at = (uint32_t)index;
        if (at < with.n)
            for (int c = 0; c < P::quads; c++) q[c] = from.q[c][at];
        else
            P::pack(q, x, v, 0);
    }

    template <class Lane>
    KOSHU_DEVICE void
    add(Lane *lane, int k, const point &j, const constants &with, bool self)
    {
        add_jerk<P, NEAREST, true>(&lane->s[k], lane->i[k], j, with.eps2, self,
                                   &lane->nearest_r2[NEAREST ? k : 0]);
    }
    template <class Lane>
    KOSHU_DEVICE void add_both(Lane *lane, int k, sum *sj, part *by_j,
                               const point &j, const constants &with)
    {
        const point &i = lane->i[k];
        const typename P::vector d = P::difference(j, i);
        real r2;
        if (NEAREST) {
            real *i_nearest_r2 = &lane->nearest_r2[k];
            r2 = P::distance2(d);
            *i_nearest_r2 = smaller(r2, *i_nearest_r2);
            by_j->nearest_r2 = smaller(r2, by_j->nearest_r2);
            r2 += with.eps2;
        } else {
            r2 = P::r2(d, with.eps2);
        }
        const real rinv = P::rinv(r2);
        P::add_both(&lane->s[k], sj, d, j, i, rinv, P::rinv3(r2, rinv));
    }

    KOSHU_DEVICE void rotate(part *p, int from)
    {
        rotate_components<components>(&p->s, from);
        if (NEAREST) p->nearest_r2 = __shfl_sync(~0u, p->nearest_r2, from);
    }
    KOSHU_DEVICE void merge(part *p, const part &other)
    {
        add_components(&p->s, other.s);
        p->nearest_r2 = smaller(p->nearest_r2, other.nearest_r2);
    }

    template <class Memory, class Lane>
    KOSHU_DEVICE void start(Memory *m, Lane *lane, int k, int at)
    {
        if constexpr (NEAREST) {
            lane->nearest_r2[k] = INFINITY;
            m->nearest_r2[at] = INFINITY;
            m->nearest_first[at] = 0;
        }
    }
    /* Compares the nearest in a tile with the previous one; `first` is the
     * first particle of the tile's block. Of equals, the lower one is kept. */
    template <class Memory, class Lane>
    KOSHU_DEVICE void
    end_tile(Memory *m, Lane *lane, int k, int at, uint32_t first)
    {
        if constexpr (NEAREST) {
            keep_nearer(&m->nearest_r2[at], &m->nearest_first[at],
                        lane->nearest_r2[k], first);
            lane->nearest_r2[k] = INFINITY;
        }
    }
    template <class Memory>
    KOSHU_DEVICE void
    end_segment(const Memory *m, int at, double *to, size_t stride)
    {
        if constexpr (NEAREST) {
            to[ROW_NEAREST_R2 * stride] = m->nearest_r2[at];
            to[ROW_NEAREST_FIRST * stride] = m->nearest_first[at];
        }
    }
};

} /* namespace koshu */

#endif
