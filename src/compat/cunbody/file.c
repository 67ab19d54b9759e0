/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/cunbody/cunbody.h"

/* A pipeline is a page or two. */
enum { MAX_BYTES = 1 << 20 };

static char *
fail(char *fault, const char *name, const char *what)
{
    snprintf(fault, KOSHU_COMPAT_LINE, "%s: %s", name, what);
    return NULL;
}

/* All of it, with a zero at the end; NULL: see fail(). */
static char *
read_all(FILE *file, const char *name, char *fault)
{
    char *text = malloc(MAX_BYTES + 1);
    if (!text) return fail(fault, name, "out of memory");
    errno = 0;
    size_t n = fread(text, 1, MAX_BYTES + 1, file);
    const char *wrong = NULL;
    if (ferror(file))
        wrong = strerror(errno);
    else if (n > MAX_BYTES)
        wrong = "longer than 1 MiB: that is no pipeline";
    else if (memchr(text, '\0', n))
        wrong = "it has zero bytes: that is no text";
    if (wrong) {
        free(text);
        return fail(fault, name, wrong);
    }
    text[n] = '\0';
    return text;
}

char *
koshu_cunbody_read_file(const char *name, char *fault)
{
    FILE *file = fopen(name, "re");
    if (!file) return fail(fault, name, strerror(errno));
    char *text = read_all(file, name, fault);
    fclose(file);
    return text;
}
