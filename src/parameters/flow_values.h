/* SPDX-License-Identifier: MIT */
/* The values of the keys of flows: a part of parameters.h. */
#ifndef KOSHU_PARAMETERS_FLOW_VALUES_H
#define KOSHU_PARAMETERS_FLOW_VALUES_H

#include "vortex/vortex.h"

/* What is computed instead of particles under gravity. */
enum koshu_flow_method {
    KOSHU_FLOW_METHOD_NONE,
    KOSHU_FLOW_METHOD_VORTEX,
    KOSHU_FLOW_METHOD_SPECTRAL
};

enum koshu_flow_initial {
    KOSHU_FLOW_INITIAL_RINGS,
    KOSHU_FLOW_INITIAL_TAYLOR_GREEN,
    KOSHU_FLOW_INITIAL_TURBULENCE
};

/* Without KOSHU_PRECISION_MIXED, which grids do not have. */
enum koshu_flow_precision {
    KOSHU_FLOW_PRECISION_SINGLE,
    KOSHU_FLOW_PRECISION_DOUBLE
};

enum koshu_flow_dealiasing {
    KOSHU_FLOW_DEALIASING_THREE_HALVES,
    KOSHU_FLOW_DEALIASING_TWO_THIRDS
};

/* Names; NULL after the last. */
const char *koshu_flow_method_name(int k);
const char *koshu_flow_initial_name(int k);
const char *koshu_flow_precision_name(int k);
const char *koshu_flow_dealiasing_name(int k);

/* A field of random phases: see flow/turbulence.h. */
struct koshu_turbulence_values {
    uint64_t seed;
    double speed, wave_number, reynolds;
};

struct koshu_flow_values {
    enum koshu_flow_method method;
    enum koshu_flow_initial initial;
    uint64_t n; /* points along the edge of a periodic box */
    double box, spacing, overlap;
    enum koshu_flow_precision precision;
    double tolerance, reach; /* of velocities */
    uint64_t core_order;     /* 0: chosen by the box */
    struct koshu_vortex_flow vortex;
    /* largest rotation of the strongest vortex in a part of a step, in radians,
     * at constant strength; 0: steps are not divided */
    double turn;
    struct koshu_vortex_remeshing remesh;
    uint64_t remesh_steps; /* 0: never */
    enum koshu_flow_dealiasing dealiasing;
    double forcing_power, forcing_wave_number;
    struct koshu_vortex_rings rings;
    struct koshu_turbulence_values turbulence;
};

#endif
