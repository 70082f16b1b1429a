/// Bytes that a command was given, and the name under which messages speak of them.
struct Input {
  let bytes: [UInt8]
  /// `page.json`; nil for standard input.
  let name: String?

  static let limit = 256 * 1024 * 1024

  /// Reads a file, or standard input for nil or `-`.
  static func read(_ path: String?) throws -> Input {
    guard let path, path != "-" else { return try standardInput() }
    return Input(
      bytes: try check(path) { () throws(SystemError) in try System.readFile(path, limit: limit) }, name: path)
  }

  private static func standardInput() throws -> Input {
    if System.isTerminal(System.standardInput) {
      Diagnostics.note("reading JSON from the terminal; Ctrl-D ends it")
    }
    let bytes = try check("standard input") { () throws(SystemError) in
      try System.readAll(System.standardInput, limit: limit)
    }
    return Input(bytes: bytes, name: nil)
  }

  private static func check(_ name: String, _ read: () throws(SystemError) -> [UInt8]?) throws -> [UInt8] {
    do throws(SystemError) {
      if let bytes = try read() { return bytes }
    } catch {
      throw Failure("cannot read \(name): \(error.reason)", .failed)
    }
    throw Failure("\(name) is larger than \(limit / 1_048_576) MiB", .badData)
  }
}
