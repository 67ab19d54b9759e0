/* SPDX-License-Identifier: MIT */
/*
 * The harness of `koshu bench WHAT`, as seen by a benchmark: a file of
 * bench/cases with a function that fills a row. A case declares, as tables, its
 * options, the columns of its rows, and what it sweeps over. From these the
 * harness makes the command line and its help, the text table, the JSON
 * objects, and the picture. It also provides what cases share: particles,
 * times, errors, and numbers of papers.
 *
 * All functions must be called by one thread.
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

/* A view that is not shown as text. */
#define BENCH_HIDDEN (1U << 31)

/* Starts the rows of a table; as text they have the columns of a view. */
void
bench_start(struct bench *b, const struct bench_table *table, unsigned view);

/* The same, followed by a row for each N, number of threads, and number of each
 * axis; the last axis changes fastest. */
KOSHU_MUST_CHECK koshu_status bench_sweep(struct bench *b,
                                          const struct bench_table *table);

/* A row for n particles acting on each other, with the settings of the
 * context. */
struct bench_row bench_row(const struct bench *b, size_t n);

/* Changes the view before any row has been printed, as it may depend on what
 * the first row measured. */
void bench_view(struct bench *b, unsigned view);

/* The first of these rows with as many particles; NULL: there is none. */
const void *bench_first_of(const struct bench *b, size_t n);

/* Prints the row. KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_BAD_INPUT (JSON). */
KOSHU_MUST_CHECK koshu_status bench_add(struct bench *b, void *row);

/* Prints all rows so far as text, with the columns of another view. */
void bench_show_again(struct bench *b, unsigned view);

/* The number that a paper's table has for the row's n (n_i, eps). NaN: there is
 * no such row; infinite: the row has no number. */
double bench_printed(const struct bench *b, const char *printed,
                     const struct bench_row *row);

/* ---- a case -------------------------------------------------------------- */

/* A table or figure of a paper that a benchmark reproduces. */
struct bench_item {
    const char *paper, *item; /* "Hamada09", "Fig. 3" */
    const char *what, *options;
};

struct bench_case {
    const char *name, *summary, *doc;
    /* ends with one without a paper; NULL: none */
    const struct bench_item *items;
    unsigned takes; /* enum bench_takes */
    /* the case's own; ends with one without a name */
    const struct command_option *options;
    const void *defaults; /* of all options */
    size_t options_size;
    /* In single precision, positions are rounded to float first, so that errors
     * do not include this rounding. */
    bool rounds;
    /* Called when all options are read: argp_error() for contradictions. */
    void (*check)(struct argp_state *state, void *options);
    const char *const *papers; /* tables in bench/papers; ends with NULL */
    /* What it does: sweep this table, or run(). */
    const struct bench_table *table;
    koshu_status (*run)(struct bench *b);
    /* For --plot: returns true if it has drawn a picture itself, instead of
     * curves of the rows. NULL: it never does. */
    bool (*draws)(const struct bench *b);
    koshu_status (*draw)(struct bench *b);
};

/* A running benchmark. */
struct bench {
    const struct bench_case *which;
    /* the case's options, which begin with those of `options` */
    const void *own;
    const struct bench_options *options;
    struct koshu_context *context;
    int threads; /* that the context was created with */
    /* the context could not be created; a message has been printed */
    bool refused;
    struct koshu_context *ref;
    struct bench_output *output;
    struct bench_papers *papers;
    struct bench_reference *reference;
    /* Edge of a periodic box around 0, in which references are Ewald sums; 0:
     * none. */
    double box;
};

/* Creates b->context anew if it does not have so many threads. */
KOSHU_MUST_CHECK koshu_status bench_use_threads(struct bench *b,
                                                size_t threads);

/* To be called before measuring: may the first rank write this file? Calls
 * refuse_to_overwrite() or refuse_to_draw_over(). Collective. */
KOSHU_MUST_CHECK koshu_status bench_check_output(
        const struct bench *b, const char *path,
        koshu_status (*refuse)(struct koshu_context *, const char *, bool));

/* A context with the backend ref, shared by all rows; it must not be
 * destroyed. */
KOSHU_MUST_CHECK koshu_status bench_ref(struct bench *b,
                                        struct koshu_context **ref);
/* The status of a call with another context, whose message is copied to b's. */
KOSHU_MUST_CHECK koshu_status bench_status_of(const struct bench *b,
                                              const struct koshu_context *other,
                                              koshu_status status);

/* ---- particles ----------------------------------------------------------- */

/*
 * n particles of the model, or those of --file, moved by --offset; the caller
 * destroys them. KOSHU_ERROR_OUT_OF_MEMORY, and the statuses of
 * koshu_initial_create() and koshu_snapshot_read().
 */
KOSHU_MUST_CHECK koshu_status bench_particles(
        const struct bench *b, size_t n, struct koshu_particles **particles);

/* From the options --precision, --eps2 and --fast. */
struct koshu_solver_options bench_solver_options(const struct bench *b);

/* Self-gravitating particles. */
struct bench_system {
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_integrator *integrator; /* NULL: they do not move */
    unsigned fields; /* accelerations, and potentials if they are computed */
};

/* solver NULL: bench_solver_options(); integrator NULL: none. The caller frees
 * the system, whatever the status. */
KOSHU_MUST_CHECK koshu_status
bench_system_make(const struct bench *b, size_t n,
                  const struct koshu_solver_options *solver,
                  const struct koshu_integrator_options *integrator,
                  struct bench_system *system);
void bench_system_free(struct bench_system *system);

/* once() and wait() of struct bench_work: all forces of a system, without
 * moving the particles. */
koshu_status bench_forces(void *system);
koshu_status bench_wait(void *system);

/* From the current velocities and potentials. */
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

/* n of `of` targets, evenly spread over the particles. The caller frees them,
 * whatever the status. */
KOSHU_MUST_CHECK koshu_status bench_sums_make(
        const struct bench *b, const struct koshu_particle_const_view *view,
        size_t of, size_t n, unsigned what, struct bench_sums *sums);
void bench_sums_free(struct bench_sums *sums);

/* ---- time ---------------------------------------------------------------- */

/* The work to be timed. wait() returns when everything that once() started is
 * complete; NULL: once() itself does. */
struct bench_work {
    koshu_status (*once)(void *user);
    koshu_status (*wait)(void *user);
    void *user;
    /* NULL, or all ranks of this context do the work, until the last has
     * finished. */
    struct koshu_context *ranks;
    size_t max_calls; /* per measurement; 0: as many as needed */
};

/*
 * After a warm-up, takes `repeats` measurements (0: for half a second, at least
 * 5; on ranks for a fifth of a second, 3 to 25). A measurement is one call or,
 * if that is short, as many as take two milliseconds (on ranks a fifth of a
 * second). The first failure ends it.
 */
KOSHU_MUST_CHECK koshu_status bench_time(const struct bench_work *work,
                                         size_t repeats,
                                         struct bench_timing *timing);

/* The same for n <= BENCH_WORKS works, one repeat of each in turn, so that
 * other load on the machine slows down all alike. The first work determines how
 * long. */
enum { BENCH_WORKS = 4 };
KOSHU_MUST_CHECK koshu_status bench_times(size_t n,
                                          const struct bench_work *works,
                                          size_t repeats,
                                          struct bench_timing *timings);

/* Compares doubles for qsort(). */
int bench_ascending(const void *a, const void *b);

/* ---- series of sizes ---------------------------------------------------- */

/* The times for a series of sizes, with the line t = a n + b fitted to them. */
enum { BENCH_SIZES = 12 };
struct bench_line {
    size_t n; /* 0: not measured */
    struct bench_timing timings[BENCH_SIZES];
    struct koshu_fit fit;
};

/* Times the work for each of the sizes, which end with 0. The work reads its
 * size from *n. */
KOSHU_MUST_CHECK koshu_status bench_line_time(const struct bench_work *work,
                                              size_t *n, const size_t *sizes,
                                              size_t repeats,
                                              struct bench_line *line);

/* An operation of the backend that costs time, on n items of so many units
 * each. */
struct bench_cost {
    struct koshu_backend *backend;
    enum koshu_cost what;
    size_t units, n;
    void *host; /* host memory to copy from and to */
};

/* bench_line_time() of such an operation. KOSHU_ERROR_UNSUPPORTED: the backend
 * does not have it. */
KOSHU_MUST_CHECK koshu_status bench_cost_time(struct bench_cost *cost,
                                              const size_t *sizes,
                                              size_t repeats,
                                              struct koshu_context *ranks,
                                              struct bench_line *line);

/* Seconds of one more launch (with threads: parallel region) in a row of
 * launches; 0: the backend has none. repeats 0: 20. */
KOSHU_MUST_CHECK koshu_status bench_launch_cost(struct koshu_context *context,
                                                size_t repeats,
                                                double *seconds);

/* Sizes of rows of launches and of waits. */
extern const size_t bench_rows_of_calls[];

/* ---- errors -------------------------------------------------------------- */

/* How many of n particles are compared according to --error. */
size_t bench_compared_count(const struct bench *b, size_t n);

/* Sorts n >= 1 errors and fills *errors. A NaN counts as infinite. */
void bench_errors_sort(size_t n, double *error, struct bench_errors *errors);

/* Vector k of n is at[0][k step], at[1][k step], at[2][k step]. */
struct bench_vectors {
    const double *at[3];
    size_t n, step;
};

/* Compares values of a sample of all (kernels/sample.h).
 * KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status bench_errors_between(
        const struct bench *b, const struct bench_vectors *reference,
        const struct bench_vectors *all, struct bench_errors *errors);

/*
 * Compares accelerations of the store's particles with those by ref in double
 * precision, or by Ewald sums, for evenly spread particles, as many as --error
 * sets. NULL: the store's own accelerations. The reference is kept for the next
 * call with as many particles. KOSHU_ERROR_OUT_OF_MEMORY, and the statuses of
 * koshu_force_direct().
 */
KOSHU_MUST_CHECK koshu_status bench_compare(struct bench *b,
                                            struct koshu_particles *particles,
                                            const struct bench_vectors *a,
                                            struct bench_errors *errors);

/*
 * The two summations that Hamada07 Table 2 compares, for comparison with
 * koshu's own: float sums over tiles (J-BAGs) of j-particles, which are added
 * up in float (Hamada07 eq. 2). The formula of a pair is the same, in float.
 */

/* The number of particles in a tile. */
enum bench_style {
    BENCH_DIRECT_STYLE = 0,     /* all particles */
    BENCH_CHAMOMILE_STYLE = 512 /* 16 KB of shared memory (section 2.2.2) */
};

/* The largest error of a summation. KOSHU_ERROR_OUT_OF_MEMORY, and the statuses
 * of bench_compare(). */
KOSHU_MUST_CHECK koshu_status
bench_style_error(struct bench *b, struct koshu_particles *particles,
                  enum bench_style style, double *largest);

#endif
