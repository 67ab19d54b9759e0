/* SPDX-License-Identifier: MIT */
/* koshu predict: predicts the time of forces on many ranks from measured
 * costs. */
#include <jansson.h>

#include "options.h"
#include "predict.h"

static const char doc[] =
        "Predicts the time of direct sums, or of the forces of a tree, over "
        "the ranks (one GPU or one group of cores each) of a larger machine "
        "from the costs that `koshu bench scaling --save` has measured on "
        "fewer ranks.\v"
        "Direct sums: each stage of the accumulation and the transfer phase "
        "takes as long as its transfer or as the sums that overlap it, "
        "whichever is longer (Miki et al. 2013, sections 4 and 6.2).\n\n"
        "Trees: the time of a rank's own particles and of the cells and "
        "particles that it needs from others, and that of the messages with "
        "these; docs/performance-model.md has the formulas. --papers adds the "
        "runs of Hamada et al. 2009 (256 GPUs) and Hamada & Nitadori 2010 "
        "(576), and 4096 GPUs, for comparison.\n\n"
        "Examples:\n"
        "  koshu predict --constants costs.json --gpus 256 --n 268435456\n"
        "  koshu predict --constants costs.json --ranks 4,16,64 --n 1e6,1e7\n"
        "  koshu predict --constants tree.json --ranks 1,2,4,8 --n 1e7\n"
        "  koshu predict --constants h100-tree.json --latency 5e-6 --bandwidth "
        "5e10 --papers --plot papers.png";

#define VALUE(member) FIELD(struct predict_arguments, member)

static const struct command_option option_table[] = {
        {"constants", 'c', "FILE.json",
         "the file that `koshu bench scaling --save FILE.json` wrote",
         VALUE(constants)},
        {"n", 'n', "N,N,...", "total numbers of particles over all ranks",
         VALUE(n)},
        {"ranks", 'k', "K,K,...", "numbers of ranks", VALUE(ranks),
         .max = 1 << 24},
        {"gpus"},
        {"capacity", 0, "N", "direct sums: run.j_capacity (the file's)",
         VALUE(capacity)},
        {"latency", 0, "S",
         "trees: seconds per message on a network other than the measured one "
         "(with --bandwidth)",
         VALUE(latency)},
        {"bandwidth", 0, "B",
         "trees: bytes per second that a rank sends and receives there",
         VALUE(bandwidth)},
        {"papers", 0, NULL,
         "trees: add the runs of Hamada et al. 2009 and 2010, and 4096 GPUs",
         VALUE(papers)},
        {"plot", 0, "FILE.png",
         "trees: draw seconds against the number of ranks", VALUE(plot)},
        {"json", 0, NULL, "one JSON object per line", VALUE(json)},
        {"force", 0, NULL, "overwrite a file that is there already",
         VALUE(force)},
        {0}};

static void
check(struct argp_state *state, void *values)
{
    const struct predict_arguments *a = values;
    if (!a->constants)
        argp_error(state, "--constants: name the file that `koshu bench "
                          "scaling --save` wrote");
    if (!a->papers && (!a->n.given || !a->ranks.given))
        argp_error(state, "give --n and --ranks");
    if ((a->latency > 0) != (a->bandwidth > 0))
        argp_error(state, "give --latency and --bandwidth together");
}

/* ---- methods ------------------------------------------------------------- */

static koshu_status
of_tree(struct koshu_context *context, const struct predict_arguments *a,
        json_t *root)
{
    struct tree_costs_file f = {.ranks = 0};
    struct koshu_tree_costs *c = &f.costs;
    KOSHU_TRY(tree_costs_unpack(context, a->constants, root, &f));
    if (a->bandwidth > 0) {
        c->message = a->latency;
        c->byte = 1 / a->bandwidth;
        c->sync = 0;
        c->sync_doubling = 2 * a->latency; /* to one rank, and back */
    }
    if (a->plot) KOSHU_TRY(refuse_to_draw_over(context, a->plot, a->force));
    KOSHU_TRY(predict_tree(context, a, &f));
    return a->plot ? predict_plot(context, a, &f) : KOSHU_OK;
}

static koshu_status
of_direct(struct koshu_context *context, const struct predict_arguments *a,
          json_t *root)
{
    struct rank_costs_file f = {.ranks = 0};
    if (a->papers || a->plot || a->bandwidth > 0)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s has the costs of direct sums; --papers, --plot, "
                          "--latency and --bandwidth are for those that `koshu "
                          "bench scaling --method tree --save` writes",
                          a->constants);
    KOSHU_TRY(rank_costs_unpack(context, a->constants, root, &f));
    if (a->capacity > 0) f.costs.capacity = a->capacity;
    return predict_direct(context, a, &f);
}

static koshu_status
predict(struct koshu_context *context, const struct predict_arguments *a)
{
    json_t *root;
    KOSHU_TRY(costs_load(context, a->constants, &root));
    const koshu_status status = tree_costs_are(root)
                                        ? of_tree(context, a, root)
                                        : of_direct(context, a, root);
    json_decref(root);
    return status;
}

int
command_predict(int argc, char **argv)
{
    const struct command_line line = {
            .doc = doc, .options = option_table, .check = check};
    struct predict_arguments a = {0};
    options_parse(&line, argc, argv, &a);
    struct koshu_context *context = make_context(NULL, 1);
    if (!context) return EXIT_FAILED;
    return end_command(context, predict(context, &a));
}
