/* SPDX-License-Identifier: MIT */
/* Makes texts safe to print on a terminal. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"

static const char *called = "koshu";

void
name_program(const char *name)
{
    called = name;
}

const char *
program_name(void)
{
    return called;
}

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
    /* enough if every byte is escaped */
    const size_t size = 4 * strlen(text) + 1;
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

const char *
quantity_text(const struct koshu_units *units, enum koshu_quantity quantity,
              double value, char text[QUANTITY_TEXT])
{
    char label[QUANTITY_TEXT / 2];
    koshu_units_label(units, quantity, sizeof label, label);
    if (label[0] >= '0' && label[0] <= '9')
        koshu_quantity_text(units, quantity, value, QUANTITY_TEXT, text);
    else
        snprintf(text, QUANTITY_TEXT, "%.9g%s%s", value, label[0] ? " " : "",
                 label);
    return text;
}

const char *
unit_text(const struct koshu_units *units, enum koshu_quantity quantity,
          char text[QUANTITY_TEXT])
{
    char label[QUANTITY_TEXT / 2];
    koshu_units_label(units, quantity, sizeof label, label);
    const bool is_number = label[0] >= '0' && label[0] <= '9';
    snprintf(text, QUANTITY_TEXT, "%s%s%s", label[0] ? " " : "",
             is_number ? "x " : "", label);
    return text;
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
