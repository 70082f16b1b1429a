import NovaAuth
import NovaCore

extension MockState {
  private static let maximumPasswordBytes = 1024
  private static let mask = "********"

  /// Returns a request without its password, and the key derived from the password. Neither handlers nor the journal
  /// see the password itself.
  func withoutPassword(
    _ message: any ProtoMessage
  ) throws(MockFailure) -> (message: any ProtoMessage, key: [UInt8]?) {
    switch message {
    case var request as RegisterRequest where !request.password.isEmpty:
      let key = try key(of: request.password, request.email)
      request.password = Self.masked(request.password)
      return (request, key)
    case var request as LoginRequest where !request.password.isEmpty:
      let key = try key(of: request.password, request.email)
      request.password = Self.masked(request.password)
      return (request, key)
    default: return (message, nil)
    }
  }

  /// Returns the stored form of this request's password.
  func passwordHash(_ password: String, _ email: String) throws(MockFailure) -> PasswordHash {
    PasswordHash(salt: try auth.salt(for: email), key: try key(of: password, email))
  }

  private func key(of password: String, _ email: String) throws(MockFailure) -> [UInt8] {
    if let passwordKey { return passwordKey }
    return try PasswordHash.key(password, try auth.salt(for: email))
  }

  /// Masks a password. A password that is too long stays too long, so that validation still rejects it.
  private static func masked(_ password: String) -> String {
    password.utf8.count > maximumPasswordBytes ? String(repeating: "*", count: maximumPasswordBytes + 1) : mask
  }
}
