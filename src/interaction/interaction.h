/* SPDX-License-Identifier: MIT */
/*
 * The front of interactions: from a kernel source to what a backend
 * compiles.
 *
 *     text -> tokens -> declarations, outputs, rules -> body -> backend
 */
#ifndef KOSHU_INTERACTION_INTERACTION_H
#define KOSHU_INTERACTION_INTERACTION_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/interaction.h>

#include "backend/backend.h"

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

/* ---- a kernel source -------------------------------------------------------
 */

/* KOSHU_ERROR_BAD_INPUT, with a message "name:line: ...". */
koshu_status koshu_kernel_source_fail(const struct koshu_kernel_source *d,
                                      size_t line, const char *format, ...)
        KOSHU_PRINTF(3, 4);

/* The steps, in their order; KOSHU_ERROR_BAD_INPUT, KOSHU_ERROR_OUT_OF_MEMORY.
 * What they allocate is the kernel source's, freed by
 * koshu_kernel_source_free().
 */
koshu_status koshu_kernel_source_tokens(struct koshu_kernel_source *d);
/* Also KOSHU_ERROR_INVALID_ARGUMENT, for an option. */
koshu_status
koshu_kernel_source_declare(struct koshu_kernel_source *d,
                            const struct koshu_interaction_options *options);
koshu_status koshu_kernel_source_outputs(struct koshu_kernel_source *d);
koshu_status koshu_kernel_source_check(const struct koshu_kernel_source *d);
koshu_status koshu_kernel_source_body(struct koshu_kernel_source *d);
koshu_status koshu_kernel_source_vectors(struct koshu_kernel_source *d);

/* Frees what d holds, not d. */
void koshu_kernel_source_free(struct koshu_kernel_source *d);

/* ---- words --------------------------------------------------------------- */

/* The kind of a word; of a function also which it is. */
void koshu_token_classify(struct koshu_token *token);
/* The function nearest to the token; NULL: none is near. */
const char *koshu_nearest_function(const struct koshu_token *token);

#endif
