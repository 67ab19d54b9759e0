/* SPDX-License-Identifier: MIT */
/* What benchmarks share: `koshu bench WHAT`. */
#ifndef KOSHU_APP_BENCH_H
#define KOSHU_APP_BENCH_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include <koshu/force.h>
#include <koshu/particles.h>
#include <koshu/solver.h>

#include "app.h"

/* The benchmarks; each is a main() of its own. */
int bench_chamomile(int argc, char **argv);
int bench_direct(int argc, char **argv);
int bench_hermite(int argc, char **argv);
int bench_interactions(int argc, char **argv);
int bench_jerk(int argc, char **argv);
int bench_launch(int argc, char **argv);
int bench_model(int argc, char **argv);
int bench_scaling(int argc, char **argv);
int bench_step(int argc, char **argv);
int bench_tree(int argc, char **argv);

/* ---- arguments ----------------------------------------------------------- */

enum { BENCH_LIST = 32 };

/* "2048,4096": one to BENCH_LIST whole numbers, 1 or more; how many. */
size_t bench_counts(struct argp_state *state, const char *option,
                    const char *text, size_t list[BENCH_LIST]);

/* "single", "mixed", "double". */
enum koshu_precision
bench_precision(struct argp_state *state, const char *option, const char *text);

/* Of --threads: bench_counts(), none above 4096. */
size_t bench_threads(struct argp_state *state, const char *text,
                     size_t list[BENCH_LIST]);

/* Of --eps2: 0 or more. */
double bench_eps2(struct argp_state *state, const char *text);

/* Of --repeats: 1 or more. */
size_t bench_repeats(struct argp_state *state, const char *text);

/* Of --error: whose errors are taken. A sample is halved while its sums are
 * more pairs than a host sums in some seconds. */
enum {
    BENCH_SAMPLE = 1024,
    BENCH_MIN_SAMPLE = 64,
    BENCH_MAX_COMPARED = 131072
};
#define BENCH_SAMPLE_PAIRS ((size_t)1 << 35)
enum bench_compared {
    COMPARED_DEFAULT, /* all, up to BENCH_MAX_COMPARED; a sample of more */
    COMPARED_NONE,
    COMPARED_SAMPLE,
    COMPARED_ALL
};
enum bench_compared
bench_compared_named(struct argp_state *state, const char *text);

/* How many of n particles that are. */
size_t bench_compared_count_of(enum bench_compared compared, size_t n);

/* ---- time ---------------------------------------------------------------- */

/* What is timed. wait(): returns when all that once() began is done; NULL:
 * once() does by itself. */
struct bench_work {
    koshu_status (*once)(void *user);
    koshu_status (*wait)(void *user);
    void *user;
};

struct bench_timing {
    double seconds, least; /* of one call: median, smallest */
    size_t repeats;
    size_t calls; /* of a repeat, one after the other, before it waits */
};

/*
 * After a warm-up, `repeats` measurements (0: for half a second, at least 5).
 * A measurement is one call, or as many as take two milliseconds. The first
 * failure ends it.
 */
koshu_status bench_time(const struct bench_work *work, size_t repeats,
                        struct bench_timing *timing);

/* The same for n <= BENCH_WORKS works in turns, a repeat of each, so that what
 * else a machine does slows down all alike. The first says for how long. */
enum { BENCH_WORKS = 2 };
koshu_status bench_times(size_t n, const struct bench_work *works,
                         size_t repeats, struct bench_timing *timings);

/* ---- forces ---------------------------------------------------------------
 */

/* A Plummer sphere moved to (offset, offset, offset). */
struct bench_problem {
    enum koshu_precision precision;
    double eps2, offset;
    uint64_t seed;
    bool potential, fast;
};

/* The sphere; positions rounded to float where the forces are in single
 * precision. KOSHU_ERROR_OUT_OF_MEMORY, and what koshu_initial_create()
 * returns. */
koshu_status bench_particles_of(struct koshu_context *context,
                                const struct bench_problem *problem, size_t n,
                                struct koshu_particles **particles);

struct bench_forces {
    struct koshu_solver *solver;
    struct koshu_particles *particles;
    unsigned fields;
};

/* The caller frees it, whatever the status. */
koshu_status bench_forces_make_of(struct koshu_context *context,
                                  const struct bench_problem *problem, size_t n,
                                  struct bench_forces *forces);
void bench_forces_free(struct bench_forces *forces);

/* Of all forces once, the particles staying where they are. */
koshu_status bench_forces_time(struct bench_forces *forces, size_t repeats,
                               struct bench_timing *timing);

/* Seconds of one more launch (threads: parallel region) in a row of them; 0
 * where the backend has none. repeats 0: 20. */
koshu_status bench_launch_cost(struct koshu_context *context, size_t repeats,
                               double *seconds);

/* ---- errors ---------------------------------------------------------------
 */

/* |a - a_ref| / |a_ref| (Hamada07 eq. 3) over `particles` particles. */
struct bench_errors {
    size_t particles;
    double median, p99, max, rms;
};

/* Of n >= 1 errors, which are put in order. A NaN counts as infinite. */
void bench_errors_sort(size_t n, double *error, struct bench_errors *errors);

/* Of n vectors, given by their components; false: out of memory. */
bool bench_errors_between(size_t n, const double *const reference[3],
                          const double *const value[3],
                          struct bench_errors *errors);

/* Accelerations by ref in double, of the particles index[0 ... n-1]. */
struct bench_reference {
    size_t n, *index;
    double *ax, *ay, *az;
};

/*
 * The reference for n of the store's particles (all, or evenly spread). The
 * caller frees it, whatever the status. KOSHU_ERROR_OUT_OF_MEMORY, and what
 * koshu_force_direct() returns.
 */
koshu_status
bench_reference_make_of(struct koshu_context *ref, double eps,
                        const struct koshu_particle_const_view *particles,
                        size_t n, struct bench_reference *reference);
void bench_reference_free_of(struct bench_reference *reference);

/* How far ax, ay, az (of all particles of the store) are from it; false: out
 * of memory. */
bool bench_errors_of(const struct bench_reference *reference, const double *ax,
                     const double *ay, const double *az,
                     struct bench_errors *errors);

/* ---- JSON -----------------------------------------------------------------
 */

/* Prints the object on a line of its own and drops it. */
void bench_print_json(json_t *object);

#endif
