import NovaSupport

/// Collects the header lines of a response: those of the final block, without 1xx responses, and the gRPC status fields
/// of the trailers.
struct ResponseHead {
  private enum Expected { case statusLine, informationalField, field, nothing }

  private var expected = Expected.statusLine
  private var lines: [UInt8] = []
  /// The trailer lines that report how the call ended, or all.
  private var trailerLines: [UInt8] = []
  /// Whether to keep all trailers, apart from the header fields.
  var keepsTrailers = false
  /// The capacity for the lines, which is enough for most heads.
  private static let usualSize = 512
  /// The bytes of all lines so far, including 1xx responses and trailers.
  private(set) var receivedBytes = 0
  /// The status of the latest block.
  private(set) var status = 0
  /// Whether the status line names HTTP/2.
  private(set) var isHTTP2 = false
  /// Whether the final block has a field whose name may be `Content-Encoding`.
  private var mayNameCoding = false
  /// Whether the final block has a field whose name may be `Content-Length`.
  private var mayNameLength = false

  /// Creates an empty head.
  ///
  /// - Parameter reservingRoom: whether to reserve capacity for the lines of most heads.
  init(reservingRoom: Bool = false) { if reservingRoom { lines.reserveCapacity(Self.usualSize) } }

  /// Whether the final block is complete.
  var isComplete: Bool { expected == .nothing }

  /// Adds one line, including its line end.
  mutating func receive(_ line: UnsafeRawBufferPointer) {
    receivedBytes += line.count
    let isBlank = line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n")
    switch expected {
    case .statusLine:
      isHTTP2 = line.starts(with: "HTTP/2".utf8)
      // "HTTP/1.1 100 Continue": the digits follow the first space.
      let start = min(Self.place(of: UInt8(ascii: " "), in: line, from: 0) + 1, line.count)
      let end = min(start + 3, line.count)
      status = 0
      for place in start..<end {
        guard line[place].isASCIIDigit else {
          status = 0
          break
        }
        status = status * 10 + Int(line[place] - UInt8(ascii: "0"))
      }
      expected = start < end && line[start] == UInt8(ascii: "1") ? .informationalField : .field
    case .informationalField: if isBlank { expected = .statusLine }
    case .field:
      if isBlank {
        expected = .nothing
      } else {
        if Self.mayNameCoding(line) { mayNameCoding = true }
        if Self.mayNameLength(line) { mayNameLength = true }
        lines.append(contentsOf: line)
      }
    case .nothing: if keepsTrailers ? !isBlank : Self.isOfStatus(line) { trailerLines.append(contentsOf: line) }
    }
  }

  /// Whether a trailer is `grpc-status` or belongs to it.
  private static func isOfStatus(_ line: UnsafeRawBufferPointer) -> Bool {
    line.count > 5 && zip(line, "grpc-".utf8).allSatisfy { $0 | 0x20 == $1 }
  }

  /// Whether the response has no body, whatever length its head announces.
  func isWithoutBody(for method: HTTPMethod) -> Bool { method == .head || status == 204 || status == 304 }

  /// Whether there is a `Content-Encoding` that does not change the bytes. libcurl would refuse the body.
  var namesOnlyUnknownCodings: Bool { mayNameCoding && headers()["Content-Encoding"] != nil && !headers().isEncoded }

  /// An invalid `Content-Length`, which leaves the end of the body unknown; nil if valid. libcurl would read the
  /// leading digits, or ignore the field. In a failure, the status matters more than the length.
  func invalidLength(for method: HTTPMethod) -> String? {
    guard mayNameLength, status < 400, !isWithoutBody(for: method), case .invalid(let text) = AnnouncedLength(headers())
    else { return nil }
    return text
  }

  private static func mayNameLength(_ line: UnsafeRawBufferPointer) -> Bool {
    line.count > 14 && line[8] | 0x20 == UInt8(ascii: "l") && line[0] | 0x20 == UInt8(ascii: "c")
  }

  /// Checks only a few bytes, because every field of every response comes here.
  private static func mayNameCoding(_ line: UnsafeRawBufferPointer) -> Bool {
    line.count > 17 && line[16] == UInt8(ascii: ":") && line[8] | 0x20 == UInt8(ascii: "e")
      && line[0] | 0x20 == UInt8(ascii: "c")
  }

  /// The fields of the final block and of the trailers. Malformed lines are dropped, and folded ones joined.
  func headers() -> HTTPHeaders {
    var fields: [HTTPHeaders.Field] = []
    fields.reserveCapacity(12)
    Self.parse(lines, into: &fields)
    if !trailerLines.isEmpty, !keepsTrailers { Self.parse(trailerLines, into: &fields) }
    return HTTPHeaders(fields)
  }

  /// The fields of the trailers, if they are kept.
  var trailers: HTTPHeaders {
    var fields: [HTTPHeaders.Field] = []
    if keepsTrailers { Self.parse(trailerLines, into: &fields) }
    return HTTPHeaders(fields)
  }

  /// The failure that the trailers report; nil if they report none.
  var failureInTrailers: FailureInTrailers? {
    if trailerLines.isEmpty || keepsTrailers { return nil }
    var fields: [HTTPHeaders.Field] = []
    Self.parse(trailerLines, into: &fields)
    let headers = HTTPHeaders(fields)
    return headers.failedGRPCStatus.map { _ in FailureInTrailers(headers: headers) }
  }

  private static func parse(_ lines: [UInt8], into fields: inout [HTTPHeaders.Field]) {
    lines.withUnsafeBytes { bytes in
      var start = 0
      while start < bytes.count {
        let end = Self.place(of: UInt8(ascii: "\n"), in: bytes, from: start)
        Self.parse(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), into: &fields)
        start = end + 1
      }
    }
  }

  private static func parse(_ line: UnsafeRawBufferPointer, into fields: inout [HTTPHeaders.Field]) {
    if let first = line.first, isSpace(first) {
      guard let last = fields.indices.last else { return }
      fields[last].value += " " + trimmed(line, from: 0, to: line.count)
    } else {
      let colon = place(of: UInt8(ascii: ":"), in: line, from: 0)
      guard colon < line.count else { return }
      let value = trimmed(line, from: colon + 1, to: line.count)
      fields.append(.init(name: trimmed(line, from: 0, to: colon), value: value))
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  /// The index of the first occurrence of a byte, or the end.
  private static func place(of byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var place = start
    while place < bytes.count, bytes[place] != byte { place += 1 }
    return place
  }

  /// The text without surrounding whitespace.
  @inline(never)
  private static func trimmed(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> String {
    var (start, end) = (start, end)
    while start < end, isSpace(bytes[start]) { start += 1 }
    while start < end, isSpace(bytes[end - 1]) { end -= 1 }
    return text(bytes, from: start, to: end)
  }

  private static func text(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
  }
}

extension HTTPHeaders {
  /// The announced size of a body that is not compressed; nil if absent.
  package var contentLength: Int? {
    isEncoded ? nil : AnnouncedLength(self).count
  }
}
