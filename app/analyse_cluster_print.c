/* SPDX-License-Identifier: MIT */
/* Prints what was measured of a star cluster, in words and tables. */
#include <math.h>
#include <stdio.h>

#include "analyse_cluster.h"
#include "app.h"

enum { PRINTED = 12, TENTH = 2, NINE_TENTHS = 6 };

static void
print_quantity(const struct analysis *w, const char *name,
               enum koshu_quantity quantity, double value)
{
    char text[QUANTITY_TEXT];
    printf("  %-22s %s\n", name,
           quantity_text(&w->units, quantity, value, text));
}

static void
print_vector(const struct analysis *w, const char *name,
             enum koshu_quantity quantity, const double x[3])
{
    char unit[QUANTITY_TEXT];
    printf("  %-22s %.6g %.6g %.6g%s\n", name, x[0], x[1], x[2],
           unit_text(&w->units, quantity, unit));
}

static void
print_radii(const struct analysis *w, const struct koshu_cluster_summary *s)
{
    const enum koshu_quantity length = KOSHU_QUANTITY_LENGTH;
    print_vector(w, "density centre", length, s->centre);
    print_quantity(w, "core radius", length, s->core_radius);
    print_quantity(w, "radius of 10 %", length, s->lagrangian_radius[TENTH]);
    print_quantity(w, "half-mass radius", length,
                   s->lagrangian_radius[HALF_MASS]);
    print_quantity(w, "radius of 90 %", length,
                   s->lagrangian_radius[NINE_TENTHS]);
    print_quantity(w, "virial radius", length, s->virial_radius);
}

static void
print_pairs(const struct analysis *w, const struct koshu_cluster_summary *s)
{
    printf("  %-22s %zu of %zu bound pairs, %zu stable hierarchies\n",
           "hard binaries", s->n_hard, s->n_pairs, s->n_hierarchies);
    print_quantity(w, "their binding energy", KOSHU_QUANTITY_ENERGY,
                   s->binding_energy);
    print_quantity(w, "kT", KOSHU_QUANTITY_ENERGY, s->kt);
}

void
print_cluster(const struct analysis *w, const struct cluster_of *c)
{
    const struct koshu_cluster_summary *s = &c->summary;
    char unit[QUANTITY_TEXT];
    printf("  %s\n  %-22s %zu of %zu systems, %.4g of the mass\n", c->label,
           "bound", s->n_bound, s->n_systems, s->bound_mass / s->mass);
    if (isfinite(c->escape_rate)) {
        koshu_units_label(&w->units, KOSHU_QUANTITY_TIME, sizeof unit, unit);
        printf("  %-22s %.4g of the bound mass per %s\n", "escape rate",
               c->escape_rate, unit[0] ? unit : "unit of time");
    }
    print_quantity(w, "bound mass", KOSHU_QUANTITY_MASS, s->bound_mass);
    print_radii(w, s);
    print_quantity(w, "velocity dispersion", KOSHU_QUANTITY_VELOCITY,
                   s->velocity_dispersion);
    printf("  %-22s %.4g\n  %-22s %.4g\n", "anisotropy", s->anisotropy,
           "virial ratio", s->virial_ratio);
    print_quantity(w, "crossing time", KOSHU_QUANTITY_TIME, s->crossing_time);
    print_quantity(w, "relaxation time", KOSHU_QUANTITY_TIME,
                   s->relaxation_time);
    print_pairs(w, s);
    printf("  %-22s %.3g +- %.2g, by %zu systems\n", "mass segregation",
           s->segregation, s->segregation_error, w->a->massive);
}

/* "radius [pc]" */
static void
print_head(const struct analysis *w, const char *name,
           enum koshu_quantity quantity, int width)
{
    char unit[64], text[96];
    koshu_units_label(&w->units, quantity, sizeof unit, unit);
    snprintf(text, sizeof text, unit[0] ? "%s [%s]" : "%s", name, unit);
    printf("  %*s", width, text);
}

void
print_profile(const struct analysis *w, const struct cluster_of *c)
{
    printf("  %s, %zu shells\n", c->label, c->n_shells);
    print_head(w, "radius", KOSHU_QUANTITY_LENGTH, 14);
    print_head(w, "M(r)", KOSHU_QUANTITY_MASS, 14);
    print_head(w, "density", KOSHU_QUANTITY_DENSITY, 19);
    print_head(w, "sigma", KOSHU_QUANTITY_VELOCITY, 14);
    printf("  %10s  %8s\n", "anisotropy", "systems");
    for (size_t k = 0; k < c->n_shells; k++) {
        const struct koshu_cluster_shell *p = &c->shell[k];
        printf("  %14.4g  %14.4g  %19.4g  %14.4g  %10.3f  %8zu\n", p->radius,
               p->mass_within, p->density, p->velocity_dispersion,
               p->anisotropy, p->n);
    }
}

/* The name of a member of a pair: a star's id, or the number of a pair. */
static void
print_member(const struct koshu_cluster_pair *p, int m)
{
    char text[32];
    if (p->inner[m] < 0)
        snprintf(text, sizeof text, "%llu", (unsigned long long)p->id[m]);
    else
        snprintf(text, sizeof text, "pair %lld", (long long)p->inner[m]);
    printf("  %10s", text);
}

void
print_binaries(const struct analysis *w, const struct cluster_of *c)
{
    printf("  %s, %zu pairs, %zu of them hard, %zu hierarchies\n", c->label,
           c->summary.n_pairs, c->summary.n_hard, c->summary.n_hierarchies);
    if (c->n_pairs == 0) return;
    printf("  %4s  %10s  %10s", "pair", "member", "member");
    print_head(w, "mass", KOSHU_QUANTITY_MASS, 14);
    print_head(w, "mass", KOSHU_QUANTITY_MASS, 14);
    print_head(w, "a", KOSHU_QUANTITY_LENGTH, 14);
    printf("  %6s", "e");
    print_head(w, "period", KOSHU_QUANTITY_TIME, 14);
    printf("  %9s\n", "E/kT");
    for (size_t k = 0; k < c->n_pairs && k < PRINTED; k++) {
        const struct koshu_cluster_pair *p = &c->pair[k];
        printf("  %4zu", k);
        print_member(p, 0);
        print_member(p, 1);
        printf("  %14.4g  %14.4g  %14.4g  %6.4f  %14.4g  %9.4g\n", p->mass[0],
               p->mass[1], p->semi_major_axis, p->eccentricity, p->period,
               p->energy_kt);
    }
    if (c->n_pairs > PRINTED) printf("  and %zu more\n", c->n_pairs - PRINTED);
}
