/* SPDX-License-Identifier: MIT */
/* Forces over several ranks: parts of an evaluation's tree are sent to other
 * ranks, and its leaves get the effect of parts of their trees
 * (backend/fmm_parts.h). */
#ifndef KOSHU_BACKEND_CUDA_FMM_RANKS_CUH
#define KOSHU_BACKEND_CUDA_FMM_RANKS_CUH

#include "backend/cuda/devices/parts.cuh"
#include "backend/cuda/fmm/engine.cuh"
#include "backend/cuda/tree/prune.cuh"
#include "backend/fmm_parts.h"

namespace koshu {

/* Events between which stages are timed, besides those up to FMM_UP_END. */
enum fmm_rank_mark {
    RANK_LISTS, /* of this rank's own cells */
    RANK_LISTS_END,
    RANK_FAR,
    RANK_NEAR,
    RANK_END,
    RANK_OTHERS_DOWN, /* of other ranks' cells, too */
    RANK_OTHERS_NEAR,
    RANK_OTHERS_END,
    RANK_MARKS
};

/* The part cut for a rank. */
struct fmm_cut {
    buffer memory;
    koshu_part numbers;
};

struct fmm_rank_step : device_parts {
    koshu_fmm_engine *engine;
    uint32_t n;   /* particles; 0: the rest is unset */
    fmm_step own; /* sums over own cells, without passing local expansions
                     down */
    fmm_step others;
    koshu_particles *particles;
    koshu_fmm_common common;
    buffer targets; /* boxes of leaves: this rank's or another's */
    fmm_cut *cut;   /* one for each rank */
    size_t ranks;
    buffer forest;        /* other ranks' parts, in their windows */
    buffer work;          /* per particle of each cell, in pairs */
    buffer lists, counts; /* of `others` */
    fmm_entries entries;  /* of those */
    host_buffer counts_on_host;
    event at[RANK_MARKS];
    stream beside;     /* for what can be done beside other stages */
    event cutting_end; /* the marks of cells for parts are no longer needed */
    event far_end;     /* other ranks' cells are in local expansions */

    ~fmm_rank_step();
};

static inline cudaError_t
note(const fmm_rank_step &r, fmm_rank_mark mark)
{
    return cudaEventRecord(r.at[mark], r.own.cuda->stream);
}

/* ---- parts --------------------------------------------------------------- */

/* The cells of one part or several, with their multipoles, and particles. */
struct fmm_part_arrays {
    fmm_place *place;
    char *row;
    tree_cell *cell;
    double *x[4]; /* x y z mass */
};

enum { FMM_PART_PARTICLE_BYTES = 4 * sizeof(double) };

static inline size_t
row_bytes_of(const fmm_step &s)
{
    return s.view.stride * s.real;
}

static inline size_t
part_cell_bytes(const fmm_step &s)
{
    return sizeof(fmm_place) + row_bytes_of(s) + sizeof(tree_cell);
}

/* Divides memory for that many cells and particles. */
static inline fmm_part_arrays
lay_out_parts(const fmm_step &s, void *memory, size_t cells, size_t particles)
{
    fmm_part_arrays a;
    a.place = static_cast<fmm_place *>(memory);
    a.row = reinterpret_cast<char *>(a.place + cells);
    a.cell = reinterpret_cast<tree_cell *>(a.row + cells * row_bytes_of(s));
    a.x[0] = reinterpret_cast<double *>(a.cell + cells);
    for (int k = 1; k < 4; k++) a.x[k] = a.x[k - 1] + particles;
    return a;
}

static inline size_t
bytes_of_parts(const fmm_step &s, size_t cells, size_t particles)
{
    return cells * part_cell_bytes(s) + particles * FMM_PART_PARTICLE_BYTES;
}

/* ---- essential.cu -------------------------------------------------------- */

/* Once cells have places: finds the boxes of this rank's leaves. Waits. */
cudaError_t bound_leaves(fmm_rank_step *r, size_t *n, koshu_fmm_target *target);

/* Once they have places, cuts a part into `cut`; waits for its size. Multipoles
 * are copied after FMM_UP_END. */
cudaError_t cut_part(fmm_rank_step *r, size_t n, const koshu_fmm_target *target,
                     fmm_cut *cut);

/* ---- forest.cu ----------------------------------------------------------- */

/* Reserves memory for the windows of other ranks' parts. */
cudaError_t reserve_forest(fmm_rank_step *r);

/* device_parts::find. */
void find_fmm_part(const device_parts *parts, size_t rank, part_place place,
                   koshu_traffic_chunk chunks[PART_CHUNKS]);

/* Makes the parts that arrived one tree: the sources of r->others. */
cudaError_t plant_parts(fmm_rank_step *r);

/* ---- work.cu ------------------------------------------------------------- */

/* Counts the cost of a step's lists: first for r->own, then for r->others; then
 * writes both, per particle, to the store. */
cudaError_t count_work(fmm_rank_step *r, const fmm_step &s);
cudaError_t write_work(fmm_rank_step *r);

/* ---- ranks.cu ------------------------------------------------------------ */

extern const koshu_fmm_parts_ops fmm_parts_ops;

/* Accepts NULL. */
void free_rank_step(fmm_rank_step *r);

} /* namespace koshu */

#endif
