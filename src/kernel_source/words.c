/* SPDX-License-Identifier: MIT */
/* Classifies the words of a kernel source: those of C, those of koshu, and
 * those that are not allowed. */
#include <stdio.h>
#include <string.h>

#include "kernel_source/steps.h"

/* Words, each between two blanks. */
static const struct {
    enum koshu_token_kind kind;
    const char *words;
} kinds[] = {
        {KOSHU_TOKEN_KEYWORD,
         " bool break const continue do double else false float for if int "
         "long short signed true unsigned while "},
        {KOSHU_TOKEN_REFUSED,
         " asm auto case char class default enum extern goto inline register "
         "restrict return sizeof static struct switch template typedef typeof "
         "union void volatile "},
        {KOSHU_TOKEN_INPUT, " INPUT_I INPUT_J "},
        {KOSHU_TOKEN_INDEX, " INDEX_I INDEX_J "},
        {KOSHU_TOKEN_OUTPUT, " OUTPUT "},
        {KOSHU_TOKEN_REDUCTION, " MIN MAX MINLOC MAXLOC "},
        {KOSHU_TOKEN_RESERVED, " OUTPUT_INDEX "},
};

static bool
is_among(const struct koshu_token *token, const char *words)
{
    for (const char *at = words + 1; *at; at += strcspn(at, " ") + 1)
        if (token->length == strcspn(at, " ") &&
            memcmp(token->text, at, token->length) == 0)
            return true;
    return false;
}

bool
koshu_token_is(const struct koshu_token *token, const char *text)
{
    size_t n = strlen(text);
    return n > 0 && token->length == n && memcmp(token->text, text, n) == 0;
}

static bool
find_function(struct koshu_token *token)
{
    const struct koshu_function_group *group = koshu_functions;
    struct koshu_token plain = *token; /* sqrt for sqrtf */
    if (plain.text[plain.length - 1] == 'f') plain.length--;
    for (; group->n_arguments; group++)
        for (int k = 0; group->names[k]; k++)
            if (koshu_token_is(token, group->names[k]) ||
                (!group->macro && koshu_token_is(&plain, group->names[k]))) {
                token->functions = group;
                token->plain = group->names[k];
                return true;
            }
    return false;
}

void
koshu_token_classify(struct koshu_token *token)
{
    /* two underscores, or one and a capital, are reserved for the compiler
     * in C */
    const char *t = token->text;
    const bool of_compiler = token->length > 1 && t[0] == '_' &&
                             (t[1] == '_' || (t[1] >= 'A' && t[1] <= 'Z'));
    const bool of_koshu = token->length >= 6 && memcmp(t, "koshu_", 6) == 0;
    token->kind = of_compiler || of_koshu ? KOSHU_TOKEN_RESERVED
                  : find_function(token)  ? KOSHU_TOKEN_FUNCTION
                                          : KOSHU_TOKEN_NAME;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        if (is_among(token, kinds[k].words)) token->kind = kinds[k].kind;
}

const char *
koshu_nearest_function(const struct koshu_token *token)
{
    const char *names[64];
    char word[64];
    size_t n = 0;
    snprintf(word, sizeof word, "%.*s", (int)token->length, token->text);
    const struct koshu_function_group *group = koshu_functions;
    for (; group->n_arguments; group++)
        for (int k = 0; group->names[k] && !group->macro; k++)
            names[n++] = group->names[k];
    return koshu_nearest_name(word, names, n);
}
