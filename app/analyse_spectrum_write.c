/* SPDX-License-Identifier: MIT */
/* Writes power spectra, as CSV and as a picture. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <koshu/version.h>

#include "analyse_spectrum.h"
#include "app.h"

/* ---- CSV ----------------------------------------------------------------- */

static void
write_name(FILE *out, const char *name, const char *before, const char *unit,
           const char *after)
{
    fputs(name, out);
    if (unit[0]) fprintf(out, " [%s%s%s]", before, unit, after);
    fputc(',', out);
}

static void
write_head(FILE *out, const struct analysis *w, const struct spectrum_of *s)
{
    fprintf(out, "# koshu %s: power spectrum\n", koshu_version());
    for (size_t k = 0; k < w->a->files.n; k++)
        fprintf(out, "# %s: %s, mesh of %zu^3\n", s[k].label,
                printable(w->a->files.word[k]), s[k].grid);
    if (w->has_linear)
        fprintf(out, "# linear: %s, sigma_8 = %.6g at z = 0\n",
                koshu_spectrum_name(w->linear.transfer),
                koshu_power_sigma(&w->linear, 8));
    if (w->is_universe)
        fputs("a,", out);
    else
        write_name(out, "t", "", s->time_unit, "");
    write_name(out, "k", "", s->wave, "");
    write_name(out, "power", "(", s->length, ")^3");
    write_name(out, "shot_noise", "(", s->length, ")^3");
    if (w->has_linear) write_name(out, "linear", "(", s->length, ")^3");
    fputs("modes,fold\n", out);
}

static void
write_rows(FILE *out, const struct analysis *w, const struct spectrum_of *s)
{
    for (size_t b = 0; b < s->measured.n; b++) {
        const struct koshu_spectrum_bin *bin = &s->measured.bin[b];
        fprintf(out, "%.12g,%.12g,%.12g,%.12g,", s->time, bin->k, bin->power,
                s->measured.shot_noise);
        if (w->has_linear) fprintf(out, "%.12g,", bin->linear);
        fprintf(out, "%.0f,%d\n", bin->modes, bin->fold);
    }
}

koshu_status
write_spectra(const struct analysis *w, const struct spectrum_of *s)
{
    struct koshu_file *file;
    KOSHU_TRY(koshu_file_begin(w->context, w->a->to.spectrum, &file));
    locale_t users = koshu_plain_numbers();
    write_head(file->stream, w, s);
    for (size_t k = 0; k < w->a->files.n; k++)
        write_rows(file->stream, w, &s[k]);
    uselocale(users);
    KOSHU_TRY(koshu_file_commit(file));
    if (!w->a->quiet) printf("-> %s\n", printable(w->a->to.spectrum));
    return KOSHU_OK;
}

/* ---- picture ------------------------------------------------------------- */

enum { MEASURED, LINEAR, NOISE, N_KINDS };

/* The curves of one snapshot, with their points. */
struct drawn {
    char name[N_KINDS][96];
    double *xy[N_KINDS];
};

/* Power of 0, or below 0 due to noise, has no logarithm. */
static void
add_point(struct koshu_curve *c, double *xy, double k, double power)
{
    if (!(power > 0)) return;
    xy[2 * c->n] = k;
    xy[2 * c->n + 1] = power;
    c->n++;
}

static bool
begin_curves(const struct spectrum_of *s, struct drawn *d,
             struct koshu_curve curve[N_KINDS])
{
    static const enum koshu_curve_style styles[N_KINDS] = {
            KOSHU_CURVE_LINE, KOSHU_CURVE_BESIDE, KOSHU_CURVE_DOTS};
    snprintf(d->name[MEASURED], sizeof d->name[0], "%s", s->label);
    snprintf(d->name[LINEAR], sizeof d->name[0], "  linear");
    snprintf(d->name[NOISE], sizeof d->name[0], "shot noise");
    for (int kind = 0; kind < N_KINDS; kind++) {
        d->xy[kind] = koshu_alloc(2 * s->measured.n, sizeof(double));
        curve[kind] = (struct koshu_curve){d->name[kind], styles[kind], 0,
                                           d->xy[kind]};
        if (!d->xy[kind]) return false;
    }
    return true;
}

/* Only the first snapshot's shot noise is drawn: it is the same throughout a
 * run. */
static void
fill_curves(const struct spectrum_of *s, bool first, struct drawn *d,
            struct koshu_curve curve[N_KINDS])
{
    for (size_t b = 0; b < s->measured.n; b++) {
        const struct koshu_spectrum_bin *bin = &s->measured.bin[b];
        add_point(&curve[MEASURED], d->xy[MEASURED], bin->k, bin->power);
        add_point(&curve[LINEAR], d->xy[LINEAR], bin->k, bin->linear);
        if (first)
            add_point(&curve[NOISE], d->xy[NOISE], bin->k,
                      s->measured.shot_noise);
    }
}

static koshu_status
draw_curves(const struct analysis *w, const struct spectrum_of *s,
            struct koshu_curve *curves)
{
    char k[80] = "k", power[80] = "P(k)";
    const struct koshu_rates panel = {"", w->a->files.n * N_KINDS, curves};
    if (s->wave[0]) snprintf(k, sizeof k, "k [%s]", s->wave);
    if (s->length[0]) snprintf(power, sizeof power, "P(k) [(%s)^3]", s->length);
    KOSHU_TRY(koshu_picture_rates(w->context, "Power spectrum of matter", k,
                                  power, &panel, 1, w->a->picture));
    printf("-> %s\n", printable(w->a->picture));
    return KOSHU_OK;
}

koshu_status
draw_spectra(const struct analysis *w, const struct spectrum_of *s)
{
    const size_t n = w->a->files.n;
    struct koshu_curve *curves = calloc(n, N_KINDS * sizeof *curves);
    struct drawn *drawn = calloc(n, sizeof *drawn);
    bool good = curves && drawn;
    for (size_t k = 0; k < n && good; k++) {
        good = begin_curves(&s[k], &drawn[k], curves + k * N_KINDS);
        if (good) fill_curves(&s[k], k == 0, &drawn[k], curves + k * N_KINDS);
    }
    const koshu_status status =
            good ? draw_curves(w, s, curves)
                 : koshu_fail_memory(w->context, n * sizeof *drawn,
                                     "the curves of a picture");
    for (size_t k = 0; drawn && k < n; k++)
        for (int kind = 0; kind < N_KINDS; kind++)
            koshu_free(drawn[k].xy[kind]);
    free(drawn);
    free(curves);
    return status;
}
