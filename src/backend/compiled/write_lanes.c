/* SPDX-License-Identifier: MIT */
/*
 * The user's statements as they stand, in a loop over lanes: a compiler makes
 * one vector instruction of each operation in it, where it can, and keeps the
 * sums in registers.
 */
#include "backend/compiled/write.h"

static void
write_pair(const struct writer *w)
{
    fputs("typedef int koshu_int;\n"
          "#define MIN(o, e) do { const koshu_real koshu_e = (e); \\\n"
          "    if (koshu_e < (o)) (o) = koshu_e; } while (0)\n"
          "#define MAX(o, e) do { const koshu_real koshu_e = (e); \\\n"
          "    if (koshu_e > (o)) (o) = koshu_e; } while (0)\n"
          "#define MINLOC(o, at, e) MIN(o, e)\n"
          "#define MAXLOC(o, at, e) MAX(o, e)\n"
          "KOSHU_INLINE void koshu_pair(const koshu_real *restrict INPUT_I,\n"
          "    const koshu_real *restrict INPUT_J, int INDEX_I, int INDEX_J,\n"
          "    const struct koshu_constants *koshu_c,\n"
          "    koshu_real *restrict OUTPUT, int *restrict OUTPUT_INDEX)\n{\n",
          w->out);
    koshu_write_constant_names(w, "koshu_real");
    fprintf(w->out,
            "#define %s\n{\n#line 1 \"" KOSHU_INTERACTION_FILE "\"\n%s}\n"
            "#line 1 \"koshu\"\n#undef float\n#undef double\n}\n",
            w->s->precision == KOSHU_PRECISION_SINGLE ? "double float"
                                                      : "float double",
            w->s->body);
}

/* Adds OUTPUT to lane l. */
static void
write_accumulate(const struct writer *w, size_t k)
{
    const char less = w->s->reduction[k] == KOSHU_REDUCE_MIN ? '<' : '>';
    if (w->s->reduction[k] == KOSHU_REDUCE_SUM)
        fprintf(w->out, "        sum[%zu][l] += OUTPUT[%zu];\n", k, k);
    else if (w->s->reduction[k] != KOSHU_REDUCE_INDEX)
        fprintf(w->out,
                "        const int first_%zu = OUTPUT[%zu] %c sum[%zu][l];\n"
                "        sum[%zu][l] = first_%zu ? OUTPUT[%zu] : "
                "sum[%zu][l];\n",
                k, k, less, k, k, k, k, k);
}

static void
write_accumulate_index(const struct writer *w, size_t k)
{
    if (w->s->reduction[k] == KOSHU_REDUCE_INDEX)
        fprintf(w->out, "        at[%zu][l] = first_%zu ? j : at[%zu][l];\n", k,
                w->s->index_of[k], k);
}

/* n lanes from j-particle `first` of the tile on. */
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
            "        int OUTPUT_INDEX[%zu];\n"
            "        koshu_real INPUT_J[%zu], OUTPUT[%zu] = {",
            s->n_outputs, s->n_j_fields, s->n_outputs);
    for (size_t k = 0; k < s->n_outputs; k++)
        fprintf(w->out, "%s, ", koshu_write_nothing(s->reduction[k]));
    fputs("};\n", w->out);
    for (size_t k = 0; k < s->n_j_fields; k++)
        fprintf(w->out, "        INPUT_J[%zu] = tile[%zu][first + l];\n", k, k);
    fputs("        koshu_pair(pi, INPUT_J, i, j, c, OUTPUT, OUTPUT_INDEX);\n",
          w->out);
    for (size_t k = 0; k < s->n_outputs; k++) write_accumulate(w, k);
    for (size_t k = 0; k < s->n_outputs; k++) write_accumulate_index(w, k);
    fputs("    }\n}\n", w->out);
}

void
koshu_write_lanes(const struct writer *w)
{
    const struct koshu_interaction_source *s = w->s;
    koshu_write_constants(w, "koshu_real");
    write_pair(w);
    write_vector(w);
    fprintf(w->out,
            "KOSHU_INLINE void koshu_sum_tile(\n"
            "    const koshu_real pi[][%zu],\n"
            "    const koshu_real tile[][KOSHU_TILE], int n, int i,\n"
            "    int j_first, const struct koshu_constants *c,\n"
            "    const int width, koshu_real sum[][%zu][KOSHU_LANES],\n"
            "    int at[][%zu][KOSHU_LANES])\n{\n"
            "    int j = 0;\n"
            "    for (int l = 0; l < KOSHU_LANES; l++) {\n",
            s->n_i_fields, s->n_outputs, s->n_outputs);
    for (size_t k = 0; k < s->n_outputs; k++)
        fprintf(w->out, "        %s[0][%zu][l] = %s;\n",
                s->reduction[k] == KOSHU_REDUCE_INDEX ? "at" : "sum", k,
                koshu_write_nothing(s->reduction[k]));
    fputs("    }\n"
          "    for (; j + KOSHU_LANES <= n; j += KOSHU_LANES)\n"
          "        koshu_vector(pi[0], tile, j, KOSHU_LANES, i, j_first, c,\n"
          "            sum[0], at[0]);\n"
          "    if (j < n)\n"
          "        koshu_vector(pi[0], tile, j, n - j, i, j_first, c,\n"
          "            sum[0], at[0]);\n"
          "}\n",
          w->out);
}
