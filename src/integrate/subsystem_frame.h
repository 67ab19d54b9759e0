/* SPDX-License-Identifier: MIT */
/* The axes of chains, and what fields do to them: see subsystem_frame.c. */
#ifndef KOSHU_INTEGRATE_SUBSYSTEM_FRAME_H
#define KOSHU_INTEGRATE_SUBSYSTEM_FRAME_H

#include "integrate/subsystems.h"

/* From the frame of p to the axes of chains: what is relative to a centre of
 * mass, at that time of the store, with its derivatives. */
void koshu_subsystems_to_chain(const struct koshu_subsystems *groups,
                               double time,
                               struct koshu_subsystem_place *place);

/* Bodies about the centre of mass as koshu_chain_bodies() and
 * koshu_chain_moving() have them, in the frame of p. */
void koshu_subsystems_bodies(const struct koshu_subsystems *groups,
                             const struct koshu_chain *chain, double (*x)[3],
                             double (*v)[3]);
void koshu_subsystems_moving(const struct koshu_subsystems *groups,
                             const struct koshu_chain *chain, double (*x)[3],
                             double (*v)[3]);

/* In the frame of p, without Coriolis' force: of a body at x from the centre of
 * mass c, less that of c. There must be fields. */
struct koshu_field_sum
koshu_subsystems_field(const struct koshu_subsystems *groups, const double *c,
                       const double *v_c, const double *x, const double *v);

/* By how much accelerations differ between two places near c, over their
 * distance, about: of fields in axes that do not turn. */
double
koshu_subsystems_tide(const struct koshu_subsystems *groups, const double *c);

/* Adds what fields do to n bodies at x about the centre of mass of a group, at
 * that time of its chain and in its axes. */
void koshu_subsystems_add_field(const struct koshu_subsystem_field *field,
                                double time, size_t n, const double (*x)[3],
                                double (*f)[3]);

#endif
