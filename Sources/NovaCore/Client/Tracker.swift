/// Receives the events of what a user does, such as `post_opened`. NovaTracking has one that sends them to NovaSocial;
/// implement it to send them to a system of your own.
public protocol Tracker: Sendable {
  /// Called once, before the first call, by the client that the tracker is given to. Keep no strong reference. Default:
  /// nothing.
  func begin(with client: APIClient)

  /// Notes an event. Never blocks and never fails: what cannot be kept is counted by the tracker.
  ///
  /// - Parameters:
  ///   - event: the name, in lower_snake_case.
  ///   - properties: what is worth knowing about it; nothing personal.
  func track(_ event: String, properties: [String: String])

  /// Sends what waits, as far as that is possible now.
  func flush() async
}

extension Tracker {
  public func begin(with client: APIClient) {}

  /// Notes an event without properties.
  public func track(_ event: String) { track(event, properties: [:]) }
}

extension APIClient {
  /// Calls `body` after each sign-out, before the sign-out returns. Nothing on clients without sessions.
  package func onSignOut(_ body: @escaping @Sendable () async -> Void) {
    runner.tokens?.onSignOut { _ in await body() }
  }

  /// The token that calls would carry now, without waiting for one: for leaving it out of what is recorded.
  package var tokenInUse: AccessToken? { runner.tokens?.availableToken }
}
