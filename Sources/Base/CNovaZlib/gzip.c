// The types are declared here instead of including <zlib.h>, so that building requires no headers. They are part of
// zlib's binary interface, which has not changed since 1.0; zlib checks the size of the stream that it is given.

#include "CNovaZlib.h"

#include <CNovaLoader.h>
#include <limits.h>

typedef struct {
  const uint8_t *next_in;
  unsigned int avail_in;
  unsigned long total_in;
  uint8_t *next_out;
  unsigned int avail_out;
  unsigned long total_out;
  const char *msg;
  void *state;
  void *(*zalloc)(void *, unsigned int, unsigned int);
  void (*zfree)(void *, void *);
  void *opaque;
  int data_type;
  unsigned long adler;
  unsigned long reserved;
} zlib_stream;

enum { FINISH = 4, OK = 0, STREAM_END = 1, BUFFER_ERROR = -5, DEFLATED = 8, FAST = 1, DEFAULT_STRATEGY = 0, MEMORY = 8 };
// The largest window, in the gzip format.
enum { GZIP_WINDOW = 15 + 16 };

static struct {
  int (*deflateInit2_)(zlib_stream *, int, int, int, int, int, const char *, int);
  int (*deflate)(zlib_stream *, int);
  int (*deflateEnd)(zlib_stream *);
  int (*inflateInit2_)(zlib_stream *, int, const char *, int);
  int (*inflate)(zlib_stream *, int);
  int (*inflateReset)(zlib_stream *);
  int (*inflateEnd)(zlib_stream *);
  const char *(*zlibVersion)(void);
} zlib;

// zlib compares the first digit only.
static const char version[] = "1.2.11";

#define SYMBOL(name) {#name, &zlib.name}

static const nova_symbol symbols[] = {
    SYMBOL(deflateInit2_), SYMBOL(deflate),    SYMBOL(deflateEnd), SYMBOL(inflateInit2_),
    SYMBOL(inflate),       SYMBOL(inflateReset), SYMBOL(inflateEnd), SYMBOL(zlibVersion),
    {NULL, NULL}};

static const char *const file_names[] = {
#ifdef __APPLE__
    "/usr/lib/libz.1.dylib", "libz.1.dylib",
#else
    "libz.so.1",
#endif
    NULL};

const char *nova_zlib_load(void) {
  static nova_library library = {
      .title = "zlib",
      .oldest_version = "1.2.0",
      .installation = "Debian, Ubuntu: apt-get install zlib1g; Fedora, RHEL: dnf install zlib; Alpine: apk add zlib",
      .file_names = file_names,
      .symbols = symbols,
      NOVA_LIBRARY_STATE};
  return nova_library_load(&library);
}

const char *nova_zlib_version(void) { return zlib.zlibVersion(); }

// deflate's own bound for the settings below, and the frame of gzip.
size_t nova_gzip_bound(size_t count) { return count + (count >> 3) + (count >> 8) + 64; }

size_t nova_gzip_compress(const uint8_t *bytes, size_t count, uint8_t *room, size_t capacity) {
  if (count > UINT_MAX || capacity > UINT_MAX) return 0;
  zlib_stream stream = {.next_in = bytes, .avail_in = (unsigned int)count, .next_out = room,
                        .avail_out = (unsigned int)capacity};
  if (zlib.deflateInit2_(&stream, FAST, DEFLATED, GZIP_WINDOW, MEMORY, DEFAULT_STRATEGY, version, sizeof stream) != OK) {
    return 0;
  }
  int result = zlib.deflate(&stream, FINISH);
  zlib.deflateEnd(&stream);
  return result == STREAM_END ? capacity - stream.avail_out : 0;
}

nova_gzip_result nova_gzip_decompress(
    const uint8_t *bytes, size_t count, uint8_t *room, size_t capacity, size_t *size) {
  *size = 0;
  if (count > UINT_MAX || capacity > UINT_MAX) return NOVA_GZIP_INVALID;
  zlib_stream stream = {.next_in = bytes, .avail_in = (unsigned int)count, .next_out = room,
                        .avail_out = (unsigned int)capacity};
  if (zlib.inflateInit2_(&stream, GZIP_WINDOW, version, sizeof stream) != OK) return NOVA_GZIP_INVALID;
  int result = zlib.inflate(&stream, FINISH);
  // A file can have several members (RFC 1952).
  while (result == STREAM_END && stream.avail_in > 0 && zlib.inflateReset(&stream) == OK) {
    result = zlib.inflate(&stream, FINISH);
  }
  zlib.inflateEnd(&stream);
  *size = capacity - stream.avail_out;
  if (result == STREAM_END) return stream.avail_in == 0 ? NOVA_GZIP_DONE : NOVA_GZIP_INVALID;
  // Without room, zlib reports that the buffer is the problem, with input left or not.
  return result == BUFFER_ERROR && stream.avail_out == 0 ? NOVA_GZIP_TOO_LARGE : NOVA_GZIP_INVALID;
}
