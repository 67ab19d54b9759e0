/* SPDX-License-Identifier: MIT */
/*
 * Gragg-Bulirsch-Stoer extrapolation. A step is made in n equal substeps, for
 * growing n, and extrapolated to substeps of length 0 in even powers of the
 * length, since the leapfrog is time-symmetric (Gragg 1965; Bulirsch & Stoer
 * 1966). The increments of a step are extrapolated, not the positions, so that
 * rounding errors are relative to the increment. The order and length of the
 * next step minimise the work per unit of s (Deuflhard 1983; Hairer, Norsett &
 * Wanner 1993, section II.9).
 */
#include <math.h>

#include "fewbody/fewbody.h"

static const unsigned substeps[KOSHU_GBS_ROWS] = {2,  3,  4,  6, 8,
                                                  12, 16, 24, 32};

/* Force evaluations of a step that converges in this row. */
static double
work_until(unsigned row)
{
    double work = 0;
    for (unsigned k = 0; k <= row; k++) work += substeps[k];
    return work;
}

/* ---- one row ------------------------------------------------------------- */

/* How much number k of increment a exceeds that of b. */
static double
more_by(const struct koshu_increment *a, const struct koshu_increment *b,
        size_t k)
{
    return (a->sum[k] - b->sum[k]) + (a->rest[k] - b->rest[k]);
}

/* to = from + part (from - to). */
static void
go_beyond(struct koshu_increment *to, const struct koshu_increment *from,
          double part, size_t size)
{
#pragma omp simd
    for (size_t i = 0; i < size; i++) {
        const double more = part * more_by(from, to, i);
        struct koshu_sum s = {from->sum[i], from->rest[i]};
        koshu_sum_add(&s, more);
        to->sum[i] = s.sum;
        to->rest[i] = s.rest;
    }
}

/* The Aitken-Neville recursion: gbs->row[k] becomes T(row, row - k), from T(row
 * - 1, row - 1 - k), for k = row, ..., 0; row[row] is the new T(row, 0). */
static void
extrapolate(struct koshu_gbs *gbs, unsigned row, size_t size)
{
    for (unsigned k = row; k-- > 0;) {
        const double q = (double)substeps[row] / substeps[k];
        go_beyond(&gbs->row[k], &gbs->row[k + 1], 1 / (q * q - 1), size);
    }
}

static double
length(const double *v)
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Relative to the link's length at the end of the step, which may be at a
 * pericentre, or to the rate along the way, since it may be 0 at the end. */
static double
error_of_link(const struct koshu_gbs *gbs, const struct koshu_chain *c,
              size_t k, bool is_rate)
{
    const struct koshu_increment *best = &gbs->row[0];
    const struct koshu_sum *y = c->y + k;
    double error[3], from[3], added[3], end[3];
    for (size_t d = 0; d < 3; d++) {
        error[d] = more_by(best, &gbs->row[1], k + d);
        from[d] = y[d].sum;
        added[d] = best->sum[k + d];
        end[d] = (y[d].sum + added[d]) + (y[d].rest + best->rest[k + d]);
    }
    return length(error) /
           (is_rate ? length(from) + length(added) : length(end));
}

/* The largest relative error of links, their rates, and the time (relative to
 * the step). The time rounds as if slowed pairs had all their energy, of which
 * the Hamiltonian has 1 / kappa. */
static double
largest_error(const struct koshu_gbs *gbs, const struct koshu_chain *c)
{
    const size_t half = koshu_chain_half(c), n = 2 * half;
    double slowest = 1;
    for (size_t k = 0; k + 1 < c->n; k++)
        if (c->rate[k] < slowest) slowest = c->rate[k];
    const struct koshu_increment *best = &gbs->row[0];
    double largest =
            slowest * fabs(more_by(best, &gbs->row[1], n) / best->sum[n]);
    for (size_t k = 0; k < n; k += 3) {
        const double e = error_of_link(gbs, c, k, k >= half);
        if (!(e <= largest)) largest = e;
    }
    return largest;
}

/* ---- a step -------------------------------------------------------------- */

/* What an attempted step has shown about each row. */
struct rows {
    double s;                      /* length attempted */
    double length[KOSHU_GBS_ROWS]; /* the length that would converge in each
                                      row */
    double work[KOSHU_GBS_ROWS];   /* work per unit of s with that length */
    unsigned last;
    bool converged;
};

static void
judge(struct rows *rows, unsigned row, double error)
{
    const double shrink = 0.02, grow = 4, safety = 0.9;
    double factor = safety * pow(0.5 / error, 1.0 / (2 * row + 1));
    if (!(factor > shrink)) factor = shrink;
    if (factor > grow) factor = grow;
    rows->last = row;
    rows->length[row] = rows->s * factor;
    rows->work[row] = work_until(row) / fabs(rows->length[row]);
    rows->converged = error <= 1;
}

/* Whether no row up to one beyond the expected one can converge. */
static bool
is_hopeless(unsigned row, unsigned expected, double error)
{
    double reach = 1; /* of the remaining rows */
    if (row + 1 < expected) return false;
    for (unsigned k = row + 1; k <= expected + 1 && k < KOSHU_GBS_ROWS; k++)
        reach *= (double)substeps[k] / substeps[0];
    return !(error <= reach * reach);
}

static void
try_step(struct koshu_gbs *gbs, const struct koshu_chain *chain,
         const struct koshu_gbs_step *step, struct rows *rows)
{
    const size_t size = koshu_chain_size(chain);
    const unsigned end =
            step->row + 2 < KOSHU_GBS_ROWS ? step->row + 2 : KOSHU_GBS_ROWS;
    unsigned ready = 0; /* rows computed so far; all up to the expected one
                           are made in one go */
    *rows = (struct rows){.s = step->s};
    for (unsigned row = 0; row < end; row++) {
        if (row == ready) {
            ready = row > step->row ? row + 1 : step->row + 1;
            if (ready > end) ready = end;
            koshu_chain_rows(chain,
                             &(struct koshu_gbs_rows){step->s, row, ready,
                                                      substeps, gbs->row});
        }
        gbs->evaluations += substeps[row];
        if (row == 0) continue;
        extrapolate(gbs, row, size);
        const double error = largest_error(gbs, chain) / gbs->tolerance;
        judge(rows, row, error);
        if (rows->converged || is_hopeless(row, step->row, error)) return;
    }
}

/* The row of least work, or one more if that promises less. */
static struct koshu_gbs_step
plan_next(const struct rows *rows)
{
    enum { LAST = KOSHU_GBS_ROWS - 2 };
    unsigned row = rows->last;
    if (row > 1 && rows->work[row - 1] < 0.8 * rows->work[row])
        row--;
    else if (rows->converged && row < LAST &&
             (row == 1 || rows->work[row] < 0.9 * rows->work[row - 1])) {
        const double more = work_until(row + 1) / work_until(row);
        return (struct koshu_gbs_step){rows->length[row] * more, row + 1};
    }
    if (row > LAST) row = LAST;
    return (struct koshu_gbs_step){rows->length[row], row};
}

void
koshu_chain_add(struct koshu_chain *chain,
                const struct koshu_increment *increment)
{
    struct koshu_chain *c = chain;
    for (size_t k = 0; k < koshu_chain_size(c); k++) {
        struct koshu_sum *y = &c->y[k];
        koshu_sum_merge(
                y, (struct koshu_sum){increment->sum[k], increment->rest[k]});
        const double sum = y->sum + y->rest;
        y->rest -= sum - y->sum;
        y->sum = sum;
    }
}

koshu_status
koshu_gbs_advance(struct koshu_gbs *gbs, struct koshu_chain *chain,
                  struct koshu_gbs_step *step, double *made)
{
    enum { TRIES = 200 };
    for (int k = 0; k < TRIES; k++) {
        struct rows rows;
        *made = step->s;
        try_step(gbs, chain, step, &rows);
        *step = plan_next(&rows);
        if (rows.converged) {
            koshu_chain_add(chain, &gbs->row[0]);
            gbs->steps++;
            return KOSHU_OK;
        }
        gbs->rejected++;
        if (!(fabs(step->s) < fabs(*made))) step->s = *made / 2;
    }
    return KOSHU_ERROR_NOT_FINITE;
}
