#if Server
  import CNovaZlib

  /// Messages compressed with gzip.
  enum Gzip {
    enum Problem: Error { case invalid, tooLarge }

    /// Whether the system has zlib.
    static let isAvailable = nova_zlib_load() == nil

    /// The compressed bytes, after `count` zero bytes; nil if that fails, or makes them larger.
    static func compress(_ bytes: ArraySlice<UInt8>, after count: Int) -> [UInt8]? {
      guard isAvailable else { return nil }
      let capacity = nova_gzip_bound(bytes.count)
      let compressed = [UInt8](unsafeUninitializedCapacity: count + capacity) { room, size in
        for index in 0..<count { room.initializeElement(at: index, to: 0) }
        guard let start = room.baseAddress else { return }
        size = bytes.withUnsafeBufferPointer { input in
          input.baseAddress.map { nova_gzip_compress($0, input.count, start + count, capacity) } ?? 0
        }
        if size > 0 { size += count }
      }
      return compressed.isEmpty || compressed.count - count >= bytes.count ? nil : compressed
    }

    /// - Parameter limit: the maximum size of the result.
    static func decompress(_ bytes: [UInt8], upTo limit: Int) throws(Problem) -> [UInt8] {
      guard isAvailable else { throw .invalid }
      var capacity = min(max(bytes.count * 4, 1024), limit)
      while true {
        var result = NOVA_GZIP_INVALID
        let decompressed = [UInt8](unsafeUninitializedCapacity: capacity + 1) { room, size in
          bytes.withUnsafeBufferPointer { input in
            guard let start = input.baseAddress, let output = room.baseAddress else { return }
            result = nova_gzip_decompress(start, input.count, output, capacity + 1, &size)
          }
        }
        switch result {
        case NOVA_GZIP_DONE where decompressed.count <= limit: return decompressed
        case NOVA_GZIP_DONE: throw .tooLarge
        case NOVA_GZIP_TOO_LARGE where capacity < limit: capacity = min(capacity * 4, limit)
        case NOVA_GZIP_TOO_LARGE: throw .tooLarge
        default: throw .invalid
        }
      }
    }
  }
#endif
