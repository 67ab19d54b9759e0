/* SPDX-License-Identifier: MIT */
/* stop.*: criteria that end a run early, checked with each row of the log. */
#include <math.h>

#include "base/base.h"
#include "output/output.h"
#include "simulation/simulation.h"

bool
koshu_has_criteria(const struct koshu_parameter_values *v)
{
    return v->stop.energy_error > 0 || v->stop.escaped_fraction > 0 ||
           v->stop.core_radius > 0;
}

static koshu_status
has_escaped(struct koshu_simulation *s, bool *met)
{
    const double limit = s->values->stop.escaped_fraction;
    double fraction;
    *met = false;
    if (limit == 0) return KOSHU_OK;
    KOSHU_TRY(koshu_escaped_fraction(s->particles, &fraction));
    *met = fraction > limit;
    return KOSHU_OK;
}

static koshu_status
has_collapsed(struct koshu_simulation *s, bool *met)
{
    const double limit = s->values->stop.core_radius;
    double centre[3], radius;
    *met = false;
    if (limit == 0) return KOSHU_OK;
    KOSHU_TRY(koshu_core(s->particles, centre, &radius));
    *met = radius < limit;
    return KOSHU_OK;
}

koshu_status
koshu_check_criteria(struct koshu_simulation *s)
{
    const double error = s->values->stop.energy_error;
    bool escaped, collapsed;
    KOSHU_TRY(has_escaped(s, &escaped));
    KOSHU_TRY(has_collapsed(s, &collapsed));
    if (error > 0 && fabs(s->kept.energy_error) > error)
        s->criterion = KOSHU_STOP_ENERGY;
    else if (escaped)
        s->criterion = KOSHU_STOP_ESCAPED;
    else if (collapsed)
        s->criterion = KOSHU_STOP_CORE;
    return KOSHU_OK;
}
