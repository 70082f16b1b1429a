import CNovaOpenSSL

/// HMAC-SHA-256 (RFC 2104): proves that bytes come from an owner of the key.
package enum HMACSHA256 {
  /// The authentication code of `bytes` with `key`.
  package static func code(for bytes: [UInt8], key: [UInt8]) throws(CryptoError) -> [UInt8] {
    try CryptoError.requireLibrary()
    var code = [UInt8](repeating: 0, count: SHA256.byteCount)
    guard nova_hmac_sha256(key, key.count, bytes, bytes.count, &code) else { throw .failed("an HMAC-SHA-256 code") }
    return code
  }
}

/// PBKDF2 with HMAC-SHA-256 (RFC 8018): derives a key from a password. More `iterations` make it slower to guess.
package enum PBKDF2SHA256 {
  /// Derives a key of `byteCount` bytes.
  package static func key(
    password: [UInt8], salt: [UInt8], iterations: Int, byteCount: Int
  ) throws(CryptoError) -> [UInt8] {
    try CryptoError.requireLibrary()
    var key = [UInt8](repeating: 0, count: byteCount)
    guard
      nova_pbkdf2_sha256(
        password, password.count, salt, salt.count, Int32(clamping: iterations), &key, byteCount)
    else { throw .failed("a PBKDF2 key") }
    return key
  }
}

extension [UInt8] {
  /// Unpredictable bytes from the system.
  package static func random(count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
  }

  /// Whether both are equal, in a time that depends only on their lengths. Use it for codes and digests that must stay
  /// secret.
  package func equalsInConstantTime(_ other: [UInt8]) -> Bool {
    count == other.count && nova_equal_bytes(self, other, count)
  }
}
