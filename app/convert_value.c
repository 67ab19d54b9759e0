/* SPDX-License-Identifier: MIT */
/* Reads values of changes: numbers and lists of numbers, with units. */
#include <stdlib.h>
#include <string.h>

#include "convert.h"

koshu_status
refuse_value(const struct changing *c, const char *what)
{
    return koshu_fail(c->context, KOSHU_ERROR_BAD_INPUT, "--%s: '%s': %s",
                      c->option, printable(c->text), printable(what));
}

size_t
count_words(const char *text)
{
    size_t n = 1;
    for (; *text; text++) n += *text == ',';
    return n;
}

/* The text after the number. */
static const char *
unit_of(const char *text)
{
    text += strspn(text, " ");
    text += strspn(text, "0123456789+-.eE/");
    return text + strspn(text, " ");
}

/* Reads a word with its own unit or, without one, with that of the last
 * word. */
static koshu_status
read_quantity(const struct changing *c, const char *word, const char *last,
              enum koshu_quantity quantity, double *value)
{
    char whole[256];
    snprintf(whole, sizeof whole, "%s %s", word,
             *unit_of(word) ? "" : unit_of(last));
    if (koshu_quantity_parse(NULL, whole, quantity, &c->s->info.units, value) !=
        KOSHU_OK)
        return refuse_value(c, koshu_context_message(NULL));
    return KOSHU_OK;
}

koshu_status
read_quantities(const struct changing *c, const char *text,
                enum koshu_quantity quantity, size_t n, double *values)
{
    char what[64];
    snprintf(what, sizeof what, "expected %zu number%s with commas between", n,
             n > 1 ? "s" : "");
    if (count_words(text) != n)
        return refuse_value(c, n > 1 ? what : "expected one number");
    char *copy = strdup(text), *rest = copy, *word;
    const char *last = strrchr(text, ',');
    koshu_status status = KOSHU_OK;
    if (!copy) return koshu_fail_memory(c->context, strlen(text), "an option");
    for (size_t k = 0; status == KOSHU_OK && (word = strsep(&rest, ",")); k++)
        status = read_quantity(c, word, last ? last + 1 : text, quantity,
                               &values[k]);
    free(copy);
    return status;
}

koshu_status
read_number(const struct changing *c, const char *text, double *value)
{
    if (koshu_parse_real(text, value)) return KOSHU_OK;
    return refuse_value(c, "it is no finite number");
}
