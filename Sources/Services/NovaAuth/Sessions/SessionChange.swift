import NovaCore

/// A change of the session of a ``SessionManager``.
public enum SessionChange: Sendable {
  /// A user signed in, the store has a session, or the session still exists after a failed sign-out.
  case started(Session)
  /// The session has a new access token, which another process may have requested.
  case refreshed(Session)
  /// The session has ended.
  case ended(SessionEnd)
  /// The session is valid, but the store could not save its new tokens. The next program that reads the store finds the
  /// old ones.
  case storeFailed(any Error)
}

/// Why a session ended.
public enum SessionEnd: Sendable, Hashable {
  /// ``SessionManager/signOut()`` was called.
  case signedOut
  /// The server refused the refresh token: it expired or was revoked.
  case refused
  /// The session is no longer in the store: another process signed out.
  case elsewhere
}
