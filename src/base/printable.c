/* SPDX-License-Identifier: MIT */
/* Makes texts from outside safe to print on a terminal. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"

/* The number of bytes of the UTF-8 character that starts here; 0: it is
 * invalid, a control character, or one that changes the direction of
 * writing. */
static size_t
character(const unsigned char *c)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t n = c[0] < 0x80   ? 1
                     : c[0] < 0xc0 ? 0
                     : c[0] < 0xe0 ? 2
                     : c[0] < 0xf0 ? 3
                     : c[0] < 0xf8 ? 4
                                   : 0;
    if (n == 0) return 0;
    unsigned code = n == 1 ? c[0] : c[0] & (0x7fu >> n);
    for (size_t k = 1; k < n; k++) {
        if ((c[k] & 0xc0) != 0x80) return 0;
        code = code << 6 | (c[k] & 0x3fu);
    }
    const bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    const bool is_turn = (code >= 0x202a && code <= 0x202e) ||
                         (code >= 0x2066 && code <= 0x2069) || code == 0x2028 ||
                         code == 0x2029;
    const bool is_code = code >= least[n] && code <= 0x10ffff &&
                         (code < 0xd800 || code > 0xdfff);
    return is_code && !is_control && !is_turn ? n : 0;
}

void
koshu_printable(char *to, size_t size, const char *from, const char *but)
{
    size_t used = 0;
    while (*from) {
        const unsigned char *c = (const unsigned char *)from;
        size_t n = strchr(but, *from) ? 1 : character(c);
        char escape[8];
        const size_t width = n > 0 ? n
                                   : (size_t)snprintf(escape, sizeof escape,
                                                      "\\x%02x", (unsigned)*c);
        if (used + width + 1 > size) break;
        memcpy(to + used, n > 0 ? from : escape, width);
        used += width;
        from += n > 0 ? n : 1;
    }
    if (size > 0) to[used] = '\0';
}
