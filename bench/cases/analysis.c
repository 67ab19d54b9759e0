/* SPDX-License-Identifier: MIT */
/* koshu bench analysis: groups and the power spectrum of many particles. */
#include <math.h>

#include "bench/cases.h"

static const char doc[] =
        "Seconds that koshu analyse takes for the groups (friends of friends) "
        "and for the power spectrum of N particles that are there already, "
        "neither read nor written.\v"
        "A part of the particles is in spheres of 20 to 32768 members, of "
        "which there are n^-2, with density r^-2 and 200 times the mean; the "
        "others are anywhere. A device does both where --backend has one.\n\n"
        "Examples:\n"
        "  koshu bench analysis\n"
        "  koshu bench analysis --n 1073741824 --repeats 1 --backend cuda";

struct options {
    struct bench_options base;
    double linking, clustered;
    size_t least, grid;
};

struct row {
    struct bench_row base;
    size_t groups, grid;
    double members;           /* fraction of all particles */
    double groups_s, power_s; /* seconds */
    /* P of the last wave number divided by the shot noise */
    double shot;
};

static const struct bench_column columns[] = {
        BENCH_SHOW("N", "%11lld", n),
        {"groups", "groups", "%9lld", ROW(groups)},
        {"part_in_groups", "in them", "%7.3f", ROW(members)},
        {"groups_seconds", "groups, s", "%9.3f", ROW(groups_s)},
        {"grid", "grid", "%6lld", ROW(grid)},
        {"spectrum_seconds", "P(k), s", "%8.3f", ROW(power_s)},
        {"last_power", "last P/shot", "%11.4f", ROW(shot)},
        BENCH_TELL("linking", struct options, linking),
        BENCH_TELL("clustered", struct options, clustered),
        BENCH_TELL("seed", struct bench_options, seed),
        {0}};

/* ---- a universe ---------------------------------------------------------- */

/* Particles of unit mass in a box of edge 1. */
struct universe {
    size_t n;
    uint64_t *id;
    double *mass, *x[3];
};

static void
destroy(struct universe *u)
{
    koshu_free(u->id);
    koshu_free(u->mass);
    for (int k = 0; k < 3; k++) koshu_free(u->x[k]);
}

static bool
allocate(struct universe *u)
{
    u->id = koshu_alloc_unset(u->n, sizeof *u->id);
    u->mass = koshu_alloc_unset(u->n, sizeof *u->mass);
    for (int k = 0; k < 3; k++)
        u->x[k] = koshu_alloc_unset(u->n, sizeof *u->x[k]);
    return u->id && u->mass && u->x[0] && u->x[1] && u->x[2];
}

/* Puts a particle into a sphere of this radius around c; 0: at c. */
static void
put(struct universe *u, size_t i, const double c[3], double radius,
    struct koshu_random *random)
{
    double to[3];
    koshu_random_direction(random, radius * koshu_random_uniform(random), to);
    u->id[i] = i;
    u->mass[i] = 1;
    for (int k = 0; k < 3; k++) u->x[k][i] = c[k] + to[k] - floor(c[k] + to[k]);
}

enum { LARGEST = 32768, SMALLEST = 20, CHUNK = 4 * LARGEST };

/* Makes particles first ... end - 1: spheres, and the corresponding number
 * outside. */
static void
fill(struct universe *u, double clustered, size_t first, size_t end,
     uint64_t seed)
{
    struct koshu_random random =
            koshu_random_start(seed, first, KOSHU_DRAW_POSITION);
    const double per_member = 3 / (4 * M_PI * 200 * (double)u->n),
                 outside = (1 - clustered) / fmax(clustered, 1e-9);
    /* the number of outside particles still to be made */
    double owed = clustered > 0 ? 0 : (double)CHUNK;
    for (size_t i = first; i < end;) {
        const bool in_sphere = owed < 1;
        double of = 1, radius = 0, c[3];
        if (in_sphere) {
            of = fmin(SMALLEST / koshu_random_uniform(&random), LARGEST);
            radius = cbrt(per_member * of);
        }
        for (int k = 0; k < 3; k++) c[k] = koshu_random_uniform(&random);
        for (size_t k = 0; k < (size_t)of && i < end; k++)
            put(u, i++, c, radius, &random);
        owed += in_sphere ? of * outside : -1;
    }
}

static koshu_status
make(const struct bench *b, size_t n, struct universe *u)
{
    const struct options *o = b->own;
    *u = (struct universe){.n = n};
    if (!allocate(u)) return koshu_fail_memory(b->context, 40 * n, "particles");
#pragma omp parallel for schedule(dynamic) \
        num_threads(koshu_region_threads(b->context, true))
    for (size_t first = 0; first < n; first += CHUNK)
        fill(u, o->clustered, first, first + CHUNK < n ? first + CHUNK : n,
             o->base.seed);
    return KOSHU_OK;
}

/* ---- a row --------------------------------------------------------------- */

static koshu_status
find_groups(const struct bench *b, const struct universe *u, struct row *row)
{
    const struct options *o = b->own;
    const struct koshu_particle_const_view v = {.size = sizeof v,
                                                .n = u->n,
                                                .id = u->id,
                                                .mass = u->mass,
                                                .x = u->x[0],
                                                .y = u->x[1],
                                                .z = u->x[2]};
    const struct koshu_friends_options friends = {
            1, o->linking / cbrt((double)u->n), o->least};
    struct koshu_fof groups;
    const double begin = koshu_now();
    const koshu_status status =
            koshu_friends_of_friends(b->context, &v, &friends, &groups);
    row->groups_s = koshu_now() - begin;
    if (status == KOSHU_OK) {
        row->groups = groups.n;
        row->members = (double)groups.first[groups.n] / (double)u->n;
    }
    koshu_fof_free(&groups);
    return status;
}

static koshu_status
measure_power(const struct bench *b, const struct universe *u, struct row *row)
{
    const struct koshu_points points = {
            u->n, u->mass, {u->x[0], u->x[1], u->x[2]}};
    const struct koshu_measure_options o = {.box = 1,
                                            .grid = row->grid,
                                            .fold = 1,
                                            .assignment = KOSHU_ASSIGNMENT_PCS};
    struct koshu_measured_spectrum measured = {0};
    const double begin = koshu_now();
    const koshu_status status =
            koshu_power_spectrum_measure(b->context, &points, &o, &measured);
    row->power_s = koshu_now() - begin;
    if (status == KOSHU_OK && measured.n > 0)
        row->shot = measured.bin[measured.n - 1].power / measured.shot_noise;
    koshu_free(measured.bin);
    return status;
}

/* The best repeat; the first one is also a warm-up. */
static koshu_status
measure_both(const struct bench *b, const struct universe *u, struct row *row)
{
    const struct options *o = b->own;
    const size_t repeats = o->base.repeats > 0 ? o->base.repeats : 2;
    double groups_s = INFINITY, power_s = INFINITY;
    for (size_t k = 0; k < repeats; k++) {
        KOSHU_TRY(find_groups(b, u, row));
        KOSHU_TRY(measure_power(b, u, row));
        groups_s = fmin(groups_s, row->groups_s);
        power_s = fmin(power_s, row->power_s);
    }
    row->groups_s = groups_s;
    row->power_s = power_s;
    row->base.timing.seconds = groups_s + power_s;
    row->base.timing.repeats = repeats;
    return KOSHU_OK;
}

static koshu_status
measure(struct bench *b, void *user)
{
    const struct options *o = b->own;
    struct row *row = user;
    struct universe u;
    row->grid =
            o->grid > 0 ? o->grid : koshu_spectrum_grid((size_t)row->base.n);
    koshu_status status = make(b, (size_t)row->base.n, &u);
    if (status == KOSHU_OK) status = measure_both(b, &u, row);
    destroy(&u);
    return status;
}

/* ---- the case ------------------------------------------------------------ */

static const struct bench_table table = {
        .row_size = sizeof(struct row),
        .columns = columns,
        .title = "Seconds of groups and power spectrum",
        .particles = "spheres and single particles",
        .figure = {.y_label = "seconds",
                   .curves = {{"groups", ROW(groups_s)},
                              {"power spectrum", ROW(power_s)}}},
        .measure = measure,
        .longest = 60,
        .power = 1,
};

static void
check(struct argp_state *state, void *options)
{
    const struct options *o = options;
    if (o->clustered > 1)
        argp_error(state, "--clustered: %g is more than 1", o->clustered);
}

#define OWN(member) BENCH_OPTION(struct options, member)

static const struct command_option own[] = {
        {"linking", 0, "B", "in mean distances of particles (0.2)",
         OWN(linking)},
        {"min-members", 0, "M", "of a group (20)", OWN(least), .min = 1},
        {"clustered", 0, "F", "part of the particles that is in spheres (0.5)",
         OWN(clustered), .closed = true},
        {"grid", 0, "N",
         "cells of the mesh along an edge (twice as many as particles, at most "
         "1024)",
         OWN(grid), .min = KOSHU_SPECTRUM_GRID_MIN, .max = KOSHU_MESH_MAX},
        {0}};

static const struct options defaults = {
        .base = {.n = {3, {65536, 524288, 4194304}},
                 .precision = KOSHU_PRECISION_DOUBLE,
                 .seed = 1},
        .linking = 0.2,
        .clustered = 0.5,
        .least = 20};

const struct bench_case bench_analysis = {
        .name = "analysis",
        .summary = "groups and power spectra of cosmological particles",
        .doc = doc,
        .takes = BENCH_TAKES_N | BENCH_TAKES_THREADS | BENCH_TAKES_REPEATS |
                 BENCH_TAKES_SEED,
        .options = own,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .check = check,
        .table = &table,
};
