import NovaCore
import NovaCrypto

/// The stored form of a password: a salted key that verifies the password but does not reveal it.
struct PasswordHash: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// A low number, so that logging in does not slow down tests.
  private static let iterations = 1000

  let salt: [UInt8]
  private let key: [UInt8]

  init(salt: [UInt8], key: [UInt8]) {
    self.salt = salt
    self.key = key
  }

  /// Creates a hash from a precomputed key, so that a data set with an account starts quickly.
  /// A hash that matches no password, for accounts without login.
  static let unmatched = PasswordHash(salt: "no password".utf8Bytes, key: [])

  func matches(_ other: PasswordHash) -> Bool { key.equalsInConstantTime(other.key) }

  static func key(_ password: String, _ salt: [UInt8]) throws(MockFailure) -> [UInt8] {
    do {
      return try PBKDF2SHA256.key(
        password: Array(password.utf8), salt: salt, iterations: iterations, byteCount: SHA256.byteCount)
    } catch {
      throw MockFailure(error)
    }
  }

  var description: String { SecretText.mask }
  var customMirror: Mirror { Mirror(self, children: []) }
}
