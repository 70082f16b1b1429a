// Connections that libcurl makes, including proxies and TLS, for a protocol other than HTTP.

#define _GNU_SOURCE  // SOCK_CLOEXEC, MSG_NOSIGNAL
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "relay.h"

#define TRY(option, value)                                            \
  do {                                                                \
    CURLcode code = nova_curl.easy_setopt(easy, option, value);       \
    if (code != CURLE_OK) return code;                                \
  } while (0)

CURLcode nova_curl_connect(CURL *easy, const nova_curl_tunnel *tunnel) {
  TRY(CURLOPT_URL, tunnel->url);
  TRY(CURLOPT_CONNECT_ONLY, 1L);
  // The callbacks are for transfers, and this is not a transfer.
  TRY(CURLOPT_NOPROGRESS, 1L);
  nova_curl.easy_setopt(easy, OPTION_PREREQ_FUNCTION, NULL);
  // Otherwise, libcurl would offer HTTP/2 in the TLS handshake.
  TRY(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  TRY(CURLOPT_CONNECTTIMEOUT_MS, tunnel->connect_timeout_ms);
  TRY(CURLOPT_SSL_VERIFYPEER, tunnel->skip_certificate_checks ? 0L : 1L);
  TRY(CURLOPT_SSL_VERIFYHOST, tunnel->skip_certificate_checks ? 0L : 2L);
  CURLcode routed = nova_curl_set_route(easy, &tunnel->route);
  if (routed != CURLE_OK) return routed;
  TRY(CURLOPT_HTTPPROXYTUNNEL, 1L);
  return nova_curl.easy_perform(easy);
}

const char *nova_curl_peer(CURL *easy) {
  char *address = NULL;
  nova_curl.easy_getinfo(easy, CURLINFO_PRIMARY_IP, &address);
  return address;
}

static int prepare(int descriptor) {
  if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) < 0 || fcntl(descriptor, F_SETFL, O_NONBLOCK) < 0) return -1;
#ifdef __APPLE__
  int on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  return descriptor;
}

int nova_curl_detach(CURL *easy, bool is_secure) {
  // The caller's memory may be freed before the handle is.
  nova_curl.easy_setopt(easy, CURLOPT_ERRORBUFFER, NULL);
  nova_curl.easy_setopt(easy, CURLOPT_CONNECT_TO, NULL);
  curl_socket_t socket = CURL_SOCKET_BAD;
  nova_curl.easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket);
  int ends[2] = {-1, -1};
  int result = -1;
  if (socket == CURL_SOCKET_BAD) {
    errno = ENOTCONN;
  } else if (!is_secure) {
    result = dup(socket);
    if (result >= 0) prepare(result);
  } else if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0) {
    if (prepare(ends[0]) >= 0 && prepare(ends[1]) >= 0 && nova_relay_add(easy, socket, ends[1])) return ends[0];
    int problem = errno;
    close(ends[0]);
    close(ends[1]);
    errno = problem;
  }
  int problem = errno;
  nova_curl.easy_cleanup(easy);
  errno = problem;
  return result;
}

void nova_curl_close(int descriptor) { close(descriptor); }
