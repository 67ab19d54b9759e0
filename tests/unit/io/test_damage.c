/* SPDX-License-Identifier: MIT */
/* Every reader on every truncation and every flipped bit of a small file: it
 * must return particles or one error message that names the file. */
#include <sys/mman.h>
#include <unistd.h>

#include "io/io.h"
#include "models.h"
#include "fixture.h"

enum { N = 3 };

/* Reads a file with these bytes; returns the particles or, after checking the
 * message, NULL. The file is in memory, as there are tens of thousands. */
static struct koshu_particles *
read_damaged(const unsigned char *bytes, size_t n)
{
    char file[64];
    int fd = memfd_create("damaged", 0);
    assert_int_equal(write(fd, bytes, n), n);
    snprintf(file, sizeof file, "/proc/self/fd/%d", fd);
    struct koshu_particles *p = NULL;
    koshu_status status = koshu_snapshot_read(context, file, NULL, &p);
    close(fd);
    const char *message = koshu_context_message(context);
    if (status == KOSHU_OK) {
        assert_non_null(p);
        return p;
    }
    assert_null(p);
    assert_true(status == KOSHU_ERROR_BAD_FORMAT ||
                status == KOSHU_ERROR_BAD_INPUT);
    assert_non_null(strstr(message, file));
    assert_null(strchr(message, '\n'));
    assert_true(strlen(message) > strlen(file) + 10);
    return NULL;
}

/* Writes a snapshot to the file "whole". GADGET's potential is an optional last
 * block whose loss cannot be detected, so it is left out. */
static void
write_whole(enum koshu_format format)
{
    struct koshu_snapshot_info info = model_info(format);
    struct koshu_particles *p = model_particles(context, N);
    info.has_potential =
            format != KOSHU_FORMAT_GADGET1 && format != KOSHU_FORMAT_GADGET2;
    assert_ok(context, koshu_snapshot_write(p, "whole", &info, "n: 7\n"));
    koshu_particles_destroy(p);
}

/* Every `step`-th length shorter than the file. */
static void
refuses_truncations(enum koshu_format format, size_t step)
{
    size_t size;
    write_whole(format);
    unsigned char *bytes = scratch_read("whole", &size);
    for (size_t n = (size - 1) % step; n < size; n += step) {
        if (read_damaged(bytes, n))
            fail_msg("%s: %zu of %zu bytes were taken for a whole snapshot",
                     koshu_format_name(format), n, size);
    }
    free(bytes);
}

/* Flips every `step`-th bit of the file; returns the number of undetected
 * changes. */
static size_t
survives_flips(enum koshu_format format, size_t step, bool must_be_found)
{
    size_t size, taken = 0;
    write_whole(format);
    unsigned char *bytes = scratch_read("whole", &size);
    struct koshu_particles *model = model_particles(context, N);
    for (size_t bit = 0; bit < 8 * size; bit += step) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        struct koshu_particles *p = read_damaged(bytes, size);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        if (p && must_be_found && !model_equal(context, p, model))
            fail_msg("bit %zu of byte %zu is wrong, and was not found", bit % 8,
                     bit / 8);
        taken += p != NULL;
        koshu_particles_destroy(p);
    }
    koshu_particles_destroy(model);
    free(bytes);
    return taken;
}

/* These formats have no checksums: most flipped bits cannot be detected, but
 * those in counts and markers must be. */
static void
survives_every_bit(enum koshu_format format)
{
    size_t size;
    refuses_truncations(format, 1);
    size_t taken = survives_flips(format, 1, false);
    unsigned char *bytes = scratch_read("whole", &size);
    assert_in_range(taken, 1, 8 * size - 8 * 4);
    free(bytes);
}

static void
gadget1_survives_damage(void **state)
{
    (void)state;
    survives_every_bit(KOSHU_FORMAT_GADGET1);
}

static void
gadget2_survives_damage(void **state)
{
    (void)state;
    survives_every_bit(KOSHU_FORMAT_GADGET2);
}

static void
tipsy_survives_damage(void **state)
{
    (void)state;
    survives_every_bit(KOSHU_FORMAT_TIPSY);
}

static void
csv_survives_damage(void **state)
{
    (void)state;
    survives_every_bit(KOSHU_FORMAT_CSV);
}

/* Primes, so that all bits of a byte are tried. Reading HDF5 takes two
 * processes: a millisecond each, or thirty with AddressSanitizer. */
#ifdef __SANITIZE_ADDRESS__
enum { HDF5_STEP = 1009 };
#else
enum { HDF5_STEP = 29 };
#endif

/* HDF5 files carry checksums of everything: particles come back unchanged or
 * not at all. KOSHU_STEP=1 in the environment tries all bits, which takes
 * minutes. */
static void
hdf5_finds_all_damage(void **state)
{
    (void)state;
    const char *text = getenv("KOSHU_STEP");
    size_t step = text ? (size_t)atoi(text) : HDF5_STEP;
    refuses_truncations(KOSHU_FORMAT_HDF5, step);
    survives_flips(KOSHU_FORMAT_HDF5, step, true);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(gadget1_survives_damage),
            cmocka_unit_test(gadget2_survives_damage),
            cmocka_unit_test(tipsy_survives_damage),
            cmocka_unit_test(csv_survives_damage),
            cmocka_unit_test(hdf5_finds_all_damage),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
