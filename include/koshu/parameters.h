/* SPDX-License-Identifier: MIT */
/*
 * The parameters of a run: a YAML file, keys set by hand, or both.
 *
 * Every key has a type, a range, a default and a meaning: docs/parameters.md
 * and `koshu run --help-parameters` list them, from one table. A value is
 * checked when it is read, against that table: an unknown key, a wrong type,
 * a value out of range or a key given twice is refused with one line that
 * names file, line, key, what was expected and what came. What depends on
 * several keys is checked by koshu_parameters_check(). Some defaults depend on
 * integrator.scheme.
 *
 * Numbers may be fractions, "1/256": exact where the quotient is.
 */
#ifndef KOSHU_PARAMETERS_H
#define KOSHU_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/initial.h>
#include <koshu/integrator.h>
#include <koshu/snapshot.h>
#include <koshu/solver.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_parameters;

struct koshu_times {
    const double *time;
    size_t n;
};

/* The values of all keys. Strings are never NULL. */
struct koshu_parameter_values {
    const char *title;
    const char *initial_file;             /* "": the model */
    struct koshu_initial_options initial; /* the model */
    struct koshu_solver_options solver;   /* its tree is: */
    struct koshu_tree_options tree;
    uint64_t reorder; /* tree: steps between sorts of the store; 0: never */
    struct {
        enum koshu_scheme scheme;
        enum koshu_step_rule step;
        double dt;
        double eta, eta_start;
        uint64_t iterations; /* of hermite */
        double end;          /* the time at which the run ends */
    } integrator;
    const char *directory;
    struct {
        enum koshu_format format;
        double interval; /* 0: none */
        struct koshu_times times;
        bool first, last; /* also at the beginning, at the end */
    } snapshot;
    struct {
        double interval; /* 0: by steps */
        uint64_t steps;
    } log;
    struct {
        uint64_t steps; /* 0: never */
        uint64_t sample;
    } errors; /* of a tree */
    struct {
        double interval; /* seconds of wall clock; 0: not by the clock */
        uint64_t keep;
        bool first; /* also one of the beginning */
    } checkpoint;
    const char *backend, *devices, *exchange;
    uint64_t threads;
    double wall_clock_limit; /* seconds; 0: none */
    const char *stop_file;   /* its name in the output directory */
};

/* Every key at its default. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_parameters_create(
        struct koshu_context *context, struct koshu_parameters **parameters);

/* NULL is allowed. */
KOSHU_API void koshu_parameters_destroy(struct koshu_parameters *parameters);

/*
 * Takes the keys of a file; those that it does not name keep their values.
 * After a failure the parameters are what they were.
 * KOSHU_ERROR_NOT_FOUND: no such file; KOSHU_ERROR_IO; KOSHU_ERROR_BAD_INPUT:
 * not YAML, or a key or value that is refused; KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_parameters_read(struct koshu_parameters *parameters, const char *path);

/* The same from text; name stands for the file in messages. */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_parameters_parse(struct koshu_parameters *parameters, const char *name,
                       const char *text);

/*
 * One key, "solver.softening" to "1/64"; a list is written "[0, 1, 5/2]".
 * KOSHU_ERROR_BAD_INPUT: refused as in a file; KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_parameters_set(struct koshu_parameters *parameters, const char *key,
                     const char *value);

/*
 * Are the keys that have no default there, and do the values go together?
 * Simulations ask this themselves. KOSHU_ERROR_BAD_INPUT.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_parameters_check(const struct koshu_parameters *parameters);

/* Valid until the parameters change. */
KOSHU_API const struct koshu_parameter_values *
koshu_parameters_values(const struct koshu_parameters *parameters);

/*
 * YAML of all keys that were given and that say what is simulated and
 * written, not where or by what machine (run.*, checkpoint.*, the output
 * directory), and of the solver's and the integrator's keys that were not, with
 * their defaults: what snapshots and checkpoints keep, so that they mean the
 * same where a later koshu has other defaults. The same parameters give the
 * same text. The caller frees it with free(). KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_parameters_text(const struct koshu_parameters *parameters, char **text);

#ifdef __cplusplus
}
#endif

#endif
