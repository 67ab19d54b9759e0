/* SPDX-License-Identifier: MIT */
/* Reads the snapshots of an analysis, one after the other. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyse.h"
#include "app.h"
#include "snapshot_text.h"

bool
is_universe(const struct analyse_snapshot *s)
{
    return s->cosmology.h > 0;
}

/* Converts particles, box and units; the scale factor has none. */
static koshu_status
convert(struct analysis *w, struct analyse_snapshot *s,
        const struct koshu_units *to)
{
    struct koshu_snapshot_info *i = &s->info;
    const struct koshu_units from = i->units;
    const double length = koshu_units_factor(&from, to, KOSHU_QUANTITY_LENGTH);
    if (length == 0)
        return koshu_fail(w->context, KOSHU_ERROR_BAD_INPUT,
                          "%s: has no units that can be compared with those "
                          "needed: state them by koshu convert --from",
                          s->path);
    i->box_size *= length;
    i->softening *= length;
    i->units = *to;
    if (!is_universe(s))
        i->time *= koshu_units_factor(&from, to, KOSHU_QUANTITY_TIME);
    return koshu_particles_convert(s->particles, &from, to);
}

static koshu_status
read_universe(struct analysis *w, struct analyse_snapshot *s)
{
    struct koshu_units units;
    s->cosmology = (struct koshu_cosmology){
            s->info.omega_m, s->info.omega_lambda, w->a->omega_r,
            w->a->w,         s->info.hubble,       100};
    KOSHU_TRY(koshu_cosmology_check(w->context, &s->cosmology));
    if (!(s->info.time > 0))
        return koshu_fail(w->context, KOSHU_ERROR_BAD_INPUT,
                          "%s: its scale factor is %g, not above 0", s->path,
                          s->info.time);
    s->growth = koshu_growth_at(&s->cosmology, s->info.time).d1 /
                koshu_growth_at(&s->cosmology, 1).d1;
    KOSHU_TRY(koshu_units_find(w->context, "Mpc, 1e10 Msun, km/s", &units));
    return convert(w, s, &units);
}

static koshu_status
check_box(struct analysis *w, const struct analyse_snapshot *s)
{
    const double rounding = 1e-6;
    if (!(s->info.box_size > 0))
        return koshu_fail(w->context, KOSHU_ERROR_BAD_INPUT,
                          "%s: states no periodic box (BoxSize), which this "
                          "is measured in: analyse a snapshot of a run with "
                          "solver.boundary: periodic",
                          s->path);
    if (w->k == 0) w->box = s->info.box_size;
    if (fabs(s->info.box_size / w->box - 1) < rounding) return KOSHU_OK;
    return koshu_fail(w->context, KOSHU_ERROR_BAD_INPUT,
                      "%s is in a box of %.9g, and %s in one of %.9g: "
                      "snapshots of one run have one box; analyse these apart",
                      w->a->files.word[0], w->box, s->path, s->info.box_size);
}

static void
add_masses(const void *user, size_t begin, size_t end, struct koshu_sum *sum)
{
    const double *mass = user;
    for (size_t i = begin; i < end; i++) koshu_sum_add(sum, mass[i]);
}

koshu_status
analyse_mass(const struct analyse_snapshot *s, double *mass)
{
    struct koshu_particle_const_view v = {.size = sizeof v};
    struct koshu_summation all = koshu_summation_of(s->particles);
    KOSHU_TRY(koshu_ranks_collective_status(
            all.context,
            koshu_particles_acquire_read(s->particles, KOSHU_FIELD_MASS, &v)));
    all.block = 1024;
    all.n_sums = 1;
    all.add = add_masses;
    all.user = v.mass;
    const koshu_status status = koshu_sum_particles(&all, mass);
    koshu_particles_release_read(s->particles);
    return status;
}

/* Where the numbers are in other units than the file states, Omega_m
 * disagrees. */
static koshu_status
check_density(struct analysis *w, const struct analyse_snapshot *s)
{
    const double same = 0.01, box = s->info.box_size,
                 h0 = koshu_hubble0_in(&s->info.units),
                 g = koshu_units_gravitational_constant(&s->info.units);
    double mass;
    if (!is_universe(s)) return KOSHU_OK;
    KOSHU_TRY(analyse_mass(s, &mass));
    const double omega =
            8 * M_PI * g / (3 * h0 * h0) * mass / (box * box * box);
    if (fabs(omega / s->info.omega_m - 1) <= same) return KOSHU_OK;
    return koshu_fail(w->context, KOSHU_ERROR_BAD_INPUT,
                      "%s: its particles in a box of %.6g Mpc/h are Omega_m = "
                      "%.4g, but it states Omega0 = %g: its numbers are in "
                      "other units than it states; state them by koshu convert "
                      "--from",
                      s->path, box, omega, s->info.omega_m);
}

static koshu_status
check_universe(struct analysis *w, const struct analyse_snapshot *s)
{
    if (w->k == 0) w->is_universe = is_universe(s);
    if (is_universe(s) == w->is_universe) return KOSHU_OK;
    return koshu_fail(w->context, KOSHU_ERROR_BAD_INPUT,
                      "one of %s and %s states a universe, and the other does "
                      "not: analyse them apart",
                      w->a->files.word[0], s->path);
}

static koshu_status
begin(struct analysis *w, size_t k, struct analyse_snapshot *s)
{
    *s = (struct analyse_snapshot){.path = w->a->files.word[k],
                                   .info = koshu_snapshot_info_default()};
    w->k = k;
    return koshu_snapshot_read(w->context, s->path, &s->info, &s->particles);
}

koshu_status
analyse_read_isolated(struct analysis *w, size_t k, struct analyse_snapshot *s)
{
    KOSHU_TRY(begin(w, k, s));
    if (s->info.box_size > 0 || s->info.hubble > 0)
        return koshu_fail(w->context, KOSHU_ERROR_BAD_INPUT,
                          "%s: is of a periodic box or a universe, where a "
                          "cluster has no centre: koshu analyse --groups finds "
                          "the groups in it",
                          s->path);
    if (k > 0) KOSHU_TRY(convert(w, s, &w->units));
    w->units = s->info.units;
    return KOSHU_OK;
}

koshu_status
analyse_read(struct analysis *w, size_t k, struct analyse_snapshot *s)
{
    KOSHU_TRY(begin(w, k, s));
    if (s->info.hubble > 0) KOSHU_TRY(read_universe(w, s));
    KOSHU_TRY(check_universe(w, s));
    if (!is_universe(s) && k > 0) KOSHU_TRY(convert(w, s, &w->units));
    w->units = s->info.units;
    KOSHU_TRY(check_box(w, s));
    KOSHU_TRY(check_density(w, s));
    if (k > 0 || !is_universe(s)) return KOSHU_OK;
    w->linear = w->a->power;
    w->has_linear = true;
    const koshu_status status = choose_linear_power(w->context, &s->cosmology,
                                                    &w->a->linear, &w->linear);
    return koshu_ranks_collective_status(w->context, status);
}

void
analyse_free(struct analyse_snapshot *s)
{
    koshu_particles_destroy(s->particles);
}

void
analyse_time_text(const struct analyse_snapshot *s, size_t size, char *text)
{
    char time[SNAPSHOT_TIME];
    snprintf(text, size, "%s", snapshot_time_text(&s->info, time));
}

void
analyse_length_unit(const struct analyse_snapshot *s, size_t size, char *text)
{
    koshu_units_label(&s->info.units, KOSHU_QUANTITY_LENGTH, size, text);
    if (is_universe(s)) snprintf(text, size, "Mpc/h");
}

void
analyse_print_file(const struct analyse_snapshot *s)
{
    char time[QUANTITY_TEXT], unit[QUANTITY_TEXT];
    analyse_time_text(s, sizeof time, time);
    analyse_length_unit(s, sizeof unit, unit);
    printf("%s  %s, %llu particles, box %.6g%s%s\n", printable(s->path), time,
           (unsigned long long)koshu_particles_total(s->particles),
           s->info.box_size, unit[0] ? " " : "", unit);
}
