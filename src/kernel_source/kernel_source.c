/* SPDX-License-Identifier: MIT */
/* Reads a kernel source, step by step. */
#include <stdlib.h>

#include "kernel_source/steps.h"

koshu_status
koshu_kernel_source_read(struct koshu_kernel_source *d,
                         const struct koshu_interaction_options *options)
{
    KOSHU_TRY(koshu_kernel_source_tokens(d));
    KOSHU_TRY(koshu_kernel_source_declare(d, options));
    KOSHU_TRY(koshu_kernel_source_check(d));
    KOSHU_TRY(koshu_kernel_source_outputs(d));
    return koshu_kernel_source_body(d);
}

void
koshu_kernel_source_free(struct koshu_kernel_source *d)
{
    for (int l = 0; l < KOSHU_LISTS; l++) {
        for (size_t k = 0; d->list[l].names && k < d->list[l].n; k++)
            free(d->list[l].names[k]);
        free(d->list[l].names);
    }
    for (size_t k = 0; k < d->n_constants; k++)
        free((char *)d->constants[k].name);
    free(d->name);
    free(d->text);
    free(d->tokens);
    free(d->body);
}
