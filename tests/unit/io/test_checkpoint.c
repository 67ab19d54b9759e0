/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "check.h"
#include "io/io.h"
#include "particles/particles.h"
#include "scratch.h"

#define FIXTURE_BACKEND "ref"
#include "fixture.h"

static const struct koshu_checkpoint some = {
        .clock = {.steps = 77,
                  .time = 1.0 / 3,
                  .origin_time = 0.1,
                  .origin_steps = 70},
        .snapshots = 5,
        .begin = -1,
        .initial_energy = -0.25,
        .energy_error = 1e-7,
        .softening = 0.01,
        .units = {1, 2, 3},
        .backend = "ref",
};
static const char text[] = "title: a run\n";

/* Eleven particles with every field set. */
static struct koshu_particles *
particles_like(double seed)
{
    struct koshu_particles *p;
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_create(context, 11, &p));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    double *const fields[] = {v.mass, v.x,  v.y,  v.z,  v.vx,       v.vy,
                              v.vz,   v.ax, v.ay, v.az, v.potential};
    for (size_t i = 0; i < v.n; i++) {
        v.id[i] = 1000 - 7 * i;
        for (size_t k = 0; k < 11; k++)
            fields[k][i] = seed + 1.0 / (double)(3 + i + 17 * k);
    }
    return p;
}

static void
assert_same_particles(struct koshu_particles *p, struct koshu_particles *q)
{
    struct koshu_particle_view a, b;
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, &a));
    assert_ok(context, koshu_particles_on_host(q, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, &b));
    assert_int_equal(a.n, b.n);
    const void *const pairs[][2] = {
            {a.id, b.id}, {a.mass, b.mass}, {a.x, b.x},
            {a.y, b.y},   {a.z, b.z},       {a.vx, b.vx},
            {a.vy, b.vy}, {a.vz, b.vz},     {a.ax, b.ax},
            {a.ay, b.ay}, {a.az, b.az},     {a.potential, b.potential}};
    for (size_t k = 0; k < 12; k++)
        assert_memory_equal(pairs[k][0], pairs[k][1], a.n * 8);
}

static void
what_is_written_is_read_bit_for_bit(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_particles *p = particles_like(1), *q;
    struct koshu_checkpoint c;
    char *read_text;
    memset(&c, 0xff, sizeof c); /* poison */
    assert_ok(context, koshu_checkpoint_write(p, "c.hdf5", &some, text));
    assert_ok(context,
              koshu_checkpoint_read(context, "c.hdf5", &q, &c, &read_text));
    assert_same_particles(p, q);
    assert_string_equal(read_text, text);
    assert_int_equal(c.clock.steps, some.clock.steps);
    assert_int_equal(c.snapshots, some.snapshots);
    assert_int_equal(c.clock.origin_steps, some.clock.origin_steps);
    assert_true(c.clock.time == some.clock.time);
    assert_true(c.clock.origin_time == some.clock.origin_time);
    assert_true(c.begin == some.begin && c.softening == some.softening);
    assert_true(c.initial_energy == some.initial_energy);
    assert_true(c.energy_error == some.energy_error);
    assert_true(c.units.velocity_cm_s == 3);
    assert_string_equal(c.backend, "ref");
    free(read_text);
    koshu_particles_destroy(p);
    koshu_particles_destroy(q);
    scratch_leave();
}

static void
every_number_is_kept(void **state)
{
    (void)state;
    scratch_enter();
    const struct koshu_checkpoint all = {
            .clock = {.time = 0.5,
                      .synchronised = 0.375,
                      .origin_time = 0.25,
                      .tick = 0x1p-40,
                      .ticks = UINT64_C(1) << 53 | 1,
                      .steps = 4,
                      .origin_steps = 3,
                      .particle_steps = UINT64_MAX},
            .snapshots = 6,
            .lost_snapshots = 2,
            .energy_rows = 7,
            .performance_rows = 8,
            .error_rows = 9,
            .cluster_rows = 10,
            .event_rows = 11,
            .begin = -1,
            .initial_energy = -1.0 / 3,
            .energy_error = 1e-300,
            .softening = 0.01,
            .box_size = 12,
            .units = {1, 2, 3},
            .mass_factor = 1.0 / 7,
            .velocity_factor = 1.0 / 11,
            .omega_m = 0.3,
            .omega_lambda = 0.7,
            .hubble = 0.68,
            .kinetic_integral = 1.0 / 13,
            .removed_energy = -1.0 / 17,
            .backend = "ref"};
    struct koshu_particles *p = particles_like(1), *q;
    struct koshu_checkpoint c;
    char *read_text;
    memset(&c, 0xff, sizeof c);
    assert_ok(context, koshu_checkpoint_write(p, "c.hdf5", &all, text));
    assert_ok(context,
              koshu_checkpoint_read(context, "c.hdf5", &q, &c, &read_text));
    c.clock.size = 0; /* not stored in the file */
    assert_memory_equal(&c, &all, sizeof c);
    free(read_text);
    koshu_particles_destroy(p);
    koshu_particles_destroy(q);
    scratch_leave();
}

/* Checkpoints store masses times G; when read as a snapshot they have plain
 * masses. */
static void
masses_are_shown_in_the_unit_of_the_run(void **state)
{
    (void)state;
    scratch_enter();
    const double g = 0.0044985;
    struct koshu_particles *p = particles_like(1), *q, *shown;
    struct koshu_checkpoint c, with_g = some;
    struct koshu_snapshot_info info = {.size = sizeof info};
    struct koshu_particle_view in, out;
    char *read_text;
    with_g.mass_factor = g;
    assert_ok(context, koshu_checkpoint_write(p, "c.hdf5", &with_g, text));
    assert_ok(context,
              koshu_checkpoint_read(context, "c.hdf5", &q, &c, &read_text));
    assert_same_particles(p, q);
    assert_true(c.mass_factor == g && c.units.mass_g == some.units.mass_g);
    assert_ok(context, koshu_snapshot_read(context, "c.hdf5", &info, &shown));
    assert_true(info.units.mass_g == some.units.mass_g);
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_MASS,
                                               KOSHU_ACCESS_READ, &in));
    assert_ok(context, koshu_particles_on_host(shown, KOSHU_FIELD_MASS,
                                               KOSHU_ACCESS_READ, &out));
    for (size_t i = 0; i < in.n; i++)
        assert_true(out.mass[i] == in.mass[i] / g);
    free(read_text);
    koshu_particles_destroy(p);
    koshu_particles_destroy(q);
    koshu_particles_destroy(shown);
    scratch_leave();
}

/* Block time steps: the state kept for a restart, and what other readers
 * see. */
static void
particles_at_times_of_their_own_are_kept_and_shown_together(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_particles *p = particles_like(1), *q;
    struct koshu_particle_view v, w;
    struct koshu_checkpoint c = some;
    char *read_text;
    c.clock.tick = 0.125;
    c.clock.ticks = 12;
    c.clock.particle_steps = 1234;
    c.clock.synchronised = 0.25;
    const unsigned fields =
            KOSHU_FIELD_ALL | KOSHU_FIELD_JERK | KOSHU_FIELD_STEP;
    assert_ok(context,
              koshu_particles_on_host(p, fields, KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < v.n; i++) {
        v.jx[i] = 1 / (double)(i + 1);
        v.jy[i] = v.jz[i] = -v.jx[i];
        v.tick[i] = i == 0 ? 12 : 8;
        v.step[i] = 1u << i % 3;
    }
    assert_ok(context, koshu_checkpoint_write(p, "c.hdf5", &c, text));
    assert_ok(context,
              koshu_checkpoint_read(context, "c.hdf5", &q, &c, &read_text));
    assert_same_particles(p, q);
    assert_ok(context,
              koshu_particles_on_host(q, fields, KOSHU_ACCESS_READ, &w));
    assert_memory_equal(v.jx, w.jx, v.n * sizeof *v.jx);
    assert_memory_equal(v.jz, w.jz, v.n * sizeof *v.jz);
    assert_memory_equal(v.tick, w.tick, v.n * sizeof *v.tick);
    assert_memory_equal(v.step, w.step, v.n * sizeof *v.step);
    assert_true(c.clock.tick == 0.125 && c.clock.synchronised == 0.25);
    assert_int_equal(c.clock.ticks, 12);
    assert_int_equal(c.clock.particle_steps, 1234);
    koshu_particles_destroy(q);
    free(read_text);
    /* read as a snapshot, all but the first particle are predicted by half a
     * time unit */
    const double h = 0.5;
    assert_ok(context, koshu_snapshot_read(context, "c.hdf5", NULL, &q));
    assert_ok(context, koshu_particles_on_host(q, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, &w));
    assert_true(w.x[0] == v.x[0] && w.vz[0] == v.vz[0]);
    for (size_t i = 1; i < v.n; i++) {
        double x = v.x[i] + h * v.vx[i] + h * h / 2 * v.ax[i] +
                   h * h * h / 6 * v.jx[i];
        double vz = v.vz[i] + h * v.az[i] + h * h / 2 * v.jz[i];
        assert_near(w.x[i], x, 1e-14); /* roundings of numbers of order 1 */
        assert_near(w.vz[i], vz, 1e-14);
    }
    koshu_particles_destroy(p);
    koshu_particles_destroy(q);
    scratch_leave();
}

static void
the_same_state_gives_the_same_bytes(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_particles *p = particles_like(1);
    assert_ok(context, koshu_checkpoint_write(p, "a.hdf5", &some, text));
    assert_ok(context, koshu_checkpoint_write(p, "b.hdf5", &some, text));
    size_t n, m;
    unsigned char *a = scratch_read("a.hdf5", &n);
    unsigned char *b = scratch_read("b.hdf5", &m);
    assert_int_equal(n, m);
    assert_memory_equal(a, b, n);
    free(a);
    free(b);
    koshu_particles_destroy(p);
    scratch_leave();
}

static void
a_checkpoint_is_a_snapshot(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_particles *p = particles_like(1);
    struct koshu_snapshot_info info = {.size = sizeof info};
    assert_ok(context, koshu_checkpoint_write(p, "c.hdf5", &some, text));
    assert_ok(context, koshu_snapshot_inspect(context, "c.hdf5", &info));
    assert_int_equal(info.n, 11);
    assert_int_equal(info.step, 77);
    assert_true(info.has_potential && info.time == some.clock.time);

    /* but not every snapshot is a checkpoint */
    struct koshu_particles *q;
    struct koshu_checkpoint c;
    char *read_text;
    info.format = KOSHU_FORMAT_HDF5;
    assert_ok(context, koshu_snapshot_write(p, "s.hdf5", &info, text));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "not a whole checkpoint",
                 koshu_checkpoint_read(context, "s.hdf5", &q, &c, &read_text));
    info.format = KOSHU_FORMAT_CSV;
    assert_ok(context, koshu_snapshot_write(p, "s.csv", &info, text));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "not a whole checkpoint",
                 koshu_checkpoint_read(context, "s.csv", &q, &c, &read_text));
    assert_fails(
            context, KOSHU_ERROR_NOT_FOUND, "none.hdf5",
            koshu_checkpoint_read(context, "none.hdf5", &q, &c, &read_text));
    koshu_particles_destroy(p);
    scratch_leave();
}

/* Asserts that these bytes are refused and no particles are returned. */
static void
assert_refused(const unsigned char *bytes, size_t n)
{
    struct koshu_particles *p;
    struct koshu_checkpoint c;
    char *read_text;
    scratch_write("d.hdf5", bytes, n);
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "d.hdf5",
                 koshu_checkpoint_read(context, "d.hdf5", &p, &c, &read_text));
    assert_null(p);
    assert_null(read_text);
}

/* Any changed bit, truncation or addition is refused. */
static void
damage_is_found(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_particles *p = particles_like(1);
    assert_ok(context, koshu_checkpoint_write(p, "c.hdf5", &some, text));
    size_t n;
    unsigned char *bytes = scratch_read("c.hdf5", &n);
    for (size_t at = 0; at < n; at += 23) {
        bytes[at] ^= (unsigned char)(1 << at % 8);
        assert_refused(bytes, n);
        bytes[at] ^= (unsigned char)(1 << at % 8);
    }
    for (size_t length = 1; length < n; length += 211)
        assert_refused(bytes, length);
    assert_refused(bytes, n + 1); /* one more zero */
    free(bytes);
    koshu_particles_destroy(p);
    scratch_leave();
}

static void
a_particle_that_is_not_finite_is_not_kept(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_particles *p = particles_like(1);
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_POSITION,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    v.y[3] = 0.0 / 0.0;
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "particle 3",
                 koshu_checkpoint_write(p, "c.hdf5", &some, text));
    assert_int_equal(scratch_count(), 0);
    koshu_particles_destroy(p);
    scratch_leave();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(what_is_written_is_read_bit_for_bit),
            cmocka_unit_test(every_number_is_kept),
            cmocka_unit_test(masses_are_shown_in_the_unit_of_the_run),
            cmocka_unit_test(
                    particles_at_times_of_their_own_are_kept_and_shown_together),
            cmocka_unit_test(the_same_state_gives_the_same_bytes),
            cmocka_unit_test(a_checkpoint_is_a_snapshot),
            cmocka_unit_test(damage_is_found),
            cmocka_unit_test(a_particle_that_is_not_finite_is_not_kept),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
