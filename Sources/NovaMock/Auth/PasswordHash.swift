import NovaCore

/// What is kept of a password: a salted key that it can be checked against but not read from.
struct PasswordHash: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// Few, for a mock: a login must not slow a test down.
  private static let iterations = 1000

  let salt: [UInt8]
  private let key: [UInt8]

  init(salt: [UInt8], key: [UInt8]) {
    self.salt = salt
    self.key = key
  }

  /// A hash computed before, so that a data set with an account costs no computing at start.
  init(salt: String, key: [UInt8]) {
    self.salt = Array(salt.utf8)
    self.key = key
  }

  /// What no password is made into: for accounts that nobody logs in to.
  static let unmatched = PasswordHash(salt: "no password", key: [])

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
