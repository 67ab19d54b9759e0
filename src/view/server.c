/* SPDX-License-Identifier: MIT */
/* The server of a live view, with libwebsockets: a thread of idle priority. */
#include <assert.h>
#include <libwebsockets.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "view/view.h"

static_assert(LWS_PRE <= KOSHU_VIEW_BEFORE, "the server writes more before");

struct koshu_view_server {
    struct koshu_view_channel *channel;
    struct lws_context *lws;
    struct koshu_view_frame *frame; /* the newest frame taken */
    uint32_t serial;                /* its number */
    pthread_t thread;
    atomic_bool ending, end;
    char *socket; /* the path of a socket; NULL: a port */
    int port;
};

static struct koshu_view_server *
server_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

static bool
is_admitted(struct lws *wsi)
{
    char text[64];
    const char *token =
            lws_get_urlarg_by_name(wsi, "token=", text, sizeof text);
    return koshu_view_admits(server_of(wsi)->channel, token);
}

/* ---- page and log ------------------------------------------------------- */

/* The body of an HTTP answer. */
struct answer {
    char *memory; /* its body starts after KOSHU_VIEW_BEFORE bytes */
    size_t n;
};

static const struct {
    const char *name, *value;
} headers[] = {
        {"cache-control:", "no-store"},
        {"referrer-policy:", "no-referrer"},
        {"x-content-type-options:", "nosniff"},
        {"content-security-policy:",
         "default-src 'none'; script-src 'unsafe-inline'; style-src "
         "'unsafe-inline'; connect-src 'self' ws:; img-src blob: data:"}};

static int
send_headers(struct lws *wsi, const char *type, size_t n)
{
    unsigned char buffer[LWS_PRE + 1024], *start = buffer + LWS_PRE, *p = start,
                                          *end = buffer + sizeof buffer - 1;
    if (lws_add_http_common_headers(wsi, HTTP_STATUS_OK, type, n, &p, end))
        return 1;
    for (size_t k = 0; k < sizeof headers / sizeof headers[0]; k++)
        if (lws_add_http_header_by_name(wsi,
                                        (const unsigned char *)headers[k].name,
                                        (const unsigned char *)headers[k].value,
                                        (int)strlen(headers[k].value), &p, end))
            return 1;
    if (lws_finalize_write_http_header(wsi, start, &p, end)) return 1;
    lws_callback_on_writable(wsi);
    return 0;
}

static int
refuse(struct lws *wsi, unsigned code)
{
    if (lws_return_http_status(wsi, code, NULL)) return -1;
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

static char *
copy_page(size_t *n)
{
    char *memory = malloc(KOSHU_VIEW_BEFORE + koshu_view_page_size);
    *n = koshu_view_page_size;
    if (memory) memcpy(memory + KOSHU_VIEW_BEFORE, koshu_view_page, *n);
    return memory;
}

static char *
read_log(struct lws *wsi, size_t *n)
{
    char text[64]; /* large enough for an argument before it, too */
    const char *from = lws_get_urlarg_by_name(wsi, "from=", text, sizeof text);
    const long long at = from ? strtoll(from, NULL, 10) : 0;
    return koshu_view_log_part(server_of(wsi)->channel->log, at > 0 ? at : 0,
                               n);
}

static int
start_answer(struct lws *wsi, struct answer *answer, const char *path)
{
    const bool page = strcmp(path, "/") == 0;
    if (!is_admitted(wsi)) return refuse(wsi, HTTP_STATUS_FORBIDDEN);
    if (!page && strcmp(path, "/log") != 0)
        return refuse(wsi, HTTP_STATUS_NOT_FOUND);
    /* may be left from an earlier request on this connection */
    free(answer->memory);
    answer->memory = page ? copy_page(&answer->n) : read_log(wsi, &answer->n);
    if (!answer->memory) return refuse(wsi, HTTP_STATUS_NOT_FOUND);
    return send_headers(wsi, page ? "text/html; charset=utf-8" : "text/csv",
                        answer->n);
}

static int
end_answer(struct lws *wsi, struct answer *answer)
{
    if (!answer->memory) return 0;
    const int sent =
            lws_write(wsi, (unsigned char *)answer->memory + KOSHU_VIEW_BEFORE,
                      answer->n, LWS_WRITE_HTTP_FINAL);
    free(answer->memory);
    answer->memory = NULL;
    if (sent < 0) return 1;
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

static int
serve_http(struct lws *wsi, enum lws_callback_reasons reason, void *session,
           void *in, size_t n)
{
    struct answer *answer = session;
    switch (reason) {
    case LWS_CALLBACK_HTTP: return start_answer(wsi, answer, in);
    case LWS_CALLBACK_HTTP_WRITEABLE: return end_answer(wsi, answer);
    case LWS_CALLBACK_CLOSED_HTTP:
        if (answer) free(answer->memory);
        if (answer) answer->memory = NULL;
        return 0;
    default: return lws_callback_http_dummy(wsi, reason, session, in, n);
    }
}

/* ---- frames ------------------------------------------------------------- */

struct watcher {
    uint32_t seen; /* the serial of the last frame sent */
    bool counted;
};

static bool
is_full(const struct koshu_view_server *s)
{
    return atomic_load(&s->channel->watchers) >= KOSHU_VIEW_WATCHERS;
}

/* When the last watcher leaves, a pause ends: there is none left to end it. */
static void
leave(struct koshu_view_server *s, struct watcher *w)
{
    if (!w->counted) return;
    w->counted = false;
    if (atomic_fetch_sub(&s->channel->watchers, 1) == 1)
        atomic_store(&s->channel->paused, false);
}

static void
enter(struct lws *wsi, struct koshu_view_server *s, struct watcher *w)
{
    *w = (struct watcher){.counted = true};
    atomic_fetch_add(&s->channel->watchers, 1);
    lws_callback_on_writable(wsi);
}

/* Sends the newest frame to a watcher that is ready for it. A slow one misses
 * frames. */
static int
send_frame(struct lws *wsi, struct koshu_view_server *s, struct watcher *w)
{
    if (s->frame && w->seen != s->serial) {
        w->seen = s->serial;
        if (lws_write(wsi, (unsigned char *)&s->frame->header, s->frame->bytes,
                      LWS_WRITE_BINARY) < 0)
            return -1;
        if (s->ending) lws_callback_on_writable(wsi);
    } else if (s->ending) {
        lws_close_reason(wsi, LWS_CLOSE_STATUS_NORMAL, NULL, 0);
        return -1;
    }
    return 0;
}

static void
take_frame(struct koshu_view_server *s)
{
    struct koshu_view_frame *frame =
            koshu_view_exchange_take(&s->channel->frames, s->frame);
    if (frame) s->serial = frame->header.serial;
    s->frame = frame;
}

static int
receive(struct lws *wsi, struct koshu_view_server *s, const char *text,
        size_t n)
{
    if (lws_is_first_fragment(wsi) && lws_is_final_fragment(wsi))
        koshu_view_command(s->channel, text, n);
    return 0;
}

static int
serve_frames(struct lws *wsi, enum lws_callback_reasons reason, void *session,
             void *in, size_t n)
{
    struct koshu_view_server *s = server_of(wsi);
    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return is_full(s) || !is_admitted(wsi);
    case LWS_CALLBACK_ESTABLISHED: enter(wsi, s, session); return 0;
    case LWS_CALLBACK_CLOSED: leave(s, session); return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE: return send_frame(wsi, s, session);
    case LWS_CALLBACK_RECEIVE: return receive(wsi, s, in, n);
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        take_frame(s);
        lws_callback_on_writable_all_protocol(s->lws, lws_get_protocol(wsi));
        return 0;
    default: return 0;
    }
}

/* ---- the thread --------------------------------------------------------- */

static const struct lws_protocols protocols[] = {
        {"http", serve_http, sizeof(struct answer), 256, 0, NULL, 0},
        {"koshu-view", serve_frames, sizeof(struct watcher), 256, 0, NULL, 0},
        {NULL, NULL, 0, 0, 0, NULL, 0}};

static void *
serve(void *argument)
{
    struct koshu_view_server *s = argument;
    const struct sched_param none = {0};
    pthread_setschedparam(pthread_self(), SCHED_IDLE, &none);
    while (!s->end && lws_service(s->lws, 0) >= 0) {
    }
    return NULL;
}

/* Starts the thread with all signals blocked: the run handles them. */
static int
start_thread(struct koshu_view_server *s)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&s->thread, NULL, serve, s);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

static bool
listen_at(struct koshu_view_server *s, const struct koshu_view_options *options)
{
    const struct lws_context_creation_info info = {
            .port = options->port,
            .iface = s->socket ? s->socket : "127.0.0.1",
            .protocols = protocols,
            .options = LWS_SERVER_OPTION_DISABLE_IPV6 |
                       (s->socket ? LWS_SERVER_OPTION_UNIX_SOCK : 0) |
                       LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND,
            .fd_limit_per_thread = 64,
            .timeout_secs = 10,
            .ka_time = 60,
            .ka_probes = 3,
            .ka_interval = 10,
            .user = s};
    lws_set_log_level(0, NULL);
    s->lws = lws_create_context(&info);
    struct lws_vhost *host =
            s->lws ? lws_get_vhost_by_name(s->lws, "default") : NULL;
    if (host && !s->socket) s->port = lws_get_vhost_listen_port(host);
    if (s->socket && s->lws) return chmod(s->socket, 0600) == 0;
    return s->port > 0;
}

static koshu_status
open_server(struct koshu_context *context, struct koshu_view_server *s,
            const struct koshu_view_options *options)
{
    struct stat file;
    if (options->socket && lstat(options->socket, &file) == 0)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "'%s' is there already; name a socket that is not",
                          options->socket);
    if (options->socket && !(s->socket = strdup(options->socket)))
        return koshu_fail_memory(context, 1, "socket");
    if (!listen_at(s, options))
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "the view cannot be served at %s%.0d: is another "
                          "program there?",
                          s->socket ? s->socket : "port ", options->port);
    if (start_thread(s) != 0)
        return koshu_fail_memory(context, 1, "thread of the view");
    return KOSHU_OK;
}

static void
close_server(struct koshu_view_server *s)
{
    if (s->lws) lws_context_destroy(s->lws);
    if (s->lws && s->socket) unlink(s->socket);
    free(s->frame);
    free(s->socket);
    free(s);
}

koshu_status
koshu_view_server_start(struct koshu_context *context,
                        struct koshu_view_channel *channel,
                        const struct koshu_view_options *options,
                        struct koshu_view_server **server)
{
    struct koshu_view_server *s = calloc(1, sizeof *s);
    if (!s) return koshu_fail_memory(context, sizeof *s, "view");
    s->channel = channel;
    const koshu_status status = open_server(context, s, options);
    if (status == KOSHU_OK)
        *server = s;
    else
        close_server(s);
    return status;
}

int
koshu_view_server_port(const struct koshu_view_server *server)
{
    return server->port;
}

void
koshu_view_server_wake(struct koshu_view_server *server)
{
    lws_cancel_service(server->lws);
}

void
koshu_view_server_stop(struct koshu_view_server *server)
{
    if (!server) return;
    const double until = koshu_now() + 0.5;
    const struct sched_param none = {0};
    /* the run now waits for the thread */
    pthread_setschedparam(server->thread, SCHED_OTHER, &none);
    server->ending = true;
    lws_cancel_service(server->lws);
    while (atomic_load(&server->channel->watchers) > 0 && koshu_now() < until)
        usleep(5000);
    server->end = true;
    lws_cancel_service(server->lws);
    pthread_join(server->thread, NULL);
    close_server(server);
}
