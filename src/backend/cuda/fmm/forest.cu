/* SPDX-License-Identifier: MIT */
/* Parts of other ranks' trees as the sources of one set of lists: their roots
 * side by side, from which these begin, then the cells of one part after
 * another. */
#include "backend/cuda/fmm/ranks.cuh"
#include "backend/cuda/runtime/for_each.cuh"

namespace koshu {

/* Of the parts that have cells. */
static koshu_fmm_part
sum_of_parts(size_t n, const koshu_fmm_part *parts, uint32_t *roots)
{
    koshu_fmm_part all = {};
    *roots = 0;
    for (size_t k = 0; k < n; k++) {
        if (parts[k].n_cells == 0) continue;
        all.n_cells += parts[k].n_cells;
        all.n_particles += parts[k].n_particles;
        all.levels = std::max(all.levels, parts[k].levels);
        (*roots)++;
    }
    return all;
}

/* Where the next part goes: its root, its first cell and particle. */
struct fmm_planting {
    fmm_part_arrays all;
    uint32_t root, cell, particle;
};

static cudaError_t
upload_part(fmm_rank_step *r, const fmm_planting &to,
            const koshu_fmm_part &part)
{
    const fmm_step &s = r->own;
    const size_t row = row_bytes_of(s), cells = part.n_cells,
                 particles = part.n_particles;
    const fmm_part_arrays from =
            lay_out_part(s, part.cell, cells, part.particle, particles);
    host_copy copies[7] = {
            {to.all.place + to.cell, from.place, cells * sizeof *from.place},
            {to.all.row + to.cell * row, from.row, cells * row},
            {to.all.cell + to.cell, from.cell, cells * sizeof *from.cell}};
    for (int k = 0; k < 4; k++)
        copies[3 + k] = {to.all.x[k] + to.particle, from.x[k],
                         particles * sizeof(double)};
    r->copied_bytes +=
            cells * part_cell_bytes(s) + particles * FMM_PART_PARTICLE_BYTES;
    for (const host_copy &c : copies)
        if (c.bytes > 0)
            KOSHU_CUDA_TRY(cudaMemcpyAsync(c.device, c.host, c.bytes,
                                           cudaMemcpyHostToDevice, r->copies));
    return cudaSuccess;
}

/* Its cells get numbers of the whole; its root goes to the others. */
static cudaError_t
renumber_part(const fmm_step &s, const fmm_planting &to, size_t cells)
{
    const fmm_part_arrays all = to.all;
    const uint32_t base = to.cell, first = to.particle, root = to.root;
    const size_t words = row_bytes_of(s) / sizeof(uint4);
    uint4 *const rows = reinterpret_cast<uint4 *>(all.row);
    KOSHU_CUDA_TRY(for_each(s.cuda, cells, [=] __device__(size_t k) {
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

/* plant(to, part), where each is to go. */
template <class Plant>
static cudaError_t
plant_each(size_t n, const koshu_fmm_part *parts, fmm_planting to,
           const Plant &plant)
{
    for (size_t k = 0; k < n; k++) {
        if (parts[k].n_cells == 0) continue;
        KOSHU_CUDA_TRY(plant(to, parts[k]));
        to.root++;
        to.cell += (uint32_t)parts[k].n_cells;
        to.particle += (uint32_t)parts[k].n_particles;
    }
    return cudaSuccess;
}

/* Copies go beside the sums over this rank's own cells; all else is behind
 * both. */
static cudaError_t
plant(fmm_rank_step *r, size_t n, const koshu_fmm_part *parts,
      const fmm_planting &first)
{
    const fmm_step &s = r->own;
    KOSHU_CUDA_TRY(
            plant_each(n, parts, first,
                       [=](const fmm_planting &to, const koshu_fmm_part &part) {
                           return upload_part(r, to, part);
                       }));
    KOSHU_CUDA_TRY(cudaEventRecord(r->is_there, r->copies));
    KOSHU_CUDA_TRY(cudaStreamWaitEvent(s.cuda->stream, r->is_there));
    return plant_each(n, parts, first,
                      [&](const fmm_planting &to, const koshu_fmm_part &part) {
                          return renumber_part(s, to, part.n_cells);
                      });
}

/* The step that has them as sources. */
static void
lay_out_others(fmm_rank_step *r, const fmm_part_arrays &a, uint32_t roots,
               size_t levels)
{
    fmm_step *s = &r->others;
    *s = step_of_set(r->own, 0);
    s->levels = (unsigned)levels;
    s->counts = r->counts.as<fmm_counts>();
    s->seen = r->counts_on_host.as<fmm_counts>();
    s->view.source = a.cell;
    s->view.multipole = a.row;
    s->view.from = {{a.x[0], a.x[1], a.x[2], a.x[3]}, a.place, roots, true};
}

cudaError_t
plant_parts(fmm_rank_step *r, size_t n, const koshu_fmm_part *parts)
{
    uint32_t roots;
    fmm_part_arrays a;
    const koshu_fmm_part all = sum_of_parts(n, parts, &roots);
    const size_t cells = roots + all.n_cells,
                 max_cells = std::min((size_t)MAX_CELLS,
                                      (size_t)~r->own.view.images.mask);
    if (cells > max_cells || all.n_particles > UINT32_MAX)
        return cudaErrorMemoryAllocation;
    KOSHU_CUDA_TRY(
            reserve_part(r->own, cells, all.n_particles, &r->forest, &a));
    lay_out_others(r, a, roots, all.levels);
    return plant(r, n, parts, {a, 0, roots, 0});
}

} /* namespace koshu */
