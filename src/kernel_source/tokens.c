/* SPDX-License-Identifier: MIT */
/* Splits the text into tokens: drops comments, counts lines, and rejects what a
 * kernel source must not contain. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_source/steps.h"

/* ASCII letters only, whatever the locale. */
static bool
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool
koshu_tokens_equal(const struct koshu_token *a, const struct koshu_token *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

bool
koshu_token_is_one(const struct koshu_token *token)
{
    static const char *const ones[] = {"1", "1.", "1.0", "1.f", "1.0f", "1.0F"};
    for (size_t k = 0; k < sizeof ones / sizeof ones[0]; k++)
        if (koshu_token_is(token, ones[k])) return true;
    return false;
}

size_t
koshu_literal_length(const struct koshu_token *token)
{
    const char *text = token->text;
    const size_t n = token->length;
    const bool hexadecimal = n > 1 && (text[1] | 0x20) == 'x';
    const bool exponent = memchr(text, 'p', n) || memchr(text, 'P', n);
    /* in a hexadecimal number without exponent, f is a digit */
    return (!hexadecimal || exponent) && strchr("fFlL", text[n - 1]) ? n - 1
                                                                     : n;
}

/* ---- numbers ------------------------------------------------------------- */

static size_t
span_digits(const char *text, bool hexadecimal)
{
    size_t n = 0;
    while (hexadecimal ? isxdigit((unsigned char)text[n]) != 0
                       : is_digit(text[n]))
        n++;
    return n;
}

/* Length of an exponent: e or p, a sign, digits; 0: there is none. */
static size_t
span_exponent(const char *text, char letter)
{
    if ((text[0] | 0x20) != letter) return 0;
    size_t sign = text[1] == '+' || text[1] == '-';
    size_t digits = span_digits(text + 1 + sign, false);
    return digits ? 1 + sign + digits : 0;
}

static size_t
span_suffix(const char *text, bool real)
{
    if (real) return strchr("fFlL", text[0]) && text[0] ? 1 : 0;
    return strspn(text, "uUlL");
}

/* Length of the longest C number at the start of text; 0: none. *real: it has a
 * point or an exponent. */
static size_t
scan_number(const char *text, bool *real)
{
    bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    size_t at = hexadecimal ? 2 : 0,
           digits = span_digits(text + at, hexadecimal);
    at += digits;
    *real = text[at] == '.';
    if (*real) {
        size_t fraction = span_digits(text + at + 1, hexadecimal);
        at += 1 + fraction;
        digits += fraction;
    }
    if (digits == 0) return 0;
    size_t exponent = span_exponent(text + at, hexadecimal ? 'p' : 'e');
    if (hexadecimal && *real && exponent == 0) return 0;
    *real = *real || exponent > 0;
    at += exponent;
    at += span_suffix(text + at, *real);
    return is_letter(text[at]) || is_digit(text[at]) || text[at] == '.' ? 0
                                                                        : at;
}

/* ---- the scanner --------------------------------------------------------- */

struct scanner {
    struct koshu_kernel_source *d;
    const char *at;
    size_t line;
    bool at_line_start; /* only blanks since the line began */
};

static koshu_status
add(struct scanner *s, enum koshu_token_kind kind, const char *text,
    size_t length)
{
    struct koshu_kernel_source *d = s->d;
    if (d->n_tokens == d->capacity_tokens) {
        size_t capacity = 2 * d->capacity_tokens + 256;
        struct koshu_token *more =
                realloc(d->tokens, capacity * sizeof *d->tokens);
        if (!more)
            return koshu_fail_memory(d->context, capacity * sizeof *d->tokens,
                                     "tokens of an interaction");
        d->tokens = more;
        d->capacity_tokens = capacity;
    }
    d->tokens[d->n_tokens++] =
            (struct koshu_token){kind, text, length, s->line, NULL, NULL};
    if (kind == KOSHU_TOKEN_NAME)
        koshu_token_classify(&d->tokens[d->n_tokens - 1]);
    return KOSHU_OK;
}

/* Length of the longest C operator at the text; 0: none. */
static size_t
span_punctuator(const char *text)
{
    static const char *const operators[] = {
            "<<=", ">>=", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
            "&&",  "||",  "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|="};
    for (size_t k = 0; k < sizeof operators / sizeof operators[0]; k++)
        if (strncmp(text, operators[k], strlen(operators[k])) == 0)
            return strlen(operators[k]);
    return text[0] && strchr("[](){}&*+-~!/%<>^|?:;=,", text[0]) ? 1 : 0;
}

/* Other spellings of # [ ] { }, which a C compiler would accept unchecked. */
static bool
is_digraph(const char *text)
{
    static const char *const digraphs[] = {"<%", "%>", "<:", ":>", "%:"};
    for (size_t k = 0; k < sizeof digraphs / sizeof digraphs[0]; k++)
        if (strncmp(text, digraphs[k], 2) == 0) return true;
    return false;
}

static koshu_status
refuse(const struct scanner *s)
{
    const char c = *s->at;
    if (c == '#')
        return koshu_kernel_source_fail(s->d, s->line,
                                        "directives (#) cannot be used; a "
                                        "constant is declared by //! constant "
                                        "NAME = VALUE");
    if (c == '"' || c == '\'')
        return koshu_kernel_source_fail(
                s->d, s->line, "texts in quotes cannot be used: %c", c);
    if (is_digit(c) || c == '.') {
        int n = (int)strspn(s->at, "0123456789abcdefghijklmnopqrstuvwxyz"
                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ_.");
        return koshu_kernel_source_fail(s->d, s->line, "'%.*s' is not a number",
                                        n < 40 ? n : 40, s->at);
    }
    if (isprint((unsigned char)c) && (unsigned char)c < 128)
        return koshu_kernel_source_fail(s->d, s->line, "'%c' cannot be used",
                                        c);
    return koshu_kernel_source_fail(
            s->d, s->line, "byte 0x%02x cannot be used outside comments",
            (unsigned)(unsigned char)c);
}

static koshu_status
line_comment(struct scanner *s)
{
    const size_t n = strcspn(s->at, "\n");
    size_t last = n;
    while (last > 0 && (s->at[last - 1] == '\r')) last--;
    if (last > 0 && s->at[last - 1] == '\\')
        return koshu_kernel_source_fail(
                s->d, s->line, "a line cannot be continued by a backslash");
    if (s->at_line_start && strncmp(s->at, "//!", 3) == 0)
        KOSHU_TRY(add(s, KOSHU_TOKEN_DECLARATION, s->at + 3, last - 3));
    s->at += n;
    return KOSHU_OK;
}

static koshu_status
block_comment(struct scanner *s)
{
    const char *end = strstr(s->at + 2, "*/");
    if (!end)
        return koshu_kernel_source_fail(s->d, s->line,
                                        "the comment that begins here has no "
                                        "end: */ is missing");
    for (; s->at < end + 2; s->at++) s->line += *s->at == '\n';
    s->at_line_start = false;
    return KOSHU_OK;
}

static koshu_status
word_or_number(struct scanner *s)
{
    bool real;
    size_t n = 0;
    if (is_letter(*s->at)) {
        while (is_letter(s->at[n]) || is_digit(s->at[n])) n++;
        KOSHU_TRY(add(s, KOSHU_TOKEN_NAME, s->at, n));
    } else if ((n = scan_number(s->at, &real)) > 0) {
        KOSHU_TRY(add(s, real ? KOSHU_TOKEN_REAL : KOSHU_TOKEN_INTEGER, s->at,
                      n));
    } else {
        return refuse(s);
    }
    s->at += n;
    s->at_line_start = false;
    return KOSHU_OK;
}

static koshu_status
punctuator(struct scanner *s)
{
    size_t n = is_digraph(s->at) ? 0 : span_punctuator(s->at);
    if (n == 0) return refuse(s);
    KOSHU_TRY(add(s, KOSHU_TOKEN_PUNCTUATOR, s->at, n));
    s->at += n;
    s->at_line_start = false;
    return KOSHU_OK;
}

static koshu_status
step(struct scanner *s)
{
    const char c = *s->at;
    if (c == '\n') {
        s->line++;
        s->at++;
        s->at_line_start = true;
        return KOSHU_OK;
    }
    if (c == ' ' || c == '\t' || c == '\r') {
        s->at++;
        return KOSHU_OK;
    }
    if (c == '/' && s->at[1] == '/') return line_comment(s);
    if (c == '/' && s->at[1] == '*') return block_comment(s);
    if (is_letter(c) || is_digit(c) || (c == '.' && is_digit(s->at[1])))
        return word_or_number(s);
    return punctuator(s);
}

koshu_status
koshu_kernel_source_tokens(struct koshu_kernel_source *d)
{
    struct scanner s = {d, d->text, 1, true};
    while (*s.at) KOSHU_TRY(step(&s));
    d->n_lines = s.line;
    return add(&s, KOSHU_TOKEN_END, s.at, 0);
}
