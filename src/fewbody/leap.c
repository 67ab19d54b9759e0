/* SPDX-License-Identifier: MIT */
/* Motions of a chain that need no extrapolation. */
#include "fewbody/mean.h"
#include "fewbody/split.h"

static bool
is_later(const struct koshu_chain *c, double time)
{
    return koshu_chain_until(c, time) > 0;
}

bool
koshu_chain_leap_far(struct koshu_gbs *gbs, struct koshu_chain *chain,
                     double time, const struct koshu_radius_law *law)
{
    return is_later(chain, time) &&
           koshu_chain_move_mean(chain, gbs->slow_down, time, law,
                                 &gbs->evaluations);
}

bool
koshu_chain_leap(struct koshu_gbs *gbs, struct koshu_chain *chain, double time)
{
    struct koshu_chain *c = chain;
    const unsigned revolutions = c->n == 2 ? 16 : 2;
    struct koshu_split how = {
            .time = time, .revolutions = revolutions, .steps = 8};
    struct koshu_hierarchy nodes;
    if (!is_later(c, time) ||
        !koshu_chain_is_calm(c, gbs->slow_down, &nodes, &how.fastest))
        return false;
    koshu_chain_split(c, &nodes, &how, &gbs->evaluations);
    return true;
}
