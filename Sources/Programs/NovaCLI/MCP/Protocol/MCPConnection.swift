import NovaCore

/// Reads and writes messages, one on each line.
final class MCPConnection: Sendable {
  /// The maximum size of a message from the client, in bytes.
  static let messageLimit = 4 << 20

  private let input: Int32
  private let output: Int32
  private let lines = Locked(LineSplitter(limit: messageLimit))
  private let writing = AsyncLock()
  private let isClosed = Locked(false)
  private let isAtEnd = Locked(false)

  /// - Parameters:
  ///   - input: the descriptor to read from.
  ///   - output: the descriptor to write to.
  init(input: Int32 = System.standardInput, output: Int32 = System.standardOutput) {
    (self.input, self.output) = (input, output)
  }

  /// Whether nobody reads what the server writes.
  var hasNoReader: Bool { isClosed.withLock { $0 } || System.isReaderGone(output) }

  /// The next line; nil at the end of the input, after a signal, and when nobody reads the responses. Only one task may
  /// call this.
  func nextLine() async -> LineSplitter.Line? {
    await BlockingWork.run {
      while true {
        if let line = self.lines.withLock({ $0.next() }) { return line }
        guard !self.isAtEnd.withLock({ $0 }), self.readMore() else { return nil }
      }
    }
  }

  /// - Returns: false if nothing more is to be read.
  private func readMore() -> Bool {
    let isReadable = try? System.waitForInput(input) { Interruption.happened || self.isClosed.withLock { $0 } }
    guard isReadable == true else { return false }
    let bytes = (try? SystemIO.read(input, atMost: 65_536)) ?? []
    lines.withLock { lines in
      if bytes.isEmpty { lines.finish() } else { lines.add(bytes) }
    }
    if bytes.isEmpty { isAtEnd.withLock { $0 = true } }
    return true
  }

  /// The maximum number of messages that wait until the client takes those before them.
  private static let maximumWaiting = 2000

  /// Waits while too many messages wait to be written, so that a client that reads nothing cannot fill the memory.
  func waitForRoom() async {
    while writing.waiterCount > Self.maximumWaiting, !hasNoReader, !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Writes a message, after those before it. Waits until the client takes it.
  func write(_ message: JSONValue) async {
    let line = message.jsonUTF8 + [UInt8(ascii: "\n")]
    // Complete, even if its task is cancelled meanwhile: half a line would damage the next one.
    try? await writing.withLock {
      let isWritten = await BlockingWork.run { (try? SystemIO.write(line, to: self.output)) != nil }
      if !isWritten { self.isClosed.withLock { $0 = true } }
    }
  }
}
