/* SPDX-License-Identifier: MIT */
/*
 * The kernels printed by Miki et al. 2013, for comparison with koshu's own:
 * softened accelerations of all particles, in single precision,
 *
 *     a_i = sum_j m_j (x_j - x_i) (|x_j - x_i|^2 + eps^2)^(-3/2)
 *
 * with one thread for each i-particle. j-particles are loaded into shared
 * memory, as many at a time as a block has threads. The arrays are padded with
 * massless particles, so that kernels need no bounds check.
 */
#ifndef KOSHU_BENCH_LISTINGS_H
#define KOSHU_BENCH_LISTINGS_H

#include <koshu/particles.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kernels of section 2. They differ in when eps^2 is added (Listing 1)
 * and in whether the load of the next j-particles waits for the sums
 * (Listing 2). */
enum listing {
    LISTING_NYLAND, /* Nyland et al. 2007: eps^2 last, 256 threads */
    LISTING_MIKI12, /* Miki et al. 2012: eps^2 first */
    LISTING_MIKI13, /* Miki et al. 2013 (Listing 3): loads ahead, 512 threads */
    LISTINGS
};

/* The particles and sums of a kernel on a device. */
struct listing_sums;

/* Copies positions and masses to the device. The context must have the backend
 * cuda. The caller closes it, whatever the status. Failures of CUDA:
 * KOSHU_ERROR_OUT_OF_MEMORY or KOSHU_ERROR_DEVICE. */
koshu_status listing_open(struct koshu_context *context, enum listing which,
                          const struct koshu_particle_const_view *particles,
                          double eps2, struct listing_sums **sums);
/* NULL is allowed. */
void listing_close(struct listing_sums *sums);

/* once() and wait() of struct bench_work: enqueue the sums, and wait for
 * them. */
koshu_status listing_once(void *sums);
koshu_status listing_wait(void *sums);

/* The sums in the order of the particles, n each. */
koshu_status
listing_read(struct listing_sums *sums, double *ax, double *ay, double *az);

#ifdef __cplusplus
}
#endif

#endif
