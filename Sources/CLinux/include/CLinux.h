// What Swift's Glibc module does not offer: Linux calls behind _GNU_SOURCE, macros and variadics.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <math.h>
#include <malloc.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Declared by glibc only under _GNU_SOURCE, which a module's importer does not set.
extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
extern int pipe2(int fds[2], int flags);
extern int unshare(int flags);
extern int pthread_setname_np(pthread_t thread, const char *name);
extern int memfd_create(const char *name, unsigned int flags);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/// The peer of a Unix socket, as SO_PEERCRED tells it (`struct ucred`, socket(7)).
struct jb_peer { pid_t pid; uid_t uid; gid_t gid; };

static inline int jb_peer_of(int fd, struct jb_peer *peer) {
    socklen_t length = sizeof *peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, peer, &length);
}

/// The shortest decimal form with at most 15 significant digits; returns its length.
static inline int jb_format_double(char *text, size_t size, double value) {
    return snprintf(text, size, "%.15g", value);
}

static inline int jb_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }
static inline int jb_openat(int folder, const char *name, int flags) { return openat(folder, name, flags); }
static inline int jb_fcntl_int(int fd, int command, int value) { return fcntl(fd, command, value); }

/// SIGPIPE's and SIGINT's disposition without naming SIG_IGN, a macro that Swift cannot import.
static inline void jb_ignore_signal(int number) { signal(number, SIG_IGN); }

/// The flag by which a timer tells that the clock was set; glibc has it as an enumerator that hides the macro.
static inline int jb_cancel_on_set(void) { return 1 << 1; }

/// Two malloc arenas are enough for our threads and keep idle memory small (mallopt(3)).
static inline void jb_limit_arenas(int count) { mallopt(M_ARENA_MAX, count); }

static inline int jb_prctl_name(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

/// iconv(3) to UTF-8; NULL when the charset is not known.
static inline void *jb_iconv_open(const char *charset) {
    iconv_t converter = iconv_open("UTF-8", charset);
    return converter == (iconv_t)-1 ? NULL : (void *)converter;
}
/// Converts all of the input; the length of the output, or -1 when the input is not of the charset.
static inline long jb_iconv(void *converter, const void *input, size_t length, void *output, size_t room) {
    char *from = (char *)input, *to = (char *)output;
    size_t left = room;
    if (iconv((iconv_t)converter, &from, &length, &to, &left) == (size_t)-1) return -1;
    return (long)(room - left);
}
static inline void jb_iconv_close(void *converter) { iconv_close((iconv_t)converter); }

/// The supplementary groups of a Unix socket's peer (SO_PEERGROUPS, socket(7)); returns how many, -1 on error.
static inline int jb_peer_groups_of(int fd, gid_t *groups, int capacity) {
    socklen_t length = (socklen_t)capacity * sizeof *groups;
#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59
#endif
    if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &length) != 0) return -1;
    return (int)(length / sizeof *groups);
}

/// Raises the soft limit of open descriptors towards the hard one (getrlimit(2)); failing costs nothing.
static inline void jb_raise_descriptor_limit(rlim_t wanted) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/// getaddrinfo(3) for its code alone.
static inline int jb_look_up(const char *host) {
    struct addrinfo hints, *found = NULL;
    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    int code = getaddrinfo(host, NULL, &hints, &found);
    if (code == 0) freeaddrinfo(found);
    return code;
}

/// The bytes in a pipe that nobody has read yet (FIONREAD); -1 on error.
static inline int jb_unread(int fd) {
    int count = 0;
    return ioctl(fd, FIONREAD, &count) == 0 ? count : -1;
}

/// Connects to a host by name, to one of its addresses after the other; at most so many milliseconds each. A socket that
/// does not block, whose unread bytes are few and that notices within 10 s that its peer is gone; or -1 with errno, and
/// getaddrinfo(3)'s code in `lookup`.
static inline int jb_connect(const char *host, const char *port, int milliseconds, int buffer, int *lookup) {
    struct addrinfo hints, *found = NULL;
    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    *lookup = getaddrinfo(host, port, &hints, &found);
    if (*lookup != 0) return -1;
    int fd = -1, code = EHOSTUNREACH;
    for (struct addrinfo *at = found; at && fd < 0; at = at->ai_next) {
        fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd < 0) { code = errno; continue; }
        const int on = 1, patience = 10000;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &patience, sizeof patience);
        setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
        code = connect(fd, at->ai_addr, at->ai_addrlen) == 0 ? 0 : errno;
        if (code == EINPROGRESS) {
            struct pollfd entry = {fd, POLLOUT, 0};
            socklen_t size = sizeof code;
            if (poll(&entry, 1, milliseconds) != 1) code = ETIMEDOUT;
            else if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &size) != 0) code = errno;
        }
        if (code != 0) { close(fd); fd = -1; }
    }
    freeaddrinfo(found);
    errno = code;
    return fd;
}

/// A socket that is told of links, addresses and routes (rtnetlink(7)); -1 on error.
static inline int jb_netlink_open(void) {
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (fd < 0) return -1;
    struct sockaddr_nl address;
    memset(&address, 0, sizeof address);
    address.nl_family = AF_NETLINK;
    address.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE;
    if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
    int code = errno;
    close(fd);
    errno = code;
    return -1;
}
/// Reads all that was told; 1 when something came (or messages were lost), 0 when things only went.
static inline int jb_netlink_take(int fd) {
    char buffer[8192] __attribute__((aligned(8)));
    int came = 0;
    for (;;) {
        ssize_t length = recv(fd, buffer, sizeof buffer, 0);
        if (length < 0 && errno == EINTR) continue;
        if (length < 0 && errno == ENOBUFS) { came = 1; continue; }
        if (length <= 0) return came;
        unsigned int left = (unsigned int)length;
        for (struct nlmsghdr *m = (struct nlmsghdr *)buffer; NLMSG_OK(m, left); m = NLMSG_NEXT(m, left))
            if (m->nlmsg_type == RTM_NEWROUTE || m->nlmsg_type == RTM_NEWADDR || m->nlmsg_type == RTM_NEWLINK) came = 1;
    }
}

/// A program that was started, and our ends of its pipes.
struct jb_child { pid_t pid; int input, output; };

/// Starts a program by its path, in a group of its own and in `/`, with the usual signals, with two descriptors for
/// input and output, `/dev/null` for errors, and no other descriptor (posix_spawn(3)). Returns 0 or an errno.
static inline int jb_spawn_on(char *const argv[], char *const envp[], int input, int output, pid_t *process) {
    sigset_t none, all;
    sigemptyset(&none), sigfillset(&all);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions), posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, input, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    posix_spawn_file_actions_addchdir_np(&actions, "/");
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none), posix_spawnattr_setsigdefault(&attributes, &all);
    int code = posix_spawn(process, argv[0], &actions, &attributes, argv, envp);
    posix_spawn_file_actions_destroy(&actions), posix_spawnattr_destroy(&attributes);
    return code;
}

/// The same with pipes for input and output.
static inline int jb_spawn(char *const argv[], char *const envp[], struct jb_child *child) {
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0) return errno;
    if (pipe2(out, O_CLOEXEC) != 0) {
        int code = errno;
        close(in[0]), close(in[1]);
        return code;
    }
    int code = jb_spawn_on(argv, envp, in[0], out[1], &child->pid);
    close(in[0]), close(out[1]);
    if (code != 0) {
        close(in[1]), close(out[0]);
        return code;
    }
    child->input = in[1], child->output = out[0];
    fcntl(child->input, F_SETFL, O_NONBLOCK), fcntl(child->output, F_SETFL, O_NONBLOCK);
    return 0;
}

/// Memory that can be passed on, of a size that nobody changes any more (memfd_create(2)); -1 on error.
static inline int jb_sealed_memory(const char *name, off_t bytes) {
    const unsigned int close_on_exec = 1, allow_sealing = 2;
    const int add_seals = 1033, seals = 1 | 2 | 4;  // F_ADD_SEALS; of sealing, shrinking, growing (fcntl(2))
    int fd = memfd_create(name, close_on_exec | allow_sealing);
    if (fd < 0) return -1;
    if (ftruncate(fd, bytes) == 0 && fcntl(fd, add_seals, seals) == 0) return fd;
    int code = errno;
    close(fd);
    errno = code;
    return -1;
}

/// Two ends that keep the bounds of what is sent (unix(7)); they close on exec.
static inline int jb_message_pair(int ends[2]) { return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends); }

/// Ends with whoever started this program: the thread that did (prctl(2)).
static inline int jb_end_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

/// Starts a program by its path that goes on by itself, in a session of its own with nothing to read or to write on.
/// Returns 0 or an errno.
static inline int jb_start_apart(char *const argv[], char *const envp[]) {
    sigset_t none, all;
    sigemptyset(&none), sigfillset(&all);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions), posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    // POSIX_SPAWN_SETSID, which glibc names only under _GNU_SOURCE.
    posix_spawnattr_setflags(&attributes, 0x80 | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none), posix_spawnattr_setsigdefault(&attributes, &all);
    pid_t process;
    int code = posix_spawn(&process, argv[0], &actions, &attributes, argv, envp);
    posix_spawn_file_actions_destroy(&actions), posix_spawnattr_destroy(&attributes);
    return code;
}

/// The size of the terminal that a descriptor is (tty_ioctl(4)).
static inline int jb_terminal_size(int fd, struct winsize *size) { return ioctl(fd, TIOCGWINSZ, size); }

/// O_TMPFILE, which glibc names only under _GNU_SOURCE (open(2)).
static inline int jb_unnamed_file(void) { return 020000000 | O_DIRECTORY; }

/// Bytes that may still be written to the file system of a descriptor; 0 when that cannot be told.
static inline int64_t jb_free_bytes(int fd) {
    struct statvfs info;
    return fstatvfs(fd, &info) == 0 ? (int64_t)info.f_bavail * (int64_t)info.f_frsize : 0;
}
