/* SPDX-License-Identifier: MIT */
/*
 * Parts of other ranks' trees as one: their roots side by side, from which
 * walks begin, then the cells of one part after another. Particles are numbered
 * behind all of this rank's own, so that none is taken for one of a group.
 */
#include "backend/cuda/tree/rank_step.cuh"

namespace koshu {

/* Of the parts that have cells. */
static koshu_tree_part
sum_of_parts(size_t n, const koshu_tree_part *parts, uint32_t *roots)
{
    koshu_tree_part all = {};
    *roots = 0;
    for (size_t k = 0; k < n; k++) {
        if (parts[k].n_cells == 0) continue;
        all.n_cells += parts[k].n_cells;
        all.n_particles += parts[k].n_particles;
        if (parts[k].levels > all.levels) all.levels = parts[k].levels;
        (*roots)++;
    }
    return all;
}

/* Where the next part goes. */
struct planting {
    part_arrays all;
    uint32_t root, cell; /* its root, its first cell */
    uint32_t particle,
            first_particle; /* its first; the number of all's first */
};

static cudaError_t
upload_part(koshu_cuda *cuda, const planting &to, const koshu_tree_part &part)
{
    const part_arrays from = lay_out_part(part.cell, part.n_cells,
                                          part.particle, part.n_particles);
    host_copy copies[7] = {{to.all.place + to.cell, from.place,
                            part.n_cells * sizeof *from.place},
                           {to.all.moments + to.cell, from.moments,
                            part.n_cells * sizeof *from.moments},
                           {to.all.cell + to.cell, from.cell,
                            part.n_cells * sizeof *from.cell}};
    for (int k = 0; k < 4; k++)
        copies[3 + k] = {to.all.x[k] + to.particle, from.x[k],
                         part.n_particles * sizeof(double)};
    return upload(cuda, copies, part.n_particles > 0 ? 7 : 3);
}

/* Its cells get numbers of the whole; its root goes to the others. */
static cudaError_t
renumber_part(const koshu_cuda *cuda, const planting &to, size_t cells)
{
    const uint32_t base = to.cell, root = to.root,
                   first = to.first_particle + to.particle;
    const part_arrays all = to.all;
    return for_each(cuda, cells, [=] __device__(size_t k) {
        tree_cell cell = all.cell[base + k];
        cell.child += base;
        cell.first += first;
        all.cell[base + k] = cell;
        if (k > 0) return;
        all.cell[root] = cell;
        all.place[root] = all.place[base];
        all.moments[root] = all.moments[base];
    });
}

static cudaError_t
plant(koshu_cuda *cuda, size_t n, const koshu_tree_part *parts, planting *to)
{
    for (size_t k = 0; k < n; k++) {
        if (parts[k].n_cells == 0) continue;
        KOSHU_CUDA_TRY(upload_part(cuda, *to, parts[k]));
        KOSHU_CUDA_TRY(renumber_part(cuda, *to, parts[k].n_cells));
        to->root++;
        to->cell += (uint32_t)parts[k].n_cells;
        to->particle += (uint32_t)parts[k].n_particles;
    }
    return cudaSuccess;
}

cudaError_t
plant_parts(rank_step *r, size_t n, const koshu_tree_part *parts,
            walked_tree *tree)
{
    const tree_step &s = r->step;
    uint32_t roots;
    const koshu_tree_part all = sum_of_parts(n, parts, &roots);
    const size_t cells = roots + all.n_cells;
    if (cells > MAX_CELLS || all.n_particles > UINT32_MAX - s.n)
        return cudaErrorMemoryAllocation;
    KOSHU_CUDA_TRY(reserve_parts(r, cells, all.n_particles));
    const part_arrays a =
            lay_out_parts(r->parts.as<void>(), cells, all.n_particles);
    planting to = {a, 0, roots, 0, s.n};
    KOSHU_CUDA_TRY(plant(s.cuda, n, parts, &to));
    *tree = own_tree(s);
    tree_view *v = &tree->view;
    v->x = a.x[0], v->y = a.x[1], v->z = a.x[2], v->mass = a.x[3];
    v->n_cells = (uint32_t)cells;
    v->cell = a.cell, v->place = a.place, v->moments = a.moments;
    tree->first = s.n;
    tree->roots = roots;
    tree->levels = (unsigned)all.levels;
    tree->of_others = true;
    return cudaSuccess;
}

} /* namespace koshu */
