#include "load.h"

#include <stdlib.h>
#include <string.h>

// Options newer than the oldest supported headers, by number. An older libcurl returns CURLE_UNKNOWN_OPTION.
#define OPTION_PREREQ_DATA ((CURLoption)(CURLOPTTYPE_OBJECTPOINT + 313))        // 7.80
#define OPTION_PROTOCOLS_STR ((CURLoption)(CURLOPTTYPE_OBJECTPOINT + 318))      // 7.85
#define OPTION_REDIR_PROTOCOLS_STR ((CURLoption)(CURLOPTTYPE_OBJECTPOINT + 319))  // 7.85
#define OPTION_QUICK_EXIT ((CURLoption)(CURLOPTTYPE_LONG + 322))                // 7.87
// The number of CURLOPT_PROTOCOLS, which newer headers mark as deprecated, and its bits for http and https.
#define OPTION_PROTOCOLS_BITS ((CURLoption)(CURLOPTTYPE_LONG + 181))
#define PROTOCOL_BITS_HTTP_HTTPS 3L

#define SET(option, value) nova_curl.easy_setopt(easy, option, value)
#define REQUIRE(option, value) \
  if (SET(option, value) != CURLE_OK) return false

static bool restrict_protocols(CURL *easy) {
  SET(OPTION_REDIR_PROTOCOLS_STR, "http,https");
  return SET(OPTION_PROTOCOLS_STR, "http,https") == CURLE_OK ||
         SET(OPTION_PROTOCOLS_BITS, PROTOCOL_BITS_HTTP_HTTPS) == CURLE_OK;
}

static bool secure(CURL *easy, const char *ca_file) {
  REQUIRE(CURLOPT_SSL_VERIFYPEER, 1L);
  REQUIRE(CURLOPT_SSL_VERIFYHOST, 2L);
  REQUIRE(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  // Also for the environment's proxies. A libcurl without TLS to proxies refuses these options, and to use such
  // proxies.
  SET(CURLOPT_PROXY_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  if (ca_file) {
    REQUIRE(CURLOPT_CAINFO, ca_file);
    SET(CURLOPT_PROXY_CAINFO, ca_file);
    // Otherwise, the system's directory would be trusted as well. Not every TLS library has one.
    SET(CURLOPT_CAPATH, NULL);
    SET(CURLOPT_PROXY_CAPATH, NULL);
  }
  return restrict_protocols(easy);
}

CURLcode nova_curl_trust(CURL *easy, const char *file, const char *directory) {
  if (file) {
    CURLcode code = SET(CURLOPT_CAINFO, file);
    if (code != CURLE_OK) return code;
    SET(CURLOPT_PROXY_CAINFO, file);
  }
  if (directory) {
    SET(CURLOPT_CAPATH, directory);
    SET(CURLOPT_PROXY_CAPATH, directory);
  }
  return CURLE_OK;
}

static bool set_callbacks(CURL *easy, const nova_curl_callbacks *callbacks) {
  REQUIRE(CURLOPT_WRITEFUNCTION, callbacks->on_body);
  REQUIRE(CURLOPT_HEADERFUNCTION, callbacks->on_header);
  REQUIRE(CURLOPT_READFUNCTION, callbacks->on_read);
  REQUIRE(CURLOPT_SEEKFUNCTION, callbacks->on_seek);
  REQUIRE(CURLOPT_XFERINFOFUNCTION, callbacks->on_progress);
  REQUIRE(CURLOPT_NOPROGRESS, 0L);
  SET(OPTION_PREREQ_FUNCTION, callbacks->on_ready);
  return true;
}

static bool set_behaviour(CURL *easy) {
  REQUIRE(CURLOPT_NOSIGNAL, 1L);
  REQUIRE(CURLOPT_FOLLOWLOCATION, 0L);
  REQUIRE(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
  SET(CURLOPT_TCP_NODELAY, 1L);
  // HTTP/2 by ALPN over TLS, HTTP/1.1 without TLS. A libcurl without HTTP/2 refuses this and keeps its default.
  SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
  // Sends the path unmodified: "/a/../b" is the caller's decision.
  SET(CURLOPT_PATH_AS_IS, 1L);
  SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  // Otherwise, removing a transfer waits for a hanging name lookup, and so do all other transfers.
  SET(OPTION_QUICK_EXIT, 1L);
  return true;
}

static bool begins_with(const char *prefix, const char *line) { return strncmp(line, prefix, strlen(prefix)) == 0; }

// The number after `prefix` if the line starts with it; -1 if not.
static int64_t number_after(const char *prefix, const char *line) {
  size_t length = strlen(prefix);
  if (!begins_with(prefix, line) || line[length] < '0' || line[length] > '9') return -1;
  return strtoll(line + length, NULL, 10);
}

// libcurl reports a GOAWAY only in its log. Unknown lines are ignored. Lines are compared from their start, which never
// contains text from a server or a caller.
static int note_streams(CURL *easy, curl_infotype type, char *text, size_t size, void *context) {
  (void)easy;
  nova_curl_streams *streams = context;
  char line[128];
  if (type != CURLINFO_TEXT) return 0;
  if (size >= sizeof line) size = sizeof line - 1;
  memcpy(line, text, size);
  line[size] = 0;
  // Newer versions write the second form.
  int64_t own = number_after("Using Stream ID: ", line);
  if (own < 0 && strstr(line, "] OPENED stream for ")) own = number_after("[HTTP/2] [", line);
  if (own > 0) {
    streams->own = own;
  } else if (begins_with("Connection died, retrying", line) || begins_with("REFUSED_STREAM, retrying", line)) {
    // libcurl looks for another connection, and may read a GOAWAY on a kept one.
    streams->own = 0;
    streams->last = -1;
  } else if (number_after("received GOAWAY, error=", line) >= 0 || number_after("recveived GOAWAY, error=", line) >= 0) {
    const char *last = strstr(line, "last_stream=");
    if (last && streams->own > 0) {
      streams->last = number_after("last_stream=", last);
      streams->on_goaway(streams->context);
    }
  }
  return 0;
}

CURL *nova_curl_easy_new(
    const nova_curl_callbacks *callbacks, const char *ca_file, char *error, nova_curl_streams *streams) {
  CURL *easy = nova_curl.easy_init();
  if (!easy) return NULL;
  SET(CURLOPT_ERRORBUFFER, error);
  SET(CURLOPT_DEBUGFUNCTION, note_streams);
  SET(CURLOPT_DEBUGDATA, streams);
  if (secure(easy, ca_file) && set_callbacks(easy, callbacks) && set_behaviour(easy)) return easy;
  nova_curl.easy_cleanup(easy);
  return NULL;
}

void nova_curl_easy_free(CURL *easy) { nova_curl.easy_cleanup(easy); }

void nova_curl_set_context(CURL *easy, void *context) {
  SET(CURLOPT_PRIVATE, context);
  SET(CURLOPT_WRITEDATA, context);
  SET(CURLOPT_HEADERDATA, context);
  SET(CURLOPT_READDATA, context);
  SET(CURLOPT_SEEKDATA, context);
  SET(CURLOPT_XFERINFODATA, context);
  SET(OPTION_PREREQ_DATA, context);
}

#define TRY(option, value)                                   \
  do {                                                       \
    CURLcode code = SET(option, value);                      \
    if (code != CURLE_OK) return code;                       \
  } while (0)

CURLcode nova_curl_set_connect_to(CURL *easy, struct curl_slist *list) {
  if (list) TRY(CURLOPT_CONNECT_TO, list);
  return CURLE_OK;
}

CURLcode nova_curl_set_proxy(
    CURL *easy, const char *user, const char *password, bool is_secure, const char *ca_file) {
  TRY(CURLOPT_PROXYUSERNAME, user);
  TRY(CURLOPT_PROXYPASSWORD, password);
  // The caller has matched its own exceptions; the environment's don't count.
  TRY(CURLOPT_NOPROXY, "");
  if (!is_secure) return CURLE_OK;
  TRY(CURLOPT_PROXY_SSL_VERIFYPEER, 1L);
  TRY(CURLOPT_PROXY_SSL_VERIFYHOST, 2L);
  TRY(CURLOPT_PROXY_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  if (ca_file) TRY(CURLOPT_PROXY_CAINFO, ca_file);
  return CURLE_OK;
}

CURLcode nova_curl_set_route(CURL *easy, const nova_curl_route *route) {
  TRY(CURLOPT_PROXY, route->proxy);
  // A libcurl without Unix sockets refuses even NULL, which is its default.
  if (SET(CURLOPT_UNIX_SOCKET_PATH, route->unix_socket) != CURLE_OK && route->unix_socket) return CURLE_NOT_BUILT_IN;
  return CURLE_OK;
}

CURLcode nova_curl_set_client_certificate(CURL *easy, const char *certificate_file, const char *key_file) {
  TRY(CURLOPT_SSLCERT, certificate_file);
  TRY(CURLOPT_SSLKEY, certificate_file ? key_file : NULL);
  // Without a password, OpenSSL would ask for an encrypted key's password on the terminal, and wait.
  TRY(CURLOPT_KEYPASSWD, certificate_file ? "" : NULL);
  return CURLE_OK;
}

static CURLcode set_method(CURL *easy, const nova_curl_settings *settings) {
  // Both reset the settings of an earlier request on this handle. POSTFIELDS implies POST, even if it is NULL, so it
  // comes first.
  TRY(CURLOPT_POSTFIELDS, NULL);
  TRY(CURLOPT_HTTPGET, 1L);
  if (settings->is_head) {
    TRY(CURLOPT_NOBODY, 1L);
  } else if (settings->has_body) {
    TRY(CURLOPT_POST, 1L);
  }
  TRY(CURLOPT_CUSTOMREQUEST, settings->method);
  return CURLE_OK;
}

CURLcode nova_curl_configure(CURL *easy, const nova_curl_settings *settings) {
  TRY(CURLOPT_URL, settings->url);
  // Refused while the handle still has a buffer of either size, which is fine, too.
  SET(CURLOPT_BUFFERSIZE, settings->receive_buffer_size);
  TRY(CURLOPT_CONNECTTIMEOUT_MS, settings->connect_timeout_ms);
  SET(CURLOPT_VERBOSE, settings->traces_streams ? 1L : 0L);
  // Set each time, because handles are reused. libcurl reuses a connection or a TLS session only for requests with the
  // same checks.
  TRY(CURLOPT_SSL_VERIFYPEER, settings->skip_certificate_checks ? 0L : 1L);
  TRY(CURLOPT_SSL_VERIFYHOST, settings->skip_certificate_checks ? 0L : 2L);
  // An empty text means all encodings that this libcurl supports; NULL keeps the bytes as they are.
  TRY(CURLOPT_ACCEPT_ENCODING, settings->decompress ? "" : NULL);
  TRY(CURLOPT_HTTP_CONTENT_DECODING, 1L);
  CURLcode routed = nova_curl_set_route(easy, &settings->route);
  if (routed != CURLE_OK) return routed;
  // Over TLS, waits for the running handshake, which shows whether one HTTP/2 connection can serve all calls, instead
  // of making one connection per call. Without TLS, libcurl would wait for the first response instead.
  TRY(CURLOPT_PIPEWAIT, settings->is_secure ? 1L : 0L);
  return set_method(easy, settings);
}

void nova_curl_keep_encoding(CURL *easy) { SET(CURLOPT_HTTP_CONTENT_DECODING, 0L); }

CURLcode nova_curl_set_headers(CURL *easy, struct curl_slist *headers) {
  TRY(CURLOPT_HTTPHEADER, headers);
  return CURLE_OK;
}

CURLcode nova_curl_set_request(CURL *easy, struct curl_slist *headers, const void *body, int64_t body_size) {
  TRY(CURLOPT_HTTPHEADER, headers);
  TRY(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body_size);
  // Without POSTFIELDS, the body is read with `on_read`.
  if (body) TRY(CURLOPT_COPYPOSTFIELDS, body);
  return CURLE_OK;
}

void nova_curl_clear(CURL *easy, bool has_body) {
  SET(CURLOPT_HTTPHEADER, NULL);
  // Otherwise, it would turn another request into a POST.
  if (has_body) SET(CURLOPT_POSTFIELDS, NULL);
}

nova_curl_info nova_curl_get_info(CURL *easy) {
  nova_curl_info info = {0};
  curl_off_t length = -1, received = 0;
  char *redirect = NULL;
  nova_curl.easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &info.status);
  nova_curl.easy_getinfo(easy, CURLINFO_OS_ERRNO, &info.system_error);
  nova_curl.easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &info.proxy_status);
  nova_curl.easy_getinfo(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  nova_curl.easy_getinfo(easy, CURLINFO_SIZE_DOWNLOAD_T, &received);
  nova_curl.easy_getinfo(easy, CURLINFO_REDIRECT_URL, &redirect);
  info.content_length = length;
  info.received_body_bytes = received;
  info.redirect_url = redirect;
  return info;
}

int64_t nova_curl_sent_bytes(CURL *easy) {
  long sent = 0;
  nova_curl.easy_getinfo(easy, CURLINFO_REQUEST_SIZE, &sent);
  return sent;
}

int64_t nova_curl_uploaded_bytes(CURL *easy) {
  curl_off_t sent = 0;
  nova_curl.easy_getinfo(easy, CURLINFO_SIZE_UPLOAD_T, &sent);
  return sent;
}

int64_t nova_curl_content_length(CURL *easy) {
  curl_off_t length = -1;
  nova_curl.easy_getinfo(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  return length;
}

const char *nova_curl_error_name(CURLcode code) { return nova_curl.easy_strerror(code); }

struct curl_slist *nova_curl_headers_new(const char *lines, size_t size, size_t count) {
  // libcurl only reads the list, so the nodes and the text can share one block.
  struct curl_slist *nodes = malloc(count * sizeof *nodes + size);
  if (!nodes || count == 0) {
    free(nodes);
    return NULL;
  }
  char *text = memcpy(nodes + count, lines, size);
  for (size_t i = 0; i < count; i++) {
    nodes[i].data = text;
    nodes[i].next = i + 1 < count ? nodes + i + 1 : NULL;
    text += strlen(text) + 1;
  }
  return nodes;
}

void nova_curl_headers_free(struct curl_slist *headers) { free(headers); }
