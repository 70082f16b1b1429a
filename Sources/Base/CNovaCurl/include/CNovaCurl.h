// The functions of libcurl for Swift. Swift cannot call variadic functions such as curl_easy_setopt. Loading libcurl
// takes several milliseconds, so it must not happen before the first request. Therefore, all calls use function
// pointers that nova_curl_load() resolves. Call nothing else before nova_curl_load() has returned NULL.

#ifndef NOVA_CURL_H
#define NOVA_CURL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// Loads libcurl once. Returns NULL if it is ready, or a sentence that names what is missing.
const char *_Nullable nova_curl_load(void);

// The versions of libcurl and of the libraries it uses: "libcurl/8.5.0 OpenSSL/3.0.13 ...".
const char *_Nonnull nova_curl_version(void);

/// Starts a detached thread that calls `body(context)` with SIGPIPE blocked: TLS libraries write without MSG_NOSIGNAL,
/// and a closed connection must not end the process. Returns 0 or an errno.
int nova_thread_start(void (*body)(void *), void *context);

/// Blocks SIGPIPE in this thread while it calls libcurl. Returns whether it was not blocked before; then
/// nova_sigpipe_unblock() must follow.
bool nova_sigpipe_block(void);
/// Discards a SIGPIPE that was raised in the meantime, and unblocks it.
void nova_sigpipe_unblock(void);

/// The nanoseconds of a clock that is never set back.
int64_t nova_monotonic_nanoseconds(void);

// MARK: The multi handle

typedef struct nova_curl_multi nova_curl_multi;

/// 0 means no limit. Returns NULL without memory or descriptors.
nova_curl_multi *_Nullable nova_curl_multi_new(long max_connections, long max_per_host);
/// Sets how many connections stay open after a transfer, including those in use.
void nova_curl_multi_keep(nova_curl_multi *multi, long connections);
/// The errno of the last socket that could not be created, once; 0 if there is none.
int nova_curl_multi_take_socket_error(nova_curl_multi *multi);
/// Closes all connections. Only nova_curl_wake() and nova_curl_multi_free() may be called afterwards.
void nova_curl_multi_close(nova_curl_multi *multi);
void nova_curl_multi_free(nova_curl_multi *multi);
/// Makes the running or the next nova_curl_wait() return. It is the only function here that any thread may call, until
/// nova_curl_multi_free().
void nova_curl_wake(nova_curl_multi *multi);
void nova_curl_wait(nova_curl_multi *multi, int milliseconds);
/// Does everything that is possible without waiting. Returns NULL, or the reason why all transfers failed.
const char *_Nullable nova_curl_perform(nova_curl_multi *multi);
/// Returns the next finished transfer: `context` is the argument of nova_curl_set_context().
bool nova_curl_next_finished(nova_curl_multi *multi, void *_Nullable *_Nonnull context, CURLcode *result);

// MARK: Easy handles

typedef struct {
  // Receives body bytes. Returning less than `size * count` ends the transfer; CURL_WRITEFUNC_PAUSE pauses it.
  size_t (*on_body)(char *bytes, size_t size, size_t count, void *context);
  // Receives one header line, with the same return values.
  size_t (*on_header)(char *bytes, size_t size, size_t count, void *context);
  // Fills `bytes` with the next part of a streamed body. Returns 0 at the end, CURL_READFUNC_PAUSE, or
  // CURL_READFUNC_ABORT.
  size_t (*on_read)(char *bytes, size_t size, size_t count, void *context);
  // Rewinds a streamed body to `offset` from its start.
  int (*on_seek)(void *context, curl_off_t offset, int origin);
  // Progress in either direction.
  int (*on_progress)(void *context, curl_off_t expected_down, curl_off_t down, curl_off_t expected_up, curl_off_t up);
  // A connection is ready, and the request is about to be written to it. Returning nonzero ends the transfer.
  int (*on_ready)(void *context, char *_Nullable ip, char *_Nullable local_ip, int port, int local_port);
} nova_curl_callbacks;

// What libcurl reports about a request's HTTP/2 stream. It does so only in its log, which is read only for requests
// with `traces_streams`.
typedef struct {
  // The stream's number; 0 if unknown.
  int64_t own;
  // The last stream that the server will process on this connection, from its GOAWAY; -1 if absent.
  int64_t last;
  // Called when `last` was set, with the context of the callbacks. libcurl reports a GOAWAY only to the request that
  // was reading, not to the others on the connection.
  void (*on_goaway)(void *context);
  void *_Nullable context;
} nova_curl_streams;

/// Creates an easy handle with all settings that requests share. `error` has CURL_ERROR_SIZE bytes; it and `streams`
/// outlive the handle. Returns NULL without memory, or if libcurl refuses an option that safety depends on.
CURL *_Nullable nova_curl_easy_new(
    const nova_curl_callbacks *callbacks, const char *_Nullable ca_file, char *error, nova_curl_streams *streams);
void nova_curl_easy_free(CURL *easy);
/// Sets a file and a directory of trusted authorities instead of the system's, for servers and proxies. NULL keeps the
/// system's.
CURLcode nova_curl_trust(CURL *easy, const char *_Nullable file, const char *_Nullable directory);
/// Makes `multi` track the sockets of the handle's connections. `multi` outlives the handle. False if libcurl refuses.
bool nova_curl_track_sockets(CURL *easy, nova_curl_multi *multi);

/// Sets the servers to connect to instead of others, as `host:port:host:port`. The list must outlive the last
/// connection attempt.
CURLcode nova_curl_set_connect_to(CURL *easy, struct curl_slist *_Nullable list);
/// Sets what the proxies of nova_curl_route need. `ca_file` verifies a proxy over TLS; NULL for the system's
/// authorities.
CURLcode nova_curl_set_proxy(
    CURL *easy, const char *_Nullable user, const char *_Nullable password, bool is_secure, const char *_Nullable ca_file);

/// Sets the certificate for servers that request one; NULL for none. Without a key file, the certificate's file
/// contains the key.
CURLcode nova_curl_set_client_certificate(
    CURL *easy, const char *_Nullable certificate_file, const char *_Nullable key_file);

// The way to make a connection.
typedef struct {
  // Empty for no proxy, NULL for the environment's.
  const char *_Nullable proxy;
  // A path; NULL for the network.
  const char *_Nullable unix_socket;
} nova_curl_route;

typedef struct {
  const char *url;
  const char *method;
  // Whether to send a length even if the body is empty.
  bool has_body;
  bool is_head;
  bool is_secure;
  // Whether to accept any certificate. Only for test servers on this machine; never set it for another host.
  bool skip_certificate_checks;
  nova_curl_route route;
  // Whether to accept every encoding that this libcurl supports, and decompress the response.
  bool decompress;
  // The number of bytes to read from the connection at once.
  long receive_buffer_size;
  // Whether to record what libcurl reports about the request's HTTP/2 stream.
  bool traces_streams;
  long connect_timeout_ms;
} nova_curl_settings;

/// Sets the context for all callbacks.
void nova_curl_set_context(CURL *easy, void *context);
/// Sets what most requests to a server have in common.
CURLcode nova_curl_configure(CURL *easy, const nova_curl_settings *settings);
/// Passes the body of the current response without decoding it, until the handle is configured again. Call it when the
/// head has arrived. No effect since libcurl 8.7.
void nova_curl_keep_encoding(CURL *easy);
/// Sets the header lines, which must live until the transfer has ended.
CURLcode nova_curl_set_headers(CURL *easy, struct curl_slist *_Nullable headers);
/// Sets the header lines and the body of a request with a body. The body is copied; NULL streams it through `on_read`.
/// `body_size` -1 means unknown.
CURLcode nova_curl_set_request(
    CURL *easy, struct curl_slist *_Nullable headers, const void *_Nullable body, int64_t body_size);
/// Releases what nova_curl_set_headers() or nova_curl_set_request() set.
void nova_curl_clear(CURL *easy, bool has_body);
CURLMcode nova_curl_add(nova_curl_multi *multi, CURL *easy);
void nova_curl_remove(nova_curl_multi *multi, CURL *easy);
/// Resumes a transfer that a callback paused, in both directions. May call `on_body` before it returns; then returns
/// its failure.
CURLcode nova_curl_resume(CURL *easy);

typedef struct {
  long status;
  // The errno of a failed connect.
  long system_error;
  // The proxy's status for CONNECT; 0 if there was none.
  long proxy_status;
  // -1 if absent.
  int64_t content_length;
  int64_t received_body_bytes;
  // The absolute target of a 3xx response; valid until the handle is prepared again.
  const char *_Nullable redirect_url;
} nova_curl_info;

nova_curl_info nova_curl_get_info(CURL *easy);
/// The number of body bytes that were written to the connection.
int64_t nova_curl_uploaded_bytes(CURL *easy);
/// The number of request bytes (head and body) that were written to the connection.
int64_t nova_curl_sent_bytes(CURL *easy);
int64_t nova_curl_content_length(CURL *easy);
const char *nova_curl_error_name(CURLcode code);

// MARK: Connections without a request

typedef struct {
  // http or https. Only the scheme, host, and port matter.
  const char *url;
  bool skip_certificate_checks;
  nova_curl_route route;
  long connect_timeout_ms;
} nova_curl_tunnel;

/// Connects by its route, and with TLS for https, without sending anything. Blocks.
CURLcode nova_curl_connect(CURL *easy, const nova_curl_tunnel *tunnel);
/// The address that a connected handle reached; the proxy's, if there is one; NULL if unknown. Valid as long as the
/// handle.
const char *_Nullable nova_curl_peer(CURL *easy);
/// Turns the connection of a connected handle into a socket: without TLS, a copy of the connection's own; with TLS, one
/// end of a pair, and one thread of the process carries bytes between the pair and the connection. Frees the handle
/// when the connection no longer needs it, or at once on failure. Returns the descriptor, or -1 with errno.
int nova_curl_detach(CURL *easy, bool is_secure);
void nova_curl_close(int descriptor);

// MARK: Connections for HTTP/2

/// How HTTP/2 is offered in a TLS handshake.
typedef struct {
  /// Whether the first handshake is the one with a proxy, and the offer waits for the tunnel behind it.
  bool awaits_tunnel;
  /// Set once HTTP/2 was offered.
  bool was_offered;
} nova_curl_alpn;

/// Offers only HTTP/2 to servers over TLS. Call it before nova_curl_connect(); `alpn` lives until that returns.
/// CURLE_NOT_BUILT_IN means that libcurl's TLS library is not OpenSSL.
CURLcode nova_curl_offer_http2(CURL *easy, nova_curl_alpn *alpn);
/// Whether the environment names a proxy.
bool nova_curl_environment_has_proxy(void);
/// Whether the environment names a proxy that is reached over TLS.
bool nova_curl_environment_has_secure_proxy(void);

/// A connection that is read and written without waiting. One thread may read while another one writes.
typedef struct nova_curl_channel nova_curl_channel;

/// Takes over the connection of a connected handle, and frees the handle with it, or at once on failure. Returns NULL
/// with errno.
///
/// - `dead_after_ms`: how long bytes may stay unacknowledged until the connection counts as dead; 0 for the system's
///   default.
nova_curl_channel *_Nullable nova_curl_channel_new(CURL *easy, bool is_secure, unsigned dead_after_ms);
/// Closes the connection. No other thread may use it anymore.
void nova_curl_channel_free(nova_curl_channel *channel);
int nova_curl_channel_descriptor(const nova_curl_channel *channel);
/// Whether the server of a connection over TLS chose HTTP/2. Call it after the first nova_curl_channel_read().
bool nova_curl_channel_chose_http2(const nova_curl_channel *channel);
/// Ends the connection in both directions, but keeps its descriptor.
void nova_curl_channel_end(nova_curl_channel *channel);
/// Returns the number of bytes, 0 at the end, or -1 with errno.
ssize_t nova_curl_channel_read(nova_curl_channel *channel, void *buffer, size_t size);
ssize_t nova_curl_channel_write(nova_curl_channel *channel, const void *bytes, size_t size);

// MARK: Header lists

/// Creates a list of `count` lines from `lines`, which contains them consecutively, each ended by NUL. It is one
/// allocation; free() it.
struct curl_slist *_Nullable nova_curl_headers_new(const char *lines, size_t size, size_t count);
void nova_curl_headers_free(struct curl_slist *_Nullable headers);

#pragma clang assume_nonnull end

#endif
