/* SPDX-License-Identifier: MIT */
/* Columns of cluster tables: names, units, and members of the structs. */
#include <stdio.h>

#include "analysis/analysis.h"
#include "base/base.h"

/* How a member becomes a number, and whether it has a unit. */
enum kind { COUNT, WHOLE, INDEX, FLAG, RATIO, UNIT };

struct column {
    const char *name;
    enum kind kind;
    size_t offset;
    enum koshu_quantity quantity; /* UNIT */
};

#define OF(member) offsetof(struct koshu_cluster_summary, member)
static const struct column of_summary[] = {
        {"n", COUNT, OF(n), 0},
        {"n_systems", COUNT, OF(n_systems), 0},
        {"n_bound", COUNT, OF(n_bound), 0},
        {"n_pairs", COUNT, OF(n_pairs), 0},
        {"n_hard", COUNT, OF(n_hard), 0},
        {"n_hierarchies", COUNT, OF(n_hierarchies), 0},
        {"mass", UNIT, OF(mass), KOSHU_QUANTITY_MASS},
        {"bound_mass", UNIT, OF(bound_mass), KOSHU_QUANTITY_MASS},
        {"cx", UNIT, OF(centre[0]), KOSHU_QUANTITY_LENGTH},
        {"cy", UNIT, OF(centre[1]), KOSHU_QUANTITY_LENGTH},
        {"cz", UNIT, OF(centre[2]), KOSHU_QUANTITY_LENGTH},
        {"vx", UNIT, OF(velocity[0]), KOSHU_QUANTITY_VELOCITY},
        {"vy", UNIT, OF(velocity[1]), KOSHU_QUANTITY_VELOCITY},
        {"vz", UNIT, OF(velocity[2]), KOSHU_QUANTITY_VELOCITY},
        {"core_radius", UNIT, OF(core_radius), KOSHU_QUANTITY_LENGTH},
        {"core_mass", UNIT, OF(core_mass), KOSHU_QUANTITY_MASS},
        {"r01", UNIT, OF(lagrangian_radius[0]), KOSHU_QUANTITY_LENGTH},
        {"r05", UNIT, OF(lagrangian_radius[1]), KOSHU_QUANTITY_LENGTH},
        {"r10", UNIT, OF(lagrangian_radius[2]), KOSHU_QUANTITY_LENGTH},
        {"r25", UNIT, OF(lagrangian_radius[3]), KOSHU_QUANTITY_LENGTH},
        {"r50", UNIT, OF(lagrangian_radius[4]), KOSHU_QUANTITY_LENGTH},
        {"r75", UNIT, OF(lagrangian_radius[5]), KOSHU_QUANTITY_LENGTH},
        {"r90", UNIT, OF(lagrangian_radius[6]), KOSHU_QUANTITY_LENGTH},
        {"kinetic", UNIT, OF(kinetic), KOSHU_QUANTITY_ENERGY},
        {"potential", UNIT, OF(potential), KOSHU_QUANTITY_ENERGY},
        {"virial_ratio", RATIO, OF(virial_ratio), 0},
        {"virial_radius", UNIT, OF(virial_radius), KOSHU_QUANTITY_LENGTH},
        {"velocity_dispersion", UNIT, OF(velocity_dispersion),
         KOSHU_QUANTITY_VELOCITY},
        {"anisotropy", RATIO, OF(anisotropy), 0},
        {"kt", UNIT, OF(kt), KOSHU_QUANTITY_ENERGY},
        {"crossing_time", UNIT, OF(crossing_time), KOSHU_QUANTITY_TIME},
        {"relaxation_time", UNIT, OF(relaxation_time), KOSHU_QUANTITY_TIME},
        {"binding_energy", UNIT, OF(binding_energy), KOSHU_QUANTITY_ENERGY},
        {"segregation", RATIO, OF(segregation), 0},
        {"segregation_error", RATIO, OF(segregation_error), 0}};

#undef OF
#define OF(member) offsetof(struct koshu_cluster_shell, member)
static const struct column of_shell[] = {
        {"n", COUNT, OF(n), 0},
        {"inner", UNIT, OF(inner), KOSHU_QUANTITY_LENGTH},
        {"outer", UNIT, OF(outer), KOSHU_QUANTITY_LENGTH},
        {"radius", UNIT, OF(radius), KOSHU_QUANTITY_LENGTH},
        {"mass", UNIT, OF(mass), KOSHU_QUANTITY_MASS},
        {"mass_within", UNIT, OF(mass_within), KOSHU_QUANTITY_MASS},
        {"density", UNIT, OF(density), KOSHU_QUANTITY_DENSITY},
        {"number_density", UNIT, OF(number_density),
         KOSHU_QUANTITY_NUMBER_DENSITY},
        {"mean_mass", UNIT, OF(mean_mass), KOSHU_QUANTITY_MASS},
        {"radial_velocity", UNIT, OF(radial_velocity), KOSHU_QUANTITY_VELOCITY},
        {"radial_dispersion", UNIT, OF(radial_dispersion),
         KOSHU_QUANTITY_VELOCITY},
        {"tangential_dispersion", UNIT, OF(tangential_dispersion),
         KOSHU_QUANTITY_VELOCITY},
        {"velocity_dispersion", UNIT, OF(velocity_dispersion),
         KOSHU_QUANTITY_VELOCITY},
        {"anisotropy", RATIO, OF(anisotropy), 0}};

#undef OF
#define OF(member) offsetof(struct koshu_cluster_pair, member)
static const struct column of_pair[] = {
        {"n", COUNT, OF(n), 0},
        {"id1", WHOLE, OF(id[0]), 0},
        {"id2", WHOLE, OF(id[1]), 0},
        {"inner1", INDEX, OF(inner[0]), 0},
        {"inner2", INDEX, OF(inner[1]), 0},
        {"outer", INDEX, OF(outer), 0},
        {"mass1", UNIT, OF(mass[0]), KOSHU_QUANTITY_MASS},
        {"mass2", UNIT, OF(mass[1]), KOSHU_QUANTITY_MASS},
        {"separation", UNIT, OF(separation), KOSHU_QUANTITY_LENGTH},
        {"semi_major_axis", UNIT, OF(semi_major_axis), KOSHU_QUANTITY_LENGTH},
        {"eccentricity", RATIO, OF(eccentricity), 0},
        {"period", UNIT, OF(period), KOSHU_QUANTITY_TIME},
        {"inclination", RATIO, OF(inclination), 0},
        {"energy", UNIT, OF(energy), KOSHU_QUANTITY_ENERGY},
        {"energy_kt", RATIO, OF(energy_kt), 0},
        {"cx", UNIT, OF(position[0]), KOSHU_QUANTITY_LENGTH},
        {"cy", UNIT, OF(position[1]), KOSHU_QUANTITY_LENGTH},
        {"cz", UNIT, OF(position[2]), KOSHU_QUANTITY_LENGTH},
        {"vx", UNIT, OF(velocity[0]), KOSHU_QUANTITY_VELOCITY},
        {"vy", UNIT, OF(velocity[1]), KOSHU_QUANTITY_VELOCITY},
        {"vz", UNIT, OF(velocity[2]), KOSHU_QUANTITY_VELOCITY},
        {"radius", UNIT, OF(radius), KOSHU_QUANTITY_LENGTH},
        {"hard", FLAG, OF(hard), 0}};

#define ROWS(table)                           \
    {                                         \
        table, sizeof table / sizeof table[0] \
    }
static const struct {
    const struct column *column;
    size_t n;
} tables[] = {[KOSHU_CLUSTER_TABLE_SUMMARY] = ROWS(of_summary),
              [KOSHU_CLUSTER_TABLE_SHELLS] = ROWS(of_shell),
              [KOSHU_CLUSTER_TABLE_PAIRS] = ROWS(of_pair)};

void
koshu_cluster_header(enum koshu_cluster_table table,
                     const struct koshu_units *units, size_t size, char *text)
{
    size_t used = 0;
    for (size_t k = 0; k < tables[table].n && used < size; k++) {
        const struct column *c = &tables[table].column[k];
        char unit[64] = "";
        if (c->kind == UNIT)
            koshu_units_label(units, c->quantity, sizeof unit, unit);
        used += (size_t)snprintf(text + used, size - used,
                                 unit[0] ? "%s%s [%s]" : "%s%s",
                                 k > 0 ? "," : "", c->name, unit);
    }
}

static double
value_of(const struct column *c, const char *of)
{
    const void *at = of + c->offset;
    switch (c->kind) {
    case COUNT: return (double)*(const size_t *)at;
    case WHOLE: return (double)*(const uint64_t *)at;
    case INDEX: return (double)*(const int64_t *)at;
    case FLAG: return *(const int *)at;
    default: return *(const double *)at;
    }
}

size_t
koshu_cluster_row(enum koshu_cluster_table table, const void *of, double *row)
{
    for (size_t k = 0; k < tables[table].n; k++)
        row[k] = value_of(&tables[table].column[k], of);
    return tables[table].n;
}
