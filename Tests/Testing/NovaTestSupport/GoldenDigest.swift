import Foundation
import NovaCore

/// Digests of bytes that must not change unnoticed. They are written down in the sources of tests; with
/// `UPDATE_DIGESTS=1`, a test replaces its old digest by the new one.
public enum GoldenDigest {
  private static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_DIGESTS"] == "1"
  /// Tests that run at the same time have their digests in the same file.
  private static let turn = Locked(())

  /// Compares a digest with the one that is written down. Returns why they differ and what to do; nil if they are equal.
  ///
  /// - Parameters:
  ///   - name: what the digest is of.
  ///   - expected: the digest in the source.
  ///   - file: the source of the test.
  public static func problem(
    of name: String, _ found: String, expected: String?, file: String = #filePath
  ) throws -> String? {
    if found == expected { return nil }
    if isUpdating, let expected {
      try turn.withLock { _ in
        let source = try String(contentsOfFile: file, encoding: .utf8)
        try source.replacing(expected, with: found).write(toFile: file, atomically: true, encoding: .utf8)
      }
      return nil
    }
    return """
      the bytes of \(name) have changed: their digest is \(found). If a record or an RPC of the contract has changed, \
      write the new digests down: UPDATE_DIGESTS=1 NOVA_TESTS=NovaFixtureFilesTests Tools/swift test. Values that a seed \
      gives must not change otherwise: see docs/fixtures-scheme.md
      """
  }
}
