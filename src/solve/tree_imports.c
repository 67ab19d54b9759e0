/* SPDX-License-Identifier: MIT */
/* Essential trees of a treecode: see tree_imports.h. */
#include "solve/tree_imports.h"

#include "base/base.h"

static const struct koshu_tree_imports *
of(const struct koshu_imports *imports)
{
    return (const struct koshu_tree_imports *)imports;
}

static size_t
find_targets(const struct koshu_imports *imports, void *target)
{
    const struct koshu_tree_imports *m = of(imports);
    if (m->groups->n == 0) return 0;
    return koshu_tree_targets(m->tree, m->groups, m->a, target);
}

static koshu_status
make(const struct koshu_imports *imports, const void *target, size_t n,
     void *essential)
{
    return koshu_essential_make(of(imports)->tree, target, n, essential);
}

static koshu_status
reserve_forest(struct koshu_imports *imports)
{
    struct koshu_tree_imports *m = (struct koshu_tree_imports *)imports;
    const struct koshu_essential *in = koshu_imports_in(imports);
    size_t trees = 0, cells = 0, particles = 0;
    for (size_t r = 0; r < imports->ranks; r++) {
        trees += in[r].n_cells > 0;
        cells += in[r].n_cells;
        particles += in[r].n_particles;
    }
    return koshu_forest_begin(&m->forest, m->tree, trees, cells, particles);
}

static size_t
parts_of(const struct koshu_imports *imports, void *essential,
         struct koshu_import_part part[KOSHU_IMPORT_PARTS])
{
    struct koshu_essential *e = essential;
    (void)imports;
    part[0] = KOSHU_IMPORT_PART(e, cell, n_cells, 1);
    part[1] = KOSHU_IMPORT_PART(e, particle, n_particles, 1);
    return 2;
}

static void
free_essential(void *essential)
{
    koshu_essential_free(essential);
}

static const struct koshu_imports_ops ops = {
        .target = sizeof(struct koshu_tree_target),
        .max_targets = KOSHU_TREE_TARGETS,
        .essential = sizeof(struct koshu_essential),
        .targets = find_targets,
        .make = make,
        .parts = parts_of,
        .reserve = reserve_forest,
        .free = free_essential};

koshu_status
koshu_tree_imports_start(struct koshu_tree_imports *imports,
                         const struct koshu_tree *tree,
                         const struct koshu_groups *groups, const double *a)
{
    imports->all.ops = &ops;
    imports->all.context = tree->context;
    imports->tree = tree;
    imports->groups = groups;
    imports->a = a;
    return koshu_imports_start(&imports->all, tree->n > 1 << 12);
}

koshu_status
koshu_tree_imports_wait(struct koshu_tree_imports *imports)
{
    const struct koshu_essential *in = koshu_imports_in(&imports->all);
    KOSHU_TRY(koshu_transfer_wait(imports->all.context));
    for (size_t r = 0; r < imports->all.ranks; r++)
        koshu_forest_add(&imports->forest, &in[r]);
    return KOSHU_OK;
}

void
koshu_tree_imports_free(struct koshu_tree_imports *imports)
{
    koshu_imports_free(&imports->all);
    koshu_forest_free(&imports->forest);
}
