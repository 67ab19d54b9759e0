/* SPDX-License-Identifier: MIT */
/*
 * Any pair interaction: the effect of one j-particle on one i-particle, written
 * by the user in the notation of Hamada07 Figs. 14-15, and summed over all
 * pairs.
 *
 *     out_i[k]  =  sum_j f_k(in_i, in_j)          or min_j, max_j of it
 *
 * A kernel source is the body of a C function for one pair:
 *
 *     //! i: x y z eps2
 *     //! j: x y z mass
 *     //! out: ax ay az
 *     float dx = INPUT_J[0] - INPUT_I[0];
 *     float dy = INPUT_J[1] - INPUT_I[1];
 *     float dz = INPUT_J[2] - INPUT_I[2];
 *     float r1i = 1/sqrt(dx*dx + dy*dy + dz*dz + INPUT_I[3]);
 *     float mr3i = INPUT_J[3] * r1i * r1i * r1i;
 *     OUTPUT[0] += mr3i * dx;
 *     OUTPUT[1] += mr3i * dy;
 *     OUTPUT[2] += mr3i * dz;
 *
 * It may contain declarations, C expressions, if, for, and the functions of
 * <math.h> by their plain names. `float` and `double` both mean the precision
 * of the interaction. Each output is used in one way only, and with a constant
 * index:
 *
 *     OUTPUT[k] += e;   OUTPUT[k] -= e;        sums
 *     MIN(OUTPUT[k], e);   MAX(OUTPUT[k], e);  smallest and largest e
 *     MINLOC(OUTPUT[k], OUTPUT[l], e);         and the j-particle, from 0, that
 *     MAXLOC(OUTPUT[k], OUTPUT[l], e);         gives it; of several the first
 *
 * INDEX_I and INDEX_J are the numbers of the pair's particles, from 0. Without
 * j-particles sums are 0, MIN and MAX are +infinity and -infinity, and the
 * index is -1.
 *
 * Lines that begin with `//!` declare the inputs of an i- and a j-particle and
 * the outputs by name; they may be left out if the options give the numbers.
 * They also declare constants, with values that the options may override:
 *
 *     //! constant G = 1
 *
 * A KERNEL SOURCE IS CODE: it is compiled and runs with the rights of the
 * program. Do not evaluate one whose author you do not trust. It is given to a
 * compiler, never to a shell.
 *
 * CPU: the system's C compiler (`cc`, or that in KOSHU_CC); the compiled object
 * is cached in $XDG_CACHE_HOME/koshu/interactions, or else under ~/.cache (mode
 * 0700). GPU: NVRTC.
 *
 * Sums are taken in tiles, floats inside a tile and tiles in double (the
 * partial accumulation of Hamada07 eq. 2): the error does not grow with n_j.
 * Results are the same bits from call to call, for any number of threads.
 *
 * Threads: an interaction and its context are used by one thread at a time.
 */
#ifndef KOSHU_INTERACTION_H
#define KOSHU_INTERACTION_H

#include <stddef.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/force.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_interaction;

/* A constant of a kernel source. The struct never grows, so it has no size. */
struct koshu_interaction_constant {
    const char *name; /* an identifier of C */
    double value;     /* finite */
};

struct koshu_interaction_options {
    size_t size; /* of this struct */
    /* The name of the kernel source in messages: "gravity.pipe:7: ...". NULL:
     * "interaction". */
    const char *name;
    /* The numbers of inputs of an i- and a j-particle and of outputs (IDIM,
     * JDIM, FDIM); 0: as the kernel source declares. */
    size_t n_i_fields, n_j_fields, n_outputs;
    /* KOSHU_PRECISION_SINGLE or KOSHU_PRECISION_DOUBLE */
    enum koshu_precision precision;
    size_t n_constants;
    const struct koshu_interaction_constant *constants;
};

/* All zero but the precision, which is single. */
KOSHU_DECLARE_DEFAULT(koshu_interaction_options)

/*
 * Compiles a kernel source for the context's backend, or takes it from the
 * cache.
 * Ownership: the caller destroys *interaction, before the context; source and
 * options are copied.
 * Status: KOSHU_ERROR_BAD_INPUT: an error in the source; the message begins
 * with name:line, in lines of the source; KOSHU_ERROR_INVALID_ARGUMENT: an
 * impossible option, or a pointer is NULL (options may be);
 * KOSHU_ERROR_UNSUPPORTED: mixed precision, a backend without interactions, an
 * option of a later koshu; KOSHU_ERROR_EXTERNAL: there is no compiler, or no
 * NVRTC, or it cannot be run (the message names the package); KOSHU_ERROR_IO:
 * the cache cannot be written; KOSHU_ERROR_NO_DEVICE: no device answers;
 * KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_DEVICE.
 * Source: Hamada07 Figs. 14 and 15.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_interaction_create(struct koshu_context *context, const char *source,
                         const struct koshu_interaction_options *options,
                         struct koshu_interaction **interaction);

/*
 * The first of two steps: reads and checks a kernel source without compiling
 * it. Its declarations can be inspected, and constants set, before
 * koshu_interaction_compile(); evaluations fail until then.
 * Ownership: the caller destroys *interaction, before the context; source and
 * options are copied.
 * Status: as koshu_interaction_create(), except errors of a compiler.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_interaction_read(struct koshu_context *context, const char *source,
                       const struct koshu_interaction_options *options,
                       struct koshu_interaction **interaction);

/*
 * Sets a constant that the kernel source declares.
 * Units: those of the formula.
 * Status: KOSHU_ERROR_NOT_FOUND: it declares none of this name; the message
 * lists those it has; KOSHU_ERROR_INVALID_ARGUMENT: a value that is not finite,
 * an interaction that is compiled already, or a pointer is NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_interaction_set_constant(
        struct koshu_interaction *interaction, const char *name, double value);

/* Compiles what koshu_interaction_read() has read; does nothing if it is
 * compiled already.
 * Status: those of koshu_interaction_create(). */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_interaction_compile(struct koshu_interaction *interaction);

/* Destroys an interaction; NULL is allowed. */
KOSHU_API void koshu_interaction_destroy(struct koshu_interaction *interaction);

/* How many numbers an i-particle, a j-particle and a result have, as the kernel
 * source declares or the options give them; 0 for NULL. */
KOSHU_API size_t
koshu_interaction_n_i_fields(const struct koshu_interaction *interaction);
KOSHU_API size_t
koshu_interaction_n_j_fields(const struct koshu_interaction *interaction);
KOSHU_API size_t
koshu_interaction_n_outputs(const struct koshu_interaction *interaction);

/* Returns how many constants there are; 0 for NULL. */
KOSHU_API size_t
koshu_interaction_n_constants(const struct koshu_interaction *interaction);

/* Returns the name of constant k, "" where there is none.
 * Ownership: valid as long as the interaction. */
KOSHU_API const char *
koshu_interaction_name_constant(const struct koshu_interaction *interaction,
                                size_t k);

/* Returns the declared name of number k of an i-particle, a j-particle or a
 * result, "" where there is none. k is below n_i_fields, n_j_fields,
 * n_outputs.
 * Ownership: valid as long as the interaction. */
KOSHU_API const char *
koshu_interaction_name_i(const struct koshu_interaction *interaction, size_t k);
KOSHU_API const char *
koshu_interaction_name_j(const struct koshu_interaction *interaction, size_t k);
KOSHU_API const char *
koshu_interaction_name_out(const struct koshu_interaction *interaction,
                           size_t k);

/*
 * Evaluates the interaction of all n_j j-particles with all n_i i-particles.
 * n_i = 0 does nothing. Numbers are rounded to the precision, and not checked:
 * one that is not finite goes into the results as the formula has it.
 * Shapes: i[n_i][n_i_fields], j[n_j][n_j_fields], out[n_i][n_outputs], each row
 * by row; out may not overlap i or j.
 * Units: those of the formula.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a pointer is NULL, 2^31 particles or
 * more, an interaction that is not compiled; KOSHU_ERROR_UNSUPPORTED: a process
 * that fork() made, see koshu/context.h; KOSHU_ERROR_OUT_OF_MEMORY;
 * KOSHU_ERROR_DEVICE. Error: floats in tiles, tiles in double: a few float
 * roundings of the largest sum of a tile, whatever n_j (Hamada07 eq. 2).
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_interaction_evaluate(
        struct koshu_interaction *interaction, size_t n_i, size_t n_j,
        const double *i, const double *j, double *out);

#ifdef __cplusplus
}
#endif

#endif
