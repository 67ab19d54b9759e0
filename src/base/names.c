/* SPDX-License-Identifier: MIT */
/* Names of enums: lists of them, and the name nearest to a misspelt one. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"

enum { LONGEST = 63 };

static size_t
smallest(size_t a, size_t b, size_t c)
{
    size_t m = a < b ? a : b;
    return m < c ? m : c;
}

/* Levenshtein distance; words are cut at LONGEST letters. */
static size_t
edit_distance(const char *a, const char *b)
{
    size_t na = strnlen(a, LONGEST), nb = strnlen(b, LONGEST);
    size_t row[LONGEST + 1];
    for (size_t j = 0; j <= nb; j++) row[j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t above = row[j];
            row[j] = smallest(row[j] + 1, row[j - 1] + 1,
                              diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[nb];
}

const char *
koshu_nearest_name(const char *word, const char *const *names, size_t n)
{
    const char *nearest = NULL;
    size_t best = strnlen(word, LONGEST) / 3 + 2;
    for (size_t k = 0; k < n; k++) {
        size_t distance = edit_distance(word, names[k]);
        if (distance < best) {
            best = distance;
            nearest = names[k];
        }
    }
    return nearest;
}

const char *
koshu_name_hint(char hint[KOSHU_HINT], const char *word,
                const char *const *names, size_t n)
{
    const char *nearest = koshu_nearest_name(word, names, n);
    hint[0] = '\0';
    if (nearest) snprintf(hint, KOSHU_HINT, "; did you mean '%s'?", nearest);
    return hint;
}

void
koshu_join_names(char *text, size_t size, const char *const *names, size_t n)
{
    size_t used = 0;
    if (size > 0) text[0] = '\0';
    for (size_t k = 0; k < n && used < size; k++) {
        int w = snprintf(text + used, size - used, "%s%s", k ? ", " : "",
                         names[k]);
        if (w < 0) return;
        used += (size_t)w;
    }
}

const char *
koshu_enum_name(const char *const *names, size_t n, unsigned value)
{
    return value < n ? names[value] : NULL;
}

koshu_status
koshu_enum_find(struct koshu_context *context, const char *what,
                const char *const *names, size_t n, const char *name,
                unsigned *value)
{
    for (size_t k = 0; k < n; k++)
        if (strcmp(names[k], name) == 0) {
            *value = (unsigned)k;
            return KOSHU_OK;
        }
    char all[512], seen[64], hint[KOSHU_HINT];
    koshu_join_names(all, sizeof all, names, n);
    koshu_printable(seen, sizeof seen, name, "");
    return koshu_fail(context, KOSHU_ERROR_NOT_FOUND,
                      "'%s' is not %s%s; there are %s", seen, what,
                      koshu_name_hint(hint, name, names, n), all);
}
