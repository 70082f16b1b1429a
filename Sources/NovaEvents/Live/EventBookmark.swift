import NovaCore

/// The position of one subscription on its way to a store: at most one is stored each second.
actor EventBookmark {
  private static let interval = Duration.seconds(1)

  private let store: any EventPositionStore
  private let name: String
  private let clock: any CallClock
  private var pending: String?
  private var writing: Task<Void, Never>?
  private var failure: (any Error)?

  init(store: any EventPositionStore, name: String, clock: any CallClock) {
    (self.store, self.name, self.clock) = (store, name, clock)
  }

  func load() async throws -> String? { try await store.position(named: name) }

  /// - Throws: what storing an earlier position threw.
  func note(_ position: String) throws {
    if let failure { throw failure }
    pending = position
    guard writing == nil else { return }
    let end = clock.now.advanced(by: Self.interval)
    writing = Task {
      try? await clock.sleep(until: end, tolerance: nil)
      writing = nil
      do { try await flush() } catch { failure = error }
    }
  }

  func flush() async throws {
    guard let position = pending else { return }
    pending = nil
    try await store.store(position, named: name)
  }
}
