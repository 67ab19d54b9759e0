/* SPDX-License-Identifier: MIT */
/* Mergers, escapers and mass loss of a run: see events.h. */
#include "simulation/events.h"

#include "base/base.h"
#include "devices/devices.h"
#include "particles/particles.h"
#include "simulation/simulation.h"

bool
koshu_events_are_wanted(const struct koshu_simulation *s)
{
    const struct koshu_parameter_values *v = s->values;
    return v->stars.radius > 0 || v->stars.escape_distance > 0 ||
           v->stars.tidal_radius > 0;
}

bool
koshu_energy_is_removed(const struct koshu_simulation *s)
{
    return koshu_events_are_wanted(s) || koshu_mass_loss_is_wanted(s);
}

/* Checks mass loss by the caller's function; that by keys has been checked with
 * the parameters. */
static koshu_status
check_mass_loss(const struct koshu_simulation *s)
{
    const char *reason = koshu_events_refusal(s->values);
    if (!reason || !s->mass_loss.function) return KOSHU_OK;
    return koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT, "mass_loss: %s",
                      reason);
}

koshu_status
koshu_events_begin(struct koshu_simulation *s)
{
    if (!koshu_energy_is_removed(s)) return KOSHU_OK;
    KOSHU_TRY(check_mass_loss(s));
    return koshu_mass_loss_is_wanted(s) ? koshu_mass_loss_begin(s) : KOSHU_OK;
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

/* Writes the events; energy is counted on rank 0. */
static koshu_status
take_events(struct koshu_simulation *s, bool *removed)
{
    koshu_status status =
            koshu_is_first_rank(s->context) ? take_mergers(s) : KOSHU_OK;
    KOSHU_TRY(koshu_ranks_collective_status(s->context, status));
    KOSHU_TRY(koshu_escapers_remove(s, removed));
    return koshu_broadcast(s->context, 0, &s->kept.removed_energy,
                           sizeof s->kept.removed_energy);
}

koshu_status
koshu_events_step(struct koshu_simulation *s, double before)
{
    bool removed = false;
    if (koshu_events_are_wanted(s)) KOSHU_TRY(take_events(s, &removed));
    if (removed) KOSHU_TRY(koshu_integrator_renew(s->integrator));
    return koshu_mass_loss_is_wanted(s) ? koshu_mass_loss_step(s, before)
                                        : KOSHU_OK;
}
