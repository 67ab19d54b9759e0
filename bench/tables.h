/* SPDX-License-Identifier: MIT */
/*
 * The tables of a benchmark: its options, the columns of its rows, what its
 * picture shows. Each entry names a member of the case's options, or of its
 * row, by type and place.
 */
#ifndef KOSHU_BENCH_TABLES_H
#define KOSHU_BENCH_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/force.h>
#include <koshu/initial.h>

#include "app/app.h"

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
/* A view that is the text above the rows: "key = value". */
#define BENCH_HEAD (1U << 30)
/* An option, there and in JSON. */
#define BENCH_TELL(key, T, member)                              \
    {                                                           \
        key, NULL, NULL, BENCH_OPTION(T, member), BENCH_HEAD, 0 \
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
    const char *name;  /* `bench` of JSON; NULL: the case's */
    const char *title; /* what was measured; NULL: nothing above the rows */
    bool text_only;
    size_t row_size;
    const struct bench_column *columns; /* the last has no format, no key */
    int flops[2];                       /* "gflops_26"; 0: none */
    struct bench_figure figure;
};

#endif
