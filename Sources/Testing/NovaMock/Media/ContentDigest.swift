import NovaCore
import NovaCrypto

/// `Content-Digest: sha-256=:<base64>:` (RFC 9530).
enum ContentDigest {
  /// Returns the SHA-256 digest of the header, which can list several digests; nil if it has none.
  static func sha256(_ header: String) throws(MockFailure) -> [UInt8]? {
    var digest: [UInt8]?
    for member in header.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = member.split(separator: "=", maxSplits: 1).map(\.trimmed)
      guard parts.count == 2, parts[1].count >= 2, parts[1].first == ":", parts[1].last == ":",
        let bytes = Base64.decode(String(parts[1].dropFirst().dropLast()))
      else { throw malformed }
      guard parts[0] == "sha-256" else { continue }
      guard bytes.count == SHA256.byteCount else { throw malformed }
      digest = bytes
    }
    return digest
  }

  private static let malformed = MockFailure.invalid("Content-Digest must be sha-256=:<base64>:")
}
