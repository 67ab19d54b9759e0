/* SPDX-License-Identifier: MIT */
/* Finds the groups of a snapshot, and their masses. */
#include <math.h>
#include <stdlib.h>

#include "analyse_groups.h"

static koshu_status
allocate(const struct analysis *w, struct found_groups *f)
{
    const size_t n = f->fof.n + 1;
    f->group = calloc(n, sizeof *f->group);
    f->mean = calloc(n, sizeof *f->mean);
    f->critical = calloc(n, sizeof *f->critical);
    if (f->group && f->mean && f->critical) return KOSHU_OK;
    return koshu_fail_memory(w->context, n * sizeof *f->group, "groups");
}

/* Comoving, as lengths are: rho_c a^3 = <rho> E^2 a^3 / Omega_m. */
static void
set_densities(const struct analyse_snapshot *s, struct found_groups *f)
{
    const double box = s->info.box_size, a = s->info.time;
    struct koshu_sum mass = {0};
    for (size_t i = 0; i < f->view.n; i++)
        koshu_sum_add(&mass, f->view.mass[i]);
    f->mass = koshu_sum_value(mass);
    f->density = f->mass / (box * box * box);
    if (is_universe(s))
        f->critical_density = f->density * koshu_expansion2(&s->cosmology, a) *
                              a * a * a / s->cosmology.omega_m;
}

static koshu_status
measure_spheres(const struct analysis *w,
                const struct koshu_linked_cells *cells, struct found_groups *f)
{
    const double times = 200;
    for (size_t g = 0; g < f->fof.n; g++) {
        const struct koshu_fof_group *group = &f->group[g];
        const double guess =
                1.3 * cbrt(3 * group->mass / (4 * M_PI * times * f->density));
        KOSHU_TRY(koshu_sphere_of_density(w->context, cells, group->minimum,
                                          times * f->density, guess,
                                          &f->mean[g]));
        if (!(f->critical_density > 0)) continue;
        KOSHU_TRY(koshu_sphere_of_density(w->context, cells, group->minimum,
                                          times * f->critical_density, guess,
                                          &f->critical[g]));
    }
    return KOSHU_OK;
}

static koshu_status
check_masses(const struct analysis *w, const struct analyse_snapshot *s,
             const struct found_groups *f)
{
    if (f->mass > 0) return KOSHU_OK;
    return koshu_fail(w->context, KOSHU_ERROR_BAD_INPUT,
                      "%s: its particles have no mass, so their groups have "
                      "no centres: give masses to them",
                      s->path);
}

koshu_status
find_groups(struct analysis *w, struct analyse_snapshot *s,
            struct found_groups *f)
{
    struct koshu_linked_cells cells = {0};
    *f = (struct found_groups){.view = {.size = sizeof f->view}};
    KOSHU_TRY(koshu_particles_acquire_read(s->particles,
                                           KOSHU_FIELD_ID | KOSHU_FIELD_MASS |
                                                   KOSHU_FIELD_POSITION |
                                                   KOSHU_FIELD_VELOCITY,
                                           &f->view));
    const double box = s->info.box_size;
    f->length = w->a->linking * box / cbrt((double)f->view.n);
    set_densities(s, f);
    KOSHU_TRY(check_masses(w, s, f));
    KOSHU_TRY(koshu_friends_of_friends(
            w->context, &f->view,
            &(struct koshu_friends_options){box, f->length, w->a->least},
            &f->fof));
    KOSHU_TRY(allocate(w, f));
    KOSHU_TRY(koshu_fof_measure(w->context, &f->view, &f->fof, box,
                                s->info.softening, f->group));
    koshu_status status =
            koshu_linked_cells_create(w->context, &f->view, box, &cells);
    if (status == KOSHU_OK) status = measure_spheres(w, &cells, f);
    koshu_linked_cells_free(&cells);
    return status;
}

void
found_free(struct analyse_snapshot *s, struct found_groups *f)
{
    koshu_fof_free(&f->fof);
    free(f->group);
    free(f->mean);
    free(f->critical);
    if (f->view.mass) koshu_particles_release_read(s->particles);
}
