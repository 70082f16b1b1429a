// The same calls over gRPC as NovaCalls, in C on libcurl, over plain HTTP/2. The request is framed once and nothing is
// decoded; the status in the trailers and the length of each message are checked.
//
// libcurl 7.88 breaks the second request that asks for HTTP/2 with prior knowledge on a connection. So only the first
// one does. All others may use HTTP/2, wait for that connection, and cannot open another one.

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "curl_load.h"

// The prefix: not compressed, and the length. Field 1 is the user, 36 bytes; field 2 the limit, 20.
#define PREFIX_BYTES 5
#define REQUEST "\x00\x00\x00\x00\x28" "\x0a\x24" SAMPLE_USER "\x10\x14"
#define REQUEST_BYTES (PREFIX_BYTES + 40)
// 20 ids of 36 bytes, the total, and whether there are more.
#define RESPONSE_BYTES (PREFIX_BYTES + 20 * 38 + 3 + 2)

static size_t read_field(char *line, size_t size, size_t count, void *context) {
  struct load_call *call = context;
  static const char success[] = "grpc-status: 0\r\n";
  if (count == sizeof success - 1 && !strncasecmp(line, success, count)) call->has_status = 1;
  return size * count;
}

static curl_socket_t refuse(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  return CURL_SOCKET_BAD;
}

static void prepare(struct load_call *call, const struct load_options *options) {
  char url[512];
  const char *scheme = "grpc://";
  if (strncmp(options->url, scheme, strlen(scheme))) fail("invalid URL", "use grpc://HOST:PORT");
  snprintf(
      url, sizeof url, "http://%s/nova.graph_service.v1.GraphService/GetFollowers", options->url + strlen(scheme));
  add_header(call, "Content-Type: application/grpc");
  add_header(call, "TE: trailers");
  add_header(call, "Grpc-Timeout: 60000m");
  add_header(call, "Accept:");
  add_token(call);
  curl_easy_setopt(call->easy, CURLOPT_URL, url);
  curl_easy_setopt(call->easy, CURLOPT_POSTFIELDS, REQUEST);
  curl_easy_setopt(call->easy, CURLOPT_POSTFIELDSIZE, (long)REQUEST_BYTES);
  curl_easy_setopt(call->easy, CURLOPT_USERAGENT, "CurlGRPCCalls");
  curl_easy_setopt(call->easy, CURLOPT_HEADERFUNCTION, read_field);
  curl_easy_setopt(call->easy, CURLOPT_HEADERDATA, call);
  curl_easy_setopt(call->easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
}

static void before_first(CURLM *multi, struct load_call *first) {
  curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, 1L);
  curl_easy_setopt(first->easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE);
}

static void after_first(struct load_call *calls, int count) {
  for (int index = 0; index < count; index++) {
    curl_easy_setopt(calls[index].easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    curl_easy_setopt(calls[index].easy, CURLOPT_OPENSOCKETFUNCTION, refuse);
  }
}

static void check(const struct load_call *call) {
  if (!call->has_status) fail("call failed", "the trailers have no status of success");
  if (call->length != RESPONSE_BYTES) fail("call failed", "unexpected length of the message");
}

int main(int count, char **arguments) {
  const struct load_client client = {
      .name = "libcurl", .prepare = prepare, .before_first = before_first, .after_first = after_first, .check = check};
  return measure_load(count, arguments, &client);
}
