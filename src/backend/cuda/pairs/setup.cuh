/* SPDX-License-Identifier: MIT */
/* What the arguments of kernels are made from. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_SETUP_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_SETUP_CUH

#include "backend/cuda/pairs/forces.cuh"

namespace koshu {

/* 1 / eps^3 must not overflow: below this, in packed units, coincident pairs
 * are tested for. */
template <class P>
constexpr double zero_distance_safe_below = in_float<P> ? 1e-12 : 1e-100;

template <class P>
static bool
zero_distance_safe(const force_setup &setup)
{
    return setup.eps / setup.u.length < zero_distance_safe_below<P>;
}

template <class P>
static softening<P>
softening_of(const force_setup &setup)
{
    using real = typename P::real;
    double eps = setup.eps / setup.u.length;
    return {(real)(eps * eps), (real)(eps > 0 ? 1 / eps : 0)};
}

template <class P>
static force_out
out_of(const force_setup &setup, const progress &noted)
{
    const units &u = setup.u;
    force_out out = setup.out;
    out.progress = noted;
    out.a_unit = u.mass / (u.length * u.length) * P::a_factor;
    out.potential_unit = -u.mass / u.length;
    if (!setup.potential) out.potential = nullptr;
    return out;
}

} /* namespace koshu */

#endif
