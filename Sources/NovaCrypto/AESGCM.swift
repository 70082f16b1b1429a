import CNovaOpenSSL

/// AES-256-GCM (NIST SP 800-38D): encrypts bytes and detects changes to them.
package enum AESGCM {
  /// The size of a key in bytes.
  package static let keyByteCount = Int(NOVA_AES_KEY_SIZE)
  /// The size of a nonce in bytes. Never use one twice with the same key; random ones are good for 2³² messages.
  package static let nonceByteCount = Int(NOVA_GCM_NONCE_SIZE)
  /// How many bytes longer the sealed bytes are.
  package static let tagByteCount = Int(NOVA_GCM_TAG_SIZE)

  /// Encrypts `bytes`. The tag stands behind them, and also covers `authenticated`, which is not encrypted.
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

  /// Decrypts what ``seal(_:key:nonce:authenticated:)`` gave; nil when key, nonce or bytes are not those of then.
  package static func open(
    _ sealed: [UInt8], key: [UInt8], nonce: [UInt8], authenticated: [UInt8] = []
  ) throws(CryptoError) -> [UInt8]? {
    try CryptoError.requireLibrary()
    let count = sealed.count - tagByteCount
    guard key.count == keyByteCount, nonce.count == nonceByteCount, count >= 0 else { return nil }
    // One more, because a buffer of no bytes has no address.
    var opened = [UInt8](repeating: 0, count: count + 1)
    guard nova_aes_gcm_open(key, nonce, authenticated, authenticated.count, sealed, count, &opened) else { return nil }
    opened.removeLast()
    return opened
  }
}
