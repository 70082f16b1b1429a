import Foundation
import NovaTestSupport
import Testing

/// A program may end at any moment, also while a thread computes a digest.
@Suite struct ProgramEndTests {
  private static let program = """
    #include <pthread.h>
    #include <stdlib.h>
    #include <unistd.h>
    #include "CNovaOpenSSL.h"

    static void *digest(void *nothing) {
      for (uint8_t result[32];;) {
        void *context = nova_sha256_new();
        if (context && nova_sha256_update(context, "abc", 3)) nova_sha256_finish(context, result);
        nova_sha256_free(context);
      }
    }

    int main(void) {
      if (nova_crypto_load()) return 1;
      for (int count = 0; count < 4; count++) pthread_create(&(pthread_t){0}, NULL, digest, NULL);
      usleep(5000);
      exit(0);
    }
    """

  /// OpenSSL's clean-up at the end of a program would free what the threads use: about one run in seven crashed.
  @Test func threadsThatComputeDigestsDoNotCrashAProgramThatEnds() async throws {
    let folder = try TemporaryFolder()
    let source = try folder.write(Self.program, to: "main.c")
    let base = Checkout.root.appending(path: "Sources/Base").path
    let script = """
      clang -O1 -I "$1/CNovaLoader/include" -I "$1/CNovaOpenSSL/include" "$2" "$1"/CNovaLoader/*.c "$1"/CNovaOpenSSL/*.c \
        -o program -ldl -lpthread || exit
      for run in $(seq 60); do ./program || { echo "run $run: $?"; exit 1; }; done
      """
    let result = try await ProgramRun(
      ["-c", script, "sh", base, source], executable: URL(filePath: "/bin/sh")
    ).result()
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }
}
