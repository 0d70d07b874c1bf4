// Swift can't call functions of variable arguments: here is one for each kind of option that is set.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

static inline CURLcode village_curl_set_number(CURL *curl, CURLoption option, long value) {
    return curl_easy_setopt(curl, option, value);
}

static inline CURLcode village_curl_set_text(CURL *curl, CURLoption option, const char *value) {
    return curl_easy_setopt(curl, option, value);
}

static inline CURLcode village_curl_set_pointer(CURL *curl, CURLoption option, void *value) {
    return curl_easy_setopt(curl, option, value);
}

static inline CURLcode village_curl_get_socket(CURL *curl, curl_socket_t *socket) {
    return curl_easy_getinfo(curl, CURLINFO_ACTIVESOCKET, socket);
}

typedef size_t (*village_curl_transfer)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode village_curl_set_transfer(CURL *curl, CURLoption option, village_curl_transfer function) {
    return curl_easy_setopt(curl, option, function);
}

typedef int (*village_curl_debug)(CURL *curl, curl_infotype type, char *bytes, size_t count, void *context);

static inline CURLcode village_curl_set_debug(CURL *curl, village_curl_debug function) {
    return curl_easy_setopt(curl, CURLOPT_DEBUGFUNCTION, function);
}

typedef int (*village_curl_progress)(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d);

static inline CURLcode village_curl_set_progress(CURL *curl, village_curl_progress function) {
    return curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, function);
}
