/* SPDX-License-Identifier: MIT */
/*
 * Translation of a kernel source to C with vectors. What cannot be translated
 * is not an error: the functions return false, and the statements are compiled
 * as written.
 */
#ifndef KOSHU_BACKEND_COMPILED_VECTORS_H
#define KOSHU_BACKEND_COMPILED_VECTORS_H

#include "base/base.h"
#include "kernel_source/kernel_source.h"

enum { MAX_VARIABLES = 512 };

/* The C type of an expression: koshu_v, koshu_m, an integer (of literals only),
 * or koshu_n (INDEX_I, INDEX_J, and sums of them). */
enum kind { KIND_REAL, KIND_MASK, KIND_INTEGER, KIND_INDEX };

struct translator {
    const struct koshu_kernel_source *d;
    const struct koshu_token *at;
    char *text;
    size_t length, capacity; /* larger than any translation */
    size_t first;            /* start of the current expression */
    size_t line;
    int depth, nested; /* nesting of expressions; of statements */
    int masks;         /* number of masks so far */
    int n_variables;
    const struct koshu_token *variables[MAX_VARIABLES]; /* declared so far */
};

KOSHU_PRINTF(2, 3)
void koshu_vectors_write(struct translator *t, const char *format, ...);

/* Skips the token if it is this one. */
bool koshu_vectors_take(struct translator *t, const char *text);

/* Has a variable of this name been declared? */
bool
koshu_vectors_know(const struct translator *t, const struct koshu_token *name);

/* Reads an expression, without commas at its top level, and writes it as a real
 * or a mask. */
bool koshu_vectors_expression(struct translator *t, enum kind kind);

#endif
