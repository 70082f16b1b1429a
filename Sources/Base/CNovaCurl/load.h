// The functions of libcurl that we call, as pointers that are NULL until nova_curl_load() has run.

#ifndef NOVA_CURL_LOAD_H
#define NOVA_CURL_LOAD_H

// libcurl's type checks are macros with the functions' names, which don't work for calls through pointers.
#define CURL_DISABLE_TYPECHECK
#include "CNovaCurl.h"

#define NOVA_CURL_FUNCTIONS(DO) \
  DO(version)                   \
  DO(global_init)               \
  DO(easy_init)                 \
  DO(easy_cleanup)              \
  DO(easy_setopt)               \
  DO(easy_getinfo)              \
  DO(easy_pause)                \
  DO(easy_perform)              \
  DO(easy_recv)                 \
  DO(easy_send)                 \
  DO(easy_strerror)             \
  DO(multi_init)                \
  DO(multi_cleanup)             \
  DO(multi_setopt)              \
  DO(multi_strerror)            \
  DO(multi_add_handle)          \
  DO(multi_remove_handle)       \
  DO(multi_perform)             \
  DO(multi_poll)                \
  DO(multi_wakeup)              \
  DO(multi_socket_action)       \
  DO(multi_info_read)

#define NOVA_CURL_DECLARE(name) __typeof__(curl_##name) *name;

struct nova_curl_functions {
  NOVA_CURL_FUNCTIONS(NOVA_CURL_DECLARE)
};

extern struct nova_curl_functions nova_curl;

CURLcode nova_curl_set_route(CURL *easy, const nova_curl_route *route);

// Whether the server of a TLS connection chose HTTP/2.
bool nova_curl_chose_http2(CURL *easy);

// By number, because the oldest supported headers don't declare it.
#define OPTION_PREREQ_FUNCTION ((CURLoption)(CURLOPTTYPE_FUNCTIONPOINT + 312))  // 7.80

#endif
