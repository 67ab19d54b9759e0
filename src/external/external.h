/* SPDX-License-Identifier: MIT */
/* External fields as integrators use them. */
#ifndef KOSHU_EXTERNAL_EXTERNAL_H
#define KOSHU_EXTERNAL_EXTERNAL_H

#include <koshu/external.h>

#include "kernels/external.h"

struct koshu_external {
    struct koshu_context *context;
    size_t n;
    struct koshu_external_field *field; /* with all defaults filled in */
    struct koshu_formula **formula;     /* of each field; NULL: it is not a
                                           formula */
    double omega;                       /* of the rotating frame; 0: it does
                                           not rotate */
};

/* The sum of all fields at a position and velocity, without the Coriolis
 * force. */
struct koshu_field_sum koshu_external_at(const struct koshu_external *external,
                                         const double x[3], const double v[3]);

/* Adds the acceleration and jerk of the fields to those of other forces, with
 * the Coriolis force of a frame that rotates with omega. omega is
 * external->omega, or its negative when time runs backwards. */
void koshu_external_add(const struct koshu_external *external, double omega,
                        const double x[3], const double v[3], double a[3],
                        double jerk[3]);

/* The coefficients of a tide: outward, 4 Omega^2 - kappa^2; vertical, nu^2. */
void koshu_external_tide_of(const struct koshu_external_field *tide,
                            double *outward, double *vertical);

/* ---- entries.c ----------------------------------------------------------- */

/* A reader of texts that list items, each followed by its values: "plummer
 * mass=1, a=0.5, nfw mass=2" calls begin("plummer"), set("mass", "1"), ...,
 * begin("nfw"). things, thing: words for messages, "external fields", "a
 * field". */
struct koshu_entry_reader {
    const char *things, *thing;
    koshu_status (*begin)(void *user, const char *name);
    koshu_status (*set)(void *user, const char *name, const char *value);
};

/* Stops at the first status other than KOSHU_OK, and returns it.
 * KOSHU_ERROR_BAD_INPUT: a value precedes the first item;
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_entries_read(struct koshu_context *context, const char *text,
                                const struct koshu_entry_reader *reader,
                                void *user);

#endif
