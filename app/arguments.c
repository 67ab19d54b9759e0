/* SPDX-License-Identifier: MIT */
/* Reads values of options from their texts. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"

/* Decimal digits only: strtoull() would accept "-1" as a large number. */
static bool
parse_digits(const char *text, uint64_t *count)
{
    char *end;
    if (text[0] < '0' || text[0] > '9') return false;
    errno = 0;
    *count = strtoull(text, &end, 10);
    return *end == '\0' && errno == 0;
}

uint64_t
argument_count(struct argp_state *state, const char *option, const char *text)
{
    uint64_t count;
    if (parse_digits(text, &count)) return count;
    /* 1e6 is an integer too; doubles hold all of them up to 2^53 */
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= 0 && value <= 0x1p53) ||
        value != floor(value))
        argp_error(state, "%s: '%s' is not a whole number, 0 or more", option,
                   text);
    return (uint64_t)value;
}

double
argument_number(struct argp_state *state, const char *option, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value))
        argp_error(state, "%s: '%s' is not a number", option, text);
    return value;
}

int
argument_threads(struct argp_state *state, const char *option, const char *text)
{
    uint64_t count = argument_count(state, option, text);
    if (count < 1 || count > KOSHU_MAX_THREADS)
        argp_error(state, "%s: '%s' is not in 1 ... %d", option, text,
                   KOSHU_MAX_THREADS);
    return (int)count;
}

void
append_word(struct argp_state *state, struct word_list *list, const char *word)
{
    const char **longer = reallocarray(list->word, list->n + 1, sizeof *longer);
    if (!longer) argp_failure(state, EXIT_FAILED, 0, "out of memory");
    longer[list->n++] = word;
    list->word = longer;
}

void
append_setting(struct argp_state *state, const char *option, char *text,
               void *member)
{
    if (!strchr(text, '='))
        argp_error(state, "%s %s: expected KEY=VALUE", option, text);
    append_word(state, member, text);
}

size_t
argument_counts(struct argp_state *state, const char *option, const char *text,
                size_t max, size_t *list)
{
    char *copy = strdup(text), *rest = copy, *word;
    size_t n = 0;
    if (!copy) argp_failure(state, EXIT_FAILED, 0, "out of memory");
    while ((word = strsep(&rest, ","))) {
        if (n == max)
            argp_error(state, "%s: more than %zu numbers", option, max);
        list[n] = argument_count(state, option, word);
        if (list[n++] == 0)
            argp_error(state, "%s: '%s' is not 1 or more", option, word);
    }
    free(copy);
    return n;
}
