import NovaCore

/// Stores the position of one subscription, at most once a second, and one position after the other.
actor EventBookmark {
  private static let interval = Duration.seconds(1)

  private let store: any EventPositionStore
  /// The name that the program has given to the position.
  private let given: String
  /// The name under which the position is stored.
  private var own: String
  /// The name under which earlier versions stored the position, without the user. The first user to subscribe takes it
  /// over.
  private var former: String?
  private let clock: any CallClock
  private var pending: String?
  private var waiting: Task<Void, Never>?
  /// The last store operation that was started.
  private var storing: Task<Void, any Error>?
  private var failure: (any Error)?

  init(store: any EventPositionStore, name: String, clock: any CallClock) {
    (self.store, given, own, self.clock) = (store, name, name, clock)
  }

  /// Stores the position under this caller's name, separate from other callers' positions. Call it before ``load()``.
  ///
  /// The name stays as it is for the client's own caller if its user is unknown: the next token could not find the
  /// position under a name with a caller.
  func belong(to key: EventConnectionKey) {
    if case .client = key.source {
      guard key.identity.user != nil else { return }
      former = given
    }
    own = "\(given) for \(key.identity.caller.positionName) at \(key.identity.gateway)"
  }

  func load() async throws -> String? {
    if let position = try await position(named: own) { return position }
    guard let former, let position = try await position(named: former) else { return nil }
    // The order matters: a program that ends in between must not lose the position.
    try await store.store(position, named: own)
    try await store.store("", named: former)
    return position
  }

  private func position(named name: String) async throws -> String? {
    let position = try await store.position(named: name)
    return position?.isEmpty == true ? nil : position
  }

  /// Stores a position within a second.
  ///
  /// - Throws: the error of storing an earlier position.
  func note(_ position: String) throws {
    if let failure { throw failure }
    pending = position
    guard waiting == nil else { return }
    let end = clock.now.advanced(by: Self.interval)
    waiting = Task {
      try? await clock.sleep(until: end, tolerance: nil)
      waiting = nil
      do { try await flush() } catch { failure = error }
    }
  }

  /// Stores a position now.
  func store(_ position: String) async throws {
    pending = position
    try await flush()
  }

  /// Stores the noted position. Returns when it and all earlier ones are stored.
  func flush() async throws {
    let earlier = storing
    let position = pending
    pending = nil
    let task = Task {
      // In a slow store, an older position must not replace a newer one.
      _ = await earlier?.result
      if let position { try await store.store(position, named: own) }
    }
    storing = task
    try await task.value
  }
}

extension Identity.Caller {
  /// The caller as text. No part contains a space, so that different callers never have the same text.
  fileprivate var positionName: String {
    switch self {
    case .user(let id): "user \(PercentEncoding.encode(id))"
    case .token(let fingerprint): "token \(fingerprint)"
    case .anonymous: "nobody"
    }
  }
}
