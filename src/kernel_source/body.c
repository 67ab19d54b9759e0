/* SPDX-License-Identifier: MIT */
/* Makes the body that backends compile from the tokens: see struct
 * koshu_kernel_source. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_source/steps.h"

struct writer {
    const struct koshu_kernel_source *d;
    FILE *out;
    size_t line;
    /* in MINLOC(OUTPUT[k], OUTPUT[l]: outputs still to come until that of the
     * index */
    int outputs_to_index;
};

/* Is 1 / sqrt ( at t, and not preceded by a division? */
static bool
is_rsqrt(const struct koshu_token *first, const struct koshu_token *t)
{
    if (!koshu_token_is_one(t) || !koshu_token_is(&t[1], "/") ||
        !(koshu_token_is(&t[2], "sqrt") || koshu_token_is(&t[2], "sqrtf")) ||
        !koshu_token_is(&t[3], "("))
        return false;
    return t == first ||
           !(koshu_token_is(&t[-1], "/") || koshu_token_is(&t[-1], "%"));
}

/* Writes a literal with the suffix of the precision. */
static void
write_real(const struct writer *w, const struct koshu_token *t)
{
    fprintf(w->out, "%.*s%s", (int)koshu_literal_length(t), t->text,
            w->d->precision == KOSHU_PRECISION_SINGLE ? "f" : "");
}

static void
write_function(const struct writer *w, const char *plain, bool macro)
{
    fprintf(w->out, "%s%s", plain,
            w->d->precision == KOSHU_PRECISION_SINGLE && !macro ? "f" : "");
}

static void
write_word(struct writer *w, const struct koshu_token *t)
{
    if (t->kind == KOSHU_TOKEN_REDUCTION && t->length > 3)
        w->outputs_to_index = 2;
    if (t->kind == KOSHU_TOKEN_FUNCTION && koshu_token_is(&t[1], "("))
        write_function(w, t->plain, t->functions->macro);
    else if (t->kind == KOSHU_TOKEN_OUTPUT && --w->outputs_to_index == 0)
        fprintf(w->out, "OUTPUT_INDEX");
    else
        fprintf(w->out, "%.*s", (int)t->length, t->text);
}

/* Writes the token at t; returns the number of tokens read. */
static size_t
write_token(struct writer *w, const struct koshu_token *t)
{
    if (t->kind == KOSHU_TOKEN_DECLARATION) return 1;
    for (; w->line < t->line; w->line++) fputc('\n', w->out);
    if (is_rsqrt(w->d->tokens, t)) {
        write_function(w, "rsqrt", false);
        fputc(' ', w->out);
        return 3;
    }
    if (t->kind == KOSHU_TOKEN_REAL)
        write_real(w, t);
    else
        write_word(w, t);
    fputc(' ', w->out);
    return 1;
}

koshu_status
koshu_kernel_source_body(struct koshu_kernel_source *d)
{
    size_t size;
    struct writer w = {.d = d, .line = 1};
    w.out = open_memstream(&d->body, &size);
    if (!w.out) return koshu_fail_memory(d->context, 0, "body");
    for (size_t k = 0; d->tokens[k].kind != KOSHU_TOKEN_END;)
        k += write_token(&w, &d->tokens[k]);
    return koshu_print_end(d->context, w.out, &d->body);
}
