/* SPDX-License-Identifier: MIT */
/* koshu_interaction_*: combines a kernel source with a backend. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "base/base.h"
#include "kernel_source/kernel_source.h"

struct koshu_interaction {
    struct koshu_kernel_source source;
    struct koshu_backend *backend;
    const struct koshu_interaction_ops *ops;
    struct koshu_interaction_program *program; /* NULL: not compiled */
};

KOSHU_DEFINE_DEFAULT(koshu_interaction_options,
                     .precision = KOSHU_PRECISION_SINGLE)

/* ---- creation ------------------------------------------------------------ */

static koshu_status
check_options(struct koshu_context *context,
              const struct koshu_interaction_options *options)
{
    if (options->n_constants && !options->constants)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "%zu constants, but their array is NULL",
                          options->n_constants);
    if (options->precision == KOSHU_PRECISION_MIXED)
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "interactions are in single or double precision, not "
                          "mixed");
    if (options->precision != KOSHU_PRECISION_SINGLE &&
        options->precision != KOSHU_PRECISION_DOUBLE)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "unknown precision %d", (int)options->precision);
    return KOSHU_OK;
}

static koshu_status
find_backend(struct koshu_context *context, struct koshu_backend **backend)
{
    KOSHU_TRY(koshu_backend_of(context, backend));
    if ((*backend)->ops->interaction) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                      "the backend '%s' has no interactions of the user's own; "
                      "use simd or ref",
                      (*backend)->ops->name);
}

static koshu_status
fill(struct koshu_interaction *a, struct koshu_backend *backend,
     const char *source, const struct koshu_interaction_options *o)
{
    struct koshu_kernel_source *d = &a->source;
    a->backend = backend;
    a->ops = backend->ops->interaction;
    d->context = backend->context;
    d->precision =
            a->ops->always_double ? KOSHU_PRECISION_DOUBLE : o->precision;
    d->name = strdup(o->name && o->name[0] ? o->name : "interaction");
    d->text = strdup(source);
    if (!d->name || !d->text)
        return koshu_fail_memory(d->context, strlen(source), "kernel source");
    return koshu_kernel_source_read(d, o);
}

koshu_status
koshu_interaction_read(struct koshu_context *context, const char *source,
                       const struct koshu_interaction_options *options,
                       struct koshu_interaction **interaction)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, source);
    KOSHU_REQUIRE(context, interaction);
    struct koshu_interaction_options o;
    struct koshu_backend *backend;
    *interaction = NULL;
    KOSHU_TRY(KOSHU_READ_OPTIONS(context, koshu_interaction_options, options,
                                 &o));
    KOSHU_TRY(check_options(context, &o));
    KOSHU_TRY(find_backend(context, &backend));
    struct koshu_interaction *a = calloc(1, sizeof *a);
    if (!a) return koshu_fail_memory(context, sizeof *a, "interaction");
    koshu_status status = fill(a, backend, source, &o);
    if (status == KOSHU_OK)
        *interaction = a;
    else
        koshu_interaction_destroy(a);
    return status;
}

koshu_status
koshu_interaction_compile(struct koshu_interaction *interaction)
{
    KOSHU_REQUIRE(NULL, interaction);
    if (interaction->program) return KOSHU_OK;
    return interaction->ops->compile(interaction->backend, &interaction->source,
                                     &interaction->program);
}

koshu_status
koshu_interaction_create(struct koshu_context *context, const char *source,
                         const struct koshu_interaction_options *options,
                         struct koshu_interaction **interaction)
{
    KOSHU_TRY(koshu_interaction_read(context, source, options, interaction));
    const koshu_status status = koshu_interaction_compile(*interaction);
    if (status == KOSHU_OK) return KOSHU_OK;
    koshu_interaction_destroy(*interaction);
    *interaction = NULL;
    return status;
}

void
koshu_interaction_destroy(struct koshu_interaction *interaction)
{
    if (!interaction) return;
    if (interaction->program) interaction->ops->destroy(interaction->program);
    koshu_kernel_source_free(&interaction->source);
    free(interaction);
}

/* ---- constants ----------------------------------------------------------- */

size_t
koshu_interaction_n_constants(const struct koshu_interaction *interaction)
{
    return interaction ? interaction->source.n_constants : 0;
}

const char *
koshu_interaction_name_constant(const struct koshu_interaction *interaction,
                                size_t k)
{
    if (!interaction) return NULL;
    if (k >= interaction->source.n_constants) return "";
    return interaction->source.constants[k].name;
}

static koshu_status
no_constant(const struct koshu_kernel_source *d, const char *name)
{
    const char *names[KOSHU_INTERACTION_MAX];
    char there[256];
    if (d->n_constants == 0)
        return koshu_fail(d->context, KOSHU_ERROR_NOT_FOUND,
                          "%s has no constant '%s', nor any other", d->name,
                          name);
    for (size_t k = 0; k < d->n_constants; k++) names[k] = d->constants[k].name;
    koshu_join_names(there, sizeof there, names, d->n_constants);
    return koshu_fail(d->context, KOSHU_ERROR_NOT_FOUND,
                      "%s has no constant '%s'; it has %s", d->name, name,
                      there);
}

koshu_status
koshu_interaction_set_constant(struct koshu_interaction *interaction,
                               const char *name, double value)
{
    KOSHU_REQUIRE(NULL, interaction);
    struct koshu_kernel_source *d = &interaction->source;
    KOSHU_REQUIRE(d->context, name);
    if (interaction->program)
        return koshu_fail(d->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "%s is compiled: set its constants before", d->name);
    if (!isfinite(value))
        return koshu_fail(d->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "the constant '%s' is %g, which is not finite", name,
                          value);
    for (size_t k = 0; k < d->n_constants; k++)
        if (strcmp(d->constants[k].name, name) == 0) {
            d->constants[k].value = value;
            return KOSHU_OK;
        }
    return no_constant(d, name);
}

/* ---- what it is ---------------------------------------------------------- */

static const struct koshu_name_list *
list_of(const struct koshu_interaction *interaction,
        enum koshu_interaction_list which)
{
    static const struct koshu_name_list none;
    return interaction ? &interaction->source.list[which] : &none;
}

size_t
koshu_interaction_n_i_fields(const struct koshu_interaction *interaction)
{
    return list_of(interaction, KOSHU_LIST_I)->n;
}

size_t
koshu_interaction_n_j_fields(const struct koshu_interaction *interaction)
{
    return list_of(interaction, KOSHU_LIST_J)->n;
}

size_t
koshu_interaction_n_outputs(const struct koshu_interaction *interaction)
{
    return list_of(interaction, KOSHU_LIST_OUT)->n;
}

static const char *
name_of(const struct koshu_interaction *interaction,
        enum koshu_interaction_list which, size_t k)
{
    const struct koshu_name_list *list = list_of(interaction, which);
    if (!interaction) return NULL;
    return list->names && k < list->n ? list->names[k] : "";
}

const char *
koshu_interaction_name_i(const struct koshu_interaction *interaction, size_t k)
{
    return name_of(interaction, KOSHU_LIST_I, k);
}

const char *
koshu_interaction_name_j(const struct koshu_interaction *interaction, size_t k)
{
    return name_of(interaction, KOSHU_LIST_J, k);
}

const char *
koshu_interaction_name_out(const struct koshu_interaction *interaction,
                           size_t k)
{
    return name_of(interaction, KOSHU_LIST_OUT, k);
}

/* ---- evaluation ---------------------------------------------------------- */

static koshu_status
check_arrays(const struct koshu_kernel_source *d, size_t n_i, size_t n_j,
             const double *i, const double *j, const double *out)
{
    if ((n_i && (!i || !out)) || (n_i && n_j && !j))
        return koshu_fail(d->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "%s: the array of the %s is NULL", d->name,
                          !i     ? "i-particles"
                          : !out ? "results"
                                 : "j-particles");
    if (n_i <= INT32_MAX && n_j <= INT32_MAX) return KOSHU_OK;
    return koshu_fail(d->context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "%s: %zu i- and %zu j-particles, but there can be at "
                      "most 2^31 - 1 of each",
                      d->name, n_i, n_j);
}

koshu_status
koshu_interaction_evaluate(struct koshu_interaction *interaction, size_t n_i,
                           size_t n_j, const double *i, const double *j,
                           double *out)
{
    KOSHU_REQUIRE(NULL, interaction);
    const struct koshu_kernel_source *d = &interaction->source;
    const size_t n_outputs = d->list[KOSHU_LIST_OUT].n;
    KOSHU_TRY(koshu_check_threads(d->context));
    if (!interaction->program)
        return koshu_fail(d->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "%s is read, not compiled: call "
                          "koshu_interaction_compile()",
                          d->name);
    KOSHU_TRY(check_arrays(d, n_i, n_j, i, j, out));
    if (n_i == 0) return KOSHU_OK;
    if (n_j > 0)
        return interaction->ops->evaluate(interaction->program, n_i, i, n_j, j,
                                          out);
    for (size_t k = 0; k < n_i; k++)
        for (size_t o = 0; o < n_outputs; o++)
            out[k * n_outputs + o] = koshu_interaction_nothing(d->reduction[o]);
    return KOSHU_OK;
}
