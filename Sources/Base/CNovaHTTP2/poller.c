// Waits for sockets: with epoll on Linux, with poll() elsewhere.

#include <stdlib.h>
#include <unistd.h>

#include "CNovaHTTP2.h"

#ifdef __linux__

#include <sys/epoll.h>
#include <sys/eventfd.h>

struct nova_h2_poller {
  int epoll, wakeup;
};

// No connection has this token.
static const uint64_t wakeup_token = 0;

static bool control(int epoll, int operation, int descriptor, uint64_t token, bool writable) {
  struct epoll_event event = {.events = EPOLLIN | (writable ? EPOLLOUT : 0), .data.u64 = token};
  return epoll_ctl(epoll, operation, descriptor, &event) == 0;
}

nova_h2_poller *nova_h2_poller_new(void) {
  nova_h2_poller *poller = malloc(sizeof *poller);
  if (!poller) return NULL;
  poller->epoll = epoll_create1(EPOLL_CLOEXEC);
  poller->wakeup = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (poller->epoll >= 0 && poller->wakeup >= 0 &&
      control(poller->epoll, EPOLL_CTL_ADD, poller->wakeup, wakeup_token, false))
    return poller;
  nova_h2_poller_free(poller);
  return NULL;
}

void nova_h2_poller_free(nova_h2_poller *poller) {
  if (poller->epoll >= 0) close(poller->epoll);
  if (poller->wakeup >= 0) close(poller->wakeup);
  free(poller);
}

bool nova_h2_poller_add(nova_h2_poller *poller, int descriptor, uint64_t token) {
  return control(poller->epoll, EPOLL_CTL_ADD, descriptor, token, false);
}

void nova_h2_poller_await_writable(nova_h2_poller *poller, int descriptor, uint64_t token, bool awaits) {
  control(poller->epoll, EPOLL_CTL_MOD, descriptor, token, awaits);
}

void nova_h2_poller_remove(nova_h2_poller *poller, int descriptor, uint64_t token) {
  control(poller->epoll, EPOLL_CTL_DEL, descriptor, token, false);
}

void nova_h2_poller_wake(nova_h2_poller *poller) {
  uint64_t one = 1;
  // It fails only if so many wakeups are pending that another one changes nothing.
  ssize_t count = write(poller->wakeup, &one, sizeof one);
  (void)count;
}

int nova_h2_poller_wait(nova_h2_poller *poller, nova_h2_event *events, int count, int milliseconds) {
  struct epoll_event ready[64];
  int found = epoll_wait(poller->epoll, ready, count < 64 ? count : 64, milliseconds);
  int used = 0;
  for (int i = 0; i < found; i++) {
    if (ready[i].data.u64 == wakeup_token) {
      uint64_t wakeups;
      ssize_t size = read(poller->wakeup, &wakeups, sizeof wakeups);
      (void)size;
      continue;
    }
    // An error is found by reading.
    bool is_over = ready[i].events & (EPOLLERR | EPOLLHUP);
    events[used++] = (nova_h2_event){
        .token = ready[i].data.u64,
        .readable = is_over || ready[i].events & EPOLLIN,
        .writable = is_over || ready[i].events & EPOLLOUT};
  }
  return used;
}

#else

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>

struct watched {
  uint64_t token;
  int descriptor;
  bool awaits_writable;
};

struct nova_h2_poller {
  pthread_mutex_t lock;
  int wakeup[2];
  // Changed by any thread, copied by the one that waits.
  struct watched *watched;
  size_t count, room;
};

nova_h2_poller *nova_h2_poller_new(void) {
  nova_h2_poller *poller = calloc(1, sizeof *poller);
  if (!poller) return NULL;
  if (pipe(poller->wakeup) != 0) {
    free(poller);
    return NULL;
  }
  for (int end = 0; end < 2; end++) {
    fcntl(poller->wakeup[end], F_SETFD, FD_CLOEXEC);
    fcntl(poller->wakeup[end], F_SETFL, O_NONBLOCK);
  }
  pthread_mutex_init(&poller->lock, NULL);
  return poller;
}

void nova_h2_poller_free(nova_h2_poller *poller) {
  close(poller->wakeup[0]);
  close(poller->wakeup[1]);
  pthread_mutex_destroy(&poller->lock);
  free(poller->watched);
  free(poller);
}

bool nova_h2_poller_add(nova_h2_poller *poller, int descriptor, uint64_t token) {
  pthread_mutex_lock(&poller->lock);
  if (poller->count == poller->room) {
    size_t room = poller->room ? 2 * poller->room : 8;
    struct watched *watched = realloc(poller->watched, room * sizeof *watched);
    if (!watched) {
      pthread_mutex_unlock(&poller->lock);
      return false;
    }
    poller->watched = watched;
    poller->room = room;
  }
  poller->watched[poller->count++] = (struct watched){.token = token, .descriptor = descriptor};
  pthread_mutex_unlock(&poller->lock);
  nova_h2_poller_wake(poller);
  return true;
}

void nova_h2_poller_await_writable(nova_h2_poller *poller, int descriptor, uint64_t token, bool awaits) {
  (void)descriptor;
  pthread_mutex_lock(&poller->lock);
  for (size_t i = 0; i < poller->count; i++) {
    if (poller->watched[i].token == token) poller->watched[i].awaits_writable = awaits;
  }
  pthread_mutex_unlock(&poller->lock);
  nova_h2_poller_wake(poller);
}

void nova_h2_poller_remove(nova_h2_poller *poller, int descriptor, uint64_t token) {
  (void)descriptor;
  pthread_mutex_lock(&poller->lock);
  for (size_t i = 0; i < poller->count; i++) {
    if (poller->watched[i].token != token) continue;
    poller->watched[i] = poller->watched[--poller->count];
    break;
  }
  pthread_mutex_unlock(&poller->lock);
}

void nova_h2_poller_wake(nova_h2_poller *poller) {
  ssize_t count = write(poller->wakeup[1], "", 1);
  (void)count;
}

int nova_h2_poller_wait(nova_h2_poller *poller, nova_h2_event *events, int count, int milliseconds) {
  pthread_mutex_lock(&poller->lock);
  size_t watched_count = poller->count;
  struct pollfd *polled = calloc(watched_count + 1, sizeof *polled);
  uint64_t *tokens = calloc(watched_count + 1, sizeof *tokens);
  for (size_t i = 0; polled && tokens && i < watched_count; i++) {
    polled[i].fd = poller->watched[i].descriptor;
    polled[i].events = (short)(POLLIN | (poller->watched[i].awaits_writable ? POLLOUT : 0));
    tokens[i] = poller->watched[i].token;
  }
  pthread_mutex_unlock(&poller->lock);
  int used = 0;
  if (polled && tokens) {
    polled[watched_count] = (struct pollfd){.fd = poller->wakeup[0], .events = POLLIN};
    poll(polled, (nfds_t)(watched_count + 1), milliseconds);
    char bytes[64];
    while (read(poller->wakeup[0], bytes, sizeof bytes) > 0) {
    }
    for (size_t i = 0; i < watched_count && used < count; i++) {
      bool is_over = polled[i].revents & (POLLERR | POLLHUP | POLLNVAL);
      bool readable = is_over || polled[i].revents & POLLIN, writable = is_over || polled[i].revents & POLLOUT;
      if (readable || writable) events[used++] = (nova_h2_event){tokens[i], readable, writable};
    }
  }
  free(polled);
  free(tokens);
  return used;
}

#endif
