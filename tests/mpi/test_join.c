/* SPDX-License-Identifier: MIT */
/* Contexts of programs that use MPI themselves: with their own communicators,
 * and with invalid ones. */
#include <string.h>

#include <mpi.h>

#include <koshu/diagnostics.h>
#include <koshu/initial.h>
#include <koshu/particles.h>
#include <koshu/ranks.h>
#include <koshu/solver.h>

#include "check.h"

static int rank, ranks;

/* Before MPI_Init the call must fail. */
static void
test_needs_mpi(void **state)
{
    (void)state;
    struct koshu_context *c = test_context(NULL, 1);
    assert_fails(c, KOSHU_ERROR_INVALID_ARGUMENT, "MPI is not running",
                 koshu_ranks_initialise_from(c, 0));
    assert_int_equal(koshu_ranks_count(c), 1);
    koshu_context_destroy(c);
}

static void
test_needs_a_communicator(void **state)
{
    (void)state;
    struct koshu_context *c = test_context(NULL, 1);
    assert_fails(c, KOSHU_ERROR_INVALID_ARGUMENT, "is not a communicator",
                 koshu_ranks_initialise_from(c, MPI_Comm_c2f(MPI_COMM_NULL)));
    assert_int_equal(koshu_ranks_count(c), 1);
    koshu_context_destroy(c);
}

/* Total mass and potential energy of a Plummer sphere. */
static struct koshu_diagnostics
sphere(struct koshu_context *c, size_t n)
{
    struct koshu_initial_options options = koshu_initial_options_default();
    struct koshu_solver_options solving = koshu_solver_options_default();
    struct koshu_particles *p;
    struct koshu_solver *s;
    struct koshu_diagnostics d = {.size = sizeof d};
    options.n = n;
    solving.precision = KOSHU_PRECISION_DOUBLE;
    assert_ok(c, koshu_initial_create(c, &options, &p));
    assert_int_equal(koshu_particles_total(p), n);
    assert_ok(c, koshu_solver_create(c, &solving, &s));
    assert_ok(c,
              koshu_solver_forces(
                      s, p, KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL));
    assert_ok(c, koshu_diagnostics_compute(p, &d));
    koshu_solver_destroy(s);
    koshu_particles_destroy(p);
    return d;
}

/* Even and odd ranks compute different things at the same time. Meanwhile the
 * program has its own message under way on the same communicator, with an
 * arbitrary tag, and frees the communicator before koshu is done. */
static void
test_halves(void **state)
{
    (void)state;
    MPI_Comm half;
    MPI_Request request;
    int odd = rank % 2, sent = 41 + rank, received = -1, mine;
    assert_int_equal(MPI_Comm_split(MPI_COMM_WORLD, odd, rank, &half),
                     MPI_SUCCESS);
    int size, own;
    MPI_Comm_size(half, &size);
    MPI_Comm_rank(half, &own);
    MPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, half,
              &request);

    struct koshu_context *c = test_context(NULL, 1), *one;
    assert_ok(c, koshu_ranks_initialise_from(c, MPI_Comm_c2f(half)));
    assert_int_equal(koshu_ranks_count(c), size);
    assert_int_equal(koshu_ranks_rank(c), own);
    one = test_context(NULL, 1);
    struct koshu_diagnostics d = sphere(c, odd ? 50 : 77);
    struct koshu_diagnostics e = sphere(one, odd ? 50 : 77);
    assert_near(d.mass, e.mass, 0);
    /* the sums differ by rounding */
    assert_near(d.potential / e.potential, 1, 1e-14);
    MPI_Send(&sent, 1, MPI_INT, (own + 1) % size, 5, half);
    /* the message is the program's own, not one of koshu's */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert_int_equal(received, 41 + 2 * ((own + size - 1) % size) + odd);

    MPI_Comm_free(&half);
    d = sphere(c, 20);
    assert_near(d.mass, 1, 1e-15);
    mine = koshu_ranks_rank(c);
    assert_int_equal(mine, own);
    koshu_context_destroy(c);
    koshu_context_destroy(one);
}

/* A context may be given other ranks and leaves its former ones. */
static void
test_joins_again(void **state)
{
    (void)state;
    struct koshu_context *c = test_context(NULL, 1);
    assert_ok(c, koshu_ranks_initialise_from(c, MPI_Comm_c2f(MPI_COMM_SELF)));
    assert_int_equal(koshu_ranks_count(c), 1);
    assert_ok(c, koshu_ranks_collective_status(c, KOSHU_OK));
    assert_near(sphere(c, 30).mass, 1, 1e-15);
    assert_ok(c, koshu_ranks_initialise(c));
    assert_int_equal(koshu_ranks_count(c), ranks);
    assert_near(sphere(c, 30).mass, 1, 1e-15);
    /* does nothing, because the program initialised MPI */
    koshu_ranks_finalise();
    int finalized;
    MPI_Finalized(&finalized);
    assert_false(finalized);
    koshu_context_destroy(c);
}

/* After MPI_Finalize destroying a context is not an error. */
static void
test_after_the_end(void **state)
{
    (void)state;
    struct koshu_context *late = test_context(NULL, 1);
    struct koshu_context *c = test_context(NULL, 1);
    assert_ok(late, koshu_ranks_initialise(late));
    MPI_Finalize();
    assert_fails(c, KOSHU_ERROR_UNSUPPORTED, "has been finalised",
                 koshu_ranks_initialise(c));
    assert_fails(c, KOSHU_ERROR_INVALID_ARGUMENT, "MPI is not running",
                 koshu_ranks_initialise_from(c, 0));
    koshu_context_destroy(late);
    koshu_context_destroy(c);
}

int
main(void)
{
    const struct CMUnitTest before[] = {cmocka_unit_test(test_needs_mpi)};
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_needs_a_communicator),
            cmocka_unit_test(test_halves),
            cmocka_unit_test(test_joins_again),
            cmocka_unit_test(test_after_the_end),
    };
    int failed = cmocka_run_group_tests(before, NULL, NULL);
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
