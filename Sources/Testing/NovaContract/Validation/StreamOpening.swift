import NovaCore

/// The stream ended before it sent anything.
struct StreamEnded: Error, CustomStringConvertible {
  var description: String { "the stream ended at once, without an event or a sign of life" }
}

extension HTTPResponse {
  /// The maximum number of bytes to read.
  private static let longestOpening = 64 << 10

  private struct TimeUp: Error {}

  /// Returns the response with the beginning of its stream as the body: a check must not wait for its end, nor for events.
  ///
  /// - Parameters:
  ///   - untilEvent: whether to read up to the first event, or the first comment.
  ///   - time: the maximum time to wait, because there may be no events.
  /// - Throws: ``StreamEnded``.
  func openingOfStream(untilEvent: Bool = false, within time: Duration) async throws -> HTTPResponse {
    let opening = Locked<[UInt8]>([])
    // A test's clock does not measure how long a stream takes.
    let clock = ContinuousClock()
    do {
      try await Race.run(until: clock.now.advanced(by: time), clock, timeUp: TimeUp()) {
        try await read(into: opening, untilEvent: untilEvent)
      }
      if isSuccess, opening.withLock({ $0.allSatisfy { $0 <= UInt8(ascii: " ") } }) { throw StreamEnded() }
    } catch is TimeUp {}
    var response = self
    response.body = .bytes(opening.withLock { $0 })
    return response
  }

  private func read(into opening: Locked<[UInt8]>, untilEvent: Bool) async throws {
    let end = [UInt8](repeating: UInt8(ascii: "\n"), count: 2)
    for try await chunk in body {
      let isEnough = opening.withLock { opening in
        opening += chunk
        guard isSuccess, opening.count >= Self.longestOpening || opening.contains(end) else {
          return opening.count > 1 << 20
        }
        return !untilEvent || opening.count >= Self.longestOpening || Self.holdsEvent(opening)
      }
      if isEnough { return }
    }
  }

  private static func holdsEvent(_ opening: [UInt8]) -> Bool {
    guard opening.suffix(2).elementsEqual("\n\n".utf8) else { return false }
    let lines = opening.split(separator: UInt8(ascii: "\n"))
    return lines.contains { $0.first == UInt8(ascii: ":") || $0.starts(with: "data:".utf8) }
  }
}
