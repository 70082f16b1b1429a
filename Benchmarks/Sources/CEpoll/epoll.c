#include "epoll.h"
