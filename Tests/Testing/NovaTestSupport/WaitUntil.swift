import Testing

/// Waits, without counting on any time, until something holds.
public func waitUntil(
  isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
  for _ in 0..<12000 {
    if try await condition() { return }
    try await Task.sleep(for: .milliseconds(10))
  }
  Issue.record("what was waited for did not come")
}
