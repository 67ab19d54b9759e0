/* SPDX-License-Identifier: MIT */
/*
 * The parameters of a run: a YAML file, keys set by hand, or both.
 *
 * Every key has a type, a range, a default and a meaning: docs/parameters.md
 * and `koshu run --help-parameters` list them, from one table. A value is
 * checked when it is read, against that table: an unknown key, a wrong type,
 * a value out of range or a key given twice is refused with one line that
 * names file, line, key, what was expected and what came. Conditions on several
 * keys are checked by koshu_parameters_check(). Some defaults depend on
 * integrator.scheme.
 *
 * Numbers may be fractions, "1/256": exact where the quotient is.
 *
 * Keys that koshu 0.1 had by another name are read under it, with a warning in
 * the log that has the new name; a file that has both is refused.
 *
 * Threads: one thread at a time per object; any number may read one that none
 * changes.
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
#include <koshu/solver.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_parameters;

/*
 * Creates parameters with every key at its default.
 * Ownership: the caller destroys them; the context must outlive them.
 * Status: KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_INVALID_ARGUMENT: NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_parameters_create(
        struct koshu_context *context, struct koshu_parameters **parameters);

/* Destroys parameters; NULL is allowed. */
KOSHU_API void koshu_parameters_destroy(struct koshu_parameters *parameters);

/*
 * Reads the keys of a file; keys that it does not contain keep their values.
 * After a failure the parameters are unchanged.
 * Status: KOSHU_ERROR_NOT_FOUND: there is no such file; KOSHU_ERROR_IO: it
 * cannot be read; KOSHU_ERROR_BAD_INPUT: not YAML, or a key or value that is
 * refused; KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_INVALID_ARGUMENT: NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_parameters_read(struct koshu_parameters *parameters, const char *path);

/*
 * Reads the keys from a text, like koshu_parameters_read(); name stands for the
 * file in messages.
 * Status: KOSHU_ERROR_BAD_INPUT, KOSHU_ERROR_OUT_OF_MEMORY and
 * KOSHU_ERROR_INVALID_ARGUMENT as koshu_parameters_read().
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_parameters_parse(struct koshu_parameters *parameters, const char *name,
                       const char *text);

/*
 * Sets one key, "solver.softening" to "1/64"; a list is written "[0, 1, 5/2]".
 * An empty value resets the key to its default, as if it had not been given.
 * Status: as koshu_parameters_parse().
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_parameters_set(struct koshu_parameters *parameters, const char *key,
                     const char *value);

/*
 * Checks that keys without a default are given, and that the values are
 * consistent. Keys that have no effect with the model, method or scheme are
 * ignored, with a message in the log. Simulations call this themselves.
 * Status: KOSHU_ERROR_BAD_INPUT: a key is missing, or values are inconsistent;
 * KOSHU_ERROR_INVALID_ARGUMENT: NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_parameters_check(const struct koshu_parameters *parameters);

/*
 * The value of a key as text: as it was given, or its default; the path of a
 * file as it is opened.
 * Ownership: the text is the parameters', and valid until they change.
 * Status: KOSHU_ERROR_NOT_FOUND: there is no such key;
 * KOSHU_ERROR_INVALID_ARGUMENT: NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_parameters_get(const struct koshu_parameters *parameters, const char *key,
                     const char **text);

/*
 * Returns the value of a key that is a number, or an integer.
 * Units: those of the key, see docs/parameters.md; lengths, masses and times
 * are in the units of the section units. If a file determines these
 * (initial.file), numbers with a unit of their own are in SI units until a
 * simulation has read the file; the same holds for the options below.
 * Status: KOSHU_ERROR_NOT_FOUND: there is no such key;
 * KOSHU_ERROR_INVALID_ARGUMENT: the key is of another type, NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_parameters_get_real(const struct koshu_parameters *parameters,
                          const char *key, double *value);
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_parameters_get_whole(const struct koshu_parameters *parameters,
                           const char *key, uint64_t *value);

/*
 * Fills in options from the keys of one or two sections: run.* for a context,
 * initial.* for a model, solver.* and run.j_capacity and run.transport for a
 * solver, integrator.* for an integrator. Members without a key are left alone.
 * Here solver.method: auto gives direct, since what a run uses depends on the
 * number of particles (koshu_solver_choose()).
 * Ownership: strings, and the options of the tree, are the parameters', and
 * valid until they change.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL, options->size is not set;
 * KOSHU_ERROR_NOT_FOUND: run.exchange is not the name of an exchange;
 * KOSHU_ERROR_UNSUPPORTED: options that only a later koshu has are set.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_parameters_context(const struct koshu_parameters *parameters,
                         struct koshu_context_options *options);
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_parameters_initial(const struct koshu_parameters *parameters,
                         struct koshu_initial_options *options);
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_parameters_solver(const struct koshu_parameters *parameters,
                        struct koshu_solver_options *options);
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_parameters_integrator(const struct koshu_parameters *parameters,
                            struct koshu_integrator_options *options);

/*
 * Writes YAML of all given keys that determine what is simulated and written,
 * but not where or by what machine (run.*, checkpoint.*, the output directory),
 * and of the remaining solver and integrator keys with their defaults.
 * Snapshots and checkpoints store this text, so that it means the same to a
 * later koshu with other defaults. The same parameters give the same text.
 * Ownership: the caller frees the text with free().
 * Status: KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_INVALID_ARGUMENT: NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_parameters_text(const struct koshu_parameters *parameters, char **text);

#ifdef __cplusplus
}
#endif

#endif
