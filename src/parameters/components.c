/* SPDX-License-Identifier: MIT */
/* initial.components: parses models from a text. Each has keys of `initial` of
 * its own, and a position, a velocity and a rotation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "external/external.h"
#include "parameters/object.h"
#include "particles/particles.h"

enum { MAX_COMPONENTS = 64, LABEL = 64, PURE_NUMBER = -1 };

/* The properties of a component other than keys. */
#define AT(member) offsetof(struct koshu_component, member)
static const struct placing {
    const char *name;
    size_t offset;
    int quantity;
} placings[] = {{"x", AT(x[0]), KOSHU_QUANTITY_LENGTH},
                {"y", AT(x[1]), KOSHU_QUANTITY_LENGTH},
                {"z", AT(x[2]), KOSHU_QUANTITY_LENGTH},
                {"vx", AT(v[0]), KOSHU_QUANTITY_VELOCITY},
                {"vy", AT(v[1]), KOSHU_QUANTITY_VELOCITY},
                {"vz", AT(v[2]), KOSHU_QUANTITY_VELOCITY},
                {"inclination", AT(inclination), PURE_NUMBER},
                {"node", AT(node), PURE_NUMBER},
                {"rotation_period", AT(rotation_period), KOSHU_QUANTITY_TIME}};
enum { N_PLACINGS = sizeof placings / sizeof placings[0] };

struct parser {
    struct koshu_context *context;
    const struct koshu_units *units;
    uint64_t seed;
    struct koshu_components *all;
    bool given[N_PLACINGS]; /* for the last component */
    char label[LABEL];      /* "component 2, king" */
};

static struct koshu_component *
last_of(const struct parser *p)
{
    return &p->all->component[p->all->n - 1];
}

static koshu_status
refuse(const struct parser *p, const char *name, const char *why)
{
    return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT, "%s: %s: %s", p->label,
                      name, why);
}

/* ---- values -------------------------------------------------------------- */

static koshu_status
set_placing(struct parser *p, int k, const char *text)
{
    const struct placing *m = &placings[k];
    double *x = (double *)((char *)last_of(p) + m->offset);
    if (p->given[k]) return refuse(p, m->name, "it is given twice");
    p->given[k] = true;
    if (m->quantity == PURE_NUMBER) {
        if (koshu_parse_real(text, x)) return KOSHU_OK;
        return refuse(p, m->name, "expected a number of degrees");
    }
    if (koshu_quantity_parse(NULL, text, (enum koshu_quantity)m->quantity,
                             p->units, x) != KOSHU_OK)
        return refuse(p, m->name, koshu_context_message(NULL));
    if (m->quantity != KOSHU_QUANTITY_TIME || *x != 0) return KOSHU_OK;
    return refuse(p, m->name, "it must not be 0; leave it out for none");
}

/* Whether the model has the key. */
static bool
is_of(const struct koshu_key *key, enum koshu_model model)
{
    static const char *const of_all[] = {"initial.model", "initial.components",
                                         "initial.file"};
    for (size_t k = 0; k < sizeof of_all / sizeof of_all[0]; k++)
        if (strcmp(key->path, of_all[k]) == 0) return false;
    return strncmp(key->path, "initial.", 8) == 0 &&
           (!key->models || key->models & 1u << model);
}

static koshu_status
unknown_name(const struct parser *p, const char *name)
{
    const enum koshu_model model = last_of(p)->keys->values.initial.model;
    const char *names[KOSHU_N_KEYS + N_PLACINGS];
    char list[1024], why[1200];
    size_t n = 0;
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        if (is_of(&koshu_keys[k], model)) names[n++] = koshu_keys[k].path + 8;
    for (int k = 0; k < N_PLACINGS; k++) names[n++] = placings[k].name;
    const char *near = koshu_nearest_name(name, names, n);
    koshu_join_names(list, sizeof list, names, n);
    snprintf(why, sizeof why,
             near ? "there is none; did you mean '%s'?"
                  : "there is none; it has %s",
             near ? near : list);
    return refuse(p, name, why);
}

static koshu_status
set_value(void *user, const char *name, const char *text)
{
    struct parser *p = user;
    struct koshu_parameters *keys = last_of(p)->keys;
    char path[LABEL];
    for (int k = 0; k < N_PLACINGS; k++)
        if (strcmp(placings[k].name, name) == 0) return set_placing(p, k, text);
    snprintf(path, sizeof path, "initial.%s", name);
    const int k = koshu_key_find(path);
    if (k < 0 || !is_of(&koshu_keys[k], keys->values.initial.model))
        return unknown_name(p, name);
    if (keys->given[k]) return refuse(p, name, "it is given twice");
    KOSHU_TRY(koshu_parameters_check_value(keys, k, text, p->label));
    return koshu_parameters_take(keys, k, text, p->label);
}

/* ---- components ---------------------------------------------------------- */

static koshu_status
set_key(struct koshu_parameters *keys, const char *path, const char *text,
        const char *place)
{
    return koshu_parameters_take(keys, koshu_key_find(path), text, place);
}

static koshu_status
set_seed(const struct parser *p, struct koshu_parameters *keys)
{
    char text[32];
    if (keys->given[koshu_key_find("initial.seed")]) return KOSHU_OK;
    snprintf(text, sizeof text, "%llu",
             (unsigned long long)(p->seed + p->all->n - 1));
    return set_key(keys, "initial.seed", text, p->label);
}

/* Checks that the component just read is complete. */
static koshu_status
end_component(const struct parser *p)
{
    if (p->all->n == 0) return KOSHU_OK;
    struct koshu_parameters *keys = last_of(p)->keys;
    char message[768];
    KOSHU_TRY(set_seed(p, keys));
    koshu_parameters_settle(keys);
    if (!keys->given[koshu_key_find("initial.n")] &&
        keys->values.initial.model != KOSHU_MODEL_TWO_BODY)
        return refuse(p, "n", "it is missing: n=1000");
    koshu_status status = koshu_parameters_check_units(keys);
    if (status == KOSHU_OK) status = koshu_parameters_check_stars(keys);
    if (status == KOSHU_OK) return KOSHU_OK;
    snprintf(message, sizeof message, "%s", koshu_context_message(p->context));
    if (strncmp(message, p->label, strlen(p->label)) == 0) return status;
    return koshu_fail(p->context, status, "%s: %s", p->label, message);
}

static koshu_status
begin_component(void *user, const char *name)
{
    struct parser *p = user;
    enum koshu_model model;
    KOSHU_TRY(end_component(p));
    if (koshu_model_find(NULL, name, &model) != KOSHU_OK)
        return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT, "components: %s",
                          koshu_context_message(NULL));
    if (p->all->n == MAX_COMPONENTS)
        return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT,
                          "more than %d components: leave out '%s'",
                          MAX_COMPONENTS, name);
    struct koshu_component *c = &p->all->component[p->all->n];
    KOSHU_TRY(koshu_parameters_create(p->context, &c->keys));
    p->all->n++;
    snprintf(p->label, sizeof p->label, "component %zu, %s", p->all->n, name);
    memset(p->given, 0, sizeof p->given);
    c->keys->values.units = *p->units;
    c->keys->units_used = true;
    return set_key(c->keys, "initial.model", name, p->label);
}

static koshu_status
parse(struct parser *p, const char *text)
{
    static const struct koshu_entry_reader reader = {
            "components", "a model", begin_component, set_value};
    KOSHU_TRY(koshu_entries_read(p->context, text, &reader, p));
    if (p->all->n > 0) return end_component(p);
    return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT,
                      "components: there is none; for example 'plummer n=1000, "
                      "x=-2, plummer n=500, x=2'");
}

koshu_status
koshu_components_parse(struct koshu_context *context, const char *text,
                       uint64_t seed, const struct koshu_units *units,
                       struct koshu_components *components)
{
    *components = (struct koshu_components){
            0, calloc(MAX_COMPONENTS, sizeof *components->component)};
    if (!components->component)
        return koshu_fail_memory(context,
                                 MAX_COMPONENTS * sizeof *components->component,
                                 "components");
    struct parser p = {.context = context,
                       .units = units,
                       .seed = seed,
                       .all = components};
    return parse(&p, text);
}

void
koshu_components_free(struct koshu_components *components)
{
    for (size_t k = 0; k < components->n; k++)
        koshu_parameters_destroy(components->component[k].keys);
    free(components->component);
    *components = (struct koshu_components){0};
}
