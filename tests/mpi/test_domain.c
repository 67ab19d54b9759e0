/* SPDX-License-Identifier: MIT */
/* Communication between any number of ranks. */
#include <math.h>
#include <stdlib.h>

#include "domain/domain.h"
#include "particles/particles.h"
#include "ranks.h"

static int rank, ranks;

static void
test_joins(void **state)
{
    (void)state;
    rank = koshu_ranks_rank(context);
    ranks = koshu_ranks_count(context);
    assert_in_range(rank, 0, ranks - 1);
    assert_int_equal(koshu_ranks_count(alone), 1);
    assert_string_equal(koshu_ranks_transport(alone), "");
    if (ranks > 1) {
        assert_non_null(koshu_ranks_library());
        assert_non_null(strstr(koshu_ranks_transport(context), "host-staged"));
    }
}

/* Slices are consecutive, end at n, and differ in size by at most one. */
static void
test_slices(void **state)
{
    (void)state;
    for (size_t n = 0; n < 40; n++) {
        size_t end = 0;
        for (int r = 0; r < ranks; r++) {
            struct koshu_slice s = koshu_slice_of(n, r, ranks);
            assert_int_equal(s.first, end);
            assert_in_range(s.n, n / (size_t)ranks, n / (size_t)ranks + 1);
            end += s.n;
        }
        assert_int_equal(end, n);
        size_t first, mine;
        koshu_ranks_slice(context, n, &first, &mine);
        assert_int_equal(first, koshu_slice_of(n, rank, ranks).first);
        assert_int_equal(mine, koshu_slice_of(n, rank, ranks).n);
    }
}

/* Each rank fails in turn, and then all at once: every rank gets the status and
 * the message of the lowest failing rank. */
static void
test_agrees(void **state)
{
    (void)state;
    assert_ok(context, koshu_ranks_collective_status(context, KOSHU_OK));
    for (int bad = 0; bad <= ranks; bad++) {
        char expected[64], own[64];
        int lowest = bad < ranks ? bad : 0;
        snprintf(own, sizeof own, "the words of %d", rank);
        snprintf(expected, sizeof expected, "the words of %d", lowest);
        koshu_status mine =
                rank == bad || bad == ranks
                        ? koshu_fail(context, KOSHU_ERROR_IO, "%s", own)
                        : KOSHU_OK;
        assert_fails(context, KOSHU_ERROR_IO, expected,
                     koshu_ranks_collective_status(context, mine));
        if (lowest > 0)
            assert_non_null(strstr(koshu_context_message(context), "rank "));
    }
    unsigned flags = 1u << (rank % 8), all = 0;
    for (int r = 0; r < ranks; r++) all |= 1u << (r % 8);
    assert_ok(context, koshu_collective_status(context, KOSHU_OK, &flags));
    if (ranks > 1) assert_int_equal(flags, all);
}

/* If one rank has too little memory, all report bad input: exit status 2 on
 * each. */
static void
test_refused_memory_is_refused_to_all(void **state)
{
    (void)state;
    koshu_status status = KOSHU_OK;
    if (rank == ranks - 1)
        status = koshu_require_memory(context, (uint64_t)1 << 60, "all of it",
                                      "ask for less");
    assert_fails(context, KOSHU_ERROR_OUT_OF_MEMORY, "ask for less",
                 koshu_ranks_collective_status(context, status));
    assert_true(koshu_memory_was_refused(context));
    if (rank == 0) status = koshu_fail_memory(context, 64, "a few bytes");
    assert_fails(context, KOSHU_ERROR_OUT_OF_MEMORY, "a few bytes",
                 koshu_ranks_collective_status(context, status));
    assert_false(koshu_memory_was_refused(context));
}

static void
test_gathers(void **state)
{
    (void)state;
    int mine = 100 + rank, *all = calloc((size_t)ranks, sizeof *all);
    size_t *n = calloc((size_t)ranks, sizeof *n), total = 0;
    assert_ok(context, koshu_all_gather(context, &mine, sizeof mine, all));
    for (int r = 0; r < ranks; r++) assert_int_equal(all[r], 100 + r);
    free(all);
    /* rank r contributes r % 3 items of 12 bytes */
    for (int r = 0; r < ranks; r++) total += n[r] = (size_t)(r % 3);
    int part[2][3], (*parts)[3] = calloc(total + 1, sizeof *parts);
    for (int k = 0; k < 2; k++)
        for (int c = 0; c < 3; c++) part[k][c] = 100 * rank + 10 * k + c;
    assert_ok(context,
              koshu_all_gather_parts(context, part, sizeof part[0], n, parts));
    size_t at = 0;
    for (int r = 0; r < ranks; r++)
        for (int k = 0; k < (int)n[r]; k++, at++)
            for (int c = 0; c < 3; c++)
                assert_int_equal(parts[at][c], 100 * r + 10 * k + c);
    assert_int_equal(at, total);
    free(parts);
    free(n);
}

static void
test_sends_to_each(void **state)
{
    (void)state;
    size_t *n = calloc((size_t)ranks, sizeof *n), total = 0;
    for (int r = 0; r < ranks; r++) total += n[r] = (size_t)(r % 3 + 1);
    int *mine = calloc(total, sizeof *mine);
    int *all = calloc(3 * (size_t)ranks, sizeof *all);
    for (size_t k = 0; k < total; k++) mine[k] = 1000 * rank + (int)k;
    assert_ok(context, koshu_all_to_all(context, mine, sizeof *mine, n, all));
    size_t first = 0, own = n[rank];
    for (int r = 0; r < rank; r++) first += n[r];
    for (int r = 0; r < ranks; r++)
        for (size_t k = 0; k < own; k++)
            assert_int_equal(all[(size_t)r * own + k],
                             1000 * r + (int)(first + k));
    free(all);
    free(mine);
    free(n);
}

static void
test_broadcasts(void **state)
{
    (void)state;
    for (int from = 0; from < ranks; from++) {
        int number = rank == from ? 7 + from : -1;
        assert_ok(context,
                  koshu_broadcast(context, from, &number, sizeof number));
        assert_int_equal(number, 7 + from);
    }
    double largest = rank == ranks / 2 ? 5 : -rank;
    assert_ok(context, koshu_largest(context, &largest));
    assert_near(largest, 5, 0);
}

/* ---- sums ---------------------------------------------------------------- */

enum { N_SUMS = 3 };

/* Numbers of very different magnitude, so that any other order of summation
 * shows. */
static void
add(const void *user, size_t begin, size_t end, struct koshu_sum *sums)
{
    size_t first = *(const size_t *)user;
    for (size_t i = first + begin; i < first + end; i++)
        for (int k = 0; k < N_SUMS; k++) {
            double x = (double)(i * 2654435761u % 1009 + 1) * (k - 1.5);
            koshu_sum_add(&sums[k], x * x * x / 3 * (i % 7 ? 1 : 1e9));
        }
}

static koshu_status
sum(struct koshu_context *c, size_t n, size_t block, double sums[N_SUMS])
{
    struct koshu_slice slice =
            koshu_slice_of(n, koshu_context_rank(c), koshu_context_ranks(c));
    const struct koshu_summation s = {.context = c,
                                      .threads = 1,
                                      .slice = slice,
                                      .total = n,
                                      .block = block,
                                      .n_sums = N_SUMS,
                                      .add = add,
                                      .user = &slice.first};
    return koshu_sum_particles(&s, sums);
}

/* The sum has the bits of one rank; blocks smaller and larger than slices. */
static void
test_sums(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 5, 8, 17, 1000};
    static const size_t blocks[] = {1, 2, 3, 7, 100, 5000};
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 6; k++) {
            double one[N_SUMS], all[N_SUMS] = {NAN, NAN, NAN};
            assert_ok(alone, sum(alone, sizes[i], blocks[k], one));
            assert_ok(context, sum(context, sizes[i], blocks[k], all));
            assert_memory_equal(one, all, sizeof one);
        }
    /* the check must notice a different order */
    double a[N_SUMS], b[N_SUMS];
    assert_ok(context, sum(context, 1000, 1, a));
    assert_ok(context, sum(context, 1001, 1, b));
    assert_memory_not_equal(a, b, sizeof a);
}

/* Array element of a particle, by its original number among all. */
static double
element(size_t k, size_t array)
{
    return sin((double)k + 0.1 * (double)array);
}

static void
write_all(struct koshu_particles *p)
{
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_on_host(p, koshu_particles_fields(p),
                                               KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t a = KOSHU_ARRAY_MASS; a < KOSHU_ARRAYS; a++) {
        double *array = koshu_particle_array(&v, a);
        for (size_t i = 0; array && i < v.n; i++)
            array[i] = element(koshu_particles_first(p) + i, a);
    }
}

/* Checks that particles are unchanged after those with numbers divisible by
 * `gone` have been removed; 0: none has. */
static void
assert_all(struct koshu_particles *p, size_t gone)
{
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_on_host(p, koshu_particles_fields(p),
                                               KOSHU_ACCESS_READ, &v));
    assert_int_equal(v.n, koshu_particles_count(p));
    for (size_t i = 0; i < v.n; i++) {
        size_t k = koshu_particles_first(p) + i;
        if (gone) k = k / (gone - 1) * gone + k % (gone - 1) + 1;
        assert_int_equal(v.id[i], k);
        for (size_t a = KOSHU_ARRAY_MASS; a < KOSHU_ARRAYS; a++) {
            const double *array = koshu_particle_array(&v, a);
            if (array) assert_true(array[i] == element(k, a));
        }
    }
}

/* Moves all particles to rank 0, removes some there, and moves the rest
 * back. */
static void
test_moves_to_one_rank(void **state)
{
    (void)state;
    enum { GONE = 3 };
    static const size_t sizes[] = {2, 7, 100};
    for (int s = 0; s < 3; s++) {
        struct koshu_particles *p;
        uint32_t go[100];
        size_t n = 0;
        assert_ok(context, koshu_particles_create(context, sizes[s], &p));
        write_all(p);
        assert_ok(context, koshu_particles_to_first_rank(p));
        assert_int_equal(koshu_particles_count(p), rank == 0 ? sizes[s] : 0);
        assert_all(p, 0);
        assert_ok(context, koshu_particles_to_all_ranks(p));
        assert_all(p, 0);
        assert_ok(context, koshu_particles_to_first_rank(p));
        for (size_t k = 0; k < sizes[s]; k += GONE) go[n++] = (uint32_t)k;
        if (rank == 0) assert_ok(context, koshu_particles_remove(p, n, go));
        assert_ok(context, koshu_particles_to_all_ranks(p));
        const struct koshu_slice mine =
                koshu_slice_of(sizes[s] - n, rank, ranks);
        assert_int_equal(koshu_particles_total(p), sizes[s] - n);
        assert_int_equal(koshu_particles_first(p), mine.first);
        assert_int_equal(koshu_particles_count(p), mine.n);
        assert_all(p, GONE);
        koshu_particles_destroy(p);
    }
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joins),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_agrees),
        cmocka_unit_test(test_refused_memory_is_refused_to_all),
        cmocka_unit_test(test_gathers),
        cmocka_unit_test(test_sends_to_each),
        cmocka_unit_test(test_broadcasts),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_moves_to_one_rank),
};
RANKS_MAIN(tests)
