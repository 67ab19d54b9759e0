/* SPDX-License-Identifier: MIT */
/* A chain to a time, from where it is: its steps are cut short there. */
#include <math.h>

#include "fewbody/fewbody.h"

void
koshu_chain_move_pair(struct koshu_chain *c, double time)
{
    double x[3], v[3];
    koshu_chain_values(c, x, v);
    koshu_kepler_move(c->total_mass, koshu_chain_until(c, time), x, v);
    for (size_t d = 0; d < 3; d++) {
        c->y[d] = (struct koshu_sum){x[d], 0};
        c->y[3 + d] = (struct koshu_sum){v[d], 0};
    }
    c->y[6] = (struct koshu_sum){time, 0};
}

/* Of the fictitious time, to what is left of the time, as T is now. */
static double
step_to(const struct koshu_chain *c, double rest)
{
    double x[3 * KOSHU_CHAIN_LINKS], v[3 * KOSHU_CHAIN_LINKS];
    koshu_chain_values(c, x, v);
    return rest * (koshu_chain_kinetic(c, v) + koshu_chain_binding(c));
}

koshu_status
koshu_chain_move(struct koshu_gbs *gbs, struct koshu_chain *chain,
                 struct koshu_gbs_step *step, double time)
{
    enum { LANDINGS = 50 };
    struct koshu_chain *c = chain;
    const double rounding = 1e-15 * fabs(koshu_chain_until(c, time));
    if (c->n == 2 && !c->perturbers) {
        koshu_chain_move_pair(c, time);
        return KOSHU_OK;
    }
    for (int landings = 0; landings < LANDINGS;) {
        const double rest = koshu_chain_until(c, time);
        double made;
        if (fabs(rest) <= rounding) break;
        struct koshu_gbs_step last = {step_to(c, rest), step->row};
        const bool whole = last.s > step->s;
        KOSHU_TRY(koshu_gbs_advance(gbs, c, whole ? step : &last, &made));
        koshu_chain_renew(c);
        landings += !whole;
    }
    c->y[2 * koshu_chain_half(c)] = (struct koshu_sum){time, 0};
    return KOSHU_OK;
}
