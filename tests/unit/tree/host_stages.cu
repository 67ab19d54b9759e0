/* SPDX-License-Identifier: MIT */
#include "host_stages.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "backend/cuda/tree/crowds.cuh"
#include "backend/cuda/tree/groups.cuh"

using namespace koshu;

namespace {

struct stages {
    host_options options;
    uint32_t n;
    std::vector<double> x, y, z, mass;
    std::vector<particle_tag> tag;
    std::vector<uint64_t> key;
    std::vector<uint32_t> order, bits, before;
    std::vector<tree_cell> cell;
    std::vector<uint32_t> crowd, offset;
    std::vector<tree_extent> extent;
    size_t rounds = 0;

    /* As sort_keys(): ties in the order of their origins. */
    void sort()
    {
        std::vector<uint32_t> at(key.size());
        for (size_t k = 0; k < at.size(); k++) at[k] = (uint32_t)k;
        std::sort(at.begin(), at.end(), [&](uint32_t a, uint32_t b) {
            if (key[a] != key[b]) return key[a] < key[b];
            return tag[order[a]].origin < tag[order[b]].origin;
        });
        std::vector<uint64_t> k2(key.size());
        std::vector<uint32_t> o2(key.size());
        for (size_t k = 0; k < at.size(); k++) {
            k2[k] = key[at[k]];
            o2[k] = order[at[k]];
        }
        key = k2;
        order = o2;
    }

    template <class T> void move(std::vector<T> *a, const tree_round &r) const
    {
        std::vector<T> old = *a;
        for (uint32_t k = 0; k < r.n; k++) (*a)[place_of(r, k)] = old[order[k]];
    }

    void move_all(const tree_round &r)
    {
        move(&x, r);
        move(&y, r);
        move(&z, r);
        move(&mass, r);
        move(&tag, r);
    }

    void include(tree_extent *e, uint32_t at)
    {
        const double p[3] = {x[at], y[at], z[at]};
        for (int c = 0; c < 3; c++) {
            e->low[c] = std::min<unsigned long long>(e->low[c], ordered(p[c]));
            e->high[c] =
                    std::max<unsigned long long>(e->high[c], ordered(p[c]));
        }
    }

    tree_round begin_all()
    {
        tree_extent e = {{~0ull, ~0ull, ~0ull}, {0, 0, 0}};
        for (uint32_t k = 0; k < n; k++) include(&e, k);
        key.resize(n);
        order.resize(n);
        for (uint32_t k = 0; k < n; k++) {
            key[k] = key_of(box_of(e), options.hilbert, x[k], y[k], z[k]);
            order[k] = k;
        }
        sort();
        tree_round r = round_of(n, TREE_LEVELS, 1);
        move_all(r);
        return r;
    }

    tree_round begin_crowds()
    {
        crowd.clear();
        offset.assign(1, 0);
        for (uint32_t c = 0; c < cell.size(); c++) {
            if (cell[c].n <= options.n_leaf || cell[c].children > 0) continue;
            crowd.push_back(c);
            offset.push_back(offset.back() + cell[c].n);
        }
        const uint32_t crowds = (uint32_t)crowd.size();
        extent.assign(crowds, {{~0ull, ~0ull, ~0ull}, {0, 0, 0}});
        crowd_args a = {};
        a.n = offset.back();
        a.crowds = crowds;
        a.cell = cell.data();
        a.crowd = crowd.data();
        a.offset = offset.data();
        a.extent = extent.data();
        a.x[0] = x.data();
        a.x[1] = y.data();
        a.x[2] = z.data();
        a.tag = tag.data();
        a.levels = levels_of_crowds(crowds);
        a.hilbert = options.hilbert;
        key.resize(a.n);
        order.resize(a.n);
        for (uint32_t k = 0; k < a.n; k++)
            include(&extent[crowd_of(a, k)], particle_of(a, crowd_of(a, k), k));
        for (uint32_t k = 0; k < a.n; k++) {
            order[k] = particle_of(a, crowd_of(a, k), k);
            key[k] = crowd_key(a, crowd_of(a, k), order[k]);
        }
        sort();
        tree_round r = round_of(a.n, a.levels, (uint32_t)cell.size());
        r.crowds = crowds;
        r.crowd = crowd.data();
        r.offset = offset.data();
        move_all(r);
        return r;
    }

    tree_round round_of(uint32_t count, int levels, uint32_t base)
    {
        tree_round r = {};
        r.n = count;
        r.key = key.data();
        r.levels = levels;
        r.n_leaf = options.n_leaf;
        r.words = count / 32 + 1;
        r.base = base;
        r.crowds = 1;
        r.cell = cell.data();
        bits.assign((size_t)levels * r.words + 1, 0);
        before.assign(bits.size(), 0);
        r.bits = bits.data();
        r.before = before.data();
        return r;
    }

    /* Returns how many crowds there are. */
    uint32_t do_round(tree_round r)
    {
        rounds++;
        for (uint32_t k = 1; k < r.n; k++) mark(r, k);
        for (size_t w = 1; w < bits.size(); w++)
            before[w] = before[w - 1] + count_bits(bits[w - 1]);
        cell.resize(cells_of(r));
        r.cell = cell.data();
        uint32_t crowds_left = 0;
        for (size_t w = 0; w + 1 < bits.size(); w++)
            if (bits[w]) crowds_left += make_cells(r, w);
        for (uint32_t c = 0; c < r.crowds; c++)
            crowds_left += finish_crowd(r, c);
        return crowds_left;
    }
};

tree_criterion
criterion_of(const host_options &o)
{
    tree_criterion c = {};
    c.relative = o.relative;
    c.quadrupole = true;
    c.theta = o.theta;
    c.alpha = o.alpha;
    return c;
}

void
sum_cells(const stages &s, host_tree *to)
{
    const size_t n = s.cell.size();
    std::vector<tree_place> place(n);
    std::vector<tree_moments> moments(n);
    std::vector<tree_range> boxes(3 * n);
    tree_range *range[3] = {&boxes[0], &boxes[n], &boxes[2 * n]};
    tree_view view = {};
    view.x = s.x.data();
    view.y = s.y.data();
    view.z = s.z.data();
    view.mass = s.mass.data();
    view.place = place.data();
    view.moments = moments.data();
    const tree_units u = {1, 1};
    for (uint32_t c = (uint32_t)n; c-- > 0;) {
        const tree_cell cell = s.cell[c];
        tree_sums sums = sums_of_nothing();
        double about[3];
        reference_point(view, cell, about);
        for (uint32_t k = 0; cell.children == 0 && k < cell.n; k++)
            add_particle(view, cell.first + k, about, &sums);
        for (uint32_t k = 0; k < cell.children; k++)
            add_child(view, u, range, cell.child + k, about, &sums);
        finish_cell(criterion_of(s.options), u, c, &sums, about, place.data(),
                    moments.data(), range);
        const tree_moments &m = moments[c];
        to->cell[c] = {
                cell.first,
                cell.n,
                cell.child,
                cell.children,
                place[c].x,
                place[c].y,
                place[c].z,
                place[c].reach,
                place[c].strength,
                {m.mass, m.xx, m.xy, m.xz, m.yy, m.yz, m.zz, m.half_trace}};
    }
}

} /* namespace */

host_tree
host_tree_make(size_t n, const double *x, const double *y, const double *z,
               const double *mass, const host_options *options)
{
    stages s;
    s.options = *options;
    s.n = (uint32_t)n;
    s.x.assign(x, x + n);
    s.y.assign(y, y + n);
    s.z.assign(z, z + n);
    s.mass.assign(mass, mass + n);
    for (uint32_t k = 0; k < n; k++) s.tag.push_back({k, 1});
    uint32_t crowds = s.do_round(s.begin_all());
    while (crowds > 0) crowds = s.do_round(s.begin_crowds());
    host_tree tree = {};
    tree.n = n;
    tree.rounds = s.rounds;
    tree.n_cells = s.cell.size();
    tree.cell = new host_cell[tree.n_cells];
    tree.order = new uint32_t[n];
    for (size_t k = 0; k < n; k++) tree.order[k] = s.tag[k].origin;
    sum_cells(s, &tree);
    return tree;
}

void
host_tree_free(host_tree *tree)
{
    delete[] tree->order;
    delete[] tree->cell;
}

size_t
host_groups(size_t n, const uint8_t *begins, uint32_t *first)
{
    std::vector<uint32_t> bits(n / 32 + 2), before(bits.size());
    for (uint32_t k = 0; k < n; k++)
        if (begins[k]) set_bit(bits.data(), 0, k);
    for (size_t w = 1; w < bits.size(); w++)
        before[w] = before[w - 1] + count_bits(bits[w - 1]);
    std::vector<tree_group> group(before.back());
    for (uint32_t w = 0; w + 1 < bits.size(); w++)
        begin_groups(bits.data(), before.data(), w, group.data());
    for (size_t g = 0; g < group.size(); g++) first[g] = group[g].first;
    return group.size();
}

void
host_box(const double low[3], const double high[3], double middle[3],
         float half[3])
{
    tree_group g = {};
    set_box(&g, low, high);
    middle[0] = g.x;
    middle[1] = g.y;
    middle[2] = g.z;
    half[0] = g.half_x;
    half[1] = g.half_y;
    half[2] = g.half_z;
}

float
host_factor(const host_options *options, float a)
{
    return factor_of(criterion_of(*options), a);
}
