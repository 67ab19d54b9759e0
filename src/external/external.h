/* SPDX-License-Identifier: MIT */
/* External fields as integrators see them. */
#ifndef KOSHU_EXTERNAL_EXTERNAL_H
#define KOSHU_EXTERNAL_EXTERNAL_H

#include <koshu/external.h>

#include "kernels/external.h"

struct koshu_external {
    struct koshu_context *context;
    size_t n;
    struct koshu_external_field *field; /* with nothing left to a default */
    struct koshu_formula **formula;     /* of each; NULL: it is none */
    double omega;                       /* of the frame; 0: it does not turn */
};

/* Of all fields at a place, at a velocity; without Coriolis' force. */
struct koshu_field_sum koshu_external_at(const struct koshu_external *external,
                                         const double x[3], const double v[3]);

/* Adds to what else acts on a particle: acceleration and jerk, with Coriolis'
 * force of a frame that turns with omega, which is external->omega, or its
 * negative where time runs back. */
void koshu_external_add(const struct koshu_external *external, double omega,
                        const double x[3], const double v[3], double a[3],
                        double jerk[3]);

/* sqrt(nu^2), Omega and the like: of a tide, 4 Omega^2 - kappa^2 and nu^2. */
void koshu_external_tide_of(const struct koshu_external_field *tide,
                            double *outward, double *vertical);

/* ---- entries.c ----------------------------------------------------------- */

/* What reads a text of things, each with its values behind it, "plummer mass=1,
 * a=0.5, nfw mass=2": begin("plummer"), set("mass", "1"), ..., begin("nfw").
 * things, thing: what they are in messages, "external fields", "a field". */
struct koshu_entry_reader {
    const char *things, *thing;
    koshu_status (*begin)(void *user, const char *name);
    koshu_status (*set)(void *user, const char *name, const char *value);
};

/* The first status that is not KOSHU_OK, where it ends;
 * KOSHU_ERROR_BAD_INPUT: a value before the first thing;
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_entries_read(struct koshu_context *context, const char *text,
                                const struct koshu_entry_reader *reader,
                                void *user);

#endif
