/* SPDX-License-Identifier: MIT */
/* The words of a kernel source: which C gives it, which koshu gives it, and
 * which it may not use. */
#include <string.h>

#include "base/base.h"
#include "interaction/interaction.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static const char *const functions[] = {
        "acos",  "acosh", "asin",     "asinh", "atan",      "atan2",  "atanh",
        "cbrt",  "ceil",  "copysign", "cos",   "cosh",      "erf",    "erfc",
        "exp",   "exp2",  "expm1",    "fabs",  "fdim",      "floor",  "fma",
        "fmax",  "fmin",  "fmod",     "hypot", "lgamma",    "log",    "log10",
        "log1p", "log2",  "pow",      "rint",  "remainder", "round",  "rsqrt",
        "sin",   "sinh",  "sqrt",     "tan",   "tanh",      "tgamma", "trunc",
};

static const char *const tests[] = {"isfinite", "isinf", "isnan", "signbit"};

static const char *const keywords[] = {
        "bool", "break", "const",  "continue", "do",       "double",
        "else", "false", "float",  "for",      "if",       "int",
        "long", "short", "signed", "true",     "unsigned", "while",
};

static const char *const refused[] = {
        "asm",     "auto",   "case",   "char",   "class",    "default",
        "enum",    "extern", "goto",   "inline", "register", "restrict",
        "return",  "sizeof", "static", "struct", "switch",   "template",
        "typedef", "typeof", "union",  "void",   "volatile",
};

static const char *const reserved[] = {
        "INPUT_I", "INPUT_J", "INDEX_I", "INDEX_J",      "OUTPUT",
        "MIN",     "MAX",     "MINLOC",  "OUTPUT_INDEX", "MAXLOC",
};

static const char *
find(const struct koshu_token *token, const char *const *list, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (koshu_token_is(token, list[k])) return list[k];
    return NULL;
}

bool
koshu_is_function(const struct koshu_token *token, const char **plain)
{
    const char *name = find(token, functions, COUNT(functions));
    if (!name) name = find(token, tests, COUNT(tests));
    if (!name && token->length > 1 && token->text[token->length - 1] == 'f') {
        struct koshu_token without = *token;
        without.length--;
        name = find(&without, functions, COUNT(functions));
    }
    if (plain) *plain = name;
    return name != NULL;
}

const char *
koshu_nearest_function(const struct koshu_token *token)
{
    char word[64];
    size_t n = token->length < sizeof word ? token->length : sizeof word - 1;
    memcpy(word, token->text, n);
    word[n] = '\0';
    return koshu_nearest_name(word, functions, COUNT(functions));
}

bool
koshu_is_keyword(const struct koshu_token *token)
{
    return find(token, keywords, COUNT(keywords)) != NULL;
}

bool
koshu_is_refused_keyword(const struct koshu_token *token)
{
    return find(token, refused, COUNT(refused)) != NULL;
}

bool
koshu_is_reduction(const struct koshu_token *token)
{
    static const char *const reductions[] = {"MIN", "MAX", "MINLOC", "MAXLOC"};
    return find(token, reductions, COUNT(reductions)) != NULL;
}

bool
koshu_is_input(const struct koshu_token *token)
{
    return koshu_token_is(token, "INPUT_I") || koshu_token_is(token, "INPUT_J");
}

bool
koshu_is_index(const struct koshu_token *token)
{
    return koshu_token_is(token, "INDEX_I") || koshu_token_is(token, "INDEX_J");
}

bool
koshu_is_reserved(const struct koshu_token *token)
{
    /* two underscores, or one and a capital, are the compiler's in C */
    const char *t = token->text;
    bool of_compiler = token->length > 1 && t[0] == '_' &&
                       (t[1] == '_' || (t[1] >= 'A' && t[1] <= 'Z'));
    bool of_koshu = token->length >= 6 && memcmp(t, "koshu_", 6) == 0;
    return of_compiler || of_koshu || find(token, reserved, COUNT(reserved));
}

bool
koshu_is_free_name(const struct koshu_token *token)
{
    return token->kind == KOSHU_TOKEN_NAME && !koshu_is_reserved(token) &&
           !koshu_is_keyword(token) && !koshu_is_refused_keyword(token) &&
           !koshu_is_function(token, NULL);
}
