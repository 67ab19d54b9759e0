/* SPDX-License-Identifier: MIT */
/* koshu analyse --mass-function: groups by mass, compared with published
 * fits. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <koshu/version.h>

#include "analyse_groups.h"
#include "app.h"

enum { PER_DECADE = 5, MAX_BINS = 100, POINTS = 4 };

/* The groups in a bin of mass; both kinds of mass have the same bins. */
struct mass_bin {
    double mass;           /* geometric centre */
    size_t fof, mean;      /* numbers of groups */
    double watson, tinker; /* their expected abundances; 0: not cosmological */
};

struct mass_function {
    char label[64], length[64];
    double time, volume, step; /* step: of ln M */
    size_t n;
    struct mass_bin bin[MAX_BINS];
};

/* ---- counted ------------------------------------------------------------- */

static double
lower_edge(const struct mass_function *m, double least, size_t b)
{
    return least * exp((double)b * m->step);
}

static struct mass_bin *
bin_of(struct mass_function *m, double least, double mass)
{
    if (!(mass >= least)) return NULL;
    size_t b = (size_t)(log(mass / least) / m->step);
    if (b >= MAX_BINS) return NULL;
    if (b >= m->n) m->n = b + 1;
    return &m->bin[b];
}

/* The friends-of-friends mass, corrected for the finite number of particles:
 * Warren et al. 2006 (ApJ 646, 881), eq. 2. */
static double
corrected(const struct koshu_fof_group *group)
{
    return group->mass * (1 - pow((double)group->n, -0.6));
}

static void
count_groups(const struct found_groups *f, double least,
             struct mass_function *m)
{
    struct mass_bin *bin;
    for (size_t g = 0; g < f->of.n; g++)
        if ((bin = bin_of(m, least, corrected(&f->of.group[g])))) bin->fof++;
    for (size_t k = 0; k < f->n_halos; k++)
        if ((bin = bin_of(m, least, f->halo[k].mass))) bin->mean++;
}

/* The mean abundance over a bin, as it is steep at the high-mass end. */
static double
expected(const struct analysis *w, const struct analyse_snapshot *s,
         const struct found_groups *f, enum koshu_halo_masses masses,
         double mass, double step)
{
    double sum = 0;
    for (int k = 0; k < POINTS; k++) {
        const double x = ((k + 0.5) / POINTS - 0.5) * step;
        sum += koshu_halo_abundance(masses, &w->linear, s->growth,
                                    1 / s->info.time - 1, f->density,
                                    mass * exp(x));
    }
    return sum / POINTS;
}

static void
make_function(const struct analysis *w, const struct analyse_snapshot *s,
              const struct found_groups *f, struct mass_function *m)
{
    const double box = s->info.box_size;
    const double least =
            (double)w->a->least * f->mass / (double)f->total * (1 - 1e-9);
    m->time = s->info.time;
    m->volume = box * box * box;
    m->step = log(10) / PER_DECADE;
    analyse_time_text(s, sizeof m->label, m->label);
    analyse_length_unit(s, sizeof m->length, m->length);
    count_groups(f, least, m);
    for (size_t b = 0; b < m->n; b++) {
        struct mass_bin *bin = &m->bin[b];
        bin->mass = lower_edge(m, least, b) * exp(m->step / 2);
        if (!w->has_linear) continue;
        bin->watson =
                expected(w, s, f, KOSHU_HALO_MASSES_FOF, bin->mass, m->step);
        bin->tinker =
                expected(w, s, f, KOSHU_HALO_MASSES_200M, bin->mass, m->step);
    }
}

static double
abundance(const struct mass_function *m, size_t groups)
{
    return (double)groups / (m->volume * m->step);
}

/* ---- printed, written ---------------------------------------------------- */

static void
print_function(const struct analysis *w, const struct mass_function *m)
{
    printf("  dn/dlnM%s%s%s\n  %10s  %6s  %10s", m->length[0] ? " per (" : "",
           m->length, m->length[0] ? ")^3" : "", "mass", "groups", "FoF");
    if (w->has_linear) printf("  %10s", "Watson13");
    printf("  %6s  %10s", "groups", "M200m");
    if (w->has_linear) printf("  %10s", "Tinker08");
    putchar('\n');
    for (size_t b = 0; b < m->n; b++) {
        const struct mass_bin *bin = &m->bin[b];
        printf("  %10.4g  %6zu  %10.3g", bin->mass, bin->fof,
               abundance(m, bin->fof));
        if (w->has_linear) printf("  %10.3g", bin->watson);
        printf("  %6zu  %10.3g", bin->mean, abundance(m, bin->mean));
        if (w->has_linear) printf("  %10.3g", bin->tinker);
        putchar('\n');
    }
}

static void
write_head(FILE *out, const struct analysis *w, const struct mass_function *m)
{
    char per[96] = "";
    if (m->length[0]) snprintf(per, sizeof per, " [1/(%s)^3]", m->length);
    fprintf(out, "# koshu %s: mass function dn/dlnM, linking length %.6g\n",
            koshu_version(), w->a->linking);
    for (size_t k = 0; k < w->a->files.n; k++)
        fprintf(out, "# %s: %s\n", m[k].label, printable(w->a->files.word[k]));
    fprintf(out, "%s,mass%s,fof_groups,fof%s,m200m_groups,m200m%s",
            w->is_universe ? "a" : "t", w->is_universe ? " [1e10 Msun/h]" : "",
            per, per);
    fprintf(out, w->has_linear ? ",watson13%s,tinker08%s\n" : "\n", per, per);
}

static void
write_function(FILE *out, const struct analysis *w,
               const struct mass_function *m)
{
    for (size_t b = 0; b < m->n; b++) {
        const struct mass_bin *bin = &m->bin[b];
        fprintf(out, "%.12g,%.12g,%zu,%.9g,%zu,%.9g", m->time, bin->mass,
                bin->fof, abundance(m, bin->fof), bin->mean,
                abundance(m, bin->mean));
        if (w->has_linear) fprintf(out, ",%.9g,%.9g", bin->watson, bin->tinker);
        fputc('\n', out);
    }
}

static koshu_status
write_functions(const struct analysis *w, const struct mass_function *m)
{
    struct koshu_file *file;
    KOSHU_TRY(koshu_file_begin(w->context, w->a->to.masses, &file));
    locale_t users = koshu_plain_numbers();
    write_head(file->stream, w, m);
    for (size_t k = 0; k < w->a->files.n; k++)
        write_function(file->stream, w, &m[k]);
    uselocale(users);
    KOSHU_TRY(koshu_file_commit(file));
    printf("-> %s\n", printable(w->a->to.masses));
    return KOSHU_OK;
}

/* ---- of all files -------------------------------------------------------- */

koshu_status
begin_masses(struct analysis *w)
{
    const size_t n = w->a->files.n;
    w->masses = calloc(n, sizeof *w->masses);
    return w->masses ? KOSHU_OK
                     : koshu_fail_memory(w->context, n * sizeof *w->masses,
                                         "mass functions");
}

koshu_status
check_masses(const struct analysis *w, const struct analyse_snapshot *s)
{
    const double clusters = 20; /* Mpc/h: the most massive ones, 3e15 Msun/h */
    const double all = s->info.box_size * cbrt(3 / (4 * M_PI));
    const double part =
            (double)w->a->least / (double)koshu_particles_total(s->particles);
    if (!w->has_linear) return KOSHU_OK;
    KOSHU_TRY(
            koshu_power_covers_sigma(w->context, &w->linear, all * cbrt(part)));
    return koshu_power_covers_sigma(w->context, &w->linear,
                                    fmin(all, clusters));
}

koshu_status
show_masses(struct analysis *w, struct analyse_snapshot *s,
            struct found_groups *f)
{
    struct mass_function *m = &w->masses[w->k];
    KOSHU_TRY(find_halos(w, s, f));
    make_function(w, s, f, m);
    print_function(w, m);
    return KOSHU_OK;
}

/* All ranks have all groups. */
koshu_status
finish_masses(const struct analysis *w)
{
    const bool mine = w->a->to.masses[0] && koshu_ranks_rank(w->context) == 0;
    return koshu_ranks_collective_status(
            w->context, mine ? write_functions(w, w->masses) : KOSHU_OK);
}
