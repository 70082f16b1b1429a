// A multi handle, and how it waits for its sockets. On Linux, epoll reports which sockets are ready, and libcurl looks
// only at those (epoll.c). Elsewhere, libcurl polls all of them (poll.c).

#ifndef NOVA_CURL_MULTI_H
#define NOVA_CURL_MULTI_H

#include "load.h"

#ifdef __linux__
#include <sys/epoll.h>

// The state of a socket, by its descriptor.
typedef struct {
  // What epoll reports: EPOLLIN, EPOLLOUT; 0 if the socket is not registered.
  uint8_t registered;
  // What libcurl waits for: a subset of what is registered; 0 for an idle connection.
  uint8_t wanted;
  // Whether open_socket() created it, so that close_socket() is called at its end.
  bool is_ours;
} nova_socket;

#define NOVA_READY_LIMIT 128

struct nova_curl_multi {
  CURLM *multi;
  int epoll;
  int wakeup;
  nova_socket *sockets;
  int socket_count;
  struct epoll_event ready[NOVA_READY_LIMIT];
  int ready_count;
  // When libcurl wants to be called even if no socket is ready; INT64_MAX for never.
  int64_t timer;
  // The errno of the last socket() that failed, which libcurl does not report.
  int socket_error;
};
#else
#include <pthread.h>

struct nova_curl_multi {
  CURLM *multi;
  // Protects waking against closing.
  pthread_mutex_t lock;
};
#endif

// `multi->multi` may be NULL. Call nova_multi_release() afterwards, even if this fails.
bool nova_multi_prepare(nova_curl_multi *multi);
void nova_multi_release(nova_curl_multi *multi);

#endif
