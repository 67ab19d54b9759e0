/* SPDX-License-Identifier: MIT */
/* koshu interact: the kernel, its declarations and constants. */
#include <stdlib.h>
#include <string.h>

#include <koshu/interaction.h>

#include "app.h"
#include "interact.h"

/* What the text declares, before anything is compiled. */
static koshu_status
read_declarations(struct interact_work *w)
{
    const struct koshu_interaction_options none =
            koshu_interaction_options_default();
    struct koshu_kernel_source *d = &w->declared;
    d->context = w->context;
    d->name = strdup(w->text.path);
    d->text = strdup(w->text.text);
    if (!d->name || !d->text) return koshu_fail_memory(w->context, 0, "text");
    KOSHU_TRY(koshu_kernel_source_tokens(d));
    return koshu_kernel_source_declare(d, &none);
}

/* The settings of constants; those of columns are used when columns are. */
static koshu_status
choose_constants(struct interact_work *w)
{
    const struct interact_settings *settings = &w->a->settings;
    const struct koshu_kernel_source *d = &w->declared;
    w->constants = calloc(settings->n + 1, sizeof *w->constants);
    if (!w->constants) return koshu_fail_memory(w->context, 0, "constants");
    for (size_t s = 0; s < settings->n; s++)
        for (size_t c = 0; c < d->n_constants; c++)
            if (strcmp(settings->setting[s].name, d->constants[c].name) == 0) {
                w->constants[w->n_constants++] =
                        (struct koshu_interaction_constant){
                                settings->setting[s].name,
                                settings->setting[s].value};
                settings->setting[s].used = true;
            }
    return KOSHU_OK;
}

/* The constants and columns that a setting may name, each once; how many. */
static size_t
list_names(const struct koshu_kernel_source *d,
           const char *names[3 * KOSHU_INTERACTION_MAX])
{
    size_t n = 0;
    for (size_t k = 0; k < d->n_constants; k++)
        names[n++] = d->constants[k].name;
    for (int l = KOSHU_LIST_I; l <= KOSHU_LIST_J; l++)
        for (size_t k = 0; k < d->list[l].n; k++) {
            bool known = false;
            for (size_t m = 0; m < n; m++)
                known = known || strcmp(names[m], d->list[l].names[k]) == 0;
            if (!known) names[n++] = d->list[l].names[k];
        }
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
    koshu_join_names(there, sizeof there, names,
                     list_names(&w->declared, names));
    return koshu_fail(w->context, KOSHU_ERROR_BAD_INPUT,
                      "--set %s: %s has no such constant or column; it has %s",
                      settings->setting[s].name, w->declared.name, there);
}

koshu_status
interact_declare(struct interact_work *w)
{
    KOSHU_TRY(kernel_source_read(w->context, w->a->word, &w->text));
    KOSHU_TRY(read_declarations(w));
    return choose_constants(w);
}

koshu_status
interact_compile(struct interact_work *w)
{
    struct koshu_interaction_options options =
            koshu_interaction_options_default();
    options.name = w->text.path;
    options.precision = w->a->precision;
    options.n_constants = w->n_constants;
    options.constants = w->constants;
    return koshu_interaction_create(w->context, w->text.text, &options,
                                    &w->interaction);
}
