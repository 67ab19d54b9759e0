/* SPDX-License-Identifier: MIT */
/* Arrays that grow: of sums, and of i-particles set one by one. */
#include <stdlib.h>
#include <string.h>

#include "compat/g6/g6.h"

/* ---- sums ---------------------------------------------------------------- */

enum { ARRAYS = 15 };

void
koshu_g6_sums_free(struct koshu_g6_sums *s)
{
    free(s->x[0]);
    free(s->id);
    free(s->nearest_index);
    s->x[0] = NULL;
    s->id = NULL;
    s->nearest_index = NULL;
    s->capacity = 0;
}

bool
koshu_g6_sums_reserve(struct koshu_g6_sums *s, size_t n)
{
    if (n <= s->capacity) return true;
    koshu_g6_sums_free(s);
    double **const arrays[ARRAYS] = {
            &s->x[0],    &s->x[1],      &s->x[2],      &s->v[0],
            &s->v[1],    &s->v[2],      &s->h2,        &s->a[0],
            &s->a[1],    &s->a[2],      &s->jerk[0],   &s->jerk[1],
            &s->jerk[2], &s->potential, &s->nearest_r2};
    double *memory = reallocarray(NULL, n, ARRAYS * sizeof *memory);
    s->x[0] = memory; /* one allocation for all */
    s->id = reallocarray(NULL, n, sizeof *s->id);
    s->nearest_index = reallocarray(NULL, n, sizeof *s->nearest_index);
    if (!memory || !s->id || !s->nearest_index) return false;
    for (size_t k = 0; k < ARRAYS; k++) *arrays[k] = memory + k * n;
    s->capacity = n;
    return true;
}

/* ---- i-particles --------------------------------------------------------- */

void
koshu_g6_pipes_free(struct koshu_g6_pipes *p)
{
    free(p->index);
    free(p->x);
    free(p->v);
    free(p->eps2);
    free(p->h2);
    *p = (struct koshu_g6_pipes){0};
}

#define GROW(array)                                                        \
    do {                                                                   \
        void *grown = reallocarray(p->array, (size_t)n, sizeof *p->array); \
        if (!grown) return false;                                          \
        p->array = grown;                                                  \
        memset(p->array + p->capacity, 0,                                  \
               (size_t)(n - p->capacity) * sizeof *p->array);              \
    } while (0)

bool
koshu_g6_pipes_reserve(struct koshu_g6_pipes *p, int n)
{
    if (n <= p->capacity) return true;
    if (n < 2 * p->capacity) n = 2 * p->capacity;
    GROW(index);
    GROW(x);
    GROW(v);
    GROW(eps2);
    GROW(h2);
    p->capacity = n;
    return true;
}
