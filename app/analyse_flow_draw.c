/* SPDX-License-Identifier: MIT */
/* Writes what was measured of flows, as CSV and as pictures. */
#include <stdio.h>
#include <stdlib.h>

#include <koshu/version.h>

#include "analyse_flow.h"
#include "app.h"

/* ---- CSV ----------------------------------------------------------------- */

static void
write_spectrum(FILE *out, const struct flow_of *f)
{
    for (size_t k = 1; k < f->spectrum.shells; k++)
        fprintf(out, "%.12g,%.12g,%.12g\n", f->time,
                (double)k * f->spectrum.unit, f->spectrum.energy[k]);
}

static void
write_structure(FILE *out, const struct flow_of *f)
{
    for (size_t k = 0; k < f->n_structure; k++) {
        const struct koshu_structure *s = &f->structure[k];
        fprintf(out, "%.12g,%.12g,%.12g,%.12g,%.12g\n", f->time, s->r,
                s->longitudinal, s->transverse, s->third);
    }
}

/* Writes a row for each point. */
static void
write_invariant(FILE *out, const struct flow_of *f)
{
    const double h = f->box / (double)f->n;
    for (size_t p = 0; p < f->n * f->n * f->n; p++)
        fprintf(out, "%.12g,%.12g,%.12g,%.12g,%.12g\n", f->time,
                h * (double)(p / f->n / f->n), h * (double)(p / f->n % f->n),
                h * (double)(p % f->n), f->invariant[p]);
}

static void
write_head(FILE *out, const struct analysis *w, const struct flow_of *f)
{
    fprintf(out, "# koshu %s: %s\n", koshu_version(),
            w->a->structure   ? "structure functions"
            : w->a->invariant ? "the second invariant of velocity derivatives"
                              : "energy spectrum");
    for (size_t k = 0; k < w->a->files.n; k++)
        fprintf(out, "# %s: %s, %s, %zu^3 points, dissipation %.12g\n",
                f[k].label, printable(w->a->files.word[k]), f[k].kind, f[k].n,
                f[k].dissipation);
    fputs(w->a->structure   ? "t,r,s2_longitudinal,s2_transverse,s3\n"
          : w->a->invariant ? "t,x,y,z,invariant\n"
                            : "t,k,energy\n",
          out);
}

koshu_status
write_flows(const struct analysis *w, const struct flow_of *f)
{
    struct koshu_file *file;
    KOSHU_TRY(koshu_file_begin(w->context, w->a->output, &file));
    locale_t users = koshu_plain_numbers();
    write_head(file->stream, w, f);
    for (size_t k = 0; k < w->a->files.n; k++)
        if (w->a->structure)
            write_structure(file->stream, &f[k]);
        else if (w->a->invariant)
            write_invariant(file->stream, &f[k]);
        else
            write_spectrum(file->stream, &f[k]);
    uselocale(users);
    KOSHU_TRY(koshu_file_commit(file));
    printf("-> %s\n", printable(w->a->output));
    return KOSHU_OK;
}

/* ---- curves -------------------------------------------------------------- */

/* Two curves of a snapshot: E(k) alone, or S_2 along and across. */
struct drawn {
    char name[2][96];
    double *xy[2];
};

static void
add_point(struct koshu_curve *c, double *xy, double x, double y)
{
    if (!(y > 0)) return;
    xy[2 * c->n] = x;
    xy[2 * c->n++ + 1] = y;
}

static void
fill(const struct analysis *w, const struct flow_of *f, struct drawn *d,
     struct koshu_curve curve[2])
{
    for (size_t k = 0; k < f->n_structure; k++) {
        const struct koshu_structure *s = &f->structure[k];
        add_point(&curve[0], d->xy[0], s->r, s->longitudinal);
        add_point(&curve[1], d->xy[1], s->r, s->transverse);
    }
    if (w->a->structure) return;
    for (size_t k = 1; k < f->spectrum.shells; k++)
        add_point(&curve[0], d->xy[0], (double)k * f->spectrum.unit,
                  f->spectrum.energy[k]);
}

static koshu_status
make_curves(const struct analysis *w, const struct flow_of *f, struct drawn *d,
            struct koshu_curve curve[2])
{
    const size_t size = f->spectrum.shells + KOSHU_STRUCTURE_MAX;
    snprintf(d->name[0], sizeof d->name[0], "%s, %s", f->label, f->kind);
    snprintf(d->name[1], sizeof d->name[1], "  across");
    for (size_t c = 0; c < 2; c++) {
        d->xy[c] = koshu_alloc(2 * size, sizeof(double));
        if (!d->xy[c])
            return koshu_fail_memory(w->context, 16 * size, "a curve");
        curve[c] = (struct koshu_curve){
                d->name[c], c ? KOSHU_CURVE_BESIDE : KOSHU_CURVE_LINE, 0,
                d->xy[c]};
    }
    fill(w, f, d, curve);
    return KOSHU_OK;
}

static koshu_status
draw_curves(const struct analysis *w, const struct flow_of *f,
            struct drawn *drawn, struct koshu_curve *curves)
{
    const size_t n = w->a->files.n;
    const struct koshu_rates panel = {"", 2 * n, curves};
    const bool structure = w->a->structure;
    for (size_t k = 0; k < n; k++)
        KOSHU_TRY(make_curves(w, &f[k], &drawn[k], curves + 2 * k));
    return koshu_picture_rates(
            w->context, structure ? "Structure functions" : "Energy spectrum",
            structure ? "r" : "k", structure ? "S2(r)" : "E(k)", &panel, 1,
            w->a->picture);
}

static koshu_status
draw_all_curves(const struct analysis *w, const struct flow_of *f)
{
    const size_t n = w->a->files.n;
    struct drawn *drawn = calloc(n, sizeof *drawn);
    struct koshu_curve *curves = calloc(n, 2 * sizeof *curves);
    const koshu_status status =
            drawn && curves ? draw_curves(w, f, drawn, curves)
                            : koshu_fail_memory(w->context, n * sizeof *drawn,
                                                "the curves of a picture");
    for (size_t k = 0; drawn && k < n; k++)
        for (int c = 0; c < 2; c++) koshu_free(drawn[k].xy[c]);
    free(drawn);
    free(curves);
    return status;
}

/* ---- surfaces ------------------------------------------------------------ */

enum { PIXELS = 380 };

/* All snapshots use the rms of the first. */
static koshu_status
draw_surfaces(const struct analysis *w, const struct flow_of *f)
{
    const size_t n = w->a->files.n, size = 3 * PIXELS * PIXELS;
    struct koshu_page_panel *panels = calloc(n, sizeof *panels);
    double *images = koshu_alloc(n * size, sizeof *images);
    char title[64];
    koshu_status status =
            panels && images
                    ? KOSHU_OK
                    : koshu_fail_memory(w->context, 8 * n * size, "a picture");
    snprintf(title, sizeof title, "II = %g rms", w->a->level);
    for (size_t k = 0; status == KOSHU_OK && k < n; k++) {
        koshu_isosurface(f[k].n, f[k].invariant, w->a->level * f[0].rms, PIXELS,
                         images + k * size);
        panels[k] = (struct koshu_page_panel){.name = f[k].label,
                                              .pixels = PIXELS,
                                              .image = images + k * size};
    }
    if (status == KOSHU_OK)
        status =
                koshu_picture_page(w->context, title, panels, n, w->a->picture);
    free(panels);
    koshu_free(images);
    return status;
}

koshu_status
draw_flows(const struct analysis *w, const struct flow_of *f)
{
    KOSHU_TRY(w->a->invariant ? draw_surfaces(w, f) : draw_all_curves(w, f));
    printf("-> %s\n", printable(w->a->picture));
    return KOSHU_OK;
}
