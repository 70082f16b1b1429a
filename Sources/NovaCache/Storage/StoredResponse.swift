import NovaCore

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
