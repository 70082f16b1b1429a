import NovaCore

/// A fault of a stream of events.
package enum StreamFault: Sendable {
  case duplicate
  case stall(Duration)
  /// After so many bytes, nothing more is sent, and the connection stays open.
  case halfOpen(after: Int)
  /// After so many bytes, the connection ends.
  case cut(after: Int)
}

extension HTTPResponse {
  /// Whether the body continues until one side ends it.
  var isEventStream: Bool { if case .stream(let stream) = body { stream.length == nil } else { false } }

  /// Applies a fault to a stream of events; other responses stay as they are.
  mutating func damageStream(_ fault: StreamFault, clock: any CallClock) {
    guard isEventStream else { return }
    body = .stream(HTTPBodyStream(FaultyStream(body: body, fault: fault, clock: clock)))
  }
}

/// A stream of events with a fault. The first chunk is the beginning of the stream; each later one consists of events.
private struct FaultyStream: AsyncSequence, Sendable {
  let body: HTTPBody
  let fault: StreamFault
  let clock: any CallClock

  struct AsyncIterator: AsyncIteratorProtocol {
    let fault: StreamFault
    let clock: any CallClock
    /// Nil once the stream is silent: nothing more is read.
    var chunks: HTTPBody.AsyncIterator?
    var count = 0
    var hasStalled = false

    mutating func next() async throws -> [UInt8]? {
      if case .halfOpen(let limit) = fault, count >= limit { return try await silence() }
      if case .stall(let duration) = fault, count > 0, !hasStalled {
        hasStalled = true
        try await clock.sleep(until: clock.now.advanced(by: duration), tolerance: nil)
      }
      let isFirst = count == 0
      guard var chunk = try await chunks?.next() else { return nil }
      if case .duplicate = fault, !isFirst { chunk = FaultyStream.duplicated(chunk) }
      if case .halfOpen(let limit) = fault { chunk = Array(chunk.prefix(limit - count)) }
      count += chunk.count
      return chunk
    }

    /// Waits until the reader leaves.
    private mutating func silence() async throws -> [UInt8]? {
      chunks = nil
      try await clock.sleep(until: clock.now.advanced(by: .seconds(3_000_000_000)), tolerance: nil)
      return nil
    }
  }

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(fault: fault, clock: clock, chunks: body.makeAsyncIterator())
  }

  /// Repeats each event right after itself.
  static func duplicated(_ events: [UInt8]) -> [UInt8] {
    let lineFeed = UInt8(ascii: "\n")
    var (result, start) = ([UInt8](), 0)
    for index in events.indices.dropFirst() where events[index] == lineFeed && events[index - 1] == lineFeed {
      let event = events[start...index]
      result += event
      result += event
      start = index + 1
    }
    return result + events[start...]
  }
}
