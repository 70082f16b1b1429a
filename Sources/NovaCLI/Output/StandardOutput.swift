import NovaCore

/// Nobody reads the output any more, as after `| head`: no failure, just the end.
struct OutputClosed: Error {}

/// Standard output behind a buffer.
final class StandardOutput {
  private var buffer: [UInt8] = []
  let descriptor: Int32
  let styles: Styles

  init(_ descriptor: Int32 = System.standardOutput) {
    self.descriptor = descriptor
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
