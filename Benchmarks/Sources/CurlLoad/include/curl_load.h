// The load of the clients in C: one thread, one multi handle, and one easy handle for each call in flight, which is set
// up once. It prints what CallLoad prints for the clients in Swift.

#ifndef CURL_LOAD_H
#define CURL_LOAD_H

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

#define SAMPLE_USER "9f8b6c1e-4d2a-4b7e-8c3d-100000000000"

/// The command line.
struct load_options {
  const char *url, *ca_file;
  int in_flight, allows_http2;
  long calls;
};

/// A call in flight, and its response.
struct load_call {
  CURL *easy;
  struct curl_slist *headers;
  char *request_id;  // Inside the header's text.
  size_t length;
  char body[4096];
  int has_status;  // Whether the trailers had a status of success; for gRPC.
  int64_t started;
};

/// What differs between the clients.
struct load_client {
  const char *name;
  /// Sets up the handle of a call, which has the options that all clients set.
  void (*prepare)(struct load_call *call, const struct load_options *options);
  /// Prepares `multi` and `first` for a first call that opens the only connection, and `calls` for all calls after it.
  /// Both may be null: then any call opens a connection.
  void (*before_first)(CURLM *multi, struct load_call *first);
  void (*after_first)(struct load_call *calls, int count);
  /// Ends the program unless a response with status 200 is the expected one.
  void (*check)(const struct load_call *call);
};

/// Runs the calls of the command line, and prints what they cost as a line of JSON.
int measure_load(int count, char **arguments, const struct load_client *client);

/// Adds a header field, such as "te: trailers", to all requests of a handle.
void add_header(struct load_call *call, const char *line);

/// Adds the header field of the token, which is as long as signed tokens are.
void add_token(struct load_call *call);

/// Ends the program with a message.
void fail(const char *what, const char *why);

#endif
