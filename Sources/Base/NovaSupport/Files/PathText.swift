// A path is a sequence of bytes, mostly UTF-8, but Swift strings are always UTF-8. A byte of a path that is not valid
// UTF-8 is therefore represented by a private-use character of its own: U+EF00 plus the byte. If a path already
// contains the bytes of such a character, each of them is represented in this way. So every path has exactly one text,
// and every text leads back to its path.
//
// Paths become texts where they enter the program: in arguments, the environment, directory listings, and links.
// SystemPaths.swift converts them back to bytes. In between, they are joined and split as usual.

extension Unicode.Scalar {
  /// The byte of a path that this character represents; nil for any other character.
  fileprivate var pathByte: UInt8? {
    (0xEF80...0xEFFF).contains(value) ? UInt8(truncatingIfNeeded: value) : nil
  }

  fileprivate init(pathByte byte: UInt8) { self = Unicode.Scalar(0xEF00 + UInt32(byte)) ?? "\u{FFFD}" }
}

extension String {
  /// Creates the text of a path.
  package init(path bytes: some Collection<UInt8>) {
    if let text = String(validating: bytes, as: UTF8.self), !text.hasPathBytes {
      self = text
      return
    }
    let bytes = Array(bytes)
    var text = ""
    var position = 0
    while position < bytes.count {
      let length = Self.characterLength(bytes, at: position)
      let end = position + (length ?? 1)
      let character = String(decoding: bytes[position..<end], as: UTF8.self)
      if length == nil || character.hasPathBytes {
        for byte in bytes[position..<end] { text.unicodeScalars.append(Unicode.Scalar(pathByte: byte)) }
      } else {
        text.unicodeScalars.append(contentsOf: character.unicodeScalars)
      }
      position = end
    }
    self = text
  }

  /// Creates the text of a path from the system.
  package init(path: UnsafePointer<CChar>) {
    var count = 0
    while path[count] != 0 { count += 1 }
    self.init(path: UnsafeBufferPointer(start: path, count: count).map { UInt8(bitPattern: $0) })
  }

  /// The bytes that the text of a path represents.
  package var pathBytes: [UInt8] {
    guard hasPathBytes else { return utf8Bytes }
    var bytes: [UInt8] = []
    for scalar in unicodeScalars {
      if let byte = scalar.pathByte { bytes.append(byte) } else { bytes += Array(String(scalar).utf8) }
    }
    return bytes
  }

  /// Whether the path is not valid UTF-8, or contains characters that represent bytes here.
  package var hasPathBytes: Bool {
    // The first UTF-8 byte of these characters.
    utf8.contains(0xEE) && unicodeScalars.contains { $0.pathByte != nil }
  }

  /// The path for people and other machines, with U+FFFD in place of invalid UTF-8. It does not lead to a file.
  package var shownPath: String { hasPathBytes ? String(decoding: pathBytes, as: UTF8.self) : self }

  /// Calls `body` with the bytes of a path, as the system expects them.
  package func withPath<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
    guard hasPathBytes else { return try withCString(body) }
    let bytes = pathBytes.map { CChar(bitPattern: $0) } + [0]
    return try bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return try withCString(body) }
      return try body(start)
    }
  }

  /// The number of bytes of the UTF-8 character at `start`; nil if it is not valid UTF-8.
  private static func characterLength(_ bytes: [UInt8], at start: Int) -> Int? {
    let length: Int
    switch bytes[start] {
    case ..<0x80: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF: length = 3
    case 0xF0...0xF4: length = 4
    default: return nil
    }
    guard start + length <= bytes.count else { return nil }
    // The standard library rejects overlong forms, surrogates, and values that are too large.
    return String(validating: bytes[start..<start + length], as: UTF8.self) == nil ? nil : length
  }
}

extension String {
  /// The last component of a path, without trailing slashes; empty for `/`.
  ///
  /// Compares bytes, because a slash and a combining accent after it are one `Character`.
  package var lastPathPart: String {
    let bytes = utf8Bytes
    let end = bytes.lastIndex { $0 != UInt8(ascii: "/") }.map { $0 + 1 } ?? 0
    let start = bytes[..<end].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// The directory of a path; `.` if the path has only one component.
  package var parentPath: String {
    let bytes = utf8Bytes
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
  }
}
