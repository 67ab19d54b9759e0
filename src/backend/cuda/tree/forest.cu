/* SPDX-License-Identifier: MIT */
/*
 * Merges parts of other ranks' trees: first all their roots, at which walks
 * start, then the cells of one part after another, each in its own window. The
 * ranks that cut the parts have numbered cells and particles accordingly. The
 * cells are then copied behind those of this rank's tree.
 */
#include <algorithm>

#include "backend/cuda/tree/rank_step.cuh"

namespace koshu {

/* ---- memory -------------------------------------------------------------- */

static void
place_parts_to_go(rank_step *r)
{
    const size_t line = 256;
    r->bytes_to_go = 0;
    for (size_t k = 0; k < r->members; k++) {
        part_of_rank &part = part_of(r, k);
        part.at = r->bytes_to_go;
        const size_t bytes =
                bytes_of_parts(part.go.n_cells, part.go.n_particles);
        r->bytes_to_go += blocks_for(bytes, line) * line;
    }
}

cudaError_t
reserve_forest(rank_step *r)
{
    const koshu_part_window &any = part_of(r, 0).come;
    if (any.all_cells > MAX_CELLS || any.all_particles > UINT32_MAX)
        return cudaErrorMemoryAllocation;
    KOSHU_CUDA_TRY(r->come.reserve(
            whole_blocks(bytes_of_parts(any.all_cells, any.all_particles))));
    KOSHU_CUDA_TRY(r->roots.reserve(r->members * sizeof(uint32_t)));
    r->array[0] = r->come.as<void>();
    place_parts_to_go(r);
    return r->go.reserve(r->bytes_to_go);
}

static part_arrays
in_window(void *memory, const koshu_part_window &window)
{
    return parts_from(
            lay_out_parts(memory, window.all_cells, window.all_particles),
            window.first_cell, window.first_particle);
}

part_arrays
part_to_go(const rank_step *r, size_t rank)
{
    const part_of_rank &part = part_of(r, rank);
    return lay_out_parts(r->go.as<char>() + part.at, part.go.n_cells,
                         part.go.n_particles);
}

koshu_part
part_cut(const rank_step *r, size_t rank)
{
    const uint64_t all = r->counts.as<uint64_t>()[rank];
    const bool any = cells_in(all) > 0;
    return {cells_in(all), particles_in(all), any ? r->step.tree->levels.n : 0};
}

static part_arrays
arrays_at(const rank_step *r, size_t rank, part_place place)
{
    const part_of_rank &part = part_of(r, rank);
    switch (place) {
    case PART_TO_GO: return part_to_go(r, rank);
    case PART_COME: return in_window(r->come.as<void>(), part.come);
    default: return in_window(r->peers[rank].array[0], part.go);
    }
}

void
find_part(const device_parts *parts, size_t rank, part_place place,
          koshu_traffic_chunk chunks[PART_CHUNKS])
{
    const rank_step *r = static_cast<const rank_step *>(parts);
    const part_arrays a = arrays_at(r, rank, place);
    const koshu_part n =
            place == PART_COME ? part_of(r, rank).in : part_cut(r, rank);
    chunks[0] = {a.place, n.n_cells * sizeof *a.place};
    chunks[1] = {a.moments, n.n_cells * sizeof *a.moments};
    chunks[2] = {a.cell, n.n_cells * sizeof *a.cell};
    for (int k = 0; k < 4; k++)
        chunks[3 + k] = {a.x[k], n.n_particles * sizeof *a.x[k]};
}

/* ---- roots --------------------------------------------------------------- */

cudaError_t
list_roots(rank_step *r)
{
    uint32_t *const first = r->roots_on_host.as<uint32_t>();
    r->n_roots = 0;
    for (size_t k = 0; k < r->members; k++)
        if (part_of(r, k).in.n_cells > 0)
            first[r->n_roots++] = (uint32_t)part_of(r, k).come.first_cell;
    return cudaMemcpyAsync(r->roots.as<void>(), first,
                           r->n_roots * sizeof *first, cudaMemcpyHostToDevice,
                           r->in.stream);
}

/* ---- the tree ------------------------------------------------------------ */

static unsigned
levels_of_all(const rank_step *r)
{
    size_t levels = 0;
    for (size_t k = 0; k < r->members; k++)
        levels = std::max(levels, part_of(r, k).in.levels);
    return (unsigned)levels;
}

/* A walk need not tell the copies from its own cells. */
static cudaError_t
copy_cells(const rank_step *r, const part_arrays &from, size_t cells)
{
    const koshu_tree_engine *t = r->engine;
    const uint32_t first_cell = t->seen->level[TREE_LEVELS],
                   first_particle = r->step.n;
    const uint32_t *root = r->roots.as<uint32_t>();
    const size_t roots = r->n_roots;
    const part_arrays to = {t->place, t->moments, t->cell, {}};
    return for_each(r->cuda, cells, [=] __device__(size_t k) {
        const size_t source = k < roots ? root[k] : k;
        tree_cell cell = from.cell[source];
        cell.child += first_cell;
        cell.first += first_particle;
        to.cell[first_cell + k] = cell;
        to.place[first_cell + k] = from.place[source];
        to.moments[first_cell + k] = from.moments[source];
    });
}

/* So many particles at least have no sums yet. */
static uint32_t
count_unused(const rank_step *r)
{
    const tree_step &s = r->step;
    const uint64_t walked = r->has_walked ? s.tree->seen->groups - r->rest : 0;
    return (uint32_t)(s.n - std::min<uint64_t>(s.n, walked * s.n_crit));
}

cudaError_t
reserve_for_parts(const rank_step *r)
{
    const uint32_t own = r->engine->seen->level[TREE_LEVELS];
    const size_t all = own + part_of(r, 0).come.all_cells;
    if (all > MAX_CELLS) return cudaErrorMemoryAllocation;
    return reserve_cells(r->step, (uint32_t)all, own, count_unused(r));
}

cudaError_t
plant_parts(rank_step *r, walked_tree *tree)
{
    const koshu_part_window &any = part_of(r, 0).come;
    const part_arrays all =
            lay_out_parts(r->come.as<void>(), any.all_cells, any.all_particles);
    if (r->step.n + any.all_particles >= UINT32_MAX)
        return cudaErrorMemoryAllocation;
    KOSHU_CUDA_TRY(copy_cells(r, all, any.all_cells));
    tree->others = {tree->view.n_cells,
                    (uint32_t)r->n_roots,
                    r->step.n,
                    all.x[0],
                    all.x[1],
                    all.x[2],
                    all.x[3]};
    tree->levels = std::max(tree->levels, levels_of_all(r));
    return cudaSuccess;
}

} /* namespace koshu */
