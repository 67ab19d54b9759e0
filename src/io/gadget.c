/* SPDX-License-Identifier: MIT */
/*
 * GADGET-2 binary, formats 1 and 2: Fortran records, each between two markers
 * that hold its length in bytes.
 *
 *     header  256 bytes: int npart[6]; double mass[6], time, redshift;
 *             int flags[2], npart_total[6], flag, num_files;
 *             double box_size, omega0, omega_lambda, hubble; the rest unused
 *     POS     float or double [n][3], the types one after the other
 *     VEL     the same
 *     ID      4 or 8 bytes [n]
 *     MASS    [n of the types whose header mass is 0]; missing where that is 0
 *     POT     [n], optional
 *
 * Format 2 puts a record of 8 bytes before each: four letters, and the length
 * of the next record with its markers. In format 1 a block is what its place
 * says; the potential is the first block after the masses that has n numbers
 * (blocks of gas have fewer). Read in either byte order, which the first
 * marker shows; written little-endian. Source: Springel, User guide for
 * GADGET-2, section 6.
 */
#include <math.h>

#include "base/base.h"
#include "io/bytes.h"
#include "io/format.h"

enum { HEADER = 256, TAG = 8, MARKER = 4, N_TYPES = 6, VALUES_AT_ONCE = 3072 };

/* Bytes of the header. */
enum {
    AT_COUNT = 0,
    AT_MASS = 24,
    AT_TIME = 72,
    AT_TOTAL = 96,
    AT_FILES = 124,
    AT_BOX = 128,
    AT_HUBBLE = 152
};

enum block { POS, VEL, ID, MASS, POT, N_BLOCKS };

static const char tags[N_BLOCKS][5] = {"POS ", "VEL ", "ID  ", "MASS", "POT "};
static const char *const titles[N_BLOCKS] = {"positions", "velocities", "ids",
                                             "masses", "potentials"};

/* A file as its header and markers show it. */
struct gadget {
    struct koshu_reader *reader;
    bool big, tagged; /* tagged: format 2 */
    uint64_t count[N_TYPES], n;
    uint64_t n_masses; /* particles whose mass is in the block */
    double mass[N_TYPES];
    double time, box_size;
    struct {
        bool there;
        uint64_t at, size;
        unsigned width; /* of a number, 4 or 8 */
    } block[N_BLOCKS];
};

/* ---- recognition ------------------------------------------------------ */

static bool
starts_with(const unsigned char *head, size_t n, uint32_t marker)
{
    if (n < MARKER) return false;
    return load_u32(head, false) == marker || load_u32(head, true) == marker;
}

static bool
recognise1(const unsigned char *head, size_t n, uint64_t size)
{
    (void)size;
    return starts_with(head, n, HEADER);
}

static bool
recognise2(const unsigned char *head, size_t n, uint64_t size)
{
    (void)size;
    return starts_with(head, n, TAG) && n >= MARKER + 4 &&
           memcmp(head + MARKER, "HEAD", 4) == 0;
}

/* ---- records ---------------------------------------------------------- */

/* The record that begins here: where its bytes are and how many, with both
 * markers checked. Leaves the reader behind it. */
static koshu_status
next_record(struct gadget *g, uint64_t *at, uint64_t *size)
{
    unsigned char marker[MARKER];
    KOSHU_TRY(koshu_reader_read(g->reader, marker, MARKER, "a record marker"));
    uint32_t before = load_u32(marker, g->big);
    KOSHU_TRY(koshu_reader_expect(g->reader, (uint64_t)before + MARKER, 1,
                                  "a record"));
    *at = koshu_reader_at(g->reader);
    *size = before;
    KOSHU_TRY(koshu_reader_seek(g->reader, *at + before));
    KOSHU_TRY(koshu_reader_read(g->reader, marker, MARKER, "a record marker"));
    uint32_t after = load_u32(marker, g->big);
    if (before == after) return KOSHU_OK;
    return koshu_reader_fail(g->reader,
                             "the record that begins at byte %llu has %lu "
                             "bytes by its first marker, but %lu by its last; "
                             "the file is damaged",
                             (unsigned long long)*at - MARKER,
                             (unsigned long)before, (unsigned long)after);
}

/* A record that must have this many bytes. */
static koshu_status
read_record(struct gadget *g, void *bytes, size_t size, const char *what)
{
    uint64_t at, found;
    KOSHU_TRY(next_record(g, &at, &found));
    if (found != size)
        return koshu_reader_fail(g->reader,
                                 "%s: a record of %zu bytes is expected, but "
                                 "it has %llu",
                                 what, size, (unsigned long long)found);
    uint64_t behind = koshu_reader_at(g->reader);
    KOSHU_TRY(koshu_reader_seek(g->reader, at));
    KOSHU_TRY(koshu_reader_read(g->reader, bytes, size, what));
    return koshu_reader_seek(g->reader, behind);
}

/* ---- header ----------------------------------------------------------- */

static koshu_status
check_header(struct gadget *g, const unsigned char *h)
{
    for (int t = 0; t < N_TYPES; t++) {
        int32_t count = load_i32(h + AT_COUNT + 4 * t, g->big);
        if (count < 0)
            return koshu_reader_fail(g->reader,
                                     "header: %ld particles of type %d; a "
                                     "count cannot be negative",
                                     (long)count, t);
        if (!isfinite(g->mass[t]) || g->mass[t] < 0)
            return koshu_reader_fail(g->reader,
                                     "header: particles of type %d have the "
                                     "mass %g",
                                     t, g->mass[t]);
    }
    int32_t files = load_i32(h + AT_FILES, g->big);
    if (files <= 1) return KOSHU_OK;
    return koshu_fail(koshu_reader_context(g->reader), KOSHU_ERROR_BAD_INPUT,
                      "%s: it is one of the %ld files of a snapshot; koshu "
                      "reads snapshots of one file",
                      koshu_reader_path(g->reader), (long)files);
}

static koshu_status
read_header(struct gadget *g)
{
    unsigned char h[HEADER];
    KOSHU_TRY(read_record(g, h, HEADER, "header"));
    for (int t = 0; t < N_TYPES; t++) {
        g->count[t] = load_u32(h + AT_COUNT + 4 * t, g->big);
        g->mass[t] = load_f64(h + AT_MASS + 8 * t, g->big);
        g->n += g->count[t];
        if (g->mass[t] == 0) g->n_masses += g->count[t];
    }
    g->time = load_f64(h + AT_TIME, g->big);
    g->box_size = load_f64(h + AT_BOX, g->big);
    return check_header(g, h);
}

/* ---- blocks ----------------------------------------------------------- */

/* Which block a format 1 file has here; N_BLOCKS: none of ours. */
static enum block
block_by_place(const struct gadget *g, uint64_t place, uint64_t size)
{
    if (place <= ID) return (enum block)place;
    if (g->n_masses > 0 && place == MASS) return MASS;
    bool potential = !g->block[POT].there && g->count[0] < g->n &&
                     (size == 4 * g->n || size == 8 * g->n);
    return potential ? POT : N_BLOCKS;
}

static enum block
block_by_tag(const char *tag)
{
    for (int b = 0; b < N_BLOCKS; b++)
        if (memcmp(tag, tags[b], 4) == 0) return (enum block)b;
    return N_BLOCKS;
}

/* Keeps where a block is, once its size fits the counts of the header. */
static koshu_status
keep_block(struct gadget *g, enum block b, uint64_t at, uint64_t size)
{
    uint64_t n = b == MASS ? g->n_masses : g->n;
    uint64_t numbers = b == POS || b == VEL ? 3 * n : n;
    if (size != 4 * numbers && size != 8 * numbers)
        return koshu_reader_fail(g->reader,
                                 "%s: the header's counts make a block of "
                                 "%llu or %llu bytes, but it has %llu",
                                 titles[b], (unsigned long long)(4 * numbers),
                                 (unsigned long long)(8 * numbers),
                                 (unsigned long long)size);
    g->block[b].there = true;
    g->block[b].at = at;
    g->block[b].size = size;
    g->block[b].width = size == 8 * numbers ? 8 : 4;
    return KOSHU_OK;
}

static koshu_status
next_block(struct gadget *g, uint64_t place)
{
    uint64_t at, size;
    char tag[TAG];
    if (g->tagged) KOSHU_TRY(read_record(g, tag, TAG, "block name"));
    KOSHU_TRY(next_record(g, &at, &size));
    enum block b =
            g->tagged ? block_by_tag(tag) : block_by_place(g, place, size);
    if (b == N_BLOCKS) return KOSHU_OK;
    return keep_block(g, b, at, size);
}

static koshu_status
check_blocks(const struct gadget *g)
{
    for (int b = 0; b < N_BLOCKS; b++) {
        bool needed = b != POT && (b != MASS || g->n_masses > 0);
        if (needed && !g->block[b].there)
            return koshu_reader_fail(g->reader,
                                     "the file ends without the block of %s; "
                                     "it is truncated",
                                     titles[b]);
    }
    return KOSHU_OK;
}

/* Goes through the whole file, without reading the blocks. */
static koshu_status
scan(struct koshu_reader *reader, struct gadget *g)
{
    unsigned char first[MARKER];
    *g = (struct gadget){.reader = reader};
    KOSHU_TRY(koshu_reader_read(reader, first, MARKER, "a record marker"));
    uint32_t marker = load_u32(first, false);
    g->big = marker != HEADER && marker != TAG;
    g->tagged = load_u32(first, g->big) == TAG;
    KOSHU_TRY(koshu_reader_seek(reader, 0));
    char tag[TAG];
    if (g->tagged) KOSHU_TRY(read_record(g, tag, TAG, "block name"));
    KOSHU_TRY(read_header(g));
    if (g->n == 0) return KOSHU_OK;
    for (uint64_t place = POS; koshu_reader_left(reader) > 0; place++)
        KOSHU_TRY(next_block(g, place));
    return check_blocks(g);
}

static koshu_status
inspect(struct koshu_reader *reader, struct koshu_snapshot_info *info)
{
    struct gadget g;
    KOSHU_TRY(scan(reader, &g));
    info->n = g.n;
    info->time = g.time;
    info->box_size = g.box_size;
    info->single = g.block[POS].width == 4;
    info->has_potential = g.block[POT].there;
    for (int t = 0; t < N_TYPES; t++) info->n_types += g.count[t] > 0;
    return KOSHU_OK;
}

/* ---- reading ---------------------------------------------------------- */

static double
load_real(const unsigned char *from, unsigned width, bool big)
{
    return width == 4 ? load_f32(from, big) : load_f64(from, big);
}

static uint64_t
load_id(const unsigned char *from, unsigned width, bool big)
{
    return width == 4 ? load_u32(from, big) : load_u64(from, big);
}

/* The next numbers of a block: at most VALUES_AT_ONCE of them. */
static koshu_status
read_values(struct gadget *g, enum block b, unsigned char *values, size_t n)
{
    return koshu_reader_read(g->reader, values, n * g->block[b].width,
                             titles[b]);
}

static koshu_status
read_vectors(struct gadget *g, enum block b, size_t n, double *x, double *y,
             double *z)
{
    unsigned char values[VALUES_AT_ONCE * 8];
    unsigned width = g->block[b].width;
    KOSHU_TRY(koshu_reader_seek(g->reader, g->block[b].at));
    for (size_t i = 0; i < n;) {
        size_t rows = n - i < VALUES_AT_ONCE / 3 ? n - i : VALUES_AT_ONCE / 3;
        KOSHU_TRY(read_values(g, b, values, 3 * rows));
        for (const unsigned char *v = values; rows > 0; rows--, i++) {
            x[i] = load_real(v, width, g->big);
            y[i] = load_real(v + width, width, g->big);
            z[i] = load_real(v + 2 * width, width, g->big);
            v += 3 * width;
        }
    }
    return KOSHU_OK;
}

static koshu_status
read_ids(struct gadget *g, size_t n, uint64_t *id)
{
    unsigned char values[VALUES_AT_ONCE * 8];
    unsigned width = g->block[ID].width;
    KOSHU_TRY(koshu_reader_seek(g->reader, g->block[ID].at));
    for (size_t i = 0; i < n;) {
        size_t some = n - i < VALUES_AT_ONCE ? n - i : VALUES_AT_ONCE;
        KOSHU_TRY(read_values(g, ID, values, some));
        for (size_t k = 0; k < some; k++)
            id[i++] = load_id(values + k * width, width, g->big);
    }
    return KOSHU_OK;
}

/* The next n numbers from where the reader stands. */
static koshu_status
read_reals(struct gadget *g, enum block b, size_t n, double *real)
{
    unsigned char values[VALUES_AT_ONCE * 8];
    unsigned width = g->block[b].width;
    for (size_t i = 0; i < n;) {
        size_t some = n - i < VALUES_AT_ONCE ? n - i : VALUES_AT_ONCE;
        KOSHU_TRY(read_values(g, b, values, some));
        for (size_t k = 0; k < some; k++)
            real[i++] = load_real(values + k * width, width, g->big);
    }
    return KOSHU_OK;
}

static koshu_status
read_masses(struct gadget *g, double *mass)
{
    if (g->n_masses > 0)
        KOSHU_TRY(koshu_reader_seek(g->reader, g->block[MASS].at));
    for (int t = 0; t < N_TYPES; t++) {
        size_t n = (size_t)g->count[t];
        if (g->mass[t] == 0) {
            KOSHU_TRY(read_reals(g, MASS, n, mass));
        } else {
            for (size_t i = 0; i < n; i++) mass[i] = g->mass[t];
        }
        mass += n;
    }
    return KOSHU_OK;
}

static koshu_status
read_particles(struct koshu_reader *reader,
               const struct koshu_snapshot_info *info,
               const struct koshu_particle_view *v)
{
    struct gadget g;
    KOSHU_TRY(scan(reader, &g));
    KOSHU_TRY(read_vectors(&g, POS, v->n, v->x, v->y, v->z));
    KOSHU_TRY(read_vectors(&g, VEL, v->n, v->vx, v->vy, v->vz));
    KOSHU_TRY(read_ids(&g, v->n, v->id));
    KOSHU_TRY(read_masses(&g, v->mass));
    if (!info->has_potential) return KOSHU_OK;
    KOSHU_TRY(koshu_reader_seek(reader, g.block[POT].at));
    return read_reals(&g, POT, v->n, v->potential);
}

/* ---- writing ---------------------------------------------------------- */

static koshu_status
write_marker(struct koshu_file *file, size_t size)
{
    unsigned char marker[MARKER];
    store_u32(marker, (uint32_t)size, false);
    return koshu_file_write(file, marker, MARKER);
}

/* What precedes a block; write_marker(size) closes it. */
static koshu_status
begin_block(struct koshu_file *file, bool tagged, const char *tag, size_t size)
{
    if (tagged) {
        unsigned char bytes[TAG];
        memcpy(bytes, tag, 4);
        store_u32(bytes + 4, (uint32_t)(size + 2 * MARKER), false);
        KOSHU_TRY(write_marker(file, TAG));
        KOSHU_TRY(koshu_file_write(file, bytes, TAG));
        KOSHU_TRY(write_marker(file, TAG));
    }
    return write_marker(file, size);
}

/* The mass of each particle where they are all equal; otherwise 0, and the
 * masses need a block. */
static double
common_mass(const struct koshu_particle_view *v)
{
    for (size_t i = 1; i < v->n; i++)
        if (v->mass[i] != v->mass[0]) return 0;
    return v->mass[0];
}

static koshu_status
write_header(struct koshu_file *file, bool tagged,
             const struct koshu_particle_view *v,
             const struct koshu_snapshot_info *info)
{
    unsigned char h[HEADER] = {0};
    store_u32(h + AT_COUNT + 4, (uint32_t)v->n, false); /* type 1, halo */
    store_f64(h + AT_MASS + 8, common_mass(v), false);
    store_f64(h + AT_TIME, info->time, false);
    store_u32(h + AT_TOTAL + 4, (uint32_t)v->n, false);
    store_u32(h + AT_FILES, 1, false);
    store_f64(h + AT_BOX, info->box_size, false);
    store_f64(h + AT_HUBBLE, 1, false); /* lengths need no factor */
    KOSHU_TRY(begin_block(file, tagged, "HEAD", HEADER));
    KOSHU_TRY(koshu_file_write(file, h, HEADER));
    return write_marker(file, HEADER);
}

/* n rows of so many columns, as floats. */
static koshu_status
write_reals(struct koshu_file *file, bool tagged, enum block b, size_t n,
            int columns, const double *const column[])
{
    size_t size = n * (size_t)columns * 4;
    KOSHU_TRY(begin_block(file, tagged, tags[b], size));
    for (size_t i = 0; i < n; i++) {
        unsigned char row[3 * 4];
        for (int k = 0; k < columns; k++)
            store_f32(row + 4 * k, column[k][i], false);
        KOSHU_TRY(koshu_file_write(file, row, (size_t)columns * 4));
    }
    return write_marker(file, size);
}

static koshu_status
write_ids(struct koshu_file *file, bool tagged, size_t n, const uint64_t *id)
{
    size_t width = 4;
    for (size_t i = 0; i < n; i++)
        if (id[i] > UINT32_MAX) width = 8;
    KOSHU_TRY(begin_block(file, tagged, tags[ID], n * width));
    for (size_t i = 0; i < n; i++) {
        unsigned char bytes[8]; /* of a small id the first 4 are all of it */
        store_u64(bytes, id[i], false);
        KOSHU_TRY(koshu_file_write(file, bytes, width));
    }
    return write_marker(file, n * width);
}

static koshu_status
write_particles(struct koshu_file *file, bool tagged,
                const struct koshu_particle_view *v,
                const struct koshu_snapshot_info *info)
{
    /* GADGET-2 keeps the length of a block in an int */
    if (v->n > INT32_MAX / 12)
        return koshu_fail(koshu_file_context(file), KOSHU_ERROR_UNSUPPORTED,
                          "a GADGET file holds at most %d particles, not "
                          "%zu; write hdf5",
                          INT32_MAX / 12, v->n);
    const double *const position[] = {v->x, v->y, v->z};
    const double *const velocity[] = {v->vx, v->vy, v->vz};
    const double *const mass[] = {v->mass}, *const potential[] = {v->potential};
    KOSHU_TRY(write_header(file, tagged, v, info));
    KOSHU_TRY(write_reals(file, tagged, POS, v->n, 3, position));
    KOSHU_TRY(write_reals(file, tagged, VEL, v->n, 3, velocity));
    KOSHU_TRY(write_ids(file, tagged, v->n, v->id));
    if (common_mass(v) == 0)
        KOSHU_TRY(write_reals(file, tagged, MASS, v->n, 1, mass));
    if (!info->has_potential) return KOSHU_OK;
    return write_reals(file, tagged, POT, v->n, 1, potential);
}

static koshu_status
write1(struct koshu_file *file, const struct koshu_rows *rows,
       const struct koshu_particle_view *view,
       const struct koshu_snapshot_info *info, const char *parameters)
{
    (void)rows;
    (void)parameters;
    return write_particles(file, false, view, info);
}

static koshu_status
write2(struct koshu_file *file, const struct koshu_rows *rows,
       const struct koshu_particle_view *view,
       const struct koshu_snapshot_info *info, const char *parameters)
{
    (void)rows;
    (void)parameters;
    return write_particles(file, true, view, info);
}

const struct koshu_format_ops koshu_format_gadget1 = {
        .name = "gadget1",
        .endings = {".gad1"},
        .single = true,
        .recognise = recognise1,
        .inspect = inspect,
        .read = read_particles,
        .write = write1,
};

const struct koshu_format_ops koshu_format_gadget2 = {
        .name = "gadget2",
        .endings = {".gad", ".gadget"},
        .single = true,
        .recognise = recognise2,
        .inspect = inspect,
        .read = read_particles,
        .write = write2,
};
