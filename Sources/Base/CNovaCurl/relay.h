// Carries bytes between encrypted connections of libcurl and local sockets.

#ifndef NOVA_CURL_RELAY_H
#define NOVA_CURL_RELAY_H

#include "CNovaCurl.h"

/// Carries bytes between the connection of `easy` and `local` until either ends, and frees both. At most 32 KiB are
/// buffered in each direction. Returns false with errno, and frees nothing, without memory or a thread.
bool nova_relay_add(CURL *easy, int connection, int local);

#endif
