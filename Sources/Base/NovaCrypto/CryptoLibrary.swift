import CNovaOpenSSL

/// The libcrypto of this machine.
package enum CryptoLibrary {
  /// Its version: `OpenSSL 3.5.4 30 Sep 2025`.
  ///
  /// - Throws: ``CryptoError`` if it cannot be loaded.
  package static func version() throws(CryptoError) -> String {
    try CryptoError.requireLibrary()
    return String(cString: nova_crypto_version())
  }
}
