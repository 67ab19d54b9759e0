/* SPDX-License-Identifier: MIT */
/* The leapfrog of the logarithmic Hamiltonian (Mikkola & Tanikawa 1999). */
#include "fewbody/motion_f64.h"

void
koshu_chain_slowed(const struct koshu_chain *chain, const double *v, double *w)
{
    motion_slowed_f64(chain, chain->n, v, w);
}

MOTION void
leapfrog(const struct koshu_chain *c, size_t n, double s, unsigned steps,
         struct koshu_increment *increment)
{
    const size_t size = 6 * (n - 1) + 2;
    const double h = s / steps;
    struct motion_motion_f64 m;
    m.chain = c;
    for (size_t k = 0; k < size; k++)
        m.added[k] = (struct motion_sum_f64){0, 0};
    koshu_chain_values(c, m.x, m.v);
    motion_drift_f64(&m, n, h / 2);
    for (unsigned k = 0; k < steps; k++) {
        motion_kick_f64(&m, n, h);
        motion_drift_f64(&m, n, k + 1 < steps ? h : h / 2);
    }
    for (size_t k = 0; k < size; k++) {
        increment->sum[k] = m.added[k].sum;
        increment->rest[k] = m.added[k].rest;
    }
}

void
koshu_chain_leapfrog(const struct koshu_chain *chain, double s, unsigned n,
                     struct koshu_increment *increment)
{
    switch (chain->n) {
    case 2: leapfrog(chain, 2, s, n, increment); break;
    case 3: leapfrog(chain, 3, s, n, increment); break;
    default: leapfrog(chain, chain->n, s, n, increment);
    }
}
