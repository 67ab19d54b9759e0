/* SPDX-License-Identifier: MIT */
/* The generated C file, for the files that write its parts. */
#ifndef KOSHU_BACKEND_COMPILED_WRITE_H
#define KOSHU_BACKEND_COMPILED_WRITE_H

#include <stdio.h>

#include "backend/compiled/compiled.h"

struct writer {
    FILE *out;
    const struct koshu_interaction_source *s;
    size_t lanes, tile; /* j-particles */
    size_t width;       /* i-particles side by side */
    bool vectors;       /* vector_body, else body */
};

/* What a reduction of nothing is, in C. */
const char *koshu_write_nothing(enum koshu_reduction reduction);

/* struct koshu_constants, of `type`, and in a function the constants of the
 * koshu_c that points to one. */
void koshu_write_constants(const struct writer *w, const char *type);
void koshu_write_constant_names(const struct writer *w, const char *type);

/* The function koshu_sum_tile(), with what it needs. */
void koshu_write_lanes(const struct writer *w);
void koshu_write_vectors(const struct writer *w);

#endif
