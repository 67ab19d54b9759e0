/* SPDX-License-Identifier: MIT */
/* Multipoles of dipoles, a warp for each leaf: sums of the three components
 * times harmonics up to one degree less, then their derivatives. */
#include "backend/cuda/fmm/derivatives.cuh"

namespace koshu {

enum { DIPOLE_WARPS = 4 };

struct dipole_args {
    fmm_view view;
    koshu_expansion e;
    const double *dipole[3];
};

/* Adds a leaf's particles, one in each lane, to the sums at d[c * terms]. */
template <class Real>
KOSHU_DEVICE void
add_to_sums(const koshu_expansion &e, const particle_in_cell<Real> &at,
            const Real (&p)[3], bool first, Real *d)
{
    const int terms = EXPANSION_TERMS(e.p);
    for_each_harmonic(e, at, (Real)1, [=](int n, int m, Real even, Real odd) {
        const unsigned lane = threadIdx.x % WARP;
        const int k = EXPANSION_AT(n, lane == 0 ? m : -m);
        const bool writes = lane == 0 || (lane == WARP / 2 && m > 0);
        for (int c = 0; c < 3; c++) {
            const Real sum = sum_both(p[c] * even, p[c] * odd);
            Real *const to = d + c * terms + k;
            if (writes) *to = first ? sum : *to + sum;
        }
    });
}

template <class Real>
KOSHU_DEVICE void
sum_dipoles(const dipole_args &a, const tree_cell &leaf, const fmm_place &at,
            Real *d)
{
    const double unit = a.view.per_mass * inverse_of_power(length_of(at));
    koshu_expansion e = a.e;
    e.p--;
    for (uint32_t j = 0; j == 0 || j < leaf.n; j += WARP) {
        const uint32_t k = j + threadIdx.x % WARP;
        Real p[3] = {0, 0, 0};
        for (int c = 0; c < 3 && k < leaf.n; c++)
            p[c] = (Real)(a.dipole[c][leaf.first + k] * unit);
        add_to_sums(e, particle_of_leaf<Real>(a.view, leaf, at, k), p, j == 0,
                    d);
    }
    __syncwarp();
}

template <class Real>
static __global__ void
__launch_bounds__(WARP *DIPOLE_WARPS)
        p2m_dipoles(const __grid_constant__ dipole_args a)
{
    extern __shared__ __align__(16) char memory[];
    wait_for_previous_kernel();
    const unsigned warp = threadIdx.x / WARP;
    const size_t k = (size_t)blockIdx.x * DIPOLE_WARPS + warp;
    if (k >= a.view.n_cells) return;
    const tree_cell cell = a.view.source[k];
    if (cell.children > 0) return;
    const int terms = EXPANSION_TERMS(a.e.p - 1);
    Real *const d = reinterpret_cast<Real *>(memory) + 3 * terms * warp;
    Real *const row = row_of<Real>(a.view.multipole, a.view, k);
    sum_dipoles(a, cell, a.view.place[k], d);
    for (int t = 1 + (int)(threadIdx.x % WARP); t < EXPANSION_TERMS(a.e.p);
         t += WARP) {
        const int n = degree_of(t);
        row[t] += dipole_term(a.e, d, terms, n, t - n * n - n);
    }
}

template <class Real>
static cudaError_t
launch_dipoles(const fmm_step &s)
{
    const dipole_args args = {
            s.view, s.fmm->on_device, {s.dipole[0], s.dipole[1], s.dipole[2]}};
    const size_t terms = EXPANSION_TERMS(args.e.p - 1);
    return launch(
            s.cuda, p2m_dipoles<Real>,
            (unsigned)blocks_for((size_t)s.view.n_cells, (size_t)DIPOLE_WARPS),
            WARP * DIPOLE_WARPS, 3 * terms * sizeof(Real) * DIPOLE_WARPS, args);
}

cudaError_t
expand_leaves(const fmm_step &s)
{
    KOSHU_CUDA_TRY(s.operators.p2m(s));
    if (!s.dipole[0]) return cudaSuccess;
    return s.real == sizeof(double) ? launch_dipoles<double>(s)
                                    : launch_dipoles<float>(s);
}

} /* namespace koshu */
