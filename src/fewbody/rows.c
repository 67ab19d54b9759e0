/* SPDX-License-Identifier: MIT */
/*
 * Runs several leapfrogs of one chain side by side. Each operation of a
 * leapfrog waits for the one before; four leapfrogs, for four rows of an
 * extrapolation, take little longer than one in vectors of four. (In vectors of
 * two, they take almost as long as one by one.) Each gives the same bits as
 * koshu_chain_leapfrog().
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "fewbody/fewbody.h"

enum { LANES = 4, MAX_BODIES = 8, MAX_SIZE = 6 * (MAX_BODIES - 1) + 2 };

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef int64_t mask __attribute__((vector_size(LANES * sizeof(int64_t))));

#define MOTION_REAL lanes
#define MOTION_NAME(name) motion_##name##_lanes
#define MOTION_SIZE MAX_SIZE
#define MOTION_SQRT(x) square_root(x)
#define MOTION_ADD_FIELD(p, time, n, x, f) add_field(p, time, n, x, f)

#define IN_LINE static inline __attribute__((always_inline, unused))

IN_LINE lanes
square_root(lanes x)
{
    double y[LANES];
    memcpy(y, &x, sizeof x);
    for (int l = 0; l < LANES; l++) y[l] = sqrt(y[l]);
    memcpy(&x, y, sizeof x);
    return x;
}

IN_LINE void
add_field(const struct koshu_perturbers *p, lanes time, size_t n, lanes (*x)[3],
          lanes (*f)[3])
{
    for (int l = 0; l < LANES; l++) {
        double at[MAX_BODIES][3], of[MAX_BODIES][3];
        for (size_t k = 0; k < n; k++)
            for (size_t d = 0; d < 3; d++) {
                at[k][d] = x[k][d][l];
                of[k][d] = f[k][d][l];
            }
        p->field(p->user, time[l], n, (const double(*)[3])at, of);
        for (size_t k = 0; k < n; k++)
            for (size_t d = 0; d < 3; d++) f[k][d][l] = of[k][d];
    }
}

#include "fewbody/motion.h"

/* ---- which row a lane makes ---------------------------------------------- */

/* The work of one lane. */
struct turn {
    unsigned row, left; /* left: steps of its row still to do; NONE: no more
                           rows */
    double kick, drift; /* of the next step */
    int64_t begins;     /* ~0: starts a row, from the chain's state; else 0 */
};
enum { NONE = UINT_MAX };

struct table {
    struct motion_motion_lanes motion;
    lanes x[MAX_SIZE / 2], v[MAX_SIZE / 2]; /* state of the chain */
    const struct koshu_gbs_rows *rows;
    struct turn turn[LANES];
    unsigned next; /* how many rows wait for a lane */
};

/* A row begins with a drift alone. */
IN_LINE void
begin_row(struct table *t, struct turn *turn)
{
    *turn = (struct turn){.left = NONE, .begins = ~(int64_t)0};
    if (t->next == 0) return;
    turn->row = t->rows->first + --t->next;
    turn->left = t->rows->substeps[turn->row];
    turn->drift = t->rows->s / turn->left / 2;
}

IN_LINE void
go_on(const struct table *t, struct turn *turn)
{
    const double h = t->rows->s / t->rows->substeps[turn->row];
    turn->left--;
    turn->kick = h;
    turn->drift = turn->left > 0 ? h : h / 2;
}

IN_LINE void
end_row(const struct table *t, size_t n, int lane)
{
    struct koshu_increment *to = &t->rows->to[t->turn[lane].row];
    for (size_t k = 0; k < 6 * (n - 1) + 2; k++) {
        to->sum[k] = t->motion.added[k].sum[lane];
        to->rest[k] = t->motion.added[k].rest[lane];
    }
}

/* Plans the next operation of all lanes; false: all rows are done. */
IN_LINE bool
plan(struct table *t, size_t n)
{
    bool more = false;
    for (int l = 0; l < LANES; l++) {
        struct turn *turn = &t->turn[l];
        turn->begins = 0;
        if (turn->left == 0) {
            end_row(t, n, l);
            begin_row(t, turn);
        } else if (turn->left != NONE)
            go_on(t, turn);
        more = more || turn->left != NONE;
    }
    return more;
}

/* a where the mask is set, else b. */
IN_LINE lanes
choose(mask m, lanes a, lanes b)
{
    return (lanes)(((mask)a & m) | ((mask)b & ~m));
}

/* Sets whole vectors, as loading a vector right after writing parts of it is
 * slow. */
IN_LINE void
begin_lanes(struct table *t, size_t n)
{
    struct motion_motion_lanes *m = &t->motion;
    const struct turn *turn = t->turn;
    const size_t half = 3 * (n - 1);
    const lanes none = {0};
    const mask begins = {turn[0].begins, turn[1].begins, turn[2].begins,
                         turn[3].begins};
    if (!(turn[0].begins | turn[1].begins | turn[2].begins | turn[3].begins))
        return;
    for (size_t k = 0; k < 2 * half + 2; k++) {
        m->added[k].sum = choose(begins, none, m->added[k].sum);
        m->added[k].rest = choose(begins, none, m->added[k].rest);
    }
    for (size_t k = 0; k < half; k++) {
        m->x[k] = choose(begins, t->x[k], m->x[k]);
        m->v[k] = choose(begins, t->v[k], m->v[k]);
    }
}

IN_LINE void
make_rows(const struct koshu_chain *c, size_t n,
          const struct koshu_gbs_rows *rows)
{
    const size_t half = 3 * (n - 1);
    struct table t = {.rows = rows, .next = rows->end - rows->first};
    const struct turn *turn = t.turn;
    t.motion.chain = c;
    for (size_t k = 0; k < half; k++) {
        t.x[k] = (lanes){0} + koshu_sum_value(c->y[k]);
        t.v[k] = (lanes){0} + koshu_sum_value(c->y[half + k]);
    }
    for (int l = 0; l < LANES; l++) begin_row(&t, &t.turn[l]);
    do {
        begin_lanes(&t, n);
        motion_kick_lanes(&t.motion, n,
                          (lanes){turn[0].kick, turn[1].kick, turn[2].kick,
                                  turn[3].kick});
        motion_drift_lanes(&t.motion, n,
                           (lanes){turn[0].drift, turn[1].drift, turn[2].drift,
                                   turn[3].drift});
    } while (plan(&t, n));
}

/* One by one, from the first. */
static void
make_each(const struct koshu_chain *chain, const struct koshu_gbs_rows *rows)
{
    for (unsigned row = rows->first; row < rows->end; row++)
        koshu_chain_leapfrog(chain, rows->s, rows->substeps[row],
                             &rows->to[row]);
}

#ifdef __x86_64__
static __attribute__((target("avx2"))) void
make_in_lanes(const struct koshu_chain *chain,
              const struct koshu_gbs_rows *rows)
{
    switch (chain->n) {
    case 2: make_rows(chain, 2, rows); break;
    case 3: make_rows(chain, 3, rows); break;
    case 4: make_rows(chain, 4, rows); break;
    case 5: make_rows(chain, 5, rows); break;
    default: make_rows(chain, chain->n, rows);
    }
}

static bool
has_lanes(void)
{
    return __builtin_cpu_supports("avx2");
}
#else
static void
make_in_lanes(const struct koshu_chain *chain,
              const struct koshu_gbs_rows *rows)
{
    make_each(chain, rows);
}

static bool
has_lanes(void)
{
    return false;
}
#endif

void
koshu_chain_rows(const struct koshu_chain *chain,
                 const struct koshu_gbs_rows *rows)
{
    const bool several = rows->end - rows->first > 1;
    if (several && chain->n <= MAX_BODIES && has_lanes())
        make_in_lanes(chain, rows);
    else
        make_each(chain, rows);
}
