// One thread for all relays of the process. It starts with the first relay, and waits in poll() when there is nothing
// to do.

#define _GNU_SOURCE  // MSG_NOSIGNAL
#include "relay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "load.h"

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0  // macOS: the socket has SO_NOSIGPIPE
#endif

// How long the remaining bytes of a direction may take after the local end was closed.
static const int64_t last_bytes_nanoseconds = 5000000000;

struct direction {
  unsigned char bytes[32 * 1024];
  size_t start, end;
  // No more bytes will come.
  bool has_ended;
};

struct relay {
  struct relay *next;
  CURL *easy;
  int connection, local;
  struct direction down, up;
  bool has_told_end;
  bool is_over;
  // Set once the local end is closed while bytes remain.
  int64_t deadline;
};

static struct {
  pthread_mutex_t mutex;
  struct relay *added;
  int wake[2];
  bool is_running;
} shared = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static bool is_empty(const struct direction *direction) { return direction->start == direction->end; }

static bool may_fill(const struct direction *direction) { return is_empty(direction) && !direction->has_ended; }

static void filled(struct direction *direction, size_t count) {
  direction->start = 0;
  direction->end = count;
}

static bool is_again(void) { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

// Each of the four functions returns whether it did something.

static bool fill_down(struct relay *relay) {
  size_t count = 0;
  CURLcode code = nova_curl.easy_recv(relay->easy, relay->down.bytes, sizeof relay->down.bytes, &count);
  if (code == CURLE_AGAIN) return false;
  if (code == CURLE_OK && count > 0) {
    filled(&relay->down, count);
  } else {
    relay->down.has_ended = true;
  }
  return true;
}

static bool drain_down(struct relay *relay) {
  struct direction *down = &relay->down;
  ssize_t count = send(relay->local, down->bytes + down->start, down->end - down->start, MSG_NOSIGNAL);
  if (count < 0 && is_again()) return false;
  if (count < 0) relay->is_over = true;
  if (count > 0) down->start += (size_t)count;
  return true;
}

static bool fill_up(struct relay *relay) {
  ssize_t count = recv(relay->local, relay->up.bytes, sizeof relay->up.bytes, 0);
  if (count < 0 && is_again()) return false;
  if (count > 0) {
    filled(&relay->up, (size_t)count);
  } else {
    relay->up.has_ended = true;
  }
  return true;
}

static bool drain_up(struct relay *relay) {
  struct direction *up = &relay->up;
  size_t count = 0;
  CURLcode code = nova_curl.easy_send(relay->easy, up->bytes + up->start, up->end - up->start, &count);
  if (code == CURLE_AGAIN) return false;
  if (code != CURLE_OK) relay->is_over = true;
  up->start += count;
  return true;
}

// Moves the bytes that can be moved without waiting. A turn is limited, so that a fast connection does not block the
// others. Returns whether there may be more.
static bool carry(struct relay *relay) {
  for (int turn = 0; turn < 16 && !relay->is_over; turn++) {
    bool moved = false;
    if (may_fill(&relay->down)) moved |= fill_down(relay);
    if (!is_empty(&relay->down)) moved |= drain_down(relay);
    if (!relay->is_over && may_fill(&relay->up)) moved |= fill_up(relay);
    if (!relay->is_over && !is_empty(&relay->up)) moved |= drain_up(relay);
    if (relay->down.has_ended && is_empty(&relay->down) && !relay->has_told_end) {
      relay->has_told_end = true;
      shutdown(relay->local, SHUT_WR);
    }
    if (relay->up.has_ended && is_empty(&relay->up)) relay->is_over = true;
    if (!moved) return false;
  }
  return !relay->is_over;
}

static void free_relay(struct relay *relay) {
  nova_curl.easy_cleanup(relay->easy);
  close(relay->local);
  free(relay);
}

static short awaited(bool readable, bool writable) {
  return (short)((readable ? POLLIN : 0) | (writable ? POLLOUT : 0));
}

static struct pollfd watched(int descriptor, short events) {
  // Without events, the descriptor is skipped, because poll() would report its end again and again.
  return (struct pollfd){.fd = events ? descriptor : -1, .events = events};
}

static struct relay *take_added(struct relay *relays) {
  pthread_mutex_lock(&shared.mutex);
  struct relay *added = shared.added;
  shared.added = NULL;
  pthread_mutex_unlock(&shared.mutex);
  while (added) {
    struct relay *next = added->next;
    added->next = relays;
    relays = added;
    added = next;
  }
  return relays;
}

// Carries the bytes of all relays, and frees those that have ended. Returns how long to wait, in milliseconds.
static int carry_all(struct relay **relays, size_t *count) {
  int wait = -1;
  *count = 0;
  for (struct relay **place = relays; *place;) {
    struct relay *relay = *place;
    if (carry(relay)) wait = 0;
    if (relay->deadline && nova_monotonic_nanoseconds() >= relay->deadline) relay->is_over = true;
    if (relay->is_over) {
      *place = relay->next;
      free_relay(relay);
      continue;
    }
    if (relay->deadline && wait != 0) wait = 100;
    *count += 1;
    place = &relay->next;
  }
  return wait;
}

// Checks the local end of each relay, even if its bytes are not awaited: a program that has closed it expects nothing
// more.
static void note_closed(struct relay *relay, const struct pollfd *local) {
  if (relay->deadline == 0 && (local->revents & (POLLHUP | POLLERR)) && !is_empty(&relay->up)) {
    relay->deadline = nova_monotonic_nanoseconds() + last_bytes_nanoseconds;
  }
}

static void run(void *context) {
  (void)context;
  struct relay *relays = NULL;
  struct pollfd *polled = NULL;
  size_t room = 0;
  while (true) {
    size_t count;
    int wait = carry_all(&relays, &count);
    if (2 * count + 1 > room) {
      struct pollfd *more = realloc(polled, (4 * count + 1) * sizeof *polled);
      if (more) {
        polled = more;
        room = 4 * count + 1;
      }
    }
    size_t used = 0;
    if (room > 0) polled[used++] = watched(shared.wake[0], POLLIN);
    for (struct relay *relay = relays; relay && used + 2 <= room; relay = relay->next) {
      short local = awaited(may_fill(&relay->up), !is_empty(&relay->down));
      polled[used++] = watched(relay->connection, awaited(may_fill(&relay->down), !is_empty(&relay->up)));
      // Polled once more, only for its end, which poll() always reports.
      polled[used] = (struct pollfd){.fd = local || !relay->deadline ? relay->local : -1, .events = local};
      used += 1;
    }
    // Without memory for all of them, check again soon.
    poll(polled, (nfds_t)used, used < 2 * count + 1 ? 10 : wait);
    size_t index = 2;
    for (struct relay *relay = relays; relay && index < used; relay = relay->next, index += 2) {
      note_closed(relay, &polled[index]);
    }
    char bytes[64];
    while (read(shared.wake[0], bytes, sizeof bytes) > 0) {
    }
    relays = take_added(relays);
  }
}

// Called with the lock held.
static bool start(void) {
  if (shared.is_running) return true;
  if (pipe(shared.wake) != 0) return false;
  for (int end = 0; end < 2; end++) {
    fcntl(shared.wake[end], F_SETFD, FD_CLOEXEC);
    fcntl(shared.wake[end], F_SETFL, O_NONBLOCK);
  }
  int problem = nova_thread_start(run, &shared);
  if (problem != 0) {
    close(shared.wake[0]);
    close(shared.wake[1]);
    errno = problem;
    return false;
  }
  shared.is_running = true;
  return true;
}

bool nova_relay_add(CURL *easy, int connection, int local) {
  struct relay *relay = calloc(1, sizeof *relay);
  if (!relay) return false;
  relay->easy = easy;
  relay->connection = connection;
  relay->local = local;
  pthread_mutex_lock(&shared.mutex);
  bool has_started = start();
  if (has_started) {
    relay->next = shared.added;
    shared.added = relay;
    ssize_t count = write(shared.wake[1], "", 1);
    (void)count;
  }
  pthread_mutex_unlock(&shared.mutex);
  if (!has_started) free(relay);
  return has_started;
}
