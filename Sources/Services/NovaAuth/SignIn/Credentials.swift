import NovaCore

/// Validates the input of users against the contract, before anything is sent.
enum Credentials {
  /// Requires an address that can have an account: its domain has two or more labels.
  ///
  /// - Throws: ``AuthError`` with the reason `invalidEmail`.
  static func requireNewEmail(_ text: String) throws(AuthError) {
    try requireEmail(text)
    let domain = text.parts(between: "@", keepsEmpty: true).last ?? ""
    let labels = domain.parts(between: ".", keepsEmpty: true)
    if labels.count < 2 || labels.contains("") { throw AuthError(AuthError.invalidEmail) }
  }

  /// Requires an address that an account may have: `name@host`. The server checks whether it has.
  ///
  /// - Throws: ``AuthError`` with the reason `invalidEmail`.
  static func requireEmail(_ text: String) throws(AuthError) {
    let parts = text.parts(between: "@", keepsEmpty: true)
    guard text.utf8.count <= 254, isPrintable(text), parts.count == 2, !parts.contains("") else {
      throw AuthError(AuthError.invalidEmail)
    }
  }

  private static func isPrintable(_ text: String) -> Bool {
    !text.unicodeScalars.contains { $0.properties.isWhitespace || $0.value <= 0x20 || $0.value == 0x7F }
  }

  /// - Throws: ``AuthError`` with the reason `invalidUsername`.
  static func requireUsername(_ name: String) throws(AuthError) {
    guard name.consists(of: .alphanumerics + ASCIISet("_"), count: 3...32) else {
      throw AuthError(AuthError.invalidUsername)
    }
  }

  /// - Throws: ``AuthError`` with the reason `weakPassword`.
  static func requireNewPassword(_ password: String) throws(AuthError) {
    if password.count < 8 { throw AuthError(AuthError.weakPassword) }
    guard password.utf8.count <= 1024 else {
      throw AuthError(AuthError.weakPassword, .longPassword)
    }
  }
}
