/* SPDX-License-Identifier: MIT */
/* Reads and writes costs of trees. */
#include "tree_costs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "rank_costs.h"

/* ---- numbers ------------------------------------------------------------- */

struct number {
    const char *key;
    size_t offset;
};

#define OF(T, name, member)       \
    {                             \
        name, offsetof(T, member) \
    }
#define COST(name, member) OF(struct koshu_tree_costs, name, member)
#define RATE(name, member) OF(struct koshu_tree_rate, name, member)
#define LIST(name, member) OF(struct koshu_tree_list, name, member)

static const struct number costs[] = {COST("theta", theta),
                                      COST("alpha", alpha),
                                      COST("n_crit", n_crit),
                                      COST("n_leaf", n_leaf),
                                      COST("imbalance", imbalance),
                                      COST("split", split),
                                      COST("imported", imported),
                                      COST("import_bytes", import_bytes),
                                      COST("moved_bytes", moved_bytes),
                                      COST("domains_seconds", domains),
                                      COST("moved_seconds", moved),
                                      COST("essential_seconds", essential),
                                      COST("pass_seconds", pass),
                                      COST("message_seconds", message),
                                      COST("byte_seconds", byte),
                                      COST("sync_seconds", sync),
                                      COST("sync_doubling_seconds",
                                           sync_doubling),
                                      {0}},
                           rates[] = {RATE("n", n),
                                      RATE("tree_seconds", build),
                                      RATE("walk_seconds", walk),
                                      RATE("force_seconds", force),
                                      {0}},
                           lists[] = {
                                   LIST("n", n), LIST("length", length), {0}};

static void
put(json_t *object, const struct number *numbers, const void *of)
{
    for (; numbers->key; numbers++)
        json_object_set_new(object, numbers->key,
                            json_real(*(const double *)((const char *)of +
                                                        numbers->offset)));
}

/* NULL if all numbers are present and >= 0; otherwise the key of one that is
 * not. */
static const char *
get(const json_t *object, const struct number *numbers, void *of)
{
    for (; numbers->key; numbers++) {
        const json_t *value = json_object_get(object, numbers->key);
        double *to = (double *)((char *)of + numbers->offset);
        *to = json_number_value(value);
        if (!json_is_number(value) || !(*to >= 0) || !isfinite(*to))
            return numbers->key;
    }
    return NULL;
}

/* ---- saving -------------------------------------------------------------- */

static json_t *
array_of(const struct number *numbers, const void *first, size_t n, size_t size)
{
    json_t *array = json_array();
    for (size_t k = 0; k < n; k++) {
        json_t *object = json_object();
        put(object, numbers, (const char *)first + k * size);
        json_array_append_new(array, object);
    }
    return array;
}

koshu_status
tree_costs_save(struct koshu_context *context, const char *path,
                const struct tree_costs_file *file)
{
    const struct koshu_tree_costs *c = &file->costs;
    json_t *root =
            json_pack("{s:s, s:s, s:s, s:s, s:i}", "method", "tree", "device",
                      file->device, "precision", file->precision, "model",
                      file->model, "ranks", file->ranks);
    put(root, costs, c);
    json_object_set_new(root, "rates",
                        array_of(rates, c->rate, c->n_rates, sizeof *c->rate));
    json_object_set_new(root, "lists",
                        array_of(lists, c->list, c->n_lists, sizeof *c->list));
    return costs_save(context, path, root);
}

/* ---- reading ------------------------------------------------------------- */

bool
tree_costs_are(const json_t *root)
{
    const char *method = json_string_value(json_object_get(root, "method"));
    return method && strcmp(method, "tree") == 0;
}

/* Reads at most `capacity` entries, in ascending order of n, their first
 * number. */
static const char *
get_array(const json_t *root, const char *key, const struct number *numbers,
          void *to, size_t size, size_t capacity, size_t *n)
{
    const json_t *array = json_object_get(root, key);
    double before = 0;
    *n = json_array_size(array);
    if (*n == 0 || *n > capacity) return key;
    for (size_t k = 0; k < *n; k++) {
        double *const item = (double *)((char *)to + k * size);
        if (get(json_array_get(array, k), numbers, item)) return key;
        if (!(item[0] > before)) return key;
        before = item[0];
    }
    return NULL;
}

/* The key of a number that is missing or impossible; NULL: none. */
static const char *
get_all(const json_t *root, struct koshu_tree_costs *c)
{
    const char *key = get(root, costs, c);
    if (!key)
        key = get_array(root, "rates", rates, c->rate, sizeof *c->rate,
                        KOSHU_TREE_RATES, &c->n_rates);
    if (!key)
        key = get_array(root, "lists", lists, c->list, sizeof *c->list,
                        KOSHU_TREE_LISTS, &c->n_lists);
    if (key) return key;
    if (c->alpha == 0 && c->theta == 0) return "theta";
    if (c->n_leaf < 1) return "n_leaf";
    return c->imbalance < 1 ? "imbalance" : NULL;
}

koshu_status
tree_costs_unpack(struct koshu_context *context, const char *path, json_t *root,
                  struct tree_costs_file *file)
{
    const char *device, *precision, *model, *source = "";
    json_error_t error;
    if (json_unpack_ex(root, &error, 0, "{s:s, s:s, s:s, s?s, s:i}", "device",
                       &device, "precision", &precision, "model", &model,
                       "source", &source, "ranks", &file->ranks) != 0)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s: %s; `koshu bench scaling --method tree --save` "
                          "writes such a file",
                          path, error.text);
    snprintf(file->device, sizeof file->device, "%s", device);
    snprintf(file->precision, sizeof file->precision, "%s", precision);
    snprintf(file->model, sizeof file->model, "%s", model);
    snprintf(file->source, sizeof file->source, "%s", source);
    const char *wrong = get_all(root, &file->costs);
    if (!wrong) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "%s: \"%s\" is missing, or no number that it can be; "
                      "`koshu bench scaling --method tree --save` writes such "
                      "a file",
                      path, wrong);
}
