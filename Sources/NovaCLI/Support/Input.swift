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
    return Input(
      bytes: try check(path) { () throws(SystemError) in try SystemIO.readFile(path, limit: limit) }, name: path)
  }

  private static func standardInput(_ what: String) throws -> Input {
    if System.isTerminal(System.standardInput) {
      Diagnostics.note("reading \(what) from the terminal; end with Ctrl-D")
    }
    let bytes = try check("standard input") { () throws(SystemError) in
      try SystemIO.readAll(System.standardInput, limit: limit)
    }
    return Input(bytes: bytes, name: nil)
  }

  private static func check(_ name: String, _ read: () throws(SystemError) -> [UInt8]?) throws -> [UInt8] {
    do throws(SystemError) {
      if let bytes = try read() { return bytes }
    } catch {
      throw Failure("cannot read \(name): \(error.reason)", .badData)
    }
    throw Failure("cannot read \(name): larger than \(limit / 1_048_576) MiB", .badData)
  }

  /// Returns the text of an argument, or else of standard input without the line break at its end.
  static func text(_ argument: String?) throws -> String {
    if let argument, argument != "-" { return argument }
    var bytes = try read(nil, what: "the text").bytes
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure("cannot read standard input: not UTF-8", .badData)
    }
    return text
  }
}
