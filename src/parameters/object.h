/* SPDX-License-Identifier: MIT */
/* The struct of parameters and its internal functions; for src/parameters
 * only. */
#ifndef KOSHU_PARAMETERS_OBJECT_H
#define KOSHU_PARAMETERS_OBJECT_H

#include "parameters/parameters.h"

struct koshu_parameters {
    struct koshu_context *context;
    char *given[KOSHU_N_KEYS]; /* NULL: default */
    char *place[KOSHU_N_KEYS]; /* where it was given */
    char *path[KOSHU_N_KEYS];  /* of a file, as it is opened; else NULL */
    double *list[KOSHU_N_KEYS];
    struct koshu_parameter_values values;
    bool units_used; /* values.units have been set from the particles */
};

/* The text of key k: given, or the default. */
const char *koshu_parameters_text_of(const struct koshu_parameters *p, int k);

/* Whether the text of a number or list contains a unit of the run. */
bool koshu_parameters_has_unit(const struct koshu_parameters *p, int k);

/* Checks that the text is a valid value of key k. KOSHU_ERROR_BAD_INPUT:
 * "PLACE: PATH: ...". */
KOSHU_MUST_CHECK koshu_status koshu_parameters_check_value(
        struct koshu_parameters *p, int k, const char *text, const char *place);

/* Sets a key to a text that is valid, with the place where it was given. */
KOSHU_MUST_CHECK koshu_status koshu_parameters_take(struct koshu_parameters *p,
                                                    int k, const char *text,
                                                    const char *place);

/* Makes the key as if it had not been given. */
KOSHU_MUST_CHECK koshu_status koshu_parameters_drop(struct koshu_parameters *p,
                                                    int k);

/* Computes what depends on several keys, after some have been set. */
void koshu_parameters_settle(struct koshu_parameters *p);

/* ---- units.c ------------------------------------------------------------- */

/* The units of numbers so far. If they are not known yet, units in which
 * numbers with a unit have at least the right sign. */
const struct koshu_units *
koshu_parameters_units(const struct koshu_parameters *p);

/* Whether they will be those of a file that has not been read yet. */
bool koshu_parameters_await_units(const struct koshu_parameters *p);

/* Sets values.units, after keys have been set. */
void koshu_parameters_settle_units(struct koshu_parameters *p);

/* The given units as text, "pc, Msun, Myr", as koshu_units_find() reads them;
 * "": none are given. */
void koshu_parameters_units_text(const struct koshu_parameters *p, char *text,
                                 size_t size);

/* "PLACE: PATH: MESSAGE", the place of the key of this path;
 * KOSHU_ERROR_BAD_INPUT. */
KOSHU_MUST_CHECK koshu_status
koshu_parameters_refuse(const struct koshu_parameters *p, const char *path,
                        const char *message);

/* ---- check_units.c ------------------------------------------------------- */

/* KOSHU_ERROR_BAD_INPUT: a number has a unit in a run without. */
KOSHU_MUST_CHECK koshu_status
koshu_parameters_check_numbers(const struct koshu_parameters *p);

/* Checks that the units form a system, and exist if a number has a unit. */
KOSHU_MUST_CHECK koshu_status
koshu_parameters_check_units(const struct koshu_parameters *p);

/* restart.c: whether the key has a meaning in this run, of a flow or of
 * particles under gravity. */
bool koshu_parameters_concern(const struct koshu_parameters *p,
                              const struct koshu_key *key);

/* check.c: checks that compare numbers, some of which may have units. */
KOSHU_MUST_CHECK koshu_status
koshu_parameters_check_sizes(const struct koshu_parameters *p);

/* Takes the keys of a text. */
KOSHU_MUST_CHECK koshu_status koshu_parameters_take_document(
        struct koshu_parameters *p, const struct koshu_source *source,
        const char *text);

/* Writes a value in YAML: plain if no character of it has a meaning, otherwise
 * escaped and between double quotes. */
void koshu_yaml_put(FILE *out, const char *value);

/* KOSHU_ERROR_BAD_INPUT, with the place: both keys are given. */
koshu_status koshu_parameters_check_either(const struct koshu_parameters *p,
                                           const char *one, const char *other);

/* ---- check_archain.c ----------------------------------------------------- */

/* KOSHU_ERROR_BAD_INPUT: a key has no meaning with this scheme. */
koshu_status koshu_parameters_check_archain(const struct koshu_parameters *p);

/* ---- check_regularisation.c ---------------------------------------------- */

/* KOSHU_ERROR_BAD_INPUT: a key cannot be combined with few-body groups. */
koshu_status
koshu_parameters_check_regularisation(const struct koshu_parameters *p);

/* ---- check_stars.c ------------------------------------------------------- */

/* Checks that masses and binaries of a model have what they need.
 * KOSHU_ERROR_BAD_INPUT, with the place. */
KOSHU_MUST_CHECK koshu_status
koshu_parameters_check_stars(const struct koshu_parameters *p);

/* ---- check_cluster.c ----------------------------------------------------- */

/* Checks output.log.cluster and criteria of a star cluster. */
KOSHU_MUST_CHECK koshu_status
koshu_parameters_check_cluster(const struct koshu_parameters *p);

/* ---- check_events.c ------------------------------------------------------ */

/* Checks the keys of mergers, escapers and mass loss. */
KOSHU_MUST_CHECK koshu_status
koshu_parameters_check_events(const struct koshu_parameters *p);

/* ---- check_components.c -------------------------------------------------- */

/* Checks that initial.components has models, and that no other keys give one.
 * KOSHU_ERROR_BAD_INPUT, with the place. */
KOSHU_MUST_CHECK koshu_status
koshu_parameters_check_components(const struct koshu_parameters *p);

/* ---- check_external.c ---------------------------------------------------- */

/* Checks that the external fields are valid, and that the run can have them.
 * KOSHU_ERROR_BAD_INPUT, with the place. */
KOSHU_MUST_CHECK koshu_status
koshu_parameters_check_external(const struct koshu_parameters *p);

/* ---- check_flow.c -------------------------------------------------------- */

/* Checks keys of flows. KOSHU_ERROR_BAD_INPUT. */
koshu_status koshu_parameters_check_flow(const struct koshu_parameters *p);

/* ---- check_universe.c ---------------------------------------------------- */

/* Checks that keys go with integrator.coordinates. KOSHU_ERROR_BAD_INPUT. */
koshu_status
koshu_parameters_check_coordinates(const struct koshu_parameters *p);

#endif
