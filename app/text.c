/* SPDX-License-Identifier: MIT */
/* Texts for a terminal. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"

const char *
printable(const char *text)
{
    enum { BUFFERS = 8 };
    static char buffer[BUFFERS][8192];
    static unsigned next;
    char *to = buffer[next++ % BUFFERS];
    koshu_printable(to, sizeof buffer[0], text, "");
    return to;
}

void
print_printable(const char *text)
{
    const size_t size = 4 * strlen(text) + 1; /* if each byte is escaped */
    char *copy = malloc(size);
    if (!copy) return;
    koshu_printable(copy, size, text, "\n\t");
    fputs(copy, stdout);
    free(copy);
}

const char *
name_hint(const char *word, const char *const *names, size_t n)
{
    static char hint[KOSHU_HINT];
    return koshu_name_hint(hint, word, names, n);
}

#undef argp_error
void
usage_error(const struct argp_state *state, const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    argp_error(state, "%s", printable(text));
}
