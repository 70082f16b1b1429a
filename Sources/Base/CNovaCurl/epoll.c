#include "multi.h"

#ifdef __linux__

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

// MARK: Which sockets epoll has

static nova_socket *socket_at(nova_curl_multi *multi, int descriptor) {
  if (descriptor >= multi->socket_count) {
    int count = multi->socket_count ? multi->socket_count : 64;
    while (count <= descriptor) count *= 2;
    nova_socket *sockets = realloc(multi->sockets, (size_t)count * sizeof *sockets);
    if (!sockets) return NULL;
    memset(sockets + multi->socket_count, 0, (size_t)(count - multi->socket_count) * sizeof *sockets);
    multi->sockets = sockets;
    multi->socket_count = count;
  }
  return &multi->sockets[descriptor];
}

static bool observe(nova_curl_multi *multi, int descriptor, nova_socket *socket, uint8_t events) {
  struct epoll_event event = {.events = events, .data.fd = descriptor};
  if (socket->registered == events) return true;
  if (!events) {
    // The descriptor may already be closed, which has removed it.
    epoll_ctl(multi->epoll, EPOLL_CTL_DEL, descriptor, &event);
  } else if (!socket->registered || epoll_ctl(multi->epoll, EPOLL_CTL_MOD, descriptor, &event) != 0) {
    if (epoll_ctl(multi->epoll, EPOLL_CTL_ADD, descriptor, &event) != 0 &&
        (errno != EEXIST || epoll_ctl(multi->epoll, EPOLL_CTL_MOD, descriptor, &event) != 0))
      return false;
  }
  socket->registered = events;
  return true;
}

// Called when libcurl starts to wait for something else, or for nothing.
static int on_socket(CURL *easy, curl_socket_t descriptor, int what, void *context, void *socket_context) {
  (void)easy;
  (void)socket_context;
  nova_curl_multi *multi = context;
  nova_socket *socket = socket_at(multi, descriptor);
  if (!socket) return -1;
  socket->wanted = (what & CURL_POLL_IN ? EPOLLIN : 0) | (what & CURL_POLL_OUT ? EPOLLOUT : 0);
  if (what == CURL_POLL_REMOVE) socket->wanted = 0;
  // The connection of a finished transfer stays registered, which saves two system calls for the next transfer on it.
  if (!socket->wanted && socket->is_ours) return 0;
  return observe(multi, descriptor, socket, socket->wanted) ? 0 : -1;
}

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)purpose;
  nova_curl_multi *multi = context;
  int descriptor = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  if (descriptor < 0) {
    multi->socket_error = errno;
    return CURL_SOCKET_BAD;
  }
  nova_socket *socket = socket_at(multi, descriptor);
  if (socket) *socket = (nova_socket){.is_ours = true};
  return descriptor;
}

static int close_socket(void *context, curl_socket_t descriptor) {
  nova_curl_multi *multi = context;
  if (descriptor < multi->socket_count) multi->sockets[descriptor] = (nova_socket){0};
  // The number may soon belong to another socket.
  for (int i = 0; i < multi->ready_count; i++) {
    if (multi->ready[i].data.fd == descriptor) multi->ready[i].events = 0;
  }
  return close(descriptor);
}

int nova_curl_multi_take_socket_error(nova_curl_multi *multi) {
  int error = multi->socket_error;
  multi->socket_error = 0;
  return error;
}

bool nova_curl_track_sockets(CURL *easy, nova_curl_multi *multi) {
  return nova_curl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket) == CURLE_OK &&
         nova_curl.easy_setopt(easy, CURLOPT_OPENSOCKETDATA, multi) == CURLE_OK &&
         nova_curl.easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close_socket) == CURLE_OK &&
         nova_curl.easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, multi) == CURLE_OK;
}

// MARK: Waiting

static int on_timer(CURLM *handle, long milliseconds, void *context) {
  (void)handle;
  nova_curl_multi *multi = context;
  multi->timer = milliseconds < 0 ? INT64_MAX : nova_monotonic_nanoseconds() + (int64_t)milliseconds * 1000000;
  return 0;
}

bool nova_multi_prepare(nova_curl_multi *multi) {
  multi->timer = INT64_MAX;
  multi->epoll = epoll_create1(EPOLL_CLOEXEC);
  multi->wakeup = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = multi->wakeup};
  return multi->multi && multi->epoll >= 0 && multi->wakeup >= 0 &&
         epoll_ctl(multi->epoll, EPOLL_CTL_ADD, multi->wakeup, &event) == 0 &&
         nova_curl.multi_setopt(multi->multi, CURLMOPT_SOCKETFUNCTION, on_socket) == CURLM_OK &&
         nova_curl.multi_setopt(multi->multi, CURLMOPT_SOCKETDATA, multi) == CURLM_OK &&
         nova_curl.multi_setopt(multi->multi, CURLMOPT_TIMERFUNCTION, on_timer) == CURLM_OK &&
         nova_curl.multi_setopt(multi->multi, CURLMOPT_TIMERDATA, multi) == CURLM_OK;
}

void nova_curl_multi_close(nova_curl_multi *multi) {
  // Closes the remaining connections, which calls back.
  if (multi->multi) nova_curl.multi_cleanup(multi->multi);
  multi->multi = NULL;
}

void nova_multi_release(nova_curl_multi *multi) {
  if (multi->epoll >= 0) close(multi->epoll);
  if (multi->wakeup >= 0) close(multi->wakeup);
  free(multi->sockets);
}

void nova_curl_wake(nova_curl_multi *multi) {
  uint64_t one = 1;
  // It fails only if so many wakeups are pending that another one changes nothing.
  ssize_t count = write(multi->wakeup, &one, sizeof one);
  (void)count;
}

void nova_curl_wait(nova_curl_multi *multi, int milliseconds) {
  if (multi->timer != INT64_MAX) {
    // Rounded up, because waking just before the timer would repeat the wait again and again.
    int64_t rest = (multi->timer - nova_monotonic_nanoseconds() + 999999) / 1000000;
    if (rest < milliseconds) milliseconds = rest > 0 ? (int)rest : 0;
  }
  int count = epoll_wait(multi->epoll, multi->ready, NOVA_READY_LIMIT, milliseconds);
  multi->ready_count = count > 0 ? count : 0;
}

// MARK: Working

static CURLMcode work_on(nova_curl_multi *multi, int descriptor, uint32_t events) {
  int running = 0;
  nova_socket *socket = socket_at(multi, descriptor);
  if (!socket) return CURLM_OUT_OF_MEMORY;
  if (!socket->wanted) {
    // An idle connection that the server has closed or written to. libcurl checks it before it uses it again.
    observe(multi, descriptor, socket, 0);
    return CURLM_OK;
  }
  // libcurl detects the error when it performs the operation that it waits for.
  bool is_over = events & (EPOLLERR | EPOLLHUP);
  int ready = (socket->wanted & EPOLLIN && (events & EPOLLIN || is_over) ? CURL_CSELECT_IN : 0) |
              (socket->wanted & EPOLLOUT && (events & EPOLLOUT || is_over) ? CURL_CSELECT_OUT : 0);
  return ready ? nova_curl.multi_socket_action(multi->multi, descriptor, ready, &running) : CURLM_OK;
}

const char *nova_curl_perform(nova_curl_multi *multi) {
  CURLMcode code = CURLM_OK;
  int running = 0;
  for (int i = 0; i < multi->ready_count && code == CURLM_OK; i++) {
    struct epoll_event event = multi->ready[i];
    uint64_t wakeups;
    if (event.data.fd == multi->wakeup) {
      ssize_t count = read(multi->wakeup, &wakeups, sizeof wakeups);
      (void)count;
    } else if (event.events) {
      code = work_on(multi, event.data.fd, event.events);
    }
  }
  multi->ready_count = 0;
  if (code == CURLM_OK && multi->timer != INT64_MAX && nova_monotonic_nanoseconds() >= multi->timer) {
    multi->timer = INT64_MAX;
    code = nova_curl.multi_socket_action(multi->multi, CURL_SOCKET_TIMEOUT, 0, &running);
  }
  return code == CURLM_OK ? NULL : nova_curl.multi_strerror(code);
}

#endif
