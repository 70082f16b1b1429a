// HTTP/2 sessions of nghttp2 for Swift, and what waits for their sockets. nghttp2 is installed with every libcurl that
// supports HTTP/2, and is loaded at run time. Call nothing else before nova_h2_load() has returned NULL.

#ifndef NOVA_HTTP2_H
#define NOVA_HTTP2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Loads nghttp2 once. Returns NULL if it is ready, or a sentence that names what is missing.
const char *_Nullable nova_h2_load(void);

/// The version of nghttp2: "1.64.0".
const char *nova_h2_version(void);

// MARK: Sessions

/// The client's side of a connection: its frames and flow control. It does not touch the socket. Only one thread at a
/// time may use it.
typedef struct nova_h2_session nova_h2_session;

/// The events of a session. `stream` is the argument of nova_h2_submit(); events of streams that were forgotten are not
/// reported.
typedef struct {
  /// The head of a request is about to be written: `position` bytes precede it on the connection.
  void (*on_sending)(void *stream, int64_t position);
  /// Fills `buffer` with the next part of the request's body. Returns the number of bytes; sets `ends` with the last.
  size_t (*on_body)(void *stream, uint8_t *buffer, size_t size, bool *ends);
  /// A field of the head or of the trailers; false ends the stream.
  bool (*on_field)(
      void *stream, const uint8_t *name, size_t name_size, const uint8_t *value, size_t value_size);
  /// All fields of a head or of the trailers have arrived; `is_last` if nothing follows them.
  void (*on_fields_end)(void *stream, bool is_last);
  void (*on_data)(void *stream, const uint8_t *bytes, size_t size);
  /// The server has sent the last byte of its response.
  void (*on_end)(void *stream);
  /// The server sent RST_STREAM.
  void (*on_reset)(void *stream, uint32_t code);
  /// A stream is closed, even if it was forgotten. If the server sent no RST_STREAM, a code means that the session
  /// refused a frame of the server, or that a GOAWAY excludes the stream (REFUSED_STREAM).
  void (*on_close)(void *_Nullable stream, void *context, uint32_t code);
  /// The session refused a frame of the server.
  void (*on_invalid)(void *_Nullable stream, void *context, const char *reason);
  void (*on_settings)(void *context);
  void (*on_pong)(void *context);
  /// The server will close the connection. Streams after `last` were not processed.
  void (*on_goaway)(void *context, int32_t last, uint32_t code, const uint8_t *_Nullable text, size_t size);
} nova_h2_callbacks;

typedef struct {
  /// The flow-control windows of each stream and of the connection.
  int32_t stream_window, connection_window;
  /// The maximum size of a response's head, for the server's information.
  uint32_t header_list_size;
} nova_h2_options;

/// Creates a session and its first frames. Returns NULL without memory.
nova_h2_session *_Nullable nova_h2_session_new(const nova_h2_callbacks *callbacks, const nova_h2_options *options);
/// Sets the context of the callbacks. Call it before anything else.
void nova_h2_set_context(nova_h2_session *session, void *context);
void nova_h2_session_free(nova_h2_session *session);

/// A field of a request, as offsets into its text.
typedef struct {
  uint32_t name, name_size, value, value_size;
  /// Whether the value differs in each request, and is not worth a place in the table of the compression.
  bool is_unique;
} nova_h2_field;

typedef struct {
  const uint8_t *text;
  const nova_h2_field *fields;
  size_t count;
  // The field `:authority`, which follows the first field; NULL if the fields have one.
  const uint8_t *_Nullable authority;
  size_t authority_size;
  bool has_body;
} nova_h2_request;

/// Adds a request. Returns the number of its stream, or a negative error for nova_h2_error_text().
int32_t nova_h2_submit(nova_h2_session *session, const nova_h2_request *request, void *stream);
/// Resets a stream, and reports nothing more of it.
void nova_h2_reset(nova_h2_session *session, int32_t stream, uint32_t code);
/// Reports nothing more of a stream.
void nova_h2_forget(nova_h2_session *session, int32_t stream);
void nova_h2_ping(nova_h2_session *session);
/// Announces that this side makes no more requests, and ends the session once all streams have ended.
void nova_h2_leave(nova_h2_session *session, uint32_t code);
/// Opens the window of a stream again, after its bytes were read.
void nova_h2_consume(nova_h2_session *session, int32_t stream, size_t size);
/// The maximum number of streams that the server allows.
uint32_t nova_h2_max_streams(nova_h2_session *session);
/// Whether neither side has anything more to send.
bool nova_h2_is_over(nova_h2_session *session);

/// Processes bytes of the server, and calls back. Returns 0, or a negative error, after which the session is unusable.
int nova_h2_receive(nova_h2_session *session, const uint8_t *bytes, size_t size, int64_t now);
const char *nova_h2_error_text(int error);

/// Moves frames into the session's output, up to about 128 KiB. Returns how many bytes it has; -1 without memory.
int64_t nova_h2_fill_output(nova_h2_session *session);
/// The output, which stays at its place until nova_h2_drop_output() or nova_h2_fill_output().
const uint8_t *_Nullable nova_h2_output(const nova_h2_session *session);
size_t nova_h2_output_size(const nova_h2_session *session);
void nova_h2_drop_output(nova_h2_session *session, size_t size);
/// The number of bytes that left the output.
int64_t nova_h2_dropped_bytes(const nova_h2_session *session);

// MARK: Waiting for sockets

/// Waits for any number of sockets.
typedef struct nova_h2_poller nova_h2_poller;

typedef struct {
  /// The argument of nova_h2_poller_add().
  uint64_t token;
  bool readable, writable;
} nova_h2_event;

/// Returns NULL without descriptors or memory.
nova_h2_poller *_Nullable nova_h2_poller_new(void);
void nova_h2_poller_free(nova_h2_poller *poller);
/// Waits for bytes from a socket. Any thread may call it.
bool nova_h2_poller_add(nova_h2_poller *poller, int descriptor, uint64_t token);
/// Sets whether to wait until the socket can take bytes, too. Any thread may call it.
void nova_h2_poller_await_writable(nova_h2_poller *poller, int descriptor, uint64_t token, bool awaits);
/// Must be called before the descriptor is closed.
void nova_h2_poller_remove(nova_h2_poller *poller, int descriptor, uint64_t token);
/// Makes nova_h2_poller_wait() return. Any thread may call it.
void nova_h2_poller_wake(nova_h2_poller *poller);
/// Waits for at most `milliseconds`; -1 for no limit. Returns the number of events.
int nova_h2_poller_wait(nova_h2_poller *poller, nova_h2_event *events, int count, int milliseconds);

#pragma clang assume_nonnull end

#endif
