import NovaCore

/// Validates what users enter against the contract, before anything is sent.
enum Credentials {
  /// - Throws: ``AuthError`` with the reason `invalidEmail`.
  static func requireEmail(_ text: String) throws(AuthError) {
    let isPrintable = text.unicodeScalars.allSatisfy {
      !$0.properties.isWhitespace && $0.value > 0x20 && $0.value != 0x7F
    }
    let bytes = Array(text.utf8)
    guard bytes.count <= 254, isPrintable, let at = bytes.firstIndex(of: UInt8(ascii: "@")), at > 0 else {
      throw AuthError(AuthError.invalidEmail)
    }
    // The domain: two or more labels with dots between them.
    var (dots, isInLabel) = (0, false)
    for byte in bytes[(at + 1)...] {
      let isDot = byte == UInt8(ascii: ".")
      if byte == UInt8(ascii: "@") || isDot && !isInLabel { throw AuthError(AuthError.invalidEmail) }
      if isDot { dots += 1 }
      isInLabel = !isDot
    }
    if dots == 0 || !isInLabel { throw AuthError(AuthError.invalidEmail) }
  }

  /// - Throws: ``AuthError`` with the reason `invalidUsername`.
  static func requireUsername(_ name: String) throws(AuthError) {
    let isPlain = name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    if !isPlain || !(3...32).contains(name.utf8.count) { throw AuthError(AuthError.invalidUsername) }
  }

  /// - Throws: ``AuthError`` with the reason `weakPassword`.
  static func requireNewPassword(_ password: String) throws(AuthError) {
    if password.count < 8 { throw AuthError(AuthError.weakPassword) }
    guard password.utf8.count <= 1024 else {
      throw AuthError(AuthError.weakPassword, "The password must have at most 1,024 bytes.")
    }
  }
}
