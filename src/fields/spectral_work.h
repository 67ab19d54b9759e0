/* SPDX-License-Identifier: MIT */
/*
 * What the solver has, for its files only.
 *
 * Waves: k_x of index i in 0 ... m - 1, m = 2 k - 1, as koshu_mesh_frequency()
 * of m counts them, the same for k_y; k_z in 0 ... k - 1. The state is slab
 * after slab of one k_y, of it component after component: element ((j 3 + c) m
 * + i) k + l. Mixed waves (x, k_y, k_z) are plane after plane of one x, of it
 * field after field: element ((x 5 + f) m + j) k + l.
 */
#ifndef KOSHU_FIELDS_SPECTRAL_WORK_H
#define KOSHU_FIELDS_SPECTRAL_WORK_H

#include "fields/spectral.h"
#include "fields/transform.h"

/* Fields that go from columns to planes: u, d u_y / dx and d u_z / dx; back: u
 * x omega in the first three. Fields of a plane: u and omega. */
/* Waves along half an axis, at most: rows of them are on the stack. */
enum { KOSHU_SPECTRAL_MAX = 2048 };

enum { SPECTRAL_MIXED = 5, SPECTRAL_PLANE = 6 };

/* What columns do with the rates. */
enum spectral_stage {
    SPECTRAL_PREPARE = -1, /* nothing: the state goes to planes */
    SPECTRAL_FIRST,
    SPECTRAL_SECOND,
    SPECTRAL_THIRD,
    SPECTRAL_FOURTH
};

struct koshu_spectral {
    struct koshu_context *context;
    struct koshu_spectral_options options;
    size_t k, m, mesh; /* waves as above; points of the mesh of products */
    size_t row, line;  /* complex numbers of a row of waves in a thread's
                          buffers, and of a row of points */
    int threads;
    void *columns, *to_points, *to_waves; /* transforms of `mesh` points */
    void *state, *sum;                    /* the waves; the scheme's sum */
    void *mixed;
    char *buffer; /* of the threads */
    size_t buffer_bytes;
    double *frequency; /* of an index i or j: 2 pi / box times the integer */
    double *decay;     /* exp(-nu k^2 dt / 2) of it, of the present step */
    double gain;       /* what forcing makes of its waves in half a step */
    double dt;
    double (*slab)[6]; /* sums of a slab, maxima of a plane */
};

static inline size_t
koshu_spectral_bytes_of(const struct koshu_spectral *s)
{
    return s->options.precision == KOSHU_PRECISION_DOUBLE ? 16 : 8;
}

/* Where wave index i stands among the points of a transform. */
static inline size_t
koshu_spectral_place(const struct koshu_spectral *s, size_t i)
{
    return i < s->k ? i : i + s->mesh - s->m;
}

/* ---- spectral_state.c -----------------------------------------------------
 */

/* Number i of the state. */
double koshu_spectral_at(const struct koshu_spectral *s, size_t i);

/* u_-k = u_k* for k_z = 0, where both are there: what differs by rounding would
 * grow where there is forcing. */
void koshu_spectral_make_real(struct koshu_spectral *s);

/* Of the waves that are forced. */
double koshu_spectral_low_energy(const struct koshu_spectral *s);

/* ---- spectral.c ------------------------------------------------------------
 */

/* The state is another: it goes to planes. */
koshu_status koshu_spectral_ready(struct koshu_spectral *s);

/* ---- spectral_passes.c -----------------------------------------------------
 */

/* Planes: products. With `probe`, maxima into s->slab in place of products. */
bool koshu_spectral_planes_f32(struct koshu_spectral *s, bool probe);
bool koshu_spectral_planes_f64(struct koshu_spectral *s, bool probe);

/* Columns: the stage, and what planes need of its result. */
bool
koshu_spectral_columns_f32(struct koshu_spectral *s, enum spectral_stage stage);
bool
koshu_spectral_columns_f64(struct koshu_spectral *s, enum spectral_stage stage);

static inline bool
koshu_spectral_planes(struct koshu_spectral *s, bool probe)
{
    return s->options.precision == KOSHU_PRECISION_DOUBLE
                   ? koshu_spectral_planes_f64(s, probe)
                   : koshu_spectral_planes_f32(s, probe);
}

static inline bool
koshu_spectral_columns(struct koshu_spectral *s, enum spectral_stage stage)
{
    return s->options.precision == KOSHU_PRECISION_DOUBLE
                   ? koshu_spectral_columns_f64(s, stage)
                   : koshu_spectral_columns_f32(s, stage);
}

#endif
