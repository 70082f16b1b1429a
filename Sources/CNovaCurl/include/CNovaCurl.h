// What Swift needs from libcurl. Swift cannot call variadic functions such as curl_easy_setopt, and libcurl must not
// be mapped before the first request (it costs several milliseconds), so everything here goes through function
// pointers that nova_curl_load() resolves. Call nothing else before nova_curl_load() has returned NULL.

#ifndef NOVA_CURL_H
#define NOVA_CURL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Loads libcurl once. Returns NULL when it is ready, or a sentence that names what is missing.
const char *_Nullable nova_curl_load(void);

/// Starts a detached thread that calls `body(context)` with SIGPIPE blocked: TLS libraries write without
/// MSG_NOSIGNAL, and a peer that went away must not end the process. Returns 0 or an errno.
int nova_thread_start(void (*body)(void *), void *context);

/// Nanoseconds of a clock that is never set back.
int64_t nova_monotonic_nanoseconds(void);

// MARK: The multi handle

/// `max_per_host` 0: no limit. Returns NULL without memory.
CURLM *_Nullable nova_curl_multi_new(long cached_connections, long max_per_host);
void nova_curl_multi_free(CURLM *multi);
/// Makes the next or the running nova_curl_wait() return. The only function here that any thread may call.
void nova_curl_wake(CURLM *multi);
void nova_curl_wait(CURLM *multi, int milliseconds);
/// Does what can be done without waiting. Returns NULL, or what went wrong with all transfers.
const char *_Nullable nova_curl_perform(CURLM *multi);
/// Takes the next finished transfer: `context` is what nova_curl_prepare() was given.
bool nova_curl_next_finished(CURLM *multi, void *_Nullable *_Nonnull context, CURLcode *result);

// MARK: Easy handles

typedef struct {
  // Receives body bytes; returning less than `size * count` ends the transfer, CURL_WRITEFUNC_PAUSE pauses it.
  size_t (*on_body)(char *bytes, size_t size, size_t count, void *context);
  // Receives one header line; the same rule.
  size_t (*on_header)(char *bytes, size_t size, size_t count, void *context);
  // Fills `bytes` with what follows of a streamed body; 0 at the end, CURL_READFUNC_PAUSE or CURL_READFUNC_ABORT.
  size_t (*on_read)(char *bytes, size_t size, size_t count, void *context);
  // Rewinds a streamed body to `offset` (from the start).
  int (*on_seek)(void *context, curl_off_t offset, int origin);
  // Progress in either direction.
  int (*on_progress)(void *context, curl_off_t expected_down, curl_off_t down, curl_off_t expected_up, curl_off_t up);
  // A connection is ready and the request is about to be written to it; non-zero ends the transfer.
  int (*on_ready)(void *context, char *_Nullable ip, char *_Nullable local_ip, int port, int local_port);
} nova_curl_callbacks;

/// An easy handle with everything set that is the same for all requests. `error` has CURL_ERROR_SIZE bytes and
/// outlives the handle. Returns NULL without memory, or when libcurl refuses an option our safety rests on.
CURL *_Nullable nova_curl_easy_new(
    const nova_curl_callbacks *callbacks, const char *_Nullable ca_file, char *error);
void nova_curl_easy_free(CURL *easy);

/// Sets the certificate that the next requests offer to a server that requests one; NULL for none. Without a key file the
/// key is in the certificate's.
CURLcode nova_curl_set_client_certificate(
    CURL *easy, const char *_Nullable certificate_file, const char *_Nullable key_file);

typedef struct {
  const char *url;
  const char *method;
  // nova_curl_headers_new(); lives until the transfer is over.
  struct curl_slist *_Nullable headers;
  // Copied. NULL: the body is streamed through `on_read`.
  const void *_Nullable body;
  // -1: unknown.
  int64_t body_size;
  // Send a length even when the body is empty.
  bool has_body;
  bool is_head;
  bool is_secure;
  // Take any certificate. For servers of tests on this machine, and never to be set for another host.
  bool skip_certificate_checks;
  bool bypass_proxy;
  // Take every encoding that this libcurl knows, and decompress the response.
  bool decompress;
  // How many bytes to read from the connection at once.
  long receive_buffer_size;
  long connect_timeout_ms;
  // Given to every callback.
  void *context;
} nova_curl_request;

/// Sets everything that differs from request to request.
CURLcode nova_curl_prepare(CURL *easy, const nova_curl_request *request);
/// Lets go of what nova_curl_prepare() made the handle copy.
void nova_curl_clear(CURL *easy);
CURLMcode nova_curl_add(CURLM *multi, CURL *easy);
void nova_curl_remove(CURLM *multi, CURL *easy);
/// Continues a transfer that a callback has paused, in both directions. May call `on_body` before it returns, and then
/// returns its failure.
CURLcode nova_curl_resume(CURL *easy);

typedef struct {
  long status;
  // errno of a failed connect.
  long system_error;
  // -1 if the response has none.
  int64_t content_length;
  int64_t received_body_bytes;
  // Where a 3xx response points, absolute; valid until the handle is prepared again.
  const char *_Nullable redirect_url;
} nova_curl_info;

nova_curl_info nova_curl_get_info(CURL *easy);
/// Bytes of the request (head and body) that were handed to the connection.
int64_t nova_curl_sent_bytes(CURL *easy);
int64_t nova_curl_content_length(CURL *easy);
const char *nova_curl_error_name(CURLcode code);

// MARK: Connections without a request

typedef struct {
  // http or https; only scheme, host and port count.
  const char *url;
  bool skip_certificate_checks;
  bool bypass_proxy;
  long connect_timeout_ms;
} nova_curl_tunnel;

/// Connects, through the proxy of the environment if there is one, and with TLS for https. Sends nothing. Blocks.
CURLcode nova_curl_connect(CURL *easy, const nova_curl_tunnel *tunnel);
/// The address that a connected handle has reached, the proxy's if there is one; NULL if unknown. Valid as long as the
/// handle.
const char *_Nullable nova_curl_peer(CURL *easy);
/// Turns the connection of a connected handle into a socket for its bytes: a copy of the connection's own without TLS,
/// otherwise one end of a pair, between which and the connection one thread of the process carries bytes. Frees the
/// handle when the connection no longer needs it, or at once on failure. Returns the descriptor, or -1 with errno.
int nova_curl_detach(CURL *easy, bool is_secure);
void nova_curl_close(int descriptor);

// MARK: Header lists

/// Makes a list of `count` header lines out of `lines`, which holds them one after the other, each ended by NUL.
/// One allocation; free() it.
struct curl_slist *_Nullable nova_curl_headers_new(const char *lines, size_t size, size_t count);
void nova_curl_headers_free(struct curl_slist *_Nullable headers);

#pragma clang assume_nonnull end

#endif
