// Connections that libcurl makes, read and written directly: without TLS through their socket, with TLS through libcurl.

#define _GNU_SOURCE  // SOCK_CLOEXEC, MSG_NOSIGNAL
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "load.h"

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0  // macOS: the socket has SO_NOSIGPIPE
#endif

struct nova_curl_channel {
  // NULL without TLS.
  CURL *easy;
  int descriptor;
  // libcurl must not read and write at once.
  pthread_mutex_t lock;
};

static void prepare(int descriptor, unsigned dead_after_ms) {
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
#ifdef __APPLE__
  int on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  // Notices that a proxy has forgotten a connection on which nothing happens. Fails for a Unix socket, which needs no check.
  int is_checked = 1, idle = 30, interval = 10, count = 3;
  setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &is_checked, sizeof is_checked);
#ifdef __APPLE__
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPALIVE, &idle, sizeof idle);
#else
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
#endif
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
#ifdef TCP_USER_TIMEOUT
  // Ends a connection whose bytes are not acknowledged. It fails for a Unix socket, which needs no such limit.
  if (dead_after_ms > 0) setsockopt(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, &dead_after_ms, sizeof dead_after_ms);
#else
  (void)dead_after_ms;
#endif
}

nova_curl_channel *nova_curl_channel_new(CURL *easy, bool is_secure, unsigned dead_after_ms) {
  // The caller's memory may be freed before the handle is.
  nova_curl.easy_setopt(easy, CURLOPT_ERRORBUFFER, NULL);
  nova_curl.easy_setopt(easy, CURLOPT_CONNECT_TO, NULL);
  curl_socket_t socket = CURL_SOCKET_BAD;
  nova_curl.easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket);
  nova_curl_channel *channel = socket == CURL_SOCKET_BAD ? NULL : calloc(1, sizeof *channel);
  if (channel) {
    channel->descriptor = is_secure ? socket : fcntl(socket, F_DUPFD_CLOEXEC, 0);
    channel->easy = is_secure ? easy : NULL;
    if (channel->descriptor >= 0) {
      prepare(channel->descriptor, dead_after_ms);
      pthread_mutex_init(&channel->lock, NULL);
      if (!is_secure) nova_curl.easy_cleanup(easy);
      return channel;
    }
  } else {
    errno = socket == CURL_SOCKET_BAD ? ENOTCONN : ENOMEM;
  }
  int problem = errno;
  free(channel);
  nova_curl.easy_cleanup(easy);
  errno = problem;
  return NULL;
}

void nova_curl_channel_free(nova_curl_channel *channel) {
  if (channel->easy) {
    bool has_blocked = nova_sigpipe_block();
    nova_curl.easy_cleanup(channel->easy);
    if (has_blocked) nova_sigpipe_unblock();
  } else {
    close(channel->descriptor);
  }
  pthread_mutex_destroy(&channel->lock);
  free(channel);
}

int nova_curl_channel_descriptor(const nova_curl_channel *channel) { return channel->descriptor; }

bool nova_curl_channel_chose_http2(const nova_curl_channel *channel) {
  return channel->easy && nova_curl_chose_http2(channel->easy);
}

void nova_curl_channel_end(nova_curl_channel *channel) { shutdown(channel->descriptor, SHUT_RDWR); }

static ssize_t result(CURLcode code, size_t count) {
  if (code == CURLE_OK) return (ssize_t)count;
  // libcurl's last socket error is not available here.
  errno = code == CURLE_AGAIN ? EAGAIN : EPROTO;
  return -1;
}

ssize_t nova_curl_channel_read(nova_curl_channel *channel, void *buffer, size_t size) {
  if (channel->easy) {
    size_t count = 0;
    bool has_blocked = nova_sigpipe_block();
    pthread_mutex_lock(&channel->lock);
    CURLcode code = nova_curl.easy_recv(channel->easy, buffer, size, &count);
    pthread_mutex_unlock(&channel->lock);
    if (has_blocked) nova_sigpipe_unblock();
    return result(code, count);
  }
  ssize_t count;
  do {
    count = recv(channel->descriptor, buffer, size, 0);
  } while (count < 0 && errno == EINTR);
  return count;
}

ssize_t nova_curl_channel_write(nova_curl_channel *channel, const void *bytes, size_t size) {
  if (channel->easy) {
    size_t count = 0;
    bool has_blocked = nova_sigpipe_block();
    pthread_mutex_lock(&channel->lock);
    CURLcode code = nova_curl.easy_send(channel->easy, bytes, size, &count);
    pthread_mutex_unlock(&channel->lock);
    if (has_blocked) nova_sigpipe_unblock();
    return result(code, count);
  }
  ssize_t count;
  do {
    count = send(channel->descriptor, bytes, size, MSG_NOSIGNAL);
  } while (count < 0 && errno == EINTR);
  return count;
}
