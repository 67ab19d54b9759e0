/* SPDX-License-Identifier: MIT */
/*
 * Compiled at run time, after the body of a kernel source: the sum over all
 * pairs, organised like direct.cuh.
 *
 * Every warp of a CUDA block has the same 32 I i-particles, I in the registers
 * of each lane, and reads its own j-particles through shared memory, a tile at
 * a time, while the next tile is being copied (cp.async). Sums in float run
 * over one tile and are added up in double (Hamada07 eq. 2). There are no
 * padding particles, because a body may do anything with them: the last tile is
 * summed exactly to its end.
 *
 * If the j-particles are divided into chunks, each CUDA block writes its
 * results to a partial sum, and the last block to do so for the same
 * i-particles combines these. The result does not depend on which block is the
 * last.
 */
} /* namespace body */
} /* namespace koshu */

#include "backend/cuda/runtime/arrive.cuh"
#include "backend/cuda/interaction/args.h"

namespace koshu {

using args = koshu_interaction_args;

enum { WARP = 32, IN_I = KOSHU_IN_I, OUT = KOSHU_OUT, ROW = KOSHU_ROW };

constexpr bool in_float = sizeof(real) == sizeof(float);

/* Each warp's j-particles begin at a multiple of this, because copies are of 16
 * bytes. */
KOSHU_DEVICE constexpr int
step_of(int unroll)
{
    const int rows = 16 / (ROW * (int)sizeof(real));
    return unroll > rows ? unroll : rows;
}

#define KOSHU_KIND(kind, k, of) KOSHU_PAIR_##kind,
__device__ constexpr int kind_of[OUT] = {KOSHU_OUTPUTS(KOSHU_KIND)};
/* For an index, the output whose extreme it belongs to; for other outputs, the
 * output itself. */
#define KOSHU_KEY(kind, k, of) KOSHU_PAIR_##kind == KOSHU_PAIR_INDEX ? of : k,
__device__ constexpr int key_of[OUT] = {KOSHU_OUTPUTS(KOSHU_KEY)};

KOSHU_DEVICE double
infinity()
{
    return __longlong_as_double(0x7ff0000000000000);
}

/* The result of a reduction without pairs. */
KOSHU_DEVICE double
nothing(int kind)
{
    return kind == KOSHU_PAIR_SUM   ? 0
           : kind == KOSHU_PAIR_MIN ? infinity()
           : kind == KOSHU_PAIR_MAX ? -infinity()
                                    : -1;
}

/* ---- combination of results ---------------------------------------------- */

/* The value of output k for some of the pairs; for an index, key is the value
 * that it belongs to. */
struct part {
    double value, key;
};

KOSHU_DEVICE part
no_part(int k)
{
    return {nothing(kind_of[k]), nothing(kind_of[key_of[k]])};
}

/* Of two equal keys, the one of the earlier j-particle wins; a part without an
 * index (-1) has no pairs. */
KOSHU_DEVICE bool
comes_before(const part &a, const part &b, bool smallest)
{
    if (a.key == b.key)
        return a.value >= 0 && !(b.value >= 0 && b.value < a.value);
    return smallest ? a.key < b.key : a.key > b.key;
}

KOSHU_DEVICE part
join(int k, const part &a, const part &b)
{
    switch (kind_of[k]) {
    case KOSHU_PAIR_SUM: return {a.value + b.value, 0};
    case KOSHU_PAIR_MIN: return {smaller(a.value, b.value), 0};
    case KOSHU_PAIR_MAX: return {larger(a.value, b.value), 0};
    }
    return comes_before(a, b, kind_of[key_of[k]] == KOSHU_PAIR_MIN) ? a : b;
}

/* ---- one lane ------------------------------------------------------------ */

/* I i-particles and their results so far. */
template <int I> struct lane_sums {
    real in[I][IN_I];
    real out[I][OUT];
    int index[I][OUT];
    double sum[I][OUT];

    __device__ __forceinline__ void load(const args &a, int first, int lane)
    {
#pragma unroll
        for (int i = 0; i < I; i++) {
            const int row = min(first + i * WARP + lane, a.n_i - 1);
#pragma unroll
            for (int k = 0; k < IN_I; k++)
                in[i][k] = (real)a.i[(size_t)row * IN_I + k];
#pragma unroll
            for (int k = 0; k < OUT; k++) {
                out[i][k] = (real)nothing(kind_of[k]);
                index[i][k] = -1;
                sum[i][k] = 0;
            }
        }
    }

    template <int UNROLL>
    __device__ __forceinline__ void
    add(const real *row, int first_i, int index_j)
    {
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
#pragma unroll
            for (int i = 0; i < I; i++)
                body::koshu_pair(in[i], row + u * ROW, out[i], index[i],
                                 first_i + i * WARP, index_j + u);
    }

    __device__ __forceinline__ void flush()
    {
        if (!in_float) return;
#pragma unroll
        for (int i = 0; i < I; i++)
#pragma unroll
            for (int k = 0; k < OUT; k++) {
                if (kind_of[k] != KOSHU_PAIR_SUM) continue;
                sum[i][k] += out[i][k];
                out[i][k] = 0;
            }
    }

    __device__ __forceinline__ double value(int i, int k) const
    {
        if (kind_of[k] == KOSHU_PAIR_INDEX) return index[i][k];
        return in_float && kind_of[k] == KOSHU_PAIR_SUM ? sum[i][k]
                                                        : (double)out[i][k];
    }
    __device__ __forceinline__ part get(int i, int k) const
    {
        return {value(i, k), value(i, key_of[k])};
    }
};

/* ---- one warp ------------------------------------------------------------ */

/* Two tiles in shared memory: one is read while the other is filled. */
template <int TILE> struct tile_pair {
    alignas(16) real tile[2][TILE * ROW];
};

/* Copies 16 bytes asynchronously; the waits below leave `later` groups of
 * copies under way. */
KOSHU_DEVICE void
start_copy(void *shared, const void *global)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;"
                 :
                 : "r"((unsigned)__cvta_generic_to_shared(shared)), "l"(global)
                 : "memory");
}

KOSHU_DEVICE void
end_group()
{
    asm volatile("cp.async.commit_group;" : : : "memory");
}

KOSHU_DEVICE void
wait_for_all_groups_but_one()
{
    asm volatile("cp.async.wait_group 1;" : : : "memory");
}

/* All lanes start copying the first `left` j-particles, at most a tile. */
template <int TILE>
KOSHU_DEVICE void
fill(real *tile, const real *from, int left, int lane)
{
    constexpr int row_bytes = ROW * sizeof(real), bytes = TILE * row_bytes;
    const int there = min(left, TILE) * row_bytes;
#pragma unroll
    for (int at = 0; at < bytes; at += WARP * 16)
        if (at + lane * 16 < there)
            start_copy(reinterpret_cast<char *>(tile) + at + lane * 16,
                       reinterpret_cast<const char *>(from) + at + lane * 16);
    end_group();
}

/* Sums the j-particles first ... first + n - 1 on a warp's i-particles. */
template <int I, int UNROLL, int TILE>
KOSHU_DEVICE void
sum_part(lane_sums<I> *sums, tile_pair<TILE> *tiles, const args &a, int index_i,
         int first, int n)
{
    const int lane = threadIdx.x % WARP;
    const real *from = static_cast<const real *>(a.j) + (size_t)first * ROW;
    int which = 0;
    fill<TILE>(tiles->tile[0], from, n, lane);
    for (; n > 0; n -= TILE, first += TILE) {
        from += TILE * ROW;
        fill<TILE>(tiles->tile[which ^ 1], from, n - TILE, lane);
        wait_for_all_groups_but_one();
        __syncwarp(); /* all lanes' copies of this tile have arrived */
        const real *tile = tiles->tile[which];
        const int count = min(n, TILE);
        int j = 0;
#pragma unroll 1
        for (; j + UNROLL <= count; j += UNROLL)
            sums->template add<UNROLL>(tile + j * ROW, index_i, first + j);
#pragma unroll 1
        for (; UNROLL > 1 && j < count; j++)
            sums->template add<1>(tile + j * ROW, index_i, first + j);
        sums->flush();
        __syncwarp(); /* all lanes have finished with this tile */
        which ^= 1;
    }
}

/* ---- a CUDA block -------------------------------------------------------- */

template <int I, int J> struct group_parts {
    part of[J][I * WARP];
};

/* Combines output k of all warps, and calls put(column, value). */
template <int I, int J, class Put>
KOSHU_DEVICE void
join_groups(const lane_sums<I> &sums, group_parts<I, J> *shared, int k,
            const Put &put)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    __syncthreads(); /* all have finished with the previous content */
#pragma unroll
    for (int i = 0; i < I; i++)
        shared->of[warp][i * WARP + lane] = sums.get(i, k);
    __syncthreads();
#pragma unroll 1
    for (int column = threadIdx.x; column < I * WARP; column += J * WARP) {
        part all = shared->of[0][column];
#pragma unroll
        for (int g = 1; g < J; g++) all = join(k, all, shared->of[g][column]);
        put(column, all.value);
    }
}

/* Combines the partial sums of a CUDA block's `count` i-particles by all its
 * threads; if there are more threads than results, several divide one result.
 * width: that of a partial sum. */
KOSHU_DEVICE void
join_partials(const args &a, int width, int count, part *by_thread)
{
    const int threads = blockDim.x, columns = count * OUT;
    const int groups = max(threads / columns, 1);
    const double *partials =
            a.partial + (size_t)blockIdx.x * gridDim.y * OUT * width;
    double *out = a.out + (size_t)blockIdx.x * width * OUT;
#pragma unroll 1
    for (int q = threadIdx.x; q < columns * groups; q += threads) {
        const int column = q % columns, k = column % OUT;
        const double *partial = partials + column / OUT;
        part all = no_part(k);
#pragma unroll 4
        for (int s = q / columns; s < gridDim.y; s += groups) {
            const double *of = partial + (size_t)s * OUT * width;
            part one = {__ldcg(of + k * width), 0};
            if (kind_of[k] == KOSHU_PAIR_INDEX)
                one.key = __ldcg(of + key_of[k] * width);
            all = join(k, all, one);
        }
        if (groups == 1)
            out[column] = all.value;
        else
            by_thread[q] = all;
    }
    if (groups == 1) return;
    __syncthreads();
    if (threadIdx.x >= columns) return;
    part all = by_thread[threadIdx.x];
#pragma unroll 1
    for (int group = 1; group < groups; group++)
        all = join(threadIdx.x % OUT, all,
                   by_thread[group * columns + threadIdx.x]);
    out[threadIdx.x] = all.value;
}

template <int I, int J, int TILE> union shared_memory {
    tile_pair<TILE> tiles[J];
    group_parts<I, J> groups;
    part by_thread[J * WARP];
};

/* The sum by J warps; UNROLL divides TILE. */
template <int I, int J, int UNROLL, int TILE>
KOSHU_DEVICE void
sum_pairs(const args &a)
{
    constexpr int width = I * WARP, step = step_of(UNROLL);
    __shared__ shared_memory<I, J, TILE> shared;
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const int row = blockIdx.x * width, chunk = blockIdx.y * a.chunk;
    const int n = min(a.chunk, a.n_j - chunk);
    const int each = (n + J * step - 1) / (J * step) * step;
    lane_sums<I> sums;
    sums.load(a, row, lane);
    sum_part<I, UNROLL, TILE>(&sums, &shared.tiles[warp], a,
                              a.i_first + row + lane, chunk + warp * each,
                              min(each, n - warp * each));
    const bool whole = gridDim.y == 1;
    double *partial =
            a.partial +
            ((size_t)blockIdx.x * gridDim.y + blockIdx.y) * OUT * width;
#pragma unroll
    for (int k = 0; k < OUT; k++)
        join_groups(sums, &shared.groups, k, [&](int column, double value) {
            if (!whole)
                partial[k * width + column] = value;
            else if (row + column < a.n_i)
                a.out[(size_t)(row + column) * OUT + k] = value;
        });
    if (!whole && comes_last(a.arrived + blockIdx.x, gridDim.y))
        join_partials(a, width, min(width, a.n_i - row), shared.by_thread);
}

} /* namespace koshu */

/* The program ends with kernels in the shapes among which the host chooses. */
#define KOSHU_KERNEL(name, I, J, UNROLL, TILE, BLOCKS)             \
    extern "C" __global__ void __launch_bounds__(J * 32, BLOCKS)   \
            name(const __grid_constant__ koshu_interaction_args a) \
    {                                                              \
        koshu::sum_pairs<I, J, UNROLL, TILE>(a);                   \
    }
