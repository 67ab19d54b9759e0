/* SPDX-License-Identifier: MIT */
/* Passes over columns: transforms along x, projection, and the time scheme. */
#include "backend/cuda/spectral/engine.cuh"

namespace koshu {

template <class Real> struct stage_args {
    spectral_view<Real> v;
    double per_cell, dt, gain, edge2;
};

/* The factors of a wave. */
template <class Real> struct wave_factors {
    Real k[3], scale, decay; /* scale: of rates over k^2; 0 for k = 0 */
};

template <class Real>
KOSHU_DEVICE wave_factors<Real>
factors_of(const stage_args<Real> &a, size_t i, size_t j, size_t l)
{
    const spectral_view<Real> &v = a.v;
    const double x = v.frequency(i), y = v.frequency(j), z = v.frequency(l);
    const double k2 = x * x + y * y + z * z;
    double e = v.decay[i] * v.decay[j] * v.decay[l];
    if (k2 > 0 && k2 <= a.edge2) e *= a.gain;
    return {{(Real)x, (Real)y, (Real)z},
            (Real)(k2 > 0 ? a.per_cell / k2 : 0),
            (Real)e};
}

/* -i k . T for products T (engine.cuh), one row of the tensor. */
template <class Real, class Number>
KOSHU_DEVICE Number
divergence(const wave_factors<Real> &w, Number x, Number y, Number z)
{
    return {w.k[0] * x.y + (w.k[1] * y.y + w.k[2] * z.y),
            -(w.k[0] * x.x + (w.k[1] * y.x + w.k[2] * z.x))};
}

template <class Real, class Number>
KOSHU_DEVICE void
find_rate(const wave_factors<Real> &w, const Number (&t)[SPECTRAL_PRODUCTS],
          Real (&f)[2][3])
{
    const Number none = {};
    const Number rate[3] = {
            divergence(w, t[SPECTRAL_XX], t[SPECTRAL_XY], t[SPECTRAL_XZ]),
            divergence(w, t[SPECTRAL_XY], t[SPECTRAL_YY], t[SPECTRAL_YZ]),
            divergence(w, t[SPECTRAL_XZ], t[SPECTRAL_YZ], none)};
    for (int c = 0; c < 3; c++) {
        f[0][c] = rate[c].x;
        f[1][c] = rate[c].y;
    }
}

/* Removes the divergence of the three components, real or imaginary parts. */
template <class Real>
KOSHU_DEVICE void
project(const wave_factors<Real> &w, Real (&f)[3])
{
    const Real a = w.k[0], b = w.k[1], c = w.k[2],
               p = a * f[0] + b * f[1] + c * f[2], k2 = a * a + b * b + c * c;
    f[0] = w.scale * (k2 * f[0] - a * p);
    f[1] = w.scale * (k2 * f[1] - b * p);
    f[2] = w.scale * (k2 * f[2] - c * p);
}

/* The same as advance() of fields/spectral_body.h. */
template <class Real, spectral_stage STAGE>
KOSHU_DEVICE void
advance(Real dt, Real e, Real *f, Real *u, Real *sum)
{
    const Real half = dt / 2, third = dt / 3, sixth = dt / 6;
    if constexpr (STAGE == SPECTRAL_FIRST) {
        *sum = e * e * (*u + sixth * *f);
        *f = e * (*u + half * *f);
    } else if constexpr (STAGE == SPECTRAL_SECOND) {
        *sum += third * e * *f;
        *f = e * *u + half * *f;
    } else if constexpr (STAGE == SPECTRAL_THIRD) {
        *sum += third * e * *f;
        *f = e * (e * *u + dt * *f);
    } else if constexpr (STAGE == SPECTRAL_FOURTH) {
        *f = *u = *sum + sixth * *f;
    } else {
        *f = *u;
    }
}

/* The arrays that a stage reads and writes. */
template <spectral_stage STAGE> struct stage_access {
    static constexpr bool reads_rate = STAGE <= SPECTRAL_FOURTH;
    static constexpr bool reads_state = STAGE != SPECTRAL_FOURTH;
    static constexpr bool writes_state = STAGE == SPECTRAL_FOURTH;
    static constexpr bool reads_sum =
            STAGE != SPECTRAL_FIRST && STAGE <= SPECTRAL_FOURTH;
    static constexpr bool writes_sum = STAGE < SPECTRAL_FOURTH;
};

/* A block for each i and j, its threads along l. */
template <class Real, spectral_stage STAGE>
static __global__ void
__launch_bounds__(SPECTRAL_THREADS)
        make_stage(const __grid_constant__ stage_args<Real> a)
{
    using number = typename spectral_view<Real>::complex_number;
    using access = stage_access<STAGE>;
    wait_for_previous_kernel();
    const spectral_view<Real> &v = a.v;
    const size_t i = blockIdx.x, j = blockIdx.y, x = v.place(i);
    for (size_t l = threadIdx.x; l < v.k; l += blockDim.x) {
        const wave_factors<Real> w = factors_of(a, i, j, l);
        Real f[2][3] = {};
        if (access::reads_rate) {
            number t[SPECTRAL_PRODUCTS];
            for (int p = 0; p < SPECTRAL_PRODUCTS; p++)
                t[p] = v.in_mixed(x, p, j)[l];
            find_rate(w, t, f);
            project(w, f[0]);
            project(w, f[1]);
        }
        for (int c = 0; c < 3; c++) {
            number *const at = v.in_state(c, i, j) + l;
            number *const sum_at = v.sum + (at - v.state);
            number u = {}, sum = {};
            if (access::reads_state) u = *at;
            if (access::reads_sum) sum = *sum_at;
            advance<Real, STAGE>((Real)a.dt, w.decay, &f[0][c], &u.x, &sum.x);
            advance<Real, STAGE>((Real)a.dt, w.decay, &f[1][c], &u.y, &sum.y);
            if (access::writes_state) *at = u;
            if (access::writes_sum) *sum_at = sum;
            if (STAGE != SPECTRAL_CURL)
                v.in_mixed(x, c, j)[l] = {f[0][c], f[1][c]};
        }
        if (STAGE == SPECTRAL_CURL)
            for (int c = 0; c < 3; c++) {
                const int p = (c + 1) % 3, q = (c + 2) % 3;
                v.in_mixed(x, c,
                           j)[l] = {-(w.k[p] * f[1][q] - w.k[q] * f[1][p]),
                                    w.k[p] * f[0][q] - w.k[q] * f[0][p]};
            }
    }
}

template <class Real, spectral_stage STAGE>
static cudaError_t
launch_stage(const koshu_spectral_engine &e, const stage_args<Real> &a)
{
    const size_t warps = blocks_for(e.sizes.k, (size_t)WARP);
    const unsigned threads =
            (unsigned)std::min(warps * WARP, (size_t)SPECTRAL_THREADS);
    return launch(e.cuda, make_stage<Real, STAGE>,
                  dim3((unsigned)e.sizes.m, (unsigned)e.sizes.m), threads, 0,
                  a);
}

template <class Real>
static cudaError_t
do_stage(const koshu_spectral_engine &e, spectral_stage stage,
         const koshu_spectral_factors &f)
{
    const double mesh = (double)e.sizes.mesh;
    const stage_args<Real> a = {view_of<Real>(e), 1 / (mesh * mesh * mesh),
                                f.dt, f.gain,
                                f.gain == 1 ? 0 : f.edge * f.edge};
    switch (stage) {
    case SPECTRAL_FIRST: return launch_stage<Real, SPECTRAL_FIRST>(e, a);
    case SPECTRAL_SECOND: return launch_stage<Real, SPECTRAL_SECOND>(e, a);
    case SPECTRAL_THIRD: return launch_stage<Real, SPECTRAL_THIRD>(e, a);
    case SPECTRAL_FOURTH: return launch_stage<Real, SPECTRAL_FOURTH>(e, a);
    case SPECTRAL_CURL: return launch_stage<Real, SPECTRAL_CURL>(e, a);
    default: return launch_stage<Real, SPECTRAL_PREPARE>(e, a);
    }
}

/* Clears the waves that the mesh has but the state has not. koshu's own passes
 * take them as zero without reading them. */
static cudaError_t
clear_rest(const koshu_spectral_engine &e)
{
    const koshu_spectral_sizes &s = e.sizes;
    if (e.passes) return cudaSuccess;
    const size_t plane = SPECTRAL_PRODUCTS * s.m * s.k * number_bytes(e);
    return cudaMemsetAsync(e.mixed.as<char>() + s.k * plane, 0,
                           (s.mesh - s.m) * plane, e.cuda->stream);
}

static koshu_status
transform_fields(const koshu_spectral_engine &e, size_t n, bool forward)
{
    const size_t field = e.sizes.m * e.sizes.k * number_bytes(e);
    if (e.passes)
        return status_of(e.cuda, e.passes->x(e, n, !forward),
                         "transforms of a spectral method");
    for (size_t f = 0; f < n; f++)
        KOSHU_TRY(koshu_cufft_transform(e.cufft, PLAN_COLUMNS, forward,
                                        e.mixed.as<char>() + f * field));
    return KOSHU_OK;
}

koshu_status
spectral_columns(const koshu_spectral_engine &e, spectral_stage stage,
                 const koshu_spectral_factors &factors)
{
    const char *const doing = "a step of a spectral method";
    if (stage <= SPECTRAL_FOURTH)
        KOSHU_TRY(transform_fields(e, SPECTRAL_PRODUCTS, true));
    KOSHU_TRY(status_of(e.cuda, clear_rest(e), doing));
    KOSHU_TRY(status_of(e.cuda,
                        KOSHU_SPECTRAL_CALL(e, do_stage, e, stage, factors),
                        doing));
    return transform_fields(e, 3, false);
}

} /* namespace koshu */
