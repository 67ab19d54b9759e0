/* SPDX-License-Identifier: MIT */
/* The state of a warp that walks for a group; see walk.cuh. */
#ifndef KOSHU_BACKEND_CUDA_TREE_WALKING_GROUP_CUH
#define KOSHU_BACKEND_CUDA_TREE_WALKING_GROUP_CUH

#include "backend/cuda/tree/sum_list.cuh"
#include "backend/cuda/tree/walk.cuh"

namespace koshu {

template <class P> struct traversal_args {
    tree_view tree;
    other_trees others;
    uint32_t begin, own_end; /* as in walked_tree */
    uint32_t walks;          /* groups from `begin` on that walk */
    particle_tag *tag;
    uint32_t images;             /* number of images, the tree itself being the
                                  * first */
    const double (*shift)[3];    /* of each image, if there are several */
    double per_length, per_mass; /* from the caller's units */
    softening<P> soft;
    float cell_eps2, nearest_cell2; /* see sum_list.cuh */
    /* A cell of mass m acts by a series on a group of radius R if d^6 >
     * series_error factor^5 m R^4 and d > R times the ratio of its criterion;
     * in units. */
    double series_error;
    float relative_ratio, geometric_ratio;
    uint32_t few;    /* cells of up to this many are never taken as a whole */
    bool monopole;   /* cells act like particles */
    siblings *stack; /* of all warps */
    unsigned stack_capacity, levels;
    unsigned *next; /* next part of a group to walk; initially 0 */
    /* If there are more warps than groups, several walk the same group and
     * divide the sums among them; the last one to finish adds them up. */
    unsigned parts;
    double *partial;   /* [part of a group][4][WALK_WIDTH] */
    unsigned *arrived; /* number of finished parts of each group; 0 before and
                        * after */
    tree_counts *counts;
    force_out out;
};

/* A warp's lists in shared memory. */
template <class P> struct walk_lists {
    point_list<P> points;
    cell_list cells;
    uint32_t far[LIST_CAPACITY];          /* cells that act by a series */
    float series[SERIES_TERMS_f32][WARP]; /* of each lane */
};

/* A list that is filled and summed in halves: elements first ... first + n - 1,
 * wrapping around at the end. */
struct list_part {
    unsigned first = 0, n = 0;

    __device__ __forceinline__ unsigned behind(unsigned k) const
    {
        return (first + n + k) % LIST_CAPACITY;
    }
    __device__ __forceinline__ void drop(unsigned count)
    {
        first ^= LIST_HALF;
        n -= count;
    }
};

/* The particles of the lanes' leaves as one sequence. */
struct leaf_particles {
    uint32_t first, end; /* of this lane's leaf; its end in the sequence */
    uint32_t n, own;     /* its particles; those of the group among them, left
                          * out */
    unsigned done, total;
};

/* Each lane has the i-particles lane and lane + 32 of the group. */
template <class Precision, bool WITH_POTENTIAL, bool WITH_ZERO_SAFE>
struct walking_group {
    using P = Precision;
    static constexpr bool POTENTIAL = WITH_POTENTIAL,
                          ZERO_SAFE = WITH_ZERO_SAFE;
    enum { I = WALK_WIDTH / WARP };

    const traversal_args<P> &a;
    walk_lists<P> &lists;
    siblings *const stack;
    const unsigned lane;

    double x, y, z; /* the middle of the group, relative to an image, in
                     * units */
    bool walks_own; /* its own tree, besides those of others */
    bool of_others; /* the image has none of its particles */
    float half_x, half_y, half_z, factor;
    float radius2;                    /* half the diagonal, squared */
    float series_from2, series_scale; /* see is_far() */
    uint32_t first, last;             /* its particles */
    bool wide;                        /* some lanes have two */

    typename P::point at[I];
    double sum[I][4];
    list_part points, cells, far;
    leaf_particles leaves;
    unsigned top;        /* of the stack */
    unsigned part, turn; /* this warp's number among those of the group; counts
                          * sums */
    uint32_t cells_tested, with_points, with_cells;
    tree_counts counted;

    __device__ __forceinline__ walking_group(const traversal_args<P> &args,
                                             walk_lists<P> *memory,
                                             siblings *own)
        : a(args), lists(*memory), stack(own), lane(threadIdx.x % WARP),
          counted()
    {
    }

    __device__ __forceinline__ double from(double position, double middle) const
    {
        return fma(position, a.per_length, -middle);
    }

    __device__ __forceinline__ quadrupole_cell_f32
    moments_of(uint32_t index) const
    {
        const tree_moments m = a.tree.moments[index];
        return {m.mass, m.xx, m.xy, m.xz, m.yy, m.yz, m.zz, m.half_trace};
    }

    /* Does this warp do the next sum over a list? */
    __device__ __forceinline__ bool takes_turn()
    {
        return turn++ % a.parts == part;
    }

    template <class Sum>
    __device__ __forceinline__ void flush(const Sum *s, double a_factor)
    {
        for (int i = 0; i < I; i++) {
            sum[i][0] = fma((double)s[i].ax, a_factor, sum[i][0]);
            sum[i][1] = fma((double)s[i].ay, a_factor, sum[i][1]);
            sum[i][2] = fma((double)s[i].az, a_factor, sum[i][2]);
            if (POTENTIAL) sum[i][3] += s[i].mr;
        }
    }
};

/* The number of lanes before this one that are in the mask. */
KOSHU_DEVICE unsigned
lanes_before(unsigned mask, unsigned lane)
{
    return (unsigned)__popc(mask & ((1u << lane) - 1));
}

} /* namespace koshu */

#endif
