/* SPDX-License-Identifier: MIT */
/* Writes a value in YAML. */
#include <stdio.h>
#include <string.h>

#include "parameters/object.h"

/* Whether no character of the value, nor its beginning or end, has a meaning in
 * YAML. */
static bool
is_plain(const char *value)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+- ";
    const size_t n = strlen(value);
    return n > 0 && strspn(value, letters) == n && !strchr("+- ", value[0]) &&
           value[n - 1] != ' ';
}

void
koshu_yaml_put(FILE *out, const char *value)
{
    if (is_plain(value)) {
        fputs(value, out);
        return;
    }
    fputc('"', out);
    for (; *value; value++) {
        const unsigned char c = (unsigned char)*value;
        if (c < ' ' || c == 127)
            fprintf(out, "\\x%02x", c);
        else
            fprintf(out, strchr("\"\\", c) ? "\\%c" : "%c", c);
    }
    fputc('"', out);
}
