/* SPDX-License-Identifier: MIT */
/*
 * Zoltan's recursive bisection as a reference for ours. In boxes whose longest
 * side is never in doubt both cut at the same weights, so that at most one
 * particle lies between their cuts, and domains are equally balanced.
 */
#include <math.h>
#include <string.h>

#include <zoltan.h>

#include "domain/domain.h"
#include "ranks.h"

enum { N = 8000, MAX_RANKS = 8 };

/* This rank's particles: every ranks-th. */
static struct {
    size_t n;
    double x[3][N], weight[N];
    uint64_t number[N];
    double low[3], high[3]; /* extent of all particles */
} here;

/* A number in [0, 1) for particle k (splitmix64). */
static double
uniform(uint64_t k)
{
    k = (k + 1) * 0x9e3779b97f4a7c15u;
    k = (k ^ k >> 30) * 0xbf58476d1ce4e5b9u;
    k = (k ^ k >> 27) * 0x94d049bb133111ebu;
    return (double)((k ^ k >> 31) >> 11) * 0x1p-53;
}

/* A box with these sides, denser towards one corner; weights are integers. */
static void
make_particles(const double side[3], double max_weight)
{
    const uint64_t ranks = (uint64_t)koshu_ranks_count(context),
                   rank = (uint64_t)koshu_ranks_rank(context);
    here.n = 0;
    for (int c = 0; c < 3; c++) here.low[c] = INFINITY, here.high[c] = 0;
    for (uint64_t k = 0; k < N; k++) {
        for (uint64_t c = 0; c < 3; c++) {
            const double u = uniform(4 * k + c), x = side[c] * u * (1 + u) / 2;
            here.low[c] = fmin(here.low[c], x);
            here.high[c] = fmax(here.high[c], x);
            here.x[c][here.n] = x;
        }
        here.weight[here.n] = 1 + floor(max_weight * uniform(4 * k + 3));
        here.number[here.n] = k;
        here.n += k % ranks == rank;
    }
}

/* ---- the two bisections -------------------------------------------------- */

/* part[k] for all particles, on all ranks, from the parts of this rank's. */
static void
gather(const uint32_t *of_mine, uint64_t *part)
{
    memset(part, 0, N * sizeof *part);
    for (size_t i = 0; i < here.n; i++) part[here.number[i]] = of_mine[i];
    assert_ok(context, koshu_sum_counts(context, part, N));
}

static void
bisect(uint64_t *part)
{
    static uint32_t owner[N];
    struct koshu_decomposition d = {.context = context,
                                    .n = here.n,
                                    .x = {here.x[0], here.x[1], here.x[2]},
                                    .weight = here.weight};
    memcpy(d.low, here.low, sizeof d.low);
    memcpy(d.high, here.high, sizeof d.high);
    assert_ok(context, koshu_bisect(&d, owner));
    gather(owner, part);
}

static int
count_objects(void *nothing, int *error)
{
    (void)nothing;
    *error = ZOLTAN_OK;
    return (int)here.n;
}

static void
list_objects(void *nothing, int n_gid, int n_lid, ZOLTAN_ID_PTR gid,
             ZOLTAN_ID_PTR lid, int n_weights, float *weight, int *error)
{
    (void)nothing, (void)n_gid, (void)n_lid, (void)n_weights;
    for (size_t i = 0; i < here.n; i++) {
        gid[i] = (ZOLTAN_ID_TYPE)here.number[i];
        lid[i] = (ZOLTAN_ID_TYPE)i;
        weight[i] = (float)here.weight[i];
    }
    *error = ZOLTAN_OK;
}

static int
count_dimensions(void *nothing, int *error)
{
    (void)nothing;
    *error = ZOLTAN_OK;
    return 3;
}

static void
give_places(void *nothing, int n_gid, int n_lid, int n, ZOLTAN_ID_PTR gid,
            ZOLTAN_ID_PTR lid, int dimensions, double *place, int *error)
{
    (void)nothing, (void)n_gid, (void)n_lid, (void)gid;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            place[i * dimensions + c] = here.x[c][lid[i]];
    *error = ZOLTAN_OK;
}

static struct Zoltan_Struct *
make_oracle(void)
{
    static const char *const parameters[][2] = {
            {"DEBUG_LEVEL", "0"},    {"LB_METHOD", "RCB"},
            {"OBJ_WEIGHT_DIM", "1"}, {"IMBALANCE_TOL", "1.0"},
            {"REMAP", "0"},          {"RETURN_LISTS", "PARTS"}};
    struct Zoltan_Struct *z = Zoltan_Create(MPI_COMM_WORLD);
    assert_non_null(z);
    for (size_t k = 0; k < sizeof parameters / sizeof parameters[0]; k++)
        assert_int_equal(
                Zoltan_Set_Param(z, parameters[k][0], parameters[k][1]),
                ZOLTAN_OK);
    Zoltan_Set_Num_Obj_Fn(z, count_objects, NULL);
    Zoltan_Set_Obj_List_Fn(z, list_objects, NULL);
    Zoltan_Set_Num_Geom_Fn(z, count_dimensions, NULL);
    Zoltan_Set_Geom_Multi_Fn(z, give_places, NULL);
    return z;
}

static void
ask_oracle(uint64_t *part)
{
    static uint32_t owner[N];
    struct Zoltan_Struct *z = make_oracle();
    int changes, n_gid, n_lid, imports, exports, *from, *from_part, *to,
            *to_part;
    ZOLTAN_ID_PTR in_gid, in_lid, gid, lid;
    assert_int_equal(Zoltan_LB_Partition(z, &changes, &n_gid, &n_lid, &imports,
                                         &in_gid, &in_lid, &from, &from_part,
                                         &exports, &gid, &lid, &to, &to_part),
                     ZOLTAN_OK);
    assert_int_equal(exports, here.n);
    for (int i = 0; i < exports; i++) owner[lid[i]] = (uint32_t)to_part[i];
    Zoltan_LB_Free_Part(&in_gid, &in_lid, &from, &from_part);
    Zoltan_LB_Free_Part(&gid, &lid, &to, &to_part);
    Zoltan_Destroy(&z);
    gather(owner, part);
}

/* ---- comparison ---------------------------------------------------------- */

static double
weight_of(uint64_t k, double max_weight)
{
    return 1 + floor(max_weight * uniform(4 * k + 3));
}

static double
imbalance(const uint64_t *part, double max_weight)
{
    double sum = 0, largest = 0, of[MAX_RANKS] = {0};
    for (uint64_t k = 0; k < N; k++) {
        assert_in_range(part[k], 0, MAX_RANKS - 1);
        of[part[k]] += weight_of(k, max_weight);
        sum += weight_of(k, max_weight);
    }
    for (int r = 0; r < MAX_RANKS; r++) largest = fmax(largest, of[r]);
    return largest * koshu_ranks_count(context) / sum;
}

/* Fraction of the particles that are in different domains. */
static double
weight_between(const uint64_t *a, const uint64_t *b, double max_weight)
{
    double between = 0;
    for (uint64_t k = 0; k < N; k++)
        if (a[k] != b[k]) between += weight_of(k, max_weight);
    return between;
}

static void
compare(const double side[3], double max_weight)
{
    static uint64_t ours[N], zoltans[N];
    const int cuts = koshu_ranks_count(context) - 1;
    const double domain = N * (1 + max_weight / 2) / (cuts + 1);
    /* one particle per cut, and what a cut may miss by */
    const double particles = cuts * (1 + max_weight + domain / 128),
                 missed = 1 + ceil(log2(cuts + 1)) / 128;
    make_particles(side, max_weight);
    bisect(ours);
    ask_oracle(zoltans);
    assert_true(weight_between(ours, zoltans, max_weight) <= particles);
    assert_true(imbalance(ours, max_weight) <=
                missed * imbalance(zoltans, max_weight));
    for (uint64_t k = 0; k < N; k++) /* the check must notice others */
        zoltans[k] = (zoltans[k] + 1) % MAX_RANKS;
    assert_true(weight_between(ours, zoltans, max_weight) > particles);
}

static void
test_cuts_of_a_long_box_are_zoltans(void **state)
{
    (void)state;
    const double side[3] = {1, 1e-3, 1e-3};
    compare(side, 0);
    compare(side, 100);
}

/* Numbers of domains for which each part's longest side is not in doubt; for
 * others the two may start with a different cut. */
static void
test_cuts_of_a_box_are_zoltans(void **state)
{
    (void)state;
    const int ranks = koshu_ranks_count(context);
    const double side[3] = {1, 0.75, 0.6};
    if ((ranks & (ranks - 1)) != 0) skip();
    compare(side, 0);
    compare(side, 100);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cuts_of_a_long_box_are_zoltans),
        cmocka_unit_test(test_cuts_of_a_box_are_zoltans),
};

int
main(int argc, char **argv)
{
    float version;
    if (!koshu_ranks_launched()) return 77; /* Zoltan needs MPI */
    context = test_context(NULL, 1);
    assert_ok(context, koshu_ranks_initialise(context));
    if (Zoltan_Initialize(argc, argv, &version) != ZOLTAN_OK) return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    koshu_context_destroy(context);
    koshu_ranks_finalise();
    return failed;
}
