internal import CNovaCurl
import NovaSupport

/// The header fields of a request as libcurl's list. Created on the caller's thread, to save time on the loop's.
final class HeaderList: @unchecked Sendable {
  // Sendable, because the list does not change after its creation.
  let lines: UnsafeMutablePointer<curl_slist>?

  /// Checks and encodes `headers` for a request with this body; `nil` for none.
  ///
  /// - Throws: ``TransportError`` of kind `invalidHeader`. It names the field, but never contains its value.
  init(
    _ headers: HTTPHeaders, userAgent: String, body: HTTPBody?, isForwarded: Bool = false
  ) throws(TransportError) {
    let encoded = try HeaderLines(headers, userAgent: userAgent, body: body, isForwarded: isForwarded)
    lines = encoded.bytes.withUnsafeBytes { bytes in
      bytes.bindMemory(to: CChar.self).baseAddress.flatMap { nova_curl_headers_new($0, bytes.count, encoded.count) }
    }
  }

  deinit { nova_curl_headers_free(lines) }
}

/// Header fields as text: consecutive lines, each ended by NUL.
struct HeaderLines {
  private(set) var bytes: [UInt8] = []
  private(set) var count = 0

  init(
    _ headers: HTTPHeaders, userAgent: String, body: HTTPBody?, isForwarded: Bool = false
  ) throws(TransportError) {
    bytes.reserveCapacity(CurlTransfer.usualBodySize)
    if !userAgent.isEmpty, !isForwarded, headers["User-Agent"] == nil {
      try add(HTTPHeaders.Field(name: "User-Agent", value: userAgent), isChecked: false)
    }
    for field in headers.fields where try !Self.isLeftToTransport(field, body: body) {
      try add(field, isChecked: headers.isChecked)
    }
    // A name without a value removes a field that libcurl would add.
    add(line: "Expect:")
    if isForwarded, headers["Accept"] == nil { add(line: "Accept:") }
    if body != nil, headers["Content-Type"] == nil { add(line: "Content-Type:") }
  }

  private mutating func add(_ field: HTTPHeaders.Field, isChecked: Bool) throws(TransportError) {
    if !isChecked, let problem = field.problem { throw .invalidHeader(problem) }
    bytes.append(utf8: field.name)
    // libcurl's syntax for an empty field.
    if field.value.consists(of: .blanks) { return add(line: ";") }
    bytes.append(utf8: ": ")
    add(line: field.value)
  }

  private mutating func add(line: String) {
    bytes.append(utf8: line)
    bytes.append(0)
    count += 1
  }
}

extension HeaderLines {
  /// The transport frames the message. A second definition of a body's end would allow request smuggling.
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
      throw .invalidHeader("the transport sets the header \(name) itself")
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
