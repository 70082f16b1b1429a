import NovaCore
import NovaCrypto

/// `Content-Range: bytes 0-99/1000` (RFC 9110).
struct ContentRange: Hashable {
  let first: Int64
  let last: Int64
  let total: Int64

  /// Parses the header; nil unless it is a range of bytes within its total.
  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, String(words[0]).equalsIgnoringASCIICase("bytes") else { return nil }
    let numbers = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard numbers.count == 2 else { return nil }
    let ends = numbers[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Int(digits: ends[0]), let last = Int(digits: ends[1]),
      let total = Int(digits: numbers[1]), first <= last, last < total
    else { return nil }
    (self.first, self.last, self.total) = (Int64(first), Int64(last), Int64(total))
  }

  var count: Int64 { last - first + 1 }
}

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

  private static let malformed = MockFailure(.invalidArgument, "Content-Digest must be sha-256=:<base64>:")
}
