/* SPDX-License-Identifier: MIT */
/* Small runs for tests of simulations; they write to the current directory. */
#ifndef KOSHU_TESTS_SIMULATION_RUNS_H
#define KOSHU_TESTS_SIMULATION_RUNS_H

#include <koshu/simulation.h>
#include <koshu/snapshot.h>

#include "check.h"
#include "scratch.h"

/* 64 bodies, 32 steps, 5 snapshots, a row every 8 steps. */
static const char small_run[] = "initial: {model: plummer, n: 64}\n"
                                "solver: {softening: 1/16}\n"
                                "integrator: {dt: 1/32, end: 1}\n"
                                "output:\n"
                                "  directory: .\n"
                                "  snapshot: {interval: 1/4}\n"
                                "checkpoint: {interval: 0}\n";

static const struct koshu_simulation_options
        overwrite = {.size = sizeof overwrite, .overwrite = true},
        force = {.size = sizeof force, .force = true};

/* The run with further settings: KEY, VALUE, ..., NULL. */
static inline struct koshu_parameters *
parameters_of(struct koshu_context *context, const char *const *settings)
{
    struct koshu_parameters *p;
    assert_ok(context, koshu_parameters_create(context, &p));
    assert_ok(context, koshu_parameters_parse(p, "small.yaml", small_run));
    for (; settings && *settings; settings += 2)
        assert_ok(context, koshu_parameters_set(p, settings[0], settings[1]));
    return p;
}

static inline struct koshu_simulation *
started(struct koshu_context *context, const char *const *settings)
{
    struct koshu_simulation *s;
    struct koshu_parameters *p = parameters_of(context, settings);
    assert_ok(context, koshu_simulation_create(context, p, NULL, &s));
    koshu_parameters_destroy(p);
    return s;
}

static inline struct koshu_progress
progress_of(const struct koshu_simulation *s)
{
    struct koshu_progress progress = {.size = sizeof progress};
    assert_int_equal(koshu_simulation_progress(s, &progress), KOSHU_OK);
    return progress;
}

static inline void
advance(struct koshu_context *context, struct koshu_simulation *s, int steps)
{
    for (int k = 0; k < steps; k++)
        assert_ok(context, koshu_simulation_advance(s));
}

/* Advances the run to its end and destroys it. */
static inline void
complete(struct koshu_context *context, struct koshu_simulation *s)
{
    while (koshu_simulation_stopped(s) == KOSHU_STOP_NONE)
        assert_ok(context, koshu_simulation_advance(s));
    assert_ok(context, koshu_simulation_finish(s));
    koshu_simulation_destroy(s);
}

/* Number of lines in a text file. */
static inline int
lines_of(const char *name)
{
    size_t n;
    int lines = 0;
    unsigned char *bytes = scratch_read(name, &n);
    for (size_t k = 0; k < n; k++) lines += bytes[k] == '\n';
    free(bytes);
    return lines;
}

static inline struct koshu_snapshot_info
info_of(struct koshu_context *context, const char *name)
{
    struct koshu_snapshot_info info = {.size = sizeof info};
    assert_ok(context, koshu_snapshot_inspect(context, name, &info));
    return info;
}

#endif
