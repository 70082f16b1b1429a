#if Server
  import NIOCore
  import NIOHTTP1
  import NovaCore
  import NovaMock

  /// A request that arrives part by part.
  struct IncomingRequest: Sendable {
    let head: HTTPRequestHead
    private var bytes: [UInt8] = []
    private var size = 0
    /// The response if the body was dropped.
    private(set) var refusal: NovaCore.HTTPResponse?
    /// The bytes of an upload, which are written to disk instead of being stored here.
    var chunk: IncomingChunk?
    /// Whether the body is read and dropped, because the request's headers decide the response.
    var ignoresBody = false

    init(_ head: HTTPRequestHead) { self.head = head }

    /// Appends a part of the body. The rest of a body that is too large is read and dropped, because a client that is
    /// still sending would not read the response.
    mutating func append(_ part: ByteBuffer, _ lease: MemoryLease) {
      guard refusal == nil, !ignoresBody else { return }
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

    /// The number of stored bytes of the body.
    var heldBytes: Int { bytes.count }

    /// The announced size of the body; 0 if it is unknown.
    var announcedSize: Int { head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0 }

    /// Whether the body may be too large to wait for before it is passed on.
    var isLarge: Bool { announcedSize > 64 << 10 || head.headers.contains(name: "Transfer-Encoding") }

    /// Whether the headers announce a body.
    var announcesBody: Bool { announcedSize > 0 || head.headers.contains(name: "Transfer-Encoding") }

    /// Whether the client wants to use another protocol after this request. With CONNECT, what follows is the body of
    /// nothing.
    var leavesHTTP: Bool { head.method == .CONNECT || head.headers.contains(name: "Upgrade") }

    /// Whether the client waits for `100 Continue` before it sends the announced body.
    var waitsForLeave: Bool { announcesBody && head.method != .CONNECT && HeadCheck(head).waitsForLeave }

    /// The request for the application.
    var received: ReceivedRequest {
      ReceivedRequest(
        method: NovaCore.HTTPMethod(rawValue: head.method.rawValue), target: RequestTarget.normalized(head.uri),
        needsHost: head.version != .http1_0 && head.version != .http0_9, headers: headers, body: bytes,
        announcesBody: announcesBody, writtenTarget: head.uri)
    }

    private var headers: NovaCore.HTTPHeaders {
      NovaCore.HTTPHeaders(head.headers.map { .init(name: $0.name, value: $0.value) })
    }
  }
#endif
