/// What people type, held against the contract's rules before anything is sent.
enum Credentials {
  /// - Throws: ``AuthError`` with the reason `invalidEmail`.
  static func requireEmail(_ text: String) throws(AuthError) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    let isPrintable = text.unicodeScalars.allSatisfy {
      !$0.properties.isWhitespace && $0.value > 0x20 && $0.value != 0x7F
    }
    guard parts.count == 2, !parts[0].isEmpty, text.utf8.count <= 254, isPrintable else {
      throw AuthError(AuthError.invalidEmail)
    }
    let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    if labels.count < 2 || labels.contains(where: \.isEmpty) { throw AuthError(AuthError.invalidEmail) }
  }

  /// - Throws: ``AuthError`` with the reason `invalidUsername`.
  static func requireUsername(_ name: String) throws(AuthError) {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
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
