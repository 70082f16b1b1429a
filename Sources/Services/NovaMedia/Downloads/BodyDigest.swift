package import NovaCore
import NovaCrypto

/// Reads and writes the digest fields of RFC 9530, such as `Content-Digest: sha-256=:…:`.
package enum DigestField {
  /// The value with a SHA-256 digest.
  package static func text(_ digest: [UInt8]) -> String {
    "sha-256=:\(String(decoding: Base64.encode(digest), as: UTF8.self)):"
  }

  /// The SHA-256 digest in the fields of a name; nil if absent or invalid.
  package static func sha256(_ name: String, in headers: HTTPHeaders) -> [UInt8]? {
    sha256(headers.values(for: name).joined(separator: ","))
  }

  /// The SHA-256 digest in a field; nil if absent or invalid. If there are several, the last one counts (RFC 9651,
  /// 4.2.2).
  package static func sha256(_ text: String?) -> [UInt8]? {
    guard let text, text.utf8.count <= 4096 else { return nil }
    var last: [UInt8]?
    for member in text.parts(between: ",", keepsEmpty: false) {
      let words = member.parts(between: ":", keepsEmpty: true)
      guard words.count >= 3, words[0].lowercased().filter({ $0 != " " && $0 != "\t" }) == "sha-256=" else { continue }
      if let digest = Base64.decode(words[1]), digest.count == SHA256.byteCount { last = digest }
    }
    return last
  }
}

/// Compares bytes with a digest while they arrive.
///
/// A separate task computes the digest while the next bytes are received and written, so that the times of these steps
/// don't add up.
final class DigestCheck {
  /// The number of bytes to hash at once. One task per chunk of a body would cost more than hashing it.
  private static let batchSize = 256 << 10

  private let expected: [UInt8]
  private let hash: RunningHash
  private var batch: [[UInt8]] = []
  private var batchCount = 0
  /// The batch that is being hashed. There is only one, so at most two batches are in memory.
  private var work: Task<Void, Never>?

  /// - Throws: ``APIError`` if libcrypto is missing.
  init(_ expected: [UInt8]) throws {
    self.expected = expected
    do { hash = RunningHash(try SHA256()) } catch { throw Self.failure(error) }
  }

  /// Adds bytes. Waits until the previous batch is hashed.
  func take(_ bytes: [UInt8]) async {
    batch.append(bytes)
    batchCount += bytes.count
    if batchCount >= Self.batchSize { await startBatch() }
  }

  /// Whether all bytes together match the digest. Ends the check.
  func matches() async throws -> Bool {
    await startBatch()
    await work?.value
    do { return try await hash.digest() == expected } catch { throw Self.failure(error) }
  }

  private func startBatch() async {
    await work?.value
    let (hash, bytes) = (hash, batch)
    batch.removeAll(keepingCapacity: true)
    batchCount = 0
    work = Task { await hash.update(bytes) }
  }

  private static func failure(_ error: CryptoError) -> APIError {
    APIError(
      .failedPrecondition, "cannot check the digest that the server sends", reason: "\(error)",
      rpc: MediaService.downloadBytes.descriptor.id)
  }
}

/// A digest that one task updates while another receives the next bytes.
private actor RunningHash {
  private var hash: SHA256

  init(_ hash: consuming SHA256) { self.hash = hash }

  func update(_ chunks: [[UInt8]]) {
    for chunk in chunks { hash.update(chunk) }
  }

  func digest() throws(CryptoError) -> [UInt8] { try hash.copy().finalize() }
}
