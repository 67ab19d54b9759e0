/* SPDX-License-Identifier: MIT */
/* The axes of chains, and the action of external fields on them: see
 * subsystem_frame.c. */
#ifndef KOSHU_INTEGRATE_SUBSYSTEM_FRAME_H
#define KOSHU_INTEGRATE_SUBSYSTEM_FRAME_H

#include "integrate/subsystems.h"

/* Transforms a state relative to a centre of mass, with its derivatives, from
 * the frame of p to the axes of chains at `time` of the store. */
void koshu_subsystems_to_chain(const struct koshu_subsystems *groups,
                               double time,
                               struct koshu_subsystem_place *place);

/* The results of koshu_chain_bodies() and koshu_chain_moving(), transformed to
 * the frame of p. */
void koshu_subsystems_bodies(const struct koshu_subsystems *groups,
                             const struct koshu_chain *chain, double (*x)[3],
                             double (*v)[3]);
void koshu_subsystems_moving(const struct koshu_subsystems *groups,
                             const struct koshu_chain *chain, double (*x)[3],
                             double (*v)[3]);

/* The fields on a body at x from the centre of mass c minus those on c, in the
 * frame of p and without the Coriolis force. There must be fields. */
struct koshu_field_sum
koshu_subsystems_field(const struct koshu_subsystems *groups, const double *c,
                       const double *v_c, const double *x, const double *v);

/* The approximate tide near c: the difference of the fields' accelerations per
 * distance, in axes that do not rotate. */
double
koshu_subsystems_tide(const struct koshu_subsystems *groups, const double *c);

/* Adds the accelerations by the fields of n bodies at x about the centre of
 * mass of a group, at `time` of its chain and in its axes. */
void koshu_subsystems_add_field(const struct koshu_subsystem_field *field,
                                double time, size_t n, const double (*x)[3],
                                double (*f)[3]);

#endif
