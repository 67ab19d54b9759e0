/* SPDX-License-Identifier: MIT */
/* Finds which j-particle an i-particle is itself: see self.h. */
#include "solve/self.h"

#include <string.h>

#include "backend/backend.h"
#include "base/base.h"

/* ---- which ids there may be ---------------------------------------------- */

koshu_status
koshu_check_ids(struct koshu_context *context, size_t n, const int64_t *id,
                bool of_j)
{
    const int64_t least = of_j ? 0 : KOSHU_NO_ID;
    for (size_t k = 0; id && k < n; k++)
        if (id[k] < least)
            return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                              "id[%zu] = %lld of the %s", k, (long long)id[k],
                              of_j ? "j-particles: expected 0 or more"
                                   : "i-particles: expected 0 or more, or "
                                     "KOSHU_NO_ID (-1)");
    return KOSHU_OK;
}

/* ---- particles against themselves --------------------------------------- */

koshu_status
koshu_self_reserve(struct koshu_context *context, uint64_t **self,
                   size_t *n_self, size_t n)
{
    if (n <= *n_self) return KOSHU_OK;
    KOSHU_TRY(koshu_grow(context, (void **)self, n_self, n, sizeof **self,
                         "self indices"));
    for (size_t i = 0; i < *n_self; i++) (*self)[i] = i;
    return KOSHU_OK;
}

/* ---- ids that are indices ------------------------------------------------ */

static bool
are_indices(const struct koshu_id_sets *sets)
{
    const int64_t *id = sets->i->id;
    for (size_t s = 0; s < sets->n; s++) {
        const size_t n_j = sets->j_offset[s + 1] - sets->j_offset[s];
        for (size_t i = sets->i_offset[s]; i < sets->i_offset[s + 1]; i++)
            if ((uint64_t)id[i] >= n_j && id[i] != KOSHU_NO_ID) return false;
    }
    return true;
}

static void
limit_indices(const struct koshu_id_sets *sets, uint64_t *self)
{
    for (size_t s = 0; s < sets->n; s++) {
        const size_t n_j = sets->j_offset[s + 1] - sets->j_offset[s];
        for (size_t i = sets->i_offset[s]; i < sets->i_offset[s + 1]; i++) {
            const uint64_t id = (uint64_t)sets->i->id[i];
            self[i] = id < n_j ? id : KOSHU_NO_SELF;
        }
    }
}

/* ---- any ids ------------------------------------------------------------- */

/* A hash table with linear probing for the ids of one set. An entry is 1 + the
 * index of a j-particle; 0: empty. */
struct table {
    size_t mask; /* number of entries - 1; that number is a power of two */
    size_t *entry;
};

static size_t
entries_for(size_t n)
{
    size_t entries = 2;
    while (entries / 2 < n) entries *= 2;
    return entries;
}

/* The entry of an id, or the empty one where it belongs. */
static size_t *
find(const struct table *t, const int64_t *j_id, int64_t id)
{
    const uint64_t x = (uint64_t)id * 0x9e3779b97f4a7c15u; /* Knuth 6.4 */
    for (size_t k = (size_t)(x ^ x >> 32) & t->mask;; k = (k + 1) & t->mask)
        if (t->entry[k] == 0 || j_id[t->entry[k] - 1] == id)
            return &t->entry[k];
}

/* Enters the ids of n j-particles whose indices begin at j_first. */
static koshu_status
fill(struct koshu_context *context, struct table *t, const int64_t *j_id,
     size_t j_first, size_t n)
{
    const int64_t *id = j_id + j_first;
    t->mask = entries_for(n) - 1;
    memset(t->entry, 0, (t->mask + 1) * sizeof *t->entry);
    for (size_t j = 0; j < n; j++) {
        size_t *entry = find(t, id, id[j]);
        if (*entry)
            return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                              "id[%zu] = %lld of the j-particles is that of "
                              "j-particle %zu, too: ids of a set must differ",
                              j_first + j, (long long)id[j],
                              j_first + *entry - 1);
        *entry = j + 1;
    }
    return KOSHU_OK;
}

static koshu_status
look_up(struct koshu_context *context, const struct koshu_id_sets *sets,
        struct table *t, uint64_t *self)
{
    for (size_t s = 0; s < sets->n; s++) {
        const size_t j_first = sets->j_offset[s];
        KOSHU_TRY(fill(context, t, sets->j->id, j_first,
                       sets->j_offset[s + 1] - j_first));
        for (size_t i = sets->i_offset[s]; i < sets->i_offset[s + 1]; i++) {
            const size_t found =
                    *find(t, sets->j->id + j_first, sets->i->id[i]);
            self[i] = found ? found - 1 : KOSHU_NO_SELF;
        }
    }
    return KOSHU_OK;
}

static koshu_status
look_up_all(struct koshu_context *context, const struct koshu_id_sets *sets,
            uint64_t *self)
{
    size_t largest = 0;
    for (size_t s = 0; s < sets->n; s++) {
        const size_t n_j = sets->j_offset[s + 1] - sets->j_offset[s];
        if (largest < n_j) largest = n_j;
    }
    KOSHU_TRY(koshu_check_ids(context, sets->j->n, sets->j->id, true));
    struct table t = {
            .entry = koshu_alloc(entries_for(largest), sizeof *t.entry)};
    if (!t.entry)
        return koshu_fail_memory(context,
                                 entries_for(largest) * sizeof *t.entry,
                                 "ids of j-particles");
    const koshu_status status = look_up(context, sets, &t, self);
    koshu_free(t.entry);
    return status;
}

/* ---- both ---------------------------------------------------------------- */

koshu_status
koshu_self_find(struct koshu_context *context, const struct koshu_id_sets *sets,
                const uint64_t **self, uint64_t **memory)
{
    const struct koshu_i_particles *i = sets->i;
    *self = *memory = NULL;
    if (!i->id || i->n == 0) return KOSHU_OK;
    KOSHU_TRY(koshu_check_ids(context, i->n, i->id, false));
    if (!sets->j->id && are_indices(sets)) {
        *self = (const uint64_t *)i->id; /* -1 and KOSHU_NO_SELF are the same */
        return KOSHU_OK;
    }
    uint64_t *found = koshu_alloc(i->n, sizeof *found);
    if (!found)
        return koshu_fail_memory(context, i->n * sizeof *found,
                                 "ids of i-particles");
    *self = *memory = found;
    if (sets->j->id) return look_up_all(context, sets, found);
    limit_indices(sets, found);
    return KOSHU_OK;
}
