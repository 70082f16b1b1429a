import CNovaOpenSSL

/// The reason why a cryptographic operation failed. Never contains its input.
package enum CryptoError: Error, Sendable, Hashable, CustomStringConvertible {
  /// libcrypto is missing or too old; the text names what to install.
  case unavailable(String)
  /// libcrypto failed, for example without memory.
  case failed(String)

  package var description: String {
    switch self {
    case .unavailable(let problem): problem
    case .failed(let what): "\(what) could not be computed"
    }
  }

  /// Loads libcrypto, unless it is already loaded.
  static func requireLibrary() throws(CryptoError) {
    if let problem = nova_crypto_load() { throw .unavailable(String(cString: problem)) }
  }
}
