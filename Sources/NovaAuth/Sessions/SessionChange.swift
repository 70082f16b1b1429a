/// Something that happened to the session of a ``SessionManager``.
public enum SessionChange: Sendable {
  /// Somebody signed in, or a session was found in the store.
  case started(Session)
  /// The session has a new access token; another process may have got it.
  case refreshed(Session)
  /// There is no session any more.
  case ended(SessionEnd)
  /// The store failed while the session itself is good: a new token could not be kept. The next program to look will
  /// find an old one.
  case storeFailed(any Error)
}

/// Why a session ended.
public enum SessionEnd: Sendable, Hashable {
  /// By ``SessionManager/signOut()``.
  case signedOut
  /// The server refused the refresh token: it expired or was revoked.
  case refused
  /// The store holds it no more: another process signed out.
  case elsewhere
}
