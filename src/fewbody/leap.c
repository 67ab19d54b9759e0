/* SPDX-License-Identifier: MIT */
/* Ways of a chain that no extrapolation is needed for. */
#include "fewbody/mean.h"
#include "fewbody/split.h"

/* What slow-down leaves of pairs that others hardly disturb. */
static bool
split(struct koshu_gbs *gbs, struct koshu_chain *c, double time)
{
    const unsigned revolutions = c->n == 2 ? 16 : 2;
    struct koshu_split how = {
            .time = time, .revolutions = revolutions, .steps = 8};
    struct koshu_hierarchy nodes;
    if (!koshu_chain_is_calm(c, gbs->slow_down, &nodes, &how.fastest))
        return false;
    koshu_chain_split(c, &nodes, &how, &gbs->evaluations);
    return true;
}

bool
koshu_chain_leap(struct koshu_gbs *gbs, struct koshu_chain *chain, double time)
{
    struct koshu_chain *c = chain;
    const bool forward = koshu_chain_until(c, time) > 0;
    if (forward &&
        koshu_chain_move_mean(c, gbs->slow_down, time, &gbs->evaluations))
        return true;
    if (c->n > 2) koshu_chain_slow(c, gbs->slow_down);
    return forward && split(gbs, c, time);
}
