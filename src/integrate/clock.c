/* SPDX-License-Identifier: MIT */
/* Functions of an integrator's clock that the schemes share. */
#include <float.h>
#include <math.h>

#include "integrate/integrate.h"

double
koshu_integrator_forward(const struct koshu_integrator *integrator)
{
    return integrator->options.dt > 0 ? 1 : -1;
}

double
koshu_time_rounding(double a, double b)
{
    return 16 * DBL_EPSILON * fmax(fabs(a), fabs(b));
}

void
koshu_clock_new_origin(struct koshu_integrator_clock *clock)
{
    clock->origin_time = clock->time;
    clock->origin_steps = clock->synchronised_steps;
    clock->ticks = 0;
}
