/* SPDX-License-Identifier: MIT */
/* The user's statements in vectors of the compiler's: vector_prelude.c.in has
 * their operations. */
#include "backend/compiled/vector_prelude.h"
#include "backend/compiled/write.h"

static void
write_pair(const struct writer *w)
{
    fputs("KOSHU_INLINE void koshu_pair(const koshu_v *restrict INPUT_I,\n"
          "    const koshu_v *restrict INPUT_J, koshu_n INDEX_I,\n"
          "    koshu_n INDEX_J, const struct koshu_constants *koshu_c,\n"
          "    koshu_v *restrict OUTPUT)\n{\n",
          w->out);
    koshu_write_constant_names(w, "koshu_v");
    fprintf(w->out,
            "{\n#line 1 \"" KOSHU_INTERACTION_FILE "\"\n%s}\n"
            "#line 1 \"koshu\"\n}\n",
            w->s->vector_body);
}

/* Adds OUTPUT to the sums; of a last vector, which is not full, in the lanes
 * that are. */
static void
write_accumulate(const struct writer *w, size_t k)
{
    const bool min = w->s->reduction[k] == KOSHU_REDUCE_MIN;
    if (w->s->reduction[k] == KOSHU_REDUCE_SUM)
        fprintf(w->out,
                "    sum[%zu] += full ? OUTPUT[%zu] : koshu_keep(in, "
                "OUTPUT[%zu]);\n",
                k, k, k);
    else if (w->s->reduction[k] != KOSHU_REDUCE_INDEX)
        fprintf(w->out,
                "    koshu_m first_%zu = OUTPUT[%zu] %c sum[%zu];\n"
                "    if (!full) first_%zu &= in;\n"
                "    sum[%zu] = full ? koshu_%s(OUTPUT[%zu], sum[%zu])\n"
                "        : koshu_select(first_%zu, OUTPUT[%zu], sum[%zu]);\n",
                k, k, min ? '<' : '>', k, k, k, min ? "smaller" : "larger", k,
                k, k, k, k);
}

static void
write_accumulate_index(const struct writer *w, size_t k)
{
    if (w->s->reduction[k] == KOSHU_REDUCE_INDEX)
        fprintf(w->out,
                "    at[%zu] = koshu_n_select(first_%zu, INDEX_J, at[%zu]);\n",
                k, w->s->index_of[k], k);
}

/* The vector of j-particles from `first` of the tile on. */
static void
write_vector(const struct writer *w)
{
    const struct koshu_interaction_source *s = w->s;
    fprintf(w->out,
            "KOSHU_INLINE void koshu_vector(const koshu_v *restrict pi,\n"
            "    const koshu_real tile[][KOSHU_TILE], int first, koshu_n i,\n"
            "    koshu_n INDEX_J, const struct koshu_constants *c,\n"
            "    const int full, koshu_m in, koshu_v *restrict sum,\n"
            "    koshu_n *restrict at)\n{\n"
            "    koshu_v INPUT_J[%zu], OUTPUT[%zu];\n",
            s->n_j_fields, s->n_outputs);
    for (size_t k = 0; k < s->n_outputs; k++)
        fprintf(w->out, "    OUTPUT[%zu] = koshu_set(%s);\n", k,
                koshu_write_nothing(s->reduction[k]));
    for (size_t k = 0; k < s->n_j_fields; k++)
        fprintf(w->out,
                "    INPUT_J[%zu] = *(const koshu_v *)&tile[%zu][first];\n", k,
                k);
    fputs("    koshu_pair(pi, INPUT_J, i, INDEX_J, c, OUTPUT);\n", w->out);
    for (size_t k = 0; k < s->n_outputs; k++) write_accumulate(w, k);
    for (size_t k = 0; k < s->n_outputs; k++) write_accumulate_index(w, k);
    fputs("}\n", w->out);
}

/* `width` i-particles share the loads of j-particles, and their chains of
 * operations run side by side. */
static void
write_sum_tile(const struct writer *w)
{
    const struct koshu_interaction_source *s = w->s;
    fprintf(w->out,
            "KOSHU_INLINE void koshu_sum_tile(\n"
            "    const koshu_real pi[][%zu],\n"
            "    const koshu_real tile[][KOSHU_TILE], int n, int i,\n"
            "    int j_first, const struct koshu_constants *c,\n"
            "    const int width, koshu_real lane[][%zu][KOSHU_LANES],\n"
            "    koshu_int lane_at[][%zu][KOSHU_LANES])\n{\n"
            "    koshu_v vi[KOSHU_WIDTH][%zu], sum[KOSHU_WIDTH][%zu];\n"
            "    koshu_n at[KOSHU_WIDTH][%zu], lanes;\n"
            "    int j = 0;\n"
            "    for (int l = 0; l < KOSHU_LANES; l++) lanes[l] = l;\n"
            "    for (int w = 0; w < width; w++) {\n"
            "        for (int k = 0; k < %zu; k++)\n"
            "            vi[w][k] = koshu_set(pi[w][k]);\n",
            s->n_i_fields, s->n_outputs, s->n_outputs, s->n_i_fields,
            s->n_outputs, s->n_outputs, s->n_i_fields);
    for (size_t k = 0; k < s->n_outputs; k++) {
        const bool index = s->reduction[k] == KOSHU_REDUCE_INDEX;
        fprintf(w->out, "        %s[w][%zu] = koshu_%sset(%s);\n",
                index ? "at" : "sum", k, index ? "n_" : "",
                koshu_write_nothing(s->reduction[k]));
    }
    fputs("    }\n"
          "    for (; j + KOSHU_LANES <= n; j += KOSHU_LANES)\n"
          "        for (int w = 0; w < width; w++)\n"
          "            koshu_vector(vi[w], tile, j, koshu_n_set(i + w),\n"
          "                lanes + (j_first + j), c, 1, lanes, sum[w],"
          " at[w]);\n"
          "    if (j < n)\n"
          "        for (int w = 0; w < width; w++)\n"
          "            koshu_vector(vi[w], tile, j, koshu_n_set(i + w),\n"
          "                lanes + (j_first + j), c, 0, lanes < n - j,"
          " sum[w], at[w]);\n"
          "    for (int w = 0; w < width; w++) {\n",
          w->out);
    for (size_t k = 0; k < s->n_outputs; k++) {
        const bool index = s->reduction[k] == KOSHU_REDUCE_INDEX;
        fprintf(w->out,
                "        __builtin_memcpy(lane%s[w][%zu], &%s[w][%zu], "
                "sizeof(koshu_v));\n",
                index ? "_at" : "", k, index ? "at" : "sum", k);
    }
    fputs("    }\n}\n", w->out);
}

void
koshu_write_vectors(const struct writer *w)
{
    fputs(vector_prelude, w->out);
    koshu_write_constants(w, "koshu_v");
    write_pair(w);
    write_vector(w);
    write_sum_tile(w);
}
