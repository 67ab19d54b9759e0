/* SPDX-License-Identifier: MIT */
#include "host_stages.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "backend/cuda/tree/buckets.cuh"
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
    std::vector<uint32_t> bucket, offset;
    std::vector<tree_extent> extent;
    size_t rounds = 0;
};

/* ---- the order ----------------------------------------------------------- */

/* As sort_keys(): ties are in the order of their origins. */
void
sort(stages *s)
{
    std::vector<uint32_t> at(s->key.size());
    for (size_t k = 0; k < at.size(); k++) at[k] = (uint32_t)k;
    std::sort(at.begin(), at.end(), [&](uint32_t a, uint32_t b) {
        if (s->key[a] != s->key[b]) return s->key[a] < s->key[b];
        return s->tag[s->order[a]].origin < s->tag[s->order[b]].origin;
    });
    const std::vector<uint64_t> key = s->key;
    const std::vector<uint32_t> order = s->order;
    for (size_t k = 0; k < at.size(); k++) {
        s->key[k] = key[at[k]];
        s->order[k] = order[at[k]];
    }
}

template <class T>
void
move(const stages &s, std::vector<T> *a, const tree_pass &r)
{
    const std::vector<T> old = *a;
    for (uint32_t k = 0; k < r.n; k++) (*a)[place_of(r, k)] = old[s.order[k]];
}

void
move_all(stages *s, const tree_pass &r)
{
    move(*s, &s->x, r);
    move(*s, &s->y, r);
    move(*s, &s->z, r);
    move(*s, &s->mass, r);
    move(*s, &s->tag, r);
}

/* ---- rounds -------------------------------------------------------------- */

const tree_extent nothing = {{~0ull, ~0ull, ~0ull}, {0, 0, 0}};

void
include(const stages &s, tree_extent *e, uint32_t at)
{
    const double p[3] = {s.x[at], s.y[at], s.z[at]};
    for (int c = 0; c < 3; c++) {
        e->low[c] = std::min<unsigned long long>(e->low[c], ordered(p[c]));
        e->high[c] = std::max<unsigned long long>(e->high[c], ordered(p[c]));
    }
}

tree_pass
pass_of(stages *s, uint32_t count, int levels, uint32_t base)
{
    tree_pass r = {};
    r.n = count;
    r.key = s->key.data();
    r.levels = levels;
    r.n_leaf = s->options.n_leaf;
    r.words = count / 32 + 1;
    r.base = base;
    r.buckets = 1;
    r.cell = s->cell.data();
    s->bits.assign((size_t)levels * r.words + 1, 0);
    s->before.assign(s->bits.size(), 0);
    r.bits = s->bits.data();
    r.before = s->before.data();
    return r;
}

tree_pass
begin_all(stages *s)
{
    tree_extent e = nothing;
    for (uint32_t k = 0; k < s->n; k++) include(*s, &e, k);
    s->key.resize(s->n);
    s->order.resize(s->n);
    for (uint32_t k = 0; k < s->n; k++) {
        s->key[k] = key_of(box_of(e), s->options.hilbert, s->x[k], s->y[k],
                           s->z[k]);
        s->order[k] = k;
    }
    sort(s);
    const tree_pass r = pass_of(s, s->n, TREE_LEVELS, 1);
    move_all(s, r);
    return r;
}

/* As list_buckets(). */
void
list_buckets(stages *s)
{
    s->bucket.clear();
    s->offset.assign(1, 0);
    for (uint32_t c = 0; c < s->cell.size(); c++) {
        const tree_cell &cell = s->cell[c];
        if (cell.n <= s->options.n_leaf || cell.children > 0) continue;
        s->bucket.push_back(c);
        s->offset.push_back(s->offset.back() + cell.n);
    }
    s->extent.assign(s->bucket.size(), nothing);
}

bucket_args
args_of_buckets(stages *s)
{
    bucket_args a = {};
    a.n = s->offset.back();
    a.buckets = (uint32_t)s->bucket.size();
    a.cell = s->cell.data();
    a.bucket = s->bucket.data();
    a.offset = s->offset.data();
    a.extent = s->extent.data();
    a.x[0] = s->x.data();
    a.x[1] = s->y.data();
    a.x[2] = s->z.data();
    a.tag = s->tag.data();
    a.levels = levels_of_buckets(a.buckets);
    a.hilbert = s->options.hilbert;
    return a;
}

tree_pass
start_buckets(stages *s)
{
    list_buckets(s);
    const bucket_args a = args_of_buckets(s);
    s->key.resize(a.n);
    s->order.resize(a.n);
    for (uint32_t k = 0; k < a.n; k++) {
        const uint32_t bucket = bucket_of(a, k);
        include(*s, &s->extent[bucket], particle_of(a, bucket, k));
    }
    for (uint32_t k = 0; k < a.n; k++) {
        const uint32_t bucket = bucket_of(a, k);
        s->order[k] = particle_of(a, bucket, k);
        s->key[k] = bucket_key(a, bucket, s->order[k]);
    }
    sort(s);
    tree_pass r = pass_of(s, a.n, a.levels, (uint32_t)s->cell.size());
    r.buckets = a.buckets;
    r.bucket = s->bucket.data();
    r.offset = s->offset.data();
    move_all(s, r);
    return r;
}

/* Returns the number of buckets. */
uint32_t
do_round(stages *s, tree_pass r)
{
    uint32_t buckets = 0;
    s->rounds++;
    for (uint32_t k = 1; k < r.n; k++) mark(r, k);
    for (size_t w = 1; w < s->bits.size(); w++)
        s->before[w] = s->before[w - 1] + count_bits(s->bits[w - 1]);
    s->cell.resize(cells_of(r));
    r.cell = s->cell.data();
    for (size_t w = 0; w + 1 < s->bits.size(); w++)
        if (s->bits[w]) buckets += make_cells(r, w);
    for (uint32_t c = 0; c < r.buckets; c++) buckets += finish_bucket(r, c);
    return buckets;
}

/* ---- cells --------------------------------------------------------------- */

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

/* The sums for cell c from those of its children. */
tree_sums
sums_of(const tree_view &view, const tree_units &u, tree_range *const range[3],
        const tree_cell &cell, double about[3])
{
    tree_sums sums = sums_of_nothing();
    reference_point(view, cell, about);
    for (uint32_t k = 0; cell.children == 0 && k < cell.n; k++)
        add_particle(view, cell.first + k, about, &sums);
    for (uint32_t k = 0; k < cell.children; k++)
        add_child(view, u, range, cell.child + k, about, &sums);
    return sums;
}

host_cell
host_cell_of(const tree_cell &cell, const tree_place &p, const tree_moments &m)
{
    return {cell.first,
            cell.n,
            cell.child,
            cell.children,
            p.x,
            p.y,
            p.z,
            p.reach,
            p.strength,
            {m.mass, m.xx, m.xy, m.xz, m.yy, m.yz, m.zz, m.half_trace}};
}

void
sum_cells(const stages &s, host_tree *to)
{
    const size_t n = s.cell.size();
    std::vector<tree_place> place(n);
    std::vector<tree_moments> moments(n);
    std::vector<tree_range> boxes(3 * n);
    tree_range *const range[3] = {&boxes[0], &boxes[n], &boxes[2 * n]};
    const tree_units u = {1, 1};
    tree_view view = {};
    view.x = s.x.data();
    view.y = s.y.data();
    view.z = s.z.data();
    view.mass = s.mass.data();
    view.place = place.data();
    view.moments = moments.data();
    for (uint32_t c = (uint32_t)n; c-- > 0;) {
        double about[3];
        tree_sums sums = sums_of(view, u, range, s.cell[c], about);
        finish_cell(criterion_of(s.options), u, c, &sums, about, place.data(),
                    moments.data(), range);
        to->cell[c] = host_cell_of(s.cell[c], place[c], moments[c]);
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
    uint32_t buckets = do_round(&s, begin_all(&s));
    while (buckets > 0) buckets = do_round(&s, start_buckets(&s));
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
        start_groups(bits.data(), before.data(), w, group.data());
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
