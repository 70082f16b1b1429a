import NovaCore
import NovaCrypto

/// The secret that a backend signs its tokens with. The key depends only on the seed, so backends with the same seed
/// accept each other's tokens, as the instances of one service do.
struct SigningKey: Sendable, CustomStringConvertible, CustomReflectable {
  private let seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  /// Returns the HMAC of `text` under this key.
  func code(for text: String) throws(MockFailure) -> [UInt8] {
    do {
      let key = try SHA256.digest(of: "nova-mock signing key \(seed)".utf8)
      return try HMACSHA256.code(for: Array(text.utf8), key: key)
    } catch {
      throw MockFailure(error)
    }
  }

  /// Whether `signature` is this key's encoded signature of `text`.
  func isSignature(_ signature: some StringProtocol, of text: String) throws(MockFailure) -> Bool {
    Array(signature.utf8).equalsInConstantTime(Array(try self.signature(of: text).utf8))
  }

  /// Returns the encoded signature of `text`.
  func signature(of text: String) throws(MockFailure) -> String { Base64.encodeForURL(try code(for: text)) }

  var description: String { SecretText.mask }
  var customMirror: Mirror { Mirror(self, children: []) }
}

extension MockFailure {
  /// Reports a missing cryptographic library.
  init(_ error: CryptoError) { self.init(.internalError, "\(error)") }
}
