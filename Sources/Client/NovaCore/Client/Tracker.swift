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
  ///   - options: those of the service that noted the event. A token or a provider in them means that the event is
  ///     that caller's, and not the client's user's; a tracker around another one must pass them on.
  func track(_ event: String, properties: [String: String], options: CallOptions)

  /// Sends what waits, as far as that is possible now.
  func flush() async
}

extension Tracker {
  public func begin(with client: APIClient) {}

  /// Notes an event of the client's own user.
  ///
  /// - Parameters:
  ///   - event: the name, in lower_snake_case.
  ///   - properties: what is worth knowing about it; nothing personal. Default: none.
  public func track(_ event: String, properties: [String: String] = [:]) {
    track(event, properties: properties, options: CallOptions())
  }
}

extension APIClient {
  /// The token that calls would carry now, without waiting for one: for leaving it out of what is recorded.
  package func tokenInUse(for options: CallOptions = CallOptions()) -> AccessToken? {
    options.ownToken ?? (options.tokens ?? runner.tokens)?.availableToken
  }

  /// Who makes calls with these options, if that is certain without waiting.
  ///
  /// - Returns: nil if the ``TokenProvider`` must be asked, see ``identity(for:)``: one whose token is not at hand, or
  ///   does not name its user.
  package func callerAtHand(for options: CallOptions = CallOptions()) -> Identity.Caller? {
    let tokens = options.ownToken == nil ? options.tokens ?? runner.tokens : nil
    // A provider names its user even if its token does not.
    if let tokens, !(tokens is StoredToken), tokens.availableToken?.user == nil { return nil }
    return knownIdentity(for: options)?.caller
  }

  /// A caller at the client's gateway.
  package func identity(of caller: Identity.Caller) -> Identity { Identity(gateway: gateway, caller: caller) }
}
