/* SPDX-License-Identifier: MIT */
/*
 * Isotropic spheres by Dehnen 1993, NFW and EFF: the density of each as
 * spherical.h needs it. Scale length and mass are 1.
 */
#include <math.h>

#include "base/base.h"
#include "initial/spherical.h"

/* Refuses a parameter outside [low, high]. */
static koshu_status
check_range(struct koshu_context *context, const char *name, double x,
            double low, double high)
{
    if (x >= low && x <= high) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "%s = %g: it must be in [%g, %g]", name, x, low, high);
}

static void
draw_cut(const struct koshu_initial_options *options, struct koshu_body *body)
{
    koshu_spherical_draw(body->table, options->mass_fraction, body);
}

/* ---- Dehnen -------------------------------------------------------------- */

/* rho ~ r^-gamma (1 + r)^(gamma - 4) */
static struct koshu_law_at
dehnen(double r, double gamma)
{
    const double outer = gamma - 4, s = 1 + r;
    return (struct koshu_law_at){pow(r, -gamma) * pow(s, outer),
                                 outer * r / s - gamma, outer * r / (s * s)};
}

static koshu_status
check_dehnen(struct koshu_context *context,
             const struct koshu_initial_options *options)
{
    KOSHU_TRY(koshu_check_mass_fraction(context, options));
    return check_range(context, "dehnen_gamma", options->dehnen_gamma, 0, 2);
}

static koshu_status
prepare_dehnen(struct koshu_context *context,
               const struct koshu_initial_options *options, void **table)
{
    const struct koshu_spherical_law law = {dehnen, options->dehnen_gamma, 1e-6,
                                            1e6};
    return koshu_spherical_prepare(context, &law, table);
}

const struct koshu_model_ops koshu_model_dehnen = {
        .summary = "Dehnen 1993, isotropic, inner slope gamma, scale length 1",
        .check = check_dehnen,
        .prepare = prepare_dehnen,
        .draw = draw_cut,
        .equilibrium = true,
};

/* ---- NFW ----------------------------------------------------------------- */

/* rho ~ 1 / (r (1 + r)^2) sech(r / c) */
static struct koshu_law_at
nfw(double r, double c)
{
    const double s = 1 + r, x = r / c, t = tanh(x), sech = 1 / cosh(x);
    return (struct koshu_law_at){sech / (r * s * s), -1 - 2 * r / s - x * t,
                                 -2 * r / (s * s) - x * t -
                                         x * x * sech * sech};
}

static koshu_status
check_nfw(struct koshu_context *context,
          const struct koshu_initial_options *options)
{
    return check_range(context, "concentration", options->concentration, 1,
                       1000);
}

static koshu_status
prepare_nfw(struct koshu_context *context,
            const struct koshu_initial_options *options, void **table)
{
    /* sech is 1e-17 at this multiple of c */
    const double c = options->concentration, end = 40;
    const struct koshu_spherical_law law = {nfw, c, 1e-6, end * c};
    return koshu_spherical_prepare(context, &law, table);
}

static void
draw_all(const struct koshu_initial_options *options, struct koshu_body *body)
{
    (void)options;
    koshu_spherical_draw(body->table, 1, body);
}

const struct koshu_model_ops koshu_model_nfw = {
        .summary = "NFW 1996, isotropic, cut by sech(r / c), scale length 1",
        .check = check_nfw,
        .prepare = prepare_nfw,
        .draw = draw_all,
        .equilibrium = true,
};

/* ---- EFF ----------------------------------------------------------------- */

/* rho ~ (1 + r^2)^(-(gamma + 1) / 2) */
static struct koshu_law_at
eff(double r, double gamma)
{
    const double s = 1 + r * r, n = gamma + 1;
    return (struct koshu_law_at){pow(s, -n / 2), -n * r * r / s,
                                 -2 * n * r * r / (s * s)};
}

static koshu_status
check_eff(struct koshu_context *context,
          const struct koshu_initial_options *options)
{
    KOSHU_TRY(koshu_check_mass_fraction(context, options));
    return check_range(context, "eff_gamma", options->eff_gamma, 2.1, 20);
}

/* In a core the second derivative is a small difference of large terms, so the
 * table starts no further in. */
static koshu_status
prepare_eff(struct koshu_context *context,
            const struct koshu_initial_options *options, void **table)
{
    const struct koshu_spherical_law law = {eff, options->eff_gamma, 1e-3, 1e6};
    return koshu_spherical_prepare(context, &law, table);
}

const struct koshu_model_ops koshu_model_eff = {
        .summary = "Elson, Fall & Freeman 1987, isotropic, scale length 1",
        .check = check_eff,
        .prepare = prepare_eff,
        .draw = draw_cut,
        .equilibrium = true,
};
