/* SPDX-License-Identifier: MIT */
/* What parameters consist of; for src/parameters only. */
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
    bool units_used; /* values.units are those of the particles */
};

/* The text of key k: given, or the default. */
const char *koshu_parameters_text_of(const struct koshu_parameters *p, int k);

/* Is there a unit in the text of a number, or of a list of them, that is of the
 * run? */
bool koshu_parameters_has_unit(const struct koshu_parameters *p, int k);

/* Is the text a value of key k? KOSHU_ERROR_BAD_INPUT: "PLACE: PATH: ...". */
KOSHU_MUST_CHECK koshu_status koshu_parameters_check_value(
        struct koshu_parameters *p, int k, const char *text, const char *place);

/* Takes the text of a key, which is one, and where it stands. */
KOSHU_MUST_CHECK koshu_status koshu_parameters_take(struct koshu_parameters *p,
                                                    int k, const char *text,
                                                    const char *place);

/* As if the key had not been given. */
KOSHU_MUST_CHECK koshu_status koshu_parameters_drop(struct koshu_parameters *p,
                                                    int k);

/* After keys were taken: what depends on several of them. */
void koshu_parameters_settle(struct koshu_parameters *p);

/* ---- units.c ------------------------------------------------------------- */

/* The units that numbers are in by now. Where they are not known yet, some in
 * which numbers with a unit have the right sign. */
const struct koshu_units *
koshu_parameters_units(const struct koshu_parameters *p);

/* Are they those of a file that has not been read yet? */
bool koshu_parameters_await_units(const struct koshu_parameters *p);

/* After keys were taken: values.units. */
void koshu_parameters_settle_units(struct koshu_parameters *p);

/* Those that are given, "pc, Msun, Myr", as koshu_units_find() reads them; ""
 * where none is. */
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

/* Are the units a system, and is there one where a number has a unit? */
KOSHU_MUST_CHECK koshu_status
koshu_parameters_check_units(const struct koshu_parameters *p);

/* restart.c: does the key say something of this run, a flow or particles under
 * gravity? */
bool koshu_parameters_concern(const struct koshu_parameters *p,
                              const struct koshu_key *key);

/* check.c: what compares numbers of which some may have units. */
KOSHU_MUST_CHECK koshu_status
koshu_parameters_check_sizes(const struct koshu_parameters *p);

/* Takes the keys of a text. */
KOSHU_MUST_CHECK koshu_status koshu_parameters_take_document(
        struct koshu_parameters *p, const struct koshu_source *source,
        const char *text);

/* A value in YAML: plain where no letter of it means something else, otherwise
 * between double quotes, where what does is escaped. */
void koshu_yaml_put(FILE *out, const char *value);

/* KOSHU_ERROR_BAD_INPUT, with the place: both keys are given. */
koshu_status koshu_parameters_check_either(const struct koshu_parameters *p,
                                           const char *one, const char *other);

/* ---- check_archain.c ----------------------------------------------------- */

/* KOSHU_ERROR_BAD_INPUT: a key that means nothing with this scheme. */
koshu_status koshu_parameters_check_archain(const struct koshu_parameters *p);

/* ---- check_regularisation.c ---------------------------------------------- */

/* KOSHU_ERROR_BAD_INPUT: a key that does not go with few-body groups. */
koshu_status
koshu_parameters_check_regularisation(const struct koshu_parameters *p);

/* ---- check_stars.c ------------------------------------------------------- */

/* Masses and binaries of a model: has each what it needs?
 * KOSHU_ERROR_BAD_INPUT, with the place. */
KOSHU_MUST_CHECK koshu_status
koshu_parameters_check_stars(const struct koshu_parameters *p);

/* ---- check_cluster.c ----------------------------------------------------- */

/* output.log.cluster. */
KOSHU_MUST_CHECK koshu_status
koshu_parameters_check_cluster(const struct koshu_parameters *p);

/* ---- check_events.c ------------------------------------------------------ */

/* The keys of stars. */
KOSHU_MUST_CHECK koshu_status
koshu_parameters_check_events(const struct koshu_parameters *p);

/* ---- check_components.c -------------------------------------------------- */

/* Are there models of initial.components, and is nothing else given in their
 * place? KOSHU_ERROR_BAD_INPUT, with the place. */
KOSHU_MUST_CHECK koshu_status
koshu_parameters_check_components(const struct koshu_parameters *p);

/* ---- check_external.c ---------------------------------------------------- */

/* Are the external fields some, and is this a run for them?
 * KOSHU_ERROR_BAD_INPUT, with the place. */
KOSHU_MUST_CHECK koshu_status
koshu_parameters_check_external(const struct koshu_parameters *p);

/* ---- check_flow.c -------------------------------------------------------- */

/* Of what concerns flows alone. KOSHU_ERROR_BAD_INPUT. */
koshu_status koshu_parameters_check_flow(const struct koshu_parameters *p);

/* ---- check_universe.c ---------------------------------------------------- */

/* Does all go together with integrator.coordinates? KOSHU_ERROR_BAD_INPUT. */
koshu_status
koshu_parameters_check_coordinates(const struct koshu_parameters *p);

#endif
