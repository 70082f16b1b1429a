// Linux's epoll and glibc's figures of allocated memory, which Swift's module of the C library leaves out.
#include <malloc.h>
#include <sys/epoll.h>
