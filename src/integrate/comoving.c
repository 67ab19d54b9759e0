/* SPDX-License-Identifier: MIT */
/* The leapfrog in an expanding background. Formulas: integrate.h. */
#include <math.h>

#include "integrate/integrate.h"
#include "solve/solve.h"

void
koshu_integrator_expand(struct koshu_integrator *integrator,
                        const struct koshu_universe *expansion)
{
    integrator->comoving = true;
    integrator->expansion = *expansion;
}

double
koshu_comoving_softening(const struct koshu_universe *e, double a)
{
    const double largest = e->softening_largest / a;
    return largest > 0 && largest < e->softening ? largest : e->softening;
}

struct koshu_step_factors
koshu_comoving_factors(const struct koshu_universe *e, double from, double to)
{
    const struct koshu_cosmology *c = &e->cosmology;
    const double middle = sqrt(from * to);
    return (struct koshu_step_factors){
            {koshu_time_integral(c, from, middle, -1),
             koshu_time_integral(c, middle, to, -1)},
            koshu_time_integral(c, from, to, -2)};
}

double
koshu_comoving_step(const struct koshu_universe *e, double a, double g,
                    double eta)
{
    const double eps = koshu_comoving_softening(e, a);
    return koshu_hubble(&e->cosmology, a) * sqrt(2 * eta * a * a * a * eps / g);
}
