/* SPDX-License-Identifier: MIT */
/* The walk of one group, by one warp; see walk.cuh. */
#ifndef KOSHU_BACKEND_CUDA_TREE_GROUP_WALK_CUH
#define KOSHU_BACKEND_CUDA_TREE_GROUP_WALK_CUH

#include "backend/cuda/arrive.cuh"
#include "backend/cuda/tree/sum_list.cuh"
#include "backend/cuda/tree/walk.cuh"

namespace koshu {

template <class P> struct walk_args {
    tree_view tree;
    double per_length, per_mass; /* from the caller's units */
    softening<P> soft;
    float cell_eps2, nearest_cell2; /* see sum_list.cuh */
    /* Of a cell of mass m, in units, that acts by a series on a group of
     * radius R: d^5 > series_error factor^5 m R^3, and d > R times the ratio of
     * its criterion. */
    double series_error;
    float relative_ratio, geometric_ratio;
    uint32_t few;    /* particles that no cell stands for */
    bool monopole;   /* cells are particles */
    siblings *stack; /* of each warp */
    unsigned stack_room, levels;
    unsigned *next; /* part of a group to walk; 0 before */
    /* Where there are more warps than groups, several walk the same and share
     * what they find; the last to come adds up. */
    unsigned parts;
    double *partial;   /* [part of a group][4][WALK_WIDTH] */
    unsigned *arrived; /* parts of each group that are done; all 0 before and
                          after */
    tree_counts *counts;
    force_out out;
};

/* Of a warp, in shared memory. */
template <class P> struct walk_lists {
    point_list<P> points;
    cell_list cells;
    uint32_t far[LIST_ROOM];              /* cells that act by a series */
    float series[SERIES_TERMS_f32][WARP]; /* of each lane */
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

    __device__ __forceinline__ void walk(unsigned index)
    {
        part = index % a.parts;
        begin(a.tree.group[index / a.parts]);
        load_own();
        if (takes_turn()) sum_own();
        for (;;) {
            const bool over = top == 0 && leaves.done == leaves.total;
            if (points.n >= LIST_HALF || (over && points.n > 0))
                add_points();
            else if (cells.n >= LIST_HALF || (over && cells.n > 0))
                add_cells();
            else if (far.n >= LIST_HALF || (over && far.n > 0))
                add_far_cells();
            else if (over)
                break;
            else if (leaves.done < leaves.total)
                take_particles();
            else
                look_at_cells();
        }
        add_series();
        give(index);
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

    const walk_args<P> &a;
    walk_lists<P> &lists;
    siblings *const stack;
    const unsigned lane;

    double x, y, z; /* the middle of the group, in units */
    float half_x, half_y, half_z, factor;
    float radius2;                     /* half the diagonal, squared */
    float series_from2, series_spread; /* see is_far() */
    uint32_t first, last;              /* its particles */
    bool wide;                         /* some lanes have two */

    typename P::point at[I];
    double sum[I][4];
    list_part points, cells, far;
    leaf_particles leaves;
    unsigned top;        /* of the stack */
    unsigned part, turn; /* of the warps that share a group, and of a sum */
    uint32_t visits, with_points, with_cells;
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
        points = cells = far = {};
        leaves = {};
        top = 1;
        if (lane == 0) stack[0] = siblings::of(0, 1);
        turn = 0;
        with_points = g.n;
        visits = with_cells = 0;
        for (int i = 0; i < I; i++)
            for (int c = 0; c < 4; c++) sum[i][c] = 0;
        begin_series();
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

    /* Is the next sum over a list this warp's? */
    __device__ __forceinline__ bool takes_turn()
    {
        return turn++ % a.parts == part;
    }

    __device__ __forceinline__ void load_own()
    {
        for (int i = 0; i < I; i++) {
            const unsigned k = lane + WARP * i;
            if (first + k < last)
                put_particle(k, first + k);
            else
                put_nowhere(k);
        }
        __syncwarp();
        for (int i = 0; i < I; i++)
            at[i] = get_point<P>(lists.points,
                                 min(lane + WARP * i, last - first - 1));
    }

    /* The i-particles on each other. */
    __device__ __forceinline__ void sum_own()
    {
        const unsigned n = last - first;
        unsigned self[I];
        for (int i = 0; i < I; i++) self[i] = lane + WARP * i;
        typename P::sum s[I] = {};
        if (wide)
            sum_points<P, GUARDED, true, I, 1>(s, at, lists.points, 0, n,
                                               a.soft, self);
        else
            sum_points<P, GUARDED, true, 1, 1>(s, at, lists.points, 0, n,
                                               a.soft, self);
        flush(s, P::a_factor);
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
        if (takes_turn()) sum_half_of_points();
        points.drop(min(points.n, (unsigned)LIST_HALF));
        __syncwarp(); /* all have done with it */
    }

    __device__ __forceinline__ void sum_half_of_points()
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
    }

    __device__ __forceinline__ void add_cells()
    {
        if (takes_turn()) sum_half_of_cells();
        cells.drop(min(cells.n, (unsigned)LIST_HALF));
        __syncwarp();
    }

    __device__ __forceinline__ void sum_half_of_cells()
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
    }

    /* ---- cells by their series ------------------------------------------ */

    __device__ __forceinline__ void begin_series()
    {
        const double f = factor;
        const float ratio = factor > 0 ? a.relative_ratio : a.geometric_ratio;
        radius2 = gravity_r2_f32(half_x, half_y, half_z, 0);
        series_from2 = ratio * ratio * radius2;
        series_spread = (float)(a.series_error * (f * f) * (f * f) * f);
        for (int c = 0; c < SERIES_TERMS_f32; c++) lists.series[c][lane] = 0;
    }

    /* Is the group small against the distance of a cell of mass m? */
    __device__ __forceinline__ bool
    is_far(float dx, float dy, float dz, float m) const
    {
        const float d2 = gravity_r2_f32(dx, dy, dz, a.cell_eps2),
                    rinv = estimate(d2), size2 = rinv * rinv * radius2;
        return d2 > series_from2 && d2 > size2 * size2 * (m * series_spread);
    }

    /* Each lane has a cell of its own: the series is all i-particles'. */
    __device__ __forceinline__ void add_far_cells()
    {
        const unsigned count = min(far.n, (unsigned)LIST_HALF);
        __syncwarp(); /* the list is there */
        if (takes_turn() && lane < count) {
            const uint32_t index = lists.far[far.first + lane];
            const tree_place p = a.tree.place[index];
            const quadrupole_cell_f32 cell = moments_of(index);
            const float dx = (float)from(p.x, x), dy = (float)from(p.y, y),
                        dz = (float)from(p.z, z);
            float c[SERIES_TERMS_f32];
            series_of_cell_f32(
                    dx, dy, dz, &cell,
                    estimate(gravity_r2_f32(dx, dy, dz, a.cell_eps2)), c);
            for (int k = !POTENTIAL; k < SERIES_TERMS_f32; k++)
                lists.series[k][lane] += c[k];
        }
        far.drop(count);
        __syncwarp(); /* and may be overwritten */
    }

    /* The lanes' series, added up, on the i-particles. */
    __device__ __forceinline__ void add_series()
    {
        enum { ROWS = (SERIES_TERMS_f32 + WARP - 1) / WARP }; /* of a lane */
        double total[ROWS] = {};
        __syncwarp();
        for (unsigned r = 0; r < ROWS; r++)
            if (r * WARP + lane < SERIES_TERMS_f32)
                for (unsigned k = 0; k < WARP; k++)
                    total[r] +=
                            lists.series[r * WARP + lane][(k + lane) % WARP];
        __syncwarp();
        for (unsigned r = 0; r < ROWS; r++)
            if (r * WARP + lane < SERIES_TERMS_f32)
                lists.series[r * WARP + lane][0] = (float)total[r];
        __syncwarp();
        float c[SERIES_TERMS_f32];
        for (int k = 0; k < SERIES_TERMS_f32; k++) c[k] = lists.series[k][0];
        gravity_sum_f32 s[I] = {};
        for (int i = 0; i < I; i++)
            series_add_f32(&s[i], c, at[i].x, at[i].y, at[i].z);
        flush(s, 1);
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
        siblings s = {};
        __syncwarp(); /* what is on the stack is there */
        if (entry < taken) s = stack[top + entry];
        __syncwarp(); /* and may be overwritten */
        *index = s.first() + k;
        return entry < taken && k < s.n();
    }

    __device__ __forceinline__ void look_at_cells()
    {
        uint32_t index;
        const bool there = take_cell(&index);
        tree_cell cell = {};
        float dx = 0, dy = 0, dz = 0, reach2 = 0;
        bool distant = false;
        if (there) {
            const tree_place p = a.tree.place[index];
            cell = a.tree.cell[index];
            dx = (float)from(p.x, x);
            dy = (float)from(p.y, y);
            dz = (float)from(p.z, z);
            reach2 = squared_reach(fmaxf(p.reach, p.strength * factor) *
                                   (float)a.per_length);
            const float ex = beyond(dx, half_x), ey = beyond(dy, half_y),
                        ez = beyond(dz, half_z);
            distant = ex * ex + ey * ey + ez * ez >= reach2;
        }
        const bool apart = cell.first >= last || cell.first + cell.n <= first;
        const bool few = cell.n <= a.few;
        distant = far_from_all(distant, there && apart && spans(cell, reach2),
                               dx, dy, dz, reach2);
        const bool whole = there && distant && apart && !few;
        const bool single = there && (few || (!whole && cell.children == 0));
        const bool open = there && !whole && !single;
        visits += (unsigned)__popc(__ballot_sync(~0u, there));
        const unsigned opened = __ballot_sync(~0u, open);
        if (open)
            stack[top + lanes_before(opened, lane)] =
                    siblings::of(cell.child, cell.children);
        top += (unsigned)__popc(opened);
        take_cells(whole, whole && (a.monopole || reach2 == 0), index, dx, dy,
                   dz);
        open_leaves(single, cell);
    }

    /* 0: the cell is a point. */
    __device__ __forceinline__ float squared_reach(float reach) const
    {
        return reach > 0 ? fmaxf(reach * reach, a.nearest_cell2) : 0.0f;
    }

    /*
     * A box may span what lies between its particles: that of some in the halo
     * of a cluster may hold the centre, and the list would have no end. Crowds
     * that are small against the box are held against each particle.
     */
    __device__ __forceinline__ bool
    spans(const tree_cell &cell, float reach2) const
    {
        return cell.n > WALK_WIDTH && reach2 < radius2;
    }

    /* The cell of a lane that asks is distant, too, where it is so from all
     * i-particles. */
    __device__ __forceinline__ bool far_from_all(bool distant, bool asked,
                                                 float dx, float dy, float dz,
                                                 float reach2)
    {
        unsigned left = __ballot_sync(~0u, asked && !distant);
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
            if ((int)lane == of) distant = least >= reach2;
        }
        return distant;
    }

    __device__ __forceinline__ quadrupole_cell_f32 moments_of(uint32_t index)
    {
        const tree_moments m = a.tree.moments[index];
        return {m.mass, m.xx, m.xy, m.xz, m.yy, m.yz, m.zz, m.half_trace};
    }

    /* Cells that act as a whole; those without extent are particles. */
    __device__ __forceinline__ void take_cells(bool whole, bool point,
                                               uint32_t index, float dx,
                                               float dy, float dz)
    {
        float mass = 0;
        if (whole) mass = a.tree.moments[index].mass;
        const bool by_series = whole && !point && is_far(dx, dy, dz, mass);
        const unsigned as_point = __ballot_sync(~0u, point);
        const unsigned as_series = __ballot_sync(~0u, by_series);
        const unsigned as_cell =
                __ballot_sync(~0u, whole) & ~as_point & ~as_series;
        if (point)
            put_point<P>(lists.points,
                         points.behind(lanes_before(as_point, lane)), dx, dy,
                         dz, mass);
        else if (by_series)
            lists.far[far.behind(lanes_before(as_series, lane))] = index;
        else if (whole) {
            const quadrupole_cell_f32 q = moments_of(index);
            put_cell(lists.cells, cells.behind(lanes_before(as_cell, lane)), dx,
                     dy, dz, quadrupole_reduce_f32(&q, a.cell_eps2));
        }
        const unsigned n_points = (unsigned)__popc(as_point),
                       n_series = (unsigned)__popc(as_series),
                       n_cells = (unsigned)__popc(as_cell);
        points.n += n_points;
        far.n += n_series;
        cells.n += n_cells;
        with_points += a.monopole ? n_points : 0;
        with_cells += n_cells + n_series + (a.monopole ? 0 : n_points);
    }

    /* ---- results -------------------------------------------------------- */

    __device__ __forceinline__ void give(unsigned index)
    {
        const uint32_t n = last - first;
        if (a.parts == 1)
            for (int i = 0; i < I; i++) put(lane + WARP * i, sum[i]);
        else
            share(index);
        if (part > 0) return; /* all have found the same */
        counted.visits += visits;
        counted.with_cells += (unsigned long long)n * with_cells;
        counted.interactions +=
                (unsigned long long)n * (with_points + with_cells);
    }

    __device__ __forceinline__ void put(unsigned k, const double *total)
    {
        if (k >= last - first) return;
        for (unsigned c = 0; c < 3 + POTENTIAL; c++)
            put_result(a.out, c, first + k, total[c]);
    }

    /* Parts are added in their order, by whichever warp comes last. */
    __device__ __forceinline__ void share(unsigned index)
    {
        constexpr unsigned row = WALK_WIDTH, slot = 4 * row;
        double *own = a.partial + (size_t)index * slot;
        for (int i = 0; i < I; i++)
            for (unsigned c = 0; c < 3 + POTENTIAL; c++)
                own[c * row + lane + WARP * i] = sum[i][c];
        __syncwarp();
        unsigned before = 0;
        if (lane == 0)
            before = count_up(a.arrived + index / a.parts, a.parts - 1);
        if (__shfl_sync(~0u, before, 0) != a.parts - 1) return;
        __syncwarp(); /* what lane 0 has seen of the others, all lanes see */
        const double *all = own - (size_t)part * slot;
        for (int i = 0; i < I; i++) {
            double total[4] = {};
            for (unsigned p = 0; p < a.parts; p++)
                for (unsigned c = 0; c < 3 + POTENTIAL; c++)
                    total[c] +=
                            __ldcg(all + p * slot + c * row + lane + WARP * i);
            put(lane + WARP * i, total);
        }
    }
};

} /* namespace koshu */

#endif
