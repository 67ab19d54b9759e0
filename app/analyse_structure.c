/* SPDX-License-Identifier: MIT */
/* koshu analyse of boxes: each snapshot is read once, whatever is measured. */
#include <stdio.h>
#include <stdlib.h>

#include "analyse_groups.h"
#include "app.h"

static koshu_status
measure_groups(struct analysis *w, struct analyse_snapshot *s)
{
    struct found_groups f;
    koshu_status status = find_groups(w, s, &f);
    if (status == KOSHU_OK && w->a->groups) status = show_groups(w, s, &f);
    if (status == KOSHU_OK && w->a->mass_function)
        status = show_masses(w, s, &f);
    found_free(&f);
    return status;
}

static koshu_status
measure_file(struct analysis *w, size_t k)
{
    struct analyse_snapshot s;
    koshu_status status = analyse_read(w, k, &s);
    if (status == KOSHU_OK && !w->a->quiet) analyse_print_file(&s);
    if (status == KOSHU_OK && w->a->power_spectrum)
        status = measure_spectrum(w, &s);
    if (status == KOSHU_OK && (w->a->groups || w->a->mass_function))
        status = measure_groups(w, &s);
    analyse_free(&s);
    return status;
}

/* Of all files together. */
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
