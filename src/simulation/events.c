/* SPDX-License-Identifier: MIT */
#include "simulation/events.h"

#include "base/base.h"
#include "particles/particles.h"
#include "simulation/simulation.h"

bool
koshu_events_are_wanted(const struct koshu_simulation *s)
{
    const struct koshu_parameter_values *v = s->values;
    return v->stars.radius > 0 || v->stars.escape_distance > 0 ||
           v->stars.tidal_radius > 0;
}

koshu_status
koshu_events_begin(struct koshu_simulation *s)
{
    const int ranks = koshu_context_ranks(s->context);
    if (!koshu_events_are_wanted(s)) return KOSHU_OK;
    if (ranks > 1)
        return koshu_fail(s->context, KOSHU_ERROR_UNSUPPORTED,
                          "%d ranks: what becomes of stars (the keys of stars) "
                          "is for one; start koshu without mpirun",
                          ranks);
    return KOSHU_OK;
}

static koshu_status
take_mergers(struct koshu_simulation *s)
{
    size_t n;
    const struct koshu_event *event =
            koshu_integrator_events(s->integrator, &n);
    for (size_t k = 0; k < n; k++) {
        KOSHU_TRY(koshu_events_log_write(s, &event[k]));
        s->kept.removed_energy += event[k].energy;
    }
    return KOSHU_OK;
}

koshu_status
koshu_events_step(struct koshu_simulation *s)
{
    bool changed = false;
    if (!koshu_events_are_wanted(s)) return KOSHU_OK;
    KOSHU_TRY(take_mergers(s));
    KOSHU_TRY(koshu_escapers_remove(s, &changed));
    return changed ? koshu_integrator_renew(s->integrator) : KOSHU_OK;
}
