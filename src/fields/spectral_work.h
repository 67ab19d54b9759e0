/* SPDX-License-Identifier: MIT */
/*
 * What the solver has, for its files only.
 *
 * Waves: k_x of index i in 0 ... m - 1, m = 2 k - 1, as koshu_mesh_frequency()
 * of m counts them, the same for k_y; k_z in 0 ... k - 1. The state is slab
 * after slab of one k_y, of it component after component: element ((j 3 + c) m
 * + i) k + l.
 *
 * Of `ranks` ranks each has `planes` planes of one x of the mesh and `slabs`
 * slabs of one k_y, the last of them less, or none; j of the state counts from
 * its own first. Mixed waves (x, k_y, k_z) of F fields are, where planes use
 * them, by the rank r that has the slab: element (((r planes + x) F + f) slabs
 * + j) k + l, x and j counted from the first of their rank's. Where slabs use
 * them, r has the plane. So what one rank has for another is one block, and is
 * in its place when it comes. A rank alone has both in one array, always with
 * room for 5 fields.
 */
#ifndef KOSHU_FIELDS_SPECTRAL_WORK_H
#define KOSHU_FIELDS_SPECTRAL_WORK_H

#include "devices/devices.h"
#include "fields/spectral.h"
#include "fields/transform.h"

/* Fields that go from columns to planes: u, d u_y / dx and d u_z / dx; back: u
 * x omega in the first three. Fields of a plane: u and omega. */
/* Waves along half an axis, at most: rows of them are on the stack. */
enum { KOSHU_SPECTRAL_MAX = 2048 };

/* Each of them has a plane. */
enum { KOSHU_SPECTRAL_RANKS = 1024 };

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
    struct koshu_backend *backend;        /* of one rank; else NULL */
    struct koshu_spectral_engine *engine; /* of it: has all that follows but the
                                             state's copy; NULL: the host */
    size_t k, m, mesh; /* waves as above; points of the mesh of products */
    size_t row, line;  /* complex numbers of a row of waves in a thread's
                          buffers, and of a row of points */
    int threads;
    void *columns, *to_points, *to_waves; /* transforms of `mesh` points */
    void *state, *sum;                    /* the waves; the scheme's sum */
    size_t ranks, planes, slabs;          /* at most so many of a rank */
    size_t first_plane, n_planes, first_slab, n_slabs; /* of this one */
    void *mixed;    /* what planes, and slabs, begin with */
    void *outgoing; /* what they make of it; of one rank the same array */
    char *buffer;   /* of the threads */
    size_t buffer_bytes;
    double *frequency; /* of an index i or j: 2 pi / box times the integer */
    double *decay;     /* exp(-nu k^2 dt / 2) of it, of the present step */
    double gain;       /* what forcing makes of its waves in half a step */
    double dt;
    double (*slab)[6]; /* sums of a slab, maxima of a plane: of all ranks, */
    double (*own)[6];  /* and of this one */
};

/* Fields of the waves that go from planes to slabs. */
static inline size_t
koshu_spectral_fields_back(const struct koshu_spectral *s)
{
    return s->ranks > 1 ? 3 : SPECTRAL_MIXED;
}

static inline size_t
koshu_spectral_bytes_of(const struct koshu_spectral *s)
{
    return s->options.precision == KOSHU_PRECISION_DOUBLE ? 16 : 8;
}

/* Waves that are forced have |k| up to this. */
static inline double
koshu_spectral_edge(const struct koshu_spectral *s)
{
    return s->options.forcing_wave_number * s->frequency[1];
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

/* Component c of u, of omega = i k x u, or du_c / dx_c, of a slab of this rank.
 */
enum koshu_spectral_part {
    KOSHU_SPECTRAL_VELOCITY,
    KOSHU_SPECTRAL_CURL,
    KOSHU_SPECTRAL_SLOPE
};
double complex koshu_spectral_wave(const struct koshu_spectral *s,
                                   enum koshu_spectral_part part, int c,
                                   size_t i, size_t j, size_t l);

/* u_-k = u_k* for k_z = 0, where both are there: what differs by rounding would
 * grow where there is forcing. */
KOSHU_MUST_CHECK koshu_status
koshu_spectral_make_real(struct koshu_spectral *s);

/* ---- spectral_sums.c ------------------------------------------------------
 */

/* Energy of the waves that are forced. */
KOSHU_MUST_CHECK koshu_status
koshu_spectral_low_energy(const struct koshu_spectral *s, double *energy);

/* ---- spectral_whole.c ------------------------------------------------------
 */

/* A solver whose state has all slabs, on the first rank; on others *s. Whatever
 * the status, it is to be given to koshu_spectral_free_whole(). Collective. */
KOSHU_MUST_CHECK koshu_status koshu_spectral_make_whole(
        const struct koshu_spectral *s, struct koshu_spectral *whole);
void koshu_spectral_free_whole(const struct koshu_spectral *s,
                               struct koshu_spectral *whole);

/* ---- spectral_exchange.c ---------------------------------------------------
 */

/* Mixed waves of so many fields between planes and slabs. All ranks call it,
 * whatever has failed on them. */
KOSHU_MUST_CHECK koshu_status koshu_spectral_exchange(struct koshu_spectral *s,
                                                      size_t fields);

/* Brings the planes up to date with a state that was set. Collective. */
KOSHU_MUST_CHECK koshu_status koshu_spectral_ready(struct koshu_spectral *s);

/* KOSHU_ERROR_OUT_OF_MEMORY where a transform of this rank had no memory. */
KOSHU_MUST_CHECK koshu_status
koshu_spectral_status(const struct koshu_spectral *s, bool fine);

/* ---- spectral_engine.c -----------------------------------------------------
 */

/* Where the context's backend has one: its own statuses. */
koshu_status koshu_spectral_engine_open(struct koshu_spectral *s);
void koshu_spectral_engine_close(struct koshu_spectral *s);

/* The state to it, and from it: to the host's copy. */
koshu_status koshu_spectral_engine_set(struct koshu_spectral *s);
koshu_status koshu_spectral_engine_get(const struct koshu_spectral *s);

/* A step, whose factors are set; *probe: one number of what comes out. */
koshu_status
koshu_spectral_engine_step(struct koshu_spectral *s, double *probe);

/* Sums of all slabs; maxima. */
koshu_status koshu_spectral_engine_sums(const struct koshu_spectral *s);
koshu_status
koshu_spectral_engine_maxima(struct koshu_spectral *s, double max[3]);

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
