/* SPDX-License-Identifier: MIT */
/*
 * The homogeneous universe, and linear perturbations of it.
 *
 * Glossary: a scale factor, 1 today; H expansion rate, H0 today, 100 in km/s
 * per Mpc/h; E = H / H0; Omega_x density today in units of the critical
 * density, Omega_k = 1 - Omega_m - Omega_lambda - Omega_r that of curvature; w
 * ratio of pressure to density of dark energy; D1, D2 growth factors of first
 * and second order; f = d ln D / d ln a.
 *
 * Lengths of spectra are comoving and in Mpc/h, wave numbers in h/Mpc.
 *
 * Threads: any; nothing is shared.
 */
#ifndef KOSHU_COSMOLOGY_COSMOLOGY_H
#define KOSHU_COSMOLOGY_COSMOLOGY_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/status.h>
#include <koshu/units.h>

/* ---- background.c -------------------------------------------------------- */

struct koshu_cosmology {
    double omega_m, omega_lambda, omega_r, w;
    double h; /* H0 in 100 km/s/Mpc */
    /* H0 in the units of velocity and length used: 100 in km/s and Mpc/h */
    double hubble0;
};

/* KOSHU_ERROR_BAD_INPUT: a parameter is out of range, or there is no big bang:
 * E^2 <= 0 at some a <= 1. */
KOSHU_MUST_CHECK koshu_status koshu_cosmology_check(
        struct koshu_context *context, const struct koshu_cosmology *cosmology);

/* H0 in these units, whose length contains 1/h: 100 km/s per Mpc, without h. */
double koshu_hubble0_in(const struct koshu_units *units);

/* E^2 = Omega_r a^-4 + Omega_m a^-3 + Omega_k a^-2
 *       + Omega_lambda a^(-3 (1 + w)). */
double koshu_expansion2(const struct koshu_cosmology *cosmology, double a);

/* H in units of hubble0. */
double koshu_hubble(const struct koshu_cosmology *cosmology, double a);

/* d ln H / d ln a. */
double koshu_hubble_slope(const struct koshu_cosmology *cosmology, double a);

/*
 * int dt a^power between two scale factors, by Gauss-Legendre quadrature in
 * ln a: power -1 is a kick's factor, -2 a drift's (Quinn et al. 1997), 0 time.
 * Error: 1e-14, tests/unit/cosmology/test_background.c.
 * Units: 1 / hubble0.
 */
double koshu_time_integral(const struct koshu_cosmology *cosmology, double from,
                           double to, double power);

/* ---- growth.c ------------------------------------------------------------ */

struct koshu_growth {
    double d1, d2; /* D1 -> a (with radiation a + 2 a_eq / 3), D2 -> 3/7 a^2 in
                      matter domination; D2 > 0 */
    double f1, f2; /* d ln D1 / d ln a, d ln D2 / d ln a */
};

/*
 * The growing solutions at a, by the fourth-order method of Runge and Kutta in
 * ln a from deep in matter (or radiation) domination:
 *
 *     D1'' + (2 + H'/H) D1' - 3/2 Omega_m(a) D1 = 0
 *     D2'' + (2 + H'/H) D2' - 3/2 Omega_m(a) D2 = 3/2 Omega_m(a) D1^2
 *
 * Error: 1e-10, tests/unit/cosmology/test_growth.c.
 * Source: Bouchet et al. 1995 (A&A 296, 575); Meszaros 1974 for the beginning
 * with radiation.
 */
struct koshu_growth
koshu_growth_at(const struct koshu_cosmology *cosmology, double a);

/* ---- transfer.c ---------------------------------------------------------- */

enum koshu_spectrum {
    KOSHU_SPECTRUM_EISENSTEIN_HU, /* with baryon acoustic oscillations */
    KOSHU_SPECTRUM_NO_WIGGLE,     /* their shape without oscillations */
    KOSHU_SPECTRUM_BBKS,          /* Bardeen et al. 1986, eq. G3, with the shape
                                     parameter of Sugiyama 1995 */
    KOSHU_SPECTRUM_TABLE
};

/* The name: "eisenstein-hu", "no-wiggle", "bbks", "table"; NULL after the last.
 * And the value of a name. */
const char *koshu_spectrum_name(enum koshu_spectrum value);
KOSHU_MUST_CHECK koshu_status koshu_spectrum_find(struct koshu_context *context,
                                                  const char *name,
                                                  enum koshu_spectrum *value);

/* The parameters of a universe on which the spectrum depends. */
struct koshu_matter {
    double omega_m, omega_b, h, n_s;
    double temperature; /* of the microwave background, in K: 2.7255 */
};

/* T(k), 1 at k = 0; k in h/Mpc. Source: Eisenstein & Hu 1998 (ApJ 496, 605),
 * eqs 2-24, 26 and 28-31. */
double koshu_transfer_of(enum koshu_spectrum transfer,
                         const struct koshu_matter *matter, double k);

/* ---- power.c ------------------------------------------------------------- */

/* The linear power spectrum P(k) today. */
struct koshu_power {
    enum koshu_spectrum transfer;
    struct koshu_matter matter;
    double amplitude;
    size_t n; /* of a table */
    double *ln_k, *ln_p;
};

/* P in (Mpc/h)^3 at k in h/Mpc, which must be inside a table. */
double koshu_power_at(const struct koshu_power *power, double k);

/* The rms density contrast in spheres of this radius in Mpc/h. */
double koshu_power_sigma(const struct koshu_power *power, double radius);

/* The part of it that waves outside a table add, if P(k) goes on with the
 * slopes at the table's ends; 0 for a formula. */
double
koshu_power_sigma_missing(const struct koshu_power *power, double radius);

/* KOSHU_ERROR_BAD_INPUT: that is more than 1 %, about what sigma_8 is known
 * to. */
#define KOSHU_SIGMA_MISSING_MAX 0.01
KOSHU_MUST_CHECK koshu_status
koshu_power_covers_sigma(struct koshu_context *context,
                         const struct koshu_power *power, double radius);

/* Sets the amplitude so that sigma(8 Mpc/h) has this value. */
void koshu_power_set_sigma_8(struct koshu_power *power, double sigma_8);

/* Sets it from the primordial amplitude a_s at k = 0.05/Mpc, with D1 today. */
void koshu_power_set_a_s(struct koshu_power *power, double a_s, double d1);

/*
 * Reads a table with k in h/Mpc and P in (Mpc/h)^3 in the first two columns, as
 * CLASS and CAMB write it; k must increase, and lines that begin with # are
 * skipped. KOSHU_ERROR_BAD_INPUT names the line; and statuses of reading a
 * file.
 */
KOSHU_MUST_CHECK koshu_status koshu_power_read(struct koshu_context *context,
                                               const char *path, char *text,
                                               struct koshu_power *power);

/* KOSHU_ERROR_BAD_INPUT: the table does not cover this range. */
KOSHU_MUST_CHECK koshu_status
koshu_power_covers(struct koshu_context *context,
                   const struct koshu_power *power, double from, double to);

void koshu_power_free(struct koshu_power *power);

/* ---- mass_function.c ----------------------------------------------------- */

enum koshu_halo_masses {
    KOSHU_HALO_MASSES_200M, /* in 200 times the mean density: Tinker et al. 2008
                               (ApJ 688, 709) */
    KOSHU_HALO_MASSES_FOF /* of friends of friends, b = 0.2: Watson et al. 2013
                             (MNRAS 433, 1230), for all z */
};

/* The multiplicity function f(sigma), fitted to simulations. */
double
koshu_halo_multiplicity(enum koshu_halo_masses masses, double sigma, double z);

/*
 * The number of halos per comoving volume and interval of ln M,
 *
 *     dn/dlnM = f(sigma) rho / M dln(1/sigma)/dlnM,
 *
 * where sigma = growth * koshu_power_sigma() for spheres of mean comoving
 * density rho that contain M; growth is D(a) / D(1).
 * Units: 1 / (Mpc/h)^3; rho in units of mass per (Mpc/h)^3.
 * Error: of the fits, 5 % (Tinker) and 10 % (Watson) within their range.
 */
double koshu_halo_abundance(enum koshu_halo_masses masses,
                            const struct koshu_power *power, double growth,
                            double z, double density, double mass);

#endif
