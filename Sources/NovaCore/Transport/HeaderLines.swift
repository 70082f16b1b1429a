/// Header fields in the form libcurl takes them: lines ended by NUL, one after the other.
struct HeaderLines: Sendable {
  private(set) var bytes: [UInt8] = []
  private(set) var count = 0

  /// Checks and encodes `headers` for a request with this body, `nil` for none.
  ///
  /// - Throws: ``TransportError`` of kind `invalidHeader`, naming the field but never its value.
  init(_ headers: HTTPHeaders, userAgent: String, body: HTTPBody?) throws(TransportError) {
    bytes.reserveCapacity(headers.fields.reduce(128) { $0 + $1.name.utf8.count + $1.value.utf8.count + 3 })
    if !userAgent.isEmpty, headers["User-Agent"] == nil {
      let field = HTTPHeaders.Field(name: "User-Agent", value: userAgent)
      try Self.check(field)
      add(field)
    }
    for field in headers.fields {
      try Self.check(field)
      if try Self.isLeftToTransport(field, body: body) { continue }
      add(field)
    }
    // A name without a value takes out what libcurl would add by itself.
    add(line: "Expect:")
    if body != nil, headers["Content-Type"] == nil { add(line: "Content-Type:") }
  }

  private mutating func add(_ field: HTTPHeaders.Field) {
    let isEmpty = field.value.utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    bytes.append(contentsOf: field.name.utf8)
    // libcurl's way to write a field that is there but empty.
    if isEmpty { return add(line: ";") }
    bytes.append(contentsOf: ": ".utf8)
    add(line: field.value)
  }

  private mutating func add(line: String) {
    bytes.append(contentsOf: line.utf8)
    bytes.append(0)
    count += 1
  }
}

extension HeaderLines {
  private static func check(_ field: HTTPHeaders.Field) throws(TransportError) {
    if let problem = field.problem { throw .invalidHeader(problem) }
  }

  /// The transport frames the message: a second opinion on where a body ends is how requests are smuggled.
  private static func isLeftToTransport(
    _ field: HTTPHeaders.Field, body: HTTPBody?
  ) throws(TransportError) -> Bool {
    if field.name.equalsIgnoringASCIICase("Content-Length") {
      guard field.value == (body ?? .empty).length.map(String.init) else {
        throw .invalidHeader("the header Content-Length is not the length of the body")
      }
      return true
    }
    for name in ["Transfer-Encoding", "Expect", "Upgrade"] where field.name.equalsIgnoringASCIICase(name) {
      throw .invalidHeader("the header \(name) is the transport's to set")
    }
    return false
  }
}

extension TransportError {
  fileprivate static func invalidHeader(_ message: String) -> TransportError {
    TransportError(.invalidHeader, message, requestMayHaveLeft: false)
  }
}
