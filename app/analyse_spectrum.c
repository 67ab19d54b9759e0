/* SPDX-License-Identifier: MIT */
/* Measures and prints power spectra of snapshots. */
#include "analyse_spectrum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "options.h"

void
parse_assignment_of_mesh(struct argp_state *state, const char *option,
                         char *text, void *member)
{
    OPTION_FIND(state, option, text, koshu_assignment_find,
                (enum koshu_assignment *)member);
}

/* ---- measured ------------------------------------------------------------ */

static void
label(const struct analyse_snapshot *file, struct spectrum_of *s)
{
    analyse_time_text(file, sizeof s->label, s->label);
    analyse_length_unit(file, sizeof s->length, s->length);
    if (s->length[0]) snprintf(s->wave, sizeof s->wave, "1/%.40s", s->length);
    if (is_universe(file)) snprintf(s->wave, sizeof s->wave, "h/Mpc");
    koshu_units_label(&file->info.units, KOSHU_QUANTITY_TIME,
                      sizeof s->time_unit, s->time_unit);
    s->time = file->info.time;
    s->growth = file->growth;
}

/* Memory for the meshes, and for the order of the particles. */
static koshu_status
check_memory(const struct analysis *w, size_t grid, size_t n)
{
    const struct koshu_mesh mesh = koshu_mesh_cube(grid, 1);
    const size_t cells = grid * grid * 2 * koshu_mesh_row(&mesh);
    const size_t meshes = w->a->single_mesh ? 1 : 2,
                 ranks = (size_t)koshu_ranks_count(w->context);
    /* on several ranks there are two more while planes are exchanged */
    const size_t part =
            ranks > 1 ? (meshes + 2) * (cells / ranks) : meshes * cells;
    return koshu_ranks_collective_status(
            w->context,
            koshu_require_memory(w->context, (part + n) * sizeof(double),
                                 "the mesh of a power spectrum",
                                 "take a smaller --grid, or --fold"));
}

static koshu_status
measure_particles(const struct analysis *w, const struct analyse_snapshot *file,
                  struct spectrum_of *s)
{
    struct koshu_particle_const_view v = {.size = sizeof v};
    KOSHU_TRY(koshu_ranks_collective_status(
            w->context, koshu_particles_acquire_read(
                                file->particles,
                                KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION, &v)));
    s->grid = w->a->grid;
    if (s->grid == 0)
        s->grid = koshu_spectrum_grid(koshu_particles_total(file->particles));
    const struct koshu_points points = {v.n, v.mass, {v.x, v.y, v.z}};
    const struct koshu_measure_options o = {
            .box = file->info.box_size,
            .grid = s->grid,
            .fold = w->a->fold,
            .assignment = w->a->assignment,
            .single_mesh = w->a->single_mesh,
            .linear = w->has_linear ? &w->linear : NULL,
            .growth2 = file->growth * file->growth};
    koshu_status status = check_memory(w, s->grid, v.n);
    if (status == KOSHU_OK)
        status = koshu_power_spectrum_measure(w->context, &points, &o,
                                              &s->measured);
    koshu_particles_release_read(file->particles);
    return status;
}

koshu_status
measure_spectrum(struct analysis *w, const struct analyse_snapshot *file)
{
    struct spectrum_of *s = &w->spectra[w->k];
    label(file, s);
    KOSHU_TRY(measure_particles(w, file, s));
    if (!w->a->quiet) print_spectrum(w, s);
    return KOSHU_OK;
}

/* ---- of all files -------------------------------------------------------- */

koshu_status
begin_spectra(struct analysis *w)
{
    const size_t n = w->a->files.n;
    w->spectra = calloc(n, sizeof *w->spectra);
    return w->spectra ? KOSHU_OK
                      : koshu_fail_memory(w->context, n * sizeof *w->spectra,
                                          "spectra");
}

/* The first rank writes the files. */
static koshu_status
write_all(const struct analysis *w)
{
    if (koshu_ranks_rank(w->context) > 0) return KOSHU_OK;
    if (w->a->to.spectrum[0]) KOSHU_TRY(write_spectra(w, w->spectra));
    return w->a->picture ? draw_spectra(w, w->spectra) : KOSHU_OK;
}

koshu_status
finish_spectra(const struct analysis *w)
{
    if (w->a->files.n > 1 && w->is_universe) print_growth(w, w->spectra);
    return koshu_ranks_collective_status(w->context, write_all(w));
}

void
end_spectra(struct analysis *w)
{
    for (size_t k = 0; k < w->a->files.n; k++)
        koshu_free(w->spectra[k].measured.bin);
    free(w->spectra);
}

/* ---- printed ------------------------------------------------------------- */

static void
print_head(const struct analysis *w, const struct spectrum_of *s)
{
    char k[80] = "k", power[80] = "P";
    if (s->wave[0]) snprintf(k, sizeof k, "k [%s]", s->wave);
    if (s->length[0]) snprintf(power, sizeof power, "P [(%s)^3]", s->length);
    printf("  mesh of %zu^3, %s%s; shot noise %.4g\n"
           "  %12s  %16s  %12s",
           s->grid, koshu_assignment_name(w->a->assignment),
           w->a->single_mesh ? "" : ", interlaced", s->measured.shot_noise, k,
           power, "P - noise");
    if (w->has_linear) printf("  %12s  %8s", "linear", "P/linear");
    printf("  %8s\n", "modes");
}

static void
print_row(const struct analysis *w, const struct spectrum_of *s,
          const struct koshu_spectrum_bin *b)
{
    printf("  %12.4g  %16.5g  %12.5g", b->k, b->power,
           b->power - s->measured.shot_noise);
    if (w->has_linear)
        printf("  %12.5g  %8.3f", b->linear, b->power / b->linear);
    printf("  %8.0f\n", b->modes);
}

void
print_spectrum(const struct analysis *w, const struct spectrum_of *s)
{
    /* at least this factor in k between printed rows */
    const double step = 1.5;
    double next = 0;
    print_head(w, s);
    for (size_t b = 0; b < s->measured.n; b++) {
        const struct koshu_spectrum_bin *bin = &s->measured.bin[b];
        if (bin->k < next && b + 1 < s->measured.n) continue;
        print_row(w, s, bin);
        next = bin->k * step;
    }
}
