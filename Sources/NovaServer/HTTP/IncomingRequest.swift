#if Server
  import NIOCore
  import NIOHTTP1
  import NovaCore

  /// A request that arrives part by part.
  struct IncomingRequest: Sendable {
    /// The largest body of a request, in bytes.
    static let bodyLimit = 8 << 20

    let head: HTTPRequestHead
    private var bytes: [UInt8] = []
    private var size = 0

    init(_ head: HTTPRequestHead) { self.head = head }

    /// The rest of what is too large is read and dropped: a client that is still sending would not see the answer.
    mutating func append(_ part: ByteBuffer) {
      size += part.readableBytes
      if size <= Self.bodyLimit { bytes.append(contentsOf: part.readableBytesView) } else { bytes = [] }
    }

    /// Nil when it is larger than the limit.
    var body: [UInt8]? { size <= Self.bodyLimit ? bytes : nil }

    /// Whether the client sends its body only when it is told to. It is told so also of one that is too large: what it
    /// then sends is dropped.
    var waitsForLeave: Bool {
      head.version != .http1_0 && head.headers.first(name: "Expect")?.lowercased() == "100-continue"
    }

    var method: NovaCore.HTTPMethod { NovaCore.HTTPMethod(rawValue: head.method.rawValue) }

    var headers: NovaCore.HTTPHeaders {
      var headers = NovaCore.HTTPHeaders()
      for (name, value) in head.headers { headers.append(name: name, value: value) }
      return headers
    }
  }
#endif
