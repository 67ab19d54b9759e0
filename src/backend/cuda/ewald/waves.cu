/* SPDX-License-Identifier: MIT */
/* Ewald waves: summed over all sources, and evaluated at the targets. */
#include <cstdlib>

#include "backend/cuda/ewald/ewald.cuh"

namespace koshu {

/* Sources whose phases a block keeps in shared memory. */
enum { TILE = 8 };

struct phase {
    double re, im;
};

/* exp(2 pi i n x) */
KOSHU_DEVICE phase
phase_of(double x, int n)
{
    phase e;
    sincospi(2 * n * x, &e.im, &e.re);
    return e;
}

KOSHU_DEVICE phase
product(phase a, phase b)
{
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

KOSHU_DEVICE phase
conjugate_if(bool is_negative, phase e)
{
    return {e.re, is_negative ? -e.im : e.im};
}

/* ---- sums over sources --------------------------------------------------- */

struct waves_args {
    ewald_slice slice;
    const wave_row *row;
    size_t n_rows;
    int stride; /* values of n per axis, a multiple of WAVES */
    double *part;
};

/* Phases of the negative positions of `m` sources; those along x include the
 * charge. */
static __device__ void
load_phases(const waves_args &a, size_t first, int m, phase *to)
{
    const int each = 3 * a.stride;
    for (int k = (int)threadIdx.x; k < m * each; k += EWALD_THREADS) {
        const int axis = k % each / a.stride, n = k % a.stride;
        const size_t j = first + k / each;
        phase e = phase_of(-a.slice.x[axis][j], n);
        if (axis == 0) {
            e.re *= a.slice.charge[j];
            e.im *= a.slice.charge[j];
        }
        to[k] = e;
    }
}

static __global__ void
__launch_bounds__(EWALD_THREADS) sum_waves(const __grid_constant__ waves_args a)
{
    extern __shared__ phase phases[];
    const size_t r = (size_t)blockIdx.x * EWALD_THREADS + threadIdx.x,
                 chunk = (a.slice.n + EWALD_CHUNKS - 1) / EWALD_CHUNKS,
                 begin = blockIdx.y * chunk,
                 end = min(begin + chunk, a.slice.n);
    wait_for_previous_kernel();
    const bool has_row = r < a.n_rows;
    const wave_row row = has_row ? a.row[r] : wave_row{0, 0, 0};
    double sum[WAVE_ROWS][WAVES] = {};
    for (size_t first = begin; first < end; first += TILE) {
        const int m = (int)min((size_t)TILE, end - first);
        __syncthreads();
        load_phases(a, first, m, phases);
        __syncthreads();
        for (int j = 0; j < m; j++) {
            const phase *const x = phases + (size_t)j * 3 * a.stride,
                               *const y = x + a.stride,
                               *const z = y + a.stride + row.z;
            const phase xy =
                    product(x[row.x], conjugate_if(row.y < 0, y[abs(row.y)]));
#pragma unroll
            for (int k = 0; k < WAVES; k++) {
                sum[0][k] += xy.re * z[k].re;
                sum[1][k] += xy.im * z[k].re;
                sum[2][k] += xy.re * z[k].im;
                sum[3][k] += xy.im * z[k].im;
            }
        }
    }
    if (!has_row) return;
    double *const to =
            a.part + (size_t)blockIdx.y * WAVE_ROWS * WAVES * a.n_rows + r;
    for (int c = 0; c < WAVE_ROWS; c++)
        for (int k = 0; k < WAVES; k++)
            to[(size_t)(c * WAVES + k) * a.n_rows] += sum[c][k];
}

/* ---- weights ------------------------------------------------------------- */

struct weigh_args {
    const wave_row *row;
    size_t n_rows;
    int k;
    const double *weight, *part;
    double *wave;
};

/* Waves -n are those of n, so only one sign is stored; each row has both signs
 * of n_z. */
static __global__ void
__launch_bounds__(EWALD_THREADS)
        weigh_waves(const __grid_constant__ weigh_args a)
{
    const size_t at = (size_t)blockIdx.x * EWALD_THREADS + threadIdx.x,
                 all = WAVE_ROWS * WAVES * a.n_rows;
    wait_for_previous_kernel();
    if (at >= all) return;
    const wave_row row = a.row[at % a.n_rows];
    const int z = row.z + (int)(at / a.n_rows % WAVES),
              n2 = row.x * row.x + row.y * row.y + z * z;
    double sum = 0;
    for (int chunk = 0; chunk < EWALD_CHUNKS; chunk++)
        sum += a.part[chunk * all + at];
    a.wave[at] = n2 > a.k * a.k ? 0
                                : sum * a.weight[n2] * (row.x > 0 ? 2 : 1) *
                                          (z > 0 ? 2 : 1);
}

/* ---- evaluation at the targets ------------------------------------------- */

struct at_args {
    const wave_row *row;
    size_t n_rows;
    const double *wave;
    size_t m;
    const double *at; /* three rows */
    double *result;
};

/* sum_(n_z) S exp(2 pi i n_z z), and the same with an additional factor n_z. */
KOSHU_DEVICE void
sum_row(const at_args &a, size_t r, double z, phase *plain, phase *with_n)
{
    const int first = a.row[r].z;
    *plain = *with_n = {0, 0};
    for (int k = 0; k < WAVES; k++) {
        const phase e = phase_of(z, first + k);
        const double n = first + k;
        double s[WAVE_ROWS];
        for (int c = 0; c < WAVE_ROWS; c++)
            s[c] = a.wave[(size_t)(c * WAVES + k) * a.n_rows + r];
        plain->re += s[0] * e.re - s[2] * e.im;
        plain->im += s[1] * e.re - s[3] * e.im;
        with_n->re -= n * (s[3] * e.re + s[1] * e.im);
        with_n->im += n * (s[2] * e.re + s[0] * e.im);
    }
}

/* One block per target. */
static __global__ void
__launch_bounds__(EWALD_THREADS) waves_at(const __grid_constant__ at_args a)
{
    const double two_pi = 6.28318530717958647692;
    const size_t i = blockIdx.x;
    double sum[KOSHU_EWALD_RESULTS] = {};
    wait_for_previous_kernel();
    const double x = a.at[i], y = a.at[a.m + i], z = a.at[2 * a.m + i];
    for (size_t r = threadIdx.x; r < a.n_rows; r += EWALD_THREADS) {
        const wave_row row = a.row[r];
        const phase xy = product(phase_of(x, row.x), phase_of(y, row.y));
        phase plain, with_n;
        sum_row(a, r, z, &plain, &with_n);
        plain = product(xy, plain);
        sum[0] += plain.re;
        sum[1] -= two_pi * row.x * plain.im;
        sum[2] -= two_pi * row.y * plain.im;
        sum[3] -= two_pi * product(xy, with_n).im;
    }
    for (int c = 0; c < KOSHU_EWALD_RESULTS; c++) {
        const double all = sum_of_block(sum[c]);
        if (threadIdx.x == 0) a.result[KOSHU_EWALD_RESULTS * i + c] = all;
    }
}

/* ---- on the host --------------------------------------------------------- */

/* Rows that begin at the same n_z are adjacent, so that a warp reads the same
 * phases. to = NULL: only counts them. */
static size_t
list_rows(int k, wave_row *to)
{
    size_t n = 0;
    for (int z = 0; z <= k; z += WAVES)
        for (int x = 0; x <= k; x++)
            for (int y = -k; y <= k; y++) {
                if (x * x + y * y + z * z > k * k) continue;
                if (to) to[n] = {(short)x, (short)y, (short)z};
                n++;
            }
    return n;
}

cudaError_t
make_wave_rows(koshu_cuda *cuda, ewald_sums *s)
{
    const int k = s->task->k;
    s->n_rows = list_rows(k, nullptr);
    const size_t bytes = s->n_rows * sizeof(wave_row),
                 numbers = s->n_rows * WAVE_ROWS * WAVES;
    wave_row *const rows = (wave_row *)malloc(bytes);
    if (!rows) return cudaErrorMemoryAllocation;
    list_rows(k, rows);
    const size_t weights = ((size_t)k * k + 1) * sizeof(double);
    cudaError_t error = s->row.reserve(bytes);
    if (error == cudaSuccess) error = s->weight.reserve(weights);
    const host_copy copies[] = {{s->row.as<void>(), rows, bytes},
                                {s->weight.as<void>(),
                                 const_cast<double *>(s->task->weight),
                                 weights}};
    if (error == cudaSuccess) error = upload(cuda, copies, 2);
    free(rows);
    KOSHU_CUDA_TRY(error);
    KOSHU_CUDA_TRY(s->wave.reserve(numbers * sizeof(double)));
    const size_t parts = EWALD_CHUNKS * numbers * sizeof(double);
    KOSHU_CUDA_TRY(s->wave_part.reserve(parts));
    return cudaMemsetAsync(s->wave_part.as<void>(), 0, parts, cuda->stream);
}

cudaError_t
add_waves(koshu_cuda *cuda, ewald_sums *s, const ewald_slice &slice)
{
    const int stride = (s->task->k + WAVES) / WAVES * WAVES;
    const waves_args args = {slice, s->row.as<wave_row>(), s->n_rows, stride,
                             s->wave_part.as<double>()};
    const dim3 blocks((unsigned)blocks_for(s->n_rows, EWALD_THREADS),
                      EWALD_CHUNKS);
    return launch(cuda, sum_waves, blocks, EWALD_THREADS,
                  (size_t)TILE * 3 * stride * sizeof(phase), args);
}

cudaError_t
finish_waves(koshu_cuda *cuda, ewald_sums *s)
{
    const wave_row *const row = s->row.as<wave_row>();
    const size_t numbers = s->n_rows * WAVE_ROWS * WAVES, m = s->task->m;
    const weigh_args weigh = {row,
                              s->n_rows,
                              s->task->k,
                              s->weight.as<double>(),
                              s->wave_part.as<double>(),
                              s->wave.as<double>()};
    const at_args at = {row, s->n_rows,          s->wave.as<double>(),
                        m,   s->at.as<double>(), s->result.as<double>()};
    KOSHU_CUDA_TRY(launch(cuda, weigh_waves,
                          (unsigned)blocks_for(numbers, EWALD_THREADS),
                          EWALD_THREADS, 0, weigh));
    return launch(cuda, waves_at, (unsigned)m, EWALD_THREADS, 0, at);
}

} /* namespace koshu */
