import NovaCore

/// The client that a tracker sends with, and who its user is.
///
/// Three sources report the user: each call of `track`, when the client already has the token
/// (``TrackerState/setOwn(_:isGiven:)``); ``update()``, which asks the token provider; and ``set(_:isGiven:)``, for a
/// sign-out or what the app has set. The state changes at once. The storage follows on the writer's queue, where each
/// change is applied before any event that was tracked after it (``AnalyticsStorage/applyChanges(of:taking:)``).
final class OwnUser: Sendable {
  private struct Connection {
    // Weak: the client has the tracker.
    weak var client: APIClient?
  }

  private let connection = Locked(Connection())
  private let parts: TrackerParts

  init(_ parts: TrackerParts) { self.parts = parts }

  var client: APIClient? { connection.withLock { $0.client } }

  func use(_ client: APIClient) { connection.withLock { $0.client = client } }

  /// Uses a client, and notes when its user signs out.
  func follow(_ client: APIClient) {
    // Before the first lookup, which a sign-out can overtake.
    client.onSignOut { [weak self] _ in self?.set(.anonymous, isGiven: false) }
    use(client)
  }

  /// Sets the user.
  ///
  /// - Parameter isGiven: whether the app has set the user, which takes precedence over the client's token.
  func set(_ caller: AnalyticsCaller, isGiven: Bool) {
    let isChanged = parts.state.withLock { state in
      state.endUserLookups()
      return state.setOwn(caller, isGiven: isGiven)
    }
    if isChanged { storeChanges() }
  }

  /// Looks up who the client's own user is.
  ///
  /// - Returns: the identity of the client's token; nil without a client.
  @discardableResult func update() async -> Result<Identity, APIError>? {
    guard let client else { return nil }
    let lookups = parts.state.withLock { $0.userLookups }
    let result = await client.lookUpIdentity(parts.clock)
    guard case .success(let identity) = result else { return result }
    let isChanged = parts.state.withLock { state in
      state.userLookups == lookups && state.setOwn(.known(identity.caller), isGiven: false)
    }
    if isChanged { storeChanges() }
    return result
  }

  /// Starts to apply the changes of the user to the storage.
  func storeChanges() {
    parts.writer.enqueue { [parts] storage in
      storage.applyChanges(of: parts.state) { _ in }
      let (sizes, now) = (storage.sizes, parts.clock.now)
      parts.state.withLock { $0.setWaiting(sizes, at: now) }
      parts.wakeSignal.wake()
    }
  }
}
