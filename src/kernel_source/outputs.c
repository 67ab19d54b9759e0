/* SPDX-License-Identifier: MIT */
/*
 * Checks how each output is used. OUTPUT[k] may occur before += and -=, and in
 * MIN, MAX, MINLOC and MAXLOC, but not elsewhere; every k must be used, and
 * always in the same way.
 */
#include <stdlib.h>
#include <string.h>

#include "kernel_source/steps.h"

enum { NOT_USED = -1 };

struct outputs {
    struct koshu_kernel_source *d;
    int use[KOSHU_INTERACTION_MAX];     /* a reduction, or NOT_USED */
    size_t line[KOSHU_INTERACTION_MAX]; /* of the first use */
};

/* Reads k from the tokens OUTPUT [ k ] at t. */
static koshu_status
read_output(const struct koshu_kernel_source *d, const struct koshu_token *t,
            size_t *index)
{
    if (t->kind != KOSHU_TOKEN_OUTPUT)
        return koshu_kernel_source_fail(d, t->line,
                                        "OUTPUT[k] must stand here");
    if (!koshu_token_is(&t[1], "[") || t[2].kind != KOSHU_TOKEN_INTEGER ||
        !koshu_token_is(&t[3], "]"))
        return koshu_kernel_source_fail(
                d, t->line, "an output has a number for an index: OUTPUT[0]");
    const unsigned long long k = strtoull(t[2].text, NULL, 0);
    if (k >= d->list[KOSHU_LIST_OUT].n)
        return koshu_kernel_source_fail(
                d, t[2].line,
                "OUTPUT[%.*s] is not there: a result has %zu "
                "numbers, from 0",
                (int)(t[2].length < 40 ? t[2].length : 40), t[2].text,
                d->list[KOSHU_LIST_OUT].n);
    *index = (size_t)k;
    return KOSHU_OK;
}

static koshu_status
use(struct outputs *o, size_t k, enum koshu_reduction reduction, size_t line)
{
    if (o->use[k] != NOT_USED && o->use[k] != (int)reduction)
        return koshu_kernel_source_fail(
                o->d, line,
                "OUTPUT[%zu] is used in another way than in line %zu: it is "
                "either a sum, or a MIN, or a MAX, or an index",
                k, o->line[k]);
    if (o->use[k] == NOT_USED) o->line[k] = line;
    o->use[k] = (int)reduction;
    return KOSHU_OK;
}

static koshu_status
use_sum(struct outputs *o, const struct koshu_token *t, bool at_start)
{
    size_t k = 0;
    KOSHU_TRY(read_output(o->d, t, &k));
    if (!at_start ||
        (!koshu_token_is(&t[4], "+=") && !koshu_token_is(&t[4], "-=")))
        return koshu_kernel_source_fail(
                o->d, t->line,
                "OUTPUT[%zu] can be added to, OUTPUT[%zu] += e; or be in "
                "MIN(OUTPUT[%zu], e); and so on; nothing else",
                k, k, k);
    return use(o, k, KOSHU_REDUCE_SUM, t->line);
}

/* Registers the l of MINLOC(OUTPUT[k], OUTPUT[l], which is at t. */
static koshu_status
use_index(struct outputs *o, const struct koshu_token *t, size_t value)
{
    size_t l;
    KOSHU_TRY(read_output(o->d, t, &l));
    if (o->use[l] != NOT_USED && o->d->index_of[l] != value)
        return koshu_kernel_source_fail(
                o->d, t->line, "OUTPUT[%zu] is the index of two outputs", l);
    KOSHU_TRY(use(o, l, KOSHU_REDUCE_INDEX, t->line));
    o->d->index_of[l] = value;
    if (koshu_token_is(&t[4], ",")) return KOSHU_OK;
    return koshu_kernel_source_fail(
            o->d, t[4].line, "a comma and a value must follow OUTPUT[%zu]", l);
}

static koshu_status
use_reduction(struct outputs *o, const struct koshu_token *t, bool at_start)
{
    const bool smallest = t->text[1] == 'I', indexed = t->length > 3;
    size_t k;
    if (!at_start || !koshu_token_is(&t[1], "("))
        return koshu_kernel_source_fail(o->d, t->line,
                                        "%.*s(...) is a statement of its own",
                                        (int)t->length, t->text);
    KOSHU_TRY(read_output(o->d, &t[2], &k));
    KOSHU_TRY(
            use(o, k, smallest ? KOSHU_REDUCE_MIN : KOSHU_REDUCE_MAX, t->line));
    if (!koshu_token_is(&t[6], ","))
        return koshu_kernel_source_fail(
                o->d, t->line, "a comma must follow OUTPUT[%zu] in %.*s", k,
                (int)t->length, t->text);
    return indexed ? use_index(o, &t[7], k) : KOSHU_OK;
}

/* The number of tokens of OUTPUT[k] +=, or of MINLOC(OUTPUT[k], OUTPUT[l],
 * after which checking continues. */
static size_t
length_of_use(const struct koshu_token *t)
{
    if (t->kind == KOSHU_TOKEN_OUTPUT) return 4;
    return t->length > 3 ? 11 : 6;
}

/* May a statement start after t? */
static bool
ends_statement(const struct koshu_token *t)
{
    return t->kind == KOSHU_TOKEN_DECLARATION || koshu_token_is(t, ";") ||
           koshu_token_is(t, "{") || koshu_token_is(t, "}") ||
           koshu_token_is(t, ")") || koshu_token_is(t, ",") ||
           koshu_token_is(t, "else");
}

static koshu_status
check_all_used(const struct outputs *o)
{
    const struct koshu_kernel_source *d = o->d;
    for (size_t k = 0; k < d->list[KOSHU_LIST_OUT].n; k++)
        if (o->use[k] == NOT_USED)
            return koshu_kernel_source_fail(d, d->n_lines,
                                            "OUTPUT[%zu] is never used", k);
    return KOSHU_OK;
}

koshu_status
koshu_kernel_source_outputs(struct koshu_kernel_source *d)
{
    struct outputs o = {.d = d};
    for (size_t k = 0; k < KOSHU_INTERACTION_MAX; k++) o.use[k] = NOT_USED;
    bool at_start = true;
    for (size_t k = 0; k < d->n_tokens; k++) {
        const struct koshu_token *t = &d->tokens[k];
        if (t->kind == KOSHU_TOKEN_REDUCTION)
            KOSHU_TRY(use_reduction(&o, t, at_start));
        else if (t->kind == KOSHU_TOKEN_OUTPUT)
            KOSHU_TRY(use_sum(&o, t, at_start));
        else {
            at_start = ends_statement(t);
            continue;
        }
        k += length_of_use(t) - 1;
        at_start = false;
    }
    KOSHU_TRY(check_all_used(&o));
    for (size_t k = 0; k < d->list[KOSHU_LIST_OUT].n; k++)
        d->reduction[k] = (enum koshu_reduction)o.use[k];
    return KOSHU_OK;
}
