// Swift can't call functions of variable arguments: here is one for each kind of option that is set.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

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

static inline CURLcode village_curl_get_status(CURL *curl, long *status) {
    return curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, status);
}

// Where an answer leads, as a whole address; NULL where it leads nowhere else.
static inline const char *village_curl_get_redirect(CURL *curl) {
    char *address = NULL;
    return curl_easy_getinfo(curl, CURLINFO_REDIRECT_URL, &address) == CURLE_OK ? address : NULL;
}

// What the last answer says in one of its headers; NULL where it hasn't got it.
static inline const char *village_curl_get_header(CURL *curl, const char *name) {
    struct curl_header *header = NULL;
    return curl_easy_header(curl, name, 0, CURLH_HEADER, -1, &header) == CURLHE_OK ? header->value : NULL;
}

static inline CURLcode village_curl_get_pause(CURL *curl, curl_off_t *seconds) {
    return curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, seconds);
}

static inline CURLMcode village_curl_set_multi_number(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

typedef curl_socket_t (*village_curl_opening)(void *context, curlsocktype purpose, struct curl_sockaddr *address);

static inline CURLcode village_curl_set_opening(CURL *curl, village_curl_opening function) {
    return curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, function);
}

// Opens a socket for an address as libcurl does where nobody asks first.
static inline curl_socket_t village_curl_open(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// The bytes of an address, and how many they are: 4, 16, or none of a kind that isn't known.
static inline int village_curl_address(const struct curl_sockaddr *address, unsigned char *bytes) {
    if (address->family == AF_INET) {
        memcpy(bytes, &((const struct sockaddr_in *)&address->addr)->sin_addr, 4);
        return 4;
    }
    if (address->family == AF_INET6) {
        const unsigned char *found = (const unsigned char *)&((const struct sockaddr_in6 *)&address->addr)->sin6_addr;
        memcpy(bytes, found, 16);
        return 16;
    }
    return 0;
}
