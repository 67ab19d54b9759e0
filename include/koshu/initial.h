/* SPDX-License-Identifier: MIT */
/*
 * Initial models.
 *
 * Equal masses that sum to 1, centre of mass and total momentum zero, ids
 * 0 ... n-1. Random numbers are counter based (Random123, Philox 4x32-10):
 * those of particle i depend on the seed and on i alone, so that the same
 * seed gives the same particles on any number of threads or ranks, and more
 * particles begin with the same ones (but for centring and virial scaling).
 *
 * docs/initial-models.md has the formulas and their sources;
 * tests/unit/initial holds each model to its density and distribution
 * function, by the statistic of Kolmogorov and Smirnov.
 *
 * Threads: a context, and the particles made with it, are used by one thread at
 * a time. _name() and _summary(): any thread.
 */
#ifndef KOSHU_INITIAL_H
#define KOSHU_INITIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/particles.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum koshu_model {
    /* Aarseth, Hénon & Wielen 1974. Scale length a = 3 pi / 16: virial radius
     * 1, E = -1/4 (Hénon units). Cut at the radius that holds the fraction
     * `mass_fraction` of the mass; what is left keeps its velocities, and has
     * the mass 1. */
    KOSHU_MODEL_PLUMMER,
    /* Uniform density inside radius 1. Velocities uniform in a ball whose
     * radius gives these particles T = `virial_ratio` |W|; 0: cold collapse. W
     * is theirs up to n = 32768, above it (1 - 1/n) times the continuous
     * -3/5, within 0.2 % of theirs. */
    KOSHU_MODEL_SPHERE,
    /* Uniform density in the cube |x|,|y|,|z| <= 1/2; velocities as SPHERE,
     * continuous W = -0.941156. */
    KOSHU_MODEL_CUBE,
    /* King 1966 with central potential `king_w0`, in Hénon units. */
    KOSHU_MODEL_KING,
    /* Hernquist 1990, isotropic, scale length 1; cut as PLUMMER. */
    KOSHU_MODEL_HERNQUIST,
    /* n = 2: masses 1/2 each, or 1 - q and q with q = `two_body_mass`,
     * semi-major axis 1, `eccentricity`, starting at apocentre on the x axis,
     * orbit in the xy plane; period 2 pi. */
    KOSHU_MODEL_TWO_BODY
};

struct koshu_initial_options {
    size_t size; /* of this struct */
    enum koshu_model model;
    size_t n;
    uint64_t seed;
    double mass_fraction; /* plummer, hernquist: in (0, 1]; 0.999 */
    double virial_ratio;  /* sphere, cube: Q = T/|W| >= 0; 0 */
    double king_w0;       /* king: in [0.5, 15]; 6 */
    double eccentricity;  /* two-body: in [0, 1); 0.9 */
    double two_body_mass; /* two-body: q in (0, 1); 0.5 */
    /* Rescale positions and velocities so that, with these particles and
     * softening 0, T = 1/4 and W = -1/2 exactly (Hénon units; O(n^2) work).
     * Sphere and cube need virial_ratio = 1/2 with it, every model n >= 2;
     * not for two-body. */
    bool exact_virial;
};

/* Plummer, n = 16384, seed 1, the defaults above, exact_virial false. */
KOSHU_DECLARE_DEFAULT(koshu_initial_options)

/* "plummer", "sphere", "cube", "king", "hernquist", "two-body"; NULL past the
 * last: count up from 0 to list. */
KOSHU_API const char *koshu_model_name(enum koshu_model value);

/* What it is and its source, in one line; NULL past the last. */
KOSHU_API const char *koshu_model_summary(enum koshu_model model);

/*
 * Finds the value of a name; context may be NULL.
 * Status: KOSHU_ERROR_NOT_FOUND: no value has the name, the message lists them;
 * KOSHU_ERROR_INVALID_ARGUMENT: name or value is NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_model_find(struct koshu_context *context, const char *name,
                 enum koshu_model *value);

/*
 * Makes the particles of a model, n on all ranks together; collective.
 * Units: G = 1, and those of the model, see enum koshu_model.
 * Ownership: the caller destroys *particles, before the context; options are
 * copied.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: n = 0, n other than 2 for two-body, an
 * option of the model out of its range (those of other models are ignored), a
 * pointer is NULL (options may be); KOSHU_ERROR_UNSUPPORTED: an option of a
 * later koshu; KOSHU_ERROR_OUT_OF_MEMORY; where W is summed over pairs
 * (exact_virial, a virial_ratio > 0), what koshu_force_direct() returns.
 * Source: of each model, see enum koshu_model.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_initial_create(struct koshu_context *context,
                     const struct koshu_initial_options *options,
                     struct koshu_particles **particles);

#ifdef __cplusplus
}
#endif

#endif
