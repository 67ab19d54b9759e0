/* SPDX-License-Identifier: MIT */
/*
 * koshu bench --papers: each table and figure of the five papers, with the
 * command that reproduces it, and the last measurement. Benchmarks declare what
 * they reproduce; here is what other commands reproduce, and what cannot be
 * reproduced.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cases.h"
#include "bench/items.h"
#include "bench/measured.h"

/* In the order of their years. */
static const struct paper_name {
    const char *tag, *title;
} papers[] = {
        {"Hamada07", "Hamada & Iitaka 2007, the Chamomile scheme"},
        {"Belleman08", "Belleman, Bedorf & Portegies Zwart 2008, kirin"},
        {"Hamada09", "Hamada et al. 2009, 42 Tflop/s"},
        {"Hamada10", "Hamada & Nitadori 2010, 190 Tflop/s"},
        {"Miki13", "Miki, Takahashi & Mori 2013, direct sums"},
};
enum { N_PAPERS = sizeof papers / sizeof papers[0] };

/* With a command or, where there is none, the reason. */
static const struct other {
    const char *paper, *item, *what, *command, *reason;
} others[] = {
#define DRAWING(paper, item, what)           \
    {                                        \
        paper, item, what, NULL, "a drawing" \
    }
#define PHOTO(paper, item, what)                \
    {                                           \
        paper, item, what, NULL, "a photograph" \
    }
#define CODE(paper, item, what)                   \
    {                                             \
        paper, item, what, NULL, "another's code" \
    }
#define THEIRS(paper, item, what)                \
    {                                            \
        paper, item, what, NULL, "their machine" \
    }
        DRAWING("Hamada07", "Fig. 1", "the GeForce 8800 GTX"),
        DRAWING("Hamada07", "Fig. 2", "a GRAPE system"),
        DRAWING("Hamada07", "Fig. 3", "the scheme"),
        PHOTO("Hamada07", "Fig. 4", "the image behind the scheme"),
        DRAWING("Hamada07", "Fig. 5", "the scheme on the GPU"),
        DRAWING("Hamada07", "Fig. 6", "sequential access to j-particles"),
        DRAWING("Hamada07", "Fig. 7", "virtual multiple pipelines"),
        {"Hamada07", "Fig. 8", "the loop over j-particles",
         "koshu interact --show gravity", NULL},
        DRAWING("Hamada07", "Fig. 9", "subroutines of the library"),
        {"Hamada07", "Fig. 10",
         "a program that measures (examples/chamomile.c)",
         "cc chamomile.c -lkoshu_cunbody -lm", NULL},
        CODE("Hamada07", "Fig. 11", "Mark Harris's loop"),
        {"Hamada07", "Fig. 12", "a driver of the force",
         "koshu interact gravity --i FILE", NULL},
        {"Hamada07", "Fig. 13", "a driver of force and jerk",
         "koshu interact gravity-jerk --i FILE", NULL},
        {"Hamada07", "Fig. 14", "the pipeline of the force",
         "koshu interact --show gravity", NULL},
        {"Hamada07", "Fig. 15", "that of force, jerk and potential",
         "koshu interact --show gravity-jerk", NULL},
        {"Hamada07", "Table 1", "the system", "koshu info", NULL},

        DRAWING("Belleman08", "Fig. 1", "access to memory"),

        DRAWING("Hamada09", "Fig. 1", "division of space"),
        DRAWING("Hamada09", "Fig. 2", "an interaction list"),
        DRAWING("Hamada09", "Fig. 4", "how the next three are to be read"),
        {"Hamada09", "Fig. 5", "i-parallel sums", "koshu bench tree --compare",
         NULL},
        {"Hamada09", "Fig. 6", "j-parallel sums", "koshu bench tree --compare",
         NULL},
        {"Hamada09", "Fig. 7", "multiple walks", "koshu bench tree --compare",
         NULL},
        {"Hamada09", "Fig. 8", "rate of each step of a run",
         "koshu plot performance.csv -o rates.png", NULL},
        {"Hamada09", "Fig. 9", "stages of each step of a run",
         "koshu plot performance.csv -o stages.png", NULL},
        {"Hamada09", "Fig. 10", "snapshots of a universe",
         "koshu plot snapshot_* -o film.png", NULL},
        PHOTO("Hamada09", "Fig. 16", "cluster and GPU"),
        THEIRS("Hamada09", "Table 2", "price of the cluster"),

        DRAWING("Hamada10", "Fig. 1", "division of space"),
        DRAWING("Hamada10", "Fig. 2", "an interaction list"),
        DRAWING("Hamada10", "Fig. 3", "how the next three are to be read"),
        {"Hamada10", "Fig. 4", "i-parallel sums", "koshu bench tree --compare",
         NULL},
        {"Hamada10", "Fig. 5", "j-parallel sums", "koshu bench tree --compare",
         NULL},
        {"Hamada10", "Fig. 6", "multiple walks", "koshu bench tree --compare",
         NULL},
        {"Hamada10", "Fig. 8", "rate of each step of a run",
         "koshu plot performance.csv -o rates.png", NULL},
        {"Hamada10", "Fig. 9", "stages of each step of a run",
         "koshu plot performance.csv -o stages.png", NULL},
        {"Hamada10", "Fig. 10", "snapshots of a universe",
         "koshu plot snapshot_* -o film.png", NULL},
        PHOTO("Hamada10", "Fig. 11", "a GPU"),
        THEIRS("Hamada10", "Fig. 12", "network of the cluster"),
        PHOTO("Hamada10", "Fig. 13", "cluster and node"),
        THEIRS("Hamada10", "Table 1", "price of the cluster"),

        {"Miki13", "Table 1", "the machine", "koshu info", NULL},
        {"Miki13", "Fig. 1", "rates of kernel shapes", "koshu tune --all",
         NULL},
        DRAWING("Miki13", "Fig. 2", "two GPUs"),
        DRAWING("Miki13", "Fig. 3", "send, then synchronise"),
        DRAWING("Miki13", "Fig. 4", "synchronise, then receive"),
        {"Miki13", "Fig. 5", "both of these, compared",
         "koshu tune --devices 0,1", NULL},
        DRAWING("Miki13", "Fig. 6", "the transfer phase"),
        DRAWING("Miki13", "Fig. 7", "the accumulation phase"),
        DRAWING("Miki13", "Fig. 8", "data in each of its stages"),
        {"Miki13", "Fig. 11", "the model of these rates", "koshu bench model",
         NULL},
        DRAWING("Miki13", "Fig. 14", "streams that overlap"),
};
enum { N_OTHERS = sizeof others / sizeof others[0], COMMAND = 256 };

/* A row of the list. */
struct entry {
    int paper, kind, number;
    const char *item, *what, *reason;
    char command[COMMAND]; /* "": `reason` has why */
};

/* ---- the order ----------------------------------------------------------- */

static int
paper_number(const char *tag)
{
    for (int k = 0; k < N_PAPERS; k++)
        if (strcmp(papers[k].tag, tag) == 0) return k;
    return N_PAPERS;
}

static struct entry
entry_of(const char *paper, const char *item, const char *what)
{
    struct entry e = {.paper = paper_number(paper), .item = item, .what = what};
    e.kind = (unsigned char)item[0];
    e.number = atoi(strchr(item, ' ') + 1);
    return e;
}

/* Entries of the same item keep their order. */
static bool
comes_before(const struct entry *a, const struct entry *b)
{
    if (a->paper != b->paper) return a->paper < b->paper;
    /* tables before figures */
    if (a->kind != b->kind) return a->kind > b->kind;
    return a->number < b->number;
}

static void
insert(struct entry *entries, size_t *n, const struct entry *e)
{
    size_t k = (*n)++;
    for (; k > 0 && comes_before(e, &entries[k - 1]); k--)
        entries[k] = entries[k - 1];
    entries[k] = *e;
}

/* ---- the list ------------------------------------------------------------ */

static size_t
count_items(const struct bench_case *const cases[], size_t n_cases)
{
    size_t n = N_OTHERS;
    for (size_t k = 0; k < n_cases; k++)
        for (const struct bench_item *i = cases[k]->items; i && i->paper; i++)
            n++;
    return n;
}

static void
insert_case(const struct bench_case *c, struct entry *entries, size_t *n)
{
    for (const struct bench_item *i = c->items; i && i->paper; i++) {
        struct entry e = entry_of(i->paper, i->item, i->what);
        snprintf(e.command, COMMAND, "%skoshu bench %s%s%s",
                 strcmp(c->name, "scaling") == 0 ? "mpirun -n 8 " : "", c->name,
                 i->options[0] ? " " : "", i->options);
        insert(entries, n, &e);
    }
}

static void
insert_others(struct entry *entries, size_t *n)
{
    for (size_t k = 0; k < N_OTHERS; k++) {
        const struct other *o = &others[k];
        struct entry e = entry_of(o->paper, o->item, o->what);
        e.reason = o->reason;
        snprintf(e.command, COMMAND, "%s", o->command ? o->command : "");
        insert(entries, n, &e);
    }
}

/* ---- printing ------------------------------------------------------------ */

static void
print_measured(const struct bench_measurement *m)
{
    if (!m) return;
    printf("  %-10s %s: N = %s, %s s", "", m->date, m->n, m->seconds);
    if (m->rate[0] != '-') printf(", %s pairs/s", m->rate);
    printf("; %s", printable(m->device));
    if (m->version[0] != '-') printf("; koshu %s", printable(m->version));
    putchar('\n');
}

static json_t *
measured_json(const struct bench_measurement *m)
{
    if (!m) return NULL;
    json_t *o = json_pack("{ss ss ss sI sf}", "date", m->date, "version",
                          m->version, "device", m->device, "n",
                          (json_int_t)atoll(m->n), "seconds", atof(m->seconds));
    if (o && m->rate[0] != '-')
        json_object_set_new(o, "interactions_per_s", json_real(atof(m->rate)));
    return o;
}

static void
print_text(const struct entry *entries, size_t n,
           const struct bench_measured *measured)
{
    int paper = -1;
    for (size_t k = 0; k < n; k++) {
        const struct entry *e = &entries[k];
        if (e->paper != paper)
            printf("%s%s\n", k ? "\n" : "", papers[e->paper].title);
        paper = e->paper;
        printf("  %-10s %-46s %s%s%s\n", e->item, e->what, e->command,
               e->command[0] ? "" : "- ", e->command[0] ? "" : e->reason);
        print_measured(bench_measured_last(measured, e->command));
    }
}

static void
print_objects(const struct entry *entries, size_t n,
              const struct bench_measured *measured)
{
    for (size_t k = 0; k < n; k++) {
        const struct entry *e = &entries[k];
        const bool has = e->command[0] != '\0';
        json_t *o = json_pack("{ss ss ss ss}", "paper", papers[e->paper].tag,
                              "item", e->item, "what", e->what,
                              has ? "command" : "reason",
                              has ? e->command : e->reason);
        json_t *last = measured_json(bench_measured_last(measured, e->command));
        if (o && last) json_object_set(o, "measured", last);
        json_decref(last);
        if (o && json_dumpf(o, stdout, 0) == 0) putchar('\n');
        json_decref(o);
    }
}

koshu_status
bench_print_items(const struct bench_case *const cases[], size_t n_cases,
                  bool json)
{
    size_t n = 0;
    struct bench_measured measured;
    struct entry *entries =
            calloc(count_items(cases, n_cases), sizeof *entries);
    if (!entries) return KOSHU_ERROR_OUT_OF_MEMORY;
    const koshu_status status = bench_measured_read(&measured);
    for (size_t k = 0; k < n_cases; k++) insert_case(cases[k], entries, &n);
    insert_others(entries, &n);
    if (status == KOSHU_OK && json) print_objects(entries, n, &measured);
    if (status == KOSHU_OK && !json) print_text(entries, n, &measured);
    bench_measured_free(&measured);
    free(entries);
    return status;
}
