/* SPDX-License-Identifier: MIT */
#include "parameters/parameters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "io/io.h"
#include "parameters/object.h"

enum { MAX_BYTES = 1 << 20 }; /* of a parameter file */

/* ---- life -------------------------------------------------------------- */

/* Room for a list's entries. */
static koshu_status
alloc_list(struct koshu_context *context, const struct koshu_raw_value *raw,
           double **list)
{
    *list = calloc(raw->n_entries + 1, sizeof **list);
    return *list ? KOSHU_OK
                 : koshu_fail_memory(context, raw->n_entries * sizeof **list,
                                     "list of numbers");
}

static koshu_status
renew_path(struct koshu_parameters *p, int k, const char *text)
{
    const struct koshu_key *key = &koshu_keys[k];
    char *path;
    KOSHU_TRY(koshu_key_file_path(p->context, "default", key, text, &path));
    free(p->text[k]);
    p->text[k] = path;
    memcpy((char *)&p->values + key->offset, &path, sizeof path);
    return KOSHU_OK;
}

/* "[0, 1, 5/2]" */
static koshu_status
renew_list_text(struct koshu_parameters *p, int k)
{
    const struct koshu_raw_value *raw = &p->raw->value[k];
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return koshu_fail_memory(p->context, 0, "list of numbers");
    fputc('[', out);
    for (unsigned i = 0; i < raw->n_entries; i++)
        fprintf(out, "%s%s", i ? ", " : "", raw->entries[i]);
    fputc(']', out);
    if (fclose(out) != 0) {
        free(text);
        return koshu_fail_memory(p->context, size, "list of numbers");
    }
    free(p->text[k]);
    p->text[k] = text;
    return KOSHU_OK;
}

/* Raw values are checked before they come here: no value is refused. */
static koshu_status
renew_value(struct koshu_parameters *p, int k)
{
    const struct koshu_key *key = &koshu_keys[k];
    const struct koshu_raw_value *raw = &p->raw->value[k];
    free(p->list[k]);
    KOSHU_TRY(alloc_list(p->context, raw, &p->list[k]));
    if (koshu_value_store(key, raw, p->list[k], &p->values))
        return koshu_fail(p->context, KOSHU_ERROR_INTERNAL,
                          "%s: its default is refused", key->path);
    if (key->type == KOSHU_KEY_REALS) return renew_list_text(p, k);
    if (key->file == KOSHU_FILE_NONE) return KOSHU_OK;
    return renew_path(p, k, raw->text ? raw->text : key->value);
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
    p->raw = calloc(1, sizeof *p->raw);
    koshu_status status =
            p->raw ? KOSHU_OK
                   : koshu_fail_memory(context, sizeof *p->raw, "parameters");
    for (int k = 0; k < KOSHU_N_KEYS && status == KOSHU_OK; k++)
        status = renew_value(p, k);
    if (status != KOSHU_OK)
        koshu_parameters_destroy(p);
    else
        *parameters = p;
    return status;
}

void
koshu_parameters_destroy(struct koshu_parameters *parameters)
{
    if (!parameters) return;
    for (int k = 0; k < KOSHU_N_KEYS; k++) {
        free(parameters->place[k]);
        free(parameters->list[k]);
        free(parameters->text[k]);
    }
    koshu_raw_values_free(parameters->raw);
    free(parameters);
}

/* ---- taking keys ------------------------------------------------------- */

static koshu_status
check_value(struct koshu_parameters *p, int k,
            const struct koshu_raw_value *raw, const char *place)
{
    struct koshu_parameter_values scratch;
    double *list;
    KOSHU_TRY(alloc_list(p->context, raw, &list));
    const char *refused =
            koshu_value_store(&koshu_keys[k], raw, list, &scratch);
    koshu_status status = KOSHU_OK;
    if (refused) {
        char expected[512];
        koshu_key_expectation(&koshu_keys[k], expected, sizeof expected);
        status = koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT,
                            "%s: %s: expected %s, got '%s'", place,
                            koshu_keys[k].path, expected, refused);
    } else if (koshu_keys[k].file != KOSHU_FILE_NONE && raw->text) {
        char *path;
        status = koshu_key_file_path(p->context, place, &koshu_keys[k],
                                     raw->text, &path);
        free(path);
    }
    free(list);
    return status;
}

/* Moves the raw value and the place of a key into the parameters. */
static koshu_status
take_key(struct koshu_parameters *p, int k, struct koshu_raw_value *raw,
         const char *place)
{
    char *copy = strdup(place);
    if (!copy) return koshu_fail_memory(p->context, strlen(place), "place");
    free(p->place[k]);
    p->place[k] = copy;
    koshu_raw_value_clear(&p->raw->value[k]);
    p->raw->value[k] = *raw;
    *raw = (struct koshu_raw_value){0};
    return renew_value(p, k);
}

/* The value of a key that is not given. */
static const char *
default_of(const struct koshu_parameters *p, int k)
{
    if (p->values.initial.model == KOSHU_MODEL_TWO_BODY &&
        k == koshu_key_find("initial.n"))
        return "2";
    return koshu_key_default(&koshu_keys[k], p->values.integrator.scheme);
}

struct koshu_raw_value
koshu_parameters_raw(const struct koshu_parameters *p, int k)
{
    struct koshu_raw_value raw = p->raw->value[k];
    if (!raw.text) raw.text = (char *)default_of(p, k);
    return raw;
}

/* Defaults that depend on what was given. */
static void
settle(struct koshu_parameters *p)
{
    const int n = koshu_key_find("initial.n");
    for (int k = 0; k < KOSHU_N_KEYS; k++) {
        const struct koshu_key *key = &koshu_keys[k];
        if (p->place[k] || (!key->hermite && k != n)) continue;
        const struct koshu_raw_value raw = koshu_parameters_raw(p, k);
        koshu_value_store(key, &raw, p->list[k], &p->values);
    }
}

/* A key by a former name is read, but should get its new one. */
static void
warn_of_former_names(struct koshu_context *context,
                     const struct koshu_source *source,
                     const struct koshu_places *places)
{
    for (int k = 0; k < KOSHU_N_KEYS && !source->kept; k++) {
        if (!places->former[k]) continue;
        char place[512];
        koshu_source_place(source, places->line[k], place, sizeof place);
        koshu_log(context, KOSHU_LOG_LEVEL_WARNING,
                  "%s: %s has been renamed to %s; the former name is read "
                  "still",
                  place, places->former[k], koshu_keys[k].path);
    }
}

static koshu_status
take_text(struct koshu_parameters *p, const struct koshu_source *source,
          const char *text)
{
    struct koshu_places places;
    KOSHU_TRY(koshu_yaml_check(p->context, source, text));
    KOSHU_TRY(koshu_places_find(p->context, source, text, &places));
    struct koshu_raw_values *raw = NULL;
    KOSHU_TRY(koshu_raw_values_load(p->context, source->name, text, &raw));

    koshu_status status = KOSHU_OK;
    for (int take = 0; take < 2; take++)
        for (int k = 0; k < KOSHU_N_KEYS; k++) {
            if (places.line[k] == 0) continue;
            char place[512];
            koshu_source_place(source, places.line[k], place, sizeof place);
            KOSHU_TRY_CLEANUP(take ? take_key(p, k, &raw->value[k], place)
                                   : check_value(p, k, &raw->value[k], place));
        }
    settle(p);
    warn_of_former_names(p->context, source, &places);
cleanup:
    koshu_raw_values_free(raw);
    return status;
}

koshu_status
koshu_parameters_parse(struct koshu_parameters *parameters, const char *name,
                       const char *text)
{
    KOSHU_REQUIRE(NULL, parameters);
    KOSHU_REQUIRE(NULL, name);
    KOSHU_REQUIRE(NULL, text);
    const struct koshu_source source = {.name = name, .has_lines = true};
    return take_text(parameters, &source, text);
}

static koshu_status
read_text(struct koshu_context *context, struct koshu_reader *reader,
          char **text)
{
    uint64_t size = koshu_reader_size(reader);
    if (size > MAX_BYTES)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s: %llu bytes: a parameter file has at most %d",
                          koshu_reader_path(reader), (unsigned long long)size,
                          MAX_BYTES);
    *text = calloc(size + 1, 1);
    if (!*text) return koshu_fail_memory(context, size, "parameter file");
    KOSHU_TRY(koshu_reader_read(reader, *text, size, "parameters"));
    if (strlen(*text) < size)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s, byte %zu: a zero byte: a parameter file is "
                          "text",
                          koshu_reader_path(reader), strlen(*text));
    return KOSHU_OK;
}

koshu_status
koshu_parameters_read(struct koshu_parameters *parameters, const char *path)
{
    KOSHU_REQUIRE(NULL, parameters);
    KOSHU_REQUIRE(NULL, path);
    struct koshu_reader *reader;
    char *text = NULL;
    KOSHU_TRY(koshu_reader_open(parameters->context, path, &reader));
    koshu_status status = read_text(parameters->context, reader, &text);
    koshu_reader_close(reader);
    if (status == KOSHU_OK)
        status = koshu_parameters_parse(parameters, path, text);
    free(text);
    return status;
}

/* A value in YAML: between single quotes, where only they are special. */
static void
put_quoted(FILE *out, const char *value)
{
    fputc('\'', out);
    for (; *value; value++) {
        fputc(*value, out);
        if (*value == '\'') fputc('\'', out);
    }
    fputc('\'', out);
}

/* "a.b" = v as a document: {'a': {'b': 'v'}}. */
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
    if (k >= 0 && koshu_keys[k].type == KOSHU_KEY_REALS)
        fputs(value, out);
    else
        put_quoted(out, value);
    while (depth-- > 0) fputc('}', out);
}

koshu_status
koshu_parameters_set(struct koshu_parameters *parameters, const char *key,
                     const char *value)
{
    KOSHU_REQUIRE(NULL, parameters);
    KOSHU_REQUIRE(NULL, key);
    KOSHU_REQUIRE(NULL, value);
    char *text = NULL;
    size_t size = 0;
    char name[256];
    snprintf(name, sizeof name, "set %s=%s", key, value);
    const struct koshu_source source = {.name = name};
    if (strpbrk(key, "\"\\\n") || strchr(value, '\n') || !key[0])
        return koshu_fail(parameters->context, KOSHU_ERROR_BAD_INPUT,
                          "%s: a setting is one line, KEY=VALUE", name);
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return koshu_fail_memory(parameters->context, strlen(value), "setting");
    put_setting(out, key, value);
    koshu_status status =
            fclose(out) == 0
                    ? take_text(parameters, &source, text)
                    : koshu_fail_memory(parameters->context, size, "setting");
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

const struct koshu_parameter_values *
koshu_parameters_values(const struct koshu_parameters *parameters)
{
    if (!parameters) return NULL;
    return &parameters->values;
}

/* ---- text, and two runs held against each other ------------------------ */

/* Failures are reported to the context of p. */
static koshu_status
text_of(const struct koshu_parameters *p, const struct koshu_raw_values *raw,
        bool with_local, char **text)
{
    bool want[KOSHU_N_KEYS];
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        want[k] = koshu_raw_value_given(&raw->value[k]) &&
                  (with_local || !koshu_keys[k].local);
    return koshu_raw_values_save(p->context, raw, want, text);
}

static bool
is_of(unsigned choices, int choice)
{
    return !choices || choices & 1u << choice;
}

/* Does the key say something about the forces or the steps of this run? */
static bool
in_force(const struct koshu_parameters *p, const struct koshu_key *key)
{
    const struct koshu_parameter_values *v = &p->values;
    return key->restart == KOSHU_RESTART_FORCED &&
           is_of(key->methods, v->solver.method) &&
           is_of(key->criteria, v->tree.opening_criterion) &&
           is_of(key->schemes, v->integrator.scheme);
}

koshu_status
koshu_parameters_text(const struct koshu_parameters *parameters, char **text)
{
    KOSHU_REQUIRE(NULL, parameters);
    KOSHU_REQUIRE(NULL, text);
    const enum koshu_scheme scheme = parameters->values.integrator.scheme;
    struct koshu_raw_values raw = *parameters->raw;
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        if (!koshu_raw_value_given(&raw.value[k]) && !koshu_keys[k].required &&
            in_force(parameters, &koshu_keys[k]))
            raw.value[k].text =
                    (char *)koshu_key_default(&koshu_keys[k], scheme);
    return text_of(parameters, &raw, false, text);
}

static koshu_status
set_earlier_defaults(struct koshu_parameters *p)
{
    for (int k = 0; k < KOSHU_N_KEYS; k++) {
        const struct koshu_key *key = &koshu_keys[k];
        if (key->earlier && !p->place[k] && in_force(p, key))
            KOSHU_TRY(koshu_parameters_set(p, key->path, key->earlier));
    }
    return KOSHU_OK;
}

koshu_status
koshu_parameters_parse_checkpoint(struct koshu_parameters *parameters,
                                  const char *name, const char *text)
{
    const struct koshu_source source = {
            .name = name, .has_lines = true, .kept = true};
    KOSHU_TRY(take_text(parameters, &source, text));
    return set_earlier_defaults(parameters);
}

static koshu_status
copy_places(struct koshu_parameters *p, const struct koshu_parameters *from)
{
    for (int k = 0; k < KOSHU_N_KEYS; k++) {
        free(p->place[k]);
        p->place[k] = from->place[k] ? strdup(from->place[k]) : NULL;
        if (from->place[k] && !p->place[k])
            return koshu_fail_memory(p->context, strlen(from->place[k]),
                                     "place");
    }
    return KOSHU_OK;
}

koshu_status
koshu_parameters_copy(struct koshu_context *context,
                      const struct koshu_parameters *from,
                      struct koshu_parameters **copy)
{
    struct koshu_parameters *p = NULL;
    char *text = NULL;
    koshu_status status = koshu_parameters_create(context, &p);
    KOSHU_TRY_CLEANUP(status);
    KOSHU_TRY_CLEANUP(text_of(p, from->raw, true, &text));
    KOSHU_TRY_CLEANUP(koshu_parameters_parse(p, "a copy", text));
    KOSHU_TRY_CLEANUP(copy_places(p, from));
cleanup:
    free(text);
    if (status != KOSHU_OK) {
        koshu_parameters_destroy(p);
        p = NULL;
    }
    *copy = p;
    return status;
}

/* Equal as values: 1/64 and 0.015625, true and yes. */
static bool
same_value(const struct koshu_parameters *a, const struct koshu_parameters *b,
           int k)
{
    const struct koshu_key *key = &koshu_keys[k];
    struct koshu_parameter_values va = {0}, vb = {0};
    struct koshu_raw_value sa = koshu_parameters_raw(a, k),
                           sb = koshu_parameters_raw(b, k);
    if (key->type == KOSHU_KEY_TEXT) return strcmp(sa.text, sb.text) == 0;
    return !koshu_value_store(key, &sa, a->list[k], &va) &&
           !koshu_value_store(key, &sb, b->list[k], &vb) &&
           memcmp(&va, &vb, sizeof va) == 0;
}

const struct koshu_key *
koshu_parameters_conflict(const struct koshu_parameters *old,
                          const struct koshu_parameters *new, bool forced,
                          const char **old_value, const char **new_value)
{
    for (int k = 0; k < KOSHU_N_KEYS; k++) {
        const struct koshu_key *key = &koshu_keys[k];
        if (key->restart == KOSHU_RESTART_FREE ||
            (key->restart == KOSHU_RESTART_FORCED && forced) ||
            same_value(old, new, k))
            continue;
        *old_value = koshu_parameters_raw(old, k).text;
        *new_value = koshu_parameters_raw(new, k).text;
        return key;
    }
    return NULL;
}
