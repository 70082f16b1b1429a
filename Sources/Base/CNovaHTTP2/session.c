// A session of nghttp2, its callbacks, and its output.

#include <stdlib.h>
#include <string.h>

#include "load.h"

// The most frames per interval that carry nothing for a stream: PING, SETTINGS, WINDOW_UPDATE, empty DATA, and unknown
// ones. A server that sends more keeps the client busy for nothing.
static const uint32_t max_idle_frames = 10000;
static const int64_t idle_frame_interval = 10000000000;
// The most CONTINUATION frames of one head. Some versions of nghttp2 have no limit.
static const uint32_t max_continuations = 64;
// About how much output is collected before it is written.
static const size_t usual_output = 128 * 1024;

struct nova_h2_session {
  nghttp2_session *session;
  nova_h2_callbacks callbacks;
  void *context;
  uint8_t *output;
  size_t start, end, room;
  int64_t dropped;
  // The position of the next frame, from the start of the connection.
  int64_t position;
  uint32_t idle_frames, continuations;
  // Whether the bytes that are being received contained something for a stream.
  bool has_progress;
  int64_t interval_start;
};

static void *stream_of(nova_h2_session *session, int32_t stream) {
  return stream > 0 ? nova_h2.session_get_stream_user_data(session->session, stream) : NULL;
}

// MARK: Callbacks

static int before_frame_send(nghttp2_session *raw, const h2_frame *frame, void *context) {
  (void)raw;
  nova_h2_session *session = context;
  void *stream = frame->head.type == H2_HEADERS ? stream_of(session, frame->head.stream_id) : NULL;
  if (stream) session->callbacks.on_sending(stream, session->position);
  return 0;
}

static int on_begin_frame(nghttp2_session *raw, const h2_frame_head *head, void *context) {
  (void)raw;
  nova_h2_session *session = context;
  switch (head->type) {
    case H2_HEADERS:
      session->continuations = 0;
      session->has_progress = true;
      return 0;
    case H2_CONTINUATION:
      session->continuations += 1;
      return session->continuations > max_continuations ? H2_ERROR_CALLBACK : 0;
    case H2_DATA:
      if (head->length == 0) break;
      session->has_progress = true;
      return 0;
    case H2_RST_STREAM:
    case H2_GOAWAY: return 0;
    default: break;
  }
  session->idle_frames += 1;
  return session->idle_frames > max_idle_frames ? H2_ERROR_CALLBACK : 0;
}

static int on_header(
    nghttp2_session *raw, const h2_frame *frame, const uint8_t *name, size_t name_size, const uint8_t *value,
    size_t value_size, uint8_t flags, void *context) {
  (void)raw;
  (void)flags;
  nova_h2_session *session = context;
  void *stream = frame->head.type == H2_HEADERS ? stream_of(session, frame->head.stream_id) : NULL;
  if (!stream) return 0;
  bool goes_on = session->callbacks.on_field(stream, name, name_size, value, value_size);
  return goes_on ? 0 : H2_ERROR_STREAM;
}

static int on_data_chunk(
    nghttp2_session *raw, uint8_t flags, int32_t id, const uint8_t *bytes, size_t size, void *context) {
  (void)flags;
  nova_h2_session *session = context;
  // Only the window of a stream waits for its reader, so that a slow reader does not hold up other streams.
  if (nova_h2.session_consume_connection(raw, size) != 0) return H2_ERROR_CALLBACK;
  void *stream = stream_of(session, id);
  if (stream) session->callbacks.on_data(stream, bytes, size);
  return 0;
}

static int on_frame(nghttp2_session *raw, const h2_frame *frame, void *context) {
  (void)raw;
  nova_h2_session *session = context;
  const nova_h2_callbacks *callbacks = &session->callbacks;
  const h2_frame_head *head = &frame->head;
  void *stream = stream_of(session, head->stream_id);
  switch (head->type) {
    case H2_HEADERS:
    case H2_DATA:
      if (!stream) return 0;
      if (head->type == H2_HEADERS) callbacks->on_fields_end(stream, head->flags & H2_END_STREAM);
      // The stream may have been forgotten.
      stream = stream_of(session, head->stream_id);
      if (stream && head->flags & H2_END_STREAM) callbacks->on_end(stream);
      break;
    case H2_RST_STREAM:
      if (stream) callbacks->on_reset(stream, frame->rst_stream.error_code);
      break;
    case H2_SETTINGS:
      if (!(head->flags & H2_ACK)) callbacks->on_settings(session->context);
      break;
    case H2_PING:
      if (head->flags & H2_ACK) callbacks->on_pong(session->context);
      break;
    case H2_GOAWAY:
      callbacks->on_goaway(
          session->context, frame->goaway.last_stream_id, frame->goaway.error_code, frame->goaway.opaque_data,
          frame->goaway.opaque_data_len);
      break;
    default: break;
  }
  return 0;
}

static int on_invalid_frame(nghttp2_session *raw, const h2_frame *frame, int error, void *context) {
  (void)raw;
  nova_h2_session *session = context;
  session->callbacks.on_invalid(
      stream_of(session, frame->head.stream_id), session->context, nova_h2.strerror(error));
  return 0;
}

static int on_stream_close(nghttp2_session *raw, int32_t id, uint32_t code, void *context) {
  (void)raw;
  nova_h2_session *session = context;
  session->callbacks.on_close(stream_of(session, id), session->context, code);
  return 0;
}

static ssize_t read_body(
    nghttp2_session *raw, int32_t id, uint8_t *buffer, size_t size, uint32_t *flags, h2_data_source *source,
    void *context) {
  (void)raw;
  (void)source;
  nova_h2_session *session = context;
  void *stream = stream_of(session, id);
  if (!stream) return H2_ERROR_STREAM;
  bool ends = false;
  size_t count = session->callbacks.on_body(stream, buffer, size, &ends);
  if (ends) *flags |= H2_DATA_EOF;
  // Servers open their windows once or twice for each part.
  session->idle_frames = 0;
  return (ssize_t)count;
}

// MARK: Creating

static nghttp2_session *create(nova_h2_session *session) {
  nghttp2_session *raw = NULL;
  nghttp2_session_callbacks *callbacks = NULL;
  nghttp2_option *option = NULL;
  if (nova_h2.session_callbacks_new(&callbacks) == 0 && nova_h2.option_new(&option) == 0) {
    nova_h2.session_callbacks_set_before_frame_send_callback(callbacks, before_frame_send);
    nova_h2.session_callbacks_set_on_begin_frame_callback(callbacks, on_begin_frame);
    nova_h2.session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nova_h2.session_callbacks_set_on_invalid_frame_recv_callback(callbacks, on_invalid_frame);
    nova_h2.session_callbacks_set_on_header_callback(callbacks, on_header);
    nova_h2.session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data_chunk);
    nova_h2.session_callbacks_set_on_stream_close_callback(callbacks, on_stream_close);
    nova_h2.option_set_no_auto_window_update(option, 1);
    // The caller counts streams itself.
    nova_h2.option_set_peer_max_concurrent_streams(option, INT32_MAX);
    // Servers send the messages of failures as they are, and some end with a space.
    if (nova_h2.option_set_no_rfc9113_leading_and_trailing_ws_validation) {
      nova_h2.option_set_no_rfc9113_leading_and_trailing_ws_validation(option, 1);
    }
    nova_h2.option_set_max_send_header_block_length(option, 1 << 20);
    nova_h2.option_set_max_outbound_ack(option, 1000);
    if (nova_h2.session_client_new2(&raw, callbacks, session, option) != 0) raw = NULL;
  }
  if (option) nova_h2.option_del(option);
  if (callbacks) nova_h2.session_callbacks_del(callbacks);
  return raw;
}

static bool introduce(nghttp2_session *raw, const nova_h2_options *options) {
  const h2_setting settings[] = {
      {H2_ENABLE_PUSH, 0},
      {H2_INITIAL_WINDOW_SIZE, (uint32_t)options->stream_window},
      {H2_MAX_HEADER_LIST_SIZE, options->header_list_size},
  };
  return nova_h2.submit_settings(raw, 0, settings, sizeof settings / sizeof *settings) == 0 &&
         nova_h2.session_set_local_window_size(raw, 0, 0, options->connection_window) == 0;
}

nova_h2_session *nova_h2_session_new(const nova_h2_callbacks *callbacks, const nova_h2_options *options) {
  nova_h2_session *session = calloc(1, sizeof *session);
  if (!session) return NULL;
  session->callbacks = *callbacks;
  session->session = create(session);
  if (session->session && introduce(session->session, options)) return session;
  nova_h2_session_free(session);
  return NULL;
}

void nova_h2_set_context(nova_h2_session *session, void *context) { session->context = context; }

void nova_h2_session_free(nova_h2_session *session) {
  if (session->session) nova_h2.session_del(session->session);
  free(session->output);
  free(session);
}

// MARK: Requests

static h2_name_value name_value(const uint8_t *text, const nova_h2_field *field) {
  return (h2_name_value){
      .name = (uint8_t *)(uintptr_t)text + field->name,
      .value = (uint8_t *)(uintptr_t)text + field->value,
      .namelen = field->name_size,
      .valuelen = field->value_size,
      .flags = field->is_unique ? H2_NAME_VALUE_NO_INDEX : 0};
}

int32_t nova_h2_submit(nova_h2_session *session, const nova_h2_request *request, void *stream) {
  static const char authority[] = ":authority";
  h2_name_value local[32];
  size_t room = request->count + 1, used = 0;
  h2_name_value *values = room <= sizeof local / sizeof *local ? local : calloc(room, sizeof *values);
  if (!values) return H2_ERROR_MEMORY;
  for (size_t i = 0; i < request->count; i++) {
    values[used++] = name_value(request->text, &request->fields[i]);
    if (i > 0 || !request->authority) continue;
    values[used++] = (h2_name_value){
        .name = (uint8_t *)(uintptr_t)authority,
        .value = (uint8_t *)(uintptr_t)request->authority,
        .namelen = sizeof authority - 1,
        .valuelen = request->authority_size};
  }
  h2_data_provider body = {.read_callback = read_body};
  int32_t id =
      nova_h2.submit_request(session->session, NULL, values, used, request->has_body ? &body : NULL, stream);
  if (values != local) free(values);
  return id;
}

void nova_h2_reset(nova_h2_session *session, int32_t stream, uint32_t code) {
  nova_h2_forget(session, stream);
  nova_h2.submit_rst_stream(session->session, 0, stream, code);
}

void nova_h2_forget(nova_h2_session *session, int32_t stream) {
  nova_h2.session_set_stream_user_data(session->session, stream, NULL);
}

void nova_h2_ping(nova_h2_session *session) { nova_h2.submit_ping(session->session, 0, NULL); }

void nova_h2_leave(nova_h2_session *session, uint32_t code) {
  nova_h2.session_terminate_session(session->session, code);
}

void nova_h2_consume(nova_h2_session *session, int32_t stream, size_t size) {
  nova_h2.session_consume_stream(session->session, stream, size);
}

uint32_t nova_h2_max_streams(nova_h2_session *session) {
  return nova_h2.session_get_remote_settings(session->session, H2_MAX_CONCURRENT_STREAMS);
}

bool nova_h2_is_over(nova_h2_session *session) {
  return !nova_h2.session_want_read(session->session) && !nova_h2.session_want_write(session->session);
}

// MARK: Bytes

int nova_h2_receive(nova_h2_session *session, const uint8_t *bytes, size_t size, int64_t now) {
  if (now - session->interval_start >= idle_frame_interval) {
    session->interval_start = now;
    session->idle_frames = 0;
  }
  session->has_progress = false;
  ssize_t count = nova_h2.session_mem_recv(session->session, bytes, size);
  if (count < 0) return (int)count;
  // Frames of unknown types are not reported. They have at least nine bytes.
  if (!session->has_progress) session->idle_frames += (uint32_t)(size / 9);
  return session->idle_frames > 2 * max_idle_frames ? H2_ERROR_CALLBACK : 0;
}

const char *nova_h2_error_text(int error) {
  return error == H2_ERROR_CALLBACK ? "too many frames that carry nothing" : nova_h2.strerror(error);
}

static bool make_room(nova_h2_session *session, size_t size) {
  if (session->room - session->end >= size) return true;
  size_t room = session->room ? session->room : 4096;
  while (room - session->end < size) room *= 2;
  uint8_t *output = realloc(session->output, room);
  if (!output) return false;
  session->output = output;
  session->room = room;
  return true;
}

int64_t nova_h2_fill_output(nova_h2_session *session) {
  if (session->start == session->end) session->start = session->end = 0;
  while (session->end < usual_output) {
    const uint8_t *bytes;
    ssize_t count = nova_h2.session_mem_send(session->session, &bytes);
    if (count < 0) return -1;
    if (count == 0) break;
    if (!make_room(session, (size_t)count)) return -1;
    memcpy(session->output + session->end, bytes, (size_t)count);
    session->end += (size_t)count;
    session->position += count;
  }
  return (int64_t)(session->end - session->start);
}

const uint8_t *nova_h2_output(const nova_h2_session *session) {
  return session->output ? session->output + session->start : NULL;
}

size_t nova_h2_output_size(const nova_h2_session *session) { return session->end - session->start; }

void nova_h2_drop_output(nova_h2_session *session, size_t size) {
  session->start += size;
  session->dropped += (int64_t)size;
}

int64_t nova_h2_dropped_bytes(const nova_h2_session *session) { return session->dropped; }
