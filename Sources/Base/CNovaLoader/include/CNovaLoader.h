// Loads a shared library at run time. Programs start faster, and machines without the library run everything else.

#ifndef NOVA_LOADER_H
#define NOVA_LOADER_H

#include <pthread.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

/// A function of a library, and the pointer that is set to it.
typedef struct {
  const char *name;
  void *pointer;
  /// Whether the pointer stays NULL if the library does not have it.
  int is_optional;
} nova_symbol;

/// A library, where to find it, and what to report if it is missing or too old. Static, with zero as the default.
typedef struct {
  /// The library's name in messages: `SQLite`.
  const char *title;
  /// The oldest version with all functions: `3.12`.
  const char *oldest_version;
  /// How to install it.
  const char *installation;
  /// The file names to try, in order, ended by NULL.
  const char *_Nullable const *_Nonnull file_names;
  /// The functions; the last entry has no name.
  const nova_symbol *symbols;
  /// Prepares the library. Returns NULL, or why it cannot be used.
  const char *_Nullable (*_Nullable initialize)(void);

  /// The state, only for nova_library_load().
  pthread_mutex_t mutex;
  int is_loaded;
  char problem[512];
} nova_library;

#define NOVA_LIBRARY_STATE .mutex = PTHREAD_MUTEX_INITIALIZER

/// Loads a library once. Returns NULL if its functions can be called, or a sentence that names what is missing.
const char *_Nullable nova_library_load(nova_library *library);

#pragma clang assume_nonnull end

#endif
