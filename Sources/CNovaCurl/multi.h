// A multi handle, and how it waits for its sockets. On Linux epoll tells which sockets are ready, and libcurl looks at no
// other (epoll.c); elsewhere libcurl polls all of them (poll.c).

#ifndef NOVA_CURL_MULTI_H
#define NOVA_CURL_MULTI_H

#include "load.h"

#ifdef __linux__
#include <sys/epoll.h>

// What is known about a socket, by its descriptor.
typedef struct {
  // What epoll reports: EPOLLIN, EPOLLOUT; 0 if it does not have the socket.
  uint8_t registered;
  // What libcurl waits for: a part of what is registered, 0 for an idle connection.
  uint8_t wanted;
  // Whether libcurl has got it from open_socket(), so that its end comes to close_socket().
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
  // errno of the last socket() that failed: libcurl does not report it.
  int socket_error;
};
#else
#include <pthread.h>

struct nova_curl_multi {
  CURLM *multi;
  // Guards waking against closing.
  pthread_mutex_t lock;
};
#endif

// `multi->multi` may be NULL. nova_multi_release() must follow even if it fails.
bool nova_multi_prepare(nova_curl_multi *multi);
void nova_multi_release(nova_curl_multi *multi);

#endif
