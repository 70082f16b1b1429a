import NovaSupport

/// Header fields in the form libcurl takes them: lines ended by NUL, one after the other.
struct HeaderLines: Sendable {
  private(set) var bytes: [UInt8] = []
  private(set) var count = 0

  /// Checks and encodes `headers` for a request with this body, `nil` for none.
  ///
  /// - Throws: ``TransportError`` of kind `invalidHeader`, naming the field but never its value.
  init(_ headers: HTTPHeaders, userAgent: String, body: HTTPBody?) throws(TransportError) {
    bytes.reserveCapacity(1024)
    if !userAgent.isEmpty, headers["User-Agent"] == nil { try add("User-Agent", userAgent) }
    for field in headers.fields where try !Self.isLeftToTransport(field, body: body) {
      try add(field.name, field.value)
    }
    // A name without a value takes out what libcurl would add by itself.
    add(line: "Expect:")
    if body != nil, headers["Content-Type"] == nil { add(line: "Content-Type:") }
  }

  private mutating func add(_ name: String, _ value: String) throws(TransportError) {
    if let problem = HTTPHeaders.Field(name: name, value: value).problem { throw .invalidHeader(problem) }
    bytes.append(utf8: name)
    // libcurl's way to write a field that is there but empty.
    if value.consists(of: .blanks) { return add(line: ";") }
    bytes.append(utf8: ": ")
    add(line: value)
  }

  private mutating func add(line: String) {
    bytes.append(utf8: line)
    bytes.append(0)
    count += 1
  }
}

extension HeaderLines {
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

extension ASCIISet {
  fileprivate static let blanks = ASCIISet(" \t")
}

extension TransportError {
  fileprivate static func invalidHeader(_ message: String) -> TransportError {
    TransportError(.invalidHeader, message, requestMayHaveLeft: false)
  }
}
