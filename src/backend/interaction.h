/* SPDX-License-Identifier: MIT */
/* Interactions of the user's own: what a backend compiles, and evaluates. */
#ifndef KOSHU_BACKEND_INTERACTION_H
#define KOSHU_BACKEND_INTERACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <koshu/force.h>
#include <koshu/interaction.h>
#include <koshu/status.h>

struct koshu_backend;

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
 *
 * `vector_body` is the same for vectors of lanes, each a pair; NULL where the
 * statements are of a kind that koshu does not translate (loops, integers,
 * arrays), and where `body` has an error. It needs:
 *
 *     koshu_v, koshu_m, koshu_n    vectors of real; masks, 0 or -1 a lane;
 *                                  integers, of the size of a real
 *     INPUT_I[], INPUT_J[], OUTPUT[], constants    koshu_v, else as above
 *     INDEX_I, INDEX_J             koshu_n
 *     koshu_set(x), koshu_n_set(k)                 in all lanes
 *     koshu_select(m, a, b), koshu_keep(m, a)      m ? a : b; m ? a : 0
 *     koshu_smaller(a, b), koshu_larger(a, b)      b where a is NaN
 *     koshu_real_of(n)                             koshu_n as koshu_v
 *     koshu_sqrt(x), ...           of <math.h>, as many as vectors need,
 *                                  koshu_rsqrt(x), koshu_pow_n(x, k)
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
    char *body, *vector_body;               /* without a newline at their end */
};

/* What a reduction of no pairs is: 0, +infinity, -infinity, -1. */
double koshu_interaction_nothing(enum koshu_reduction reduction);

/* The name in #line directives before the body, by which a compiler's message
 * is known to be about the user's text. */
#define KOSHU_INTERACTION_FILE "kernel"

/* Files of src/ that generated programs are made of, NULL-ended. */
struct koshu_text_file {
    const char *name, *text;
};

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

/* Compiled; each backend puts its own behind it. */
struct koshu_interaction_program;

struct koshu_interaction_ops {
    bool always_double; /* whatever precision is requested */
    /* The statuses of koshu_interaction_create(). The source stays as long as
     * the program. */
    koshu_status (*compile)(struct koshu_backend *backend,
                            const struct koshu_kernel_source *source,
                            struct koshu_interaction_program **program);
    void (*destroy)(struct koshu_interaction_program *program);
    /* n_i, n_j >= 1; rows as in koshu_interaction_evaluate(). */
    koshu_status (*evaluate)(struct koshu_interaction_program *program,
                             size_t n_i, const double *i, size_t n_j,
                             const double *j, double *out);
};

#endif
