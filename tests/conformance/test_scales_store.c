/* SPDX-License-Identifier: MIT */
/* Units of length and mass do not matter for the sums of a j-particle store. */
#include <math.h>

#include <koshu/solver.h>

#include "cluster.h"
#include "particles/particles.h"
#include "rows.h"
#include "subject.h"
#include "system.h"
#include "scales.h"

/* Exponent of the velocity scale that keeps the system in balance. */
static int
speed_of(struct scale at)
{
    return (at.mass - at.length) / 2;
}

static struct cluster *
scaled_cluster(const struct cluster *c, struct scale at, double eps)
{
    struct cluster *to = cluster_create_self(c->n_i, c->n_j, 0);
    to->eps = eps;
    for (size_t j = 0; j < c->n_j; j++) {
        to->j[j].mass = ldexp(c->j[j].mass, at.mass);
        for (int k = 0; k < 3; k++) {
            to->j[j].x[k] = ldexp(c->j[j].x[k], at.length);
            to->j[j].v[k] = ldexp(c->j[j].v[k], speed_of(at));
        }
    }
    cluster_match(to);
    return to;
}

static void
scale_sums_back(struct sums *s, struct scale at)
{
    const int a = 2 * at.length - at.mass, jerk = a + at.length - speed_of(at);
    for (size_t i = 0; i < s->n; i++) {
        struct koshu_jerk_result *r = &s->of[i];
        for (int k = 0; k < 3; k++) {
            r->a[k] = ldexp(r->a[k], a);
            r->jerk[k] = ldexp(r->jerk[k], jerk);
        }
        r->potential = ldexp(r->potential, at.length - at.mass);
        r->nearest_r2 = ldexp(r->nearest_r2, -2 * at.length);
    }
}

static void
expect_sums(const struct cluster *c, const struct variant *variant,
            const struct softening *soft, struct scale at,
            const struct sums *expected, struct tally *tally)
{
    const double eps = soft->fixed ? soft->eps : ldexp(soft->eps, at.length);
    struct cluster *there = scaled_cluster(c, at, eps);
    struct koshu_j_store *memory =
            cluster_memory(subject_context(), there, variant->precision);
    const struct koshu_j_store_start_options options = {
            .size = sizeof options, .softening = eps, .nearest = true};
    const koshu_status status =
            rows_start(memory, &options, there->n_j, there->n_i, there->i);
    tally->done++;
    if (status == KOSHU_ERROR_UNSUPPORTED) {
        refuse("memory", tally);
    } else {
        assert_ok(subject_context(), status);
        struct sums *s = memory_sums(subject_context(), memory, there);
        scale_sums_back(s, at);
        const size_t wrong = sums_wrong(s, expected, c, variant_rounds(variant),
                                        variant->tolerance);
        if (wrong)
            fail_msg("memory, %s, lengths 2^%d, masses 2^%d, eps = %g: %zu are "
                     "wrong",
                     variant->name, at.length, at.mass, eps, wrong);
        sums_destroy(s);
    }
    koshu_j_store_destroy(memory);
    cluster_destroy(there);
}

static void
memories(void **state)
{
    (void)state;
    struct cluster *c = cluster_create_self(N / 4, N, 0);
    for (int w = 0; w < 3; w++)
        for (int e = 0; e < N_SOFTENINGS; e++) {
            struct tally tally = {0};
            for (int l = 0; l < N_LENGTHS; l++) {
                c->eps = eps_at_one(&softenings[e], lengths[l]);
                struct sums *expected =
                        cluster_definition(c, variant_rounds(&variants[w]));
                for (int m = 0; m < N_MASSES; m++)
                    expect_sums(c, &variants[w], &softenings[e],
                                (struct scale){lengths[l], masses[m]}, expected,
                                &tally);
                sums_destroy(expected);
            }
            print_message("memory, %s, eps %g: %zu of %zu refused\n",
                          variants[w].name, softenings[e].eps, tally.refused,
                          tally.done);
            assert_true(tally.refused < tally.done);
            if (!softenings[e].fixed) assert_int_equal(tally.refused, 0);
        }
    cluster_destroy(c);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(memories),
};

SUBJECT_MAIN(tests)
