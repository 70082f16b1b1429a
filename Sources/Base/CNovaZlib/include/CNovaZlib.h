// gzip (RFC 1952) with the system's zlib, which is loaded on first use.

#ifndef NOVA_ZLIB_H
#define NOVA_ZLIB_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Loads zlib once. Returns NULL if the functions below can be called, or a sentence that names what is missing.
const char *_Nullable nova_zlib_load(void);

/// The version of zlib: "1.3.1".
const char *nova_zlib_version(void);

/// How a decompression ends.
typedef enum {
  NOVA_GZIP_DONE,
  /// The bytes are not gzip, or end early, or others follow them.
  NOVA_GZIP_INVALID,
  /// The result is larger than the room.
  NOVA_GZIP_TOO_LARGE,
} nova_gzip_result;

/// The maximum size of so many bytes once they are compressed.
size_t nova_gzip_bound(size_t count);

/// Compresses bytes. Returns the size of the result; 0 if it failed.
size_t nova_gzip_compress(const uint8_t *bytes, size_t count, uint8_t *room, size_t capacity);

/// Decompresses bytes. Sets `size` to the size of the result.
nova_gzip_result nova_gzip_decompress(
    const uint8_t *bytes, size_t count, uint8_t *room, size_t capacity, size_t *size);

#pragma clang assume_nonnull end

#endif
