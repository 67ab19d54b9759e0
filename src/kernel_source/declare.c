/* SPDX-License-Identifier: MIT */
/* Reads what a kernel source declares in lines `//! ...`, and applies
 * options. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_source/steps.h"

static const char *const keys[] = {"i", "j", "out", "constant"};
enum { N_KEYS = sizeof keys / sizeof keys[0] };

static const char *const of_list[KOSHU_LISTS] = {"an i-particle",
                                                 "a j-particle", "a result"};
static const char *const option_of_list[KOSHU_LISTS] = {
        "n_i_fields", "n_j_fields", "n_outputs"};

/* ---- words of a line ----------------------------------------------------- */

/* The rest of a declaration. */
struct line {
    const char *at, *end;
    size_t number;
};

static void
skip_blanks(struct line *l)
{
    while (l->at < l->end && (*l->at == ' ' || *l->at == '\t')) l->at++;
}

static bool
take(struct line *l, char c)
{
    skip_blanks(l);
    if (l->at == l->end || *l->at != c) return false;
    l->at++;
    return true;
}

/* Takes a word, up to a blank, ':', ',' or '='. */
static struct koshu_token
take_word(struct line *l)
{
    skip_blanks(l);
    struct koshu_token word = {.text = l->at, .line = l->number};
    while (l->at < l->end && !strchr(" \t:,=", *l->at)) l->at++;
    word.length = (size_t)(l->at - word.text);
    return word;
}

static bool
is_identifier(const struct koshu_token *word)
{
    for (size_t k = 0; k < word->length; k++) {
        char c = word->text[k];
        bool letter =
                (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && (k == 0 || c < '0' || c > '9')) return false;
    }
    return word->length > 0;
}

/* Is the identifier unused in the statements' language? */
static bool
is_free(const struct koshu_token *identifier)
{
    struct koshu_token word = *identifier;
    koshu_token_classify(&word);
    return word.kind == KOSHU_TOKEN_NAME;
}

/* The number of characters of a word that a message shows: its readable
 * start. */
static int
shown(const struct koshu_token *word)
{
    int n = 0;
    while ((size_t)n < word->length && n < 40 && word->text[n] > ' ' &&
           word->text[n] < 127)
        n++;
    return n;
}

/* Constants are names in the statements, so they must not have another meaning
 * there. */
static koshu_status
check_name(const struct koshu_kernel_source *d, const struct koshu_token *word,
           bool constant)
{
    if (is_identifier(word) && (!constant || is_free(word))) return KOSHU_OK;
    if (word->length == 0)
        return koshu_kernel_source_fail(d, word->line,
                                        "a name is missing in the declaration");
    return koshu_kernel_source_fail(
            d, word->line, "'%.*s' cannot be a name: %s", shown(word),
            word->text,
            is_identifier(word) ? "it means something else"
                                : "letters, digits and _ make a name");
}

static char *
copy(const struct koshu_token *word)
{
    return strndup(word->text, word->length);
}

/* ---- names of numbers ---------------------------------------------------- */

static koshu_status
add_name(struct koshu_kernel_source *d, struct koshu_name_list *list,
         const struct koshu_token *word)
{
    KOSHU_TRY(check_name(d, word, false));
    for (size_t k = 0; k < list->n; k++)
        if (koshu_token_is(word, list->names[k]))
            return koshu_kernel_source_fail(
                    d, word->line, "'%s' is declared twice", list->names[k]);
    if (list->n == KOSHU_INTERACTION_MAX)
        return koshu_kernel_source_fail(d, word->line,
                                        "there can be at most %d numbers",
                                        KOSHU_INTERACTION_MAX);
    char *name = copy(word);
    if (!name) return koshu_fail_memory(d->context, word->length, "name");
    list->names[list->n++] = name;
    return KOSHU_OK;
}

static koshu_status
declare_list(struct koshu_kernel_source *d, struct line *l,
             enum koshu_interaction_list which)
{
    struct koshu_name_list *list = &d->list[which];
    if (list->line)
        return koshu_kernel_source_fail(
                d, l->number, "the numbers of %s are declared in line %zu too",
                of_list[which], list->line);
    list->line = l->number;
    list->names = calloc(KOSHU_INTERACTION_MAX, sizeof *list->names);
    if (!list->names) return koshu_fail_memory(d->context, 0, "names");
    for (skip_blanks(l); l->at < l->end; skip_blanks(l)) {
        struct koshu_token word = take_word(l);
        KOSHU_TRY(add_name(d, list, &word));
        take(l, ',');
    }
    if (list->n == 0)
        return koshu_kernel_source_fail(
                d, l->number,
                "no names follow: '//! %s: x y z' for three "
                "numbers of %s",
                keys[which], of_list[which]);
    return KOSHU_OK;
}

/* ---- constants ----------------------------------------------------------- */

static struct koshu_interaction_constant *
find_constant(struct koshu_kernel_source *d, const struct koshu_token *name)
{
    for (size_t k = 0; k < d->n_constants; k++)
        if (koshu_token_is(name, d->constants[k].name)) return &d->constants[k];
    return NULL;
}

static koshu_status
add_constant(struct koshu_kernel_source *d, const struct koshu_token *name,
             double value)
{
    if (d->n_constants == KOSHU_INTERACTION_MAX)
        return koshu_fail(d->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "%s: there can be at most %d constants", d->name,
                          KOSHU_INTERACTION_MAX);
    char *text = copy(name);
    if (!text) return koshu_fail_memory(d->context, name->length, "name");
    d->constants[d->n_constants++] =
            (struct koshu_interaction_constant){text, value};
    return KOSHU_OK;
}

/* Reads the rest of the line as a number. */
static bool
take_value(struct line *l, double *value)
{
    char text[64], *end;
    skip_blanks(l);
    size_t n = (size_t)(l->end - l->at);
    while (n > 0 && (l->at[n - 1] == ' ' || l->at[n - 1] == '\t')) n--;
    if (n == 0 || n >= sizeof text) return false;
    memcpy(text, l->at, n);
    text[n] = '\0';
    locale_t users = koshu_plain_numbers();
    *value = strtod(text, &end);
    uselocale(users);
    return *end == '\0' && isfinite(*value);
}

static koshu_status
declare_constant(struct koshu_kernel_source *d, struct line *l)
{
    struct koshu_token name = take_word(l);
    double value;
    KOSHU_TRY(check_name(d, &name, true));
    if (find_constant(d, &name))
        return koshu_kernel_source_fail(d, l->number,
                                        "the constant '%.*s' is declared twice",
                                        shown(&name), name.text);
    if (!take(l, '=') || !take_value(l, &value))
        return koshu_kernel_source_fail(
                d, l->number,
                "the constant '%.*s' needs a finite value: '//! constant %.*s "
                "= 1'",
                shown(&name), name.text, shown(&name), name.text);
    return add_constant(d, &name, value);
}

/* ---- declarations -------------------------------------------------------- */

static koshu_status
unknown_key(const struct koshu_kernel_source *d, const struct koshu_token *key)
{
    char word[64];
    snprintf(word, sizeof word, "%.*s", shown(key), key->text);
    const char *nearest = koshu_nearest_name(word, keys, N_KEYS);
    if (nearest && word[0])
        return koshu_kernel_source_fail(
                d, key->line, "'//! %s' declares nothing; is '%s' meant?", word,
                nearest);
    return koshu_kernel_source_fail(d, key->line,
                                    "'//! %s' declares nothing; there are i:, "
                                    "j:, out: and constant",
                                    word);
}

static koshu_status
declare(struct koshu_kernel_source *d, const struct koshu_token *t)
{
    struct line l = {t->text, t->text + t->length, t->line};
    struct koshu_token key = take_word(&l);
    if (koshu_token_is(&key, "constant")) return declare_constant(d, &l);
    for (int k = 0; k < KOSHU_LISTS; k++)
        if (koshu_token_is(&key, keys[k])) {
            if (take(&l, ':')) return declare_list(d, &l, k);
            return koshu_kernel_source_fail(
                    d, t->line, "':' is missing after '//! %s'", keys[k]);
        }
    return unknown_key(d, &key);
}

/* ---- options ------------------------------------------------------------- */

static koshu_status
size_of_option(struct koshu_kernel_source *d, enum koshu_interaction_list which,
               size_t n)
{
    struct koshu_name_list *list = &d->list[which];
    if (n > KOSHU_INTERACTION_MAX)
        return koshu_fail(d->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "%s: %s = %zu, but there can be at most %d numbers",
                          d->name, option_of_list[which], n,
                          KOSHU_INTERACTION_MAX);
    if (list->line && n && n != list->n)
        return koshu_kernel_source_fail(
                d, list->line,
                "%zu numbers of %s are declared, but the option %s says %zu",
                list->n, of_list[which], option_of_list[which], n);
    if (!list->line) list->n = n;
    if (list->n) return KOSHU_OK;
    return koshu_kernel_source_fail(
            d, 1,
            "how many numbers %s has is not given: declare them, '//! %s: x y "
            "z', or give the option %s",
            of_list[which], keys[which], option_of_list[which]);
}

static koshu_status
constant_of_option(struct koshu_kernel_source *d,
                   const struct koshu_interaction_constant *c)
{
    struct koshu_token name = {.text = c->name ? c->name : "",
                               .length = c->name ? strlen(c->name) : 0};
    if (!is_identifier(&name) || !is_free(&name))
        return koshu_fail(d->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "%s: a constant cannot have the name '%.*s'", d->name,
                          shown(&name), name.text);
    if (!isfinite(c->value))
        return koshu_fail(d->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "%s: the constant '%.*s' = %g is not finite", d->name,
                          shown(&name), name.text, c->value);
    struct koshu_interaction_constant *known = find_constant(d, &name);
    if (!known) return add_constant(d, &name, c->value);
    known->value = c->value;
    return KOSHU_OK;
}

koshu_status
koshu_kernel_source_declare(struct koshu_kernel_source *d,
                            const struct koshu_interaction_options *options)
{
    for (size_t k = 0; k < d->n_tokens; k++)
        if (d->tokens[k].kind == KOSHU_TOKEN_DECLARATION)
            KOSHU_TRY(declare(d, &d->tokens[k]));
    KOSHU_TRY(size_of_option(d, KOSHU_LIST_I, options->n_i_fields));
    KOSHU_TRY(size_of_option(d, KOSHU_LIST_J, options->n_j_fields));
    KOSHU_TRY(size_of_option(d, KOSHU_LIST_OUT, options->n_outputs));
    for (size_t k = 0; k < options->n_constants; k++)
        KOSHU_TRY(constant_of_option(d, &options->constants[k]));
    return KOSHU_OK;
}
