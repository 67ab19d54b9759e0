/* SPDX-License-Identifier: MIT */
/* Mergers, escapers and mass loss of the stars of a run. */
#ifndef KOSHU_SIMULATION_EVENTS_H
#define KOSHU_SIMULATION_EVENTS_H

#include <koshu/integrator.h>

struct koshu_simulation;

/* Whether the run can have mergers or escapers, and hence an events.csv. */
bool koshu_events_are_wanted(const struct koshu_simulation *simulation);

/* Whether energy can leave the particles, by these or by mass loss. */
bool koshu_energy_is_removed(const struct koshu_simulation *simulation);

/* The radius of a star of that mass, which is given times G. */
double
koshu_star_radius(const struct koshu_simulation *simulation, double mass);

/* To be called before the first step of this part of the run.
 * KOSHU_ERROR_BAD_INPUT: the run does not have stars; statuses of
 * koshu_mass_loss_begin(). */
koshu_status koshu_events_begin(struct koshu_simulation *simulation);

/* To be called after a synchronised step that began at `before`: writes rows of
 * what has happened. The rows after it have the particles that remain, with
 * their new masses. */
koshu_status
koshu_events_step(struct koshu_simulation *simulation, double before);

/* ---- events_log.c: events.csv -------------------------------------------- */

void koshu_events_log_header(const struct koshu_units *units, size_t size,
                             char *text);
koshu_status koshu_events_log_write(struct koshu_simulation *simulation,
                                    const struct koshu_event *event);

/* ---- escapers.c ---------------------------------------------------------- */

/* Removes stars that have left and writes an event for each. *changed: there
 * were some. Energy is counted on rank 0. Collective. */
koshu_status
koshu_escapers_remove(struct koshu_simulation *simulation, bool *changed);

#endif
