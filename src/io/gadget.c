/* SPDX-License-Identifier: MIT */
/* GADGET-2 binary (gadget.h): recognises and reads it. */
#include <math.h>

#include "base/base.h"
#include "io/gadget.h"

enum { VALUES_AT_ONCE = 3072 };

/* A file as described by its header and markers. */
struct gadget {
    struct koshu_reader *reader;
    bool big, tagged; /* tagged: format 2 */
    uint64_t count[N_TYPES], n;
    uint64_t n_masses; /* particles whose mass is in the block */
    double mass[N_TYPES];
    double time, redshift, box_size;
    double omega_m, omega_lambda, hubble;
    struct koshu_snapshot_set set;
    bool has_units;
    struct koshu_units units; /* where they are stored */
    struct {
        uint64_t at;
        /* bytes of a number, 4 or 8; 0: there is no such block */
        unsigned width;
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
recognise1(const unsigned char *head, size_t n)
{
    return starts_with(head, n, HEADER);
}

static bool
recognise2(const unsigned char *head, size_t n)
{
    return starts_with(head, n, TAG) && n >= MARKER + 4 &&
           memcmp(head + MARKER, "HEAD", 4) == 0;
}

/* ---- records ---------------------------------------------------------- */

static koshu_status
read_marker(struct gadget *g, uint32_t *size)
{
    unsigned char marker[MARKER];
    KOSHU_TRY(koshu_reader_read(g->reader, marker, MARKER, "a record marker"));
    *size = load_u32(marker, g->big);
    return KOSHU_OK;
}

/* The record that starts here: the offset and size of its data. Both markers
 * are checked. Leaves the reader after the record. */
static koshu_status
next_record(struct gadget *g, uint64_t *at, uint64_t *size)
{
    uint32_t before, after;
    KOSHU_TRY(read_marker(g, &before));
    KOSHU_TRY(koshu_reader_expect(g->reader, (uint64_t)before + MARKER, 1,
                                  "a record"));
    *at = g->reader->at;
    *size = before;
    KOSHU_TRY(koshu_reader_seek(g->reader, *at + before));
    KOSHU_TRY(read_marker(g, &after));
    if (before == after) return KOSHU_OK;
    return koshu_reader_fail(g->reader,
                             "the record that begins at byte %llu has %lu "
                             "bytes by its first marker, but %lu by its last; "
                             "the file is damaged",
                             (unsigned long long)*at - MARKER,
                             (unsigned long)before, (unsigned long)after);
}

/* A record that must have this size. */
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
    uint64_t behind = g->reader->at;
    KOSHU_TRY(koshu_reader_seek(g->reader, at));
    KOSHU_TRY(koshu_reader_read(g->reader, bytes, size, what));
    return koshu_reader_seek(g->reader, behind);
}

/* ---- header ----------------------------------------------------------- */

static koshu_status
check_types(struct gadget *g, const unsigned char *h)
{
    for (int t = 0; t < N_TYPES; t++) {
        int32_t count = (int32_t)load_u32(h + AT_COUNT + 4 * t, g->big);
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
    return KOSHU_OK;
}

/* Totals of all files of a snapshot of several. */
static void
read_set(struct gadget *g, const unsigned char *h)
{
    const int32_t files = (int32_t)load_u32(h + AT_FILES, g->big);
    g->set = (struct koshu_snapshot_set){.files = 1};
    if (files <= 1) return;
    g->set.files = (uint64_t)files;
    for (int t = 0; t < N_TYPES; t++)
        g->set.n += load_u32(h + AT_TOTAL + 4 * t, g->big) +
                    ((uint64_t)load_u32(h + AT_HIGH + 4 * t, g->big) << 32);
}

static void
read_units(struct gadget *g, const unsigned char *at)
{
    g->has_units = memcmp(at, UNITS_MARK, UNITS_MARK_SIZE) == 0;
    at += UNITS_MARK_SIZE;
    g->units =
            (struct koshu_units){load_f64(at, g->big), load_f64(at + 8, g->big),
                                 load_f64(at + 16, g->big)};
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
    read_units(g, h + AT_UNITS);
    g->redshift = load_f64(h + AT_REDSHIFT, g->big);
    g->omega_m = load_f64(h + AT_OMEGA_M, g->big);
    g->omega_lambda = load_f64(h + AT_OMEGA_LAMBDA, g->big);
    g->hubble = load_f64(h + AT_HUBBLE, g->big);
    read_set(g, h);
    return check_types(g, h);
}

/* ---- blocks ----------------------------------------------------------- */

/* Which block follows in a format 1 file; N_BLOCKS: none of ours. */
static enum block
block_by_place(const struct gadget *g, uint64_t place, uint64_t size)
{
    if (place <= ID) return (enum block)place;
    if (g->n_masses > 0 && place == MASS) return MASS;
    bool potential = g->block[POT].width == 0 && g->count[0] < g->n &&
                     (size == 4 * g->n || size == 8 * g->n);
    return potential ? POT : N_BLOCKS;
}

static enum block
block_by_tag(const char *tag)
{
    for (int b = 0; b < N_BLOCKS; b++)
        if (memcmp(tag, koshu_gadget_contents[b].tag, 4) == 0)
            return (enum block)b;
    return N_BLOCKS;
}

/* Keeps the offset of a block, if its size fits the counts of the header. */
static koshu_status
keep_block(struct gadget *g, enum block b, uint64_t at, uint64_t size)
{
    uint64_t n = b == MASS ? g->n_masses : g->n;
    uint64_t numbers = n * koshu_gadget_contents[b].columns;
    if (size != 4 * numbers && size != 8 * numbers)
        return koshu_reader_fail(g->reader,
                                 "%s: the header's counts make a block of "
                                 "%llu or %llu bytes, but it has %llu",
                                 koshu_gadget_contents[b].title,
                                 (unsigned long long)(4 * numbers),
                                 (unsigned long long)(8 * numbers),
                                 (unsigned long long)size);
    g->block[b].at = at;
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
        if (needed && g->block[b].width == 0)
            return koshu_reader_fail(g->reader,
                                     "the file ends without the block of %s; "
                                     "it is truncated",
                                     koshu_gadget_contents[b].title);
    }
    return KOSHU_OK;
}

/* Goes through the whole file, without reading the data of the blocks. */
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

static void
take_universe(const struct gadget *g, struct koshu_snapshot_info *info)
{
    info->omega_m = g->omega_m;
    info->omega_lambda = g->omega_lambda;
    info->hubble = g->hubble;
    if (!(info->omega_m > 0) ||
        !koshu_snapshot_fits_redshift(info, g->redshift))
        info->omega_m = info->omega_lambda = info->hubble = 0;
}

static koshu_status
inspect(struct koshu_reader *reader, struct koshu_snapshot_info *info,
        struct koshu_snapshot_set *set)
{
    struct gadget g;
    KOSHU_TRY(scan(reader, &g));
    *set = g.set;
    info->n = g.n;
    info->time = g.time;
    info->box_size = g.box_size;
    info->has_units = g.has_units;
    take_universe(&g, info);
    if (g.has_units) info->units = g.units;
    info->single = g.block[POS].width == 4;
    info->has_potential = g.block[POT].width > 0;
    for (int t = 0; t < N_TYPES; t++) info->n_types += g.count[t] > 0;
    return KOSHU_OK;
}

/* ---- reading ---------------------------------------------------------- */

/* Loads a column from rows of `stride` bytes; the first number is at `from`. */
static void
load_column(const struct gadget *g, enum block b, const unsigned char *from,
            size_t stride, size_t n, void *to)
{
    const bool wide = g->block[b].width == 8;
    double *real = to;
    uint64_t *id = to;
    if (b == ID)
        for (size_t i = 0; i < n; i++, from += stride)
            id[i] = wide ? load_u64(from, g->big) : load_u32(from, g->big);
    else
        for (size_t i = 0; i < n; i++, from += stride)
            real[i] = wide ? load_f64(from, g->big) : load_f32(from, g->big);
}

/* Reads the rows of a block from `row` on, for all particles of the view. */
static koshu_status
read_block(struct gadget *g, enum block b, uint64_t row,
           const struct koshu_particle_view *v)
{
    unsigned char values[VALUES_AT_ONCE * 8];
    const struct gadget_content *content = &koshu_gadget_contents[b];
    const size_t width = g->block[b].width, size = width * content->columns;
    const size_t at_once = VALUES_AT_ONCE / content->columns;
    KOSHU_TRY(koshu_reader_seek(g->reader, g->block[b].at + row * size));
    for (size_t done = 0, rows; done < v->n; done += rows) {
        rows = v->n - done < at_once ? v->n - done : at_once;
        KOSHU_TRY(koshu_reader_read(g->reader, values, rows * size,
                                    content->title));
        for (unsigned c = 0; c < content->columns; c++) {
            uint64_t *to = koshu_particle_array(v, content->array + c);
            load_column(g, b, values + c * width, size, rows, to + done);
        }
    }
    return KOSHU_OK;
}

/* Types without masses in the block have a common mass. */
static koshu_status
read_masses(struct gadget *g, uint64_t first,
            const struct koshu_particle_view *v)
{
    struct koshu_slice type = {.first = 0};
    uint64_t row, before = 0; /* index in the block */
    for (size_t t = 0; t < N_TYPES; t++) {
        type.n = (size_t)g->count[t];
        const struct koshu_particle_view w =
                koshu_snapshot_group(v, first, type, &row);
        if (w.n > 0 && g->mass[t] == 0)
            KOSHU_TRY(read_block(g, MASS, before + row, &w));
        for (size_t i = 0; i < w.n && g->mass[t] != 0; i++)
            w.mass[i] = g->mass[t];
        if (g->mass[t] == 0) before += type.n;
        type.first += type.n;
    }
    return KOSHU_OK;
}

static koshu_status
read_particles(struct koshu_reader *reader,
               const struct koshu_snapshot_info *info, uint64_t first,
               const struct koshu_particle_view *v)
{
    struct gadget g;
    KOSHU_TRY(scan(reader, &g));
    if (g.n != info->n) return koshu_snapshot_fail_changed(reader);
    for (enum block b = POS; b <= ID; b++)
        KOSHU_TRY(read_block(&g, b, first, v));
    KOSHU_TRY(read_masses(&g, first, v));
    return info->has_potential ? read_block(&g, POT, first, v) : KOSHU_OK;
}

const struct koshu_format_ops koshu_format_gadget1 = {
        .name = "gadget1",
        .endings = {".gad1"},
        .single = true,
        .in_files = true,
        .recognise = recognise1,
        .inspect = inspect,
        .read = read_particles,
        .write = koshu_gadget_write,
};

const struct koshu_format_ops koshu_format_gadget2 = {
        .name = "gadget2",
        .endings = {".gad", ".gadget"},
        .single = true,
        .in_files = true,
        .recognise = recognise2,
        .inspect = inspect,
        .read = read_particles,
        .write = koshu_gadget_write,
};
