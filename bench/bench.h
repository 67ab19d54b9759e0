/* SPDX-License-Identifier: MIT */
/*
 * The harness of `koshu bench WHAT`, for a benchmark: one file of bench/cases,
 * with a function that fills a row. A case declares, as tables, the options
 * that it takes, the columns of its rows, and what it sweeps over; from these
 * the harness makes the command line and its help, the table of text, the JSON
 * objects, and the picture. It has what cases share: particles, times, errors,
 * numbers of papers.
 *
 * All functions are called by one thread.
 */
#ifndef KOSHU_BENCH_BENCH_H
#define KOSHU_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/integrator.h>
#include <koshu/particles.h>
#include <koshu/solver.h>

#include "app/app.h"
#include "bench/internal.h"
#include "bench/tables.h"

/* ---- rows ---------------------------------------------------------------- */

/* A view of no text. */
#define BENCH_HIDDEN (1U << 31)

/* Rows of this table come now, as text with the columns of a view. */
void
bench_start(struct bench *b, const struct bench_table *table, unsigned view);

/* The same with a row for each N, number of threads, and number of each axis,
 * the last axis changing fastest. */
KOSHU_MUST_CHECK koshu_status bench_sweep(struct bench *b,
                                          const struct bench_table *table);

/* A row of n particles on each other: what the context is. */
struct bench_row bench_row(const struct bench *b, size_t n);

/* The columns of a view, where no row has been printed: it may follow from what
 * the first one did. */
void bench_view(struct bench *b, unsigned view);

/* The first row of these that is of as many particles; NULL: there is none. */
const void *bench_first_of(const struct bench *b, size_t n);

/* Prints it. KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_BAD_INPUT (JSON). */
KOSHU_MUST_CHECK koshu_status bench_add(struct bench *b, void *row);

/* Prints all rows so far, as text, with another view's columns. */
void bench_show_again(struct bench *b, unsigned view);

/* What a table of a paper has for the row's n (n_i, eps); NaN: no such row,
 * infinite: no number in it. */
double bench_printed(const struct bench *b, const char *printed,
                     const struct bench_row *row);

/* ---- a case -------------------------------------------------------------- */

/* A table or figure of a paper that a benchmark repeats. */
struct bench_item {
    const char *paper, *item; /* "Hamada09", "Fig. 3" */
    const char *what, *options;
};

struct bench_case {
    const char *name, *summary, *doc;
    const struct bench_item *items; /* the last has no paper; NULL: none */
    unsigned takes;                 /* enum bench_takes */
    const struct command_option *options; /* its own; the last has no name */
    const void *defaults;                 /* of all options */
    size_t options_size;
    /* In single precision positions are rounded to float: what errors are then
     * is not the rounding. */
    bool rounds;
    /* Where all options are read: argp_error() for what does not go together.
     */
    void (*check)(struct argp_state *state, void *options);
    const char *const *papers; /* tables in bench/papers; the last is NULL */
    /* What it does: a sweep of this table; or by itself. */
    const struct bench_table *table;
    koshu_status (*run)(struct bench *b);
    /* --plot, instead of the rows' curves: NULL, or false where it is these. */
    bool (*draws)(const struct bench *b);
    koshu_status (*draw)(struct bench *b);
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
    /* Edge of a periodic box about 0: references are Ewald sums; 0: none. */
    double box;
};

/* Makes b->context anew where it does not have so many threads. */
KOSHU_MUST_CHECK koshu_status bench_use_threads(struct bench *b,
                                                size_t threads);

/* Before anything is measured: may the first rank write this file? Asks
 * refuse_to_overwrite() or refuse_to_draw_over(). Collective. */
KOSHU_MUST_CHECK koshu_status bench_check_output(
        const struct bench *b, const char *path,
        koshu_status (*refuse)(struct koshu_context *, const char *, bool));

/* A context of ref, the same for all rows; not to be destroyed. */
KOSHU_MUST_CHECK koshu_status bench_ref(struct bench *b,
                                        struct koshu_context **ref);
/* The status of what was done with another context, whose message becomes that
 * of b's. */
KOSHU_MUST_CHECK koshu_status bench_status_of(const struct bench *b,
                                              const struct koshu_context *other,
                                              koshu_status status);

/* ---- particles ----------------------------------------------------------- */

/*
 * n particles of the model, or those of --file, moved by --offset; the caller
 * destroys them. KOSHU_ERROR_OUT_OF_MEMORY, and what koshu_initial_create() and
 * koshu_snapshot_read() return.
 */
KOSHU_MUST_CHECK koshu_status bench_particles(
        const struct bench *b, size_t n, struct koshu_particles **particles);

/* Of the options: --precision, --eps2, --fast. */
struct koshu_solver_options bench_solver_options(const struct bench *b);

/* Particles that attract each other. */
struct bench_system {
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_integrator *integrator; /* NULL: they stay where they are */
    unsigned fields; /* accelerations, and potentials where they are taken */
};

/* solver NULL: bench_solver_options(); integrator NULL: none. The caller frees
 * the system, whatever the status. */
KOSHU_MUST_CHECK koshu_status
bench_system_make(const struct bench *b, size_t n,
                  const struct koshu_solver_options *solver,
                  const struct koshu_integrator_options *integrator,
                  struct bench_system *system);
void bench_system_free(struct bench_system *system);

/* once() and wait() of struct bench_work: all forces of a system, the particles
 * staying where they are. */
koshu_status bench_forces(void *system);
koshu_status bench_wait(void *system);

/* Of the velocities and potentials as they are. */
KOSHU_MUST_CHECK koshu_status bench_energy(const struct bench_system *system,
                                           double *total);

/* Some of the particles of a view as targets, all of them as sources, and
 * memory for the sums. */
struct bench_sums {
    struct koshu_i_particles i;
    struct koshu_j_particles j;
    struct koshu_force_result result;
    double *memory;
};

/* What is summed besides accelerations. */
enum { BENCH_JERKS = 1, BENCH_NEAREST = 2 }; /* jerks and potentials */

/* n of `of` targets that are evenly distributed over the particles. The caller
 * frees them, whatever the status. */
KOSHU_MUST_CHECK koshu_status bench_sums_make(
        const struct bench *b, const struct koshu_particle_const_view *view,
        size_t of, size_t n, unsigned what, struct bench_sums *sums);
void bench_sums_free(struct bench_sums *sums);

/* ---- time ---------------------------------------------------------------- */

/* What is timed. wait(): returns when all that once() began is done; NULL:
 * once() does by itself. */
struct bench_work {
    koshu_status (*once)(void *user);
    koshu_status (*wait)(void *user);
    void *user;
    /* NULL, or: all ranks of this context do it, until the last is done. */
    struct koshu_context *ranks;
    size_t max_calls; /* of a measurement; 0: as many as it needs */
};

/*
 * After a warm-up, `repeats` measurements (0: for half a second, at least 5; of
 * ranks for a fifth of a second, 3 to 25). A measurement is one call, or as
 * many as take two milliseconds. The first failure ends it.
 */
KOSHU_MUST_CHECK koshu_status bench_time(const struct bench_work *work,
                                         size_t repeats,
                                         struct bench_timing *timing);

/* The same for n <= BENCH_WORKS works in turns, a repeat of each, so that what
 * else a machine does slows down all alike. The first tells for how long. */
enum { BENCH_WORKS = 4 };
KOSHU_MUST_CHECK koshu_status bench_times(size_t n,
                                          const struct bench_work *works,
                                          size_t repeats,
                                          struct bench_timing *timings);

/* For qsort() of doubles. */
int bench_ascending(const void *a, const void *b);

/* ---- series of sizes ---------------------------------------------------- */

/* Their times, with the line t = a n + b through them. */
enum { BENCH_SIZES = 12 };
struct bench_line {
    size_t n; /* 0: there is no such thing */
    struct bench_timing timings[BENCH_SIZES];
    struct koshu_fit fit;
};

/* The work for each of the sizes, of which the last is 0; it reads them in *n.
 */
KOSHU_MUST_CHECK koshu_status bench_line_time(const struct bench_work *work,
                                              size_t *n, const size_t *sizes,
                                              size_t repeats,
                                              struct bench_line *line);

/* What a backend spends on n of something, each of so many units. */
struct bench_cost {
    struct koshu_backend *backend;
    enum koshu_cost what;
    size_t units, n;
    void *host; /* memory to copy from and to */
};

/* The same of such a cost. KOSHU_ERROR_UNSUPPORTED: the backend has none. */
KOSHU_MUST_CHECK koshu_status bench_cost_time(struct bench_cost *cost,
                                              const size_t *sizes,
                                              size_t repeats,
                                              struct koshu_context *ranks,
                                              struct bench_line *line);

/* Seconds of one more launch (threads: parallel region) in a row of them; 0
 * where the backend has none. repeats 0: 20. */
KOSHU_MUST_CHECK koshu_status bench_launch_cost(struct koshu_context *context,
                                                size_t repeats,
                                                double *seconds);

/* Sizes of rows of launches and of waits. */
extern const size_t bench_rows_of_calls[];

/* ---- errors -------------------------------------------------------------- */

/* How many of n particles --error compares. */
size_t bench_compared_count(const struct bench *b, size_t n);

/* Of n >= 1 errors, which are put in order. A NaN counts as infinite. */
void bench_errors_sort(size_t n, double *error, struct bench_errors *errors);

/* Vector k of n is at[0][k step], at[1][k step], at[2][k step]. */
struct bench_vectors {
    const double *at[3];
    size_t n, step;
};

/* Of the values that are evenly distributed over all. KOSHU_ERROR_OUT_OF_MEMORY
 */
KOSHU_MUST_CHECK koshu_status bench_errors_between(
        const struct bench *b, const struct bench_vectors *reference,
        const struct bench_vectors *all, struct bench_errors *errors);

/*
 * How far accelerations of all particles of the store are from those by ref in
 * double, or by Ewald sums, of the particles that --error names, evenly
 * distributed; NULL: the store's own. The reference is kept for the next call
 * with as many particles. KOSHU_ERROR_OUT_OF_MEMORY, and what
 * koshu_force_direct() returns.
 */
KOSHU_MUST_CHECK koshu_status bench_compare(struct bench *b,
                                            struct koshu_particles *particles,
                                            const struct bench_vectors *a,
                                            struct bench_errors *errors);

/*
 * The two summations that Hamada07 Table 2 compares, for comparison with
 * koshu's own: float sums over tiles (J-BAGs) of j-particles, added up in float
 * (Hamada07 eq. 2). The pair's formula is the same, in float.
 */

/* Particles of a tile. */
enum bench_style {
    BENCH_DIRECT_STYLE = 0,     /* all */
    BENCH_CHAMOMILE_STYLE = 512 /* 16 KB of shared memory (section 2.2.2) */
};

/* Its largest error. KOSHU_ERROR_OUT_OF_MEMORY, and what bench_compare()
 * returns. */
KOSHU_MUST_CHECK koshu_status
bench_style_error(struct bench *b, struct koshu_particles *particles,
                  enum bench_style style, double *largest);

#endif
