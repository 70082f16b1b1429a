#if GRPC
  import NovaSupport

  /// The fields of a head or of trailers, as they arrived. They are made into ``HTTPHeaders`` on the caller's task.
  struct HTTP2FieldBlock: Sendable {
    /// Names and values, each ended by NUL, which neither contains.
    private var text: [UInt8] = []
    private var count = 0
    /// The status code; nil in trailers.
    private(set) var status: Int?

    /// The size as the sender counts it (RFC 9113, section 6.5.2).
    var size: Int { text.count + 32 * count }

    mutating func add(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
      if name.first == UInt8(ascii: ":") {
        // nghttp2 has checked that it is `:status`, with three digits.
        status = value.reduce(0) { 10 * $0 + Int($1) - 0x30 }
        return
      }
      if text.isEmpty { text.reserveCapacity(480) }
      text.append(contentsOf: name)
      text.append(0)
      text.append(contentsOf: value)
      text.append(0)
      count += 1
    }

    var headers: HTTPHeaders {
      var headers = HTTPHeaders()
      headers.reserveCapacity(count)
      text.withUnsafeBufferPointer { bytes in
        var start = 0
        func takeText() -> String {
          var end = start
          while bytes[end] != 0 { end += 1 }
          defer { start = end + 1 }
          return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
        }
        for _ in 0..<count { headers.append(name: takeText(), value: takeText()) }
      }
      return headers
    }
  }
#endif
