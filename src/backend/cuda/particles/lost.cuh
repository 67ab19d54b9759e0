/* SPDX-License-Identifier: MIT */
/*
 * j-particles whose position or mass is not finite, or whose squared distance
 * overflows. Kernels leave a pair out by 1 / r = 0, which does not suffice if
 * the distance is NaN. So on the device massless particles replace them, and
 * their terms are added here, by the definition in double precision, to all
 * i-particles that do not leave them out. Normally there are none, and they are
 * not searched for: distant ones are seen in the extent, which is computed
 * anyway, and NaN in the results.
 */
#ifndef KOSHU_BACKEND_CUDA_PARTICLES_LOST_CUH
#define KOSHU_BACKEND_CUDA_PARTICLES_LOST_CUH

#include <cmath>
#include <cstdlib>

#include "backend/cuda/particles/box.cuh"

namespace koshu {

constexpr double max_coordinate = 1e150;

inline bool
is_within(const box &b)
{
    for (const extremes &e : b.of)
        if (e.low < -max_coordinate || e.high > max_coordinate) return false;
    return true;
}

inline bool
is_lost(const koshu_force_sources &j, size_t k)
{
    return !(fabs(j.x[k]) <= max_coordinate && fabs(j.y[k]) <= max_coordinate &&
             fabs(j.z[k]) <= max_coordinate && std::isfinite(j.mass[k]));
}

inline bool
any_lost(const koshu_force_sources &j)
{
    for (size_t k = 0; k < j.n; k++)
        if (is_lost(j, k)) return true;
    return false;
}

/* Is the first sum of any set not finite? If a j-particle of the set is not
 * finite, all sums of the set are so. */
inline bool
any_set_is_lost(const koshu_force_batch &b)
{
    const koshu_force_sums &r = b.result;
    for (size_t s = 0; s < b.n_sets; s++) {
        const size_t i = b.i_offset[s];
        if (i < b.i_offset[s + 1] &&
            !std::isfinite(r.ax[i] + r.ay[i] + r.az[i]))
            return true;
    }
    return false;
}

struct lost_particles {
    size_t n = 0;
    size_t *index = nullptr;
    double *memory = nullptr; /* x, y, z, mass of all, with lost ones
                               * replaced */
    koshu_force_sources rest;

    lost_particles() = default;
    lost_particles(const lost_particles &) = delete;
    ~lost_particles()
    {
        free(index);
        free(memory);
    }

    /* Returns false if there is no memory. */
    bool take_from(const koshu_force_sources &j)
    {
        const double *const from[4] = {j.x, j.y, j.z, j.mass};
        index = static_cast<size_t *>(malloc(j.n * sizeof *index));
        memory = static_cast<double *>(malloc(4 * j.n * sizeof *memory));
        if (!index || !memory) return false;
        for (size_t k = 0; k < j.n; k++)
            if (is_lost(j, k)) index[n++] = k;
        for (int c = 0; c < 4; c++)
            for (size_t k = 0; k < j.n; k++) memory[c * j.n + k] = from[c][k];
        for (size_t k = 0; k < n; k++) memory[3 * j.n + index[k]] = 0;
        rest = {j.n, memory, memory + j.n, memory + 2 * j.n, memory + 3 * j.n};
        return true;
    }

    /* Puts the massless ones beyond the others on each axis. */
    void put_at(const double place[3])
    {
        for (int c = 0; c < 3; c++)
            for (size_t k = 0; k < n; k++)
                memory[c * rest.n + index[k]] = place[c];
    }
};

/* Adds the terms of the lost j-particle k to the i-particles first ... end -
 * 1. */
inline void
add_lost(const koshu_force_batch &b, double eps, size_t k, size_t first,
         size_t end, size_t j_first)
{
    const koshu_force_sums &r = b.result;
    for (size_t i = first; i < end; i++) {
        if (b.i.self && b.i.self[i] == k - j_first) continue;
        const double dx = b.j.x[k] - b.i.x[i], dy = b.j.y[k] - b.i.y[i],
                     dz = b.j.z[k] - b.i.z[i];
        const double r2 = gravity_r2_f64(dx, dy, dz, eps * eps);
        gravity_sum_f64 sum = {0, 0, 0, 0};
        if (dx == 0 && dy == 0 && dz == 0)
            sum.mr = eps > 0 ? b.j.mass[k] / eps : 0;
        else if (r2 != 0)
            gravity_add_f64(&sum, dx, dy, dz, b.j.mass[k], 1 / sqrt(r2));
        r.ax[i] += sum.ax;
        r.ay[i] += sum.ay;
        r.az[i] += sum.az;
        if (r.potential) r.potential[i] -= sum.mr;
    }
}

/* Adds them to the results of a batch that was summed without them. */
inline void
add_all_lost(const koshu_force_batch &b, double eps, const lost_particles &lost)
{
    size_t s = 0;
    for (size_t at = 0; at < lost.n; at++) {
        const size_t k = lost.index[at];
        while (k >= b.j_offset[s + 1]) s++;
        add_lost(b, eps, k, b.i_offset[s], b.i_offset[s + 1], b.j_offset[s]);
    }
}

} /* namespace koshu */

#endif
