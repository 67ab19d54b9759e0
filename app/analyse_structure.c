/* SPDX-License-Identifier: MIT */
/* koshu analyse of boxes: reads each snapshot once, whatever is measured. */
#include <stdio.h>
#include <stdlib.h>

#include "analyse_groups.h"
#include "app.h"

/* Seconds spent on one file, by part. */
struct parts {
    double read, spectrum, groups, masses, since;
};

static void
end_part(struct parts *p, double *seconds)
{
    const double now = koshu_now();
    *seconds = now - p->since;
    p->since = now;
}

static void
print_parts(const struct analysis *w, const struct parts *p)
{
    printf("  %.2f s to read", p->read);
    if (w->a->power_spectrum) printf(", %.2f for the spectrum", p->spectrum);
    if (w->a->groups || w->a->mass_function)
        printf(", %.2f for groups", p->groups);
    if (w->a->mass_function) printf(", %.2f for halos", p->masses);
    putchar('\n');
}

static koshu_status
measure_groups(struct analysis *w, struct analyse_snapshot *s, struct parts *p)
{
    struct found_groups f = {0};
    koshu_status status = w->a->mass_function ? check_masses(w, s) : KOSHU_OK;
    if (status == KOSHU_OK) status = find_groups(w, s, &f);
    if (status == KOSHU_OK && w->a->groups) status = show_groups(w, s, &f);
    end_part(p, &p->groups);
    if (status == KOSHU_OK && w->a->mass_function)
        status = show_masses(w, s, &f);
    end_part(p, &p->masses);
    found_free(&f);
    return status;
}

static koshu_status
measure_parts(struct analysis *w, struct analyse_snapshot *s, struct parts *p)
{
    end_part(p, &p->read);
    if (!w->a->quiet) analyse_print_file(s);
    if (w->a->power_spectrum) KOSHU_TRY(measure_spectrum(w, s));
    end_part(p, &p->spectrum);
    if (w->a->groups || w->a->mass_function) KOSHU_TRY(measure_groups(w, s, p));
    if (!w->a->quiet) print_parts(w, p);
    return KOSHU_OK;
}

static koshu_status
measure_file(struct analysis *w, size_t k)
{
    struct analyse_snapshot s;
    struct parts parts = {.since = koshu_now()};
    koshu_status status = analyse_read(w, k, &s);
    if (status == KOSHU_OK) status = measure_parts(w, &s, &parts);
    analyse_free(&s);
    return status;
}

/* Measures all files. */
static koshu_status
finish(const struct analysis *w)
{
    if (w->spectra) KOSHU_TRY(finish_spectra(w));
    return w->masses ? finish_masses(w) : KOSHU_OK;
}

koshu_status
analyse_structure(struct analysis *w)
{
    koshu_status status = w->a->power_spectrum ? begin_spectra(w) : KOSHU_OK;
    if (status == KOSHU_OK && w->a->mass_function) status = begin_masses(w);
    for (size_t k = 0; k < w->a->files.n && status == KOSHU_OK; k++)
        status = measure_file(w, k);
    if (status == KOSHU_OK) status = finish(w);
    if (w->spectra) end_spectra(w);
    free(w->masses);
    return status;
}
