import NovaAnalytics
import NovaCore

/// What a caller's events are sent with.
struct CallerSender: Sendable {
  /// Whose events.
  var caller: AnalyticsCaller
  /// Sends nothing under another name.
  var service: AnalyticsService
  /// Whether they go with the client's own token.
  var isOwn = false
  /// Of the credentials.
  var revision = 0
  /// Why the caller cannot be found out.
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
  /// Whose calls these are; asks a provider for 30 s at most.
  func lookUpIdentity(
    for options: CallOptions = CallOptions(), _ clock: any CallClock
  ) async -> Result<Identity, APIError> {
    if let caller = callerAtHand(for: options) { return .success(identity(of: caller)) }
    let timeUp = APIError(.timeout, "the token provider did not answer within 30 s")
    do {
      return .success(
        try await Race.run(until: clock.now.advanced(by: .seconds(30)), clock, timeUp: timeUp) {
          try await self.identity(for: options)
        })
    } catch {
      let failure = APIError.seenByCallers(error) as? APIError
      return .failure(failure ?? APIError(.networkError, "the user of the events cannot be found out"))
    }
  }
}

/// For whom a round of sending sends.
struct SendingPlan: Sendable {
  let client: APIClient
  let state: Locked<TrackerState>
  let writer: AnalyticsWriter
  let clock: any CallClock
  /// The client's own user, and the identity of its token, which an app can name otherwise; nil if it is not their turn.
  var own: (caller: AnalyticsCaller, identity: Result<Identity, APIError>)?
  var includesOthers = true

  /// What a caller's events are sent with; nil if that is not at hand.
  func sender(for caller: AnalyticsCaller) async -> CallerSender? {
    if caller == .nobody || caller == own?.caller { return ownSender(for: caller) }
    guard includesOthers, case (let options, var revision)? = state.withLock({ $0.callers.credentials(of: caller) })
    else { return nil }
    var sender: CallerSender
    if case .provider = caller {
      // A user may have signed in there since.
      guard let user = await user(of: options) else { return nil }
      revision = await take(from: caller, user, options)
      sender = CallerSender(user, of: client, options, as: client.identity(of: user.identity))
    } else {
      sender = CallerSender(caller, of: client, options, as: client.identity(of: caller.identity))
    }
    sender.revision = revision
    return sender
  }

  private func ownSender(for caller: AnalyticsCaller) -> CallerSender? {
    guard let own else { return nil }
    // The events of nobody are the user's by now, unless nobody is signed in.
    guard caller == own.caller else { return nil }
    let identity = try? own.identity.get()
    var sender = CallerSender(caller, of: client, CallOptions(), as: identity)
    sender.isOwn = true
    if case .failure(let error) = own.identity { sender.failure = error }
    return sender
  }

  private func user(of options: CallOptions) async -> AnalyticsCaller? {
    guard case .success(let identity) = await client.lookUpIdentity(for: options, clock), !identity.isAnonymous else {
      return nil
    }
    return AnalyticsCaller(identity.caller)
  }

  private func take(from caller: AnalyticsCaller, _ user: AnalyticsCaller, _ options: CallOptions) async -> Int {
    let revision = state.withLock { state in
      state.callers.setCredentials(options, of: user)
      return state.callers.credentials(of: user)?.revision ?? 0
    }
    await writer.run { $0.move(from: caller, to: user) }
    return revision
  }

  func noteRefusal(of sender: CallerSender) {
    state.withLock { $0.callers.removeCredentials(of: sender.caller, revision: sender.revision) }
  }
}
