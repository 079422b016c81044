// libcurl, loaded with all that it brings along when the first URL is asked for, and what Swift cannot import of it:
// its variadic setters and getters, and its socket addresses.
#pragma once
#include "../CLinux/include/LateLibrary.h"
#define CURL_DISABLE_TYPECHECK 1
#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/// The shape of CURLOPT_WRITEFUNCTION(3) and CURLOPT_HEADERFUNCTION(3).
typedef size_t (*jb_curl_bytes)(char *bytes, size_t size, size_t count, void *context);
/// The shape of CURLOPT_OPENSOCKETFUNCTION(3).
typedef curl_socket_t (*jb_curl_socket)(void *context, curlsocktype purpose, struct curl_sockaddr *address);

/// A function of libcurl; only to be called after `jb_curl_start` has succeeded.
#define JB_CURL(function) JB_LATE("libcurl.so.4", function)

/// Loads libcurl and initialises it; any other code means that it cannot be used.
static inline CURLcode jb_curl_start(void) {
    __typeof__(&curl_global_init) start = JB_CURL(curl_global_init);
    return start == NULL ? CURLE_FAILED_INIT : start(CURL_GLOBAL_DEFAULT);
}

static inline CURL *jb_curl_easy_init(void) { return JB_CURL(curl_easy_init)(); }
static inline void jb_curl_easy_cleanup(CURL *easy) { JB_CURL(curl_easy_cleanup)(easy); }
static inline CURLcode jb_curl_easy_pause(CURL *easy, int what) { return JB_CURL(curl_easy_pause)(easy, what); }
static inline const char *jb_curl_easy_strerror(CURLcode code) { return JB_CURL(curl_easy_strerror)(code); }

static inline CURLM *jb_curl_multi_init(void) { return JB_CURL(curl_multi_init)(); }
static inline void jb_curl_multi_cleanup(CURLM *multi) { JB_CURL(curl_multi_cleanup)(multi); }
static inline void jb_curl_multi_add(CURLM *multi, CURL *easy) { JB_CURL(curl_multi_add_handle)(multi, easy); }
static inline void jb_curl_multi_remove(CURLM *multi, CURL *easy) { JB_CURL(curl_multi_remove_handle)(multi, easy); }
static inline void jb_curl_multi_perform(CURLM *multi) {
    int running = 0;
    JB_CURL(curl_multi_perform)(multi, &running);
}
/// Waits for the transfers and, when it is not -1, for `extra`; true when that can be read.
static inline int jb_curl_multi_poll(CURLM *multi, int extra, int milliseconds) {
    struct curl_waitfd wait = {.fd = extra, .events = CURL_WAIT_POLLIN};
    JB_CURL(curl_multi_poll)(multi, &wait, extra == -1 ? 0 : 1, milliseconds, NULL);
    return wait.revents != 0;
}
/// May be called from any thread.
static inline void jb_curl_multi_wakeup(CURLM *multi) { JB_CURL(curl_multi_wakeup)(multi); }

static inline struct curl_slist *jb_curl_slist_append(struct curl_slist *list, const char *line) {
    return JB_CURL(curl_slist_append)(list, line);
}
static inline void jb_curl_slist_free_all(struct curl_slist *list) { JB_CURL(curl_slist_free_all)(list); }

static inline CURLU *jb_curl_url(void) { return JB_CURL(curl_url)(); }
static inline void jb_curl_url_cleanup(CURLU *url) { JB_CURL(curl_url_cleanup)(url); }
static inline CURLUcode jb_curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) {
    return JB_CURL(curl_url_set)(url, part, text, flags);
}
static inline CURLUcode jb_curl_url_get(const CURLU *url, CURLUPart part, char **text, unsigned int flags) {
    return JB_CURL(curl_url_get)(url, part, text, flags);
}
static inline void jb_curl_free(void *bytes) { JB_CURL(curl_free)(bytes); }

static inline CURLcode jb_curl_set_long(CURL *easy, CURLoption option, long value) {
    return JB_CURL(curl_easy_setopt)(easy, option, value);
}
static inline CURLcode jb_curl_set_text(CURL *easy, CURLoption option, const char *value) {
    return JB_CURL(curl_easy_setopt)(easy, option, value);
}
static inline CURLcode jb_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return JB_CURL(curl_easy_setopt)(easy, option, value);
}
static inline CURLcode jb_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return JB_CURL(curl_easy_setopt)(easy, option, value);
}
static inline CURLcode jb_curl_set_bytes(CURL *easy, CURLoption option, jb_curl_bytes value) {
    return JB_CURL(curl_easy_setopt)(easy, option, value);
}
static inline CURLcode jb_curl_set_socket(CURL *easy, CURLoption option, jb_curl_socket value) {
    return JB_CURL(curl_easy_setopt)(easy, option, value);
}
static inline CURLMcode jb_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return JB_CURL(curl_multi_setopt)(multi, option, value);
}
/// Leaves a resolver's thread behind instead of waiting for it, which would hold up every other transfer.
static inline void jb_curl_set_quick_exit(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    JB_CURL(curl_easy_setopt)(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)easy;
#endif
}

/// The text of an information that is a string; NULL when there is none. Lives as long as the handle.
static inline const char *jb_curl_text(CURL *easy, CURLINFO information) {
    char *text = NULL;
    return JB_CURL(curl_easy_getinfo)(easy, information, &text) == CURLE_OK ? text : NULL;
}
/// A CURLINFO_..._T number; -1 when there is none.
static inline long long jb_curl_number(CURL *easy, CURLINFO information) {
    curl_off_t number = -1;
    return JB_CURL(curl_easy_getinfo)(easy, information, &number) == CURLE_OK ? (long long)number : -1;
}

/// The cookies that a handle knows, a line each; to be freed. NULL when there are none.
static inline struct curl_slist *jb_curl_cookies(CURL *easy) {
    struct curl_slist *list = NULL;
    return JB_CURL(curl_easy_getinfo)(easy, CURLINFO_COOKIELIST, &list) == CURLE_OK ? list : NULL;
}

/// The errno of the last failed connect (CURLINFO_OS_ERRNO(3)); 0 when there is none.
static inline long jb_curl_system_error(CURL *easy) {
    long code = 0;
    return JB_CURL(curl_easy_getinfo)(easy, CURLINFO_OS_ERRNO, &code) == CURLE_OK ? code : 0;
}

/// One finished transfer, or NULL; its result goes to `result`.
static inline CURL *jb_curl_finished(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = JB_CURL(curl_multi_info_read)(multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

static inline int jb_ipv4_is_local(const unsigned char *a) {
    return a[0] == 127 || a[0] == 0 || (a[0] == 169 && a[1] == 254);
}
static inline int jb_ipv6_is_local(const unsigned char *a) {
    static const unsigned char zero[16], mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff},
                               translated[12] = {0, 0x64, 0xff, 0x9b};
    if (memcmp(a, mapped, 12) == 0) return jb_ipv4_is_local(a + 12);
    if (memcmp(a, zero, 15) == 0 && a[15] <= 1) return 1;
    // What is written into an IPv6 address is where translators take it (RFC 4291, section 2.5.5.1; RFC 6052).
    if (memcmp(a, zero, 12) == 0 || memcmp(a, translated, 12) == 0) return jb_ipv4_is_local(a + 12);
    return a[0] == 0xfe && (a[1] & 0xc0) == 0x80;
}
/// True for a loopback, unspecified or link-local address.
static inline int jb_curl_address_is_local(const struct curl_sockaddr *address) {
    if (address->family == AF_INET)
        return jb_ipv4_is_local((const unsigned char *)&((const struct sockaddr_in *)&address->addr)->sin_addr);
    if (address->family == AF_INET6)
        return jb_ipv6_is_local((const unsigned char *)&((const struct sockaddr_in6 *)&address->addr)->sin6_addr);
    return 1;
}
/// The same for an address in text; false for anything that is none.
static inline int jb_curl_text_is_local(const char *text) {
    unsigned char address[16];
    if (inet_pton(AF_INET, text, address) == 1) return jb_ipv4_is_local(address);
    if (inet_pton(AF_INET6, text, address) == 1) return jb_ipv6_is_local(address);
    return 0;
}
/// Opens the socket that curl would, closed in programs that are started later.
static inline curl_socket_t jb_curl_open_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/// Lets a socket gather so many bytes before it counts as readable (socket(7), SO_RCVLOWAT); its end does at
/// once.
static inline void jb_curl_gather(curl_socket_t fd, int bytes) {
    setsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &bytes, sizeof bytes);
}

/// The unix time of an HTTP date (RFC 9110, section 5.6.7); -1 when it is none.
static inline long long jb_curl_date(const char *text) {
    __typeof__(&curl_getdate) parse = JB_CURL(curl_getdate);
    return parse == NULL ? -1 : (long long)parse(text, NULL);
}
