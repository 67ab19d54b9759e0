/* SPDX-License-Identifier: MIT */
/* How the wall time of a run is divided among stages; at any moment exactly one
 * stage is current. */
#ifndef KOSHU_SIMULATION_STAGES_H
#define KOSHU_SIMULATION_STAGES_H

#include <koshu/status.h>

enum koshu_stage {
    KOSHU_STAGE_CALLER, /* between two calls */
    KOSHU_STAGE_START,  /* particles, directory, device */
    KOSHU_STAGE_STEPS,  /* including forces */
    KOSHU_STAGE_ERRORS,
    KOSHU_STAGE_LOG,
    KOSHU_STAGE_SNAPSHOTS,
    KOSHU_STAGE_CHECKPOINTS,
    KOSHU_STAGES
};

struct koshu_stages {
    enum koshu_stage now;
    double since; /* when it began */
    double seconds[KOSHU_STAGES];
};

/* Starts the clock in this stage. */
struct koshu_stages koshu_stages_begin(enum koshu_stage stage);

/* Makes another stage current; returns the former one. */
enum koshu_stage
koshu_stage_enter(struct koshu_stages *stages, enum koshu_stage stage);

/* Seconds of a stage so far. */
double
koshu_stage_seconds(const struct koshu_stages *stages, enum koshu_stage stage);

struct koshu_simulation;

/* Runs a function in a stage. */
KOSHU_MUST_CHECK koshu_status
koshu_stage_run(struct koshu_simulation *simulation, enum koshu_stage stage,
                koshu_status (*work)(struct koshu_simulation *simulation));

#endif
