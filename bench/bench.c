/* SPDX-License-Identifier: MIT */
/* koshu bench WHAT ...: finds the benchmark, and runs it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/ranks.h>
#include <koshu/snapshot.h>

#include "app/complete.h"
#include "bench/cases.h"
#include "bench/harness.h"
#include "bench/items.h"

/* ---- one benchmark ------------------------------------------------------- */

/* With --file, n is the number of its particles. */
static koshu_status
count_particles(struct bench *b, struct bench_options *options)
{
    struct koshu_snapshot_info info = {.size = sizeof info};
    if (!options->file) return KOSHU_OK;
    KOSHU_TRY(koshu_snapshot_inspect(b->context, options->file, &info));
    options->n = (struct count_list){.n = 1, .value = {info.n}};
    return KOSHU_OK;
}

static koshu_status
run(struct bench *b, struct bench_options *options)
{
    KOSHU_TRY(bench_use_threads(b, options->threads.value[0]));
    KOSHU_TRY(bench_check_output(b, options->plot, refuse_to_draw_over));
    KOSHU_TRY(count_particles(b, options));
    KOSHU_TRY(bench_papers_open(b));
    KOSHU_TRY(bench_print_machine(b));
    KOSHU_TRY(b->which->run ? b->which->run(b)
                            : bench_sweep(b, b->which->table));
    const bool draws = options->plot && koshu_ranks_rank(b->context) == 0;
    if (!draws) return KOSHU_OK;
    return b->which->draws && b->which->draws(b) ? b->which->draw(b)
                                                 : bench_draw(b);
}

static int
run_case(const struct bench_case *which, int argc, char **argv)
{
    struct bench_output output = {0};
    void *options = bench_parse(which, argc, argv);
    struct bench b = {.which = which,
                      .own = options,
                      .options = options,
                      .output = &output};
    if (!options) return report(NULL, KOSHU_ERROR_OUT_OF_MEMORY);
    const koshu_status status = run(&b, options);
    const int code = b.refused ? EXIT_USAGE : report(b.context, status);
    bench_papers_close(&b);
    bench_reference_free(b.reference);
    koshu_context_destroy(b.context);
    koshu_context_destroy(b.ref);
    free(output.rows);
    options_free(which->options, options);
    free(options);
    return code;
}

/* ---- all of them --------------------------------------------------------- */

#define CASE(name) &bench_##name,
static const struct bench_case *const cases[] = {BENCH_CASES(CASE)};
enum { N_CASES = sizeof cases / sizeof cases[0] };

static void
print_help(FILE *out)
{
    fprintf(out, "Usage: koshu bench WHAT [OPTIONS]\n"
                 "Measures speed and accuracy.\n\nBenchmarks:\n");
    for (int k = 0; k < N_CASES; k++)
        fprintf(out, "  %-12s %s\n", cases[k]->name, cases[k]->summary);
    fprintf(out,
            "\n`koshu bench WHAT --help` describes one of them in full.\n"
            "`koshu bench --papers [--json]` lists the tables and figures of "
            "the five papers\nthat koshu is made after, and the commands that "
            "repeat them.\n");
}

static int
print_papers(int argc, char **argv)
{
    const bool json = argc == 3 && strcmp(argv[2], "--json") == 0;
    if (argc == 2 || json)
        return report(NULL, bench_print_items(cases, N_CASES, json));
    fprintf(stderr, "koshu: koshu bench --papers takes --json and nothing "
                    "else\n");
    return EXIT_USAGE;
}

static int
complete(void)
{
    for (int k = 0; k < N_CASES; k++)
        complete_word(cases[k]->name, cases[k]->summary);
    complete_word("--papers", "tables and figures of papers");
    return EXIT_DONE;
}

static int
unknown_bench(const char *word)
{
    const char *names[N_CASES];
    for (int k = 0; k < N_CASES; k++) names[k] = cases[k]->name;
    fprintf(stderr,
            "koshu: there is no benchmark '%s'%s\n"
            "koshu: `koshu bench --help` lists them\n",
            printable(word), name_hint(word, names, N_CASES));
    return EXIT_USAGE;
}

int
command_bench(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    const char *word = argv[1];
    if (complete_is_wanted(argc, argv)) return complete();
    if (strcmp(word, "--help") == 0 || strcmp(word, "-?") == 0 ||
        strcmp(word, "-h") == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    if (strcmp(word, "--papers") == 0) return print_papers(argc, argv);
    for (int k = 0; k < N_CASES; k++)
        if (strcmp(word, cases[k]->name) == 0) {
            char name[64];
            snprintf(name, sizeof name, "koshu bench %s", word);
            argv[1] = name;
            return run_case(cases[k], argc - 1, argv + 1);
        }
    return unknown_bench(word);
}
