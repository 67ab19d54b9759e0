/* SPDX-License-Identifier: MIT */
/* A value as YAML has it. */
#include <stdio.h>
#include <string.h>

#include "parameters/object.h"

/* No letter of it, nor its beginning or end, means something in YAML. */
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
