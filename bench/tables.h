/* SPDX-License-Identifier: MIT */
/*
 * The tables of a benchmark: its options, the columns of its rows, and its
 * picture. Each entry refers to a member of the case's options, or of its row,
 * by type and offset.
 */
#ifndef KOSHU_BENCH_TABLES_H
#define KOSHU_BENCH_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/force.h>
#include <koshu/initial.h>

#include "app/options.h"

/* ---- members of options and of rows -------------------------------------- */

#define BENCH_ROW(T, member) FIELD(T, member)
/* A member of the case's struct row. */
#define ROW(member) BENCH_ROW(struct row, member)
#define BENCH_OPTION(T, member)                            \
    {                                                      \
        .type = FIELD_TYPE(T, member), .of_options = true, \
        .offset = offsetof(T, member),                     \
    }
#define PAPER(name)                               \
    {                                             \
        .type = FIELD_PRINTED, .printed = (name), \
    }

/* ---- options ------------------------------------------------------------- */

/* The value of --error: which particles are compared. */
enum bench_compared {
    COMPARED_DEFAULT, /* all, up to BENCH_MAX_COMPARED; otherwise a sample */
    COMPARED_NONE,
    COMPARED_SAMPLE,
    COMPARED_ALL
};
enum { BENCH_SAMPLE = 1024, BENCH_MAX_COMPARED = 131072 };

/* The options that cases share: the first member of each case's options. */
struct bench_options {
    struct count_list n, threads; /* threads 0: one per core */
    const char *backend, *file, *table, *plot;
    enum koshu_precision precision;
    enum koshu_model model;
    double eps2, offset;
    size_t repeats; /* 0: as many as needed */
    uint64_t seed;
    enum bench_compared errors;
    bool potential, fast, json, force;
    const struct bench_case *of; /* set after parsing */
};

/* Which of these options a case takes; all take BENCH_TAKES_ALWAYS. */
enum bench_takes {
    BENCH_TAKES_N = 1 << 0,
    BENCH_TAKES_PRECISION = 1 << 1,
    BENCH_TAKES_THREADS = 1 << 2,
    BENCH_TAKES_THREAD_LIST = 1 << 3,
    BENCH_TAKES_EPS2 = 1 << 4,
    BENCH_TAKES_ACCELERATION = 1 << 5,
    BENCH_TAKES_FAST = 1 << 6,
    BENCH_TAKES_ERROR = 1 << 7,
    BENCH_TAKES_OFFSET = 1 << 8,
    BENCH_TAKES_REPEATS = 1 << 9,
    BENCH_TAKES_SEED = 1 << 10,
    BENCH_TAKES_MODEL = 1 << 11,
    BENCH_TAKES_FILE = 1 << 12,
    BENCH_TAKES_TABLE = 1 << 13, /* a table of the case's papers */
    /* --backend, --plot, --json, --force */
    BENCH_TAKES_ALWAYS = 0xf << 14
};

/* Defines a parse() for an enum, by a koshu_..._find(). */
#define BENCH_PARSE(parse, find)                                    \
    static void parse(struct argp_state *state, const char *option, \
                      char *text, void *member)                     \
    {                                                               \
        OPTION_FIND(state, option, text, find, member);             \
    }

/* ---- rows ---------------------------------------------------------------- */

struct bench_timing {
    double seconds, least; /* of one call: median, smallest */
    size_t repeats;
};

/* |a - a_ref| / |a_ref| (Hamada07 eq. 3) over `particles` particles. */
struct bench_errors {
    /* 0: not compared; the other members are NaN */
    size_t particles;
    double median, p99, max, rms; /* of |error| / |value| */
    double l2;                    /* (sum |error|^2 / sum |value|^2)^(1/2) */
};

/* The beginning of every row. JSON has all members that are known. */
struct bench_row {
    size_t n, n_i; /* j-particles; i-particles */
    int threads;
    char backend[16], device[128];
    const char *precision;
    struct bench_timing timing;
    struct bench_errors errors;
    double eps;          /* for tables of papers that have several */
    double interactions; /* per call; NaN: none */
    /* Set by bench_add() from the above: interactions per second, and Gflop/s
     * by the operations per interaction that papers count. */
    double rate, gflops[2];
};

/*
 * A column of the text, if it has a heading, and a member of the JSON object,
 * if it has a key ("a.b" is in an object "a"). A number that is NaN, and a text
 * that is NULL, are "-" in the text and missing in JSON; an infinite number is
 * null in JSON.
 */
struct bench_column {
    const char *key, *heading;
    const char *format; /* for double, long long or const char * */
    struct field field;
    unsigned views; /* in which it is shown; 0: all */
    double scale;   /* factor in the text; 0: 1 */
};

/* Shows a member of struct bench_row as text. */
#define BENCH_SHOW(heading, format, member, ...)                    \
    {                                                               \
        NULL, heading, format, BENCH_ROW(struct bench_row, member), \
                __VA_ARGS__                                         \
    }
/* The view for the text above the rows: "key = value". */
#define BENCH_HEAD (1U << 30)
/* An option, shown there and in JSON. */
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

/* What --plot draws on two logarithmic axes: members of the rows against n (or
 * another member), with a curve for each value of `series`; and numbers of
 * papers. */
struct bench_figure {
    const char *y_label, *x_label; /* x_label NULL: N */
    struct field x;                /* FIELD_NONE: n */
    struct bench_curve {
        const char *name;
        struct field y;
    } curves[2];
    struct field series;
    const char *series_name; /* before the series' number: "theta" */
    const char *papers[4];   /* as in bench_field.printed */
    bool rates;              /* the papers have seconds for n^2 interactions */
    /* a panel for each series, with the first curve as dots, without papers */
    bool panels;
};

/* A member of the row that takes each number of a list in turn. */
struct bench_axis {
    struct field list;   /* FIELD_COUNTS or FIELD_NUMBERS, of the options */
    struct field member; /* size_t or double */
};

struct bench;

struct bench_table {
    const char *name;      /* `bench` in JSON; NULL: the case's name */
    const char *title;     /* what was measured; NULL: no text above the rows */
    const char *particles; /* in words; NULL: those of --model, or --file */
    bool text_only;
    size_t row_size;
    /* ends with one without format and key */
    const struct bench_column *columns;
    int flops[2]; /* "gflops_26"; 0: none */
    struct bench_figure figure;

    /* For bench_sweep(): fills a row, except its base and the members of
     * axes. */
    koshu_status (*measure)(struct bench *b, void *row);
    struct bench_axis parts;   /* each number starts a new table with a head */
    struct bench_axis axes[3]; /* ends with one without a list */
    /* Without --n, a row is skipped if it would take longer than `longest`
     * seconds, given that times grow like N^power; 0: none is skipped. */
    double longest, power;
};

#endif
