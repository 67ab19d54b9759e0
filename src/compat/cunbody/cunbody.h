/* SPDX-License-Identifier: MIT */
/*
 * What the files of libkoshu-cunbody share. The library uses libkoshu through
 * its public interface alone.
 *
 * There is one engine in a process: a context and what was made from it. A
 * call takes it and gives it back, so that it has one user at a time. What is
 * to be told is collected meanwhile, and told afterwards: a handler may call
 * the library, or never come back.
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

/* Of force(): memory for arrays, kept from call to call. */
struct koshu_cunbody_arrays {
    size_t capacity;
    double *memory;
};

/* Of force() where the i-particles are the j-particles. */
struct koshu_cunbody_store {
    double softening; /* the solver's */
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

/* The engine, opened, for the calling thread alone; NULL, after a message. */
struct koshu_cunbody_engine *koshu_cunbody_take(void);

/* The same where it is open; else NULL. */
struct koshu_cunbody_engine *koshu_cunbody_take_open(void);

/* Gives it back, and tells what there is to tell. */
void koshu_cunbody_give(struct koshu_cunbody_engine *engine);

/* What is to be told when the engine is given back. */
void koshu_cunbody_say(struct koshu_cunbody_engine *engine, const char *format,
                       ...) KOSHU_PRINTF(2, 3);

/* The same, of a failure: -1. */
#define koshu_cunbody_fail(...) (koshu_cunbody_say(__VA_ARGS__), -1)

/* 0 where status is KOSHU_OK; else -1, after a message with koshu's own. */
int koshu_cunbody_check(struct koshu_cunbody_engine *engine,
                        const char *function, koshu_status status);

/* 0 where both are >= 0; else -1, after a message. */
int koshu_cunbody_check_numbers(struct koshu_cunbody_engine *engine,
                                const char *function, int ni, int nj);

/* ---- force.c ------------------------------------------------------------- */

void koshu_cunbody_force(double xj[][3], double mj[], double xi[][3],
                         double eps2, double a[][3], int ni, int nj);

void koshu_cunbody_force_close(struct koshu_cunbody_engine *engine);

/* ---- pipeline.c ---------------------------------------------------------- */

/* cunbody_evaluate() of koshu-cunbody/evaluate.h. */
int koshu_cunbody_evaluate(const struct cunbody_pipeline *pipeline,
                           const double *xj, const double *xi, double *f,
                           int ni, int nj);

void koshu_cunbody_pipeline_close(struct koshu_cunbody_engine *engine);

#endif
