/* SPDX-License-Identifier: MIT */
/* The rules of a kernel source that a compiler would not see, or would report
 * in words about something else. */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "interaction/interaction.h"

enum { DEEPEST = 256 };

static koshu_status
check_brackets(const struct koshu_kernel_source *d)
{
    static const char opening[] = "([{", closings[] = ")]}";
    const struct koshu_token *open[DEEPEST];
    size_t depth = 0;
    for (size_t k = 0; k < d->n_tokens; k++) {
        const struct koshu_token *t = &d->tokens[k];
        if (t->kind != KOSHU_TOKEN_PUNCTUATOR || t->length != 1) continue;
        const char *closing = strchr(closings, *t->text);
        if (strchr(opening, *t->text)) {
            if (depth == DEEPEST)
                return koshu_kernel_source_fail(
                        d, t->line,
                        "brackets are nested deeper than "
                        "%d",
                        DEEPEST);
            open[depth++] = t;
        } else if (closing) {
            if (depth == 0)
                return koshu_kernel_source_fail(
                        d, t->line, "'%c' closes nothing", *t->text);
            depth--;
            if (*open[depth]->text != opening[closing - closings])
                return koshu_kernel_source_fail(
                        d, t->line, "'%c' does not match the '%c' of line %zu",
                        *t->text, *open[depth]->text, open[depth]->line);
        }
    }
    if (depth == 0) return KOSHU_OK;
    return koshu_kernel_source_fail(d, open[depth - 1]->line,
                                    "the '%c' is never closed",
                                    *open[depth - 1]->text);
}

static bool
is_assignment(const struct koshu_token *t)
{
    static const char *const operators[] = {
            "=",  "+=", "-=",  "*=",  "/=", "%=", "&=",
            "|=", "^=", "<<=", ">>=", "++", "--"};
    for (size_t k = 0; k < sizeof operators / sizeof operators[0]; k++)
        if (koshu_token_is(t, operators[k])) return true;
    return false;
}

/* The token after the bracket that closes the one at t. */
static const struct koshu_token *
after_bracket(const struct koshu_token *t)
{
    size_t depth = 0;
    for (; t->kind != KOSHU_TOKEN_END; t++) {
        depth += koshu_token_is(t, "[");
        if (koshu_token_is(t, "]") && --depth == 0) return t + 1;
    }
    return t;
}

/* INPUT_I[...] or INPUT_J[...] at t. */
static koshu_status
check_input(const struct koshu_kernel_source *d, const struct koshu_token *t)
{
    const enum koshu_interaction_list which =
            t->text[6] == 'I' ? KOSHU_LIST_I : KOSHU_LIST_J;
    const int length = (int)t->length;
    if (!koshu_token_is(&t[1], "["))
        return koshu_kernel_source_fail(d, t->line,
                                        "%.*s needs an index: %.*s[0]", length,
                                        t->text, length, t->text);
    if (t[2].kind == KOSHU_TOKEN_INTEGER && koshu_token_is(&t[3], "]") &&
        strtoull(t[2].text, NULL, 0) >= d->list[which].n)
        return koshu_kernel_source_fail(
                d, t[2].line,
                "%.*s[%.*s] is not there: %s-particles have %zu numbers, from "
                "0",
                length, t->text, (int)(t[2].length < 40 ? t[2].length : 40),
                t[2].text, which == KOSHU_LIST_I ? "i" : "j", d->list[which].n);
    if (is_assignment(after_bracket(&t[1])))
        return koshu_kernel_source_fail(d, t->line, "%.*s can only be read",
                                        length, t->text);
    return KOSHU_OK;
}

static koshu_status
check_call(const struct koshu_kernel_source *d, const struct koshu_token *t)
{
    if (koshu_is_function(t, NULL) || koshu_is_keyword(t)) return KOSHU_OK;
    const char *nearest = koshu_nearest_function(t);
    const int length = (int)(t->length < 40 ? t->length : 40);
    if (nearest)
        return koshu_kernel_source_fail(d, t->line,
                                        "'%.*s' is no function; is '%s' meant?",
                                        length, t->text, nearest);
    return koshu_kernel_source_fail(
            d, t->line, "'%.*s' is no function of <math.h>", length, t->text);
}

static koshu_status
check_word(const struct koshu_kernel_source *d, const struct koshu_token *t)
{
    const int length = (int)(t->length < 40 ? t->length : 40);
    if (koshu_token_is(t, "INPUT_I") || koshu_token_is(t, "INPUT_J"))
        return check_input(d, t);
    if (koshu_token_is(t, "OUTPUT") || koshu_token_is(t, "MIN") ||
        koshu_token_is(t, "MAX") || koshu_token_is(t, "MINLOC") ||
        koshu_token_is(t, "MAXLOC"))
        return KOSHU_OK; /* koshu_kernel_source_outputs() */
    if (koshu_token_is(t, "INDEX_I") || koshu_token_is(t, "INDEX_J")) {
        if (is_assignment(&t[1]))
            return koshu_kernel_source_fail(d, t->line, "%.*s can only be read",
                                            length, t->text);
        return KOSHU_OK;
    }
    if (koshu_is_refused_keyword(t))
        return koshu_kernel_source_fail(
                d, t->line, "'%.*s' cannot be used in a kernel source", length,
                t->text);
    if (koshu_is_reserved(t))
        return koshu_kernel_source_fail(
                d, t->line, "'%.*s': names that begin so are not free", length,
                t->text);
    return koshu_token_is(&t[1], "(") ? check_call(d, t) : KOSHU_OK;
}

koshu_status
koshu_kernel_source_check(const struct koshu_kernel_source *d)
{
    for (size_t k = 0; k < d->n_tokens; k++)
        if (d->tokens[k].kind == KOSHU_TOKEN_NAME)
            KOSHU_TRY(check_word(d, &d->tokens[k]));
    return check_brackets(d);
}
