import NovaSupport

/// Collects the header lines of a response: the final block only, neither 1xx responses before it nor trailers after.
struct ResponseHead {
  private enum Expected { case statusLine, informationalField, field, nothing }

  private var expected = Expected.statusLine
  private var lines: [UInt8] = []
  /// Bytes of all lines so far, those of 1xx responses and trailers too.
  private(set) var receivedBytes = 0
  /// The status of the latest block.
  private(set) var status = 0
  /// Whether the status line names HTTP/2.
  private(set) var isHTTP2 = false

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
      let digits = line.firstIndex(of: UInt8(ascii: " ")).map { line[($0 + 1)...].prefix(3) } ?? line[..<0]
      status = digits.allSatisfy(\.isASCIIDigit) ? digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } : 0
      expected = digits.first == UInt8(ascii: "1") ? .informationalField : .field
    case .informationalField: if isBlank { expected = .statusLine }
    case .field: if isBlank { expected = .nothing } else { lines.append(contentsOf: line) }
    case .nothing: break
    }
  }

  /// Whether no body follows, whatever length the head announces.
  func isWithoutBody(for method: HTTPMethod) -> Bool { method == .head || status == 204 || status == 304 }

  /// The fields of the final block. Malformed lines are left out, and folded ones joined.
  func headers() -> HTTPHeaders {
    var fields: [HTTPHeaders.Field] = []
    fields.reserveCapacity(12)
    lines.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
        Self.parse(rest[..<end], into: &fields)
        rest = rest[end...].dropFirst()
      }
    }
    return HTTPHeaders(fields)
  }

  private static func parse(_ line: Slice<UnsafeRawBufferPointer>, into fields: inout [HTTPHeaders.Field]) {
    if line.first.map(isSpace) == true {
      guard let last = fields.indices.last else { return }
      fields[last].value += " " + text(line)
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
      fields.append(.init(name: text(line[..<colon]), value: text(line[(colon + 1)...])))
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  /// What is between the white space, as text.
  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    var (start, end) = (bytes.startIndex, bytes.endIndex)
    while start < end, isSpace(bytes[start]) { start += 1 }
    while start < end, isSpace(bytes[end - 1]) { end -= 1 }
    return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
  }
}

extension HTTPHeaders {
  /// The size that a server announces for a body that is not compressed; nil if it announces none.
  var contentLength: Int? {
    guard self["Content-Encoding"] == nil, self["Transfer-Encoding"] == nil else { return nil }
    return self["Content-Length"].flatMap { Int(digits: $0[...]) }
  }
}
