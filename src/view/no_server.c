/* SPDX-License-Identifier: MIT */
/* Functions of the server in builds without libwebsockets. */
#include "view/view.h"

koshu_status
koshu_view_server_start(struct koshu_context *context,
                        struct koshu_view_channel *channel,
                        const struct koshu_view_options *options,
                        struct koshu_view_server **server)
{
    (void)channel, (void)options;
    *server = NULL;
    return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                      "this koshu has no live view: it was built without "
                      "libwebsockets (libwebsockets-dev)");
}

void
koshu_view_server_wake(struct koshu_view_server *server)
{
    (void)server;
}

void
koshu_view_server_stop(struct koshu_view_server *server)
{
    (void)server;
}

int
koshu_view_server_port(const struct koshu_view_server *server)
{
    (void)server;
    return 0;
}
