#include "CNovaLoader.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void load(nova_library *library) {
  void *handle = NULL;
  for (const char *const *name = library->file_names; *name && !handle; name++) {
    handle = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
  }
  if (!handle) {
    snprintf(library->problem, sizeof library->problem, "%s could not be loaded; install it (%s)", library->title,
             library->installation);
    return;
  }
  for (const nova_symbol *symbol = library->symbols; symbol->name; symbol++) {
    void *function = dlsym(handle, symbol->name);
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
