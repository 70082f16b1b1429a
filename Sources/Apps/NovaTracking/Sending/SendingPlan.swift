import NovaAnalytics
import NovaCore

/// Sends one caller's events.
struct CallerSender: Sendable {
  /// The caller whose events are sent.
  var caller: AnalyticsCaller
  /// Has the caller's credentials, and sends nothing as another caller.
  var service: AnalyticsService
  /// Whether the events are sent with the client's own token.
  var isOwn = false
  /// The revision of the credentials in ``RecentCallers``.
  var revision = 0
  /// Why the caller cannot be determined.
  var failure: APIError?

  init(_ caller: AnalyticsCaller, of client: APIClient, _ credentials: CallOptions, as identity: Identity?) {
    self.caller = caller
    var options = credentials
    (options.cache, options.delivery) = (.networkOnly, .immediate)
    options.caller = identity.map { OperationCaller($0) }
    service = AnalyticsService(client: client, options: options)
  }
}

extension APIClient {
  /// Determines the caller of calls with these options. Waits for a token provider for at most 30 s.
  func lookUpIdentity(
    for options: CallOptions = CallOptions(), _ clock: any CallClock
  ) async -> Result<Identity, APIError> {
    if let caller = callerAtHand(for: options) { return .success(identity(of: caller)) }
    let timeUp = APIError(.timeout, "the token provider did not respond within 30 s")
    do {
      return .success(
        try await Race.run(until: clock.now.advanced(by: .seconds(30)), clock, timeUp: timeUp) {
          try await self.identity(for: options)
        })
    } catch {
      let failure = APIError.seenByCallers(error) as? APIError
      return .failure(failure ?? APIError(.networkError, "the user of the events cannot be determined"))
    }
  }
}

/// The callers that a round sends for, and the credentials it sends with.
struct SendingPlan: Sendable {
  let client: APIClient
  let parts: TrackerParts
  /// The client's own user, and the identity of the client's token, which may differ if the app has set the user. Nil
  /// if it is not that user's turn.
  var own: (caller: AnalyticsCaller, identity: Result<Identity, APIError>)?
  var includesOthers = true

  /// The sender of a caller's events; nil if the credentials are not in memory, or it is not the caller's turn.
  func sender(for caller: AnalyticsCaller) async -> CallerSender? {
    if caller == .anonymous || caller == own?.caller { return ownSender(for: caller) }
    guard includesOthers,
      case (let options, var revision)? = parts.state.withLock({ $0.callers.credentials(of: caller) })
    else { return nil }
    var sender: CallerSender
    if case .provider = caller {
      // A user may have signed in at the provider since the event was tracked.
      guard let user = await user(of: options) else { return nil }
      revision = await move(from: caller, to: user, options)
      sender = CallerSender(user, of: client, options, as: client.identity(of: user.identity))
    } else {
      sender = CallerSender(caller, of: client, options, as: client.identity(of: caller.identity))
    }
    sender.revision = revision
    return sender
  }

  private func ownSender(for caller: AnalyticsCaller) -> CallerSender? {
    // Events of `anonymous` have been moved to the user by now, unless no user is signed in.
    guard let own, caller == own.caller else { return nil }
    let identity = try? own.identity.get()
    var sender = CallerSender(caller, of: client, CallOptions(), as: identity)
    sender.isOwn = true
    if case .failure(let error) = own.identity { sender.failure = error }
    return sender
  }

  private func user(of options: CallOptions) async -> AnalyticsCaller? {
    guard case .success(let identity) = await client.lookUpIdentity(for: options, parts.clock), !identity.isAnonymous
    else {
      return nil
    }
    return .known(identity.caller)
  }

  /// Gives the events that waited for a provider's user to that user.
  ///
  /// - Returns: the revision of the user's credentials.
  private func move(
    from caller: AnalyticsCaller, to user: AnalyticsCaller, _ options: CallOptions
  ) async -> Int {
    let revision = parts.state.withLock { state in
      state.callers.setCredentials(options, of: user)
      return state.callers.credentials(of: user)?.revision ?? 0
    }
    await parts.writer.run { $0.move(from: caller, to: user) }
    return revision
  }

  func noteRefusal(of sender: CallerSender) {
    parts.state.withLock { $0.callers.removeCredentials(of: sender.caller, revision: sender.revision) }
  }
}
