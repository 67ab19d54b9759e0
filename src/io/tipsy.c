/* SPDX-License-Identifier: MIT */
/*
 * Tipsy: a header and three arrays of records, without names or sizes.
 *
 *     header  double time; int n, ndim, n_gas, n_dark, n_star, pad   (32 bytes)
 *     gas     float mass, pos[3], vel[3], rho, temp, hsmooth, metals, phi
 *     dark    float mass, pos[3], vel[3], eps, phi
 *     star    float mass, pos[3], vel[3], metals, tform, eps, phi
 *
 * The standard is big-endian; a native file may be little-endian, and its
 * header may lack the pad. A file has no magic number: it is recognised by ndim
 * = 3 and n = n_gas + n_dark + n_star. Particles have no ids: they are numbered
 * in the file's order. A potential of 0 in the first particle means that none
 * was computed. Source: the TIPSY manual, N-Body Shop, University of
 * Washington.
 */
#include "base/base.h"
#include "io/bytes.h"
#include "io/format.h"

enum {
    SHORT_HEADER = 28,
    HEADER = 32,
    FLOAT = 4,
    N_FAMILIES = 3,
    LONGEST_RECORD = 12 * FLOAT,
    RECORDS_AT_ONCE = 1024
};

static const struct family {
    const char *name;
    int floats;
    /* their index among the record's floats; eps 0: it has none */
    int eps, phi;
} families[N_FAMILIES] = {
        {"gas", 12, 0, 11}, {"dark", 9, 7, 8}, {"star", 11, 9, 10}};

struct header {
    bool big;
    size_t size;
    double time;
    int32_t n, ndim, count[N_FAMILIES];
};

static struct header
parse_header(const unsigned char *bytes, bool big)
{
    struct header h = {.big = big, .size = HEADER};
    h.time = load_f64(bytes, big);
    h.n = (int32_t)load_u32(bytes + 8, big);
    h.ndim = (int32_t)load_u32(bytes + 12, big);
    for (int f = 0; f < N_FAMILIES; f++)
        h.count[f] = (int32_t)load_u32(bytes + 16 + 4 * f, big);
    return h;
}

static bool
plausible(const struct header *h)
{
    int64_t sum = 0;
    for (int f = 0; f < N_FAMILIES; f++) sum += h->count[f];
    return h->ndim == 3 && h->n == sum;
}

static bool
recognise(const unsigned char *head, size_t n)
{
    if (n < SHORT_HEADER) return false;
    struct header big = parse_header(head, true);
    struct header little = parse_header(head, false);
    return plausible(&big) || plausible(&little);
}

/* The bytes of all records. */
static uint64_t
body_size(const struct header *h)
{
    uint64_t size = 0;
    for (int f = 0; f < N_FAMILIES; f++)
        size += (uint64_t)h->count[f] * (uint64_t)families[f].floats * FLOAT;
    return size;
}

/* The header may lack its pad. */
static koshu_status
check_size(struct koshu_reader *reader, struct header *h)
{
    uint64_t body = body_size(h), size = reader->size;
    if (size == SHORT_HEADER + body) h->size = SHORT_HEADER;
    if (size == h->size + body) return KOSHU_OK;
    return koshu_reader_fail(
            reader,
            "%d gas, %d dark and %d star particles make a file of %llu bytes, "
            "but it has %llu; it is truncated, or its counts are wrong",
            (int)h->count[0], (int)h->count[1], (int)h->count[2],
            (unsigned long long)(h->size + body), (unsigned long long)size);
}

/* Reads the header; leaves the reader at the first record. */
static koshu_status
read_header(struct koshu_reader *reader, struct header *h)
{
    unsigned char bytes[SHORT_HEADER];
    KOSHU_TRY(koshu_reader_read(reader, bytes, sizeof bytes, "the header"));
    *h = parse_header(bytes, true);
    if (!plausible(h)) *h = parse_header(bytes, false);
    for (int f = 0; f < N_FAMILIES; f++)
        if (h->count[f] < 0)
            return koshu_reader_fail(reader,
                                     "%d %s particles; a count cannot "
                                     "be negative",
                                     (int)h->count[f], families[f].name);
    KOSHU_TRY(check_size(reader, h));
    return koshu_reader_seek(reader, h->size);
}

static size_t
record_size(const struct family *family)
{
    return (size_t)family->floats * FLOAT;
}

/* Each particle has its softening and potential; the first of each family
 * stands for all. */
static koshu_status
inspect_family(struct koshu_reader *reader, const struct header *h, int f,
               struct koshu_snapshot_info *info)
{
    const struct family *family = &families[f];
    unsigned char record[LONGEST_RECORD];
    const size_t size = record_size(family);
    uint64_t next = reader->at + (uint64_t)h->count[f] * size;
    if (h->count[f] == 0) return KOSHU_OK;
    KOSHU_TRY(koshu_reader_read(reader, record, size, "a particle"));
    if (info->n_types++ == 0)
        info->has_potential =
                load_f32(record + family->phi * FLOAT, h->big) != 0;
    if (family->eps && info->softening == 0)
        info->softening = load_f32(record + family->eps * FLOAT, h->big);
    return koshu_reader_seek(reader, next);
}

static koshu_status
inspect(struct koshu_reader *reader, struct koshu_snapshot_info *info,
        struct koshu_snapshot_set *set)
{
    (void)set; /* Tipsy snapshots have one file */
    struct header h;
    KOSHU_TRY(read_header(reader, &h));
    info->n = (uint64_t)h.n;
    info->time = h.time;
    info->single = true;
    for (int f = 0; f < N_FAMILIES; f++)
        KOSHU_TRY(inspect_family(reader, &h, f, info));
    return KOSHU_OK;
}

/* A record begins with the numbers of these arrays. */
enum { FIRST = KOSHU_ARRAY_MASS, END = KOSHU_ARRAY_VX + 3 };

static void
load_particle(const struct koshu_particle_view *v, size_t i,
              const unsigned char *record, int phi, bool big)
{
    for (size_t k = FIRST; k < END; k++) {
        double *array = koshu_particle_array(v, k);
        array[i] = load_f32(record + (k - FIRST) * FLOAT, big);
    }
    v->potential[i] = load_f32(record + phi * FLOAT, big);
}

/* Reads the next records, for all particles of the view. */
static koshu_status
read_records(struct koshu_reader *reader, const struct header *h, int f,
             const struct koshu_particle_view *v)
{
    unsigned char block[RECORDS_AT_ONCE * LONGEST_RECORD];
    const size_t size = record_size(&families[f]);
    for (size_t done = 0, n; done < v->n; done += n) {
        n = v->n - done < RECORDS_AT_ONCE ? v->n - done : RECORDS_AT_ONCE;
        KOSHU_TRY(koshu_reader_read(reader, block, n * size, families[f].name));
        for (size_t k = 0; k < n; k++)
            load_particle(v, done + k, block + k * size, families[f].phi,
                          h->big);
    }
    return KOSHU_OK;
}

/* Reads records from `row` on of the family that begins here; leaves the reader
 * after all of them. */
static koshu_status
read_family(struct koshu_reader *reader, const struct header *h, int f,
            uint64_t row, const struct koshu_particle_view *v)
{
    const size_t size = record_size(&families[f]);
    const uint64_t next = reader->at + (uint64_t)h->count[f] * size;
    KOSHU_TRY(koshu_reader_seek(reader, reader->at + row * size));
    KOSHU_TRY(read_records(reader, h, f, v));
    return koshu_reader_seek(reader, next);
}

static koshu_status
read_particles(struct koshu_reader *reader,
               const struct koshu_snapshot_info *info, uint64_t first,
               const struct koshu_particle_view *v)
{
    struct header h;
    struct koshu_slice family = {.first = 0};
    uint64_t row;
    KOSHU_TRY(read_header(reader, &h));
    if ((uint64_t)h.n != info->n) return koshu_snapshot_fail_changed(reader);
    for (int f = 0; f < N_FAMILIES; f++, family.first += family.n) {
        family.n = (size_t)h.count[f];
        const struct koshu_particle_view w =
                koshu_snapshot_group(v, first, family, &row);
        KOSHU_TRY(read_family(reader, &h, f, row, &w));
    }
    for (size_t i = 0; i < v->n; i++) v->id[i] = first + i;
    return KOSHU_OK;
}

static koshu_status
write_header(struct koshu_file *file, size_t n, double time)
{
    unsigned char bytes[HEADER] = {0};
    store_f64(bytes, time, true);
    store_u32(bytes + 8, (uint32_t)n, true);
    store_u32(bytes + 12, 3, true);
    store_u32(bytes + 20, (uint32_t)n, true); /* all are dark matter */
    return koshu_file_write(file, bytes, sizeof bytes);
}

static void
store_particle(const struct koshu_snapshot *s, size_t i, unsigned char *record)
{
    const struct family *dark = &families[1];
    for (size_t k = FIRST; k < END; k++) {
        const double *array = koshu_particle_array(s->view, k);
        store_f32(record + (k - FIRST) * FLOAT, array[i], true);
    }
    store_f32(record + dark->eps * FLOAT, s->info->softening, true);
    store_f32(record + dark->phi * FLOAT,
              s->info->has_potential ? s->view->potential[i] : 0, true);
}

static koshu_status
write_particles(struct koshu_file *file, const struct koshu_snapshot *snapshot)
{
    const size_t n = snapshot->view->n;
    if (n > INT32_MAX)
        return koshu_fail(file->context, KOSHU_ERROR_UNSUPPORTED,
                          "a Tipsy file holds at most 2147483647 particles, "
                          "not %zu; write hdf5",
                          n);
    KOSHU_TRY(write_header(file, n, snapshot->info->time));
    for (size_t i = 0; i < n; i++) {
        unsigned char record[9 * FLOAT];
        store_particle(snapshot, i, record);
        KOSHU_TRY(koshu_file_write(file, record, sizeof record));
    }
    return KOSHU_OK;
}

const struct koshu_format_ops koshu_format_tipsy = {
        .name = "tipsy",
        .endings = {".tipsy", ".std"},
        .single = true,
        .recognise = recognise,
        .inspect = inspect,
        .read = read_particles,
        .write = write_particles,
};
