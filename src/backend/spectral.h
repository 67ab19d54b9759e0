/* SPDX-License-Identifier: MIT */
/*
 * The pseudo-spectral solver of fields/spectral.h where a backend has all of
 * it in its own memory: waves, products, and the scheme's steps.
 */
#ifndef KOSHU_BACKEND_SPECTRAL_H
#define KOSHU_BACKEND_SPECTRAL_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/status.h>

struct koshu_backend;
struct koshu_spectral_engine;

/* Waves and points, as fields/spectral_work.h has them. */
struct koshu_spectral_sizes {
    size_t k, m, mesh;
    double unit; /* of wave numbers: 2 pi / box */
    bool in_double;
    size_t planes; /* at work at once, at most; 0: as the backend likes */
};

/* A step: the decay of each k_x or k_y in half of it, m numbers, and what
 * forcing makes of waves with |k| up to `edge` meanwhile; 1: nothing. */
struct koshu_spectral_factors {
    double dt;
    const double *decay;
    double gain, edge;
};

struct koshu_spectral_ops {
    /* KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_EXTERNAL: the library of
     * transforms is not there, or fails. */
    koshu_status (*create)(struct koshu_backend *backend,
                           const struct koshu_spectral_sizes *sizes,
                           struct koshu_spectral_engine **engine);
    /* NULL is allowed. */
    void (*destroy)(struct koshu_spectral_engine *engine);

    /* The state, 3 m^2 k complex numbers of the host in the engine's precision
     * (in slabs: fields/spectral_work.h), to it, and from it. */
    koshu_status (*set)(struct koshu_spectral_engine *engine,
                        const void *state);
    koshu_status (*get)(const struct koshu_spectral_engine *engine,
                        void *state);

    /* A step of the scheme. *probe: a number of the state afterwards, which is
     * not finite where one of the products was not. */
    koshu_status (*step)(struct koshu_spectral_engine *engine,
                         const struct koshu_spectral_factors *factors,
                         double *probe);
    /* Waves of k_z = 0 are made those of a real field. */
    koshu_status (*make_real)(struct koshu_spectral_engine *engine);

    /* Of each slab energy, enstrophy, helicity, and the energy of waves with
     * |k| up to `edge`: m rows. */
    koshu_status (*sums)(const struct koshu_spectral_engine *engine,
                         double edge, double (*row)[6]);
    /* Over all points of the mesh: u^2, omega^2, and |u_x| + |u_y| + |u_z|. */
    koshu_status (*maxima)(struct koshu_spectral_engine *engine, double max[3]);
};

#endif
