/* SPDX-License-Identifier: MIT */
/* Checks rules of a kernel source that a compiler would not notice, or would
 * report in misleading words. */
#include <stdlib.h>
#include <string.h>

#include "kernel_source/steps.h"

enum { DEEPEST = 256 };

static const char opening[] = "([{", closings[] = ")]}";

/* The currently open brackets. */
struct brackets {
    const struct koshu_token *open[DEEPEST];
    size_t depth;
};

static koshu_status
open_bracket(const struct koshu_kernel_source *d, const struct koshu_token *t,
             struct brackets *b)
{
    if (b->depth == DEEPEST)
        return koshu_kernel_source_fail(
                d, t->line, "brackets are nested deeper than %d", DEEPEST);
    b->open[b->depth++] = t;
    return KOSHU_OK;
}

static koshu_status
close_bracket(const struct koshu_kernel_source *d, const struct koshu_token *t,
              struct brackets *b)
{
    if (b->depth == 0)
        return koshu_kernel_source_fail(d, t->line, "'%c' closes nothing",
                                        *t->text);
    const struct koshu_token *open = b->open[--b->depth];
    if (*open->text == opening[strchr(closings, *t->text) - closings])
        return KOSHU_OK;
    return koshu_kernel_source_fail(d, t->line,
                                    "'%c' does not match the '%c' of line %zu",
                                    *t->text, *open->text, open->line);
}

static koshu_status
check_brackets(const struct koshu_kernel_source *d)
{
    struct brackets b = {.depth = 0};
    for (size_t k = 0; k < d->n_tokens; k++) {
        const struct koshu_token *t = &d->tokens[k];
        if (t->kind != KOSHU_TOKEN_PUNCTUATOR || t->length != 1) continue;
        if (strchr(opening, *t->text)) KOSHU_TRY(open_bracket(d, t, &b));
        if (strchr(closings, *t->text)) KOSHU_TRY(close_bracket(d, t, &b));
    }
    if (b.depth == 0) return KOSHU_OK;
    const struct koshu_token *last = b.open[b.depth - 1];
    return koshu_kernel_source_fail(d, last->line, "the '%c' is never closed",
                                    *last->text);
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

/* Checks INPUT_I[...] or INPUT_J[...] at t. */
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

/* Checks a name before a bracket. */
static koshu_status
check_call(const struct koshu_kernel_source *d, const struct koshu_token *t)
{
    const char *nearest = koshu_nearest_function(t);
    const int length = (int)(t->length < 40 ? t->length : 40);
    if (nearest)
        return koshu_kernel_source_fail(
                d, t->line, "'%.*s' is not a function; is '%s' meant?", length,
                t->text, nearest);
    return koshu_kernel_source_fail(d, t->line,
                                    "'%.*s' is not a function of <math.h>",
                                    length, t->text);
}

/* Checks INDEX_I or INDEX_J at t. */
static koshu_status
check_index(const struct koshu_kernel_source *d, const struct koshu_token *t)
{
    if (!is_assignment(&t[1])) return KOSHU_OK;
    return koshu_kernel_source_fail(d, t->line, "%.*s can only be read",
                                    (int)t->length, t->text);
}

static koshu_status
check_word(const struct koshu_kernel_source *d, const struct koshu_token *t)
{
    const int length = (int)(t->length < 40 ? t->length : 40);
    switch (t->kind) {
    case KOSHU_TOKEN_INPUT: return check_input(d, t);
    case KOSHU_TOKEN_INDEX: return check_index(d, t);
    case KOSHU_TOKEN_NAME:
        return koshu_token_is(&t[1], "(") ? check_call(d, t) : KOSHU_OK;
    case KOSHU_TOKEN_REFUSED:
        return koshu_kernel_source_fail(
                d, t->line, "'%.*s' cannot be used in a kernel source", length,
                t->text);
    case KOSHU_TOKEN_RESERVED:
        return koshu_kernel_source_fail(
                d, t->line, "'%.*s': names that begin so are not free", length,
                t->text);
    default: return KOSHU_OK;
    }
}

koshu_status
koshu_kernel_source_check(const struct koshu_kernel_source *d)
{
    for (size_t k = 0; k < d->n_tokens; k++)
        KOSHU_TRY(check_word(d, &d->tokens[k]));
    return check_brackets(d);
}
