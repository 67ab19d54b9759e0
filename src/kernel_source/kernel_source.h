/* SPDX-License-Identifier: MIT */
/*
 * Kernel sources of interactions: read, checked, and as C for what a backend
 * compiles.
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
    KOSHU_REDUCE_INDEX /* of the j-particle, in MINLOC and MAXLOC */
};

/* Most numbers of a particle or a result, most constants. */
enum { KOSHU_INTERACTION_MAX = 256 };

/* Names that a declaration lists. */
struct koshu_name_list {
    size_t n;     /* numbers; 0: not declared */
    size_t line;  /* of the declaration; 0: given by an option, if at all */
    char **names; /* n, or NULL */
};

enum koshu_interaction_list {
    KOSHU_LIST_I,
    KOSHU_LIST_J,
    KOSHU_LIST_OUT,
    KOSHU_LISTS
};

/* What vectors have of a function: nothing, it lane by lane, or code. */
enum koshu_vectors {
    KOSHU_VECTORS_NONE,
    KOSHU_VECTORS_MAPPED,
    KOSHU_VECTORS_OWN
};

/* Functions that a kernel source may call: of <math.h>, but for rsqrt, which
 * is koshu's, and for macros, which have no f in single precision. */
struct koshu_function_group {
    int n_arguments; /* 0: past the last group */
    enum koshu_vectors vectors;
    bool libmvec; /* glibc has it for vectors, since 2.35 */
    bool of_koshu, macro;
    const char *names[24]; /* NULL-ended */
};
extern const struct koshu_function_group koshu_functions[];

/* ---- tokens -------------------------------------------------------------- */

enum koshu_token_kind {
    /* words */
    KOSHU_TOKEN_NAME,      /* of the user's own */
    KOSHU_TOKEN_FUNCTION,  /* of koshu_functions[]: sqrt or sqrtf */
    KOSHU_TOKEN_KEYWORD,   /* of C */
    KOSHU_TOKEN_REFUSED,   /* a keyword that cannot be used */
    KOSHU_TOKEN_INPUT,     /* INPUT_I or INPUT_J */
    KOSHU_TOKEN_INDEX,     /* INDEX_I or INDEX_J */
    KOSHU_TOKEN_OUTPUT,    /* OUTPUT */
    KOSHU_TOKEN_REDUCTION, /* MIN, MAX, MINLOC or MAXLOC */
    KOSHU_TOKEN_RESERVED,  /* other words of koshu's or of the compiler's */
    /* others */
    KOSHU_TOKEN_INTEGER,
    KOSHU_TOKEN_REAL, /* a literal with a point or an exponent */
    KOSHU_TOKEN_PUNCTUATOR,
    KOSHU_TOKEN_DECLARATION, /* of a line `//! ...`, what follows */
    KOSHU_TOKEN_END
};

/* A piece of the text, not a copy. */
struct koshu_token {
    enum koshu_token_kind kind;
    const char *text;
    size_t length;
    size_t line; /* from 1 */
    /* of a function: its group, and its name without the f */
    const struct koshu_function_group *functions;
    const char *plain;
};

/* Does it consist of these letters? A token of no text does not. */
bool koshu_token_is(const struct koshu_token *token, const char *text);
bool
koshu_tokens_equal(const struct koshu_token *a, const struct koshu_token *b);

/* Is it a literal that says 1? */
bool koshu_token_is_one(const struct koshu_token *token);
/* Letters of a literal without f or l at its end. */
size_t koshu_literal_length(const struct koshu_token *token);

/* ---- a kernel source ----------------------------------------------------- */

/*
 * A kernel source of koshu/interaction.h, checked as far as koshu itself does:
 * every output is used, in one way; indices are in range; brackets close.
 *
 * `body` is its statements for one pair, each on its line of the text, to be
 * the body of a function. They need, where they are compiled:
 *
 *     real                    is not named: `float` and `double` in them are
 *                             both the precision's type, by a #define
 *     INPUT_I[], INPUT_J[]    real, only read
 *     INDEX_I, INDEX_J        int
 *     each constant           by its name: real
 *     OUTPUT[]                real, begun as koshu_interaction_nothing(); a sum
 *                             is only added to (+=, -=)
 *     OUTPUT_INDEX[]          int, begun as -1
 *     MIN(OUTPUT[k], e), MAX(OUTPUT[k], e), MINLOC(OUTPUT[k],
 *     OUTPUT_INDEX[l], e), MAXLOC(...)    macros, used as statements
 *     bool, true, false, and the functions of <math.h>
 *
 * Literals and functions are those of the precision already: 0.5f, sqrtf() in
 * single, 0.5, sqrt() in double. 1 / sqrt(x) has become rsqrt(x), rsqrtf(x).
 */
struct koshu_kernel_source {
    struct koshu_context *context;
    char *name, *text;
    size_t n_tokens, capacity_tokens;
    struct koshu_token *tokens; /* the last is an END */
    size_t n_lines;             /* no error is behind the last */

    struct koshu_name_list list[KOSHU_LISTS];
    size_t n_constants;
    struct koshu_interaction_constant constants[KOSHU_INTERACTION_MAX];

    enum koshu_precision precision; /* single, unless always_double; double */
    enum koshu_reduction reduction[KOSHU_INTERACTION_MAX];
    size_t index_of[KOSHU_INTERACTION_MAX]; /* of a KOSHU_REDUCE_INDEX, the
                      output whose smallest or largest value it goes with */
    char *body;                             /* without a newline at its end */
};

/* Reads d->text; context, name, text and precision are set, all else is 0. What
 * it allocates is the kernel source's, freed by koshu_kernel_source_free(),
 * also where it fails. KOSHU_ERROR_BAD_INPUT, with a message "name:line: ...";
 * KOSHU_ERROR_INVALID_ARGUMENT, for an option; KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status
koshu_kernel_source_read(struct koshu_kernel_source *d,
                         const struct koshu_interaction_options *options);

/* Frees what d holds, not d. */
void koshu_kernel_source_free(struct koshu_kernel_source *d);

/* ---- a program ----------------------------------------------------------- */

/* What a reduction of no pairs is: 0, +infinity, -infinity, -1. */
double koshu_interaction_nothing(enum koshu_reduction reduction);

/* The name in #line directives before the body, by which a compiler's message
 * is known to be about the user's text. */
#define KOSHU_INTERACTION_FILE "kernel"

/*
 * The lines that a generated program begins with, about its kernel source:
 *
 *     KOSHU_PRECISION_SINGLE              1 or 0
 *     KOSHU_IN_I, KOSHU_IN_J, KOSHU_OUT   numbers of a particle, of a result
 *     KOSHU_INPUTS_J(F)                   F(k) for each of a j-particle
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

/* Closes what open_memstream() gave (NULL: nothing), with its *text.
 * KOSHU_ERROR_OUT_OF_MEMORY: and frees it. */
koshu_status
koshu_print_end(struct koshu_context *context, FILE *to, char **text);

#endif
