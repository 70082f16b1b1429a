import NovaCore
import NovaCrypto
import NovaMedia

/// A response in the cache: its head, and the place of its body.
struct StoredResponse: Sendable {
  enum Body: Sendable {
    case memory([UInt8])
    case disk(DiskFile)

    var count: Int {
      switch self {
      case .memory(let bytes): bytes.count
      case .disk(let file): file.bodyCount
      }
    }
  }

  /// The key under which it is stored.
  var key: CacheKey
  var head: StoredHead
  var body: Body
  /// When it was found, see `CacheStore.isCurrent`.
  var mark = 0
  /// Whether it was removed. It can still be returned, but must not be put back into memory.
  var isRemoved = false

  var source: CachedMedia.Source { if case .memory = body { .memory } else { .disk } }
}

extension StoredResponse {
  /// Whether a 304 is about this response: compares its validators, and its digest if the server sends one.
  func isConfirmed(by headers: HTTPHeaders) -> Bool {
    guard Validators(head.headers)?.areConfirmed(by: headers) ?? true else { return false }
    // The digest covers the bytes before decompression.
    guard !head.headers.isEncoded, let digest = DigestField.sha256("Repr-Digest", in: headers) else { return true }
    switch body {
    case .memory(let bytes): return (try? SHA256.digest(of: bytes)).map { $0 == digest } ?? true
    case .disk(let file): return file.bodyDigest == digest
    }
  }
}
