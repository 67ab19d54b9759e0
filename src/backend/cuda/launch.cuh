/* SPDX-License-Identifier: MIT */
/* forces.cuh for one precision P; included by one file for each. */
#ifndef KOSHU_BACKEND_CUDA_LAUNCH_CUH
#define KOSHU_BACKEND_CUDA_LAUNCH_CUH

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "backend/cuda/again.cuh"
#include "backend/cuda/forces.cuh"
#include "backend/cuda/setup.cuh"
#include "backend/cuda/tuning.cuh"

namespace koshu {

template <class P>
static cudaError_t
launch_advance(const koshu_cuda *cuda, const advance_args &args,
               const packed_memory &to)
{
    return launch(cuda, advance<P>, blocks_for(args.n, ADVANCE_THREADS),
                  ADVANCE_THREADS, 0, args, packed_of<P>(to));
}

/* How many of a kernel's blocks fit on a multiprocessor. */
template <class... Parameters>
static cudaError_t
occupancy(void (*kernel)(Parameters...), int threads, size_t shared,
          koshu_force_shape *shape)
{
    int blocks = 0;
    if (shared > 0)
        KOSHU_CUDA_TRY(cudaFuncSetAttribute(
                kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                (int)shared));
    KOSHU_CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, kernel, threads, shared));
    shape->at_once = (size_t)blocks;
    return cudaSuccess;
}

/* ---- direct ------------------------------------------------------------- */

/* GUARDS: with the kernels for a softening next to nothing. */
template <class P, class S, bool GUARDS = true> struct direct_launcher {
    static constexpr size_t width = (size_t)S::I * WARP, threads = S::J * WARP;
    using kernel_type = void (*)(direct_args<P>);

    static kernel_type kernel_for(const force_setup &setup)
    {
        if constexpr (GUARDS)
            if (guarded<P>(setup))
                return direct<P, S::I, S::J, S::UNROLL, true, true, S::BLOCKS>;
        if (setup.potential)
            return direct<P, S::I, S::J, S::UNROLL, true, false, S::BLOCKS>;
        return direct<P, S::I, S::J, S::UNROLL, false, false, S::BLOCKS>;
    }

    /* Interactions that a multiprocessor could sum in the time that it takes
     * to begin with all its blocks anew, to wait for the last slot, and to load
     * one; seen on an H100. */
    static constexpr double speed = in_float<P> ? 1 : 0.5,
                            round_cost = 24000 * speed / S::BLOCKS,
                            slots_cost = 13000 * speed,
                            load_cost = 1000 * speed;

    /* What the multiprocessor with the most to do does. With few threads it is
     * slower. Blocks that come while those of another sum still run may meet on
     * one multiprocessor while others are idle (some H100 then took 10 us for
     * 2048 particles instead of 7): where blocks share i-particles, a cut that
     * fills all places does not depend on that. */
    static double
    cost_of(const koshu_cuda *cuda, size_t blocks, size_t chunk, size_t chunks)
    {
        const size_t at_once = cuda->multiprocessors * S::BLOCKS;
        const size_t all = blocks * chunks;
        const size_t last = blocks_for(all % at_once, cuda->multiprocessors);
        const double slower = last * threads < 512 ? 1.25 : 1;
        double busy =
                (double)(all / at_once * S::BLOCKS) + (double)last * slower;
        if (chunks > 1 && all < at_once) busy = S::BLOCKS;
        const size_t loads = blocks_for(4 * width * chunks, threads);
        return (double)(width * chunk) * busy +
               round_cost * (double)blocks_for(all, at_once) +
               (chunks > 1 ? slots_cost + load_cost * (double)loads : 0);
    }

    /* Chunks of the j-particles so that all multiprocessors end early: those
     * that give each about `each` CUDA blocks, or no cut at all. */
    static direct_grid grid_for(const koshu_cuda *cuda, size_t n, size_t n_j)
    {
        const size_t step = (size_t)S::J * S::UNROLL;
        const size_t blocks = blocks_for(n, width);
        direct_grid best = {n, n_j, 0, 0};
        double least = INFINITY;
        for (size_t each = 0; each <= 8; each++) {
            const size_t wanted =
                    std::max<size_t>(1, each * cuda->multiprocessors / blocks);
            const size_t chunk = blocks_for(n_j, wanted * step) * step;
            const size_t chunks = blocks_for(n_j, chunk);
            const double cost = cost_of(cuda, blocks, chunk, chunks);
            if (cost >= least) continue;
            least = cost;
            best.chunk = chunk;
            best.chunks = chunks;
        }
        return best;
    }

    static cudaError_t all(koshu_cuda *cuda, const packed_memory &particles,
                           size_t n, const force_setup &setup)
    {
        const direct_grid grid = grid_for(cuda, n, n);
        const size_t blocks = blocks_for(n, width);
        const packed<P> p = packed_of<P>(particles);
        direct_args<P> args = {};
        args.i = args.j = p;
        args.grid = grid;
        args.own = true;
        args.out = out_of<P>(setup, cuda->progress);
        if (sums_again<P>)
            args.look = {p,
                         n,
                         softening_of<P>(setup),
                         softening_of<double_precision>(setup),
                         cancelled_part(n) / P::a_factor,
                         out_of<double_precision>(setup, {})};
        cuda->sums++;
        return sum(cuda, args, dim3((unsigned)blocks, (unsigned)grid.chunks),
                   blocks, setup);
    }

    /* On other particles than themselves. */
    static cudaError_t others(koshu_cuda *cuda, const packed_memory &i,
                              size_t n_i, const packed_memory &j, size_t n_j,
                              const force_setup &setup)
    {
        const size_t blocks = blocks_for(n_i, width);
        direct_args<P> args = {};
        args.i = packed_of<P>(i);
        args.j = packed_of<P>(j);
        args.grid = grid_for(cuda, n_i, n_j);
        args.out = out_of<P>(setup, {});
        return sum(cuda, args,
                   dim3((unsigned)blocks, (unsigned)args.grid.chunks), blocks,
                   setup);
    }

    static cudaError_t
    items(koshu_cuda *cuda, const item_list &list, const force_setup &setup)
    {
        direct_args<P> args = {};
        args.i = packed_of<P>(list.i);
        args.j = packed_of<P>(list.j);
        args.items = list.items;
        args.blocks = list.blocks;
        args.self = list.self;
        args.out = out_of<P>(setup, {});
        return sum(cuda, args, dim3((unsigned)list.n_items), list.n_blocks,
                   setup);
    }

    /* items: CUDA blocks, each with a slot; blocks: of i-particles. */
    static cudaError_t sum(koshu_cuda *cuda, direct_args<P> &args, dim3 items,
                           size_t blocks, const force_setup &setup)
    {
        const size_t slots = (size_t)items.x * items.y;
        KOSHU_CUDA_TRY(cuda->scratch.partial.reserve(slots * 4 * width *
                                                     sizeof(double)));
        KOSHU_CUDA_TRY(reserve_zeros(cuda, &cuda->scratch.arrived,
                                     blocks * sizeof(unsigned)));
        args.partial = cuda->scratch.partial.as<double>();
        args.arrived = cuda->scratch.arrived.as<unsigned>();
        args.soft = softening_of<P>(setup);
        return launch(cuda, kernel_for(setup), items, threads, 0, args);
    }

    static cudaError_t shape(const koshu_cuda *cuda, size_t n, bool potential,
                             koshu_force_shape *shape)
    {
        const direct_grid grid = grid_for(cuda, n, n);
        const size_t tile = (size_t)S::J * BAG;
        snprintf(shape->kernel, sizeof shape->kernel, "direct %dx%d", S::I,
                 S::J);
        shape->blocks = blocks_for(n, width) * grid.chunks;
        shape->tiles = (double)grid.chunk / (double)tile;
        shape->evaluations = (double)(width * tile);
        shape->both = 1;
        shape->launches = 1;
        shape->overlapped = cuda->overlaps_launches;
        shape->joins = grid.chunks > 1;
        force_setup setup = {};
        setup.eps = INFINITY; /* not guarded */
        setup.u.length = 1;
        setup.potential = potential;
        return occupancy(kernel_for(setup), threads, 0, shape);
    }
};

/* ---- mutual ------------------------------------------------------------- */

template <class P, class S, bool GUARDS = true> struct mutual_launcher {
    static constexpr size_t width = (size_t)S::I * S::T;
    static_assert(width <= PADDING, "packed particles end before the block");
    using row_type = stored_sum<typename P::real>;

    template <bool POTENTIAL, bool GUARDED>
    static cudaError_t one_range(koshu_cuda *cuda, const mutual_args<P> &args)
    {
        auto kernel = mutual<P, S::I, S::T, S::FLUSH, S::UNROLL, POTENTIAL,
                             GUARDED, S::TWO, S::BLOCKS>;
        const size_t shared =
                sizeof(mutual_shared<P, S::I, S::T, 3 + POTENTIAL>);
        KOSHU_CUDA_TRY(cudaFuncSetAttribute(
                kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                (int)shared));
        return launch(cuda, kernel, (unsigned)args.plan.own_pieces, S::T,
                      shared, args);
    }

    static cudaError_t one_range(koshu_cuda *cuda, const mutual_args<P> &args,
                                 const force_setup &setup)
    {
        if constexpr (GUARDS)
            if (guarded<P>(setup)) return one_range<true, true>(cuda, args);
        return setup.potential ? one_range<true, false>(cuda, args)
                               : one_range<false, false>(cuda, args);
    }

    /* The rows d_first ... of n particles, as many as memory is meant for. */
    static mutual_plan
    plan_for(const koshu_cuda *cuda, size_t n, size_t d_first)
    {
        const size_t blocks = blocks_for(n, width);
        const size_t row = blocks * width * sizeof(row_type);
        const size_t most_rows = std::max<size_t>(1, cuda->row_bytes / row);
        return mutual_range(blocks, S::I, d_first, most_rows,
                            cuda->multiprocessors * S::BLOCKS);
    }

    static cudaError_t reserve(koshu_cuda *cuda, size_t n)
    {
        const mutual_plan plan = plan_for(cuda, n, 0);
        const size_t most = cuda->multiprocessors * S::BLOCKS;
        KOSHU_CUDA_TRY(cuda->scratch.by_segment.reserve(
                (most + plan.blocks) * 4 * width * sizeof(double)));
        return cuda->scratch.by_row.reserve(plan.rows * plan.blocks * width *
                                            sizeof(row_type));
    }

    static cudaError_t all(koshu_cuda *cuda, const packed_memory &particles,
                           size_t n, const force_setup &setup)
    {
        const size_t d_end = mutual_d_end(blocks_for(n, width));
        const progress &noted = cuda->progress;
        again_args<P> again = {};
        KOSHU_CUDA_TRY(reserve(cuda, n));
        KOSHU_CUDA_TRY(again_in_store(cuda, particles, n, setup, &again));
        cuda->sums++;
        for (size_t d = 0; d < d_end;) {
            const mutual_plan plan = plan_for(cuda, n, d);
            const bool last = d + plan.rows == d_end;
            const bool ends = last && !sums_again<P>;
            mutual_args<P> args = {packed_of<P>(particles),
                                   plan,
                                   cuda->scratch.by_segment.as<double>(),
                                   cuda->scratch.by_row.as<row_type>(),
                                   softening_of<P>(setup),
                                   d == 0 ? noted.begin : nullptr};
            KOSHU_CUDA_TRY(one_range(cuda, args, setup));
            KOSHU_CUDA_TRY(launch(cuda, finish_mutual<P>,
                                  (unsigned)blocks_for(n, FINISH_LANES),
                                  dim3(FINISH_LANES, FINISH_GROUPS), 0,
                                  out_of<P>(setup, ends ? noted : progress{}),
                                  plan, args.by_segment, args.by_row,
                                  (unsigned)width, n, last, again));
            d += plan.rows;
        }
        return launch_again(cuda, again);
    }

    /* As plan_for(), of the list of all devices; those of this one. */
    static mutual_plan plan_for(const share &mine, size_t n, size_t d_first)
    {
        const size_t blocks = blocks_for(n, width);
        const size_t row = (blocks * mine.largest / mine.all + 2) * width *
                           sizeof(row_type);
        const size_t most_rows = std::max<size_t>(1, mine.row_bytes / row);
        return mutual_share(mutual_range(blocks, S::I, d_first, most_rows,
                                         mine.all * S::BLOCKS),
                            mine.first, mine.count, mine.all);
    }

    static cudaError_t reserve(koshu_cuda *cuda, const share &mine, size_t n)
    {
        const size_t d_end = mutual_d_end(blocks_for(n, width));
        size_t segments = 0, rows = 0;
        for (size_t d = 0; d < d_end;) {
            const mutual_plan plan = plan_for(mine, n, d);
            segments = std::max(segments, plan.own_pieces + plan.own);
            rows = std::max(rows, plan.own * plan.rows);
            d += plan.rows;
        }
        KOSHU_CUDA_TRY(cuda->scratch.by_segment.reserve(segments * 4 * width *
                                                        sizeof(double)));
        return cuda->scratch.by_row.reserve(rows * width * sizeof(row_type));
    }

    static cudaError_t of_share(koshu_cuda *cuda, const packed_memory &all,
                                const share &mine, const deal &slices,
                                const force_setup &setup, double *part)
    {
        const size_t n = slices.n, d_end = mutual_d_end(blocks_for(n, width));
        const force_out out = out_of<P>(setup, {});
        KOSHU_CUDA_TRY(reserve(cuda, mine, n));
        for (size_t d = 0; d < d_end;) {
            const mutual_plan plan = plan_for(mine, n, d);
            mutual_args<P> args = {packed_of<P>(all),
                                   plan,
                                   cuda->scratch.by_segment.as<double>(),
                                   cuda->scratch.by_row.as<row_type>(),
                                   softening_of<P>(setup),
                                   d == 0 ? cuda->progress.begin : nullptr};
            if (plan.own_pieces > 0)
                KOSHU_CUDA_TRY(one_range(cuda, args, setup));
            KOSHU_CUDA_TRY(launch(cuda, finish_share<typename P::real>,
                                  (unsigned)blocks_for(n, FINISH_LANES),
                                  dim3(FINISH_LANES, FINISH_GROUPS), 0, plan,
                                  args.by_segment, args.by_row, (unsigned)width,
                                  slices, part, 3 + setup.potential, out.a_unit,
                                  out.potential_unit));
            d += plan.rows;
        }
        return cudaSuccess;
    }

    template <bool POTENTIAL>
    static cudaError_t occupied(koshu_force_shape *shape)
    {
        return occupancy(mutual<P, S::I, S::T, S::FLUSH, S::UNROLL, POTENTIAL,
                                false, S::TWO, S::BLOCKS>,
                         S::T,
                         sizeof(mutual_shared<P, S::I, S::T, 3 + POTENTIAL>),
                         shape);
    }

    static cudaError_t shape(const koshu_cuda *cuda, size_t n, bool potential,
                             koshu_force_shape *shape)
    {
        const size_t d_end = mutual_d_end(blocks_for(n, width));
        size_t tiles = 0, pieces = 0, ranges = 0;
        for (size_t d = 0; d < d_end; ranges++) {
            const mutual_plan plan = plan_for(cuda, n, d);
            tiles += blocks_for(plan.all_tiles(), plan.pieces);
            pieces += plan.pieces;
            d += plan.rows;
        }
        snprintf(shape->kernel, sizeof shape->kernel, "mutual %dx%d", S::I,
                 S::T);
        shape->blocks = pieces;
        shape->tiles = (double)tiles / (double)ranges;
        shape->evaluations = (double)(width * S::T);
        shape->both = 2;
        shape->launches = 2 * ranges + sums_again<P>;
        shape->overlapped = cuda->overlaps_launches;
        return potential ? occupied<true>(shape) : occupied<false>(shape);
    }
};

/* ---- by number of particles --------------------------------------------- */

template <class P>
static cudaError_t
launch_mutual(koshu_cuda *cuda, const packed_memory &particles, size_t n,
              const force_setup &setup)
{
    using tuned = tuning<P>;
    return n < tuned::large_from
                   ? mutual_launcher<P, typename tuned::small>::all(
                             cuda, particles, n, setup)
                   : mutual_launcher<P, typename tuned::large>::all(
                             cuda, particles, n, setup);
}

template <class P>
static cudaError_t
launch_all(koshu_cuda *cuda, const packed_memory &particles, size_t n,
           const force_setup &setup)
{
    using tuned = tuning<P>;
    if (n < tuned::mutual_from)
        return direct_launcher<P, typename tuned::few>::all(cuda, particles, n,
                                                            setup);
    return launch_mutual<P>(cuda, particles, n, setup);
}

template <class P>
static cudaError_t
shape_mutual(const koshu_cuda *cuda, size_t n, bool potential,
             koshu_force_shape *shape)
{
    using tuned = tuning<P>;
    return n < tuned::large_from
                   ? mutual_launcher<P, typename tuned::small>::shape(
                             cuda, n, potential, shape)
                   : mutual_launcher<P, typename tuned::large>::shape(
                             cuda, n, potential, shape);
}

template <class P>
static cudaError_t
shape_all(const koshu_cuda *cuda, size_t n, bool potential,
          koshu_force_shape *shape)
{
    using tuned = tuning<P>;
    if (n < tuned::mutual_from)
        return direct_launcher<P, typename tuned::few>::shape(cuda, n,
                                                              potential, shape);
    return shape_mutual<P>(cuda, n, potential, shape);
}

template <class P>
static size_t
item_width(bool many)
{
    return many ? direct_launcher<P, typename tuning<P>::many>::width
                : direct_launcher<P, typename tuning<P>::few>::width;
}

template <class P>
static cudaError_t
launch_items(koshu_cuda *cuda, bool many, const item_list &list,
             const force_setup &setup)
{
    return many ? direct_launcher<P, typename tuning<P>::many>::items(
                          cuda, list, setup)
                : direct_launcher<P, typename tuning<P>::few>::items(cuda, list,
                                                                     setup);
}

template <class P>
constexpr again_function
again_of()
{
    if constexpr (sums_again<P>) return again_in_sets<P>;
    return nullptr;
}

/* ---- several devices ---------------------------------------------------- */

template <class P>
static cudaError_t
launch_share(koshu_cuda *cuda, const packed_memory &all, const share &mine,
             const deal &slices, const force_setup &setup, double *part)
{
    using tuned = tuning<P>;
    return slices.n < tuned::large_from
                   ? mutual_launcher<P, typename tuned::small>::of_share(
                             cuda, all, mine, slices, setup, part)
                   : mutual_launcher<P, typename tuned::large>::of_share(
                             cuda, all, mine, slices, setup, part);
}

template <class P>
static cudaError_t
launch_others(koshu_cuda *cuda, const packed_memory &i, size_t n_i,
              const packed_memory &j, size_t n_j, const force_setup &setup)
{
    using tuned = tuning<P>;
    if constexpr (!std::is_same<P, mixed_precision>::value)
        if (n_i < tuned::mutual_from)
            return direct_launcher<P, typename tuned::few>::others(
                    cuda, i, n_i, j, n_j, setup);
    return direct_launcher<P, typename tuned::many>::others(cuda, i, n_i, j,
                                                            n_j, setup);
}

/* Puts particles whose forces cancel on the list, and sums those again. */
template <class P>
static cudaError_t
launch_add_parts(koshu_cuda *cuda, const parts_list &list,
                 const packed_memory &all, const deal &slices, size_t k,
                 const force_setup &setup, const progress &noted)
{
    const size_t first = slices.first(k);
    force_setup of_all = setup; /* with indices from the first of all slices */
    for (double **to : {&of_all.out.ax, &of_all.out.ay, &of_all.out.az,
                        &of_all.out.potential})
        *to -= first;
    again_args<P> again = {};
    if constexpr (sums_again<P>) {
        again.i = again.j = packed_of<P>(all);
        again.whole = {0, slices.n, 0, slices.n};
        again.own = true;
        again.part = cancelled_part(slices.n);
        fill_again(&again, of_all, noted);
        KOSHU_CUDA_TRY(reserve_list(cuda, list.n, &again.list));
    }
    force_out out = setup.out;
    out.a_unit = out.potential_unit = 1;
    out.progress = sums_again<P> ? progress{} : noted;
    if (!setup.potential) out.potential = nullptr;
    KOSHU_CUDA_TRY(launch(
            cuda, add_parts<P>, (unsigned)blocks_for(list.n, PARTS_LANES),
            dim3(PARTS_LANES, PARTS_GROUPS), 0, list, out, first, again));
    return launch_again(cuda, again);
}

/* ---- shapes that can be chosen ------------------------------------------ */

template <class P, class S, bool GUARDS>
constexpr shaped_kernel
direct_in()
{
    return {{"direct", WARP, S::J, S::I, S::UNROLL, BAG, S::BLOCKS},
            direct_launcher<P, S, GUARDS>::all,
            direct_launcher<P, S, GUARDS>::shape,
            nullptr};
}

template <class P, class S, bool GUARDS>
constexpr shaped_kernel
mutual_in()
{
    return {{"mutual", S::T, 1, S::I, S::UNROLL, S::FLUSH, S::BLOCKS},
            mutual_launcher<P, S, GUARDS>::all,
            mutual_launcher<P, S, GUARDS>::shape,
            mutual_launcher<P, S, GUARDS>::of_share};
}

/* Those of tuning.cuh. */
template <class P> struct tuned_shapes {
    using tuned = tuning<P>;
    static constexpr shaped_kernel kernels[4] = {
            direct_in<P, typename tuned::few, true>(),
            direct_in<P, typename tuned::many, true>(),
            mutual_in<P, typename tuned::small, true>(),
            mutual_in<P, typename tuned::large, true>(),
    };
};

/* Of a precision that only mutual() sums. */
template <class P> struct tuned_mutual_shapes {
    using tuned = tuning<P>;
    static constexpr shaped_kernel kernels[2] = {
            mutual_in<P, typename tuned::small, true>(),
            mutual_in<P, typename tuned::large, true>(),
    };
};

template <size_t N>
constexpr shape_list
list_of(const shaped_kernel (&kernels)[N])
{
    return {kernels, N};
}

/* ---- the table ---------------------------------------------------------- */

template <class P>
constexpr precision_functions
table_of(enum koshu_shape_set set)
{
    return {P::quads,           set,
            guarded_below<P>,   launch_advance<P>,
            launch_all<P>,      shape_all<P>,
            item_width<P>,      launch_items<P>,
            again_of<P>(),      list_of(tuned_shapes<P>::kernels),
            launch_others<P>,   launch_share<P>,
            launch_add_parts<P>};
}

/* Of a precision that only mutual() sums. */
template <class P>
constexpr precision_functions
table_of_mutual(enum koshu_shape_set set)
{
    return {P::quads,
            set,
            guarded_below<P>,
            launch_advance<P>,
            launch_mutual<P>,
            shape_mutual<P>,
            nullptr,
            nullptr,
            nullptr,
            list_of(tuned_mutual_shapes<P>::kernels),
            launch_others<P>,
            launch_share<P>,
            launch_add_parts<P>};
}

} /* namespace koshu */

#endif
