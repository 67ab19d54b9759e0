/* SPDX-License-Identifier: MIT */
/* The walk of one group, by one warp; see walk.cuh. */
#ifndef KOSHU_BACKEND_CUDA_TREE_GROUP_WALK_CUH
#define KOSHU_BACKEND_CUDA_TREE_GROUP_WALK_CUH

#include "backend/cuda/tree/sum_list.cuh"
#include "backend/cuda/tree/walk.cuh"

namespace koshu {

/* Children that lie side by side, all to be looked at. */
struct alignas(8) siblings {
    uint32_t first, n;
};

template <class P> struct walk_args {
    tree_view tree;
    double per_length, per_mass; /* from the caller's units */
    softening<P> soft;
    float cell_eps2;
    uint32_t few;    /* particles that no cell stands for */
    bool monopole;   /* cells are particles */
    siblings *stack; /* of each warp */
    unsigned stack_room, levels;
    unsigned *next; /* group to walk; 0 before */
    tree_counts *counts;
    force_out out;
};

/* Of a warp, in shared memory. */
template <class P> struct walk_lists {
    point_list<P> points;
    cell_list cells;
};

/* A list that is filled and summed in halves: elements first ... first + n - 1,
 * beginning anew behind the last. */
struct list_part {
    unsigned first = 0, n = 0;

    __device__ __forceinline__ unsigned behind(unsigned k) const
    {
        return (first + n + k) % LIST_ROOM;
    }
    __device__ __forceinline__ void drop(unsigned count)
    {
        first ^= LIST_HALF;
        n -= count;
    }
};

/* Particles of the leaves that the lanes have, as one sequence. */
struct leaf_particles {
    uint32_t first,
            end;     /* of this lane's leaf; where in the sequence it ends */
    uint32_t n, own; /* its particles; how many are the group's, left out */
    unsigned done, total;
};

KOSHU_DEVICE float
beyond(float d, float half)
{
    return fmaxf(fabsf(d) - half, 0.0f);
}

/* The smallest of a warp's; none is negative. */
KOSHU_DEVICE float
smallest(float x)
{
#if __CUDA_ARCH__ >= 800
    return __uint_as_float(__reduce_min_sync(~0u, __float_as_uint(x)));
#else
    for (int step = WARP / 2; step > 0; step /= 2)
        x = fminf(x, __shfl_xor_sync(~0u, x, step));
    return x;
#endif
}

/* Which lanes before this one are in the mask? */
KOSHU_DEVICE unsigned
lanes_before(unsigned mask, unsigned lane)
{
    return (unsigned)__popc(mask & ((1u << lane) - 1));
}

template <class P, bool POTENTIAL, bool GUARDED> class group_walk {
  public:
    __device__ __forceinline__ group_walk(const walk_args<P> &args,
                                          walk_lists<P> *memory, siblings *own)
        : a(args), lists(*memory), stack(own), lane(threadIdx.x % WARP)
    {
    }

    __device__ __forceinline__ void walk(uint32_t index)
    {
        begin(a.tree.group[index]);
        sum_own();
        for (;;) {
            const bool over = top == 0 && leaves.done == leaves.total;
            if (points.n >= LIST_HALF || (over && points.n > 0))
                add_points();
            else if (cells.n >= LIST_HALF || (over && cells.n > 0))
                add_cells();
            else if (over)
                break;
            else if (leaves.done < leaves.total)
                take_particles();
            else
                look_at_cells();
        }
        give();
    }

    __device__ __forceinline__ void count()
    {
        if (lane != 0) return;
        atomicAdd(&a.counts->interactions, counted.interactions);
        atomicAdd(&a.counts->with_cells, counted.with_cells);
        atomicAdd(&a.counts->visits, counted.visits);
    }

  private:
    enum { UNROLL_POINTS = 4, UNROLL_CELLS = 2, I = WALK_WIDTH / WARP };
    /* Particles of a cell whose distance is worth a second look. */
    enum { EXACT_FROM = 3 };

    const walk_args<P> &a;
    walk_lists<P> &lists;
    siblings *const stack;
    const unsigned lane;

    double x, y, z; /* the middle of the group, in units */
    float half_x, half_y, half_z, factor;
    uint32_t first, last; /* its particles */
    bool wide;            /* some lanes have two */

    typename P::point at[I];
    double sum[I][4];
    list_part points, cells;
    leaf_particles leaves;
    unsigned top; /* of the stack */
    uint32_t with_points, with_cells;
    tree_counts counted = {};

    __device__ __forceinline__ double from(double position, double middle)
    {
        return fma(position, a.per_length, -middle);
    }

    __device__ __forceinline__ void begin(const tree_group &g)
    {
        const double u = a.per_length;
        x = g.x * u;
        y = g.y * u;
        z = g.z * u;
        half_x = g.half_x * (float)u;
        half_y = g.half_y * (float)u;
        half_z = g.half_z * (float)u;
        factor = g.factor;
        first = g.first;
        last = g.first + g.n;
        wide = g.n > WARP;
        points = cells = {};
        leaves = {};
        top = 1;
        if (lane == 0) stack[0] = {0, 1};
        with_points = g.n;
        with_cells = 0;
        for (int i = 0; i < I; i++)
            for (int c = 0; c < 4; c++) sum[i][c] = 0;
    }

    /* ---- sums ----------------------------------------------------------- */

    __device__ __forceinline__ void put_particle(unsigned k, uint32_t j)
    {
        put_point<P>(lists.points, k, from(a.tree.x[j], x),
                     from(a.tree.y[j], y), from(a.tree.z[j], z),
                     (float)(a.tree.mass[j] * a.per_mass));
    }

    __device__ __forceinline__ void put_nowhere(unsigned k)
    {
        put_point<P>(lists.points, k, nowhere, nowhere, nowhere, 0);
    }

    /* The i-particles, and the forces on each other. */
    __device__ __forceinline__ void sum_own()
    {
        unsigned self[I];
        for (int i = 0; i < I; i++) {
            self[i] = lane + WARP * i;
            if (first + self[i] < last)
                put_particle(self[i], first + self[i]);
            else
                put_nowhere(self[i]);
        }
        __syncwarp();
        const unsigned n = last - first;
        for (int i = 0; i < I; i++)
            at[i] = get_point<P>(lists.points, min(self[i], n - 1));
        typename P::sum s[I] = {};
        if (wide)
            sum_points<P, GUARDED, true, I, 1>(s, at, lists.points, 0, n,
                                               a.soft, self);
        else
            sum_points<P, GUARDED, true, 1, 1>(s, at, lists.points, 0, n,
                                               a.soft, self);
        flush(s, P::a_factor);
        __syncwarp(); /* all have done with the list */
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

    /* Elements of a half to sum; fewer than all at the end of a walk only. */
    template <int UNROLL>
    __device__ __forceinline__ static unsigned rounded(unsigned n)
    {
        return min((n + UNROLL - 1) / UNROLL * UNROLL, (unsigned)LIST_HALF);
    }

    __device__ __forceinline__ void add_points()
    {
        const unsigned count = rounded<UNROLL_POINTS>(points.n);
        if (points.n + lane < count) put_nowhere(points.behind(lane));
        __syncwarp();
        typename P::sum s[I] = {};
        if (wide)
            sum_points<P, GUARDED, false, I, UNROLL_POINTS>(
                    s, at, lists.points, points.first, count, a.soft, nullptr);
        else
            sum_points<P, GUARDED, false, 1, UNROLL_POINTS>(
                    s, at, lists.points, points.first, count, a.soft, nullptr);
        flush(s, P::a_factor);
        points.drop(min(points.n, count));
        __syncwarp();
    }

    __device__ __forceinline__ void add_cells()
    {
        const unsigned count = rounded<UNROLL_CELLS>(cells.n);
        if (cells.n + lane < count)
            put_cell(lists.cells, cells.behind(lane), nowhere, nowhere, nowhere,
                     {});
        __syncwarp();
        gravity_sum_f32 s[I] = {};
        if (wide)
            sum_cells<P, I, UNROLL_CELLS>(s, at, lists.cells, cells.first,
                                          count, a.cell_eps2);
        else
            sum_cells<P, 1, UNROLL_CELLS>(s, at, lists.cells, cells.first,
                                          count, a.cell_eps2);
        flush(s, 1);
        cells.drop(min(cells.n, count));
        __syncwarp();
    }

    /* ---- the walk ------------------------------------------------------- */

    /* The next 32 particles of the leaves go to the list. */
    __device__ __forceinline__ void take_particles()
    {
        const unsigned k = leaves.done + lane;
        unsigned owner = 0; /* the first lane whose leaf ends behind k */
        for (unsigned step = WARP / 2; step > 0; step /= 2) {
            const unsigned end =
                    __shfl_sync(~0u, leaves.end, (int)(owner + step - 1));
            if (end <= k) owner += step;
        }
        const uint32_t begin =
                __shfl_sync(~0u, leaves.end - leaves.n, (int)owner);
        const uint32_t own = __shfl_sync(~0u, leaves.own, (int)owner);
        const uint32_t leaf = __shfl_sync(~0u, leaves.first, (int)owner);
        uint32_t j = leaf + (k - begin);
        if (j >= max(leaf, first)) j += own;
        if (k < leaves.total) put_particle(points.behind(lane), j);
        const unsigned n = min(leaves.total - leaves.done, (unsigned)WARP);
        points.n += n;
        with_points += n;
        leaves.done += n;
    }

    /* Lanes that have a leaf hand over its particles but for the group's. */
    __device__ __forceinline__ void
    open_leaves(bool mine, const tree_cell &leaf)
    {
        const uint32_t end = leaf.first + leaf.n;
        const uint32_t begin_own = max(leaf.first, first),
                       end_own = min(end, last);
        leaves.first = leaf.first;
        leaves.own = end_own > begin_own ? end_own - begin_own : 0;
        leaves.n = mine ? leaf.n - leaves.own : 0;
        uint32_t sum = leaves.n;
        for (unsigned step = 1; step < WARP; step *= 2) {
            const uint32_t before = __shfl_up_sync(~0u, sum, step);
            if (lane >= step) sum += before;
        }
        leaves.end = sum;
        leaves.done = 0;
        leaves.total = __shfl_sync(~0u, sum, WARP - 1);
    }

    /* Takes siblings from the stack, a cell for each lane. With little room
     * left one cell's children only, so that their number is bounded by the
     * levels of the tree. */
    __device__ __forceinline__ bool take_cell(uint32_t *index)
    {
        enum { ENTRIES = WARP / 8 };
        const bool room = top + WARP - ENTRIES + 7 * a.levels <= a.stack_room;
        const unsigned taken = min(top, room ? (unsigned)ENTRIES : 1u);
        const unsigned entry = lane / 8, k = lane % 8;
        top -= taken;
        siblings s = {0, 0};
        __syncwarp(); /* what is on the stack is there */
        if (entry < taken) s = stack[top + entry];
        __syncwarp(); /* and may be overwritten */
        *index = s.first + k;
        return k < s.n;
    }

    __device__ __forceinline__ void look_at_cells()
    {
        uint32_t index;
        const bool there = take_cell(&index);
        tree_cell cell = {};
        float dx = 0, dy = 0, dz = 0, reach = 0;
        bool far = false;
        if (there) {
            const tree_place p = a.tree.place[index];
            cell = a.tree.cell[index];
            dx = (float)from(p.x, x);
            dy = (float)from(p.y, y);
            dz = (float)from(p.z, z);
            reach = fmaxf(p.reach, p.strength * factor) * (float)a.per_length;
            const float ex = beyond(dx, half_x), ey = beyond(dy, half_y),
                        ez = beyond(dz, half_z);
            far = ex * ex + ey * ey + ez * ez >= reach * reach;
        }
        const bool apart = cell.first >= last || cell.first + cell.n <= first;
        const bool few = cell.n <= a.few;
        far = far_from_all(far, there && apart && cell.n >= EXACT_FROM, dx, dy,
                           dz, reach);
        const bool whole = there && far && apart && !few;
        const bool parts = there && (few || (!whole && cell.children == 0));
        const bool open = there && !whole && !parts;
        counted.visits += (unsigned)__popc(__ballot_sync(~0u, there));
        const unsigned opened = __ballot_sync(~0u, open);
        if (open)
            stack[top + lanes_before(opened, lane)] = {cell.child,
                                                       cell.children};
        top += (unsigned)__popc(opened);
        take_cells(whole, whole && (a.monopole || reach == 0), index, dx, dy,
                   dz);
        open_leaves(parts, cell);
    }

    /*
     * Cells that are near the group's box may be far from its particles: where
     * the box spans what lies between them, as that of some in the halo of a
     * cluster may hold its centre, such a list would have no end.
     */
    __device__ __forceinline__ bool far_from_all(bool far, bool asked, float dx,
                                                 float dy, float dz,
                                                 float reach)
    {
        unsigned left = __ballot_sync(~0u, asked && !far);
        for (; left; left &= left - 1) {
            const int of = __ffs((int)left) - 1;
            const float cx = __shfl_sync(~0u, dx, of),
                        cy = __shfl_sync(~0u, dy, of),
                        cz = __shfl_sync(~0u, dz, of);
            float d2[I];
            for (int i = 0; i < I; i++)
                d2[i] = gravity_r2_f32(cx - at[i].x, cy - at[i].y, cz - at[i].z,
                                       0);
            const float least = smallest(fminf(d2[0], d2[I - 1]));
            if ((int)lane == of) far = least >= reach * reach;
        }
        return far;
    }

    /* Cells that act as a whole; those without extent are particles. */
    __device__ __forceinline__ void take_cells(bool whole, bool point,
                                               uint32_t index, float dx,
                                               float dy, float dz)
    {
        const unsigned as_point = __ballot_sync(~0u, point);
        const unsigned as_cell = __ballot_sync(~0u, whole && !point);
        if (point)
            put_point<P>(lists.points,
                         points.behind(lanes_before(as_point, lane)), dx, dy,
                         dz, a.tree.moments[index].mass);
        else if (whole) {
            const tree_moments m = a.tree.moments[index];
            const quadrupole_cell_f32 q = {m.mass, m.xx, m.xy, m.xz,
                                           m.yy,   m.yz, m.zz, m.half_trace};
            put_cell(lists.cells, cells.behind(lanes_before(as_cell, lane)), dx,
                     dy, dz, quadrupole_reduce_f32(&q, a.cell_eps2));
        }
        const unsigned n_points = (unsigned)__popc(as_point),
                       n_cells = (unsigned)__popc(as_cell);
        points.n += n_points;
        cells.n += n_cells;
        with_points += a.monopole ? n_points : 0;
        with_cells += n_cells + (a.monopole ? 0 : n_points);
    }

    /* ---- results -------------------------------------------------------- */

    __device__ __forceinline__ void give()
    {
        const uint32_t n = last - first;
        for (int i = 0; i < I; i++) {
            const unsigned k = lane + WARP * i;
            if (k >= n) continue;
            for (unsigned c = 0; c < 3 + POTENTIAL; c++)
                put_result(a.out, c, first + k, sum[i][c]);
        }
        counted.interactions +=
                (unsigned long long)n * (with_points + with_cells);
        counted.with_cells += (unsigned long long)n * with_cells;
    }
};

} /* namespace koshu */

#endif
