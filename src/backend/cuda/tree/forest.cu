/* SPDX-License-Identifier: MIT */
/*
 * Merges parts of other ranks' trees: first all their roots, at which walks
 * start, then the cells of one part after another, each in its own window. The
 * ranks that cut the parts have numbered cells and particles accordingly.
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

static cudaError_t
copy_roots(const rank_step *r, const part_arrays &all)
{
    const uint32_t *first = r->roots.as<uint32_t>();
    return for_each(r->cuda, r->n_roots, [=] __device__(size_t k) {
        all.cell[k] = all.cell[first[k]];
        all.place[k] = all.place[first[k]];
        all.moments[k] = all.moments[first[k]];
    });
}

/* ---- the tree ------------------------------------------------------------ */

static size_t
levels_of_all(const rank_step *r)
{
    size_t levels = 0;
    for (size_t k = 0; k < r->members; k++)
        levels = std::max(levels, part_of(r, k).in.levels);
    return levels;
}

cudaError_t
plant_parts(rank_step *r, walked_tree *tree)
{
    const koshu_part_window &any = part_of(r, 0).come;
    const part_arrays all =
            lay_out_parts(r->come.as<void>(), any.all_cells, any.all_particles);
    KOSHU_CUDA_TRY(copy_roots(r, all));
    *tree = own_tree(r->step);
    tree_view *v = &tree->view;
    v->x = all.x[0], v->y = all.x[1], v->z = all.x[2], v->mass = all.x[3];
    v->n_cells = (uint32_t)any.all_cells;
    v->cell = all.cell, v->place = all.place, v->moments = all.moments;
    tree->roots = (uint32_t)r->n_roots;
    tree->levels = (unsigned)levels_of_all(r);
    tree->of_others = true;
    return cudaSuccess;
}

} /* namespace koshu */
