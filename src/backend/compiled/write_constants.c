/* SPDX-License-Identifier: MIT */
/* Constants in a generated file. */
#include "backend/compiled/write.h"

const char *
koshu_write_nothing(enum koshu_reduction reduction)
{
    switch (reduction) {
    case KOSHU_REDUCE_SUM: return "0";
    case KOSHU_REDUCE_MIN: return "__builtin_inff()";
    case KOSHU_REDUCE_MAX: return "-__builtin_inff()";
    case KOSHU_REDUCE_INDEX: return "-1";
    }
    return "0";
}

void
koshu_write_constants(const struct writer *w, const char *type)
{
    fprintf(w->out, "struct koshu_constants {\n    %s koshu_none", type);
    for (size_t k = 0; k < w->s->n_constants; k++)
        fprintf(w->out, ", %s", w->s->constants[k].name);
    fputs(";\n};\n", w->out);
}

void
koshu_write_constant_names(const struct writer *w, const char *type)
{
    for (size_t k = 0; k < w->s->n_constants; k++)
        fprintf(w->out, "    const %s %s = koshu_c->%s;\n", type,
                w->s->constants[k].name, w->s->constants[k].name);
}
