import NovaCore

/// Nobody reads the output any more, as after `| head`: no failure, just the end.
struct OutputClosed: Error {}

/// Standard output behind a buffer.
final class StandardOutput {
  private var buffer: [UInt8] = []
  let descriptor: Int32
  let styles: Styles
  private let isTerminal: Bool

  /// - Parameter isTerminal: Default: what the descriptor is.
  init(_ descriptor: Int32 = System.standardOutput, isTerminal: Bool? = nil) {
    self.descriptor = descriptor
    self.isTerminal = isTerminal ?? System.isTerminal(descriptor)
    styles = Styles(descriptor)
  }

  func write(_ bytes: some Sequence<UInt8>) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= 65_536 { try flush() }
  }

  func write(_ text: String) throws { try write(text.utf8) }

  func writeLine(_ bytes: some Sequence<UInt8>) throws {
    try write(bytes)
    try write(CollectionOfOne(UInt8(ascii: "\n")))
  }

  func writeLine(_ text: String) throws { try writeLine(text.utf8) }

  /// Writes JSON, or a part of it. On a terminal, unsafe characters from the server are escaped.
  func write(json: [UInt8]) throws { try write(isTerminal ? ShownJSON.escaped(json) : json) }

  func writeLine(json: [UInt8]) throws {
    try write(json: json)
    try writeLine("")
  }

  /// Writes ids, one a line.
  ///
  /// - Throws: ``Failure`` for an id that is not safe on a line of its own, before any of them is written.
  func writeLines(ids: [String]) throws {
    for line in try ids.map({ try OutputID($0).line() }) { try writeLine(line) }
  }

  /// Hands over what is buffered.
  func flush() throws {
    defer { buffer.removeAll(keepingCapacity: true) }
    do throws(SystemError) {
      // Both may be the same terminal.
      try StatusLine.standardError.interrupted { () throws(SystemError) in
        try SystemIO.write(buffer, to: descriptor)
      }
    } catch {
      if error.isClosedPipe { throw OutputClosed() }
      throw Failure("cannot write the output: \(error.reason)", .failed)
    }
  }
}
