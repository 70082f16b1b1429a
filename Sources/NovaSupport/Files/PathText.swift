// A path is bytes, mostly UTF-8, and Swift's strings are always UTF-8. So a byte of a path that is not stands in the text
// as a character of its own: U+EF00 plus the byte, which is private to everybody. Bytes that spell one of these characters
// stand as three of them, so that every path has one text, and every text leads back to its path.
//
// Texts come into being where paths enter the program: arguments, environment, directories, links. SystemPaths.swift makes
// them bytes again. In between, they are joined and split as usual.

extension Unicode.Scalar {
  /// The byte of a path that this character stands for; nil for any other character.
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

  /// Creates the text of a path of the system.
  package init(path: UnsafePointer<CChar>) {
    var count = 0
    while path[count] != 0 { count += 1 }
    self.init(path: UnsafeBufferPointer(start: path, count: count).map { UInt8(bitPattern: $0) })
  }

  /// The bytes that the text of a path stands for.
  package var pathBytes: [UInt8] {
    guard hasPathBytes else { return utf8Bytes }
    var bytes: [UInt8] = []
    for scalar in unicodeScalars {
      if let byte = scalar.pathByte { bytes.append(byte) } else { bytes += Array(String(scalar).utf8) }
    }
    return bytes
  }

  /// Whether the text stands for a path that is not UTF-8, or that has characters which stand for bytes here.
  package var hasPathBytes: Bool {
    // The first byte of these characters in UTF-8.
    utf8.contains(0xEE) && unicodeScalars.contains { $0.pathByte != nil }
  }

  /// The path for people and for other computers: U+FFFD in place of what is not UTF-8. It leads to no file.
  package var shownPath: String { hasPathBytes ? String(decoding: pathBytes, as: UTF8.self) : self }

  /// Calls `body` with the bytes that the text of a path stands for, as the system takes them.
  package func withPath<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
    guard hasPathBytes else { return try withCString(body) }
    let bytes = pathBytes.map { CChar(bitPattern: $0) } + [0]
    return try bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return try withCString(body) }
      return try body(start)
    }
  }

  /// The number of bytes of the character here; nil if there is none in UTF-8.
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
    // What is too long, a surrogate, or too large: the library knows.
    return String(validating: bytes[start..<start + length], as: UTF8.self) == nil ? nil : length
  }
}

extension String {
  /// The last part of a path, without slashes behind it; empty for `/`.
  ///
  /// By bytes: to `Character`, a slash and an accent that the next name begins with are one.
  package var lastPathPart: String {
    let bytes = utf8Bytes
    let end = bytes.lastIndex { $0 != UInt8(ascii: "/") }.map { $0 + 1 } ?? 0
    let start = bytes[..<end].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// The directory of a path, as `.` if it names none.
  package var parentPath: String {
    let bytes = utf8Bytes
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
  }
}
