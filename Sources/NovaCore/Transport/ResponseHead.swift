/// Collects the header lines of a response: the final block only, neither 1xx responses before it nor trailers after.
struct ResponseHead {
  private enum Expected { case statusLine, informationalField, field, nothing }

  private var expected = Expected.statusLine
  private var lines: [UInt8] = []
  /// Bytes of all lines so far, those of 1xx responses and trailers too.
  private(set) var receivedBytes = 0

  /// Whether the final block is complete.
  var isComplete: Bool { expected == .nothing }

  /// Takes one line with its line end.
  mutating func receive(_ line: UnsafeRawBufferPointer) {
    receivedBytes += line.count
    let isBlank = line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n")
    switch expected {
    case .statusLine:
      // "HTTP/1.1 100 Continue": the digit behind the first space tells.
      let status = line.firstIndex(of: UInt8(ascii: " ")).map { line[($0 + 1)...] }
      expected = status?.first == UInt8(ascii: "1") ? .informationalField : .field
    case .informationalField: if isBlank { expected = .statusLine }
    case .field: if isBlank { expected = .nothing } else { lines.append(contentsOf: line) }
    case .nothing: break
    }
  }

  /// The fields of the final block. A line that is none is left out, and a folded one joined.
  func headers() -> HTTPHeaders {
    var fields: [HTTPHeaders.Field] = []
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      if line.first.map(Self.isSpace) == true {
        guard let last = fields.indices.last else { continue }
        fields[last].value += " " + String(decoding: Self.trimmed(line), as: UTF8.self)
      } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
        let name = String(decoding: Self.trimmed(line[..<colon]), as: UTF8.self)
        fields.append(.init(name: name, value: String(decoding: Self.trimmed(line[(colon + 1)...]), as: UTF8.self)))
      }
    }
    return HTTPHeaders(fields)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = bytes.drop(while: isSpace)
    guard let last = start.lastIndex(where: { !isSpace($0) }) else { return [] }
    return start[...last]
  }
}
