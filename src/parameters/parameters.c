/* SPDX-License-Identifier: MIT */
/* Creates parameters, and sets keys from files and settings. */
#include "parameters/parameters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "io/io.h"
#include "parameters/object.h"

/* ---- life -------------------------------------------------------------- */

static koshu_status
alloc_list(struct koshu_context *context, const char *text, double **list)
{
    const size_t n = koshu_list_length(text);
    *list = calloc(n, sizeof **list);
    return *list ? KOSHU_OK
                 : koshu_fail_memory(context, n * sizeof **list,
                                     "list of numbers");
}

static koshu_status
renew_path(struct koshu_parameters *p, int k)
{
    const struct koshu_key *key = &koshu_keys[k];
    char *path;
    if (key->file == KOSHU_FILE_NONE) return KOSHU_OK;
    KOSHU_TRY(koshu_key_file_path(p->context, "default", key,
                                  koshu_parameters_text_of(p, k), &path));
    free(p->path[k]);
    p->path[k] = path;
    memcpy((char *)&p->values + key->offset, &path, sizeof path);
    return KOSHU_OK;
}

/* Texts have been checked before, so none is refused here. */
static koshu_status
renew_value(struct koshu_parameters *p, int k)
{
    const char *text = koshu_parameters_text_of(p, k);
    free(p->list[k]);
    KOSHU_TRY(alloc_list(p->context, text, &p->list[k]));
    if (!koshu_value_store(&koshu_keys[k], text, koshu_parameters_units(p),
                           p->list[k], &p->values))
        return koshu_fail(p->context, KOSHU_ERROR_INTERNAL,
                          "%s: its default is refused", koshu_keys[k].path);
    return renew_path(p, k);
}

koshu_status
koshu_parameters_create(struct koshu_context *context,
                        struct koshu_parameters **parameters)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, parameters);
    *parameters = NULL;
    struct koshu_parameters *p = calloc(1, sizeof *p);
    if (!p) return koshu_fail_memory(context, sizeof *p, "parameters");
    p->context = context;
    p->values.initial = koshu_initial_options_default();
    p->values.solver = koshu_solver_options_default();
    p->values.solver.tree = &p->values.tree;
    p->values.tree = koshu_tree_options_default();
    p->values.solver.fmm = &p->values.fmm;
    p->values.fmm = koshu_laplace_options_default();
    p->values.fmm.tolerance = 0;
    koshu_units_henon(&p->values.units);
    koshu_status status = KOSHU_OK;
    for (int k = 0; k < KOSHU_N_KEYS && status == KOSHU_OK; k++)
        status = renew_value(p, k);
    if (status == KOSHU_OK) koshu_parameters_settle(p);
    if (status == KOSHU_OK)
        *parameters = p;
    else
        koshu_parameters_destroy(p);
    return status;
}

void
koshu_parameters_destroy(struct koshu_parameters *parameters)
{
    if (!parameters) return;
    for (int k = 0; k < KOSHU_N_KEYS; k++) {
        free(parameters->given[k]);
        free(parameters->place[k]);
        free(parameters->path[k]);
        free(parameters->list[k]);
    }
    free(parameters);
}

/* ---- taking keys ------------------------------------------------------- */

/* For a number with a unit, the reader of units has set the message. */
static koshu_status
refuse_value(struct koshu_parameters *p, const struct koshu_key *key,
             const char *text, const char *place)
{
    char expected[512];
    const bool is_number = strspn(text, "0123456789+-.") > 0;
    if (key->quantity && koshu_text_has_unit(text) &&
        (is_number || key->type == KOSHU_KEY_TEXT))
        return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT, "%s: %s: %s",
                          place, key->path, koshu_context_message(NULL));
    koshu_key_expectation(key, expected, sizeof expected);
    return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT,
                      "%s: %s: expected %s, got '%s'", place, key->path,
                      expected, text);
}

koshu_status
koshu_parameters_check_value(struct koshu_parameters *p, int k,
                             const char *text, const char *place)
{
    const struct koshu_key *key = &koshu_keys[k];
    struct koshu_parameter_values scratch;
    char *path = NULL;
    double *list;
    KOSHU_TRY(alloc_list(p->context, text, &list));
    const bool good = koshu_value_store(key, text, koshu_parameters_units(p),
                                        list, &scratch);
    free(list);
    if (!good) return refuse_value(p, key, text, place);
    if (key->file == KOSHU_FILE_NONE) return KOSHU_OK;
    koshu_status status =
            koshu_key_file_path(p->context, place, key, text, &path);
    free(path);
    return status;
}

/* Replaces the old text by a copy. */
static koshu_status
replace(struct koshu_parameters *p, char **old, const char *text)
{
    char *copy = strdup(text);
    if (!copy) return koshu_fail_memory(p->context, strlen(text), "parameters");
    free(*old);
    *old = copy;
    return KOSHU_OK;
}

koshu_status
koshu_parameters_take(struct koshu_parameters *p, int k, const char *text,
                      const char *place)
{
    KOSHU_TRY(replace(p, &p->place[k], place));
    KOSHU_TRY(replace(p, &p->given[k], text));
    return renew_value(p, k);
}

koshu_status
koshu_parameters_drop(struct koshu_parameters *p, int k)
{
    free(p->given[k]);
    free(p->place[k]);
    p->given[k] = p->place[k] = NULL;
    return renew_value(p, k);
}

/* Warns that a key given by a former name should get its new one. */
static void
warn_of_former_names(const struct koshu_source *source,
                     const struct koshu_document *document)
{
    for (int k = 0; k < KOSHU_N_KEYS && !source->kept; k++) {
        if (!document->key[k].former) continue;
        char place[512];
        koshu_source_place(source, document->key[k].line, place, sizeof place);
        koshu_log(source->context, KOSHU_LOG_LEVEL_WARNING,
                  "%s: %s has been renamed to %s; the former name is read "
                  "still",
                  place, document->key[k].former, koshu_keys[k].path);
    }
}

/* Checks all keys before setting the first. */
static koshu_status
take_keys(struct koshu_parameters *p, const struct koshu_source *source,
          const struct koshu_document *document)
{
    for (int take = 0; take < 2; take++)
        for (int k = 0; k < KOSHU_N_KEYS; k++) {
            const char *text = document->key[k].text;
            char place[512];
            if (!text) continue;
            koshu_source_place(source, document->key[k].line, place,
                               sizeof place);
            KOSHU_TRY(take ? koshu_parameters_take(p, k, text, place)
                           : koshu_parameters_check_value(p, k, text, place));
        }
    return KOSHU_OK;
}

koshu_status
koshu_parameters_take_document(struct koshu_parameters *p,
                               const struct koshu_source *source,
                               const char *text)
{
    struct koshu_document document;
    koshu_status status = koshu_document_read(source, text, &document);
    if (status == KOSHU_OK) status = take_keys(p, source, &document);
    if (status == KOSHU_OK) {
        koshu_parameters_settle(p);
        warn_of_former_names(source, &document);
    }
    koshu_document_free(&document);
    return status;
}

koshu_status
koshu_parameters_parse(struct koshu_parameters *parameters, const char *name,
                       const char *text)
{
    KOSHU_REQUIRE(NULL, parameters);
    KOSHU_REQUIRE(NULL, name);
    KOSHU_REQUIRE(NULL, text);
    const struct koshu_source source = {
            .context = parameters->context, .name = name, .has_lines = true};
    return koshu_parameters_take_document(parameters, &source, text);
}

koshu_status
koshu_parameters_read(struct koshu_parameters *parameters, const char *path)
{
    KOSHU_REQUIRE(NULL, parameters);
    KOSHU_REQUIRE(NULL, path);
    char *text;
    KOSHU_TRY(koshu_text_read(parameters->context, path, "parameter file",
                              KOSHU_PARAMETERS_BYTES, &text));
    koshu_status status = koshu_parameters_parse(parameters, path, text);
    free(text);
    return status;
}

/* Writes "a.b" = v as a document: {'a': {'b': 'v'}}. */
static void
put_setting(FILE *out, const char *key, const char *value)
{
    int k = koshu_key_find(key);
    int depth = 0;
    for (; *key; depth++) {
        size_t length = strcspn(key, ".");
        fprintf(out, "{\"%.*s\": ", (int)length, key);
        key += length + (key[length] == '.');
    }
    if (k >= 0 && koshu_key_is_list(&koshu_keys[k]))
        fputs(value, out);
    else
        koshu_yaml_put(out, value);
    while (depth-- > 0) fputc('}', out);
}

/* The document of one setting; NULL: out of memory. */
static char *
setting_text(const char *key, const char *value)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    put_setting(out, key, value);
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

/* Makes a key as if it had not been given. */
static koshu_status
unset(struct koshu_parameters *p, int k)
{
    KOSHU_TRY(koshu_parameters_drop(p, k));
    koshu_parameters_settle(p);
    return KOSHU_OK;
}

koshu_status
koshu_parameters_set(struct koshu_parameters *parameters, const char *key,
                     const char *value)
{
    KOSHU_REQUIRE(NULL, parameters);
    KOSHU_REQUIRE(NULL, key);
    KOSHU_REQUIRE(NULL, value);
    const int k = koshu_key_find(key);
    if (k >= 0 && !value[0]) return unset(parameters, k);
    char name[256];
    snprintf(name, sizeof name, "set %s=%s", key, value);
    const struct koshu_source source = {.context = parameters->context,
                                        .name = name};
    if (strpbrk(key, "\"\\\n") || strchr(value, '\n') || !key[0])
        return koshu_fail(parameters->context, KOSHU_ERROR_BAD_INPUT,
                          "%s: a setting is one line, KEY=VALUE", name);
    char *text = setting_text(key, value);
    if (!text)
        return koshu_fail_memory(parameters->context, strlen(value), "setting");
    koshu_status status =
            koshu_parameters_take_document(parameters, &source, text);
    free(text);
    return status;
}

void
koshu_parameters_place(const struct koshu_parameters *parameters,
                       const char *path, char *text, size_t size)
{
    const char *place = parameters->place[koshu_key_find(path)];
    snprintf(text, size, "%s%s", place ? place : "", place ? ": " : "");
}

koshu_status
koshu_parameters_refuse(const struct koshu_parameters *p, const char *path,
                        const char *message)
{
    char place[512];
    koshu_parameters_place(p, path, place, sizeof place);
    return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT, "%s%s: %s", place,
                      path, message);
}

koshu_status
koshu_parameters_check_either(const struct koshu_parameters *p, const char *one,
                              const char *other)
{
    if (!p->place[koshu_key_find(one)] || !p->place[koshu_key_find(other)])
        return KOSHU_OK;
    char message[128];
    snprintf(message, sizeof message, "%s is there too; remove one", one);
    return koshu_parameters_refuse(p, other, message);
}

const struct koshu_parameter_values *
koshu_parameters_values(const struct koshu_parameters *parameters)
{
    if (!parameters) return NULL;
    return &parameters->values;
}
