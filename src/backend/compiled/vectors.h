/* SPDX-License-Identifier: MIT */
/*
 * A kernel source as C for vectors. What vectors cannot do is no error: the
 * functions return false, and the statements are compiled as they stand.
 */
#ifndef KOSHU_BACKEND_COMPILED_VECTORS_H
#define KOSHU_BACKEND_COMPILED_VECTORS_H

#include "base/base.h"
#include "kernel_source/kernel_source.h"

enum { MAX_VARIABLES = 512 };

/* What an expression is, in C: a koshu_v, a koshu_m, an integer (made of
 * literals alone), a koshu_n (INDEX_I, INDEX_J, and sums of them). */
enum kind { KIND_REAL, KIND_MASK, KIND_INTEGER, KIND_INDEX };

struct translator {
    const struct koshu_kernel_source *d;
    const struct koshu_token *at;
    char *text;
    size_t length, capacity; /* more than any text needs */
    size_t first;            /* of an expression */
    size_t line;
    int depth, nested; /* of an expression; of statements */
    int masks;         /* named so far */
    int n_variables;
    const struct koshu_token *variables[MAX_VARIABLES]; /* declared so far */
};

KOSHU_PRINTF(2, 3)
void koshu_vectors_write(struct translator *t, const char *format, ...);

/* Takes the token, if it is this one. */
bool koshu_vectors_take(struct translator *t, const char *text);

/* Has a variable been declared that is called so? */
bool
koshu_vectors_know(const struct translator *t, const struct koshu_token *name);

/* Takes an expression, without commas at its top, and writes it as a real, or
 * a mask. */
bool koshu_vectors_expression(struct translator *t, enum kind kind);

#endif
