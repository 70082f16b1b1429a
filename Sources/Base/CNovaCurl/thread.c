#define _GNU_SOURCE  // pthread_setname_np
#include "CNovaCurl.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

struct start {
  void (*body)(void *);
  void *context;
};

static void *run(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
#ifdef __APPLE__
  pthread_setname_np("nova-curl");
#else
  pthread_setname_np(pthread_self(), "nova-curl");
#endif
  start.body(start.context);
  return NULL;
}

static sigset_t only_sigpipe(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  return signals;
}

bool nova_sigpipe_block(void) {
  sigset_t signals = only_sigpipe(), before;
  pthread_sigmask(SIG_BLOCK, &signals, &before);
  return !sigismember(&before, SIGPIPE);
}

void nova_sigpipe_unblock(void) {
  sigset_t signals = only_sigpipe(), pending;
  int signal;
  if (sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE)) sigwait(&signals, &signal);
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

int nova_thread_start(void (*body)(void *), void *context) {
  struct start *start = malloc(sizeof *start);
  if (!start) return ENOMEM;
  *start = (struct start){body, context};
  // The new thread inherits this thread's mask.
  bool has_blocked = nova_sigpipe_block();
  pthread_t thread;
  int status = pthread_create(&thread, NULL, run, start);
  if (has_blocked) nova_sigpipe_unblock();
  if (status != 0) {
    free(start);
    return status;
  }
  pthread_detach(thread);
  return 0;
}

int64_t nova_monotonic_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
