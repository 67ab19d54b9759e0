/* SPDX-License-Identifier: MIT */
/* One particle is so far away that the others look like a point from there. */
#include <math.h>

#include <koshu/solver.h>

#include "cluster.h"
#include "particles/particles.h"
#include "rows.h"
#include "subject.h"
#include "system.h"
#include "scales.h"

/* GPUs are tested as far as koshu/force.h promises. */
static void
expect_far(method *by, const char *name, size_t n, int n_variants,
           double tolerance)
{
    struct system *s = system_create_self(n, n, 0, true);
    const int farthest = subject_is("cuda") ? 30 : 100;
    for (int power = 5; power <= farthest; power += 5) {
        struct tally tally = {0};
        s->xj[n / 2] = ldexp(1, power);
        system_match(s);
        for (int soft = 0; soft < 2; soft++) {
            struct forces *expected =
                    system_definition(s, softenings[soft].eps);
            for (int w = 0; w < n_variants; w++)
                expect(by, name, s, &variants[w], &softenings[soft],
                       (struct scale){0, 0}, expected,
                       tolerance + variants[w].tolerance, &tally);
            forces_destroy(expected);
        }
        if (power <= 60) assert_int_equal(tally.refused, 0);
    }
    system_destroy(s);
}

/* Uses a smaller opening angle: at theta = 0.5 a group that a far particle is
 * split from has larger errors than OF_CELLS allows, which is not the point
 * here. */
static koshu_status
solve_finely(const struct system *s, const struct variant *variant, double eps,
             enum koshu_traversal traversal, struct forces *f)
{
    const struct koshu_solver_options o =
            solver_options(KOSHU_METHOD_TREE, variant, eps);
    tree.opening_criterion = KOSHU_OPENING_CRITERION_GEOMETRIC;
    tree.theta = 0.25;
    tree.traversal = traversal;
    return solve(s, &o, 1, f);
}

static koshu_status
by_fine_tree(const struct system *s, const struct variant *variant, double eps,
             struct forces *f)
{
    return solve_finely(s, variant, eps, KOSHU_TRAVERSAL_AUTO, f);
}

static koshu_status
by_fine_lists(const struct system *s, const struct variant *variant, double eps,
              struct forces *f)
{
    return solve_finely(s, variant, eps, KOSHU_TRAVERSAL_HOST, f);
}

/* Fewer particles than a group has, and more. */
static void
one_far_particle(void **state)
{
    (void)state;
    static const size_t sizes[] = {3, N_FEW, N};
    for (int k = 0; k < 3; k++) {
        expect_far(directly, "direct", sizes[k], N_VARIANTS, 0);
        expect_far(on_store, "store", sizes[k], N_VARIANTS, 0);
        expect_far(by_fine_tree, "tree", sizes[k], 2, OF_CELLS);
        expect_far(by_fine_lists, "lists", sizes[k], 2, OF_CELLS);
    }
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_far_particle),
};

SUBJECT_MAIN(tests)
