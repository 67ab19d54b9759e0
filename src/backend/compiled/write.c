/* SPDX-License-Identifier: MIT */
/*
 * The C file of an interaction. Lanes of a vector are j-particles, as in the
 * kernels of simd: any number of i-particles is dealt with at full speed. The
 * loop over lanes holds the user's statements; a compiler makes one vector
 * instruction of each operation in it, and keeps sums in registers.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/compiled/compiled.h"
#include "base/base.h"

/* Floats in a tile of j-particles, and vectors at most: how many numbers are
 * added up in the precision before they go to double. */
enum { TILE_NUMBERS = 4096, TILE_VECTORS = 64, TILE_VECTORS_LEAST = 4 };

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

struct writer {
    FILE *out;
    const struct koshu_interaction_source *s;
    size_t lanes, tile; /* j-particles */
};

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
        "#define signbit(x) __builtin_signbit(x)\n"
        "#define MIN(o, e) do { koshu_real koshu_e = (e); \\\n"
        "    if (koshu_e < (o)) (o) = koshu_e; } while (0)\n"
        "#define MAX(o, e) do { koshu_real koshu_e = (e); \\\n"
        "    if (koshu_e > (o)) (o) = koshu_e; } while (0)\n"
        "#define MINLOC(o, at, e) MIN(o, e)\n"
        "#define MAXLOC(o, at, e) MAX(o, e)\n";

/* Functions of <math.h>, by number of arguments; libmvec has vectors of those
 * in capitals' list (glibc 2.35; of the first six since 2.22). */
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
    const char *suffix = w->s->precision == KOSHU_SINGLE ? "f" : "";
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
    const char *suffix = w->s->precision == KOSHU_SINGLE ? "f" : "";
    fputs("#if KOSHU_LANES > 1 && defined __x86_64__ && defined __GLIBC__ "
          "&& !defined __clang__\n"
          "#define KOSHU_VECTORS __attribute__((simd(\"notinbranch\")))\n"
          "#else\n"
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
    const bool single = w->s->precision == KOSHU_SINGLE;
    fprintf(w->out,
            "#include <features.h>\n"
            "#define KOSHU_LANES %zu\n"
            "#define KOSHU_TILE %zu\n"
            "typedef %s koshu_real;\n",
            w->lanes, w->tile, single ? "float" : "double");
    fputs(types, w->out);
    write_functions(w);
    fputs(single ? "#define double float\n" : "#define float double\n", w->out);
}

/* ---- the pair ------------------------------------------------------------ */

static const char *
nothing(enum koshu_reduction reduction)
{
    switch (reduction) {
    case KOSHU_REDUCE_SUM: return "0";
    case KOSHU_REDUCE_MIN: return "__builtin_inff()";
    case KOSHU_REDUCE_MAX: return "-__builtin_inff()";
    case KOSHU_REDUCE_INDEX: return "-1";
    }
    return "0";
}

static void
write_pair(const struct writer *w)
{
    fputs("struct koshu_constants {\n    koshu_real koshu_none", w->out);
    for (size_t k = 0; k < w->s->n_constants; k++)
        fprintf(w->out, ", %s", w->s->constants[k].name);
    fputs(";\n};\n"
          "KOSHU_INLINE void koshu_pair(const koshu_real *restrict INPUT_I,\n"
          "    const koshu_real *restrict INPUT_J, int INDEX_I, int INDEX_J,\n"
          "    const struct koshu_constants *koshu_c,\n"
          "    koshu_real *restrict OUTPUT, int *restrict OUTPUT_INDEX)\n{\n"
          "(void)INPUT_I; (void)INPUT_J; (void)INDEX_I; (void)INDEX_J;\n"
          "(void)koshu_c; (void)OUTPUT; (void)OUTPUT_INDEX;\n",
          w->out);
    for (size_t k = 0; k < w->s->n_constants; k++)
        fprintf(w->out, "const koshu_real %s = koshu_c->%s; (void)%s;\n",
                w->s->constants[k].name, w->s->constants[k].name,
                w->s->constants[k].name);
    fprintf(w->out, "{\n#line 1 \"" KOSHU_INTERACTION_FILE "\"\n%s}}\n",
            w->s->body);
    fputs("#line 1 \"koshu\"\n"
          "#undef double\n"
          "#undef float\n",
          w->out);
}

/* ---- one vector ---------------------------------------------------------- */

/* Adds what the pair gives, OUTPUT, to lane l. */
static void
write_accumulate(const struct writer *w, size_t k)
{
    switch (w->s->reduction[k]) {
    case KOSHU_REDUCE_SUM:
        fprintf(w->out, "        sum[%zu][l] += OUTPUT[%zu];\n", k, k);
        break;
    case KOSHU_REDUCE_MIN:
    case KOSHU_REDUCE_MAX:
        fprintf(w->out,
                "        const int koshu_first_%zu = OUTPUT[%zu] %c "
                "sum[%zu][l];\n"
                "        sum[%zu][l] = koshu_first_%zu ? OUTPUT[%zu] : "
                "sum[%zu][l];\n",
                k, k, w->s->reduction[k] == KOSHU_REDUCE_MIN ? '<' : '>', k, k,
                k, k, k);
        break;
    case KOSHU_REDUCE_INDEX: break;
    }
}

static void
write_accumulate_index(const struct writer *w, size_t k)
{
    if (w->s->reduction[k] == KOSHU_REDUCE_INDEX)
        fprintf(w->out,
                "        at[%zu][l] = koshu_first_%zu ? j : at[%zu][l];\n", k,
                w->s->index_of[k], k);
}

static void
write_vector(const struct writer *w)
{
    const struct koshu_interaction_source *s = w->s;
    fprintf(w->out,
            "KOSHU_INLINE void koshu_vector(const koshu_real *restrict pi,\n"
            "    const koshu_real tile[][KOSHU_TILE], int first, int n,\n"
            "    int i, int j_first, const struct koshu_constants *c,\n"
            "    koshu_real sum[][KOSHU_LANES], int at[][KOSHU_LANES])\n{\n"
            "#pragma GCC ivdep\n"
            "    for (int l = 0; l < n; l++) {\n"
            "        const int j = j_first + first + l;\n"
            "        koshu_real INPUT_J[%zu], OUTPUT[%zu] = {",
            s->n_in_j, s->n_out);
    for (size_t k = 0; k < s->n_out; k++)
        fprintf(w->out, "%s, ", nothing(s->reduction[k]));
    fprintf(w->out, "};\n        int OUTPUT_INDEX[%zu];\n", s->n_out);
    for (size_t k = 0; k < s->n_in_j; k++)
        fprintf(w->out, "        INPUT_J[%zu] = tile[%zu][first + l];\n", k, k);
    fputs("        koshu_pair(pi, INPUT_J, i, j, c, OUTPUT, OUTPUT_INDEX);\n",
          w->out);
    for (size_t k = 0; k < s->n_out; k++) write_accumulate(w, k);
    for (size_t k = 0; k < s->n_out; k++) write_accumulate_index(w, k);
    fputs("    }\n    (void)at;\n}\n", w->out);
}

/* ---- the end of a tile --------------------------------------------------- */

static void
write_fold_value(const struct writer *w, size_t k)
{
    const struct koshu_interaction_source *s = w->s;
    if (s->reduction[k] == KOSHU_REDUCE_SUM) {
        fprintf(w->out,
                "    koshu_double s%zu = 0;\n"
                "    for (int l = 0; l < KOSHU_LANES; l++) "
                "s%zu += sum[%zu][l];\n"
                "    out[%zu] += s%zu;\n",
                k, k, k, k, k);
        return;
    }
    const char less = s->reduction[k] == KOSHU_REDUCE_MIN ? '<' : '>';
    size_t index = 0;
    while (index < s->n_out && !(s->reduction[index] == KOSHU_REDUCE_INDEX &&
                                 s->index_of[index] == k))
        index++;
    fputs("    for (int l = 0; l < KOSHU_LANES; l++) {\n", w->out);
    if (index == s->n_out) {
        fprintf(w->out,
                "        if (sum[%zu][l] %c out[%zu]) out[%zu] = "
                "sum[%zu][l];\n    }\n",
                k, less, k, k, k);
        return;
    }
    fprintf(w->out,
            "        if (sum[%zu][l] %c out[%zu] || (sum[%zu][l] == out[%zu] "
            "&& at[%zu][l] >= 0 && at[%zu][l] < out[%zu]))\n"
            "            out[%zu] = sum[%zu][l], out[%zu] = at[%zu][l];\n"
            "    }\n",
            k, less, k, k, k, index, index, index, k, k, index, index);
}

static void
write_tile(const struct writer *w)
{
    const struct koshu_interaction_source *s = w->s;
    fprintf(w->out,
            "static void koshu_add_tile(const koshu_real *restrict pi,\n"
            "    const koshu_real tile[][KOSHU_TILE], int n, int i,\n"
            "    int j_first, const struct koshu_constants *c,\n"
            "    koshu_double *restrict out)\n{\n"
            "    koshu_real sum[%zu][KOSHU_LANES];\n"
            "    int at[%zu][KOSHU_LANES], j = 0;\n"
            "    for (int l = 0; l < KOSHU_LANES; l++) {\n",
            s->n_out, s->n_out);
    for (size_t k = 0; k < s->n_out; k++)
        fprintf(w->out, "        %s[%zu][l] = %s;\n",
                s->reduction[k] == KOSHU_REDUCE_INDEX ? "at" : "sum", k,
                nothing(s->reduction[k]));
    fputs("    }\n"
          "    for (; j + KOSHU_LANES <= n; j += KOSHU_LANES)\n"
          "        koshu_vector(pi, tile, j, KOSHU_LANES, i, j_first, c, sum,"
          " at);\n"
          "    if (j < n)\n"
          "        koshu_vector(pi, tile, j, n - j, i, j_first, c, sum, at);\n",
          w->out);
    for (size_t k = 0; k < s->n_out; k++)
        if (s->reduction[k] != KOSHU_REDUCE_INDEX) write_fold_value(w, k);
    fputs("}\n", w->out);
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
            "    const struct koshu_constants c = {0",
            s->n_in_j);
    for (size_t k = 0; k < s->n_constants; k++)
        fprintf(w->out, ", (koshu_real)job->constants[%zu]", k);
    fputs("};\n"
          "    for (koshu_size i = 0; i < job->n_i; i++) {\n"
          "        koshu_double *out",
          w->out);
    fprintf(w->out, " = job->out + %zu * i;\n", s->n_out);
    for (size_t k = 0; k < s->n_out; k++)
        fprintf(w->out, "        out[%zu] = %s;\n", k,
                nothing(s->reduction[k]));
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
            "        for (koshu_size m = 0; m < job->n_i; m++) {\n"
            "            const koshu_size i = job->i_first + m;\n"
            "            koshu_real pi[%zu];\n"
            "            for (int k = 0; k < %zu; k++)\n"
            "                pi[k] = (koshu_real)job->i[i * %zu + k];\n"
            "            koshu_add_tile(pi, (const koshu_real(*)[KOSHU_TILE])"
            "tile, n, (int)i,\n"
            "                (int)(job->j_first + f), &c, "
            "job->out + %zu * m);\n"
            "        }\n    }\n}\n",
            s->n_in_j, s->n_in_j, s->n_in_j, s->n_in_i, s->n_in_i, s->n_in_i,
            s->n_out);
}

static struct writer
writer_of(const struct koshu_interaction_source *source,
          const struct compiled_target *target)
{
    const size_t size = source->precision == KOSHU_SINGLE ? 4 : 8;
    struct writer w = {.s = source, .lanes = target->vector_bytes / size};
    if (w.lanes == 0) w.lanes = 1;
    size_t vectors = TILE_NUMBERS / (w.lanes * source->n_in_j);
    if (vectors > TILE_VECTORS) vectors = TILE_VECTORS;
    if (vectors < TILE_VECTORS_LEAST) vectors = TILE_VECTORS_LEAST;
    w.tile = vectors * w.lanes;
    return w;
}

koshu_status
koshu_compiled_write(struct koshu_context *context,
                     const struct koshu_interaction_source *source,
                     const struct compiled_target *target, char **text)
{
    struct writer w = writer_of(source, target);
    size_t size;
    *text = NULL;
    w.out = open_memstream(text, &size);
    if (!w.out) return koshu_fail_memory(context, 0, "source of interaction");
    write_prelude(&w);
    write_pair(&w);
    write_vector(&w);
    write_tile(&w);
    write_job(&w);
    const bool failed = ferror(w.out) != 0;
    if (fclose(w.out) != 0 || failed)
        return koshu_fail_memory(context, 0, "source of interaction");
    return KOSHU_OK;
}
