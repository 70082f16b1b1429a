#if GRPC
  internal import CNovaHTTP2
  import NovaSupport

  /// The head of a request as nghttp2 takes it: names and values in one text. Created on the caller's thread, outside
  /// the engine's lock.
  struct HTTP2RequestFields: Sendable {
    private(set) var text: [UInt8] = []
    private(set) var fields: [nova_h2_field] = []
    /// Whether the fields contain `:authority`. Otherwise, it is the server's host and port.
    private(set) var hasAuthority = false

    /// Checks and encodes the head of a request.
    ///
    /// - Throws: ``TransportError`` of kind `invalidHeader`. It names the field, but never contains its value.
    init(_ request: HTTPRequest, userAgent: String) throws(TransportError) {
      text.reserveCapacity(1024)
      fields.reserveCapacity(request.headers.fields.count + 5)
      add(":method", request.method.rawValue)
      let target = request.url.target
      if let host = request.headers["Host"] {
        hasAuthority = true
        add(":authority", host)
      }
      add(":scheme", request.url.origin.isSecure ? "https" : "http")
      add(":path", target.hasPrefix("/") ? target : "/\(target)")
      if !userAgent.isEmpty, request.headers["User-Agent"] == nil { add("user-agent", userAgent) }
      let isChecked = request.headers.isChecked
      for field in request.headers.fields {
        if !isChecked, let problem = field.problem { throw .invalidField(problem) }
        if try Self.isSent(field, bodySize: request.body.length ?? 0) { add(field.name, field.value) }
      }
    }

    /// The fields of one connection, which HTTP/2 does not have.
    private static let dropped = ["connection", "host", "keep-alive", "proxy-connection"]
    /// The fields that would change how the message ends, or the protocol.
    private static let refused = ["expect", "transfer-encoding", "upgrade"]
    /// The fields whose values differ in each request.
    private static let unique = ["grpc-timeout", "idempotency-key", "traceparent", "x-request-id"]

    private static func isSent(_ field: HTTPHeaders.Field, bodySize: Int) throws(TransportError) -> Bool {
      let name = field.name
      if refused.contains(where: name.equalsIgnoringASCIICase) {
        throw .invalidField("the header \(name) must not be set: the transport frames the message")
      }
      if name.equalsIgnoringASCIICase("te"), field.value != "trailers" {
        throw .invalidField("the header TE can only be \"trailers\" in HTTP/2")
      }
      if name.equalsIgnoringASCIICase("Content-Length"), field.value != String(bodySize) {
        throw .invalidField("the header Content-Length is not the length of the body")
      }
      return !dropped.contains(where: name.equalsIgnoringASCIICase)
    }

    /// Calls `body` with the request.
    func withRequest<Result>(
      authority: [UInt8], hasBody: Bool, _ body: (inout nova_h2_request) -> Result
    ) -> Result? {
      text.withUnsafeBufferPointer { text in
        fields.withUnsafeBufferPointer { fields in
          authority.withUnsafeBufferPointer { authority in
            guard let textStart = text.baseAddress, let first = fields.baseAddress else { return nil }
            var request = nova_h2_request(
              text: textStart, fields: first, count: fields.count,
              authority: hasAuthority ? nil : authority.baseAddress, authority_size: authority.count, has_body: hasBody)
            return body(&request)
          }
        }
      }
    }

    private mutating func add(_ name: String, _ value: String) {
      let start = text.count
      name.readUTF8 { bytes in
        for byte in bytes { text.append(byte &- 0x41 < 26 ? byte | 0x20 : byte) }
      }
      let valueStart = text.count
      value.readUTF8 { bytes in text.append(contentsOf: bytes.trimmingBlanks) }
      fields.append(
        nova_h2_field(
          name: UInt32(start), name_size: UInt32(valueStart - start), value: UInt32(valueStart),
          value_size: UInt32(text.count - valueStart), is_unique: Self.unique.contains(name)))
    }
  }

  extension UnsafeBufferPointer<UInt8> {
    /// The bytes without surrounding spaces and tabs, which a field's value must not have.
    fileprivate var trimmingBlanks: Slice<Self> {
      var rest = self[...]
      while let first = rest.first, first == 0x20 || first == 0x09 { rest.removeFirst() }
      while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
      return rest
    }
  }

  extension TransportError {
    fileprivate static func invalidField(_ message: String) -> TransportError {
      TransportError(.invalidHeader, message, requestMayHaveLeft: false)
    }
  }
#endif
