/* SPDX-License-Identifier: MIT */
/* Forces over several ranks: an evaluation whose tree goes to others in parts,
 * and whose leaves get what parts of others' trees do (backend/fmm_parts.h). */
#ifndef KOSHU_BACKEND_CUDA_FMM_RANKS_CUH
#define KOSHU_BACKEND_CUDA_FMM_RANKS_CUH

#include "backend/cuda/devices/parts.cuh"
#include "backend/cuda/fmm/engine.cuh"
#include "backend/cuda/tree/prune.cuh"
#include "backend/fmm_parts.h"

namespace koshu {

/* Points whose times are taken, besides those up to FMM_UP_END. */
enum fmm_rank_mark {
    RANK_LISTS, /* of one's own cells */
    RANK_FAR,
    RANK_NEAR,
    RANK_END,
    RANK_OTHERS_LISTS, /* of others' */
    RANK_OTHERS_FAR,
    RANK_OTHERS_NEAR,
    RANK_OTHERS_END,
    RANK_MARKS
};

/* What was cut for a rank. */
struct fmm_cut {
    buffer memory;
    koshu_part numbers;
};

struct fmm_rank_step : device_parts {
    koshu_fmm_engine *engine;
    uint32_t n;   /* particles; 0: nothing else is there */
    fmm_step own; /* by one's own cells, but for the way down */
    fmm_step others;
    koshu_particles *particles;
    koshu_fmm_common common;
    buffer targets; /* of this rank, or of another */
    fmm_cut *cut;   /* of each rank */
    size_t ranks;
    buffer forest; /* parts of others, in their windows */
    buffer work;   /* of a particle of each cell, in pairs */
    buffer counts; /* of `others` */
    host_buffer counts_on_host;
    event at[RANK_MARKS];

    ~fmm_rank_step();
};

static inline cudaError_t
note(const fmm_rank_step &r, fmm_rank_mark mark)
{
    return cudaEventRecord(r.at[mark], r.own.cuda->stream);
}

/* ---- parts --------------------------------------------------------------- */

/* Cells of a part, or of several, with rows of multipoles, and particles. */
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

/* Of so many in all. */
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

/* Boxes of the leaves. Waits. */
cudaError_t bound_leaves(fmm_rank_step *r, size_t *n, koshu_fmm_target *target);

/* To `cut`. Waits for the numbers. */
cudaError_t cut_part(fmm_rank_step *r, size_t n, const koshu_fmm_target *target,
                     fmm_cut *cut);

/* ---- forest.cu ----------------------------------------------------------- */

/* Memory for the windows of what comes. */
cudaError_t reserve_forest(fmm_rank_step *r);

/* device_parts::find. */
void find_fmm_part(const device_parts *parts, size_t rank, part_place place,
                   koshu_traffic_chunk chunks[PART_CHUNKS]);

/* Parts that came as one tree: the sources of r->others. */
cudaError_t plant_parts(fmm_rank_step *r);

/* ---- work.cu ------------------------------------------------------------- */

/* What the lists of a step cost: of r->own first, then of r->others; and what
 * both cost each particle, to the store. */
cudaError_t count_work(fmm_rank_step *r, const fmm_step &s);
cudaError_t write_work(fmm_rank_step *r);

/* ---- ranks.cu ------------------------------------------------------------ */

extern const koshu_fmm_parts_ops fmm_parts_ops;

/* NULL is allowed. */
void free_rank_step(fmm_rank_step *r);

} /* namespace koshu */

#endif
