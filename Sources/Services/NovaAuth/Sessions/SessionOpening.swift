import NovaCore

/// Opens a session: first at the server, then in the store.
struct SessionOpening {
  /// How the server is asked for it.
  enum Request {
    case signUp(email: String, username: String, password: String)
    case signIn(email: String, password: String)
  }

  let auth: AuthService
  let cache: SessionCache
  let storage: SessionStorage
  let clock: any CallClock

  /// Once the session is being saved, nothing cancels this: a saved session is a successful sign-in. Until then, a failure
  /// or a cancellation closes the session at the server.
  func run(_ request: Request) async throws -> Session {
    let deadline = storage.deadline
    // Fails before a password is sent if the store cannot be used.
    try await storage.exclusively(until: deadline) {}
    let opened = try await opened(request, until: deadline)
    let session = serverTimed(opened)
    let stored = cache.stored(session)
    do {
      try await storage.exclusively(until: deadline) { [cache, storage] in
        try await storage.store.save(stored)
        cache.set(session, stored: stored)
      }
    } catch {
      // In a task that a cancellation does not reach, with time of its own.
      await Task { [auth, storage, clock] in
        try? await auth.ending(at: storage.deadline, clock).signOut(session)
      }.value
      throw error
    }
    return session
  }

  /// The session with an expiry by the server's clock, also if its response did not report the time.
  private func serverTimed(_ opened: OpenedSession) -> Session {
    cache.note(opened.reading)
    var session = opened.session
    if opened.reading == nil { session.expiresAt += cache.secondsAhead }
    return session
  }

  private func opened(_ request: Request, until deadline: ContinuousClock.Instant) async throws -> OpenedSession {
    switch request {
    case .signUp(let email, let username, let password):
      try await auth.openedSignUp(email: email, username: username, password: password, clock: clock, until: deadline)
    case .signIn(let email, let password):
      try await auth.openedSignIn(email: email, password: password, clock: clock, until: deadline)
    }
  }
}

extension SessionOpening.Request: CustomReflectable {
  /// Does not show the password.
  var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}
