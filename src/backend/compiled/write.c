/* SPDX-License-Identifier: MIT */
/*
 * The C file of an interaction. Lanes of a vector are j-particles, as in the
 * kernels of simd: any number of i-particles is summed at full speed.
 *
 *     koshu_interaction()    a job: tiles of j-particles, as the precision
 *                            has them, on all i-particles
 *     koshu_add_tile()       a tile on an i-particle: sums over lanes, added
 *                            to the results in double
 *     koshu_sum_tile()       the lanes' sums: write_lanes.c, write_vectors.c
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/compiled/write.h"
#include "base/base.h"

/* Of a tile of j-particles: what the first-level cache holds, and how many
 * numbers a lane adds up in the precision before they go to double: with 128
 * gravity is 1 % faster, and its largest errors (Hamada07 Table 2) a fifth
 * larger; with 64 it is 1 % slower. */
enum { TILE_BYTES = 32768, TILE_VECTORS = 96, TILE_VECTORS_LEAST = 4 };

/* i-particles that are summed side by side, at most. */
enum { MAX_WIDTH = 2 };

double
koshu_interaction_nothing(enum koshu_reduction reduction)
{
    switch (reduction) {
    case KOSHU_REDUCE_SUM: return 0;
    case KOSHU_REDUCE_MIN: return __builtin_inf();
    case KOSHU_REDUCE_MAX: return -__builtin_inf();
    case KOSHU_REDUCE_INDEX: return -1;
    }
    return 0;
}

/* ---- what stands before ------------------------------------------------- */

static const char *const types =
        "typedef __SIZE_TYPE__ koshu_size;\n"
        "struct koshu_job {\n"
        "    koshu_size i_first, n_i;\n"
        "    const double *i;\n"
        "    koshu_size j_first, n_j;\n"
        "    const double *j;\n"
        "    const double *constants;\n"
        "    double *out;\n"
        "};\n"
        "typedef double koshu_double;\n"
        "#define KOSHU_INLINE static inline __attribute__((always_inline))\n"
        "#define bool _Bool\n"
        "#define true 1\n"
        "#define false 0\n"
        "#define isnan(x) __builtin_isnan(x)\n"
        "#define isinf(x) __builtin_isinf(x)\n"
        "#define isfinite(x) __builtin_isfinite(x)\n"
        "#define signbit(x) __builtin_signbit(x)\n";

/* Functions of <math.h>, by number of arguments, with and without vectors in
 * glibc's libmvec (since 2.35). */
static const char *const vector_functions[] = {
        "cos",   "exp",   "log",  "sin",  "acos", "acosh", "asin", "asinh",
        "atan",  "atanh", "cbrt", "cosh", "erf",  "erfc",  "exp2", "expm1",
        "log10", "log1p", "log2", "sinh", "tan",  "tanh"};
static const char *const scalar_functions[] = {"ceil",   "fabs",   "floor",
                                               "lgamma", "rint",   "round",
                                               "sqrt",   "tgamma", "trunc"};
static const char *const vector_functions_2[] = {"pow", "atan2", "hypot"};
static const char *const scalar_functions_2[] = {
        "copysign", "fdim", "fmax", "fmin", "fmod", "remainder"};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static void
declare_functions(const struct writer *w, const char *const *names, size_t n,
                  int arguments, bool vectors)
{
    const char *suffix = w->s->precision == KOSHU_PRECISION_SINGLE ? "f" : "";
    for (size_t k = 0; k < n; k++) {
        fprintf(w->out, "%skoshu_real %s%s(koshu_real",
                vectors ? "KOSHU_VECTORS " : "", names[k], suffix);
        for (int a = 1; a < arguments; a++) fputs(", koshu_real", w->out);
        fputs(");\n", w->out);
    }
}

static void
write_functions(const struct writer *w)
{
    const char *suffix = w->s->precision == KOSHU_PRECISION_SINGLE ? "f" : "";
    fputs("#if KOSHU_LANES > 1 && defined __x86_64__ && defined __GLIBC__ "
          "&& !defined __clang__\n"
          "#if __GLIBC_PREREQ(2, 35)\n"
          "#define KOSHU_VECTORS __attribute__((simd(\"notinbranch\")))\n"
          "#endif\n"
          "#endif\n"
          "#ifndef KOSHU_VECTORS\n"
          "#define KOSHU_VECTORS\n"
          "#endif\n",
          w->out);
    declare_functions(w, vector_functions, COUNT(vector_functions), 1, true);
    declare_functions(w, scalar_functions, COUNT(scalar_functions), 1, false);
    declare_functions(w, vector_functions_2, COUNT(vector_functions_2), 2,
                      true);
    declare_functions(w, scalar_functions_2, COUNT(scalar_functions_2), 2,
                      false);
    fprintf(w->out,
            "koshu_real fma%s(koshu_real, koshu_real, koshu_real);\n"
            "KOSHU_INLINE koshu_real rsqrt%s(koshu_real x)\n"
            "{\n    return 1 / sqrt%s(x);\n}\n",
            suffix, suffix, suffix);
}

static void
write_prelude(const struct writer *w)
{
    const bool single = w->s->precision == KOSHU_PRECISION_SINGLE;
    fprintf(w->out,
            "#include <features.h>\n"
            "#define KOSHU_LANES %zu\n"
            "#define KOSHU_TILE %zu\n"
            "#define KOSHU_WIDTH %zu\n"
            "#define KOSHU_PRECISION_SINGLE %d\n"
            "#define koshu_real %s\n",
            w->lanes, w->tile, w->width, single, single ? "float" : "double");
    fputs(types, w->out);
    write_functions(w);
}

/* ---- the end of a tile --------------------------------------------------- */

/* Lanes that are four apart in the precision, as the sums themselves are. */
static const char *const add_lanes =
        "KOSHU_INLINE void koshu_add_lanes(const koshu_real *lane,\n"
        "    koshu_double *restrict out)\n{\n"
        "#if KOSHU_LANES >= 4\n"
        "    typedef koshu_real quad\n"
        "        __attribute__((vector_size(4 * sizeof(koshu_real))));\n"
        "    typedef koshu_double doubles __attribute__((vector_size(32)));\n"
        "    quad a[KOSHU_LANES / 4];\n"
        "    __builtin_memcpy(a, lane, sizeof a);\n"
        "    for (int h = KOSHU_LANES / 8; h > 0; h /= 2)\n"
        "        for (int l = 0; l < h; l++) a[l] += a[l + h];\n"
        "    const doubles d = __builtin_convertvector(a[0], doubles);\n"
        "    *out += (d[0] + d[2]) + (d[1] + d[3]);\n"
        "#else\n"
        "    for (int l = 0; l < KOSHU_LANES; l++) *out += lane[l];\n"
        "#endif\n}\n";

static void
write_fold_value(const struct writer *w, size_t k)
{
    const struct koshu_interaction_source *s = w->s;
    if (s->reduction[k] == KOSHU_REDUCE_SUM) {
        fprintf(w->out, "    koshu_add_lanes(sum[%zu], &out[%zu]);\n", k, k);
        return;
    }
    const char less = s->reduction[k] == KOSHU_REDUCE_MIN ? '<' : '>';
    size_t index = 0;
    while (index < s->n_outputs &&
           !(s->reduction[index] == KOSHU_REDUCE_INDEX &&
             s->index_of[index] == k))
        index++;
    fputs("    for (int l = 0; l < KOSHU_LANES; l++) {\n", w->out);
    if (index == s->n_outputs) {
        fprintf(w->out,
                "        if (sum[%zu][l] %c out[%zu]) out[%zu] = "
                "sum[%zu][l];\n    }\n",
                k, less, k, k, k);
        return;
    }
    fprintf(w->out,
            "        if (sum[%zu][l] %c out[%zu] || (sum[%zu][l] == out[%zu] "
            "&& at[%zu][l] >= 0 && at[%zu][l] < out[%zu]))\n"
            "            out[%zu] = sum[%zu][l], out[%zu] = "
            "(koshu_double)at[%zu][l];\n"
            "    }\n",
            k, less, k, k, k, index, index, index, k, k, index, index);
}

static void
write_tile(const struct writer *w)
{
    const size_t n = w->s->n_outputs;
    fputs(add_lanes, w->out);
    fprintf(w->out,
            "KOSHU_INLINE void koshu_fold(koshu_real sum[][KOSHU_LANES],\n"
            "    koshu_int at[][KOSHU_LANES], koshu_double *restrict out)\n"
            "{\n    (void)at;\n");
    for (size_t k = 0; k < n; k++)
        if (w->s->reduction[k] != KOSHU_REDUCE_INDEX) write_fold_value(w, k);
    fprintf(w->out,
            "}\n"
            "KOSHU_INLINE void koshu_add_tile(\n"
            "    const koshu_double *restrict i_rows,\n"
            "    const koshu_real tile[][KOSHU_TILE], int n, int i,\n"
            "    int j_first, const struct koshu_constants *c,\n"
            "    const int width, koshu_double *restrict out)\n{\n"
            "    koshu_real pi[KOSHU_WIDTH][%zu];\n"
            "    koshu_real sum[KOSHU_WIDTH][%zu][KOSHU_LANES];\n"
            "    koshu_int at[KOSHU_WIDTH][%zu][KOSHU_LANES];\n"
            "    for (int w = 0; w < width; w++)\n"
            "        for (int k = 0; k < %zu; k++)\n"
            "            pi[w][k] = (koshu_real)i_rows[w * %zu + k];\n"
            "    koshu_sum_tile(pi, tile, n, i, j_first, c, width, sum, at);\n"
            "    for (int w = 0; w < width; w++)\n"
            "        koshu_fold(sum[w], at[w], out + w * %zu);\n"
            "}\n",
            w->s->n_i_fields, n, n, w->s->n_i_fields, w->s->n_i_fields, n);
}

/* ---- a job --------------------------------------------------------------- */

static void
write_job(const struct writer *w)
{
    const struct koshu_interaction_source *s = w->s;
    fprintf(w->out,
            "void " COMPILED_FUNCTION "(const struct koshu_job *job)\n{\n"
            "    koshu_real tile[%zu][KOSHU_TILE] "
            "__attribute__((aligned(64)));\n"
            "    const struct koshu_constants c = {%s(0)",
            s->n_j_fields, w->vectors ? "koshu_set" : "");
    for (size_t k = 0; k < s->n_constants; k++)
        fprintf(w->out, ", %s((koshu_real)job->constants[%zu])",
                w->vectors ? "koshu_set" : "", k);
    fputs("};\n"
          "    for (koshu_size i = 0; i < job->n_i; i++) {\n"
          "        koshu_double *out",
          w->out);
    fprintf(w->out, " = job->out + %zu * i;\n", s->n_outputs);
    for (size_t k = 0; k < s->n_outputs; k++)
        fprintf(w->out, "        out[%zu] = %s;\n", k,
                koshu_write_nothing(s->reduction[k]));
    fprintf(w->out,
            "    }\n"
            "    for (koshu_size f = 0; f < job->n_j; f += KOSHU_TILE) {\n"
            "        const koshu_size left = job->n_j - f;\n"
            "        const int n = (int)(left < KOSHU_TILE ? left : "
            "KOSHU_TILE);\n"
            "        const koshu_double *j = job->j + "
            "(job->j_first + f) * %zu;\n"
            "        for (int m = 0; m < n; m++)\n"
            "            for (int k = 0; k < %zu; k++)\n"
            "                tile[k][m] = (koshu_real)j[m * %zu + k];\n"
            "        for (int m = n; m %% KOSHU_LANES; m++)\n"
            "            for (int k = 0; k < %zu; k++)\n"
            "                tile[k][m] = tile[k][n - 1];\n"
            "        koshu_size m = 0;\n",
            s->n_j_fields, s->n_j_fields, s->n_j_fields, s->n_j_fields);
    for (size_t width = w->width; width > 0; width--)
        fprintf(w->out,
                "        for (; m + %zu <= job->n_i; m += %zu)\n"
                "            koshu_add_tile(job->i + (job->i_first + m) * %zu,"
                "\n                (const koshu_real(*)[KOSHU_TILE])tile, n,\n"
                "                (int)(job->i_first + m),\n"
                "                (int)(job->j_first + f), &c, %zu,\n"
                "                job->out + m * %zu);\n",
                width, width, s->n_i_fields, width, s->n_outputs);
    fputs("    }\n}\n", w->out);
}

/* As many as there are registers for: inputs, sums, and some for the rest. */
static size_t
width_of(const struct koshu_interaction_source *s,
         const struct compiled_target *target, bool vectors)
{
    const bool many =
            target->vector_bytes == 64 && s->n_i_fields + s->n_outputs <= 9;
    return vectors && many ? MAX_WIDTH : 1;
}

static struct writer
writer_of(const struct koshu_interaction_source *source,
          const struct compiled_target *target, bool vectors)
{
    const size_t size = source->precision == KOSHU_PRECISION_SINGLE ? 4 : 8;
    struct writer w = {.s = source,
                       .lanes = target->vector_bytes / size,
                       .width = width_of(source, target, vectors),
                       .vectors = vectors && target->vector_bytes > 0};
    if (w.lanes == 0) w.lanes = 1;
    size_t n = TILE_BYTES / (size * w.lanes * source->n_j_fields);
    if (n > TILE_VECTORS) n = TILE_VECTORS;
    if (n < TILE_VECTORS_LEAST) n = TILE_VECTORS_LEAST;
    w.tile = n * w.lanes;
    return w;
}

koshu_status
koshu_compiled_write(struct koshu_context *context,
                     const struct koshu_interaction_source *source,
                     const struct compiled_target *target, bool vectors,
                     char **text)
{
    struct writer w = writer_of(source, target, vectors);
    size_t size;
    *text = NULL;
    w.out = open_memstream(text, &size);
    if (!w.out) return koshu_fail_memory(context, 0, "source of interaction");
    write_prelude(&w);
    (w.vectors ? koshu_write_vectors : koshu_write_lanes)(&w);
    write_tile(&w);
    write_job(&w);
    const bool failed = ferror(w.out) != 0;
    if (fclose(w.out) != 0 || failed)
        return koshu_fail_memory(context, 0, "source of interaction");
    return KOSHU_OK;
}
