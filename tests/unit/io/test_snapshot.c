/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <signal.h>
#include <sys/resource.h>

#include "io/io.h"
#include "locale_comma.h"
#include "models.h"
#include "fixture.h"
#include "particles/particles.h"

/* Not a multiple of any block of a reader or writer, and more than one
 * block. */
enum { N = (1 << 16) + 77 };

static const char *const file_names[] = {"a.hdf5", "a.gad1", "a.gad", "a.tipsy",
                                         "a.csv"};
enum { N_FORMATS = sizeof file_names / sizeof file_names[0] };

/* What each format keeps, according to the documentation. */
static const struct {
    bool single, ids, softening, box_size, rest; /* rest: units, step */
} kept[N_FORMATS] = {
        [KOSHU_FORMAT_HDF5] = {false, true, true, true, true},
        [KOSHU_FORMAT_GADGET1] = {true, true, false, true, false},
        [KOSHU_FORMAT_GADGET2] = {true, true, false, true, false},
        [KOSHU_FORMAT_TIPSY] = {true, false, true, false, false},
        [KOSHU_FORMAT_CSV] = {false, true, true, true, true},
};

static void
formats_have_names_and_endings(void **state)
{
    (void)state;
    enum koshu_format format;
    for (int k = 0; k < N_FORMATS; k++) {
        const char *name = koshu_format_name((enum koshu_format)k);
        assert_non_null(name);
        assert_ok(context, koshu_format_find(context, name, &format));
        assert_int_equal(format, k);
        assert_ok(context,
                  koshu_format_of_path(context, file_names[k], &format));
        assert_int_equal(format, k);
    }
    assert_null(koshu_format_name((enum koshu_format)N_FORMATS));
    assert_ok(context, koshu_format_of_path(context, "a/B.HDF5", &format));
    assert_int_equal(format, KOSHU_FORMAT_HDF5);
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "hdf5, gadget1, gadget2",
                 koshu_format_find(context, "fits", &format));
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, ".hdf5, .h5, .gad1",
                 koshu_format_of_path(context, "a.fits", &format));
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "'.csv' has no ending",
                 koshu_format_of_path(context, ".csv", &format));
}

/* The part of the model's info that must come back in this format. */
static void
check_info(const struct koshu_snapshot_info *info, enum koshu_format format,
           size_t n)
{
    struct koshu_snapshot_info model = model_info(format);
    assert_int_equal(info->format, format);
    assert_int_equal(info->n, n);
    assert_int_equal(info->n_types, 1);
    assert_true(info->time == model.time);
    assert_true(info->has_potential);
    assert_int_equal(info->single, kept[format].single);
    assert_true(info->softening ==
                (kept[format].softening ? model.softening : 0));
    assert_true(info->box_size == (kept[format].box_size ? model.box_size : 0));
    assert_int_equal(info->step, kept[format].rest ? model.step : 0);
    struct koshu_units units = KOSHU_HENON_UNITS;
    const bool keeps_units = format != KOSHU_FORMAT_TIPSY;
    assert_int_equal(info->has_units, keeps_units);
    if (keeps_units) units = model.units;
    assert_memory_equal(&info->units, &units, sizeof units);
    if (kept[format].rest)
        assert_int_equal(strncmp(info->program, "koshu ", 6), 0);
}

static void
every_format_gives_back_what_it_keeps(void **state)
{
    (void)state;
    for (int k = 0; k < N_FORMATS; k++) {
        enum koshu_format format = (enum koshu_format)k, found;
        struct koshu_particles *model = model_particles(context, N), *read;
        struct koshu_snapshot_info info = {.size = sizeof info};
        model_write(context, "snapshot", format, N);
        assert_ok(context, koshu_format_of_file(context, "snapshot", &found));
        assert_int_equal(found, format);
        assert_ok(context, koshu_snapshot_inspect(context, "snapshot", &info));
        check_info(&info, format, N);
        assert_ok(context,
                  koshu_snapshot_read(context, "snapshot", &info, &read));
        check_info(&info, format, N);
        if (kept[format].single) model_round(context, model);
        if (!kept[format].ids) {
            struct koshu_particle_view v;
            assert_ok(context, koshu_particles_on_host(model, KOSHU_FIELD_ID,
                                                       KOSHU_ACCESS_WRITE, &v));
            for (size_t i = 0; i < N; i++) v.id[i] = i;
        }
        assert_true(model_equal(context, model, read));

        struct koshu_particle_view v; /* the comparison must notice a change */
        assert_ok(context,
                  koshu_particles_on_host(read, KOSHU_FIELD_VELOCITY,
                                          KOSHU_ACCESS_READ_WRITE, &v));
        v.vz[N - 1] = nextafter(v.vz[N - 1], 1e9);
        assert_false(model_equal(context, model, read));
        koshu_particles_destroy(model);
        koshu_particles_destroy(read);
    }
}

static void
all_but_tipsy_keep_a_universe(void **state)
{
    (void)state;
    for (int k = 0; k < N_FORMATS; k++) {
        struct koshu_snapshot_info info = model_info((enum koshu_format)k),
                                   found = {.size = sizeof found};
        struct koshu_particles *p = model_particles(context, 3);
        const bool kept_here = k != KOSHU_FORMAT_TIPSY;
        info.omega_m = 0.31;
        info.omega_lambda = 0.685;
        info.hubble = 0.68;
        assert_ok(context, koshu_snapshot_write(p, "a", &info, NULL));
        assert_ok(context, koshu_snapshot_inspect(context, "a", &found));
        assert_true(found.time == info.time);
        assert_true(found.omega_m == (kept_here ? 0.31 : 0));
        assert_true(found.omega_lambda == (kept_here ? 0.685 : 0));
        assert_true(found.hubble == (kept_here ? 0.68 : 0));
        koshu_particles_destroy(p);
    }
}

static void
what_is_not_kept_is_absent(void **state)
{
    (void)state;
    for (int k = 0; k < N_FORMATS; k++) {
        struct koshu_snapshot_info info = {.size = sizeof info,
                                           .format = (enum koshu_format)k,
                                           .units = KOSHU_HENON_UNITS};
        struct koshu_particles *model = model_particles(context, 3), *read;
        assert_ok(context, koshu_snapshot_write(model, "a", &info, NULL));
        assert_ok(context, koshu_snapshot_read(context, "a", &info, &read));
        assert_false(info.has_potential);
        char *text = NULL;
        assert_ok(context, koshu_snapshot_parameters(context, "a", &text));
        assert_null(text);
        koshu_particles_destroy(model);
        koshu_particles_destroy(read);
    }
}

static void
the_parameter_file_comes_back(void **state)
{
    (void)state;
    char *text = NULL;
    model_write(context, "a.hdf5", KOSHU_FORMAT_HDF5, 3);
    assert_ok(context, koshu_snapshot_parameters(context, "a.hdf5", &text));
    assert_string_equal(text, "n: 7\nname: a\n");
    free(text);

    struct koshu_snapshot_info info = model_info(KOSHU_FORMAT_HDF5);
    struct koshu_particles *p = model_particles(context, 3);
    size_t length = (1 << 20) - 1; /* the longest allowed, and one byte more */
    char *longest = calloc(length + 2, 1);
    memset(longest, 'x', length);
    assert_ok(context, koshu_snapshot_write(p, "a.hdf5", &info, longest));
    assert_ok(context, koshu_snapshot_parameters(context, "a.hdf5", &text));
    assert_string_equal(text, longest);
    free(text);
    longest[length] = 'x';
    assert_fails(context, KOSHU_ERROR_UNSUPPORTED, "1048576 bytes is too long",
                 koshu_snapshot_write(p, "a.hdf5", &info, longest));
    free(longest);
    koshu_particles_destroy(p);
}

static void
identical_particles_give_identical_bytes(void **state)
{
    (void)state;
    for (int k = 0; k < N_FORMATS; k++) {
        size_t n, m;
        model_write(context, "a", (enum koshu_format)k, 1000);
        sleep(k == KOSHU_FORMAT_HDF5); /* HDF5 would store seconds */
        model_write(context, "b", (enum koshu_format)k, 1000);
        unsigned char *a = scratch_read("a", &n), *b = scratch_read("b", &m);
        assert_int_equal(n, m);
        assert_memory_equal(a, b, n);
        free(a);
        free(b);
    }
}

static void
numbers_do_not_depend_on_the_locale(void **state)
{
    (void)state;
    locale_comma();
    struct koshu_particles *model = model_particles(context, 5), *read = NULL;
    model_write(context, "a.csv", KOSHU_FORMAT_CSV, 5);
    koshu_status status = koshu_snapshot_read(context, "a.csv", NULL, &read);
    setlocale(LC_NUMERIC, "C");
    assert_ok(context, status);
    assert_true(model_equal(context, model, read));
    koshu_particles_destroy(model);
    koshu_particles_destroy(read);
}

static void
particles_that_no_reader_takes_are_not_written(void **state)
{
    (void)state;
    struct koshu_particles *p = model_particles(context, 4);
    struct koshu_snapshot_info info = model_info(KOSHU_FORMAT_TIPSY);
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    double heavy = v.mass[3];
    v.mass[3] = 1e-60;
    assert_fails(context, KOSHU_ERROR_UNSUPPORTED, "mass = 1e-60 is too small",
                 koshu_snapshot_write(p, "a", &info, NULL));
    v.mass[3] = heavy;
    double old = v.y[2];
    v.y[2] = 1e300;
    assert_fails(context, KOSHU_ERROR_UNSUPPORTED,
                 "particle 2 (id 17): y = 1e+300",
                 koshu_snapshot_write(p, "a", &info, NULL));
    v.y[2] = NAN;
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "particle 2 (id 17): y = ",
                 koshu_snapshot_write(p, "a", &info, NULL));
    v.y[2] = old;
    v.potential[1] = INFINITY;
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "potential = inf",
                 koshu_snapshot_write(p, "a", &info, NULL));
    info.has_potential = false;
    assert_ok(context, koshu_snapshot_write(p, "a", &info, NULL));
    info.time = NAN;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "the time is not",
                 koshu_snapshot_write(p, "a", &info, NULL));
    info = model_info((enum koshu_format)N_FORMATS);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "not a snapshot format",
                 koshu_snapshot_write(p, "a", &info, NULL));
    koshu_particles_destroy(p);
}

static void
files_that_are_no_snapshots_are_refused(void **state)
{
    (void)state;
    struct koshu_particles *p = NULL;
    struct koshu_snapshot_info info = {.size = sizeof info};
    enum koshu_format format;
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "No such file",
                 koshu_snapshot_read(context, "none", NULL, &p));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "it is a directory",
                 koshu_snapshot_read(context, "/tmp", NULL, &p));
    scratch_write("empty", "", 0);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "it is empty",
                 koshu_snapshot_inspect(context, "empty", &info));
    scratch_write("noise",
                  "\x7f"
                  "ELF\x02\x01\x01\0\0\0",
                  10);
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT,
                 "not the beginning of a snapshot",
                 koshu_format_of_file(context, "noise", &format));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "hdf5, gadget1",
                 koshu_snapshot_read(context, "noise", NULL, &p));
    assert_null(p);
}

/* Files may not grow beyond half of what is written, which simulates a full
 * disk without special rights. */
static void
a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    for (int k = 0; k < N_FORMATS; k++) {
        struct koshu_snapshot_info info = model_info((enum koshu_format)k);
        struct koshu_particles *p = model_particles(context, N);
        size_t size;
        model_write(context, "a", (enum koshu_format)k, 3);
        unsigned char *old = scratch_read("a", &size), *now;
        int names = scratch_count();
        /* fails in the data or, for HDF5, in the last bytes of the metadata */
        const rlim_t max[] = {N * 8, 200000, 4096, 100};
        for (int m = 0; m < 4; m++) {
            assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
            limit.rlim_cur = max[m];
            assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
            koshu_status status = koshu_snapshot_write(p, "a", &info, "n: 1");
            limit.rlim_cur = RLIM_INFINITY;
            assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
            assert_int_equal(status, KOSHU_ERROR_IO);
            assert_non_null(
                    strstr(koshu_context_message(context), "cannot write"));
        }
        size_t n;
        now = scratch_read("a", &n);
        assert_int_equal(n, size);
        assert_memory_equal(now, old, n);
        assert_int_equal(scratch_count(), names);
        free(old);
        free(now);
        koshu_particles_destroy(p);
    }
}

static void
info_may_be_left_out_but_not_its_size(void **state)
{
    (void)state;
    struct koshu_particles *p = model_particles(context, 3), *read;
    struct koshu_snapshot_info info = {.size = sizeof info};
    const struct koshu_snapshot_info none = koshu_snapshot_info_default();
    assert_ok(context, koshu_snapshot_write(p, "a", NULL, NULL));
    assert_ok(context, koshu_snapshot_inspect(context, "a", &info));
    assert_int_equal(info.format, KOSHU_FORMAT_HDF5);
    assert_true(info.time == 0 && info.units.mass_g == 1);
    assert_true(none.size == sizeof none && none.units.length_cm == 1);
    info.size = 0;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "struct koshu_snapshot_info: its size is not set",
                 koshu_snapshot_write(p, "a", &info, NULL));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "size is not set",
                 koshu_snapshot_inspect(context, "a", &info));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "size is not set",
                 koshu_snapshot_read(context, "a", &info, &read));
    koshu_particles_destroy(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(info_may_be_left_out_but_not_its_size),
            cmocka_unit_test(formats_have_names_and_endings),
            cmocka_unit_test(every_format_gives_back_what_it_keeps),
            cmocka_unit_test(all_but_tipsy_keep_a_universe),
            cmocka_unit_test(what_is_not_kept_is_absent),
            cmocka_unit_test(the_parameter_file_comes_back),
            cmocka_unit_test(identical_particles_give_identical_bytes),
            cmocka_unit_test(numbers_do_not_depend_on_the_locale),
            cmocka_unit_test(particles_that_no_reader_takes_are_not_written),
            cmocka_unit_test(files_that_are_no_snapshots_are_refused),
            cmocka_unit_test(a_full_disk_leaves_the_old_file),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
