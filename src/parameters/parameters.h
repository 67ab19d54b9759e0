/* SPDX-License-Identifier: MIT */
/*
 * The parameter file. The checks of values (values.c), the help and the
 * documentation (describe.c) are all made from one table of keys (keys.c).
 *
 * A file is read in two stages. document.c takes from libyaml's document tree
 * the text of each key and its line, or finds that a key is unknown or given
 * twice. Then each text is converted to a typed value, or refused with its
 * line.
 */
#ifndef KOSHU_PARAMETERS_PARAMETERS_H
#define KOSHU_PARAMETERS_PARAMETERS_H

#include <stdio.h>

#include <koshu/parameters.h>
#include <koshu/snapshot.h>

#include "parameters/components.h"
#include "parameters/flow_values.h"

struct koshu_times {
    const double *time;
    size_t n;
};

/* Coordinates of particles. */
enum koshu_coordinates {
    KOSHU_COORDINATES_PHYSICAL,
    KOSHU_COORDINATES_COMOVING
};

/* The values of all keys. Strings are never NULL. */
struct koshu_parameter_values {
    const char *title;
    struct {
        const char *length, *mass, *time, *velocity; /* "": not given */
    } unit;
    /* The units of all numbers: those given; else those of the particles, once
     * known (koshu_parameters_use_units()); else dimensionless. */
    struct koshu_units units;
    /* Of the model, in these units: its mass, and its length that is 1. */
    double total_mass, virial_radius, radius, edge, scale_length,
            semi_major_axis;
    const char *initial_file;             /* "": there is a model */
    const char *components;               /* several models; "": the model */
    struct koshu_initial_options initial; /* the model */
    struct koshu_solver_options solver;   /* with these as its tree and fmm: */
    struct koshu_tree_options tree;
    struct koshu_laplace_options fmm;
    const char *interaction, *constants; /* for solver.method: interaction */
    /* enum koshu_method, or KOSHU_METHOD_AUTO: then the solver's method is
     * direct until one has been chosen */
    int method;
    double accuracy;   /* 0: method and parameters are given; auto: default */
    double chosen_for; /* the accuracy of the choice; 0: none was made */
    uint64_t expansion_order; /* fmm */
    double theta;             /* of tree and fmm; comoving: 0 sets: */
    bool theta_by_motion;     /* fmm.theta is the minimum, and grows */
    enum koshu_boundary boundary;
    double box;       /* periodic: its edge; 0: from the file */
    uint64_t reorder; /* steps between sorts of the store; 0: never */
    struct {
        enum koshu_coordinates coordinates;
        enum koshu_scheme scheme;
        enum koshu_step_rule step;
        double dt; /* comoving: d ln a */
        double eta, eta_start;
        uint64_t iterations;                 /* hermite */
        double regularisation, perturbation; /* hermite */
        double tolerance, slow_down;         /* archain, and few-body groups */
        double end;                          /* time at which the run ends */
        double end_redshift; /* if given, end is its scale factor */
    } integrator;
    const char *external_fields; /* "": none */
    struct {
        double radius, radius_mass, radius_exponent;
        double escape_distance, tidal_radius; /* 0: none leaves */
        const char *mass_table;               /* a file; "": none */
    } stars;
    double softening_physical; /* comoving: the maximum; 0: no limit */
    struct {
        double w, omega_r;
    } cosmology;
    struct {
        struct koshu_times grid; /* three whole numbers, or none */
    } domain;
    struct koshu_flow_values flow;
    const char *directory;
    struct {
        enum koshu_format format;
        double interval; /* 0: none */
        struct koshu_times times, redshifts;
        bool first, last; /* also at the beginning; at the end */
        uint64_t files;   /* of each; 0: by hosts and particles */
    } snapshot;
    struct {
        double interval; /* 0: by steps */
        uint64_t steps;
        bool cluster; /* cluster.csv too */
    } log;
    struct {
        uint64_t steps; /* 0: never */
        uint64_t sample;
    } errors; /* of the tree or the FMM */
    struct {
        double interval; /* seconds of wall clock; 0: off */
        uint64_t keep;
        bool first; /* also at the beginning */
    } checkpoint;
    const char *backend, *devices, *exchange;
    uint64_t threads;
    double wall_clock_limit; /* seconds; 0: none */
    const char *stop_file;   /* its name in the output directory */
    struct {
        double energy_error, escaped_fraction, core_radius; /* 0: none */
    } stop;
};

static inline bool
koshu_is_comoving(const struct koshu_parameter_values *values)
{
    return values->integrator.coordinates == KOSHU_COORDINATES_COMOVING;
}

/* solver.method: auto. */
enum { KOSHU_METHOD_AUTO = KOSHU_METHOD_INTERACTION + 1 };

enum koshu_key_type {
    KOSHU_KEY_TEXT,   /* const char *; with choice(): one of its names */
    KOSHU_KEY_CHOICE, /* an enum: the number of the name in choice() */
    KOSHU_KEY_WHOLE,  /* uint64_t */
    KOSHU_KEY_REAL,   /* double; fractions allowed */
    KOSHU_KEY_FLAG,   /* bool */
    KOSHU_KEY_REALS,  /* a list of doubles */
    KOSHU_KEY_WHOLES  /* the same, whole numbers */
};

/* What a restart allows. */
enum koshu_key_restart {
    KOSHU_RESTART_FREE,   /* may change */
    KOSHU_RESTART_FORCED, /* changes the physics: only on demand */
    KOSHU_RESTART_FIXED   /* cannot change: it made the particles */
};

/* Whether a text names a file. */
enum koshu_key_file {
    KOSHU_FILE_NONE,
    KOSHU_FILE_ANYWHERE, /* ~ is the home directory */
    KOSHU_FILE_OF_RUN    /* below the output directory */
};

/* Inclusive unless open. */
struct koshu_key_range {
    double low, high;
    bool low_open, high_open, not_zero;
};

struct koshu_key {
    const char *path; /* "solver.softening" */
    enum koshu_key_type type;
    size_t offset;        /* in struct koshu_parameter_values */
    const char *value;    /* default; of a required key: an example */
    bool required, local; /* local: where and how, not what */
    enum koshu_key_restart restart;
    enum koshu_key_file file;     /* of KOSHU_KEY_TEXT */
    struct koshu_key_range range; /* of KOSHU_KEY_WHOLE, _REAL, _REALS */
    /* _REAL, _REALS: a number with a unit of this quantity, or without; _TEXT:
     * a unit; NULL: numbers without units. */
    const enum koshu_quantity *quantity;
    /* units of a number without unit, whatever the run's, "pc, Msun, d"; NULL:
     * the run's */
    const char *own_units;
    const char *(*choice)(int k); /* NULL after the last */
    int first_choice;             /* the first valid number */
    unsigned models;   /* bits 1 << model that have the key; 0: all */
    unsigned schemes;  /* the same for integrator.scheme */
    unsigned methods;  /* the same for solver.method */
    bool chosen;       /* by solver.accuracy */
    unsigned criteria; /* the same for solver.opening_criterion */
    /* default with this scheme, NULL: the same */
    const char *hermite, *archain;
    bool of_comoving;     /* for comoving coordinates only */
    const char *comoving; /* default in comoving coordinates, NULL: the same */
    const char *former;   /* its path in koshu 0.1, NULL: the same */
    const char *earlier;  /* its default there, NULL: the same */
    const char *meaning;
};

struct koshu_section {
    const char *path; /* "output.snapshot" */
    const char *meaning;
};

/* ---- keys.c, sections.c -------------------------------------------------- */

enum { KOSHU_N_KEYS = 148, KOSHU_N_SECTIONS = 21 };
extern const struct koshu_key koshu_keys[KOSHU_N_KEYS];
extern const struct koshu_section koshu_sections[KOSHU_N_SECTIONS];

/* ---- lookup.c ---------------------------------------------------------- */

/* The index of a key or section with this path; -1: none. */
int koshu_key_find(const char *path);
int koshu_section_find(const char *path);

/* The name in koshu 0.1 of the key that is now *k; NULL, *k = -1: none. */
const char *koshu_key_find_former(const char *path, int *k);

/* The last part of a path, and the length of the part before it, without the
 * dot. */
const char *koshu_key_name(const char *path);
size_t koshu_key_section_length(const char *path);

/* Whether this is the path of a key or section directly below that section. */
bool koshu_key_is_below(const char *path, const char *section);

/* The default value with that scheme. */
const char *
koshu_key_default(const struct koshu_key *key, enum koshu_scheme scheme);

/* ---- expectation.c ----------------------------------------------------- */

/* Writes what the key expects: "a whole number >= 1", "one of single, mixed,
 * double". */
void
koshu_key_expectation(const struct koshu_key *key, char *text, size_t size);

/* ---- document.c -------------------------------------------------------- */

/* Where a text comes from: a file, whose lines are named in messages, or a
 * single setting, "set solver.softening=1/64". */
struct koshu_source {
    struct koshu_context *context;
    const char *name;
    bool has_lines;
    bool kept; /* written by koshu: former names of keys need no warning */
};

enum { KOSHU_PARAMETERS_BYTES = 1 << 20 }; /* limit of a text */

/* "run.yaml:7", or the name alone. */
void koshu_source_place(const struct koshu_source *source, int line, char *text,
                        size_t size);

/* KOSHU_ERROR_BAD_INPUT: "run.yaml:7: MESSAGE". */
koshu_status koshu_source_fail(const struct koshu_source *source, int line,
                               const char *format, ...) KOSHU_PRINTF(3, 4);

/*
 * To be called before anything else reads a text. KOSHU_ERROR_BAD_INPUT, with
 * the line: it is nested deeper than any key, has more values than a run can
 * use, or has directives, which could take unlimited time to read.
 */
koshu_status
koshu_yaml_check(const struct koshu_source *source, const char *text);

/* The keys of a YAML text. */
struct koshu_document {
    struct {
        int line;           /* 0: not given */
        const char *former; /* the name it is given by; NULL: its present one */
        char *text;         /* of a list: "[0, 1, 5/2]" */
    } key[KOSHU_N_KEYS];
};

/*
 * Reads a text; the caller frees the document, whatever the status.
 * KOSHU_ERROR_BAD_INPUT: not YAML, an unknown key, one given twice or by both
 * its names, a section where a value should be or the reverse.
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_document_read(const struct koshu_source *source,
                                 const char *text,
                                 struct koshu_document *document);
void koshu_document_free(struct koshu_document *document);

/* ---- values.c ---------------------------------------------------------- */

bool koshu_parse_whole(const char *text, uint64_t *value);

/* An upper limit of the number of entries in the text of a list. */
size_t koshu_list_length(const char *text);

/*
 * Stores the value of a key's text in the struct at key->offset, in these
 * units. A list's entries go to `list`, which must be large enough. false: the
 * text is refused; if it has a unit, the message of context NULL says why.
 */
bool koshu_value_store(const struct koshu_key *key, const char *text,
                       const struct koshu_units *units, double *list,
                       struct koshu_parameter_values *values);

/* Whether the text of a number or of a list of numbers contains a unit. */
bool koshu_text_has_unit(const char *text);

/* ---- paths.c ----------------------------------------------------------- */

/* The path that a key's text stands for, to be freed. KOSHU_ERROR_BAD_INPUT,
 * with the place: it has a $, or a ~ of an unknown user. */
koshu_status koshu_key_file_path(struct koshu_context *context,
                                 const char *place, const struct koshu_key *key,
                                 const char *text, char **path);

/* ---- parameters.c, restart.c --------------------------------------------- */

/* Valid until the parameters change. */
const struct koshu_parameter_values *
koshu_parameters_values(const struct koshu_parameters *parameters);

/* ---- unit_keys.c --------------------------------------------------------- */

/* The key of the section units that takes this unit: units.length for "pc", and
 * for "henon". -1: not a unit; the message of context NULL says why. */
int koshu_unit_key(const char *text);

/* Whether the text is a value of the key: a unit, or "henon". */
bool koshu_is_unit(const struct koshu_key *key, const char *text);

/* ---- units.c, check.c ---------------------------------------------------- */

/* Why a run cannot have mergers, escapers or mass loss; NULL: it can. */
const char *koshu_events_refusal(const struct koshu_parameter_values *values);

/* Whether units are given by keys. */
bool koshu_parameters_have_units(const struct koshu_parameters *parameters);

/*
 * Makes the units of the particles those of all numbers, unless units are given
 * by keys. KOSHU_ERROR_BAD_INPUT, with the place: a number has a unit, and the
 * units are dimensionless.
 */
koshu_status koshu_parameters_use_units(struct koshu_parameters *parameters,
                                        const struct koshu_units *units);

/* The same keys with the same values, for another context. */
koshu_status koshu_parameters_copy(struct koshu_context *context,
                                   const struct koshu_parameters *from,
                                   struct koshu_parameters **copy);

/* Whether the key takes a list. */
static inline bool
koshu_key_is_list(const struct koshu_key *key)
{
    return key->type == KOSHU_KEY_REALS || key->type == KOSHU_KEY_WHOLES;
}

/* domain.grid for this number of ranks; 0 0 0: none is given.
 * KOSHU_ERROR_BAD_INPUT, with the place: it is for another number. */
KOSHU_MUST_CHECK koshu_status koshu_parameters_grid(
        const struct koshu_parameters *parameters, int ranks, int grid[3]);

/* Whether method and parameters are to be chosen, and for which accuracy. */
bool koshu_parameters_choose(const struct koshu_parameters *parameters,
                             double *accuracy);

/* Sets the keys of a choice, as if those it replaces had not been given. */
KOSHU_MUST_CHECK koshu_status koshu_parameters_take_choice(
        struct koshu_parameters *parameters,
        const struct koshu_solver_choice *choice, double accuracy);

/* Takes over the choice that a run has made, from the parameters of its
 * checkpoint. *kept: nothing is left to be chosen. */
KOSHU_MUST_CHECK koshu_status
koshu_parameters_keep_choice(struct koshu_parameters *parameters,
                             const struct koshu_parameters *old, bool *kept);

/* The first key whose values differ although a restart cannot or, unless
 * `forced`, should not change it; with both values as text. NULL: none. */
const struct koshu_key *
koshu_parameters_conflict(const struct koshu_parameters *old,
                          const struct koshu_parameters *new, bool forced,
                          const char **old_value, const char **new_value);

/* The same for any key that is not local. */
const struct koshu_key *
koshu_parameters_difference(const struct koshu_parameters *a,
                            const struct koshu_parameters *b,
                            const char **value_a, const char **value_b);

/* Takes the keys from the text of a checkpoint, as koshu_parameters_parse()
 * does, but without warnings of former names. Keys that are missing get their
 * defaults in koshu 0.1.0, whose checkpoints contain no defaults. */
koshu_status
koshu_parameters_parse_checkpoint(struct koshu_parameters *parameters,
                                  const char *name, const char *text);

/* Where a key was set, as "run.yaml:7: " to begin a message with; "": it was
 * not. */
void koshu_parameters_place(const struct koshu_parameters *parameters,
                            const char *path, char *text, size_t size);

/* ---- describe.c -------------------------------------------------------- */

/* A parameter file with all keys at their defaults, explained in comments;
 * and the same as a Markdown page. Freed with free(); NULL: no memory. */
char *koshu_parameters_template(void);
char *koshu_parameters_markdown(void);

#endif
