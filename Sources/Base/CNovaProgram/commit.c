#include "CNovaProgram.h"

enum { SIZE = NOVA_PROGRAM_COMMIT_SIZE };

#ifdef __APPLE__
#define SECTION "__TEXT,nova_commit"
#else
#define SECTION "nova_commit"
#endif

// Volatile, because the content that the compiler sees is not the one that the program is run with.
__attribute__((used, section(SECTION))) static const volatile char commit[SIZE] = "unknown";

void nova_program_commit(char *text) {
  for (int index = 0; index < SIZE; index++) text[index] = commit[index];
  text[SIZE - 1] = 0;
}
