/* SPDX-License-Identifier: MIT */
/* The abundance of halos, from fits to simulations. */
#include <math.h>

#include "base/base.h"
#include "cosmology/cosmology.h"

/* Tinker et al. 2008, table 2 and eqs 3-8, for 200 times the mean density. */
static double
tinker_2008(double sigma, double z)
{
    const double alpha = pow(10, -pow(0.75 / log10(200. / 75), 1.2));
    const double amplitude = 0.186 * pow(1 + z, -0.14);
    const double a = 1.47 * pow(1 + z, -0.06), b = 2.57 * pow(1 + z, -alpha);
    const double c = 1.19;
    return amplitude * (pow(sigma / b, -a) + 1) * exp(-c / (sigma * sigma));
}

/* Watson et al. 2013, eq. 12, the same at all z. */
static double
watson_2013(double sigma)
{
    const double amplitude = 0.282, alpha = 2.163, beta = 1.406, gamma = 1.210;
    return amplitude * (pow(beta / sigma, alpha) + 1) *
           exp(-gamma / (sigma * sigma));
}

double
koshu_halo_multiplicity(enum koshu_halo_masses masses, double sigma, double z)
{
    return masses == KOSHU_HALO_MASSES_200M ? tinker_2008(sigma, z)
                                            : watson_2013(sigma);
}

double
koshu_halo_abundance(enum koshu_halo_masses masses,
                     const struct koshu_power *power, double growth, double z,
                     double density, double mass)
{
    const double h = 0.01; /* step in ln R; the error of the slope is h^2 */
    const double radius = cbrt(3 * mass / (4 * M_PI * density));
    const double sigma = growth * koshu_power_sigma(power, radius);
    const double slope = log(koshu_power_sigma(power, radius * exp(-h)) /
                             koshu_power_sigma(power, radius * exp(h))) /
                         (2 * h) / 3;
    return koshu_halo_multiplicity(masses, sigma, z) * density / mass * slope;
}
