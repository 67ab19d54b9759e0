/* SPDX-License-Identifier: MIT */
/* koshu interact: evaluates a built-in kernel, or a user's own, on the
 * particles of files. */
#include "interact.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/force.h>
#include <koshu/snapshot.h>

#include "app.h"
#include "options.h"

static const char doc[] =
        "Evaluates an interaction of all j-particles on all i-particles and "
        "writes the results as CSV, a row for each i-particle, in their order. "
        "NAME is a built-in kernel (--list); FILE is a kernel source of your "
        "own, in the notation of docs/interactions.md: code that is compiled "
        "and run with your rights.\v"
        "Particles come from snapshots (id, mass, x, y, z, vx, vy, vz, "
        "potential; datasets of HDF5 by their names) or from CSV files whose "
        "first line names the columns. The columns may be divided among "
        "several files: --i A --i B.\n\n"
        "Examples:\n"
        "  koshu interact --list\n"
        "  koshu interact gravity --i cluster.hdf5 --set eps2=1e-4 -o a.csv\n"
        "  koshu interact sph-density --i gas.csv --set h=0.1 --keep x,y -o "
        "rho.csv\n"
        "  koshu interact mine.pipe --i grid.csv --j stars.hdf5 -o field.csv";

/* Splits the text, an argument of main(), into names. */
static void
parse_names(struct argp_state *state, const char *option, char *text,
            void *member)
{
    for (char *name; (name = strsep(&text, ","));) {
        if (!name[0]) argp_error(state, "%s: a name is missing", option);
        append_word(state, member, name);
    }
}

static void
parse_setting(struct argp_state *state, const char *option, char *text,
              void *member)
{
    struct interact_settings *s = member;
    char *equals = strchr(text, '=');
    if (!equals || equals == text)
        argp_error(state, "%s: '%s' is not NAME=VALUE", option, text);
    struct interact_setting *longer =
            reallocarray(s->setting, s->n + 1, sizeof *longer);
    if (!longer) argp_failure(state, EXIT_FAILED, 0, "out of memory");
    s->setting = longer;
    *equals = '\0';
    for (size_t k = 0; k < s->n; k++)
        if (strcmp(text, longer[k].name) == 0)
            argp_error(state, "%s: '%s' is set twice", option, text);
    longer[s->n++] = (struct interact_setting){
            .name = text, .value = argument_number(state, text, equals + 1)};
}

static void
parse_precision(struct argp_state *state, const char *option, char *text,
                void *member)
{
    enum koshu_precision *precision = member;
    *precision = KOSHU_PRECISION_SINGLE;
    if (strcmp(text, "double") == 0) *precision = KOSHU_PRECISION_DOUBLE;
    if (strcmp(text, koshu_precision_name(*precision)) != 0)
        argp_error(state, "%s: '%s' is not single or double", option, text);
}

#define VALUE(member) FIELD(struct interact_arguments, member)

static const struct command_option option_table[] = {
        {"i", 'i', "FILE",
         "the i-particles (targets); columns of several files are put side by "
         "side",
         VALUE(i)},
        {"j", 'j', "FILE", "the j-particles (sources; default: those of --i)",
         VALUE(j)},
        {"output", 'o', "OUT.csv", "the file to write", VALUE(output)},
        {"force", 0, NULL, "overwrite a file that is there already",
         VALUE(force)},
        {"keep", 'k', "NAME,...",
         "columns of the i-particles to write before the results", VALUE(keep),
         .parse = parse_names},
        {"set", 's', "NAME=VALUE",
         "a constant of the kernel, or a column with the same value for all "
         "particles",
         VALUE(settings), .parse = parse_setting},
        {"precision", 'p', "P", "single or double (single)", VALUE(precision),
         .parse = parse_precision},
        {"backend", 'b', "B", "auto, cpu, simd, cuda or ref (auto)",
         VALUE(backend)},
        {"threads", 't', "T", "CPU threads (one per core)", VALUE(threads),
         .parse = parse_threads},
        {"list", 'l', NULL, "list the built-in kernels", VALUE(list),
         .group = 1},
        {"show", 0, "NAME", "print the source of a built-in kernel",
         VALUE(show), .group = 1},
        {0}};

static void
check(struct argp_state *state, void *values)
{
    const struct interact_arguments *a = values;
    if (a->list || a->show) return;
    if (!a->word)
        argp_error(state, "name an interaction; `koshu interact --list` lists "
                          "the built-in kernels");
    if (a->i.n == 0) argp_error(state, "name the i-particles: --i FILE");
    if (!a->output) argp_error(state, "name the file to write: -o OUT.csv");
}

/* ---- built-in kernels ---------------------------------------------------- */

static koshu_status
list_built_in(struct koshu_context *context)
{
    struct built_in_kernels g;
    koshu_status status;
    KOSHU_TRY_CLEANUP(built_in_kernels_open(context, &g));
    for (size_t k = 0; status == KOSHU_OK && k < g.n; k++) {
        struct kernel_source t;
        char summary[128];
        KOSHU_TRY_CLEANUP(kernel_source_read(context, g.names[k], &t));
        kernel_source_summary(t.text, summary, sizeof summary);
        printf("%-22s %s\n", printable(g.names[k]), printable(summary));
        free(t.text);
    }
    printf("\n`koshu interact --show NAME` prints the source of one: formula, "
           "reference, columns, code.\nThey are in %s\n",
           printable(g.directory));
cleanup:
    built_in_kernels_close(&g);
    return status;
}

static koshu_status
show(struct koshu_context *context, const char *name)
{
    struct kernel_source t;
    KOSHU_TRY(kernel_source_read(context, name, &t));
    print_printable(t.text);
    free(t.text);
    return KOSHU_OK;
}

/* ---- particles ----------------------------------------------------------- */

/* The file to write must not be one of those that are read. */
static koshu_status
check_inputs(struct koshu_context *context, const struct interact_arguments *a)
{
    for (size_t k = 0; k < a->i.n + a->j.n; k++) {
        const char *in = k < a->i.n ? a->i.word[k] : a->j.word[k - a->i.n];
        if (same_file(in, a->output))
            return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                              "'%s' holds particles, and is also the file to "
                              "write; choose another name after -o",
                              in);
    }
    return KOSHU_OK;
}

static koshu_status
check_output(struct koshu_context *context, const struct interact_arguments *a)
{
    enum koshu_format format;
    struct koshu_file *file;
    if (koshu_format_of_path(context, a->output, &format) == KOSHU_OK &&
        format != KOSHU_FORMAT_CSV)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "-o: '%s' has the ending of %s files, but results "
                          "are CSV; name a .csv",
                          a->output, koshu_format_name(format));
    KOSHU_TRY(refuse_to_overwrite(context, a->output, a->force));
    /* fails before hours of work, not after */
    KOSHU_TRY(koshu_file_begin(context, a->output, &file));
    koshu_file_abandon(file);
    return KOSHU_OK;
}

static koshu_status
read_rows(struct interact_work *w)
{
    const struct interact_arguments *a = w->a;
    const struct interact_set *j_set = a->j.n ? &w->j_set : &w->i_set;
    KOSHU_TRY(interact_set_read(w->context, a->i.n, a->i.word, &w->i_set));
    if (a->j.n)
        KOSHU_TRY(interact_set_read(w->context, a->j.n, a->j.word, &w->j_set));
    KOSHU_TRY(interact_set_rows(&w->i_set, w->of_i.n, w->of_i.names,
                                a->settings, &w->i));
    KOSHU_TRY(interact_set_rows(j_set, w->of_j.n, w->of_j.names, a->settings,
                                &w->j));
    KOSHU_TRY(interact_check_settings(w));
    w->n_j = j_set->n;
    if (a->keep.n)
        KOSHU_TRY(interact_set_rows(&w->i_set, a->keep.n, a->keep.word,
                                    (struct interact_settings){0}, &w->kept));
    w->out = calloc(w->i_set.n, w->of_out.n * sizeof *w->out);
    return w->out ? KOSHU_OK : koshu_fail_memory(w->context, 0, "results");
}

/* ---- all of it ----------------------------------------------------------- */

static koshu_status
print_results(const struct interact_work *w, double seconds)
{
    const struct interact_arguments *a = w->a;
    struct koshu_backend *backend;
    KOSHU_TRY(koshu_backend_of(w->context, &backend));
    double pairs = (double)w->i_set.n * (double)w->n_j;
    printf("%s  %zu x %zu pairs, %s  %s: %s  %.3g s, %.3g pairs/s  -> %s\n",
           printable(a->word), w->i_set.n, w->n_j,
           koshu_precision_name(a->precision), backend->ops->name,
           backend->device, seconds, pairs / seconds, printable(a->output));
    return KOSHU_OK;
}

/* Warns of results that are not finite; they are written all the same. */
static void
warn_of_infinities(const struct interact_work *w)
{
    const struct interact_names *names = &w->of_out;
    const size_t all = w->i_set.n * names->n;
    size_t first = all, n = 0;
    for (size_t k = all; k-- > 0;)
        if (!isfinite(w->out[k])) {
            first = k;
            n++;
        }
    if (n == 0) return;
    koshu_log(w->context, KOSHU_LOG_LEVEL_WARNING,
              "%s: %zu of %zu results are not finite; the first is %s of "
              "i-particle %zu: %s",
              w->a->output, n, all, names->names[first % names->n],
              first / names->n, isnan(w->out[first]) ? "nan" : "infinite");
}

static void
free_work(struct interact_work *w)
{
    koshu_interaction_destroy(w->interaction);
    interact_set_free(&w->i_set);
    interact_set_free(&w->j_set);
    free(w->text.text);
    free(w->i);
    free(w->j);
    free(w->kept);
    free(w->out);
}

static koshu_status
interact(struct koshu_context *context, struct interact_arguments *a)
{
    struct interact_work w = {.context = context, .a = a};
    double seconds;
    koshu_status status;
    KOSHU_TRY_CLEANUP(interact_declare(&w));
    KOSHU_TRY_CLEANUP(check_inputs(context, a));
    KOSHU_TRY_CLEANUP(check_output(context, a));
    KOSHU_TRY_CLEANUP(read_rows(&w));
    KOSHU_TRY_CLEANUP(koshu_interaction_compile(w.interaction));
    KOSHU_TRY_CLEANUP(interact_evaluate(&w, &seconds));
    KOSHU_TRY_CLEANUP(refuse_to_overwrite(context, a->output, a->force));
    KOSHU_TRY_CLEANUP(interact_write(&w));
    KOSHU_TRY_CLEANUP(print_results(&w, seconds));
    warn_of_infinities(&w);
cleanup:
    free_work(&w);
    return status;
}

int
command_interact(int argc, char **argv)
{
    const struct command_line line = {.arguments = "NAME|FILE",
                                      .doc = doc,
                                      .options = option_table,
                                      .word = VALUE(word),
                                      .word_is = "interaction",
                                      .check = check};
    struct interact_arguments a = {.precision = KOSHU_PRECISION_SINGLE};
    options_parse(&line, argc, argv, &a);
    struct koshu_context *context = make_context(a.backend, a.threads);
    if (!context) return EXIT_USAGE;
    koshu_status status = a.list   ? list_built_in(context)
                          : a.show ? show(context, a.show)
                                   : interact(context, &a);
    int code = end_command(context, status);
    options_free(option_table, &a);
    free(a.settings.setting);
    return code;
}
