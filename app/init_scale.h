/* SPDX-License-Identifier: MIT */
/* What koshu init is given, and the units that a model gets. */
#ifndef KOSHU_APP_INIT_SCALE_H
#define KOSHU_APP_INIT_SCALE_H

#include <stdbool.h>

#include <koshu/initial.h>
#include <koshu/particles.h>
#include <koshu/snapshot.h>
#include <koshu/units.h>

/* What a model calls 1, in the order of its options. */
enum { VIRIAL_RADIUS, RADIUS, EDGE, SCALE_LENGTH, SEMI_MAJOR_AXIS, N_LENGTHS };

struct init_arguments {
    struct koshu_initial_options initial;
    const char *model, *output, *format;
    const char *units, *total_mass; /* as they are given; NULL: not */
    const char *length[N_LENGTHS];
    int threads;
    size_t files;
    bool force;
};

/* The model's particles in other units: what these are, and what their numbers
 * are multiplied by. */
struct init_scale {
    struct koshu_units units;
    struct koshu_unit_factors factor;
};

/* Units, mass and length of the model; what its stars need of them goes into
 * a->initial. KOSHU_ERROR_BAD_INPUT: one is missing, or is none. */
koshu_status init_choose_scale(struct koshu_context *context,
                               struct init_arguments *a, struct init_scale *s);

#endif
