/* SPDX-License-Identifier: MIT */
/*
 * The internals of the spectral solver, shared by its files only.
 *
 * Waves: index i = 0 ... m - 1, m = 2 k - 1, stands for k_x as
 * koshu_mesh_frequency() of m counts, likewise for k_y; k_z is 0 ... k - 1. The
 * state is stored slab by slab (one k_y each), within a slab component by
 * component: element ((j 3 + c) m + i) k + l.
 *
 * With several ranks each has `planes` planes (one x of the mesh each) and
 * `slabs` slabs, fewer or none on the last ones; j counts from a rank's first
 * slab. Mixed waves (x, k_y, k_z) of F fields are stored, for the passes over
 * planes, by the rank r that owns the slab: element (((r planes + x) F + f)
 * slabs + j) k + l, x and j counted from the first of their rank. For the
 * passes over slabs, r is the rank that owns the plane. So what one rank sends
 * to another is one block, and arrives where it is needed. A single rank uses
 * one array for both, large enough for 5 fields.
 */
#ifndef KOSHU_FIELDS_SPECTRAL_WORK_H
#define KOSHU_FIELDS_SPECTRAL_WORK_H

#include "devices/devices.h"
#include "fields/spectral.h"
#include "fields/transform.h"

/* Fields sent from columns to planes: u, d u_y / dx and d u_z / dx; back: u x
 * omega in the first three. Fields within a plane: u and omega. */
/* The largest number of waves along half an axis: rows of them are on the
 * stack. */
enum { KOSHU_SPECTRAL_MAX = 2048 };

/* Each rank has at least a plane. */
enum { KOSHU_SPECTRAL_RANKS = 1024 };

enum { SPECTRAL_MIXED = 5, SPECTRAL_PLANE = 6 };

/* What the pass over columns does with the rates. */
enum spectral_stage {
    SPECTRAL_PREPARE = -1, /* nothing: only passes the state on to planes */
    SPECTRAL_FIRST,
    SPECTRAL_SECOND,
    SPECTRAL_THIRD,
    SPECTRAL_FOURTH
};

struct koshu_spectral {
    struct koshu_context *context;
    struct koshu_spectral_options options;
    struct koshu_backend *backend;        /* NULL with several ranks */
    struct koshu_spectral_engine *engine; /* the backend's: holds all that
                                             follows but the copy of the
                                             state; NULL: the host does */
    size_t k, m, mesh; /* k, m: see above; mesh: points along an edge of the
                          product mesh */
    size_t row, line;  /* complex numbers of a row of waves, and of a row of
                          points, in a thread's buffers */
    int threads;
    void *columns, *to_points, *to_waves; /* transforms of `mesh` points */
    void *state, *sum;                    /* the waves; the scheme's sum */
    size_t ranks, planes, slabs;          /* the largest numbers on a rank */
    size_t first_plane, n_planes, first_slab, n_slabs; /* of this rank */
    void *mixed;    /* input of the passes over planes and over slabs */
    void *outgoing; /* their output; the same array on one rank */
    char *buffer;   /* of each thread */
    size_t buffer_bytes;
    double *frequency; /* 2 pi / box times the integer frequency, by index i
                          or j */
    double *decay;     /* exp(-nu k^2 dt / 2) for it, in the present step */
    double gain;       /* factor of forced waves in half a step */
    double dt;
    double (*slab)[6]; /* sums by slab, maxima by plane: of all ranks, */
    double (*own)[6];  /* and of this one */
};

/* The number of fields sent from planes to slabs. */
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

/* The largest |k| that is forced. */
static inline double
koshu_spectral_edge(const struct koshu_spectral *s)
{
    return s->options.forcing_wave_number * s->frequency[1];
}

/* The position of wave index i in a transform. */
static inline size_t
koshu_spectral_place(const struct koshu_spectral *s, size_t i)
{
    return i < s->k ? i : i + s->mesh - s->m;
}

/* ---- spectral_state.c --------------------------------------------------- */

/* The i-th number of the state. */
double koshu_spectral_at(const struct koshu_spectral *s, size_t i);

/* Which field: component c of u, of omega = i k x u, or du_c / dx_c. */
enum koshu_spectral_part {
    KOSHU_SPECTRAL_VELOCITY,
    KOSHU_SPECTRAL_CURL,
    KOSHU_SPECTRAL_SLOPE
};
double complex koshu_spectral_wave(const struct koshu_spectral *s,
                                   enum koshu_spectral_part part, int c,
                                   size_t i, size_t j, size_t l);

/* Enforces u_-k = u_k* for k_z = 0, where both are stored: differences by
 * rounding would grow under forcing. */
KOSHU_MUST_CHECK koshu_status
koshu_spectral_make_real(struct koshu_spectral *s);

/* ---- spectral_sums.c ---------------------------------------------------- */

/* The energy of the forced waves. */
KOSHU_MUST_CHECK koshu_status
koshu_spectral_low_energy(const struct koshu_spectral *s, double *energy);

/* ---- spectral_whole.c --------------------------------------------------- */

/* On the first rank a solver whose state has all slabs; on others a copy of *s.
 * Freed with koshu_spectral_free_whole(), whatever the status. Collective. */
KOSHU_MUST_CHECK koshu_status koshu_spectral_make_whole(
        const struct koshu_spectral *s, struct koshu_spectral *whole);
void koshu_spectral_free_whole(const struct koshu_spectral *s,
                               struct koshu_spectral *whole);

/* ---- spectral_exchange.c ------------------------------------------------ */

/* Exchanges mixed waves of that many fields between planes and slabs. All ranks
 * must call it, even after an error. */
KOSHU_MUST_CHECK koshu_status koshu_spectral_exchange(struct koshu_spectral *s,
                                                      size_t fields);

/* To be called after the state was replaced: passes it on to planes.
 * Collective. */
KOSHU_MUST_CHECK koshu_status koshu_spectral_ready(struct koshu_spectral *s);

/* KOSHU_ERROR_OUT_OF_MEMORY where a transform of this rank had no memory. */
KOSHU_MUST_CHECK koshu_status
koshu_spectral_status(const struct koshu_spectral *s, bool fine);

/* ---- spectral_engine.c -------------------------------------------------- */

/* Opens the backend's engine, if there is one. */
koshu_status koshu_spectral_engine_open(struct koshu_spectral *s);
void koshu_spectral_engine_close(struct koshu_spectral *s);

/* Copies the state to the engine, and from it to the host's copy. */
koshu_status koshu_spectral_engine_set(struct koshu_spectral *s);
koshu_status koshu_spectral_engine_get(const struct koshu_spectral *s);

/* Makes a step with the factors that are set; *probe: one number of the
 * result. */
koshu_status
koshu_spectral_engine_step(struct koshu_spectral *s, double *probe);

/* Sums of all slabs, and maxima. */
koshu_status koshu_spectral_engine_sums(const struct koshu_spectral *s);
koshu_status
koshu_spectral_engine_maxima(struct koshu_spectral *s, double max[3]);

/* ---- spectral_passes.c -------------------------------------------------- */

/* The pass over planes, which forms products. With `probe`, it finds maxima for
 * s->slab instead. */
bool koshu_spectral_planes_f32(struct koshu_spectral *s, bool probe);
bool koshu_spectral_planes_f64(struct koshu_spectral *s, bool probe);

/* The pass over columns: does the stage and prepares what planes need next. */
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
