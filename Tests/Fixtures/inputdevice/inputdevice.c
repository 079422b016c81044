// Makes a FIFO look like an input device that has keys, for a program that asks before it reads events: to be
// loaded by LD_PRELOAD. Source: linux/input.h, EVIOCGBIT.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/input.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>

int ioctl(int fd, unsigned long request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (_IOC_TYPE(request) != 'E') {
        int (*next)(int, unsigned long, ...) = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
        return next(fd, request, argument);
    }
    if (_IOC_DIR(request) & _IOC_READ) memset(argument, 0, _IOC_SIZE(request));
    if (_IOC_NR(request) == _IOC_NR(EVIOCGBIT(0, 0))) *(unsigned char *)argument = 1 << EV_KEY;
    return _IOC_DIR(request) & _IOC_READ ? (int)_IOC_SIZE(request) : 0;
}
