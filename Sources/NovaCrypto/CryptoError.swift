import CNovaOpenSSL

/// Why something cryptographic could not be computed. Never holds what it was to be computed of.
package enum CryptoError: Error, Sendable, Hashable, CustomStringConvertible {
  /// libcrypto is missing or too old; the text names what to install.
  case unavailable(String)
  /// libcrypto refused, as it does without memory.
  case failed(String)

  package var description: String {
    switch self {
    case .unavailable(let problem): problem
    case .failed(let what): "\(what) could not be computed"
    }
  }

  /// Loads libcrypto, unless it is loaded.
  static func requireLibrary() throws(CryptoError) {
    if let problem = nova_crypto_load() { throw .unavailable(String(cString: problem)) }
  }
}
