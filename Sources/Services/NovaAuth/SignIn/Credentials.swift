import NovaCore

/// Validates what users enter against the contract, before anything is sent.
enum Credentials {
  /// Requires an address that can have an account: its domain has two or more labels.
  ///
  /// - Throws: ``AuthError`` with the reason `invalidEmail`.
  static func requireNewEmail(_ text: String) throws(AuthError) {
    try requireEmail(text)
    let bytes = text.utf8Bytes
    var (dots, isInLabel) = (0, false)
    for place in ((bytes.firstIndex(of: UInt8(ascii: "@")) ?? 0) + 1)..<bytes.count {
      let isDot = bytes[place] == UInt8(ascii: ".")
      if isDot && !isInLabel { throw AuthError(AuthError.invalidEmail) }
      if isDot { dots += 1 }
      isInLabel = !isDot
    }
    if dots == 0 || !isInLabel { throw AuthError(AuthError.invalidEmail) }
  }

  /// Requires an address that an account may have: `name@host`. Whether it does, the server decides.
  ///
  /// - Throws: ``AuthError`` with the reason `invalidEmail`.
  static func requireEmail(_ text: String) throws(AuthError) {
    let bytes = text.utf8Bytes
    guard bytes.count <= 254, isPrintable(text), let at = bytes.firstIndex(of: UInt8(ascii: "@")), at > 0,
      at + 1 < bytes.count, bytes.lastIndex(of: UInt8(ascii: "@")) == at
    else { throw AuthError(AuthError.invalidEmail) }
  }

  private static func isPrintable(_ text: String) -> Bool {
    for scalar in text.scalars where scalar.properties.isWhitespace || scalar.value <= 0x20 || scalar.value == 0x7F {
      return false
    }
    return true
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
