/* SPDX-License-Identifier: MIT */
/* Particles for every built-in kernel, by the names of columns. */
#include <stdlib.h>
#include <string.h>

#include "bench/cases/pipelines.h"

/* Ranges of uniformly distributed numbers, by the names of columns; others are
 * in 0 ... 1. */
static const struct numbers {
    const char *name;
    double low, high;
} ranges[] = {
        {"eps2", 0.01, 0.01},   {"h", 0.2, 0.3},       {"density", 0.5, 1.5},
        {"pressure", 0.5, 1.5}, {"epsilon", 0.5, 1.5}, {"sigma", 0.005, 0.01},
        {"charge", -1, 1},      {"area", 0.01, 0.02},  {"strength", 0.5, 1.5},
        {"amplitude", 0.5, 1},  {"alphax", -1, 1},     {"alphay", -1, 1},
        {"alphaz", -1, 1}};
enum { N_RANGES = sizeof ranges / sizeof ranges[0] };

/* The sphere's radius for the hologram, where light paths are counted in
 * wavelengths. */
static const double hologram_length = 1e-3;

/* A random number of 53 bits from seed, column and particle (Steele et al.
 * 2014, SplitMix64). */
static double
random_number(uint64_t seed, uint64_t column, uint64_t k)
{
    uint64_t z = (k + 1) * 0x9e3779b97f4a7c15u +
                 (seed + (column << 32)) * 0xd1342543de82ef95u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* The column of the sphere's particles with this name; NULL: none. */
static const double *
sphere_column(const struct pipeline *p, const char *name, double *scale)
{
    const struct koshu_particle_const_view *v = &p->view;
    const bool light = strcmp(p->name, "hologram") == 0;
    const double length = light ? hologram_length : 1;
    const struct {
        const char *name;
        const double *values;
        double scale;
    } columns[] = {{"x", v->x, length}, {"y", v->y, length},
                   {"z", v->z, length}, {"vx", v->vx, 1},
                   {"vy", v->vy, 1},    {"vz", v->vz, 1},
                   {"mass", v->mass, 1}};
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        if (strcmp(name, columns[c].name) == 0) {
            *scale = columns[c].scale;
            return columns[c].values;
        }
    return NULL;
}

static double
drawn(uint64_t seed, const char *name, size_t k)
{
    if (strcmp(name, "sample") == 0) return (double)(k % 2);
    for (size_t c = 0; c < N_RANGES; c++)
        if (strcmp(name, ranges[c].name) == 0)
            return ranges[c].low +
                   (ranges[c].high - ranges[c].low) * random_number(seed, c, k);
    return random_number(seed, N_RANGES, k);
}

/* Fills a column of rows with so many numbers. */
static void
fill(const struct pipeline *p, const char *name, size_t stride, double *to)
{
    const struct bench_options *o = p->b->options;
    const bool rounds = o->precision == KOSHU_PRECISION_SINGLE;
    double scale;
    const double *values = sphere_column(p, name, &scale);
    for (size_t k = 0; k < p->n; k++) {
        double value = values ? scale * values[k] : drawn(o->seed, name, k);
        to[k * stride] = rounds ? (double)(float)value : value;
    }
}

static koshu_status
allocate(struct pipeline *p)
{
    const size_t numbers = p->n_i_fields + p->n_j_fields + p->n_outputs;
    KOSHU_TRY(koshu_particles_require(p->b->context, p->n,
                                      numbers * sizeof *p->i));
    p->i = calloc(p->n * p->n_i_fields, sizeof *p->i);
    p->j = calloc(p->n * p->n_j_fields, sizeof *p->j);
    p->out = calloc(p->n * p->n_outputs, sizeof *p->out);
    if (p->i && p->j && p->out) return KOSHU_OK;
    return koshu_fail_memory(p->b->context, p->n * numbers * sizeof *p->i,
                             "particles");
}

static void
fill_all(struct pipeline *p)
{
    for (size_t k = 0; k < p->n_i_fields; k++)
        fill(p, koshu_interaction_name_i(p->interaction, k), p->n_i_fields,
             p->i + k);
    for (size_t k = 0; k < p->n_j_fields; k++)
        fill(p, koshu_interaction_name_j(p->interaction, k), p->n_j_fields,
             p->j + k);
}

koshu_status
pipeline_create(const struct pipeline *p, struct koshu_context *context,
                enum koshu_precision precision,
                struct koshu_interaction **interaction)
{
    struct koshu_interaction_options options =
            koshu_interaction_options_default();
    options.name = p->source.path;
    options.precision = precision;
    return koshu_interaction_create(context, p->source.text, &options,
                                    interaction);
}

koshu_status
pipeline_open(const struct bench *b, const char *name, size_t n,
              struct pipeline *p)
{
    *p = (struct pipeline){.b = b, .name = name, .n = n};
    KOSHU_TRY(kernel_source_read(b->context, name, &p->source));
    KOSHU_TRY(pipeline_create(p, b->context, b->options->precision,
                              &p->interaction));
    p->n_i_fields = koshu_interaction_n_i_fields(p->interaction);
    p->n_j_fields = koshu_interaction_n_j_fields(p->interaction);
    p->n_outputs = koshu_interaction_n_outputs(p->interaction);
    KOSHU_TRY(allocate(p));
    KOSHU_TRY(bench_particles(b, n, &p->particles));
    p->view.size = sizeof p->view;
    KOSHU_TRY(koshu_particles_acquire_read(p->particles, KOSHU_FIELD_ALL,
                                           &p->view));
    fill_all(p);
    return KOSHU_OK;
}

void
pipeline_close(struct pipeline *p)
{
    koshu_particles_destroy(p->particles);
    koshu_interaction_destroy(p->interaction);
    bench_sums_free(&p->sums);
    free(p->source.text);
    free(p->i);
    free(p->j);
    free(p->out);
}
