/// Lets one test at a time use what a whole process shares: `APIClient.shared`, its token and its flags. Suites run side
/// by side, so `.serialized` does not do.
public actor SharedClientTurn {
  private static let only = SharedClientTurn()

  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Runs `body` when nobody else's is running.
  public static func run(_ body: @Sendable () async throws -> Void) async throws {
    await only.take()
    do {
      try await body()
    } catch {
      await only.pass()
      throw error
    }
    await only.pass()
  }

  private func take() async {
    guard isTaken else { return isTaken = true }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// The turn goes to who waits longest.
  private func pass() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
