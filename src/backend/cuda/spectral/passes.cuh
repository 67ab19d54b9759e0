/* SPDX-License-Identifier: MIT */
/*
 * Fourier transforms of the spectral method by koshu's own kernels, for meshes
 * of N = 3 k points, as the rule 3/2 gives for even n. Passes along x and y
 * read and write existing waves only, no zeros. The pass along z turns the
 * waves of two lines into points, multiplies, and turns them back into waves
 * before anything goes to memory.
 */
#ifndef KOSHU_BACKEND_CUDA_SPECTRAL_PASSES_CUH
#define KOSHU_BACKEND_CUDA_SPECTRAL_PASSES_CUH

#include "backend/cuda/spectral/engine.cuh"
#include "backend/cuda/spectral/line.cuh"

namespace koshu {

/* N = A B, and the number of threads of a line. A pass along x or y takes TILE
 * adjacent lines in a block, with BLOCKS or more blocks per multiprocessor; one
 * along z takes LINES, a warp for each two. */
template <class Real, int N> struct pass_shape;

template <int a, int b, int threads, int tile, int blocks, int lines>
struct shape_of {
    static constexpr int A = a, B = b, THREADS = threads, TILE = tile,
                         BLOCKS = blocks, LINES = lines;
};
/* Adjacent numbers that fill a cache line. */
template <class Real> constexpr int full_tile = 64 / sizeof(Real);

template <class Real> struct pass_shape<Real, 24> : shape_of<4, 6, 8, 8, 1, 4> {
};
template <class Real> struct pass_shape<Real, 48> : shape_of<6, 8, 8, 8, 1, 4> {
};
template <class Real>
struct pass_shape<Real, 96> : shape_of<8, 12, 16, 8, 1, 4> {
};
template <class Real>
struct pass_shape<Real, 192> : shape_of<16, 12, 16, full_tile<Real>, 3, 4> {
};
template <class Real>
struct pass_shape<Real, 384>
    : shape_of<16, 24, 24, full_tile<Real>, sizeof(Real) == 4 ? 2 : 1, 4> {
};
template <class Real>
struct pass_shape<Real, 768> : shape_of<32, 24, 32, full_tile<Real>, 1, 2> {
};
template <class Real>
struct pass_shape<Real, 1536> : shape_of<32, 48, 32, 8, 1, 2> {
};

/* ---- along x and y ------------------------------------------------------ */

/* How the numbers of a line are stored: steps to the next number, field and
 * plane. Adjacent lines are neighbours in memory. */
template <class Number> struct line_places {
    Number *at;
    size_t step, field, plane;
};

template <class Number> struct pass_args {
    line_places<Number> waves, points;
    size_t lines; /* adjacent ones */
    size_t gap;   /* places of the waves that lines leave out */
    const Number *roots;
};

struct block_barrier {
    __device__ void operator()() const
    {
        __syncthreads();
    }
};

struct warp_barrier {
    __device__ void operator()() const
    {
        __syncwarp();
    }
};

template <int N, class Number>
KOSHU_DEVICE Number *
place_of_wave(Number *line, size_t step, size_t gap, int e)
{
    return line + (e < N / 3 ? (size_t)e : (size_t)e - gap) * step;
}

template <int N>
KOSHU_DEVICE bool
is_wave(int e)
{
    return e < N / 3 || e > N - N / 3;
}

/* A block for each TILE adjacent lines, plane and field. */
template <class Number, class Shape, bool TO_POINTS>
static __global__ void
__launch_bounds__(Shape::THREADS *Shape::TILE, Shape::BLOCKS)
        transform_lines(const __grid_constant__ pass_args<Number> a)
{
    using line_of = line<Shape::A, Shape::B, Shape::THREADS>;
    constexpr int N = line_of::N;
    extern __shared__ __align__(16) char shared[];
    const int l = threadIdx.x % Shape::TILE, t = threadIdx.x / Shape::TILE;
    const size_t side = (size_t)blockIdx.x * Shape::TILE + l;
    const bool mine = side < a.lines;
    Number *const waves = a.waves.at + blockIdx.y * a.waves.plane +
                          blockIdx.z * a.waves.field + side;
    Number *const points = a.points.at + blockIdx.y * a.points.plane +
                           blockIdx.z * a.points.field + side;
    wait_for_previous_kernel();
    line_of::template transform<TO_POINTS ? 1 : -1>(
            t, reinterpret_cast<Number *>(shared) + l, Shape::TILE, a.roots,
            [&](int e) {
                Number x = {};
                if (!mine) return x;
                if (!TO_POINTS)
                    x = points[e * a.points.step];
                else if (is_wave<N>(e))
                    x = *place_of_wave<N>(waves, a.waves.step, a.gap, e);
                return x;
            },
            [&](int e, Number x) {
                if (!mine) return;
                if (TO_POINTS)
                    points[e * a.points.step] = x;
                else if (is_wave<N>(e))
                    *place_of_wave<N>(waves, a.waves.step, a.gap, e) = x;
            },
            block_barrier());
}

/* ---- along z ------------------------------------------------------------ */

/* Joins the waves of two real lines a, b as those of z = a + i b. */
template <int N, class Number>
KOSHU_DEVICE Number
join(const Number *a, const Number *b, int e)
{
    Number x = {}, y = {};
    if (!is_wave<N>(e)) return x;
    const bool low = e < N / 3;
    x = a[low ? e : N - e];
    y = b[low ? e : N - e];
    if (e == 0) return {x.x, y.x};
    return low ? Number{x.x - y.y, x.y + y.x} : Number{x.x + y.y, y.x - x.y};
}

/* The inverse: wave k of both, from z_k and z_-k. */
template <class Number>
KOSHU_DEVICE void
part(Number z, Number w, Number *a, Number *b)
{
    using Real = decltype(z.x);
    const Real half = (Real)0.5;
    *a = {half * (z.x + w.x), half * (z.y - w.y)};
    *b = {half * (z.y + w.y), half * (w.x - z.x)};
}

/* Product p of components a and b (spectral_factors). */
template <class Real>
KOSHU_DEVICE Real
product_of(bool squares, Real a, Real b)
{
    return squares ? (a - b) * (a + b) : a * b;
}

template <class Number, class Shape> struct row_memory {
    static constexpr int A = Shape::A, B = Shape::B, N = A * B;
    static constexpr int EXCHANGED = A * (B + 1) > B *(A + 1) ? A *(B + 1)
                                                              : B *(A + 1);
    Number exchange[EXCHANGED];
    Number points[3][N];
};

template <class Real> struct row_args {
    spectral_view<Real> v;
    const typename spectral_view<Real>::complex_number *to_points, *to_waves;
    unsigned long long *max;
};

/* Computes velocities at the points of two lines. */
template <class Shape, class Real, class Memory>
KOSHU_DEVICE void
make_points(const row_args<Real> &a, size_t plane, size_t pair, Memory &m)
{
    using Number = typename spectral_view<Real>::complex_number;
    using line_of = line<Shape::A, Shape::B, WARP>;
#pragma unroll 1
    for (int f = 0; f < 3; f++) {
        const Number *const one = a.v.in_planes(f, plane, 2 * pair),
                            *const two = one + a.v.row;
        Number *const points = m.points[f];
        line_of::template transform<1>(
                threadIdx.x % WARP, m.exchange, 1, a.to_points,
                [&](int e) { return join<line_of::N>(one, two, e); },
                [&](int n, Number u) { points[n] = u; }, warp_barrier());
    }
}

/* Each thread multiplies the points that it wrote. */
template <class Shape, class Real, class Memory>
KOSHU_DEVICE void
make_products(const row_args<Real> &a, size_t plane, size_t pair, Memory &m)
{
    using Number = typename spectral_view<Real>::complex_number;
    using line_of = line<Shape::B, Shape::A, WARP>;
    constexpr int N = line_of::N;
    const int t = threadIdx.x % WARP;
#pragma unroll 1
    for (int p = 0; p < SPECTRAL_PRODUCTS; p++) {
        const bool squares = p <= SPECTRAL_YY;
        const Number *const u = m.points[p == SPECTRAL_YY || p == SPECTRAL_YZ],
                            *const w = m.points[p == SPECTRAL_XY ? 1 : 2];
        line_of::template transform<-1>(
                t, m.exchange, 1, a.to_waves,
                [&](int n) {
                    const Number x = u[n], y = w[n];
                    return Number{product_of(squares, x.x, y.x),
                                  product_of(squares, x.y, y.y)};
                },
                [&](int k, Number z) { m.exchange[k] = z; }, warp_barrier());
        __syncwarp();
        Number *const one = a.v.in_planes(p, plane, 2 * pair), *const two =
                                                                       one +
                                                                       a.v.row;
        for (int k = t; k < N / 3; k += WARP)
            part(m.exchange[k], m.exchange[k ? N - k : 0], one + k, two + k);
        __syncwarp();
    }
}

/* The largest square and sum of magnitudes (engine.cuh) on two lines. */
template <int N, class Memory>
KOSHU_DEVICE void
probe_points(const Memory &m, unsigned long long *max)
{
    double found[2] = {};
    __syncwarp();
    for (int n = threadIdx.x % WARP; n < 2 * N; n += WARP) {
        double square = 0, sum = 0;
        for (int c = 0; c < 3; c++) {
            const auto z = m.points[c][n / 2];
            const double u = n % 2 ? z.y : z.x;
            square += u * u;
            sum += fabs(u);
        }
        found[0] = fmax(found[0], square);
        found[1] = fmax(found[1], sum);
    }
    for (int c = 0; c < 2; c++) keep_largest(max + c, found[c]);
}

/* A warp for each two lines. */
template <class Real, class Shape, bool PROBE>
static __global__ void
__launch_bounds__(Shape::LINES *WARP)
        transform_rows(const __grid_constant__ row_args<Real> a)
{
    using Number = typename spectral_view<Real>::complex_number;
    using memory = row_memory<Number, Shape>;
    extern __shared__ __align__(16) char shared[];
    memory &m = reinterpret_cast<memory *>(shared)[threadIdx.x / WARP];
    const size_t pair = (size_t)blockIdx.x * Shape::LINES + threadIdx.x / WARP;
    wait_for_previous_kernel();
    if (pair >= memory::N / 2) return;
    make_points<Shape>(a, blockIdx.y, pair, m);
    if (PROBE)
        probe_points<memory::N>(m, a.max);
    else
        make_products<Shape>(a, blockIdx.y, pair, m);
}

/* ---- launches ----------------------------------------------------------- */

/* For kernels whose blocks need much shared memory. */
template <class Args>
static cudaError_t
launch_pass(const koshu_spectral_engine &e, void (*kernel)(const Args),
            dim3 blocks, size_t threads, size_t shared, const Args &a)
{
    KOSHU_CUDA_TRY(cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
    return launch(e.cuda, kernel, blocks, (unsigned)threads, shared, a);
}

template <class Number, class Shape>
static cudaError_t
launch_lines(const koshu_spectral_engine &e, const pass_args<Number> &a,
             dim3 blocks, bool to_points)
{
    using line_of = line<Shape::A, Shape::B, Shape::THREADS>;
    const size_t shared = line_of::EXCHANGED * Shape::TILE * sizeof(Number);
    return launch_pass(e,
                       to_points ? transform_lines<Number, Shape, true>
                                 : transform_lines<Number, Shape, false>,
                       blocks, Shape::THREADS * Shape::TILE, shared, a);
}

template <class Real, int N>
static cudaError_t
transform_x(const koshu_spectral_engine &e, size_t fields, bool to_points)
{
    using Shape = pass_shape<Real, N>;
    using Number = typename spectral_view<Real>::complex_number;
    const koshu_spectral_sizes &s = e.sizes;
    const size_t lines = s.m * s.k;
    const line_places<Number> mixed = {e.mixed.as<Number>(),
                                       SPECTRAL_PRODUCTS * lines, lines, 0};
    const pass_args<Number> a = {mixed, mixed, lines, 0, e.roots.as<Number>()};
    const dim3 blocks((unsigned)blocks_for(lines, (size_t)Shape::TILE), 1,
                      (unsigned)fields);
    return launch_lines<Number, Shape>(e, a, blocks, to_points);
}

template <class Real, int N>
static cudaError_t
transform_y(const koshu_spectral_engine &e, size_t first, size_t fields,
            bool to_points)
{
    using Shape = pass_shape<Real, N>;
    using Number = typename spectral_view<Real>::complex_number;
    const koshu_spectral_sizes &s = e.sizes;
    const size_t waves = s.m * s.k, plane = s.mesh * s.k;
    const pass_args<Number> a = {
            {e.mixed.as<Number>() + first * SPECTRAL_PRODUCTS * waves, s.k,
             waves, SPECTRAL_PRODUCTS * waves},
            {e.planes.as<Number>(), s.k, e.chunk * plane, plane},
            s.k,
            s.mesh - s.m,
            e.roots.as<Number>()};
    const dim3 blocks((unsigned)blocks_for(s.k, (size_t)Shape::TILE),
                      (unsigned)planes_of(e, first), (unsigned)fields);
    return launch_lines<Number, Shape>(e, a, blocks, to_points);
}

template <class Real, int N>
static cudaError_t
transform_z(const koshu_spectral_engine &e, size_t first,
            unsigned long long *max)
{
    using Shape = pass_shape<Real, N>;
    using Number = typename spectral_view<Real>::complex_number;
    const Number *const roots = e.roots.as<Number>();
    const row_args<Real> a = {view_of<Real>(e), roots, roots + N, max};
    const dim3 blocks((unsigned)blocks_for(N / 2, Shape::LINES),
                      (unsigned)planes_of(e, first));
    return launch_pass(e,
                       max ? transform_rows<Real, Shape, true>
                           : transform_rows<Real, Shape, false>,
                       blocks, Shape::LINES * WARP,
                       Shape::LINES * sizeof(row_memory<Number, Shape>), a);
}

/* ---- roots -------------------------------------------------------------- */

/* For line<A, B> and for line<B, A>. */
template <class Number>
static void
fill_roots(Number *roots, int a, int b)
{
    using Real = decltype(roots->x);
    const double turn = 6.28318530717958647692 / (a * b);
    for (int c = 0; c < a; c++)
        for (int j = 0; j < b; j++)
            roots[c * b + j] = {(Real)cos(turn * (c * j)),
                                (Real)sin(turn * (c * j))};
}

template <class Real, int N>
static void
make_roots(void *roots)
{
    using Shape = pass_shape<Real, N>;
    using Number = typename spectral_view<Real>::complex_number;
    Number *const numbers = static_cast<Number *>(roots);
    fill_roots(numbers, Shape::A, Shape::B);
    fill_roots(numbers + N, Shape::B, Shape::A);
}

template <class Real, int N>
constexpr spectral_passes passes_of = {
        transform_x<Real, N>, transform_y<Real, N>, transform_z<Real, N>,
        make_roots<Real, N>};

} /* namespace koshu */

#endif
