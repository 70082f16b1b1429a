public import NovaSDK

/// Users for whom the service works when no request brings a token, such as a digest that is sent at night.
///
/// Each has a session, which is refreshed when a call needs it. Give each session a `FileSessionStore` of its own if it
/// must survive a restart.
public actor Subscribers {
  private let nova: NovaClient
  private var sessions: [String: SessionManager] = [:]

  /// - Parameter nova: the client of the process. It has no token of its own.
  public init(_ nova: NovaClient) { self.nova = nova }

  /// Signs a user in, and returns the user's ID.
  public func signIn(email: String, password: String) async throws -> String {
    let session = SessionManager(store: MemorySessionStore(), auth: nova.auth)
    let id = try await session.signIn(email: email, password: password).user.id
    sessions[id] = session
    return id
  }

  /// All services as a subscriber, for one piece of work; nil if this user has not signed in.
  public func services(as id: String, timeLimit: Duration = .seconds(30)) -> NovaClient? {
    guard let session = sessions[id] else { return nil }
    return nova.with {
      $0.tokens = session
      $0.deadline = ContinuousClock.now + timeLimit
    }
  }

  public func signOut(_ id: String) async throws { try await sessions.removeValue(forKey: id)?.signOut() }
}
