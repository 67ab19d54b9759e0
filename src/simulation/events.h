/* SPDX-License-Identifier: MIT */
/* What becomes of the stars of a run: mergers, escapers, mass loss. */
#ifndef KOSHU_SIMULATION_EVENTS_H
#define KOSHU_SIMULATION_EVENTS_H

#include <koshu/integrator.h>

struct koshu_simulation;

/* Does the run have mergers or escapers, so that there is an events.csv? */
bool koshu_events_are_wanted(const struct koshu_simulation *simulation);

/* Has it any of them, or mass loss, so that energy leaves the particles? */
bool koshu_energy_is_removed(const struct koshu_simulation *simulation);

/* The radius of a star of that mass, times G. */
double
koshu_star_radius(const struct koshu_simulation *simulation, double mass);

/* Before the first step of this part of the run. KOSHU_ERROR_BAD_INPUT: the run
 * is not of stars; what koshu_mass_loss_begin() returns. */
koshu_status koshu_events_begin(struct koshu_simulation *simulation);

/* After a synchronised step that began at that time: rows of what has happened,
 * without the particles that are gone, and with the masses that there are then.
 */
koshu_status
koshu_events_step(struct koshu_simulation *simulation, double before);

/* ---- events_log.c: events.csv -------------------------------------------- */

void koshu_events_log_header(const struct koshu_units *units, size_t size,
                             char *text);
koshu_status koshu_events_log_write(struct koshu_simulation *simulation,
                                    const struct koshu_event *event);

/* ---- escapers.c ---------------------------------------------------------- */

/* Those that have left: each an event, and no particle any more. *changed: some
 * have. Energy is booked on rank 0. Collective. */
koshu_status
koshu_escapers_remove(struct koshu_simulation *simulation, bool *changed);

#endif
