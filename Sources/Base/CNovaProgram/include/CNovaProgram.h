// What a program must do before the Swift runtime starts. SDK consumers don't link it.

#ifndef NOVA_PROGRAM_H
#define NOVA_PROGRAM_H

#include <stdbool.h>

/// Whether the program was started without standard output, as with `>&-`. Output is then discarded.
bool nova_output_was_missing(void);

/// The size of the text that nova_program_commit() writes.
enum { NOVA_PROGRAM_COMMIT_SIZE = 64 };

/// Writes the commit that the program was built from: `<40 digits> <date>`, and ` modified` if the sources had other
/// changes; `unknown` in any build but that of Tools/build-release, which writes the commit after linking. As part of the
/// sources, it would compile them again after each commit.
void nova_program_commit(char *text);

/// The version of glibc at run time: "2.36"; NULL with another C library.
const char *nova_glibc_version(void);

#endif
