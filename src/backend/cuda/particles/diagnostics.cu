/* SPDX-License-Identifier: MIT */
/* Diagnostics of a particle store, computed on the device that has it. */
#include <algorithm>

#include "backend/cuda/particles/store.cuh"
#include "backend/cuda/runtime/for_each.cuh"

using namespace koshu;

/* ---- sums ---------------------------------------------------------------- */

/* Independent of the device: which thread adds which particles depends only on
 * their number. */
enum { SUM_BLOCKS = 256, SUM_THREADS = 256, SUM_WARPS = SUM_THREADS / WARP };
enum { N_SUMS = KOSHU_DIAGNOSTIC_SUMS };

struct diagnostic_sums {
    koshu_sum of[N_SUMS];
};

KOSHU_DEVICE void
add_particle(const fields &f, size_t i, koshu_sum sum[N_SUMS])
{
    const double x[3] = {f.x[0][i], f.x[1][i], f.x[2][i]};
    const double v[3] = {f.v[0][i], f.v[1][i], f.v[2][i]};
    double term[N_SUMS];
    koshu_diagnostic_terms(f.mass[i], x, v, f.potential[i], term);
    for (int k = 0; k < N_SUMS; k++) koshu_sum_add(&sum[k], term[k]);
}

/* Merges the sums of a warp's lanes in the first lane. */
KOSHU_DEVICE void
merge_lanes(koshu_sum *s)
{
    for (int step = WARP / 2; step > 0; step /= 2) {
        const koshu_sum other = {__shfl_down_sync(~0u, s->sum, step),
                                 __shfl_down_sync(~0u, s->rest, step)};
        koshu_sum_merge(s, other);
    }
}

static __global__ void
__launch_bounds__(SUM_THREADS)
        sum_particles(fields f, size_t n, diagnostic_sums *of_block)
{
    __shared__ koshu_sum of_warp[SUM_WARPS][N_SUMS];
    wait_for_previous_kernel();
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    koshu_sum sum[N_SUMS] = {};
    for (size_t i = (size_t)blockIdx.x * SUM_THREADS + threadIdx.x; i < n;
         i += (size_t)SUM_BLOCKS * SUM_THREADS)
        add_particle(f, i, sum);
    for (int k = 0; k < N_SUMS; k++) {
        merge_lanes(&sum[k]);
        if (lane == 0) of_warp[warp][k] = sum[k];
    }
    __syncthreads();
    if (threadIdx.x >= N_SUMS) return;
    koshu_sum total = {};
    for (unsigned w = 0; w < SUM_WARPS; w++)
        koshu_sum_merge(&total, of_warp[w][threadIdx.x]);
    of_block[blockIdx.x].of[threadIdx.x] = total;
}

cudaError_t
koshu::sum_diagnostics(koshu_cuda_store *s, koshu_sum *sums)
{
    diagnostic_sums of_block[SUM_BLOCKS];
    KOSHU_CUDA_TRY(make_kicks(s));
    KOSHU_CUDA_TRY(s->cuda->between_steps.reserve(sizeof of_block));
    diagnostic_sums *there = s->cuda->between_steps.as<diagnostic_sums>();
    KOSHU_CUDA_TRY(launch(s->cuda, sum_particles, SUM_BLOCKS, SUM_THREADS, 0,
                          s->f, s->n, there));
    const host_copy copy = {there, of_block, sizeof of_block};
    KOSHU_CUDA_TRY(download(s->cuda, &copy, 1));
    for (const diagnostic_sums &block : of_block)
        for (int k = 0; k < N_SUMS; k++) koshu_sum_merge(&sums[k], block.of[k]);
    return cudaSuccess;
}

/* ---- masses by radius ---------------------------------------------------- */

enum { BINS = KOSHU_SHELL_BINS, ALL_BINS = KOSHU_SHELL_PREFIXES * BINS };

using mass_bin = unsigned long long;

/* Lanes that add to the same bin as the first one do so in one operation: radii
 * have few different first digits. */
KOSHU_DEVICE bool
add_with_first(mass_bin *bins, bool adds, unsigned bin, mass_bin mass)
{
    const unsigned adding = __ballot_sync(~0u, adds);
    if (adding == 0) return false;
    const int first = __ffs((int)adding) - 1;
    /* all lanes take part, whether they add or not */
    const unsigned bin_of_first = __shfl_sync(~0u, bin, first);
    const bool same = adds && bin == bin_of_first;
    mass_bin sum = same ? mass : 0;
    for (int step = WARP / 2; step > 0; step /= 2)
        sum += __shfl_xor_sync(~0u, sum, step);
    if ((int)(threadIdx.x % WARP) == first) atomicAdd(&bins[bin], sum);
    return adds && !same;
}

KOSHU_DEVICE void
add_to_bins(mass_bin *bins, bool adds, unsigned bin, mass_bin mass)
{
    const int groups = 2;
    for (int k = 0; k < groups; k++)
        adds = add_with_first(bins, adds, bin, mass);
    if (adds) atomicAdd(&bins[bin], mass);
}

/* A search in device memory. */
struct search_there {
    koshu_shell_search search;
    mass_bin bins[ALL_BINS];
};

KOSHU_DEVICE void
empty(mass_bin *bins)
{
    for (unsigned k = threadIdx.x; k < ALL_BINS; k += blockDim.x) bins[k] = 0;
}

static __global__ void
begin_search(const __grid_constant__ koshu_shell_search search,
             search_there *there)
{
    wait_for_previous_kernel();
    if (threadIdx.x == 0) there->search = search;
    empty(there->bins);
}

static __global__ void
__launch_bounds__(ITEM_THREADS)
        count_masses(fields f, size_t n, search_there *there)
{
    __shared__ mass_bin bins[ALL_BINS];
    wait_for_previous_kernel();
    const koshu_shells shells = there->search.shells;
    const unsigned used = (unsigned)shells.n * BINS;
    for (unsigned k = threadIdx.x; k < used; k += ITEM_THREADS) bins[k] = 0;
    __syncthreads();
    const size_t width = (size_t)gridDim.x * ITEM_THREADS;
    for (size_t first = (size_t)blockIdx.x * ITEM_THREADS; first < n;
         first += width) {
        const size_t i = first + threadIdx.x;
        const bool is = i < n;
        const uint64_t key =
                is ? koshu_shell_key(&shells, f.x[0][i], f.x[1][i], f.x[2][i])
                   : 0;
        const mass_bin mass = is ? koshu_shell_mass(&shells, f.mass[i]) : 0;
        for (int k = 0; k < shells.n; k++)
            add_to_bins(bins + k * BINS,
                        is && koshu_shell_prefix(&shells, key) ==
                                        shells.prefix[k],
                        koshu_shell_bin(&shells, key), mass);
    }
    __syncthreads();
    for (unsigned k = threadIdx.x; k < used; k += ITEM_THREADS)
        if (bins[k] > 0) atomicAdd(&there->bins[k], bins[k]);
}

/* ---- digits of the radii ------------------------------------------------- */

/* The first digit at which the wanted mass is reached, found by a warp each of
 * whose lanes has some adjacent bins; *wanted: what remains of it within that
 * digit. */
KOSHU_DEVICE unsigned
find_digit(const mass_bin *bins, mass_bin *wanted)
{
    const unsigned each = BINS / WARP, lane = threadIdx.x % WARP;
    mass_bin mine = 0;
    for (unsigned k = 0; k < each; k++) mine += bins[lane * each + k];
    mass_bin up_to = mine;
    for (unsigned step = 1; step < WARP; step *= 2) {
        const mass_bin below = __shfl_up_sync(~0u, up_to, step);
        if (lane >= step) up_to += below;
    }
    const unsigned enough = __ballot_sync(~0u, up_to >= *wanted);
    const int first = enough == 0 ? WARP - 1 : __ffs((int)enough) - 1;
    mass_bin left = *wanted - (up_to - mine);
    unsigned digit = lane * each;
    for (const unsigned last = digit + each - 1;
         digit < last && bins[digit] < left; digit++)
        left -= bins[digit];
    *wanted = __shfl_sync(~0u, left, first);
    return __shfl_sync(~0u, digit, first);
}

/* koshu_shell_digits(), with one warp per radius. */
static __global__ void
choose_digits(search_there *there)
{
    wait_for_previous_kernel();
    koshu_shell_search *s = &there->search;
    const unsigned k = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const mass_bin *bins = there->bins + s->at[k] * BINS;
    mass_bin wanted = s->wanted[k];
    if (koshu_shell_is_first(&s->shells)) {
        mass_bin all = 0;
        for (unsigned b = lane; b < BINS; b += WARP) all += bins[b];
        for (int step = WARP / 2; step > 0; step /= 2)
            all += __shfl_xor_sync(~0u, all, step);
        wanted = koshu_shell_wanted(s, (int)k, all);
    }
    const unsigned digit = find_digit(bins, &wanted);
    if (lane == 0) {
        s->wanted[k] = wanted;
        s->radius[k] = s->radius[k] << KOSHU_SHELL_BITS | digit;
    }
    __syncthreads();
    empty(there->bins);
    if (threadIdx.x == 0) koshu_shell_next(s);
}

/* ---- from the host ------------------------------------------------------- */

static cudaError_t
begin(koshu_cuda_store *s, const koshu_shell_search &search,
      search_there **there)
{
    KOSHU_CUDA_TRY(s->cuda->between_steps.reserve(sizeof **there));
    *there = s->cuda->between_steps.as<search_there>();
    return launch(s->cuda, begin_search, 1, ITEM_THREADS, 0, search, *there);
}

static cudaError_t
count(koshu_cuda_store *s, search_there *there)
{
    const unsigned blocks = 4; /* per multiprocessor */
    const dim3 grid(std::min(blocks_of(s->n).x,
                             blocks * (unsigned)s->cuda->multiprocessors));
    return launch(s->cuda, count_masses, grid, ITEM_THREADS, 0, s->f, s->n,
                  there);
}

cudaError_t
koshu::count_shells(koshu_cuda_store *s, const koshu_shell_search &search,
                    uint64_t *bins)
{
    search_there *there;
    const size_t used = (size_t)search.shells.n * BINS;
    mass_bin here[ALL_BINS];
    if (s->n == 0) return cudaSuccess;
    KOSHU_CUDA_TRY(begin(s, search, &there));
    KOSHU_CUDA_TRY(count(s, there));
    const host_copy copy = {there->bins, here, used * sizeof *here};
    KOSHU_CUDA_TRY(download(s->cuda, &copy, 1));
    for (size_t k = 0; k < used; k++)
        __atomic_fetch_add(&bins[k], here[k], __ATOMIC_RELAXED);
    return cudaSuccess;
}

cudaError_t
koshu::find_shells(koshu_cuda_store *s, koshu_shell_search *search)
{
    search_there *there;
    KOSHU_CUDA_TRY(begin(s, *search, &there));
    for (int digit = 0; digit < KOSHU_SHELL_DIGITS; digit++) {
        if (s->n > 0) KOSHU_CUDA_TRY(count(s, there));
        KOSHU_CUDA_TRY(launch(s->cuda, choose_digits, 1,
                              KOSHU_SHELL_PREFIXES * WARP, 0, there));
    }
    const host_copy copy = {&there->search, search, sizeof *search};
    return download(s->cuda, &copy, 1);
}
