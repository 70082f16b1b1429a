import NovaCore

/// A stream has ended before anything came.
struct StreamEnded: Error, CustomStringConvertible {
  var description: String { "the stream ended at once, without an event or a sign of life" }
}

extension HTTPResponse {
  /// The largest beginning of a stream that is read.
  private static let longestOpening = 64 << 10

  private struct TimeUp: Error {}

  /// The response with what a stream begins with as its body: a check must not wait for its end, nor for events.
  ///
  /// - Parameters:
  ///   - untilEvent: whether to read up to the first event, or the first comment that is in place of one.
  ///   - time: after how long to take what has come: nothing may happen.
  /// - Throws: ``StreamEnded``.
  func openingOfStream(untilEvent: Bool = false, within time: Duration) async throws -> HTTPResponse {
    let opening = Locked<[UInt8]>([])
    // The clock of a test does not say how long a stream takes.
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
