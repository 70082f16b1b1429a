// libcurl's own URL parser, for the target `urls` to compare with.
#include <curl/curl.h>
