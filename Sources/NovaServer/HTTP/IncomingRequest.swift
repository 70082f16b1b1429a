#if Server
  import NIOCore
  import NIOHTTP1
  import NovaCore

  /// A request that arrives part by part.
  struct IncomingRequest: Sendable {
    let head: HTTPRequestHead
    private var bytes: [UInt8] = []
    private var size = 0
    /// Why the body was not kept.
    private(set) var refusal: NovaCore.HTTPResponse?

    init(_ head: HTTPRequestHead) { self.head = head }

    /// The rest of what cannot be kept is read and dropped: a client that is still sending would not see the answer.
    mutating func append(_ part: ByteBuffer, _ lease: MemoryLease) {
      guard refusal == nil else { return }
      size += part.readableBytes
      if size > ReceivedRequest.bodyLimit {
        drop(lease, Refusal.tooLarge)
      } else if lease.add(part.readableBytes) {
        bytes.append(contentsOf: part.readableBytesView)
      } else {
        drop(lease, Refusal.noRoom)
      }
    }

    private mutating func drop(_ lease: MemoryLease, _ refusal: NovaCore.HTTPResponse) {
      lease.remove(bytes.count)
      bytes = []
      self.refusal = refusal
    }

    /// How many bytes of the body are held.
    var heldBytes: Int { bytes.count }

    /// Whether the client sends its body only when it is told to. It is told so also of one that is too large: what it
    /// then sends is dropped.
    var waitsForLeave: Bool {
      head.version != .http1_0 && head.headers.first(name: "Expect")?.lowercased() == "100-continue"
    }

    /// What the application gets.
    var received: ReceivedRequest {
      ReceivedRequest(
        method: NovaCore.HTTPMethod(rawValue: head.method.rawValue), target: head.uri,
        needsHost: head.version != .http1_0 && head.version != .http0_9, headers: headers, body: bytes)
    }

    private var headers: NovaCore.HTTPHeaders {
      var headers = NovaCore.HTTPHeaders()
      for (name, value) in head.headers { headers.append(name: name, value: value) }
      return headers
    }
  }
#endif
