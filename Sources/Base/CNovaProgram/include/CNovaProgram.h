// What a program must do before the Swift runtime starts. SDK consumers don't link it.

#ifndef NOVA_PROGRAM_H
#define NOVA_PROGRAM_H

#include <stdbool.h>

/// Whether the program was started without standard output, as with `>&-`. Output is then discarded.
bool nova_output_was_missing(void);

#endif
