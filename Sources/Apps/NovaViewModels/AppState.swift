public import NovaAuth
import NovaCore
public import Observation

/// The signed-in user of an app, for all its views. Create one when the app starts, and pass it to every view.
///
/// ```swift
/// let state = AppState(sessions: sessions)
/// if state.isAuthenticated { showFeed(of: state.currentUser) } else { showLogin() }
/// await state.signIn(email: email, password: password)
/// print(state.error ?? "Hello, \(state.currentUser?.username ?? "")")
/// ```
/// It follows a ``SessionManager``: sign-ins, sign-outs, and new access tokens, including those of other processes that
/// share the store. If the server refuses to refresh the session, the session also ends here.
@MainActor @Observable
public final class AppState {
  /// The session; nil if no user is signed in.
  public private(set) var session: Session?
  /// The latest error, as a sentence for the user; nil without an error. See ``UserMessage``.
  public private(set) var error: String?
  /// The number of checks, sign-ins, and sign-outs in progress.
  private var operations = 0

  @ObservationIgnored private let sessions: SessionManager
  @ObservationIgnored private let clock: any Clock<Duration>
  /// Increases whenever the app sets the session, so that an earlier check does not undo it.
  @ObservationIgnored private var version = 0
  @ObservationIgnored private var following: [Task<Void, Never>] = []
  /// The latest ``error`` of a check, and the latest one for an unreachable gateway. A later success clears them.
  @ObservationIgnored private var errorOfCheck: String?
  @ObservationIgnored private var errorOfNetwork: String?

  /// Creates a state that follows a session manager. It checks for a session at once: ``isLoading`` is true until then.
  ///
  /// - Parameters:
  ///   - sessions: the session manager that also provides the tokens of the app's clients.
  ///   - interval: how often to read the store for changes by other processes, at least 100 ms; nil to read it only in
  ///     ``checkSession()``. Default: 5 s.
  ///   - clock: the clock for the interval.
  public init(
    sessions: SessionManager, lookingEvery interval: Duration? = .seconds(5),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.sessions = sessions
    self.clock = clock
    session = sessions.current
    operations = 1
    follow()
    following.append(
      Task { [weak self] in
        await self?.check()
        self?.operations -= 1
      })
    if let interval { reload(every: max(interval, .milliseconds(100))) }
  }

  deinit { for task in following { task.cancel() } }

  /// The signed-in user; nil if no user is signed in.
  public var currentUser: User? { session?.user }
  /// Whether a user is signed in.
  public var isAuthenticated: Bool { session != nil }
  /// Whether this state is checking for a session, as when the app starts, or is signing in, up, or out.
  public var isLoading: Bool { operations > 0 }

  /// Checks for a session in the store and, if the access token has expired, at the server.
  ///
  /// Without a network, a signed-in user stays signed in, and ``error`` describes the problem until a later check,
  /// sign-in, or refresh succeeds. Does not throw.
  public func checkSession() async {
    operations += 1
    await check()
    operations -= 1
  }

  /// Opens a session, which replaces the earlier one. ``isLoading`` is true until then.
  ///
  /// Does not throw: if it fails, ``error`` is a sentence for the user, and the earlier session stays. A cancellation
  /// sets no error.
  ///
  /// - Parameters: as for ``SessionManager/signIn(email:password:)``.
  /// - Returns: whether the user is signed in.
  @discardableResult
  public func signIn(email: String, password: String) async -> Bool {
    await open { [sessions] in try await sessions.signIn(email: email, password: password) }
  }

  /// Opens an account and a session. ``isLoading`` is true until then.
  ///
  /// Does not throw: if it fails, ``error`` is a sentence for the user. That includes the case that the account was
  /// opened, but its e-mail address must be confirmed first.
  ///
  /// - Parameters: as for ``SessionManager/signUp(email:username:password:)``.
  /// - Returns: whether the user is signed in.
  @discardableResult
  public func signUp(email: String, username: String, password: String) async -> Bool {
    await open { [sessions] in try await sessions.signUp(email: email, username: username, password: password) }
  }

  /// Ends the session: here and in the store, then at the server. ``isLoading`` is true until then.
  ///
  /// Does not throw. The user is signed out here even if the server cannot be reached; ``error`` then describes why.
  public func signOut() async {
    await attempt {
      defer { session = sessions.current }
      try await sessions.signOut()
    }
  }

  private func open(_ session: () async throws -> Session) async -> Bool {
    await attempt {
      _ = try await session()
      version += 1
      // The session may already have ended.
      self.session = sessions.current
    }
  }

  /// Shows progress, and the error if `operation` fails.
  ///
  /// - Returns: whether it succeeded.
  @discardableResult
  private func attempt(_ operation: () async throws -> Void) async -> Bool {
    operations += 1
    defer { operations -= 1 }
    clearError()
    do {
      try await operation()
      return true
    } catch {
      show(error)
      return false
    }
  }

  /// Shows a session at once, for example the result of ``SessionManager/signIn(email:password:)``. Stores and sends
  /// nothing.
  public func setSession(_ session: Session) {
    version += 1
    self.session = session
    error = nil
  }

  /// Clears the session here, until a user signs in or ``checkSession()`` finds a session. Stores and sends nothing: to
  /// end a session, call ``SessionManager/signOut()``, which this state follows.
  public func clearSession() {
    version += 1
    session = nil
  }

  /// Shows a message.
  public func setError(_ message: String) { error = message }

  /// Shows a sentence for an error, and nothing for a cancellation. An `unauthorized` error, which means that the token
  /// was refused even after a refresh, also clears the session.
  public func setError(_ error: any Error) {
    guard case APIError.unauthorized = error else { return show(error) }
    clearSession()
    self.error = UserMessage.text(.sessionEnded)
  }

  /// Clears the message.
  public func clearError() { error = nil }

  private func show(_ error: any Error) {
    guard let message = UserMessage.text(of: error) else { return }
    self.error = message
    if let error = error as? APIError, error.meansUnreachable { errorOfNetwork = message }
  }

  /// Clears the message about an unreachable gateway.
  private func gatewayWasReached() {
    if error == errorOfNetwork { error = nil }
    errorOfNetwork = nil
  }

  // MARK: Following

  private func check() async {
    let version = version
    var failure: (any Error)?
    do {
      try await sessions.reload()
      _ = try await sessions.session()
    } catch { failure = error }
    guard version == self.version, !Task.isCancelled else { return }
    session = sessions.current
    // If a session exists now, the refused one was an earlier session.
    if case APIError.unauthorized? = failure, session != nil { return }
    if let failure {
      setError(failure)
      if UserMessage.text(of: failure) != nil { errorOfCheck = error }
    } else {
      if error == errorOfCheck || error == errorOfNetwork { error = nil }
      (errorOfCheck, errorOfNetwork) = (nil, nil)
    }
  }

  private func follow() {
    let updates = sessions.updates
    following.append(
      Task { [weak self] in for await change in updates { self?.apply(change) } })
  }

  private func reload(every interval: Duration) {
    following.append(
      Task { [weak self, sessions, clock] in
        while (try? await clock.sleep(for: interval)) != nil, self != nil {
          // Only checkSession() reports problems of the store, so that each is shown once.
          try? await sessions.reload()
        }
      })
  }

  /// Applies a change. Changes may arrive late, so the manager's current session counts. If that is already shown, the
  /// error stays, because it may be later than the sign-in.
  private func apply(_ change: SessionChange) {
    let current = sessions.current
    switch change {
    case .started:
      if current != nil, current != session { error = nil }
      session = current
    case .refreshed:
      gatewayWasReached()
      if session != nil { session = current }
    case .ended(let reason):
      session = current
      if reason == .refused, current == nil { error = UserMessage.text(.sessionEnded) }
    case .storeFailed(let failure):
      error = UserMessage.text(of: failure)
    }
  }
}
