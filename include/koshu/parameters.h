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
 * Takes the keys of a file; those that it does not name keep their values.
 * After a failure the parameters are what they were.
 * Status: KOSHU_ERROR_NOT_FOUND: there is no such file; KOSHU_ERROR_IO: it
 * cannot be read; KOSHU_ERROR_BAD_INPUT: not YAML, or a key or value that is
 * refused; KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_INVALID_ARGUMENT: NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_parameters_read(struct koshu_parameters *parameters, const char *path);

/*
 * Takes the keys of a text, as koshu_parameters_read() does; name stands for
 * the file in messages.
 * Status: KOSHU_ERROR_BAD_INPUT, KOSHU_ERROR_OUT_OF_MEMORY and
 * KOSHU_ERROR_INVALID_ARGUMENT as koshu_parameters_read().
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_parameters_parse(struct koshu_parameters *parameters, const char *name,
                       const char *text);

/*
 * Sets one key, "solver.softening" to "1/64"; a list is written "[0, 1, 5/2]".
 * An empty value takes the key back to its default, as if it had not been
 * given.
 * Status: as koshu_parameters_parse().
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_parameters_set(struct koshu_parameters *parameters, const char *key,
                     const char *value);

/*
 * Checks that the keys which have no default are given, and that the values go
 * together. Keys that mean nothing for the model, the method or the scheme are
 * named in the log, and ignored. Simulations do so themselves.
 * Status: KOSHU_ERROR_BAD_INPUT: they are not, or do not;
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
 * The value of a key that is a number, or a whole number.
 * Units: those of the key, see docs/parameters.md; of lengths, masses and
 * times, those that the section units gives. Where a file is to give them
 * (initial.file), numbers with a unit of their own are in SI units until a
 * simulation has read it; so they are in the options below.
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
 * Fills in options with what the keys of one section, or of two, say: run.* for
 * a context, initial.* for a model, solver.* and run.j_capacity and
 * run.transport for a solver, integrator.* for an integrator. Members of which
 * there is no key stay as they are. solver.method: auto is direct here: what a
 * run takes depends on the number of particles (koshu_solver_choose()).
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
 * YAML of all keys that were given and that say what is simulated and
 * written, not where or by what machine (run.*, checkpoint.*, the output
 * directory), and of the solver's and the integrator's keys that were not, with
 * their defaults: what snapshots and checkpoints keep, so that they mean the
 * same where a later koshu has other defaults. The same parameters give the
 * same text.
 * Ownership: the caller frees the text with free().
 * Status: KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_INVALID_ARGUMENT: NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_parameters_text(const struct koshu_parameters *parameters, char **text);

#ifdef __cplusplus
}
#endif

#endif
