/* SPDX-License-Identifier: MIT */
#include "host_part.h"

#include <vector>

#include "backend/cuda/tree/prune.cuh"

using namespace koshu;

namespace {

struct stages {
    std::vector<tree_cell> cell;
    std::vector<tree_place> place;
    std::vector<koshu_tree_bounds> bounds;
    std::vector<uint32_t> fate;
    std::vector<uint64_t> before;
};

void
copy_tree(const host_tree *tree, stages *s)
{
    for (size_t c = 0; c < tree->n_cells; c++) {
        const host_cell &h = tree->cell[c];
        s->cell.push_back({h.first, h.n, h.child, h.children});
        s->place.push_back({h.x, h.y, h.z, h.reach, h.strength});
    }
}

/* Children come after their parents. */
void
mark(stages *s)
{
    prune_args args = {};
    args.few = 2;
    s->fate.assign(s->cell.size() + 1, CELL_LEFT_OUT);
    for (size_t c = 0; c < s->cell.size(); c++) {
        if (c > 0 && s->fate[c] == CELL_LEFT_OUT) continue;
        bool near = false;
        for (const koshu_tree_bounds &b : s->bounds)
            near |= opens(b, s->place[c], 0, 0);
        s->fate[c] = fate_of(args, s->cell[c], near);
        if (s->fate[c] == CELL_WITH_CHILDREN)
            for (uint32_t k = 0; k < s->cell[c].children; k++)
                s->fate[s->cell[c].child + k] = CELL_WHOLE;
    }
}

void
count(stages *s)
{
    s->before.assign(s->cell.size() + 1, 0);
    for (size_t c = 0; c < s->cell.size(); c++)
        s->before[c + 1] = s->before[c] + counts_of(s->fate[c], s->cell[c].n);
}

host_fate
fate_of_cell(const stages &s, uint32_t c)
{
    part_args args = {};
    args.view.cell = s.cell.data();
    args.fate = s.fate.data();
    args.before = s.before.data();
    host_fate f = {};
    if (s.fate[c] == CELL_LEFT_OUT) return f;
    const tree_cell cell = cell_in_part(args, c);
    f.kept = true;
    f.whole = s.fate[c] == CELL_WHOLE;
    f.opened = s.fate[c] == CELL_WITH_CHILDREN;
    f.number = cells_in(s.before[c]);
    f.first = cell.first;
    f.child = cell.child;
    f.never_opened = cell.children == ALWAYS_WHOLE;
    return f;
}

} /* namespace */

host_part
host_part_make(const host_tree *tree, size_t n, const host_bounds *bounds)
{
    stages s;
    copy_tree(tree, &s);
    for (size_t k = 0; k < n; k++) {
        const host_bounds &b = bounds[k];
        s.bounds.push_back({{b.low[0], b.low[1], b.low[2]},
                            {b.high[0], b.high[1], b.high[2]},
                            b.factor});
    }
    mark(&s);
    count(&s);
    host_part part = {};
    part.n_cells = cells_in(s.before.back());
    part.n_particles = particles_in(s.before.back());
    part.fate = new host_fate[s.cell.size()];
    for (uint32_t c = 0; c < s.cell.size(); c++)
        part.fate[c] = fate_of_cell(s, c);
    return part;
}

void
host_part_free(host_part *part)
{
    delete[] part->fate;
}
