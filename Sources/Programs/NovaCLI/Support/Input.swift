import NovaCore

/// The input of a command, and its name in messages.
struct Input {
  let bytes: [UInt8]
  /// `page.json`; nil for standard input.
  let name: String?

  static let limit = 256 * 1024 * 1024

  /// Reads a file, or standard input for nil or `-`.
  ///
  /// - Parameter what: the expected content, for the note on a terminal.
  static func read(_ path: String?, what: String = "JSON") throws -> Input {
    guard let path, path != "-" else { return try standardInput(what) }
    let name = path.shownPath
    return Input(bytes: try check(name) { try SystemIO.readFile(path, limit: limit, .any) }, name: name)
  }

  private static func standardInput(_ what: String) throws -> Input {
    if System.isTerminal(System.standardInput) {
      Diagnostics.note("reading \(what) from the terminal; end with Ctrl-D")
    }
    let bytes = try check("standard input") { try SystemIO.readAll(System.standardInput, limit: limit) }
    return Input(bytes: bytes, name: nil)
  }

  private static func check(_ name: String, _ read: () throws -> [UInt8]?) throws -> [UInt8] {
    if let bytes = try Failure.explaining("cannot read \(name)", as: .badData, read) { return bytes }
    throw Failure("cannot read \(name): larger than \(limit / 1_048_576) MiB", .badData)
  }

  /// Returns the text of an argument, or else of standard input without the line break at its end.
  static func text(_ argument: String?) throws -> String {
    if let argument, argument != "-" { return argument }
    guard let text = InputText.text(of: try read(nil, what: "the text").bytes) else {
      throw Failure("cannot read standard input: not UTF-8", .badData)
    }
    return text
  }
}

/// A text that was written to a file or a pipe, by an editor or by `echo`.
enum InputText {
  /// The text without the byte order mark at its start and the line break at its end, which has two bytes on Windows. Nil
  /// if it is not UTF-8.
  static func text(of bytes: [UInt8]) -> String? {
    var bytes = bytes[...]
    if bytes.starts(with: ByteOrderMark.utf8) { bytes = bytes.dropFirst(ByteOrderMark.utf8.count) }
    if bytes.last == UInt8(ascii: "\n") {
      bytes = bytes.dropLast()
      if bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
