/* SPDX-License-Identifier: MIT */
/* koshu interact: writes the results as CSV. */
#include <float.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include <koshu/force.h>
#include <koshu/version.h>

#include "app.h"
#include "interact.h"

/* With the fewest digits that restore the same double. */
static void
write_exactly(FILE *out, double value)
{
    char text[32];
    for (int digits = DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    fputs(text, out);
}

static void
write_head(FILE *out, const struct interact_work *w)
{
    const struct interact_arguments *a = w->a;
    const struct interact_names *names = &w->of_out;
    fprintf(out, "# koshu %s\n# interaction = %s\n# precision = %s\n",
            koshu_version(), a->word, koshu_precision_name(a->precision));
    for (size_t k = 0; k < a->settings.n; k++) {
        fprintf(out, "# %s = ", a->settings.setting[k].name);
        write_exactly(out, a->settings.setting[k].value);
        fputc('\n', out);
    }
    for (size_t k = 0; k < a->keep.n; k++) fprintf(out, "%s,", a->keep.word[k]);
    for (size_t k = 0; k < names->n; k++)
        fprintf(out, "%s%s", k ? "," : "", names->names[k]);
    fputc('\n', out);
}

/* Kept columns are restored bit for bit. Results in single precision need nine
 * digits at most. */
static void
write_rows(FILE *out, const struct interact_work *w)
{
    const struct interact_arguments *a = w->a;
    size_t n_outputs = w->of_out.n;
    for (size_t i = 0; i < w->i_set.n; i++) {
        for (size_t k = 0; k < a->keep.n; k++) {
            write_exactly(out, w->kept[i * a->keep.n + k]);
            fputc(',', out);
        }
        for (size_t k = 0; k < n_outputs; k++) {
            double value = w->out[i * n_outputs + k];
            if (k > 0) fputc(',', out);
            if (a->precision == KOSHU_PRECISION_SINGLE)
                fprintf(out, "%.*g", FLT_DECIMAL_DIG, value);
            else
                write_exactly(out, value);
        }
        fputc('\n', out);
    }
}

koshu_status
interact_write(const struct interact_work *w)
{
    struct koshu_file *file;
    KOSHU_TRY(koshu_file_begin(w->context, w->a->output, &file));
    locale_t users = koshu_plain_numbers();
    write_head(file->stream, w);
    write_rows(file->stream, w);
    uselocale(users);
    return koshu_file_commit(file);
}
