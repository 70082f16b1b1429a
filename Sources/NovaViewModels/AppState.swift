public import NovaAuth
import NovaCore
public import Observation

/// Who uses the app, for all its views: made once when the app starts, and handed to every view.
///
/// ```swift
/// let state = AppState(sessions: sessions)
/// if state.isAuthenticated { showFeed(of: state.currentUser) } else { showLogin() }
/// ```
/// It shows what a ``SessionManager`` knows: whoever signs in or out, and every new access token, whether that happens
/// in this process or, where the store is shared, in another one. When the server refuses to renew the session, it is
/// gone from here too.
@MainActor @Observable
public final class AppState {
  /// The session; nil when nobody is signed in.
  public private(set) var session: Session?
  /// What went wrong, in a sentence for a person; nil for nothing. See ``UserMessage``.
  public private(set) var error: String?
  /// How many look for a session now.
  private var checks = 0

  @ObservationIgnored private let sessions: SessionManager
  @ObservationIgnored private let clock: any Clock<Duration>
  /// Grows whenever the session is set from outside, so that a check from before does not undo it.
  @ObservationIgnored private var version = 0
  @ObservationIgnored private var following: [Task<Void, Never>] = []

  /// Starts to follow a session manager, and looks for a session at once: ``isLoading`` is true until that is done.
  ///
  /// - Parameters:
  ///   - sessions: who is signed in. The app's clients take their tokens from it, too.
  ///   - interval: how often to look into the store for what other processes did there; nil for never but in
  ///     ``checkSession()``. At least 100 ms. Default: 5 s.
  ///   - clock: what the interval goes by.
  public init(
    sessions: SessionManager, lookingEvery interval: Duration? = .seconds(5),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.sessions = sessions
    self.clock = clock
    session = sessions.current
    checks = 1
    follow()
    following.append(
      Task { [weak self] in
        await self?.check()
        self?.checks -= 1
      })
    if let interval { look(every: max(interval, .milliseconds(100))) }
  }

  deinit { for task in following { task.cancel() } }

  /// Whose session it is; nil when nobody is signed in.
  public var currentUser: User? { session?.user }
  /// Whether somebody is signed in.
  public var isAuthenticated: Bool { session != nil }
  /// Whether it is not yet known who is signed in, as when the app starts.
  public var isLoading: Bool { checks > 0 }

  /// Looks for a session, in the store and, where the access token has expired, at the server.
  ///
  /// Without a network somebody who was signed in stays so, and ``error`` says what is wrong. Does not throw.
  public func checkSession() async {
    checks += 1
    await check()
    checks -= 1
  }

  /// Shows a session, for example the one that ``SessionManager/signIn(email:password:)`` gave, without waiting for the
  /// manager's word. Nothing is stored or sent.
  public func setSession(_ session: Session) {
    version += 1
    self.session = session
    error = nil
  }

  /// Shows that nobody is signed in, until somebody signs in or ``checkSession()`` finds a session. Nothing is stored or
  /// sent: ``SessionManager/signOut()`` ends a session, and that shows here by itself.
  public func clearSession() {
    version += 1
    session = nil
  }

  /// Shows a message.
  public func setError(_ message: String) { error = message }

  /// Shows an error in a person's words, and nothing for a cancellation. A call that was refused for its token although
  /// that was renewed (`unauthorized`) also clears the session.
  public func setError(_ error: any Error) {
    guard let message = UserMessage.text(of: error) else { return }
    guard case APIError.unauthorized = error else { return self.error = message }
    clearSession()
    self.error = Self.sessionEnded
  }

  /// Takes the message away.
  public func clearError() { error = nil }

  private static let sessionEnded = "Your session has ended. Please log in again."

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
    if let failure { setError(failure) }
  }

  private func follow() {
    let updates = sessions.updates
    following.append(
      Task { [weak self] in for await change in updates { self?.apply(change) } })
  }

  private func look(every interval: Duration) {
    following.append(
      Task { [weak self, sessions, clock] in
        while (try? await clock.sleep(for: interval)) != nil, self != nil {
          // What is wrong with the store is for checkSession() to say, once.
          try? await sessions.reload()
        }
      })
  }

  /// Changes come late; what the manager knows now is what counts.
  private func apply(_ change: SessionChange) {
    let current = sessions.current
    switch change {
    case .started:
      session = current
      if current != nil { error = nil }
    case .refreshed:
      if session != nil { session = current }
    case .ended(let reason):
      session = current
      if reason == .refused, current == nil { error = Self.sessionEnded }
    case .storeFailed(let failure):
      error = UserMessage.text(of: failure)
    }
  }
}
