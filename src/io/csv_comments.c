/* SPDX-License-Identifier: MIT */
/* Comments of CSV files hold what has no column. */
#include "io/csv_comments.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/version.h>

#include "base/base.h"

enum {
    UNIVERSE = KOSHU_CSV_OMEGA_M | KOSHU_CSV_OMEGA_LAMBDA | KOSHU_CSV_HUBBLE
};

/* The keys, in the order in which they are written. */
#define AT(member) offsetof(struct koshu_snapshot_info, member)
static const struct comment {
    const char *key;
    size_t offset;
    bool whole;     /* a uint64_t, not a double */
    unsigned found; /* the bit to be set */
} comments[] = {
        {"time", AT(time), false, 0},
        {"step", AT(step), true, 0},
        {"softening", AT(softening), false, 0},
        {"box_size", AT(box_size), false, 0},
        {"omega_m", AT(omega_m), false, KOSHU_CSV_OMEGA_M},
        {"omega_lambda", AT(omega_lambda), false, KOSHU_CSV_OMEGA_LAMBDA},
        {"hubble", AT(hubble), false, KOSHU_CSV_HUBBLE},
        {"unit_length_cm", AT(units.length_cm), false, KOSHU_CSV_UNITS},
        {"unit_mass_g", AT(units.mass_g), false, KOSHU_CSV_UNITS},
        {"unit_velocity_cm_s", AT(units.velocity_cm_s), false, KOSHU_CSV_UNITS},
        {"n", AT(n), true, KOSHU_CSV_N}};
enum { N_COMMENTS = sizeof comments / sizeof comments[0] };

/* ---- reading ------------------------------------------------------------- */

static bool
parse_real(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

/* Not by way of a double, which would round; and signs are refused, as
 * strtoull() accepts "-1" as the largest number. */
static bool
parse_count(const char *text, uint64_t *value)
{
    char *end;
    if (!isdigit((unsigned char)*text)) return false;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0';
}

bool
koshu_csv_parse(const char *text, bool whole, void *value)
{
    return whole ? parse_count(text, value) : parse_real(text, value);
}

const char *
koshu_csv_comment_take(struct koshu_csv_comments *c, char *text,
                       const char **value)
{
    char *program = c->info->program, *to = strchr(text, '=');
    if (strncmp(text, "# koshu ", 8) == 0)
        snprintf(program, sizeof c->info->program, "%s", text + 2);
    if (!to) return NULL;
    *to++ = '\0';
    const char *key = koshu_trim(text + 1);
    const struct comment *k = comments, *end = comments + N_COMMENTS;
    while (k < end && strcmp(key, k->key) != 0) k++;
    if (k == end) return NULL;
    c->found |= k->found;
    *value = koshu_trim(to);
    char *member = (char *)c->info + k->offset;
    return koshu_csv_parse(*value, k->whole, member) ? NULL : k->key;
}

koshu_status
koshu_csv_comments_settle(struct koshu_reader *reader,
                          const struct koshu_csv_comments *c)
{
    const unsigned found = c->found & UNIVERSE;
    const bool whole =
            found == UNIVERSE && c->info->omega_m > 0 && c->info->hubble > 0;
    if (found == 0 || whole) return KOSHU_OK;
    return koshu_reader_refuse(reader, KOSHU_ERROR_BAD_INPUT,
                               "a universe is stated by omega_m and hubble, "
                               "both above 0, and omega_lambda; give all three "
                               "comments, or none");
}

/* ---- writing ------------------------------------------------------------- */

void
koshu_csv_comments_write(FILE *out, const struct koshu_snapshot_info *info)
{
    fprintf(out, "# koshu %s %s\n", koshu_version(), koshu_version_commit());
    for (size_t k = 0; k < N_COMMENTS; k++) {
        const void *value = (const char *)info + comments[k].offset;
        if (comments[k].found & UNIVERSE && !(info->hubble > 0)) continue;
        fprintf(out, "# %s = ", comments[k].key);
        if (comments[k].whole)
            fprintf(out, "%llu\n",
                    (unsigned long long)*(const uint64_t *)value);
        else
            fprintf(out, "%.17g\n", *(const double *)value);
    }
}
