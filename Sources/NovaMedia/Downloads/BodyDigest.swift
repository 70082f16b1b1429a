import NovaCore
import NovaCrypto

/// The digest fields of RFC 9530, such as `Content-Digest: sha-256=:…:`.
package enum DigestField {
  /// The field with a SHA-256 digest.
  package static func text(_ digest: [UInt8]) -> String {
    "sha-256=:\(String(decoding: Base64.encode(digest), as: UTF8.self)):"
  }

  /// The SHA-256 digest in the field; nil if it has none, or one that cannot be.
  package static func sha256(_ text: String?) -> [UInt8]? {
    guard let text, text.utf8.count <= 4096 else { return nil }
    for member in text.parts(between: ",", keepsEmpty: false) {
      let words = member.parts(between: ":", keepsEmpty: true)
      guard words.count >= 3, words[0].lowercased().filter({ $0 != " " && $0 != "\t" }) == "sha-256=" else { continue }
      if let digest = Base64.decode(words[1]), digest.count == SHA256.byteCount { return digest }
    }
    return nil
  }
}

/// Compares bytes with a digest while they pass.
final class DigestCheck {
  private let expected: [UInt8]
  private var hash: SHA256?

  /// - Throws: ``APIError`` if libcrypto is missing.
  init(_ expected: [UInt8]) throws {
    self.expected = expected
    do { hash = try SHA256() } catch { throw Self.failure(error) }
  }

  func take(_ bytes: [UInt8]) { hash?.update(bytes) }

  /// Whether all bytes together have the digest. Ends the check.
  func matches() throws -> Bool {
    guard let hash = hash.take() else { return true }
    do { return try hash.finalize() == expected } catch { throw Self.failure(error) }
  }

  private static func failure(_ error: CryptoError) -> APIError {
    APIError(
      .failedPrecondition, "cannot check the digest that the server sends: \(error)",
      rpc: MediaService.downloadBytes.descriptor.id)
  }
}
