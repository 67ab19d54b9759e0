/* SPDX-License-Identifier: MIT */
/*
 * The harness of `koshu bench WHAT`, for a benchmark: one file of bench/cases,
 * that fills rows. A case declares, as tables, the options that it takes, and
 * the columns of its rows; from these the harness makes the command line and
 * its help, the table of text, the JSON objects, and the picture. It has what
 * cases share: particles, times, errors, numbers of papers.
 *
 * All functions are called by one thread.
 */
#ifndef KOSHU_BENCH_BENCH_H
#define KOSHU_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/particles.h>
#include <koshu/solver.h>

#include "app/app.h"
#include "bench/tables.h"

struct bench;

/* ---- rows ---------------------------------------------------------------- */

/* A view of no text. */
#define BENCH_HIDDEN (1U << 31)

/* Rows of this table come now, as text with the columns of a view. */
void
bench_start(struct bench *b, const struct bench_table *table, unsigned view);

/* A row of n particles on each other: what the context is. */
struct bench_row bench_row(const struct bench *b, size_t n);

/* Prints it. KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_BAD_INPUT (JSON). */
KOSHU_MUST_CHECK koshu_status bench_add(struct bench *b, void *row);

/* Prints all rows so far, as text, with another view's columns. */
void bench_show_again(struct bench *b, unsigned view);

/* What a table of a paper has for the row's n (n_i, eps); NaN: nothing. */
double bench_printed(const struct bench *b, const char *printed,
                     const struct bench_row *row);

/* ---- a case -------------------------------------------------------------- */

struct bench_case {
    const char *name, *summary, *doc;
    unsigned takes;                       /* enum bench_takes */
    const struct command_option *options; /* its own; the last has no name */
    const void *defaults;                 /* of all options */
    size_t options_size;
    /* Where all options are read: argp_error() for what does not go together.
     */
    void (*check)(struct argp_state *state, void *options);
    const char *const *papers; /* tables in bench/papers; the last is NULL */
    koshu_status (*run)(struct bench *b);
};

/* A benchmark at work. */
struct bench {
    const struct bench_case *which;
    const void *own; /* the case's options, which begin with: */
    const struct bench_options *options;
    struct koshu_context *context;
    int threads;  /* that it was made with */
    bool refused; /* there is none; the message has been printed */
    struct koshu_context *ref;
    struct bench_output *output;
    struct bench_papers *papers;
    struct bench_reference *reference;
};

/* Makes b->context anew where it does not have so many threads. */
KOSHU_MUST_CHECK koshu_status bench_use_threads(struct bench *b,
                                                size_t threads);

/* A context of ref, the same for all rows; not to be destroyed. */
KOSHU_MUST_CHECK koshu_status bench_ref(struct bench *b,
                                        struct koshu_context **ref);
/* The status of what was done with it; its message becomes that of b. */
KOSHU_MUST_CHECK koshu_status bench_ref_status(struct bench *b,
                                               koshu_status status);

/* ---- particles ----------------------------------------------------------- */

/*
 * n particles of the model, or those of --file; the caller destroys them.
 * KOSHU_ERROR_OUT_OF_MEMORY, and what koshu_initial_create() and
 * koshu_snapshot_read() return.
 */
KOSHU_MUST_CHECK koshu_status bench_particles(
        const struct bench *b, size_t n, struct koshu_particles **particles);

/* The same moved by --offset, and with positions rounded to float where the
 * sums are in single precision: what errors are then is not the rounding. */
KOSHU_MUST_CHECK koshu_status bench_particles_rounded(
        const struct bench *b, size_t n, struct koshu_particles **particles);

/* "Plummer sphere", or "particles of 'FILE'". */
const char *bench_subject(const struct bench *b);

/* Of particles that attract each other by direct sums. */
struct bench_forces {
    struct koshu_solver *solver;
    struct koshu_particles *particles;
    unsigned fields;
};

/* The caller frees it, whatever the status. */
KOSHU_MUST_CHECK koshu_status bench_forces_make(const struct bench *b, size_t n,
                                                struct bench_forces *forces);
void bench_forces_free(struct bench_forces *forces);

/* ---- time ---------------------------------------------------------------- */

/* What is timed. wait(): returns when all that once() began is done; NULL:
 * once() does by itself. */
struct bench_work {
    koshu_status (*once)(void *user);
    koshu_status (*wait)(void *user);
    void *user;
};

/*
 * After a warm-up, `repeats` measurements (0: for half a second, at least 5).
 * A measurement is one call, or as many as take two milliseconds. The first
 * failure ends it.
 */
KOSHU_MUST_CHECK koshu_status bench_time(const struct bench_work *work,
                                         size_t repeats,
                                         struct bench_timing *timing);

/* The same for n <= BENCH_WORKS works in turns, a repeat of each, so that what
 * else a machine does slows down all alike. The first tells for how long. */
enum { BENCH_WORKS = 2 };
KOSHU_MUST_CHECK koshu_status bench_times(size_t n,
                                          const struct bench_work *works,
                                          size_t repeats,
                                          struct bench_timing *timings);

/* For qsort() of doubles. */
int bench_ascending(const void *a, const void *b);

/* Would n particles take longer than so many seconds, where `before` took so
 * many, and times grow by this power of n? Prints that the row is skipped. */
bool bench_skips(const struct bench *b, size_t n, double longest, size_t before,
                 double seconds, double power);

/* Of all forces once, the particles staying where they are. */
KOSHU_MUST_CHECK koshu_status bench_forces_time(struct bench_forces *forces,
                                                size_t repeats,
                                                struct bench_timing *timing);

/* Seconds of one more launch (threads: parallel region) in a row of them; 0
 * where the backend has none. repeats 0: 20. */
KOSHU_MUST_CHECK koshu_status bench_launch_cost(struct koshu_context *context,
                                                size_t repeats,
                                                double *seconds);

/* ---- errors -------------------------------------------------------------- */

/* How many of n particles --error compares. */
size_t bench_compared_count(const struct bench *b, size_t n);

/* Of n >= 1 errors, which are put in order. A NaN counts as infinite. */
void bench_errors_sort(size_t n, double *error, struct bench_errors *errors);

/* Of n vectors, given by their components; false: out of memory. */
bool bench_errors_between(size_t n, const double *const reference[3],
                          const double *const value[3],
                          struct bench_errors *errors);

/*
 * How far accelerations a[c][i] of all particles of the store are from those by
 * ref in double, of the particles that --error names, evenly distributed; NULL:
 * the store's own. The reference is kept for the next call with as many
 * particles. KOSHU_ERROR_OUT_OF_MEMORY, and what koshu_force_direct() returns.
 */
KOSHU_MUST_CHECK koshu_status bench_compare(struct bench *b,
                                            struct koshu_particles *particles,
                                            const double *const a[3],
                                            struct bench_errors *errors);

#endif
