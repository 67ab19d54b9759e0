/* SPDX-License-Identifier: MIT */
/* Model particles and snapshots for the tests of the io module. */
#ifndef KOSHU_TESTS_MODELS_H
#define KOSHU_TESTS_MODELS_H

#include <string.h>

#include <koshu/particles.h>
#include <koshu/snapshot.h>

#include "check.h"
#include "particles/particles.h"

/* n particles whose numbers use all digits of a double, of either sign and of
 * many magnitudes, with ids out of order. The same n gives the same
 * particles. */
static inline struct koshu_particles *
model_particles(struct koshu_context *context, size_t n)
{
    struct koshu_particles *p = NULL;
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_create(context, n, &p));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_WRITE, &v));
    uint64_t bits = 12345;
    double *const fields[] = {v.mass, v.x,  v.y,  v.z,
                              v.vx,   v.vy, v.vz, v.potential};
    for (size_t i = 0; i < n; i++) {
        v.id[i] = 3 + 7 * (n - i);
        for (int k = 0; k < 8; k++) {
            bits = bits * 6364136223846793005u + 1442695040888963407u;
            double u = (double)(bits >> 11) * 0x1p-53;
            int power = (int)(bits >> 7 & 15) - 8;
            double sign = k == 0 ? 1 : k == 7 || (bits & 64) ? -1 : 1;
            fields[k][i] =
                    sign * (u + 1e-3) * (double)(1 << (power + 8)) / 256.0;
        }
    }
    return p;
}

static inline struct koshu_snapshot_info
model_info(enum koshu_format format)
{
    return (struct koshu_snapshot_info){
            .size = sizeof(struct koshu_snapshot_info),
            .format = format,
            .time = 0.1,
            .softening = 1.0 / 64,
            .box_size = 2.5,
            .units = {3.0857e18, 1.98892e33, 1e5},
            .has_potential = true,
            .step = 12345678901,
    };
}

/* Writes a snapshot of n model particles to a file. */
static inline void
model_write(struct koshu_context *context, const char *path,
            enum koshu_format format, size_t n)
{
    struct koshu_snapshot_info info = model_info(format);
    struct koshu_particles *p = model_particles(context, n);
    assert_ok(context, koshu_snapshot_write(p, path, &info, "n: 7\nname: a\n"));
    koshu_particles_destroy(p);
}

/* Do two stores agree in everything a snapshot keeps? Doubles bit for bit. */
static inline bool
model_equal(struct koshu_context *context, struct koshu_particles *a,
            struct koshu_particles *b)
{
    struct koshu_particle_view v, w;
    assert_ok(context, koshu_particles_on_host(a, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, &v));
    assert_ok(context, koshu_particles_on_host(b, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, &w));
    size_t size = v.n * sizeof(double);
    return v.n == w.n && memcmp(v.id, w.id, v.n * sizeof *v.id) == 0 &&
           memcmp(v.mass, w.mass, size) == 0 && memcmp(v.x, w.x, size) == 0 &&
           memcmp(v.y, w.y, size) == 0 && memcmp(v.z, w.z, size) == 0 &&
           memcmp(v.vx, w.vx, size) == 0 && memcmp(v.vy, w.vy, size) == 0 &&
           memcmp(v.vz, w.vz, size) == 0 &&
           memcmp(v.potential, w.potential, size) == 0;
}

/* Rounds every number to float, as a single-precision format does. */
static inline void
model_round(struct koshu_context *context, struct koshu_particles *p)
{
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    double *const fields[] = {v.mass, v.x,  v.y,  v.z,
                              v.vx,   v.vy, v.vz, v.potential};
    for (int k = 0; k < 8; k++)
        for (size_t i = 0; i < v.n; i++)
            fields[k][i] = (double)(float)fields[k][i];
}

#endif
