/* SPDX-License-Identifier: MIT */
/* Prints the definitions that a generated program starts with. */
#include <stdlib.h>

#include "base/base.h"
#include "kernel_source/kernel_source.h"

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

/* The output that receives the index of the extreme of output k. */
static size_t
place_of(const struct koshu_kernel_source *s, size_t k)
{
    size_t place = 0;
    while (place < s->list[KOSHU_LIST_OUT].n &&
           (s->reduction[place] != KOSHU_REDUCE_INDEX ||
            s->index_of[place] != k))
        place++;
    return place;
}

static void
print_outputs(FILE *to, const struct koshu_kernel_source *s)
{
    static const char *const kinds[] = {[KOSHU_REDUCE_SUM] = "SUM",
                                        [KOSHU_REDUCE_MIN] = "MIN",
                                        [KOSHU_REDUCE_MAX] = "MAX",
                                        [KOSHU_REDUCE_INDEX] = "INDEX"};
    fputs("\n#define KOSHU_OUTPUTS(F)", to);
    for (size_t k = 0; k < s->list[KOSHU_LIST_OUT].n; k++) {
        const size_t place = place_of(s, k);
        const bool located = place < s->list[KOSHU_LIST_OUT].n;
        const size_t of = s->reduction[k] == KOSHU_REDUCE_INDEX ? s->index_of[k]
                          : located                             ? place
                                                                : k;
        fprintf(to, " F(%s%s, %zu, %zu)", kinds[s->reduction[k]],
                located ? "LOC" : "", k, of);
    }
    fputs("\n#define KOSHU_INDICES(F)", to);
    for (size_t k = 0; k < s->list[KOSHU_LIST_OUT].n; k++)
        if (s->reduction[k] == KOSHU_REDUCE_INDEX)
            fprintf(to, " F(%zu, %zu)", k, s->index_of[k]);
}

static void
print_functions(FILE *to)
{
    static const char *const vectors[] = {[KOSHU_VECTORS_NONE] = "NONE",
                                          [KOSHU_VECTORS_MAPPED] = "MAPPED",
                                          [KOSHU_VECTORS_OWN] = "OWN"};
    const struct koshu_function_group *group = koshu_functions;
    fputs("\n#define KOSHU_FUNCTIONS(F)", to);
    for (; group->n_arguments; group++)
        for (int k = 0; group->names[k] && !group->of_koshu && !group->macro;
             k++)
            fprintf(to, " F(%d, %s, %s, %s)", group->n_arguments,
                    group->libmvec ? "LIBMVEC" : "SCALAR",
                    vectors[group->vectors], group->names[k]);
}

void
koshu_print_source(FILE *to, const struct koshu_kernel_source *s)
{
    fprintf(to,
            "#define KOSHU_PRECISION_SINGLE %d\n"
            "#define KOSHU_IN_I %zu\n"
            "#define KOSHU_IN_J %zu\n"
            "#define KOSHU_OUT %zu\n"
            "#define KOSHU_INPUTS_J(F)",
            s->precision == KOSHU_PRECISION_SINGLE, s->list[KOSHU_LIST_I].n,
            s->list[KOSHU_LIST_J].n, s->list[KOSHU_LIST_OUT].n);
    for (size_t k = 0; k < s->list[KOSHU_LIST_J].n; k++)
        fprintf(to, " F(%zu)", k);
    fputs("\n#define KOSHU_CONSTANTS(F)", to);
    for (size_t k = 0; k < s->n_constants; k++)
        fprintf(to, " F(%s)", s->constants[k].name);
    print_outputs(to, s);
    print_functions(to);
    fputs("\n", to);
}

koshu_status
koshu_print_end(struct koshu_context *context, FILE *to, char **text)
{
    if (to) {
        const bool failed = ferror(to) != 0;
        if (fclose(to) == 0 && !failed) return KOSHU_OK;
        free(*text);
        *text = NULL;
    }
    return koshu_fail_memory(context, 0, "the text of a program");
}
