/* SPDX-License-Identifier: MIT */
/* koshu analyse --groups: prints and writes the groups. */
#include "analyse_groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"

/* ---- printed ------------------------------------------------------------- */

enum { PRINTED = 10 };

static void
mass_unit(const struct analyse_snapshot *s, size_t size, char *text)
{
    koshu_units_label(&s->info.units, KOSHU_QUANTITY_MASS, size, text);
    if (is_universe(s)) snprintf(text, size, "1e10 Msun/h");
}

static void
print_groups(const struct analysis *w, const struct analyse_snapshot *s,
             const struct found_groups *f)
{
    char unit[64], length[64];
    mass_unit(s, sizeof unit, unit);
    analyse_length_unit(s, sizeof length, length);
    printf("  %zu groups of %zu particles or more, by a linking length of "
           "%.4g%s%s; %.1f %% of all particles are in them\n",
           f->of.n, w->a->least, f->length, length[0] ? " " : "", length,
           100 * (double)f->of.n_members / (double)f->total);
    if (f->of.n == 0) return;
    printf("  masses%s%s, radii%s%s\n", unit[0] ? " in " : "", unit,
           length[0] ? " in " : "", length);
    printf("  %5s  %8s  %10s  %10s  %8s  %10s  %8s  %s\n", "group", "members",
           "mass", "M200m", "R200m", "M200c", "R200c", "lowest potential at");
    for (size_t g = 0; g < f->of.n && g < PRINTED; g++) {
        const struct koshu_fof_group *k = &f->of.group[g];
        printf("  %5zu  %8zu  %10.4g  %10.4g  %8.4g  %10.4g  %8.4g  %.4g, "
               "%.4g, %.4g\n",
               g, k->n, k->mass, f->of.sphere[MEAN][g].mass,
               f->of.sphere[MEAN][g].radius, f->of.sphere[CRITICAL][g].mass,
               f->of.sphere[CRITICAL][g].radius, k->minimum[0], k->minimum[1],
               k->minimum[2]);
    }
}

/* ---- written ------------------------------------------------------------- */

enum {
    WHOLE = 3,
    NUMBERS = 6,
    VECTORS = 3,
    COLUMNS = WHOLE + NUMBERS + VECTORS
};

/* The rows of the catalogue's columns. */
struct rows {
    uint64_t *whole[WHOLE];
    double *number[NUMBERS], *vector[VECTORS];
};

static bool
allocate(const struct found_groups *f, struct rows *r)
{
    const size_t n = f->of.n + 1;
    bool good = true;
    for (int k = 0; k < WHOLE; k++)
        good = (r->whole[k] = koshu_alloc(n, 8)) && good;
    for (int k = 0; k < NUMBERS; k++)
        good = (r->number[k] = koshu_alloc(n, 8)) && good;
    for (int k = 0; k < VECTORS; k++)
        good = (r->vector[k] = koshu_alloc(n, 24)) && good;
    return good;
}

static void
release(struct rows *r)
{
    for (int k = 0; k < WHOLE; k++) koshu_free(r->whole[k]);
    for (int k = 0; k < NUMBERS; k++) koshu_free(r->number[k]);
    for (int k = 0; k < VECTORS; k++) koshu_free(r->vector[k]);
}

static void
fill(const struct found_groups *f, struct rows *r)
{
    size_t first = 0;
    for (size_t g = 0; g < f->of.n; g++) {
        const struct koshu_fof_group *k = &f->of.group[g];
        const double numbers[NUMBERS] = {k->mass,
                                         f->of.sphere[MEAN][g].mass,
                                         f->of.sphere[MEAN][g].radius,
                                         f->of.sphere[CRITICAL][g].mass,
                                         f->of.sphere[CRITICAL][g].radius,
                                         k->dispersion};
        r->whole[0][g] = k->n;
        r->whole[1][g] = first;
        first += k->n;
        r->whole[2][g] = k->minimum_id;
        for (int c = 0; c < NUMBERS; c++) r->number[c][g] = numbers[c];
        memcpy(r->vector[0] + 3 * g, k->minimum, sizeof k->minimum);
        memcpy(r->vector[1] + 3 * g, k->centre, sizeof k->centre);
        memcpy(r->vector[2] + 3 * g, k->velocity, sizeof k->velocity);
    }
}

static koshu_status
write_rows(const struct analysis *w, const struct analyse_snapshot *s,
           const struct found_groups *f, const struct rows *r)
{
    char mass[64], length[64], velocity[64];
    mass_unit(s, sizeof mass, mass);
    analyse_length_unit(s, sizeof length, length);
    koshu_units_label(&s->info.units, KOSHU_QUANTITY_VELOCITY, sizeof velocity,
                      velocity);
    const struct koshu_catalogue_column columns[COLUMNS] = {
            {"GroupLen", "", true, 1, r->whole[0]},
            {"GroupOffset", "", true, 1, r->whole[1]},
            {"GroupMinimumID", "", true, 1, r->whole[2]},
            {"GroupMass", mass, false, 1, r->number[0]},
            {"Group_M_Mean200", mass, false, 1, r->number[1]},
            {"Group_R_Mean200", length, false, 1, r->number[2]},
            {"Group_M_Crit200", mass, false, 1, r->number[3]},
            {"Group_R_Crit200", length, false, 1, r->number[4]},
            {"GroupVelDisp", velocity, false, 1, r->number[5]},
            {"GroupPos", length, false, 3, r->vector[0]},
            {"GroupCM", length, false, 3, r->vector[1]},
            {"GroupVel", velocity, false, 3, r->vector[2]}};
    const struct koshu_catalogue_number numbers[] = {
            {"LinkingLength", f->length}, {"MinMembers", (double)w->a->least}};
    const struct koshu_catalogue catalogue = {.info = &s->info,
                                              .n_numbers = 2,
                                              .n_columns = COLUMNS,
                                              .n_groups = f->of.n,
                                              .n_members = f->of.n_members,
                                              .number = numbers,
                                              .column = columns,
                                              .member = f->of.member};
    return koshu_catalogue_write(w->context, w->a->to.groups, &catalogue);
}

static koshu_status
write_catalogue(const struct analysis *w, const struct analyse_snapshot *s,
                const struct found_groups *f)
{
    struct rows r = {{NULL}};
    koshu_status status = KOSHU_OK;
    if (!allocate(f, &r))
        status = koshu_fail_memory(w->context, 168 * f->of.n, "a catalogue");
    if (status == KOSHU_OK) {
        fill(f, &r);
        status = write_rows(w, s, f, &r);
    }
    release(&r);
    if (status == KOSHU_OK && !w->a->quiet)
        printf("-> %s\n", printable(w->a->to.groups));
    return status;
}

/* All ranks have all groups; the first writes them. */
static koshu_status
write_once(const struct analysis *w, const struct analyse_snapshot *s,
           const struct found_groups *f)
{
    const bool mine = koshu_ranks_rank(w->context) == 0;
    return koshu_ranks_collective_status(
            w->context, mine ? write_catalogue(w, s, f) : KOSHU_OK);
}

/* ---- all ----------------------------------------------------------------- */

koshu_status
show_groups(const struct analysis *w, const struct analyse_snapshot *s,
            const struct found_groups *f)
{
    if (!w->a->quiet) print_groups(w, s, f);
    return w->a->to.groups[0] ? write_once(w, s, f) : KOSHU_OK;
}
