import NovaCore

/// A form with fields and files (`multipart/form-data`, RFC 7578).
///
/// It is recognized by its first line, which is the boundary, because archives can lack the header that names it. Clients
/// choose a new boundary for each form, so forms are compared by their parts.
struct MultipartForm: Sendable {
  /// A field or a file.
  struct Part: Sendable {
    /// The header lines.
    var head: String
    var content: [UInt8]
  }

  var parts: [Part] = []
  /// The first line, with its hyphens.
  private let boundary: [UInt8]
  /// What follows the last part; nil if the form is cut off within that part.
  private var ending: [UInt8]?
  private var isWhole = false

  private static let lineEnd = Array("\r\n".utf8)
  private static let headEnd = Array("\r\n\r\n".utf8)
  /// Two hyphens and at most 70 characters.
  private static let longestBoundary = 72
  private static let longestHead = 16 << 10

  /// Parses a form, also one that is cut off; nil for any other body.
  init?(_ body: [UInt8]) {
    guard body.starts(with: "--".utf8),
      let first = body.prefix(Self.longestBoundary + 2).firstPlace(of: Self.lineEnd), first > 2
    else { return nil }
    boundary = Array(body[..<first])
    let delimiter = Self.lineEnd + boundary
    var start = first + 2
    while true {
      guard let headEnd = body[start...].prefix(Self.longestHead).firstPlace(of: Self.headEnd) else {
        if parts.isEmpty { return nil }
        ending = boundary + Self.lineEnd + body[start...]
        return
      }
      let head = String(decoding: body[start..<headEnd], as: UTF8.self)
      if parts.isEmpty, !head.lowercased().contains("content-disposition: form-data") { return nil }
      start = headEnd + 4
      guard let (end, next) = Self.end(of: body, from: start, delimiter) else {
        parts.append(Part(head: head, content: Array(body[start...])))
        return
      }
      parts.append(Part(head: head, content: Array(body[start..<end])))
      guard let next else {
        ending = Array(body[(end + 2)...])
        isWhole = true
        return
      }
      start = next
    }
  }

  /// Returns the end of the part's content, and the start of the next part; nil without an end.
  private static func end(of body: [UInt8], from start: Int, _ delimiter: [UInt8]) -> (end: Int, next: Int?)? {
    var rest = body[start...]
    while let end = rest.firstPlace(of: delimiter) {
      let after = end + delimiter.count
      if body[after...].starts(with: "--".utf8) { return (end, nil) }
      if body[after...].starts(with: lineEnd) { return (end, after + 2) }
      rest = body[after...]
    }
    return nil
  }

  /// The form as bytes: those that were parsed, unless parts have changed, or header lines were not UTF-8.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for (index, part) in parts.enumerated() {
      bytes += boundary + Self.lineEnd + part.head.utf8 + Self.headEnd + part.content
      if index < parts.count - 1 || ending != nil { bytes += Self.lineEnd }
    }
    return bytes + (ending ?? [])
  }

  /// The parts, for comparing forms with other boundaries; nil if the form is cut off.
  var canonical: JSONValue? {
    guard isWhole else { return nil }
    return .array(
      parts.map { part in
        ["headers": .string(part.headWithoutLength), "content": RecordedBody(part.content).canonicalContent]
      })
  }
}

extension MultipartForm.Part {
  /// The name of the field.
  var name: String? {
    for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix("content-disposition:") {
      for parameter in line.split(separator: ";") {
        let parameter = parameter.drop { $0 == " " || $0 == "\t" }
        guard parameter.lowercased().hasPrefix("name=") else { continue }
        return parameter.dropFirst(5).filter { $0 != "\"" }
      }
    }
    return nil
  }

  /// The header lines without the length of the content, which differs for a secret.
  var headWithoutLength: String {
    head.split(separator: "\r\n").filter { !$0.lowercased().hasPrefix("content-length:") }.joined(separator: "\r\n")
  }
}

extension ArraySlice<UInt8> {
  /// The index of the first occurrence of a pattern that is not empty.
  fileprivate func firstPlace(of pattern: [UInt8]) -> Int? {
    var rest = self
    while let start = rest.firstIndex(of: pattern[0]) {
      rest = rest[start...]
      if rest.starts(with: pattern) { return start }
      rest = rest.dropFirst()
    }
    return nil
  }
}
