/* SPDX-License-Identifier: MIT */
/* koshu interact: the kernel, its declarations and constants. */
#include <string.h>

#include <koshu/interaction.h>

#include "app.h"
#include "interact.h"

static void
list_declared(const struct koshu_interaction *interaction, size_t n,
              const char *(*name)(const struct koshu_interaction *, size_t),
              struct interact_names *to)
{
    to->n = n;
    for (size_t k = 0; k < n; k++) to->names[k] = name(interaction, k);
}

/* Finds what the text declares, without compiling it. */
static koshu_status
read_kernel(struct interact_work *w)
{
    struct koshu_interaction_options options =
            koshu_interaction_options_default();
    options.name = w->text.path;
    options.precision = w->a->precision;
    KOSHU_TRY(koshu_interaction_read(w->context, w->text.text, &options,
                                     &w->interaction));
    const struct koshu_interaction *a = w->interaction;
    list_declared(a, koshu_interaction_n_i_fields(a), koshu_interaction_name_i,
                  &w->of_i);
    list_declared(a, koshu_interaction_n_j_fields(a), koshu_interaction_name_j,
                  &w->of_j);
    list_declared(a, koshu_interaction_n_outputs(a), koshu_interaction_name_out,
                  &w->of_out);
    return KOSHU_OK;
}

static bool
is_constant(const struct koshu_interaction *a, const char *name)
{
    for (size_t c = 0; c < koshu_interaction_n_constants(a); c++)
        if (strcmp(koshu_interaction_name_constant(a, c), name) == 0)
            return true;
    return false;
}

/* Applies settings of constants; those of columns are applied with the
 * columns. */
static koshu_status
set_constants(struct interact_work *w)
{
    const struct interact_settings *settings = &w->a->settings;
    for (size_t s = 0; s < settings->n; s++) {
        struct interact_setting *one = &settings->setting[s];
        if (!is_constant(w->interaction, one->name)) continue;
        KOSHU_TRY(koshu_interaction_set_constant(w->interaction, one->name,
                                                 one->value));
        one->used = true;
    }
    return KOSHU_OK;
}

/* Adds those names that are not in the list. */
static void
add_names(const struct interact_names *from, const char **names, size_t *n)
{
    for (size_t k = 0; k < from->n; k++) {
        bool known = false;
        for (size_t m = 0; m < *n; m++)
            known = known || strcmp(names[m], from->names[k]) == 0;
        if (!known) names[(*n)++] = from->names[k];
    }
}

/* The names of constants and columns that settings may have, each once; returns
 * how many. */
static size_t
list_names(const struct interact_work *w,
           const char *names[3 * KOSHU_INTERACTION_MAX])
{
    size_t n = koshu_interaction_n_constants(w->interaction);
    for (size_t k = 0; k < n; k++)
        names[k] = koshu_interaction_name_constant(w->interaction, k);
    add_names(&w->of_i, names, &n);
    add_names(&w->of_j, names, &n);
    return n;
}

koshu_status
interact_check_settings(const struct interact_work *w)
{
    const struct interact_settings *settings = &w->a->settings;
    const char *names[3 * KOSHU_INTERACTION_MAX];
    char there[512];
    size_t s = 0;
    while (s < settings->n && settings->setting[s].used) s++;
    if (s == settings->n) return KOSHU_OK;
    koshu_join_names(there, sizeof there, names, list_names(w, names));
    return koshu_fail(w->context, KOSHU_ERROR_BAD_INPUT,
                      "--set %s: %s has no such constant or column; it has %s",
                      settings->setting[s].name, w->text.path, there);
}

koshu_status
interact_declare(struct interact_work *w)
{
    KOSHU_TRY(kernel_source_read(w->context, w->a->word, &w->text));
    KOSHU_TRY(read_kernel(w));
    return set_constants(w);
}
