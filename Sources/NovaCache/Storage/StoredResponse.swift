import NovaCore
import NovaCrypto
import NovaMedia

/// A response in the cache: its head, and where its body is.
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

  /// What it is stored under.
  var key: CacheKey
  var head: StoredHead
  var body: Body
  /// When it was found, see `CacheStore.isCurrent`.
  var mark: UInt64 = 0
  /// Whether it was removed: it can still be an answer, but must not come back into memory by that.
  var isRemoved = false

  var source: CachedMedia.Source { if case .memory = body { .memory } else { .disk } }
}

extension StoredResponse {
  /// Whether a 304 is about this response: by what identifies it, and by the digest of its bytes if the server sends one.
  func isConfirmed(by headers: HTTPHeaders) -> Bool {
    guard Validators(head.headers)?.areConfirmed(by: headers) ?? true else { return false }
    // The digest is that of the bytes before they were decompressed.
    guard !head.headers.isEncoded, let digest = DigestField.sha256("Repr-Digest", in: headers) else { return true }
    switch body {
    case .memory(let bytes): return (try? SHA256.digest(of: bytes)).map { $0 == digest } ?? true
    case .disk(let file): return file.bodyDigest == digest
    }
  }
}
