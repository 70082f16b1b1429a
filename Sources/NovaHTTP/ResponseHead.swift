import NovaSupport

/// Collects the header lines of a response: the final block, not the 1xx responses before it, and of the trailers those of
/// gRPC's status.
struct ResponseHead {
  private enum Expected { case statusLine, informationalField, field, nothing }

  private var expected = Expected.statusLine
  private var lines: [UInt8] = []
  /// The lines after the body that report how the call ended.
  private var trailerLines: [UInt8] = []
  /// The room for the lines, which most heads fit in.
  private static let usualSize = 512
  /// Bytes of all lines so far, those of 1xx responses and trailers too.
  private(set) var receivedBytes = 0
  /// The status of the latest block.
  private(set) var status = 0
  /// Whether the status line names HTTP/2.
  private(set) var isHTTP2 = false
  /// Whether the final block has a field whose name can be `Content-Encoding`.
  private var mayNameCoding = false
  /// Whether it has a field whose name can be `Content-Length`.
  private var mayNameLength = false

  /// Creates an empty head.
  ///
  /// - Parameter reservingRoom: whether with room for the lines of most heads.
  init(reservingRoom: Bool = false) { if reservingRoom { lines.reserveCapacity(Self.usualSize) } }

  /// Whether the final block is complete.
  var isComplete: Bool { expected == .nothing }

  /// Takes one line with its line end.
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
    case .nothing: if Self.isOfStatus(line) { trailerLines.append(contentsOf: line) }
    }
  }

  /// Whether a trailer is `grpc-status` or what goes with it.
  private static func isOfStatus(_ line: UnsafeRawBufferPointer) -> Bool {
    line.count > 5 && zip(line, "grpc-".utf8).allSatisfy { $0 | 0x20 == $1 }
  }

  /// Whether no body follows, whatever length the head announces.
  func isWithoutBody(for method: HTTPMethod) -> Bool { method == .head || status == 204 || status == 304 }

  /// Whether `Content-Encoding` is there and names nothing that changes the bytes. libcurl would refuse the body.
  var namesOnlyUnknownCodings: Bool { mayNameCoding && headers()["Content-Encoding"] != nil && !headers().isEncoded }

  /// An invalid `Content-Length`, which leaves the end of the body unknown; nil otherwise. libcurl reads the digits at the
  /// beginning, or ignores the field. The status of a failure counts whatever its length.
  func invalidLength(for method: HTTPMethod) -> String? {
    guard mayNameLength, status < 400, !isWithoutBody(for: method), case .invalid(let text) = AnnouncedLength(headers())
    else { return nil }
    return text
  }

  private static func mayNameLength(_ line: UnsafeRawBufferPointer) -> Bool {
    line.count > 14 && line[8] | 0x20 == UInt8(ascii: "l") && line[0] | 0x20 == UInt8(ascii: "c")
  }

  /// Looks at few bytes, because every field of every response comes here.
  private static func mayNameCoding(_ line: UnsafeRawBufferPointer) -> Bool {
    line.count > 17 && line[16] == UInt8(ascii: ":") && line[8] | 0x20 == UInt8(ascii: "e")
      && line[0] | 0x20 == UInt8(ascii: "c")
  }

  /// The fields of the final block, and of the trailers. Malformed lines are left out, and folded ones joined.
  func headers() -> HTTPHeaders {
    var fields: [HTTPHeaders.Field] = []
    fields.reserveCapacity(12)
    Self.parse(lines, into: &fields)
    if !trailerLines.isEmpty { Self.parse(trailerLines, into: &fields) }
    return HTTPHeaders(fields)
  }

  /// What the trailers report; nil if they report no failure.
  var failureInTrailers: FailureInTrailers? {
    if trailerLines.isEmpty { return nil }
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

  /// The first place of a byte, or the end.
  private static func place(of byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var place = start
    while place < bytes.count, bytes[place] != byte { place += 1 }
    return place
  }

  /// What is between the white space, as text.
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
  /// The size that a server announces for a body that is not compressed; nil if it announces none.
  package var contentLength: Int? {
    isEncoded ? nil : AnnouncedLength(self).count
  }
}
