/* SPDX-License-Identifier: MIT */
/*
 * Initial models.
 *
 * Masses sum to 1 and are equal unless there is a mass function; centre of mass
 * and total momentum are zero; ids are 0 ... n-1. Random numbers are counter
 * based (Random123, Philox 4x32-10): those of particle i depend only on the
 * seed and i, so that the same seed gives the same particles on any number of
 * threads or ranks, and a larger model begins with the same particles.
 * (Exceptions depend on all particles: centring and virial scaling, masses,
 * which are fractions of their sum, binaries, mass segregation, fractals and
 * galaxies.)
 *
 * A mass function, mass segregation and primordial binaries can be combined
 * with every model with a free number n of particles: see struct
 * koshu_initial_options.
 *
 * docs/initial-models.md has the formulas and their sources; tests/unit/initial
 * checks each model against its density and distribution function with
 * Kolmogorov-Smirnov tests.
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
     * 1, E = -1/4 (Hénon units). Cut at the radius that encloses the fraction
     * `mass_fraction` of the mass; the rest is rescaled to mass 1, with
     * unchanged velocities. */
    KOSHU_MODEL_PLUMMER,
    /* Uniform density inside radius 1. Velocities uniform in a ball whose
     * radius gives these particles T = `virial_ratio` |W|; 0: cold collapse. W
     * is computed from the particles up to n = 32768; above, it is (1 - 1/n)
     * times the continuous -3/5, within 0.2 % of theirs. */
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
    KOSHU_MODEL_TWO_BODY,
    /* Dehnen 1993, MNRAS 265, 250: rho ~ r^-gamma (1 + r)^(gamma - 4), gamma =
     * `dehnen_gamma`; isotropic, scale length 1; cut as PLUMMER. */
    KOSHU_MODEL_DEHNEN,
    /* Navarro, Frenk & White 1996: rho ~ 1 / (r (1 + r)^2) sech(r / c), c =
     * `concentration`, so that the total mass is finite (McMillan & Dehnen
     * 2007, MNRAS 378, 541); isotropic, scale length 1. */
    KOSHU_MODEL_NFW,
    /* Elson, Fall & Freeman 1987, ApJ 323, 54: rho ~ (1 + r^2)^(-(gamma + 1) /
     * 2), with surface density ~ r^-gamma, gamma = `eff_gamma`; isotropic,
     * scale length 1; cut as PLUMMER. */
    KOSHU_MODEL_EFF,
    /* Goodwin & Whitworth 2004, A&A 413, 929: a fractal of dimension D =
     * `fractal_dimension` inside radius 1. A cube is divided into eight, each
     * of which survives with probability 2^(D - 3), and so on; n of the last
     * cubes inside the sphere have a particle each, at a random position.
     * Velocities are those of the parent cube plus a Gaussian part, 2^(-g) at
     * level g, then scaled as for SPHERE. */
    KOSHU_MODEL_FRACTAL,
    /* An exponential disk of stars of constant thickness, with a Hernquist
     * bulge and halo; see struct koshu_initial_options. The disk's scale length
     * is 1; it rotates about the z axis. */
    KOSHU_MODEL_GALAXY
};

/* The number xi(m) dm of stars of mass m, in solar masses, between the limits
 * mass_min and mass_max. */
enum koshu_mass_function {
    /* Equal masses; no limits. */
    KOSHU_MASS_FUNCTION_EQUAL,
    /* Salpeter 1955, ApJ 121, 161: xi ~ m^-2.35. */
    KOSHU_MASS_FUNCTION_SALPETER,
    /* Kroupa 2001, MNRAS 322, 231, eq. 2: xi ~ m^-0.3 below 0.08, m^-1.3 up to
     * 0.5, m^-2.3 above; continuous. */
    KOSHU_MASS_FUNCTION_KROUPA,
    /* Chabrier 2003, PASP 115, 763, table 1, single stars of the disk: up to 1,
     * xi m ~ exp(-(log10 m - log10 0.079)^2 / (2 0.69^2)), m^-2.3 above;
     * continuous. */
    KOSHU_MASS_FUNCTION_CHABRIER,
    /* xi from a file, `mass_table`: CSV with columns mass (increasing) and xi;
     * power laws between rows; its first and last mass are the limits. */
    KOSHU_MASS_FUNCTION_TABLE
};

/* The periods P of binaries, in days, between period_min and period_max. */
enum koshu_period_law {
    /* Raghavan et al. 2010, ApJS 190, 1: log10 P is normal, mean 5.03, standard
     * deviation 2.28. */
    KOSHU_PERIOD_LAW_RAGHAVAN,
    /* Duquennoy & Mayor 1991, A&A 248, 485: the same, 4.8 and 2.3. */
    KOSHU_PERIOD_LAW_DUQUENNOY_MAYOR,
    /* Kroupa 1995, MNRAS 277, 1507, eq. 8, at birth: with l = log10 P - 1 > 0,
     * the density of l is ~ l / (45 + l^2), up to l = 7.43. */
    KOSHU_PERIOD_LAW_KROUPA,
    /* Opik 1924: log10 P is uniform, and so is the logarithm of the semi-major
     * axis. */
    KOSHU_PERIOD_LAW_OPIK
};

/* The mass ratios q <= 1 of binaries. */
enum koshu_mass_ratio_law {
    /* The first mass is from the mass function; q is uniform between
     * mass_ratio_min (or mass_min over the first mass, if larger) and 1: about
     * flat for Sun-like stars (Raghavan et al. 2010). */
    KOSHU_MASS_RATIO_LAW_UNIFORM,
    /* Both masses are from the mass function: random pairing (Kroupa 1995). */
    KOSHU_MASS_RATIO_LAW_RANDOM,
    /* q = 1. */
    KOSHU_MASS_RATIO_LAW_EQUAL
};

/* The eccentricities of binaries, from 0 to e_max = 1 - (P / 2 days)^(-2/3),
 * and 0 if P is below 2 days, as tides circularise orbits (Moe & Di Stefano
 * 2017, ApJS 230, 15, eq. 3). */
enum koshu_eccentricity_law {
    KOSHU_ECCENTRICITY_LAW_THERMAL, /* density 2 e (Jeans 1919) */
    KOSHU_ECCENTRICITY_LAW_UNIFORM, /* Raghavan et al. 2010 */
    KOSHU_ECCENTRICITY_LAW_CIRCULAR /* 0 */
};

struct koshu_initial_options {
    size_t size; /* of this struct */
    enum koshu_model model;
    size_t n;
    uint64_t seed;
    double mass_fraction; /* plummer, hernquist, dehnen, eff: in (0, 1]; 0.999
                           */
    double virial_ratio;  /* sphere, cube, fractal: Q = T/|W| >= 0; 0 */
    double king_w0;       /* king: in [0.5, 15]; 6 */
    double eccentricity;  /* two-body: in [0, 1); 0.9 */
    double two_body_mass; /* two-body: q in (0, 1); 0.5 */
    /* Rescale positions and velocities so that these particles have exactly T =
     * 1/4 and W = -1/2 with softening 0 (Hénon units; O(n^2) work). Requires n
     * >= 2, and virial_ratio = 1/2 for sphere and cube; not for two-body. */
    bool exact_virial;

    enum koshu_mass_function mass_function; /* equal; not for two-body */
    double mass_min, mass_max; /* limits in solar masses, required except for
                                  equal and table */
    const char *mass_table;    /* table: the file; NULL */
    /*
     * S in [0, 1]; 0: none, 1: the heavier, the more bound. Equilibrium models
     * (plummer, king, hernquist, dehnen, nfw, eff) keep their density and
     * velocities. Stars are sorted, the heaviest first; each gets the free
     * place number floor((1 - X^(1 - S)) k) of the k remaining ones, X uniform
     * (Küpper et al. 2011, MNRAS 417, 2300). The star at a place gets an orbit
     * of the model whose rank in energy, from the most bound, is the mass of
     * the stars before it (Baumgardt, De Marchi & Kroupa 2008, ApJ 685, 247,
     * appendix). Each rank stores 28 bytes for each of 2 M / m_min orbits, M
     * being the mass of all stars and m_min that of the lightest.
     */
    double mass_segregation;
    /*
     * Fraction of all systems (single stars or binaries) that are binaries, in
     * [0, 1]; 0. n counts stars: those with ids 0 ... 2 n_b - 1 are n_b
     * binaries, (0, 1), (2, 3), ..., n_b being fraction n / (1 + fraction),
     * rounded. The model, its virial ratio and mass segregation apply to the
     * systems' centres of mass; orbits have random orientation and phase.
     */
    double binary_fraction;
    enum koshu_period_law period_law;             /* raghavan */
    double period_min, period_max;                /* days; 1, 1e8 */
    enum koshu_mass_ratio_law mass_ratio_law;     /* uniform */
    double mass_ratio_min;                        /* in (0, 1]; 0.1 */
    enum koshu_eccentricity_law eccentricity_law; /* thermal */
    /* Binaries need the model's physical size: its unit of length in pc; 0.
     * With equal masses also the mass of all stars, in solar masses; 0. */
    double length_pc, mass_msun;

    double dehnen_gamma;  /* dehnen: in [0, 2]; 1 */
    double concentration; /* nfw: in [1, 1000]; 10 */
    double eff_gamma;     /* eff: in [2.1, 20]; 3 */

    double fractal_dimension; /* fractal: D in [1, 3]; 1.6 */
    /*
     * galaxy: a disk of surface density exp(-R) and vertical profile sech^2(z /
     * z0), z0 = `disk_height`; bulge and halo of density r^-1 (r + a)^-3 with a
     * = `bulge_length` and `halo_length`. The disk has the fraction
     * `disk_fraction` of the mass and of the particles, the bulge
     * `bulge_fraction`, in this order; the halo has the rest. Each component is
     * cut at `mass_fraction` of its mass; the rest is rescaled to mass 1, with
     * velocities to match. Particles of bulge and halo come in pairs, (x, v)
     * and (-x, -v).
     *
     * Velocities of bulge and halo follow from Eddington's formula in the
     * potential of all three components, the disk's averaged over spheres.
     * Those of the disk are Gaussian, with moments from the Jeans equations in
     * the field of all three (Hernquist 1993, ApJS 86, 389): sigma_z from the
     * vertical equation; sigma_R^2 ~ exp(-R) with Toomre's Q = `toomre_q` at R
     * = 2.5; sigma_phi = sigma_R kappa / (2 Omega); and the mean of v_phi from
     * the radial equation.
     */
    double disk_fraction;  /* in (0, 1]; 0.07 */
    double bulge_fraction; /* in [0, 1); 0.03 */
    double disk_height;    /* in [0.01, 1]; 0.2 */
    double toomre_q;       /* in (0, 10]; 1.5 */
    double bulge_length;   /* in [0.01, 100]; 0.2 */
    double halo_length;    /* in [0.01, 100]; 4 */
};

/* Plummer, n = 16384, seed 1, the defaults above, exact_virial false, equal
 * masses, no binaries. */
KOSHU_DECLARE_DEFAULT(koshu_initial_options)

/* "plummer", "sphere", "cube", "king", "hernquist", "two-body", "dehnen",
 * "nfw", "eff", "fractal", "galaxy"; NULL past the last: count up from 0 to
 * list. */
KOSHU_API const char *koshu_model_name(enum koshu_model value);

/* A one-line summary with its source; NULL past the last. */
KOSHU_API const char *koshu_model_summary(enum koshu_model model);

/*
 * Finds the value of a name; context may be NULL.
 * Status: KOSHU_ERROR_NOT_FOUND: no value has the name, the message lists them;
 * KOSHU_ERROR_INVALID_ARGUMENT: name or value is NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_model_find(struct koshu_context *context, const char *name,
                 enum koshu_model *value);

/* The names of laws, "kroupa"; NULL past the last. */
KOSHU_API const char *koshu_mass_function_name(enum koshu_mass_function value);
KOSHU_API const char *koshu_period_law_name(enum koshu_period_law value);
KOSHU_API const char *
koshu_mass_ratio_law_name(enum koshu_mass_ratio_law value);
KOSHU_API const char *
koshu_eccentricity_law_name(enum koshu_eccentricity_law value);

/*
 * Finds the law with a name; context may be NULL.
 * Status: KOSHU_ERROR_NOT_FOUND: none has the name, the message lists them;
 * KOSHU_ERROR_INVALID_ARGUMENT: name or value is NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_mass_function_find(struct koshu_context *context, const char *name,
                         enum koshu_mass_function *value);
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_period_law_find(struct koshu_context *context, const char *name,
                      enum koshu_period_law *value);
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_mass_ratio_law_find(struct koshu_context *context, const char *name,
                          enum koshu_mass_ratio_law *value);
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_eccentricity_law_find(struct koshu_context *context, const char *name,
                            enum koshu_eccentricity_law *value);

/*
 * Computes the mass of all stars that these options give: the sum of the masses
 * drawn from the mass function; for equal masses mass_msun. Collective.
 * Units: solar masses.
 * Status: as koshu_initial_create().
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_initial_mass(struct koshu_context *context,
                   const struct koshu_initial_options *options, double *mass);

/*
 * Makes the particles of a model, n on all ranks together; collective.
 * Units: G = 1, and those of the model, see enum koshu_model.
 * Ownership: the caller destroys *particles, before the context; options are
 * copied.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: n = 0, n other than 2 for two-body, an
 * option of the model or of its stars out of its range (those of other models
 * are ignored), a pointer is NULL (options may be); KOSHU_ERROR_NOT_FOUND,
 * KOSHU_ERROR_BAD_FORMAT, KOSHU_ERROR_BAD_INPUT, KOSHU_ERROR_IO: the table of
 * masses is missing, invalid or unreadable; KOSHU_ERROR_UNSUPPORTED: an option
 * of a later koshu; KOSHU_ERROR_OUT_OF_MEMORY; if W is summed over pairs
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
