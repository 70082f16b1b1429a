import NovaTestSupport
import Testing

/// Runs the public suite for HTTP caches, https://cache-tests.fyi, with the middleware: once with responses in memory,
/// and once with files only.
struct SuiteTests {
  /// Responses with cookies are not stored on disk.
  private static let inMemoryOnly: Set = ["headers-store-Set-Cookie", "headers-store-Set-Cookie2"]

  @Test(arguments: [false, true])
  func passesEveryRequiredTest(isOnDisk: Bool) async throws {
    var passed: [String: Int] = [:]
    var failed: [String: [String]] = [:]
    for test in try SuiteTest.all() where test.leftOut == nil {
      if isOnDisk, Self.inMemoryOnly.contains(test.id) { continue }
      let folder = isOnDisk ? try TemporaryFolder() : nil
      let group = "\(test.isForClients ? "client" : "other") \(test.kind)"
      if let failure = await SuiteRun(test: test, directory: folder?.path).failure() {
        failed[group, default: []].append("\(test.id): \(failure)")
      } else {
        passed[group, default: 0] += 1
      }
    }
    for group in Set(passed.keys).union(failed.keys).sorted() {
      let failures = failed[group] ?? []
      print("\(isOnDisk ? "disk" : "memory"), \(group): \(passed[group] ?? 0) pass, \(failures.count) do not")
      for failure in failures { print("  \(failure)") }
    }
    #expect(failed["client required"] == nil)
    #expect(failed["other required"] == nil)
    // More than the 57 of undici 8.10.
    #expect((passed["client optimal"] ?? 0) >= (isOnDisk ? 69 : 70))
  }
}
