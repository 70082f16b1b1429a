import NovaCore

/// The `Idempotency-Key` of a refresh.
///
/// It is computed from the session, so that every process with this session, even after a crash, sends the same key: a
/// server that supports idempotency keys then repeats a lost response. The access token and its expiry are part of it
/// because a refresh token may stay valid: the next refresh then needs a different key, or the server would return the
/// same token again.
enum RefreshKey {
  private static let purpose = "nova refresh key 1\n"

  /// 32 hexadecimal digits, which reveal neither token; nil if libcrypto is missing.
  static func of(_ session: Session) -> String? {
    let message = Array("\(purpose)\(session.expiresAt)\n\(session.accessToken.secretValue)".utf8)
    let code = try? HMACSHA256.code(for: message, key: Array(session.refreshToken.secretValue.utf8))
    return code.map { Hexadecimal.encode($0.prefix(16)) }
  }
}
