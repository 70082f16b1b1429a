// The functions of nghttp2 that we call, as pointers that are NULL until nova_h2_load() has run. The declarations are
// our own, so that no headers of nghttp2 are needed to build: its ABI has not changed since version 1.0.

#ifndef NOVA_HTTP2_LOAD_H
#define NOVA_HTTP2_LOAD_H

#include <sys/types.h>

#include "CNovaHTTP2.h"

typedef struct nghttp2_session nghttp2_session;
typedef struct nghttp2_session_callbacks nghttp2_session_callbacks;
typedef struct nghttp2_option nghttp2_option;

enum {
  H2_DATA = 0, H2_HEADERS = 1, H2_RST_STREAM = 3, H2_SETTINGS = 4, H2_PUSH_PROMISE = 5, H2_PING = 6, H2_GOAWAY = 7,
  H2_CONTINUATION = 9
};
enum { H2_END_STREAM = 1, H2_ACK = 1 };
enum { H2_ENABLE_PUSH = 2, H2_MAX_CONCURRENT_STREAMS = 3, H2_INITIAL_WINDOW_SIZE = 4, H2_MAX_HEADER_LIST_SIZE = 6 };
enum { H2_NAME_VALUE_NO_INDEX = 1 };
enum { H2_DATA_EOF = 1 };
enum { H2_ERROR_CALLBACK = -902, H2_ERROR_STREAM = -521, H2_ERROR_MEMORY = -901 };

typedef struct {
  uint8_t *name, *value;
  size_t namelen, valuelen;
  uint8_t flags;
} h2_name_value;

typedef struct {
  int32_t settings_id;
  uint32_t value;
} h2_setting;

typedef struct {
  size_t length;
  int32_t stream_id;
  uint8_t type, flags, reserved;
} h2_frame_head;

typedef union {
  h2_frame_head head;
  struct {
    h2_frame_head head;
    uint32_t error_code;
  } rst_stream;
  struct {
    h2_frame_head head;
    int32_t last_stream_id;
    uint32_t error_code;
    uint8_t *opaque_data;
    size_t opaque_data_len;
  } goaway;
} h2_frame;

typedef struct {
  int age, version_num;
  const char *version_str;
} h2_version;

typedef union {
  int fd;
  void *ptr;
} h2_data_source;

typedef ssize_t (*h2_read_callback)(
    nghttp2_session *, int32_t stream, uint8_t *buffer, size_t size, uint32_t *flags, h2_data_source *, void *);

typedef struct {
  h2_data_source source;
  h2_read_callback read_callback;
} h2_data_provider;

typedef int (*h2_frame_callback)(nghttp2_session *, const h2_frame *, void *);
typedef int (*h2_head_callback)(nghttp2_session *, const h2_frame_head *, void *);
typedef int (*h2_invalid_callback)(nghttp2_session *, const h2_frame *, int error, void *);
typedef int (*h2_data_callback)(
    nghttp2_session *, uint8_t flags, int32_t stream, const uint8_t *bytes, size_t size, void *);
typedef int (*h2_close_callback)(nghttp2_session *, int32_t stream, uint32_t code, void *);
typedef int (*h2_header_callback)(
    nghttp2_session *, const h2_frame *, const uint8_t *name, size_t name_size, const uint8_t *value, size_t value_size,
    uint8_t flags, void *);

#define NOVA_H2_FUNCTIONS(DO)                                                                                       \
  DO(session_callbacks_new, int, (nghttp2_session_callbacks **))                                                    \
  DO(session_callbacks_del, void, (nghttp2_session_callbacks *))                                                    \
  DO(session_callbacks_set_before_frame_send_callback, void, (nghttp2_session_callbacks *, h2_frame_callback))      \
  DO(session_callbacks_set_on_begin_frame_callback, void, (nghttp2_session_callbacks *, h2_head_callback))          \
  DO(session_callbacks_set_on_frame_recv_callback, void, (nghttp2_session_callbacks *, h2_frame_callback))          \
  DO(session_callbacks_set_on_invalid_frame_recv_callback, void,                                                    \
     (nghttp2_session_callbacks *, h2_invalid_callback))                                                            \
  DO(session_callbacks_set_on_header_callback, void, (nghttp2_session_callbacks *, h2_header_callback))             \
  DO(session_callbacks_set_on_data_chunk_recv_callback, void, (nghttp2_session_callbacks *, h2_data_callback))      \
  DO(session_callbacks_set_on_stream_close_callback, void, (nghttp2_session_callbacks *, h2_close_callback))        \
  DO(option_new, int, (nghttp2_option **))                                                                          \
  DO(option_del, void, (nghttp2_option *))                                                                          \
  DO(option_set_no_auto_window_update, void, (nghttp2_option *, int))                                               \
  DO(option_set_peer_max_concurrent_streams, void, (nghttp2_option *, uint32_t))                                    \
  DO(option_set_max_send_header_block_length, void, (nghttp2_option *, size_t))                                     \
  DO(option_set_max_outbound_ack, void, (nghttp2_option *, size_t))                                                 \
  DO(session_client_new2, int,                                                                                      \
     (nghttp2_session **, const nghttp2_session_callbacks *, void *, const nghttp2_option *))                       \
  DO(session_del, void, (nghttp2_session *))                                                                        \
  DO(session_mem_recv, ssize_t, (nghttp2_session *, const uint8_t *, size_t))                                       \
  DO(session_mem_send, ssize_t, (nghttp2_session *, const uint8_t **))                                              \
  DO(session_want_read, int, (nghttp2_session *))                                                                   \
  DO(session_want_write, int, (nghttp2_session *))                                                                  \
  DO(session_get_stream_user_data, void *, (nghttp2_session *, int32_t))                                            \
  DO(session_set_stream_user_data, int, (nghttp2_session *, int32_t, void *))                                       \
  DO(session_set_local_window_size, int, (nghttp2_session *, uint8_t, int32_t, int32_t))                            \
  DO(session_get_remote_settings, uint32_t, (nghttp2_session *, int))                                               \
  DO(session_consume_connection, int, (nghttp2_session *, size_t))                                                  \
  DO(session_consume_stream, int, (nghttp2_session *, int32_t, size_t))                                             \
  DO(session_terminate_session, int, (nghttp2_session *, uint32_t))                                                 \
  DO(submit_settings, int, (nghttp2_session *, uint8_t, const h2_setting *, size_t))                                \
  DO(submit_request, int32_t,                                                                                       \
     (nghttp2_session *, const void *, const h2_name_value *, size_t, const h2_data_provider *, void *))            \
  DO(submit_rst_stream, int, (nghttp2_session *, uint8_t, int32_t, uint32_t))                                       \
  DO(submit_ping, int, (nghttp2_session *, uint8_t, const uint8_t *))                                               \
  DO(submit_goaway, int, (nghttp2_session *, uint8_t, int32_t, uint32_t, const uint8_t *, size_t))                  \
  DO(strerror, const char *, (int))                                                                                 \
  DO(version, const h2_version *, (int))

// Since 1.50.
#define NOVA_H2_OPTIONAL_FUNCTIONS(DO) \
  DO(option_set_no_rfc9113_leading_and_trailing_ws_validation, void, (nghttp2_option *, int))

#define NOVA_H2_DECLARE(name, result, arguments) result(*name) arguments;

struct nova_h2_functions {
  NOVA_H2_FUNCTIONS(NOVA_H2_DECLARE)
  NOVA_H2_OPTIONAL_FUNCTIONS(NOVA_H2_DECLARE)
};

extern struct nova_h2_functions nova_h2;

#endif
