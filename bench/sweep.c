/* SPDX-License-Identifier: MIT */
/* Measures rows for everything that the options list, one after the other. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/harness.h"

/* The last row that was measured. */
struct before {
    size_t n;
    double seconds;
};

/* ---- axes ---------------------------------------------------------------- */

/* The length of the list of an axis. Lists of counts and of numbers begin
 * with their length; an empty one counts as 1 and leaves the row's member as
 * it is. */
static size_t
length(const struct bench *b, const struct bench_axis *axis)
{
    const char *list = (const char *)b->own + axis->list.offset;
    const size_t n = axis->list.type ? *(const size_t *)list : 1;
    return n > 0 ? n : 1;
}

static size_t
count_rows(const struct bench *b, const struct bench_axis *axes)
{
    size_t rows = 1;
    for (; axes->list.type; axes++) rows *= length(b, axes);
    return rows;
}

static void
set(const struct bench *b, const struct bench_axis *axis, size_t k, void *row)
{
    const void *list = (const char *)b->own + axis->list.offset;
    void *member = (char *)row + axis->member.offset;
    const struct count_list *counts = list;
    const struct number_list *numbers = list;
    if (axis->list.type == FIELD_COUNTS && counts->n > 0)
        *(size_t *)member = counts->value[k];
    if (axis->list.type == FIELD_NUMBERS && numbers->n > 0)
        *(double *)member = numbers->value[k];
}

/* ---- rows ---------------------------------------------------------------- */

/* Starts row k of this part and N: the last axis changes fastest. */
static void
begin(const struct bench *b, const struct bench_table *t, size_t part, size_t n,
      size_t k, void *row)
{
    struct bench_row *base = row;
    size_t rest = count_rows(b, t->axes);
    memset(row, 0, t->row_size);
    *base = bench_row(b, n);
    set(b, &t->parts, part, row);
    for (const struct bench_axis *axis = t->axes; axis->list.type; axis++) {
        rest /= length(b, axis);
        set(b, axis, k / rest % length(b, axis), row);
    }
    base->interactions = (double)n * (double)base->n_i;
}

/* Would the row take too long? Then prints that it is skipped. */
static bool
is_skipped(const struct bench *b, const struct bench_table *t, size_t n,
           const struct before *before)
{
    const double ratio = (double)n / (double)before->n,
                 seconds = before->seconds * pow(ratio, t->power);
    if (t->longest == 0 || b->options->n.given || before->n == 0 ||
        seconds <= t->longest)
        return false;
    if (!b->options->json)
        printf("%8zu would take about %.2g s: request it with --n %zu\n", n,
               seconds, n);
    return true;
}

/* Measures all rows of a part, an N and a number of threads. */
static koshu_status
sweep_axes(struct bench *b, size_t part, size_t n, struct before *before,
           void *row)
{
    const struct bench_table *t = b->output->table;
    const size_t rows = count_rows(b, t->axes);
    for (size_t k = 0; k < rows; k++) {
        if (is_skipped(b, t, n, before)) continue;
        begin(b, t, part, n, k, row);
        const double start = koshu_now();
        KOSHU_TRY(t->measure(b, row));
        *before = (struct before){n, koshu_now() - start};
        KOSHU_TRY(bench_add(b, row));
    }
    return KOSHU_OK;
}

static koshu_status
sweep_part(struct bench *b, size_t part, void *row)
{
    const struct count_list *n = &b->options->n,
                            *threads = &b->options->threads;
    struct before before = {0};
    for (size_t k = 0; k < n->n; k++)
        for (size_t t = 0; t < (threads->n ? threads->n : 1); t++) {
            KOSHU_TRY(bench_use_threads(b, threads->value[t]));
            KOSHU_TRY(sweep_axes(b, part, n->value[k], &before, row));
        }
    return KOSHU_OK;
}

koshu_status
bench_sweep(struct bench *b, const struct bench_table *table)
{
    const size_t parts = length(b, &table->parts);
    koshu_status status = KOSHU_OK;
    void *row = malloc(table->row_size);
    if (!row) return koshu_fail_memory(b->context, table->row_size, "a row");
    for (size_t k = 0; status == KOSHU_OK && k < parts; k++) {
        bench_start(b, table, 0);
        status = sweep_part(b, k, row);
    }
    free(row);
    return status;
}
