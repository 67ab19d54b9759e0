/* SPDX-License-Identifier: MIT */
/*
 * Each rank's device sends data to each other one; here the devices are host
 * arrays. Rank a has for rank b two chunks of words that encode a, b and their
 * index. Some chunks are empty, some longer than a buffer of the transport.
 */
#include <stdlib.h>

#include "host_traffic.h"

enum { GO, COME, MAX_RANKS = 8, BUFFER = KOSHU_TRAFFIC_BUFFER / 8 };

struct koshu_device_arrays {
    uint64_t *word[2][MAX_RANKS]; /* sent and received */
};

/* Number of words in chunk c. */
static size_t
words(int from, int to, size_t c)
{
    static const size_t some[] = {0, 1, 1000, BUFFER, 2 * BUFFER + 7};
    return some[((size_t)from + 2 * (size_t)to + c) % 5];
}

static uint64_t
word_of(int from, int to, size_t k)
{
    return (uint64_t)from << 48 | (uint64_t)to << 40 | k;
}

static size_t
chunks(const struct koshu_device_arrays *arrays,
       const struct koshu_traffic_range *range,
       struct koshu_traffic_chunk chunks[KOSHU_TRAFFIC_CHUNKS])
{
    const int mine = koshu_context_rank(context), other = range->first;
    const bool goes = range->array == GO;
    uint64_t *at = arrays->word[range->array][other];
    assert_int_equal(range->n, 1);
    for (size_t c = 0; c < 2; c++) {
        const size_t n = words(goes ? mine : other, goes ? other : mine, c);
        chunks[c] = (struct koshu_traffic_chunk){at, n * sizeof *at};
        at += n;
    }
    return 2;
}

/* ---- a device ------------------------------------------------------------ */

static const struct koshu_traffic_ops ops = {.wait = do_nothing,
                                             .chunks = chunks,
                                             .start = do_nothing,
                                             .finish = do_nothing,
                                             .stage = &host_stage};

/* ---- the tests ----------------------------------------------------------- */

static void
fill(struct koshu_device_arrays *a)
{
    const int mine = koshu_context_rank(context);
    for (int r = 0; r < koshu_context_ranks(context); r++) {
        const size_t n = words(mine, r, 0) + words(mine, r, 1),
                     m = words(r, mine, 0) + words(r, mine, 1);
        a->word[GO][r] = calloc(n + 1, sizeof(uint64_t));
        a->word[COME][r] = calloc(m + 1, sizeof(uint64_t));
        for (size_t k = 0; k < n; k++) a->word[GO][r][k] = word_of(mine, r, k);
        memset(a->word[COME][r], 0xff, (m + 1) * sizeof(uint64_t));
    }
}

/* Checks every word, and that nothing is written beyond the last. */
static void
check_all_came(const struct koshu_device_arrays *a)
{
    const int mine = koshu_context_rank(context);
    for (int r = 0; r < koshu_context_ranks(context); r++) {
        const size_t m = words(r, mine, 0) + words(r, mine, 1);
        for (size_t k = 0; k < m && r != mine; k++)
            assert_true(a->word[COME][r][k] == word_of(r, mine, k));
        assert_true(a->word[COME][r][r == mine ? 0 : m] == UINT64_MAX);
    }
}

static void
everything_comes_once(void **state)
{
    (void)state;
    struct koshu_device_arrays a;
    struct koshu_device_all_to_all *x;
    const struct koshu_device_all_to_all_options options = {
            .ops = &ops, .arrays = &a, .transport = KOSHU_TRANSPORT_AUTO};
    assert_in_range(koshu_context_ranks(context), 1, MAX_RANKS);
    fill(&a);
    assert_ok(context, koshu_device_all_to_all_create(context, &options, &x));
    for (int times = 0; times < 2; times++) {
        assert_ok(context, koshu_device_all_to_all_close(x));
        assert_ok(context, koshu_device_all_to_all_open(x));
        assert_ok(context, koshu_device_all_to_all_move(x, GO, COME, 0));
        check_all_came(&a);
    }
    koshu_device_all_to_all_destroy(x);
    for (int r = 0; r < koshu_context_ranks(context); r++) {
        free(a.word[GO][r]);
        free(a.word[COME][r]);
    }
}

/* These devices cannot write into each other's memory. */
static void
a_transport_is_refused(void **state)
{
    (void)state;
    struct koshu_device_arrays a;
    struct koshu_device_all_to_all *x;
    const struct koshu_device_all_to_all_options options = {
            .ops = &ops, .arrays = &a, .transport = KOSHU_TRANSPORT_PEER};
    assert_ok(context, koshu_device_all_to_all_create(context, &options, &x));
    assert_fails(context, KOSHU_ERROR_UNSUPPORTED, "peer",
                 koshu_device_all_to_all_open(x));
    koshu_device_all_to_all_destroy(x);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_comes_once),
        cmocka_unit_test(a_transport_is_refused),
};
RANKS_MAIN(tests)
