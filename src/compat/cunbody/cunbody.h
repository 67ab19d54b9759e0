/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of libkoshu-cunbody, which uses only the public interface
 * of libkoshu.
 *
 * A process has one engine: a context and what was made from it. A call takes
 * the engine and gives it back, so that it has one user at a time. Messages are
 * collected meanwhile and delivered afterwards, because a handler may call the
 * library, or never return.
 */
#ifndef KOSHU_COMPAT_CUNBODY_CUNBODY_H
#define KOSHU_COMPAT_CUNBODY_CUNBODY_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/context.h>
#include <koshu/force.h>
#include <koshu/particles.h>
#include <koshu/solver.h>
#include <koshu-cunbody/evaluate.h>

#include "compat/environment.h"

/* ---- engine.c ------------------------------------------------------------ */

/* Arrays of force(), kept from call to call. */
struct koshu_cunbody_arrays {
    size_t capacity;
    double *memory;
};

/* The particle store of force(), for i-particles that are the j-particles. */
struct koshu_cunbody_store {
    double softening; /* that the solver was created with */
    struct koshu_solver *solver;
    struct koshu_particles *particles;
};

struct koshu_cunbody_program; /* see pipeline.c */

struct koshu_cunbody_engine {
    struct koshu_context *context; /* NULL: closed */
    struct koshu_compat_settings settings;
    char pipeline[4096]; /* CUNBODY_PIPELINE; "": none */
    struct koshu_cunbody_arrays arrays;
    struct koshu_cunbody_store store;
    struct koshu_cunbody_program *programs;
    size_t n_lines; /* characters in lines, each line with a zero at its end */
    char lines[4 * KOSHU_COMPAT_LINE];
};

/* Takes the engine for the calling thread, and opens it if necessary. NULL,
 * after a message. */
struct koshu_cunbody_engine *koshu_cunbody_take(void);

/* The same if it is open; otherwise NULL. */
struct koshu_cunbody_engine *koshu_cunbody_take_open(void);

/* Gives the engine back, and delivers the messages. */
void koshu_cunbody_give(struct koshu_cunbody_engine *engine);

/* Adds a message, to be delivered when the engine is given back. */
void koshu_cunbody_say(struct koshu_cunbody_engine *engine, const char *format,
                       ...) KOSHU_PRINTF(2, 3);

/* The same for a failure; returns -1. */
#define koshu_cunbody_fail(...) (koshu_cunbody_say(__VA_ARGS__), -1)

/* Returns 0 if status is KOSHU_OK; otherwise -1, after a message that includes
 * koshu's own. */
int koshu_cunbody_check(struct koshu_cunbody_engine *engine,
                        const char *function, koshu_status status);

/* Returns 0 if both are >= 0; otherwise -1, after a message. */
int koshu_cunbody_check_numbers(struct koshu_cunbody_engine *engine,
                                const char *function, int ni, int nj);

/* ---- force.c ------------------------------------------------------------- */

void koshu_cunbody_force(double xj[][3], double mj[], double xi[][3],
                         double eps2, double a[][3], int ni, int nj);

void koshu_cunbody_force_close(struct koshu_cunbody_engine *engine);

/* ---- pipeline.c ---------------------------------------------------------- */

/* Implements cunbody_evaluate() of koshu-cunbody/evaluate.h. */
int koshu_cunbody_evaluate(const struct cunbody_pipeline *pipeline,
                           const double *xj, const double *xi, double *f,
                           int ni, int nj);

void koshu_cunbody_pipeline_close(struct koshu_cunbody_engine *engine);

#endif
