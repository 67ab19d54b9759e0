/* SPDX-License-Identifier: MIT */
/* Reads the size of a universe: "100", "100 Mpc/h", "140 Mpc". */
#include "init_size.h"

#include <stdio.h>
#include <string.h>

#include <koshu/units.h>

/* From 1 pc/h to far beyond the horizon: so masses and wave numbers stay far
 * from where floating-point numbers end. */
static const double size_min = 1e-6, size_max = 1e6;

enum { TEXT = 64 };

/* The unit after a number. */
static const char *
unit_of(const char *text)
{
    text += strspn(text, " ");
    text += strspn(text, "0123456789+-.eE/");
    return text + strspn(text, " ");
}

/* Where "/h" after a unit ends the text; NULL: it does not. */
static const char *
find_h(const char *text)
{
    const size_t n = strlen(text);
    if (n < 2 || strcmp(text + n - 2, "/h") != 0) return NULL;
    return unit_of(text) < text + n - 2 ? text + n - 2 : NULL;
}

/* Numbers without a unit are in Mpc/h; a length that is not over h is
 * multiplied. */
static koshu_status
parse(struct koshu_context *context, const char *text, double h, double *x)
{
    struct koshu_units units;
    char length[TEXT];
    const char *over_h = find_h(text);
    const size_t n = over_h ? (size_t)(over_h - text) : strlen(text);
    if (n >= TEXT)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "'%.20s...' has more than %d characters", text,
                          TEXT - 1);
    snprintf(length, sizeof length, "%.*s", (int)n, text);
    KOSHU_TRY(koshu_units_find(context, "Mpc, 1e10 Msun, km/s", &units));
    KOSHU_TRY(koshu_quantity_parse(context, length, KOSHU_QUANTITY_LENGTH,
                                   &units, x));
    if (*unit_of(text) && !over_h) *x *= h;
    return KOSHU_OK;
}

static koshu_status
parse_option(struct koshu_context *context, const char *option,
             const char *text, double h, double *x)
{
    char message[1024];
    koshu_status status = parse(context, text, h, x);
    if (status == KOSHU_OK && *x >= size_min && *x <= size_max) return KOSHU_OK;
    snprintf(message, sizeof message, "%s", koshu_context_message(context));
    if (status != KOSHU_OK)
        return koshu_fail(context, status, "%s: %s", option, message);
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "%s: %g Mpc/h is not in %g ... %g Mpc/h", option, *x,
                      size_min, size_max);
}

koshu_status
init_size(struct koshu_context *context, const struct size_texts *texts,
          struct koshu_universe_options *u)
{
    const double h = u->cosmology.h;
    if (!texts->radius)
        return parse_option(context, "--box", texts->box, h, &u->box);
    KOSHU_TRY(parse_option(context, "--radius", texts->radius, h, &u->radius));
    u->box = 2 * u->radius;
    return KOSHU_OK;
}
