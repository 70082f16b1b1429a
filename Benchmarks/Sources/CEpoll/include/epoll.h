// Linux's epoll, which Swift's module of the C library leaves out.
#include <sys/epoll.h>
