/* SPDX-License-Identifier: MIT */
/*
 * The parameter file: one table of keys (keys.c), from which the checks of
 * values (values.c), the help and the documentation (describe.c) are made.
 *
 * A file goes through two stages. From libyaml's document tree come the text of
 * each key and the line that it stands on, or that a key is unknown or given
 * twice (document.c); each text becomes a typed value, or a refusal that names
 * its line.
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

/* Of particles. */
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
    /* Those of all numbers: as given; else of the particles, once they are
     * known (koshu_parameters_use_units()); else dimensionless. */
    struct koshu_units units;
    /* Of the model, in these units: its mass, and what it calls 1. */
    double total_mass, virial_radius, radius, edge, scale_length,
            semi_major_axis;
    const char *initial_file;             /* "": the model */
    const char *components;               /* several models; "": the model */
    struct koshu_initial_options initial; /* the model */
    struct koshu_solver_options solver;   /* its tree and fmm are: */
    struct koshu_tree_options tree;
    struct koshu_laplace_options fmm;
    const char *interaction, *constants; /* of solver.method: interaction */
    int method;      /* enum koshu_method, or KOSHU_METHOD_AUTO: the solver's is
                        direct until one has been chosen */
    double accuracy; /* 0: method and parameters are given; auto: a default */
    double chosen_for; /* the accuracy that was for; 0: they were given */
    uint64_t expansion_order; /* fmm */
    double theta;             /* of tree and fmm; comoving: 0: */
    bool theta_by_motion;     /* the fmm's is the least, and grows */
    enum koshu_boundary boundary;
    double box;       /* periodic: its edge; 0: that of the file */
    uint64_t reorder; /* tree, fmm: steps between sorts of the store; 0: never
                       */
    struct {
        enum koshu_coordinates coordinates;
        enum koshu_scheme scheme;
        enum koshu_step_rule step;
        double dt; /* comoving: d ln a */
        double eta, eta_start;
        uint64_t iterations;                 /* of hermite */
        double regularisation, perturbation; /* of hermite */
        double tolerance, slow_down;         /* of archain, and of groups */
        double end;          /* the time at which the run ends */
        double end_redshift; /* where it is given, end is its scale factor */
    } integrator;
    const char *external_fields; /* "": none */
    struct {
        double radius, radius_mass, radius_exponent;
        double escape_distance, tidal_radius; /* 0: none leave */
        const char *mass_table;               /* a file; "": none */
    } stars;
    double softening_physical; /* comoving: the largest; 0: any */
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
        bool first, last; /* also at the beginning, at the end */
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
    } errors; /* of a tree or the FMM */
    struct {
        double interval; /* seconds of wall clock; 0: not by the clock */
        uint64_t keep;
        bool first; /* also one of the beginning */
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

/* Does a text name a file? */
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
    /* _REAL, _REALS: a number with a unit of it, or a bare one; _TEXT: a unit;
     * NULL: bare numbers only */
    const enum koshu_quantity *quantity;
    const char *own_units; /* of a bare number, whatever the run's, "pc, Msun,
                              d"; NULL: the run's */
    const char *(*choice)(int k); /* NULL past the last */
    int first_choice;             /* the first number that is a value */
    unsigned models;   /* those that know the key, 1 << model; 0: all */
    unsigned schemes;  /* the same of integrator.scheme */
    unsigned methods;  /* the same of solver.method */
    bool chosen;       /* by solver.accuracy */
    unsigned criteria; /* those of solver.opening_criterion that take it; 0: all
                        */
    /* default with this scheme, NULL: the same; archain: and hermite */
    const char *hermite, *archain;
    bool of_comoving;     /* for these coordinates alone */
    const char *comoving; /* default in these coordinates, NULL: the same */
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

/* The number of a key or section of this path, -1 where there is none. */
int koshu_key_find(const char *path);
int koshu_section_find(const char *path);

/* The name that koshu 0.1 had for the key which is now *k; NULL, *k = -1: it is
 * none. */
const char *koshu_key_find_former(const char *path, int *k);

/* The last part of a path, and the length of what is before it (without the
 * dot). */
const char *koshu_key_name(const char *path);
size_t koshu_key_section_length(const char *path);

/* Is this the path of a key or section right below that section? */
bool koshu_key_is_below(const char *path, const char *section);

/* The value where none is given. */
const char *
koshu_key_default(const struct koshu_key *key, enum koshu_scheme scheme);

/* ---- expectation.c ----------------------------------------------------- */

/* "a whole number >= 1", "one of single, mixed, double": into text. */
void
koshu_key_expectation(const struct koshu_key *key, char *text, size_t size);

/* ---- document.c -------------------------------------------------------- */

/* Where a text comes from: a file, whose lines are named in messages, or a
 * single setting, "set solver.softening=1/64". */
struct koshu_source {
    struct koshu_context *context;
    const char *name;
    bool has_lines;
    bool kept; /* written by koshu: former names of keys are in order */
};

enum { KOSHU_PARAMETERS_BYTES = 1 << 20 }; /* of a text, at most */

/* "run.yaml:7", or the name alone. */
void koshu_source_place(const struct koshu_source *source, int line, char *text,
                        size_t size);

/* KOSHU_ERROR_BAD_INPUT: "run.yaml:7: MESSAGE". */
koshu_status koshu_source_fail(const struct koshu_source *source, int line,
                               const char *format, ...) KOSHU_PRINTF(3, 4);

/*
 * Before anything else reads a text: KOSHU_ERROR_BAD_INPUT, naming the line,
 * where it is nested deeper than any key is, has more values than a run can
 * use, or directives: what would cost time without end.
 */
koshu_status
koshu_yaml_check(const struct koshu_source *source, const char *text);

/* The keys of a YAML text. */
struct koshu_document {
    struct {
        int line;           /* 0: it is not there */
        const char *former; /* the name that it has there; NULL: its own */
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

/* Entries that the text of a list has, at most. */
size_t koshu_list_length(const char *text);

/*
 * The value of a key from its text into the struct at key->offset, in those
 * units. A list's entries go to `list`, which has room for them. false: the
 * text is refused; the message of context NULL says why where it has a unit.
 */
bool koshu_value_store(const struct koshu_key *key, const char *text,
                       const struct koshu_units *units, double *list,
                       struct koshu_parameter_values *values);

/* Is there a unit in the text of a number, or of a list of them? */
bool koshu_text_has_unit(const char *text);

/* ---- paths.c ----------------------------------------------------------- */

/* The path that a key's text stands for, to be freed. KOSHU_ERROR_BAD_INPUT,
 * with the place: it has a $, or a ~ of a user who is not there. */
koshu_status koshu_key_file_path(struct koshu_context *context,
                                 const char *place, const struct koshu_key *key,
                                 const char *text, char **path);

/* ---- parameters.c, restart.c --------------------------------------------- */

/* Valid until the parameters change. */
const struct koshu_parameter_values *
koshu_parameters_values(const struct koshu_parameters *parameters);

/* ---- unit_keys.c --------------------------------------------------------- */

/* The key of the section units that a unit is for, "pc": units.length; of
 * "henon" too. -1: it is none, and the message of context NULL says why. */
int koshu_unit_key(const char *text);

/* Is this a value of the key: the size of a unit, or "henon"? */
bool koshu_is_unit(const struct koshu_key *key, const char *text);

/* ---- units.c, check.c ---------------------------------------------------- */

/* Why a run cannot have mergers, escapers or mass loss; NULL: it can. */
const char *koshu_events_refusal(const struct koshu_parameter_values *values);

/* Are units given by keys? */
bool koshu_parameters_have_units(const struct koshu_parameters *parameters);

/*
 * The units of the particles, for numbers of keys where no units are given; all
 * numbers are then in them. Where units are given, those stay.
 * KOSHU_ERROR_BAD_INPUT, with the place: a number has a unit, and the units
 * are dimensionless.
 */
koshu_status koshu_parameters_use_units(struct koshu_parameters *parameters,
                                        const struct koshu_units *units);

/* The same keys with the same values, for another context. */
koshu_status koshu_parameters_copy(struct koshu_context *context,
                                   const struct koshu_parameters *from,
                                   struct koshu_parameters **copy);

/* Has the key a list? */
static inline bool
koshu_key_is_list(const struct koshu_key *key)
{
    return key->type == KOSHU_KEY_REALS || key->type == KOSHU_KEY_WHOLES;
}

/* domain.grid for so many ranks; 0 0 0: none. KOSHU_ERROR_BAD_INPUT, with the
 * place: it is for another number. */
KOSHU_MUST_CHECK koshu_status koshu_parameters_grid(
        const struct koshu_parameters *parameters, int ranks, int grid[3]);

/* Are method and parameters to be chosen, and for which accuracy? */
bool koshu_parameters_choose(const struct koshu_parameters *parameters,
                             double *accuracy);

/* Takes a choice: keys that it replaces are as if they had not been given. */
KOSHU_MUST_CHECK koshu_status koshu_parameters_take_choice(
        struct koshu_parameters *parameters,
        const struct koshu_solver_choice *choice, double accuracy);

/* What a run has chosen it goes on with: takes it from the parameters of its
 * checkpoint. *kept: there is nothing left to be chosen. */
KOSHU_MUST_CHECK koshu_status
koshu_parameters_keep_choice(struct koshu_parameters *parameters,
                             const struct koshu_parameters *old, bool *kept);

/*
 * The first key that differs between two runs in what a restart cannot take,
 * or, unless `forced`, should not; with both values as text. NULL: none.
 */
const struct koshu_key *
koshu_parameters_conflict(const struct koshu_parameters *old,
                          const struct koshu_parameters *new, bool forced,
                          const char **old_value, const char **new_value);

/*
 * Takes the keys from the text of a checkpoint, as koshu_parameters_parse()
 * does; former names of keys are not warned of. Keys that the text does not
 * hold: what they were in koshu 0.1.0, whose checkpoints hold what was given
 * and no defaults.
 */
koshu_status
koshu_parameters_parse_checkpoint(struct koshu_parameters *parameters,
                                  const char *name, const char *text);

/* Where a key was set, "run.yaml:7: " to begin a message with; "" where it
 * was not. */
void koshu_parameters_place(const struct koshu_parameters *parameters,
                            const char *path, char *text, size_t size);

/* ---- describe.c -------------------------------------------------------- */

/* A parameter file with all keys at their defaults, explained in comments;
 * and the same as a Markdown page. Freed with free(); NULL: no memory. */
char *koshu_parameters_template(void);
char *koshu_parameters_markdown(void);

#endif
