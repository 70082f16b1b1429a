#include "CNovaLoader.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// OpenSSL frees its memory when a program exits, although other threads may still use it: a program that ended during a
// digest or a TLS handshake would crash. Only OpenSSL's first initialization can prevent that. It comes with libcrypto, and
// with libraries that use it, such as libcurl.
static void keep_openssl_until_the_end(void *handle) {
  const uint64_t no_atexit = 0x00080000;
  int (*initialize)(uint64_t, const void *);
  void *function = dlsym(handle, "OPENSSL_init_crypto");
  if (!function) return;
  memcpy(&initialize, &function, sizeof function);
  initialize(no_atexit, NULL);
}

static void describe_absence(nova_library *library) {
  // A program that is statically linked against musl can load nothing, not even itself.
  void *self = dlopen(NULL, RTLD_NOW);
  if (self) {
    dlclose(self);
    snprintf(library->problem, sizeof library->problem, "%s could not be loaded; install it (%s)", library->title,
             library->installation);
  } else {
    snprintf(library->problem, sizeof library->problem,
             "%s could not be loaded: the program is statically linked and cannot load libraries; link it dynamically",
             library->title);
  }
}

static void load(nova_library *library) {
  void *handle = NULL;
  for (const char *const *name = library->file_names; *name && !handle; name++) {
    handle = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
  }
  if (!handle) {
    describe_absence(library);
    return;
  }
  keep_openssl_until_the_end(handle);
  for (const nova_symbol *symbol = library->symbols; symbol->name; symbol++) {
    void *function = dlsym(handle, symbol->name);
    if (!function && symbol->is_optional) continue;
    if (!function) {
      snprintf(library->problem, sizeof library->problem, "%s is too old: it has no %s (%s or later is required)",
               library->title, symbol->name, library->oldest_version);
      return;
    }
    memcpy(symbol->pointer, &function, sizeof function);
  }
  const char *reason = library->initialize ? library->initialize() : NULL;
  if (reason) {
    snprintf(library->problem, sizeof library->problem, "%s could not be initialized: %s", library->title, reason);
  }
}

const char *nova_library_load(nova_library *library) {
  // A mutex instead of pthread_once(), whose function has no argument for the library.
  pthread_mutex_lock(&library->mutex);
  if (!library->is_loaded) load(library);
  library->is_loaded = 1;
  pthread_mutex_unlock(&library->mutex);
  return library->problem[0] ? library->problem : NULL;
}
