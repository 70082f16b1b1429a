// Finds nghttp2 at run time.

#include "load.h"

#include <CNovaLoader.h>

struct nova_h2_functions nova_h2;

#define SYMBOL(name, result, arguments) {"nghttp2_" #name, &nova_h2.name},

#define OPTIONAL_SYMBOL(name, result, arguments) {"nghttp2_" #name, &nova_h2.name, 1},

static const nova_symbol symbols[] = {
    NOVA_H2_FUNCTIONS(SYMBOL) NOVA_H2_OPTIONAL_FUNCTIONS(OPTIONAL_SYMBOL){NULL, NULL}};

static const char *const file_names[] = {
#ifdef __APPLE__
    "libnghttp2.14.dylib", "/opt/homebrew/lib/libnghttp2.14.dylib", "/usr/local/lib/libnghttp2.14.dylib",
#else
    "libnghttp2.so.14",
#endif
    NULL};

const char *nova_h2_version(void) { return nova_h2.version(0)->version_str; }

const char *nova_h2_load(void) {
  static nova_library library = {
      .title = "nghttp2",
      .oldest_version = "1.40",
      .installation =
          "Debian, Ubuntu: apt-get install libnghttp2-14; Fedora, RHEL: dnf install libnghttp2; Alpine: apk add "
          "nghttp2-libs; macOS: brew install libnghttp2",
      .file_names = file_names,
      .symbols = symbols,
      NOVA_LIBRARY_STATE};
  return nova_library_load(&library);
}
