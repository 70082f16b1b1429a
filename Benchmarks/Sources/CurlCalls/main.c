// The same calls as NovaCalls, in C on libcurl: one thread, one multi handle, and one easy handle for each call in
// flight, which is set up once. Nothing is decoded; the status and the length of each body are checked.

#include <curl/curl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define USER "9f8b6c1e-4d2a-4b7e-8c3d-100000000000"
#define REQUEST "{\"user_id\":\"" USER "\",\"limit\":20}"
#define RESPONSE_BYTES 829
#define TOKEN_PART "abcdefghijklmnopqrstuvwxyz012345"

struct options {
  char url[512];
  const char *ca_file;
  int in_flight, allows_http2;
  long calls;
};

struct slot {
  CURL *easy;
  struct curl_slist *headers;
  char *request_id;  // Inside the header's text.
  size_t length;
  char body[4096];
  int64_t started;
};

static void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

static int64_t nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static size_t receive(char *bytes, size_t size, size_t count, void *context) {
  struct slot *slot = context;
  size_t length = size * count;
  if (slot->length + length > sizeof slot->body) return 0;
  memcpy(slot->body + slot->length, bytes, length);
  slot->length += length;
  return length;
}

static void add_header(struct slot *slot, const char *line) {
  slot->headers = curl_slist_append(slot->headers, line);
  if (!slot->headers) fail(line, "out of memory");
}

static void prepare(struct slot *slot, const struct options *options) {
  char authorization[512] = "Authorization: Bearer ";
  for (int part = 0; part < 12; part++) strcat(authorization, TOKEN_PART);
  strcat(authorization, ".x.y");
  add_header(slot, "X-Request-ID: 9f8b6c1e-4d2a-4b7e-8c3d-000000000000");
  slot->request_id = slot->headers->data + strlen("X-Request-ID: ");
  add_header(slot, "Accept: application/json");
  add_header(slot, "Content-Type: application/json");
  add_header(slot, "Grpc-Timeout: 60000m");
  add_header(slot, authorization);
  CURL *easy = slot->easy = curl_easy_init();
  if (!easy) fail("libcurl", "no handle");
  curl_easy_setopt(easy, CURLOPT_URL, options->url);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDS, REQUEST);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, (long)strlen(REQUEST));
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, slot->headers);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, "CurlCalls");
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, slot);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, slot);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, 60000L);
  curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
  long version = options->allows_http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1;
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, version);
  if (options->ca_file) curl_easy_setopt(easy, CURLOPT_CAINFO, options->ca_file);
}

static void start(CURLM *multi, struct slot *slot, long number) {
  char digits[13];
  snprintf(digits, sizeof digits, "%012ld", number % 1000000000000);
  memcpy(slot->request_id + 24, digits, 12);
  slot->length = 0;
  slot->started = nanoseconds(CLOCK_MONOTONIC);
  CURLMcode code = curl_multi_add_handle(multi, slot->easy);
  if (code != CURLM_OK) fail("call not started", curl_multi_strerror(code));
}

static void check(const CURLMsg *message, const struct slot *slot) {
  long status = 0;
  if (message->data.result != CURLE_OK) fail("call failed", curl_easy_strerror(message->data.result));
  curl_easy_getinfo(slot->easy, CURLINFO_RESPONSE_CODE, &status);
  if (status != 200) fail("call failed", "unexpected status");
  if (slot->length != RESPONSE_BYTES) fail("call failed", "unexpected length of the body");
}

/// Makes calls with all slots, and writes their latencies in nanoseconds.
static void run(CURLM *multi, struct slot *slots, int in_flight, long calls, uint32_t *latencies) {
  long started = 0, ended = 0;
  for (int index = 0; index < in_flight && started < calls; index++) start(multi, &slots[index], started++);
  while (ended < calls) {
    int running = 0, left = 0;
    CURLMcode code = curl_multi_perform(multi, &running);
    if (code != CURLM_OK) fail("calls failed", curl_multi_strerror(code));
    long ended_before = ended;
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) {
      struct slot *slot = NULL;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&slot);
      check(message, slot);
      latencies[ended++] = (uint32_t)(nanoseconds(CLOCK_MONOTONIC) - slot->started);
      curl_multi_remove_handle(multi, slot->easy);
      if (started < calls) start(multi, slot, started++);
    }
    if (ended == ended_before) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
}

static int compare(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static long peak_memory(void) {
  char line[256];
  long kilobytes = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "VmHWM: %ld", &kilobytes) == 1) break;
  if (file) fclose(file);
  return kilobytes;
}

static struct options parse(int count, char **arguments) {
  struct options options = {.in_flight = 1, .calls = 10000, .allows_http2 = 1};
  for (int index = 1; index + 1 < count; index += 2) {
    const char *name = arguments[index], *value = arguments[index + 1];
    if (!strcmp(name, "--url")) snprintf(options.url, sizeof options.url, "%s/api/v1/graph/followers", value);
    else if (!strcmp(name, "--in-flight")) options.in_flight = atoi(value);
    else if (!strcmp(name, "--calls")) options.calls = atol(value);
    else if (!strcmp(name, "--ca-file")) options.ca_file = value;
    else if (!strcmp(name, "--http-version")) options.allows_http2 = !strcmp(value, "2");
    else fail("invalid argument", name);
  }
  if (!*options.url || options.in_flight < 1 || options.calls < options.in_flight)
    fail("invalid arguments", "use --url URL --in-flight N --calls K [--ca-file FILE] [--http-version 1.1|2]");
  return options;
}

int main(int count, char **arguments) {
  struct options options = parse(count, arguments);
  long warm_up = options.in_flight * 4 > 512 ? options.in_flight * 4 : 512;
  long capacity = options.calls > warm_up ? options.calls : warm_up;
  struct slot *slots = calloc(options.in_flight, sizeof *slots);
  uint32_t *latencies = calloc(capacity, sizeof *latencies);
  curl_global_init(CURL_GLOBAL_ALL);
  CURLM *multi = curl_multi_init();
  if (!slots || !latencies || !multi) fail("client not started", "out of memory");
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)options.in_flight + 8);
  for (int index = 0; index < options.in_flight; index++) prepare(&slots[index], &options);

  run(multi, slots, options.in_flight, warm_up, latencies);
  int64_t start = nanoseconds(CLOCK_MONOTONIC), processor = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
  run(multi, slots, options.in_flight, options.calls, latencies);
  int64_t used = nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - processor;
  int64_t elapsed = nanoseconds(CLOCK_MONOTONIC) - start;
  long memory = peak_memory();
  qsort(latencies, options.calls, sizeof *latencies, compare);
  printf(
      "{\"client\": \"libcurl\", \"version\": \"%s\", \"in_flight\": %d, \"calls\": %ld, \"seconds\": %.6f, "
      "\"cpu_us\": %.1f, \"peak_kb\": %ld, \"p50_us\": %.3f, \"p99_us\": %.3f}\n",
      curl_version_info(CURLVERSION_NOW)->version, options.in_flight, options.calls, elapsed / 1e9, used / 1e3, memory,
      latencies[options.calls / 2] / 1e3, latencies[options.calls * 99 / 100] / 1e3);
  return 0;
}
