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

/// Keeps SIGPIPE from this thread, for the time in which it calls libcurl. Returns whether it was not blocked before, and
/// nova_sigpipe_unblock() must follow.
bool nova_sigpipe_block(void);
/// Drops a SIGPIPE that has come meanwhile, and ends the blocking.
void nova_sigpipe_unblock(void);

/// Nanoseconds of a clock that is never set back.
int64_t nova_monotonic_nanoseconds(void);

// MARK: The multi handle

typedef struct nova_curl_multi nova_curl_multi;

/// 0: no limit. Returns NULL without memory or descriptors.
nova_curl_multi *_Nullable nova_curl_multi_new(long max_connections, long max_per_host);
/// Sets how many connections remain open when a transfer ends, those in use counted in.
void nova_curl_multi_keep(nova_curl_multi *multi, long connections);
/// The errno of the last socket that could not be made, once; 0 for none.
int nova_curl_multi_take_socket_error(nova_curl_multi *multi);
/// Closes all connections. Only nova_curl_wake() and nova_curl_multi_free() may be called afterwards.
void nova_curl_multi_close(nova_curl_multi *multi);
void nova_curl_multi_free(nova_curl_multi *multi);
/// Makes the next or the running nova_curl_wait() return. The only function here that any thread may call, until
/// nova_curl_multi_free().
void nova_curl_wake(nova_curl_multi *multi);
void nova_curl_wait(nova_curl_multi *multi, int milliseconds);
/// Does what can be done without waiting. Returns NULL, or what went wrong with all transfers.
const char *_Nullable nova_curl_perform(nova_curl_multi *multi);
/// Takes the next finished transfer: `context` is what nova_curl_set_context() was given.
bool nova_curl_next_finished(nova_curl_multi *multi, void *_Nullable *_Nonnull context, CURLcode *result);

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

// What libcurl reports about the HTTP/2 stream of a request, only in its log, and only for requests with `traces_streams`.
typedef struct {
  // The stream's number; 0 if unknown.
  int64_t own;
  // The last stream of its connection that the server will have processed, by its GOAWAY; -1 without one.
  int64_t last;
  // Called when `last` was set, with the context of the callbacks. libcurl reports a GOAWAY once, for the request that was
  // reading, and not for the others on the connection.
  void (*on_goaway)(void *context);
  void *_Nullable context;
} nova_curl_streams;

/// An easy handle with everything set that is the same for all requests. `error` has CURL_ERROR_SIZE bytes; it and `streams`
/// outlive the handle. Returns NULL without memory, or when libcurl refuses an option our safety rests on.
CURL *_Nullable nova_curl_easy_new(
    const nova_curl_callbacks *callbacks, const char *_Nullable ca_file, char *error, nova_curl_streams *streams);
void nova_curl_easy_free(CURL *easy);
/// Sets a file and a directory of authorities to trust in place of the system's, for servers and proxies; NULL leaves the
/// system's.
CURLcode nova_curl_trust(CURL *easy, const char *_Nullable file, const char *_Nullable directory);
/// Lets `multi` know the sockets of the handle's connections, which it outlives. False if libcurl refuses.
bool nova_curl_track_sockets(CURL *easy, nova_curl_multi *multi);

/// Sets the servers that are connected to in place of others, as `host:port:host:port`. The list must outlive the last
/// connecting.
CURLcode nova_curl_set_connect_to(CURL *easy, struct curl_slist *_Nullable list);
/// Sets what the proxies of nova_curl_route need. `ca_file` is for the certificate of a proxy over TLS, NULL for the system's
/// authorities.
CURLcode nova_curl_set_proxy(
    CURL *easy, const char *_Nullable user, const char *_Nullable password, bool is_secure, const char *_Nullable ca_file);

/// Sets the certificate that the next requests offer to a server that requests one; NULL for none. Without a key file the
/// key is in the certificate's.
CURLcode nova_curl_set_client_certificate(
    CURL *easy, const char *_Nullable certificate_file, const char *_Nullable key_file);

// How a connection is made.
typedef struct {
  // Empty for none, NULL for the environment's.
  const char *_Nullable proxy;
  // A path; NULL for the network.
  const char *_Nullable unix_socket;
} nova_curl_route;

typedef struct {
  const char *url;
  const char *method;
  // Send a length even when the body is empty.
  bool has_body;
  bool is_head;
  bool is_secure;
  // Take any certificate. For servers of tests on this machine, and never to be set for another host.
  bool skip_certificate_checks;
  nova_curl_route route;
  // Take every encoding that this libcurl knows, and decompress the response.
  bool decompress;
  // How many bytes to read from the connection at once.
  long receive_buffer_size;
  // Keep what libcurl reports about the request's HTTP/2 stream.
  bool traces_streams;
  long connect_timeout_ms;
} nova_curl_settings;

/// Sets what every callback is given.
void nova_curl_set_context(CURL *easy, void *context);
/// Sets what most requests to a server have in common.
CURLcode nova_curl_configure(CURL *easy, const nova_curl_settings *settings);
/// Passes the body of the response that begins on as it comes, until the handle is configured again. To be called when its
/// head is there. Without effect since libcurl 8.7.
void nova_curl_keep_encoding(CURL *easy);
/// Sets the header lines, which must live until the transfer is over.
CURLcode nova_curl_set_headers(CURL *easy, struct curl_slist *_Nullable headers);
/// Sets the header lines and the body of a request that has one. The body is copied; NULL streams it through `on_read`.
/// `body_size` -1: unknown.
CURLcode nova_curl_set_request(
    CURL *easy, struct curl_slist *_Nullable headers, const void *_Nullable body, int64_t body_size);
/// Lets go of what nova_curl_set_headers() or nova_curl_set_request() has set.
void nova_curl_clear(CURL *easy, bool has_body);
CURLMcode nova_curl_add(nova_curl_multi *multi, CURL *easy);
void nova_curl_remove(nova_curl_multi *multi, CURL *easy);
/// Continues a transfer that a callback has paused, in both directions. May call `on_body` before it returns, and then
/// returns its failure.
CURLcode nova_curl_resume(CURL *easy);

typedef struct {
  long status;
  // errno of a failed connect.
  long system_error;
  // The status with which a proxy answered CONNECT; 0 if none did.
  long proxy_status;
  // -1 if the response has none.
  int64_t content_length;
  int64_t received_body_bytes;
  // Where a 3xx response points, absolute; valid until the handle is prepared again.
  const char *_Nullable redirect_url;
} nova_curl_info;

nova_curl_info nova_curl_get_info(CURL *easy);
/// Bytes of the request's body that were handed to the connection.
int64_t nova_curl_uploaded_bytes(CURL *easy);
/// Bytes of the request (head and body) that were handed to the connection.
int64_t nova_curl_sent_bytes(CURL *easy);
int64_t nova_curl_content_length(CURL *easy);
const char *nova_curl_error_name(CURLcode code);

// MARK: Connections without a request

typedef struct {
  // http or https; only scheme, host and port count.
  const char *url;
  bool skip_certificate_checks;
  nova_curl_route route;
  long connect_timeout_ms;
} nova_curl_tunnel;

/// Connects by its route, and with TLS for https. Sends nothing. Blocks.
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

/// Makes a list of `count` lines out of `lines`, which holds them one after the other, each ended by NUL.
/// One allocation; free() it.
struct curl_slist *_Nullable nova_curl_headers_new(const char *lines, size_t size, size_t count);
void nova_curl_headers_free(struct curl_slist *_Nullable headers);

#pragma clang assume_nonnull end

#endif
