/* SPDX-License-Identifier: MIT */
/*
 * The pseudo-spectral solver of fields/spectral.h, for backends that run all of
 * it in their own memory: waves, products, and the scheme's steps.
 */
#ifndef KOSHU_BACKEND_SPECTRAL_H
#define KOSHU_BACKEND_SPECTRAL_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/status.h>

struct koshu_backend;
struct koshu_spectral_engine;

/* Numbers of waves and points, as in fields/spectral_work.h. */
struct koshu_spectral_sizes {
    size_t k, m, mesh;
    double unit; /* of wave numbers: 2 pi / box */
    bool in_double;
    size_t planes; /* processed at a time, at most; 0: the backend's choice */
};

/* Factors of one step: decay[] of each k_x or k_y over half a step (m numbers),
 * and the gain by forcing of waves with |k| up to `edge`; 1: no forcing. */
struct koshu_spectral_factors {
    double dt;
    const double *decay;
    double gain, edge;
};

struct koshu_spectral_ops {
    /* Status: KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_EXTERNAL (the FFT library
     * is missing, or fails). */
    koshu_status (*create)(struct koshu_backend *backend,
                           const struct koshu_spectral_sizes *sizes,
                           struct koshu_spectral_engine **engine);
    /* NULL is allowed. */
    void (*destroy)(struct koshu_spectral_engine *engine);

    /* Copies the state, 3 m^2 k complex numbers on the host in the engine's
     * precision (in slabs: fields/spectral_work.h), to the engine and from
     * it. */
    koshu_status (*set)(struct koshu_spectral_engine *engine,
                        const void *state);
    koshu_status (*get)(const struct koshu_spectral_engine *engine,
                        void *state);

    /* Makes one step of the scheme. *probe: a number of the resulting state,
     * which is not finite if one of the products was not. */
    koshu_status (*step)(struct koshu_spectral_engine *engine,
                         const struct koshu_spectral_factors *factors,
                         double *probe);
    /* Makes the waves with k_z = 0 those of a real field. */
    koshu_status (*make_real)(struct koshu_spectral_engine *engine);

    /* For each slab: energy, enstrophy, helicity, and the energy of waves with
     * |k| up to `edge`; m rows. */
    koshu_status (*sums)(const struct koshu_spectral_engine *engine,
                         double edge, double (*row)[6]);
    /* Maxima over all points of the mesh: u^2, omega^2, and |u_x| + |u_y| +
     * |u_z|. */
    koshu_status (*maxima)(struct koshu_spectral_engine *engine, double max[3]);
};

#endif
