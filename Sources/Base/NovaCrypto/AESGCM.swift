import CNovaOpenSSL

/// AES-256-GCM (NIST SP 800-38D): encrypts bytes, and detects changes to them.
package enum AESGCM {
  /// The size of a key in bytes.
  package static let keyByteCount = Int(NOVA_AES_KEY_SIZE)
  /// The size of a nonce in bytes. Never use a nonce twice with the same key; random ones are safe for 2³² messages.
  package static let nonceByteCount = Int(NOVA_GCM_NONCE_SIZE)
  /// How many bytes longer the sealed bytes are than the original ones.
  package static let tagByteCount = Int(NOVA_GCM_TAG_SIZE)

  /// Encrypts `bytes`, and appends the tag. The tag also covers `authenticated`, which is not encrypted.
  package static func seal(
    _ bytes: [UInt8], key: [UInt8], nonce: [UInt8], authenticated: [UInt8] = []
  ) throws(CryptoError) -> [UInt8] {
    try CryptoError.requireLibrary()
    guard key.count == keyByteCount, nonce.count == nonceByteCount else { throw .failed("an AES-256-GCM encryption") }
    var sealed = [UInt8](repeating: 0, count: bytes.count + tagByteCount)
    guard nova_aes_gcm_seal(key, nonce, authenticated, authenticated.count, bytes, bytes.count, &sealed) else {
      throw .failed("an AES-256-GCM encryption")
    }
    return sealed
  }

  /// Decrypts the result of ``seal(_:key:nonce:authenticated:)``; nil if the key, the nonce, or any bytes differ.
  package static func open(
    _ sealed: [UInt8], key: [UInt8], nonce: [UInt8], authenticated: [UInt8] = []
  ) throws(CryptoError) -> [UInt8]? {
    try CryptoError.requireLibrary()
    let count = sealed.count - tagByteCount
    guard key.count == keyByteCount, nonce.count == nonceByteCount, count >= 0 else { return nil }
    // One byte more, because an empty buffer has no address.
    var opened = [UInt8](repeating: 0, count: count + 1)
    guard nova_aes_gcm_open(key, nonce, authenticated, authenticated.count, sealed, count, &opened) else { return nil }
    opened.removeLast()
    return opened
  }
}
