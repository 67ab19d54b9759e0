/* SPDX-License-Identifier: MIT */
/*
 * Clusters: which are open, and opening and closing them.
 *
 * A lock protects opening and closing. Looking up an open cluster, which
 * happens for every j-particle, takes two loads and no lock.
 */
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "compat/environment.h"
#include "compat/g6/functions.h"
#include "compat/g6/g6.h"

/* The initial capacity of a store, which grows. */
enum { FIRST_CAPACITY = 1024, MAX_CLUSTERS = 64 };

static struct {
    pthread_mutex_t lock;
    int open;
    atomic_int count; /* of clusters; 0: settings not read yet */
    int npipes;
    struct koshu_compat_settings settings;
    _Atomic(struct koshu_g6_cluster *) cluster[MAX_CLUSTERS];
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The remainder, never negative. */
static int
place_of(int number, int count)
{
    int rest = number % count;
    return rest < 0 ? rest + count : rest;
}

/* ---- one cluster --------------------------------------------------------- */

static void
pass_on(void *user, enum koshu_log_level level, const char *message)
{
    if (koshu_compat_tells(user, level)) koshu_g6_say("%s", message);
}

static int
make_context(struct koshu_g6_cluster *c)
{
    char fault[KOSHU_COMPAT_LINE];
    if (koshu_compat_context(&all.settings, pass_on, &all.settings, &c->context,
                             fault) == 0)
        return 0;
    return koshu_g6_fail("cluster %d: %s", c->number, fault);
}

void
koshu_g6_introduce(const struct koshu_g6_cluster *c)
{
    char line[KOSHU_COMPAT_LINE];
    if (koshu_compat_describe(c->context, &all.settings, line))
        koshu_g6_say("cluster %d: %s, %d pipelines", c->number, line,
                     all.npipes);
}

static void
destroy(struct koshu_g6_cluster *c)
{
    if (!c) return;
    free(c->buffer.block);
    koshu_g6_sums_free(&c->sums);
    free(c->lists.count);
    free(c->lists.address);
    koshu_g6_pipes_free(&c->pipes);
    koshu_j_store_destroy(c->store);
    koshu_context_destroy(c->context);
    free(c);
}

static int
make_store(struct koshu_g6_cluster *c)
{
    struct koshu_j_store_options options = koshu_j_store_options_default();
    options.precision = all.settings.precision;
    return koshu_g6_check(c, "g6_open",
                          koshu_j_store_create(c->context, FIRST_CAPACITY,
                                               &options, &c->store));
}

static struct koshu_g6_cluster *
create(int number)
{
    struct koshu_g6_cluster *c = calloc(1, sizeof *c);
    if (!c) {
        koshu_g6_say("cluster %d: out of memory", number);
        return NULL;
    }
    c->number = number;
    c->wants_nearest = true;
    if (make_context(c) != 0 || make_store(c) != 0) {
        destroy(c);
        return NULL;
    }
    if (all.settings.verbose) koshu_g6_introduce(c);
    return c;
}

/* ---- the table, under the lock ------------------------------------------- */

static int
ensure_settings(void)
{
    char fault[KOSHU_COMPAT_LINE];
    int npipes = 48, clusters = 1;
    struct koshu_compat_settings s = {.prefix = "KOSHU_G6",
                                      .precision = KOSHU_PRECISION_MIXED};
    if (all.count > 0) return 0;
    if (koshu_compat_settings_read(&s, fault) ||
        koshu_compat_int(s.prefix, "NPIPES", 1, INT_MAX, &npipes, fault) ||
        koshu_compat_int(s.prefix, "CLUSTERS", 1, MAX_CLUSTERS, &clusters,
                         fault))
        return koshu_g6_fail("%s", fault);
    all.settings = s;
    all.npipes = npipes;
    all.count = clusters;
    return 0;
}

static void
forget_settings_if_closed(void)
{
    if (all.open == 0) all.count = 0;
}

static struct koshu_g6_cluster *
find_or_open(int number)
{
    if (ensure_settings() != 0) return NULL;
    int place = place_of(number, all.count);
    struct koshu_g6_cluster *c = all.cluster[place];
    if (!c) {
        c = create(place);
        if (c) all.open++;
        all.cluster[place] = c;
        forget_settings_if_closed();
    }
    return c;
}

/* ---- what the others call ------------------------------------------------ */

struct koshu_g6_cluster *
koshu_g6_cluster(int number)
{
    int count = all.count;
    struct koshu_g6_cluster *c =
            count > 0 ? all.cluster[place_of(number, count)] : NULL;
    if (c) return c;
    pthread_mutex_lock(&all.lock);
    c = find_or_open(number);
    pthread_mutex_unlock(&all.lock);
    return c;
}

int
koshu_g6_check(const struct koshu_g6_cluster *c, const char *function,
               koshu_status status)
{
    if (status == KOSHU_OK) return 0;
    return koshu_g6_fail("cluster %d: %s: %s", c->number, function,
                         koshu_compat_reason(c->context, status));
}

int
koshu_g6_no_memory(const struct koshu_g6_cluster *c, const char *function)
{
    return koshu_g6_fail("cluster %d: %s: out of memory", c->number, function);
}

void
koshu_g6_forget(struct koshu_g6_cluster *c)
{
    c->sums.started = c->sums.running = false;
    c->lists.read = false;
}

/* ---- the functions of the library ---------------------------------------- */

int
koshu_g6_open(int cluster)
{
    return koshu_g6_cluster(cluster) ? 0 : -1;
}

int
koshu_g6_open_special(int n, int *list)
{
    if (n < 1 || !list) return koshu_g6_open(0);
    for (int k = 0; k < n; k++)
        if (koshu_g6_open(list[k]) != 0) return -1;
    return 0;
}

int
koshu_g6_open_special2(int n, int *list, int nmax)
{
    (void)nmax;
    return koshu_g6_open_special(n, list);
}

int
koshu_g6_close(int cluster)
{
    pthread_mutex_lock(&all.lock);
    if (all.count > 0) {
        int place = place_of(cluster, all.count);
        struct koshu_g6_cluster *c = all.cluster[place];
        all.cluster[place] = NULL;
        if (c) all.open--;
        forget_settings_if_closed();
        destroy(c);
    }
    pthread_mutex_unlock(&all.lock);
    return 0;
}

int
koshu_g6_reset(int cluster)
{
    struct koshu_g6_cluster *c = koshu_g6_cluster(cluster);
    if (!c) return -1;
    koshu_g6_forget(c);
    return 0;
}

int
koshu_g6_npipes(void)
{
    pthread_mutex_lock(&all.lock);
    int npipes = ensure_settings() == 0 ? all.npipes : 48;
    pthread_mutex_unlock(&all.lock);
    return npipes;
}

int
koshu_g6_set_tunit(int unit)
{
    (void)unit;
    return 0;
}

int
koshu_g6_set_overflow_flag_test_mode(int aflag, int jflag, int pflag)
{
    (void)aflag, (void)jflag, (void)pflag;
    return 0;
}
