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

#include <koshu/force.h>
#include <koshu/initial.h>
#include <koshu/particles.h>
#include <koshu/solver.h>

#include "app/app.h"

struct bench;

/* ---- members of options and of rows -------------------------------------- */

/* Lists of the command line; given: not the default. */
enum { BENCH_LIST = 32 };
struct bench_counts {
    size_t n, value[BENCH_LIST];
    bool given;
};
struct bench_numbers {
    size_t n;
    double value[BENCH_LIST];
    bool given;
};

enum bench_type {
    BENCH_NONE,
    BENCH_FLAG,
    BENCH_INT,
    BENCH_SIZE,
    BENCH_REAL,
    BENCH_TEXT,  /* const char *; NULL: none */
    BENCH_CHARS, /* char[] */
    BENCH_COUNTS,
    BENCH_NUMBERS,
    BENCH_ENUM,   /* an option that names it has a parse() of its own */
    BENCH_PRINTED /* by a paper */
};

/* Of which type, and where in its struct. */
struct bench_field {
    enum bench_type type;
    bool of_options; /* else of the row */
    size_t offset;
    const char *printed; /* "hamada07-3.seconds": table and column; "*.seconds":
                            of the table that --table names */
};

#define BENCH_TYPE(T, member) \
    _Generic(((T *)0)->member, bool               \
             : BENCH_FLAG, int                    \
             : BENCH_INT, size_t                  \
             : BENCH_SIZE, double                 \
             : BENCH_REAL, const char *           \
             : BENCH_TEXT, char *                 \
             : BENCH_CHARS, struct bench_counts   \
             : BENCH_COUNTS, struct bench_numbers \
             : BENCH_NUMBERS, default             \
             : BENCH_ENUM)
#define BENCH_ROW(T, member)                                          \
    {                                                                 \
        .type = BENCH_TYPE(T, member), .offset = offsetof(T, member), \
    }
#define BENCH_OPTION(T, member)                            \
    {                                                      \
        .type = BENCH_TYPE(T, member), .of_options = true, \
        .offset = offsetof(T, member),                     \
    }
#define BENCH_PAPER(name)                         \
    {                                             \
        .type = BENCH_PRINTED, .printed = (name), \
    }

/* ---- options ------------------------------------------------------------- */

/* Of --error: whose errors are taken. */
enum bench_compared {
    COMPARED_DEFAULT, /* all, up to BENCH_MAX_COMPARED; a sample of more */
    COMPARED_NONE,
    COMPARED_SAMPLE,
    COMPARED_ALL
};
enum { BENCH_SAMPLE = 1024, BENCH_MAX_COMPARED = 131072 };

/* Those that cases share, the first member of the options of each. */
struct bench_options {
    struct bench_counts n, threads; /* threads 0: one per core */
    const char *backend, *file, *table, *plot;
    enum koshu_precision precision;
    enum koshu_model model;
    double eps2, offset;
    size_t repeats; /* 0: as many as tell something */
    uint64_t seed;
    enum bench_compared errors;
    bool potential, fast, json, force;
};

/* Which of them a case takes. All take --json, and --plot, --force where they
 * have a figure. */
enum bench_takes {
    BENCH_TAKES_N = 1 << 0,
    BENCH_TAKES_PRECISION = 1 << 1,
    BENCH_TAKES_BACKEND = 1 << 2,
    BENCH_TAKES_THREADS = 1 << 3,
    BENCH_TAKES_THREAD_LIST = 1 << 4,
    BENCH_TAKES_EPS2 = 1 << 5,
    BENCH_TAKES_ACCELERATION = 1 << 6,
    BENCH_TAKES_FAST = 1 << 7,
    BENCH_TAKES_ERROR = 1 << 8,
    BENCH_TAKES_OFFSET = 1 << 9,
    BENCH_TAKES_REPEATS = 1 << 10,
    BENCH_TAKES_SEED = 1 << 11,
    BENCH_TAKES_MODEL = 1 << 12,
    BENCH_TAKES_FILE = 1 << 13,
    BENCH_TAKES_TABLE = 1 << 14, /* one of the papers of the case */
    BENCH_TAKES_PLOT = 1 << 15
};

/*
 * An option: a member of the case's options, set by its type. Lists of counts
 * are of 1 or more, others at least `min`; numbers in min ... max, min itself
 * where `closed`, all where there is no max. Help that does not end with a
 * bracket gets the default.
 */
struct bench_option {
    const char *name;
    int key; /* its letter; 0: none */
    const char *argument, *text;
    struct bench_field field;
    double min, max;
    bool closed, hidden;
    /* Instead: into the member. What is no value ends the program by
     * argp_error(). */
    void (*parse)(struct argp_state *state, const char *option,
                  const char *text, void *member);
};

/* An enum by its name, by a koshu_..._find(); the message lists all names. */
#define BENCH_FIND(state, option, text, find, member)                         \
    do {                                                                      \
        if (find(NULL, text, member) != KOSHU_OK)                             \
            argp_error(state, "%s: %s", option, koshu_context_message(NULL)); \
    } while (0)

/* ---- rows ---------------------------------------------------------------- */

struct bench_timing {
    double seconds, least; /* of one call: median, smallest */
    size_t repeats;
    size_t calls; /* of a repeat, one after the other, before it waits */
};

/* |a - a_ref| / |a_ref| (Hamada07 eq. 3) over `particles` particles. */
struct bench_errors {
    size_t particles; /* 0: not taken, the others being NaN */
    double median, p99, max, rms;
};

/* What every row begins with. JSON has all of it that is there. */
struct bench_row {
    size_t n, n_i; /* j-particles; i-particles */
    int threads;
    char backend[16], device[128];
    const char *precision;
    struct bench_timing timing;
    struct bench_errors errors;
    double eps;          /* of papers' tables that have several */
    double interactions; /* of a call; NaN: none */
    /* By bench_add(), from these: per second, and by the operations that
     * papers count in each. */
    double rate, gflops[2];
};

/*
 * A column of the text (where it has a heading) and a member of the JSON object
 * (where it has a key; "a.b" is in an object "a"). A number that is NaN, and a
 * text that is NULL, are left out of JSON, "-" in the text; an infinite one is
 * null in JSON.
 */
struct bench_column {
    const char *key, *heading;
    const char *format; /* of double, long long, const char * */
    struct bench_field field;
    unsigned views; /* that show it; 0: all */
    double scale;   /* of the text; 0: 1 */
};

/* A member of struct bench_row, as text. */
#define BENCH_SHOW(heading, format, member, ...)                    \
    {                                                               \
        NULL, heading, format, BENCH_ROW(struct bench_row, member), \
                __VA_ARGS__                                         \
    }
/* An option, in JSON. */
#define BENCH_TELL(key, T, member)                     \
    {                                                  \
        key, NULL, NULL, BENCH_OPTION(T, member), 0, 0 \
    }
#define BENCH_BAR(shown)                 \
    {                                    \
        .heading = "|", .views = (shown) \
    }
#define BENCH_SHOW_ERRORS(...)                                       \
    BENCH_SHOW("err_med", "%7.1e", errors.median, __VA_ARGS__),      \
            BENCH_SHOW("err_p99", "%7.1e", errors.p99, __VA_ARGS__), \
            BENCH_SHOW("err_max", "%7.1e", errors.max, __VA_ARGS__), \
            BENCH_SHOW("of", "%6lld", errors.particles, __VA_ARGS__)

/* What --plot draws, both axes logarithmic: members of the rows against n, a
 * curve for each value of `series`; and what papers print. */
struct bench_figure {
    const char *y_label;
    struct bench_curve {
        const char *name;
        struct bench_field y;
    } curves[2];
    struct bench_field series;
    const char *series_name; /* before its number: "theta" */
    const char *papers[4];   /* as in bench_field.printed */
    bool rates;              /* the papers' numbers are seconds of n^2 */
    bool panels; /* one for each series: the first curve as dots, no papers */
};

struct bench_table {
    const char *name; /* `bench` of JSON; NULL: the case's */
    bool text_only;
    size_t row_size;
    const struct bench_column *columns; /* the last has no format, no key */
    int flops[2];                       /* "gflops_26"; 0: none */
    /* Prints what was measured, above the first row; NULL: nothing. */
    void (*head)(const struct bench *b, const void *row);
    struct bench_figure figure;
};

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
    unsigned takes;                     /* enum bench_takes */
    const struct bench_option *options; /* its own; the last has no name */
    const void *defaults;               /* of all options */
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
