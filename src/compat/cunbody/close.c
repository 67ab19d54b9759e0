/* SPDX-License-Identifier: MIT */
/* Closes the engine and everything made from it. */
#include <koshu-cunbody/cunbody.h>

#include "compat/cunbody/cunbody.h"

void
koshu_cunbody_close(void)
{
    struct koshu_cunbody_engine *e = koshu_cunbody_take_open();
    if (!e) return;
    koshu_cunbody_force_close(e);
    koshu_cunbody_pipeline_close(e);
    koshu_context_destroy(e->context);
    e->context = NULL;
    koshu_cunbody_give(e);
}
