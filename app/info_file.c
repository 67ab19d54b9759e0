/* SPDX-License-Identifier: MIT */
/* koshu info FILE: what a snapshot holds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <koshu/snapshot.h>

#include "app.h"
#include "info.h"
#include "info_kind.h"
#include "info_state.h"
#include "json.h"
#include "snapshot_text.h"

/* ---- particles --------------------------------------------------------- */

struct range {
    double min, max;
};

/* The results of --stats. */
struct stats {
    /* total mass; centre of mass, or of the particles if they have no mass */
    double mass, centre[3];
    struct range range[KOSHU_SNAPSHOT_ARRAYS]; /* except ids */
    uint64_t first_id, last_id;
};

static struct range
range_of(const double *numbers, size_t n)
{
    struct range r = {INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++) {
        r.min = fmin(r.min, numbers[i]);
        r.max = fmax(r.max, numbers[i]);
    }
    return r;
}

static double
mean_of(const double *numbers, const double *weights, size_t n)
{
    struct koshu_sum sum = {0}, weight = {0};
    for (size_t i = 0; i < n; i++) {
        koshu_sum_add(&sum, weights[i] * numbers[i]);
        koshu_sum_add(&weight, weights[i]);
    }
    double w = koshu_sum_value(weight);
    return w > 0 ? koshu_sum_value(sum) / w : 0;
}

static struct stats
stats_of(const struct koshu_particle_view *v)
{
    struct stats s = {.first_id = UINT64_MAX};
    struct koshu_sum mass = {0};
    for (size_t k = KOSHU_ARRAY_MASS; k < KOSHU_SNAPSHOT_ARRAYS; k++)
        s.range[k] = range_of(koshu_particle_array(v, k), v->n);
    for (size_t k = 0; k < 3; k++)
        s.centre[k] = mean_of(koshu_particle_array(v, KOSHU_ARRAY_X + k),
                              v->mass, v->n);
    for (size_t i = 0; i < v->n; i++) {
        koshu_sum_add(&mass, v->mass[i]);
        if (v->id[i] < s.first_id) s.first_id = v->id[i];
        if (v->id[i] > s.last_id) s.last_id = v->id[i];
    }
    s.mass = koshu_sum_value(mass);
    return s;
}

/* ---- text -------------------------------------------------------------- */

static void
print_units(const struct koshu_snapshot_info *i)
{
    char text[128];
    const struct koshu_units *u = &i->units;
    koshu_units_text(u, sizeof text, text);
    if (!i->has_units)
        printf("units       not stated (G = 1)\n");
    else if (koshu_units_are_henon(u))
        printf("units       %s (G = 1)\n", text);
    else
        printf("units       %s (%.9g cm, %.9g g, %.9g cm/s; G = %.6g)\n", text,
               u->length_cm, u->mass_g, u->velocity_cm_s,
               koshu_units_gravitational_constant(u));
}

static void
print_quantity(const char *name, const struct koshu_snapshot_info *i,
               enum koshu_quantity quantity, double value)
{
    char text[QUANTITY_TEXT];
    printf("%-11s %s\n", name, quantity_text(&i->units, quantity, value, text));
}

/* The names of units do not show that lengths and masses are over h. */
static void
print_universe(const struct koshu_snapshot_info *i)
{
    char text[UNIVERSE_TEXT];
    printf("universe    %s\n", universe_text(i, text));
    printf("redshift    z = %.6g, a = %.6g\n", 1 / i->time - 1, i->time);
    printf("factors     lengths are comoving, lengths and masses over h, "
           "velocities sqrt(a) dx/dt\n");
    if (i->converted[0]) printf("converted   %s\n", i->converted);
}

static void
print_info(const char *path, const struct koshu_snapshot_info *i,
           bool parameters)
{
    printf("%s\n", printable(path));
    printf("format      %s, %s precision\n", koshu_format_name(i->format),
           i->single ? "single" : "double");
    if (i->program[0]) printf("written by  %s\n", printable(i->program));
    printf("n           %llu", (unsigned long long)i->n);
    if (i->n_types > 1) printf(" (of %d types)", i->n_types);
    if (i->files > 1) printf(" in %llu files", (unsigned long long)i->files);
    putchar('\n');
    if (i->hubble > 0)
        print_universe(i);
    else
        print_quantity("time", i, KOSHU_QUANTITY_TIME, i->time);
    if (i->inconsistent[0]) printf("universe    none: %s\n", i->inconsistent);
    if (i->step) printf("step        %llu\n", (unsigned long long)i->step);
    if (i->softening > 0)
        print_quantity("softening", i, KOSHU_QUANTITY_LENGTH, i->softening);
    if (i->box_size > 0)
        print_quantity("box size", i, KOSHU_QUANTITY_LENGTH, i->box_size);
    print_units(i);
    printf("potential   %s\n", i->has_potential ? "yes" : "no");
    if (parameters) printf("parameters  yes (--parameters prints them)\n");
}

/* The unit after a number, " pc"; "": it has none. */
static void
print_unit(const struct koshu_snapshot_info *i, enum koshu_quantity quantity)
{
    char text[QUANTITY_TEXT];
    printf("%s\n", unit_text(&i->units, quantity, text));
}

static void
print_range(const struct koshu_snapshot_info *i, const struct stats *s,
            size_t array, enum koshu_quantity quantity)
{
    printf("%-11s %.9g ... %.9g", koshu_particle_arrays[array].name,
           s->range[array].min, s->range[array].max);
    print_unit(i, quantity);
}

static void
print_stats(const struct koshu_snapshot_info *i, const struct stats *s)
{
    print_quantity("total mass", i, KOSHU_QUANTITY_MASS, s->mass);
    printf("centre      %.9g %.9g %.9g", s->centre[0], s->centre[1],
           s->centre[2]);
    print_unit(i, KOSHU_QUANTITY_LENGTH);
    for (size_t k = KOSHU_ARRAY_X; k < KOSHU_ARRAY_VX; k++)
        print_range(i, s, k, KOSHU_QUANTITY_LENGTH);
    for (size_t k = KOSHU_ARRAY_VX; k < KOSHU_ARRAY_POTENTIAL; k++)
        print_range(i, s, k, KOSHU_QUANTITY_VELOCITY);
    print_range(i, s, KOSHU_ARRAY_MASS, KOSHU_QUANTITY_MASS);
    if (i->has_potential)
        print_range(i, s, KOSHU_ARRAY_POTENTIAL, KOSHU_QUANTITY_POTENTIAL);
    printf("id          %llu ... %llu\n", (unsigned long long)s->first_id,
           (unsigned long long)s->last_id);
}

/* ---- JSON -------------------------------------------------------------- */

static json_t *
info_json(const char *path, const struct koshu_snapshot_info *i,
          bool parameters)
{
    char names[128];
    koshu_units_text(&i->units, sizeof names, names);
    json_t *units =
            json_pack("{s:b,s:s,s:f,s:f,s:f,s:f}", "stated", i->has_units,
                      "names", names, "length_cm", i->units.length_cm, "mass_g",
                      i->units.mass_g, "velocity_cm_s", i->units.velocity_cm_s,
                      "G", koshu_units_gravitational_constant(&i->units));
    return json_pack(
            "{s:s,s:s,s:b,s:s,s:I,s:I,s:i,s:f,s:I,s:f,s:f,s:o,s:b,s:b}", "file",
            path, "format", koshu_format_name(i->format), "single", i->single,
            "program", i->program, "n", (json_int_t)i->n, "files",
            (json_int_t)i->files, "types", i->n_types, "time", i->time, "step",
            (json_int_t)i->step, "softening", i->softening, "box_size",
            i->box_size, "units", units, "potential", i->has_potential,
            "parameters", parameters);
}

static json_t *
range_json(const struct stats *s, size_t array)
{
    return json_pack("[f,f]", s->range[array].min, s->range[array].max);
}

static json_t *
ranges_json(const struct stats *s, size_t first)
{
    return json_pack("[o,o,o]", range_json(s, first), range_json(s, first + 1),
                     range_json(s, first + 2));
}

/* Integers of JSON end at 2^63 in jansson. */
static json_t *
id_json(uint64_t id)
{
    return id <= INT64_MAX ? json_integer((json_int_t)id)
                           : json_real((double)id);
}

static json_t *
stats_json(const struct stats *s, bool potential)
{
    json_t *o =
            json_pack("{s:f,s:[f,f,f],s:o,s:o,s:o,s:[o,o]}", "mass", s->mass,
                      "centre", s->centre[0], s->centre[1], s->centre[2],
                      "position", ranges_json(s, KOSHU_ARRAY_X), "velocity",
                      ranges_json(s, KOSHU_ARRAY_VX), "masses",
                      range_json(s, KOSHU_ARRAY_MASS), "ids",
                      id_json(s->first_id), id_json(s->last_id));
    if (potential)
        json_object_set_new(o, "potential",
                            range_json(s, KOSHU_ARRAY_POTENTIAL));
    return o;
}

/* ---- a file ------------------------------------------------------------ */

static koshu_status
print_parameters(struct koshu_context *context, const char *path)
{
    char *text;
    KOSHU_TRY(koshu_snapshot_parameters(context, path, &text));
    if (!text)
        return koshu_fail(context, KOSHU_ERROR_NOT_FOUND,
                          "%s: it holds no parameter file", path);
    print_printable(text);
    free(text);
    return KOSHU_OK;
}

static koshu_status
print_file(struct koshu_context *context, const char *path,
           const struct info_arguments *a,
           const struct koshu_snapshot_info *info, const struct stats *stats,
           const struct state *state)
{
    char *text;
    bool checkpoint;
    KOSHU_TRY(koshu_is_checkpoint(context, path, &checkpoint));
    KOSHU_TRY(koshu_snapshot_parameters(context, path, &text));
    bool parameters = text != NULL;
    free(text);
    if (!a->json) {
        print_info(path, info, parameters);
        if (checkpoint)
            printf("checkpoint  yes (koshu run --restart goes on from it)\n");
        if (stats) print_stats(info, stats);
        if (state) print_state(info, state);
        return KOSHU_OK;
    }
    json_t *object = info_json(path, info, parameters);
    json_object_set_new(object, "checkpoint", json_boolean(checkpoint));
    if (stats) {
        json_t *all = stats_json(stats, info->has_potential);
        add_state_json(all, state);
        json_object_set_new(object, "stats", all);
    }
    return print_json(context, object);
}

/* Prints a snapshot whose particles have been read. */
static koshu_status
info_particles(struct koshu_context *context, const char *path,
               const struct info_arguments *a)
{
    struct koshu_snapshot_info info = {.size = sizeof info};
    struct koshu_particles *particles;
    struct koshu_particle_view view;
    struct state state;
    KOSHU_TRY(koshu_snapshot_read(context, path, &info, &particles));
    koshu_status status = koshu_particles_on_host(particles, KOSHU_FIELD_ALL,
                                                  KOSHU_ACCESS_READ, &view);
    if (status == KOSHU_OK) {
        struct stats stats = stats_of(&view);
        status = measure_state(particles, &info, a->energy, &state);
        if (status == KOSHU_OK)
            status = print_file(context, path, a, &info, &stats, &state);
    }
    koshu_particles_destroy(particles);
    return status;
}

koshu_status
info_file(struct koshu_context *context, const char *path,
          const struct info_arguments *a)
{
    struct koshu_snapshot_info info = {.size = sizeof info};
    if (a->parameters) return print_parameters(context, path);
    bool known;
    KOSHU_TRY(info_other(context, path, a->json, &known));
    if (known) return KOSHU_OK;
    if (a->stats || a->energy) return info_particles(context, path, a);
    KOSHU_TRY(koshu_snapshot_inspect(context, path, &info));
    return print_file(context, path, a, &info, NULL, NULL);
}
