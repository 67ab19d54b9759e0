/* SPDX-License-Identifier: MIT */
/* Parts of other ranks' trees as the sources of one set of lists. Their roots
 * come first, side by side; then the cells of one part after another, each in a
 * window of its own. */
#include "backend/cuda/fmm/ranks.cuh"
#include "backend/cuda/runtime/for_each.cuh"

namespace koshu {

/* Their cells are not stored level by level. */
static koshu_image_code
code_of_parts(const fmm_rank_step &r)
{
    const koshu_fmm_images *in = r.engine->options.images;
    return in ? in->code : koshu_image_code{};
}

/* ---- memory -------------------------------------------------------------- */

cudaError_t
reserve_forest(fmm_rank_step *r)
{
    const koshu_part_window &any = part_of(r, 0).come;
    const koshu_image_code code = code_of_parts(*r);
    if (any.all_cells > MAX_CELLS ||
        !koshu_fmm_code_fits(&code, any.all_cells) ||
        any.all_particles > UINT32_MAX)
        return cudaErrorMemoryAllocation;
    KOSHU_CUDA_TRY(r->forest.reserve(whole_blocks(
            bytes_of_parts(r->own, any.all_cells, any.all_particles))));
    r->array[0] = r->forest.as<void>();
    return cudaSuccess;
}

static fmm_part_arrays
in_window(const fmm_step &s, void *memory, const koshu_part_window &window)
{
    fmm_part_arrays a =
            lay_out_parts(s, memory, window.all_cells, window.all_particles);
    a.place += window.first_cell;
    a.row += window.first_cell * row_bytes_of(s);
    a.cell += window.first_cell;
    for (double *&x : a.x) x += window.first_particle;
    return a;
}

static fmm_part_arrays
arrays_at(const fmm_rank_step *r, size_t rank, part_place place)
{
    const fmm_step &s = r->own;
    const part_of_rank &part = part_of(r, rank);
    const fmm_cut &cut = r->cut[rank];
    switch (place) {
    case PART_TO_GO:
        return lay_out_parts(s, cut.memory.as<void>(), cut.numbers.n_cells,
                             cut.numbers.n_particles);
    case PART_COME: return in_window(s, r->forest.as<void>(), part.come);
    default: return in_window(s, r->peers[rank].array[0], part.go);
    }
}

void
find_fmm_part(const device_parts *parts, size_t rank, part_place place,
              koshu_traffic_chunk chunks[PART_CHUNKS])
{
    const fmm_rank_step *r = static_cast<const fmm_rank_step *>(parts);
    const fmm_part_arrays a = arrays_at(r, rank, place);
    const koshu_part &n =
            place == PART_COME ? part_of(r, rank).in : r->cut[rank].numbers;
    chunks[0] = {a.place, n.n_cells * sizeof *a.place};
    chunks[1] = {a.row, n.n_cells * row_bytes_of(r->own)};
    chunks[2] = {a.cell, n.n_cells * sizeof *a.cell};
    for (int k = 0; k < 4; k++)
        chunks[3 + k] = {a.x[k], n.n_particles * sizeof *a.x[k]};
}

/* ---- the tree ------------------------------------------------------------ */

/* Renumbers a part's cells in the whole; its root goes to the other roots. */
static cudaError_t
plant_part(const fmm_step &s, const fmm_part_arrays &all,
           const part_of_rank &part, size_t root)
{
    const uint32_t base = (uint32_t)part.come.first_cell,
                   first = (uint32_t)part.come.first_particle;
    const size_t words = row_bytes_of(s) / sizeof(uint4);
    uint4 *const rows = reinterpret_cast<uint4 *>(all.row);
    KOSHU_CUDA_TRY(for_each(s.cuda, part.in.n_cells, [=] __device__(size_t k) {
        tree_cell cell = all.cell[base + k];
        cell.child += base;
        cell.first += first;
        all.cell[base + k] = cell;
        if (k > 0) return;
        all.cell[root] = cell;
        all.place[root] = all.place[base];
    }));
    return for_each(s.cuda, words, [=] __device__(size_t k) {
        rows[root * words + k] = rows[base * words + k];
    });
}

static cudaError_t
estimate_entries(const fmm_entries &own, fmm_entries *others)
{
    if (others->near.bytes() > 0) return cudaSuccess;
    KOSHU_CUDA_TRY(others->far.reserve(own.far.bytes() / 4));
    return others->near.reserve(own.near.bytes() / 4);
}

/* The step that has them as sources, with lists of its own: those of the rank's
 * own cells are still read. */
static cudaError_t
lay_out_others(fmm_rank_step *r, const fmm_part_arrays &a, uint32_t roots,
               size_t levels)
{
    fmm_step *s = &r->others;
    *s = step_of_set(r->own, 0);
    KOSHU_CUDA_TRY(r->lists.reserve(s->view.n_cells * sizeof *s->lists));
    s->lists = r->lists.as<fmm_lists>();
    s->view.lists = s->lists;
    KOSHU_CUDA_TRY(estimate_entries(s->fmm->entries, &r->entries));
    s->entries = &r->entries;
    lay_out_entries(s);
    s->levels = (unsigned)levels;
    s->counts = r->counts.as<fmm_counts>();
    s->seen = r->counts_on_host.as<fmm_counts>();
    s->view.images.code = code_of_parts(*r);
    s->view.source = a.cell;
    s->view.multipole = a.row;
    s->view.from = {{a.x[0], a.x[1], a.x[2], a.x[3]}, a.place, roots, true};
    return cudaSuccess;
}

cudaError_t
plant_parts(fmm_rank_step *r)
{
    const koshu_part_window &any = part_of(r, 0).come;
    const fmm_part_arrays all = lay_out_parts(r->own, r->forest.as<void>(),
                                              any.all_cells, any.all_particles);
    uint32_t roots = 0;
    size_t levels = 0;
    for (size_t k = 0; k < r->members; k++) {
        const part_of_rank &part = part_of(r, k);
        if (part.in.n_cells == 0) continue;
        KOSHU_CUDA_TRY(plant_part(r->own, all, part, roots++));
        levels = std::max(levels, part.in.levels);
    }
    return lay_out_others(r, all, roots, levels);
}

} /* namespace koshu */
