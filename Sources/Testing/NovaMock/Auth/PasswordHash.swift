import NovaCore
import NovaCrypto

/// The stored form of a password: a salted key that verifies the password but does not reveal it.
package struct PasswordHash: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// A low number, so that logging in does not slow down tests.
  private static let iterations = 1000

  package let salt: [UInt8]
  package let key: [UInt8]

  /// Creates a hash from a precomputed key, so that a data set with an account starts quickly.
  package init(salt: [UInt8], key: [UInt8]) {
    self.salt = salt
    self.key = key
  }

  /// Derives the key. Requires OpenSSL's libcrypto.
  package init(of password: String, salt: [UInt8]) throws {
    self.init(salt: salt, key: try Self.key(password, salt))
  }

  func matches(_ other: PasswordHash) -> Bool { key.equalsInConstantTime(other.key) }

  static func key(_ password: String, _ salt: [UInt8]) throws(MockFailure) -> [UInt8] {
    do {
      return try PBKDF2SHA256.key(
        password: Array(password.utf8), salt: salt, iterations: iterations, byteCount: SHA256.byteCount)
    } catch {
      throw MockFailure(error)
    }
  }

  package var description: String { SecretText.mask }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
