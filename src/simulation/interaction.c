/* SPDX-License-Identifier: MIT */
/* Runs with a user-defined interaction. */
#include <koshu/interaction.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "simulation/interaction.h"

enum { MAX_BYTES = 1 << 20, MAX_CONSTANTS = 64, TEXT = 1024 };

/* The copy of the kernel source beside the output. */
static const char *const kept_name = "interaction.pipe";

static bool
is_used(const struct koshu_parameter_values *values)
{
    return values->solver.method == KOSHU_METHOD_INTERACTION;
}

/* ---- constants ----------------------------------------------------------- */

struct constants {
    char text[TEXT]; /* owns the names */
    struct koshu_interaction_constant constant[MAX_CONSTANTS];
    size_t n;
};

static koshu_status
fail_constant(struct koshu_context *context, const char *item)
{
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "solver.constants: '%s': expected NAME=NUMBER, several "
                      "with commas between them, for example range=0.5, "
                      "strength=2",
                      item);
}

/* Reads " range = 0.5"; ends the name in its text. */
static koshu_status
read_constant(struct koshu_context *context, char *item,
              struct koshu_interaction_constant *constant)
{
    char *equals = strchr(item, '='), *end;
    if (!equals) return fail_constant(context, item);
    locale_t users = koshu_plain_numbers();
    const double value = strtod(equals + 1, &end);
    uselocale(users);
    end += strspn(end, " ");
    if (end == equals + 1 || *end || !isfinite(value))
        return fail_constant(context, item);
    char *name = item + strspn(item, " ");
    name[strcspn(name, " =")] = '\0';
    *constant = (struct koshu_interaction_constant){name, value};
    return KOSHU_OK;
}

static koshu_status
read_constants(struct koshu_context *context, const char *text,
               struct constants *c)
{
    char *rest = NULL;
    c->n = 0;
    if (strlen(text) >= sizeof c->text) return fail_constant(context, text);
    strcpy(c->text, text);
    for (char *item = strtok_r(c->text, ",", &rest); item;
         item = strtok_r(NULL, ",", &rest)) {
        if (c->n == MAX_CONSTANTS) return fail_constant(context, item);
        KOSHU_TRY(read_constant(context, item, &c->constant[c->n]));
        c->n++;
    }
    return KOSHU_OK;
}

/* Sets the constants. A misspelt name is an error, as it would change
 * nothing. */
static koshu_status
set_constants(struct koshu_context *context, const char *path,
              const struct constants *c, struct koshu_interaction *interaction)
{
    for (size_t k = 0; k < c->n; k++) {
        const struct koshu_interaction_constant *one = &c->constant[k];
        const koshu_status status = koshu_interaction_set_constant(
                interaction, one->name, one->value);
        if (status == KOSHU_ERROR_NOT_FOUND)
            return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                              "solver.constants: there is no constant '%s' in "
                              "'%s'",
                              one->name, path);
        KOSHU_TRY(status);
    }
    return koshu_interaction_compile(interaction);
}

/* ---- the interaction ----------------------------------------------------- */

static koshu_status
read_source(struct koshu_context *context, const char *path, char **text)
{
    return koshu_text_read(context, path, "a kernel source", MAX_BYTES, text);
}

koshu_status
koshu_interaction_of(struct koshu_context *context,
                     const struct koshu_parameter_values *values,
                     struct koshu_interaction **interaction)
{
    struct constants constants;
    struct koshu_interaction_options options =
            koshu_interaction_options_default();
    char *text = NULL;
    *interaction = NULL;
    if (!is_used(values)) return KOSHU_OK;
    KOSHU_TRY(read_constants(context, values->constants, &constants));
    KOSHU_TRY(read_source(context, values->interaction, &text));
    options.name = values->interaction;
    options.precision = values->solver.precision == KOSHU_PRECISION_SINGLE
                                ? KOSHU_PRECISION_SINGLE
                                : KOSHU_PRECISION_DOUBLE;
    koshu_status status =
            koshu_interaction_read(context, text, &options, interaction);
    free(text);
    KOSHU_TRY(status);
    status = set_constants(context, values->interaction, &constants,
                           *interaction);
    if (status == KOSHU_OK) return KOSHU_OK;
    koshu_interaction_destroy(*interaction);
    *interaction = NULL;
    return status;
}

/* ---- the copy of the kernel source --------------------------------------- */

koshu_status
koshu_interaction_keep(const struct koshu_simulation *s)
{
    char path[KOSHU_PATH_SIZE], *text;
    if (!is_used(s->values)) return KOSHU_OK;
    KOSHU_TRY(koshu_output_path(s->context, s->values->directory, kept_name,
                                path));
    KOSHU_TRY(read_source(s->context, s->values->interaction, &text));
    const koshu_status status =
            koshu_file_write_whole(s->context, path, text, strlen(text));
    free(text);
    return status;
}

koshu_status
koshu_interaction_compare(const struct koshu_simulation *s, bool force)
{
    const char *now = s->values->interaction;
    char path[KOSHU_PATH_SIZE], *before, *after;
    if (!is_used(s->values)) return KOSHU_OK;
    KOSHU_TRY(koshu_output_path(s->context, s->values->directory, kept_name,
                                path));
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return koshu_interaction_keep(s); /* the run had another method */
    KOSHU_TRY(read_source(s->context, path, &before));
    koshu_status status = read_source(s->context, now, &after);
    const bool same = status == KOSHU_OK && strcmp(before, after) == 0;
    free(before);
    KOSHU_TRY(status);
    free(after);
    if (same) return KOSHU_OK;
    if (!force)
        return koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT,
                          "solver.interaction: '%s' is not what the run was "
                          "made with, '%s'; set it back, or accept the change "
                          "(--force)",
                          now, path);
    koshu_log(s->context, KOSHU_LOG_LEVEL_WARNING,
              "solver.interaction: '%s' has changed, as forced", now);
    return koshu_interaction_keep(s);
}
