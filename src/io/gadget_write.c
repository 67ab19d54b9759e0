/* SPDX-License-Identifier: MIT */
/* Writes GADGET-2 binary (gadget.h): little-endian, one type. */
#include "base/base.h"
#include "io/gadget.h"

const struct gadget_content koshu_gadget_contents[N_BLOCKS] = {
        {"POS ", "positions", KOSHU_ARRAY_X, 3},
        {"VEL ", "velocities", KOSHU_ARRAY_VX, 3},
        {"ID  ", "ids", KOSHU_ARRAY_ID, 1},
        {"MASS", "masses", KOSHU_ARRAY_MASS, 1},
        {"POT ", "potentials", KOSHU_ARRAY_POTENTIAL, 1},
};

struct writer {
    struct koshu_file *file;
    bool tagged;
    const struct koshu_particle_view *v;
    struct koshu_snapshot_set set;
};

static koshu_status
write_marker(const struct writer *w, size_t size)
{
    unsigned char marker[MARKER];
    store_u32(marker, (uint32_t)size, false);
    return koshu_file_write(w->file, marker, MARKER);
}

/* Writes what precedes a block; write_marker(size) closes it. */
static koshu_status
begin_block(const struct writer *w, const char *tag, size_t size)
{
    if (w->tagged) {
        unsigned char bytes[TAG];
        memcpy(bytes, tag, 4);
        store_u32(bytes + 4, (uint32_t)(size + 2 * MARKER), false);
        KOSHU_TRY(write_marker(w, TAG));
        KOSHU_TRY(koshu_file_write(w->file, bytes, TAG));
        KOSHU_TRY(write_marker(w, TAG));
    }
    return write_marker(w, size);
}

/* The mass of a particle if all are equal; otherwise 0, and the masses need a
 * block. A snapshot of several files always has the block: the masses in the
 * other files are not known here, and readers expect the same blocks in all. */
static double
common_mass(const struct writer *w)
{
    const struct koshu_particle_view *v = w->v;
    if (w->set.files > 1) return 0;
    for (size_t i = 1; i < v->n; i++)
        if (v->mass[i] != v->mass[0]) return 0;
    return v->mass[0];
}

static void
write_units(unsigned char *at, const struct koshu_units *units)
{
    memcpy(at, UNITS_MARK, UNITS_MARK_SIZE);
    at += UNITS_MARK_SIZE;
    store_f64(at, units->length_cm, false);
    store_f64(at + 8, units->mass_g, false);
    store_f64(at + 16, units->velocity_cm_s, false);
}

/* Without cosmology h is 1, so that lengths need no factor. */
static void
write_universe(unsigned char *h, const struct koshu_snapshot_info *info)
{
    const bool universe = info->hubble > 0;
    store_f64(h + AT_REDSHIFT, universe ? 1 / info->time - 1 : 0, false);
    store_f64(h + AT_OMEGA_M, universe ? info->omega_m : 0, false);
    store_f64(h + AT_OMEGA_LAMBDA, universe ? info->omega_lambda : 0, false);
    store_f64(h + AT_HUBBLE, universe ? info->hubble : 1, false);
}

static koshu_status
write_header(const struct writer *w, const struct koshu_snapshot_info *info)
{
    unsigned char h[HEADER] = {0};
    store_u32(h + AT_COUNT + 4, (uint32_t)w->v->n, false); /* type 1, halo */
    store_f64(h + AT_MASS + 8, common_mass(w), false);
    store_f64(h + AT_TIME, info->time, false);
    store_u32(h + AT_TOTAL + 4, (uint32_t)w->set.n, false);
    store_u32(h + AT_HIGH + 4, (uint32_t)(w->set.n >> 32), false);
    store_u32(h + AT_FILES, (uint32_t)w->set.files, false);
    store_f64(h + AT_BOX, info->box_size, false);
    write_universe(h, info);
    write_units(h + AT_UNITS, &info->units);
    KOSHU_TRY(begin_block(w, "HEAD", HEADER));
    KOSHU_TRY(koshu_file_write(w->file, h, HEADER));
    return write_marker(w, HEADER);
}

/* Bytes of a number of the block; real numbers are floats. */
static size_t
width_of(const struct writer *w, enum block b)
{
    if (b != ID) return 4;
    for (size_t i = 0; i < w->v->n; i++)
        if (w->v->id[i] > UINT32_MAX) return 8;
    return w->set.files > 1 ? 8 : 4; /* the same in all files */
}

static koshu_status
write_block(const struct writer *w, enum block b)
{
    const struct gadget_content *content = &koshu_gadget_contents[b];
    const size_t width = width_of(w, b), row = width * content->columns;
    const double *real[MAX_COLUMNS];
    for (unsigned c = 0; c < content->columns; c++)
        real[c] = koshu_particle_array(w->v, content->array + c);
    KOSHU_TRY(begin_block(w, content->tag, w->v->n * row));
    for (size_t i = 0; i < w->v->n; i++) {
        /* or 8 for an id; for a small id the first 4 are enough */
        unsigned char bytes[MAX_COLUMNS * 4];
        if (b == ID)
            store_u64(bytes, w->v->id[i], false);
        else
            for (unsigned c = 0; c < content->columns; c++)
                store_f32(bytes + 4 * c, real[c][i], false);
        KOSHU_TRY(koshu_file_write(w->file, bytes, row));
    }
    return write_marker(w, w->v->n * row);
}

koshu_status
koshu_gadget_write(struct koshu_file *file,
                   const struct koshu_snapshot *snapshot)
{
    const struct koshu_snapshot_info *info = snapshot->info;
    const struct koshu_particle_view *v = snapshot->view;
    const struct writer w = {file, info->format == KOSHU_FORMAT_GADGET2, v,
                             snapshot->set};
    /* GADGET-2 stores the length of a block in an int */
    if (v->n > INT32_MAX / 12)
        return koshu_fail(file->context, KOSHU_ERROR_UNSUPPORTED,
                          "a GADGET file holds at most %d particles, not "
                          "%zu; write hdf5",
                          INT32_MAX / 12, v->n);
    KOSHU_TRY(write_header(&w, info));
    for (enum block b = POS; b <= ID; b++) KOSHU_TRY(write_block(&w, b));
    if (common_mass(&w) == 0) KOSHU_TRY(write_block(&w, MASS));
    return info->has_potential ? write_block(&w, POT) : KOSHU_OK;
}
