/* SPDX-License-Identifier: MIT */
/*
 * Kernel sources of user-defined interactions: reads and checks them, and makes
 * the C that a backend compiles.
 *
 *     text -> tokens -> declarations, outputs, rules -> body -> backend
 */
#ifndef KOSHU_KERNEL_SOURCE_KERNEL_SOURCE_H
#define KOSHU_KERNEL_SOURCE_KERNEL_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <koshu/interaction.h>
#include <koshu/status.h>

enum koshu_reduction {
    KOSHU_REDUCE_SUM,
    KOSHU_REDUCE_MIN,
    KOSHU_REDUCE_MAX,
    KOSHU_REDUCE_INDEX /* index of the j-particle, in MINLOC and MAXLOC */
};

/* The largest number of inputs, outputs or constants. */
enum { KOSHU_INTERACTION_MAX = 256 };

/* The names in one declaration. */
struct koshu_name_list {
    size_t n;     /* how many; 0: not declared */
    size_t line;  /* line of the declaration; 0: from an option, or none */
    char **names; /* n, or NULL */
};

enum koshu_interaction_list {
    KOSHU_LIST_I,
    KOSHU_LIST_J,
    KOSHU_LIST_OUT,
    KOSHU_LISTS
};

/* How vectors get a function: not at all, by calling it for each lane, or by
 * code of koshu's. */
enum koshu_vectors {
    KOSHU_VECTORS_NONE,
    KOSHU_VECTORS_MAPPED,
    KOSHU_VECTORS_OWN
};

/* Functions that a kernel source may call: those of <math.h>, and rsqrt, which
 * is koshu's. Macros have no variant with f in single precision. */
struct koshu_function_group {
    int n_arguments; /* 0: past the last group */
    enum koshu_vectors vectors;
    bool libmvec; /* glibc has a vector variant since 2.35 */
    bool of_koshu, macro;
    const char *names[24]; /* NULL-ended */
};
extern const struct koshu_function_group koshu_functions[];

/* ---- tokens -------------------------------------------------------------- */

enum koshu_token_kind {
    /* words */
    KOSHU_TOKEN_NAME,      /* defined by the user */
    KOSHU_TOKEN_FUNCTION,  /* of koshu_functions[]: sqrt or sqrtf */
    KOSHU_TOKEN_KEYWORD,   /* of C */
    KOSHU_TOKEN_REFUSED,   /* a keyword that is not allowed */
    KOSHU_TOKEN_INPUT,     /* INPUT_I or INPUT_J */
    KOSHU_TOKEN_INDEX,     /* INDEX_I or INDEX_J */
    KOSHU_TOKEN_OUTPUT,    /* OUTPUT */
    KOSHU_TOKEN_REDUCTION, /* MIN, MAX, MINLOC or MAXLOC */
    KOSHU_TOKEN_RESERVED,  /* other words of koshu or the compiler */
    /* others */
    KOSHU_TOKEN_INTEGER,
    KOSHU_TOKEN_REAL, /* a literal with a point or an exponent */
    KOSHU_TOKEN_PUNCTUATOR,
    KOSHU_TOKEN_DECLARATION, /* the rest of a line `//! ...` */
    KOSHU_TOKEN_END
};

/* Points into the text. */
struct koshu_token {
    enum koshu_token_kind kind;
    const char *text;
    size_t length;
    size_t line; /* from 1 */
    /* for functions: the group, and the name without f */
    const struct koshu_function_group *functions;
    const char *plain;
};

/* Is this its text? False for tokens without text. */
bool koshu_token_is(const struct koshu_token *token, const char *text);
bool
koshu_tokens_equal(const struct koshu_token *a, const struct koshu_token *b);

/* Is it a literal with the value 1? */
bool koshu_token_is_one(const struct koshu_token *token);
/* The length of a literal without a suffix f or l. */
size_t koshu_literal_length(const struct koshu_token *token);

/* ---- a kernel source ----------------------------------------------------- */

/*
 * A kernel source of koshu/interaction.h, with the checks that koshu itself
 * makes: every output is used, in one way; indices are in range; brackets
 * close.
 *
 * `body` has its statements for one pair, each on its line of the text, as the
 * body of a function. Where they are compiled, these must be defined:
 *
 *     real                    is not named: `float` and `double` in them are
 *                             both the precision's type, by a #define
 *     INPUT_I[], INPUT_J[]    real, only read
 *     INDEX_I, INDEX_J        int
 *     each constant           by its name: real
 *     OUTPUT[]                real, first koshu_interaction_nothing(); a sum is
 *                             only added to (+=, -=)
 *     OUTPUT_INDEX[]          int, first -1
 *     MIN(OUTPUT[k], e), MAX(OUTPUT[k], e), MINLOC(OUTPUT[k],
 *     OUTPUT_INDEX[l], e), MAXLOC(...)    macros, used as statements
 *     bool, true, false, and the functions of <math.h>
 *
 * Literals and functions already have the program's precision: 0.5f, sqrtf() in
 * single, 0.5, sqrt() in double. 1 / sqrt(x) has become rsqrt(x), rsqrtf(x).
 */
struct koshu_kernel_source {
    struct koshu_context *context;
    char *name, *text;
    size_t n_tokens, capacity_tokens;
    struct koshu_token *tokens; /* ends with an END */
    size_t n_lines;             /* no error is reported beyond it */

    struct koshu_name_list list[KOSHU_LISTS];
    size_t n_constants;
    struct koshu_interaction_constant constants[KOSHU_INTERACTION_MAX];

    enum koshu_precision precision; /* single, unless always_double; double */
    enum koshu_reduction reduction[KOSHU_INTERACTION_MAX];
    size_t index_of[KOSHU_INTERACTION_MAX]; /* for a KOSHU_REDUCE_INDEX, the
                                             * output whose extreme it belongs
                                             * to */
    char *body;                             /* without a newline at its end */
};

/* Reads d->text. context, name, text and precision must be set, everything else
 * 0. Ownership: koshu_kernel_source_free() frees what it allocates, also after
 * an error. Status: KOSHU_ERROR_BAD_INPUT, with a message "name:line: ...";
 * KOSHU_ERROR_INVALID_ARGUMENT, for an option; KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status
koshu_kernel_source_read(struct koshu_kernel_source *d,
                         const struct koshu_interaction_options *options);

/* Frees what d holds, not d. */
void koshu_kernel_source_free(struct koshu_kernel_source *d);

/* ---- a program ----------------------------------------------------------- */

/* The result of a reduction without pairs: 0, +infinity, -infinity, -1. */
double koshu_interaction_nothing(enum koshu_reduction reduction);

/* The file name in #line directives before the body: compiler messages with
 * this name are about the user's text. */
#define KOSHU_INTERACTION_FILE "kernel"

/*
 * Prints the definitions at the start of a generated program:
 *
 *     KOSHU_PRECISION_SINGLE              1 or 0
 *     KOSHU_IN_I, KOSHU_IN_J, KOSHU_OUT   how many inputs, and outputs
 *     KOSHU_INPUTS_J(F)                   F(k) for each input of a j-particle
 *     KOSHU_CONSTANTS(F)                  F(name) for each
 *     KOSHU_OUTPUTS(F)                    F(kind, k, of) for output k: SUM, MIN
 *                                         or MAX; MINLOC or MAXLOC, `of` being
 *                                         its index; INDEX, `of` being the
 *                                         output that it is the index of
 *     KOSHU_INDICES(F)                    F(k, of) for each INDEX
 *     KOSHU_FUNCTIONS(F)                  F(arguments, LIBMVEC or SCALAR,
 *                                         vectors, name) for those of <math.h>
 */
void koshu_print_source(FILE *to, const struct koshu_kernel_source *source);

/* Closes a stream of open_memstream() (NULL: does nothing). Status:
 * KOSHU_ERROR_OUT_OF_MEMORY; *text is then freed. */
koshu_status
koshu_print_end(struct koshu_context *context, FILE *to, char **text);

#endif
