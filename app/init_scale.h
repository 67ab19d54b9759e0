/* SPDX-License-Identifier: MIT */
/* The arguments of koshu init, and the units of a model. */
#ifndef KOSHU_APP_INIT_SCALE_H
#define KOSHU_APP_INIT_SCALE_H

#include <stdbool.h>

#include <koshu/initial.h>
#include <koshu/particles.h>
#include <koshu/snapshot.h>
#include <koshu/units.h>

/* The length that is 1 in a model, in the order of the options. */
enum { VIRIAL_RADIUS, RADIUS, EDGE, SCALE_LENGTH, SEMI_MAJOR_AXIS, N_LENGTHS };

struct init_arguments {
    struct koshu_initial_options initial;
    const char *model, *output, *format;
    const char *units, *total_mass; /* as given; NULL: not given */
    const char *length[N_LENGTHS];
    int threads;
    size_t files;
    bool force;
};

/* The units of the particles that are written, and the factors by which the
 * model's numbers are multiplied. */
struct init_scale {
    struct koshu_units units;
    struct koshu_unit_factors factor;
};

/* Finds units, mass and length of the model; sets in a->initial what its stars
 * need. KOSHU_ERROR_BAD_INPUT: one is missing, or invalid. */
koshu_status init_choose_scale(struct koshu_context *context,
                               struct init_arguments *a, struct init_scale *s);

#endif
