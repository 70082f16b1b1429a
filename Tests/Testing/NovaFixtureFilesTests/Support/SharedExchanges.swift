import NovaCore
import NovaFixtureFiles
import NovaFixtures

/// A recording takes seconds: it is made once, for all tests that only read it.
extension FixtureExchange {
  private static let recordings = Locked<[World: Task<[FixtureExchange], any Error>]>([:])
  private static let edges = Result<[FixtureExchange], any Error> {
    try EdgeCase.all.flatMap { try FixtureExchange.all(of: $0) }
  }

  /// The exchanges of a world, made by the first test that asks for them.
  static func shared(seed: UInt64 = 42, users: Int = 20) async throws -> [FixtureExchange] {
    let world = try World(seed: Seed(seed), users: users)
    let recording = recordings.withLock { recordings in
      let recording = recordings[world] ?? Task { try await FixtureExchange.all(of: world) }
      recordings[world] = recording
      return recording
    }
    return try await recording.value
  }

  /// The exchanges of all edge cases.
  static func sharedEdges() throws -> [FixtureExchange] { try edges.get() }
}
